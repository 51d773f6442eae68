"""The smallest delta at a level of many steps, and the smallest level at a delta, between proved
bounds: both orders of the two databases, on grids made finer until the bounds are close.

    delta(epsilon) = max of  integral (p - e^epsilon q)_+  and  integral (q - e^epsilon p)_+

of the products of the laws of all steps, each with its own sample and noise. One step alone has no
grid: its delta is enclosed from the two laws.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball, dyadic, least, log_approx
from pufferproof.models.numbers.level import Level
from pufferproof.verify.losses.laws import TIES, GaussianMixtures, Listed, LossLaw, Reversed, WorstOfBoth

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


@dataclass(frozen=True)
class Fineness:
    """How fine a grid is: the step between losses in deviations of one step of all, and what may
    be left out; masses count by e^(tilt loss) where bins are chosen.
    """

    step: float
    tail: float
    tilt: float = 0.0


class Masses(NamedTuple):
    """Integers over a power of two, at the points from `first` on."""

    first: int
    poly: "fmpz_poly"


class Step(NamedTuple):
    """One step on the grid, by points: masses of P spread over two points, P at the nearer one, and
    Q there, each times e^loss of the point, over their sum `weight`. `kept` is the mass of P that
    has a place.
    """

    spread: "dict[int, arb]"
    above: "dict[int, arb]"
    below: "dict[int, arb]"
    weight: "arb"
    kept: "arb"


def step_on_grid(law: "LossLaw", start: "arb", step: "arb", fine: Fineness) -> Step:
    """Return the masses of a step on the grid start + i step.

    `spread` is above: a loss between two points is divided between both so that p and q keep their
    sums (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022). Merging the points gives P and Q
    back, so that by Jensen's inequality it is above. What rounding down misses of 1 counts in full.

    `above` and `below` are below: every output is named after a point, one in no bin has no name,
    and the sum of names is compared with a threshold, which is a test of P against Q: delta is at
    least P(test) - e^epsilon Q(test). Q is small where P is large, so that its masses are tilted by
    e^loss before they are rounded: what rounding down misses counts in full.
    """
    bins = law.bins(start, step, fine.tail, fine.tilt)
    nothing = ball(0)
    spread, named, tilted = ({each.low: nothing} for each in bins[:1] * 3)
    for low, high, p, q in bins:
        if p.is_zero() and q.is_zero():
            continue
        # p = lower + beyond, q = lower / r + beyond / (r e^(h distance)), r at the lower point
        ratio = (start + low * step).exp()
        beyond = (p - ratio * q) / -((low - high) * step).expm1()
        spread[high] = spread.get(high, nothing) + beyond
        spread[low] = spread.get(low, nothing) + p - beyond
        name = high if beyond > p / 2 else low
        named[name] = named.get(name, nothing) + p
        tilted[name] = tilted.get(name, nothing) + (start + name * step).exp() * q
    weight = sum(tilted.values(), nothing)
    shares = {name: mass / weight for name, mass in tilted.items()}
    return Step(spread, named, shares, weight, sum((each.above for each in bins), nothing))


def _rounded(mass: "arb", bits: int) -> int:
    """Return the largest integer over 2^bits that is certainly at most a mass, at least 0."""
    least = mass.lower()
    if not least > 0:
        return 0
    return int((least * 2**bits).floor().unique_fmpz())


def _masses(row: "dict[int, arb]", bits: int) -> Masses:
    from flint import fmpz_poly

    first = min(row)
    coefficients = [0] * (max(row) - first + 1)
    for place, mass in row.items():
        coefficients[place - first] = _rounded(mass, bits)
    return Masses(first, fmpz_poly(coefficients))


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
_FLOAT_BITS = 128  # that a point of a grid in doubles costs, like
_HUGE = 1e300
_CLOSER = 4  # times: grids in doubles cost little
_WIDE = Fraction(1, 4)  # of a relative width of grids in doubles that those of integers may mend


class Part(NamedTuple):
    """A step that is repeated: its laws under both databases, and how often."""

    law: LossLaw
    runs: int


# of a tilt t, the mean loss under p e^(t loss), and the logarithm of its sum; grows with t, and is 0 at the best one
Aim = Callable[[float, float, float], float]


class LossGrid:
    """All steps on one grid of the privacy losses of P against Q."""

    guess = Fraction(0)  # of a level that is asked for

    def __init__(self, parts: Sequence[Part], fine: Fineness, spread: float) -> None:
        from flint import ctx

        self.parts, self.fine = parts, fine
        runs = sum(part.runs for part in parts)
        bits = _BITS + math.ceil(-math.log2(fine.tail)) + runs.bit_length()
        self.scale = Scale(bits, fine.tail)
        one = replace(fine, tail=fine.tail / runs / 4)
        # so large losses are, in steps, so that balls of them are short beside what a tie is
        far = max(abs(end) for part in parts for end in part.law.levels(fine.tail))
        size = max(1.0, far) / min(1.0, fine.step * spread)
        self.precision = bits + 160 + math.ceil(math.log2(size))
        with ctx.workprec(self.precision):
            self.step, self.starts = _grid(parts, fine.step * spread)
            self.start = sum((part.runs * at for part, at in zip(parts, self.starts)), ball(0))
            self.steps = [step_on_grid(part.law, at, self.step, one) for part, at in zip(parts, self.starts)]
            self.finite = math.prod((ball(1 - part.law.infinite) ** part.runs for part in parts), start=ball(1))
            self.weight = math.prod((step.weight**part.runs for step, part in zip(self.steps, parts)), start=ball(1))
            # what ties at points of the grid, and which point is the first, change at most
            self.slack = ball(Fraction(fine.tail) * TIES + Fraction(1, self.scale.unit))
            self._multiply()

    def _multiply(self) -> None:
        """Compute the masses of all runs."""
        bits = self.scale.bits
        self.spread = self._power([_masses(each.spread, bits) for each in self.steps])
        self.above = self._power([_masses(each.above, bits) for each in self.steps])
        self.below = self._power([_masses(each.below, bits) for each in self.steps])

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
            point = ((level - self.start) / self.step).mid().floor().unique_fmpz()
            assert point is not None
            low, high = self._bounds(level, int(point) + 1)
            return (1 - self.finite + (low if low > 0 else 0)), high + self.slack

    def _bounds(self, level: "arb", first: int) -> "tuple[arb, arb]":
        """Return P(test) - e^level Q(test) of the best threshold, where ratios are finite, and a
        bound of delta but for the slack, from the first point above the level.
        """
        place, unit = self._threshold(level), self.scale.unit
        named = int(self.above.poly.right_shift(max(place - self.above.first, 0))(1))
        missing = unit - int(self.below.poly(1))
        tilted = self._untilted(self.below, place) + missing * (-self.start - place * self.step).exp()
        gain = (named - level.exp() * self.weight * tilted) / unit
        # what the sum of p (1 - e^(level - loss)) over larger losses is at most
        start, poly = self.spread
        place = min(max(first, start), start + len(poly))
        kept, all_kept = int(poly.right_shift(place - start)(1)), int(poly(1))
        shrunk = level.exp() * self._untilted(self.spread, place)
        return gain, (kept - shrunk + (unit - all_kept)) / unit

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
    def size(self) -> int:
        """The bits of the masses of all steps together."""
        return int(self.spread.poly.length()) * self.scale.bits


class FloatGrid(LossGrid):
    """The same in doubles: rounding is bounded in `floats`, relatively to a delta near the level
    that the tilt is chosen for.
    """

    losses: "Sequence[Losses]"

    def __init__(self, parts: Sequence[Part], fine: Fineness, spread: float, aim: Aim) -> None:
        self.aim = aim
        super().__init__(parts, fine, spread)

    def _multiply(self) -> None:
        """Compute the sums over all large losses, once for all levels."""
        from pufferproof.verify.losses.floats import Row, TailSums, window_of

        self.losses = [self._points(at, each, part.runs) for part, at, each in zip(self.parts, self.starts, self.steps)]
        chosen, mean, _ = best_tilt(self.losses, self.aim)
        self.guess = Fraction(max(mean, 0.0))
        tilt = ball(Fraction(chosen))
        sides = []
        for side, up in (("spread", True), ("above", False), ("below", True)):
            rows, norm = [], ball(1)
            for part, at, each in zip(self.parts, self.starts, self.steps):
                masses = getattr(each, side)
                tilted = [mass * (tilt * (at + place * self.step)).exp() for place, mass in masses.items()]
                total = sum(tilted, ball(0)).mid()
                rows.append(Row.of(list(masses), [mass / total for mass in tilted], up, part.runs))
                norm *= total**part.runs
            sides.append((rows, norm))
        fall = (chosen + 1) * float(self.step)
        every = [rows for rows, _ in sides]
        window, named = window_of(every[:1], fall), window_of(every[1:], fall)  # names may be off to one side
        given = self.start, self.step
        self.sums = [
            TailSums(rows, each, chosen, turns, norm, given)
            for (rows, norm), each, turns in zip(sides, (window, named, named), ((0, 1), (0,), (1,)))
        ]
        kept = math.prod((step.kept**part.runs for step, part in zip(self.steps, self.parts)), start=ball(1))
        self.missing = 1 - kept

    def _points(self, start: "arb", step: Step, runs: int) -> "Losses":
        import numpy as np

        places, masses = np.array([(place, float(mass.mid())) for place, mass in step.spread.items()]).T
        return Losses(float(start) + float(self.step) * places[masses > 0], masses[masses > 0], runs)

    def _bounds(self, level: "arb", first: int) -> "tuple[arb, arb]":
        spread, above, below = self.sums
        # where the sum of names is large, the best test gains most: any is one
        scale = min(float((level.exp() * self.weight * below.scales[1] / above.scales[0]).mid()), _HUGE)
        proved = above.sums[0] - above.errors[0] - scale * (below.sums[1] + below.errors[1])
        place = above.low + int(proved.argmax())
        gain = above.at(place, 0) - level.exp() * self.weight * below.at(place, 1)
        if first < spread.low:
            return gain, ball(1)
        shrunk = spread.at(first, 1).max(ball(0))
        return gain, spread.at(first, 0) - level.exp() * shrunk + self.missing

    @property
    def size(self) -> int:
        return self.sums[0].size * _FLOAT_BITS


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
_ROUGH, _ROUGH_BITS = 512, 128  # bins of one step, which tell how far its losses spread
_FEW, _OFF = 16, 1e-6  # losses, and how far from points of a grid
_FIRST, _LEAST_TAIL = Fineness(0.1, 1e-15), 1e-200
_SAFE = 1 / 500  # of the width that is asked for may be left out
_MOST_BITS = 2**27  # of the masses of a grid
_MOST_BINS = 2**15  # of one step
_ROUNDS = 24
_MOST_TILT, _SHORT = 2.0**12, 0.9
_MOST_RUNS = 2**30  # of a grid in doubles: (1 + 2^-44)^runs is near 1
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
        runs = sum(part.runs for part in self.parts)
        self._alone = runs == 1 and not isinstance(self.parts[0].law, GaussianMixtures)
        possible = all(max(part.law.infinite, part.law.never) < 1 for part in self.parts)
        self._floats = possible and runs < _MOST_RUNS and any(_between_points(part.law) for part in self.parts)

    def delta(
        self, level: Level, bound: Fraction | None = None, close: Fraction = CLOSE, bits: int = _MOST_BITS
    ) -> Bounds:
        """Return bounds of the smallest delta at a level, whose relative width is at most `close`
        or which tell delta from a `bound`, unless no grid of some `bits` has such, or delta is
        below 10^-190.
        """
        if not self.parts:
            return _NOTHING
        if self._floats:
            close /= _CLOSER
        nats = min(float(_nats(level, 64).mid()), float(_LARGEST))

        def asked(grid: LossGrid | _Alone, guess: Fraction) -> Bounds:
            return _within(grid, _nats(level, grid.precision))

        if self._alone:
            # deltas are as small as powers of 1 / ratio
            most = min(float(_nats(level, 64).upper()), _MOST_ALONE)
            precision = min(_ALONE + 4 * math.ceil(most), _MOST_ALONE)
            ends = [asked(_Alone(side[0].law, precision), Fraction(0)) for side in self._orders]
            return max(low for low, _ in ends), max(high for _, high in ends)

        def aim(tilt: float, mean: float, log: float) -> float:
            return mean - nats

        def fine(low: Fraction, high: Fraction) -> bool:
            if bound is not None and not low <= bound < high:
                return True
            return high < _TINY or (bound is None and high - low <= close * high)

        def tail(low: Fraction, high: Fraction, tail: float) -> float:
            width = high * close if bound is None else min(high * close, high - low)
            found = float(width) * _SAFE
            # below what was left out delta may be 0
            return found if low or high > tail else min(found, tail * tail)

        return self._refined(fine, asked, aim, tail, close, bits)

    def epsilon(self, delta: Fraction, close: Fraction = CLOSE) -> Bounds | None:
        """Return bounds of the smallest level in nats at which delta is at most a number above 0,
        None if no level has so small a delta.

        Raises `TooLargeError` where no level up to 2^20 nats is proved to have it.
        """
        if not self.parts:
            return _NOTHING
        if self._floats:
            close /= _CLOSER
        for side in self._orders:
            if 1 - math.prod((1 - part.law.infinite) ** part.runs for part in side) > delta:
                return None

        rare = -log_approx(delta)

        def asked(grid: LossGrid | _Alone, guess: Fraction) -> Bounds:
            return _last(grid, 0, delta, guess), _last(grid, 1, delta, guess)

        def aim(tilt: float, mean: float, log: float) -> float:
            return tilt * mean - log - rare

        def fine(low: Fraction, high: Fraction) -> bool:
            return high - low <= close * high

        def tail(low: Fraction, high: Fraction, tail: float) -> float:
            return tail * 1e-8 if high >= _LARGEST else float(delta * close) * _SAFE

        if self._alone:
            ends = [asked(_Alone(side[0].law, _MOST_ALONE), Fraction(0)) for side in self._orders]
            low, high = max(low for low, _ in ends), max(high for _, high in ends)
        else:
            low, high = self._refined(fine, asked, aim, tail, close, _MOST_BITS)
        if high >= _LARGEST:
            raise TooLargeError(
                "the smallest level is not known: expected a delta that levels "
                f"up to {_LARGEST} nats are proved to have",
                "delta",
            )
        return low, high

    def _refined(
        self,
        enough: Callable[[Fraction, Fraction], bool],
        asked: "Callable[[LossGrid, Fraction], Bounds]",
        aim: Aim,
        tail: Callable[[Fraction, Fraction, float], float],
        close: Fraction,
        bits: int,
    ) -> Bounds:
        """Return bounds of the larger answer of both orders, whose grid is made finer where the
        upper bound is largest, until they are good enough.
        """

        def by_grids(floats: bool) -> Bounds:
            orders = [_Order(side, floats, asked, aim, tail, close, bits) for side in self._orders]
            for order in orders:
                order.refine()
            while True:
                largest = max(orders, key=lambda order: order.high)
                low, high = max(order.low for order in orders), largest.high
                if enough(low, high) or largest.finest:
                    return low, high
                largest.refine()

        low, high = by_grids(self._floats)
        if self._floats and not enough(low, high) and high - low > _WIDE * high:
            exact = by_grids(False)
            return max(low, exact[0]), min(high, exact[1])
        return low, high


class _Alone(NamedTuple):
    """One step, whose delta is enclosed from its laws."""

    law: LossLaw
    precision: int

    def delta(self, level: "arb") -> "tuple[arb, arb]":
        from flint import ctx

        with ctx.workprec(self.precision):
            found = self.law.alone(level.exp())
        return found, found


class _Order:
    """An answer for one order of the two databases, on grids that are made ever finer.

    Args:
        floats: whether grids are in doubles.
        asked: returns bounds from a grid, with a guess of a level.
        aim: is about 0 at the best tilt.
        tail: what may be left out, by both bounds and what was left out so far.
        close: relative width that is aimed at.
        bits: of the masses of a grid, at most.
    """

    low, high = Fraction(0), Fraction(_LARGEST)
    losses: "Sequence[Losses]"
    finest = False  # no finer grid is tried

    def __init__(
        self,
        parts: Sequence[Part],
        floats: bool,
        asked: Callable[[LossGrid, Fraction], Bounds],
        aim: Aim,
        tail: Callable[[Fraction, Fraction, float], float],
        close: Fraction,
        bits: int,
    ) -> None:
        self.parts, self.floats, self.asked, self.aim, self.tail = parts, floats, asked, aim, tail
        self.close, self.bits = close, bits
        squares = sum(part.runs * _variance(part.law) for part in parts)
        # about the root mean square of the deviations of the losses of all steps
        self.spread = math.sqrt(squares / sum(part.runs for part in parts))
        first = _FIRST.step / 2 if floats else _FIRST.step
        self.fine = Fineness(max(first, self._least_step(_FIRST.tail)), _FIRST.tail)
        self.rounds = 0
        if floats:
            self._foresee()

    def refine(self) -> None:
        """Take the bounds of the next grid, and choose the one after it."""
        if self.floats:
            self.fine = replace(self.fine, tilt=best_tilt(self.losses, self.aim)[0])
            finer = FloatGrid(self.parts, self.fine, self.spread, self.aim)
            grid: LossGrid = finer
            self.losses = finer.losses
        else:
            grid = LossGrid(self.parts, self.fine, self.spread)
        fine = self.fine
        low, high = self.asked(grid, grid.guess)
        self.low, self.high = max(self.low, low), min(self.high, high)
        self.rounds += 1
        tail = self.tail(self.low, self.high, fine.tail)
        wanted = max(min(fine.tail, tail), _LEAST_TAIL)
        if wanted < fine.tail / 4:
            self.fine = replace(fine, step=max(fine.step, self._least_step(wanted)), tail=wanted)
            factor = 0.5
        else:
            width = float((self.high - self.low) / self.high) if self.high else 0.0
            # bounds differ by about the square of the step
            factor = math.sqrt(float(self.close) / width) * 0.8 if width else 0.5
            factor = min(max(factor, 1 / 16), 0.5)
            finest = grid.size / self.bits
            factor = max(factor, finest, self._least_step(fine.tail) / fine.step)
            self.fine = replace(fine, step=fine.step * factor)
        hopeless = (
            self.high >= _LARGEST and fine.tail <= _LEAST_TAIL
        )  # of a level at a smaller delta than can be left out
        self.finest = factor > 0.5 or self.rounds == _ROUNDS or hopeless

    def _foresee(self) -> None:
        """Propose what may be left out, from the logarithm of delta that Chernoff's bound says, and a first tilt."""
        step, cut = self.fine.step * self.spread, self.fine.tail
        while True:
            self.losses = [_rough(part, step, cut) for part in self.parts]
            tilt, mean, log = best_tilt(self.losses, self.aim)
            wanted = math.exp(max(log - tilt * mean, -_STEEP)) * float(self.close) * _SAFE / 100
            if cut <= max(wanted, _LEAST_TAIL):
                break
            cut = max(cut * cut, _LEAST_TAIL)
        cut = max(min(wanted, self.fine.tail), _LEAST_TAIL)
        self.fine = Fineness(max(self.fine.step, self._least_step(cut)), cut)

    def _least_step(self, tail: float) -> float:
        """Return the step, in deviations, at which one step of all has the most bins."""
        ends = [part.law.levels(tail) for part in self.parts]
        return max(high - low for low, high in ends) / self.spread / (_MOST_BINS * (8 if self.floats else 1))


def _within(grid: LossGrid | _Alone, level: "arb") -> Bounds:
    """Return rational bounds of delta at a level in nats."""
    from flint import ctx

    low, high = grid.delta(level)
    with ctx.workprec(grid.precision):
        least = dyadic(low.lower()) if low.lower() > 0 else Fraction(0)
        most = dyadic(high.upper()) if high.upper() < 1 else Fraction(1)
    return least, max(least, most)


def _last(grid: LossGrid | _Alone, end: int, delta: Fraction, guess: Fraction) -> Fraction:
    """Return where an end of delta begins to be at most a number, rounded down or up, searched from
    a guess; `_LARGEST` if it is more even there.
    """

    from flint import ctx

    def kept(level: Fraction) -> bool:
        with ctx.workprec(grid.precision):
            nats = ball(level)
        return _within(grid, nats)[end] <= delta

    low = high = min(guess, Fraction(_LARGEST))
    width = max(guess / 64, Fraction(1, 16))
    if kept(guess):
        while kept(low):
            if not low:
                return Fraction(0)
            low, high, width = max(low - width, Fraction(0)), low, 2 * width
    else:
        high = low + width
        while not kept(high):
            if high >= _LARGEST:
                return Fraction(_LARGEST)
            low, high, width = high, high + width, 2 * width
    return least(kept, (low, high), within=Fraction(1, 10**9), relative=Fraction(1, 2**20))[end]


def _nats(level: Level, bits: int) -> "arb":
    from flint import ctx

    with ctx.workprec(bits):
        return level.ball().log() if level.nats is None else ball(level.nats)


def _between_points(law: LossLaw) -> bool:
    """Return whether losses have a density, or are many that are not all points of one grid: for
    others, grids are exact but for what is cut off, and integers keep that.
    """
    if isinstance(law, Reversed | WorstOfBoth):
        return _between_points(law.law)
    if not isinstance(law, Listed):
        return True
    losses, nodes = law.losses(_FIRST.tail), law.nodes
    if len(losses) < _FEW:
        return False
    steps = [float(((loss - nodes[0]) / (nodes[1] - nodes[0])).mid()) for loss in losses]
    return any(abs(step - round(step)) > _OFF for step in steps)


class Losses(NamedTuple):
    """Losses of one step, about, with their masses of P, and how often it is repeated."""

    points: "NDArray[np.float64]"
    masses: "NDArray[np.float64]"
    runs: int


def best_tilt(parts: Sequence[Losses], aim: Aim) -> tuple[float, float, float]:
    """Return a tilt t a little below that at which an aim is 0, the mean of all losses under
    p e^(t loss), and the logarithm of its sum. At the best one, rare large losses may weigh as much
    as all others, and need a wide window.
    """
    import numpy as np

    def at(tilt: float) -> tuple[float, float]:
        mean = log = 0.0
        for each in parts:
            powers = tilt * each.points + np.log(each.masses)
            shares = np.exp(powers - powers.max())
            log += each.runs * (math.log(shares.sum()) + float(powers.max()))
            mean += each.runs * float(shares @ each.points) / float(shares.sum())
        return mean, log

    low, high = 0.0, 1.0
    while high < _MOST_TILT and aim(high, *at(high)) < 0:
        low, high = high, 2 * high
    low, high = least(lambda tilt: aim(tilt, *at(tilt)) >= 0, (low, high), within=1e-3, relative=1e-3)
    tilt = low * _SHORT
    return tilt, *at(tilt)


def _rough(part: Part, step: float, tail: float) -> Losses:
    """Return about the losses of a step, from bins of some width that may be wider where there is little."""
    import numpy as np
    from flint import ctx

    with ctx.workprec(_ROUGH_BITS):
        bins = part.law.bins(ball(0), ball(Fraction(step)), tail, 1.0)
        found = [((each.low + each.high) / 2 * step, float(each.above.mid())) for each in bins]
    losses, masses = np.array([each for each in found if each[1] > 0]).T
    return Losses(losses, masses, part.runs)


def _variance(law: LossLaw) -> float:
    """Return about the variance of a privacy loss, from bins of all its losses."""
    from flint import ctx

    with ctx.workprec(_ROUGH_BITS):
        low, high = law.levels(1e-9)
        if low == high:
            return 1.0
        bins = law.bins(ball(Fraction(low)), ball(Fraction(high - low) / _ROUGH), 1e-9, 1.0)
        masses = [(float(each.above.mid()), float(each.below.mid())) for each in bins]
    losses = [(p, math.log(p / q)) for p, q in masses if p > 0 and q > 0]
    mean = sum(p * loss for p, loss in losses)
    return sum(p * (loss - mean) ** 2 for p, loss in losses) or 1.0
