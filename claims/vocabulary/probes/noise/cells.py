"""Probes of queries of tables with Laplace noise, and of scales that points of a curve allow."""

from itertools import product

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.noise import cells
from pufferproof.claims.vocabulary.entries.noise.queries import RELEASED, Queries
from pufferproof.claims.vocabulary.entries.records.curves import PER_ENTRY, Cells, distance
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.noise.queries import ROOTS, some
from pufferproof.claims.vocabulary.probes.records import curves
from pufferproof.claims.vocabulary.probes.records.curves import X, eps, ratio
from pufferproof.claims.vocabulary.sorts import NUMBER, numbers, weights
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
L, promise = letter("L", NUMBER), letter("promise", NUMBER)
a, b = letter("a", weights("J")), letter("b", numbers("J"))
smallest = letter("s", NUMBER)


def noisy(draws: Draws) -> Instance:
    """The tables, priors and pairs of a curve; one or two queries of integers, with scales; the
    most that one cell changes them, or close to it, as a level; the level of the point of the
    curve, and a ratio that is often that of one cell.
    """
    found = curves.drawn(draws)
    size = found["D"]
    queries = [([draws.below(3) for _ in range(size)], draws.among([*ROOTS])) for _ in range(1 + draws.below(2))]
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


def spread(draws: Draws) -> Instance:
    """As above; the level is often one for which each cell changes the queries by
    it, or close to it."""
    found = dict(noisy(draws))
    least = F(1)
    for x, y in product(range(found["D"]), repeat=2):
        far = max(1, distance(found["X"], x, y))
        while least**far * cells.unchanged(found["F"], x, y) < 1:
            least += F(1, 2)
    return {**found, "eps": Log(least * draws.among([*CLOSE, F(1, 2)]))}


def points(draws: Draws) -> Instance:
    """One to three points that hide 1 to 3 cells, now and then none, with values from -1 to 3; a
    promise from 0 to 4, L from 1 to 3, now and then 0 or negative, and a scale that is often the
    smallest that the points allow, or close to it.
    """
    size = 1 + draws.below(3)
    values = [F(draws.below(9), 2) - 1 for _ in range(size)]
    hidden = [1 + draws.below(3) for _ in range(size)]
    most, change = F(draws.below(9), 2), F(draws.below(3) + 1)
    if rarely(draws):
        change = F(-draws.below(2))
    if rarely(draws):
        hidden[draws.below(size)] = 0
    best = cells.BEST_LEVEL.value(most, values, hidden)
    least = change / best if best else F(1)
    scale = least * draws.among([*CLOSE, F(4, 3), F(3, 4)])
    return {"J": size, "a": values, "b": hidden, "promise": most, "L": change, "s": scale}


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
    Probe(
        "cells change queries",
        cells.CHANGES_BY_CELLS(eps, X, some),
        "I D V",
        spread,
        {"cells change queries": cells.CHANGES_LITTLE.value},
        "Chains Noises Curves Neighbours NoisyCells",
    ),
    Probe(
        "smallest scale",
        cells.SMALLEST_SCALE(L, promise, a, b, smallest),
        "J",
        points,
        {"smallest scale": lambda L, promise, a, b, s: iter((s * max(promise, F(1)) <= L,))},
        "NoisyCells",
    ),
    Probe(
        "best level",
        cells.DIVIDED(L, cells.BEST_LEVEL(promise, a, b)),
        "J",
        points,
        {
            "best level": lambda promise, a, b: cells.BEST_LEVEL.value(promise, a[:1], b[:1]),
            "divided": lambda x, y: x * y,
        },
        "NoisyCells",
    ),
]
