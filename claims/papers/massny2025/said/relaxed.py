"""Conditions (5) and (6) and the relaxed bound (4), said once: section IV-B and appendix A."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    LARGER,
    NATURAL_LESS,
    NEXT,
    ONE,
)
from pufferproof.claims.vocabulary.entries.records import redaction
from pufferproof.claims.vocabulary.entries.records.regions import relaxed
from pufferproof.claims.vocabulary.entries.records.regions.sides import INFLUENCE, SIDE_OF
from pufferproof.claims.vocabulary.entries.records.stationary import (
    DISTANCE,
    I0,
    I1,
    INSIDE,
    LEAKS,
    ORDERED,
)
from pufferproof.claims.vocabulary.probes.records.redaction import E, G, q
from pufferproof.claims.vocabulary.probes.records.regions.relaxed import (
    AT,
    WHOLE,
    levels,
    records,
    unredacted,
    x,
    y,
    z,
)
from pufferproof.claims.vocabulary.probes.records.stationary import a, b, n, p, ratio, t
from pufferproof.claims.vocabulary.proposition import Proposition

V, F = relaxed, Fraction
OF_LARGEST, OF_BEFORE, OF_MEAN, OF_FIRST, OF_BOUND, OF_CONDITIONS = (
    each.name for each in (V.LARGEST, V.BEFORE, V.MEAN, V.FIRST_OUTSIDE, V.RELAXED, V.CONDITIONS)
)
LEAK, THREE = LEAKS.name, redaction.THREE_R.name


def _exchanged(pairs: str, entry: str, why: str, places: Sequence[str] = ("",)) -> dict[str, str]:
    """Return one reason for exchanges of letters in an entry: "b a" is b for a."""
    return {
        f"conclusion, {new} for {old} [{entry}]{place}": why
        for new, old in (each.split(">") for each in pairs.split())
        for place in places
    }


BOTH_PLACES = ("", " (2)")
LARGEST_IS_1 = {
    **_exchanged(
        "b>a E>a F>a a>b E>b F>b a>E b>E F>E a>F b>F E>F t>p p>t",
        OF_LARGEST,
        "equivalent: the largest product is 1, that over no record",
        BOTH_PLACES,
    ),
    **{
        f"conclusion, {each} + 1 for {each} [{OF_LARGEST}]{place}": "equivalent: the largest "
        "product is 1, that over no record"
        for each in "pt"
        for place in BOTH_PLACES
    },
}
AT_MOST_1 = "true and weaker: no mean of weights is more than 1, and the right side is no less"
NO_MEDIUM = "true and weaker: no record is in M then, and the mean is 1"
UNWEIGHED = (
    "true and weaker: without weights, or with those of other budgets, the left side is no more "
    "than P(X_(t+)=z | X_p=x)"
)
NEARER = "true and weaker: a record next to X_p tells no less"
ANY_VALUE = "true and weaker: it holds of both values"
LESS_FAR = "true and weaker: the larger influence of a record next to X_p is no less"
ONE_VALUE = "true and weaker: the values of X_p may be the same"
SPREAD, PRICE = V.OVER(V.LARGEST(*AT), V.LEAST(*AT)), V.OVER(ONE(), V.PRODUCT(*AT))
BEHIND = NEXT(DISTANCE(p, t))
BOUND_OF_5 = Proposition(
    "records.SidesOfRecord.bound_of_5",
    "",
    [a, b, E, G, q, p, t, x, y, z],
    [INSIDE(a, b), V.USABLE(q)],
    BOTH(
        V.BEFORE(*AT, z, x) <= INFLUENCE(a, b, z, BEHIND) * SPREAD * V.BEFORE(*AT, z, y),
        BOTH(
            SPREAD.equals(PRICE),
            INFLUENCE(a, b, z, BEHIND) <= LARGER(I0(a, b, BEHIND), I1(a, b, BEHIND)),
        ),
    ),
    records,
    edges=[
        {
            "a": F(1, 2),
            "b": F(2, 3),
            "p": 0,
            "t": 1,
            "qs": [F(1, 4), F(9, 10)],
            "El": F(4, 3),
            "Er": F(4, 3),
            "x": 0,
            "y": 1,
            "z": 0,
        },
        {
            "a": F(1, 10),
            "b": F(4, 5),
            "p": 0,
            "t": 1,
            "qs": [F(3, 4), F(1, 2)],
            "El": F(595, 592),
            "Er": F(9, 8),
            "x": 1,
            "y": 0,
            "z": 0,
        },
    ],
    survivors={
        **LARGEST_IS_1,
        **_exchanged("a>E b>E F>E a>F b>F E>F", OF_BEFORE, UNWEIGHED),
        **_exchanged("a>E b>E a>F b>F", OF_BEFORE, UNWEIGHED, (" (2)",)),
        **_exchanged("y>x z>x x>y z>y", OF_BEFORE, ONE_VALUE),
        "conclusion, without P(X_(t+)=z | X_p=y) G_z(y)": AT_MOST_1,
        **_exchanged("t>p p>t", DISTANCE.name, NEARER),
        **_exchanged("x>z y>z", INFLUENCE.name, ANY_VALUE, (" (2)",)),
        **_exchanged("t>p p>t", DISTANCE.name, LESS_FAR, (" (3)", " (4)")),
    },
)
NO_STEPS = {
    "a": F(-1, 4),
    "b": F(1, 2),
    "p": 0,
    "t": 3,
    "qs": [F(1, 4)] * 4,
    "El": F(101, 74),
    "Er": F(23, 14),
    "x": 0,
    "y": 0,
}
STRANGE_STEPS = {
    "a": F(1, 4),
    "b": F(1, 2),
    "El": F(3),
    "Er": F(-1, 5),
    "p": 0,
    "t": 2,
    "qs": [F(1, 100)] * 3,
    "x": 1,
    "y": 0,
}
"""With a budget instead of b a weight is more than 1."""
BOUND_OF_6 = Proposition(
    "records.SidesOfRecord.bound_of_6",
    "",
    [a, b, E, G, q, p, t, x, y],
    [INSIDE(a, b), V.USABLE(q)],
    BOTH(V.MEAN(*AT, x) <= SPREAD * V.MEAN(*AT, y), SPREAD.equals(PRICE)),
    records,
    edges=[NO_STEPS, STRANGE_STEPS, {**STRANGE_STEPS, "El": F(-1, 5), "Er": F(3), "p": 2, "t": 0}],
    survivors={
        **LARGEST_IS_1,
        **_exchanged("b>a a>b a>E b>E F>E a>F b>F E>F t>p p>t", OF_MEAN, AT_MOST_1),
        f"conclusion, p + 1 for p [{OF_MEAN}]": AT_MOST_1,
        f"conclusion, t + 1 for t [{OF_MEAN}]": AT_MOST_1,
        "conclusion, without G(y)": AT_MOST_1,
        **_exchanged("b>a a>b a>E b>E a>F b>F t>p p>t", OF_MEAN, NO_MEDIUM, (" (2)",)),
        **_exchanged("y>x x>y", OF_MEAN, ONE_VALUE),
    },
)
BUDGET = V.BUDGET(E, G, p, t)
OF_SIDE = SIDE_OF(p, t, redaction.THREE_R(a, b, E, G, q, p))
AT_1 = {"a": F(1, 4), "b": F(1, 2), "n": 2, "p": 0, "t": 1, "qs": [F(1, 2)] * 2}
JUST_BELOW_1 = {**AT_1, "El": F(199, 200), "Er": F(199, 200)}
NOT_THERE = "true and weaker: of a record that is not there nothing is claimed"
OF_LEAKAGE = {
    "without: p < n": NOT_THERE.replace("true and weaker", "superfluous"),
    "hypothesis 2, <= for < [less, of natural numbers]": NOT_THERE.replace(
        "true and weaker", "superfluous"
    ),
    **_exchanged("p>n n>p", LEAK, NOT_THERE),
    **_exchanged("t>n", LEAK, "true and weaker: fewer records are shown, or X_p is not there"),
    **_exchanged(
        "a>E b>E a>F b>F",
        THREE,
        "true and weaker: with a budget below 1 all records of the side are replaced",
    ),
}
NO_CHANCE = {
    "a": F(1, 10),
    "b": F(4, 5),
    "n": 2,
    "p": 0,
    "t": 1,
    "qs": [F(1, 2), F(3, 2)],
    "El": F(185, 176),
    "Er": F(25, 16),
}
JUST_ABOVE = {
    "a": F(1, 5),
    "b": F(1, 4),
    "n": 4,
    "p": 3,
    "t": 3,
    "qs": [F(9, 10), F(1, 4), F(1, 2), F(1, 2)],
    "El": F(276, 155),
    "Er": F(5036, 3705),
}
"""Conditions that ask for a hundredth less hold here, and the leakage is too large."""
SUFFICIENT = Proposition(
    "records.SidesOfRecord.conditions_suffice",
    "",
    [a, b, E, G, q, n, p, t],
    [
        ORDERED(a, b),
        NATURAL_LESS(p, n),
        redaction.SHARES(q),
        ONE() <= BUDGET,
        V.CONDITIONS(BUDGET, *WHOLE),
    ],
    LEAKS(BUDGET, a, b, n, p, OF_SIDE),
    records,
    edges=[JUST_BELOW_1, NO_CHANCE, JUST_ABOVE],
    survivors=OF_LEAKAGE,
)
POSSIBLE = "superfluous: some output of the records behind has a positive weight anyway"
NOTHING_ASKED = "true and weaker: no record is in M then, and nothing is asked"
FEWER = "true and weaker: fewer records tell no more"
NO_LAW = {**AT_1, "a": F(1, 2), "b": F(-1, 4), "El": F(1), "Er": F(1), "ratio": F(1, 10)}
NO_RECORD = {**AT_1, "n": 1, "p": 1, "t": 0, "El": F(7, 4), "Er": F(7, 4), "ratio": F(1, 10)}
OTHER_REGIONS = [
    {
        "a": F(1, 3),
        "b": F(2, 3),
        "n": 4,
        "p": 3,
        "t": 2,
        "qs": [F(1, 4), F(1, 2), F(9, 10), F(0)],
        "El": F(9, 8),
        "Er": F(1),
        "ratio": F(1),
    },
    {
        "a": F(1, 5),
        "b": F(1, 4),
        "n": 3,
        "p": 1,
        "t": 2,
        "qs": [F(1, 2), F(9, 10), F(1, 2)],
        "El": F(16, 5),
        "Er": F(5036, 3705),
        "ratio": F(1),
    },
    {
        "a": F(1, 10),
        "b": F(4, 5),
        "n": 3,
        "p": 2,
        "t": 1,
        "qs": [F(9, 10), F(1, 4), F(9, 10)],
        "El": F(889, 888),
        "Er": F(9, 8),
        "ratio": F(5, 4),
    },
    {
        "a": F(1, 5),
        "b": F(1, 4),
        "n": 4,
        "p": 0,
        "t": 3,
        "qs": [F(1, 2), F(1, 4), F(1), F(1, 4)],
        "El": F(5036, 3705),
        "Er": F(276, 155),
        "ratio": F(4295, 2964),
    },
]
"""With another letter for b, E or t the conditions ask more."""
NECESSARY = Proposition(
    "records.SidesOfRecord.conditions_needed",
    "",
    [ratio, a, b, E, G, q, n, p, t],
    [
        ORDERED(a, b),
        NATURAL_LESS(p, n),
        redaction.SHARES(q),
        LEAKS(ratio, a, b, n, p, OF_SIDE),
    ],
    V.CONDITIONS(ratio, *WHOLE),
    levels,
    edges=[NO_LAW, NO_RECORD, *OTHER_REGIONS],
    survivors={
        "without: 0 <= q_k <= 1 for each k": POSSIBLE,
        "hypothesis 3, for some, not for all [shares]": POSSIBLE,
        **_exchanged("b>a a>b a>E b>E a>F b>F", OF_CONDITIONS, NOTHING_ASKED),
        **_exchanged("p>n t>n", OF_CONDITIONS, FEWER),
    },
)
FIRST = V.FIRST_OUTSIDE(a, b, E, G, n, p, t)
LONGER = "true and weaker: the bound of a longer side is no less"
DEFINED = "true and weaker: by its definition e^i* is 1 or at most the budget"
FOR_EVERY_Q = Proposition(
    "records.SidesOfRecord.relaxed_keeps",
    "",
    [a, b, E, G, q, n, p, t],
    [ORDERED(a, b), NATURAL_LESS(p, n), V.USABLE(q), ONE() <= BUDGET],
    BOTH(LEAKS(LARGER(FIRST, V.RELAXED(*WHOLE)), a, b, n, p, OF_SIDE), FIRST <= BUDGET),
    records,
    edges=[JUST_BELOW_1],
    survivors={
        **OF_LEAKAGE,
        f"conclusion, n + 1 for n [{OF_FIRST}]": LONGER,
        f"conclusion, n + 1 for n [{OF_BOUND}]": LONGER,
        **_exchanged(
            "b>a E>a F>a a>b E>b F>b a>E b>E a>F b>F p>n t>n", OF_FIRST, DEFINED, (" (2)",)
        ),
        f"conclusion, n + 1 for n [{OF_FIRST}] (2)": DEFINED,
    },
)
ONE_MORE = {
    "a": F(1, 10),
    "b": F(4, 5),
    "n": 2,
    "p": 0,
    "t": 1,
    "qs": [F(1, 2), F(1, 4)],
    "El": F(168, 185),
    "Er": F(89, 88),
}
"""A third record would be shown."""
SUFFICES = Proposition(
    "records.SidesOfRecord.relaxed_suffices",
    "",
    [a, b, E, G, q, n, p, t],
    [ORDERED(a, b), NATURAL_LESS(p, n), V.USABLE(q), V.RELAXED(*WHOLE) <= BUDGET],
    LEAKS(BUDGET, a, b, n, p, OF_SIDE),
    records,
    edges=[JUST_BELOW_1, ONE_MORE],
    survivors=OF_LEAKAGE,
)
OTHER_STEPS = {"a": F(1, 2), "n": 4, "qs": [F(1)] * 4}
OF_DELTA = V.DELTA.name
NONE_MEDIUM = "true and weaker: no record is in M then, and the left side is 1"
ANY_NUMBER = "true and weaker: it holds of any number of records"
FEASIBLE = Proposition(
    "records.SidesOfRecord.delta_at_most",
    "",
    [a, b, E, G, q, n, p, t],
    [ORDERED(a, b), V.UNREDACTED(q), ONE() <= BUDGET],
    BOTH(V.DELTA(a, b, E, G, n, p, t) <= BUDGET, V.RELAXED(*WHOLE) <= BUDGET),
    unredacted,
    edges=[
        {**JUST_BELOW_1, "qs": [F(1)]},
        {**OTHER_STEPS, "b": F(-1, 4), "p": 0, "t": 1, "El": F(1), "Er": F(1)},
        {**OTHER_STEPS, "b": F(3, 4), "p": 0, "t": 2, "El": F(-1, 4), "Er": F(1)},
        {**OTHER_STEPS, "b": F(3, 4), "p": 3, "t": 1, "El": F(1), "Er": F(-1, 4)},
    ],
    survivors={
        **_exchanged("b>a a>b a>E b>E a>F b>F", OF_DELTA, NONE_MEDIUM),
        **_exchanged("b>a a>b a>E b>E a>F b>F", OF_BOUND, NONE_MEDIUM),
        **_exchanged("p>n t>n", OF_DELTA, ANY_NUMBER),
        **_exchanged("p>n t>n", OF_BOUND, ANY_NUMBER),
        f"conclusion, n + 1 for n [{OF_DELTA}]": ANY_NUMBER,
        f"conclusion, n + 1 for n [{OF_BOUND}]": ANY_NUMBER,
        f"conclusion, p + 1 for p [{OF_DELTA}]": "true and weaker: X_t is on the same side then, "
        "or next to X_p, and the left side is 1",
        **_exchanged("t>p p>t", OF_DELTA, "true and weaker: X_p itself is not in M"),
        f"conclusion, n for t [{OF_DELTA}]": "true and weaker: behind the last record e^delta is 1",
    },
)
