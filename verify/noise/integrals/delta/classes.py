"""The smallest delta over classes of chains, between bounds: some chains have the lower one, with a
witness; none has more than the upper one.

A search bounds one noisy number of two-valued chains of one matrix (by branch and bound, below).
Otherwise a class that leaks at most L has at most the delta of randomised response,

    delta <= (e^L - e^epsilon) / (e^L + 1),    epsilon <= L.

For let P <= e^L Q and Q <= e^L P. On the outputs with P > e^epsilon Q, of masses p and q,
p <= e^L q and 1 - q <= e^L (1 - p), of which p - e^epsilon q is largest where both are equalities.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.intervals import Interval, mean_value, mixture
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.corners import contributions
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.classes.bridges import BridgeMeans, Bridges, gap_of, likelihoods, mixed
from pufferproof.verify.noise.classes.outputs import AtOutputs, flat
from pufferproof.verify.noise.classes.search import CellBounds, FoundChain, search_approx
from pufferproof.verify.noise.classes.turning import MOST_WORK, asked_of, ends_of_box, member_of, outputs_of
from pufferproof.verify.noise.classes.worst import member_near, named
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Evaluate
from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    def values(self, points: "Floats") -> "Floats":
        """Return about the largest delta of chains."""
        return self.enclosed(points, points).middle

    def enclosed(self, low: "Floats", high: "Floats") -> CellBounds:
        """Return bounds of both deltas, by cell, and of their slopes."""
        import numpy as np

        middle = (low + high) / 2
        far, outputs = max(self.asked.record - 1, 1), self.asked.outputs
        points = Bridges(middle[:, :2], middle[:, :2], far, None)
        cells = Bridges(low[:, :2], high[:, :2], far, points)
        means = likelihoods(cells, points, outputs, self.asked.record)
        shares = Interval(low[:, 2], high[:, 2]), Interval.point(middle[:, 2])
        with np.errstate(all="ignore"):
            laws = [self._law(means, cells, points, s, shares) for s in (0, 1)]
            radii = [*cells.radii, (shares[0] - shares[1]).size]
            ways = [self._bounds(laws[s], laws[1 - s], radii) for s in (1, 0)]
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
        by_u = self._by_share(cells, s, shares[0]) * flat(gap_of(*pair, cells.radii))
        return _LikelihoodLaw(flat(one.value), [*map(flat, one.slopes), by_u], middle)

    def _by_share(self, cells: Bridges, s: int, share: Interval) -> Interval:
        """Return the derivative in u of P(X_1 = 1 | X_i = s)."""
        zero = Interval.point(share.low * 0)[:, None]
        if self.asked.start != "any" or (s != self.asked.base and self.asked.apart):
            return zero
        if s == self.asked.base:
            return zero + 1
        k = self.asked.odds(cells).value
        whole = mixture(share, Interval.point(share.low * 0 + 1), k)  # 1 - u + k u
        return (k / whole / whole)[:, None]

    def _bounds(
        self, above: "_LikelihoodLaw", below: "_LikelihoodLaw", radii: "Sequence[Floats]"
    ) -> "tuple[Floats, Floats, Floats]":
        """Return a bound of delta by cell, its slopes, and about delta in the middle."""
        import numpy as np

        g = above.value - self.ratio * below.value
        point = above.middle - self.ratio * below.middle
        slopes = [x - self.ratio * y for x, y in zip(above.slopes, below.slopes)]
        highest = np.fmin(g.high, mean_value(point, slopes, radii).high)
        weights = Interval(self._weights(g.low), self._weights(highest, whole=False))
        total = [(weights * slope).sum(axis=1) for slope in slopes]
        total = [Interval(x.low - _ROOM, x.high + _ROOM) for x in total]
        middle = Interval.point(self._delta(point.high))
        moved = mean_value(middle, total, radii).high
        upper = np.fmin(np.fmin(self._delta(highest), moved) + _ROOM, 1)
        ends = np.stack([np.stack([x.low, x.high]) for x in total])
        return upper, ends, self._delta(point.low) - _ROOM

    def _delta(self, g: "Floats") -> "Floats":
        """Return the integral, or the sum, of the positive part."""
        import numpy as np

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

    def _weights(self, g: "Floats", whole: bool = True) -> "Floats":
        """Return how much of g_k counts in delta: at least, where what is given is the least g;
        at most of the largest g (not `whole`).
        """
        import numpy as np

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
