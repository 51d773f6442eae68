"""The worst case at extreme rays, said once."""

from pufferproof.claims.vocabulary.entries.composition.vertices import (
    ADAPTIVE,
    AT_RAYS,
    BOUNDED,
    PAIRS_OF_LAWS,
    RAYS_SPLIT,
    UNBOUNDED,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import BOTH, IFF, ONE, each
from pufferproof.claims.vocabulary.probes.composition.vertices import L, Rs, T, apart
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

R = letter("R", NUMBER, "S")
VERTICES = Proposition(
    "composition.Vertices.decided_at_rays",
    "D",
    [T, Rs, L],
    [PAIRS_OF_LAWS(T), each(R, ONE() <= R, Rs)],
    BOTH(
        IFF(BOUNDED(T, Rs, L), AT_RAYS(T, Rs, L)),
        IFF(UNBOUNDED(T, Rs), RAYS_SPLIT(T, Rs)),
    ),
    apart,
)
CHOSEN = Proposition(
    "composition.Adaptive.adaptive_at_rays",
    "D",
    [T, Rs, L],
    VERTICES.given,
    IFF(ADAPTIVE(T, Rs, L), AT_RAYS(T, Rs, L)),
    apart,
)
