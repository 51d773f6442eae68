"""The record whose best quilt is worst, on chains of any length: what decides the noise of a Markov
quilt mechanism.

    sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - e(X_Q | X_i))

`pufferproof.verify.influence.quilts.search` finds the best quilt of one record, and not every
record is searched: records are halved where influences depend on distances alone, else segments of
records are bounded together, and the one with the largest bound is halved until a single record
reaches it, up to 10^-10 of its value. Source: wang2016, Appendix B (Algorithms 1 to 3), whose fast
search walks from the middle one record at a time.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, infinite_if_none
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.arithmetic import Bounds, PrecisionError
from pufferproof.verify.influence.quilts.search import DistanceWindow, QuiltCandidate, search_quilts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

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
                scored = [self._scored(best.record, candidate, bits) for candidate in best.candidates]
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

    def _scored(self, record: int, quilt: QuiltCandidate, bits: int) -> tuple[Scale, ActiveQuilt]:
        """Return the score of a quilt, and the quilt. The empty one has no influence."""
        empty = quilt.left is None and quilt.right is None
        influence = Bounds.none() if empty else self.source.bounds(record, quilt.left, quilt.right, bits)
        scale = quotient(self.lipschitz * quilt.nearby, self.level, influence)
        return scale, ActiveQuilt(record, quilt.left, quilt.right, quilt.nearby, influence)
