"""The walk by signs over tilts of the records of a chain, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import tilts
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, IFF, IMPLIES, NOTHING
from pufferproof.claims.vocabulary.probes.chains.tilts import P, b, n, r, u, v, w, walks
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
NEGATIVE: Instance = {
    **{"A": 2, "P": [[[F(1), F(0)], [F(0), F(1)]], [[F(-1, 200)] * 2, [F(1, 2)] * 2]]},
    **{"r": [[F(2)] * 2, [F(1)] * 2], "n": 2, "u": [F(1)] * 4, "v": 0, "w": 1, "b": F(-1, 100)},
}
"""A step from X_1 = 0 whose entries are just below 0."""
BELOW: Instance = {
    **{"A": 2, "P": [[[F(1), F(0)], [F(0), F(1)]]], "r": [[F(199, 200), F(1)]], "n": 1},
    **{"u": [F(0)] * 2, "v": 0, "w": 1, "b": F(1)},
}
"""A tilt just below 1, at the value that X_0 = v makes certain."""
ZERO_SIDE = "equivalent: the right side is 0"
LOW = tilts.WALK_END(P, r, n, v, w, b) <= NOTHING()
TILTS = Proposition(
    "chains.Tilts.walk",
    "A",
    [P, r, n, u, v, w, b],
    [tilts.NONNEGATIVE(P), tilts.AT_LEAST_ONE(r), tilts.TILTED(r, n, u)],
    BOTH(
        IFF(LOW, tilts.PRODUCTS_TOLD(P, r, n, v, w, b)),
        IMPLIES(LOW, tilts.MEAN(P, n, u, v) <= b * tilts.MEAN(P, n, u, w)),
    ),
    walks,
    [NEGATIVE, BELOW],
    decidable="A",
    survivors={
        "conclusion, 99/100 of the right side [at most]": ZERO_SIDE,
        "conclusion, 101/100 of the right side [at most]": ZERO_SIDE,
    },
)
