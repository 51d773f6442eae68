"""Normal laws whose covariance is a function of the distance of two records, by name.

    squared_exponential   Cov(X_j, X_k) = exp(-(j - k)^2 / length)
    exponential           Cov(X_j, X_k) = exp(-|j - k| / length), an AR(1), Matern of order 1/2

These numbers are irrational. The law is the one whose numbers are rounded: exp(-1 / length) of an
AR(1) to 60 decimals, and entries of a matrix to 60, or twice as many until it has no negative
variance, which is decided exactly.
"""

from fractions import Fraction
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.continuous.gaussian import Number
from pufferproof.models.priors.continuous.normal import Mean, Normal

MAX_SMOOTH = 60  # records of a matrix that is written out
_DIGITS = (60, 120, 240)
Kind = Literal["squared_exponential", "exponential"]


def normal_of_kernel(kind: Kind, length: Number, count: int, mean: Mean = 0) -> Normal:
    """Return the law of so many records, variance 1.

    >>> law = normal_of_kernel("squared_exponential", 1, 2)
    >>> f"{float(law.covariance_of(1, 2)):.6f}"
    '0.367879'
    >>> f"{float(normal_of_kernel('exponential', 2, 9).coefficient):.6f}"
    '0.606531'

    Raises `ModelError` unless the length is above 0, and 240 decimals are enough.
    """
    scale = exact(length)
    if scale <= 0:
        raise ModelError(f"expected a length above 0, found {brief(scale)}", f"{kind}.length")
    if kind == "exponential":
        return Normal(mean, coefficient=_rounded(1 / scale, _DIGITS[0]), variance=1)
    if count > MAX_SMOOTH:
        raise ModelError(f"expected at most {MAX_SMOOTH} records, found {count}; exponential takes more", kind)
    for digits in _DIGITS:
        near = [_rounded(d * d / scale, digits) for d in range(count)]
        rows = [[near[abs(j - k)] for k in range(count)] for j in range(count)]
        try:
            return Normal(mean, rows)
        except ModelError as error:
            if "semidefinite" not in error.what:
                raise
    raise ModelError(
        f"expected a length for which {_DIGITS[-1]} decimals tell the records apart, found "
        f"{brief(scale)} for {count} records: nearly all is decided by few of them",
        f"{kind}.length",
    )


def _rounded(exponent: Fraction, digits: int) -> Fraction:
    """Return exp(-exponent) to so many decimals."""
    scale = 10**digits
    if exponent > 4 * digits:  # below half a unit of the last
        return Fraction(0)
    lower, upper = exp_bounds(-exponent, 4 * digits + 16)
    return Fraction(round((lower + upper) / 2 * scale), scale) if exponent else Fraction(1)
