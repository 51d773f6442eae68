"""The mechanisms of Section 4 that collapse, each theorem said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition import bits
from pufferproof.claims.vocabulary.entries.composition.collapses import (
    BOTH_POSSIBLE,
    HIDE,
    MOST,
    REST,
    RUNS_AT_MOST,
    TOLD_AT,
    TOLD_LAW,
    TWO_EACH,
)
from pufferproof.claims.vocabulary.entries.composition.outputs import (
    BOTH_WAYS,
    CORNERS,
    EIGHT,
    FOUR,
    FOUR_RUNS,
    FRACTIONS,
    INTERVALS,
    KINDS,
    ONE_WAY,
    PRINTED,
    SOME_LEVEL,
    THREE,
)
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    NATURAL_LESS,
    NEXT,
    NOTHING,
    ONE,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, LAW
from pufferproof.claims.vocabulary.probes.composition import bits as fair
from pufferproof.claims.vocabulary.probes.composition import outputs
from pufferproof.claims.vocabulary.probes.composition.collapses import drawn, k, m, p, s, scaled, x
from pufferproof.claims.vocabulary.probes.composition.outputs import (
    ENDS,
    LF,
    LT,
    UF,
    UT,
    D,
    T,
    U,
    ratio,
)
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
RUN = NEXT(NEXT(k))
HIDDEN = Proposition(
    "composition.Examples.decoys_hide",
    "D",
    [p, s],
    [LAW(p), BOTH_POSSIBLE(p, s)],
    HIDE(p, s),
    scaled,
    decidable="D",
    survivors=dict.fromkeys(
        (
            "without: P_p(s) > 0 and P_p(not s) > 0",
            "hypothesis 2, <= for < [both possible]",
            "hypothesis 2, for some, not for all [both possible]",
        ),
        "superfluous: nothing is told of a secret that is impossible",
    ),
)
RUNS = Proposition(
    "composition.Examples.decoy_runs",
    "D",
    [p, s, x, m],
    [TWO_EACH(p, s, x), MOST(p, s, m), m < ONE()],
    RUNS_AT_MOST(p, s, x, ONE() + REST(m)),
    drawn,
    decidable="D",
)
LAW_OF_RUNS = Proposition(
    "composition.Examples.decoy_law",
    "D",
    [p, s, x, k],
    [TWO_EACH(p, s, x)],
    BOTH(TOLD_AT(p, s, x, RUN, TOLD_LAW(p, s, x, RUN)), NOTHING() < TOLD_LAW(p, s, x, RUN)),
    drawn,
    decidable="D",
    survivors={
        "conclusion, k + 1 for k [next] (3)": "true and weaker: each run can be the one that tells"
    },
)
EDGES = [
    {
        **{"D": 4, "s": frozenset({0, 1}), "U": frozenset({0, 2}), "ratio": F(240, 101)},
        **{"priors": [[F(3, 10), F(2, 10), F(1, 8), F(3, 8)]]},
        **{"LT": F(60, 101), "UT": F(60, 101), "LF": F(1, 4), "UF": F(1, 4)},
    }
]
"""A prior with P(U | s) = 3/5 where the bound is 60/101."""
BEYOND = [
    EDGES[0]
    | {"priors": [[F(201, 400), F(-1, 400), F(1, 4), F(1, 4)]]}
    | {"LT": F(1, 2), "UT": F(201, 200), "LF": F(1, 4), "UF": F(3, 4)},
    EDGES[0]
    | {"priors": [[F(1, 4), F(1, 4), F(201, 400), F(-1, 400)]]}
    | {"LT": F(1, 4), "UT": F(3, 4), "LF": F(1, 2), "UF": F(201, 200)},
]
"""Weights below 0, where a bound is 201/200."""
ONE_SET = {
    "conclusion, U for s [four outputs]": "true and weaker: its ratios are among the eight, or 1"
}
FOUR_KEEPS = Proposition(
    "composition.Examples.four_keeps",
    "D",
    [ratio, s, U, *ENDS, T],
    [FRACTIONS(T, s, U, *ENDS), EIGHT(ratio, *ENDS)],
    KEEPS(ratio, FOUR(D, s, U), BOTH_WAYS(D, s), T),
    outputs.drawn,
    EDGES,
    survivors=ONE_SET,
)
CERTAIN = EDGES[0] | {
    **{"priors": [[F(1, 2), F(0), F(1, 4), F(1, 4)]], "UT": F(100, 101)},
    **{"LF": F(1, 2), "UF": F(1, 2)},
}
"""A prior with P(U | s) = 1 where the bound is 100/101."""
FOUR_FINITE = Proposition(
    "composition.Examples.four_finite",
    "D",
    [s, U, *ENDS, T],
    [
        LAWS_ONLY(T),
        FRACTIONS(T, s, U, *ENDS),
        NOTHING() < LT,
        UT < ONE(),
        NOTHING() < LF,
        UF < ONE(),
    ],
    SOME_LEVEL(FOUR(D, s, U), BOTH_WAYS(D, s), T),
    outputs.bounded,
    [*EDGES, CERTAIN],
    survivors=ONE_SET,
)
FOUR_ONE_ORDER = Proposition(
    "composition.Examples.four_keeps_one_order",
    "D",
    [ratio, s, U, *ENDS, T],
    [FRACTIONS(T, s, U, *ENDS), PRINTED(ratio, *ENDS)],
    KEEPS(ratio, FOUR(D, s, U), ONE_WAY(D, s), T),
    outputs.drawn,
    EDGES,
    survivors=ONE_SET,
)
FOUR_ATTAINED = Proposition(
    "composition.Examples.four_attained",
    "D",
    [ratio, s, U, *ENDS, T],
    [CORNERS(T, s, U, *ENDS), KEEPS(ratio, FOUR(D, s, U), BOTH_WAYS(D, s), T)],
    EIGHT(ratio, *ENDS),
    outputs.drawn,
    survivors={
        f"conclusion, {one} for {other} [eight ratios and their inverses]": (
            "true and weaker: a bound that stands twice says less"
        )
        for one, other in (("UT", "LT"), ("LT", "UT"), ("UF", "LF"), ("LF", "UF"))
    },
)
FOUR_RATIOS = Proposition(
    "composition.Examples.four_ratios",
    "D",
    [s, U, *ENDS, T],
    [
        FRACTIONS(T, s, U, *ENDS),
        NOTHING() <= LT,
        UT <= ONE(),
        NOTHING() <= LF,
        UF <= ONE(),
    ],
    INTERVALS(T, s, U, *ENDS),
    outputs.drawn,
    [*EDGES, *BEYOND],
    survivors={
        f"hypothesis {number}, 101/100 of the right side [at most]": (
            "equivalent: a number is not negative if 101/100 of it is not"
        )
        for number in (2, 4)
    },
)
FOUR_TOLD = Proposition(
    "composition.Examples.four_runs",
    "D",
    [p, s, U, x],
    [KINDS(p, s, U, x)],
    FOUR_RUNS(p, s, U, x, THREE()),
    outputs.drawn,
)
SETTING = [NATURAL_LESS(bits.TWO(), fair.n), bits.FAIR(fair.n, fair.p)]
BITS_HIDDEN = Proposition(
    "composition.Examples.fair_bits_hide",
    "",
    [fair.n, fair.p],
    SETTING,
    bits.HIDES(fair.n, fair.p),
    fair.drawn,
)
BITS_TOGETHER = Proposition(
    "composition.Examples.both_types_tell",
    "",
    [fair.n, fair.x],
    [],
    bits.BOTH_TELL(fair.n, fair.x),
    fair.drawn,
)
BITS_GIVEN = Proposition(
    "composition.Examples.fair_bits_given",
    "",
    [fair.n, fair.p],
    SETTING,
    bits.GIVEN(fair.n, fair.p),
    fair.drawn,
)
BITS_TOLD = Proposition(
    "composition.Examples.fair_bits_runs",
    "",
    [fair.n, fair.p, fair.x],
    SETTING,
    bits.TELLS(fair.n, fair.p, fair.x, THREE()),
    fair.drawn,
)
