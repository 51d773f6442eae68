"""The influence curve of Bayesian networks, by search over the records that separate X_i from all
others.

Of the shown records only the *boundary* counts: those of which none is d-separated from X_i given
the others. To lower a ratio some record of it must be hidden: the search branches on which one, and
what it keeps shown bounds the ratio of a branch from below. Where the effort ends before all
branches are closed, they leave a lower bound, and the point has two ends. Laws are exact, by
variable elimination; Markov chains and independent records are networks as well.

Source: bai2026, Section 6.2, with the order of a pair kept and the infimum taken for every ordered
pair.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.steps import steps
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.point import CurvePoint, Order, expect_orders, nothing_compared, resting

RESTS_ON = ("song2017.lem-A1",)
EFFORT = 400_000
_LARGEST = 20_000  # entries of a law that is worth its time
MOST_NODES = 1_000
Set = frozenset[int]
Law = tuple[Fraction, ...]


def network_points(
    networks: Sequence[BayesianNetwork],
    records: Records,
    orders: Sequence[Order],
    most: int,
    effort: int = EFFORT,
    per_record: int = 0,
) -> list[CurvePoint]:
    """Return a*(b) for b = 0 .. `most`; exact unless the `effort` is too small: how many entries
    the laws of boundaries that are tried have in all, for every ordered pair its part. An
    eliminated record counts for `per_record` entries.

    >>> coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> tree = BayesianNetwork({1: [], 2: [1], 3: [1]}, {1: coin, 2: noisy, 3: noisy})
    >>> orders = [Order(("s", "t"), 1, 0, 1), Order(("t", "s"), 1, 1, 0)]
    >>> [(p.upper, p.hidden) for p in network_points([tree], Records(3, ("0", "1")), orders, 3)]
    [(None, ()), (Fraction(9, 1), (1,)), (Fraction(3, 1), (1, 2)), (Fraction(1, 1), (1, 2, 3))]

    Raises `ModelError` unless networks have a node for every record, at most 1,000 of them, and
    some ordered pair has two values of positive probability under some network.
    """
    if records.count > MOST_NODES:
        raise ModelError(f"expected at most {MOST_NODES} records of a network, found {records.count}", "records.count")
    known = [_Network(network, records, per_record) for network in networks]
    expected = expect_orders(orders)
    searches = []
    for order in expected:
        counted = [network for network in known if network.has(order)]
        if counted:
            searches.append(_HiddenSets(counted, order, most, effort // len(expected)))
    if not searches:
        raise nothing_compared()
    for search in searches:
        search.run()
    first = CurvePoint(0, Bounds.infinite(), searches[0].order.pair, ())
    return resting([first, *(_worst(searches, hidden) for hidden in steps(range(1, most + 1), "points"))], RESTS_ON)


def _worst(searches: "Sequence[_HiddenSets]", hidden: int) -> CurvePoint:
    best = [search.best[hidden] for search in searches]
    worst = max(range(len(best)), key=lambda i: (best[i].size, -i))
    lowers = [search.lower(hidden) for search in searches]
    lower = None if None in lowers else max(each for each in lowers if each is not None)
    upper = None if best[worst].size.infinite else best[worst].size.value
    chosen = best[worst].hidden if best[worst].hidden else None
    pair = searches[worst].order.pair
    return CurvePoint(hidden, Bounds(lower, upper), pair, tuple(sorted(chosen)) if chosen else None)


class _SetSize(NamedTuple):
    """A ratio that sorts: infinite ones last."""

    infinite: bool
    value: Fraction


_INFINITE = _SetSize(True, Fraction(0))
_NOTHING = _SetSize(False, Fraction(1))


@dataclass(frozen=True)
class _BestSet:
    size: _SetSize
    hidden: Set | None


@dataclass(frozen=True)
class _Branch:
    """All sets that hide `hidden` and show `kept`."""

    hidden: Set
    kept: Set


@dataclass
class _HiddenSets:
    """The best hidden sets of one ordered pair by size, and the branches that were left open.

    Of the shown records L only the boundary S counts: L without S is independent of X_i given S,
    and the ratio of L is that of S. To lower it some record of S must be hidden: the search
    branches on which one, and keeps the earlier ones of S shown, so that it meets every hidden set
    at most once. What is kept bounds the ratio of a branch from below, since showing more never
    lowers it (song2017.lem-A1). Sets are tried after a descent that hides the best record of S
    again and again.
    """

    networks: "Sequence[_Network]"
    order: Order
    most: int
    effort: int
    best: list[_BestSet] = field(default_factory=list)
    left: list[_Branch] = field(default_factory=list)
    everything: Set = frozenset()
    before: int = 0
    unknown: int = 0  # the least size of a hidden set whose ratio could not be computed, if any

    @property
    def work(self) -> int:
        """The entries of all laws so far, and one for every set."""
        return sum(network.work for network in self.networks) - self.before

    def run(self) -> None:
        """Search."""
        self.before = sum(network.work for network in self.networks)
        self.everything = frozenset(range(1, self.networks[0].records.count + 1))
        self.best = [_BestSet(_INFINITE, None)] * (self.most + 1)
        if len(self.everything) <= self.most:
            self._take(_NOTHING, self.everything)
        start = hidden = frozenset({self.order.record})
        while len(hidden) <= self.most and self.work <= self.effort:  # the best next record each time
            size, boundary = self._size(self.everything - hidden)
            self._take(size, hidden)
            if not boundary or len(hidden) == self.most:
                break
            larger = [hidden | {record} for record in sorted(boundary)]
            hidden = min(larger, key=lambda chosen: self._size(self.everything - chosen)[0])
        layer = [_Branch(start, frozenset())] if self.most else []
        while layer:
            layer = [later for branch in layer for later in self._tried(branch)]

    def lower(self, hidden: int) -> Fraction | None:
        """Return a lower bound of the least ratio of all sets of this size, None for infinity."""
        if self.unknown and self.unknown <= hidden:
            return _NOTHING.value
        open_here = [self._least(branch.kept) for branch in self.left if len(branch.hidden) <= hidden]
        least = min([self.best[hidden].size, *open_here])
        return None if least.infinite else least.value

    def _take(self, size: _SetSize, hidden: Set) -> None:
        for b in range(len(hidden), self.most + 1):
            if size < self.best[b].size:
                self.best[b] = _BestSet(size, hidden)

    def _least(self, shown: Set) -> _SetSize:
        """Return a lower bound of the ratio of a shown set."""
        sizes = [network.size(self.order, shown)[0] for network in self.networks]
        return max((size for size in sizes if size is not None), default=_NOTHING)

    def _size(self, shown: Set) -> tuple[_SetSize, Set]:
        """Return the ratio of a shown set, and the boundary that has to change to lower it. What
        could not be computed counts as infinite, and is remembered.
        """
        sizes = []
        for network in self.networks:
            size, boundary = network.size(self.order, shown)
            if size is None:
                hidden = len(self.everything) - len(shown)
                self.unknown = min(self.unknown or hidden, hidden)
            sizes.append((size or _INFINITE, boundary))
        return max(sizes, key=lambda size: size[0])

    def _tried(self, branch: _Branch) -> list[_Branch]:
        """Try the set of a branch, and return the branches in which another set may be better."""
        if self.work > self.effort:
            self.left.append(branch)
            return []
        size, boundary = self._size(self.everything - branch.hidden)
        self._take(size, branch.hidden)
        if len(branch.hidden) == self.most or size == _NOTHING:
            return []
        if self._least(branch.kept) >= self.best[len(branch.hidden) + 1].size:
            return []
        free = sorted(boundary - branch.kept)
        return [_Branch(branch.hidden | {each}, branch.kept | set(free[:index])) for index, each in enumerate(free)]


class _Network:
    """Boundaries and ratios of one network, remembered."""

    def __init__(self, network: BayesianNetwork, records: Records, per_record: int = 0) -> None:
        network.expect(records)
        self.sizes_of = network.sizes(records)
        self.network, self.records, self.per_record = network, records, per_record
        self.children: Mapping[int, list[int]] = {i: [] for i in range(1, network.length + 1)}
        for record, above in enumerate(network.parents, 1):
            for parent in above:
                self.children[parent].append(record)
        self.work = 0  # the same where laws are known from another curve of the network
        self.kept: dict[object, list[Law] | None] = network.__dict__.setdefault("_curve_laws", {})
        self.sizes: dict[object, _SetSize] = network.__dict__.setdefault("_curve_sizes", {}).setdefault(
            records.alphabet, {}
        )
        self.boundary = lru_cache(maxsize=None)(self._boundary)
        self.laws = lru_cache(maxsize=None)(self._laws)

    def has(self, order: Order) -> bool:
        """Whether both values have a positive probability."""
        law = self.network.marginal(order.record, self.records)
        return bool(law[order.v] and law[order.w])

    def size(self, order: Order, shown: Set) -> tuple[_SetSize | None, Set]:
        """Return the ratio of a shown set, or None if its law is too large, and its boundary."""
        boundary = self.boundary(order.record, shown)
        self.work += 1
        rows = self.laws(order.record, boundary)
        if rows is None:
            return None, boundary
        key = order.v, order.w, order.record, boundary
        if key not in self.sizes:
            pairs = list(zip(rows[order.v], rows[order.w]))
            if any(p and not q for p, q in pairs):
                self.sizes[key] = _INFINITE
            else:
                self.sizes[key] = _SetSize(False, max(p / q for p, q in pairs if q))
        return self.sizes[key], boundary

    def _boundary(self, record: int, shown: Set) -> Set:
        """Return the shown records that are not d-separated from a record given the others."""
        near = self._reached(record, shown)
        return frozenset(s for s in near & shown if s in self._reached(record, near & shown - {s}))

    def _reached(self, record: int, given: Set) -> Set:
        """Return the records that are d-connected to a record by a way on which only its end may
        be given: the ball of Shachter's rules, with colliders open where a descendant is given.
        """
        above = self.network.ancestors(sorted(given))
        connected: set[int] = set()
        seen = {(record, True)}  # whether the way comes from a child, or starts
        left = list(seen)
        while left:
            node, upwards = left.pop()
            connected.add(node)
            following = []
            if upwards and node not in given:
                following += [(parent, True) for parent in self.network.parents[node - 1]]
                following += [(child, False) for child in self.children[node]]
            elif not upwards:
                if node not in given:
                    following += [(child, False) for child in self.children[node]]
                if node in above:
                    following += [(parent, True) for parent in self.network.parents[node - 1]]
            fresh = [each for each in following if each not in seen]
            seen.update(fresh)
            left += fresh
        return frozenset(connected - {record})

    def _laws(self, record: int, others: Set) -> list[Law] | None:
        """Return P(X_S = . | X_i = v) by rows v, zeros for impossible v; None if too large."""
        entries = prod(self.sizes_of[each] for each in (record, *others))
        if entries > _LARGEST:
            return None
        self.work += entries
        if self.per_record:
            self.work += self.per_record * len(self.network.ancestors((record, *others)))
        key = self.records.alphabet, record, others
        if key in self.kept:
            return self.kept[key]
        try:
            law = self.network.law_of((record, *sorted(others)), self.records)
        except TooLargeError:
            self.kept[key] = None
            return None
        table = law.table.reshape(len(law.table), -1)
        rows: list[Law] = [(Fraction(0),) * len(table[0])] * len(self.records.alphabet)
        for value, row in zip(self.network.own(self.records)[record - 1], table):
            if total := sum(row):
                rows[value] = tuple(entry / total for entry in row)
        self.kept[key] = rows
        return rows
