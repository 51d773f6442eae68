"""A bit of a chain seen as the root of a tree with two branches, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import interior
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW, LIKELIHOOD
from pufferproof.claims.vocabulary.probes.chains.interior import B, M, P, R, bits, i, m, p, v, w
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
FAIR = [F(1, 2), F(1, 2)]
ALONE: Instance = {
    **{"W": 2, "i": 0, "m": 0, "p": FAIR, "T": [[FAIR, FAIR]], "B": [[FAIR, FAIR]], "v": 1, "w": 0}
}
BELOW: Instance = {**ALONE, "lev": [F(199, 200), F(1)], "M": [[F(0), F(0)]] * 2}
"""A level just below 1, which outputs of probability 0 have."""
LARGE: Instance = {**ALONE, "lev": [F(2)], "M": [[F(10), F(10)]] * 2}
"""Weights of outputs that are far above 1."""
NOTHING: Instance = {
    **{"W": 2, "i": 2, "m": 0, "p": FAIR, "T": [[[F(0), F(1)]] * 2, [FAIR] * 2], "v": 0, "w": 0},
    **{"B": [[[F(0), F(0)], FAIR], [[F(0), F(1)]] * 2], "lev": [F(2)], "M": [[F(1), F(1)]] * 8},
}
"""No law stands after the value 0 of X_1, which is impossible."""
TURNED: Instance = {
    **{"W": 2, "i": 1, "m": 0, "p": [F(1, 4), F(3, 4)], "T": [[[F(3, 4), F(1, 4)], FAIR]]},
    **{"B": [[[F(1, 3), F(2, 3)], [F(1, 7), F(6, 7)]]], "lev": [F(3), F(2)], "v": 0, "w": 0},
    "M": [[F(1, n), 1 - F(1, n)] for n in (2, 4, 6, 12)],
}
"""Steps backwards that tell more than those forwards."""
P_IS_A_LAW = (
    "superfluous: by Bayes' rule between steps that are laws, and as both values of X_i are "
    "possible, p is not negative, and its total cancels"
)
SAME_SUMS = "equivalent: over y both sides have the same sum, as rows of B are laws"
ALL_ONE = "superfluous: with an entry below 0 all levels are 1, so that its column is constant"
WORST = interior.WORST(P, B, R, i, m, v)
INTERIOR = Proposition(
    "chains.Interior.levels",
    "W",
    [i, m, p, P, B, R, M, v, w],
    [
        LAW(p),
        interior.STEPS_LAWS(P),
        interior.STEPS_LAWS(B),
        interior.BACKWARDS(p, P, B, i),
        interior.BOTH_POSSIBLE(p, P, i),
        interior.AT_LEAST_1(R),
        LIKELIHOOD(M),
        interior.LEVELLED(R, i, m, M),
    ],
    BOTH(
        interior.TOLD(p, P, i, m, M, v, w)
        <= WORST * interior.TOLD(p, P, i, m, M, interior.OTHER(v), w),
        interior.REACHED(p, P, R, i, m, v, WORST),
    ),
    bits,
    [BELOW, LARGE, NOTHING, TURNED],
    survivors={
        "without: p is a law": P_IS_A_LAW,
        "hypothesis 1, for some, not for all [law]": P_IS_A_LAW,
        "hypothesis 4, <= for = [steps backwards]": SAME_SUMS,
        "without: no entry of M is negative": ALL_ONE,
        "hypothesis 7, -1/100 for 0 [likelihood]": ALL_ONE,
        "hypothesis 7, for some, not for all [likelihood]": ALL_ONE,
    },
)
