"""Corollary 3, said once: a data-independent mechanism leaks the influence of its quilt."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.papers.massny2025.said.curves import WITHOUT_STEPS
from pufferproof.claims.vocabulary.entries.foundations.logic import IFF
from pufferproof.claims.vocabulary.entries.records.quilts import (
    INFLUENCES,
    QUILT,
    RELEASED,
    REPLACED,
)
from pufferproof.claims.vocabulary.entries.records.redaction import DIM, SHARES
from pufferproof.claims.vocabulary.entries.records.stationary import INSIDE, LEAKS
from pufferproof.claims.vocabulary.probes.records.quilts import N, Q, sets
from pufferproof.claims.vocabulary.probes.records.redaction import rho
from pufferproof.claims.vocabulary.probes.records.stationary import a, b, n, p, ratio
from pufferproof.claims.vocabulary.proposition import Proposition

F = Fraction
LEAK, TOLD = LEAKS(ratio, a, b, n, p, DIM(rho)), INFLUENCES(ratio, a, b, n, p, Q)
AT_LEAST = Proposition(
    "records.QuiltsOfRecords.at_least",
    "",
    [ratio, a, b, n, p, Q, rho],
    [INSIDE(a, b), RELEASED(Q, rho), LEAK],
    TOLD,
    sets,
    survivors={
        f"conclusion, {words} [influence of a record at most]": "true and weaker: of a record that "
        "is not there nothing is claimed"
        for words in ("p for n", "n for p")
    }
    | dict.fromkeys(
        WITHOUT_STEPS,
        "superfluous: for weights; inside, there is a stationary chain",
    ),
)
MIDDLE = {
    "a": F(1, 3),
    "b": F(1, 3),
    "n": 3,
    "p": 1,
    "rho": [F(0), F(1), F(0)],
    "Q": frozenset[int](),
    "N": frozenset({1}),
    "ratio": F(1),
}
"""Given different neighbours, X_1 is as likely 0 as 1."""
NO_CHAIN = {
    "a": F(1, 2),
    "b": F(5, 4),
    "n": 4,
    "p": 3,
    "rho": [F(0), F(3, 4), F(1), F(1)],
    "Q": frozenset({1}),
    "N": frozenset({2, 3}),
    "ratio": F(11, 2),
}
"""A step above 1: outputs have negative weights."""
EQUAL = Proposition(
    "records.QuiltsOfRecords.equal",
    "",
    [ratio, a, b, n, p, Q, N, rho],
    [
        INSIDE(a, b),
        SHARES(rho),
        RELEASED(Q, rho),
        REPLACED(N, rho),
        QUILT(a, b, n, p, Q, N),
    ],
    IFF(LEAK, TOLD),
    sets,
    edges=[MIDDLE, NO_CHAIN],
    survivors={
        "hypothesis 5, <= for = [quilt among records]": "equivalent: over both values of X_p both "
        "sides have the same sum",
    },
)
