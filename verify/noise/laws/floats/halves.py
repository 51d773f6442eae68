"""The law of a count on a wide Bayesian network, tilted by noise, from two halves of the network.

Records are gone through with parents first. With x and m the open records and the count of one
half, y and n those of the other, what is known has low rank,

    M(x, m, y, n) = sum_k A_k(x, m) B_k(y, n).

It grows with tables from half to half, and is made small again: 20 open bits need tables of 2^10,
not of 2^20. Entries may be negative. Weights are at most 1. What is left out and roundings, each
within 2^-53 sum_k |A_k| |B_k|, are errors e_j of M at record j. Of the law they change

    e_j max Z <= e_j s_j total / S_j,     s_j = max Z / min Z,

Z the sum over later records (`spreads`), S_j that of M.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import permutations, product
from math import inf, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.errors import TooLargeError

# Two halves of a Bayesian network between which few tables reach, and how much what comes later depends on what is
# open.
#
# Records are gone through with parents first. Open are those with children to come. The network is cut where the
# widest set of open records falls into two; every other record belongs to the part that is nearer.

Floats = NDArray[np.float64]

_SPLIT_SLACK = 1 + 2.0**-30  # more than the roundings of a mean
_MOST_VALUES = 6  # of a record, of which all sets are tried


def sweep(parents: Mapping[int, Sequence[int]]) -> list[int]:
    """Return records with parents first, generation by generation, of each next the one that leaves
    fewest open.

    >>> sweep({1: [], 2: [1], 3: [1], 4: [2, 3], 5: [3], 6: [4, 5]})
    [1, 2, 3, 4, 5, 6]
    """
    children, generation = dict.fromkeys(parents, 0), dict[int, int]()
    for above in parents.values():
        for parent in above:
            children[parent] += 1
    for record in TopologicalSorter(parents).static_order():
        generation[record] = 1 + max((generation[each] for each in parents[record]), default=0)
    ranks: dict[int, set[int]] = {}
    for record, rank in generation.items():
        ranks.setdefault(rank, set()).add(record)
    order = []
    for _, left in sorted(ranks.items()):
        while left:
            closing = {each: sum(children[one] == 1 for one in parents[each]) for each in left}
            record = min(left, key=lambda each: (-closing[each], each))
            left.remove(record)
            for parent in parents[record]:
                children[parent] -= 1
            order.append(record)
    return order


def latest_first(parents: Mapping[int, Sequence[int]]) -> list[int]:
    """Return records with parents first, next the one with the largest number whose parents are
    there: a grid of rows column by column.

    >>> latest_first({1: [], 2: [1], 3: [2], 4: [1], 5: [2, 4], 6: [3, 5]})
    [1, 4, 2, 5, 3, 6]
    """
    sorter = TopologicalSorter(parents)
    sorter.prepare()
    order: list[int] = []
    waiting = [-record for record in sorter.get_ready()]
    heapify(waiting)
    while waiting:
        order.append(-heappop(waiting))
        sorter.done(order[-1])
        for record in sorter.get_ready():
            heappush(waiting, -record)
    return order


@dataclass(frozen=True)
class NetworkSplit:
    """An order of records with parents first, the half (0 or 1) of each, and after each the records
    that are closed: those without children to come.
    """

    order: tuple[int, ...]
    halves: Mapping[int, int]
    closed: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, parents: Mapping[int, Sequence[int]], order: Iterable[int]) -> "NetworkSplit":
        """Split some records, with all parents among them.

        >>> ladder = {1: [], 2: [1], 3: [1], 4: [2, 3], 5: [3], 6: [4, 5]}
        >>> split = NetworkSplit.of(ladder, range(1, 7))
        >>> split.halves, split.closed[3]
        ({1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 0}, (2,))
        """
        steps = tuple(record for record in order if record in parents)
        left = dict.fromkeys(steps, 0)
        near: dict[int, set[int]] = {record: set() for record in steps}
        for record in steps:
            for parent in parents[record]:
                left[parent] += 1
                near[record].add(parent)
                near[parent].add(record)
        widest, opened, closed = [steps[0]], dict[int, None](), []
        for record in steps:
            opened[record] = None
            for parent in parents[record]:
                left[parent] -= 1
            gone = [each for each in (*parents[record], record) if not left[each]]
            for each in gone:
                del opened[each]
            closed.append(tuple(gone))
            if len(opened) > len(widest):
                widest = list(opened)
        # The half of every record, given those that are open together
        first = _farthest(near, widest, widest[0])
        last = _farthest(near, widest, first)
        one, other = (_distances(near, [end]) for end in (first, last))
        far = len(near)
        ordered = sorted(widest, key=lambda each: one.get(each, far) - other.get(each, -far))
        middle = (len(ordered) + 1) // 2
        parts = [_distances(near, some) for some in (ordered[:middle], ordered[middle:])]
        halves = {record: int(parts[1].get(record, far) < parts[0].get(record, far)) for record in near}
        return cls(steps, halves, tuple(closed))

    @classmethod
    def narrowest(
        cls,
        parents: Mapping[int, Sequence[int]],
        orders: Iterable[Iterable[int]],
        sizes: Mapping[int, int],
        record: int,
    ) -> "NetworkSplit":
        """Return the split of several orders whose halves have fewest states in all, if those from
        a record on are counted once for each of its values.
        """

        def states(split: NetworkSplit) -> int:
            widths, place = split.widths(sizes), split.order.index(record)
            return sum(widths[:place]) + sizes[record] * sum(widths[place:])

        return min((cls.of(parents, order) for order in orders), key=states)

    def widths(self, sizes: Mapping[int, int]) -> list[int]:
        """Return at each record how many states its half has, the closed ones among them."""
        opened: tuple[dict[int, None], dict[int, None]] = {}, {}
        found = []
        for record, gone in zip(self.order, self.closed):
            own = opened[self.halves[record]]
            own[record] = None
            found.append(prod(sizes[each] for each in own))
            for each in gone:
                opened[self.halves[each]].pop(each)
        return found


def _farthest(near: Mapping[int, set[int]], among: Sequence[int], start: int) -> int:
    away = _distances(near, [start])
    return max(among, key=lambda each: away.get(each, -1))


def _distances(near: Mapping[int, set[int]], starts: Sequence[int]) -> dict[int, int]:
    away, front = dict.fromkeys(starts, 0), list(starts)
    for here in front:
        for other in sorted(near[here] - away.keys()):
            away[other] = away[here] + 1
            front.append(other)
    return away


def spreads(split: NetworkSplit, parents: Mapping[int, Sequence[int]], tables: Mapping[int, Floats]) -> list[float]:
    """Return after every record of an order a bound of max Z / min Z, Z(x) the sum of the products
    of all later tables given the open records x, and so of every product of the first of them.

    tables: not negative, an axis for each parent and the last of the record, with no row of zeros.

    By induction from the last record, Z changes at most by a factor s_j >= 1 with the value of an
    open record j alone: if f is between 1 and s_y, sum_y t(u, y) f(y) / sum_y t(v, y) f(y) is
    largest where every f(y) is 1 or s_y, as a fraction of linear functions.
    """
    factor, opened = dict.fromkeys(split.order, 1.0), set[int]()
    found = []
    for record, gone in zip(reversed(split.order), reversed(split.closed)):
        found.append(prod(factor[each] for each in opened) * _SPLIT_SLACK)
        opened.discard(record)
        opened.update(each for each in gone if each != record)
        for axis, parent in enumerate(parents[record]):
            # By how much the mean over the last axis changes with one other axis
            table = tables[record]
            spread = factor[record]
            size = table.shape[-1]
            if size <= _MOST_VALUES and spread < inf:
                sets, beyond = list(product((1.0, spread), repeat=size)), 1.0
            else:
                sets, beyond = [(1.0,) * size], spread
            most = 1.0
            for weights in sets:
                means = np.moveaxis(table @ np.array(weights), axis, 0)
                most = max([most, *(float((u / v).max()) for u, v in permutations(means, 2))])
            factor[parent] *= most * beyond * _SPLIT_SLACK
    return found[::-1]


MOST_ENTRIES = 1 << 25  # of a half
MOST_WORK = 1 << 33  # entries of all tables of one law
_RANK, _MOST_RANK = 32, 1024  # that is expected, and with which matrices have eigenvectors soon
_BLOCK = 1 << 15  # floats
_PRODUCTS = 1 << 17  # of one product of matrices, for which BLAS takes one thread
_ROUND = 2.0**-53
_SLACK = 1 + 2.0**-20  # more than the roundings of sums of errors
_LEAST = 1e-200  # of a sum of M, far above all that underflows
_NEAR_NONE = 1e-13  # of the longest column
_SMALL = 1e-10  # of the largest square of a singular value
_SHARE = 1 / 8  # of what may be wrong, that counts which are left out may be


@dataclass(frozen=True)
class WeighedNetwork:
    """Tables of records, an axis for each parent and the last of the record, times the weights of
    its values; what each value adds; and a bound of the relative errors of entries.
    """

    parents: Mapping[int, tuple[int, ...]]
    tables: Mapping[int, Floats]
    adds: Mapping[int, Sequence[int]]
    error: float

    def given(self, record: int, value: int) -> "WeighedNetwork":
        """Return the tables where a record has no other value."""
        tables, adds = dict(self.tables), {**self.adds, record: [self.adds[record][value]]}
        for each, parents in self.parents.items():
            if record in (scope := (*parents, each)):
                tables[each] = tables[each].take([value], scope.index(record))
        return replace(self, tables=tables, adds=adds)

    @cached_property
    def sizes(self) -> Mapping[int, int]:
        """How many values every record has."""
        return {record: len(each) for record, each in self.adds.items()}


class TiltedLaw(NamedTuple):
    """The law of a count times its weight, from 0: `wrong` is a bound of the sum of all errors,
    those of counts above all `weights` as well, which may be possible.
    """

    weights: Floats
    wrong: float


def halves_work(split: NetworkSplit, network: WeighedNetwork) -> int:
    """Return about how many entries the tables of a law have. Raises `TooLargeError` if one is too large."""
    terms, work = [1, 1], 0
    for record, width in zip(split.order, split.widths(network.sizes)):
        half = split.halves[record]
        terms[half] += max(network.adds[record])
        entries = width * terms[half] * _RANK
        work += entries
        if entries > MOST_ENTRIES:
            raise TooLargeError(f"expected at most {MOST_ENTRIES} entries in half of a network")
    return work


def laws_by_halves(split: NetworkSplit, network: WeighedNetwork, record: int, wrong: float) -> list[TiltedLaw]:
    """Return the laws of a count with every value of a record, with about `wrong` times their sum
    of errors.

    network: rows of tables have a sum of at most 1, and are no zeros.

    True sums S_j are not known, but computed ones are at most S_j (1 + r_j), r_j the sum of all
    e_i s_i / S_i up to record j: errors change a later sum as they change the law. Walks with one
    value each are counted together: S_j, e_j and Z are sums over all values of the record, since
    the spread of Z tells nothing of what follows one value. Errors of one walk alone are no bound
    of its law; `wrong`, the same for all laws, is one of the errors of all of them together.

    Raises `TooLargeError` if tables are too large, or errors.
    """
    place = split.order.index(record)
    bounds = spreads(split, network.parents, network.tables)
    crossing = sum(
        any(split.halves[parent] != split.halves[each] for parent in network.parents[each]) for each in split.order
    )
    before = _Walk(split, network, bounds, wrong / (crossing + 1), _State.empty())
    before.along(0, place)
    walks = [
        _Walk(split, network.given(record, value), bounds, before.share, before.state, before.late)
        for value in range(network.sizes[record])
    ]
    for walk in walks:
        walk.along(place, len(split.order))
        walk.settle()
    rel = 0.0
    for one in [*([each] for each in before.errors), *zip(*(walk.errors for walk in walks))]:
        total = sum(each.total for each in one)
        if not total > _LEAST:
            raise TooLargeError("expected sums of floats far above what underflows")
        more = sum(each.wrong for each in one) / total * _SLACK
        rel = (rel + more) / max(1 - more, _ROUND)
    if not rel <= 1 / 4:
        raise TooLargeError("expected floats that tell the law of a count")
    found = [walk.state.law() for walk in walks]
    total = sum(float(law.sum()) for law in found)
    return [TiltedLaw(law.clip(0.0), rel / (1 - rel) * total * _SLACK) for law in found]


class _Error(NamedTuple):
    """What is wrong, times the spread of what follows, and the sum of M when this is counted, which
    never grows: at least this, as floats add it.
    """

    wrong: float
    total: float


@dataclass(frozen=True)
class _Half:
    """Open records, and a table with an axis for each, for the count from `start`, and for k."""

    opened: tuple[int, ...]
    table: Floats
    start: int = 0

    @property
    def matrix(self) -> Floats:
        """The table with all axes but that of k in one."""
        return self.table.reshape(-1, self.table.shape[-1])

    def without(self, gone: Sequence[int]) -> "_Half":
        """Return the table summed over those of some records that are open in this half; others
        are passed over, as the other half has summed over them.
        """
        axes = tuple(axis for axis, each in enumerate(self.opened) if each in gone)
        if not axes:
            return self
        opened = tuple(each for each in self.opened if each not in gone)
        return replace(self, opened=opened, table=self.table.sum(axis=axes))


@dataclass(frozen=True)
class _State:
    """Both halves, and a bound of sum_k |A_k| |B_k|."""

    halves: tuple[_Half, _Half]
    size: float

    @classmethod
    def empty(cls) -> "_State":
        half = _Half((), np.ones((1, 1)))
        return cls((half, half), 1.0)

    @property
    def total(self) -> float:
        """The sum of M, less what floats may have added."""
        one, other = (half.matrix for half in self.halves)
        found, terms = float(one.sum(0) @ other.sum(0)), len(one) + len(other) + one.shape[1]
        return found - float(terms) * _ROUND * self.size * _SLACK

    def law(self) -> Floats:
        """Return the law of the count, from 0, when no record is open."""
        one, other = (half.matrix for half in self.halves)
        start = sum(half.start for half in self.halves)
        law = np.zeros(start + len(one) + len(other) - 1)
        for f, g in zip(one.T, other.T):
            law[start:] += np.convolve(f, g)
        return law


class _Walk:
    """Records one after the other. `late` is what is wrong since errors were last counted. Where a
    record has one value, `errors` are right as sums over the walks of all values alone.
    """

    def __init__(
        self,
        split: NetworkSplit,
        network: WeighedNetwork,
        spread: Sequence[float],
        share: float,
        state: _State,
        late: float = 0.0,
    ) -> None:
        self.split, self.network, self.spread, self.share = split, network, spread, share
        self.state, self.late, self.work = state, late, 0
        self.errors: list[_Error] = []

    def along(self, first: int, last: int) -> None:
        """Go through the records of some places of the order."""
        for place in range(first, last):
            record, gone = self.split.order[place], self.split.closed[place]
            half = self.split.halves[record]
            own, other = self.state.halves[half], self.state.halves[1 - half]
            parents = self.network.parents[record]
            across = [each for each in parents if each in other.opened]
            closing = [each for each in own.opened if each in gone]
            sizes = self.network.sizes
            roundings = 2 + prod(sizes[each] for each in closing) + sum(sizes[each] for each in gone)
            late = self.network.error + roundings * _ROUND
            self.late += (late * self.state.size * _SLACK + _LEAST**1.2) * self.spread[place]
            new, split = [], []
            for values in product(*(range(sizes[each]) for each in across)):
                given = dict(zip(across, values))
                new.append(self._with(own, record, given, closing))
                split.append(_only(other, given))
            changed = _joined(new)
            if record in gone:
                changed = changed.without([record])
            pair = changed, _joined(split).without(gone)
            self.state = replace(self.state, halves=pair if half == 0 else pair[::-1])
            if across:
                self._cut(place)

    def settle(self) -> None:
        """Count errors up to here, and those of the convolutions at the end."""
        one, other = (half.matrix for half in self.state.halves)
        roundings = (len(one) + len(other)) * one.shape[1] * 2
        sizes = abs(one).sum(0) @ abs(other).sum(0)
        self.late += float(sizes) * roundings * _ROUND * _SLACK
        self.errors.append(_Error(self.late, self.state.total))
        self.late = 0.0

    def _with(self, own: _Half, record: int, given: Mapping[int, int], closing: Sequence[int]) -> _Half:
        """Return the half with one more record, and without those that it closes."""
        table, adds = self.network.tables[record], self.network.adds[record]
        parents, sizes = self.network.parents[record], self.network.sizes
        scope = [each for each in parents if each not in given]
        table = table[tuple(given.get(each, slice(None)) for each in parents)]
        order = [scope.index(each) for each in own.opened if each in scope]
        table = table.transpose([*order, len(scope)])
        shape = [sizes[each] if each in scope else 1 for each in own.opened]
        table = table.reshape([*shape, table.shape[-1]])
        kept = [axis for axis, each in enumerate(own.opened) if each not in closing]
        shut = [axis for axis, each in enumerate(own.opened) if each in closing]
        terms, rank = own.table.shape[-2:]
        states = [own.table.shape[axis] for axis in kept]
        new = np.zeros([*states, len(adds), (terms + max(adds)) * rank])
        self.work += new.size
        if self.work > MOST_WORK or new.size > MOST_ENTRIES:
            raise TooLargeError(f"expected at most {MOST_WORK} entries in halves of a network")
        last = own.table.ndim
        part = own.table.transpose([*kept, *shut, last - 2, last - 1])
        part = part.reshape([*states, -1, terms * rank])
        shared = [own.table.shape[axis] if axis in shut else shape[axis] for axis in range(last - 2)]
        table = np.broadcast_to(table, [*shared, len(adds)]).transpose([*kept, last - 2, *shut])
        table = table.reshape([*(shape[axis] for axis in kept), len(adds), -1])
        for value, add in enumerate(adds):
            place = new[..., value : value + 1, add * rank : (add + terms) * rank]
            np.matmul(table[..., value : value + 1, :], part, out=place)
        opened = tuple(own.opened[axis] for axis in kept)
        new = new.reshape([*states, len(adds), terms + max(adds), rank])
        return _Half((*opened, record), new, own.start)

    def _cut(self, place: int) -> None:
        """Leave out what matters least: terms of the sum over k, and counts at both ends."""
        matrices = [half.matrix for half in self.state.halves]
        if matrices[0].shape[1] > _MOST_RANK:
            raise TooLargeError(f"expected a rank of at most {_MOST_RANK} between halves")
        allowed = self.share * max(self.state.total, 0.0) / self.spread[place]
        turned = _turned(*matrices)
        shapes = [half.table.shape for half in self.state.halves]
        tables = [each.reshape(*shape[:-1], each.shape[1]) for each, shape in zip(turned.matrices, shapes)]
        counts = [_sizes(table.reshape(-1, *table.shape[-2:])) for table in tables]  # for every k
        sizes = [each.sum(axis=0) for each in counts]
        terms = sizes[0] * sizes[1]
        tail = np.cumsum(terms[::-1])[::-1]
        rank = max(1, int((tail > allowed).sum()))
        wrong = turned.wrong + float(tail[rank]) * _SLACK if rank < len(tail) else turned.wrong
        halves = []
        for half, table, own, other in zip(self.state.halves, tables, counts, sizes[::-1]):
            by_count = own[:, :rank] @ other[:rank]
            low = int((np.cumsum(by_count) <= allowed * _SHARE).sum())
            high = int((np.cumsum(by_count[::-1]) <= allowed * _SHARE).sum())
            low, high = min(low, len(by_count) - 1), len(by_count) - high
            high = max(high, low + 1)
            wrong += float(by_count[:low].sum() + by_count[high:].sum()) * _SLACK
            kept = np.ascontiguousarray(table[..., low:high, :rank])
            halves.append(_Half(half.opened, kept, half.start + low))
        self.state = _State((halves[0], halves[1]), float(terms[:rank].sum()) * _SLACK)
        self.errors.append(_Error(self.late + wrong * self.spread[place], self.state.total))
        self.late = 0.0


class _Turned(NamedTuple):
    """Two matrices A X and B Y, and how far their product is from A B^T in sums of entries."""

    matrices: tuple[Floats, Floats]
    wrong: float


def _turned(one: Floats, other: Floats) -> _Turned:
    """Return both matrices by singular vectors of their product, the largest first.

    With columns W of eigenvectors of B^T B, those whose B W is not nearly 0, D the lengths of B W,
    and V of eigenvectors of D W^T A^T A W D, let X = W D V and Y = W D^-1 V. Whatever these are,

        |A B^T - (A X) (B Y)^T| <= |A W'| |B W'|^T + |A| |1 - W' W'^T - X Y^T| |B|^T + roundings,

    W' being the other eigenvectors.
    """
    _, turn = np.linalg.eigh(_squared(other))
    turned = _times(other, turn)
    lengths = np.sqrt((turned**2).sum(axis=0))
    if not lengths.max() > 0:
        return _Turned((one[:, :1] * 0, other[:, :1] * 0), float(_sizes(one) @ _sizes(other)))
    kept = lengths > lengths.max() * _NEAR_NONE
    lost, turn, lengths = turn[:, ~kept], turn[:, kept], lengths[kept]
    scaled = turn * lengths
    values, last = np.linalg.eigh(scaled.T @ _squared(one) @ scaled)
    last = last[:, ::-1]
    x, y = scaled @ last, (turn / lengths) @ last
    small = int((values[::-1] > values[-1] * _SMALL).sum())  # smaller ones are known no better
    if small < len(values):
        _, last = np.linalg.eigh(_squared(_times(one, x[:, small:])))
        x[:, small:], y[:, small:] = (each[:, small:] @ last[:, ::-1] for each in (x, y))
    found = _times(one, x), _times(other, y)
    if not all(np.isfinite(each).all() for each in (x, y, *found)):
        raise TooLargeError("expected floats that tell the law of a count")
    sizes, after = ([_sizes(each) for each in pair] for pair in ((one, other), found))
    rank = len(sizes[0])
    ulp = (rank + 4) * _ROUND
    identity = np.eye(rank)
    both = abs(x) @ abs(y).T + abs(lost) @ abs(lost).T + identity
    apart = abs(identity - lost @ lost.T - x @ y.T) + 2 * ulp * both
    rounded = [ulp * (size @ abs(each)) for size, each in zip(sizes, (x, y))]
    wrong = sizes[0] @ apart @ sizes[1]
    wrong += rounded[0] @ (after[1] + rounded[1]) + rounded[1] @ after[0]
    gone = [_sizes(turned[:, ~kept]), sizes[0] @ abs(lost)]
    wrong += (gone[0] + ulp * (sizes[1] @ abs(lost))) @ gone[1]
    return _Turned(found, float(wrong) * _SLACK)


def _rows(matrix: Floats) -> tuple[Floats, Floats]:
    """Return a long matrix in blocks of rows, and what is left, for which BLAS takes one thread."""
    rows = max(matrix.shape[1], _PRODUCTS // matrix.shape[1] ** 2)
    whole = len(matrix) // rows * rows
    return matrix[:whole].reshape(-1, rows, matrix.shape[1]), matrix[whole:]


def _squared(matrix: Floats) -> Floats:
    blocks, rest = _rows(matrix)
    found: Floats = (blocks.transpose(0, 2, 1) @ blocks).sum(axis=0) + rest.T @ rest
    return found


def _times(matrix: Floats, other: Floats) -> Floats:
    found, (blocks, rest) = np.empty((len(matrix), other.shape[1])), _rows(matrix)
    whole = len(matrix) - len(rest)
    np.matmul(blocks, other, out=found[:whole].reshape(*blocks.shape[:2], other.shape[1]))
    np.matmul(rest, other, out=found[whole:])
    return found


def _sizes(table: Floats) -> Floats:
    """Return sums of absolute values along the first axis, in blocks that stay in a cache."""
    found = np.zeros(table.shape[1:])
    rows = max(1, _BLOCK // max(1, found.size))
    for start in range(0, len(table), rows):
        found += abs(table[start : start + rows]).sum(axis=0)
    return found


def _only(half: _Half, given: Mapping[int, int]) -> _Half:
    """Return a half that is 0 but for some values of its open records."""
    if not given:
        return half
    table = np.zeros_like(half.table)
    place = tuple(slice(given[each], given[each] + 1) if each in given else slice(None) for each in half.opened)
    table[place] = half.table[place]
    return replace(half, table=table)


def _joined(parts: Sequence[_Half]) -> _Half:
    """Return a half with the terms of all parts."""
    if len(parts) == 1:
        return parts[0]
    return replace(parts[0], table=np.concatenate([part.table for part in parts], axis=-1))
