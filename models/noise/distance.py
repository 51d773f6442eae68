"""The infinity-Wasserstein distance of two finite laws, exactly: how far mass has to move at most
to turn one into the other.

    W_inf(mu, nu) = min over couplings gamma of max { d(x, y) : gamma(x, y) > 0 }

On the line the coupling that matches quantiles is best, and one walk through both sorted supports
finds it. For vectors with the L1 distance the least t is searched for among the distances of two
values: a coupling within t exists iff a flow saturates. Source: wang2016, Definition 3.1; its p =
infinity is taken literally, which for finite laws is also the essential supremum.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TypeVar

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.priors.laws import Law

RESTS_ON = ("wang2016.x-winf-quantiles",)
_Value = TypeVar("_Value")
_Read = TypeVar("_Read")
_Point = TypeVar("_Point", bound=Sequence[object])
Weighted = Sequence[tuple[Fraction, int]]  # values in order, and how often each occurs
MOST_VALUES = 2_000  # of one law of vectors


def line_distance(left: Mapping[_Value, object], right: Mapping[_Value, object]) -> Fraction:
    """Return W_inf of two laws on the line, each a mapping of values to probabilities.

    If some coupling stays within distance t, then F_mu(x) <= F_nu(x + t) and F_nu(x) <= F_mu(x + t)
    for all x, so that the quantiles of every level differ by at most t (wang2016.x-winf-quantiles).

    >>> line_distance({0: "1/2", 1: "1/2"}, {0: "1/4", 3: "3/4"})
    Fraction(3, 1)

    Raises `ModelError` unless both are laws, with numbers as values.
    """
    laws = [sorted(_possible(law, exact).items()) for law in (left, right)]
    common = lcm(*(probability.denominator for law in laws for _, probability in law))
    first, second = ([(x, p.numerator * (common // p.denominator)) for x, p in law] for law in laws)
    levels = sorted({level for law in (first, second) for level in accumulate(weight for _, weight in law)})
    return max(abs(x - y) for x, y in zip(_quantiles(first, levels), _quantiles(second, levels)))


def vector_distance(left: Mapping[_Point, object], right: Mapping[_Point, object]) -> Fraction:
    """Return W_inf of two laws of vectors for the L1 distance sum_j |x_j - y_j|.

    >>> vector_distance({(0, 0): 1}, {(1, 0): "1/2", (0, 2): "1/2"})
    Fraction(2, 1)

    Raises `ModelError` unless both are laws on vectors of one length, with at most 2,000 values
    each.
    """
    return _least(left, right, abs)


def square_distance(left: Mapping[_Point, object], right: Mapping[_Point, object]) -> Fraction:
    """Return the square of W_inf of two laws of vectors for the Euclidean distance.

    >>> square_distance({(0, 0): 1}, {(1, 1): "1/2", (0, 1): "1/2"})
    Fraction(2, 1)

    Raises `ModelError` as `vector_distance` does.
    """
    return _least(left, right, lambda step: step * step)


def _least(
    left: Mapping[_Point, object], right: Mapping[_Point, object], cost: Callable[[Fraction], Fraction]
) -> Fraction:
    """Return the least t within which a coupling stays, for distances sum_j cost(x_j - y_j)."""
    first, second = (_possible(law, lambda vector: tuple(map(exact, vector))) for law in (left, right))
    if len({len(vector) for vector in (*first, *second)}) != 1:
        raise ModelError("expected vectors of one length, found several", "query")
    if len(first) > MOST_VALUES or len(second) > MOST_VALUES:
        raise ModelError(f"expected at most {MOST_VALUES} values, found {max(len(first), len(second))}", "query")
    apart = {
        (place, other): sum((cost(a - b) for a, b in zip(x, y)), Fraction(0))
        for place, x in enumerate(first)
        for other, y in enumerate(second)
    }
    import networkx as nx

    distances = sorted(set(apart.values()))

    def couples(place: int) -> bool:
        # a coupling without mass elsewhere exists iff an integer flow saturates (max-flow = min-cut); values go by
        # their places, as vectors of fractions take long to look up
        near = [pair for pair, distance in apart.items() if distance <= distances[place]]
        common = lcm(*(value.denominator for value in (*first.values(), *second.values())))
        graph = nx.DiGraph()
        for x, value in enumerate(first.values()):
            graph.add_edge("source", x, capacity=int(value * common))
        for y, value in enumerate(second.values(), len(first)):
            graph.add_edge(y, "sink", capacity=int(value * common))
        graph.add_edges_from((x, len(first) + y) for x, y in near)  # no capacity: unbounded
        return bool(nx.maximum_flow_value(graph, "source", "sink") == common)

    # the largest distance always allows a coupling
    return distances[least(couples, (-1, len(distances) - 1))[1]]


def _possible(law: Mapping[_Value, object], read: Callable[[_Value], _Read]) -> dict[_Read, Fraction]:
    """Return the values of positive probability, equal ones once."""
    probabilities: dict[_Read, Fraction] = {}
    for value, probability in law.items():
        point = read(value)
        probabilities[point] = probabilities.get(point, Fraction(0)) + exact(probability)
    Law.of(list(probabilities.values()))
    return {value: probability for value, probability in probabilities.items() if probability}


def _quantiles(law: Weighted, levels: Sequence[int]) -> list[Fraction]:
    """Return the u-quantiles at increasing levels u: the least value x with F(x) >= u."""
    quantiles, below, index = [], law[0][1], 0
    for level in levels:
        while below < level:
            index += 1
            below += law[index][1]
        quantiles.append(law[index][0])
    return quantiles
