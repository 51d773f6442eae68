"""Checked arguments of the mechanism constructors: ratios and rational powers."""

from fractions import Fraction
from math import isqrt

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import text_of

Number = str | int | Fraction


def checked_ratio(ratio: Number, where: str = "ratio") -> Fraction:
    """Return a ratio e^epsilon as a rational. Raises `ModelError` unless it is above 1."""
    try:
        value = exact(ratio)
    except ModelError as error:
        raise error.within(where) from None
    if value <= 1:
        raise ModelError(f"expected a ratio e^epsilon above 1, found {text_of(value)}", where)
    return value


def rational_root(value: Fraction, where: str = "ratio") -> Fraction:
    """Return the square root of a non-negative rational. Raises `ModelError` unless it is
    rational.
    """
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if root * root != value:
        raise ModelError(f"expected the square of a rational, found {text_of(value)}", where)
    return root
