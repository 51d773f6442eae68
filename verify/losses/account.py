"""The smallest delta at a level of many steps, and the smallest level at a delta, between proved
bounds: both orders of the two databases, on grids made finer until the bounds are close.

    delta(epsilon) = max of  integral (p - e^epsilon q)_+  and  integral (q - e^epsilon p)_+

of the products of the laws of all steps, each with its own sample and noise. One step alone has no
grid: its delta is enclosed from the two laws.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, dyadic, least
from pufferproof.models.numbers.level import Level
from pufferproof.verify.losses.laws import LossLaw, Reversed
from pufferproof.verify.losses.many import Fineness, LossGrid, Part
from pufferproof.verify.losses.mixtures import GaussianMixtures

if TYPE_CHECKING:
    from flint import arb

Bounds = tuple[Fraction, Fraction]
CLOSE = Fraction(1, 2000)  # relative width at which a grid is fine enough
_ROUGH = 512  # bins of one step, which tell how far its losses spread
_FIRST, _LEAST_TAIL = Fineness(0.1, 1e-15), 1e-200
_SAFE = 1 / 500  # of the width that is asked for may be left out
_MOST_BITS = 2**27  # of the masses of a grid
_MOST_BINS = 2**15  # of one step
_ROUNDS = 24
_ALONE, _MOST_ALONE = 320, 2**12  # bits of one step alone
_LARGEST = 2**20  # level in nats that is searched up to
_TINY = Fraction(1, 10**190)  # delta below it is small enough for every grid
_NOTHING: Bounds = (Fraction(0), Fraction(0))


class LossAccount:
    """The privacy losses of steps, each of which is repeated.

    Args:
        parts: the laws P and Q of every step, P that of the same database in all.
        order: 0 for P against Q alone, 1 for Q against P, None for the worse one.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.verify.losses.laws import steps_of
    >>> law = steps_of(Noise.gaussian(1), Fraction(1, 10), Fraction(1), Fraction(0))
    >>> low, high = LossAccount([Part(law, 2)]).delta(Level("1"))
    >>> round(float(low), 5), round(float(high), 5)
    (0.00051, 0.00051)
    """

    def __init__(self, parts: Sequence[Part], order: int | None = None) -> None:
        self.parts = [part for part in parts if part.runs]
        sides = self.parts, [Part(Reversed(part.law), part.runs) for part in self.parts]
        if order is None and all(part.law.symmetric for part in self.parts):
            order = 0  # both are the same
        self._orders = sides if order is None else (sides[order],)

    def delta(
        self, level: Level, bound: Fraction | None = None, close: Fraction = CLOSE, bits: int = _MOST_BITS
    ) -> Bounds:
        """Return bounds of the smallest delta at a level, whose relative width is at most `close`
        or which tell delta from a `bound`, unless no grid of some `bits` has such, or delta is
        below 10^-190.
        """
        if not self.parts:
            return _NOTHING
        law, runs = self.parts[0]
        if len(self.parts) == runs == 1 and not isinstance(law, GaussianMixtures):
            return self._one(level)

        def asked(grid: LossGrid) -> Bounds:
            return _within(*grid.delta(_nats(level, grid.precision)))

        def fine(low: Fraction, high: Fraction) -> bool:
            if bound is not None and not low <= bound < high:
                return True
            return high < _TINY or (bound is None and high - low <= close * high)

        def tail(low: Fraction, high: Fraction, tail: float) -> float:
            width = high * close if bound is None else min(high * close, high - low)
            return float(width) * _SAFE

        return self._refined([_Order(side, asked, tail, close, bits) for side in self._orders], fine)

    def epsilon(self, delta: Fraction, close: Fraction = CLOSE) -> Bounds | None:
        """Return bounds of the smallest level in nats at which delta is at most a number above 0,
        None if no level has so small a delta.
        """
        if not self.parts:
            return _NOTHING
        for side in self._orders:
            if 1 - math.prod((1 - part.law.infinite) ** part.runs for part in side) > delta:
                return None

        def asked(grid: LossGrid) -> Bounds:
            return _last(grid, 0, delta), _last(grid, 1, delta)

        def fine(low: Fraction, high: Fraction) -> bool:
            return high - low <= close * high

        def tail(low: Fraction, high: Fraction, tail: float) -> float:
            return tail * 1e-8 if high >= _LARGEST else float(delta * close) * _SAFE

        return self._refined([_Order(side, asked, tail, close) for side in self._orders], fine)

    def _one(self, level: Level) -> Bounds:
        """Return the larger delta of one step, from its laws."""
        from flint import ctx

        # deltas are as small as powers of 1 / ratio
        bits = min(_ALONE + 4 * math.ceil(float(_nats(level, 64).upper())), _MOST_ALONE)
        with ctx.workprec(bits):
            ratio = _nats(level, bits).exp()
            known = [side[0].law.alone(ratio) for side in self._orders]
            ends = [_within(delta, delta) for delta in known]
        return max(low for low, _ in ends), max(high for _, high in ends)

    @staticmethod
    def _refined(orders: "list[_Order]", enough: Callable[[Fraction, Fraction], bool]) -> Bounds:
        """Return bounds of the largest answer of some orders, whose grid is made finer where the
        upper bound is largest, until they are good enough.
        """
        for order in orders:
            order.refine()
        while True:
            largest = max(orders, key=lambda order: order.high)
            low, high = max(order.low for order in orders), largest.high
            if enough(low, high) or largest.finest:
                return low, high
            largest.refine()


class _Order:
    """An answer for one order of the two databases, on grids that are made ever finer.

    Args:
        asked: returns bounds from a grid.
        tail: what may be left out, by both bounds and what was left out so far.
        close: relative width that is aimed at.
        bits: of the masses of a grid, at most.
    """

    low, high = Fraction(0), Fraction(_LARGEST)
    finest = False  # no finer grid is tried

    def __init__(
        self,
        parts: Sequence[Part],
        asked: Callable[[LossGrid], Bounds],
        tail: Callable[[Fraction, Fraction, float], float],
        close: Fraction,
        bits: int = _MOST_BITS,
    ) -> None:
        self.parts, self.asked, self.tail = parts, asked, tail
        self.close, self.bits = close, bits
        squares = sum(part.runs * _variance(part.law) for part in parts)
        # about the root mean square of the deviations of the losses of all steps
        self.spread = math.sqrt(squares / sum(part.runs for part in parts))
        self.fine = Fineness(max(_FIRST.step, self._least_step(_FIRST.tail)), _FIRST.tail)
        self.rounds = 0

    def refine(self) -> None:
        """Take the bounds of the next grid, and choose the one after it."""
        grid, fine = LossGrid(self.parts, self.fine, self.spread), self.fine
        low, high = self.asked(grid)
        self.low, self.high = max(self.low, low), min(self.high, high)
        self.rounds += 1
        tail = self.tail(self.low, self.high, fine.tail)
        wanted = max(min(fine.tail, tail), _LEAST_TAIL)
        if wanted < fine.tail / 4:
            self.fine = Fineness(max(fine.step, self._least_step(wanted)), wanted)
            factor = 0.5
        else:
            width = float((self.high - self.low) / self.high) if self.high else 0.0
            # bounds differ by about the square of the step
            factor = math.sqrt(float(self.close) / width) * 0.8 if width else 0.5
            factor = min(max(factor, 1 / 16), 0.5)
            finest = grid.points * grid.scale.bits / self.bits
            factor = max(factor, finest, self._least_step(fine.tail) / fine.step)
            self.fine = Fineness(fine.step * factor, fine.tail)
        self.finest = factor > 0.5 or self.rounds == _ROUNDS

    def _least_step(self, tail: float) -> float:
        """Return the step, in deviations, at which one step of all has the most bins."""
        ends = [part.law.levels(tail) for part in self.parts]
        return max(high - low for low, high in ends) / self.spread / _MOST_BINS


def _within(low: "arb", high: "arb") -> Bounds:
    """Return rational bounds of a probability."""
    least = dyadic(low.lower()) if low.lower() > 0 else Fraction(0)
    most = dyadic(high.upper()) if high.upper() < 1 else Fraction(1)
    return least, max(least, most)


def _last(grid: LossGrid, end: int, delta: Fraction) -> Fraction:
    """Return where an end of delta begins to be at most a number, rounded down or up."""

    def kept(level: Fraction) -> bool:
        return _within(*grid.delta(_at(level, grid.precision)))[end] <= delta

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


def _variance(law: LossLaw) -> float:
    """Return about the variance of a privacy loss, from bins of all its losses."""
    from flint import ctx

    with ctx.workprec(128):
        low, high = law.levels(1e-9)
        if low == high:
            return 1.0
        _, above, below, _ = law.bins(ball(Fraction(low)), ball(Fraction(high - low) / _ROUGH), 1e-9)
        bins = [(float(p.mid()), float(q.mid())) for p, q in zip(above, below)]
    losses = [(p, math.log(p / q)) for p, q in bins if p > 0 and q > 0]
    mean = sum(p * loss for p, loss in losses)
    return sum(p * (loss - mean) ** 2 for p, loss in losses) or 1.0
