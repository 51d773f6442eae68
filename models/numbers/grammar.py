"""Reading exact numbers: the grammar people write, and the numbers of Python.

Grammar (ASCII): an integer, a fraction `3/4`, or a decimal `0.25`; integers and decimals may carry
an exponent of at most 4 digits; at most 10,000 digits in all. `0.25` is exactly 1/4. Nothing else:
Python's own `Fraction` accepts more and does not come back from `1e999999999`. No float is ever
produced here.
"""

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from math import gcd, lcm
from numbers import Rational
from typing import cast

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import brief, int_of, quoted, shown

MAX_DIGITS = 10_000
_SHORT = 40  # characters of a number that is kept
_FINEST = 10**30  # the largest denominator of a confidence
_COMMA = re.compile(r"(-?[0-9]+),([0-9]+)")
_BARE_START = re.compile(r"^(-?)\.(?=[0-9])")
_BARE_END = re.compile(r"^(-?[0-9]+)\.(?=$|[eE])")
_PERCENT = re.compile(r"([0-9]{1,20}(?:\.[0-9]{1,4})?) *%")
_NUMBER = re.compile(r"(-?)([0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?)")


def parse_number(text: str) -> Fraction:
    """Read one number of the grammar exactly.

    >>> parse_number("0.25"), parse_number("3/4"), parse_number("25e-2")
    (Fraction(1, 4), Fraction(3, 4), Fraction(1, 4))

    Raises `ModelError` unless the text is in the grammar.
    """
    return _short_number(text) if len(text) <= _SHORT else _number(text)


def _number(text: str) -> Fraction:
    if len(text) > MAX_DIGITS and sum(character.isdigit() for character in text) > MAX_DIGITS:
        raise ModelError(f"a number has at most {MAX_DIGITS} digits, found {len(text)} characters")
    match = _NUMBER.fullmatch(text)
    if match is None:
        found = quoted(text) + meant(text)
        raise ModelError(f'expected a number such as "3/4", "0.25" or 1, found {found}')
    sign, whole, denominator, decimals, exponent = match.groups()
    if denominator is not None:
        below = int_of(denominator)
        if below == 0:
            raise ModelError(f"expected a non-zero denominator, found {quoted(text)}")
        value = Fraction(int_of(whole), below)
    else:
        scale = int(exponent or "0") - len(decimals or "")
        digits = int_of(whole + (decimals or ""))
        value = Fraction(digits * 10**scale) if scale >= 0 else Fraction(digits, 10**-scale)
    return -value if sign else value


def meant(text: str) -> str:
    """Return what is asked behind an error about a text that is nearly a number.

    >>> meant("1,5"), meant("5%"), meant("x")
    (', did you mean "1.5"?', ', did you mean "0.05"?', '')
    """
    if len(text) > _SHORT:
        return ""
    if match := _COMMA.fullmatch(text):
        return f', did you mean "{match[1]}.{match[2]}"?'
    if match := _PERCENT.fullmatch(text):
        share = (Decimal(match[1]) / 100).normalize()
        return f', did you mean "{share:f}"?'
    return ""


def table_number(text: str) -> Fraction:
    """Read a number from a file of another tool, where a point may lack digits on one side.

    >>> table_number(".5"), table_number("1."), table_number("5.e-1")
    (Fraction(1, 2), Fraction(1, 1), Fraction(1, 2))

    Raises `ModelError` unless the text is in the grammar, but for this.
    """
    return parse_number(_BARE_END.sub(r"\1", _BARE_START.sub(r"\g<1>0.", text)))


# The numbers of a question are few, and are written again and again.
_short_number = lru_cache(maxsize=4096)(_number)


def exact(value: object) -> Fraction:
    """Convert a number to the rational it stands for.

    Strings follow the grammar; `int`, `Fraction` and `Decimal` are themselves; a float (also
    NumPy's) is its exact binary value, so `0.1` is not 1/10 and `0.9 + 0.1` not 1: write `"0.1"`,
    or let rows of floats be divided by their sums.

    >>> exact("0.1"), exact(0.5)
    (Fraction(1, 10), Fraction(1, 2))
    """
    if type(value) is Fraction:
        above, below = value.numerator, value.denominator
        # of integers of NumPy, which overflow, a fraction keeps them
        return value if type(above) is type(below) is int else Fraction(int(above), int(below))
    if isinstance(value, str):
        return parse_number(value)
    if hasattr(value, "item") and getattr(value, "shape", ()) == ():  # NumPy scalars
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | Rational | float | Decimal):
        raise ModelError(f"expected a number, found {quoted(value)}")
    try:
        return Fraction(value)
    except (ValueError, OverflowError):
        raise ModelError(f"expected a finite number, found {value}") from None


def probability(value: object, where: str) -> Fraction:
    """Convert a number from 0 to 1 to the rational it stands for.

    >>> probability("0.1", "delta")
    Fraction(1, 10)

    Raises `ModelError`, saying where, unless it is one.
    """
    try:
        number = exact(value)
    except ModelError as error:
        raise error.within(where) from None
    if not 0 <= number.numerator <= number.denominator:
        raise ModelError(f"expected a probability, found {brief(number)}", where)
    return number


def confidence_of(value: object) -> Fraction:
    """Read a confidence: "95%", "19/20", "0.95", or a number.

    >>> confidence_of("95%"), confidence_of("19/20")
    (Fraction(19, 20), Fraction(19, 20))

    Raises `ModelError` unless it is between 0 and 1, and short.
    """
    percent = isinstance(value, str) and value.endswith("%")
    try:
        share = parse_number(str(value)[:-1]) / 100 if percent else exact(value)
    except ModelError:
        raise ModelError(f'expected a share such as "95%" or "0.95", found {shown(value)}', "confidence") from None
    if share.denominator > _FINEST:
        raise ModelError(f"expected a share of at most 30 digits, found {quoted(value)}", "confidence")
    if not 0 < share < 1:
        hint = f' (did you mean "{brief(share)}%"?)' if 1 < share < 100 and not percent else ""
        raise ModelError(f"expected a share between 0 and 1, found {shown(value)}{hint}", "confidence")
    return share


# Rows of numbers as integers over one denominator, exactly: integers, fractions and decimals at once. What is of
# another kind, or is no number, is left to whoever reads numbers one by one.

Integers = tuple[list[int], int]  # numerators, and the least denominator of all
_LONGEST = 1000  # characters of a number that is read here, or of each part of a ratio
_DECIMAL = r"[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,4})?+"
_DECIMALS = re.compile(rf"{_DECIMAL}(?:,{_DECIMAL})*+")
_PART = rf"[0-9]{{1,{_LONGEST}}}+"
_RATIO = rf"{_PART}(?:/{_PART})?+"
_RATIOS = re.compile(rf"{_RATIO}(?:,{_RATIO})*+")
_DIGITS = 18  # of a number below 2^63
_MANY = 32  # numbers from which an array pays
_FRACTIONS = frozenset([int, Fraction])


def integers_of(entries: Sequence[object]) -> Integers | None:
    """Return a row of plain numbers as integers over their least common denominator, or None if
    some are to be read one by one.

    >>> integers_of(["0.25", "0.7", "0.05"]), integers_of([Fraction(1, 2), Fraction(1, 3)])
    (([5, 14, 1], 20), ([3, 2], 6))
    """
    kinds = set(map(type, entries))
    if kinds == {int}:
        return list(cast(Sequence[int], entries)), 1
    if kinds != {str}:
        return over_common(cast(Sequence[Fraction], entries)) if kinds <= _FRACTIONS else None
    texts = cast(Sequence[str], entries)
    joined = ",".join(texts)
    if joined.count(",") == len(texts) - 1 and (row := (_of_ratios if "/" in joined else _of_decimals)(texts, joined)):
        return row
    try:
        return over_common(list(map(parse_number, texts)))
    except ModelError:
        return None  # whoever reads it says where it stands


def over_common(values: Collection[Fraction]) -> Integers:
    """Return rationals as integers over their least common denominator: Python's own, as a fraction
    of integers of NumPy keeps them, and they overflow.
    """
    pairs = [value.as_integer_ratio() for value in values]
    distinct = {below for _, below in pairs}
    common = lcm(*distinct)
    factors = {below: common // int(below) for below in distinct}
    return [int(above) * factors[below] for above, below in pairs], common


def _of_ratios(texts: Sequence[str], joined: str) -> Integers | None:
    if not _RATIOS.fullmatch(joined):
        return None
    pairs = [text.partition("/") for text in texts]
    above, below = [int(pair[0]) for pair in pairs], [int(pair[2] or 1) for pair in pairs]
    if not (common := lcm(*set(below))):
        return None
    return _reduced([number * (common // each) for number, each in zip(above, below)], common)


def _of_decimals(texts: Sequence[str], joined: str) -> Integers | None:
    places = len(texts[0].partition(".")[2])
    if 0 < places < _LONGEST and _alike(places).fullmatch(joined):
        short = places < _DIGITS and len(texts) >= _MANY
        return _reduced(_integers(joined.replace(".", ""), short), 10**places)
    if not _DECIMALS.fullmatch(joined) or max(map(len, texts)) > _LONGEST:
        return None
    if "e" in joined or "E" in joined:
        digits, powers = [], []
        for text in texts:
            written, _, exponent = text.replace("E", "e").partition("e")
            whole, _, behind = written.partition(".")
            digits.append(int(whole + behind))
            powers.append(int(exponent or "0") - len(behind))
        least = min(0, *powers)
        return _reduced([number * 10 ** (power - least) for number, power in zip(digits, powers)], 10**-least)
    decimals = [len(text.partition(".")[2]) for text in texts]
    most = max(decimals)
    if min(decimals) < most:
        joined = ",".join([text + "0" * (most - decimal) for text, decimal in zip(texts, decimals)])
    return _reduced(_integers(joined.replace(".", "")), 10**most)


@cache
def _alike(places: int) -> re.Pattern[str]:
    """Return the places that decimals share, if without points they stay below 2^63."""
    whole = _DIGITS - places if places < _DIGITS else _LONGEST - places
    number = rf"[0-9]{{1,{whole}}}+\.[0-9]{{{places}}}+"
    return re.compile(rf"{number}(?:,{number})*+")


def _integers(joined: str, short: bool = False) -> list[int]:
    """Return the integers of a text, which has commas between them; many short ones fit 64 bits."""
    if not short:
        return list(map(int, joined.split(",")))
    import numpy as np

    numbers: list[int] = np.fromstring(joined, dtype=np.int64, sep=",").tolist()
    return numbers


def _reduced(numerators: list[int], denominator: int) -> Integers:
    divisor = gcd(denominator, *numerators)
    if divisor == 1:
        return numerators, denominator
    return [number // divisor for number in numerators], denominator // divisor
