"""What ties the entries of the vocabulary to Coq, a file for each area."""

from pufferproof.claims.vocabulary.probes import (
    chains,
    columns,
    conditions,
    curves,
    dependence,
    logic,
    odds,
    pairs,
    promise,
    records,
    regions,
    streams,
)

PROBES = [
    *chains.PROBES,
    *columns.PROBES,
    *conditions.PROBES,
    *curves.PROBES,
    *dependence.PROBES,
    *logic.PROBES,
    *odds.PROBES,
    *pairs.PROBES,
    *promise.PROBES,
    *records.PROBES,
    *regions.PROBES,
    *streams.PROBES,
]
