"""The smallest scale of Laplace noise that the points of an influence curve give, said once."""

from pufferproof.claims.vocabulary.entries.foundations.logic import (
    FIRST,
    NATURAL_LESS,
    NOTHING,
    at,
    every,
)
from pufferproof.claims.vocabulary.entries.noise.cells import (
    BEST_LEVEL,
    DIVIDED,
    SMALLEST_SCALE,
)
from pufferproof.claims.vocabulary.probes.noise.cells import L, a, b, points, promise
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member
from pufferproof.claims.vocabulary.terms import letter

J = set_named("J")
j = letter("j", member("J"))
BEST = BEST_LEVEL(promise, a, b)
BEST_SCALE = Proposition(
    "noise.Laplace.best_scale",
    "J",
    [L, promise, a, b],
    [NOTHING() < L, every(j, NATURAL_LESS(FIRST(), at(b, j)), J), NOTHING() < BEST],
    SMALLEST_SCALE(L, promise, a, b, DIVIDED(L, BEST)),
    points,
)
