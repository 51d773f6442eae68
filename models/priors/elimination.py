"""Variable elimination: products of tables over records, summed over all records but some.

The next record summed out is one whose table comes out smallest. How large all tables are, and how
many entries they have together, is known from scopes alone, before any arithmetic.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import log2, prod
from typing import TYPE_CHECKING, Any

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
    table: "NDArray[np.object_]"


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
    holding: dict[int, dict[int, Factor]] = {}  # the factors of every record, by a number
    left = dict(enumerate(factors))
    for number, factor in left.items():
        for record in factor.scope:
            holding.setdefault(record, {})[number] = factor
    for number, (record, around) in enumerate(order, len(factors)):
        used = holding.pop(record)
        merged = multiplied(list(used.values()), (*around, record), sizes)
        left[number] = Factor(around, merged.sum(axis=-1))
        for other in around:
            holding[other] = {k: each for k, each in holding[other].items() if k not in used}
            holding[other][number] = left[number]
        for each in used:
            del left[each]
    return multiplied(list(left.values()), tuple(wanted), sizes)


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


def multiplied(
    factors: Sequence[Factor], scope: tuple[int, ...], sizes: Sizes
) -> "NDArray[np.object_]":
    """Return the product of factors as a table over `scope`, which has all their records."""
    import numpy as np

    table = np.full([sizes[record] for record in scope], 1, dtype=object)
    for factor in factors:
        table = table * aligned(factor.table, factor.scope, scope, sizes)
    return table


def aligned(
    table: "NDArray[Any]", own: Sequence[int], scope: Sequence[int], sizes: Sizes
) -> "NDArray[Any]":
    """Return a table over some records with an axis for each of a larger scope."""
    import numpy as np

    inside = [record for record in scope if record in own]
    turned = np.transpose(table, [own.index(record) for record in inside])
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
