"""Disjoint segments whose records of two values are counted with noise."""

from collections.abc import Sequence
from itertools import pairwise

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import Query, RecordQuery

Segment = tuple[int, int]  # the first record and the last


def segments_of(framework: Framework, queries: Sequence[Query]) -> tuple[Segment, ...] | None:
    """Return the segments of queries, in order, or None unless they are disjoint, count records of
    a chain of two values, and have noise with a decay.
    """
    if not framework.along_records or framework.classes:
        return None
    if len(framework.expect_records().alphabet) != 2:
        return None
    if any(chain.rows is not None or chain.emission is not None for chain in framework.chains.values()):
        return None
    if not all(isinstance(query, RecordQuery) and query.noise.decay for query in queries):
        return None
    along = [query for query in queries if isinstance(query, RecordQuery)]
    if any(query.of is not None for query in along):
        return None
    segments = sorted({query.ends for query in along})
    if any(one[1] >= two[0] for one, two in pairwise(segments)):
        return None
    return tuple(segments)
