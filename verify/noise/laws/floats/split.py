"""Two halves of a Bayesian network between which few tables reach, and how much what comes later
depends on what is open.

Records are gone through with parents first. Open are those with children to come. The network is
cut where the widest set of open records falls into two; every other record belongs to the part
that is nearer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import permutations, product
from math import inf, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_SLACK = 1 + 2.0**-30  # more than the roundings of a mean
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
        return cls(steps, _halves(near, widest), tuple(closed))

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


def _halves(near: Mapping[int, set[int]], widest: Sequence[int]) -> dict[int, int]:
    """Return the half of every record, given those that are open together."""
    first = _farthest(near, widest, widest[0])
    last = _farthest(near, widest, first)
    one, other = (_distances(near, [end]) for end in (first, last))
    far = len(near)
    ordered = sorted(widest, key=lambda each: one.get(each, far) - other.get(each, -far))
    middle = (len(ordered) + 1) // 2
    parts = [_distances(near, some) for some in (ordered[:middle], ordered[middle:])]
    return {each: int(parts[1].get(each, far) < parts[0].get(each, far)) for each in near}


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


def spreads(split: NetworkSplit, parents: Mapping[int, Sequence[int]], tables: Mapping[int, "Floats"]) -> list[float]:
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
        found.append(prod(factor[each] for each in opened) * _SLACK)
        opened.discard(record)
        opened.update(each for each in gone if each != record)
        for axis, parent in enumerate(parents[record]):
            factor[parent] *= _most(tables[record], axis, factor[record])
    return found[::-1]


def _most(table: "Floats", axis: int, spread: float) -> float:
    """Return by how much the mean over the last axis changes with one other axis."""
    import numpy as np

    size = table.shape[-1]
    if size <= _MOST_VALUES and spread < inf:
        sets, beyond = list(product((1.0, spread), repeat=size)), 1.0
    else:
        sets, beyond = [(1.0,) * size], spread
    most = 1.0
    for weights in sets:
        means = np.moveaxis(table @ np.array(weights), axis, 0)
        most = max([most, *(float((u / v).max()) for u, v in permutations(means, 2))])
    return most * beyond * _SLACK
