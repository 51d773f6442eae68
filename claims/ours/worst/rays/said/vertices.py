"""The worst case at extreme rays, said once."""

from pufferproof.claims.vocabulary.entries.composition.vertices import (
    AT_RAYS,
    BOUNDED,
    PAIRS_OF_LAWS,
    RAYS_SPLIT,
    UNBOUNDED,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, ONE, each
from pufferproof.claims.vocabulary.probes.composition.vertices import L, Rs, T, releases
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

R = letter("R", NUMBER, "S")
GIVEN = [PAIRS_OF_LAWS(T), each(R, ONE() <= R, Rs)]
VERTICES = Proposition(
    "composition.Vertices.attained_at_rays",
    "D",
    [T, Rs, L],
    GIVEN,
    IFF(BOUNDED(T, Rs, L), AT_RAYS(T, Rs, L)),
    releases,
)
SUPPORTS = Proposition(
    "composition.Vertices.infinite_at_rays",
    "D",
    [T, Rs],
    GIVEN,
    IFF(UNBOUNDED(T, Rs), RAYS_SPLIT(T, Rs)),
    releases,
)
