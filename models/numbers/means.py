"""Matrices of binary floats, exactly: what makes their entries integers, and the sums of rows.

A float is an integer times a power of two. Rows are summed in floats without an error, some 40 bits
at a time (Rump, Ogita and Oishi, Accurate floating-point summation, SIAM J. Sci. Comput. 31, 2008,
Algorithm 3.2): adding sigma = 2^k to a number and taking it away again leaves its multiple of the
last bit of sigma, and few such multiples have an exact sum.
"""

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PRECISION = 53
_LARGEST_EXPONENT = 1023
_MODERATE = 1000
_AT_ONCE = 1 << 16  # entries of the rows that are summed together, few enough for a near cache


def binary_scales(values: "NDArray[np.float64]") -> tuple[int, ...]:
    """Return for every row a power of two, at least 1, that makes every entry an integer."""
    import numpy as np

    least = values.min(axis=1)
    if not least.all():  # rows with zeros
        least = values.min(axis=1, where=values > 0, initial=math.inf)
    _, exponents = np.frexp(np.where(np.isinf(least), 1.0, least))
    return tuple(1 << max(0, _PRECISION - int(lowest)) for lowest in exponents)


def scaled_sums(values: "NDArray[np.float64]", scales: tuple[int, ...]) -> list[int]:
    """Return the exact sum of every row times its scale. Entries are finite and not negative."""
    step, sums = max(1, _AT_ONCE // values.shape[1]), list[int]()
    for start in range(0, len(values), step):
        sums += _sums(values[start : start + step], scales[start : start + step])
    return sums


def _sums(values: "NDArray[np.float64]", scales: tuple[int, ...]) -> list[int]:
    import numpy as np

    bits = values.shape[1].bit_length() + 1
    shifts = [scale.bit_length() - 1 - _PRECISION for scale in scales]
    rest, totals = values, [0] * len(values)
    high, other = np.empty_like(values), np.empty_like(values)
    largest = float(values.max())
    while largest > 0:
        sigma = math.frexp(largest)[1] + bits
        if sigma > _LARGEST_EXPONENT:
            return [sum(scaled_integers(row, scale)) for row, scale in zip(values, scales)]
        power = math.ldexp(1.0, sigma)
        # a multiple of 2^(sigma - 53), of which a row's sum stays below 2^(sigma - 1)
        np.add(rest, power, out=high)
        np.subtract(high, power, out=high)
        rest = np.subtract(rest, high, out=other)
        parts = np.ldexp(high.sum(axis=1), _PRECISION - sigma).astype(np.int64).tolist()
        for row, (part, shift) in enumerate(zip(parts, shifts)):
            totals[row] += part << shift + sigma if shift + sigma >= 0 else part >> -shift - sigma
        largest = float(max(rest.max(), -rest.min()))
    return totals


def row_shares(values: "NDArray[np.float64]", sums: tuple[int, ...], scales: tuple[int, ...]) -> "NDArray[np.float64]":
    """Return entries over the exact sums of their rows, which are integers over `scales`: each
    within a relative error of 2 * 2^-53 unless it underflows.
    """
    import numpy as np

    shifts = [scale.bit_length() - total.bit_length() for total, scale in zip(sums, scales)]
    if max(map(abs, shifts)) > _MODERATE:  # sums that are no normal floats
        values = np.ldexp(values, np.array(shifts)[:, None])
    else:
        shifts = [0] * len(shifts)
    totals = [(total << max(shift, 0)) / (scale << max(-shift, 0)) for total, scale, shift in zip(sums, scales, shifts)]
    return np.asarray(values / np.array(totals)[:, None], dtype=np.float64)


def scaled_integers(row: "NDArray[np.float64]", scale: int) -> list[int]:
    """Return the entries of a row times its scale."""
    import numpy as np

    mantissas, exponents = np.frexp(row)
    shifts = np.where(row > 0, exponents.astype(np.int64) - 53 + scale.bit_length() - 1, 0)
    return [
        mantissa << shift if shift >= 0 else mantissa >> -shift
        for mantissa, shift in zip(np.ldexp(mantissas, 53).astype(np.int64).tolist(), shifts.tolist())
    ]


def scaled(value: float, scale: int) -> int:
    """Return a value times a scale that makes it an integer."""
    above, below = value.as_integer_ratio()
    return above * (scale // below)
