"""The largest <mu, u o v> / <nu, u o v> over all pairs (u, v) of two finite lists of columns.

Filtered exact arithmetic: every sum has non-negative terms only, so that a float64 matrix product
gives all ratios with a proven relative error and exact zeros; whatever could be the largest is
evaluated again in integers, ties included. The first largest pair in the order of the laws and
lists is returned.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import OrderedLaws, Vector
from pufferproof.lp.cones.rays import TooManyRaysError
from pufferproof.models.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHUNK = 2_000_000
_CHECKED = 4096  # columns that are made floats between two looks at the clock
_SMALLEST = 2.0**-960


@dataclass(frozen=True)
class LargestPair:
    """The largest ratio (None: infinite), and the first laws and pair of columns that reach it."""

    ratio: Fraction | None
    laws: OrderedLaws
    columns: tuple[Vector, Vector]


def largest_pair(
    laws: Sequence[OrderedLaws], left: Sequence[Vector], right: Sequence[Vector], deadline: float | None = None
) -> LargestPair:
    """Return the largest ratio over laws and pairs of columns, exactly.

    >>> law = OrderedLaws((1, 0, 0), (0, 1, 1), 1, 2, ())
    >>> largest = largest_pair([law], [(1, 2, 0), (1, 1, 1)], [(1, 2, 0), (1, 0, 2)])
    >>> largest.ratio, largest.columns
    (None, ((1, 2, 0), (1, 0, 2)))

    Raises `ModelError` unless there are laws and columns, `TooManyRaysError` at the deadline (of
    `time.monotonic`).
    """
    if not laws or not left or not right:
        raise ModelError("expected laws and columns, found none")
    pairs = _ColumnPairs(left, right, laws, deadline)
    best: tuple[int, int, int, int, int] | None = None  # above, below, law, left, right
    for k, i, j in pairs.candidates(laws, deadline) if pairs.reliable else pairs.everything(laws, deadline):
        above, below = pairs.exact(laws[k], i, j)
        for candidate in zip(above.tolist(), below.tolist(), [k] * len(i), i.tolist(), j.tolist()):
            if (candidate[0] or candidate[1]) and (best is None or candidate[0] * best[1] > best[0] * candidate[1]):
                best = candidate
            if best is not None and not best[1]:
                break
    above_, below_, k_, i_, j_ = best or (0, 1, 0, 0, 0)
    return LargestPair(Fraction(above_, below_) if below_ else None, laws[k_], (left[i_], right[j_]))


def distinct_products(
    left: Mapping[Vector, tuple[Vector, ...]], right: Sequence[Vector], limit: int, deadline: float | None = None
) -> dict[Vector, tuple[Vector, ...]]:
    """Return the different entrywise products u o v up to scale, zero left out, with the factors of
    u and v.

    >>> distinct_products({(1, 2): ((1, 2),)}, [(2, 1), (4, 2)], 10)
    {(1, 1): ((1, 2), (2, 1))}

    Raises `TooManyRaysError` unless there are at most `limit` pairs, and at the deadline (of
    `time.monotonic`).
    """
    if len(left) * len(right) > limit:
        raise TooManyRaysError(f"{len(left) * len(right)} products of columns: at most {limit} are looked at")
    products: dict[Vector, tuple[Vector, ...]] = {}
    for u, factors in left.items():
        _check(deadline)
        for v in right:
            entries = [a * b for a, b in zip(u, v)]
            divisor = gcd(*entries)
            if divisor:
                products.setdefault(tuple(entry // divisor for entry in entries), (*factors, v))
    return products


class _ColumnPairs:
    """Two lists of columns, in floats and in integers; when both are the same list, unordered
    pairs only.

    Error bound: each entry of mu, nu, u, v is rounded once (1 unit of 2^-53), the products add 2,
    the sum of n terms n - 1, the quotient of two such sums doubles that and adds 1: at most 2 n +
    11 units to first order; the tolerance is four times as much. It needs that nothing underflows,
    which is checked; otherwise all pairs are evaluated in integers.
    """

    def __init__(
        self, left: Sequence[Vector], right: Sequence[Vector], laws: Sequence[OrderedLaws], deadline: float | None
    ) -> None:
        import numpy as np

        self.same = left is right
        self.integers = tuple(np.array(side, dtype=object) for side in (left, right))
        self.a, least_left = _normalised(left, deadline)
        self.b, least_right = (self.a, least_left) if self.same else _normalised(right, deadline)
        least = min(min(w for w in law.mu + law.nu if w) / max(law.mu_total, law.nu_total) for law in laws)
        self.reliable = least_left * least_right * least > _SMALLEST
        self.tolerance = 4 * (2 * len(left[0]) + 11) * 2.0**-53

    def exact(
        self, law: OrderedLaws, i: "NDArray[np.intp]", j: "NDArray[np.intp]"
    ) -> "tuple[NDArray[Any], NDArray[Any]]":
        """Return <mu, u o v> and <nu, u o v> as integers, up to a common factor."""
        import numpy as np

        both = self.integers[0][i] * self.integers[1][j]
        above, below = ((both @ np.array(weights, dtype=object)) for weights in (law.mu, law.nu))
        return above * law.nu_total, below * law.mu_total

    def candidates(self, laws: Sequence[OrderedLaws], deadline: float | None) -> Iterator[Any]:
        """Yield, by floats, (law, left, right) wherever the ratio could be the largest."""
        import numpy as np

        top = 0.0
        kept: list[tuple[float, int, Any, Any]] = []
        for k, rows, above, below in self._blocks(laws, deadline):
            infinite = (below == 0) & (above > 0)
            if infinite.any():
                i, j = np.nonzero(infinite)
                yield k, rows[i[:1]], j[:1] + (rows[0] if self.same else 0)
                return
            ratios = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
            largest = float(ratios.max())
            if largest >= top * (1 - 2 * self.tolerance):
                top = max(top, largest)
                i, j = np.nonzero(ratios >= top * (1 - 2 * self.tolerance))
                kept.append((largest, k, rows[i], j + (rows[0] if self.same else 0)))
        for largest, k, i, j in kept:
            if largest >= top * (1 - 2 * self.tolerance):
                yield k, i, j

    def everything(self, laws: Sequence[OrderedLaws], deadline: float | None) -> Iterator[Any]:
        """Yield every (law, left, right)."""
        import numpy as np

        for k in range(len(laws)):
            for i in range(len(self.a)):
                _check(deadline)
                j = np.arange(i if self.same else 0, len(self.b))
                yield k, np.full(len(j), i), j

    def _blocks(self, laws: Sequence[OrderedLaws], deadline: float | None) -> Iterator[Any]:
        """Yield (law, left indices, all <mu, u o v>, all <nu, u o v>) in floats, block by block."""
        import numpy as np

        step = max(1, _CHUNK // len(self.b))
        for k, law in enumerate(laws):
            mu = np.array([w / law.mu_total for w in law.mu])
            nu = np.array([w / law.nu_total for w in law.nu])
            for start in range(0, len(self.a), step):
                _check(deadline)
                rows = np.arange(start, min(start + step, len(self.a)))
                right = self.b[start:].T if self.same else self.b.T
                yield k, rows, (self.a[rows] * mu) @ right, (self.a[rows] * nu) @ right


def _check(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise TooManyRaysError("out of time before all products of rays were compared")


def _normalised(vectors: Sequence[Vector], deadline: float | None) -> "tuple[NDArray[np.float64], float]":
    """Return the vectors over their largest entries in float64, and the least positive entry."""
    import numpy as np

    rows, least = [], 1.0
    for k, vector in enumerate(vectors):
        if k % _CHECKED == 0:
            _check(deadline)
        largest = max(vector) or 1
        rows.append([entry / largest for entry in vector])
        least = min(least, min((value for entry, value in zip(vector, rows[-1]) if entry), default=1.0))
    return np.array(rows), least
