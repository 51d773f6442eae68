"""Numbers that draws are computed with: exact values, infinities, zeros with a sign, and whether a
number is one of NumPy.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import Run, Symbol


def exact_number(value: Any, path: Run) -> Any:
    """Return a number as `flint.fmpq`, floats by the exact value that they have or remember, draws
    as they are. What is no number, or an array, gives `NotImplemented`; infinities and NaN are
    refused.
    """
    kind = type(value)
    if kind is fmpq:
        return value
    if isinstance(value, Symbol):
        value = value.resolved()
        return value if isinstance(value, Symbol) else exact_number(value, path)
    if kind is int or kind is bool:
        return fmpq(int(value))
    if kind is float:
        if not math.isfinite(value):
            path.refuse(f"it computes with a draw and {value}")
        return fmpq(*value.as_integer_ratio())
    if kind is Fraction:
        return fmpq(value.numerator, value.denominator)
    if kind is ExactFloat:
        return fmpq(value.exact.numerator, value.exact.denominator)
    if hasattr(value, "dtype") and value.shape == () and value.dtype.kind in "biuf":
        plain = value.item()  # an integer of NumPy would overflow
        if type(plain) in (int, bool, float):
            return exact_number(plain, path)
        path.refuse(f"it computes with a draw and a number of type {kind.__name__}")
    if isinstance(value, int | float):
        return exact_number(int(value) if isinstance(value, int) else float(value), path)
    return NotImplemented


def infinite(value: Any) -> float | None:
    """Return a float that is infinite or NaN, else None."""
    if isinstance(value, Symbol) or not hasattr(value, "as_integer_ratio"):
        return None
    number = value if isinstance(value, int) else float(value)
    return None if isinstance(number, int) or math.isfinite(number) else number


def known(value: object) -> Any:
    """Return a number as it is known by now: a continuous draw is not."""
    return value.resolved() if isinstance(value, Symbol) else value


def is_numpys(value: object) -> bool:
    """Whether a number, or what it stands for, is one of NumPy."""
    return isinstance(value, np.generic | np.ndarray)


def is_array(value: object) -> bool:
    """Whether something is an array of NumPy, and no single number."""
    return isinstance(value, np.ndarray) and bool(value.shape)


def has_minus(value: Any) -> bool:
    """Whether a number has a minus sign, as -0.0 has."""
    return math.copysign(1, float(value)) < 0


def negative_zero(value: object, sign: int) -> bool:
    """Whether a number of a sign is -0.0."""
    return value == 0 and has_minus(sign * float(value))
