"""Markov quilts of a Bayesian network, and the max-influence of any set of its records, exactly.

    e(X_A | X_i) = max over values v, w of X_i and outcomes z of
        log P(X_A = z | X_i = v) / P(X_A = z | X_i = w)

with P(X_i = v), P(X_i = w) > 0; 0/0 is left out and c/0 is infinite. A quilt Q splits the graph
into connected pieces: those that are d-separated from X_i given Q are remote, all other records
nearby. Source: wang2016, Definitions 4.2 and 4.3 (condition 2 read for all laws over the graph).

Derived: song2017.lem-A1, song2017.x-separated.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True)
class Quilt:
    """A Markov quilt Q of X_i, with its nearby records (X_i among them) and its remote ones,
    each in increasing order.
    """

    record: int
    quilt: tuple[int, ...]
    nearby: tuple[int, ...]
    remote: tuple[int, ...]


class NetworkQuilts:
    """Quilts and influences of one Bayesian network.

    >>> coin = {"": ["1/2", "1/2"]}
    >>> noisy = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork(
    ...     {"1": [], "2": ["1"], "3": ["2"]}, {"1": coin, "2": noisy, "3": noisy}
    ... )
    >>> quilts = NetworkQuilts(network, Records(3, ("0", "1")))
    >>> quilts.of(1, [2]), quilts.influence(1, [2])
    (Quilt(record=1, quilt=(2,), nearby=(1,), remote=(3,)), Fraction(3, 1))

    Raises `ModelError` unless there is a node for every record.
    """

    def __init__(self, network: BayesianNetwork, records: Records) -> None:
        network.tables(records)
        if records.count != network.length:
            raise ModelError(
                f"expected {records.count} nodes, one per record, found {network.length}", "parents"
            )
        self.network, self.records = network, records

    @cached_property
    def _graph(self) -> "nx.DiGraph":
        return self.network.graph()

    def of(self, record: int, quilt: Iterable[int]) -> Quilt:
        """Return the quilt with the smallest nearby set for these quilt records.

        A piece is remote if every record of it is d-separated from X_i given Q, so that no law over
        the graph makes it depend on X_i once X_Q is known. Both conditions of a quilt then hold: no
        arrow joins a remote record to a nearby one, and P(X_R | X_Q, X_i) = P(X_R | X_Q) for every
        choice of the tables. The nearby set is the smallest possible: it is a union of pieces, and
        a piece with a d-connected record depends on X_i under some tables. A piece apart from X_i
        may be nearby all the same, where Q holds a common child (a collider).

        Raises `ModelError` unless they are records, and X_i is none of them.
        """
        import networkx as nx

        chosen = self._expect(record, quilt)
        graph = self._graph
        left = graph.to_undirected()
        left.remove_nodes_from(chosen)
        remote: set[int] = set()
        for piece in nx.connected_components(left):
            if record not in piece and nx.is_d_separator(graph, {record}, piece, set(chosen)):
                remote |= piece
        nearby = set(left) - remote
        return Quilt(record, chosen, tuple(sorted(nearby)), tuple(sorted(remote)))

    def candidates(
        self, record: int, most: int | None = None, widest: int | None = None
    ) -> list[Quilt]:
        """Return quilts worth trying in a network of any size: the boundaries of balls around X_i,
        and the empty one.

        A ball holds the records within some distance of X_i in the moral graph, where separation is
        plain separation; its boundary is the set of their neighbours outside. `most` leaves out
        larger quilts, `widest` larger distances. Different balls with one quilt count once.
        """
        import networkx as nx

        self._expect(record, ())
        moral = nx.moral_graph(self._graph)
        distances = nx.single_source_shortest_path_length(moral, record, widest)
        quilts: dict[tuple[int, ...], Quilt] = {(): self.of(record, ())}
        for radius in range(1, max(distances.values()) + 1):
            boundary = tuple(
                sorted(other for other, distance in distances.items() if distance == radius)
            )
            if most is None or len(boundary) <= most:
                quilts.setdefault(boundary, self.of(record, boundary))
        return list(quilts.values())

    def influence(self, record: int, others: Iterable[int]) -> Fraction | None:
        """Return e^e(X_A | X_i) exactly, None when infinite; 1 for the empty set.

        Raises `ModelError` unless X_i is none of A, and `TooLargeError` unless the joint law of
        both can be tabulated.
        """
        chosen = self._expect(record, others)
        if not chosen:
            return Fraction(1)
        table = self.network.law_of((record, *chosen), self.records).table.reshape(
            len(self.records.alphabet), -1
        )
        totals = [sum(row) for row in table]
        laws = [[entry / total for entry in row] for row, total in zip(table, totals) if total]
        largest = Fraction(1)
        for outcome in zip(*laws):
            high, low = max(outcome), min(outcome)
            if high and not low:
                return None
            if high:
                largest = max(largest, high / low)
        return largest

    def _expect(self, record: int, others: Iterable[int]) -> tuple[int, ...]:
        chosen = tuple(sorted(set(others)))
        for each in (record, *chosen):
            if (
                isinstance(each, bool)
                or not isinstance(each, int)
                or not 1 <= each <= self.network.length
            ):
                raise ModelError(
                    f"expected a record from 1 to {self.network.length}, found {shown(each)}",
                    "record",
                )
        if record in chosen:
            raise ModelError(f"expected records other than {record} itself", "quilt")
        return chosen


def is_quilt(
    graph: "nx.DiGraph",
    record: int,
    quilt: Sequence[int],
    nearby: Sequence[int],
    remote: Sequence[int],
) -> str:
    """Return which condition of Definition 4.3 a labelling of all records fails, "" if none.

    Condition 1 is about the graph, condition 2 asks that X_R be independent of X_i given X_Q under
    every law over the graph.
    """
    import networkx as nx

    parts = [set(quilt), set(nearby), set(remote)]
    if sum(map(len, parts)) != len(graph) or set().union(*parts) != set(graph):
        return "1(a): the three sets do not split the records"
    if record not in parts[1]:
        return "1(b): the record is not among the nearby ones"
    for tail, head in graph.edges:
        if {tail, head} <= parts[1] | parts[2] and (tail in parts[1]) != (head in parts[1]):
            return f"1(c): the arrow {tail} -> {head} joins a nearby and a remote record"
    if parts[2] and not nx.is_d_separator(graph, {record}, parts[2], parts[0]):
        return (
            "2: the remote records depend on the record given the quilt, under some law over the "
            "graph"
        )
    return ""
