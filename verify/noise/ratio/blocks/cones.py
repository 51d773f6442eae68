"""All likelihoods that the outputs of blocks of a chain leave, as a cone of few rays.

Outputs of later blocks act on a state by b(x) = P(outputs | x), up to a factor. Over all outputs of
a block, b becomes M_w b, M_w a matrix of numbers >= 0: a cone goes to the cone of the images of its
rays. A `Cone` has rays r_1 .. r_n and a slack e: every b of the outputs has weights l >= 0 with

    sum_i l_i r_i <= c b <= e^slack sum_i l_i r_i    in every coordinate, for some c > 0.

Matrices of numbers >= 0 keep this, and matrices without zeros shrink the slack (Birkhoff): by
tanh(D / 4), D the largest log of M(x, y) M(u, v) / (M(x, v) M(u, y)).
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import pairwise, product
from math import inf, prod
from operator import or_

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from pufferproof.models.errors import TooLargeError, extras
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.noise.laws.of_framework import LawPair, MergedLaws, merged
from pufferproof.verify.noise.laws.of_records import Packing

RESTS_ON = ("lemma.mediant", "noise.blocks")
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Long = NDArray[np.longdouble]
EPS = float(np.finfo(np.longdouble).eps)
LEAST = np.finfo(np.longdouble).tiny ** 0.75  # sums of it and less than 1 have all their digits
_MOST_CELLS = 6_000_000  # numbers of the images of all rays
_FINE = 1e-10  # slack of what is left out, in nats
_MOST_RAYS = 120  # of a cone: every block multiplies all rays by all of its outputs
_MOST_POINTS = {1: 200_000, 2: 100_000, 3: 20_000, 4: 3_000, 5: 800}  # of a hull, by its dimension
_STILL = 32 * EPS  # by which an interval of odds moves, of two states, if it does no more
_NEAR = 1e-4  # of a ray to an image, in nats, if the cone does not shrink: more images add slack
_FLAT = 1e-13  # singular values, relative, below which points are said to lie in a plane


@dataclass(frozen=True)
class Cone:
    """Rays, a row each, and the slack; `origins` of the rays: an output of the block they come
    from, and the ray of the cone before.
    """

    rays: Long
    slack: float
    origins: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, ray: Sequence[np.longdouble | int]) -> "Cone":
        """Return the cone of one ray, whose numbers are rounded."""
        return cls(np.array([ray], dtype=np.longdouble), 4 * EPS)

    def image(self, maps: Long, error: float) -> "Cone":
        """Return the cone after a block: maps[w] M_w, of a relative error."""
        points = self._images(maps)
        slack = contraction(maps) * self.slack + 2 * error + 8 * (maps.shape[1] + 4) * EPS
        kept, left_out = thinned(points)
        count = len(self.rays)
        origins = tuple((int(ray) // count, int(ray) % count) for ray in kept)
        return Cone(points[kept], slack + left_out, origins)

    def _images(self, maps: Long) -> Long:
        numbers = len(maps) * self.rays.size
        if numbers > _MOST_CELLS:
            raise TooLargeError(
                f"{len(maps)} outputs and {len(self.rays)} rays of likelihoods: expected at most "
                f"{_MOST_CELLS // self.rays.size} outputs, of shorter segments"
            )
        points = np.einsum("wxy,ny->wnx", maps, self.rays).reshape(-1, maps.shape[1])
        expect_large(points[:, (points > 0).any(axis=0)])
        rows: Long = points / points.max(axis=1, keepdims=True)
        return rows

    def settled(self, maps: Long, error: float, times: int) -> "Cone | None":
        """Return a cone that so many further blocks of this kind leave as it is, or None if the
        cone still moves: grows, or shrinks away from its rays.
        """
        points = self._images(maps)
        two = maps.shape[1] == 2
        apart = float(covered(points, self.rays).max())
        if apart > (_STILL if two else 4 * _FINE):
            return None
        nearest = [_nearest(points, ray) for ray in self.rays]
        if _apart(points[nearest], self.rays).max() > (_STILL if two else _NEAR):
            return None
        shrink, added = contraction(maps), apart + 2 * error + 8 * (maps.shape[1] + 4) * EPS
        slack = self.slack + min(times, 1 / max(1 - shrink, EPS)) * added * (1 + 1e-9)
        count = len(self.rays)
        return Cone(self.rays, slack, tuple((place // count, place % count) for place in nearest))


def expect_large(likely: Long) -> None:
    """Raise `TooLargeError` where positive numbers are so small that floats lose digits."""
    if not (likely > LEAST).all():
        raise TooLargeError("likelihoods too small for floats: expected noise of a larger scale, or shorter segments")


def contraction(maps: Long) -> float:
    """Return a factor by which all maps shrink slacks, 1 where a map has zeros."""
    if not (maps > 0).all():
        return 1.0
    logs = np.log(maps)
    spread = 0.0
    size = maps.shape[1]
    for x in range(size):
        for u in range(x):
            apart = logs[:, x, :] - logs[:, u, :]
            spread = max(spread, float((apart.max(axis=1) - apart.min(axis=1)).max()))
    return min(1.0, float(np.tanh(spread / 4)) + 1e-9)


def thinned(points: Long) -> tuple[Indices, float]:
    """Return which of some points of one pattern of zeros to keep, and the slack of leaving out the others."""
    inside = points[:, (points > 0).any(axis=0)]
    if inside.shape[1] == 1:
        return np.array([0]), 0.0
    if inside.shape[1] == 2:  # an interval of odds has two ends
        odds = inside[:, 1] / inside[:, 0]
        return np.unique([odds.argmin(), odds.argmax()]), 4 * EPS
    # Corners of points, few of them, and how far apart neighbours are that count as one
    flat, rank = _flattened(inside)
    logs = np.log(inside)
    logs = (logs - logs[:, :1]).astype(float)
    fine = _FINE / 4
    kept = _different(logs, np.arange(len(inside)), fine)
    while len(kept) > _MOST_POINTS[max(rank, 1)]:
        fine *= 4
        kept = _different(logs, kept, fine)
    kept = kept[_corners(flat[kept], rank)]
    while len(kept) > _MOST_RAYS:
        fine *= 2
        kept = _different(logs, kept, fine)
    fine = 2 * fine if fine > _FINE else _FINE
    slacks = covered(inside, inside[kept])
    added = np.flatnonzero(slacks > max(_FINE, fine))
    if len(added) > _MOST_RAYS:
        raise TooLargeError(
            f"{len(added)} rays of likelihoods that differ much: expected at most {_MOST_RAYS}, of fewer values"
        )
    slacks[added] = 0
    return np.concatenate([kept, added]), float(slacks.max())


def _different(logs: Floats, among: Indices, fine: float) -> Indices:
    _, first = np.unique(np.round(logs[among] / fine), axis=0, return_index=True)
    return among[np.sort(first)]


def _flattened(points: Long) -> tuple[Floats, int]:
    """Return points of the plane in which numbers add up to 1, in as many coordinates as they need."""
    even = points / points.mean(axis=0)
    even = (even / even.sum(axis=1, keepdims=True)).astype(float)
    middle = even - even.mean(axis=0)
    _, sizes, axes = np.linalg.svd(middle, full_matrices=False)
    rank = int((sizes > max(_FLAT * sizes[0], 1e-15 * len(points) ** 0.5)).sum())
    return middle @ axes[:rank].T, min(rank, points.shape[1] - 1)


def _corners(flat: Floats, rank: int) -> Indices:
    with extras:
        from scipy.spatial import ConvexHull, QhullError

    if rank == 0 or len(flat) <= rank + 1:
        return np.arange(len(flat)) if rank else np.array([0])
    if rank == 1:
        return np.unique([flat[:, 0].argmin(), flat[:, 0].argmax()])
    try:
        return np.sort(ConvexHull(flat[:, :rank]).vertices)
    except QhullError:
        return np.arange(len(flat))


def covered(points: Long, rays: Long) -> NDArray[np.float64]:
    """Return for each point a slack with which rays cover it: log max n / m - log min n / m, m the
    nearest found of their sums.
    """
    inside = (points > 0).any(axis=0)
    points, rays = points[:, inside], rays[:, inside]
    if not (rays > 0).all():
        return np.full(len(points), inf)
    if points.shape[1] == 2:
        odds, ends = points[:, 1] / points[:, 0], rays[:, 1] / rays[:, 0]
        beyond = np.maximum(odds / ends.max(), ends.min() / odds)
        moved: NDArray[np.float64] = np.log(np.maximum(beyond, 1)).astype(float)
        return moved + 8 * EPS
    slacks = _apart(points, _between(points, rays))
    far = np.flatnonzero(slacks > _FINE)
    if len(far) > 20 * _MOST_RAYS:
        far = far[np.argsort(slacks[far])[-20 * _MOST_RAYS :]]
    for point in far:
        weights = _nearest_sum(points[point], rays)
        slacks[point] = min(slacks[point], _apart(points[point : point + 1], weights @ rays)[0])
        one = _nearest(rays, points[point])
        slacks[point] = min(slacks[point], _apart(points[point : point + 1], rays[one : one + 1])[0])
    slacks += 8 * (points.shape[1] + len(rays) + 4) * EPS
    return slacks


def _between(points: Long, rays: Long) -> Long:
    """Return sums of rays near points among them, by simplices between the rays; the sum of all
    rays where no simplex has the point.
    """
    flat, rank = _flattened(np.concatenate([rays, points]))
    size, count = len(rays), len(points)
    scales = (rays / np.concatenate([rays, points]).mean(axis=0)).sum(axis=1)
    even = rays / scales[:, None]
    sums = np.repeat(even.sum(axis=0)[None], count, axis=0)
    if size == 1 or rank == 0:
        return sums
    own, flat = flat[:size, :rank], flat[size:, :rank]
    if rank == 1:
        low, high = int(own[:, 0].argmin()), int(own[:, 0].argmax())
        share = (flat[:, 0] - own[low, 0]) / ((own[high, 0] - own[low, 0]) or 1.0)
        share = np.clip(share, 0, 1)[:, None]
        line: Long = (1 - share) * even[low] + share * even[high]
        return line
    weights: _Weights | None = None
    if rank == 2:
        # Weights in triangles around the middle of a polygon, which counts as one corner more
        middle = own.mean(axis=0)
        around, far = own - middle, flat - middle
        angles = np.arctan2(around[:, 1], around[:, 0])
        order = np.argsort(angles)
        place = np.searchsorted(angles[order], np.arctan2(far[:, 1], far[:, 0]))
        one, other = order[place - 1], order[place % len(own)]
        a, b = around[one], around[other]
        area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        with np.errstate(all="ignore"):
            s = (far[:, 0] * b[:, 1] - far[:, 1] * b[:, 0]) / area
            t = (a[:, 0] * far[:, 1] - a[:, 1] * far[:, 0]) / area
        triangles = np.stack([one, other, np.full(len(flat), len(own))], axis=1)
        weights = np.arange(len(flat)), triangles, np.stack([s, t, 1 - s - t], axis=1)
    else:
        weights = _in_mesh(flat, own)
    if weights is None:
        return sums
    inside, corners, shares = weights
    even = np.concatenate([even, even.mean(axis=0)[None]])
    sums[inside] = 0
    for column, share in zip(corners.T, shares.T):
        sums[inside] += np.clip(np.nan_to_num(share), 0, None)[:, None] * even[column]
    return sums


_Weights = tuple[Indices, Indices, Floats]  # points, their corners and shares


def _in_mesh(points: Floats, own: Floats) -> _Weights | None:
    """Return weights in simplices between corners, or None if they have no mesh."""
    with extras:
        from scipy.spatial import Delaunay, QhullError

    try:
        mesh = Delaunay(own)
    except (QhullError, ValueError):
        return None
    which = mesh.find_simplex(points, tol=1e-9)
    inside = np.flatnonzero(which >= 0)
    turn, rank = mesh.transform[which[inside]], own.shape[1]
    shares = np.einsum("nij,nj->ni", turn[:, :rank], points[inside] - turn[:, rank])
    shares = np.concatenate([shares, 1 - shares.sum(axis=1, keepdims=True)], axis=1)
    return inside, mesh.simplices[which[inside]], shares


def _nearest_sum(point: Long, rays: Long) -> Long:
    with extras:
        from scipy.optimize import nnls

    weights, _ = nnls((rays / point).T.astype(float), np.ones(len(point)))
    sums: Long = (weights if weights.any() else weights + 1).astype(np.longdouble)
    return sums


def _nearest(points: Long, ray: Long) -> int:
    """Return the point nearest to a ray, in Hilbert's distance."""
    inside = ray > 0
    logs = np.log(points[:, inside] / ray[inside])
    return int((logs.max(axis=1) - logs.min(axis=1)).argmin())


def _apart(points: Long, others: Long) -> NDArray[np.float64]:
    inside = (points > 0).any(axis=0)
    ratios = points[:, inside] / others[..., inside]
    distances: NDArray[np.float64] = np.log(ratios.max(axis=1) / ratios.min(axis=1)).astype(float)
    return distances


# The law of what one block of records of a chain counts, whatever the noise.
#
# A block is a stretch of records that some queries are about, those of overlapping segments together. F is what its
# records add to all numbers, packed into one integer, so that
#
#     P(F = n, last = y | first = x)    and    P(F = n, X_p = v, last = y | first = x)
#
# are computed by two passes, and products of polynomials in z^F. States are hidden ones if the chain is hidden: then a
# record adds what one of the values that its state shows does. All terms are positive, so that floats have a proven
# relative error, but for numbers that are too small for them.

MOST_CELLS = 24_000_000  # numbers of all tables of a block: 400 MB
_MOST_WORK = 2_000_000_000  # products of laws, in floats: a few seconds
_BITS = 192  # working precision of balls
_LEAST_EXPONENT = int(np.finfo(np.longdouble).minexp)


def long_float(number: arb) -> np.longdouble:
    """Return the middle of a ball, 0 if it is too small."""
    middle = number.mid()
    digits, exponent = middle.man_exp()
    if int(digits).bit_length() + int(exponent) < _LEAST_EXPONENT:
        return np.longdouble(0)
    return np.longdouble(middle.str(30, radius=False))


def number_float(number: Fraction) -> np.longdouble:
    """Return a rational number as a long float."""
    with ctx.workprec(_BITS):
        return long_float(ball(number))


@dataclass(frozen=True)
class Block:
    """Records `first` to `last`, and the queries about them; none of a record between blocks."""

    first: int
    last: int
    queries: tuple[RecordQuery, ...] = ()

    @property
    def size(self) -> int:
        """The number of records."""
        return self.last - self.first + 1

    @cached_property
    def counted(self) -> Hashable:
        """What blocks share whose records add the same."""
        return self.size, tuple((query.query, query.counted, self._inside(query)) for query in self.queries)

    @cached_property
    def shape(self) -> Hashable:
        """What blocks share that differ by their place only."""
        return self.counted, tuple(query.noise for query in self.queries)

    def _inside(self, query: RecordQuery) -> tuple[int, int]:
        first, last = query.ends
        return first - self.first, last - self.first

    @cached_property
    def decays(self) -> dict[Hashable, tuple[RecordQuery, Power]]:
        """The distinct queries, with the product of the decays of their noise."""
        decays: dict[Hashable, tuple[RecordQuery, Power]] = {}
        for query in self.queries:
            _, decay = decays.get(query.asked, (query, ONE))
            decays[query.asked] = query, decay.times(query.noise.decay or ONE)
        return decays

    @cached_property
    def packing(self) -> Packing | None:
        """What the distinct queries count, None without a query."""
        asked = [query for query, _ in self.decays.values()]
        return Packing.of(asked) if asked else None


class CountLaw:
    """The law of what a block counts, by first state x, last state y and count n: `whole[x, y, n]`,
    and `given[row, v, x, y, n]` with the value v of the record at a position, `rows[position]`;
    positions are counted from 0. `vectors` are the numbers of all queries at the counts `reached`.
    """

    def __init__(self, chain: Chain, block: Block, positions: Sequence[int]) -> None:
        shows = _shows(chain)
        self.states, self.values, self.size = len(chain.step), len(shows[0]), block.size
        self.terms = 1 if block.packing is None else block.packing.terms
        self.rows = {position: row for row, position in enumerate(positions)}
        self._refuse_large()
        self.step = np.array([[number_float(p) for p in row] for row in chain.step])
        self.shows = np.array([[number_float(p) for p in row] for row in shows])
        self.moves = np.array([[p > 0 for p in row] for row in chain.step])
        self.shown = np.array([[p > 0 for p in row] for row in shows])
        self.adds = [_adds(block, p, self.values) for p in range(self.size)]
        self.reached = self._reached()
        self.vectors = [() if block.packing is None else block.packing.vector(n) for n in self.reached]
        heads, tails = self._heads({*positions, self.size - 1}), self._tails(set(positions))
        head = heads[self.size - 1]
        joined = np.zeros((self.states, self.states, self.terms), dtype=head.dtype)
        counted = self._counted(head, self.size - 1)
        joined[..., : counted.shape[-1]] = counted
        self.whole = joined
        self.given = np.zeros((len(positions), self.values, *self.whole.shape), self.whole.dtype)
        for position, row in self.rows.items():
            for value in range(self.values):
                self._fill(self.given[row, value], heads[position], tails[position], position, value)

    def _refuse_large(self) -> None:
        numbers, size, secret = self.terms * self.states**2, self.size, len(self.rows)
        tables = numbers * (secret * self.values + 1)
        if tables > MOST_CELLS:
            raise TooLargeError(
                f"{size} records of {self.terms} values, {secret} of them secret, {tables} numbers "
                f"in tables: expected at most {MOST_CELLS}, of shorter segments"
            )
        beside = sum(Fraction((p + 1) * (size - p), size**2) for p in self.rows)
        work = numbers * size // 2 + int(self.states**3 * self.terms**2 * beside)
        if work > _MOST_WORK:
            raise TooLargeError(
                f"{size} records of {self.terms} values, {secret} of them secret, {work} products: "
                f"expected at most {_MOST_WORK}, of shorter segments"
            )

    def _counted(self, table: Long, position: int) -> Long:
        """Return numbers by the state of a record (last axis but one) and a count (last axis), with
        what this record adds.
        """
        adds, terms = self.adds[position], table.shape[-1]
        counted = np.zeros((*table.shape[:-1], terms + max(adds)), dtype=table.dtype)
        for value, add in enumerate(adds):
            counted[..., add : add + terms] += table * self.shows[:, value, None]
        return counted

    def _heads(self, wanted: set[int]) -> dict[int, Long]:
        """Return P(n of the records before, X_p = h | first = x), by x, h and n."""
        now, kept = np.eye(self.states, dtype=np.longdouble)[:, :, None], {}
        for p in range(max(wanted) + 1):
            if p in wanted:
                kept[p] = now
            now = np.einsum("xhn,hy->xyn", self._counted(now, p), self.step)
        return kept

    def _tails(self, wanted: set[int]) -> dict[int, Long]:
        """Return P(n of the records after, last = y | X_p = h), by y, h and n."""
        now, kept = np.eye(self.states, dtype=np.longdouble)[:, :, None], {}
        for p in range(self.size - 1, min(wanted, default=self.size) - 1, -1):
            if p in wanted:
                kept[p] = now
            now = np.einsum("yhn,xh->yxn", self._counted(now, p), self.step)
        return kept

    def _fill(self, joined: Long, head: Long, tail: Long, position: int, value: int) -> None:
        own, add = head * self.shows[:, value, None], self.adds[position][value]
        for x, h, y in product(range(self.states), repeat=3):
            if own[x, h].any() and tail[y, h].any():
                both = np.convolve(own[x, h], tail[y, h])
                joined[x, y, add : add + len(both)] += both

    def _reached(self) -> list[int]:
        """Return the counts of positive probability; sets of counts are bits of integers."""
        now = [1] * self.states
        for p, adds in enumerate(self.adds):
            if p:
                now = [_either(bits for bits, move in zip(now, column) if move) for column in self.moves.T]
            now = [_either(bits << add for add, shows in zip(adds, row) if shows) for bits, row in zip(now, self.shown)]
        return [n for n, bit in enumerate(bin(_either(now))[:1:-1]) if bit == "1"]

    def possible(self, position: int, value: int | None = None) -> NDArray[np.bool_]:
        """Return which first and last states are possible together, with a value of a record."""
        before = np.linalg.matrix_power(self.moves, position)
        if value is not None:
            before = before & self.shown[:, value]
        together: NDArray[np.bool_] = before @ np.linalg.matrix_power(self.moves, self.size - 1 - position)
        return together


def _either(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _adds(block: Block, position: int, values: int) -> list[int]:
    """Return what a record adds to the packed count, for each of its values."""
    return [0] * values if block.packing is None else block.packing.adds(block.first + position)


def _shows(chain: Chain) -> Sequence[Sequence[Fraction]]:
    """Return the probability that every state shows a value."""
    if chain.emission is not None:
        return chain.emission
    size = range(len(chain.step))
    return [[Fraction(int(x == y)) for y in size] for x in size]


# The likelihoods of the outputs of one block of records of a chain, by its first and last state.
#
# For states x and y of the first and last record, F what the records add (`counts`), and noise of decays t_k,
#
#     K_w(x, y) = sum_n P(F = n, last = y | first = x) prod_k t_k^|w_k - n_k|,
#
# as far as outputs differ in more than a factor, w_k is a value of F_k (noise.attained). Numbers that are affine
# functions of one another are merged (noise.parallel). In floats, of a proven relative error, as all terms are
# positive: two sweeps along every axis of the values.

COUNTS_RESTS_ON = ("noise.attained", "noise.parallel")


class Kernel:
    """The likelihoods of a block: `whole[w, x, y]` is K_w(x, y), `given(p, v)` the same over the
    sequences whose record p, counted from 0, has the value v. `outputs` counts the outputs of the
    numbers that are kept, and `error` is a relative error of all likelihoods.
    """

    def __init__(self, block: Block, law: CountLaw) -> None:
        self.block, self.law = block, law
        self._merged, columns = _kept(block, law)
        self.axes = [sorted({vector[k] for vector in law.vectors}) for k in columns]
        self.outputs = prod(map(len, self.axes))
        numbers = self.outputs * (law.whole[..., 0].size + law.given[..., 0].size)
        if numbers > MOST_CELLS:
            raise TooLargeError(
                f"{self.outputs} outputs of {law.size} records, {len(law.rows)} of them secret, "
                f"{numbers} numbers in tables: expected at most {MOST_CELLS}, of shorter segments"
            )
        self._shape = [len(axis) for axis in self.axes] or [1]
        places = [{number: n for n, number in enumerate(axis)} for axis in self.axes]
        self._index = [[place[vector[k]] for vector in law.vectors] for k, place in zip(columns, places)] or [[0]]
        self._steps = [
            [_weight(decay, after - before) for before, after in pairwise(axis)]
            for decay, axis in zip(self._merged.decays, self.axes)
        ]
        self._given: dict[tuple[int, int], Long] = {}

    @cached_property
    def whole(self) -> Long:
        """K_w by w, x and y."""
        whole = self._smoothed(self.law.whole)
        expect_large(whole[:, self.law.possible(0)])
        return whole

    def _smoothed(self, table: Long) -> Long:
        """Return likelihoods by output, x and y, of laws by x, y and count."""
        law = self.law
        smoothed = np.empty((self.outputs, *table.shape[:-1]), dtype=table.dtype)
        for ends in np.ndindex(table.shape[:-1]):  # one after the other: four times as much memory at once
            terms = np.zeros(self._shape, dtype=table.dtype)
            np.add.at(terms, tuple(self._index), table[ends][law.reached])
            for axis, steps in enumerate(self._steps):
                rows = np.moveaxis(terms, axis, 0)
                up, down = rows.copy(), np.zeros_like(rows)
                for n, step in enumerate(steps, 1):
                    up[n] += step * up[n - 1]
                for n, step in reversed(list(enumerate(steps))):
                    down[n] = step * (down[n + 1] + rows[n + 1])
                terms = np.moveaxis(up + down, 0, axis)
            smoothed[:, *ends] = terms.reshape(self.outputs)
        return smoothed

    def given(self, position: int, value: int) -> Long:
        """Return K_w over the sequences with a value of a record, by w, x and y."""
        if (position, value) not in self._given:
            likely = self._smoothed(self.law.given[self.law.rows[position], value])
            expect_large(likely[:, self.law.possible(position, value)])
            self._given[position, value] = likely
        return self._given[position, value]

    def between(self, lefts: Long, position: int, value: int, rights: Long) -> Long:
        """Return sum over x and y of a(x) K_w(x, y) b(y), by rays a, outputs w and rays b, over the sequences with a
        value of a record: of fewer rays than states on both sides, from the law between them.
        """
        if len(lefts) * len(rights) < self.law.states**2 and (position, value) not in self._given:
            law = self.law.given[self.law.rows[position], value]
            return np.moveaxis(self._smoothed(np.einsum("ax,xyn,by->abn", lefts, law, rights)), 0, 1)
        right = np.einsum("wxy,by->wxb", self.given(position, value), rights)
        likely: Long = np.einsum("ax,wxb->awb", lefts, right)
        return likely

    @property
    def error(self) -> float:
        """A relative error of all numbers of tables."""
        law = self.law
        one = 2 * law.states + 2 * law.values + 8  # of a record
        sweeps = sum(map(len, self.axes))
        return 2 * EPS * (law.size * one + 3 * law.terms + 4 * sweeps + 32)

    def shown(self, output: int) -> list[Vector]:
        """Return the numbers of the distinct queries at an output, in their order."""
        at = np.unravel_index(output, self._shape)
        whole = self._merged.whole(tuple(axis[n] for axis, n in zip(self.axes, at)))
        outputs = []
        for query, _ in self.block.decays.values():
            outputs.append(whole[: query.dimension])
            whole = whole[query.dimension :]
        return outputs


def _kept(block: Block, law: CountLaw) -> tuple[MergedLaws, list[int]]:
    """Return how numbers are merged, and a coordinate of each that is kept."""
    if not block.queries:
        return MergedLaws((), (), ()), []
    every = dict.fromkeys(law.vectors, Fraction(1))
    decays = [decay for query, decay in block.decays.values() for _ in range(query.dimension)]
    fewer = merged(decays, [LawPair("", ("", ""), every, every)])
    first = {k: n for n, (k, ratio, _) in reversed(list(enumerate(fewer.places))) if ratio}
    return fewer, [first.get(k, 0) for k in range(len(fewer.decays))]


def _weight(decay: Power, distance: Fraction) -> np.longdouble:
    with ctx.workprec(128):
        return long_float(decay.to(distance).ball())
