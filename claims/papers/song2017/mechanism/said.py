"""Lemma II.3 as repaired, said once."""

from pufferproof.claims.vocabulary.entries.chains.gaps import FAR, GAP, LOWEST, QUILT_WITHIN, TOLD
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW
from pufferproof.claims.vocabulary.probes.chains.gaps import (
    EDGES,
    SURVIVORS,
    chain_with_rate,
    hi,
    i,
    lo,
    low,
    n,
    pi,
    r,
)
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, v, w
from pufferproof.claims.vocabulary.proposition import Proposition

BY_GAP = Proposition(
    "chains.Gap.quilt_by_gap",
    "A",
    [pi, m, P, low, r, n, lo, hi, i, v, w],
    [LOWEST(low, pi), GAP(pi, P, r), LAW(m), FAR(low, r, n, lo, hi, i)],
    QUILT_WITHIN(TOLD(low, r, n, lo, hi, i), m, P, n, lo, hi, i, v, w, A),
    chain_with_rate,
    EDGES,
    "A",
    SURVIVORS,
)
