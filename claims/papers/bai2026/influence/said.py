"""From levels for one cell to a promise, by a point of the influence curve, said once."""

from typing import Any

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
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LIKELIHOOD
from pufferproof.claims.vocabulary.entries.quilts.chains import LEVEL_AT_MOST
from pufferproof.claims.vocabulary.entries.records.curves import (
    JOINED,
    ON_CURVE,
    PER_ENTRY,
    PRODUCT,
)
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probes.records import curves
from pufferproof.claims.vocabulary.probes.records.curves import M, Q, T, X, b
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import LEVEL
from pufferproof.claims.vocabulary.terms import Log, letter

eps, a, level = letter("eps", LEVEL), letter("a", LEVEL), letter("level", LEVEL, "E")


def levels(draws: Draws) -> Instance:
    """As for the curve; levels of the ratio and of the factor, and the promise or close to it."""
    found = curves.drawn(draws)
    eps, a = Log(found["ratio"]), Log(found["factor"])
    paid = found["b"] * eps + a
    return {**found, "eps": eps, "a": a, "level": Log(paid.of * draws.among(CLOSE))}


def edge(
    tables: list[str], rows: list[Fraction], s: set[int], t: set[int], **more: Any
) -> dict[str, object]:
    """One output on tables of digits, an even prior on both secrets, b = 0, e^eps = e^a = 1."""
    either, one = s | t, Log(Fraction(1))
    paid = more.get("b", 0) * more.get("eps", one) + more.get("a", one)
    return {
        **{"I": len(tables[0]), "D": len(tables), "V": 3, "W": 1, "b": 0},
        **{"X": [[int(x[i]) for x in tables] for i in range(len(tables[0]))]},
        **{"M": [[row] for row in rows], "pairs": [(frozenset(s), frozenset(t))]},
        **{"priors": [[Fraction(int(x in either), len(either)) for x in range(len(tables))]]},
        **{"eps": one, "a": one, "level": paid, **more},
    }


HALF, TWICE, ROWS = Fraction(1, 2), Log(Fraction(2)), [Fraction(n, 16) for n in (1, 2, 4, 8)]
SQUARE = ["00", "01", "10", "11"], [ROWS[0], ROWS[1], ROWS[1], ROWS[2]], {3}, {0}
FAR = ["00", "11"], [Fraction(1), Fraction(0)], {0}, {0, 1}
EDGES: list[Instance] = [
    edge(["00", "20", "21", "11"], ROWS, {3}, {0}, b=2, eps=TWICE),
    edge(*SQUARE, b=2, eps=TWICE),
    edge(*SQUARE, b=2, eps=TWICE, level=Log(Fraction(199, 50))),
    edge(*SQUARE, b=2, eps=Log(Fraction(400, 201))),
    edge(*FAR, a=TWICE),
    edge(["0"], [Fraction(-1, 200)], {0}, {0}, a=TWICE),
    edge(["0"], [Fraction(1)], {0}, {0}, b=1, eps=Log(Fraction(199, 200))),
    edge(["0", "1"], [ROWS[0], ROWS[2]], {0}, {0, 1}, eps=Log(Fraction(4)), a=TWICE)
    | {"pairs": [(frozenset({0}), frozenset({0, 1})), (frozenset({0, 1}), frozenset({0}))]},
    edge(["0", "1", "2"], [Fraction(1), HALF, HALF], {0, 1}, {2}, b=1, eps=TWICE)
    | {"priors": [[Fraction(1), -HALF, HALF]]},
]
"""A detour, four tables at the bound, and where one hypothesis alone is broken: signs, a level
below 0, one of two orders.
"""
PRIVATE = [LAWS_ONLY(T), LIKELIHOOD(M), ONE() <= EXP(eps), PER_ENTRY(EXP(eps), X, M)]
POINT = ON_CURVE(b, EXP(a), X, Q, T)
PAID = LEVEL_PLUS(LEVEL_TIMES(b, eps), a)
TRANSLATE = Proposition(
    "records.Curves.translate",
    "I D V~ W~",
    [X, b, eps, a, level, M, Q, T],
    [*PRIVATE, PRODUCT(X), POINT, LEVEL_AT_MOST(PAID, level)],
    KEEPS(EXP(level), M, Q, T),
    levels,
    EDGES,
    decidable="I D V",
)
TRANSLATE_REPAIRED = Proposition(
    "records.Curves.translate_in_tables",
    "I D V~ W~",
    [X, b, eps, a, M, Q, T],
    [*PRIVATE, JOINED(b, X), POINT],
    KEEPS(EXP(PAID), M, Q, T),
    levels,
    EDGES,
    decidable="I D V",
    survivors={
        "conclusion, b + 1 for b [multiple of a level]": "true and weaker: eps is not negative"
    },
)
