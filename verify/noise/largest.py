"""The largest likelihood ratio of queries with noise, by the first engine of a table that tells it
from a level.

Exactly where outputs or laws are few (`queries`), else at the worst ends that are known
(`ratio.attractive`, `ratio.people`), else between bounds (`ratio.bounds`, `ratio.window`,
`ratio.blocks`).
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

from pufferproof.models.framework import Framework
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.records import several_people
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.noise.laws.of_records import bits_of
from pufferproof.verify.noise.laws.packing import Packing
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.attractive import attractive_ends
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, blocks_leakage
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, noise_bounds
from pufferproof.verify.noise.ratio.extremes import unbounded
from pufferproof.verify.noise.ratio.people import PeopleLeakage, at_ends, people_bounds
from pufferproof.verify.noise.ratio.segments import segments_of
from pufferproof.verify.noise.ratio.window import with_windows

_FEW_OUTPUTS = 4096  # of counts of several segments, which are then compared exactly
_MOST_OUTPUTS = 1 << 16  # of many people, of which exact laws of several numbers are compared
_SOON = 10**10  # bits of an exact law, which is computed in about a second


@dataclass(frozen=True)
class NoiseQuestion:
    """What queries with noise leak, closely enough to tell it from a level if there is one."""

    framework: Framework
    mechanism: NoisyQueries
    level: Level | None

    def settles(self, found: LargestRatio) -> bool:
        """Whether no closer answer is needed."""
        told = found.closes if self.level is None else found.compare(self.level) is not None
        return told or found.closest

    @cached_property
    def bounded(self) -> tuple[RecordQuery, ...]:
        """The queries, if there are bounds of what they leak together; none if there are not."""
        along = _with_decay(self.mechanism)
        every = len(along) == len(self.mechanism.queries)
        return along if self.framework.by_records and every else ()

    @cached_property
    def apart(self) -> bool:
        """Whether queries count disjoint segments, and their exact law is long."""
        segments = segments_of(self.framework, self.mechanism.queries)
        if not segments:
            return False
        outputs = prod(last - first + 2 for first, last in segments)
        bits = max(map(bits_of, self.framework.chains.values()), default=0)
        short = self.framework.expect_records().count ** 2 * outputs * bits <= _SOON
        return not short or (len(segments) > 1 and outputs > _FEW_OUTPUTS)

    @cached_property
    def gaussian(self) -> bool:
        """Whether some noise is Gaussian."""
        return any(query.noise.decay is None for query in self.mechanism.queries)

    @cached_property
    def alone(self) -> LargestRatio:
        """What is leaked about the first of many people without the others."""
        return noisy_ratio(self.framework.alone, self.mechanism.alone, self.level)

    @cached_property
    def beside(self) -> PeopleLeakage:
        """Bounds of what is leaked about one of many people."""
        return people_bounds(self.framework, self.mechanism, self.alone)

    @cached_property
    def terms(self) -> int:
        """How many values the numbers of all people have together, 1 if it is one number."""
        queries = self.mechanism.queries
        distinct = {each.asked: each for each in queries if isinstance(each, RecordQuery)}
        single = len(distinct) == 1 and queries[0].dimension == 1
        return 1 if single else Packing.of(list(distinct.values())).terms


def noisy_ratio(framework: Framework, mechanism: NoisyQueries, level: Level | None) -> LargestRatio:
    """Return the largest ratio of queries with noise, closely enough to tell it from a level if
    that can be. Raises `TooLargeError` if there is neither an exact answer nor a bound.
    """
    if framework.people > 1:
        for query in mechanism.queries:
            if not isinstance(query, RecordQuery):
                raise several_people(framework.people)
            query.expect_of(framework.records)
    question = NoiseQuestion(framework, mechanism, level)
    engines = OF_ONE if framework.people == 1 else OF_PEOPLE
    asked = ask(engines, question, question.settles, _upper)
    found, reason = asked.expect(), asked.refused.get(exactly.__name__)
    if isinstance(found, NoiseBounds) and reason is not None:
        return replace(found, reason=reason.what)
    return found


def _upper(found: LargestRatio) -> tuple[bool, Fraction]:
    upper = found.leakage.upper
    return upper is None, upper or Fraction(0)


def _with_decay(mechanism: NoisyQueries) -> tuple[RecordQuery, ...]:
    return tuple(
        each
        for each in mechanism.queries
        if isinstance(each, RecordQuery) and each.noise.decay is not None
    )


# --- engines of one person ---


def by_segments(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what counts of disjoint segments leak, where their exact law is long."""
    return blocks_leakage(question.framework, question.bounded) if question.apart else None


def exactly(question: NoiseQuestion) -> LargestRatio | None:
    """Compare all outputs of exact laws; of many people with decaying noise only a few."""
    among = question.framework.people > 1 and not question.gaussian
    long = among and question.terms > _MOST_OUTPUTS
    if long or (among and isinstance(question.alone, BlocksLeakage)):
        return None
    return queries_leakage(question.framework, question.mechanism)


def at_attractive_ends(question: NoiseQuestion) -> LargestRatio | None:
    """Evaluate both ends of a query of records that attract one another."""
    return attractive_ends(question.framework, question.mechanism)


def by_blocks(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what queries of blocks of a chain leak together."""
    if question.apart or not question.bounded:
        return None
    return blocks_leakage(question.framework, question.bounded)


def between_bounds(question: NoiseQuestion) -> LargestRatio | None:
    """Bound the leakage by quilts and windows, and below at corners."""
    if not question.bounded:
        return None
    framework, queries = question.framework, question.bounded
    return with_windows(framework, queries, noise_bounds(framework, *queries))


def without_bound(question: NoiseQuestion) -> LargestRatio | None:
    """Find the limit in which Gaussian noise on one number tells without bound."""
    return None if question.bounded else unbounded(question.framework, question.mechanism)


OF_ONE = (by_segments, exactly, at_attractive_ends, by_blocks, between_bounds, without_bound)


# --- engines of many people ---


def at_ends_of_one(question: NoiseQuestion) -> LargestRatio | None:
    """Return what is leaked about one person alone, if an output at the ends reaches it."""
    if question.gaussian:
        return None
    return at_ends(question.framework, question.mechanism, question.alone)


def soon_beside(question: NoiseQuestion) -> LargestRatio | None:
    """Bound what is leaked by what one person alone leaks, where exact laws are long."""
    if question.gaussian:
        return None
    long = isinstance(question.alone, BlocksLeakage) or question.terms > _FEW_OUTPUTS
    return question.beside if long else None


def beside_others(question: NoiseQuestion) -> LargestRatio | None:
    """Bound what is leaked by what one person alone leaks."""
    return None if question.gaussian else question.beside


def endless_alone(question: NoiseQuestion) -> LargestRatio | None:
    """Return that Gaussian noise tells without bound if it does about one person alone, as what the
    others add moves the ends of all values alike.
    """
    if any(query.noise.decay is not None for query in question.mechanism.queries):
        return None
    return question.alone if question.alone.leakage.infinite else None


OF_PEOPLE = (at_ends_of_one, soon_beside, exactly, beside_others, endless_alone)
