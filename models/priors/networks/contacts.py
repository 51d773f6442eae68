"""People who meet: each is infected by any earlier contact who is ill with some probability, the
transmission b, and ill anyway with a base probability a.

    P(healthy | k of the contacts before are ill) = (1 - a) (1 - b)^k,

a noisy-or on the directed graph of contacts, an arrow from who was there first. `Contacts` is the
class of all transmissions in an interval, one for all contacts; with one for each contact it is the
`IntervalNetwork` that `own` returns, whose rows may differ besides. Source: the flu example of
wang2016, Section 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import brief, shown, text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.gap import ChainClass, unlisted
from pufferproof.models.priors.laws import Law
from pufferproof.models.priors.networks.intervals import BOUNDED, IntervalNetwork
from pufferproof.models.priors.networks.transmission import MOST_BEFORE, ContactNetwork, Row, contact_rows
from pufferproof.models.priors.records import Records

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
        self, count: int, edges: Sequence[Any], transmission: object, base: object, values: Sequence[str] = ("0", "1")
    ) -> None:
        count = check_type(count, int, "count")
        edges = check_type(edges, Sequence[Any], "edges")
        values = check_type(values, Sequence[str], "values")
        pairs = tuple(_edge(edge, k, count) for k, edge in enumerate(edges))
        _expect_simple(pairs)
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

    def at(self, transmission: Any) -> ContactNetwork:
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
        if self._large:
            return self.middle()
        span = self.upper - self.lower
        inside = [self.lower + span * k / (_INSIDE + 1) for k in range(1, _INSIDE + 1)]
        return self.named(dict.fromkeys([self.lower, self.upper, *inside]))

    def middle(self) -> dict[str, BayesianNetwork]:
        """Return a member in which all is possible that is possible in some: the one in the middle,
        or of large classes that of the most infections unless a contact is certain to infect.
        """
        if self._large and self.upper < 1:
            return self.named([self.upper])
        return self.named([(self.lower + self.upper) / 2])

    def supports(self) -> dict[str, BayesianNetwork]:
        """Return a member in which all is possible that is possible in some."""
        return self.middle()

    @cached_property
    def _entries(self) -> int:
        """The number of entries of all tables, were they written out."""
        return sum(2 << len(before) for before in self.before.values())

    @property
    def _large(self) -> bool:
        return self._entries + self.count**2 > _MOST_WORK


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
    first, then = (_person(each, count, where) for each in given)
    if first == then:
        raise ModelError(f"expected two people, found {first} twice", where)
    return first, then


def _person(given: object, count: int, where: str) -> int:
    text = str(given)
    is_number = text.isascii() and text.isdecimal() and len(text) < 9 and str(int(text)) == text
    if not is_number or isinstance(given, bool) or not 1 <= int(text) <= count:
        raise ModelError(f'expected a person, a record from "1" to "{count}", found {shown(given)}', where)
    return int(text)


def _expect_simple(edges: Sequence[Edge]) -> None:
    """Raise `ModelError` unless there are contacts, each listed once, in an order."""
    import networkx as nx

    if not edges:
        raise ModelError("expected at least one contact, found none", "edges")
    seen: set[Edge] = set()
    for place, edge in enumerate(edges):
        if edge in seen:
            raise ModelError(f"the contact of {edge[0]} and {edge[1]} is listed twice", f"edges[{place}]")
        seen.add(edge)
    graph = nx.DiGraph(edges)
    if not nx.is_directed_acyclic_graph(graph):
        steps = nx.find_cycle(graph)
        path = " -> ".join(str(step[0]) for step in [*steps, steps[0]])
        raise ModelError(f"expected an order of contacts, who was there first, found the cycle {path}", "edges")


def _probability(given: object, where: str) -> Fraction:
    try:
        value = exact(given)
    except ModelError as error:
        raise error.at(where) from None
    if not 0 <= value <= 1:
        raise ModelError(f"expected a number from 0 to 1, found {brief(value)}", where)
    return value
