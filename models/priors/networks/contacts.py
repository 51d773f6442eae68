"""People who meet: each is infected by any earlier contact who is ill with some probability, the
transmission b, and ill anyway with a base probability a.

    P(healthy | k of the contacts before are ill) = (1 - a) (1 - b)^k,

a noisy-or on the directed graph of contacts, an arrow from who was there first. `Contacts` is the
class of all transmissions in an interval, one for all contacts; with one for each contact it is the
`IntervalNetwork` that `own` returns, whose rows may differ besides. Source: the flu example of
wang2016, Section 3.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import check_type, hold
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, shown, text_of
from pufferproof.models.priors.bayesian_network import Arrows, BayesianNetwork, Factor, Tables
from pufferproof.models.priors.chains import ChainClass, inner, tight, unlisted, vertices
from pufferproof.models.priors.laws import Law, numbers_of
from pufferproof.models.priors.records import Records, separator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.object_]

# People who infect their contacts with one transmission, as a Bayesian network that needs no table of all that the
# contacts of somebody can be.
#
#     P(healthy | k of the contacts before are ill) = (1 - a) (1 - b)^k
#
# With y_j whether the base a or one of the first j contacts infects somebody, y_j depends on y_(j-1) and on the j-th
# contact alone, and whether the last of them does is whether somebody is ill.

MOST_BEFORE = 16  # contacts of a person who were there before, in a table
_MOST_LISTED = 10_000  # rows of all tables that are written out
_FEW_BEFORE = 3  # contacts, of which a table is no larger than those of the y_j
Row = tuple[Fraction, ...]


class ContactNetwork(BayesianNetwork):
    """The network of people with `before`, the earlier contacts of each from the first person;
    tables are made when they are asked for.

    >>> people = ContactNetwork([[], [1]], Fraction(1, 10), Fraction(1, 2), ("0", "1"))
    >>> people.marginal(2, Records(2, ("0", "1")))
    [Fraction(171, 200), Fraction(29, 200)]
    """

    base: Fraction
    transmission: Fraction
    letters: tuple[str, ...]

    def __init__(
        self, before: Sequence[Sequence[int]], base: Fraction, transmission: Fraction, letters: tuple[str, ...]
    ) -> None:
        hold(self, base=base, transmission=transmission, letters=letters)
        known: dict[int, tuple[tuple[str, tuple[Fraction, ...]], ...]] = {}
        for above in before:
            if (size := len(above)) > MOST_BEFORE:  # what rows are made of, instead of them
                known[size] = (("contacts", (base, transmission)),)
            elif size not in known:
                known[size] = tuple(contact_rows(size, base, transmission, letters).items())
        parents = tuple(map(tuple, before))
        cpt = tuple(known[len(above)] for above in parents)
        hold(self, parents=parents, cpt=cpt, normalized=False, values=None)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless these are the records."""
        if records.count != self.length or records.alphabet != self.letters:
            values = ", ".join(self.letters)
            raise ModelError(
                f"expected {self.length} people of the values {values}, found "
                f"{shown(records.count)} records of {shown(list(records.alphabet))}",
                "contacts",
            )

    def positive(self, records: Records, chosen: Iterable[int]) -> bool:
        """Whether everybody can be healthy and ill, whatever the others are."""
        return 0 < self.base < 1 and self.transmission < 1

    @property
    def small(self) -> bool:
        """Whether all tables can be written out."""
        return sum(1 << len(above) for above in self.parents) <= _MOST_LISTED

    def tables(self, records: Records) -> list[tuple[tuple[int, ...], "Table"]]:
        """Return the table of everybody. Raises `TooLargeError`, naming the person, if somebody has
        more than 16 contacts before.
        """
        return self._tables

    @cached_property
    def _tables(self) -> list[tuple[tuple[int, ...], "Table"]]:
        sizes = [len(above) for above in self.parents]
        if (size := max(sizes)) > MOST_BEFORE:
            raise TooLargeError(
                f"person {sizes.index(size) + 1} has {size} contacts before, a table of 2^{size} "
                f"rows: expected at most {MOST_BEFORE} here; audit of sums and counts takes more",
                "edges",
            )
        by_size = {size: self._table_of(size) for size in {*sizes}}
        return [(above, by_size[len(above)]) for above in self.parents]

    def _table_of(self, size: int) -> "Table":
        import numpy as np

        rows = contact_rows(size, self.base, self.transmission, self.letters).values()
        return np.array(list(rows), dtype=object).reshape((2,) * (size + 1))

    def sizes(self, records: Records) -> dict[int, int]:
        """Return how many values everybody has, and the y_j."""
        return dict.fromkeys(range(1, self._links[-1] + 1), 2)

    @cached_property
    def _links(self) -> list[int]:
        """The number that the y_j of everybody come after, and of all."""
        counts = [max(0, len(above) - _FEW_BEFORE) for above in self.parents]
        return [*accumulate(counts, initial=self.length)]

    def factors(self, records: Records, chosen: Iterable[int] | None = None) -> list[Factor]:
        """Return factors whose product, summed over the y_j, is that of the tables."""
        wanted = range(1, self.length + 1) if chosen is None else sorted(chosen)
        factors, (tables, step) = [], self._pieces
        for person in wanted:
            above, start = self.parents[person - 1], self._links[person - 1] + 1
            first, later = above[:_FEW_BEFORE], above[_FEW_BEFORE:]
            links = [*range(start, start + len(later)), person]
            factors.append(Factor((*first, links[0]), tables[len(first)]))
            factors += [Factor(scope, step) for scope in zip(links, later, links[1:])]
        return factors

    @cached_property
    def _pieces(self) -> tuple[list["Table"], "Table"]:
        """The tables of few contacts, by number, and of y_j given y_(j-1) and contact j."""
        import numpy as np

        zero, one, b = Fraction(0), Fraction(1), self.transmission
        step = [[[one, zero], [1 - b, b]], [[zero, one], [zero, one]]]
        tables = [self._table_of(size) for size in range(_FEW_BEFORE + 1)]
        return tables, np.array(step, dtype=object)


def contact_rows(size: int, base: Fraction, transmission: Fraction, letters: Sequence[str]) -> dict[str, Row]:
    """Return the rows of a table of somebody with so many contacts before."""
    joint = separator(letters)
    well = [(1 - base) * (1 - transmission) ** ill for ill in range(size + 1)]
    return {
        joint.join(letters[x] for x in each): (well[sum(each)], 1 - well[sum(each)])
        for each in product((0, 1), repeat=size)
    }


# Classes of Bayesian networks: rows of the tables between bounds.
#
#     Theta = { (P_i) : l_i(x | y) <= P_i(X_i = x | parents = y) <= u_i(x | y), rows summing to 1 },
#
# every row on its own. Bounds are tightened, so that each is attained.

BOUNDED = "audit, compose, translate and calibrate"  # what takes classes of networks
Rows = Mapping[str, tuple[Row, Row]]  # bounds of a row by the values of the parents


@dataclass(frozen=True, init=False)
class IntervalNetwork:
    """Bayesian networks of one graph, rows of their tables between bounds.

    Args: parents: record -> its parents, as for `BayesianNetwork`. lower, upper: record -> bounds
    of rows, keyed by the values of the parents. by_history: rows may depend on all records before,
    in the order of their numbers, besides.

    >>> coin = {"": ["1/2", "1/2"]}
    >>> contacts = IntervalNetwork(
    ...     {"1": [], "2": ["1"]},
    ...     {"1": coin, "2": {"0": [1, 0], "1": ["1/2", 0]}},
    ...     {"1": coin, "2": {"0": [1, 0], "1": [1, "1/2"]}},
    ... )
    >>> contacts.middle()["middle"].cpt[1][1]
    ('1', (Fraction(3, 4), Fraction(1, 4)))

    Raises `ModelError` unless bounds are of the same rows, ordered, within [0, 1], every row holds
    a law, and the graph has no cycle.
    """

    network: BayesianNetwork
    rows: tuple[Rows, ...]
    by_history: bool

    def __init__(self, parents: Arrows, lower: Tables, upper: Tables, by_history: bool = False) -> None:
        parents = check_type(parents, Arrows, "parents")
        lower = check_type(lower, Tables, "lower")
        upper = check_type(upper, Tables, "upper")
        by_history = check_type(by_history, bool, "by_history")
        if (missing := {*map(str, lower)} ^ {*map(str, upper)}) and missing:
            raise ModelError(
                f"expected bounds of the same records, found record {min(missing)} in one only", "cpt_upper"
            )
        above = {str(record): rows for record, rows in upper.items()}
        bounds: dict[str, Rows] = {}
        for record, rows in ((str(record), rows) for record, rows in lower.items()):
            if keys := {*rows} ^ {*above[record]}:
                raise ModelError(
                    f'expected bounds of the same rows, found row "{min(keys)}" in one only', f"cpt_upper.{record}"
                )
            bounds[record] = {key: _row(record, key, rows[key], above[record][key]) for key in rows}
        middle = {i: {key: inner(*ends) for key, ends in rows.items()} for i, rows in bounds.items()}
        network = BayesianNetwork(parents, middle)
        tables = tuple(bounds[str(i)] for i in range(1, network.length + 1))
        hold(self, network=network, rows=tables, by_history=by_history)

    @property
    def initial(self) -> str:
        """How records start: each by its table."""
        return "tables"

    @property
    def single(self) -> bool:
        """Whether the class is one network."""
        return all(low == high for rows in self.rows for low, high in rows.values())

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of networks is no single law."""
        raise unlisted("a network whose rows lie between bounds", BOUNDED)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless there is a node for every record, and every table fits."""
        self.network.expect(records)

    def possible(self, record: int) -> list[int]:
        """Return the values that a row of the record can give."""
        rows = self.rows[record - 1].values()
        size = len(next(iter(rows))[1])
        return [x for x in range(size) if any(high[x] for _, high in rows)]

    def middle(self) -> dict[str, BayesianNetwork]:
        """Return the network in the middle: every entry is positive that can be."""
        return {"middle": self.network}

    def supports(self) -> dict[str, BayesianNetwork]:
        """Return the network in the middle."""
        return self.middle()

    def members(self, most: int) -> dict[str, BayesianNetwork]:
        """Return some networks of the class by what they are: all corners if they are few, else
        those in which all rows have as much as they can of the first value or of the last, and
        records follow their parents or do the opposite.
        """
        corners = [
            [(i, key, vertex) for vertex in vertices(*ends)]
            for i, rows in enumerate(self.rows, 1)
            for key, ends in rows.items()
        ]
        count = 1
        for corner in corners:
            count *= len(corner)
            if count > most:
                least = min((key[0] for rows in self.rows for key in rows if key), default="")
                bounds = [(i, key, ends) for i, row in enumerate(self.rows, 1) for key, ends in row.items()]
                return {
                    name: self._of([(i, key, _extreme(*ends, choose(key, least))) for i, key, ends in bounds])
                    for name, choose in _WAYS.items()
                }
        return {f"corner {k}": self._of(chosen) for k, chosen in enumerate(product(*corners), 1)}

    def _of(self, chosen: Sequence[tuple[int, str, Row]]) -> BayesianNetwork:
        cpt: dict[int, dict[str, Row]] = {i: {} for i in range(1, self.network.length + 1)}
        for record, key, row in chosen:
            cpt[record][key] = row
        parents = dict(enumerate(self.network.parents, 1))
        return BayesianNetwork(parents, cpt)


# of the values of the parents, and the least of these: whether a row has as much as can be of the last value of the
# alphabet, or of the first; None is the middle
_WAYS: "dict[str, Callable[[str, str], bool | None]]" = {
    "least": lambda key, least: False,
    "greatest": lambda key, least: True,
    "following": lambda key, least: 2 * key.count(least) < len(key) if key else None,
    "opposed": lambda key, least: 2 * key.count(least) >= len(key) if key else None,
}


def _row(record: str, key: str, low: object, high: object) -> tuple[Row, Row]:
    where = f'{record}["{key}"]'
    below, above = numbers_of(low, f"cpt_lower.{where}"), numbers_of(high, f"cpt_upper.{where}")
    if len(below) != len(above):
        raise ModelError(f"expected {len(below)} bounds as in cpt_lower, found {len(above)}", f"cpt_upper.{where}")
    for least, most in zip(below, above):
        if not 0 <= least <= most <= 1:
            raise ModelError(
                f"expected bounds from 0 to 1 in order, found {brief(least)} and {brief(most)}", f"cpt_lower.{where}"
            )
    if sum(below) > 1 or sum(above) < 1:
        ends = brief(sum(below, Fraction(0))), brief(sum(above, Fraction(0)))
        raise ModelError(
            f"no row within the bounds sums to 1: lower bounds sum to {ends[0]}, upper ones to {ends[1]}",
            f"cpt_lower.{where}",
        )
    return tight(below, above)


def _extreme(lower: Row, upper: Row, last: bool | None) -> Row:
    """Return the row with most weight on the last or first values, or one in the middle."""
    if last is None:
        return inner(lower, upper)
    rest, row = 1 - sum(lower), list(lower)
    for x in range(len(row) - 1, -1, -1) if last else range(len(row)):
        added = min(rest, upper[x] - lower[x])
        row[x], rest = row[x] + added, rest - added
    return tuple(row)


_INSIDE = 3  # members between both ends of the interval
_MOST_WORK = 1 << 20  # entries of all tables and pairs of people, beyond which one member is tried
_MOST_ROWS = 200_000  # of all tables, in which every contact has a transmission of its own
Edge = tuple[int, int]


@dataclass(frozen=True, init=False)
class Contacts:
    """All laws of healthy or ill people with one transmission, in an interval, for all contacts.

    Args: count: how many people. edges: pairs of people, from 1; the first was there first.
    transmission: a number, or the least and the largest. base: the probability to be ill without
    contacts. values: what a record is if healthy, and if ill.

    >>> people = Contacts(3, [(1, 2), (1, 3), (2, 3)], ["0", "1/2"], "1/10")
    >>> people.at("1/2").cpt[2][3]
    ('11', (Fraction(9, 40), Fraction(31, 40)))

    Raises `ModelError` unless there are contacts, each once and of two people, in an order without
    a cycle, and probabilities are numbers from 0 to 1.
    """

    count: int
    edges: tuple[Edge, ...]
    lower: Fraction
    upper: Fraction
    base: Fraction
    values: tuple[str, ...]

    def __init__(
        self,
        count: int,
        edges: Sequence[object],
        transmission: object,
        base: object,
        values: Sequence[str] = ("0", "1"),
    ) -> None:
        count = check_type(count, int, "count")
        edges = check_type(edges, Sequence[object], "edges")
        values = check_type(values, Sequence[str], "values")
        pairs = tuple(_edge(edge, k, count) for k, edge in enumerate(edges))
        import networkx as nx

        if not pairs:
            raise ModelError("expected at least one contact, found none", "edges")
        seen: set[Edge] = set()
        for place, edge in enumerate(pairs):
            if edge in seen:
                raise ModelError(f"the contact of {edge[0]} and {edge[1]} is listed twice", f"edges[{place}]")
            seen.add(edge)
        graph = nx.DiGraph(pairs)
        if not nx.is_directed_acyclic_graph(graph):
            steps = nx.find_cycle(graph)
            path = " -> ".join(str(step[0]) for step in [*steps, steps[0]])
            raise ModelError(f"expected an order of contacts, who was there first, found the cycle {path}", "edges")
        ends = transmission if isinstance(transmission, list | tuple) else [transmission] * 2
        if len(ends) != 2:
            raise ModelError(
                f"expected a number, or the least and the largest, found {len(ends)} numbers", "transmission"
            )
        low, high = (_probability(end, "transmission") for end in ends)
        if low > high:
            raise ModelError(f"expected the least first, found {brief(low)} and {brief(high)}", "transmission")
        hold(self, count=count, edges=pairs, lower=low, upper=high)
        hold(self, base=_probability(base, "base"), values=tuple(values))

    @cached_property
    def before(self) -> dict[int, list[int]]:
        """The earlier contacts of every person."""
        contacts: dict[int, list[int]] = {i: [] for i in range(1, self.count + 1)}
        for first, then in self.edges:
            contacts[then].append(first)
        return contacts

    def at(self, transmission: object) -> ContactNetwork:
        """Return the network with one transmission for all contacts."""
        chosen = _probability(transmission, "transmission")
        return ContactNetwork([*self.before.values()], self.base, chosen, self.values)

    def rows(self, transmission: Fraction) -> dict[int, dict[str, Row]]:
        """Return the rows of all tables, of at most 16 contacts before a person."""
        tables = {
            size: contact_rows(size, self.base, transmission, self.values) for size in {*map(len, self.before.values())}
        }
        return {person: tables[len(before)] for person, before in self.before.items()}

    def own(self) -> IntervalNetwork:
        """Return the class in which every contact has a transmission of its own, and more: rows
        that lie between those of both ends. Raises `ModelError` if somebody has more than 16
        contacts before, or all tables together have more than 200,000 rows.
        """
        busy, before = max(self.before.items(), key=lambda each: len(each[1]))
        if len(before) > MOST_BEFORE:
            raise ModelError(
                f"expected at most {MOST_BEFORE} contacts before a person, each with a "
                f"transmission of its own, found {len(before)} of {busy}",
                "edges",
            )
        if (rows := self._entries // 2) > _MOST_ROWS:
            raise ModelError(
                f"expected at most {_MOST_ROWS} rows in all tables, if each contact has a "
                f'transmission of its own, found {rows}; "class": "shared" takes more',
                "edges",
            )
        most, least = self.rows(self.lower), self.rows(self.upper)
        lower, upper = (
            {
                i: {key: [pick(most[i][key][x], least[i][key][x]) for x in (0, 1)] for key in rows}
                for i, rows in most.items()
            }
            for pick in (min, max)
        )
        return IntervalNetwork(self.before, lower, upper)

    @property
    def initial(self) -> str:
        """How records start: each by its table."""
        return "tables"

    @property
    def single(self) -> bool:
        """Whether the class is one network."""
        return self.lower == self.upper

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Raise `ModelError`: a class of networks is no single law."""
        raise unlisted("an interval of transmissions", BOUNDED)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless these are the records."""
        if records.count != self.count:
            raise ModelError(f"expected {records.count} people, found {self.count}", "contacts")
        if len(self.values) != 2 or records.alphabet != self.values:
            raise ModelError(f"contacts need two values, healthy first, found {len(records.alphabet)}", "contacts")

    def possible(self, record: int) -> list[int]:
        """Return the values that a record can have under some member."""
        return [x for x, held in enumerate((self.base < 1, self.base > 0)) if held]

    def named(self, transmissions: Iterable[Fraction]) -> dict[str, BayesianNetwork]:
        """Return members by their transmission."""
        return {f"transmission {text_of(transmission)}": self.at(transmission) for transmission in transmissions}

    def members(self, most: int = 0) -> dict[str, BayesianNetwork]:
        """Return both ends of the interval, and some members between; of many people, or of large
        tables, one member as each takes long.
        """
        if self._entries + self.count**2 > _MOST_WORK:
            return self.middle()
        span = self.upper - self.lower
        inside = [self.lower + span * k / (_INSIDE + 1) for k in range(1, _INSIDE + 1)]
        return self.named(dict.fromkeys([self.lower, self.upper, *inside]))

    def middle(self) -> dict[str, BayesianNetwork]:
        """Return a member in which all is possible that is possible in some: the one in the middle,
        or of large classes that of the most infections unless a contact is certain to infect.
        """
        if (self._entries + self.count**2 > _MOST_WORK) and self.upper < 1:
            return self.named([self.upper])
        return self.named([(self.lower + self.upper) / 2])

    def supports(self) -> dict[str, BayesianNetwork]:
        """Return a member in which all is possible that is possible in some."""
        return self.middle()

    @cached_property
    def _entries(self) -> int:
        """The number of entries of all tables, were they written out."""
        return sum(2 << len(before) for before in self.before.values())


PriorClass = ChainClass | IntervalNetwork | Contacts


def edges_in(text: str) -> list[list[str]]:
    """Read an edge list, a contact per line: two people, who was there first before the other. What
    follows `#` is a comment.

    >>> edges_in("1 2\\n1,3  # at work\\n")
    [['1', '2'], ['1', '3']]

    Raises `ModelError` at a line of more or fewer words.
    """
    edges = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if words and len(words) != 2:
            raise ModelError(f"expected two people, found {shown(line.strip())}", f"line {number}")
        edges += [words] if words else []
    return edges


def _edge(given: object, place: int, count: int) -> Edge:
    where = f"edges[{place}]"
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2:
        raise ModelError(f"expected two people, found {shown(given)}", where)
    for person in given:
        text = str(person)
        is_number = text.isascii() and text.isdecimal() and len(text) < 9 and str(int(text)) == text
        if not is_number or isinstance(person, bool) or not 1 <= int(text) <= count:
            raise ModelError(f'expected a person, a record from "1" to "{count}", found {shown(person)}', where)
    first, then = map(int, map(str, given))
    if first == then:
        raise ModelError(f"expected two people, found {first} twice", where)
    return first, then


def _probability(given: object, where: str) -> Fraction:
    try:
        value = exact(given)
    except ModelError as error:
        raise error.at(where) from None
    if not 0 <= value <= 1:
        raise ModelError(f"expected a number from 0 to 1, found {brief(value)}", where)
    return value
