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
from pufferproof.verify.losses.laws import LossLaw

if TYPE_CHECKING:
    import numpy as np
    from flint import arb, fmpz_poly
    from numpy.typing import NDArray

_TIES = Fraction(1, 2**150)  # a step: losses within 2^-160 of a point of the grid are at it
_BITS = 64  # of masses, and more for tails and points
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
    """All steps on one grid of privacy losses."""

    def __init__(self, parts: Sequence[Part], fine: Fineness, spread: float) -> None:
        from flint import ctx

        self.parts = parts
        runs = sum(part.runs for part in parts)
        bits = _BITS + math.ceil(-math.log2(fine.tail)) + runs.bit_length()
        self.scale = Scale(bits, fine.tail)
        self.precision = bits + 160
        one = Scale(bits, fine.tail / runs / 4)
        with ctx.workprec(self.precision):
            self.step, starts = _grid(parts, fine.step * spread)
            self.start = sum((part.runs * at for part, at in zip(parts, starts)), ball(0))
            steps = [step_on_grid(part.law, at, self.step, one) for part, at in zip(parts, starts)]
            infinite = [1 - part.law.infinite for part in parts]
            never = [1 - part.law.never for part in parts]
            self.finite = tuple(
                math.prod(
                    (ball(each) ** part.runs for each, part in zip(side, parts)), start=ball(1)
                )
                for side in (infinite, never)
            )
            self.spread = self._power([each.spread for each in steps])
            self.spread_back = self._power([each.spread_back for each in steps])
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

    def delta(self, level: "arb") -> "tuple[tuple[arb, arb], tuple[arb, arb]]":
        """Return bounds of delta at a level in nats, of P against Q and of Q against P."""
        from flint import ctx

        with ctx.workprec(self.precision):
            return (
                (self._test(level, False), self._above(level)),
                (self._test(level, True), self._below(level)),
            )

    @property
    def _slack(self) -> "arb":
        """What ties at points of the grid, and which point is the first, change at most."""
        runs = sum(part.runs for part in self.parts)
        return ball(runs * _TIES + Fraction(1, self.scale.unit))

    def _point(self, loss: "arb") -> int:
        """Return the first point of the grid above a loss."""
        place = ((loss - self.start) / self.step).mid().floor().unique_fmpz()
        assert place is not None
        return int(place) + 1

    def _above(self, level: "arb") -> "arb":
        """Return what the sum of p (1 - e^(level - loss)) over larger losses is at most."""
        first, poly = self.spread
        place = max(self._point(level), first)
        rest, unit = poly.right_shift(place - first), self.scale.unit
        kept, all_kept = ball(int(rest(1))), int(poly(1))
        shrunk = (level - self.start - place * self.step).exp() * self._sum(rest, -self.step)
        return (kept - shrunk + (unit - all_kept)) / unit + self._slack

    def _below(self, level: "arb") -> "arb":
        """Return what the sum of q (1 - e^(level + loss)) over losses below -level is at most."""
        first, poly = self.spread_back
        place, unit = self._point(-level), self.scale.unit
        rest = poly.truncate(max(place - first, 0))
        kept, all_kept = ball(int(rest(1))), int(poly(1))
        grown = (level + self.start + first * self.step).exp() * self._sum(rest, self.step)
        return (kept - grown + (unit - all_kept)) / unit + self._slack

    def _sum(self, poly: "fmpz_poly", exponent: "arb") -> "arb":
        from flint import arb_poly

        return arb_poly(poly)(exponent.exp())

    def _test(self, level: "arb", reverse: bool) -> "arb":
        """Return P(test) - e^level Q(test) of the best threshold, or the same of Q and P."""
        p, q = self._rows
        one, other = (q, p) if reverse else (p, q)
        approx = self._floats[::-1] if reverse else self._floats
        gain = approx[0] - math.exp(min(float(level.mid()), _STEEP)) * approx[1]
        sums = gain.cumsum() if reverse else gain[::-1].cumsum()[::-1]
        place = int(sums.argmax())
        chosen = slice(0, place + 1) if reverse else slice(place, None)
        unit = self.scale.unit
        if sums[place] <= 0:
            chosen = slice(0, 0)
        certain, whole = self.finite[::-1] if reverse else self.finite
        missing = whole * unit - sum(other)
        return (1 - certain) + (
            sum(one[chosen]) - level.exp() * (sum(other[chosen]) + missing)
        ) / unit

    @cached_property
    def _rows(self) -> tuple[list[int], list[int]]:
        """The masses of both laws by bins, from the same bin on."""
        rows = [[int(mass) for mass in each.poly.coeffs()] for each in (self.above, self.below)]
        first = min(self.above.first, self.below.first)
        rows = [
            [0] * (each.first - first) + row for each, row in zip((self.above, self.below), rows)
        ]
        size = max(map(len, rows))
        p, q = (row + [0] * (size - len(row)) for row in rows)
        return p, q

    @cached_property
    def _floats(self) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
        import numpy as np

        p, q = self._rows
        unit = float(self.scale.unit)
        return np.array([float(n) for n in p]) / unit, np.array([float(n) for n in q]) / unit

    @property
    def points(self) -> int:
        """The number of points that all steps together have."""
        return int(self.spread.poly.length())


def _grid(parts: Sequence[Part], step: float) -> "tuple[arb, list[arb]]":
    """Return the step of a grid, and where that of each part starts: losses that have mass of
    their own are points, of the first part that has two of them exactly.
    """
    nodes = [part.law.nodes for part in parts]
    size = ball(Fraction(step))
    for each in nodes:
        if len(each) == 2 and (apart := each[1] - each[0]) > size:
            size = apart / (2 * math.ceil(float(apart.mid()) / step / 2))
            break
    return size, [each[0] if each else ball(0) for each in nodes]
