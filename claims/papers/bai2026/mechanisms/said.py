"""The exponential mechanism and Laplace noise, said once: private for neighbours, and at a
translated promise.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    EXP,
    LEVEL_PLUS,
    LEVEL_TIMES,
    ONE,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.noise.cells import CHANGES_BY_CELLS, CHANGES_LITTLE
from pufferproof.claims.vocabulary.entries.noise.differential import (
    CLOSE,
    EXPONENTIAL,
    ONE_CELL,
    SENSITIVE,
)
from pufferproof.claims.vocabulary.entries.noise.queries import RELEASED
from pufferproof.claims.vocabulary.entries.records.curves import ON_CURVE, PER_ENTRY, PRODUCT
from pufferproof.claims.vocabulary.probes.noise.cells import noisy, spread
from pufferproof.claims.vocabulary.probes.noise.differential import N, eps, scored, u
from pufferproof.claims.vocabulary.probes.noise.queries import some
from pufferproof.claims.vocabulary.probes.records.curves import Q, T, X, b
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import LEVEL
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
a = letter("a", LEVEL)


def translated(draws: Draws) -> Instance:
    """As for scores; the point of the curve as a level."""
    found = scored(draws)
    return {**found, "a": Log(found["factor"])}


def _logs(*rows: tuple[int, ...]) -> list[list[Log]]:
    return [[Log(F(each)) for each in row] for row in rows]


FAR = _logs((2, 1000), (1, 2000))
"""Two databases and two outputs whose ratio is nearly e^eps, for e^eps = 4."""
BITS = {
    **{"I": 1, "D": 2, "V": 2, "W": 2, "X": [[0, 1]], "b": 1, "u": FAR},
    **{"neighbours": [(0, 1), (1, 0)], "eps": Log(F(4)), "a": Log(F(1))},
    **{"pairs": [(frozenset({0}), frozenset({1}))], "priors": [[F(1, 2)] * 2]},
}
SQUARE = {
    **{"I": 2, "D": 4, "V": 2, "W": 2, "X": [[0, 0, 1, 1], [0, 1, 0, 1]], "b": 2},
    **{"u": _logs((4, 10**6), (2, 2 * 10**6), (2, 2 * 10**6), (1, 4 * 10**6))},
    **{"neighbours": [(0, 1), (1, 0), (0, 2), (2, 0), (1, 3), (3, 1), (2, 3), (3, 2)]},
    **{"eps": Log(F(4)), "a": Log(F(1)), "priors": [[F(1, 2), F(0), F(0), F(1, 2)]]},
    **{"pairs": [(frozenset({0}), frozenset({3}))]},
}
SAME = BITS | {"u": _logs((1, 1), (1, 1)), "eps": Log(F(1))}
SIGNED = BITS | {
    **{"D": 3, "V": 3, "X": [[0, 1, 2]], "u": _logs((2, 1000), (1, 2000), (1, 2000))},
    **{"neighbours": [(x, y) for x in range(3) for y in range(3) if x != y]},
    **{"priors": [[F(1), F(-1, 2), F(1, 2)]], "pairs": [(frozenset({0, 1}), frozenset({2}))]},
}
EDGES: list[Instance] = [
    SIGNED,
    BITS,
    SAME,
    SQUARE,
    BITS | {"eps": Log(F(400, 101))},
    BITS | {"neighbours": [], "eps": Log(F(1))},
    BITS
    | {"D": 3, "V": 3, "X": [[0, 1, 2]], "u": _logs((1, 1), (1, 1), (1, 2)), "eps": Log(F(1))}
    | {"neighbours": [(0, 1)], "pairs": [(frozenset({0}), frozenset({2}))]}
    | {"priors": [[F(1, 2), F(0), F(1, 2)]]},
    SQUARE | {"eps": Log(F(400, 101))},
    SQUARE
    | {"b": 0, "a": Log(F(16)), "priors": [[F(1, 16), F(0), F(0), F(15, 16)]]}
    | {"pairs": [(frozenset({0}), frozenset({0, 3}))]},
    BITS
    | {"I": 2, "X": [[0, 1], [0, 1]], "b": 2, "neighbours": [], "eps": Log(F(1)), "a": Log(F(1))},
    {
        **{"I": 1, "D": 1, "V": 1, "W": 1, "X": [[0]], "b": 1, "u": _logs((1,))},
        **{"neighbours": [], "eps": Log(F(199, 200)), "a": Log(F(1)), "priors": [[F(1)]]},
        **{"pairs": [(frozenset({0}), frozenset({0}))]},
    },
]
"""Two tables, all alike, four tables at nearly the bound, and where one hypothesis alone fails."""
PRIVATE = Proposition(
    "noise.Exponential.private",
    "D W",
    [eps, u, N],
    [SENSITIVE(eps, u, N)],
    CLOSE(EXP(eps), EXPONENTIAL(u), N),
    scored,
    EDGES,
)
TRANSLATED = Proposition(
    "noise.Exponential.translated",
    "I D V~ W",
    [X, b, eps, a, u, N, Q, T],
    [
        LAWS_ONLY(T),
        ONE() <= EXP(eps),
        SENSITIVE(eps, u, N),
        ONE_CELL(X, N),
        PRODUCT(X),
        ON_CURVE(b, EXP(a), X, Q, T),
    ],
    KEEPS(EXP(LEVEL_PLUS(LEVEL_TIMES(b, eps), a)), EXPONENTIAL(u), Q, T),
    translated,
    EDGES,
    decidable="I D V",
    survivors={
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: eps is not negative"
    },
)


def _noise(edge: Instance, f: list[int], **more: object) -> Instance:
    """An instance of the exponential mechanism with a query, e^(-1/b) = 1/4, instead of scores."""
    kept = ("I", "D", "V", "X", "b", "pairs", "priors", "eps", "a")
    return {**{name: edge[name] for name in kept}, "F": [(f, F(1, 2))], **more}


ONE_ORDER = [(frozenset({0}), frozenset({0, 1})), (frozenset({0, 1}), frozenset({0}))]
FEW = {"eps": Log(F(1))}
NOISE_EDGES: list[Instance] = [
    _noise(BITS, [0, 1]),
    _noise(SQUARE, [0, 1, 1, 2]),
    _noise(BITS, [0, 1], eps=Log(F(400, 101))),
    _noise(SQUARE, [0, 1, 1, 2], eps=Log(F(400, 101))),
    _noise(SIGNED, [0, 1, 1]),
    _noise(EDGES[-1], [0]),
    _noise(SIGNED, [0, 0, 3], **FEW, priors=[[F(1, 2), F(0), F(1, 2)]]),
    _noise(BITS, [0, 3], **FEW, I=2, X=[[0, 1], [0, 1]], b=2),
    _noise(EDGES[8], [0, 1, 1, 2]),
    _noise(BITS, [0, 1], b=0, a=Log(F(2)), pairs=ONE_ORDER),
]
"""Two tables and four at the bound, just above it, and where one hypothesis alone fails."""
NOISE_PRIVATE = Proposition(
    "noise.Laplace.per_entry",
    "I D V~",
    [X, eps, some],
    [CHANGES_LITTLE(eps, X, some)],
    PER_ENTRY(EXP(eps), X, RELEASED(some)),
    noisy,
    NOISE_EDGES,
    decidable="V",
)

NOISE_TRANSLATED = Proposition(
    "noise.Laplace.translated",
    "I D V~",
    [X, b, eps, a, some, Q, T],
    [
        LAWS_ONLY(T),
        ONE() <= EXP(eps),
        CHANGES_LITTLE(eps, X, some),
        PRODUCT(X),
        ON_CURVE(b, EXP(a), X, Q, T),
    ],
    KEEPS(EXP(LEVEL_PLUS(LEVEL_TIMES(b, eps), a)), RELEASED(some), Q, T),
    noisy,
    NOISE_EDGES,
    decidable="I D V",
    survivors={
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: eps is not negative"
    },
)
NOISE_FAR = Proposition(
    "noise.Laplace.translated_by_distance",
    "I D V~",
    [X, b, eps, a, some, Q, T],
    [
        LAWS_ONLY(T),
        ONE() <= EXP(eps),
        CHANGES_BY_CELLS(eps, X, some),
        ON_CURVE(b, EXP(a), X, Q, T),
    ],
    KEEPS(EXP(LEVEL_PLUS(LEVEL_TIMES(b, eps), a)), RELEASED(some), Q, T),
    spread,
    NOISE_EDGES,
    decidable="I D V",
    survivors={
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: eps is not negative"
    },
)
