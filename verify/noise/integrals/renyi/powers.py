"""Powers of positive floats, of a rational exponent, with a proven relative error: whole ones by
repeated squares, the rest x^s = m^s 2^(e s) by a table of m^s and four terms of a Taylor series.
Numbers are m 2^e with 1/2 <= m < 1 and any integer e, so that nothing overflows.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Scaled = tuple[Floats, NDArray[Any]]  # m and e of m 2^e

_UNIT = 2.0**-53
_PLACES = 4096  # of the table, on [1/2, 1)
_PART = 32 * _UNIT  # relative error of a power below 1: remainder 2^-52, roundings, two tables


def power(base: Floats, exponent: Fraction) -> Scaled:
    """Return the power of positive normal floats.

    >>> import numpy as np
    >>> mantissa, shift = power(np.array([9.0, 0.25]), Fraction(3, 2))
    >>> (mantissa * 2.0**shift).round(12).tolist()
    [27.0, 0.125]
    """
    import numpy as np

    left = floor(exponent)
    found = np.frexp(np.ones_like(base))
    square: Scaled = np.frexp(base)
    if left != exponent:
        found = _part(square, exponent - left)
    while left:
        found = times(found, square) if left & 1 else found
        left >>= 1
        square = times(square, square) if left else square
    return found


def times(one: Scaled, other: Scaled) -> Scaled:
    """Return the product of two arrays."""
    import numpy as np

    mantissa, shift = np.frexp(one[0] * other[0])
    return mantissa, shift + one[1].astype(np.int64) + other[1].astype(np.int64)


def power_error(exponent: Fraction, error: float) -> float:
    """Bound the relative error of a power, given that of the base, small against 1 / exponent."""
    return float(exponent) * (error + _UNIT) * 1.01 + 4 * _UNIT + _PART


def _part(base: Scaled, exponent: Fraction) -> Scaled:
    """Return the power for an exponent between 0 and 1."""
    import numpy as np
    from flint import ctx

    mantissa, shift = base
    places = np.floor((mantissa - 0.5) * (2 * _PLACES)).astype(np.int64)
    middle = 0.5 + (places + 0.5) / (2 * _PLACES)
    s, u = float(exponent), (mantissa - middle) / middle
    series = 1 + s * u * (1 + (s - 1) / 2 * u * (1 + (s - 2) / 3 * u))
    kept, where = np.unique(shift, return_inverse=True)
    middles = [Fraction(2 * _PLACES + 2 * k + 1, 4 * _PLACES) for k in range(_PLACES)]
    with ctx.workprec(96):
        table = np.array([float((ball(m) ** ball(exponent)).mid()) for m in middles])
        scales = np.array([float((ball(2) ** ball(exponent * int(e))).mid()) for e in kept])
    return times(np.frexp(table[places] * series), np.frexp(scales[where]))
