"""What is a column of a mechanism of a level, said once: the cone, and Lemma 0."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.ours.worst.rays.said import drawn
from pufferproof.claims.vocabulary.entries.composition.bounds import COLUMN_OF, IN_CONE, LAWS_GIVEN
from pufferproof.claims.vocabulary.entries.composition.columns import (
    COLUMN,
    KERNEL,
    REVERSED,
    TELLS_NOTHING,
    TWO_COLUMNS,
)
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    IFF,
    NOTHING,
    ONE,
    at,
    every,
    total,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LIKELIHOOD, WEIGHTS
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.composition import bounds, columns
from pufferproof.claims.vocabulary.probes.composition.columns import D, M, Q, R, T, t, u
from pufferproof.claims.vocabulary.proposition import Proposition, set_named, tightened
from pufferproof.claims.vocabulary.sorts import NUMBER, member, table, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
x, w, c = letter("x", member("D")), letter("w", member("W")), letter("c", NUMBER)
C, E, W = map(set_named, "CEW")


def shown(draws: Draws) -> Instance:
    """A framework, a mechanism on it, and one of its columns over a factor, or about that."""
    found = dict(columns.drawn(draws))
    w, c = draws.below(found["W"]), draws.among([F(1), F(2), F(1, 3), F(-1)])
    u = [row[w] / c for row in found["M"]]
    if rarely(draws):
        u[0] += F(1, 2)
    return {**found, "w": w, "c": c, "u": u}


def small(draws: Draws) -> Instance:
    """A framework, a column and a level, often the least one of the column; a factor that is often
    the largest of the statement, or close to it; now and then a prior that is no law.
    """
    found = dict(columns.drawn(draws))
    if rarely(draws):
        none = [F(1), F(-1, 2), *[F(1, 2)] * (found["D"] - 2)]
        found["priors"] = [none, *found["priors"][draws.below(2) :]]
    least = [
        a / b
        for a, b in KEEPS.value(F(1), COLUMN.value(found["u"]), found["pairs"], found["priors"])
        if b > 0
    ]
    level = (
        max([F(1), *least]) if draws.below(3) else draws.among([F(2), F(3), F(1, 2), F(-1), F(1)])
    )
    weighed = sum(found["u"])
    room = (level - 1) / level if level > 1 else F(1)
    most = room / weighed if weighed > 0 else F(1)
    return {**found, "ratio": level, "t": most * draws.among([*CLOSE, F(1, 2), F(0), F(-1)])}


def edge(u: Sequence[int], ratio: int, t: Fraction, **others: object) -> Instance:
    """The first database against the second one."""
    pairs, even = [(frozenset({0}), frozenset({1}))], [F(1, len(u))] * len(u)
    found = {"D": len(u), "u": list(map(F, u)), "ratio": F(ratio), "t": t, "pairs": pairs}
    return {**found, "priors": [even], **others}


NO_LAW = [F(1), F(2), F(-1)]
WITH_REST = {"pairs": [(frozenset({0}), frozenset({1, 2}))]}
TOO_LARGE = [
    edge([0, 1], 2, F(51, 100)),
    edge([101, 50], 2, F(1, 1000)),
    edge([0, 0, 1], -1, F(2)),
    edge([0, 1, 0], 2, F(1, 2), priors=[NO_LAW], **WITH_REST),
    edge([0, 1, 0], 2, F(1, 2), priors=[NO_LAW, [F(1, 3)] * 3], **WITH_REST),
]
OUTSIDE = edge([0, 0, 1], 1, F(101, 100))
AT_LEVEL_0 = [OUTSIDE, edge([101, 100], 1, F(1, 300)), edge([100, 101], 1, F(1, 300))]
AT_ZERO = "superfluous: at f = 0 the columns are 0 and 1"
TWO = TWO_COLUMNS(t, u)
POSITIVE = [NOTHING() < t, WEIGHTS(u)]
SHOWN = [KERNEL(M), KEEPS(R, M, Q, T), every(x, at(M, x, w).equals(c * at(u, x)), D)]
TWO_OUTPUTS = Proposition(
    "composition.Columns.two_outputs",
    "D W",
    [R, M, w, c, u, Q, T],
    SHOWN,
    BOTH(KERNEL(TWO_COLUMNS(c, u)), KEEPS(R, TWO_COLUMNS(c, u), Q, T)),
    tightened(shown, SHOWN[1:2], "ratio"),
)
LARGER = Proposition(
    "composition.Columns.larger_budget",
    "D",
    [R, t, u, Q, T],
    [
        LAWS_ONLY(T),
        ONE() < R,
        *POSITIVE,
        t * (R * total(x, at(u, x), D)) + ONE() <= R,
        KEEPS(R, COLUMN(u), Q, T),
    ],
    BOTH(KERNEL(TWO), KEEPS(R, TWO, Q, T)),
    small,
    edges=TOO_LARGE,
    survivors={
        "hypothesis 2, <= for < [less]": "superfluous: at R = 1 hypothesis 5 leaves u = 0",
        "hypothesis 3, <= for < [less]": AT_ZERO,
    },
)
SMALL = [*POSITIVE, t * total(x, at(u, x), D) <= ONE()]
BOTH_ORDERS = Proposition(
    "composition.Columns.symmetric_pairs",
    "D",
    [t, u, Q, T],
    [*SMALL, KEEPS(ONE(), COLUMN(u), Q, T), KEEPS(ONE(), COLUMN(u), REVERSED(Q), T)],
    BOTH(KERNEL(TWO), KEEPS(ONE(), TWO, Q, T)),
    small,
    edges=AT_LEVEL_0,
    survivors={"hypothesis 1, <= for < [less]": AT_ZERO},
)
EQUATIONS = Proposition(
    "composition.Columns.equations",
    "D",
    [t, u, Q, T],
    [NOTHING() < t],
    IFF(KEEPS(ONE(), TWO, Q, T), TELLS_NOTHING(u, Q, T)),
    small,
)
PROMISE = Proposition(
    "composition.Bounds.promise_by_columns",
    "D W",
    [R, M, Q, T],
    [LIKELIHOOD(M)],
    IFF(KEEPS(R, M, Q, T), every(w, IN_CONE(R, LAWS_GIVEN(Q, T), COLUMN_OF(M, w)), W)),
    tightened(bounds.negative, [KEEPS(R, M, Q, T)], "ratio"),
)
i, j = letter("c", member("C")), letter("e", member("E"))
p, q = letter("p", weights("C")), letter("q", weights("E"))
f, g = letter("f", table("C", "D")), letter("g", table("E", "D"))
U, V, J = (letter(name, weights("D")) for name in "UVJ")
SHOWS_BOTH = total(i, total(j, at(p, i) * at(q, j) * (at(f, i, x) * at(g, j, x)), E), C)
JOINT = Proposition(
    "composition.Bounds.joint_columns",
    "C E D",
    [p, q, f, g, U, V, J],
    [
        every(x, at(U, x).equals(total(i, at(p, i) * at(f, i, x), C)), D),
        every(x, at(V, x).equals(total(j, at(q, j) * at(g, j, x), E)), D),
        every(x, at(J, x).equals(SHOWS_BOTH), D),
    ],
    every(x, at(J, x).equals(at(U, x) * at(V, x)), D),
    drawn.coins,
)
