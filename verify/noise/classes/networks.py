"""What levels per record leak at most of people who infect their contacts, with one transmission in
an interval for all contacts.

The interval is cut into cells. Over a cell every entry of every table lies between two numbers, and
so do the weights that elimination meets, sums of products of positive numbers: the mean of a column
h over an eliminated record y, h(y = 1) = F h(y = 0), lies between

    (u_0 + l_1 F) / (u_0 + l_1)  and  (l_0 + u_1 F) / (l_0 + u_1),   F >= 1,

for weights l_y .. u_y, and R_j grows by the largest quotient of such means
(classes.elimination-rays).
The worst cell is cut until it bounds no more than elimination does at single transmissions.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import pairwise, product
from math import inf, isfinite, prod
from operator import mul

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.intervals import Interval, dot, mixture, part, up
from pufferproof.models.priors.bayesian_network import Bag, aligned
from pufferproof.models.priors.forest import Family
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.models.priors.records import Records, separator
from pufferproof.verify.noise.accounts.elimination import WIDEST, Step, cost_of, float_above, orders_within
from pufferproof.verify.noise.classes.rows.bound import TreeBound

# What levels per record leak at most under networks of bits whose rows lie between bounds.
#
# R_j(u, v) bounds h(x_j = u)/h(x_j = v) of every column h, e^level_j at first. Records that are no ancestors of the
# secret record i, and not i, are eliminated, children first: y then has its own row p(y | parents), and each row
# ranges over its bounds alone, so that R_j(u, v) of a parent j grows by
#
#     max (1 - p + p F) / (1 - q + q F),   p of rows with x_j = u, q with x_j = v,
#
# over ends of bounds and F in {1/R_y(0, 1), R_y(1, 0)}. A path of ancestors is eliminated from its root, with the
# reversed rows of all P(z = 1) that can be; other ancestors z add max R_z. At most the product of all e^level_j.

_BITS = 160  # binary digits to which bounds are rounded up, lest they grow with every record
_MOST_ROWS = 200_000  # of all tables, each of which is gone through
_CUTS = sorted(
    {cut for n in range(-60, 61) for cut in [Fraction(2) ** n] for cut in [cut / (1 + cut)]}
    | {Fraction(n, 64) for n in range(1, 64)}
)
Pair = tuple[Fraction, Fraction]  # R(1, 0) and R(0, 1)
Levels = Sequence[Fraction | None]


def network_ratio(network: IntervalNetwork, records: Records, record: int, levels: Levels) -> Fraction | None:
    """Return a bound of e to what is leaked of a record, given bounds of e^level of every one; None
    for infinite.

    >>> coin, rows = {"": ["1/2", "1/2"]}, {"0": [1, 0], "1": ["1/2", 0]}
    >>> above = {"0": [1, 0], "1": [1, "1/2"]}
    >>> contact = IntervalNetwork({1: [], 2: [1]}, {1: coin, 2: rows}, {1: coin, 2: above})
    >>> network_ratio(contact, Records(2, ("0", "1")), 1, [Fraction(3), Fraction(3)])
    Fraction(6, 1)
    """
    finite = [level for level in levels if level is not None]
    if len(finite) < len(levels):
        return None
    whole = prod(finite, start=Fraction(1))
    rows = sum(len(row) for row in network.rows)
    if len(records.alphabet) != 2 or rows > _MOST_ROWS or network.by_history:
        return whole
    ratios: dict[int, Pair] = {j: (level, level) for j, level in enumerate(finite, 1)}
    above = network.network.ancestors([record]) - {record}
    for y in reversed(network.network.parents_first()):
        if y == record or y in above:
            continue
        table = _ParentTable.of(network, records, y)
        for axis, parent in enumerate(table.parents):
            grown = table.growth(axis, ratios[y])
            ratios[parent] = _pair(old * new for old, new in zip(ratios[parent], grown))
        del ratios[y]
    path = _path(network, record)
    if len(path) > len(above):
        grown = _along(network, records, path, ratios)
        ratios[record] = _pair(old * new for old, new in zip(ratios[record], grown))
        return min(max(ratios[record]), whole)
    rest = prod((max(ratios[z]) for z in above), start=Fraction(1))
    return min(max(ratios[record]) * rest, whole)


def _path(network: IntervalNetwork, record: int) -> list[int]:
    """Return the path from the root to a record, or the record alone if it or an ancestor has several parents."""
    path = [record]
    while len(above := network.network.parents[path[-1] - 1]) == 1:
        path.append(above[0])
    return path[::-1] if not above else path[:1]


def _along(network: IntervalNetwork, records: Records, path: Sequence[int], ratios: Mapping[int, Pair]) -> Pair:
    """Return by how much the ratios of the last record of a path grow as those before are
    eliminated. P(z = 1) is cut into parts, each with the reversed rows that it can have.
    """
    root = _ParentTable.of(network, records, path[0]).bounds[()]
    parts = _parts(*root)
    grown = (Fraction(1), Fraction(1))
    for here, there in pairwise(path):
        rows = _ParentTable.of(network, records, there).bounds
        own = _pair(old * new for old, new in zip(ratios[here], grown))
        grown = (Fraction(1), Fraction(1))
        for low, high in parts:
            # Bounds of P(z = 1) given 0 and given 1 of the next record, from bounds of P(z = 1) and of P(next = 1)
            # given z = 0 and z = 1
            share = (low, high)
            given_0 = rows[0,]
            given_1 = rows[1,]
            bounds = []
            for flip in (True, False):
                zero, one = ((1 - x[1], 1 - x[0]) if flip else x for x in (given_0, given_1))
                least = _share(share[0] * one[0], (1 - share[0]) * zero[1], Fraction(0))
                most = _share(share[1] * one[1], (1 - share[1]) * zero[0], Fraction(1))
                bounds.append((least, most))
            back = bounds[0], bounds[1]
            more = _ParentTable((there,), {(0,): back[0], (1,): back[1]}).growth(0, own)
            grown = max(grown[0], more[0]), max(grown[1], more[1])
        ends = parts[0][0], parts[-1][1]
        next_low = min((1 - ends[k]) * rows[0,][0] + ends[k] * rows[1,][0] for k in (0, 1))
        next_high = max((1 - ends[k]) * rows[0,][1] + ends[k] * rows[1,][1] for k in (0, 1))
        parts = _parts(next_low, next_high)
    return grown


def _parts(low: Fraction, high: Fraction) -> list[Pair]:
    """Cut an interval of probabilities at fixed places, which are close near 0 and 1."""
    cuts = [low, *(cut for cut in _CUTS if low < cut < high), high]
    return list(pairwise(cuts))


def _share(one: Fraction, other: Fraction, unknown: Fraction) -> Fraction:
    """Return one / (one + other), and what is given for 0 / 0."""
    return one / (one + other) if one + other else unknown


def _pair(values: Iterator[Fraction]) -> Pair:
    """Return two numbers, rounded up to 160 binary digits."""
    one, other = (_up(value) for value in values)
    return one, other


def _up(value: Fraction) -> Fraction:
    if value.denominator.bit_length() <= _BITS:
        return value
    return Fraction(-((-value.numerator << _BITS) // value.denominator), 1 << _BITS)


@dataclass(frozen=True)
class _ParentTable:
    """Bounds of the probability of 1, by the values of the parents."""

    parents: tuple[int, ...]
    bounds: Mapping[tuple[int, ...], Pair]

    @classmethod
    def of(cls, network: IntervalNetwork, records: Records, record: int) -> "_ParentTable":
        parents, joint = network.network.parents[record - 1], separator(records.alphabet)
        rows = network.rows[record - 1]
        table = {}
        for values in product((0, 1), repeat=len(parents)):
            low, high = rows[joint.join(records.alphabet[x] for x in values)]
            table[values] = low[1], high[1]
        return cls(parents, table)

    def growth(self, axis: int, ratios: Pair) -> Pair:
        """Return by how much the ratios of a parent grow as the record, whose own ratios are given, is eliminated."""
        up = down = Fraction(1)
        for values, one in self.bounds.items():
            if not values[axis]:
                continue
            zero = self.bounds[(*values[:axis], 0, *values[axis + 1 :])]
            for rate in (ratios[0], 1 / ratios[1]):
                up = max(up, _most_likely(one, zero, rate))
                down = max(down, _most_likely(zero, one, rate))
        return up, down


def _most_likely(p: Pair, q: Pair, rate: Fraction) -> Fraction:
    """Return the largest (1 - p + p F) / (1 - q + q F) over bounds of p and q."""
    above, below = (p[1], q[0]) if rate >= 1 else (p[0], q[1])
    return (1 + above * (rate - 1)) / (1 + below * (rate - 1))


Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
_SMALL = 1e-30  # of the largest entry of a table that is scaled
_LARGEST = 1e150  # of ratios
_CLOSE = 1e-6  # relative, of a bound and that of a single transmission
_MOST_CELLS = 200  # cuts of the worst cell, each two more eliminations
_MOST_ENTRIES = 1 << 19  # of the tables of an order, for every cell: bounds of 8 MB


def contacts_ratio(
    contacts: Contacts, record: int, levels: Levels, kept: Callable[[Fraction], bool] | None = None
) -> Fraction | None:
    """Return a bound of e to what is leaked of a record under all transmissions of a class, given
    bounds of e^level of every record, or None if infinite. With `kept`, a bound close enough to say
    whether it is kept.

    >>> pair = Contacts(2, [(1, 2)], ["0", "1/2"], "1/10")
    >>> found = contacts_ratio(pair, 1, [Fraction(3), Fraction(3)])
    >>> 0 <= found / (3 * Fraction(21, 12)) - 1 < Fraction(1, 10**9)
    True
    """
    if None in levels:
        return None
    if max(map(len, contacts.before.values())) > WIDEST:
        return _whole(levels)
    rates = [float_above(level) for level in levels]
    # who depends on whom: orders do not look at the tables
    families = [Family(tuple(before), np.empty(2, dtype=object)) for before in contacts.before.values()]
    orders = orders_within(families, record)
    small = [steps for steps in orders if cost_of(steps) <= _MOST_ENTRIES]
    searches = [_WorstRate(contacts, record, rates, steps) for steps in small]
    chosen = min(searches, key=lambda one: one.floor, default=None)
    best = inf if chosen is None else chosen.bound(kept)
    return min(Fraction(best), _whole(levels)) if isfinite(best) else _whole(levels)


def _whole(levels: Levels) -> Fraction:
    """Return e to all levels together, which bounds what is leaked of any record."""
    whole = Fraction(1)
    for level in levels:
        whole *= level or 1
    return whole


@dataclass(frozen=True)
class _ContactTable:
    """A table over records, an axis for each."""

    scope: tuple[int, ...]
    table: Interval

    @classmethod
    def of(cls, scope: tuple[int, ...], table: Interval) -> "_ContactTable":
        """Return a factor, of which a small table is scaled by a power of two."""
        top = float(table.high.max())
        if 0 < top < _SMALL:
            table = table * 2.0 ** min(-int(np.frexp(top)[1]), 1000)
        return cls(scope, table)


@dataclass(frozen=True)
class _WorstRate:
    """The search over transmissions for the largest bound by one order of elimination."""

    contacts: Contacts
    record: int
    rates: Sequence[float]
    steps: Sequence[Step]

    @cached_property
    def floor(self) -> float:
        """The larger bound of both ends."""
        return max(self._over(end, end) for end in {self.contacts.lower, self.contacts.upper})

    def bound(self, kept: Callable[[Fraction], bool] | None) -> float:
        """Return the largest bound of all cells after cutting the worst cell while it helps, at
        most 200 times, or infinity if an end already exceeds the level.
        """
        if kept is not None and not (isfinite(self.floor) and kept(Fraction(self.floor))):
            return inf  # an end exceeds what is to be kept
        low, high, floor = self.contacts.lower, self.contacts.upper, self.floor
        cells = [(-self._over(low, high), low, high)]
        for _ in range(_MOST_CELLS):
            worst, low, high = cells[0]
            if -worst <= floor * (1 + _CLOSE) or low == high:
                break
            if kept is not None and isfinite(worst) and kept(Fraction(-worst)):
                break
            heappop(cells)
            middle = (low + high) / 2
            floor = max(floor, self._over(middle, middle))
            heappush(cells, (-self._over(low, middle), low, middle))
            heappush(cells, (-self._over(middle, high), middle, high))
        return -cells[0][0]

    def _over(self, low: Fraction, high: Fraction) -> float:
        """Return the bound of the secret record over a cell; infinity where floats end."""
        # Bounds of every table: P(healthy) falls in the transmission
        least, most = self._well(high), self._well(low)
        well = Interval(least.low, most.high)
        rows = Interval.stack([well, 1 - well], -1)  # by the number of ill contacts
        ill = {size: sum(np.indices((2,) * size), np.array(0)) for size in self._sizes}
        tables = {size: rows[sick] for size, sick in ill.items()}
        people = self.contacts.before.items()
        bag = Bag([_ContactTable.of((*before, person), tables[len(before)]) for person, before in people])
        ratios = np.repeat(np.array([0.0, *self.rates])[:, None], 2, axis=1)  # R(1, 0), R(0, 1)
        for record, around in self.steps:
            if not ratios[record].max() <= _LARGEST:
                return inf
            scope = (*around, record)
            sizes = dict.fromkeys(scope, 2)
            used = (aligned(one.table, one.scope, scope, sizes) for one in bag.take(record))
            table = reduce(mul, used)
            near = list(around)
            ratios[near] = (Interval.point(ratios[near]) * _most(table, ratios[record])).high
            bag.add(_ContactTable.of(around, table[..., 0] + table[..., 1]))
        return float(ratios[self.record].max())

    @cached_property
    def _sizes(self) -> set[int]:
        return {*map(len, self.contacts.before.values())}

    @cached_property
    def _wells(self) -> dict[Fraction, Interval]:
        return {}

    def _well(self, transmission: Fraction) -> Interval:
        """Return the probability to stay healthy, by the number of ill contacts."""
        if transmission not in self._wells:
            ills = range(max(self._sizes) + 1)
            rows = [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in ills]
            self._wells[transmission] = Interval.around(rows)
        return self._wells[transmission]


def _most(table: Interval, ratios: Floats) -> Interval:
    """Return by how much the bounds R(1, 0) and R(0, 1) of every neighbour grow, as an eliminated
    record, the last axis, is at most R(1, 0) times likelier to be 1, or R(0, 1) times to be 0.

    Neighbours that have probability 0 together may give any law: that of 0, the same for all; of a
    single neighbour that of its other value.
    """
    count = len(table.shape) - 1
    possible = table.high > 0
    if count == 1 and not possible.any(-1).all():
        return Interval.point(np.ones((1, 2)))
    share = part(table[..., 1], table[..., 0])
    share = Interval(share.low, np.where(possible[..., 1], share.high, 0))
    bounds = Interval.point(ratios)
    rates = Interval.stack([bounds[0], 1 / bounds[1]]).reshape(2, *(1,) * count)
    mean = mixture(share, Interval.point(1.0), rates)
    grown = np.ones((count, 2))
    for axis, most in enumerate(grown, 1):  # means are at least 1 / R(0, 1): no quotient underflows
        zero, one = mean.take(0, axis), mean.take(1, axis)
        most[:] = (one.high / zero.low).max(), (zero.high / one.low).max()
    return Interval.point(np.maximum(up(grown), 1))


# What mechanisms leak at most about few people who infect one another, with one transmission in an interval for all
# contacts, by the law of all databases.
#
# Over a cell of transmissions the probability of a database lies between two products of entries of tables, and so
# does that of an output given a secret,
#
#     sum_x u(x) P(w | x) / sum_x l(x),    u, l: bounds of P(x), x with the secret,
#
# so that ratios have bounds which meet as cells shrink. Noise with a decay has its largest ratio where every number is
# a value of its query: between two of them, the ratio is a Moebius map of a power of the decay.

PEOPLE_RESTS_ON = ("noise.attained",)
MOST_PEOPLE = 10  # 1,024 databases, of which laws are listed
_MOST_OUTPUTS = 2_000  # at each of which every cell is bounded
_MOST_PEOPLE_CELLS = 2_000  # of rates, each with the laws of all databases
_PEOPLE_CLOSE = 1 + Fraction(1, 10**6)  # times what a member leaks: a bound that is good enough
_LAW = "the law of all databases"


def people_bound(
    framework: Framework,
    mechanism: Channel | NoisyQueries,
    enough: Callable[[Fraction], bool] | None,
    leaked: Fraction | None,
) -> TreeBound | None:
    """Return a bound for all classes of a framework, or None unless they are contacts of at most 10
    people, and outputs are few.

    Args: enough: whether a bound is small enough, or None if no level is asked for. leaked: what
    some members leak, or None if it is infinite: then there is no bound.
    """
    records = framework.expect_records()
    boxes = [box for box in framework.classes.values() if isinstance(box, Contacts)]
    if len(boxes) < len(framework.classes) or records.count > MOST_PEOPLE:
        return None
    labels = framework.expect_records().labels()
    if isinstance(mechanism, Channel):
        rows = [[mechanism.probability(x, y) for y in mechanism.outputs] for x in labels]
        if len(mechanism.outputs) > _MOST_OUTPUTS:
            shown = None
        else:
            shown = _ShownByGroup(np.arange(len(labels)), Interval.around(rows))
    else:
        shown = _of_noise(labels, mechanism)
    if shown is None or leaked is None:
        return None
    most, cells = 1.0, 0
    for contacts in boxes:
        search = _RateCells(framework, contacts, shown)
        upper, tried = search.bound(
            lambda ratio: (enough is not None and enough(ratio)) or ratio <= leaked * _PEOPLE_CLOSE
        )
        most, cells = max(most, upper), cells + tried
    return TreeBound(Fraction(most), cells, _LAW, claims=PEOPLE_RESTS_ON) if isfinite(most) else None


@dataclass(frozen=True)
class _ShownByGroup:
    """What databases show: the group of every database, and the likelihood of every output
    (columns) given a group (rows), up to a factor for each output.
    """

    groups: NDArray[np.intp]
    likely: Interval


def _of_noise(labels: Sequence[str], mechanism: NoisyQueries) -> _ShownByGroup | None:
    values: list[tuple[Fraction, ...]] = [()] * len(labels)
    noises: list[Noise] = []
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return None
        written = query.written_out().values
        values = [(*value, *written[x]) for value, x in zip(values, labels)]
        noises += [query.noise] * query.dimension
    whole = [noise.kind != "laplace" for noise in noises]
    if any(integral and x.denominator > 1 for row in values for integral, x in zip(whole, row)):
        return None
    groups = list(dict.fromkeys(values))
    grid = [sorted({row[k] for row in groups}) for k in range(len(noises))]
    outputs = list(product(*grid)) if _size(grid) <= _MOST_OUTPUTS else []
    if not outputs:
        return None
    likely = Interval.point(np.ones((len(groups), len(outputs))))
    for k, noise in enumerate(noises):
        assert noise.decay is not None
        apart = {abs(a - b) for a, b in product(grid[k], repeat=2)}
        near = {d: noise.decay.to(d).ends() for d in apart}
        table = np.array([[near[abs(row[k] - w[k])] for w in outputs] for row in groups])
        likely = likely * Interval(table[..., 0], table[..., 1])
    number = {row: place for place, row in enumerate(groups)}
    return _ShownByGroup(np.array([number[row] for row in values]), likely)


def _size(grid: Sequence[Sequence[Fraction]]) -> int:
    size = 1
    for axis in grid:
        size *= len(axis)
    return size


class _RateCells:
    """Cuts of the interval of transmissions, the cell with the largest bound first."""

    def __init__(self, framework: Framework, contacts: Contacts, shown: _ShownByGroup) -> None:
        self.contacts, self.shown = contacts, shown
        every = np.array(list(product((0, 1), repeat=contacts.count)))
        self.own = every.T
        self.ill = [every[:, [i - 1 for i in before]].sum(1) for before in contacts.before.values()]
        self.secrets = {place: every[:, place[0] - 1] == place[1] for place in framework.places.values()}
        self.pairs = [
            [framework.places[name] for name in order] for pair in framework.pairs for order in framework.orders(pair)
        ]
        self.order = np.argsort(shown.groups, kind="stable")
        self.starts = np.unique(shown.groups[self.order], return_index=True)[1]

    def bound(self, small: Callable[[Fraction], bool]) -> tuple[float, int]:
        """Return the bound of the interval, and the number of cells that were looked at."""
        low, high = self.contacts.lower, self.contacts.upper
        cells, tried = [(-self._over(low, high), low, high)], 1
        while tried < _MOST_PEOPLE_CELLS:
            worst, low, high = cells[0]
            if low == high or (isfinite(worst) and small(Fraction(-worst))):
                break
            heappop(cells)
            middle = (low + high) / 2
            heappush(cells, (-self._over(low, middle), low, middle))
            heappush(cells, (-self._over(middle, high), middle, high))
            tried += 2
        return -cells[0][0], tried

    def _over(self, low: Fraction, high: Fraction) -> float:
        """Return the bound of a cell, infinity where there is none."""
        # The probability of every database
        size = max(len(law) for law in self.contacts.before.values())
        least, greatest = (Interval.around(self._well(end, size)) for end in (high, low))
        well = Interval(least.low, greatest.high)
        rows = Interval.stack([well, 1 - well], -1)
        laws = Interval.point(np.ones(len(self.own[0])))
        for own, ill in zip(self.own, self.ill):
            laws = laws * rows[ill, own]
        given = {place: self._given(laws, has) for place, has in self.secrets.items()}
        most = 1.0
        for pair in self.pairs:
            (one, whole), (other, rest) = (given[place] for place in pair)
            if not (whole.high > 0 and rest.high > 0):
                continue  # a secret of probability 0
            ratio = (one / whole) / (other / rest)
            most = max(most, float(ratio.high[one.high > 0].max(initial=1.0)))
        return most

    def _given(self, laws: Interval, has: NDArray[np.bool_]) -> tuple[Interval, Interval]:
        """Return P(secret, w) for every output, and P(secret)."""
        groups = (laws * has.astype(float))[self.order].runs(self.starts)
        return dot(groups[None], self.shown.likely)[0], groups.sum(axis=0)

    def _well(self, transmission: Fraction, size: int) -> list[Fraction]:
        return [(1 - self.contacts.base) * (1 - transmission) ** ill for ill in range(size + 1)]
