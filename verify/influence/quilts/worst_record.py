"""The record whose best quilt is worst, on chains of any length: what decides the noise of a Markov
quilt mechanism.

    sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - e(X_Q | X_i))

`pufferproof.verify.influence.quilts.worst_record` finds the best quilt of one record, and not every
record is searched: records are halved where influences depend on distances alone, else segments of
records are bounded together, and the one with the largest bound is halved until a single record
reaches it, up to 10^-10 of its value. Source: wang2016, Appendix B (Algorithms 1 to 3), whose fast
search walks from the middle one record at a time.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, infinite_if_none
from pufferproof.models.noise.scale import Scale, margin, quotient
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.arithmetic import Bounds, PrecisionError
from pufferproof.verify.influence.bounds import SPECTRAL_RESTS_ON as BOUNDS_REST_ON
from pufferproof.verify.influence.bounds import EigengapBound, SpectralBound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The best Markov quilt of a record on a chain: the one that asks for the least noise, found without trying all of
# them.
#
#     score(a, b) = (a + b - 1) / (epsilon - e(a, b)),    e(a, b) the influence of {X_(i-a), X_(i+b)}
#
# over 1 <= a <= i and 1 <= b <= T + 1 - i, where a = i stands for no record on the left and b = T + 1 - i for none on
# the right. Boxes of quilts whose bound exceeds a score already found are dropped, the others split in four: about N
# survive of N^2 quilts as large as the best one. Floats with the error that the influences state propose;
# `QuiltCandidate`s keep bounds that hold. Source: wang2016, Appendix B, which tries every quilt.

if TYPE_CHECKING:
    Indices = NDArray[np.int64]

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

SEARCH_RESTS_ON = ("influence.boxes",)
Influences = Callable[["Indices", "Indices"], tuple["Floats", "Floats"]]
"""Left and right distances, 0 for none -> bounds of e in nats, both falling in each distance
and infinite where e is.
"""

_ROUNDED = 2.0**-48  # more than the rounding errors of the few operations on a score


@dataclass(frozen=True)
class QuiltCandidate:
    """A quilt that may be the best one, None for no record on a side, and bounds of its score
    in floats.
    """

    left: int | None
    right: int | None
    nearby: int
    lower: float
    upper: float


@dataclass(frozen=True)
class DistanceWindow:
    """Distances that a quilt may have: up to `most` records away, or none at all, which makes
    `none` records nearby.

    For record i of T: left Window(i - 1, i), right Window(T - i, T + 1 - i).
    """

    most: int
    none: int

    def reach(self, index: "Indices") -> "Indices":
        """Return how many records an index 1 .. most + 1 makes nearby, itself included."""
        import numpy as np

        return np.where(index > self.most, self.none, index)

    def distance(self, index: "Indices") -> "Indices":
        """Return the distance of an index, 0 for none."""
        import numpy as np

        return np.where(index > self.most, 0, index)


def search_quilts(
    left: DistanceWindow,
    right: DistanceWindow,
    length: int,
    influences: Influences,
    level: Level,
    enough: float = math.inf,
) -> list[QuiltCandidate]:
    """Return every quilt that may have the least score, the least lower bound first; none if no
    score is up to `enough`.

    No quilt has more than `length` records nearby.
    """
    import numpy as np

    bounds = margin(level, Fraction(1)) or (0, 0)
    least, most = float(bounds[0]) * (1 - _ROUNDED), float(bounds[1]) * (1 + _ROUNDED)
    reach = max(1, math.ceil(enough * most)) if enough < math.inf else max(left.most, right.most) + 1
    boxes = np.array([[1, min(left.most + 1, reach), 1, min(right.most + 1, reach)]], dtype=np.int64)
    candidates: list[QuiltCandidate] = []
    best = enough
    while len(boxes):
        low, high = influences(left.distance(boxes[:, 1]), right.distance(boxes[:, 3]))
        near = np.minimum(left.reach(boxes[:, 0]) + right.reach(boxes[:, 2]) - 1, length)
        far = np.minimum(left.reach(boxes[:, 1]) + right.reach(boxes[:, 3]) - 1, length)
        bound = _scores(near, most - low) * (1 - _ROUNDED)  # influence.boxes
        score = _scores(far, least - high) * (1 + _ROUNDED)
        best = min(best, float(score.min()))
        kept = bound <= best
        single = (boxes[:, 0] == boxes[:, 1]) & (boxes[:, 2] == boxes[:, 3])
        for index in np.flatnonzero(kept & single):
            a, b = left.distance(boxes[index, 1]), right.distance(boxes[index, 3])
            ends = int(near[index]), float(bound[index]), float(score[index])
            candidates.append(QuiltCandidate(int(a) or None, int(b) or None, *ends))
        boxes = _quarters(boxes[kept & ~single])
    return sorted(
        (candidate for candidate in candidates if candidate.lower <= best),
        key=lambda each: (each.lower, each.nearby, each.left or math.inf),
    )


def _scores(nearby: "Indices", margins: "Floats") -> "Floats":
    """Return nearby / margin, infinite unless the margin is positive."""
    import numpy as np

    scores = np.full(len(nearby), np.inf)
    np.divide(nearby, margins, out=scores, where=margins > 0)
    return scores


def _quarters(boxes: "Indices") -> "Indices":
    """Split every box in halves along each side that is longer than one."""
    import numpy as np

    for start in (0, 2):
        middle = (boxes[:, start] + boxes[:, start + 1]) // 2
        lower, upper = boxes.copy(), boxes[boxes[:, start] < boxes[:, start + 1]].copy()
        lower[:, start + 1] = middle
        upper[:, start] = middle[boxes[:, start] < boxes[:, start + 1]] + 1
        boxes = np.concatenate([lower, upper])
    return boxes


RESTS_ON = ("influence.boxes", "wang2016.fast-cases", "wang2016.B2-cases")
_WIDTH = Fraction(1, 10**10)  # relative, of a scale
_MOST_CANDIDATES, _MOST_SEGMENTS = 128, 20_000
_FIRST_BITS, _MOST_BITS = 128, 1 << 13


@dataclass(frozen=True, repr=False)
class ActiveQuilt(Readable):
    """A quilt of X_i, None for no record on a side: how many records are nearby, and bounds of
    e^e of its influence.
    """

    record: int
    left: int | None
    right: int | None
    nearby: int
    influence: Bounds

    def __str__(self) -> str:
        ends = [
            f"{end}" for end in (self.left and self.record - self.left, self.right and self.record + self.right) if end
        ]
        quilt = f"records {' and '.join(ends)}" if ends else "no records"
        return f"quilt of record {self.record}: {quilt}, {self.nearby} nearby, e^influence {self.influence}"


@dataclass(frozen=True, repr=False)
class QuiltScale(Readable, Tabular):
    """The scale of the noise of a Markov quilt mechanism, the quilt that asks for it, and how
    many records were searched. It rests on `claims`.
    """

    _named, _axis = ("record",), "scale"

    scale: Scale
    quilt: ActiveQuilt
    searched: int
    claims: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    def entries(self) -> list[Entry]:
        """Return one row: the record that asks for the scale, its quilt, and the scale."""
        quilt = self.quilt
        return [
            {
                "record": quilt.record,
                "left": None if quilt.left is None else quilt.record - quilt.left,
                "right": None if quilt.right is None else quilt.record + quilt.right,
                "nearby": quilt.nearby,
                "lower": infinite_if_none(self.scale.lower),
                "upper": infinite_if_none(self.scale.upper),
            }
        ]

    @property
    def trivial(self) -> bool:
        """Whether no quilt but the empty one keeps the level, so that all records are nearby."""
        return self.quilt.left is None and self.quilt.right is None

    def __str__(self) -> str:
        return f"scale {self.scale}; {self.quilt}"


class Source(Protocol):
    """Where influences come from. `within` is what `quilt_search` asks for, of all records of a
    segment together.

    Records of a segment differ by multiples of `period`; `position_free` says that they do not
    matter at all. They rest on `claims`.
    """

    claims: tuple[str, ...]
    position_free: bool
    period: int

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of influences in nats that hold for every record of a segment."""

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of e^e of a quilt that has some record. May raise
        `PrecisionError`.
        """


def worst_record(
    source: Source, length: int, level: Level, records: Sequence[int] | None, lipschitz: Fraction | int
) -> QuiltScale:
    """Return the scale for the worst of some records (all if None), the quilt that asks for it, and
    how many were searched.

    Raises `ModelError` unless epsilon > 0, records are on the chain, and influences can be told
    apart.
    """
    if level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "epsilon")
    places = range(1, length + 1) if records is None else sorted(set(records))
    if not places:
        raise ModelError("expected at least one record, found none", "records")
    for record in (places[0], places[-1]):
        if not 1 <= record <= length:
            raise ModelError(f"expected a record from 1 to {length}, found {record}", "records")
    search = _WorstRecord(source, length, level, Fraction(lipschitz))
    return search.by_halves(places) if source.position_free else search.by_segments(places)


@dataclass(frozen=True)
class _BestQuilts:
    """The candidates for the best quilt of a record, or of all records of a segment."""

    record: int
    candidates: list[QuiltCandidate]

    @property
    def lower(self) -> float:
        """A lower bound of the least score, of one record."""
        return self.candidates[0].lower

    @property
    def upper(self) -> float:
        """An upper bound of the least score, of every record of a segment."""
        return min(candidate.upper for candidate in self.candidates)


class _WorstRecord:
    def __init__(self, source: Source, length: int, level: Level, lipschitz: Fraction) -> None:
        self.source, self.length, self.level, self.lipschitz, self.searched = (source, length, level, lipschitz, 0)

    def by_halves(self, places: Sequence[int]) -> QuiltScale:
        """Find the worst record where influences depend on distances alone, as with a stationary
        start and with published bounds.

        Then the best quilt {X_(i-a), X_(i+b)} of one X_i serves every other X_j, whole or as far
        as it lies on the chain; a best quilt {X_(i+b)} serves every j < i with fewer records
        nearby, {X_(i-a)} every j > i; and the empty one is the same for all (wang2016.B2-cases,
        wang2016.fast-cases). So records are halved, not walked through.
        """
        low, high = 0, len(places) - 1
        scales: list[QuiltScale] = []
        while low <= high:
            middle = (low + high) // 2
            now = self.exact(self.best(places[middle], places[middle]))
            scales.append(now)
            if (now.quilt.left is None) == (now.quilt.right is None):  # two-sided or empty: it serves every record
                scales.append(self._first(now, places[: middle + 1]))
                break
            low, high = (middle + 1, high) if now.quilt.left is None else (low, middle - 1)
        least = max(scale.scale.lower or Fraction(0) for scale in scales)
        reaching = [scale for scale in scales if scale.scale.upper is None or scale.scale.upper >= least]
        return self._told(min(reaching, key=lambda each: each.quilt.record))

    def _first(self, last: QuiltScale, places: Sequence[int]) -> QuiltScale:
        """Return the first record with the same score, whose best quilt is on the right."""
        low, high, best = 0, len(places) - 1, last
        while low < high:
            middle = (low + high) // 2
            now = self._reaches(places[middle], best)
            if now is None:
                low = middle + 1
            else:
                best, high = now, middle
        return best

    def _reaches(self, record: int, later: QuiltScale) -> QuiltScale | None:
        """Return what is found for a record if its score is no smaller than that of a later one,
        else None.

        Only quilts on the right can score less: one on the left scores no less than for the later
        record.
        """
        here, quilt = self.best(record, record, one_sided=True), later.quilt
        least = later.scale.lower or Fraction(0)
        if math.isfinite(here.upper) and Fraction(here.upper) * self.lipschitz < least:
            return None
        if quilt.left is None or quilt.left < record:
            return replace(later, quilt=replace(quilt, record=record))
        now = self.exact(here)
        return now if now.scale.upper is None or now.scale.upper >= least else None

    def by_segments(self, places: Sequence[int]) -> QuiltScale:
        """Find the worst record among many by bounds of whole segments."""
        groups = self._groups(places)
        heap = sorted(
            (-self.best(group[0], group[-1]).upper, index, 0, len(group) - 1) for index, group in enumerate(groups)
        )
        floor = self.best(places[0], places[0])
        for _ in range(_MOST_SEGMENTS):
            negative, index, low, high = heap[0]
            group, middle = groups[index], (low + high) // 2
            single = self.best(group[middle], group[middle], -negative)
            floor = single if single.lower > floor.lower else floor
            if low == high or -negative <= floor.lower * (1 + 4 * float(_WIDTH)):
                break
            heappop(heap)
            for first, last in ((low, middle), (middle + 1, high)):
                heappush(heap, (-self.best(group[first], group[last], -negative).upper, index, first, last))
        else:
            raise PrecisionError(
                f"the record with the worst quilt is not found within {_MOST_SEGMENTS} segments", "records"
            )
        others = [
            -negative
            for negative, index, low, high in heap
            if not groups[index][low] == groups[index][high] == floor.record
        ]
        return self._told(self.exact(floor), Fraction(max(others, default=0.0)))

    def _groups(self, places: Sequence[int]) -> list[Sequence[int]]:
        """Return the records by their place in the period of the chain."""
        period = self.source.period
        if period == 1:
            return [places] if places else []
        groups = [[t for t in places if t % period == first] for first in range(period)]
        return [group for group in groups if group]

    def _told(self, largest: QuiltScale, most: Fraction = Fraction(0)) -> QuiltScale:
        """Return the result with the upper bound of all records, unless far: `PrecisionError`."""
        scale, most = largest.scale, most * self.lipschitz
        if scale.lower is None or scale.upper is None:
            raise PrecisionError("influences and the level cannot be told apart", "epsilon")
        if most - scale.lower > 10 * _WIDTH * most:
            raise PrecisionError("records with the worst quilt cannot be told apart", "records")
        if most > scale.upper:
            scale = Scale(scale.lower, most)
        claims = (*self.source.claims, *RESTS_ON)
        return QuiltScale(scale, largest.quilt, self.searched, claims=claims)

    def best(self, first: int, last: int, enough: float = math.inf, one_sided: bool = False) -> _BestQuilts:
        """Return the best quilts of a record, or of all records of a segment together; `enough`
        bounds their score.

        With `one_sided` only those without a record on the left.
        """
        self.searched += 1
        left, right = (
            DistanceWindow(0 if one_sided else first - 1, last),
            DistanceWindow(self.length - last, self.length + 1 - first),
        )

        def influences(lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
            return self.source.within(first, last, lefts, rights)

        return _BestQuilts(first, search_quilts(left, right, self.length, influences, self.level, enough))

    def exact(self, best: _BestQuilts) -> QuiltScale:
        """Return the least score of a record, candidates told apart by rigorous influences."""
        if len(best.candidates) > _MOST_CANDIDATES:
            raise PrecisionError(
                f"{len(best.candidates)} quilts of record {best.record} cannot be told apart", "epsilon"
            )
        bits = _FIRST_BITS
        while bits <= _MOST_BITS:
            with suppress(PrecisionError):
                scored = []
                for quilt in best.candidates:  # the empty one has no influence
                    distances = quilt.left, quilt.right
                    empty = distances == (None, None)
                    influence = Bounds.none() if empty else self.source.bounds(best.record, *distances, bits)
                    scale = quotient(self.lipschitz * quilt.nearby, self.level, influence)
                    scored.append((scale, ActiveQuilt(best.record, *distances, quilt.nearby, influence)))
                if (found := self._least(scored)) is not None:
                    return found
            bits *= 2
        raise PrecisionError(f"influences of record {best.record} are too close to the level", "epsilon")

    def _least(self, scored: Sequence[tuple[Scale, ActiveQuilt]]) -> QuiltScale | None:
        """Return the least scale, by left distance if equal, or None without close bounds."""
        finite = [
            (scale.lower, scale.upper, scale, quilt)
            for scale, quilt in scored
            if scale.lower is not None and scale.upper is not None
        ]
        lower = min((each.lower for each, _ in scored if each.lower is not None), default=None)
        if not finite or lower is None:
            return None
        least = min(upper for _, upper, _, _ in finite)
        if least - lower > _WIDTH * lower:
            return None
        equal = [(scale, quilt) for low, _, scale, quilt in finite if low <= least]
        scale, quilt = min(equal, key=lambda each: (each[1].nearby, each[1].left or math.inf))
        return QuiltScale(scale if lower == scale.lower else Scale(lower, scale.upper), quilt, self.searched)


# The Markov quilt mechanism on chains, with published bounds instead of exact influences.
#
#     sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - bound(X_Q))
#
# with the eigengap bounds of `pufferproof.verify.influence.bounds`: wang2016, Lemma 4.7 (of a class of chains) or
# song2017, Lemma II.3 (MQMApprox, one chain). Quilts with a distance below the bound's threshold are left out; one-
# sided quilts get the terms of their own side and the empty one 0, as wang2016 states. What a bound assumes
# (irreducible, aperiodic, reversible) is checked; whether it bounds influence for any law of X_1 is not: claims on
# both papers say where it fails.

PUBLISHED_RESTS_ON = ("wang2016.lem-4.7", "wang2016.x-alg2-repaired", "song2017.lem-II3-repaired")
_RATE_BITS = 192
# more than the relative error of exp(-x) for an x that is read from rationals, per unit of x
_PUBLISHED_ROUNDING = 2.0**-46


def markov_quilt_approx(
    bound: EigengapBound, length: int, level: Level, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism with a published bound of influence.

    Were only two-sided quilts searched, as song2017's lemma is printed, the first record would have
    none, and no finite noise would be enough. Bounds depend on distances alone, so that few records
    are searched.

    Args:
        bound: the bound, of a chain or a class of chains.
        length: T.
        level: epsilon > 0.
        records: the records whose values are secret, all if None.
        lipschitz: L, how much the query changes at most (in L1) when one record does.

    >>> from pufferproof.verify.influence.bounds import wang_bound
    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    >>> worst = markov_quilt_approx(wang_bound([chain]), 1000, Level.of_nats(1))
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('49.220', 22, 18)

    Raises `ModelError` unless epsilon > 0, records are on the chain.
    """
    return worst_record(_EigengapScores(bound), length, level, records, lipschitz)


class _EigengapScores:
    """A bound h(b) + 2 h(a), h(t) = log((pi + x) / (pi - x)), x = exp(-r t), or infinity."""

    claims: tuple[str, ...] = PUBLISHED_RESTS_ON
    position_free = True
    period = 1

    def __init__(self, bound: EigengapBound) -> None:
        self.bound = bound

    @cached_property
    def _rate(self) -> tuple[float, float]:
        """Floats below and above the rate r, the least eigengap over the bound's divisor."""
        from flint import ctx

        with ctx.workprec(_RATE_BITS):
            gaps = [spectrum.gap() / self.bound.divisor for spectrum in self.bound.spectra]
            low, high = (
                min(dyadic(end) for end in ends) for ends in zip(*((gap.lower(), gap.upper()) for gap in gaps))
            )
        return float(low) * (1 - _PUBLISHED_ROUNDING), float(high) * (1 + _PUBLISHED_ROUNDING)

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of the bound; records do not matter."""
        (low, high), (after_low, after_high) = self._terms(lefts), self._terms(rights)
        return 2 * low + after_low, 2 * high + after_high

    def _terms(self, distances: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of h, 0 where the distance is."""
        import numpy as np

        pi, (slow, fast) = float(self.bound.least), self._rate
        shown = distances > 0
        terms = []
        for rate, sign in ((fast, -1), (slow, 1)):
            wide = _PUBLISHED_ROUNDING * (1 + rate * distances)
            decay = np.exp(-rate * distances) * (1 + sign * wide)
            gap = pi - decay + sign * -_PUBLISHED_ROUNDING * pi
            ratio = np.full(len(distances), math.inf)
            np.divide(2 * decay, gap, out=ratio, where=gap > 0)
            terms.append(np.where(shown, np.maximum(np.log1p(ratio) * (1 + sign * _PUBLISHED_ROUNDING), 0.0), 0.0))
        return terms[0], terms[1]

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of e^bound, infinite below the threshold."""
        ratio = self.bound.at(left, right)
        return Bounds.infinite() if ratio is None else Bounds(ratio.lower, ratio.upper)


# The Markov quilt mechanism on chains, with the sharper bound of singular values instead of exact influences.
#
#     sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - bound(X_Q))
#
# with the bound of `pufferproof.verify.influence.bounds`. Quilts with a distance at which it has none are left out.
# What it assumes is checked, so that it is at least the influence; it is at most the published bounds. It depends on
# distances alone, so that few records are searched.

SPECTRAL_RESTS_ON = ("general.spectral-influence", "song2017.mqm-private-repaired")
_BITS = 192
_TINY = 1e-300  # more than any number that exp gives as 0
_SPECTRAL_ROUNDING = 2.0**-46  # more than the relative error of exp(-x), per unit of x, and of the terms


def markov_quilt_spectral(
    bound: SpectralBound, length: int, level: Level, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism with the bound of singular values.

    Args:
        bound: the bound of a chain, from its stationary law or from any law of X_1.
        length: T.
        level: epsilon > 0.
        records: the records whose values are secret, all if None.
        lipschitz: L, how much the query changes at most (in L1) when one record does.

    >>> from pufferproof.verify.influence.bounds import spectral_bound
    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    >>> worst = markov_quilt_spectral(spectral_bound(chain, True), 1000, Level.of_nats(1))
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('35.980', 14, 14)

    Raises `ModelError` unless epsilon > 0, records are on the chain.
    """
    return worst_record(_SpectralScores(bound), length, level, records, lipschitz)


class _SpectralScores:
    """Floats below and above the terms log B and log C, infinite where D may be 1 or more."""

    claims: tuple[str, ...] = (*SPECTRAL_RESTS_ON, *BOUNDS_REST_ON)
    position_free = True
    period = 1

    def __init__(self, bound: SpectralBound) -> None:
        self.bound = bound

    @cached_property
    def _rate(self) -> tuple[float, float] | None:
        """Floats below and above -log sigma, None for sigma = 0."""
        from flint import ctx

        with ctx.workprec(_BITS):
            square = self.bound.square()
            if square == 0:
                return None
            rate = -square.log() / 2
            low, high = dyadic(rate.lower()), dyadic(rate.upper())
        return float(low) * (1 - _SPECTRAL_ROUNDING), float(high) * (1 + _SPECTRAL_ROUNDING)

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of the bound; records do not matter."""
        backward = _forward if self.bound.stationary else _backward
        before, after = self._decays(lefts), self._decays(rights)
        low, high = (
            (backward(left) + _forward(right)) * (1 + sign * _SPECTRAL_ROUNDING)
            for left, right, sign in zip(before, after, (-1, 1))
        )
        return low, high

    def _decays(self, distances: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of D, 0 where the distance is."""
        import numpy as np

        if self._rate is None:
            nothing = np.zeros(len(distances))
            return nothing, nothing
        slow, fast = self._rate
        low = np.exp(-fast * distances) * (1 - _SPECTRAL_ROUNDING * (1 + fast * distances))
        high = np.exp(-slow * distances) * (1 + _SPECTRAL_ROUNDING * (1 + slow * distances)) + _TINY
        least, shown = float(self.bound.least), distances > 0
        below = np.maximum(low / least * (1 - _SPECTRAL_ROUNDING), 0.0)
        above = high / least * (1 + _SPECTRAL_ROUNDING)
        return np.where(shown, below, 0.0), np.where(shown, above, 0.0)

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of e^bound, infinite where there is none."""
        ratio = self.bound.at(left, right)
        return Bounds.infinite() if ratio is None else Bounds(ratio.lower, ratio.upper)


def _forward(decay: "Floats") -> "Floats":
    """Return log B, as log(1 + D (D + sqrt(2 - D^2))/(1 - D^2))."""
    import numpy as np

    inside = np.minimum(decay, 1.0)
    return _logs(inside * (inside + np.sqrt(2 - inside**2)), (1 - inside) * (1 + inside))


def _backward(decay: "Floats") -> "Floats":
    """Return log C, as log(1 + D (2 - D)/(1 - D)^2)."""
    import numpy as np

    inside = np.minimum(decay, 1.0)
    return _logs(inside * (2 - inside), (1 - inside) ** 2)


def _logs(above: "Floats", below: "Floats") -> "Floats":
    import numpy as np

    ratio = np.full(len(above), math.inf)
    np.divide(above, below, out=ratio, where=below > 0)
    logs: Floats = np.log1p(ratio)
    return logs
