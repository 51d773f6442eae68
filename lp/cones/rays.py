"""Extreme rays of the cones of columns: the outputs of which every worst case is made.

A polyhedral cone {u >= 0 : A u >= 0, B u = 0} is spanned by finitely many extreme rays. They are
found exactly, as coprime integer vectors, by the double description method. For one pair of secrets
and one prior there is a closed form. An enumeration that is stopped raises; a partial list is never
returned. Products of two lists, and the largest delta of several releases, are of them.

Source: Motzkin, Raiffa, Thompson and Thrall, "The double description method", 1953; Fukuda and
Prodon, "Double description method revisited", 1996.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, prod
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector
from pufferproof.models.errors import ModelError, SolverError, TooLargeError
from pufferproof.models.numbers.text import brief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.rays-span", "worst.ray-support")
MAX_RAYS = 50_000
COMPARED = 4_000_000_000  # pairs of rays
_INT64 = 2**62
_BLOCK = 256  # rays compared with all others at a time
_FULLEST = 64
_OVER = "over {} rays with {} constraints left to insert: not enumerated"


class TooManyRaysError(SolverError):
    """An enumeration of extreme rays was stopped; nothing follows about other rays."""


@dataclass
class _RayBudget:
    """How many rays an enumeration may hold and compare, and until when it may run
    (`time.monotonic`).
    """

    rays: int
    deadline: float | None
    pairs: int
    compared: int = 0

    def check(self, count: int, left: int) -> None:
        """Raise `TooManyRaysError` unless `count` rays with `left` constraints are in budget."""
        if count > self.rays:
            raise TooManyRaysError(_OVER.format(self.rays, left))
        if self.compared > self.pairs:
            raise TooManyRaysError(
                f"over {self.pairs} pairs of rays compared with {left} constraints left to insert: not enumerated"
            )
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise TooManyRaysError(
                f"out of time at {count} rays with {left} constraints left to insert: not enumerated"
            )


def extreme_rays(
    cone: Cone, limit: int = MAX_RAYS, seconds: float | None = None, pairs: int = COMPARED
) -> tuple[Vector, ...]:
    """Return every extreme ray of a cone, in coprime integers, sorted.

    >>> extreme_rays(Cone(3, ((-1, 1, 1), (4, -1, -1))))
    ((1, 0, 1), (1, 0, 4), (1, 1, 0), (1, 4, 0))

    Args:
        limit: how many rays may be held at any time, also in between.
        seconds: when to stop, none if left out. Looked at after every ray that is compared.
        pairs: how many pairs of rays may be compared.

    Raises `TooManyRaysError` if a limit is reached.
    """
    budget = _RayBudget(limit, None if seconds is None else time.monotonic() + seconds, pairs)
    # enumerate by inserting one constraint after another.
    # Every new ray is the point where the edge between two adjacent old rays meets the new
    # constraint. Two rays are adjacent iff no third ray lies on every constraint that both lie
    # on: a comparison of bit sets.
    import numpy as np

    rows = ordered_rows(cone)
    rays = np.eye(cone.dimension, dtype=np.int64)
    zero = ~np.eye(cone.dimension, dtype=bool)  # zero[r, c]: ray r lies on inserted constraint c
    for left, (row, equal) in zip(range(len(rows), 0, -1), rows):
        if not len(rays):
            break
        budget.check(len(rays), left)
        value = _products(rays, row)
        above, below, on = (np.flatnonzero(where) for where in (value > 0, value < 0, value == 0))
        ups, downs = _adjacent(zero, above, below, cone.dimension, budget, left - 1)
        new = _crossings(rays, value, ups, downs)
        old = on if equal else np.concatenate([on, above])
        tight = np.concatenate([value[old] == 0, np.ones(len(new), dtype=bool)])
        zero = np.concatenate([zero[old], zero[ups] & zero[downs]])
        zero = np.concatenate([zero, tight[:, None]], axis=1)
        rays = np.concatenate([rays[old], new])
    return tuple(sorted([tuple(int(entry) for entry in ray) for ray in rays.tolist()]))


def ordered_rows(cone: Cone) -> list[tuple[Vector, bool]]:
    """Return every row, with whether it is an equation, in the order in which to insert them.

    Sparse rows are first, and of those with as many entries the ones whose first entry is last. So
    one database after another is tied to those before it, and few rays are held in between.
    """
    rows = [*((row, True) for row in cone.equations), *((row, False) for row in cone.inequalities)]
    return sorted(rows, key=lambda row: (sum(map(bool, row[0])), [*map(abs, row[0])]))


def _adjacent(
    zero: "NDArray[np.bool_]",
    above: "NDArray[np.intp]",
    below: "NDArray[np.intp]",
    dimension: int,
    budget: _RayBudget,
    left: int,
) -> "tuple[NDArray[np.intp], NDArray[np.intp]]":
    """Return the adjacent pairs (ray above, ray below): no third ray lies on every constraint that
    both lie on.

    A ray that could be such a third one shares at least dimension - 2 constraints with each of the
    two, as do the two.
    """
    import numpy as np

    swapped = len(above) > len(below)
    few, many = (below, above) if swapped else (above, below)
    opposite = np.zeros(len(zero), dtype=bool)
    opposite[many] = True
    # the rows of a Boolean matrix as bits, in words of 64
    bits = np.zeros((len(zero), 64 * -(-zero.shape[1] // 64)), dtype=bool)
    bits[:, : zero.shape[1]] = zero
    packed = np.packbits(bits, axis=1).view(np.uint64)
    edges = []
    total = 0
    for start in range(0, len(few), _BLOCK):
        block = few[start : start + _BLOCK]
        # how many bits any two rows have in common
        counts = np.zeros((len(packed[block]), len(packed)), dtype=np.int32)
        for column in range(packed.shape[1]):
            counts += np.bitwise_count(packed[block][:, None, column] & packed[None, :, column])
        for ray, shared in zip(block.tolist(), counts):
            budget.compared += len(zero)
            budget.check(len(zero) - len(below) + total, left)
            near = np.flatnonzero(shared >= dimension - 2)
            near = near[near != ray]
            near = near[np.argsort(-shared[near], kind="stable")]
            # the `candidates`, rows of `common`, that no other row contains
            common = packed[near] & packed[ray]
            candidates = np.flatnonzero(opposite[near])
            for pool in (common[:_FULLEST], common):
                chosen = common[candidates]
                missing = np.zeros((len(chosen), len(pool)), dtype=np.uint64)
                for word in range(common.shape[1]):
                    missing |= chosen[:, None, word] & ~pool[None, :, word]
                holders = (missing == 0).sum(axis=1)
                candidates = candidates[holders == (candidates < len(pool))]  # a row contains itself
            partners = candidates
            edges.append(np.stack([np.full(len(partners), ray), near[partners]]))
            total += len(partners)
    budget.check(len(zero) - len(below) + total, left)
    first, second = np.concatenate([np.empty((2, 0), dtype=np.intp), *edges], axis=1)
    return (second, first) if swapped else (first, second)


def _crossings(
    rays: "NDArray[np.int64]", value: "NDArray[np.int64]", ups: "NDArray[np.intp]", downs: "NDArray[np.intp]"
) -> "NDArray[np.int64]":
    """Return the coprime vectors value[up] * ray[down] - value[down] * ray[up], on which the value
    is 0.

    In int64 where nothing can overflow, else in Python integers, as in `_products`.
    """
    import numpy as np

    if not len(ups):
        return np.empty((0, rays.shape[1]), dtype=np.int64)
    if 2 * _largest(value) * _largest(rays) >= _INT64:
        rays, value = rays.astype(object), value.astype(object)
    new = value[ups][:, None] * rays[downs] - value[downs][:, None] * rays[ups]
    new //= np.gcd.reduce(new, axis=1)[:, None]
    return np.asarray(new.astype(np.int64) if _largest(new) < _INT64 else new)


def _products(rays: "NDArray[np.int64]", row: Vector) -> "NDArray[np.int64]":
    """Return <row, ray> for every ray, exactly."""
    import numpy as np

    fits = max(map(abs, row), default=0) * max(1, _largest(rays)) * len(row) < _INT64
    kind = np.int64 if fits else object
    return np.asarray(rays.astype(kind, copy=False) @ np.array(row, dtype=kind))


def _largest(values: "NDArray[np.int64]") -> int:
    return int(abs(values).max()) if values.size else 0


# The largest <mu, u o v> / <nu, u o v> over all pairs (u, v) of two finite lists of columns.
#
# Filtered exact arithmetic: every sum has non-negative terms only, so that a float64 matrix product gives all ratios
# with a proven relative error and exact zeros; whatever could be the largest is evaluated again in integers, ties
# included. The first largest pair in the order of the laws and lists is returned.

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


# The largest delta, at a level log(E), of several releases within budgets: exactly, where extreme rays and mixtures of
# them are few.
#
# Columns are multiples alpha_r r of extreme rays with sum_r alpha_r r = 1. The delta of independent releases is linear
# in each alpha, so that vertices of this polytope decide; of adaptive ones
#
#     V_k(c) = max over vertices alpha of  sum_r alpha_r V_(k-1)(c o r),
#     V_0(c) = max(0, <mu, c> - E <nu, c>),
#
# and V_K(1) is what K releases reach, each chosen by the outputs before it.

DELTAS_RESTS_ON = ("worst.delta-refinement", "worst.delta-programs", "worst.rays-span")
_MOST_HELD = 20_000  # vertices, or rays on the way to them
_MOST_RELEASES = 64
_MOST_TUPLES = 200_000  # of vertices of releases but the last, or of rays
Parts = Sequence[tuple[Fraction, Vector]]  # the columns of a mechanism: factors and extreme rays
Mixtures = Sequence[Sequence[tuple[int, Vector]]]  # the vertices of what one release may be, whole


def largest_delta(columns: Columns, ratios: Sequence[Fraction], level: Fraction, adaptive: bool = False) -> Fraction:
    """Return the largest delta of releases, each within its own budget alone.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/8", "b": "3/8", "c": "1/4", "d": "1/4"})
    >>> secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    >>> columns = Columns(Framework("abcd", secrets, "disjoint", {"theta": theta}))
    >>> twice, one = [Fraction(1)] * 2, Fraction(1)
    >>> largest_delta(columns, twice, one), largest_delta(columns, twice, one, adaptive=True)
    (Fraction(2, 3), Fraction(3, 4))

    Args:
        ratios: e to the budget of every release, at least 1, in the order in which they are made.
        level: E, e to the level at which delta is taken, at least 1.
        adaptive: whether a release may be chosen by the outputs of those before it.

    Raises `ModelError` as `Columns.cone`, unless there is a release and E is at least 1, and
    `TooLargeError` where vertices or tuples of them are too many.
    """
    if not ratios or level < 1:
        raise ModelError(f"expected a release, and e^level at least 1, found {brief(level)}", "delta")
    if len(ratios) > _MOST_RELEASES:
        asked = f"{len(ratios)} releases"
        raise TooLargeError(f"{asked}, of which delta is computed for at most {_MOST_RELEASES}")
    vertices = {ratio: _whole([*mixtures_of(extreme_rays(columns.cone(ratio), limit=_MOST_HELD))])
            for ratio in ratios}  # fmt: skip
    releases = [vertices[ratio][1] for ratio in ratios]
    ways = (
        prod(len(_rays_of(release)) for release in releases)
        if adaptive
        else prod(sum(map(len, mixtures)) for mixtures in releases[:-1])
    )
    if ways > _MOST_TUPLES:
        raise TooLargeError(f"{ways} tuples of columns, compared for at most {_MOST_TUPLES:,}")
    unit = prod(vertices[ratio][0] for ratio in ratios)
    return max(_of_laws(laws, level, releases, unit, adaptive) for laws in columns.laws)


def _whole(mixtures: Sequence[Parts]) -> tuple[int, Mixtures]:
    """Return a common denominator of factors, and mixtures with their factors times that."""
    unit = lcm(*(factor.denominator for parts in mixtures for factor, _ in parts))
    return unit, [[(int(factor * unit), ray) for factor, ray in parts] for parts in mixtures]


def _of_laws(laws: OrderedLaws, level: Fraction, releases: Sequence[Mixtures], unit: int, adaptive: bool) -> Fraction:
    """Return the largest delta for one order of laws, computed in integers: columns c as the
    products of c and the weights of <mu, c> - E <nu, c>, over a common denominator.
    """
    above, below = laws.nu_total * level.denominator, laws.mu_total * level.numerator
    weights = tuple(m * above - n * below for m, n in zip(laws.mu, laws.nu))
    one = laws.mu_total * above * unit
    delta = _adaptive(releases, weights) if adaptive else _independent(releases, [weights], one)
    return Fraction(delta, one)


def mixtures_of(rays: Sequence[Vector]) -> Iterator[Parts]:
    """Yield the vertices of {alpha >= 0 : sum_r alpha_r r = 1}, with rays of positive alpha alone.

    They are the extreme rays of the cone {(alpha, t) >= 0 : sum_r alpha_r r = t 1}, where t = 1.

    >>> [[(str(factor), ray) for factor, ray in each] for each in mixtures_of([(1, 0), (1, 2)])]
    [[('1/2', (1, 0)), ('1/2', (1, 2))]]
    """
    equations = tuple((*entries, -1) for entries in zip(*rays))
    for *alpha, t in extreme_rays(Cone(len(rays) + 1, (), equations), limit=_MOST_HELD):
        yield [(Fraction(factor, t), ray) for factor, ray in zip(alpha, rays) if factor]


def _independent(releases: Sequence[Mixtures], columns: Sequence[Vector], one: int) -> int:
    """Return the largest delta of independent releases beside those of `columns`."""
    mixtures, *others = releases
    if not others:
        values = {ray: sum(max(0, sum(_times(column, ray))) for column in columns) for ray in _rays_of(mixtures)}
        return _largest_mixture(mixtures, values)
    best = 0
    for place, parts in enumerate(mixtures):
        later, both = [*_later(others, mixtures, place)], [*_beside(columns, parts)]
        best = max(best, _independent(later, both, one))
        if best == one:  # no delta is larger
            break
    return best


def _later(others: Sequence[Mixtures], mixtures: Mixtures, place: int) -> Iterator[Mixtures]:
    """Yield the vertices of later releases; equal budgets count in no order."""
    rest = mixtures[place:]
    yield from (rest if other is mixtures else other for other in others)


def _adaptive(releases: Sequence[Mixtures], column: Vector) -> int:
    """Return V of the releases that are left, at a column."""
    if not releases:
        return max(0, sum(column))
    mixtures, *others = releases
    values = {ray: _adaptive(others, _times(column, ray)) for ray in _rays_of(mixtures)}
    return _largest_mixture(mixtures, values)


def _rays_of(mixtures: Mixtures) -> set[Vector]:
    return {ray for parts in mixtures for _, ray in parts}


def _largest_mixture(mixtures: Mixtures, values: Mapping[Vector, int]) -> int:
    """Return the largest sum_r alpha_r V(r) over vertices alpha."""
    return max(sum(factor * values[ray] for factor, ray in parts) for parts in mixtures)


def _times(column: Vector, ray: Vector) -> Vector:
    return tuple(c * r for c, r in zip(column, ray))


def _beside(columns: Sequence[Vector], parts: Sequence[tuple[int, Vector]]) -> Iterator[Vector]:
    """Yield the columns of a joint release with one mechanism more."""
    for column in columns:
        for factor, ray in parts:
            yield tuple(factor * entry for entry in _times(column, ray))
