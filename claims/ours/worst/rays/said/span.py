"""What the extreme rays of a cone span, said once."""

from pufferproof.claims.vocabulary.entries.composition.cones import SPANNED
from pufferproof.claims.vocabulary.entries.foundations.logic import NOTHING, at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import WEIGHTS
from pufferproof.claims.vocabulary.probes.composition.cones import inequalities
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member, table, weights
from pufferproof.claims.vocabulary.terms import letter

Z, D = set_named("Z"), set_named("D")
A, u = letter("A", table("Z", "D")), letter("u", weights("D"))
z, x = letter("z", member("Z")), letter("x", member("D"))
RAYS_SPAN = Proposition(
    "composition.RaysSpan.rays_span",
    "Z D",
    [A, u],
    [WEIGHTS(u), every(z, total(x, at(A, z, x) * at(u, x), D) <= NOTHING(), Z)],
    SPANNED(A, u),
    inequalities,
    survivors={
        "hypothesis 2, 101/100 of the right side [at most]": "equivalent: 101/100 of 0 is 0"
    },
)
