"""The dichotomy of one pair and one prior, said once."""

from pufferproof.claims.vocabulary.entries.composition.metric import PRODUCT
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, IMPLIES, NOT, ONE, each
from pufferproof.claims.vocabulary.entries.foundations.pairs import (
    LARGEST,
    LARGEST_ONE_WAY,
    ONE_PAIR,
    RATIO_ONE_WAY,
    SEVERAL,
    SINGLE,
    UNBOUNDED,
    UNBOUNDED_ONE_WAY,
)
from pufferproof.claims.vocabulary.probes.foundations.pairs import Rs, drawn, p, s, t
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

R = letter("R", NUMBER, "S")
PAIR = [ONE_PAIR(p, s, t), each(R, ONE() <= R, Rs)]
SINGLES = BOTH(SINGLE(p, s), SINGLE(p, t))
ONE_TRUTH = "equivalent: it says one thing, so that some of it is all of it"
DETERMINED = Proposition(
    "composition.Collapses.determined",
    "D",
    [p, s, t, Rs],
    [*PAIR, IMPLIES(SEVERAL(Rs), SINGLES)],
    LARGEST(p, s, t, Rs, PRODUCT(Rs)),
    drawn,
    decidable="D",
    survivors={
        "hypothesis 3, for some, not for all [single]": ONE_TRUTH,
        "hypothesis 3, for some, not for all [single] (2)": ONE_TRUTH,
    },
)
OTHERWISE = Proposition(
    "composition.Collapses.otherwise",
    "D",
    [p, s, t, Rs],
    [*PAIR, SEVERAL(Rs), NOT(SINGLES)],
    UNBOUNDED(p, s, t, Rs),
    drawn,
    decidable="D",
    survivors={"hypothesis 3, for some, not for all [several]": ONE_TRUTH},
)
ONE_WAY = Proposition(
    "composition.Collapses.one_way",
    "D",
    [p, s, t, Rs],
    [*PAIR, IMPLIES(SEVERAL(Rs), SINGLE(p, t))],
    LARGEST_ONE_WAY(p, s, t, Rs, RATIO_ONE_WAY(p, s, Rs)),
    drawn,
    decidable="D",
    survivors={"hypothesis 3, for some, not for all [single]": ONE_TRUTH},
)
OTHERWISE_ONE_WAY = Proposition(
    "composition.Collapses.otherwise_one_way",
    "D",
    [p, s, t, Rs],
    [*PAIR, SEVERAL(Rs), NOT(SINGLE(p, t))],
    UNBOUNDED_ONE_WAY(p, s, t, Rs),
    drawn,
    decidable="D",
    survivors={"hypothesis 3, for some, not for all [several]": ONE_TRUTH},
)
