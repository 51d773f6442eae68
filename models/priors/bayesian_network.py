"""Bayesian networks over the records: a DAG with a conditional probability table at every record,
as a prior.

    P(x_1 .. x_n) = prod_i P(X_i = x_i | X_parents(i) = x_parents(i)),

exact rationals. Laws of a few records are found by variable elimination, so that the joint law need
not be written out. What a network says about separation and quilts is in
`pufferproof.models.influence.network`; BIF files are read in `pufferproof.models.priors.bif`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heapify, heappop, heappush
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.laws import Law, law_of_record, numbers_of
from pufferproof.models.priors.records import Records, preview, separator

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

MAX_TABLE = 1_000_000  # entries of a table that is met while variables are eliminated
_SHOWN_RECORDS = 8
Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class Factor:
    """A non-negative function of some records: `table` has one axis per record of `scope`, of
    exact numbers.
    """

    scope: tuple[int, ...]
    table: "NDArray[np.object_]"


@dataclass(frozen=True)
class BayesianNetwork:
    """A Bayesian network whose nodes are the records 1 .. n, with one alphabet for all of them.

    Args:
        parents: record -> its parents, as text or integers from 1; every record has an entry.
        cpt: record -> rows of probabilities in alphabet order, keyed by the values of the parents
            in their order, joined as database labels are (`""` for a record without parents).
        normalize: divide every row by its sum, exactly.

    >>> rain = BayesianNetwork(
    ...     {"1": [], "2": ["1"]},
    ...     {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["1/3", "2/3"], "1": ["1", "0"]}},
    ... )
    >>> rain.law_of((2,), Records(2, ("0", "1"))).table.tolist()
    [Fraction(2, 3), Fraction(1, 3)]

    Raises `ModelError` unless the graph is acyclic, and every parent a record. Shapes of tables are
    checked against the alphabet by `law` and `law_of`.
    """

    parents: tuple[tuple[int, ...], ...]
    cpt: tuple[tuple[tuple[str, Row], ...], ...]
    normalized: bool = field(default=False, compare=False, repr=False)

    @checked
    def __init__(
        self,
        parents: Mapping[Any, Sequence[Any]],
        cpt: Mapping[Any, Mapping[str, Any]],
        normalize: bool = False,
    ) -> None:
        arrows = _by_record(parents, len(parents), "parents")
        chosen = tuple(
            _parents(arrows[record], record, len(arrows)) for record in range(1, len(arrows) + 1)
        )
        tables = _by_record(cpt, len(chosen), "cpt")
        rows = tuple(
            tuple(_rows(tables[record], record, normalize)) for record in range(1, len(chosen) + 1)
        )
        hold(self, parents=chosen, cpt=rows, normalized=normalize)
        _refuse_cycles(self)

    def __repr__(self) -> str:
        if self.length > _SHOWN_RECORDS:
            return f"BayesianNetwork({self.length} records, {sum(map(len, self.parents))} arrows)"
        parents = {
            str(record): [str(each) for each in row] for record, row in enumerate(self.parents, 1)
        }
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
        graph.add_edges_from(
            (parent, record) for record, above in enumerate(self.parents, 1) for parent in above
        )
        return graph

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law on all databases. Raises `ModelError` unless every table fits the
        alphabet of the records.
        """
        import numpy as np

        space = _needs_records(records, self.length)
        size, tables = len(space.alphabet), self.tables(space)
        if size == 1:  # an array has at most 64 axes
            return Law((1,), 1)
        weights: Any = np.full((size,) * space.count, 1, dtype=object)
        total = 1
        for record, (above, table) in enumerate(tables, 1):
            numbers, common = _integers(table)
            scope = (*above, record)
            order = sorted(range(len(scope)), key=lambda axis: scope[axis])
            inside = [size if each in scope else 1 for each in range(1, space.count + 1)]
            weights, total = weights * np.transpose(numbers, order).reshape(inside), total * common
        return Law(tuple(weights.flat), total)

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
        """Return the joint law of some records, its axes in the order given, by eliminating all
        others; with `weights` g_j every database x counts prod_j g_j(x_j) times, a positive
        number for each value of some records.

        Only the chosen and the weighted records and their ancestors matter. The next record
        eliminated is one whose table comes out smallest. Raises `ModelError` unless they are
        records, and `TooLargeError`, before any arithmetic, unless all tables met have at most
        `most` entries, 10^6 if None.
        """
        import numpy as np

        wanted = tuple(dict.fromkeys(chosen))
        for record in wanted:
            records.place(record, records.alphabet[0])
        tables, weighed = self.tables(_needs_records(records, self.length)), weights or {}
        relevant = self.ancestors([*wanted, *weighed])
        factors, total = [], 1
        for i in sorted(relevant):
            above, table = tables[i - 1]
            whole, common = _integers(table * np.array(weighed[i]) if i in weighed else table)
            factors.append(Factor((*above, i), whole))
            total *= common
        law = eliminated(factors, wanted, len(records.alphabet), most)
        entries: Any = [Fraction(entry, total) for entry in law.ravel().tolist()]
        return Factor(wanted, np.array(entries, dtype=object).reshape(law.shape))

    def tables(self, records: Records) -> list[tuple[tuple[int, ...], "NDArray[np.object_]"]]:
        """Return the parents of every record and its table, an axis per parent and the record's own
        last.

        Raises `ModelError` unless there is one row for every combination of the parents' values, a
        law each.
        """
        known = self.__dict__.setdefault("_tables", {})
        if records.alphabet not in known:
            equal: dict[object, NDArray[np.object_]] = {}  # by the labels and numbers of rows
            found = []
            for record, (above, rows) in enumerate(zip(self.parents, self.cpt), 1):
                key = len(above), tuple((label, *map(id, row)) for label, row in rows)
                if key not in equal:
                    equal[key] = self._table(record, records)
                found.append((above, equal[key]))
            known[records.alphabet] = found
        tables: list[tuple[tuple[int, ...], NDArray[np.object_]]] = known[records.alphabet]
        return tables

    def _table(self, record: int, records: Records) -> "NDArray[np.object_]":
        import numpy as np

        above, rows = self.parents[record - 1], dict(self.cpt[record - 1])
        alphabet, where = records.alphabet, f"cpt.{record}"
        if len(alphabet) ** len(above) > MAX_TABLE:
            raise ModelError(
                f"expected at most {MAX_TABLE} rows, found {len(alphabet)}^{len(above)}", where
            )
        keys = [separator(alphabet).join(values) for values in product(alphabet, repeat=len(above))]
        if missing := [key for key in keys if key not in rows]:
            raise ModelError(
                f"expected {len(keys)} rows, {_per_parent(above)}, found {len(rows)}: no row "
                f'"{missing[0]}"',
                where,
            )
        if unknown := sorted(set(rows) - set(keys)):
            raise ModelError(f'unknown row "{unknown[0]}", expected one of {preview(keys)}', where)
        table = np.empty((len(keys), len(alphabet)), dtype=object)
        for index, key in enumerate(keys):
            law_of_record(rows[key], records, f'{where}["{key}"]')
            table[index, :] = rows[key]
        return table.reshape((len(alphabet),) * (len(above) + 1))

    def ancestors(self, records: Sequence[int]) -> set[int]:
        """Return records with all that they depend on."""
        ancestors, left = set(records), list(records)
        while left:
            for parent in self.parents[left.pop() - 1]:
                if parent not in ancestors:
                    ancestors.add(parent)
                    left.append(parent)
        return ancestors


def _integers(table: "NDArray[np.object_]") -> tuple["NDArray[np.object_]", int]:
    """Return a table of rationals times their least common denominator, and that number."""
    import numpy as np

    entries: list[Fraction] = table.ravel().tolist()
    common = lcm(*(value.denominator for value in entries))
    integers: object = [value.numerator * (common // value.denominator) for value in entries]
    return np.array(integers, dtype=object).reshape(table.shape), common


def eliminated(
    factors: Sequence[Factor], wanted: Sequence[int], size: int, most: int | None = None
) -> "NDArray[np.object_]":
    """Return the product of factors summed over all records but some, as a table of these.

    Raises `TooLargeError`, before any arithmetic, unless all tables met have at most `most`
    entries, 10^6 if None.
    """
    most = most or MAX_TABLE
    hidden = {record for factor in factors for record in factor.scope} - set(wanted)
    order = elimination_order([factor.scope for factor in factors], hidden)
    widest = max([len(around) + 1 for _, around in order] + [len(wanted)])
    if size**widest > most:
        raise TooLargeError(
            f"{size}^{widest} entries: expected at most {most} in a table of the variable "
            f"elimination"
        )
    holding: dict[int, dict[int, Factor]] = {}  # the factors of every record, by a number
    left = dict(enumerate(factors))
    for number, factor in left.items():
        for record in factor.scope:
            holding.setdefault(record, {})[number] = factor
    for number, (record, around) in enumerate(order, len(factors)):
        used = holding.pop(record)
        merged = _multiply(list(used.values()), (*around, record), size)
        left[number] = Factor(around, merged.sum(axis=-1))
        for other in around:
            holding[other] = {k: each for k, each in holding[other].items() if k not in used}
            holding[other][number] = left[number]
        for each in used:
            del left[each]
    return _multiply(list(left.values()), tuple(wanted), size)


def elimination_order(
    scopes: Iterable[Iterable[int]], hidden: Iterable[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """Return records in an order to sum them out of factors with these scopes, each with the other
    records of its table then, in increasing order. The record with the fewest is next.
    """
    near: dict[int, set[int]] = {}
    for scope in map(set, scopes):
        for record in scope:
            near.setdefault(record, set()).update(scope)
    order, left = [], set(hidden)
    heap = [(len(near[record]), record) for record in left]
    heapify(heap)
    while heap:
        many, record = heappop(heap)
        if record not in left or len(near[record]) != many:
            continue  # an entry that was replaced
        around = near.pop(record) - {record}
        left.remove(record)
        for one in around:
            near[one] = (near[one] | around) - {record}
            if one in left:
                heappush(heap, (len(near[one]), one))
        order.append((record, tuple(sorted(around))))
    return order


def _multiply(
    factors: Sequence[Factor], scope: tuple[int, ...], size: int
) -> "NDArray[np.object_]":
    """Return the product of factors as a table over `scope`, which has all their records."""
    import numpy as np

    table = np.full((size,) * len(scope), 1, dtype=object)
    for factor in factors:
        inside = [record for record in scope if record in factor.scope]
        aligned = np.transpose(factor.table, [factor.scope.index(record) for record in inside])
        table = table * aligned.reshape([size if record in factor.scope else 1 for record in scope])
    return table


def _needs_records(records: Records | None, length: int) -> Records:
    if records is None:
        raise ModelError(
            'a Bayesian network needs databases made of records ("records" in place of "databases")'
        )
    if records.count != length:
        raise ModelError(
            f"expected {records.count} nodes, one per record, found {length}", "parents"
        )
    return records


def _by_record(given: Mapping[object, object], count: int, where: str) -> dict[int, Any]:
    """Return a mapping by record, from 1. Raises `ModelError` unless its keys are exactly 1 ..
    count.
    """
    entries = {_record(key, count, where): value for key, value in given.items()}
    if not entries:
        raise ModelError("expected at least one node, found none", where)
    if missing := [record for record in range(1, count + 1) if record not in entries]:
        raise ModelError(
            f'expected an entry for record {missing[0]}, found none (records are "1" to "{count}")',
            where,
        )
    return entries


def _record(name: object, count: int, where: str) -> int:
    text = str(name)
    if not (
        text.isascii()
        and text.isdecimal()
        and len(text) < 9
        and str(int(text)) == text
        and 1 <= int(text) <= count
    ):
        raise ModelError(f'expected a record from "1" to "{count}", found {shown(name)}', where)
    return int(text)


def _parents(above: Sequence[Any], record: int, count: int) -> tuple[int, ...]:
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
            raise ModelError(
                f"expected a list of probabilities, found {shown(row)}", f'{where}["{key}"]'
            )
        rows.append((str(key), numbers_of(row, f'{where}["{key}"]', normalize)))
    return rows


def _refuse_cycles(network: BayesianNetwork) -> None:
    import networkx as nx

    if network.numbered:
        return
    try:
        network.parents_first()
        return
    except CycleError:
        cycle = nx.find_cycle(network.graph())
    path = " -> ".join(str(step[0]) for step in [*cycle, cycle[0]])
    raise ModelError(f"expected a graph without cycles, found {path}", "parents")


def _per_parent(above: tuple[int, ...]) -> str:
    if not above:
        return "for a record without parents"
    return (
        f"one per combination of the values of {'record' if len(above) == 1 else 'records'} "
        f"{', '.join(map(str, above))}"
    )
