"""Probes of queries of tables with Laplace noise."""

from itertools import product

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.noise import cells
from pufferproof.claims.vocabulary.entries.noise.queries import RELEASED, Queries
from pufferproof.claims.vocabulary.entries.records.curves import PER_ENTRY, Cells, distance
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.noise.queries import ROOTS, some
from pufferproof.claims.vocabulary.probes.records import curves
from pufferproof.claims.vocabulary.probes.records.curves import X, eps, ratio
from pufferproof.claims.vocabulary.terms import Log

F = Fraction


def noisy(draws: Draws) -> Instance:
    """The tables, priors and pairs of a curve; one or two queries of integers, with scales; the
    most that one cell changes them, or close to it, as a level; the level of the point of the
    curve, and a ratio that is often that of one cell.
    """
    found = curves.drawn(draws)
    size = found["D"]
    queries = [
        ([draws.below(3) for _ in range(size)], draws.among([*ROOTS]))
        for _ in range(1 + draws.below(2))
    ]
    level = _level(found["X"], queries)
    return {
        **found,
        **{"F": queries, "eps": Log(level * draws.among(CLOSE)), "a": Log(found["factor"])},
        "ratio": level * draws.among(CLOSE),
    }


def _level(X: Cells, queries: Queries) -> Fraction:
    """The least e^eps for tables that differ in one cell."""
    tables = product(range(len(X[0])), repeat=2)
    one = [cells.unchanged(queries, x, y) for x, y in tables if distance(X, x, y) == 1]
    return 1 / min(one, default=F(1))


PROBES = [
    Probe(
        "one cell changes queries",
        cells.CHANGES_LITTLE(eps, X, some),
        "I D V",
        noisy,
        {"one cell changes queries": lambda eps, X, F: cells.CHANGES_LITTLE.value(eps, X, F[:1])},
        "Chains Noises Curves Neighbours NoisyCells",
    ),
    Probe(
        "noise per entry",
        PER_ENTRY(ratio, X, RELEASED(some)),
        "I D V",
        noisy,
        {"noisy release": lambda F: RELEASED.value(F[:1])},
        "Chains Noises Curves Neighbours NoisyCells",
    ),
]
