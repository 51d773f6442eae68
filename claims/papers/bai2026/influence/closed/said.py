"""The closed form of the influence curve of a chain of bits, said once: where it is the curve, and
that it never is below it.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    FIRST,
    IFF,
    NATURAL_LESS,
    NATURAL_PLUS,
    ONE,
)
from pufferproof.claims.vocabulary.entries.records.hidden import CURVE, PRINTED, least
from pufferproof.claims.vocabulary.entries.records.stationary import INSIDE
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probes.records.hidden import T, b, level, p, q, ratio, stays
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
HALF = F(1, 2)
SIZES = [(3, 1), (3, 1), (4, 1), (5, 2), (5, 1)]
SHORT = [(2, 1), (1, 1), (3, 2), (4, 2), (3, 0), (0, 1)]


def chains(draws: Draws) -> Instance:
    """Chances p and q to stay, a chain of T records, of which b are hidden, mostly T >= 2 b + 1,
    and R, which is often the least level or the printed one.
    """
    T, b = draws.among(SHORT if rarely(draws) else SIZES)
    found = {**stays(draws), "T": T, "b": b}
    return {**found, "ratio": level(draws, found)}


INNER = INSIDE(p, q)
SOME = NATURAL_LESS(FIRST(), b)
LONG = NATURAL_LESS(NATURAL_PLUS(b, b), T)
LONGER = {
    "conclusion, T + 1 for T [influence curve of bits at most]": "equivalent: T + 1 > 2 b as well"
}
EVERY_LENGTH = "true and weaker: it holds for every T"
MORE_HIDDEN = "true and weaker: more records may be hidden, or all"
EXACT = IFF(CURVE(ratio, p, q, T, b), PRINTED(p, q, b) <= ratio)
POSITIVE = Proposition(
    "quilts.HiddenBits.positive",
    "",
    [ratio, p, q, T, b],
    [INNER, SOME, LONG, ONE() <= p + q],
    EXACT,
    chains,
    edges=[{"p": HALF, "q1": F(99, 200), "T": 5, "b": 2, "ratio": least(HALF, F(99, 200), 5, 2)}],
    survivors=LONGER,
)
EQUAL = Proposition(
    "quilts.HiddenBits.equal",
    "",
    [ratio, p, q, T, b],
    [INNER, SOME, LONG, p.equals(q)],
    EXACT,
    chains,
    edges=[{"p": F(1), "q1": F(1), "T": 3, "b": 1, "ratio": F(-1)}],
    survivors={
        **LONGER,
        **dict.fromkeys(
            (
                "hypothesis 1, for some, not for all [steps inside]",
                "conclusion, q for p [influence curve of bits at most]",
                "conclusion, p for q [influence curve of bits at most]",
                "conclusion, q for p [printed curve of bits]",
                "conclusion, p for q [printed curve of bits]",
            ),
            "equivalent: p = q",
        ),
    },
)
ADMITTED = Proposition(
    "quilts.HiddenBits.admitted",
    "",
    [p, q, T, b],
    [INNER, SOME],
    CURVE(PRINTED(p, q, b), p, q, T, b),
    chains,
    survivors={
        "conclusion, T + 1 for T [influence curve of bits at most]": EVERY_LENGTH,
        "conclusion, b for T [influence curve of bits at most]": EVERY_LENGTH,
        "conclusion, b + 1 for b [influence curve of bits at most]": MORE_HIDDEN,
        "conclusion, T for b [influence curve of bits at most]": MORE_HIDDEN,
    },
)
