"""Theorem III.4, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.releases import MORE_THAN_TWICE
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, ONE
from pufferproof.claims.vocabulary.probes.chains.releases import above, eps
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.terms import Log

MORE = Proposition(
    "chains.Releases.two_tell_more",
    "",
    [eps],
    [ONE() < EXP(eps)],
    MORE_THAN_TWICE(eps),
    above,
    [{"eps": Log(Fraction(1))}],
    survivors={
        "conclusion, < for <= [two releases tell more than twice]": "equivalent: two releases tell "
        "strictly more than twice, so that one with a little more noise keeps less"
    },
)
