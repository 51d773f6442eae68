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
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball, dyadic, least
from pufferproof.models.numbers.level import Level
from pufferproof.verify.losses.laws import TIES, GaussianMixtures, LossLaw, Reversed

if TYPE_CHECKING:
    import numpy as np
    from flint import arb, fmpz_poly
    from numpy.typing import NDArray

# Masses of one step on a grid of privacy losses, and their products, over a power of two.
#
# Two laws A, B are above P, Q if the integral of (a - t b)_+ is at least that of (p - t q)_+ for every t >= 0. This is
# kept in products: with any third pair R, S,
#
#     integral of (a r - t b s)_+ = integral of r(z) H(t s(z) / r(z)) dz,  H that of A and B,
#
# which grows with H (Zhu, Dong and Wang 2022, Theorem 10, also for outputs that later steps see). Total masses may be
# below 1 here.

RESTS_ON = ("general.losses-of-steps", "general.losses-on-a-grid")
_CUT = 4  # of what may be missing is cut off at one end


@dataclass(frozen=True)
class Scale:
    """What a product rounds to: masses are integers over 2^bits, and at most about `tail` of all
    runs is left out.
    """

    bits: int
    tail: float

    @property
    def unit(self) -> int:
        return 1 << self.bits


class Masses(NamedTuple):
    """Integers over a power of two, at the points from `first` on."""

    first: int
    poly: "fmpz_poly"


class Step(NamedTuple):
    """One step on the grid: masses of P spread over two points, P at the nearer one, and Q there,
    each times e^loss of the point, over their sum `weight`.
    """

    spread: Masses
    above: Masses
    below: Masses
    weight: "arb"


def step_on_grid(law: "LossLaw", start: "arb", step: "arb", scale: Scale) -> Step:
    """Return the masses of a step on the grid start + i step.

    `spread` is above: a loss between two points is divided between both so that p and q keep their
    sums (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022). Merging the points gives P and Q
    back, so that by Jensen's inequality it is above. What rounding down misses of 1 counts in full.

    `above` and `below` are below: every output is named after a point, one in no bin has no name,
    and the sum of names is compared with a threshold, which is a test of P against Q: delta is at
    least P(test) - e^epsilon Q(test). Q is small where P is large, so that its masses are tilted by
    e^loss before they are rounded down; what that misses counts in full.
    """
    first, above, below, wide = law.bins(start, step, scale.tail)
    last = max([first + len(above), *(high for _, high, _, _ in wide)])
    begin = min([first, *(low for low, _, _, _ in wide)])
    spread, named = ([0] * (last - begin + 1) for _ in range(2))
    tilted = [0 * step] * (last - begin + 1)
    narrow = ((place, place + 1, p, q) for place, (p, q) in enumerate(zip(above, below), first))
    back = -(-step).expm1()
    for low, high, p, q in (*narrow, *wide):
        if p.is_zero() and q.is_zero():
            continue  # most bins of listed losses
        # p = lower + beyond, q = lower / r + beyond / (r e^(h distance)), r at the lower point
        ratio = (start + low * step).exp()
        beyond = (p - ratio * q) / (back if high == low + 1 else -((low - high) * step).expm1())
        spread[high - begin] += _rounded(beyond, scale.bits)
        spread[low - begin] += _rounded(p - beyond, scale.bits)
        name = high if beyond > p / 2 else low
        named[name - begin] += _rounded(p, scale.bits)
        tilted[name - begin] += (start + name * step).exp() * q
    weight = sum(tilted, 0 * step)
    shares = [_rounded(mass / weight, scale.bits) if mass > 0 else 0 for mass in tilted]
    return Step(_masses(begin, spread), _masses(begin, named), _masses(begin, shares), weight)


def _rounded(mass: "arb", bits: int) -> int:
    """Return the largest integer over 2^bits that is certainly at most a mass, at least 0."""
    least = mass.lower()
    if not least > 0:
        return 0
    return int((least * 2**bits).floor().unique_fmpz())


def _masses(first: int, row: Sequence[int]) -> Masses:
    from flint import fmpz_poly

    return Masses(first, fmpz_poly(row))


def power(one: Masses, runs: int, scale: Scale, share: float) -> Masses:
    """Return the masses of so many runs; `share` is that of one run in what may be missing."""
    found, count = one, 1
    for bit in f"{runs:b}"[1:]:
        found, count = product(found, found, scale, 2 * count * share), 2 * count
        if bit == "1":
            found, count = product(found, one, scale, (count + 1) * share), count + 1
    return found


def product(one: Masses, other: Masses, scale: Scale, share: float) -> Masses:
    """Return the masses of two parts together, rounded down, without small ends."""
    from flint import fmpz_poly

    masses = ((one.poly * other.poly) // scale.unit).coeffs()
    most = int(Fraction(share * scale.tail / _CUT) * scale.unit)
    # how many of the first masses, and of the last ones, add up to at most so much
    left, right = (
        next((place for place, total in enumerate(accumulate(ends)) if total > most), len(ends))
        for ends in (masses, masses[::-1])
    )
    return Masses(one.first + other.first + left, fmpz_poly(masses[left : len(masses) - right]))


# All steps on one grid of privacy losses: what the laws of all of them together prove of delta.
#
# Sources and the argument are in `grid`.

_BITS = 40  # of masses, and more for tails and points
_TRIED = 512  # steps of a grid
_STEEP = 600  # of an exponential that is a float


class Part(NamedTuple):
    """A step that is repeated: its laws under both databases, and how often."""

    law: LossLaw
    runs: int


@dataclass(frozen=True)
class Fineness:
    """How fine a grid is: the step between losses in deviations of one step of all, and what may
    be left out.
    """

    step: float
    tail: float


class LossGrid:
    """All steps on one grid of the privacy losses of P against Q."""

    def __init__(self, parts: Sequence[Part], fine: Fineness, spread: float) -> None:
        from flint import ctx

        self.parts = parts
        runs = sum(part.runs for part in parts)
        bits = _BITS + math.ceil(-math.log2(fine.tail)) + runs.bit_length()
        self.scale = Scale(bits, fine.tail)
        one = Scale(bits, fine.tail / runs / 4)
        # so large losses are, in steps, so that balls of them are short beside what a tie is
        far = max(abs(end) for part in parts for end in part.law.levels(fine.tail))
        size = max(1.0, far) / min(1.0, fine.step * spread)
        self.precision = bits + 160 + math.ceil(math.log2(size))
        with ctx.workprec(self.precision):
            self.step, starts = _grid(parts, fine.step * spread)
            self.start = sum((part.runs * at for part, at in zip(parts, starts)), ball(0))
            steps = [step_on_grid(part.law, at, self.step, one) for part, at in zip(parts, starts)]
            self.finite = math.prod((ball(1 - part.law.infinite) ** part.runs for part in parts), start=ball(1))
            self.weight = math.prod((step.weight**part.runs for step, part in zip(steps, parts)), start=ball(1))
            self.spread = self._power([each.spread for each in steps])
            self.above = self._power([each.above for each in steps])
            self.below = self._power([each.below for each in steps])

    def _power(self, steps: Sequence[Masses]) -> Masses:
        """Return the masses of all runs of all steps."""
        total, found, done = sum(part.runs for part in self.parts), None, 0
        for part, one in zip(self.parts, steps):
            done += part.runs
            runs = power(one, part.runs, self.scale, 1 / total)
            found = runs if found is None else product(found, runs, self.scale, done / total)
        assert found is not None
        return found

    def delta(self, level: "arb") -> "tuple[arb, arb]":
        """Return bounds of delta of P against Q at a level in nats."""
        from flint import ctx

        with ctx.workprec(self.precision):
            # P(test) - e^level Q(test) of the best threshold: a ratio is infinite, or the sum of names is large
            place, unit = self._threshold(level), self.scale.unit
            named = int(self.above.poly.right_shift(max(place - self.above.first, 0))(1))
            missing = unit - int(self.below.poly(1))
            tilted = self._untilted(self.below, place) + missing * (-self.start - place * self.step).exp()
            gain = (named - level.exp() * self.weight * tilted) / unit
            # what the sum of p (1 - e^(level - loss)) over larger losses is at most
            first, poly = self.spread
            point = ((level - self.start) / self.step).mid().floor().unique_fmpz()
            assert point is not None
            place = min(max(int(point) + 1, first), first + len(poly))  # the first one above the level
            kept, all_kept = int(poly.right_shift(place - first)(1)), int(poly(1))
            shrunk = level.exp() * self._untilted(self.spread, place)
            # what ties at points of the grid, and which point is the first, change at most
            slack = ball(Fraction(self.scale.tail) * TIES + Fraction(1, unit))
            return (1 - self.finite + (gain if gain > 0 else 0)), ((kept - shrunk + (unit - all_kept)) / unit + slack)

    def _untilted(self, masses: Masses, place: int) -> "arb":
        """Return the sum of masses times e^-loss from a point on."""
        from flint import arb_poly

        rest = masses.poly.right_shift(max(place - masses.first, 0))
        return (-self.start - max(place, masses.first) * self.step).exp() * arb_poly(rest)((-self.step).exp())

    def _threshold(self, level: "arb") -> int:
        """Return about the best threshold, from floats."""
        import numpy as np

        above, below = self._floats
        first = min(self.above.first, self.below.first)
        one, other = self.above.first - first, self.below.first - first
        gains = np.zeros(max(one + len(above), other + len(below)) + 1)
        gains[one : one + len(above)] += above
        points = self.below.first + np.arange(len(below))
        tilt = float((level + self.weight.log() - self.start).mid()) - points * float(self.step.mid())
        gains[other : other + len(below)] -= np.exp(np.minimum(tilt, _STEEP)) * below
        return first + int(gains[::-1].cumsum()[::-1].argmax())

    @cached_property
    def _floats(self) -> "list[NDArray[np.float64]]":
        import numpy as np

        unit = float(self.scale.unit)
        sides = (self.above, self.below)
        return [np.array([float(int(n)) for n in side.poly.coeffs()]) / unit for side in sides]

    @property
    def points(self) -> int:
        """The number of points that all steps together have."""
        return int(self.spread.poly.length())


def _grid(parts: Sequence[Part], step: float) -> "tuple[arb, list[arb]]":
    """Return the step of a grid, and where that of each part starts: losses that have mass of
    their own are points, of the first part that has some: the least and the largest exactly, and
    others nearly.
    """
    import numpy as np

    nodes = [part.law.nodes for part in parts]
    size = ball(Fraction(step))
    for each in nodes:
        if len(each) > 1 and (span := each[-1] - each[0]) > size:
            losses = np.array([float(((node - each[0]) / span).mid()) for node in each])
            fewest = 2 * math.ceil(float(span.mid()) / step / 2)
            steps = fewest + np.arange(min(fewest // 4, _TRIED) + 1)
            points = np.outer(steps, losses)
            size = span / int(steps[abs(points - np.round(points)).sum(axis=1).argmin()])
            break
    return size, [each[0] if each else ball(0) for each in nodes]


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
            from flint import ctx

            # the larger delta of one step, from its laws: deltas are as small as powers of 1 / ratio
            most = min(float(_nats(level, 64).upper()), _MOST_ALONE)
            precision = min(_ALONE + 4 * math.ceil(most), _MOST_ALONE)
            with ctx.workprec(precision):
                ratio = _nats(level, precision).exp()
                known = [side[0].law.alone(ratio) for side in self._orders]
                ends = [_within(delta, delta) for delta in known]
            return max(low for low, _ in ends), max(high for _, high in ends)

        def asked(grid: LossGrid) -> Bounds:
            return _within(*grid.delta(_nats(level, grid.precision)))

        def fine(low: Fraction, high: Fraction) -> bool:
            if bound is not None and not low <= bound < high:
                return True
            return high < _TINY or (bound is None and high - low <= close * high)

        def tail(low: Fraction, high: Fraction, tail: float) -> float:
            width = high * close if bound is None else min(high * close, high - low)
            found = float(width) * _SAFE
            # below what was left out delta may be 0
            return found if low or high > tail else min(found, tail * tail)

        return self._refined([_Order(side, asked, tail, close, bits) for side in self._orders], fine)

    def epsilon(self, delta: Fraction, close: Fraction = CLOSE) -> Bounds | None:
        """Return bounds of the smallest level in nats at which delta is at most a number above 0,
        None if no level has so small a delta.

        Raises `TooLargeError` where no level up to 2^20 nats is proved to have it.
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

        low, high = self._refined([_Order(side, asked, tail, close) for side in self._orders], fine)
        if high >= _LARGEST:
            raise TooLargeError(
                "the smallest level is not known: expected a delta that levels "
                f"up to {_LARGEST} nats are proved to have",
                "delta",
            )
        return low, high

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
    """Return where an end of delta begins to be at most a number, rounded down or up; `_LARGEST` if it is more even
    there.
    """

    from flint import ctx

    def kept(level: Fraction) -> bool:
        with ctx.workprec(grid.precision):
            nats = ball(level)
        return _within(*grid.delta(nats))[end] <= delta

    if kept(Fraction(0)):
        return Fraction(0)
    high = Fraction(1, 16)
    while not kept(high):
        if high >= _LARGEST:
            return Fraction(_LARGEST)
        high *= 2
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
