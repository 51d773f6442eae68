"""The searches for quilts of a chain, said once: claims B.1 and B.2, and what follows them."""

from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains.gaps import LOWEST, REVERSIBLE, over
from pufferproof.claims.vocabulary.entries.chains.searches import (
    AT_LEAST_2,
    EVERY_SCORE,
    FAST_SCORES,
    LAW_FROM,
    SCORED,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    NATURAL_LESS,
    NATURAL_PLUS,
    NEXT,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LAW
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    LEVEL_OF,
    MOVES,
    NOISY,
    VALUES,
    Release,
)
from pufferproof.claims.vocabulary.probes.chains.gaps import NEVER, SELDOM, low, n, pi, r
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m
from pufferproof.claims.vocabulary.probes.chains.searches import (
    a,
    b,
    find,
    i,
    run,
    searched,
    two_sided,
)
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
HALF = [F(1, 2), F(1, 2)]
ALONE: Instance = {
    **{"A": 2, "pi": HALF, "m": HALF, "P": [HALF, HALF], "low": F(1, 2), "r": F(0), "n": 3},
    **{"find": [(1, 1), (1, 1), (1, 1)], "i": 2, "a": 1, "b": 1},
    "run": Release(1, (0, 0, 1, 1, 0, 0, 1, 1), F(2), F(1, 2)),
}
"""Independent bits of which one is released: the level is reached."""
NEARLY: Instance = {**ALONE, "run": Release(1, (0,) * 8, F(400, 399), F(399, 400))}
"""A query that tells nothing, at a small level."""
LONGER: Instance = {
    **ALONE,
    "run": Release(100, (0,) * 4 + (101,) * 4, F(100, 99) ** 100, F(99, 100)),
}
"""A query that moves by 1/100 too much."""
NEGATIVE: Instance = {
    **ALONE,
    "m": [F(-1), F(2)],
    "run": Release(1, (0, 0, 1, 1, 1, 1, 2, 2), F(2), F(1, 2)),
}
"""First weights that are no law, though their sum is 1."""


def counted(at: Instance, n: int, i: int, a: int, b: int, level: Fraction) -> Instance:
    """Return a chain with rare values, and the number of records with the first one, with so little
    noise that the other records show; the nearest records are quilts.
    """
    numerators = [table.count(0) for table in product(range(3), repeat=n)]
    nearest = {"n": n, "find": [(1, 1)] * n, "i": i, "a": a, "b": b}
    return {**at, **nearest, "run": Release(1, numerators, level * 10**9, F(1, 10**9))}


HERE = NEVER["low"], NEVER["r"]
TOO_CLOSE = counted({**NEVER, "low": NEVER["low"]}, 2, 1, 1, 1, over(*HERE) ** 2)
"""A lower bound of the law that is too large by 1/100."""
FASTER = counted({**SELDOM, "r": F(1, 10**6)}, 2, 1, 1, 1, over(SELDOM["low"], F(1, 10**6)) ** 2)
"""A bound of eigenvalues that is too small."""
EDGES = [ALONE, NEARLY, LONGER, NEGATIVE, TOO_CLOSE, FASTER]
ONE_SIDE = over(SELDOM["low"], SELDOM["r"])
BESIDE = [
    counted(SELDOM, 2, 1, 1, 1, ONE_SIDE),
    counted(SELDOM, 3, 3, 1, 1, ONE_SIDE**2),
    counted(NEVER, 3, 2, 1, 1, over(*HERE) ** 3),
    counted({**SELDOM, "r": F(1, 10**6)}, 3, 2, 1, 1, over(SELDOM["low"], F(1, 10**6)) ** 3),
]
"""Quilts with a record on one side, which do not serve all, and wrong bounds with one on both."""
LAW_OF_PI = {"conclusion, pi for m [law of one chain]": "true and weaker: pi is a law"}
CHAIN = [LOWEST(low, pi), REVERSIBLE(pi, P, r), LAW(m), MOVES(run)]
LETTERS = [pi, m, P, low, r, n, run]
PROMISE = KEEPS(EXP(LEVEL_OF(run)), NOISY(run), VALUES(n, A), LAW_FROM(m, P, n, A))
FEWER_NODES = Proposition(
    "chains.Searches.fast_asks_less",
    "A",
    [low, r, n, run, find],
    [AT_LEAST_2(n), EVERY_SCORE(low, r, n, run, find)],
    FAST_SCORES(low, r, n, run, find),
    searched,
    EDGES,
    survivors={"hypothesis 1, for some, not for all [at least two]": "equivalent: one comparison"},
)
TWO_SIDED = Proposition(
    "chains.Searches.two_sided_private",
    "A",
    [*LETTERS, i, a, b],
    [
        *CHAIN,
        SCORED(low, r, n, run, i, a, b),
        NATURAL_LESS(a, i),
        NATURAL_LESS(NATURAL_PLUS(i, b), NEXT(n)),
    ],
    PROMISE,
    two_sided,
    [*EDGES, *BESIDE],
    "A",
    LAW_OF_PI,
)
FAST = Proposition(
    "chains.Searches.fast_private",
    "A",
    [*LETTERS, find],
    [*CHAIN, FAST_SCORES(low, r, n, run, find)],
    PROMISE,
    searched,
    EDGES,
    "A",
    LAW_OF_PI,
)
BASIC = Proposition(
    "chains.Searches.basic_private",
    "A",
    [*LETTERS, find],
    [*CHAIN, EVERY_SCORE(low, r, n, run, find)],
    PROMISE,
    searched,
    EDGES,
    "A",
    LAW_OF_PI,
)
