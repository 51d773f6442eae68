"""What Gaussian noise on linear queries of normal records leaks, between windows of X_i.

With c, K and D^2 as in `points`, kappa = c'K^-1 c, one number Z says of X_i all that the outputs
say: given X_i = x it is normal with mean x and variance 1/kappa. For a window s right of t the
ratio p(z | s) / p(z | t) rises in z from 0 to infinity, as that of P(X_i in s | z) and
P(X_i in t | z) does, so that

    delta(e) = P(Z > z | s) - exp(e) P(Z > z | t),   z where the ratio is exp(e),

and the other order is the mirror image. P(Z > z | s) = E[Phi(sqrt(kappa) (X_i - z)) | s] is an
integral over the window, which Arb encloses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.noise.normal.points import (
    LawShift,
    PointDelta,
    epsilon_of,
    falling_erfc,
    farthest,
    mass_between,
    reversed_shift,
    sign_of,
)

if TYPE_CHECKING:
    from flint import acb, arb

RESTS_ON = ("normal.gaussian-values", "normal.gaussian-windows")
_FIRST_BITS, _MOST_BITS = 96, 1_536  # bits double until they tell
_ACCURACY = 60  # bits of a delta that is shown
_MOST_VALUES = 20_000  # of an integrand on one piece
_LEAST = Fraction(1, 2**4096)
_PLACES = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))


@dataclass(frozen=True)
class Sight:
    """An ordered pair of windows seen through noise: `one` right of `other`, both centred at the
    mean of X_i, whose variance is `variance`; `information` is kappa.
    """

    one: Window
    other: Window
    variance: Fraction
    information: Fraction

    @classmethod
    def of(cls, shift: LawShift, information: Fraction) -> Sight:
        """Return how the first window of a shift looks beside the second, mirrored where it lies
        left of it.
        """
        mean = shift.law.mean_of(shift.record)
        (a, b), (c, d) = (tuple(end - mean for end in window) for window in shift.windows)
        own = shift.law.covariance_of(shift.record, shift.record)
        if shift.gap < 0:
            a, b, c, d = -b, -a, -d, -c
        return cls((a, b), (c, d), own, information)

    def delta(self, level: Level) -> arb:
        """Enclose the smallest delta at the present working precision."""
        z = self.threshold(level)
        return self.beyond(self.one, z) - level.ball() * self.beyond(self.other, z)

    def threshold(self, level: Level) -> arb:
        """Enclose the z where p(z | one) / p(z | other) = e^epsilon, by bisection."""
        from flint import ctx

        low, high = self._bracket(level)
        least = dyadic(self._given.mid()) / 2**ctx.prec
        while high - low > least + (abs(low) + abs(high)) / 2**ctx.prec:
            for share in _PLACES:  # the first is undecided where the root is
                middle = low + (high - low) * share
                value = self._excess(middle, level)
                if value < 0 or value > 0:
                    break
            else:
                break
            low, high = (middle, high) if value < 0 else (low, middle)
        return ball(low).union(ball(high))

    @property
    def _given(self) -> arb:
        """The standard deviation of X_i given Z."""
        return ball(self.variance / (1 + self.variance * self.information)).sqrt()

    def _bracket(self, level: Level) -> tuple[Fraction, Fraction]:
        """Return numbers where the ratio is certainly below and above e^epsilon."""
        return self._beyond_root(-1, level), self._beyond_root(1, level)

    def _beyond_root(self, side: int, level: Level) -> Fraction:
        """Return a number on one side of the root. Raises `SolverError` where none is told."""
        place, step = self.one[0], dyadic(self._given.mid())
        while not side * (value := self._excess(place, level)) > 0:
            if not value.is_finite():
                raise SolverError("windows are too far from each other, or from the mean")
            place, step = place + side * step, 2 * step
        return place

    def _excess(self, z: Fraction, level: Level) -> arb:
        """Enclose log p(z | one) - log p(z | other) - epsilon: X_i given z is normal."""
        share = 1 + self.variance * self.information
        own, given = ball(self.variance).sqrt(), self._given
        mean = ball(z * self.variance * self.information / share)
        logs = [
            mass_between(*((ball(end) - mean) / given for end in window)).log()
            - mass_between(*(ball(end) / own for end in window)).log()
            for window in (self.one, self.other)
        ]
        return logs[0] - logs[1] - epsilon_of(level)

    def beyond(self, window: Window, z: arb) -> arb:
        """Enclose P(Z > z | window)."""
        from flint import acb, arb

        nearest = min((*window, *([Fraction(0)] if window[0] < 0 < window[1] else [])), key=abs)
        rate, root = acb(ball(1 / (2 * self.variance))), acb(ball(self.information / 2).sqrt())
        square, place = acb(ball(nearest**2)), acb(z)

        def density(x: acb, _: bool = False) -> acb:
            return ((square - x * x) * rate).exp() * ((place - x) * root).erfc() / 2

        def value(x: Fraction) -> arb:
            near = ((square.real - ball(x**2)) * rate.real).exp()
            return near * falling_erfc((place.real - ball(x)) * root.real) / 2

        own = ball(self.variance).sqrt()
        whole = mass_between(*(ball(end) / own for end in window))
        whole *= own * (2 * arb.pi()).sqrt() * (square * rate).real.exp()
        return _LogConcave(density, value, window, dyadic(self._given.mid())).integral() / whole


@dataclass(frozen=True)
class _LogConcave:
    """A log-concave function on a window, analytic, whose curvature is about 1 / width^2: `density`
    of balls of complex numbers, `at` of a rational.
    """

    density: Callable[..., Any]
    at: Callable[[Fraction], Any]
    window: Window
    width: Fraction

    def integral(self) -> arb:
        """Enclose the integral: outward from near the mode until what is left is small."""
        from flint import ctx

        mode = self._mode()
        width = min(self.width, self.window[1] - self.window[0])
        small = self.at(mode) * ball(width) / 2**ctx.prec
        return self._side(mode, self.window[1], width, small) + self._side(mode, self.window[0], -width, small)

    def _side(self, start: Fraction, end: Fraction, step: Fraction, small: arb) -> arb:
        """Enclose the integral between the mode and an end: a function that falls goes on falling,
        so that its value bounds the rest.
        """
        from flint import acb, arb

        total, last = ball(0), self.at(start)
        while start != end:
            place = start + step if abs(step) < abs(end - start) else end
            ends = acb(ball(min(start, place))), acb(ball(max(start, place)))
            total += acb.integral(self.density, *ends, rel_tol=small, abs_tol=small, eval_limit=_MOST_VALUES).real
            value, start, step = self.at(place), place, 2 * step
            rest = value.upper() * ball(abs(end - place))
            if value < last and rest < small:
                return total + arb(0).union(rest)
            last = value
        return total

    def _mode(self) -> Fraction:
        """Return a place near the largest value."""
        from flint import ctx

        low, high = self.window
        least = min(self.width, high - low) / 16
        with ctx.workprec(_FIRST_BITS):
            while high - low > least:
                left, right = low + (high - low) * 3 / 8, low + (high - low) * 5 / 8
                if self.at(left) < self.at(right):
                    low = left
                else:
                    high = right
        ends = [end for end in self.window if low <= end <= high]
        return ends[0] if ends else (low + high) / 2


@dataclass(frozen=True)
class WindowDelta(PointDelta):
    """The smallest delta at a level over priors and pairs of windows, `shift` in the order that has
    it, and all shifts in both orders.
    """

    every: tuple[LawShift, ...]

    @cached_property
    def sights(self) -> list[Sight]:
        """Every ordered pair that is told apart. Raises `ModelError` unless noise is Gaussian."""
        return [sight for shift in self.every if (sight := _sight(shift, shift.variances))]

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of delta."""
        # rational bounds of the largest delta of ordered pairs of windows
        ends = [sight_bounds(sight, self.level) for sight in self.sights]
        return max((low for low, _ in ends), default=Fraction(0)), max((high for _, high in ends), default=Fraction(0))

    def compare(self, delta: Fraction) -> int | None:
        """Return the sign of the smallest delta minus another one, or None if it is not told."""
        return compare_windows(self.sights, self.level, delta)


def delta_of(shifts: Sequence[LawShift], level: Level) -> PointDelta:
    """Return the smallest delta that Gaussian noise has at a level, over priors and pairs.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.noise.additive import LinearQuery
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> from pufferproof.models.priors.continuous.points import PointFramework
    >>> from pufferproof.verify.noise.normal.points import shifts
    >>> framework = PointFramework(1, {"s": (1, 0, 1), "t": (1, -1, 0)}, "disjoint", {"p": Normal(0, [[1]])})
    >>> query = LinearQuery.named("sum", Noise.gaussian(1), 1)
    >>> f"{float(delta_of(shifts(framework, [query]), Level('1')).bounds()[0]):.10f}"
    '0.0887682344'

    Raises `ModelError` unless noise is Gaussian.
    """
    if all(shift.pointwise for shift in shifts):
        return PointDelta(farthest(shifts), level)
    every = tuple(way for shift in shifts for way in (shift, reversed_shift(shift)))
    best = max(every, key=lambda way: sight_bounds(_sight(way, way.variances), level)[0])
    return WindowDelta(best, level, every)


def windows_exceed(
    shifts: Sequence[LawShift], variances: Sequence[Fraction], level: Level, delta: Fraction
) -> bool | None:
    """Return whether Gaussian noise of these variances exceeds a delta at a level between windows,
    or None if enclosures do not tell.
    """
    sights = []
    for shift in shifts:
        for way in (shift, reversed_shift(shift)):
            if way.information_with(variances) is None:
                return delta < 1
            if sight := _sight(way, variances):
                sights.append(sight)
    sign = compare_windows(sights, level, delta)
    return None if sign is None else sign > 0


def _sight(shift: LawShift, variances: Sequence[Fraction]) -> Sight | None:
    """Return an ordered pair through noise of these variances, or None if nothing is told."""
    information = shift.information_with(variances)
    return Sight.of(shift, information) if information else None


def compare_windows(sights: Sequence[Sight], level: Level, delta: Fraction) -> int | None:
    """Return the sign of the largest delta of ordered pairs of windows minus another delta, or
    None if undecided. All of them are above 0 and below 1.
    """
    if not sights or not 0 < delta < 1:
        true = Fraction(1, 2) if sights else Fraction(0)
        return (true > delta) - (true < delta)
    signs = [_compared(sight, level, delta) for sight in sights]
    decided = [sign for sign in signs if sign is not None]
    return max(decided) if 1 in decided or len(decided) == len(signs) else None


def _compared(sight: Sight, level: Level, delta: Fraction) -> int | None:
    return sign_of(lambda: sight.delta(level) - ball(delta), _FIRST_BITS, _MOST_BITS)


@cache
def sight_bounds(sight: Sight | None, level: Level) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the delta of an ordered pair, of relative width 2^-60 where that
    is at least 2^-4096.
    """
    from flint import ctx

    if sight is None:
        return Fraction(0), Fraction(0)
    bits = _FIRST_BITS
    while True:
        with ctx.workprec(bits):
            delta = sight.delta(level)
            small = delta < ball(_LEAST)
            if small or delta.rel_accuracy_bits() > _ACCURACY or 2 * bits > _MOST_BITS:
                break
        bits *= 2
    if small:
        return Fraction(0), _LEAST
    if not delta.is_finite():
        return Fraction(0), Fraction(1)
    return max(dyadic(delta.lower()), Fraction(0)), min(dyadic(delta.upper()), Fraction(1))
