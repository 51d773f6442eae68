"""The reduced decision diagram of a mechanism over records, with likelihoods as terminal values.

A node of level j stands for all first j records after which every future has the same likelihoods.
It has a child per value of the next record; terminal nodes, of the last level, have the likelihoods
of the outputs, each output in units of its greatest one.

An additive query has its outputs at values of all numbers: noise of a decay leaks most there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import inf, log, prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery, distance
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.intervals import Interval, others
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.rows.laws import Sides
from pufferproof.verify.noise.laws.of_framework import written_out

# Cells of matrices, many at once: arrays of shape (cells, rows, values) of least and greatest entries, each row the
# polytope {l <= p <= u, sum(p) = 1}; the last row is the law of X_1.
#
# Bounds are rounded outward, so that no matrix of a cell is lost.

Floats: TypeAlias = NDArray[np.float64]

Span: TypeAlias = tuple[Floats, Floats]

CellsPlaces: TypeAlias = NDArray[np.intp]

THIN = 1e-12  # of an entry that is not cut
_ROUNDING = 2.0**-49  # of entries of rows that add up to 1: a few units of floats


def tight(rows: Interval) -> Interval:
    """Return bounds that rows attain, about: l_y >= 1 - sum of the other u, u_y likewise."""
    return rows.meet(1 - others(rows))


def middle(low: Floats, high: Floats) -> Span:
    """Return thin cells that hold a matrix of each cell, in its middle."""
    room = high - low
    whole = room.sum(axis=-1, keepdims=True)
    rest = 1 - low.sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        share = np.where(whole > 0, np.clip(rest / whole, 0, 1), 0)
    return around(low + share * room, low, high)


def around(points: Floats, low: Floats, high: Floats) -> Span:
    """Return thin cells around matrices of cells that sum to 1 up to rounding."""
    wide = np.where(high > low, _ROUNDING, 0)
    return np.maximum(low, points - wide), np.minimum(high, points + wide)


def vertex(low: Floats, high: Floats, worth: Floats) -> Floats:
    """Return the rows of largest sum p_y worth_y, about."""
    order = np.argsort(-worth, axis=-1, kind="stable")
    room = np.take_along_axis(high - low, order, axis=-1)
    before = np.cumsum(room, axis=-1) - room
    rest = 1 - low.sum(axis=-1, keepdims=True)
    added = np.clip(rest - before, 0, room)
    point = low.copy()
    np.put_along_axis(point, order, np.take_along_axis(low, order, axis=-1) + added, axis=-1)
    return point


def faces(low: Floats, high: Floats, least: Floats, most: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return cells less what is nowhere the largest, and which cells are less.

    Args: least, most: bounds of slopes of every number that could be the largest, of shape (cells,
    rows, values, numbers); of other numbers 0 and 0 in all entries.

    Where the slope of an entry is at least that of all other entries of its row that can move, the
    largest number has this entry as large as can be, but for what entries that are thin leave open;
    where it is at most that, as small.
    """
    free = high - low > THIN
    gained = np.ones(low.shape, dtype=bool)
    lost = np.ones(low.shape, dtype=bool)
    for y in range(low.shape[-1]):
        for z in range(low.shape[-1]):
            if y != z:
                beside = ~free[..., z]
                gained[..., y] &= beside | (least[:, :, y] >= most[:, :, z]).all(axis=-1)
                lost[..., y] &= beside | (most[:, :, y] <= least[:, :, z]).all(axis=-1)
    gained &= free
    lost &= free & ~gained
    # one entry of a row at a time: two at their bounds may be no row
    first = np.cumsum(gained | lost, axis=-1) == 1
    gained, lost = gained & first, lost & first
    thin = np.where(free, 0, high - low).sum(axis=-1, keepdims=True) + 4 * _ROUNDING
    rest = 1 - others(Interval(low, high))
    top, bottom = np.minimum(high, rest.high) - thin, np.maximum(low, rest.low) + thin
    less = np.where(gained, np.maximum(low, top), low)
    more = np.where(lost, np.minimum(high, bottom), high)
    cells = tight(Interval(less, more))
    less, more = cells.low, cells.high
    smaller = (more - less).sum(axis=(1, 2)) < (high - low).sum(axis=(1, 2)) * (1 - 1e-9)
    return less, more, smaller


def halves(low: Floats, high: Floats, rows: CellsPlaces, values: CellsPlaces) -> Span:
    """Return the cells on either side of the middle of an entry of each, all first ones first."""
    every = np.arange(len(low))
    at = every, rows, values
    between = (low[at] + high[at]) / 2
    less, more = high.copy(), low.copy()
    less[at] = more[at] = between
    cells = tight(Interval(np.concatenate([low, more]), np.concatenate([less, high])))
    return cells.low, cells.high


# What noisy queries of any number of records leak at most under boxes of chains, if every step may have a matrix of
# its own (`sides`).
#
# A first law that may be any has two values (`bound`): the cells of a box say which, and between what shares. Cells
# that leak most are halved until all are near what a chain leaks.

WalksFloats = NDArray[np.float64]

MOST_RECORDS = 5_000
_UP = 1 + 1e-12  # above the rounding of a product
_WORK = 14_000  # steps of cells of the least effort: seconds
_STEPS = {2: 1, 3: 1, 4: 5, 5: 33}  # how long a step is, by values
_LONG_STEP = 400
_BATCH = {2: 32, 3: 16, 4: 4}  # cells at a time, by values, else 1
_MOST_PAIRED = 5  # values, of which first laws are of two each
_SHARE = 4  # of the work: what entries weigh
_BETTER_HALF = 0.3  # what a half weighs of which the bound is the smaller
_LEAST_WEIGHT = 1e-9
_NEAR = 1.045  # times what a chain leaks, in nats, is near
Pair = tuple[int, int, int]  # a record with two values


def walked_ratio(framework: Framework, mechanism: NoisyQueries, known: float = inf, effort: int = 1) -> Fraction | None:
    """Return a bound of e to the leakage under all boxes of a framework; None if secrets are not of
    one record each pair, records are too many, or noise has no decay.

    Args: known: what a chain leaks, in nats: the cells that leak most are halved until all are near
    it, or as many as the effort has.
    """
    records = framework.expect_records()
    queries = [query for query in mechanism.queries if isinstance(query, RecordQuery)]
    if len(queries) < len(mechanism.queries) or records.count > MOST_RECORDS:
        return None
    if any(query.noise.decay is None for query in queries) or not framework.boxes:
        return None
    taus = [_tau(queries, record) for record in range(1, records.count + 1)]
    boxes = []
    for box in framework.boxes.values():
        pairs = one_record_pairs(framework, box)
        if pairs is None:
            return None
        if pairs:
            boxes.append(_Cells.of(box, pairs, taus))
    left = _WORK << (effort - 1)
    while boxes and left > 0:
        worst = max(boxes, key=lambda cells: cells.top)
        if worst.top == inf or log(worst.top) <= known * _NEAR:
            break
        left -= worst.halve(left)
    top = max((cells.top for cells in boxes), default=1.0)
    return Fraction(top) if top < inf else None


@dataclass
class _Cells:
    """Cells of a box, and the most that the chains of each leak, as a ratio: rows between bounds of
    shape (cells, values + 1, values), the last of them the first law.
    """

    low: WalksFloats
    high: WalksFloats
    most: WalksFloats
    stationary: bool
    pairs: Sequence[Pair]
    taus: Sequence[WalksFloats]
    weights: WalksFloats | None = None
    work: int = 0

    @classmethod
    def of(cls, box: IntervalChain, pairs: Sequence[Pair], taus: Sequence[WalksFloats]) -> "_Cells":
        """Bound the cells that cover a box."""
        rows = Interval(Interval.around(box.lower).low, Interval.around(box.upper).high)
        starts = list(_starts(box, all(record == 1 for record, _, _ in pairs)))
        low, high = (
            np.array([np.concatenate([side, start]) for start in part])
            for side, part in zip((rows.low, rows.high), zip(*((s.low, s.high) for s in starts)))
        )
        cells = cls(low, high, np.full(len(low), inf), box.initial == "stationary", pairs, taus)
        each = _BATCH.get(box.states, 1)
        parts = [slice(k, k + each) for k in range(0, len(low), each)]
        cells.most = np.concatenate([cells._bounds(low[part], high[part]) for part in parts])
        cells.work = 0
        return cells

    @property
    def top(self) -> float:
        return float(self.most.max(initial=1.0))

    def halve(self, work: int) -> int:
        """Halve the cells that leak most, and return the work."""
        size = self.low.shape[2]
        order = np.argsort(-self.most, kind="stable")
        many = max(1, _BATCH.get(size, 1) // 2)
        chosen, rest = order[:many], order[many:]
        low, high = self.low[chosen], self.high[chosen]
        if self.weights is None:
            self.weights = self._weights(low[0], high[0], work)
        worth = ((high - low) * self.weights).reshape(len(chosen), -1)
        rows, values = np.divmod(worth.argmax(axis=1), size)
        less, more = halves(low, high, rows, values)
        most = np.minimum(self._bounds(less, more), np.tile(self.most[chosen], 2))
        self.low, self.high, self.most = (
            np.concatenate([old[rest], new]) for old, new in ((self.low, less), (self.high, more), (self.most, most))
        )
        done, self.work = self.work, 0
        return done

    def _weights(self, low: WalksFloats, high: WalksFloats, work: int) -> WalksFloats:
        """Return what entries weigh, by their width, if a cell is halved: the same for all if this
        is too much work to see.
        """
        places = np.argwhere(high - low > THIN)
        if 2 * len(places) * self._steps > work / _SHARE:
            return np.ones(low.shape)
        weights = np.zeros(low.shape)
        for row, value in places:
            cells = halves(low[None], high[None], row[None], value[None])
            less, more = self._bounds(*cells)
            least, most = sorted(log(self.top / min(part, self.top)) for part in (less, more))
            weights[row, value] = (least + _BETTER_HALF * most) / (high - low)[row, value]
        weights[-1] = weights[-1].max()  # other cells have first laws of other values
        return weights + _LEAST_WEIGHT

    def _bounds(self, low: WalksFloats, high: WalksFloats) -> WalksFloats:
        """Return the most that chains of cells leak."""
        records = [record for record, _, _ in self.pairs]
        first, last = min(records), max(records)
        law = low[:, -1], high[:, -1]
        sides = Sides(low[:, :-1], high[:, :-1], None if self.stationary else law)
        before, after = sides.before(self.taus[:last]), sides.after(self.taus[first - 1 :])
        self.work += len(low) * self._steps
        found = np.ones(len(low))
        for record, one, other in self.pairs:
            tau = self.taus[record - 1]
            for v, w in ((one, other), (other, one)):
                told = tau[v, w] * before[record - 1][:, v, w] * after[record - first][:, v, w]
                found = np.maximum(found, told * _UP)
        found[np.isnan(found)] = inf
        return found

    @property
    def _steps(self) -> int:
        """The steps of the records of a cell, times how long they are."""
        records = [record for record, _, _ in self.pairs]
        steps = max(records) - 1 + len(self.taus) - min(records)
        return max(1, steps) * _STEPS.get(self.low.shape[2], _LONG_STEP)


def _starts(box: IntervalChain, first: bool) -> Iterator[Interval]:
    """Yield bounds of the law of X_1; `first`: all secrets are of X_1, so that any law will do."""
    zero = np.zeros((1, box.states))
    if not isinstance(box.initial, str):
        yield Interval.around([box.initial])
    elif box.initial == "stationary" or first:
        yield Interval.point(zero + 1 / box.states)
    elif box.states > _MOST_PAIRED:
        yield Interval(zero, zero + 1)
    else:
        for two in combinations(range(box.states), 2):
            high = zero.copy()
            high[:, two] = 1
            yield Interval(zero, high)


def one_record_pairs(framework: Framework, box: IntervalChain) -> list[tuple[int, int, int]] | None:
    """Return records with two values that are possible, None if a pair is of two records."""
    pairs = []
    for pair in framework.pairs:
        (record, one), (second, other) = (framework.places[secret] for secret in pair)
        if record != second:
            return None
        if {one, other} <= {*box.possible(record)}:
            pairs.append((record, one, other))
    return pairs


def _tau(queries: Sequence[RecordQuery], record: int) -> WalksFloats:
    """Return how much the density of the noise changes at most between two values of a record."""
    covering = tuple(query for query in queries if query.covers(record))
    size = len(contributions(queries[0]))
    tau = np.ones((size, size))
    for a, b in product(range(size), repeat=2):
        power = ONE
        for query in covering:
            adds, decay = contributions(query), query.noise.decay
            assert decay is not None
            power = power.times(decay.to(-distance(adds[a], adds[b])))
        tau[a, b] = max(1.0, power.ends()[1])
    return tau


Places = NDArray[np.intp]

RESTS_ON = ("noise.attained",)
MOST_ENTRIES = 400_000  # of likelihoods, and of nodes times values times outputs
_LEAST = 1e-100  # of a likelihood that is not 0
_SLOPES, _OVERHEAD = 8, 1_500  # work of a slope of an output, and of a cell


@dataclass(frozen=True)
class Diagram:
    """`children[j]`: of every node of level j, the nodes of the next level by the next record, from
    level 0, which has one node. `terminals`: likelihoods, by terminal node and output.
    `error`: the largest factor by which a ratio of the mechanism exceeds one of these. `largest`:
    the largest ratio of the likelihoods of an output, exactly, or None if it is infinite or was not
    asked for.
    """

    children: Sequence[Places]
    terminals: Interval
    error: Fraction = Fraction(1)
    largest: Fraction | None = None

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.children)

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.terminals.shape[1]

    @property
    def size(self) -> int:
        """How many numbers an enclosure has along one step, of all steps."""
        return sum(int(level.size) for level in self.children) * self.outputs

    @property
    def work(self) -> int:
        """About how much work an enclosure is, in such numbers."""
        values: int = self.children[0].shape[1]
        return self.size + _SLOPES * values * (values + 1) * self.outputs + _OVERHEAD

    @cached_property
    def merging(self) -> "Sequence[Sequence[MergedNodes]]":
        """By level and next record: how nodes come together."""
        return [[MergedNodes.of(column) for column in level.T] for level in self.children]

    def of_outputs(self, outputs: Places) -> "Diagram":
        """Return the same of some outputs."""
        diagram = replace(self, terminals=self.terminals[:, outputs])
        diagram.__dict__["merging"] = self.merging
        return diagram


@dataclass(frozen=True)
class MergedNodes:
    """Nodes in the order of their children, where that changes, and the children then."""

    order: Places
    starts: Places
    places: Places

    @classmethod
    def of(cls, children: Places) -> "MergedNodes":
        order = np.argsort(children, kind="stable")
        places, starts = np.unique(children[order], return_index=True)
        return cls(order, starts, places)


def diagram_of(mechanism: Channel | NoisyQueries, records: Records) -> Diagram | None:
    """Return the diagram of a mechanism, or None if it is too large or likelihoods too small."""
    diagram, error = None, Fraction(1)
    if isinstance(mechanism, Channel):
        diagram = _of_channel(mechanism, records)
    elif all(isinstance(query, RecordQuery) for query in mechanism.queries):
        diagram = _of_queries([x for x in mechanism.queries if isinstance(x, RecordQuery)], records)
    else:
        written = written_out(mechanism, records)
        if written is not None:
            diagram, error = _of_channel(written.channel, records), written.error
    if diagram is None or diagram.size > MOST_ENTRIES:
        return None
    most = diagram.terminals.high
    if (most[most > 0] < _LEAST).any():
        return None
    return replace(diagram, error=error)


def _of_channel(channel: Channel, records: Records) -> Diagram | None:
    count, values = records.count, len(records.alphabet)
    if not records.enumerable or values**count * len(channel.outputs) > MOST_ENTRIES:
        return None
    labels = records.labels()
    aligned = channel.aligned(labels, frozenset(range(len(labels))))
    rows = [tuple(Fraction(n, unit) for n in aligned.numerators_of(x)) for x, unit in enumerate(aligned.denominators)]
    distinct = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    columns = [[p / max(column) for p in column] for column in zip(*distinct) if any(column)]
    terminals = list(zip(*dict.fromkeys(map(tuple, columns))))
    now = np.array([distinct[row] for row in rows], dtype=np.intp)
    children: list[Places] = []
    for _ in range(count):
        points, places = np.unique(now.reshape(-1, values), axis=0, return_inverse=True)
        children.insert(0, points)
        now = places.reshape(-1)
    least = min(map(min, columns))
    return Diagram(children, Interval.around(terminals), largest=1 / least if least else None)


def _of_queries(queries: Sequence[RecordQuery], records: Records) -> Diagram | None:
    """Return the diagram of the sums of queries with noise of a decay: nodes are sums so far."""
    if any(query.noise.decay is None for query in queries):
        return None
    nothing = tuple(Fraction(0) for query in queries for _ in range(query.dimension))
    level, children = [nothing], []
    for record in range(1, records.count + 1):
        adds = _added(queries, record, len(records.alphabet))
        sums = [[tuple(x + y for x, y in zip(at, more)) for more in adds] for at in level]
        places = {at: k for k, at in enumerate(dict.fromkeys(x for row in sums for x in row))}
        children.append(np.array([[places[x] for x in row] for row in sums], dtype=np.intp))
        level = list(places)
    ends = [sorted(set(column)) for column in zip(*level)]
    if len(level) * prod(map(len, ends)) > MOST_ENTRIES:
        return None
    return Diagram(children, _decays(queries, level, ends))


def _added(queries: Sequence[RecordQuery], record: int, values: int) -> list[tuple[Fraction, ...]]:
    """Return what a record adds to all numbers, by its value."""
    parts: list[Sequence[tuple[Fraction, ...]]] = []
    for query in queries:
        if query.covers(record):
            parts.append(contributions(query))
        else:
            parts.append([(Fraction(0),) * query.dimension] * values)
    return [tuple(x for part in parts for x in part[value]) for value in range(values)]


def _decays(
    queries: Sequence[RecordQuery], points: Sequence[tuple[Fraction, ...]], ends: Sequence[Sequence[Fraction]]
) -> Interval:
    """Return prod_k decay_k^|w_k - F_k| for all points F and outputs w."""
    noises = [query.noise for query in queries for _ in range(query.dimension)]
    outputs = list(product(*ends))
    whole = Interval.point(np.ones((len(points), len(outputs))))
    for noise, numbers, wanted in zip(noises, zip(*points), zip(*outputs)):
        assert noise.decay is not None
        apart = {abs(w - f) for w in wanted for f in numbers}
        powers = {d: noise.decay.to(d).ends() for d in apart}
        table = np.array([[powers[abs(w - f)] for w in wanted] for f in numbers])
        whole = whole * Interval(table[..., 0], table[..., 1])
    return whole.within(0, 1)
