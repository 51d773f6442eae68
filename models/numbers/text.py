"""Writing exact numbers: in full at any length, in brief for a person, and any value in an error
message.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import repeat
from math import gcd
from typing import Any

JsonObject = dict[str, Any]
"""An object of JSON: each key says of what kind its value is."""
Number = Fraction | str | float
"""A number to write: exact, a decimal text, or a float that stands for its shortest text."""
_CHUNK = 4_000  # Python converts no longer decimal texts unless a process-wide limit is lifted
_LONG = 15  # digits of a count
_MOST_KNOWN = 10_000
_NINES = 6  # digits of a probability that is nearly 1
_CHUNK_POWER = 10**_CHUNK


def int_of(digits: str) -> int:
    """Convert decimal digits of any length (Python's own conversion stops at 4,300 digits)."""
    if len(digits) <= _CHUNK:
        return int(digits)
    value = 0
    for start in range(0, len(digits), _CHUNK):
        part = digits[start : start + _CHUNK]
        value = value * 10 ** len(part) + int(part)
    return value


def text_of_int(value: int) -> str:
    """Write an integer of any length in decimal."""
    if value < 0:
        return "-" + text_of_int(-value)
    if value < _CHUNK_POWER:
        return str(value)
    parts = []
    while value >= _CHUNK_POWER:
        value, low = divmod(value, _CHUNK_POWER)
        parts.append(str(low).zfill(_CHUNK))
    return str(value) + "".join(reversed(parts))


def text_of(value: Fraction) -> str:
    """Write a rational in lowest terms, integers without `/1`."""
    return text_of_ratio(value.numerator, value.denominator)


def fraction_of(text: str) -> Fraction:
    """Read what `text_of` wrote, of any length.

    >>> fraction_of("-3/4")
    Fraction(-3, 4)
    """
    above, _, below = text.partition("/")
    sign = -1 if above.startswith("-") else 1
    return Fraction(sign * int_of(above.removeprefix("-")), int_of(below or "1"))


def text_of_ratio(above: int, below: int) -> str:
    """Write a ratio of integers as its rational is written, for `below` > 0."""
    common = gcd(above, below)
    numerator = text_of_int(above // common)
    return numerator if below == common else f"{numerator}/{text_of_int(below // common)}"


def texts_of_ratios(above: Sequence[int], below: int, known: dict[int, str] | None = None) -> list[str]:
    """Write ratios of integers to one positive integer as `text_of_ratio` does.

    `known` are texts of ratios to the same integer, to which new ones are added.
    """
    known = {} if known is None else known
    if len(known) > _MOST_KNOWN:  # numbers that mostly occur once
        known.clear()
    new = [*{*above}.difference(known)]
    if max([below, *new]) >= _CHUNK_POWER or min(new, default=0) < 0:
        texts = [text_of_ratio(number, below) for number in new]
    else:
        commons = [*map(gcd, new, repeat(below))]
        # what follows a numerator, by what it has in common with `below`
        ends = {common: f"/{below // common}" for common in {*commons} - {below}} | {below: ""}
        texts = [f"{number // common}{ends[common]}" for number, common in zip(new, commons)]
    known |= zip(new, texts)
    return [*map(known.__getitem__, above)]


def brief(value: Fraction, digits: int = 24) -> str:
    """Write a rational for a person: in full when it is short, else as a rounded decimal marked
    by `~`.
    """
    if max(abs(value.numerator), value.denominator) < 10 ** (digits // 2):
        return text_of(value)
    nearest = Context(prec=8).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"~{nearest.normalize():g}"


def about(count: int) -> str:
    """Write how many there are for a person: a long number by its power of ten.

    >>> about(1_000_001), about(7 * 10**5_000)
    ('1000001', 'about 10^5000')
    """
    return str(count) if abs(count) < 10**_LONG else f"about 10^{len(text_of_int(count)) - 1}"


def sum_text(total: Fraction) -> str:
    """Write a sum that should have been 1 for a person: by how much it misses 1 where rounding
    would hide that.

    >>> sum_text(Fraction(7, 8)), sum_text(Fraction(0.9) + Fraction(0.1))
    ('7/8', '1 + 2.8e-17')
    """
    text = brief(total)
    if text != "~1":
        return text
    digits = Context(prec=2).divide(Decimal((total - 1).numerator), Decimal(total.denominator))
    return f"1 {'+' if total > 1 else '-'} {abs(digits):.1e}"


def rounded(number: Number, digits: int = 12) -> str:
    """Round a number for a person to significant digits, to the nearest; no zeros at the end, an
    exponent if it must be. What is claimed is rounded by `at_most` and `at_least`.

    >>> (rounded("1.0986122886681096"), rounded("0.49999999999999999"), rounded("5.0000000000000000E-41"))
    ('1.09861228867', '0.5', '5E-41')
    """
    return _rounded(number, digits, ROUND_HALF_EVEN)


def three(number: float) -> str:
    """Write a number with three digits, for the title of a plot, rounded to the nearest.

    >>> three(22.6451), three(1e-9), three(0.0), three(1234567.8)
    ('22.6', '1e-9', '0', '1230000')
    """
    return _rounded(float(number), 3, ROUND_HALF_EVEN).replace("E", "e") if number else "0"


def at_most(number: Number, digits: int = 3) -> str:
    """Write a number with so many digits after "at most": rounded up.

    >>> at_most(Fraction(702, 31)), at_most("0.123401", 4), at_most(1 + Fraction(1, 10**9))
    ('22.7', '0.1235', '1.01')
    """
    return _rounded(number, digits, ROUND_CEILING)


def at_least(number: Number, digits: int = 3) -> str:
    """Write a number with so many digits after "at least", or of what is left: rounded down.

    >>> at_least(Fraction(702, 31)), at_least("0.99999999999", 4), at_least(Fraction(10**30, 3))
    ('22.6', '0.9999', '3.33E+29')
    """
    return _rounded(number, digits, ROUND_FLOOR)


def outward(lower: Number, upper: Number, digits: int = 12) -> tuple[str, str]:
    """Round bounds for a person, so that they stay bounds.

    >>> outward("0.49999999999999999", "1.0000000000000001")
    ('0.499999999999', '1.00000000001')
    """
    return at_least(lower, digits), at_most(upper, digits)


def chance(share: Number, digits: int = 3) -> str:
    """Write a probability, rounded to the nearest; one below 1 is never written as 1.

    >>> chance(Fraction(2, 3)), chance(Fraction(99_999, 100_000)), chance(1 - Fraction(1, 10**9))
    ('0.667', '0.99999', 'above 0.999999')
    """
    exact = share if isinstance(share, Fraction) else Fraction(str(share))
    for more in range(digits, max(digits, _NINES) + 1):
        if (text := _rounded(share, more, ROUND_HALF_EVEN)) != "1" or exact == 1:
            return text
    return f"above 0.{'9' * _NINES}"


def brief_chance(share: Fraction, digits: int = 24) -> str:
    """Write a probability as `brief` does; one below 1 is never written as 1.

    >>> brief_chance(Fraction(2, 3)), brief_chance(1 - Fraction(1, 10**30))
    ('2/3', 'above 0.999999')
    """
    return chance(share) if (text := brief(share, digits)) == "~1" else text


def _rounded(number: Number, digits: int, rounding: str) -> str:
    context = Context(prec=digits, rounding=rounding)
    if isinstance(number, Fraction):
        value = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    elif not (value := Decimal(str(number))).is_finite():
        return str(number)
    if value == 0:
        return "0"
    text = context.plus(value).normalize()
    return format(text, "f") if -6 < text.adjusted() < 21 else str(text)


def shown(value: object, length: int = 60) -> str:
    """Show any value of a file in an error message: short, on one line, and never failing."""
    try:
        text = repr(value)
    except ValueError:  # an integer with more digits than Python prints
        text = f"a {type(value).__name__} with very long numbers"
    text = " ".join(part.strip() for part in text.splitlines())  # arrays show rows as lines
    return text if len(text) <= length else text[: length - 3] + "..."


def in_json(value: object, length: int = 60) -> str:
    """Show a value of a file in an error message as JSON has it: `null`, `true`, `["a"]`."""
    if value is None or isinstance(value, bool | str | list | dict):
        with suppress(TypeError, ValueError):
            text = json.dumps(value, ensure_ascii=False)
            if text.isprintable():
                return text if len(text) <= length else text[: length - 3] + "..."
    return shown(value, length)


def quoted(value: object) -> str:
    """Quote a text, or any value, in an error message."""
    text = value if isinstance(value, str) else shown(value)
    return f'"{text if len(text) <= 60 else text[:57] + "..."}"'


def in_quotes(label: str) -> str:
    """Quote a label as JSON does, and escape what does not show: its quotation marks cannot end it.

    >>> print(in_quotes('a", prior "b'))
    "a\\", prior \\"b"
    """
    quoted = json.dumps(label, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in quoted)


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a question to put behind an error about a word, nothing if no known word is alike.

    >>> did_you_mean("prior", ["pairs", "priors"]), did_you_mean("x", ["pairs", "priors"])
    (', did you mean "priors"?', '')
    """
    from difflib import get_close_matches  # for an error alone

    word, words = given[:60].lower(), list(known)
    same = [each for each in words if each.lower() == word]
    begin = [each for each in words if len(word) > 2 and each.startswith(word)]
    like = same or begin or get_close_matches(word, words, 1, 0.75)
    return f', did you mean "{like[0]}"?' if like else ""


def capital(text: str) -> str:
    """Begin a text with a capital letter.

    >>> capital("every record"), capital("")
    ('Every record', '')
    """
    return text[:1].upper() + text[1:]


def full_stop(text: str) -> str:
    """End a text with a full stop unless it ends a sentence already; nothing stays nothing.

    >>> full_stop("so it is "), full_stop("Is it?"), full_stop("")
    ('so it is.', 'Is it?', '')
    """
    text = text.strip()
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."


def percent(share: Fraction) -> str:
    """Write a share: `95%`, or exactly where that is long.

    >>> percent(Fraction(19, 20)), percent(Fraction(2, 3))
    ('95%', '2/3')
    """
    hundredths = share * 100
    short = 10**6 % hundredths.denominator == 0
    return f"{rounded(str(float(hundredths)), 9)}%" if short else text_of(share)
