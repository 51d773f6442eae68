"""The necessary condition for composition and its converse, said once."""

from pufferproof.claims.vocabulary.entries.composition.weights import COMPOSING, HAS_WEIGHTS
from pufferproof.claims.vocabulary.entries.foundations.dependence import LAWS_ONLY
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, at, every
from pufferproof.claims.vocabulary.entries.foundations.promise import LIKELIHOOD
from pufferproof.claims.vocabulary.probes.composition.weights import drawn
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, member, pairs, priors, tables
from pufferproof.claims.vocabulary.terms import letter

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
