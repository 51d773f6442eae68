"""Theorems of the paper, each said once."""

from pufferproof.claims.vocabulary.entries.foundations.logic import NOTHING
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.records.local import LOCAL, RELEASED, VALUES_KEEP
from pufferproof.claims.vocabulary.probes.records.local import redactions
from pufferproof.claims.vocabulary.proposition import Proposition, set_named, tightened
from pufferproof.claims.vocabulary.sorts import (
    NATURAL,
    NUMBER,
    PAIRS_OF_TABLES,
    PRIORS_OF_TABLES,
    VALUES,
    chances_in_time,
)
from pufferproof.claims.vocabulary.terms import letter

A, n, ratio = set_named("A"), letter("n", NATURAL), letter("ratio", NUMBER, "R")
r, v = letter("r", chances_in_time("A")), letter("v", VALUES)
pairs, priors = letter("pairs", PAIRS_OF_TABLES, "Q"), letter("priors", PRIORS_OF_TABLES, "Theta")
REDACTED = [KEEPS(ratio, LOCAL(n, r), pairs, priors), NOTHING() < RELEASED(r, v)]
LEMMA_1 = Proposition(
    "records.Local.records_kept",
    "A",
    [n, ratio, r, v, pairs, priors],
    REDACTED,
    VALUES_KEEP(ratio, A, v, pairs, priors),
    tightened(redactions, REDACTED, "ratio"),
    decidable="A",
)
