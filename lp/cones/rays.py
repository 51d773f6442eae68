"""Extreme rays of the cones of columns: the outputs of which every worst case is made.

A polyhedral cone {u >= 0 : A u >= 0, B u = 0} is spanned by finitely many extreme rays. They are
found exactly, as coprime integer vectors, by the double description method. For one pair of secrets
and one prior there is a closed form. An enumeration that is stopped raises; a partial list is never
returned.

Source: Motzkin, Raiffa, Thompson and Thrall, "The double description method", 1953; Fukuda and
Prodon, "Double description method revisited", 1996.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.lp.cones.columns import Cone, Vector
from pufferproof.models.errors import SolverError

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
    return tuple(sorted(_by_double_description(cone, budget)))


def ordered_rows(cone: Cone) -> list[tuple[Vector, bool]]:
    """Return every row, with whether it is an equation, in the order in which to insert them.

    Sparse rows are first, and of those with as many entries the ones whose first entry is last. So
    one database after another is tied to those before it, and few rays are held in between.
    """
    rows = [*((row, True) for row in cone.equations), *((row, False) for row in cone.inequalities)]
    return sorted(rows, key=lambda row: (sum(map(bool, row[0])), [*map(abs, row[0])]))


def _by_double_description(cone: Cone, budget: _RayBudget) -> list[Vector]:
    """Enumerate by inserting one constraint after another.

    Every new ray is the point where the edge between two adjacent old rays meets the new
    constraint. Two rays are adjacent iff no third ray lies on every constraint that both lie on: a
    comparison of bit sets.
    """
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
    return [tuple(int(entry) for entry in ray) for ray in rays.tolist()]


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
    packed = _packed(zero)
    edges = []
    total = 0
    for start in range(0, len(few), _BLOCK):
        block = few[start : start + _BLOCK]
        for ray, shared in zip(block.tolist(), _shared(packed[block], packed)):
            budget.compared += len(zero)
            budget.check(len(zero) - len(below) + total, left)
            near = np.flatnonzero(shared >= dimension - 2)
            near = near[near != ray]
            near = near[np.argsort(-shared[near], kind="stable")]
            partners = _partners(packed[near] & packed[ray], np.flatnonzero(opposite[near]))
            edges.append(np.stack([np.full(len(partners), ray), near[partners]]))
            total += len(partners)
    budget.check(len(zero) - len(below) + total, left)
    first, second = np.concatenate([np.empty((2, 0), dtype=np.intp), *edges], axis=1)
    return (second, first) if swapped else (first, second)


def _packed(zero: "NDArray[np.bool_]") -> "NDArray[np.uint64]":
    """Return the rows of a Boolean matrix as bits, in words of 64."""
    import numpy as np

    bits = np.zeros((len(zero), 64 * -(-zero.shape[1] // 64)), dtype=bool)
    bits[:, : zero.shape[1]] = zero
    return np.packbits(bits, axis=1).view(np.uint64)


def _shared(some: "NDArray[np.uint64]", every: "NDArray[np.uint64]") -> "NDArray[np.int32]":
    """Return how many bits any two rows have in common."""
    import numpy as np

    counts = np.zeros((len(some), len(every)), dtype=np.int32)
    for word in range(every.shape[1]):
        counts += np.bitwise_count(some[:, None, word] & every[None, :, word])
    return counts


def _partners(common: "NDArray[np.uint64]", candidates: "NDArray[np.intp]") -> "NDArray[np.intp]":
    """Return the `candidates`, rows of `common`, that no other row contains."""
    import numpy as np

    for pool in (common[:_FULLEST], common):
        chosen = common[candidates]
        missing = np.zeros((len(chosen), len(pool)), dtype=np.uint64)
        for word in range(common.shape[1]):
            missing |= chosen[:, None, word] & ~pool[None, :, word]
        holders = (missing == 0).sum(axis=1)
        candidates = candidates[holders == (candidates < len(pool))]  # a row contains itself
    return candidates


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
