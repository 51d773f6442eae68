"""Theorems about queries with Laplace noise, each said once."""

from collections.abc import Callable

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    IFF,
    IMPLIES,
    NOTHING,
    at,
    every,
    total,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import NONNEGATIVE, WEIGHTS, P
from pufferproof.claims.vocabulary.entries.noise.moments import EXCESS, MEAN, MOMENT
from pufferproof.claims.vocabulary.entries.noise.queries import ATTAINED, FIRST, RISE, SECOND
from pufferproof.claims.vocabulary.families import CLOSE, signed
from pufferproof.claims.vocabulary.probes.noise import moments, queries
from pufferproof.claims.vocabulary.probes.noise.queries import (
    MERGED,
    TWO,
    F,
    Q,
    T,
    b,
    c,
    f,
    kept_by,
    other,
    p,
    r,
    ratio,
    s,
    some,
    t,
    twice,
)
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member, table, weights
from pufferproof.claims.vocabulary.terms import Term, letter

SAME = "true and weaker: the statement for two equal secrets"
SIGNED: list[Instance] = [
    {
        **{"D": 3, "F": [([0, 5, 5], F(1, 2))], "p": [F(-1, 200), F(1), F(1)]},
        **{"s": frozenset({1}), "t": frozenset({0, 2})},
    },
    {
        **{"D": 1, "F": [([0], F(1, 2))], "p": [F(0)]},
        **{"s": frozenset[int](), "t": frozenset[int]()},
    },
]
"""A weight below 0, by which the ratio has no largest value, and secrets that are impossible."""
LARGEST = Proposition(
    "noise.Queries.largest_at_values",
    "D",
    [some, p, s, t],
    [WEIGHTS(p), NOTHING() < P(p, t)],
    ATTAINED(some, p, s, t),
    queries.queried,
    SIGNED,
    survivors={"conclusion, t for s [largest at values]": SAME},
)
LARGER_SCALES = Proposition(
    "noise.Queries.larger_scales",
    "D",
    [ratio, twice, Q, T],
    [RISE(twice), kept_by(FIRST(twice))],
    kept_by(SECOND(twice)),
    queries.scaled,
)
GEOMETRIC = Proposition(
    "noise.Queries.geometric_as_laplace",
    "D",
    [ratio, queries.whole, some, Q, T],
    [],
    IFF(queries.GEOMETRIC, queries.LAPLACE),
    queries.geometric,
)
SHIFT = "equivalent: a constant shifts outputs, and any constant says the same"
PARALLEL = Proposition(
    "noise.Queries.parallel_releases",
    "D",
    [ratio, f, b, c, r, other, some, Q, T],
    [],
    IFF(kept_by(TWO), kept_by(MERGED)),
    queries.parallel,
    survivors={
        "conclusion, R for c [affine function]": SHIFT,
        "conclusion, r for c [affine function]": SHIFT,
    },
)

V, W = set_named("V"), set_named("W")
one, two = letter("p", weights("V")), letter("q", weights("V"))
K = letter("K", table("V", "W"))
v, w = letter("v", member("V")), letter("w", member("W"))


def any_noise(draws: Draws) -> Instance:
    """Two to four values, the law of a query given either secret, or a multiple; noise with two
    outputs, entries of which are now and then negative; a ratio that is often the least.
    """
    size = 2 + draws.below(3)
    shares = [F(1), F(1, 2), F(3)]
    p, q = (
        [a * share for a in draws.law(size, 3)]
        for share in (draws.among(shares), draws.among(shares))
    )
    levels = [a / b for a, b in zip(p, q) if b > 0]
    return {
        **{"V": size, "W": 2, "p": p, "q": q},
        "K": signed(draws, [[a * draws.among([1, 3]) for a in draws.law(2)] for _ in range(size)]),
        "ratio": max(levels) * draws.among([*CLOSE]),
    }


ANY_NOISE = Proposition(
    "noise.Queries.any_noise",
    "V W~",
    [ratio, one, two, K],
    [NONNEGATIVE(K), every(v, at(one, v) <= ratio * at(two, v), V)],
    every(
        w,
        total(v, at(one, v) * at(K, v, w), V) <= ratio * total(v, at(two, v) * at(K, v, w), V),
        W,
    ),
    any_noise,
)

I, row = set_named("I"), letter("i", member("I"))
g, A, C = moments.g, moments.A, moments.C
MASSLESS = at(C, row, w).equals(NOTHING())
TABLES: list[Instance] = [
    {
        **{"I": 2, "W": 2, "g": [F(1), F(-1, 200)], "K": F(0), "e": 1},
        **{"A": [[F(1), F(0)], [F(0), F(1)]], "C": [[F(1, 2), F(1, 2)]] * 2},
    }
]
"""A mass below 0."""
OF_NOTHING = "equivalent: a multiple of 0 is 0"


def _averaged(of: Callable[[Term, Term], Term]) -> Term:
    """That what is asked of means is at most its average."""
    average = total(row, at(g, row) * of(at(A, row), at(C, row)), I)
    return of(MEAN(g, A), MEAN(g, C)) <= average


COUPLING = Proposition(
    "noise.Moments.coupled_moments",
    "I W",
    [moments.e, moments.K, g, A, C],
    [
        WEIGHTS(g),
        NONNEGATIVE(C),
        every(row, every(w, IMPLIES(MASSLESS, at(A, row, w) <= NOTHING()), W), I),
    ],
    BOTH(
        _averaged(lambda one, other: MOMENT(moments.e, one, other)),
        _averaged(lambda one, other: EXCESS(moments.K, one, other)),
    ),
    moments.tables,
    TABLES,
    survivors={
        "hypothesis 3, 101/100 of the right side [at most]": OF_NOTHING,
        "hypothesis 3, 99/100 of the right side [equal]": OF_NOTHING,
    },
)
