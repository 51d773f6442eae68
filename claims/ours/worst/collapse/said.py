"""The dichotomy of one pair and one prior, said once."""

from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, NOT, ONE
from pufferproof.claims.vocabulary.entries.foundations.pairs import (
    LARGEST,
    ONE_PAIR,
    SINGLE,
    UNBOUNDED,
)
from pufferproof.claims.vocabulary.probes.foundations.pairs import A, B, drawn, p, s, t
from pufferproof.claims.vocabulary.proposition import Proposition

PAIR = [ONE_PAIR(p, s, t), ONE() <= A, ONE() <= B]
EACH = BOTH(SINGLE(p, s), SINGLE(p, t))
ONE_TRUTH = "equivalent: it says one thing, so that some of it is all of it"
ANY_LEVELS = "equivalent: no level keeps them together, whatever their own levels of at least 1"
DETERMINED = Proposition(
    "composition.Collapses.determined",
    "D",
    [p, s, t, A, B],
    [*PAIR, EACH],
    LARGEST(p, s, t, A, B, A * B),
    drawn,
    decidable="D",
    survivors={
        "hypothesis 4, for some, not for all [single]": ONE_TRUTH,
        "hypothesis 4, for some, not for all [single] (2)": ONE_TRUTH,
    },
)
OTHERWISE = Proposition(
    "composition.Collapses.otherwise",
    "D",
    [p, s, t, A, B],
    [*PAIR, NOT(EACH)],
    UNBOUNDED(p, s, t, A, B),
    drawn,
    decidable="D",
    survivors={
        "conclusion, B for A [unbounded together]": ANY_LEVELS,
        "conclusion, A for B [unbounded together]": ANY_LEVELS,
    },
)
