"""Gaussian noise on shifts that are drawn, under both databases: two mixtures of one deviation.

The loss L = log(p / q) need not grow with the output. Outputs are cut into cells, on which

    L' = (E[shift | x] under P - E[shift | x] under Q) / sigma^2,

and both means grow with x: the noise has a monotone likelihood ratio. So their values at the ends
of a cell bound the losses inside.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball
from pufferproof.verify.losses.laws import Bins, quantile

if TYPE_CHECKING:
    from flint import arb

Shifts = tuple[tuple[Fraction, Fraction], ...]
_PART = 4  # cells of a bin, about
_WIDEST = 1 / 16  # of a deviation
_MOST_CELLS = 1_000_000


class _Place(NamedTuple):
    """What is known at an output: both tails, the loss, and both means of the shift."""

    at: "arb"
    above: "arb"
    below: "arb"
    loss: "arb"
    mean_above: "arb"
    mean_below: "arb"


@dataclass(frozen=True)
class GaussianMixtures:
    """P = sum of w law(Z + m) over `above`, Q over `below`; pairs (w, m) of weight and shift."""

    above: Shifts
    below: Shifts
    variance: Fraction

    infinite: ClassVar[Fraction] = Fraction(0)
    never: ClassVar[Fraction] = Fraction(0)

    @property
    def symmetric(self) -> bool:
        """Whether -x has under Q the law that x has under P."""
        return sorted(self.above) == sorted((weight, -shift) for weight, shift in self.below)

    @property
    def nodes(self) -> "list[arb]":
        """None: no loss has mass of its own."""
        return []

    def levels(self, tail: float) -> tuple[float, float]:
        low, high = self._ends(tail)
        losses = [self._approx(low + (high - low) * k / 256)[0] for k in range(257)]
        return min(losses), max(losses)

    def alone(self, ratio: "arb") -> "arb":
        """Return nothing: one step is bounded on a grid, as many are."""
        raise NotImplementedError

    def back(self, ratio: "arb") -> "arb":
        raise NotImplementedError

    def bins(self, start: "arb", step: "arb", tail: float) -> Bins:
        places = [self._place(x) for x in self._cuts(float(step.mid()), tail)]
        found: list[tuple[int, int, arb, arb]] = []
        for one, other in pairwise(places):
            low, high = self._losses(one, other)
            first = ((low - start) / step).lower().floor().unique_fmpz()
            last = ((high - start) / step).upper().ceil().unique_fmpz()
            assert first is not None
            assert last is not None
            masses = one.above - other.above, one.below - other.below
            found.append((int(first), max(int(last), int(first) + 1), *masses))
        begin, end = min(each[0] for each in found), max(each[0] for each in found)
        above, below = ([ball(0)] * (end - begin + 1) for _ in range(2))
        wide = []
        for low_point, high_point, p, q in found:
            if high_point > low_point + 1:
                wide.append((low_point, high_point, p, q))
            else:
                above[low_point - begin] += p
                below[low_point - begin] += q
        return Bins(begin, above, below, tuple(wide))

    def _ends(self, tail: float) -> tuple[float, float]:
        shifts = [float(shift) for _, shift in (*self.above, *self.below)]
        reach = math.sqrt(self.variance) * quantile(tail)
        return min(shifts) - reach, max(shifts) + reach

    def _approx(self, x: float) -> tuple[float, float]:
        """Return the loss at an output, and its derivative, as floats."""
        sums = []
        for side in (self.above, self.below):
            logs = [(m * x - m * m / 2) / float(self.variance) for m in (float(s) for _, s in side)]
            most = max(logs)
            weights = [float(w) * math.exp(each - most) for (w, _), each in zip(side, logs)]
            total = sum(weights)
            mean = sum(each * float(s) for each, (_, s) in zip(weights, side)) / total
            sums.append((most + math.log(total), mean))
        (one, mean_one), (other, mean_other) = sums
        return one - other, (mean_one - mean_other) / float(self.variance)

    def _cuts(self, step: float, tail: float) -> Iterator[float]:
        """Return outputs between which the loss changes little."""
        x, high = self._ends(tail)
        widest = _WIDEST * math.sqrt(self.variance)
        for _ in range(_MOST_CELLS):
            yield x
            if x > high:
                return
            width = widest
            for _ in range(3):  # the derivative here, and where it would take us
                steep = max(abs(self._approx(x)[1]), abs(self._approx(x + width)[1]))
                width = min(width, step / _PART / steep) if steep else width
            x += width
        raise TooLargeError(f"expected at most {_MOST_CELLS} cells of outputs", "noise")

    def _place(self, x: float) -> _Place:
        at, variance = ball(Fraction(x)), ball(self.variance)
        root = (2 * variance).sqrt()
        tails, sums, means = [], [], []
        for side in (self.above, self.below):
            tail, total, mean = ball(0), ball(0), ball(0)
            for weight, shift in side:
                w, m = ball(weight), ball(shift)
                tail += w * ((at - m) / root).erfc() / 2
                density = w * ((m * at - m * m / 2) / variance).exp()
                total += density
                mean += m * density
            tails.append(tail)
            sums.append(total)
            means.append(mean / total)
        loss = (sums[0] / sums[1]).log()
        return _Place(at, tails[0], tails[1], loss, means[0], means[1])

    def _losses(self, one: _Place, other: _Place) -> "tuple[arb, arb]":
        """Return bounds of the losses between two outputs."""
        width = (other.at - one.at) / ball(self.variance)
        least = (one.mean_above - other.mean_below).min(ball(0)) * width
        most = (other.mean_above - one.mean_below).max(ball(0)) * width
        return one.loss + least, one.loss + most
