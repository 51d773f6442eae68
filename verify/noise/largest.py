"""The largest likelihood ratio of queries with noise, by the first engine of a table that tells it
from a level.

Exactly where outputs or laws are few (`queries`), else at the worst ends that are known
(`classes.attractive`, `ratio.people`), else between bounds (`ratio.bounds`, `ratio.window`,
`ratio.blocks`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import ClassVar

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Vector, lattice_of
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import about, text_of
from pufferproof.models.priors.records import several_people
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage, Witness
from pufferproof.verify.noise.accounts.corners import largest_corner, queries_of
from pufferproof.verify.noise.classes.bounds import attractive_ends
from pufferproof.verify.noise.laws.of_records import MAX_WORK, Packing, bits_of, segments_of, sequence_laws
from pufferproof.verify.noise.laws.passes import GREATEST, Greatest, both_ways
from pufferproof.verify.noise.normal.lines import GaussianBounds
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, blocks_leakage
from pufferproof.verify.noise.ratio.bounds import (
    NoiseBounds,
    noise_bounds,
    places_to_check,
    with_closest_tilts,
    with_tilts,
)
from pufferproof.verify.noise.ratio.listed import MAX_OUTPUTS, NoiseLeakage
from pufferproof.verify.noise.ratio.networks import halves_law, whole_law
from pufferproof.verify.noise.ratio.window import with_windows

# What noisy queries of the records of many people leak about one of them.
#
# The others are independent of person 1, so that what they add is one more independent number beside the noise: the
# release is post-processing of that of person 1 alone, and leaks at most as much. At an output where every coordinate
# is at most all values it takes, or at least all of them, what the others add is a factor that no secret changes:
# there the ratio is that of person 1 alone. Where one person's largest ratio is found at such an output, others hide
# nothing of it.

PEOPLE_RESTS_ON = ("general.post-processing", "noise.attained")


@dataclass(frozen=True)
class PeopleLeakage(EnclosedRatio):
    """What is leaked about one person among many, between the ratio at an output and what is leaked
    about that person `alone`.
    """

    closest: ClassVar[bool] = False

    alone: LargestRatio

    @property
    def closes(self) -> bool:
        """Whether both bounds are one number to nine digits."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper - lower <= lower / 10**9

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "the records of one person, and the ends of those of all"

    @property
    def by_record(self) -> tuple[tuple[str, int, float], ...]:
        """What is told at most, by record, if it is known: prior, record, e^leakage."""
        return self.alone.by_record if isinstance(self.alone, BlocksLeakage) else ()

    @property
    def theorems(self) -> Theorems:
        """What the bound about one person alone rests on."""
        return self.alone.theorems

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, and what is known of one person alone."""
        return tuple(dict.fromkeys((*self.alone.trust(level), "INTERVAL")))

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on, with those about one person alone."""
        return united(PEOPLE_RESTS_ON, self.alone.rests_on(level))


def at_ends(framework: Framework, mechanism: NoisyQueries, alone: LargestRatio) -> NoiseLeakage | None:
    """Return the leakage about one person among many if it equals the leakage about that person
    alone: an output at the ends of all coordinates reaches it. Return None if none does.
    """
    if not isinstance(alone, NoiseLeakage) or alone.largest is None:
        return None
    laws = sequence_laws(framework.alone, queries_of(mechanism.alone))
    axes = {(pair.prior, pair.pair): pair.axes for pair in laws.pairs}
    for reached in alone.best:
        ends = axes[reached.prior, reached.pair]
        if all(w in (axis[0], axis[-1]) for w, axis in zip(reached.output, ends)):
            high = [w == axis[-1] != axis[0] for w, axis in zip(reached.output, ends)]
            output = _end_of(queries_of(mechanism), high)
            text = ",".join(map(text_of, output))
            witness = replace(alone.witness, prior=reached.prior, pair=reached.pair, output=text)
            claims = united(PEOPLE_RESTS_ON, alone.claims)
            return replace(alone, witness=witness, best=(replace(reached, output=output),), claims=claims)
    return None


def _end_of(queries: Sequence[RecordQuery], high: Sequence[bool]) -> Vector:
    """Return the least or greatest number of every coordinate."""
    numbers: list[Fraction] = []
    for query in queries:
        digits, base = query.digits, query.vector([0] * len(query.digits))
        values = range(len(query.records.alphabet))
        every = [query.vector([digit[x] for digit in digits]) for x in values]
        for k, start in enumerate(base):
            adds = [vector[k] - start for vector in every]
            chosen = max(adds) if high[len(numbers)] else min(adds)
            numbers.append(start + query.size * chosen)
    return tuple(numbers)


def people_bounds(framework: Framework, mechanism: NoisyQueries, alone: LargestRatio) -> PeopleLeakage:
    """Return bounds of what is leaked about one person among many."""
    queries = queries_of(mechanism)
    places, scope = places_to_check(framework.alone)
    # The corners at which all numbers are least, or greatest, and that nearest to an output: 1 of the least, -1 of
    # the greatest
    size = sum(query.dimension for query in mechanism.alone.queries)
    least, most = (_end_of(queries_of(mechanism.alone), [high] * size) for high in (False, True))
    corners, numbers = [(1,) * size, (-1,) * size], [exact(text) for text in alone.witness.output.split(",")]
    corners.append(tuple(1 if 2 * x <= a + b else -1 for x, a, b in zip(numbers, least, most)))
    corners = list(dict.fromkeys(corners))
    corner, witness = largest_corner(framework.alone, queries, places, corners)
    return PeopleLeakage(Leakage(corner.lower, alone.leakage.upper), witness, scope, alone)


_FEW_OUTPUTS = 4096  # of counts of several segments, which are then compared exactly
_MOST_OUTPUTS = 1 << 16  # of many people, of which exact laws of several numbers are compared
_WIDE = 8  # times as many candidates as are compared are not found first
_FEW_RECORDS = 1000  # of which the law of a count takes less than half a second
_SOON = 10**10  # bits of an exact law, which is computed in about a second
RESTS_ON = ("noise.gaussian-finite",)


@dataclass(frozen=True)
class NoiseQuestion:
    """What queries with noise leak, closely enough to tell it from a level if there is one."""

    framework: Framework
    mechanism: NoisyQueries
    level: Level | None

    def settles(self, answer: LargestRatio) -> bool:
        """Whether no closer answer is needed."""
        decided = answer.closes if self.level is None else answer.compare(self.level) is not None
        return decided or answer.closest

    @cached_property
    def bounded(self) -> tuple[RecordQuery, ...]:
        """The queries, if there are bounds of what they leak together; none if there are not."""
        along = tuple(
            query
            for query in self.mechanism.queries
            if isinstance(query, RecordQuery) and query.noise.decay is not None
        )
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

    @property
    def single(self) -> bool:
        """Whether there is one query of a chain along the records, with bounds of what it leaks."""
        return len(self.bounded) == 1 and self.framework.along_records and not self.framework.classes

    @property
    def long(self) -> bool:
        """Whether the exact law of one number of a chain takes more than a second, but is not refused, and its largest
        ratio is no rational number, which bounds would not tell.
        """
        told = all(each.noise.decay is not None and each.noise.decay.nats for each in self.bounded)
        if not self.single or self.terms > 1 or not told:
            return False
        work = self.framework.expect_records().count * Packing.of(self.bounded).terms
        bits = max(map(bits_of, self.framework.chains.values()), default=0)
        return work <= MAX_WORK and work * self.framework.expect_records().count * bits > _SOON

    @property
    def listless(self) -> bool:
        """Whether a histogram about a chain surely has more outputs than are compared: all steps are possible, so that
        of two values there are 0 to T, and of every other value 0 to T - 1.
        """
        if not self.candidates or any(each.of is not None or each.segment is not None for each in self.bounded):
            return False
        count, dimension = self.framework.expect_records().count, sum(each.dimension for each in self.bounded)
        free = all(p for chain in self.framework.chains.values() for row in (chain.start, *chain.step) for p in row)
        return free and (count + 1) ** 2 * count ** (dimension - 2) > MAX_OUTPUTS

    @cached_property
    def bounds(self) -> NoiseBounds | None:
        """Bounds by the whole law of a number, else by quilts, tilts and windows, and below at corners; None if there
        are none.
        """
        if not self.bounded:
            return None
        framework, queries = self.framework, self.bounded
        whole = whole_law(framework, queries)
        if (
            whole is not None
            and whole.leakage.lower != 1
            and (self.level is None or whole.compare(self.level) is not None)
        ):
            return whole
        bounds = with_tilts(framework, queries, noise_bounds(framework, *queries))
        if bounds.near and any(query.dimension > 1 for query in queries):
            return with_closest_tilts(framework, queries, bounds)
        if framework.along_records:
            windows = with_windows(framework, queries, bounds)
            return windows if windows.closes else with_closest_tilts(framework, queries, windows)
        if whole is None or _upper(bounds) <= _upper(whole):
            return bounds
        return replace(whole, accounts=bounds.accounts)

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
        distinct = {query.asked: query for query in queries if isinstance(query, RecordQuery)}
        single = len(distinct) == 1 and queries[0].dimension == 1
        return 1 if single else Packing.of(list(distinct.values())).terms

    @cached_property
    def candidates(self) -> int:
        """About how many outputs are candidates for the largest ratio of a histogram of three or
        more values about a chain, 0 of other queries: numbers between the ends of its counts.
        """
        framework, queries = self.framework, self.mechanism.queries
        query = queries[0] if len(queries) == 1 else None
        if not isinstance(query, RecordQuery) or query.dimension < 3:
            return 0
        chains = framework.chains.values() if framework.along_records else ()
        if not chains or any(c.rows is not None or c.emission is not None for c in chains):
            return 0
        if self.gaussian or query.records.count * Packing.of([query]).terms > MAX_WORK:
            return 0  # refused for other reasons
        return max(prod(_range(chain, query, value) for value in range(query.dimension)) for chain in chains)


def noisy_ratio(framework: Framework, mechanism: NoisyQueries, level: Level | None, soon: bool = False) -> LargestRatio:
    """Return the largest ratio of queries with noise, closely enough to tell it from a level if
    that can be; `soon` leaves out bounds that take more than a few seconds. Raises `TooLargeError`
    if there is neither an exact answer nor a bound.
    """
    if framework.people > 1:
        for query in mechanism.queries:
            if not isinstance(query, RecordQuery):
                raise several_people(framework.people)
            query.expect_of(framework.records)
    if lattice_of([query.noise for query in mechanism.queries]) is not None:
        return queries_leakage(framework, mechanism)
    question = NoiseQuestion(framework, mechanism, level)
    of_one = OF_ONE_SOON if soon else OF_ONE
    engines = of_one if framework.people == 1 else OF_PEOPLE
    asked = ask(engines, question, question.settles, _upper)
    answer, reason = asked.expect(), asked.refused.get(exactly.__name__)
    if isinstance(answer, NoiseBounds) and reason is not None:
        return replace(answer, reason=reason.what)
    return answer


def _upper(answer: LargestRatio) -> tuple[bool, Fraction]:
    upper = answer.leakage.upper
    return upper is None, upper or Fraction(0)


# --- engines of one person ---


def bounds_that_close(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what a query of many records leaks by bounds, if these are one number, to thirteen digits where counts of
    segments are only enclosed, else to all digits of an exact answer: bounds cost as much for a million records as for
    a hundred, the law of a count of T records T^2.
    """
    if question.apart:
        if question.framework.expect_records().count <= _FEW_RECORDS or question.bounds is None:
            return None
        found, digits = question.bounds if question.bounds.closes else None, "thirteen"
    else:
        found, digits = (question.bounds if question.long else None), "seventeen"
        found = None if found is None or not found.meets else found
    return None if found is None else replace(found, reason=f"bounds that agree to {digits} digits are found sooner")


def by_segments(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what counts of disjoint segments leak, where their exact law is long."""
    return blocks_leakage(question.framework, question.bounded) if question.apart else None


def exactly(question: NoiseQuestion) -> LargestRatio | None:
    """Compare all outputs of exact laws; of many people with decaying noise only a few."""
    among = question.framework.people > 1 and not question.gaussian
    long = among and question.terms > _MOST_OUTPUTS
    if long or (among and isinstance(question.alone, BlocksLeakage)):
        return None
    if (size := question.candidates) > _WIDE * MAX_OUTPUTS or question.listless:
        found = f"{about(size)} candidates for one pair: expected at most {MAX_OUTPUTS}"
        raise TooLargeError(found, "query")
    return queries_leakage(question.framework, question.mechanism)


def at_attractive_ends(question: NoiseQuestion) -> LargestRatio | None:
    """Evaluate both ends of a query of records that attract one another."""
    return attractive_ends(question.framework, question.mechanism)


def one_by_bounds(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what one query of a chain leaks by bounds, if these are one number to thirteen digits, where its exact
    law is too large: tables of a block have a number for every output.
    """
    if question.apart or not question.single or question.bounds is None:
        return None
    return question.bounds if question.bounds.closes else None


def by_blocks(question: NoiseQuestion) -> LargestRatio | None:
    """Enclose what queries of blocks of a chain leak together."""
    if question.apart or not question.bounded:
        return None
    return blocks_leakage(question.framework, question.bounded)


def by_halves(question: NoiseQuestion) -> LargestRatio | None:
    """Bound the leakage by tilted laws of a number from two halves of a network, where the tables
    of its whole law are too large.
    """
    framework, queries = question.framework, question.bounded
    if not queries or whole_law(framework, queries) is not None:
        return None
    return halves_law(framework, queries)


def between_bounds(question: NoiseQuestion) -> LargestRatio | None:
    """Bound the leakage."""
    return question.bounds


def without_bound(question: NoiseQuestion) -> LargestRatio | None:
    """Find the limit in which Gaussian noise on one number tells without bound."""
    return None if question.bounded else unbounded(question.framework, question.mechanism)


OF_ONE_SOON = (
    bounds_that_close,
    by_segments,
    exactly,
    at_attractive_ends,
    one_by_bounds,
    by_blocks,
    between_bounds,
    without_bound,
)
OF_ONE = (*OF_ONE_SOON[:-2], by_halves, *OF_ONE_SOON[-2:])


# --- engines of many people ---


def at_ends_of_one(question: NoiseQuestion) -> LargestRatio | None:
    """Return what is leaked about one person alone, if an output at the ends reaches it."""
    if question.gaussian:
        return None
    return at_ends(question.framework, question.mechanism, question.alone)


def soon_beside(question: NoiseQuestion) -> LargestRatio | None:
    """Bound the leakage by that of one person alone if exact laws are long."""
    if question.gaussian:
        return None
    long = isinstance(question.alone, BlocksLeakage) or question.terms > _FEW_OUTPUTS
    return question.beside if long else None


def beside_others(question: NoiseQuestion) -> LargestRatio | None:
    """Bound the leakage by that of one person alone."""
    return None if question.gaussian else question.beside


def endless_alone(question: NoiseQuestion) -> LargestRatio | None:
    """Return an infinite ratio of Gaussian noise if it is infinite for one person alone: other
    people move the ends of all values alike.
    """
    if any(query.noise.decay is not None for query in question.mechanism.queries):
        return None
    return question.alone if question.alone.leakage.infinite else None


OF_PEOPLE = (at_ends_of_one, soon_beside, exactly, beside_others, endless_alone)


def unbounded(framework: Framework, mechanism: NoisyQueries) -> GaussianBounds | None:
    """Return the infinite leakage of one number with normal noise about records of Markov chains,
    or None if it is finite, or the ends of the query do not tell.

    Sums of digits along a path of positive probability have their greatest value by products of
    matrices over (max, +), and equal steps are squared: O(k^3 log T). Normal noise leaks without
    bound about two values of a record whose greatest (or least) values of the query differ: far
    beyond both, f(w | s) / f(w | s') grows as e^(w (max - max') / sigma^2).
    """
    query = mechanism.queries[0]
    if not (framework.along_records and len(mechanism.queries) == 1):
        return None
    if not isinstance(query, RecordQuery) or query.dimension != 1 or query.noise.variance is None:
        return None
    places, scope = places_to_check(framework)
    for prior, pair in places:
        chain = framework.chains[prior]
        if chain.rows is not None or chain.emission is not None:
            return None
        witness = _witness(chain, query, framework, prior, pair)
        if witness is not None:
            return GaussianBounds(
                Leakage.of(None), witness, replace(scope, checked=2 * len(places)), (), claims=RESTS_ON
            )
    return None


def _witness(chain: Chain, query: RecordQuery, framework: Framework, prior: str, pair: Pair) -> Witness | None:
    """Return the limit in which a ratio grows without bound, or None if both ends are equal."""
    (record, value), (_, against) = (framework.places[name] for name in pair)
    for sign, output in ((1, "inf"), (-1, "-inf")):
        most = _most(chain, query, record, [sign * digit for digit in query.digits[0]])
        one, other = most[value], most[against]
        if one is None or other is None:
            return None
        if one != other:
            return Witness(prior, pair if one > other else (pair[1], pair[0]), output)
    return None


def _range(chain: Chain, query: RecordQuery, value: int) -> int:
    """Return how many integers lie between the ends of how often a value occurs."""
    adds = [int(x == value) for x in range(len(query.records.alphabet))]
    ends = [_most(chain, query, 1, [sign * each for each in adds]) for sign in (1, -1)]
    return 1 + sum(max((end for end in each if end is not None), default=0) for each in ends)


def _most(chain: Chain, query: RecordQuery, record: int, values: Sequence[int]) -> list[int | None]:
    """Return, for every value of a record, the greatest sum of what all records of a query add, a
    number for every value, along a path of positive probability, or None if there is none.
    """
    count = query.records.count
    first, last = query.ends
    adds = [Greatest(each) for each in values]
    nothing = [Greatest(0)] * len(chain.step)
    start, *step = ([Greatest(0 if p else None) for p in row] for row in (chain.along(count).initial, *chain.step))
    stretches = [(1, first - 1, nothing), (first, last, adds), (last + 1, count, nothing)]
    before, after = both_ways(GREATEST, start, step, stretches, [record])
    own = adds if query.covers(record) else nothing
    return [(a * b * c).value for a, b, c in zip(before[record], own, after[record])]
