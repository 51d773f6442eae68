"""That Pufferfish does not compose, said once."""

from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, NOT
from pufferproof.claims.vocabulary.entries.foundations.pairs import COLLAPSES, ONE_PAIR, SINGLE
from pufferproof.claims.vocabulary.probes.foundations.pairs import drawn, p, s, t
from pufferproof.claims.vocabulary.proposition import Proposition

COLLAPSE = Proposition(
    "composition.Collapses.two_runs",
    "D",
    [p, s, t],
    [ONE_PAIR(p, s, t), NOT(BOTH(SINGLE(p, s), SINGLE(p, t)))],
    COLLAPSES(p, s, t),
    drawn,
    decidable="D",
)
