"""Smallest deltas at a level, known exactly or between bounds: those of runs that are too many to
count are bounded by the account of privacy losses (`pufferproof.verify.losses.account`), on finer
grids until they decide.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple, Self

from pufferproof.models.interface.readable import Readable, between, listed
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import LargestRatio, delta_json
from pufferproof.verify.leakage.runs.parts import Likelihoods
from pufferproof.verify.leakage.runs.repeated import RESTS_ON as RUNS_REST_ON
from pufferproof.verify.losses.account import RESTS_ON as GRID_RESTS_ON
from pufferproof.verify.losses.account import Bounds, LossAccount, Part
from pufferproof.verify.losses.laws import Listed

_ROUGH, _CLOSE = Fraction(1, 1000), Fraction(1, 2**20)  # relative widths
_MANY_BITS, _MOST_BITS = 2**24, 2**26  # of a grid: for the width, and to decide
_BITS, _LITTLE = 384, Fraction(1, 2**80)  # of the probability that some ratio is infinite


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
        value, where = (between(*self.bounds()), f"for {above!r} against {below!r}, prior {self.prior!r}")
        return f"delta {value} at {self.level}, {where}, outputs {listed(self.outputs)}"


def runs_bounds(law: Likelihoods, level: Level, runs: int, close: Fraction, bound: Fraction | None = None) -> Bounds:
    """Return bounds of delta at a level of so many runs between two databases, of a relative width,
    or which tell delta from a bound, if a grid has such.

    Args: law: both likelihoods of the outputs that have both, those of one ratio together, in the
        order of ratios p/q.

    >>> law = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4))]
    >>> [round(float(end), 9) for end in runs_bounds(law, Level("log(2)"), 1, Fraction(1, 1000))]
    [0.25, 0.25]
    """
    from flint import ctx

    if not law:
        return Fraction(1), Fraction(1)
    finite = [sum(side, Fraction(0)) for side in zip(*law)]
    with ctx.workprec(_BITS):
        nats = level.ball().log() if level.nats is None else ball(level.nats)
        rest = (runs * ball(finite[0]).log()).exp()
        certain = max(dyadic((1 - rest).lower()), Fraction(0))  # some ratio is infinite
        if nats >= runs * ball(law[-1][0] / law[-1][1]).log():  # no other exceeds the level
            return certain, dyadic((1 - rest).upper())
        if rest < ball(_LITTLE):
            return certain, Fraction(1)
    outputs = Listed(lambda _: [(ball(p), ball(q)) for p, q in law], *(1 - each for each in finite))
    bits = _MANY_BITS if bound is None else _MOST_BITS
    return LossAccount([Part(outputs, runs)], order=0).delta(level, bound, close, bits)


class DeltaPlace(NamedTuple):
    """Where a delta of runs may be largest, and its bounds of a relative width, or which tell it
    from a number.
    """

    prior: str
    pair: Pair
    evaluate: Callable[[Fraction, Fraction | None], Bounds]


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
    claims: tuple[str, ...] = field(default=united(RUNS_REST_ON, GRID_RESTS_ON), kw_only=True, repr=False)

    @classmethod
    def of(cls, level: Level, places: Sequence[DeltaPlace], outputs: tuple[str, ...]) -> "BoundedDelta":
        """Return the largest of the deltas at some places, within 2^-20 of itself if a grid tells
        it so well.
        """
        first = places[0]
        whole = Fraction(0), Fraction(1)
        found = cls(level, *whole, first.prior, first.pair, outputs, tuple(places))
        return found._closer(_ROUGH)._closer(_CLOSE)

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
        """Return the same with bounds that tell it from a number, if a grid of 8 MB does."""
        return self._closer(_CLOSE, bound) if self.lower <= bound < self.upper else self

    def compare(self, bound: Fraction) -> int | None:
        """Return 1 if delta is more than a bound, and -1 if it is at most that; None if no grid of
        8 MB tells.
        """
        lower, upper = self.against(bound).bounds()
        if lower > bound:
            return 1
        return -1 if upper <= bound else None

    def _closer(self, close: Fraction, bound: Fraction | None = None) -> "BoundedDelta":
        """Return the same with bounds of a relative width, or which tell it from a number."""
        if bound is None and self.upper - self.lower <= close * self.upper:
            return self
        known = [(place, *place.evaluate(close, bound)) for place in self._places]
        lower = max(self.lower, *(low for _, low, _ in known))
        known = [each for each in known if each[2] >= lower]
        place, _, upper = max(known, key=lambda each: each[2])
        return replace(
            self,
            lower=lower,
            upper=min(self.upper, upper),
            prior=place.prior,
            pair=place.pair,
            _places=tuple(place for place, _, _ in known),
        )
