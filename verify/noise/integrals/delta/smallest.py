"""The smallest delta at which queries with noise are (epsilon, delta)-Pufferfish.

    delta(epsilon) = max over theta, (s, s') of the integral over outputs w of
        max(0, f(w | s, theta) - e^epsilon f(w | s', theta)),

a sum where outputs are integers. Where the largest likelihood ratio is at most e^epsilon it is 0.
Geometric noise of rational ratio has it exactly, for rational e^epsilon; else it is enclosed, and
the enclosure refined until it decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Noise, lattice_of
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.intervals import Interval, mean_value, mixture
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, delta_json, nothing_to_check
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.classes.ends import (
    MOST_WORK,
    asked_of,
    ends_of_box,
    member_near,
    member_of,
    named,
    outputs_of,
)
from pufferproof.verify.noise.classes.outputs import AtOutputs, BridgeMeans, Bridges, flat, gap_of, likelihoods, mixed
from pufferproof.verify.noise.classes.steps import CellBounds, FoundChain, search_approx
from pufferproof.verify.noise.integrals.delta.one_number import (
    GAUSSIAN_RESTS_ON,
    DeltaRegion,
    Evaluate,
    OutputGrid,
    gaussian_delta,
    laplace_delta,
    lattice_delta,
)
from pufferproof.verify.noise.integrals.delta.one_number import RESTS_ON as LAPLACE_RESTS_ON
from pufferproof.verify.noise.integrals.delta.several import RESTS_ON as COUPLINGS_REST_ON
from pufferproof.verify.noise.integrals.delta.several import of_noises, several_delta
from pufferproof.verify.noise.largest import PEOPLE_RESTS_ON as PEOPLE_REST_ON
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.lines import RESTS_ON as LINES_REST_ON
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, places_to_check
from pufferproof.verify.noise.ratio.window import DELTA_CLAIMS, DeltaWindows

_FIRST_BITS, _MOST_BITS = 128, 2_560  # bits double until bounds tell
_SAME = 1 - Fraction(1, 1000)  # two widths whose bounds are as good as each other
_PLOTTED, _TAIL = 64, 160  # bits of what is drawn; of normal tails, whose deltas are tiny


@dataclass(frozen=True, repr=False)
class NoiseDelta(Readable):
    """The smallest delta of queries with noise at a level, and where it is reached.

    `tied` are the pairs whose delta could be the largest, `region` the first of them;
    `theorems` are what an upper bound rests on, `claims` those of the algorithms that enclose it.
    """

    level: Level
    value: Fraction | None
    region: DeltaRegion
    prior: str
    pair: Pair
    tied: tuple[Evaluate, ...] = field(repr=False)
    theorems: Theorems = field(default_factory=Theorems)
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds, of relative width 2^-60 where 2,560 bits reach it; of several numbers wider."""
        return self.region.lower, self.region.upper

    def against(self, bound: Fraction) -> "NoiseDelta":
        """Return the same with bounds that tell it from a number, if 2,560 bits do."""
        lower, upper = self.bounds()
        bits = _FIRST_BITS
        while self.value is None and lower <= bound <= upper and bits <= _MOST_BITS:
            regions = [evaluate(bits) for evaluate in self.tied]
            lower = max(lower, *(region.lower for region in regions))
            upper = min(upper, max(region.upper for region in regions))
            bits *= 2
        return replace(self, region=replace(self.region, lower=lower, upper=upper))

    def compare(self, bound: Fraction) -> int | None:
        """Return the sign of delta - bound, or None if 2,560 bits do not tell."""
        if self.value is not None:
            return (self.value > bound) - (self.value < bound)
        lower, upper = self.against(bound).bounds()
        if lower <= bound <= upper:
            return None
        return 1 if lower > bound else -1

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        trust = largest.trust(self.level)
        if self.value is None and "INTERVAL" not in trust:
            trust = (*trust, "INTERVAL")
        return united(trust, self.theorems.trust)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, and the largest ratio with it."""
        return united(self.theorems.claims, self.claims, largest.rests_on(self.level))

    def as_json(self) -> JsonObject:
        """Return the delta object of the file formats."""
        return delta_json(self.value, self.bounds(), self.prior, self.pair, self.region.outputs)

    def __str__(self) -> str:
        above, below = self.pair
        where = f"for {above!r} against {below!r}, prior {self.prior!r}"
        outputs = ", ".join(self.region.outputs)
        return f"delta {between(*self.bounds())} at {self.level}, {where}, outputs {outputs}"


def noise_delta(framework: Framework, mechanism: NoisyQueries, level: Level, largest: LargestRatio) -> NoiseDelta:
    """Return the smallest delta of queries with noise, over listed priors and ordered pairs.

    Args:
        framework: what must be protected.
        mechanism: queries with noise: exactly or closely for up to 200,000 integer outputs, for
            Gaussian noise where values lie on a line and one number with Laplace noise; up to three
            numbers with either, between bounds of about a thousandth, and more between wider ones.
        level: epsilon.
        largest: the largest likelihood ratio, as `queries_leakage` returns it.

    Where the law of what all records add is too large, it is at most that about the first of many
    people alone, at most that of a window around the record, and at most what the largest ratio
    allows.

    Raises `ModelError` unless queries fit the framework, `TooLargeError` if the law is too large
    and nothing bounds the delta.
    """
    question = DeltaQuestion(framework, mechanism, level, largest)
    return ask((by_laws, by_one_person, by_windows, by_largest_ratio), question).expect()


@dataclass(frozen=True)
class DeltaQuestion:
    """The smallest delta of queries with noise at a level, the largest ratio known."""

    framework: Framework
    mechanism: NoisyQueries
    level: Level
    largest: LargestRatio

    @property
    def kept(self) -> bool:
        """Whether the largest ratio keeps the level, so that the delta is 0."""
        sign = self.largest.compare(self.level)
        return self.largest.leakage.upper is not None and sign is not None and sign <= 0


def by_laws(question: DeltaQuestion) -> NoiseDelta:
    """Return the delta of laws of the query, exactly or enclosed. Raises `TooLargeError` of several
    numbers whose largest ratio took too many outputs: a delta takes more.
    """
    largest, several = question.largest, sum(q.dimension for q in question.mechanism.queries) > 1
    if several and isinstance(largest, NoiseBounds) and largest.reason:
        raise TooLargeError(largest.reason, "query")
    laws, level = query_laws(question.framework, question.mechanism), question.level
    if question.kept:
        nothing = DeltaRegion(Fraction(0), Fraction(0), ())
        first = laws.pairs[0]
        return NoiseDelta(level, Fraction(0), nothing, first.prior, first.pair, ())
    return _exact(laws, level) or largest_delta(laws, level)


def by_one_person(question: DeltaQuestion) -> NoiseDelta | None:
    """Bound the delta about one of many people by that about this person alone."""
    framework, mechanism = question.framework, question.mechanism
    if framework.people == 1:
        return None
    alone = noise_delta(framework.alone, mechanism.alone, question.level, question.largest)
    claims = united(PEOPLE_REST_ON, alone.claims)
    return replace(_at_most(alone, alone.bounds()[1]), claims=claims)


def _at_most(delta: NoiseDelta, upper: Fraction) -> NoiseDelta:
    """Return what is known where a delta bounds the one asked for."""
    region = DeltaRegion(Fraction(0), upper, ())
    return replace(delta, value=None, region=region, tied=(lambda bits: region,))


def by_windows(question: DeltaQuestion) -> NoiseDelta | None:
    """Return the least bound of windows of any width, wider ones while they gain a thousandth;
    or None if there is none, and of many people.
    """
    framework, mechanism, level = question.framework, question.mechanism, question.level
    if framework.people > 1:
        return None
    noises = tuple(query.noise for query in mechanism.queries)
    best: NoiseDelta | None = None
    for windows in DeltaWindows.of(framework, mechanism):
        worst: NoiseDelta | None = None
        for prior, pair, parts in windows.pairs():
            tops = [enclosure_of(part, noises, level)(_FIRST_BITS).upper for _, part in parts]
            region = DeltaRegion(Fraction(0), sum(tops, Fraction(0)), ())
            if worst is None or region.upper > worst.region.upper:
                claims = delta_claims(noises)
                worst = NoiseDelta(level, None, region, prior, pair, (), claims=claims)
        if worst is None:
            return None
        settled = best is not None and worst.region.upper > best.region.upper * _SAME
        if best is None or worst.region.upper < best.region.upper:
            best = worst
        if settled or not best.region.upper:
            break
    if best is None:
        return None
    upper = Fraction(0) if question.kept else best.region.upper
    return replace(_at_most(best, upper), theorems=Theorems(DELTA_CLAIMS))


def by_largest_ratio(question: DeltaQuestion) -> NoiseDelta | None:
    """Bound the delta by a bound r of the largest ratio, in both orders of every pair.

    With P(E) <= r Q(E) and 1 - Q(E) <= r (1 - P(E)), P(E) - e^epsilon Q(E) is greatest where both
    are equal: Q(E) = 1 / (r + 1), so that

        delta <= (r - e^epsilon) / (r + 1).
    """
    largest = question.largest
    ratio = largest.leakage.upper
    if ratio is None:
        return None
    with ctx.workprec(_FIRST_BITS):
        bound = (ball(ratio) - question.level.ball()) / (ball(ratio) + 1)
        upper = Fraction(0) if question.kept else dyadic(bound.max(arb(0)).upper())
    prior, pair = places_to_check(question.framework)[0][0]
    region = DeltaRegion(Fraction(0), upper, ())
    found = NoiseDelta(question.level, None, region, prior, pair, (lambda bits: region,))
    return replace(found, theorems=largest.theorems, claims=largest.rests_on(None))


def _exact(laws: QueryLaws, level: Level) -> NoiseDelta | None:
    """Return the delta where every decay and e^epsilon is rational."""
    if (
        lattice_of(laws.noises) is not None
        or level.ratio is None
        or not all(noise.on_integers for noise in laws.noises)
    ):
        return None
    best: NoiseDelta | None = None
    for pair, evaluate in [(pair, enclosure_of(pair, laws.noises, level)) for pair in distinct(laws.pairs)]:
        sums = OutputGrid(pair, [noise.decay for noise in laws.noises if noise.decay]).exactly(level)
        if sums is None:
            return None
        alpha, beta, outputs = sums
        value = alpha - level.ratio * beta
        if best is None or best.value is None or value > best.value:
            region = DeltaRegion(value, value, outputs)
            place = pair.prior, pair.pair
            best = NoiseDelta(level, value, region, *place, (evaluate,), claims=laws.claims)
    return best


def largest_delta(laws: QueryLaws, level: Level) -> NoiseDelta:
    """Return the largest delta of all pairs, each refined while it could be the largest."""
    left = [(pair, enclosure_of(pair, laws.noises, level)) for pair in distinct(laws.pairs)]
    if not left:
        raise nothing_to_check()
    bits, most = _FIRST_BITS, _FIRST_BITS if _by_boxes(laws) else _MOST_BITS
    while True:
        regions = [(pair, evaluate, evaluate(bits)) for pair, evaluate in left]
        lower = max(region.lower for _, _, region in regions)
        regions = [entry for entry in regions if entry[2].upper >= lower]
        upper = max(region.upper for _, _, region in regions)
        whole = DeltaRegion(lower, upper, regions[0][2].outputs)
        if whole.known or bits >= most:
            break
        left = [(pair, evaluate) for pair, evaluate, _ in regions]
        bits *= 2
    first = regions[0][0]
    tied = tuple(evaluate for _, evaluate, _ in regions)
    claims = united(laws.claims, delta_claims(laws.noises))
    return NoiseDelta(level, None, whole, first.prior, first.pair, tied, claims=claims)


def delta_claims(noises: Sequence[Noise]) -> tuple[str, ...]:
    """Return what the enclosures for some noise rest on; sums over integers rest on nothing."""
    if lattice_of(noises) is not None:
        return GAUSSIAN_RESTS_ON
    laplace = any(noise.variance is None and not noise.on_integers for noise in noises)
    gaussian = any(noise.variance is not None for noise in noises)
    return united(
        LAPLACE_RESTS_ON if laplace else (),
        GAUSSIAN_RESTS_ON if gaussian else (),
        LINES_REST_ON if gaussian and len(noises) > 1 else (),
        COUPLINGS_REST_ON if len(noises) > 1 else (),
    )


def profile_approx(laws: QueryLaws, levels: Sequence[Level]) -> list[float]:
    """Return the smallest delta at several levels in floats, for plots: rounded upper bounds at 64 bits."""
    pairs = distinct(laws.pairs)
    return [max(float(enclosure_of(pair, laws.noises, level)(_PLOTTED).upper) for pair in pairs) for level in levels]


def enclosure_of(pair: LawPair, noises: tuple[Noise, ...], level: Level) -> Evaluate:
    """Return the enclosure for the noise of a pair, coordinates that never vary left out."""
    question = EnclosureQuestion(*varying(pair, noises), level)
    return ask((on_lattice, on_integers, of_one_number, on_one_line, of_several), question).expect()


@dataclass(frozen=True)
class EnclosureQuestion:
    """The delta of an ordered pair of laws, all coordinates of which vary."""

    pair: LawPair
    noises: Sequence[Noise]
    level: Level

    @property
    def decays(self) -> list[Power]:
        """The decays of noise that has one."""
        return [noise.decay for noise in self.noises if noise.decay is not None]


def on_lattice(question: EnclosureQuestion) -> Evaluate | None:
    """Sum over outputs of discrete Gaussian noise."""
    sigmas = lattice_of(question.noises)
    if sigmas is None:
        return None
    pair, level = question.pair, question.level
    if len(sigmas) > 1:
        return lambda bits: lattice_delta(pair, sigmas, level, max(bits, _TAIL))
    above, below = pair.scalars
    return lambda bits: gaussian_delta(above, below, sigmas[0], level, max(bits, _TAIL), True)


def on_integers(question: EnclosureQuestion) -> Evaluate | None:
    """Sum over all outputs, which are integers."""
    if not all(noise.on_integers for noise in question.noises):
        return None
    return OutputGrid(question.pair, question.decays).at(question.level)


def of_one_number(question: EnclosureQuestion) -> Evaluate | None:
    """Enclose the integral over the outputs of one number."""
    pair, level, (noise, *others) = question.pair, question.level, question.noises
    if others or noise.on_integers:
        return None
    above, below = pair.scalars
    if noise.decay is not None:
        decay = noise.decay
        return lambda bits: laplace_delta(above, below, decay, level, bits)
    variance = noise.variance or Fraction(0)
    return lambda bits: gaussian_delta(above, below, variance, level, max(bits, _TAIL))


def on_one_line(question: EnclosureQuestion) -> Evaluate | None:
    """Enclose the integral along the line on which all values with Gaussian noise lie."""
    if question.decays or not on_a_line(question.pair):
        return None
    above, below, variance = scalar_laws(question.pair, question.noises)
    level = question.level
    return lambda bits: gaussian_delta(above, below, variance, level, max(bits, _TAIL))


def of_several(question: EnclosureQuestion) -> Evaluate:
    """Enclose the delta of several numbers: with more effort where more bits are asked for."""
    above, below, axes = of_noises(question.pair, question.noises)

    @cache
    def found(effort: int) -> DeltaRegion:
        return several_delta(above, below, axes, question.level, effort)

    return lambda bits: found((bits > _PLOTTED) + (bits > _FIRST_BITS))


def _by_boxes(laws: QueryLaws) -> bool:
    """Whether bounds of several numbers stay wide."""
    if lattice_of(laws.noises) is not None:
        return False
    for pair in distinct(laws.pairs):
        fewer, chosen = varying(pair, laws.noises)
        gaussian = chosen[0].variance is not None
        continuous = {noise.kind for noise in chosen} in ({"laplace"}, {"gaussian"})
        if len(chosen) > 1 and continuous and not (gaussian and on_a_line(fewer)):
            return True
    return False


# The smallest delta over classes of chains, between bounds: some chains have the lower one, with a witness; none has
# more than the upper one.
#
# A search bounds one noisy number of two-valued chains of one matrix (by branch and bound, below). Otherwise a class
# that leaks at most L has at most the delta of randomised response,
#
#     delta <= (e^L - e^epsilon) / (e^L + 1),    epsilon <= L.
#
# For let P <= e^L Q and Q <= e^L P. On the outputs with P > e^epsilon Q, of masses p and q, p <= e^L q and 1 - q <=
# e^L (1 - p), of which p - e^epsilon q is largest where both are equalities.

Floats = NDArray[np.float64]

_ROOM = 1e-11  # of a sum of at most 1,000 numbers below 2, in floats
_MOST_VALUES = 1_000  # of a number, for which `_ROOM` is enough


@dataclass(frozen=True, repr=False)
class ClassDelta(NoiseDelta):
    """The smallest delta over classes at a level, between bounds; `member` has the lower one."""

    member: Prior | None = None
    cells: int | None = field(default=None)

    def compare(self, bound: Fraction) -> int | None:
        """Return the sign of delta - bound, 0 where delta is at most it; None between bounds."""
        lower, upper = self.bounds()
        if upper <= bound:
            return 0
        return 1 if lower > bound else None

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        trust = largest.trust(None)
        return trust if "PROSE" in trust else (*trust, "PROSE")

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, with all of the bounds of the largest ratio."""
        return united(self.claims, largest.rests_on(None))

    def as_json(self) -> JsonObject:
        """Return the delta of the file formats, the witness with its `member`."""
        answer = super().as_json()
        answer["witness"] |= member_json(self.member)
        return answer


@dataclass(frozen=True)
class SearchedDelta:
    """What no chain of the classes exceeds, the worst chains, and how many cells show it."""

    upper: Fraction
    members: dict[str, Prior]
    cells: int


def searched_delta(framework: Framework, form: object, level: Level) -> SearchedDelta | None:
    """Return the largest delta over the classes of a framework by a search, or None unless all its
    priors are boxes of two-valued chains and one noisy number is released.
    """
    query = _single(framework, form)
    boxes = list(_boxes(framework))
    if query is None or len(boxes) != len(framework.priors):
        return None
    upper, members, cells, ratio = 0.0, {}, 0, level.bounds()[0]
    for name, box in boxes:
        wanted = {framework.places[one][0] for one, _ in framework.pairs}
        records = sorted(r for r in wanted if len(box.possible(r)) == 2)
        chains = searched_delta_approx(box, query, records, ratio)
        if chains is None:
            return None
        for worst in chains:
            chain = member_near(box, worst.member, 1 in records)
            members[framework.member(name, named(chain))] = chain
            upper, cells = max(upper, worst.upper), cells + worst.cells
    return SearchedDelta(Fraction(upper), dict(members), cells)


def _single(framework: Framework, form: object) -> RecordQuery | None:
    """Return the query of one noisy number of two values of one person, None of anything else."""
    if not isinstance(form, NoisyQueries) or len(form.queries) != 1 or framework.people != 1:
        return None
    query = form.queries[0]
    two = framework.records is not None and len(framework.records.alphabet) == 2
    if not isinstance(query, RecordQuery) or query.noise.decay is None or query.dimension != 1:
        return None
    return query if two else None


def _boxes(framework: Framework) -> Iterator[tuple[str, IntervalChain]]:
    for name, box in framework.classes.items():
        if isinstance(box, IntervalChain):
            yield name, box


def class_delta(
    some: Any, member: Prior | None, leaked: Leakage, searched: SearchedDelta | None, level: Level
) -> ClassDelta:
    """Return the smallest delta over classes from the delta of some chains, bounds of the leakage
    of all chains, and the result of a search.
    """
    lower, upper = some.bounds()[0], Fraction(1)
    ratio, least = leaked.upper, level.bounds()[0]
    if ratio is not None:
        upper = max(Fraction(0), (ratio - least) / (ratio + 1))
    if searched is not None:
        upper = min(upper, searched.upper)
    outputs = some.region.outputs if isinstance(some, NoiseDelta) else some.outputs
    region = DeltaRegion(lower, max(lower, upper), outputs)
    cells = None if searched is None else searched.cells
    tied: tuple[Evaluate, ...] = (lambda bits: region,)
    prior, pair = str(some.prior), some.pair
    claims = some.claims if isinstance(some, NoiseDelta) else ()
    return ClassDelta(level, None, region, prior, pair, tied, member=member, cells=cells, claims=claims)


def searched_delta_approx(
    box: IntervalChain, query: RecordQuery, records: Sequence[int], ratio: Fraction
) -> list[FoundChain] | None:
    """Return the largest delta about every record at e^epsilon, and a, b and t of the chain; None
    unless noise is Laplace or on integers that are all values of the query.
    """
    steps = {abs(high - low) for low, high in zip(*contributions(query))}
    outputs = outputs_of([query], query.records.count)
    if outputs is None or len(outputs.decays) != 1 or outputs.size > _MOST_VALUES:
        return None
    if query.noise.on_integers and steps != {1}:
        return None
    if box.initial == "stationary" and not (box.lower[0][1] and box.lower[1][0]):
        return None
    chains, floor, ends = [], 0.0, ends_of_box(box)
    for record in records:
        asked = asked_of(box, outputs, record)
        question = AtDelta(asked, Interval.around(ratio), query.noise.on_integers)
        free = box.initial == "any" and asked.record > 1
        share = (0.0, 1.0) if free else (0.5, 0.5)
        cells = tuple((*side, u) for side, u in zip(ends, share))
        one = search_approx(question, (cells[0], cells[1]), floor, lambda *_: False)
        floor = max(floor, one.best)
        member = member_of(box, asked, one)
        chains.append(replace(one, member=member, upper=one.upper + _ROOM))
    return chains


@dataclass(frozen=True)
class AtDelta:
    """The two deltas about a record, of value 1 against 0 and of 0 against 1.

    With g_k = P(k | s) - e^epsilon P(k | s') at values k of the number, but for the factor of the
    noise, Laplace noise has between k and k + 1, t apart in units of its scale, the difference

        (g_k sinh(t - y) + g_(k+1) sinh y) / sinh t,

    whose positive part has the integral (g_k + g_(k+1)) tanh(t/2) or, where the signs differ, the
    square of sqrt(beta) - sqrt(-alpha). It rises in both numbers, so that bounds of g bound delta.
    """

    asked: AtOutputs
    ratio: Interval
    on_integers: bool

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""
        return self.asked.batch

    @property
    def work(self) -> int:
        """About how much work a cell is."""
        return self.asked.work

    @property
    def most_work(self) -> int:
        """How much is done of all cells."""
        return MOST_WORK

    @property
    def most_cells(self) -> int:
        """How many cells are looked at."""
        return self.asked.most_cells

    def values(self, points: Floats) -> Floats:
        """Return about the largest delta of chains."""
        return self.enclosed(points, points).middle

    def enclosed(self, low: Floats, high: Floats) -> CellBounds:
        """Return bounds of both deltas, by cell, and of their slopes."""
        middle = (low + high) / 2
        far, outputs = max(self.asked.record - 1, 1), self.asked.outputs
        points = Bridges(middle[:, :2], middle[:, :2], far, None)
        cells = Bridges(low[:, :2], high[:, :2], far, points)
        means = likelihoods(cells, points, outputs, self.asked.record)
        shares = Interval(low[:, 2], high[:, 2]), Interval.point(middle[:, 2])
        with np.errstate(all="ignore"):
            laws = [self._law(means, cells, points, s, shares) for s in (0, 1)]
            radii = [*cells.radii, (shares[0] - shares[1]).size]
            ways = []
            for above, below in (laws[::-1], laws):
                # A bound of delta by cell, its slopes, and about delta in the middle
                g = above.value - self.ratio * below.value
                point = above.middle - self.ratio * below.middle
                differences = [x - self.ratio * y for x, y in zip(above.slopes, below.slopes)]
                highest = np.fmin(g.high, mean_value(point, differences, radii).high)
                weights = Interval(self._weights(g.low), self._weights(highest, whole=False))
                total = [(weights * slope).sum(axis=1) for slope in differences]
                total = [Interval(x.low - _ROOM, x.high + _ROOM) for x in total]
                moved = mean_value(Interval.point(self._delta(point.high)), total, radii).high
                upper = np.fmin(np.fmin(self._delta(highest), moved) + _ROOM, 1)
                ends = np.stack([np.stack([x.low, x.high]) for x in total])
                ways.append((upper, ends, self._delta(point.low) - _ROOM))
        uppers = np.stack([way[0] for way in ways], axis=1)
        slopes = np.stack([way[1] for way in ways], axis=3)  # parameters, ends, cells, ways
        best = np.max([way[2] for way in ways], axis=0)
        return CellBounds(uppers, slopes[:, 0], slopes[:, 1], best, middle)

    def _law(
        self,
        means: dict[tuple[int, int], BridgeMeans],
        cells: Bridges,
        points: Bridges,
        s: int,
        shares: tuple[Interval, Interval],
    ) -> "_LikelihoodLaw":
        """Return P(k | X_i = s) with three slopes, and of the middle."""
        if self.asked.record == 1:
            one = means[s, s]
            value = flat(one.value)
            nothing = Interval.point(value.low * 0)
            return _LikelihoodLaw(value, [*map(flat, one.slopes), nothing], flat(one.middle))
        pair = means[s, 0], means[s, 1]
        rows = [self.asked.first(at, s, shares[0]) for at in (cells, points)]
        one = mixed(((rows[0],), (rows[1],)), *pair, cells.radii)
        point = (self.asked.first(points, s, shares[1]),)
        middle = flat(mixed((point, point), *pair, []).middle)
        # The derivative in u of P(X_1 = 1 | X_i = s)
        zero = Interval.point(shares[0].low * 0)
        if self.asked.start != "any" or (s != self.asked.base and self.asked.apart):
            steep = zero
        elif s == self.asked.base:
            steep = zero + 1
        else:
            k = self.asked.odds(cells).value
            whole = mixture(shares[0], Interval.point(shares[0].low * 0 + 1), k)  # 1 - u + k u
            steep = k / whole / whole
        by_u = steep[:, None] * flat(gap_of(*pair, cells.radii))
        return _LikelihoodLaw(flat(one.value), [*map(flat, one.slopes), by_u], middle)

    def _delta(self, g: Floats) -> Floats:
        """Return the integral, or the sum, of the positive part."""
        decay, positive = self._decay, np.maximum(g, 0)
        tails = positive[:, 0] + positive[:, -1]
        if self.on_integers:
            total: Floats = positive.sum(axis=1) * ((1 - decay) / (1 + decay))
            return total + tails * (decay / (1 + decay))
        half = (1 - decay) / (1 + decay)  # tanh(t / 2)
        one, two = g[:, :-1], g[:, 1:]
        twice = 1 / decay - decay  # 2 sinh t
        first, last = np.where(one > 0, one, two), np.where(one > 0, two, one)
        beta, alpha = (first / decay - last) / twice, (last - first * decay) / twice
        mixed_ = (np.sqrt(np.maximum(beta, 0)) - np.sqrt(np.maximum(-alpha, 0))) ** 2
        same = (one >= 0) == (two >= 0)
        both = np.where(same, np.maximum(one, 0) + np.maximum(two, 0), 0) * half
        delta: Floats = (np.where(same, both, mixed_).sum(axis=1) + tails) / 2
        return delta

    def _weights(self, g: Floats, whole: bool = True) -> Floats:
        """Return how much of g_k counts in delta: at least, where what is given is the least g;
        at most of the largest g (not `whole`).
        """
        decay = self._decay
        counts = g > 0
        if self.on_integers:
            sums = counts * ((1 - decay) / (1 + decay))
            ends = counts * (decay / (1 + decay))
        else:
            joins = np.logical_and if whole else np.logical_or
            between = joins(counts[:, :-1], counts[:, 1:])
            sums, ends = np.zeros_like(g), counts / 2
            for side in (slice(None, -1), slice(1, None)):
                sums[:, side] += between * ((1 - decay) / (1 + decay) / 2)
        sums[:, 0] += ends[:, 0]
        sums[:, -1] += ends[:, -1]
        weights: Floats = np.asarray(sums, float)
        return weights

    @property
    def _decay(self) -> float:
        decays = self.asked.outputs.decays[0]
        after = decays[decays.shape[0] // 2 + 1]
        return float(after.low + after.high) / 2


@dataclass(frozen=True)
class _LikelihoodLaw:
    """A likelihood by output, its slopes, and the likelihood in the middle."""

    value: Interval
    slopes: Sequence[Interval]
    middle: Interval
