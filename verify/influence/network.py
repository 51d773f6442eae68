"""Markov quilts of a Bayesian network, and the max-influence of any set of its records, exactly.

    e(X_A | X_i) = max over values v, w of X_i and outcomes z of
        log P(X_A = z | X_i = v) / P(X_A = z | X_i = w)

with P(X_i = v), P(X_i = w) > 0; 0/0 is left out and c/0 is infinite. A quilt Q splits the graph
into connected pieces: those that are d-separated from X_i given Q are remote, all other records
nearby. Source: wang2016, Definitions 4.2 and 4.3 (condition 2 read for all laws over the graph).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, permutations
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import shown
from pufferproof.models.numbers.text import shown as brief_value
from pufferproof.models.priors.bayesian_network import BayesianNetwork, Factor, eliminated
from pufferproof.models.priors.records import Records

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

# Influences from the definition, on frameworks short enough to list: condition every prior, and divide.
#
# What `pufferproof.verify.influence.chain` computes for chains of any length is computed here for any prior whatever,
# and slowly.

# Largest quotients of the rows of a matrix of floats, with a proven relative error; comparisons are left to others.
#
# The influence of a record is the largest entry of a product of two k x k tables of such quotients, so that all quilts
# around it cost one table per distance. Whatever must be decided (is an influence below a level, is one quilt better
# than another) is decided by `ChainInfluence` with exact numbers or enclosures where the floats are within their error
# of each other.

ENUMERATION_RESTS_ON = ("influence.any-start",)
_ZERO_INVERSE = 2.0**1000  # stands for 1 / 0: times anything positive it exceeds every finite ratio
_LARGEST_RATIO = 2.0**650
_VALUES = 1 << 22  # floats worked on at a time


def largest_quotients_approx(matrix: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return max over j of m(v, j) / m(w, j), for all rows v and w of a non-negative matrix;
    infinite where w lacks a j of v's.

    Two roundings beside those of the entries, which are 0 or at least 2^-300.
    """
    import numpy as np

    inverse = np.full_like(matrix, _ZERO_INVERSE)
    np.divide(1.0, matrix, out=inverse, where=matrix > 0)
    step = max(1, _VALUES // matrix.size)
    quotients = np.concatenate(
        [(matrix[start : start + step, None, :] * inverse).max(axis=2) for start in range(0, len(matrix), step)]
    )
    quotients[quotients > _LARGEST_RATIO] = np.inf
    return quotients


Outcome = tuple[str, ...]


class Conditionals:
    """The laws of some records given a secret, or given a value of one record, under one prior of a
    listed framework.

    Raises `ModelError` unless databases are made of records.
    """

    def __init__(self, framework: Framework, prior: str) -> None:
        if framework.records is None:
            raise ModelError('expected databases made of records ("records" instead of "databases")', "databases")
        self.framework, self.prior, self.records = framework, prior, framework.records

    @cached_property
    def _values(self) -> dict[int, Outcome]:
        """The values of all records, for the databases of positive probability."""
        outcomes: dict[int, Outcome] = {}
        alphabet = self.records.alphabet
        for x in self.framework.laws[self.prior].support:
            index, values = x, []
            for _ in range(self.records.count):  # the last record is fastest
                index, last = divmod(index, len(alphabet))
                values.append(alphabet[last])
            outcomes[x] = tuple(reversed(values))
        return outcomes

    def given(self, secret: str, shown: Iterable[int]) -> dict[Outcome, Fraction]:
        """Return P(X_L = z | s) for the shown records L (from 1) and every possible z."""
        return self._law(self.framework.secrets[secret], tuple(shown))

    def given_value(self, record: int, value: str, shown: Iterable[int]) -> dict[Outcome, Fraction]:
        """Return P(X_L = z | X_i = v) for every possible z; empty if v is impossible."""
        return self._law([x for x, values in self._values.items() if values[record - 1] == value], tuple(shown))

    def _law(self, databases: Iterable[int], shown: tuple[int, ...]) -> dict[Outcome, Fraction]:
        law = self.framework.laws[self.prior]
        weights: dict[Outcome, int] = {}
        for x in databases:
            if law.weights[x]:
                outcome = tuple(self._values[x][record - 1] for record in shown)
                weights[outcome] = weights.get(outcome, 0) + law.weights[x]
        total = sum(weights.values())
        return {outcome: Fraction(weight, total) for outcome, weight in weights.items()}


def largest_ratio(above: Mapping[Outcome, Fraction], below: Mapping[Outcome, Fraction]) -> Fraction | None:
    """Return max over z with P(z) > 0 of P(z) / Q(z), None if some Q(z) is 0; both are laws
    given by their supports.
    """
    if above.keys() - below.keys():
        return None
    return max(value / below[outcome] for outcome, value in above.items())


def enumerated_influence(framework: Framework, record: int, others: Iterable[int]) -> Fraction | None:
    """Return e^e of any set of records, the largest over all priors and all values of X_i; None if
    it is infinite.

    >>> from pufferproof import Records, Table
    >>> law = Table({"00": "3/8", "01": "1/8", "10": "1/8", "11": "3/8"})
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(Records(2, ("0", "1")), secrets, [("x1=0", "x1=1")], {"theta": law})
    >>> enumerated_influence(framework, 1, [2])
    Fraction(3, 1)

    Raises `ModelError` unless databases are made of records, and these records are among them.
    """
    best, chosen = Fraction(1), tuple(sorted(set(others)))
    for prior in framework.priors:
        conditionals = Conditionals(framework, prior)
        for each in (record, *chosen):
            if not 1 <= each <= conditionals.records.count:
                raise ModelError(
                    f"expected a record from 1 to {conditionals.records.count}, found {brief_value(each)}", "record"
                )
        laws = [conditionals.given_value(record, value, chosen) for value in conditionals.records.alphabet]
        for above, below in permutations([law for law in laws if law], 2):
            ratio = largest_ratio(above, below)
            if ratio is None:
                return None
            best = max(best, ratio)
    return best


RESTS_ON = ("song2017.lem-A1", "song2017.x-separated")
_MOST_MORAL = 10_000_000  # edges of a moral graph that is made


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
    >>> network = BayesianNetwork({"1": [], "2": ["1"], "3": ["2"]}, {"1": coin, "2": noisy, "3": noisy})
    >>> quilts = NetworkQuilts(network, Records(3, ("0", "1")))
    >>> quilts.of(1, [2]), quilts.influence(1, [2])
    (Quilt(record=1, quilt=(2,), nearby=(1,), remote=(3,)), Fraction(3, 1))

    Raises `ModelError` unless there is a node for every record.
    """

    def __init__(self, network: BayesianNetwork, records: Records) -> None:
        network.expect(records)
        if records.count != network.length:
            raise ModelError(f"expected {records.count} nodes, one per record, found {network.length}", "parents")
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

    def candidates(self, record: int, most: int | None = None, widest: int | None = None) -> list[Quilt]:
        """Return quilts worth trying in a network of any size: the boundaries of balls around X_i,
        and the empty one.

        A ball holds the records within some distance of X_i in the moral graph, where separation is
        plain separation; its boundary is the set of their neighbours outside. So the records beyond
        are remote, and only those: a way of moral edges inside the ball is one of arrows, as a
        common child of two records is no farther away than the next record. `most` leaves out
        larger quilts, `widest` larger distances. Different balls with one quilt count once. In a
        graph with over 10^7 moral edges only the empty quilt is tried, with every record nearby.
        """
        self._expect(record, ())
        if sum((len(above) + 1) ** 2 for above in self.network.parents) > _MOST_MORAL:
            return [Quilt(record, (), tuple(range(1, self.network.length + 1)), ())]
        layers, inside = [], {record}  # the records at every distance in the moral graph
        layer = [record]
        while layer:
            layers.append(layer)
            layer = sorted(set().union(*(self._moral[other] for other in layer)) - inside)
            inside.update(layer)
        quilts = [self._ball(record, (), sorted(inside))]
        for radius in range(1, min(len(layers), (widest or len(layers)) + 1)):
            boundary = layers[radius]
            if most is None or len(boundary) <= most:
                ball = sorted(chain.from_iterable(layers[:radius]))
                quilts.append(self._ball(record, tuple(boundary), ball))
        return quilts

    def _ball(self, record: int, boundary: tuple[int, ...], inside: list[int]) -> Quilt:
        known = {*inside, *boundary}
        beyond = (other for other in range(1, self.network.length + 1) if other not in known)
        return Quilt(record, boundary, tuple(inside), tuple(beyond))

    @cached_property
    def _moral(self) -> list[set[int]]:
        """The neighbours of every record in the moral graph, from record 0, which has none."""
        near: list[set[int]] = [set() for _ in range(self.network.length + 1)]
        for record, above in enumerate(self.network.parents, 1):
            for each in (group := {record, *above}):
                near[each] |= group - {each}
        return near

    def influence(self, record: int, others: Iterable[int], most: int | None = None) -> Fraction | None:
        """Return e^e(X_A | X_i) exactly, None when infinite; 1 for the empty set.

        Raises `ModelError` unless X_i is none of A, and `TooLargeError` unless the joint law of
        both can be tabulated, by tables of at most `most` entries if that is given.
        """
        chosen = self._expect(record, others)
        if not chosen:
            return Fraction(1)
        law = self.network.law_of((record, *chosen), self.records, most=most)
        table = law.table.reshape(len(law.table), -1)
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

    def influence_within(self, quilt: Quilt, most: int | None = None) -> Fraction | None:
        """Return an upper bound of e^e(X_Q | X_i) for the boundary of a ball, None for infinite,
        from the tables that meet the ball alone, and the law of X_i where it is small.

        With O(q) = P(X_i = v | X_Q = q) / P(X_i = w | X_Q = q), which the other tables do not
        change, P(q | v) / P(q | w) = O(q) P(w) / P(v), and P(v) / P(w) lies between the least O and
        the largest one.

        Raises `TooLargeError` unless tables of the elimination have at most `most` entries.
        """
        largest = Fraction(1)
        # for every value of X_i, P(X_i | X_Q = q) of all q, up to factors of q
        inside, around, factors = {*quilt.nearby}, {*quilt.nearby, *quilt.quilt}, []
        for record, (above, table) in enumerate(self.network.tables(self.records), 1):
            if not inside.isdisjoint(scope := (*above, record)):
                if not around.issuperset(scope):
                    raise ModelError("expected the boundary of a ball", "quilt")
                factors.append(Factor(scope, table))
        sizes = self.network.sizes(self.records)
        weights = eliminated(factors, (quilt.record, *quilt.quilt), sizes, most)
        rows: list[list[Fraction]] = weights.reshape(len(weights), -1).tolist()
        law = None
        with suppress(TooLargeError):
            law = list(self.network.law_of((quilt.record,), self.records, most=most).table)
        for v, w in combinations([value for value, row in enumerate(rows) if any(row)], 2):
            pairs = [pair for pair in zip(rows[v], rows[w]) if any(pair)]
            if not all(map(all, pairs)):
                return None
            odds = [one / other for one, other in pairs]
            low, high = min(odds), max(odds)
            if law is None or not (law[v] and law[w]):
                largest = max(largest, high / low)
            else:
                known = law[v] / law[w]
                largest = max(largest, high / known, known / low)
        return largest

    def _expect(self, record: int, others: Iterable[int]) -> tuple[int, ...]:
        chosen = tuple(sorted(set(others)))
        for each in (record, *chosen):
            if isinstance(each, bool) or not isinstance(each, int) or not 1 <= each <= self.network.length:
                raise ModelError(f"expected a record from 1 to {self.network.length}, found {shown(each)}", "record")
        if record in chosen:
            raise ModelError(f"expected records other than {record} itself", "quilt")
        return chosen


def is_quilt(
    graph: "nx.DiGraph", record: int, quilt: Sequence[int], nearby: Sequence[int], remote: Sequence[int]
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
        return "2: the remote records depend on the record given the quilt, under some law over the graph"
    return ""
