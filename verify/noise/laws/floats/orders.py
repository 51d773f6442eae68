"""Orders in which records are summed out of tables of vectors, by what is least to add.

Next is the record whose neighbours lack fewest pairs that meet, counted alike ("fill"), or by the
product of how many values both have ("weighed"); of these one with the smallest table. No order is
best on all networks: what an order costs is known from scopes alone.
"""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush
from math import inf, prod
from random import Random

from pufferproof.models.errors import TooLargeError
from pufferproof.models.priors.bayesian_network import Sizes, Step

MOST_FLOATS = 1 << 25  # of a table
_TOGETHER = 64  # records of a table
Cost = tuple[float, float, float]


def least_fill(
    scopes: Iterable[Iterable[int]],
    hidden: Iterable[int],
    sizes: Sizes,
    weighed: bool = False,
    ties: Random | None = None,
) -> list[Step]:
    """Return records in an order to sum them out; `ties` chooses among several that cost as much.
    Raises `TooLargeError` where a table has more than 2^25 entries or 64 records.

    >>> least_fill([(1, 2), (2, 3), (3, 4), (4, 1)], [2, 3, 4], dict.fromkeys(range(1, 5), 2))
    [(2, (1, 3)), (3, (1, 4)), (4, (1,))]
    """
    near: dict[int, set[int]] = {}  # with the record itself
    for scope in map(set, scopes):
        for record in scope:
            near.setdefault(record, set()).update(scope)

    def lacking(one: int, around: set[int]) -> int:
        missing = around - near[one]
        return sizes[one] * sum(sizes[each] for each in missing) if weighed else len(missing)

    def cost(record: int) -> Cost:
        around = near[record]
        size = prod(sizes[one] for one in around - {record}) if len(around) <= _TOGETHER else inf
        last = record if ties is None else ties.random()
        if size > MOST_FLOATS:
            return inf, inf, last
        return sum(lacking(one, around) for one in around), size, last

    order, costs = [], {record: cost(record) for record in hidden}
    heap = [(cost, record) for record, cost in costs.items()]
    heapify(heap)
    while costs:
        least, record = heappop(heap)
        if costs.get(record) != least:
            continue  # an entry that was replaced
        if least[0] == inf:
            raise TooLargeError(f"expected at most {MOST_FLOATS} entries in tables of a network")
        del costs[record]
        around = near.pop(record) - {record}
        changed = set(around)
        for one in around:
            near[one].remove(record)
            if not around <= near[one]:
                near[one] |= around
                changed |= near[one]
        for one in changed & costs.keys():
            costs[one] = cost(one)
            heappush(heap, (costs[one], one))
        order.append((record, tuple(sorted(around))))
    return order
