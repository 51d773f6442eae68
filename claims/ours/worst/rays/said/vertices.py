"""The worst case at extreme rays, said once."""

from pufferproof.claims.vocabulary.entries.composition.vertices import (
    AT_RAYS,
    BOUNDED,
    PAIRS_OF_LAWS,
    RAYS_SPLIT,
    UNBOUNDED,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, ONE, each
from pufferproof.claims.vocabulary.probes.composition.vertices import L, Rs, T, apart, releases
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

R = letter("R", NUMBER, "S")
BELOW_1 = "superfluous: columns of a level below 1 have mean 0 under every law of the pairs"
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
    apart,
    survivors={
        "without: for every S in R, 1 <= S": BELOW_1,
        "hypothesis 2, for some, not for all [for each of a list]": BELOW_1,
        "hypothesis 2, 101/100 of the right side [at most]": BELOW_1,
    },
)
