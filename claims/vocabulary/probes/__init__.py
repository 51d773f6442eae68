"""What ties the entries of the vocabulary to Coq, a file for each area."""

from pufferproof.claims.vocabulary.probes import conditions, logic, promise, regions, streams

PROBES = [*logic.PROBES, *promise.PROBES, *conditions.PROBES, *regions.PROBES, *streams.PROBES]
