"""Levels of metric privacy, said once."""

from pufferproof.claims.vocabulary.entries.composition.metric import (
    COLUMNS_BOUNDED,
    MECHANISMS_BOUNDED,
    NONEMPTY,
    PRODUCT,
    SYMMETRIC,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF, ONE, each
from pufferproof.claims.vocabulary.probes.composition.metric import (
    L,
    N,
    Rs,
    d,
    metrics,
    mu,
    nu,
)
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

R = letter("R", NUMBER, "S")
METRIC = Proposition(
    "composition.Metric.power_closed",
    "D",
    [N, d, Rs, mu, nu, L],
    [SYMMETRIC(N, d), NONEMPTY(Rs), each(R, ONE() <= R, Rs)],
    IFF(
        MECHANISMS_BOUNDED(N, d, Rs, mu, nu, L),
        COLUMNS_BOUNDED(N, d, PRODUCT(Rs), mu, nu, L),
    ),
    metrics,
    survivors={
        "hypothesis 2, for some, not for all [not empty]": "equivalent: it says one thing, so that "
        "some of it is all of it"
    },
)
