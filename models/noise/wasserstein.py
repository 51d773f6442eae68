"""The Wasserstein mechanism: F(X) + Z with Laplace noise of scale W / epsilon.

    W = sup over theta, (s, s') of W_inf( P(F(X) = . | s, theta), P(F(X) = . | s', theta) )

over pairs of secrets that are both possible under theta. Real-valued queries as published; vector
queries with the distance sum_j |x_j - y_j| and noise of that scale on every coordinate: with a
coupling within W, densities at x and y differ by a factor exp(|x - y|_1 / b) at most. Source:
wang2016, Section 3.1 and Theorem 3.2. Priors are a finite list. Laws along chains that are too long
to list come from `pufferproof.verify.noise.laws.of_records`; what the noise really leaks is in
`pufferproof.verify.noise.ratio.listed`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import AdditiveNoise, Vector
from pufferproof.models.noise.distance import RESTS_ON as DISTANCES_REST_ON
from pufferproof.models.noise.distance import line_distance, vector_distance
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief

RESTS_ON = ("wang2016.x-thm-3.2-essential",)


class Conditional(NamedTuple):
    """The laws of a query given both secrets of a pair, under a prior."""

    prior: str
    pair: Pair
    first: Mapping[Vector, Fraction]
    second: Mapping[Vector, Fraction]


@dataclass(frozen=True, repr=False)
class Wasserstein(Readable, Tabular):
    """W, the first prior and pair that attain it, the scale of the noise, how many pairs of laws
    were compared, and their distances.
    """

    _named, _drawn, _axis = ("prior", "above", "below"), ("distance", "distance"), "distance"

    distance: Fraction
    prior: str
    pair: Pair
    scale: Scale
    compared: int
    distances: tuple[tuple[str, Pair, Fraction], ...] = field(default=(), repr=False)
    claims: tuple[str, ...] = field(default=(*RESTS_ON, *DISTANCES_REST_ON), kw_only=True, compare=False, repr=False)

    def entries(self) -> list[Entry]:
        """Return a row for every prior and pair: the distance of its laws."""
        return [
            {"prior": prior, "above": above, "below": below, "distance": distance}
            for prior, (above, below), distance in self.distances
        ]

    def __str__(self) -> str:
        left, right = self.pair
        return (
            f"scale {self.scale}; distance {brief(self.distance)}, for {left!r} against {right!r}, prior {self.prior!r}"
        )


def wasserstein_mechanism(framework: Framework, query: AdditiveNoise, level: LevelLike) -> Wasserstein:
    """Return the scale of the Wasserstein mechanism of a query, whatever noise the query comes
    with.

    >>> from pufferproof import Table
    >>> from pufferproof.models.noise.additive import Noise
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> mechanism = wasserstein_mechanism(framework, AdditiveNoise({"a": 0, "b": 1, "c": 3}, Noise.laplace(1)), 2)
    >>> mechanism.distance, mechanism.scale.text
    (Fraction(3, 1), '3/2')

    Raises `ModelError` unless priors are a list, possible databases have a value, epsilon > 0 (or W
    = 0), and some pair of secrets is possible.
    """
    framework = check_type(framework, Framework, "framework")
    query = check_type(query, AdditiveNoise, "query")
    if framework.closure == "convex":
        raise ModelError('expected closure "list", found "convex": W is a supremum over listed priors here', "closure")

    def conditionals() -> Iterator[Conditional]:
        for prior in framework.priors:
            laws = {name: query.law(framework, prior, name) for name in framework.secrets}
            for pair in framework.pairs:
                first, second = laws[pair[0]], laws[pair[1]]
                if first and second:
                    yield Conditional(prior, pair, first, second)

    return wasserstein_of(conditionals(), Level.coerce(level, "level"))


def wasserstein_of(laws: Iterable[Conditional], level: Level) -> Wasserstein:
    """Return the scale for laws of a query given both secrets of a pair, each pair once."""
    best: tuple[Fraction, str, Pair] | None = None
    known: dict[frozenset[frozenset[tuple[Vector, Fraction]]], Fraction] = {}
    distances = []
    for prior, pair, first, second in laws:
        key = frozenset((frozenset(first.items()), frozenset(second.items())))
        if key not in known:
            dimension = len(next(iter(first)))
            if dimension == 1 or (dimension == 2 and len({sum(vector) for vector in (*first, *second)}) == 1):
                on_line = [{vector[0]: chance for vector, chance in law.items()} for law in (first, second)]
                known[key] = dimension * line_distance(*on_line)  # (x, c - x): twice the distance on a line
            else:
                known[key] = vector_distance(dict(first.items()), dict(second.items()))
        distances.append((prior, pair, known[key]))
        if best is None or known[key] > best[0]:
            best = known[key], prior, pair
    if best is None:
        raise ModelError("nothing to compare: under every prior each pair has a secret of probability 0", "priors")
    scale = quotient(best[0], level)
    if scale.infinite:
        raise ModelError("no finite noise keeps level 0 here: expected a level above 0", "epsilon")
    return Wasserstein(*best, scale, len(distances), tuple(distances))
