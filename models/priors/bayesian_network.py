"""Bayesian networks over the records: a DAG with a conditional probability table at every record,
as a prior.

    P(x_1 .. x_n) = prod_i P(X_i = x_i | X_parents(i) = x_parents(i)),

exact rationals. Every record has its own values, all of the alphabet or some. Laws of a few records
are found by variable elimination, so that the joint law need not be written out. What a network
says about separation and quilts is in `pufferproof.verify.influence.network`; BIF files are read in
`pufferproof.models.priors.networks.formats`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import count, product
from math import lcm, log2, prod
from operator import mul
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.laws import Law, law_of_size, numbers_of
from pufferproof.models.priors.records import Records, preview, separator

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

# Variable elimination: products of tables over records, summed over all records but some.
#
# The next record summed out is one whose table comes out smallest. How large all tables are, and how many entries they
# have together, is known from scopes alone, before any arithmetic.

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
    width = {record: round(log2(size) * _UNIT) for record, size in sizes.items()}
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
        _expect_small(prod(sizes[record] for record in around), len(around), most)
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
    return sum(sizes[record] * prod(sizes[other] for other in around) for record, around in order)


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


def _expect_small(entries: int, together: int, most: int) -> None:
    if entries > most:
        raise _too_large(together, str(entries), most)


def _too_large(together: int, entries: str, most: int) -> TooLargeError:
    return TooLargeError(
        f"{together} records together, {entries} entries: expected at most {most} in a table of "
        "the variable elimination"
    )


_SHOWN_RECORDS = 8
_Given = TypeVar("_Given")
Row = tuple[Fraction, ...]
Arrows = Mapping[Any, Sequence[Any]]  # record -> its parents, as text or integers
Tables = Mapping[Any, Mapping[str, Any]]  # record -> values of its parents -> row


@dataclass(frozen=True)
class BayesianNetwork:
    """A Bayesian network whose nodes are the records 1 .. n.

    Args:
        parents: record -> its parents, as text or integers from 1; every record has an entry.
        cpt: record -> rows of probabilities in alphabet order, keyed by the values of the parents
            in their order, joined as database labels are (`""` for a record without parents).
        normalize: divide every row by its sum, exactly.
        values: the values of every record, from the first, if some do not have the whole alphabet;
            rows are in their order, for combinations of the parents' own values; those of the
            `Records` if None. A record has any other value with probability 0.

    >>> rain = BayesianNetwork(
    ...     {"1": [], "2": ["1"]}, {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]}}
    ... )
    >>> rain.law_of((2,), Records(2, ("0", "1"))).table.tolist()
    [Fraction(2, 3), Fraction(1, 3)]

    Raises `ModelError` unless the graph is acyclic, and every parent a record. Shapes of tables are
    checked against the alphabet by `law` and `law_of`.
    """

    parents: tuple[tuple[int, ...], ...]
    cpt: tuple[tuple[tuple[str, Row], ...], ...]
    normalized: bool = field(default=False, compare=False, repr=False)
    values: tuple[tuple[str, ...], ...] | None = field(default=None, repr=False)

    def __init__(
        self, parents: Arrows, cpt: Tables, normalize: bool = False, values: Sequence[Sequence[str]] | None = None
    ) -> None:
        parents = check_type(parents, Arrows, "parents")
        cpt = check_type(cpt, Tables, "cpt")
        normalize = check_type(normalize, bool, "normalize")
        values = check_type(values, Sequence[Sequence[str]] | None, "values")
        arrows = _by_record(parents, len(parents), "parents")
        chosen = tuple(_parents(arrows[record], record, len(arrows)) for record in range(1, len(arrows) + 1))
        tables = _by_record(cpt, len(chosen), "cpt")
        rows = tuple(tuple(_rows(tables[record], record, normalize)) for record in range(1, len(chosen) + 1))
        own = None if values is None else tuple(map(tuple, values))
        hold(self, parents=chosen, cpt=rows, normalized=normalize, values=own)
        if own is not None and len(own) != self.length:
            raise ModelError(f"expected values of {self.length} records, found {len(own)}", "values")
        for record, letters in enumerate(own or (), 1):
            if not letters or len(set(letters)) < len(letters):
                raise ModelError(
                    f"expected different values, at least one, found {shown(list(letters))}",
                    f"values of record {record}",
                )
        if not self.numbered:
            import networkx as nx

            try:
                self.parents_first()
            except CycleError:
                cycle = nx.find_cycle(self.graph())
                path = " -> ".join(str(step[0]) for step in [*cycle, cycle[0]])
                raise ModelError(f"expected a graph without cycles, found {path}", "parents") from None

    def __repr__(self) -> str:
        if self.length > _SHOWN_RECORDS:
            return f"BayesianNetwork({self.length} records, {sum(map(len, self.parents))} arrows)"
        parents = {str(record): [str(entry) for entry in row] for record, row in enumerate(self.parents, 1)}
        tables = {
            str(record): {key: [text_of(value) for value in row] for key, row in table}
            for record, table in enumerate(self.cpt, 1)
        }
        return f"BayesianNetwork({parents}, {tables})"

    @property
    def length(self) -> int:
        """The number of records."""
        return len(self.parents)

    def parents_first(self) -> tuple[int, ...]:
        """Return all records, each after its parents."""
        return tuple(TopologicalSorter(dict(enumerate(self.parents, 1))).static_order())

    @property
    def numbered(self) -> bool:
        """Whether the numbers of records are such an order."""
        return all(not above or max(above) < i for i, above in enumerate(self.parents, 1))

    def graph(self) -> "nx.DiGraph":
        """Return the DAG, with an arrow from every parent to its child."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(range(1, self.length + 1))
        graph.add_edges_from((parent, record) for record, above in enumerate(self.parents, 1) for parent in above)
        return graph

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on all databases. Raises `ModelError` unless every table fits the
        alphabet of the records.
        """
        import numpy as np

        space = _needs_records(records, self.length)
        size = len(space.alphabet)
        if size == 1:  # an array has at most 64 axes
            return Law((1,), 1)
        every, sizes = range(1, space.count + 1), self.sizes(space)
        weights: NDArray[np.object_] = np.full([sizes[record] for record in every], 1, dtype=object)
        total = 1
        for record, (above, table) in enumerate(self.tables(space), 1):
            numbers, common = integers_in(table)
            weights = weights * aligned(numbers, (*above, record), every, sizes)
            total *= common
        whole: NDArray[np.object_] = np.full((size,) * space.count, 0, dtype=object)
        whole[np.ix_(*self.own(space))] = weights
        return Law(tuple(whole.ravel().tolist()), total)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there is a node for every record, and every table fits."""
        self.tables(_needs_records(records, self.length))

    def law_of(
        self,
        chosen: Sequence[int],
        records: Records,
        weights: Mapping[int, Sequence[Fraction]] | None = None,
        most: int | None = None,
    ) -> Factor:
        """Return the joint law of some records, its axes in the order given and as long as these
        have values, by eliminating all others; with `weights` g_j every database x counts
        prod_j g_j(x_j) times, a positive number for each letter of the alphabet.

        Only the chosen and the weighted records and their ancestors matter. The next record
        eliminated is one whose table comes out smallest. Raises `ModelError` unless they are
        records, and `TooLargeError`, before any arithmetic, unless all tables met have at most
        `most` entries, 10^6 if None.
        """
        import numpy as np

        wanted = tuple(dict.fromkeys(chosen))
        for record in wanted:
            records.expect_number(record)
        weighed, own = weights or {}, self.own(_needs_records(records, self.length))
        relevant = self.ancestors([*wanted, *weighed])
        given = [
            Factor((i,), np.array([row[value] for value in own[i - 1]], dtype=object)) for i, row in weighed.items()
        ]
        factors, total = [], 1
        for each in [*self.factors(records, relevant), *given]:
            whole, common = integers_in(each.table)
            factors.append(Factor(each.scope, whole))
            total *= common
        law = eliminated(factors, wanted, self.sizes(records), most)
        entries: object = [Fraction(entry, total) for entry in law.ravel().tolist()]
        return Factor(wanted, np.array(entries, dtype=object).reshape(law.shape))

    def marginal(
        self,
        record: int,
        records: Records,
        weights: Mapping[int, Sequence[Fraction]] | None = None,
        most: int | None = None,
    ) -> list[Fraction]:
        """Return the law of one record, as `law_of` has it, a number for each letter of the
        alphabet: 0 for values that it does not have.
        """
        known = self.law_of((record,), records, weights, most).table.tolist()
        law = [Fraction(0)] * len(records.alphabet)
        for value, p in zip(self.own(records)[record - 1], known):
            law[value] = p
        return law

    def own(self, records: Records) -> tuple[tuple[int, ...], ...]:
        """Return the values of every record, as increasing positions in the alphabet. Raises
        `ModelError` unless it has them.
        """
        stated = self._stated(records)
        if stated is None:
            return (tuple(range(len(records.alphabet))),) * self.length
        kept = self.__dict__.setdefault("_own", {})
        if records.letters not in kept:
            place = {value: position for position, value in enumerate(records.alphabet)}
            for record, values in enumerate(stated, 1):
                if unknown := [value for value in values if value not in place]:
                    raise ModelError(
                        f'expected an alphabet with value "{unknown[0]}" of {records.called(record)}',
                        "records.alphabet",
                    )
            kept[records.letters] = tuple(tuple(sorted(place[value] for value in values)) for values in stated)
        own: tuple[tuple[int, ...], ...] = kept[records.letters]
        return own

    def _stated(self, records: Records) -> tuple[tuple[str, ...], ...] | None:
        """Return the values of every record in the order of rows, or None if each has the whole
        alphabet. Raises `ModelError` unless they are among those of the records.
        """
        if self.values is None:
            return records.values
        for record, values in enumerate(self.values, 1) if records.values is not None else ():
            if other := [value for value in values if value not in records.own(record)]:
                raise ModelError(
                    f'{records.called(record)} has value "{other[0]}" under the prior, and '
                    f"{preview(records.own(record))} in the framework",
                    "records.values",
                )
        return self.values

    def sizes(self, records: Records) -> dict[int, int]:
        """Return how many values every record has, and those beyond 1 .. n that `factors` have."""
        return {record: len(values) for record, values in enumerate(self.own(records), 1)}

    def positive(self, records: Records, chosen: Iterable[int]) -> bool:
        """Whether the tables of some records have no zeros."""
        tables = self.tables(records)
        return all((tables[record - 1][1] > 0).all() for record in chosen)

    def factors(self, records: Records, chosen: Iterable[int] | None = None) -> list[Factor]:
        """Return factors whose product is that of the tables of some records, or of all, where
        records beyond 1 .. n are summed over.
        """
        tables = self.tables(records)
        wanted = range(1, self.length + 1) if chosen is None else sorted(chosen)
        return [Factor((*tables[i - 1][0], i), tables[i - 1][1]) for i in wanted]

    def tables(self, records: Records) -> list[tuple[tuple[int, ...], "NDArray[np.object_]"]]:
        """Return the parents of every record and its table, an axis per parent and the record's own
        last, each as long as the record has values, which are in the order of the alphabet.

        Raises `ModelError` unless there is one row for every combination of the parents' values, a
        law each.
        """
        kept = self.__dict__.setdefault("_tables", {})
        if records.letters not in kept:
            own = self.own(records)
            equal: dict[object, NDArray[np.object_]] = {}  # by values, and by labels and numbers
            stated = self._stated(records)
            found = []
            for record, (above, rows) in enumerate(zip(self.parents, self.cpt), 1):
                axes = tuple(own[each - 1] for each in (*above, record))
                order = None if stated is None else stated[record - 1]  # in which the numbers are
                key = axes, order, tuple((label, *map(id, row)) for label, row in rows)
                if key not in equal:
                    equal[key] = self._table(record, records, axes)
                found.append((above, equal[key]))
            kept[records.letters] = found
        tables: list[tuple[tuple[int, ...], NDArray[np.object_]]] = kept[records.letters]
        return tables

    def _table(self, record: int, records: Records, axes: Sequence[Sequence[int]]) -> "NDArray[np.object_]":
        import numpy as np

        above, rows = self.parents[record - 1], dict(self.cpt[record - 1])
        alphabet, where = records.alphabet, f"cpt.{record}"
        letters = [[alphabet[value] for value in axis] for axis in axes]
        if (count := prod(map(len, letters[:-1]))) > MAX_TABLE:
            raise ModelError(f"expected at most {MAX_TABLE} rows, found {shown(count)}", where)
        keys = [separator(alphabet).join(values) for values in product(*letters[:-1])]
        if missing := [key for key in keys if key not in rows]:
            parents = f"{'record' if len(above) == 1 else 'records'} {', '.join(map(str, above))}"
            each = f"one per combination of the values of {parents}" if above else "for a record without parents"
            raise ModelError(f'expected {len(keys)} rows, {each}, found {len(rows)}: no row "{missing[0]}"', where)
        if unknown := sorted(set(rows) - set(keys)):
            raise ModelError(f'unknown row "{unknown[0]}", expected one of {preview(keys)}', where)
        table = np.empty((len(keys), len(letters[-1])), dtype=object)
        for index, key in enumerate(keys):
            law_of_size(rows[key], len(letters[-1]), f'{where}["{key}"]')
            table[index, :] = rows[key]
        if (stated := self._stated(records)) is not None:  # in the order of the alphabet
            table = table[:, [stated[record - 1].index(value) for value in letters[-1]]]
        return table.reshape([len(axis) for axis in axes])

    def ancestors(self, records: Sequence[int]) -> set[int]:
        """Return records with all that they depend on."""
        ancestors, left = set(records), list(records)
        while left:
            for parent in self.parents[left.pop() - 1]:
                if parent not in ancestors:
                    ancestors.add(parent)
                    left.append(parent)
        return ancestors


def integers_in(table: "NDArray[np.object_]") -> tuple["NDArray[np.object_]", int]:
    """Return a table of rationals times their least common denominator, and that number."""
    import numpy as np

    entries: list[Fraction] = table.ravel().tolist()
    common = lcm(*(value.denominator for value in entries))
    integers: object = [value.numerator * (common // value.denominator) for value in entries]
    return np.array(integers, dtype=object).reshape(table.shape), common


def _needs_records(records: Records | None, length: int) -> Records:
    if records is None:
        raise ModelError('a Bayesian network needs databases made of records ("records" instead of "databases")')
    if records.count != length:
        raise ModelError(f"expected {records.count} nodes, one per record, found {length}", "parents")
    return records


def _by_record(given: Mapping[Any, _Given], count: int, where: str) -> dict[int, _Given]:
    """Return a mapping by record; raise `ModelError` unless its keys are 1 .. count."""
    entries = {_record(key, count, where): value for key, value in given.items()}
    if not entries:
        raise ModelError("expected at least one node, found none", where)
    if missing := [record for record in range(1, count + 1) if record not in entries]:
        raise ModelError(f'expected an entry for record {missing[0]}, found none (records are "1" to "{count}")', where)
    return entries


def _record(name: object, count: int, where: str) -> int:
    text = str(name)
    if not (
        text.isascii() and text.isdecimal() and len(text) < 9 and str(int(text)) == text and 1 <= int(text) <= count
    ):
        raise ModelError(f'expected a record from "1" to "{count}", found {shown(name)}', where)
    return int(text)


def _parents(above: Sequence[object], record: int, count: int) -> tuple[int, ...]:
    where = f"parents.{record}"
    if isinstance(above, str) or not isinstance(above, Sequence):
        raise ModelError(f"expected a list of records, found {shown(above)}", where)
    chosen = tuple(_record(parent, count, where) for parent in above)
    if len(set(chosen)) < len(chosen):
        raise ModelError(f"expected different parents, found {list(chosen)}", where)
    return chosen


def _rows(table: object, record: int, normalize: bool) -> list[tuple[str, Row]]:
    where = f"cpt.{record}"
    if not isinstance(table, Mapping):
        raise ModelError(f"expected rows by the values of the parents, found {shown(table)}", where)
    rows = []
    for key, row in table.items():
        if isinstance(row, str) or not hasattr(row, "__iter__"):
            raise ModelError(f"expected a list of probabilities, found {shown(row)}", f'{where}["{key}"]')
        rows.append((str(key), numbers_of(row, f'{where}["{key}"]', normalize)))
    return rows
