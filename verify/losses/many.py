"""All steps on one grid of privacy losses: what the laws of all of them together prove of delta.

Sources and the argument are in `grid`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.numbers.enclosures import ball
from pufferproof.verify.losses.grid import Masses, Scale, power, product, step_on_grid
from pufferproof.verify.losses.laws import TIES, LossLaw

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

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
            return self._test(level), self._above(level)

    def _loss(self, place: int) -> "arb":
        return self.start + place * self.step

    def _above(self, level: "arb") -> "arb":
        """Return what the sum of p (1 - e^(level - loss)) over larger losses is at most."""
        first, poly = self.spread
        point = ((level - self.start) / self.step).mid().floor().unique_fmpz()
        assert point is not None
        place = min(max(int(point) + 1, first), first + len(poly))  # the first one above the level
        kept, all_kept = int(poly.right_shift(place - first)(1)), int(poly(1))
        shrunk = level.exp() * self._untilted(self.spread, place)
        unit = self.scale.unit
        # what ties at points of the grid, and which point is the first, change at most
        slack = ball(Fraction(self.scale.tail) * TIES + Fraction(1, unit))
        return (kept - shrunk + (unit - all_kept)) / unit + slack

    def _untilted(self, masses: Masses, place: int) -> "arb":
        """Return the sum of masses times e^-loss from a point on."""
        from flint import arb_poly

        rest = masses.poly.right_shift(max(place - masses.first, 0))
        return (-self._loss(max(place, masses.first))).exp() * arb_poly(rest)((-self.step).exp())

    def _test(self, level: "arb") -> "arb":
        """Return P(test) - e^level Q(test) of the best threshold: some ratio is infinite, or the
        sum of names is at least that.
        """
        place, unit = self._threshold(level), self.scale.unit
        named = int(self.above.poly.right_shift(max(place - self.above.first, 0))(1))
        missing = unit - int(self.below.poly(1))
        tilted = self._untilted(self.below, place) + missing * (-self._loss(place)).exp()
        gain = (named - level.exp() * self.weight * tilted) / unit
        return 1 - self.finite + (gain if gain > 0 else 0)

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
