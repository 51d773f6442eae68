"""What the records before another tell at most of its values, by the laws that it may have, of many
cells at once.

With A_t(x) the mean density of the noise so far, given X_t = x, and p the law of X_t,

    A_(t+1)(x) = sum_z p(z) P(z, x) h(z) / sum_z p(z) P(z, x),    h(z) = A_t(z) times the noise:

quotients of A_(t+1) are largest at an extreme ray h of their cone, at columns P(., x), P(., y) at
their ends, ordered by h, and on an edge of the polytope of p: if the quotient of the denominators
is fixed, what is left is a quotient of linear functions of p under one linear constraint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

# Cones {g : g(a) <= apart(a, b) g(b)} by their extreme rays, and means of rows between bounds, of many cells at once:
# `apart` has shape (cells, values, values).

Floats: TypeAlias = NDArray[np.float64]

Places: TypeAlias = NDArray[np.intp]

_FEASIBLE = 1 + 1e-9
_FEW = 3  # values, of which rays are few
_SAME = 13  # decimals of logarithms of rays that are one, up to rounding


def largest(low: Floats, high: Floats, numbers: Floats) -> Floats:
    """Return about the largest means of numbers over rows between bounds, along the last axis."""
    low, high, numbers = np.broadcast_arrays(low, high, numbers)
    order = np.argsort(-numbers, axis=-1, kind="stable")
    room = np.take_along_axis(high - low, order, axis=-1)
    ahead = np.cumsum(room, axis=-1) - room
    rest = 1 - low.sum(axis=-1, keepdims=True)
    row = np.take_along_axis(low, order, axis=-1) + np.clip(rest - ahead, 0, room)
    whole: Floats = (row * np.take_along_axis(numbers, order, axis=-1)).sum(axis=-1)
    return whole


def rays(apart: Floats) -> Floats:
    """Return the extreme rays of each cone, largest entry 1: as many bounds are met as make a tree.
    Cones with fewer rays than others have rays of ones as well, which are in all of them.

    >>> import numpy as np
    >>> rays(np.array([[[1.0, 2.0], [4.0, 1.0]]])).tolist()
    [[[1.0, 0.5], [0.25, 1.0]]]
    """
    size = apart.shape[1]
    one, other, up = _trees(size)
    every = np.arange(len(up))
    rows = np.ones((len(apart), len(up), size))
    for a, b, more in zip(one.T, other.T, up.T):  # b hangs on a, which is known
        rows[:, every, b] = rows[:, every, a] * np.where(more, apart[:, b, a], 1 / apart[:, a, b])
    rows /= rows.max(axis=2, keepdims=True)
    kept = np.ones(rows.shape[:2], dtype=bool)
    for a, b in product(range(size), repeat=2):
        kept &= rows[:, :, a] <= apart[:, a, b, None] * rows[:, :, b] * _FEASIBLE
    found = []
    for cell, some in zip(rows, kept):
        # each ray once, up to rounding, unless they are few
        own = cell[some]
        if size > _FEW:
            _, first = np.unique(np.log(own).round(_SAME), axis=0, return_index=True)
            own = own[first]
        found.append(own)
    whole = np.ones((len(apart), max(map(len, found)), size))
    for cell, some in zip(whole, found):
        cell[: len(some)] = some
    return whole


@cache
def _trees(size: int) -> tuple[Places, Places, NDArray[np.bool_]]:
    """Return all spanning trees as edges away from 0, in an order that goes outward, with all signs of edges."""
    found = []
    for edges in combinations(list(combinations(range(size), 2)), size - 1):
        known, left, outward = {0}, list(edges), []
        while True:
            near = [edge for edge in left if (edge[0] in known) != (edge[1] in known)]
            if not near:
                break
            a, b = near[0] if near[0][0] in known else near[0][::-1]
            outward.append((a, b))
            known.add(b)
            left.remove(near[0])
        if len(known) == size:
            found.append(outward)
    signs = np.array(list(product((False, True), repeat=size - 1)))
    trees = np.repeat(np.array(found), len(signs), axis=0)
    return trees[:, :, 0], trees[:, :, 1], np.tile(signs, (len(found), 1))


Span: TypeAlias = tuple[Floats, Floats]


MOST_STEPS = 60  # after which a later law is bounded as this one
_DIVIDED, _ROUNDS = 4, 3  # parts of a part of an edge, how often
_ENOUGH = 1 + 2e-5  # times what is reached, up to which parts are not divided
_WIDER = 1e-12  # of laws: above the rounding of sums of numbers up to 1
_ROUND = 2e-14  # of sums of few products of numbers up to 1
_LEAST = 1e-4  # of denominators of columns up to 1
_BETWEEN = 12 * _ROUND / _LEAST  # of means, and what they lose
_SLACK = 2e-15  # of ends of edges
_UP = 1 + 1e-12
_MOST_NUMBERS = 200_000  # of an array, about


def laws(low: Floats, high: Floats, first: Span | None) -> list[Span]:
    """Return bounds of the laws of X_1, X_2, .. under rows between bounds, of shape (cells, values,
    values); `first`: of X_1, any if None. Those of a stationary law are all of them, of any first
    law.
    """
    found = [first or (np.zeros(low.shape[:2]), np.ones(low.shape[:2]))]
    down, up = (side.transpose(0, 2, 1) for side in (low, high))
    for _ in range(MOST_STEPS):
        law, more = (side[:, None] for side in found[-1])
        least, most = -largest(law, more, -down), largest(law, more, up)
        found.append(((least - _WIDER).clip(0, 1), (most + _WIDER).clip(0, 1)))
    return found


def by_laws(rows: Floats, low: Floats, high: Floats, law: Span) -> Floats:
    """Return bounds of quotients of A_(t+1) over a cone with these rays, of shape (cells, rays,
    values), rows between bounds and a law of X_t between bounds.

    Edges are divided where their bounds are above what is reached at the ends of any.
    """
    size = low.shape[1]
    ends, valid = _edges(*law)
    found = np.ones((len(low), size, size))
    step = max(1, _MOST_NUMBERS // (len(low) * ends.shape[1] * size * size))
    for first in range(0, rows.shape[1], step):
        parts = _Parts.of(rows[:, first : first + step], ends, valid)
        for left in range(_ROUNDS, -1, -1):
            told, reached = parts.quotients(low, high)
            for cell, most in enumerate(found):
                of = (reached if left else told)[:, :, parts.cell == cell].max(axis=2, initial=1)
                found[cell] = np.maximum(most, of * _ENOUGH)
            kept = np.any(told > found[parts.cell].transpose(1, 2, 0), axis=(0, 1))
            if not kept.any():
                break
            parts = parts.divided(kept)
    return found


@dataclass(frozen=True)
class _Parts:
    """Parts of edges with a ray each: of which cell, the ray, of shape (values, parts), and both
    ends, of shape (values, 2, parts).
    """

    cell: Places
    rows: Floats
    ends: Floats

    @classmethod
    def of(cls, rows: Floats, ends: Floats, valid: NDArray[np.bool_]) -> "_Parts":
        apart = np.any(rows < 1, axis=-1)  # of rays of ones no means differ
        cell, ray, edge = np.nonzero(apart[:, :, None] & valid[:, None])
        return cls(cell, rows[cell, ray].T.copy(), ends[cell, edge].transpose(2, 1, 0).copy())

    def divided(self, kept: NDArray[np.bool_]) -> "_Parts":
        """Return some parts, each in equal parts."""
        one, other = self.ends[:, 0, kept], self.ends[:, 1, kept]
        points = [one * (1 - k / _DIVIDED) + other * (k / _DIVIDED) for k in range(_DIVIDED + 1)]
        sides = [np.concatenate(side, axis=1) for side in (points[:-1], points[1:])]
        cell, rows = np.tile(self.cell[kept], _DIVIDED), np.tile(self.rows[:, kept], _DIVIDED)
        return _Parts(cell, rows, np.stack(sides, axis=1))

    def quotients(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Return bounds of quotients of means of two values on each part, and those at its ends, of
        shape (values, values, parts); infinite if they are not safe. Sums are linear along a part,
        and a quotient of products is at most the largest quotient of coefficients of Bernstein:

            a_0 b_0 / (c_0 d_0),   (a_0 b_1 + a_1 b_0) / (c_0 d_1 + c_1 d_0),   a_1 b_1 / (c_1 d_1).
        """
        scale = high.max(axis=1, keepdims=True)
        scale = np.where(scale > 0, scale, 1)
        order = np.argsort(-self.rows, axis=0, kind="stable")
        every = np.arange(len(self.cell))
        less, more = ((side / scale)[self.cell[None], order].transpose(2, 0, 1) for side in (low, high))
        rows, ends = self.rows[order, every], self.ends[order[:, None], [[0], [1]], every]
        top, a, c = (each[:, None] for each in _sums(rows, ends, less, more, 1))
        least, d, b = (each[None] for each in _sums(rows, ends, more, less, -1))
        with np.errstate(all="ignore"):
            reached = _larger(top / least)
            between = a[:, :, 0] * b[:, :, 1] + a[:, :, 1] * b[:, :, 0]
            between /= c[:, :, 0] * d[:, :, 1] + c[:, :, 1] * d[:, :, 0]
            told = np.maximum(_larger(a * b / (c * d)), between) * _UP
        safe = (np.minimum(least, d) > 0).all(axis=2) & np.isfinite(told)
        reached, told = np.where(safe, reached, np.inf), np.where(safe, told, np.inf)
        same = range(low.shape[1])
        reached[same, same] = told[same, same] = 1
        return told, reached


def _larger(pairs: Floats) -> Floats:
    """Return the larger number of both ends."""
    found: Floats = np.maximum(pairs[:, :, 0], pairs[:, :, 1])
    return found


def _sums(rows: Floats, ends: Floats, less: Floats, more: Floats, sign: int) -> list[Floats]:
    """Return means of h, sums of p(z) P(z, x) h(z) and of p(z) P(z, x), of shape (values, ends,
    parts), for columns with the largest mean of h (`sign` 1) or the least (-1): they are `less`
    where h is small and `more` where it is large.

    Args: rows: h, the largest first; ends: p; less, more: columns of shape (values, z, parts).
    """
    size = len(rows)
    added = [(more - less)[:, z, None] * ends[z] for z in range(size)]
    whole, one = (
        sum(less[:, z, None] * (ends[z] * worth[z]) for z in range(size)) + k * sign * _ROUND
        for worth, k in ((np.ones(size), -1), (rows, 1))
    )
    best, unsafe = np.full(whole.shape, -sign * np.inf), np.zeros(whole.shape, dtype=bool)
    kept = []
    larger = np.maximum if sign > 0 else np.minimum
    for z in range(size):
        whole, one = whole + added[z], one + added[z] * rows[z]
        unsafe |= whole <= _LEAST
        with np.errstate(all="ignore"):
            best = larger(best, one / whole)
        kept.append((whole, one))
    best = np.where(unsafe, rows[0] if sign > 0 else rows[-1], best)
    least, most = np.minimum(best[:, 0], best[:, 1]), np.maximum(best[:, 0], best[:, 1])
    count = sum((row >= most - _BETWEEN / 3).astype(np.intp) for row in rows)
    beside = sum((row > least + _BETWEEN / 3).astype(np.intp) for row in rows)
    # if no number is between the means, these columns are best throughout, up to _BETWEEN
    fixed = (beside <= count) & ~unsafe[:, 0] & ~unsafe[:, 1]
    whole, one = kept[0]
    for z in range(1, size):
        later = (count > z)[:, None]
        whole, one = (np.where(later, new, old) for new, old in zip(kept[z], (whole, one)))
    level, fixed = most if sign > 0 else least, fixed[:, None]
    one = np.where(fixed, one + sign * _BETWEEN, level[:, None])
    return [best, one, np.where(fixed, whole, 1)]


def _edges(low: Floats, high: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return ends of the edges of {low <= p <= high, sum(p) = 1}, of shape (cells, edges, 2,
    values), and which edges there are: on an edge two entries move, and all others are at ends.
    """
    size = low.shape[1]
    found, there = [], []
    for a, b in combinations(range(size), 2):
        others = [z for z in range(size) if z not in (a, b)]
        for signs in product((False, True), repeat=size - 2):
            point = np.zeros(low.shape)
            point[:, others] = np.where(signs, high[:, others], low[:, others])
            rest = 1 - point.sum(axis=1)
            least = np.maximum(low[:, a], rest - high[:, b])
            most = np.minimum(high[:, a], rest - low[:, b])
            pair = np.stack([point, point], axis=1)
            pair[:, :, a] = np.stack([least, most], axis=1)
            pair[:, :, b] = rest[:, None] - pair[:, :, a]
            found.append(pair.clip(0, 1))
            there.append(least <= most + _SLACK)
    return np.stack(found, axis=1), np.stack(there, axis=1)


# What the records on either side of another tell at most of two of its values, of many cells of boxes of chains at
# once: steps may each have a matrix of their own.
#
# With tau(a, b) the change of the density of the noise from what a adds to what b adds, and
#
#     g_(t-1)(x; u) = sum_z P(x, z) g_t(z; u - c(z)),    g_t(a; u) <= R_t(a, b) g_t(b; u),
#
# the last factors are in {g : g(a) <= tau(a, b) R_t(a, b) g(b)}, on whose extreme rays the quotient of two rows is
# largest. Backwards rows are P(x, y) p(x) / sum_z P(z, y) p(z), p the law of a record (`laws`). Of any p, and of two
# values with quotients h of g and d of odds, means are apart by
#
#     ((sqrt(h d) + 1) / (sqrt h + sqrt d))^2    at most.

MOST_RAYS = 6  # values, of which cones have few extreme rays
_SIDE_ROUNDING = 1e-14  # of means of numbers up to 1
_TAME = 1e100  # up to which changes are told by rays: above, products overflow


class Sides:
    """The records on the sides of another, under rows between bounds of shape (cells, values,
    values); `first`: bounds of the law of X_1, None if it is stationary.
    """

    def __init__(self, low: Floats, high: Floats, first: Span | None = None) -> None:
        self.low, self.high = low, high
        self._known: dict[tuple[int, bytes], Floats] = {}
        self._settled = laws(low, high, None)[-1]
        self._laws = [] if first is None else laws(low, high, first)

    def after(self, taus: Sequence[Floats]) -> list[Floats]:
        """Return R by record, the first record first."""
        found = [np.ones_like(self.low)]
        for tau in taus[:0:-1]:
            apart = _times(found[-1], tau)
            key = -1, apart.tobytes()
            if key not in self._known:
                step = _by_odds(self.low, self.high, apart)
                told = _tame(apart)
                if told.any():
                    low, high = self.low[told], self.high[told]
                    # Bounds of quotients of means of two rows over a cone with these rays
                    less, more, numbers = low[:, :, None], high[:, :, None], rays(apart[told])[:, None]
                    top = largest(less, more, numbers)[:, :, None] + _SIDE_ROUNDING
                    least = -largest(less, more, -numbers)[:, None] - _SIDE_ROUNDING
                    with np.errstate(all="ignore"):
                        quotients = np.where(least > _SIDE_ROUNDING, top / least, np.inf)
                    bound = quotients.max(axis=-1) * _UP
                    size = low.shape[1]
                    bound[:, range(size), range(size)] = 1
                    step[told] = step[told].clip(max=bound)
                self._known[key] = step
            found.append(self._known[key])
        return found[::-1]

    def before(self, taus: Sequence[Floats]) -> list[Floats]:
        """Return bounds of quotients of A by record."""
        found = [np.ones_like(self.low)]
        for t, tau in enumerate(taus[:-1]):
            apart = _times(found[-1], tau)
            key = min(t, MOST_STEPS), apart.tobytes()
            if key not in self._known:
                step = _by_odds(self.low.transpose(0, 2, 1), self.high.transpose(0, 2, 1), apart)
                told = _tame(apart)
                if told.any():
                    law = self._laws[t] if t < min(len(self._laws), MOST_STEPS) else self._settled
                    span = law[0][told], law[1][told]
                    bound = by_laws(rays(apart[told]), self.low[told], self.high[told], span)
                    step[told] = step[told].clip(max=bound)
                self._known[key] = step
            found.append(self._known[key])
        return found


def _tame(apart: Floats) -> NDArray[np.bool_]:
    """Return of which cells rays are looked at."""
    told: NDArray[np.bool_] = (apart < _TAME).all(axis=(1, 2)) & (apart.shape[1] <= MOST_RAYS)
    return told


def _times(apart: Floats, tau: Floats) -> Floats:
    """Return the product, infinite above _TAME."""
    with np.errstate(all="ignore"):
        found: Floats = np.where(apart < _TAME, apart * tau * _UP, np.inf)
    return found


def _by_odds(low: Floats, high: Floats, apart: Floats) -> Floats:
    """Return bounds of quotients of means of two rows by the odds of two values, all rows being
    weighed by any numbers.
    """
    size = low.shape[1]
    far = np.sqrt(apart.clip(max=_TAME))
    found = np.ones(low.shape)
    for x, y in product(range(size), repeat=2):
        if x == y:
            continue
        with np.errstate(all="ignore"):
            odds = high[:, x, :, None] * high[:, y, None] / (low[:, x, None] * low[:, y, :, None])
        odds = np.where(np.isfinite(odds), np.maximum(odds * _UP, 1), np.inf)
        root = np.sqrt(np.where(odds < np.inf, odds, 1))
        told = np.where(apart < _TAME, ((root * far + 1) / (root + far)) ** 2, odds)
        told = np.where(odds < np.inf, told, apart)
        told[:, range(size), range(size)] = 1
        found[:, x, y] = told.max(axis=(1, 2)) * _UP
    return found
