"""Proved bounds of delta of many runs between two databases, by a grid of privacy losses.

Processing never raises delta: (p - e^epsilon q)_+ is convex (Jensen). The loss log(p/q) of an
output is between two points, h apart. Divided between both so that p and q keep their sums, it
makes laws that merging outputs turns into the given ones: delta is at most theirs. Merging all
sequences of one sum of points, q with the shares of p, bounds delta from below by

    sum over g >= g* of P(g) - e^epsilon Q(g).

Both differ from delta by about h^2. Laws of runs are powers of polynomials in integers.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.numbers.enclosures import ball, dyadic, least, log_approx
from pufferproof.models.numbers.level import Level

if TYPE_CHECKING:
    import numpy as np
    from flint import arb, fmpz_poly
    from numpy.typing import NDArray

Likelihoods = Sequence[tuple[Fraction, Fraction]]

_UNIT = 2**96  # of masses
_CUT = 2**56  # at every doubling less than 1 over it is cut off of all runs
_BITS = 384  # of balls, and two for a nat between losses
_DEVIATIONS = 20  # from one end of a law of runs to the other
_STEPS = 512  # that are tried
_MOST_TILT, _MOST_STEEP = 2.0**20, 32  # and of the tilt times the step
_CLOSE = 2.0**-40  # of the largest tilt, where bisection ends
_LEAST = Fraction(1, 2**1_000_000)  # no bound is between it and 0


def runs_bounds(
    law: Likelihoods, level: Level, runs: int, points: int
) -> tuple[Fraction, Fraction]:
    """Return bounds of delta at a level of so many runs between two databases.

    Args:
        law: both likelihoods of the outputs that have both, those of one ratio together, in the
            order of ratios p/q.
        points: about how many of the grid the law of all runs has.

    >>> law = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4))]
    >>> [round(float(end), 9) for end in runs_bounds(law, Level("log(2)"), 1, 64)]
    [0.25, 0.25]
    """
    from flint import ctx

    if not law:
        return Fraction(1), Fraction(1)
    losses = _losses_approx(law)
    with ctx.workprec(_BITS + 2 * math.ceil(losses[-1] - losses[0])):
        finite = ball(sum(p for p, _ in law))
        certain = -(runs * finite.log()).expm1()  # that some ratio is infinite
        lower, upper = _RunsGrid(law, level, runs, points).parts()
        return _ends(certain + lower.max(ball(0)), certain + upper)


def _ends(lower: "arb", upper: "arb") -> tuple[Fraction, Fraction]:
    """Return rational bounds of a probability: 1 where a ball tells nothing."""
    least = ball(_LEAST)
    low = dyadic(lower.lower()) if lower.lower() > least else Fraction(0)
    if upper.is_zero():
        return low, Fraction(0)
    if upper < least:
        return low, _LEAST
    return low, dyadic(upper.upper()) if upper < 1 else Fraction(1)


class _GridLaw(NamedTuple):
    """Masses from a grid point on, none too small, and a bound of the rest; over `_UNIT`."""

    start: int
    masses: "fmpz_poly"
    missing: int

    @property
    def known(self) -> int:
        return int(self.masses(1))

    def beyond(self, start: int, factor: "arb") -> "arb":
        """Return the sum of masses times powers of a factor, from a point on."""
        from flint import arb_poly

        after = max(start - self.start, 0)
        return arb_poly(self.masses.right_shift(after))(factor) * factor ** (self.start + after)


class _GridPoint(NamedTuple):
    """Where an output is on the grid, and bounds of the share of p that is one further."""

    place: int
    share: Fraction
    most: Fraction


class _RunsGrid:
    """Laws of runs, tilted by e^(t loss) to where the level is, over 2^96.

    They are rounded up after every product, and what is cut off at the ends is counted. A law has
    the mass 1, so that what its masses have beyond is a bound of all their errors.
    """

    def __init__(self, law: Likelihoods, level: Level, runs: int, points: int) -> None:
        self.law, self.runs = law, runs
        self.epsilon = level.ball().log() if level.nats is None else ball(level.nats)
        losses, spread = _losses_approx(law), _loss(law[-1]) - _loss(law[0])
        tilt, deviation = _tilt_approx(law, float(self.epsilon) / runs)
        steps = _steps(losses, points, _DEVIATIONS * deviation * math.sqrt(runs))
        self.step = spread / steps if len(law) > 1 else ball(1)
        steep = _MOST_STEEP / max(dyadic(self.step.upper()), _LEAST)
        self.tilt = ball(min(Fraction(tilt), steep))
        self.least = runs * _loss(law[0])

    def parts(self) -> tuple["arb", "arb"]:
        """Return bounds of the sum of the positive parts of sequences with a finite ratio."""
        points = [self._point(each) for each in self.law]
        first = (self.epsilon - self.least) / self.step
        starts = range(_floor(first.lower()) + 1, _floor(first.upper()) + 2)  # one but at ties
        if starts[0] > self.runs * (points[-1].place + (points[-1].most > 0)):
            return ball(0), ball(0)
        law, scale = self._power(points, 0, self.tilt)
        factor = (-self.tilt * self.step).exp()
        uppers = [scale * self._upper(law, start, factor) for start in starts]
        start = starts[0]
        excess = law.known + law.missing - _UNIT
        kept = scale * (law.beyond(start, factor) - excess * factor**start)
        law, scale = self._power(points, 1, self.tilt + 1)
        factor = (-(self.tilt + 1) * self.step).exp()
        lost = scale * (law.beyond(start, factor) + law.missing * factor**start)
        return kept - self.epsilon.exp() * lost, reduce(lambda one, other: one.max(other), uppers)

    def _upper(self, law: _GridLaw, start: int, factor: "arb") -> "arb":
        """Return a bound of the sum of P(g) (1 - e^(epsilon - loss of g)) from a point on."""
        finer = factor * (-self.step).exp()
        below = (self.epsilon - self.least).exp() * law.beyond(start, finer)
        return law.beyond(start, factor) - below + law.missing * factor**start

    def _point(self, likelihoods: tuple[Fraction, Fraction]) -> _GridPoint:
        """Return where an output is. With the ratio r e^loss, r at a point,

        q = (1 - s) p / r + s p / (r e^h)  of  s = (1 - e^-loss) / (1 - e^-h).
        """
        loss = _loss(likelihoods) - _loss(self.law[0])
        at = loss / self.step
        place, top = _floor(at.lower()), _floor(at.upper())
        beyond = loss - top * self.step
        share = -(-beyond).expm1() / -(-self.step).expm1()
        low = max(dyadic(share.lower()), Fraction(0)) if place == top else Fraction(0)
        return _GridPoint(
            top, min(low, Fraction(1)), min(max(dyadic(share.upper()), low), Fraction(1))
        )

    def _power(
        self, points: Sequence[_GridPoint], side: int, tilt: "arb"
    ) -> tuple[_GridLaw, "arb"]:
        """Return the tilted law of all runs under a secret, and what its masses stand for."""
        masses, total = self._tilted(points, side, tilt)
        one = power = _GridLaw(0, masses, 0)
        count = 1
        for bit in f"{self.runs:b}"[1:]:
            power, count = self._product(power, power, 2 * count), 2 * count
            if bit == "1":
                power, count = self._product(power, one, count + 1), count + 1
        return power, total**self.runs / _UNIT

    def _tilted(
        self, points: Sequence[_GridPoint], side: int, tilt: "arb"
    ) -> tuple["fmpz_poly", "arb"]:
        """Return p e^(t h g) over its sum, rounded up, with shares as large as they may be."""
        from flint import fmpz_poly

        terms: list[tuple[int, arb, arb]] = []
        for likelihoods, (place, low, high) in zip(self.law, points):
            at, on = (
                ball(likelihoods[side]) * (tilt * self.step * g).exp() for g in (place, place + 1)
            )
            terms += [(place, at * ball(1 - low), at * ball(1 - low))]
            terms += [(place + 1, on * ball(low), on * ball(high))] if high else []
        total = sum((least for _, least, _ in terms), ball(0))
        masses = [0] * (max(place for place, _, _ in terms) + 1)
        for place, _, most in terms:
            masses[place] += _floor((_UNIT * most / total).upper()) + 1
        return fmpz_poly(masses), total

    def _product(self, one: _GridLaw, other: _GridLaw, runs: int) -> _GridLaw:
        """Return the law of two together, of so many runs, without small ends."""
        from flint import fmpz_poly

        product = one.masses * other.masses
        up = fmpz_poly([_UNIT - 1] * len(product))
        masses = ((product + up) // _UNIT).coeffs()
        most = _UNIT // _CUT * runs // self.runs
        left, right = (_small(ends, most) for ends in (masses, masses[::-1]))
        # (K + D) (K' + D') = K K' + (K + D) D' + D K'
        whole = (one.known + one.missing) * other.missing + one.missing * other.known
        missing = -(-whole // _UNIT) + int(sum(masses[:left]) + sum(masses[len(masses) - right :]))
        kept = fmpz_poly(masses[left : len(masses) - right])
        return _GridLaw(one.start + other.start + left, kept, missing)


def _loss(likelihoods: tuple[Fraction, Fraction]) -> "arb":
    return ball(likelihoods[0] / likelihoods[1]).log()


def _floor(end: "arb") -> int:
    return math.floor(dyadic(end))


def _small(masses: Sequence[Any], most: int) -> int:
    """Return how many of the first masses add up to at most so much, of what has more."""
    total = 0
    for place, mass in enumerate(masses):
        total += mass
        if total > most:
            return place
    return 0


def _losses_approx(law: Likelihoods) -> "NDArray[np.float64]":
    import numpy as np

    return np.array([log_approx(p / q) for p, q in law])


def _tilt_approx(law: Likelihoods, loss: float) -> tuple[float, float]:
    """Return the least tilt t >= 0 whose mean loss reaches the one given, and the deviation."""
    import numpy as np

    losses, logs = _losses_approx(law), np.array([log_approx(p) for p, _ in law])

    def moments(tilt: float) -> tuple[float, float]:
        weights = logs + tilt * losses
        weights = np.exp(weights - weights.max())
        weights /= weights.sum()
        mean = float(weights @ losses)
        return mean, math.sqrt(weights @ (losses - mean) ** 2)

    low, high = 0.0, 0.0 if moments(0)[0] >= loss else 1.0
    while high and high < _MOST_TILT and moments(high)[0] < loss:
        low, high = high, 2 * high
    _, high = least(lambda tilt: moments(tilt)[0] >= loss, (low, high), high * _CLOSE)
    return high, moments(high)[1]


def _steps(losses: "NDArray[np.float64]", points: int, width: float) -> int:
    """Return the steps from the first loss to the last, with losses near grid points."""
    import numpy as np

    spread = losses[-1] - losses[0]
    if spread <= 0 or width <= 0:
        return 1
    least = math.ceil(min(points, spread * points / width))
    tried = np.arange(least, least + min(least // 4, _STEPS) + 1)
    places = np.outer(tried, (losses - losses[0]) / spread)
    return int(tried[abs(places - np.round(places)).sum(axis=1).argmin()])
