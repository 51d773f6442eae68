"""Exact numbers: the grammar people write, rationals, and decimal enclosures of logarithms.

Grammar (ASCII): an integer, a fraction `3/4`, or a decimal `0.25`; integers and decimals may carry
an exponent of at most 4 digits; at most 10,000 digits in all. `0.25` is exactly 1/4. Nothing else:
Python's own `Fraction` accepts more and does not come back from `1e999999999`. No float is ever
produced here.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

from pufferproof.models.errors import ModelError

MAX_DIGITS = 10_000
_NUMBER = re.compile(r"(-?)([0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?)")
_CHUNK = (
    4_000  # Python refuses to convert longer decimal texts unless a process-wide limit is lifted
)
_CHUNK_POWER = 10**_CHUNK
_ENCLOSURE_DIGITS = 17


def parse_number(text: str) -> Fraction:
    """Read one number of the grammar exactly.

    >>> parse_number("0.25"), parse_number("3/4"), parse_number("25e-2")
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 4))

    Raises `ModelError` unless the text is in the grammar.
    """
    if len(text) > MAX_DIGITS and sum(character.isdigit() for character in text) > MAX_DIGITS:
        raise ModelError(f"a number has at most {MAX_DIGITS} digits, found {len(text)} characters")
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ModelError(f'expected a number such as "3/4", "0.25" or 1, found {_quoted(text)}')
    sign, whole, denominator, decimals, exponent = match.groups()
    if denominator is not None:
        below = int_of(denominator)
        if below == 0:
            raise ModelError(f"expected a non-zero denominator, found {_quoted(text)}")
        value = Fraction(int_of(whole), below)
    else:
        scale = int(exponent or "0") - len(decimals or "")
        value = Fraction(int_of(whole + (decimals or ""))) * Fraction(10) ** scale
    return -value if sign else value


def exact(value: Any) -> Fraction:
    """Convert a number to the rational it stands for.

    Strings follow the grammar; `int`, `Fraction` and `Decimal` are themselves; a float (also
    NumPy's) is its exact binary value, so `0.1` is not 1/10 and `0.9 + 0.1` not 1: write `"0.1"`,
    or let rows of floats be divided by their sums.

    >>> exact("0.1"), exact(0.5)
    (Fraction(1, 10), Fraction(1, 2))
    """
    if isinstance(value, str):
        return parse_number(value)
    if hasattr(value, "item") and getattr(value, "shape", ()) == ():  # NumPy scalars
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | Rational | float | Decimal):
        raise ModelError(f"expected a number, found {_quoted(value)}")
    try:
        return Fraction(value)
    except (ValueError, OverflowError):
        raise ModelError(f"expected a finite number, found {value}") from None


def int_of(digits: str) -> int:
    """Convert decimal digits of any length (Python's own conversion stops at 4,300 digits)."""
    value = 0
    for start in range(0, len(digits), _CHUNK):
        part = digits[start : start + _CHUNK]
        value = value * 10 ** len(part) + int(part)
    return value


def text_of_int(value: int) -> str:
    """Write an integer of any length in decimal."""
    if value < 0:
        return "-" + text_of_int(-value)
    parts = []
    while value >= _CHUNK_POWER:
        value, low = divmod(value, _CHUNK_POWER)
        parts.append(str(low).zfill(_CHUNK))
    return str(value) + "".join(reversed(parts))


def text_of(value: Fraction) -> str:
    """Write a rational in lowest terms, integers without `/1`."""
    if value.denominator == 1:
        return text_of_int(value.numerator)
    return f"{text_of_int(value.numerator)}/{text_of_int(value.denominator)}"


def brief(value: Fraction, digits: int = 24) -> str:
    """Write a rational for a person: in full when it is short, else as a rounded decimal marked
    by `~`.
    """
    if max(abs(value.numerator), value.denominator) < 10 ** (digits // 2):
        return text_of(value)
    nearest = Context(prec=8).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"~{nearest.normalize():g}"


def sum_text(total: Fraction) -> str:
    """Write a sum that should have been 1 for a person: by how much it misses 1 where rounding
    would hide that.

    >>> sum_text(Fraction(7, 8)), sum_text(exact(0.9) + exact(0.1))
    ('7/8', '1 + 2.8e-17')
    """
    text = brief(total)
    if text != "~1":
        return text
    digits = Context(prec=2).divide(Decimal((total - 1).numerator), Decimal(total.denominator))
    return f"1 {'+' if total > 1 else '-'} {abs(digits):.1e}"


def rounded(decimal: str, digits: int = 13, up: bool = False) -> str:
    """Round a decimal for a person to significant digits, to the nearest or up; no zeros at the
    end, an exponent if it must be.

    >>> (
    ...     rounded("1.0986122886681096"),
    ...     rounded("0.49999999999999999"),
    ...     rounded("5.0000000000000000E-41"),
    ... )
    ('1.098612288668', '0.5', '5E-41')
    >>> rounded("0.123401", 4, up=True)
    '0.1235'
    """
    return _rounded(decimal, digits, ROUND_CEILING if up else ROUND_HALF_EVEN)


def outward(lower: str, upper: str, digits: int = 13) -> tuple[str, str]:
    """Round bounds for a person, so that they stay bounds.

    >>> outward("0.49999999999999999", "1.0000000000000001")
    ('0.4999999999999', '1.000000000001')
    """
    return _rounded(lower, digits, ROUND_FLOOR), _rounded(upper, digits, ROUND_CEILING)


def _rounded(decimal: str, digits: int, rounding: str) -> str:
    value = Decimal(decimal)
    if not value.is_finite() or value == 0:
        return decimal
    text = Context(prec=digits, rounding=rounding).plus(value).normalize()
    return format(text, "f") if -6 < text.adjusted() < 21 else str(text)


@dataclass(frozen=True)
class Enclosure:
    """Two decimal strings with lower <= value <= upper, relative width at most 1e-14 (`"inf"`
    twice when infinite).
    """

    lower: str
    upper: str

    def as_json(self) -> dict[str, str]:
        """Return `{"lower": ..., "upper": ...}`."""
        return {"lower": self.lower, "upper": self.upper}


INFINITE = Enclosure("inf", "inf")


def enclose(lower: Fraction, upper: Fraction) -> Enclosure:
    """Round two rational bounds outward to 17 significant digits."""
    return Enclosure(_decimal(lower, ROUND_FLOOR), _decimal(upper, ROUND_CEILING))


def enclose_log(ratio: Fraction) -> Enclosure:
    """Enclose log(ratio) in nats, ratio > 0, with Arb (python-flint).

    >>> enclose_log(Fraction(9, 5))
    Enclosure(lower='0.58778666490211900', upper='0.58778666490211901')
    """
    if ratio == 1:
        return Enclosure("0", "0")
    return enclose(*log_bounds(ratio, 72))


def log_bounds(ratio: Fraction, accuracy: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of log(ratio), ratio > 0 and not 1, with relative width at most
    2^-accuracy.
    """
    from flint import arb, ctx, fmpq

    argument = fmpq(ratio.numerator, ratio.denominator)
    bits = accuracy + 32
    while True:
        with ctx.workprec(bits):
            value = arb(argument).log()
            if value.rel_accuracy_bits() > accuracy:
                return dyadic(value.lower()), dyadic(value.upper())
        bits *= 2


def exp_bounds(exponent: Fraction, accuracy: int) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^exponent with relative width at most 2^-accuracy."""
    from flint import arb, ctx, fmpq

    argument = fmpq(exponent.numerator, exponent.denominator)
    bits = accuracy + 32
    while True:
        with ctx.workprec(bits):
            value = arb(argument).exp()
            if value.rel_accuracy_bits() > accuracy:
                return dyadic(value.lower()), dyadic(value.upper())
        bits *= 2


def dyadic(value: Any) -> Fraction:
    """Return the number m 2^n that an exact Arb ball stands for."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _decimal(value: Fraction, rounding: str) -> str:
    context = Context(prec=_ENCLOSURE_DIGITS, rounding=rounding, Emin=-999999, Emax=999999)
    nearest = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return format(nearest, "f") if -30 < nearest.adjusted() < 30 or nearest == 0 else str(nearest)


def shown(value: Any, length: int = 60) -> str:
    """Show any value of a file in an error message: short, on one line, and never failing."""
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python prints
        text = f"a {type(value).__name__} with very long numbers"
    text = " ".join(part.strip() for part in text.splitlines())  # arrays show rows as lines
    return text if len(text) <= length else text[: length - 3] + "..."


def _quoted(value: Any) -> str:
    text = value if isinstance(value, str) else shown(value)
    return f'"{text if len(text) <= 60 else text[:57] + "..."}"'
