"""Largest quotients of the rows of a matrix of floats, with a proven relative error; comparisons
are left to others.

The influence of a record is the largest entry of a product of two k x k tables of such quotients,
so that all quilts around it cost one table per distance. Whatever must be decided (is an influence
below a level, is one quilt better than another) is decided by `ChainInfluence` with exact numbers
or enclosures where the floats are within their error of each other.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("influence.any-start",)
_ZERO_INVERSE = 2.0**1000  # stands for 1 / 0: times anything positive it exceeds every finite ratio
_LARGEST_RATIO = 2.0**650
_VALUES = 1 << 22  # floats worked on at a time


def largest_quotients_approx(matrix: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return max over j of m(v, j) / m(w, j), for all rows v and w of a non-negative matrix;
    infinite where w lacks a j of v's.

    Two roundings beside those of the entries, which are 0 or at least 2^-300.
    """
    import numpy as np

    inverse = np.full_like(matrix, _ZERO_INVERSE)
    np.divide(1.0, matrix, out=inverse, where=matrix > 0)
    step = max(1, _VALUES // matrix.size)
    quotients = np.concatenate(
        [(matrix[start : start + step, None, :] * inverse).max(axis=2) for start in range(0, len(matrix), step)]
    )
    quotients[quotients > _LARGEST_RATIO] = np.inf
    return quotients
