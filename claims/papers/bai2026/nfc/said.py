"""The necessary condition for composition and its converse, and its linear programs, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.games import (
    DUALS_BELOW,
    MEANS_CLOSE,
    OPTIMA_BELOW,
    PROGRAMS_BELOW,
    SOME_DATABASE,
)
from pufferproof.claims.vocabulary.entries.composition.weights import COMPOSING, HAS_WEIGHTS
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    IFF,
    NOTHING,
    at,
    every,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import LIKELIHOOD
from pufferproof.claims.vocabulary.probes.composition.games import program
from pufferproof.claims.vocabulary.probes.composition.weights import drawn
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    mechanism,
    member,
    pairs,
    priors,
    secret,
    tables,
)
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
I = set_named("I")
eps, Ms = letter("eps", LEVEL), letter("Ms", tables("I", "D", "W"), "M")
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
i = letter("i", member("I"))

NFC = Proposition(
    "composition.Weights.weights_exactly",
    "I D W",
    [eps, Ms, Q, T],
    [LAWS_ONLY(T), every(i, LIKELIHOOD(at(Ms, i)), I)],
    IFF(COMPOSING(eps, Ms, Q, T), HAS_WEIGHTS(eps, Ms, Q, T)),
    drawn,
    decidable="D",
)

D, W = set_named("D"), set_named("W")
M, s, t = letter("M", mechanism("D", "W")), letter("s", secret("D")), letter("t", secret("D"))
x, w, v = letter("x", member("D")), letter("w", member("W")), letter("v", member("W"))
CONDITION, BELOW = MEANS_CLOSE(eps, M, s, t), PROGRAMS_BELOW(eps, M, s, t)

PROGRAMS = Proposition(
    "composition.Values.optima_exactly",
    "D W",
    [w, eps, M, s, t],
    [every(x, every(v, NOTHING() < at(M, x, v), W), D)],
    IFF(CONDITION, OPTIMA_BELOW(eps, M, s, t)),
    program,
)
ZERO_LIKELIHOODS = Proposition(
    "composition.Values.programs_exactly",
    "D W",
    [eps, M, s, t],
    [LIKELIHOOD(M), SOME_DATABASE(t)],
    BOTH(IFF(CONDITION, BELOW), IFF(BELOW, DUALS_BELOW(eps, M, s, t))),
    program,
    [
        {
            "D": 2,
            "W": 1,
            "M": [[F(0)], [F(1)]],
            "s": frozenset({0}),
            "t": frozenset(),
            "eps": Log(F(1)),
        }
    ],
    decidable="D",
    survivors={
        "hypothesis 2, for some, not for all [some database]": "equivalent: it speaks of one set",
        "without: no entry of M is negative": "superfluous: a negative entry counts as 0",
        "hypothesis 1, -1/100 for 0 [likelihood]": "superfluous: a negative entry counts as 0",
        "hypothesis 1, for some, not for all [likelihood]": "superfluous: a negative entry counts "
        "as 0",
    },
)
