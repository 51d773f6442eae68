"""The reduced decision diagram of a mechanism over records, with likelihoods as terminal values.

A node of level j stands for all first j records after which every future has the same likelihoods.
It has a child per value of the next record; terminal nodes, of the last level, have the likelihoods
of the outputs, each output in units of its greatest one.

An additive query has its outputs at values of all numbers: noise of a decay leaks most there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.intervals import Interval
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.laws.written import written_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.intp]

RESTS_ON = ("noise.attained",)
MOST_ENTRIES = 400_000  # of likelihoods, and of nodes times values times outputs
_LEAST = 1e-100  # of a likelihood that is not 0
_SLOPES, _OVERHEAD = 8, 1_500  # work of a slope of an output, and of a cell


@dataclass(frozen=True)
class Diagram:
    """`children[j]`: of every node of level j, the nodes of the next level by the next record, from
    level 0, which has one node. `terminals`: likelihoods, by terminal node and output.
    `error`: the largest factor by which a ratio of the mechanism exceeds one of these. `largest`:
    the largest ratio of the likelihoods of an output, exactly, or None if it is infinite or was not
    asked for.
    """

    children: "Sequence[Places]"
    terminals: Interval
    error: Fraction = Fraction(1)
    largest: Fraction | None = None

    @property
    def records(self) -> int:
        """The number of records."""
        return len(self.children)

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.terminals.shape[1]

    @property
    def size(self) -> int:
        """How many numbers an enclosure has along one step, of all steps."""
        return sum(int(level.size) for level in self.children) * self.outputs

    @property
    def work(self) -> int:
        """About how much work an enclosure is, in such numbers."""
        values: int = self.children[0].shape[1]
        return self.size + _SLOPES * values * (values + 1) * self.outputs + _OVERHEAD

    @cached_property
    def merging(self) -> "Sequence[Sequence[MergedNodes]]":
        """By level and next record: how nodes come together."""
        return [[MergedNodes.of(column) for column in level.T] for level in self.children]

    def of_outputs(self, outputs: "Places") -> "Diagram":
        """Return the same of some outputs."""
        diagram = replace(self, terminals=self.terminals[:, outputs])
        diagram.__dict__["merging"] = self.merging
        return diagram


@dataclass(frozen=True)
class MergedNodes:
    """Nodes in the order of their children, where that changes, and the children then."""

    order: "Places"
    starts: "Places"
    places: "Places"

    @classmethod
    def of(cls, children: "Places") -> "MergedNodes":
        import numpy as np

        order = np.argsort(children, kind="stable")
        places, starts = np.unique(children[order], return_index=True)
        return cls(order, starts, places)


def diagram_of(mechanism: Channel | NoisyQueries, records: Records) -> Diagram | None:
    """Return the diagram of a mechanism, or None if it is too large or likelihoods too small."""
    diagram, error = None, Fraction(1)
    if isinstance(mechanism, Channel):
        diagram = _of_channel(mechanism, records)
    elif all(isinstance(query, RecordQuery) for query in mechanism.queries):
        diagram = _of_queries([x for x in mechanism.queries if isinstance(x, RecordQuery)], records)
    else:
        written = written_out(mechanism, records)
        if written is not None:
            diagram, error = _of_channel(written.channel, records), written.error
    if diagram is None or diagram.size > MOST_ENTRIES:
        return None
    most = diagram.terminals.high
    if (most[most > 0] < _LEAST).any():
        return None
    return replace(diagram, error=error)


def _of_channel(channel: Channel, records: Records) -> Diagram | None:
    import numpy as np

    count, values = records.count, len(records.alphabet)
    if not records.enumerable or values**count * len(channel.outputs) > MOST_ENTRIES:
        return None
    labels = records.labels()
    aligned = channel.aligned(labels, frozenset(range(len(labels))))
    rows = [tuple(Fraction(n, unit) for n in aligned.numerators_of(x)) for x, unit in enumerate(aligned.denominators)]
    distinct = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    columns = [[p / max(column) for p in column] for column in zip(*distinct) if any(column)]
    terminals = list(zip(*dict.fromkeys(map(tuple, columns))))
    now = np.array([distinct[row] for row in rows], dtype=np.intp)
    children: list[Places] = []
    for _ in range(count):
        points, places = np.unique(now.reshape(-1, values), axis=0, return_inverse=True)
        children.insert(0, points)
        now = places.reshape(-1)
    least = min(map(min, columns))
    return Diagram(children, Interval.around(terminals), largest=1 / least if least else None)


def _of_queries(queries: Sequence[RecordQuery], records: Records) -> Diagram | None:
    """Return the diagram of the sums of queries with noise of a decay: nodes are sums so far."""
    import numpy as np

    if any(query.noise.decay is None for query in queries):
        return None
    nothing = tuple(Fraction(0) for query in queries for _ in range(query.dimension))
    level, children = [nothing], []
    for record in range(1, records.count + 1):
        adds = _added(queries, record, len(records.alphabet))
        sums = [[tuple(x + y for x, y in zip(at, more)) for more in adds] for at in level]
        places = {at: k for k, at in enumerate(dict.fromkeys(x for row in sums for x in row))}
        children.append(np.array([[places[x] for x in row] for row in sums], dtype=np.intp))
        level = list(places)
    ends = [sorted(set(column)) for column in zip(*level)]
    if len(level) * prod(map(len, ends)) > MOST_ENTRIES:
        return None
    return Diagram(children, _decays(queries, level, ends))


def _added(queries: Sequence[RecordQuery], record: int, values: int) -> list[tuple[Fraction, ...]]:
    """Return what a record adds to all numbers, by its value."""
    parts: list[Sequence[tuple[Fraction, ...]]] = []
    for query in queries:
        if query.covers(record):
            parts.append(contributions(query))
        else:
            parts.append([(Fraction(0),) * query.dimension] * values)
    return [tuple(x for part in parts for x in part[value]) for value in range(values)]


def _decays(
    queries: Sequence[RecordQuery], points: Sequence[tuple[Fraction, ...]], ends: Sequence[Sequence[Fraction]]
) -> Interval:
    """Return prod_k decay_k^|w_k - F_k| for all points F and outputs w."""
    import numpy as np

    noises = [query.noise for query in queries for _ in range(query.dimension)]
    outputs = list(product(*ends))
    whole = Interval.point(np.ones((len(points), len(outputs))))
    for noise, numbers, wanted in zip(noises, zip(*points), zip(*outputs)):
        assert noise.decay is not None
        apart = {abs(w - f) for w in wanted for f in numbers}
        powers = {d: noise.decay.to(d).ends() for d in apart}
        table = np.array([[powers[abs(w - f)] for w in wanted] for f in numbers])
        whole = whole * Interval(table[..., 0], table[..., 1])
    return whole.within(0, 1)
