"""The largest likelihood ratio of queries with noise, by the algorithm that their size permits.

Exactly where outputs or laws are few (`queries`), else at the worst ends that are known
(`records.networks.attractive`, `records.people`), else between bounds (`bounds`, `records.window`,
`records.blocks`).
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.records import several_people
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.noise.bounds import noise_bounds
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.records.blocks.joint import BlocksLeakage, blocks_leakage
from pufferproof.verify.noise.records.extremes import unbounded
from pufferproof.verify.noise.records.laws import bits_of
from pufferproof.verify.noise.records.networks.attractive import attractive_ends
from pufferproof.verify.noise.records.packing import Packing
from pufferproof.verify.noise.records.people import at_ends, people_bounds
from pufferproof.verify.noise.records.segments import segments_of
from pufferproof.verify.noise.records.window import with_windows

_FEW_OUTPUTS = 4096  # of counts of several segments, which are then compared exactly
_MOST_OUTPUTS = 1 << 16  # of many people, of which exact laws of several numbers are compared
_SOON = 10**10  # bits of an exact law, which is computed in about a second


def noisy_ratio(framework: Framework, mechanism: NoisyQueries, level: Level | None) -> LargestRatio:
    """Return the largest ratio of queries with noise, closely enough to tell it from a level if
    that can be. Raises `TooLargeError` if there is neither an exact answer nor a bound.
    """
    if framework.people > 1:
        return _of_people(framework, mechanism, level)
    apart = _apart(framework, mechanism)
    if apart is not None and (level is None or apart.compare(level) is not None):
        return apart
    try:
        return queries_leakage(framework, mechanism)
    except TooLargeError as error:
        ends = apart or attractive_ends(framework, mechanism)
        if ends is not None:
            return ends
        queries = _with_bounds(framework, mechanism)
        if not queries:
            endless = unbounded(framework, mechanism)
            if endless is None:
                raise
            return endless
        reason = error.what
    blocks = _blocks(framework, queries)
    if blocks is not None and blocks.closes:
        return blocks
    found = replace(
        with_windows(framework, queries, noise_bounds(framework, *queries)), reason=reason
    )
    return found if blocks is None else min(blocks, found, key=_upper)


def _upper(found: LargestRatio) -> tuple[bool, Fraction]:
    upper = found.leakage.upper
    return upper is None, upper or Fraction(0)


def _blocks(framework: Framework, queries: Sequence[RecordQuery]) -> BlocksLeakage | None:
    """Return what queries of segments leak together, None if it is not known."""
    try:
        return blocks_leakage(framework, queries)
    except TooLargeError:  # windows, or bounds, may do
        return None


def _of_people(framework: Framework, mechanism: NoisyQueries, level: Level | None) -> LargestRatio:
    """Return what queries of many people's records leak about one of them."""
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery):
            raise several_people(framework.people)
        query.expect_of(framework.records)
    gaussian = [query.noise.decay is None for query in mechanism.queries]
    if any(gaussian):
        return _of_people_gaussian(framework, mechanism, level, all(gaussian))
    alone = noisy_ratio(framework.alone, mechanism.alone, level)
    found = at_ends(framework, mechanism, alone)
    if found is not None:
        return found
    terms = _terms(mechanism)
    if isinstance(alone, BlocksLeakage) or terms > _FEW_OUTPUTS:
        bounds = people_bounds(framework, mechanism, alone)
        decided = level is not None and bounds.compare(level) is not None
        if decided or bounds.closes or terms > _MOST_OUTPUTS or isinstance(alone, BlocksLeakage):
            return bounds
    try:
        return queries_leakage(framework, mechanism)
    except TooLargeError:
        return people_bounds(framework, mechanism, alone)


def _terms(mechanism: NoisyQueries) -> int:
    """Return how many values the numbers of all people have together, 1 if it is one number."""
    distinct = {each.asked: each for each in mechanism.queries if isinstance(each, RecordQuery)}
    single = len(distinct) == 1 and mechanism.queries[0].dimension == 1
    return 1 if single else Packing.of(list(distinct.values())).terms


def _of_people_gaussian(
    framework: Framework, mechanism: NoisyQueries, level: Level | None, all_of_them: bool
) -> LargestRatio:
    """Return what queries with Gaussian noise leak about one of many people: without bound if they
    do about one person alone, as what the others add moves the ends of all values alike.
    """
    try:
        return queries_leakage(framework, mechanism)
    except TooLargeError:
        alone = noisy_ratio(framework.alone, mechanism.alone, level)
        if all_of_them and alone.leakage.infinite:
            return alone
        raise


def _apart(framework: Framework, mechanism: NoisyQueries) -> LargestRatio | None:
    """Return what counts of disjoint segments leak together; None if they are no such counts, or if
    their exact law is short.
    """
    segments = segments_of(framework, mechanism.queries)
    if segments is None or not segments:
        return None
    outputs = prod(last - first + 2 for first, last in segments)
    bits = max(map(bits_of, framework.chains.values()), default=0)
    short = framework.expect_records().count ** 2 * outputs * bits <= _SOON
    if short and (len(segments) < 2 or outputs <= _FEW_OUTPUTS):
        return None
    return _blocks(framework, _with_bounds(framework, mechanism))


def _with_bounds(framework: Framework, mechanism: NoisyQueries) -> tuple[RecordQuery, ...]:
    """Return queries if there are bounds of what they leak together, none if there are not."""
    along = tuple(
        each
        for each in mechanism.queries
        if isinstance(each, RecordQuery) and each.noise.decay is not None
    )
    every = len(along) == len(mechanism.queries)
    return along if framework.by_records and every else ()
