"""Variable elimination: products of tables over records, summed over all records but some.

The next record summed out is one whose table comes out smallest. How large all tables are, and how
many entries they have together, is known from scopes alone, before any arithmetic.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from heapq import heapify, heappop, heappush
from itertools import count
from math import log2, prod
from operator import mul
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pufferproof.models.errors import TooLargeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_TABLE = 1_000_000  # entries of a table that is met while records are eliminated
_UNIT = 1 << 20
Sizes = Mapping[int, int]  # how many values each record has
Step = tuple[int, tuple[int, ...]]
"""A record that is summed out, and the other records of its table then, in increasing order."""


@dataclass(frozen=True)
class Factor:
    """A function of some records: `table` has one axis per record of `scope`."""

    scope: tuple[int, ...]
    table: "NDArray[Any]"


def eliminated(
    factors: Sequence[Factor], wanted: Sequence[int], sizes: Sizes, most: int | None = None
) -> "NDArray[np.object_]":
    """Return the product of factors summed over all records but some, as a table of these.

    Raises `TooLargeError`, before any arithmetic, unless all tables met have at most `most`
    entries, 10^6 if None.
    """
    most = most or MAX_TABLE
    hidden = {record for factor in factors for record in factor.scope} - set(wanted)
    order = elimination_order([factor.scope for factor in factors], hidden, sizes, most)
    _expect_small(prod(sizes[record] for record in wanted), len(wanted), most)
    return eliminated_in(order, factors, wanted, sizes)


def eliminated_in(
    order: Sequence[Step], factors: Sequence[Factor], wanted: Sequence[int], sizes: Sizes
) -> "NDArray[np.object_]":
    """Return what `eliminated` does, in an order of all records but those wanted."""
    bag = Bag(factors)
    for record, around in order:
        merged = multiplied(bag.take(record), (*around, record), sizes)
        bag.add(Factor(around, merged.sum(axis=-1, keepdims=True)[..., 0]))  # no bare number
    return multiplied(bag.rest(), tuple(wanted), sizes)


class Scoped(Protocol):
    """A table over some records."""

    @property
    def scope(self) -> tuple[int, ...]:
        """The records."""


Table = TypeVar("Table", bound=Scoped)


class Bag(Generic[Table]):
    """Tables whose product is summed over one record after the other, whatever their entries are:

        sum_y prod_j T_j = prod_(j without y) T_j  sum_y prod_(j with y) T_j.

    Take the tables of a record, and add what their product is, summed over it.

    >>> import numpy as np
    >>> bag = Bag([Factor((1,), np.array([1, 2])), Factor((1, 2), np.array([[1, 2], [3, 4]]))])
    >>> one, both = bag.take(1)
    >>> bag.add(Factor((2,), one.table @ both.table))
    >>> [table.table.tolist() for table in bag.rest()]
    [[7, 10]]
    """

    def __init__(self, tables: Iterable[Table]) -> None:
        self._left: dict[int, Table] = {}
        self._holding: dict[int, set[int]] = {}  # the numbers of tables, by record
        self._numbers = count()
        for table in tables:
            self.add(table)

    def add(self, table: Table) -> None:
        """Add a table."""
        number = next(self._numbers)
        self._left[number] = table
        for record in table.scope:
            self._holding.setdefault(record, set()).add(number)

    def take(self, record: int) -> list[Table]:
        """Return the tables of a record, in the order in which they were added, and leave the
        others.
        """
        numbers = sorted(self._holding.pop(record))
        taken = [self._left.pop(number) for number in numbers]
        for other in {other for table in taken for other in table.scope} - {record}:
            self._holding[other].difference_update(numbers)
        return taken

    def rest(self) -> list[Table]:
        """Return the tables that are left."""
        return list(self._left.values())


def elimination_order(
    scopes: Iterable[Iterable[int]], hidden: Iterable[int], sizes: Sizes, most: int = MAX_TABLE
) -> list[Step]:
    """Return records in an order to sum them out of factors with these scopes. The one with the
    smallest table is next. Raises `TooLargeError` where this has more than `most` entries.
    """
    near: dict[int, set[int]] = {}
    for scope in map(set, scopes):
        for record in scope:
            near.setdefault(record, set()).update(scope)
    width = {record: _width(size) for record, size in sizes.items()}
    widths = {record: sum(width[each] for each in around) for record, around in near.items()}
    order, left = [], set(hidden)
    heap = [(widths[record], record) for record in left]
    heapify(heap)
    while heap:
        wide, record = heappop(heap)
        if record not in left or widths[record] != wide:
            continue  # an entry that was replaced
        around = near.pop(record)
        if wide > 64 * _UNIT:  # too large to count
            raise _too_large(len(around), f"over 2^{wide // _UNIT - 1}", most)
        _expect_small(_entries(around, sizes), len(around), most)
        left.remove(record)
        around.remove(record)
        for one in around:
            fresh = around - near[one]
            near[one].remove(record)
            near[one] |= fresh
            widths[one] += sum(width[each] for each in fresh) - width[record]
            if one in left:
                heappush(heap, (widths[one], one))
        order.append((record, tuple(sorted(around))))
    return order


def entries_of(order: Iterable[Step], sizes: Sizes) -> int:
    """Return how many entries all tables of an order have together."""
    return sum(sizes[record] * _entries(around, sizes) for record, around in order)


def multiplied(factors: Sequence[Factor], scope: tuple[int, ...], sizes: Sizes) -> "NDArray[Any]":
    """Return the product of factors as a table over `scope`, which has all their records."""
    import numpy as np

    shape = [sizes[record] for record in scope]
    if not factors:
        return np.full(shape, 1, dtype=object)
    tables = (aligned(factor.table, factor.scope, scope, sizes) for factor in factors)
    return np.broadcast_to(reduce(mul, tables), shape)


def aligned(table: Any, own: Sequence[int], scope: Sequence[int], sizes: Sizes) -> Any:
    """Return a table over some records, an array or an `Interval`, with an axis for each of a
    larger scope.
    """
    inside = [record for record in scope if record in own]
    turned = table.transpose([own.index(record) for record in inside])
    return turned.reshape([sizes[record] if record in own else 1 for record in scope])


def _entries(around: Iterable[int], sizes: Sizes) -> int:
    return prod(sizes[record] for record in around)


def _width(size: int) -> int:
    """Return the logarithm of a number of values, rounded so that sums are exact."""
    return round(log2(size) * _UNIT)


def _expect_small(entries: int, together: int, most: int) -> None:
    if entries > most:
        raise _too_large(together, str(entries), most)


def _too_large(together: int, entries: str, most: int) -> TooLargeError:
    return TooLargeError(
        f"{together} records together, {entries} entries: expected at most {most} in a table of "
        "the variable elimination"
    )
