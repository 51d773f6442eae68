"""Bayesian networks of bits whose graph is a forest: trees beside one another, in which a bit hangs
on at most one other, after arrows that carry nothing are left out. Every tree has one record
without parents, and may be seen from any other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.priors.bayesian_network import MAX_TABLE, BayesianNetwork
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.object_]

Row = tuple[Fraction, Fraction]
Kernel = tuple[Row, Row]
_MOST_NAMED = 6


@dataclass(frozen=True)
class Forest:
    """Bits on trees: `parents` has the record, from 1, that each bit hangs on, None for a root,
    `kernels` its law given 0 and given 1 there, equal rows at a root.
    """

    parents: tuple[int | None, ...]
    kernels: tuple[Kernel, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The records that hang on each record."""
        below: list[list[int]] = [[] for _ in self.parents]
        for record, parent in enumerate(self.parents, 1):
            if parent is not None:
                below[parent - 1].append(record)
        return tuple(map(tuple, below))

    @cached_property
    def downward(self) -> tuple[int, ...]:
        """All records, each after the one it hangs on."""
        order = [record for record, parent in enumerate(self.parents, 1) if parent is None]
        for record in order:
            order += self.children[record - 1]
        return tuple(order)

    @cached_property
    def possible(self) -> tuple[tuple[bool, bool], ...]:
        """Whether each bit is 0, and is 1, with positive probability."""
        bits = [(False, False)] * len(self.parents)
        for record in self.downward:
            parent, (given_0, given_1) = self.parents[record - 1], self.kernels[record - 1]
            zero, one = (True, False) if parent is None else bits[parent - 1]
            bits[record - 1] = (
                bool((zero and given_0[0]) or (one and given_1[0])),
                bool((zero and given_0[1]) or (one and given_1[1])),
            )
        return tuple(bits)

    @cached_property
    def attractive(self) -> bool:
        """Whether no arrow is `falling`."""
        return not any(self._falling.values())

    @cached_property
    def _falling(self) -> dict[int, bool]:
        """Whether each kernel is `falling`, by its identity."""
        kernels = {id(kernel): kernel for kernel in self.kernels}
        return {key: given_1[1] < given_0[1] for key, (given_0, given_1) in kernels.items()}

    def with_above(self, records: Iterable[int]) -> set[int]:
        """Return records with all that they hang on."""
        above: set[int] = set()
        for record in records:
            here: int | None = record
            while here is not None and here not in above:
                above.add(here)
                here = self.parents[here - 1]
        return above

    def falling(self, record: int) -> bool:
        """Whether a bit is less often 1 where the one it hangs on is 1."""
        return self._falling[id(self.kernels[record - 1])]

    def from_record(self, record: int) -> Iterator[tuple[int, bool]]:
        """List the records of the tree of a record, and whether an odd number of arrows between
        them are `falling`.
        """
        turned, left = {record: False}, [record]
        while left:
            here = left.pop()
            yield here, turned[here]
            parent = self.parents[here - 1]
            near = [(child, child) for child in self.children[here - 1]]
            near += [] if parent is None else [(parent, here)]
            for other, below in near:
                if other not in turned:
                    turned[other] = turned[here] != self.falling(below)
                    left.append(other)


@dataclass(frozen=True)
class Family:
    """The parents of a record that count, and its table: an axis for each, and one for itself."""

    parents: tuple[int, ...]
    table: "Table"


def families_of(network: BayesianNetwork, records: Records) -> list[Family]:
    """Return the family of every record, without arrows that carry nothing: the parent has one
    possible value, or the rows of its possible values are equal, whatever the other parents are.

    >>> coin, copy = {"": ["1/2", "1/2"]}, {"00": ["1", "0"], "10": ["0", "1"]}
    >>> network = BayesianNetwork({1: [], 2: [], 3: [1, 2]}, {1: coin, 2: coin, 3: copy | {"01": [1, 0], "11": [0, 1]}})
    >>> [family.parents for family in families_of(network, Records(3, ("0", "1")))]
    [(), (), (1,)]

    Tables have the `layout` of the network. Raises `ModelError` unless every table fits the
    alphabet, and `TooLargeError` if tables of that layout have more than a million entries.
    """
    kept: dict[object, list[Family]] = network.__dict__.setdefault("_families", {})
    if records.letters not in kept:
        kept[records.letters] = _families(network, records)
    return kept[records.letters]


def layout(network: BayesianNetwork, records: Records) -> tuple[tuple[int, ...], ...]:
    """Return which letter of the alphabet every entry of an axis stands for, record by record, with
    axes of one length: the alphabet, or if no record has so many values, its own values, the first
    of them again at the end where it has fewer.
    """
    own, size = network.own(records), len(records.alphabet)
    width = max(map(len, own))
    if width == size or size <= 2:
        return (tuple(range(size)),) * network.length
    return tuple((*values, *values[:1] * (width - len(values))) for values in own)


def _laid_out(network: BayesianNetwork, records: Records) -> Sequence[tuple[tuple[int, ...], "Table"]]:
    """Return a network's tables in its layout; impossible rows have any value."""
    import numpy as np

    tables, own, seats = network.tables(records), network.own(records), layout(network, records)
    if all(len(values) == len(records.alphabet) for values in own):
        return tables
    entries = sum(len(seats[0]) ** (len(above) + 1) for above, _ in tables)
    if entries > MAX_TABLE:
        raise TooLargeError(f"{entries} entries of tables: expected at most {MAX_TABLE}", "cpt")
    places = [
        [values.index(letter) if letter in values else 0 for letter in letters] for values, letters in zip(own, seats)
    ]
    never = [
        [p for p, letter in enumerate(letters) if letter not in values or letter in letters[:p]]
        for values, letters in zip(own, seats)
    ]
    found = []
    laid_out: dict[object, Table] = {}
    for record, (above, table) in enumerate(tables, 1):
        scope = (*above, record)
        key = id(table), *(tuple(places[each - 1]) for each in scope), tuple(never[record - 1])
        if key not in laid_out:
            whole = table[np.ix_(*(places[each - 1] for each in scope))]
            whole[..., never[record - 1]] = Fraction(0)
            laid_out[key] = whole
        found.append((above, laid_out[key]))
    return found


def _families(network: BayesianNetwork, records: Records) -> list[Family]:
    tables = _laid_out(network, records)
    possible: dict[int, list[int]] = {}
    families: dict[int, Family] = {}
    seen: dict[object, tuple[Family, list[int]]] = {}  # of a table, whoever the parents are
    every = range(1, network.length + 1)
    for record in every if network.numbered else network.parents_first():
        above, table = tables[record - 1]
        key = id(table), *(tuple(possible[parent]) for parent in above)
        if key not in seen:
            axes = tuple(range(len(above)))
            family = _reduced(axes, table, [possible[parent] for parent in above])
            columns = zip(*family.table.reshape(-1, family.table.shape[-1]).tolist())
            seen[key] = family, [value for value, column in enumerate(columns) if any(column)]
        family, possible[record] = seen[key]
        families[record] = Family(tuple(above[axis] for axis in family.parents), family.table)
    return [families[record] for record in every]


def forest_within(network: BayesianNetwork, records: Records) -> Forest | None:
    """Return the forest that a network of bits is, None if it has loops or larger alphabets.

    Raises `ModelError` unless every table fits the alphabet.
    """
    if len(records.alphabet) != 2:
        return None
    kept = network.__dict__.setdefault("_forests", {})
    if records.letters not in kept:
        try:
            families = families_of(network, records)
        except TooLargeError:  # of somebody's contacts: no forest
            return None
        looped = any(len(family.parents) > 1 for family in families)
        kept[records.letters] = None if looped else forest_of(families)
    forest: Forest | None = kept[records.letters]
    return forest


def forest_of(families: Sequence[Family]) -> Forest:
    """Return the forest that families of bits make.

    >>> coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork({1: [2], 2: [], 3: [2]}, {1: noisy, 2: coin, 3: noisy})
    >>> forest_of(families_of(network, Records(3, ("0", "1")))).parents
    (2, None, 2)

    Raises `ModelError` where a record has several parents, naming it, or more than two values.
    """
    several = [record for record, family in enumerate(families, 1) if len(family.parents) > 1]
    if several:
        named = ", ".join(map(str, several[:_MOST_NAMED]))
        raise ModelError(
            "expected a tree or forest, in which a record has at most one parent whose value "
            f"counts, found several at {'record' if len(several) == 1 else 'records'} {named}"
            f"{', ..' if len(several) > _MOST_NAMED else ''}",
            "parents",
        )
    if families[0].table.shape[-1] != 2:
        raise ModelError(f"expected records of two values, found {families[0].table.shape[-1]}", "alphabet")
    kernels: dict[int, Kernel] = {}
    for family in families:
        if id(family.table) not in kernels:
            rows = family.table.tolist()
            given_0, given_1 = rows if family.parents else (rows, rows)
            kernels[id(family.table)] = (given_0[0], given_0[1]), (given_1[0], given_1[1])
    return Forest(
        tuple(family.parents[0] if family.parents else None for family in families),
        tuple(kernels[id(family.table)] for family in families),
    )


def _reduced(above: tuple[int, ...], table: "Table", possible: Sequence[Sequence[int]]) -> Family:
    """Return a family without parents that carry nothing, equal rows taken once."""
    import numpy as np

    if len(above) <= 1 and len(possible[0] if above else ()) == len(table) * len(above):
        rows = table.tolist() if above else []
        same = all(row == rows[0] for row in rows[1:])
        return Family(above, table) if not above or not same else Family((), table[0])
    kept = []
    for parent, values in reversed(list(zip(above, possible))):
        axis = above.index(parent)
        slices = [np.take(table, value, axis) for value in values]
        if all((each == slices[0]).all() for each in slices):
            table = slices[0]
            continue
        kept.append(parent)
        every = range(table.shape[axis])
        rows = [np.take(table, x if x in values else values[0], axis) for x in every]
        table = np.stack(rows, axis)
    return Family(tuple(reversed(kept)), table)
