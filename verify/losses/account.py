"""The smallest delta at a level of many steps, and the smallest level at a delta, between proved
bounds: both orders of the two databases, on grids made finer until the bounds are close.

    delta(epsilon) = max of  integral (p - e^epsilon q)_+  and  integral (q - e^epsilon p)_+

of the products of the laws of all steps, each with its own sample and noise. One step alone has no
grid: its delta is enclosed from the two laws.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, dyadic, least
from pufferproof.models.numbers.level import Level
from pufferproof.verify.losses.laws import LossLaw
from pufferproof.verify.losses.many import Fineness, LossGrid, Part
from pufferproof.verify.losses.mixtures import GaussianMixtures

if TYPE_CHECKING:
    from flint import arb

Bounds = tuple[Fraction, Fraction]
CLOSE = Fraction(1, 2000)  # relative width at which a grid is fine enough
_ROUGH = 512  # bins of one step, which tell how far its losses spread
_FIRST, _LEAST_TAIL = Fineness(0.1, 1e-15), 1e-200
_SAFE = 1e-6  # of delta, may be left out
_MOST_BITS = 2**27  # of the masses of a grid
_MOST_BINS = 2**15  # of one step
_ROUNDS = 24
_ALONE, _MOST_ALONE = 320, 2**12  # bits of one step alone
_LARGEST = 2**20  # level in nats that is searched up to
_TINY = Fraction(1, 10**40)  # delta below it is small enough for every grid
_NOTHING: Bounds = (Fraction(0), Fraction(0))


@dataclass(frozen=True)
class BothOrders:
    """Bounds of what is asked, and of both orders: P against Q, and Q against P."""

    bounds: Bounds
    orders: tuple[Bounds, Bounds]
    points: int = 0


class LossAccount:
    """The privacy losses of steps, each of which is repeated.

    Args: parts: the laws P and Q of every step, P that of the same database in all.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.verify.losses.laws import steps_of
    >>> law = steps_of(Noise.gaussian(1), Fraction(1, 10), Fraction(1), Fraction(0))
    >>> low, high = LossAccount([Part(law, 2)]).delta(Level("1")).bounds
    >>> round(float(low), 5), round(float(high), 5)
    (0.00051, 0.00051)
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = [part for part in parts if part.runs]
        self.runs = sum(part.runs for part in self.parts)
        self._tail = _FIRST.tail

    @property
    def _spread(self) -> float:
        """About the root mean square of the deviations of the losses of all steps."""
        squares = sum(part.runs * _variance(part.law) for part in self.parts)
        return math.sqrt(squares / self.runs)

    def delta(
        self, level: Level, bound: Fraction | None = None, close: Fraction = CLOSE
    ) -> BothOrders:
        """Return bounds of the smallest delta at a level, whose relative width is at most `close`
        or which tell delta from a `bound`, unless no grid of some 16 MB has such,
        or delta is below 10^-40.
        """
        if not self.parts:
            return BothOrders(_NOTHING, (_NOTHING, _NOTHING))

        def fine(found: Bounds) -> bool:
            low, high = found
            if bound is not None and not low <= bound < high:
                return True
            return high < _TINY or (bound is None and high - low <= close * high)

        if self.runs == 1 and not isinstance(self.parts[0].law, GaussianMixtures):
            return self._one(level)

        def asked(grid: LossGrid) -> BothOrders:
            return _both(grid, _nats(level, grid.precision))

        return self._refined(asked, fine, lambda high, fine: high * _SAFE / _times(level))

    def epsilon(self, delta: Fraction, close: Fraction = CLOSE) -> BothOrders | None:
        """Return bounds of the smallest level in nats at which delta is at most a number above 0,
        None if no level has so small a delta.
        """
        if not self.parts:
            return BothOrders(_NOTHING, (_NOTHING, _NOTHING))
        certain = 1 - math.prod((1 - part.law.infinite) ** part.runs for part in self.parts)
        never = 1 - math.prod((1 - part.law.never) ** part.runs for part in self.parts)
        if max(certain, never) > delta:
            return None

        def asked(grid: LossGrid) -> BothOrders:
            orders = (_levels(grid, 0, delta), _levels(grid, 1, delta))
            return BothOrders(_larger(*orders), orders, grid.points)

        def fine(found: Bounds) -> bool:
            low, high = found
            return high - low <= close * high

        def tail(high: float, fine: Fineness) -> float:
            if high >= _LARGEST:
                return fine.tail * 1e-8
            return float(delta) * _SAFE * math.exp(-min(high, 400))

        return self._refined(asked, fine, tail)

    def _one(self, level: Level) -> BothOrders:
        """Return the deltas of one step, from its laws."""
        from flint import ctx

        law = self.parts[0].law
        # deltas are as small as powers of 1 / ratio
        bits = min(_ALONE + 4 * math.ceil(float(_nats(level, 64).upper())), _MOST_ALONE)
        with ctx.workprec(bits):
            ratio = _nats(level, bits).exp()
            ways = law.alone(ratio), law.back(ratio)
            orders = (_within(ways[0], ways[0]), _within(ways[1], ways[1]))
            return BothOrders(_larger(*orders), orders)

    def _refined(
        self,
        asked: Callable[[LossGrid], BothOrders],
        enough: Callable[[Bounds], bool],
        tail: Callable[[float, Fineness], float],
    ) -> BothOrders:
        """Return an answer from grids made finer until it is good enough."""
        spread = self._spread
        widths = [part.law.levels for part in self.parts]

        def least_step(tail: float) -> float:
            """Return the step, in deviations, at which one step of all has the most bins."""
            reach = max(high - low for low, high in (levels(tail) for levels in widths))
            return reach / spread / _MOST_BINS

        fine = Fineness(max(_FIRST.step, least_step(_FIRST.tail)), _FIRST.tail)
        answer, best = None, None
        for _ in range(_ROUNDS):
            grid = LossGrid(self.parts, fine, spread)
            answer = asked(grid)
            best = answer if best is None else _tighter(best, answer)
            low, high = best.bounds
            if enough(best.bounds):
                break
            wanted = max(min(fine.tail, tail(float(high), fine)), _LEAST_TAIL)
            if wanted < fine.tail / 4:
                fine = Fineness(max(fine.step, least_step(wanted)), wanted)
                continue
            width = float((high - low) / high) if high else 0.0
            factor = math.sqrt(float(CLOSE) / width) * 0.8 if width else 0.5
            factor = min(max(factor, 1 / 16), 0.5)
            finest = grid.points * grid.scale.bits / _MOST_BITS
            factor = max(factor, finest, least_step(fine.tail) / fine.step)
            if factor > 1 / 2:
                break
            fine = Fineness(fine.step * factor, fine.tail)
        assert best is not None
        return best


def _both(grid: LossGrid, level: "arb") -> BothOrders:
    """Return delta at a level of both orders on a grid."""
    orders = tuple(_within(low, high) for low, high in grid.delta(level))
    return BothOrders(_larger(*orders), (orders[0], orders[1]), grid.points)


def _within(low: "arb", high: "arb") -> Bounds:
    """Return rational bounds of a probability."""
    least = dyadic(low.lower()) if low.lower() > 0 else Fraction(0)
    most = dyadic(high.upper()) if high.upper() < 1 else Fraction(1)
    return least, max(least, most)


def _larger(one: Bounds, other: Bounds) -> Bounds:
    return max(one[0], other[0]), max(one[1], other[1])


def _tighter(one: BothOrders, other: BothOrders) -> BothOrders:
    """Return what both prove."""
    orders = tuple(
        (max(first[0], second[0]), min(first[1], second[1]))
        for first, second in zip(one.orders, other.orders)
    )
    return BothOrders(_larger(*orders), (orders[0], orders[1]), max(one.points, other.points))


def _levels(grid: LossGrid, order: int, delta: Fraction) -> Bounds:
    """Return bounds of the smallest level at which delta of an order is at most a number."""

    def side(end: int, level: Fraction) -> bool:
        found = grid.delta(_at(level, grid.precision))[order][end]
        bounds = _within(found, found)
        return bounds[end] <= delta

    return _last(lambda level: side(0, level), 0), _last(lambda level: side(1, level), 1)


def _last(kept: Callable[[Fraction], bool], end: int) -> Fraction:
    """Return where a promise begins to be kept, rounded down or up."""
    if kept(Fraction(0)):
        return Fraction(0)
    high = Fraction(1, 16)
    while not kept(high):
        high *= 2
        if high >= _LARGEST:
            return Fraction(_LARGEST)
    return least(
        kept,
        (high / 2 if high > Fraction(1, 16) else Fraction(0), high),
        within=Fraction(1, 10**9),
        relative=Fraction(1, 2**16),
    )[end]


def _nats(level: Level, bits: int) -> "arb":
    from flint import ctx

    with ctx.workprec(bits):
        return level.ball().log() if level.nats is None else ball(level.nats)


def _at(level: Fraction, bits: int) -> "arb":
    from flint import ctx

    with ctx.workprec(bits):
        return ball(level)


def _times(level: Level) -> float:
    """e^level as a float, not too large a one."""
    return math.exp(min(float(_nats(level, 64).mid()), 400))


def _variance(law: LossLaw) -> float:
    """Return about the variance of a privacy loss, from bins of all its losses."""
    from flint import ctx

    with ctx.workprec(128):
        low, high = law.levels(1e-9)
        if low == high:
            return 1.0
        _, above, below, _ = law.bins(
            ball(Fraction(low)), ball(Fraction(high - low) / _ROUGH), 1e-9
        )
        bins = [(float(p.mid()), float(q.mid())) for p, q in zip(above, below)]
    losses = [(p, math.log(p / q)) for p, q in bins if p > 0 and q > 0]
    mean = sum(p * loss for p, loss in losses)
    return sum(p * (loss - mean) ** 2 for p, loss in losses) or 1.0
