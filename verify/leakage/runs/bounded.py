"""Smallest deltas at a level, known exactly or between bounds: those of runs that are too many to
count are bounded on grids of privacy losses (`grid`), finer ones until they decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple, Self

from pufferproof.models.interface.readable import Readable, between, listed
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import delta_json
from pufferproof.verify.leakage.runs.repeated import RESTS_ON as RUNS_REST_ON

_FEWEST_POINTS, _MANY_POINTS, _MOST_POINTS = 2**13, 2**17, 2**19  # of grids of losses


class KnownDelta(Readable):
    """A smallest delta: a known rational, or between bounds, and where it is reached."""

    level: Level
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    claims: tuple[str, ...]

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        raise NotImplementedError

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        raise NotImplementedError

    def against(self, bound: Fraction) -> Self:
        """Return the same with bounds that tell it from a number, if any do."""
        return self

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        return largest.trust(self.level)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, and the largest ratio with it."""
        return united(self.claims, largest.rests_on(self.level))

    def as_json(self) -> JsonObject:
        """Return `{"ratio", "lower", "upper", "witness"}`: value, enclosure, and place."""
        return delta_json(self.value, self.bounds(), self.prior, self.pair, self.outputs)

    def __str__(self) -> str:
        above, below = self.pair
        value, where = (
            between(*self.bounds()),
            f"for {above!r} against {below!r}, prior {self.prior!r}",
        )
        return f"delta {value} at {self.level}, {where}, outputs {listed(self.outputs)}"


class DeltaPlace(NamedTuple):
    """Where a delta of runs may be largest, and its bounds on a grid of so many points."""

    prior: str
    pair: Pair
    evaluate: Callable[[int], tuple[Fraction, Fraction]]


@dataclass(frozen=True, repr=False)
class BoundedDelta(KnownDelta):
    """A smallest delta of runs that are too many to count, between proved bounds.

    `prior` and `pair` are those of the largest upper bound.
    """

    level: Level
    lower: Fraction
    upper: Fraction
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    _places: tuple[DeltaPlace, ...] = field(repr=False)
    _points: int = field(repr=False)
    claims: tuple[str, ...] = field(default=RUNS_REST_ON, kw_only=True, repr=False)

    @classmethod
    def of(
        cls, level: Level, places: Sequence[DeltaPlace], outputs: tuple[str, ...]
    ) -> "BoundedDelta":
        """Return the largest of the deltas at some places, within 2^-20 of itself if a grid of
        131,072 points tells it so well.
        """
        first = places[0]
        found = cls(
            level, Fraction(0), Fraction(1), first.prior, first.pair, outputs, tuple(places), 0
        )._finer(_FEWEST_POINTS)
        while (found.upper - found.lower) * 2**20 > found.upper and found._points < _MANY_POINTS:
            found = found._finer(4 * found._points)
        return found

    @property
    def value(self) -> None:
        """None: delta is not a known rational."""
        return None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        return self.lower, self.upper

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return that, and the arithmetic of intervals."""
        return tuple(dict.fromkeys((*super().trust(largest), "INTERVAL")))

    def against(self, bound: Fraction) -> "BoundedDelta":
        """Return the same on a grid that tells it from a number, of at most 524,288 points."""
        found = self
        while found.lower <= bound < found.upper and found._points < _MOST_POINTS:
            found = found._finer(4 * found._points)
        return found

    def compare(self, bound: Fraction) -> int | None:
        """Return 1 if delta is more than a bound, and -1 if it is at most that; None if no grid of
        at most 524,288 points tells.
        """
        lower, upper = self.against(bound).bounds()
        if lower > bound:
            return 1
        return -1 if upper <= bound else None

    def _finer(self, points: int) -> "BoundedDelta":
        """Return the same on a grid of so many points."""
        known = [(place, *place.evaluate(points)) for place in self._places]
        lower = max(self.lower, *(low for _, low, _ in known))
        known = [each for each in known if each[2] >= lower]
        place, _, upper = max(known, key=lambda each: each[2])
        left = tuple(place for place, _, _ in known)
        return replace(
            self,
            lower=lower,
            upper=min(self.upper, upper),
            prior=place.prior,
            pair=place.pair,
            _places=left,
            _points=points,
        )
