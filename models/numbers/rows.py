"""Rows of numbers as integers over one denominator, exactly: integers, fractions and decimals at
once. What is of another kind, or is no number, is left to whoever reads numbers one by one.
"""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import parse_number

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


def integers_of(entries: Sequence[Any]) -> Integers | None:
    """Return a row of plain numbers as integers over their least common denominator, or None if
    some are to be read one by one.

    >>> integers_of(["0.25", "0.7", "0.05"]), integers_of([Fraction(1, 2), Fraction(1, 3)])
    (([5, 14, 1], 20), ([3, 2], 6))
    """
    kinds = set(map(type, entries))
    if kinds == {int}:
        return list(entries), 1
    if kinds == {str}:
        return _of_joined(entries) or _of_texts(entries)
    return over_common(entries) if kinds <= _FRACTIONS else None


def over_common(values: Collection[Fraction]) -> Integers:
    """Return rationals as integers over their least common denominator: Python's own, as a fraction
    of integers of NumPy keeps them, and they overflow.
    """
    pairs = [value.as_integer_ratio() for value in values]
    distinct = {below for _, below in pairs}
    common = lcm(*distinct)
    factors = {below: common // int(below) for below in distinct}
    return [int(above) * factors[below] for above, below in pairs], common


def _of_texts(texts: Sequence[str]) -> Integers | None:
    try:
        return over_common(list(map(parse_number, texts)))
    except ModelError:
        return None  # whoever reads it says where it stands


def _of_joined(texts: Sequence[str]) -> Integers | None:
    joined = ",".join(texts)
    if joined.count(",") != len(texts) - 1:
        return None
    return (_of_ratios if "/" in joined else _of_decimals)(texts, joined)


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
        return _of_exponents(texts)
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


def _of_exponents(texts: Sequence[str]) -> Integers:
    """Return numbers d 10^x as integers over the power of ten of the least x."""
    digits, powers = [], []
    for text in texts:
        written, _, exponent = text.replace("E", "e").partition("e")
        whole, _, decimals = written.partition(".")
        digits.append(int(whole + decimals))
        powers.append(int(exponent or "0") - len(decimals))
    least = min(0, *powers)
    return _reduced([number * 10 ** (power - least) for number, power in zip(digits, powers)], 10**-least)


def _reduced(numerators: list[int], denominator: int) -> Integers:
    divisor = gcd(denominator, *numerators)
    if divisor == 1:
        return numerators, denominator
    return [number // divisor for number in numerators], denominator // divisor
