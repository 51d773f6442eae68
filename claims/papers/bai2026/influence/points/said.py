"""Several releases with points of the influence curve, each theorem said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.bai2026.influence import said
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    LEVEL_PLUS,
    LEVEL_TIMES,
    ONE,
    at,
    every,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LIKELIHOOD
from pufferproof.claims.vocabulary.entries.quilts.chains import LEVEL_AT_MOST
from pufferproof.claims.vocabulary.entries.records.chosen import (
    AT_ONCE_CHOSEN,
    PRIVATE_WHATEVER,
)
from pufferproof.claims.vocabulary.entries.records.curves import ON_CURVE, PER_ENTRY, PRODUCT
from pufferproof.claims.vocabulary.entries.records.points import (
    AT_ONCE,
    LEVEL_MINUS,
    LEVELS_OF_ALL,
)
from pufferproof.claims.vocabulary.families import CLOSE, rarely, signed
from pufferproof.claims.vocabulary.probes.records import chosen, curves
from pufferproof.claims.vocabulary.probes.records.curves import Q, T, X
from pufferproof.claims.vocabulary.probes.records.points import levels
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member, numbers, tables
from pufferproof.claims.vocabulary.terms import Log, letter

F, NONE = Fraction, Fraction(1)
K = set_named("K")
Ms, b = letter("Ms", tables("K", "D", "W"), "M"), letter("b", numbers("K"))
delta, a, eps = (letter(name, levels("K")) for name in ("delta", "a", "eps"))
k, j = letter("k", member("K")), letter("j", member("K"))


def accounts(draws: Draws) -> Instance:
    """As for influence curves, with one or two mechanisms, numbers of hidden cells and levels that
    are often the least, and promises that are often what they pay; k is often where the factor is
    largest.
    """
    found = curves.drawn(draws)
    count = 1 + draws.below(2)
    Ms = [found["M"]]
    while len(Ms) < count:
        rows = [[draws.among(curves.CHANCES) for _ in range(2)] for _ in found["M"]]
        Ms.append(signed(draws, rows))
    b = [draws.below(found["I"] + 1) for _ in Ms]
    off = 1 if draws.whether() else draws.among(CLOSE)
    delta = [Log(curves.level(found["X"], M) * off) for M in Ms]
    stars = [curves.star(found["X"], n, found["pairs"], found["priors"]) for n in b]
    a = [Log(each if draws.below(4) else each * draws.among(CLOSE)) for each in stars]
    paid = [n * d + each for n, d, each in zip(b, delta, a)]
    eps = [Log(each.of if draws.below(4) else each.of * draws.among(CLOSE)) for each in paid]
    top = max(range(count), key=lambda n: a[n].of)
    return {
        **{name: found[name] for name in ("I", "D", "V", "W", "X", "pairs", "priors")},
        **{"K": count, "Ms": Ms, "b": b, "delta": delta, "a": a, "eps": eps},
        "k": draws.below(count) if rarely(draws) else top,
    }


def _beside(edge: Instance, a: Fraction = NONE, k: int = 0) -> Instance:
    """An instance of the translation theorem, with its level as the promise, beside a mechanism
    that says nothing, with all cells hidden.
    """
    nothing = [[F(1)] for _ in edge["M"]]
    return {
        **{name: edge[name] for name in ("I", "D", "V", "W", "X", "pairs", "priors")},
        **{"K": 2, "Ms": [edge["M"], nothing], "b": [edge["b"], edge["I"]], "k": k},
        **{"delta": [edge["eps"], Log(F(1))], "a": [edge["a"], Log(a)]},
        "eps": [edge["level"], Log(a)],
    }


def _alone(edge: Instance) -> Instance:
    found = _beside(edge)
    several = ("Ms", "b", "delta", "a", "eps")
    return {**found, "K": 1, **{name: found[name][:1] for name in several}}


PART = said.edge(["0", "1"], [F(1), F(1, 1000)], {0}, {0, 1}, eps=Log(F(1000)), a=Log(F(2)))
EDGES = [
    *map(_alone, said.EDGES),
    *map(_beside, said.EDGES),
    _beside(PART, a=F(199, 100), k=1),
    _beside(PART, a=F(2), k=1),
    {**_alone(said.EDGES[5]), "W": 2, "Ms": [[[F(-1, 200), F(1)]]]},
]
"""Those of the translation theorem, and a cell of which a secret says something."""
PRIVATE = [
    LAWS_ONLY(T),
    every(k, LIKELIHOOD(at(Ms, k)), K),
    every(k, ONE() <= EXP(at(delta, k)), K),
    every(k, PER_ENTRY(EXP(at(delta, k)), X, at(Ms, k)), K),
    PRODUCT(X),
    every(k, ON_CURVE(at(b, k), EXP(at(a, k)), X, Q, T), K),
    every(
        k,
        LEVEL_AT_MOST(LEVEL_PLUS(LEVEL_TIMES(at(b, k), at(delta, k)), at(a, k)), at(eps, k)),
        K,
    ),
]
ALL = LEVELS_OF_ALL(eps)
COMPOSED = Proposition(
    "records.Points.composed",
    "I D V~ K W",
    [X, Ms, b, delta, a, eps, Q, T, k],
    [*PRIVATE, every(j, LEVEL_AT_MOST(at(a, j), at(a, k)), K)],
    KEEPS(EXP(LEVEL_MINUS(LEVEL_PLUS(at(a, k), ALL), LEVELS_OF_ALL(a))), AT_ONCE(Ms), Q, T),
    accounts,
    EDGES,
    decidable="I D V",
    survivors={
        "conclusion, eps for a [value at]": "true and weaker: a promise is at least its a",
    },
)
SUFFICIENT = Proposition(
    "records.Points.sufficient",
    "I D V~ K W",
    [X, Ms, b, delta, a, eps, Q, T],
    PRIVATE,
    KEEPS(EXP(ALL), AT_ONCE(Ms), Q, T),
    accounts,
    EDGES,
    decidable="I D V",
)


def _chosen(edge: Instance, *more: Log) -> Instance:
    """An instance of the translation theorem as one release, or as several with more levels."""
    levels = [edge["eps"], *more]
    return {
        **{name: edge[name] for name in ("I", "D", "V", "W", "X", "pairs", "priors", "b", "a")},
        **{"K": len(levels), "Ms": [[edge["M"]] for _ in levels], "delta": levels},
    }


CHOSEN = Proposition(
    "records.Points.chosen",
    "I D V~ K W",
    [X, chosen.Ms, curves.b, delta, said.a, Q, T],
    [
        LAWS_ONLY(T),
        every(k, ONE() <= EXP(at(delta, k)), K),
        PRIVATE_WHATEVER(X, chosen.Ms, delta),
        PRODUCT(X),
        ON_CURVE(curves.b, EXP(said.a), X, Q, T),
    ],
    KEEPS(
        EXP(LEVEL_PLUS(LEVEL_TIMES(curves.b, LEVELS_OF_ALL(delta)), said.a)),
        AT_ONCE_CHOSEN(chosen.Ms),
        Q,
        T,
    ),
    chosen.drawn,
    [*map(_chosen, (*said.EDGES, PART)), _chosen(said.EDGES[6], Log(NONE))],
    decidable="I D V",
    survivors={
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: delta is not negative"
    },
)
