"""The Wasserstein mechanism, said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.noise.distances import ALONE, BY_SCALE, DISTANCE
from pufferproof.claims.vocabulary.entries.noise.queries import RELEASED
from pufferproof.claims.vocabulary.probes.noise.distances import d, moved
from pufferproof.claims.vocabulary.probes.noise.queries import Q, T, b, f
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
FAR: list[Instance] = [
    {
        **{"D": 2, "f": [0, 101], "d": 100, "b": F(99, 100)},
        **{"priors": [[F(1, 2), F(1, 2)]], "pairs": [(frozenset({0}), frozenset({1}))]},
    }
]
"""A distance that is one in a hundred too small."""
WASSERSTEIN = Proposition(
    "noise.Distances.wasserstein_mechanism",
    "D",
    [f, d, b, Q, T],
    [DISTANCE(f, d, Q, T)],
    KEEPS(EXP(BY_SCALE(d, b)), RELEASED(ALONE(f, b)), Q, T),
    moved,
    FAR,
)
