"""Proposition 1, each part said once: closed forms of influences, their decrease and convexity."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    NATURAL_EQUAL,
    NEXT,
    NOT,
    ONE,
)
from pufferproof.claims.vocabulary.entries.records.stationary import (
    BEND_0,
    BEND_1,
    CONDITION,
    CONVEX,
    CONVEX_0,
    CONVEX_1,
    CONVEX_BY_TWO,
    DISTANCE,
    EVEN,
    FALLS,
    I0,
    I1,
    INSIDE,
    ODD,
    ON_0,
    ON_1,
    ORDERED,
    SAME_SIGN,
)
from pufferproof.claims.vocabulary.probes.records.stationary import D, a, b, distances, p, steep, t
from pufferproof.claims.vocabulary.proposition import Proposition

AT_0 = "superfluous: x/0 is 0 in Coq and here, so that both sides are 0 at the distance 0"
AWAY = DISTANCE(p, t)
CLOSED = Proposition(
    "records.InfluenceCurves.closed",
    "",
    [a, b, p, t],
    [ORDERED(a, b), NOT(NATURAL_EQUAL(p, t))],
    BOTH(
        ON_0(a, b, p, t).equals(I0(a, b, AWAY)),
        BOTH(ON_1(a, b, p, t).equals(I1(a, b, AWAY)), I0(a, b, AWAY) <= I1(a, b, AWAY)),
    ),
    distances,
    survivors={
        "without: it is not the case that p = t": AT_0,
        "hypothesis 2, 99/100 of the right side [equal, of natural numbers]": AT_0,
        "conclusion, t for p [distance] (3)": AT_0.replace("superfluous", "true and weaker"),
        "conclusion, p for t [distance] (3)": AT_0.replace("superfluous", "true and weaker"),
    },
)


IN_ORDER = Proposition(
    "records.InfluenceCurves.in_order",
    "",
    [a, b, p, t],
    [ORDERED(a, b), NOT(NATURAL_EQUAL(p, t))],
    ON_0(a, b, p, t) <= ON_1(a, b, p, t),
    distances,
    survivors={
        "without: it is not the case that p = t": AT_0,
        "hypothesis 2, 99/100 of the right side [equal, of natural numbers]": AT_0,
        **{
            f"conclusion, {words} [influence on the value 0]": AT_0.replace(
                "superfluous", "true and weaker"
            )
            for words in ("t for p", "p for t")
        },
    },
)
NEXT_ONE = NEXT(D)
LATER = {"conclusion, D + 1 for D [next]": "true and weaker: the same at the next distance"}
SAME = "true and weaker: the same of a chain with a = b"


def _equal(entry: str, why: str = SAME) -> dict[str, str]:
    """The letters a and b exchanged, one at a time."""
    return {f"conclusion, {x} for {y} [{entry}]": why for x, y in ("ab", "ba")}


def _one(entry: str, number: int = 2) -> dict[str, str]:
    """One condition that says one thing."""
    return {
        f"hypothesis {number}, for some, not for all [{entry}]": "equivalent: it is one condition"
    }


FALLING = Proposition(
    "records.InfluenceCurves.falling",
    "",
    [a, b, D],
    [INSIDE(a, b), NOT((a + b).equals(ONE()))],
    FALLS(a, b, NEXT_ONE),
    distances,
    survivors=LATER,
)
WITHOUT_STEPS = (
    "without: 0 < a < 1 and 0 < b < 1",
    "hypothesis 1, for some, not for all [steps inside]",
)
VANISHING = Proposition(
    "records.InfluenceCurves.vanishing",
    "",
    [a, b, D],
    [INSIDE(a, b), (a + b).equals(ONE())],
    BOTH(I0(a, b, NEXT_ONE).equals(ONE()), I1(a, b, NEXT_ONE).equals(ONE())),
    distances,
    survivors={
        **LATER,
        "conclusion, D + 1 for D [next] (2)": LATER[next(iter(LATER))],
        **dict.fromkeys(
            WITHOUT_STEPS, "superfluous: where a number divided by 0 is 0, as in Coq; c is none"
        ),
    },
)
CONVEX_UP = Proposition(
    "records.InfluenceCurves.convex_up",
    "",
    [a, b, D],
    [INSIDE(a, b), a + b <= ONE()],
    CONVEX(a, b, NEXT_ONE),
    distances,
    survivors={
        **LATER,
        **_equal("influences convex"),
        "hypothesis 2, 101/100 of the right side [at most]": "superfluous: so close to lam = 0 "
        "influences are convex for lam < 0 too",
    },
)
CONVEX_ODD = Proposition(
    "records.InfluenceCurves.convex_at_odd",
    "",
    [a, b, D],
    [ORDERED(a, b), ODD(NEXT_ONE)],
    CONVEX_1(a, b, NEXT_ONE),
    distances,
    survivors={**_equal("influence of 1 convex"), **_one("odd")},
)
CONVEX_EVEN = Proposition(
    "records.InfluenceCurves.convex_at_even",
    "",
    [a, b, D],
    [ORDERED(a, b), EVEN(NEXT_ONE)],
    CONVEX_0(a, b, NEXT_ONE),
    distances,
    edges=[{"a": Fraction(14, 17), "b": Fraction(16, 17), "D": 1, "p": 0, "t": 1}],
    survivors={**_equal("influence of 0 convex"), **_one("even")},
)
CONVEX_EQUAL = Proposition(
    "records.InfluenceCurves.convex_if_equal",
    "",
    [a, b, D],
    [INSIDE(a, b), a.equals(b)],
    CONVEX(a, b, NEXT_ONE),
    distances,
    survivors={
        **LATER,
        **_equal("influences convex", "equivalent: a = b"),
        "hypothesis 1, for some, not for all [steps inside]": "equivalent: a = b",
    },
)
BY_TWO = Proposition(
    "records.InfluenceCurves.convex_by_two",
    "",
    [a, b, D],
    [INSIDE(a, b)],
    CONVEX_BY_TWO(a, b, NEXT_ONE),
    distances,
    survivors={**LATER, **_equal("influences convex by two steps")},
)
NEGATIVE = ONE() < a + b


def steeper(draws: Draws) -> Instance:
    """Steps a and b of a chain with lam < 0, mostly such that influences are not convex at some
    distance; in one of four draws of any chain, or of none; and a distance D from 0 to 4.
    """
    return steep(draws) if draws.below(4) else distances(draws)


CONVEX_WHERE_0 = Proposition(
    "records.InfluenceCurves.convex_where_0",
    "",
    [a, b, D],
    [ORDERED(a, b), NEGATIVE, ODD(NEXT_ONE)],
    SAME_SIGN(BEND_0(a, b, NEXT_ONE), CONDITION(a, b, NEXT_ONE, a, b)),
    steeper,
    survivors=_one("odd", 3),
)
CONVEX_WHERE_1 = Proposition(
    "records.InfluenceCurves.convex_where_1",
    "",
    [a, b, D],
    [ORDERED(a, b), NEGATIVE, EVEN(NEXT_ONE)],
    SAME_SIGN(BEND_1(a, b, NEXT_ONE), CONDITION(a, b, NEXT_ONE, b, a)),
    steeper,
    survivors=_one("even", 3),
)
