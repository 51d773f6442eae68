"""What noise on linear queries of normal records leaks, between windows of X_i.

With c_k = Cov(F_k, X_i) / Var(X_i) the rest F - c X_i is independent of X_i. For Laplace noise of
scales h_k, Q = sum_k |c_k| / h_k, and a window s right of t:

    leakage = max of log E[e^(QX) | s] - log E[e^(QX) | t], log E[e^(-QX) | t] - log E[e^(-QX) | s].

The density f(x) = p(w | X_i = x) has |log f(x) - log f(x')| <= Q |x - x'|. For x0 between t and s
E[f | s] <= f(x0) E[e^(Q (X - x0)) | s], and E[f | t] is at least the same of t. The first number is
reached as outputs go to infinity in the direction of c, the second the other way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, ball, enclose
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.noise.normal.points import LawShift, PointLeakage, enclosed, largest_leakage, log_of, sign_of

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("normal.laplace-windows",)


@dataclass(frozen=True, repr=False)
class WindowLeakage(PointLeakage):
    """The largest leakage over priors and pairs of windows, `shift` in the order that has it, and
    all shifts in both orders.
    """

    every: tuple[LawShift, ...]

    @property
    def infinite(self) -> bool:
        """Whether it is infinite."""
        return self.shift.covers

    @property
    def power(self) -> Power | None:
        """1 where nothing leaks, else None: e^leakage is no power of rationals."""
        return None if any(self.shift.slopes) else ONE

    @property
    def rational(self) -> bool:
        """Whether it is known without enclosures: 0 or infinite."""
        return self.infinite or not any(self.shift.slopes)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if 8,192 bits do not tell."""
        if self.infinite:
            return 1
        signs = [_compare(shift, level) for shift in self.every]
        if 1 in signs or None not in signs:
            return max(sign for sign in signs if sign is not None)
        return None

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats as an enclosure."""
        if self.infinite:
            return INFINITE
        ends = [nats_between(shift) for shift in self.every]
        lower, upper = max(low for low, _ in ends), max(high for _, high in ends)
        return Enclosure("0", "0") if not upper else enclose(lower, upper)


def leakage_of(shifts: Sequence[LawShift]) -> PointLeakage:
    """Return the largest leakage over priors and pairs, the first of several.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.noise.additive import LinearQuery
    >>> from pufferproof.models.priors.continuous.normal import Normal
    >>> from pufferproof.models.priors.continuous.points import PointFramework
    >>> from pufferproof.verify.noise.normal.points import shifts
    >>> framework = PointFramework(1, {"s": (1, 0, 1), "t": (1, -1, 0)}, "disjoint", {"p": Normal(0, [[1]])})
    >>> found = leakage_of(shifts(framework, [LinearQuery.named("sum", Noise.laplace(1), 1)]))
    >>> found.shift.pair, found.enclosure().lower[:8]
    (('s', 't'), '0.920935')
    """
    if all(shift.pointwise for shift in shifts):
        return largest_leakage(shifts)
    if covered := [shift for shift in shifts if shift.covers]:
        first = covered[0]  # in the order whose window lies right of the other
        return WindowLeakage(first if first.gap > 0 else reversed_shift(first), tuple(shifts))
    every = [way for shift in shifts for way in (shift, reversed_shift(shift))]
    best = max(every, key=lambda shift: nats_between(shift)[0])
    return WindowLeakage(best, tuple(every))


def reversed_shift(shift: LawShift) -> LawShift:
    """Return the other order of a pair."""
    (one, other), (left, right) = shift.pair, shift.windows
    return replace(shift, pair=(other, one), windows=(right, left))


def nats_between(shift: LawShift) -> tuple[Fraction, Fraction]:
    """Return rational bounds of the largest log-ratio of an ordered pair of windows, under Laplace
    noise.
    """
    if not any(shift.slopes):
        return Fraction(0), Fraction(0)
    lower, upper = enclosed(lambda bits: _nats(shift))
    return max(lower, Fraction(0)), upper


def _compare(shift: LawShift, level: Level) -> int | None:
    if not any(shift.slopes):
        return 0 if level.ratio == 1 else -1
    return sign_of(lambda: _nats(shift) - epsilon_of(level))


def epsilon_of(level: Level) -> arb:
    """Enclose a level at the present working precision."""
    return ball(level.nats) if level.nats is not None else ball(level.ratio or 1).log()


def _nats(shift: LawShift) -> arb:
    """Enclose log E[e^(qX) | one] - log E[e^(qX) | other], q = Q or -Q toward the first window, at
    the present working precision.
    """
    rate = ball(0)
    for slope, noise in zip(shift.slopes, shift.noises):
        if slope and noise.decay is not None:
            rate += log_of(noise.decay.to(-abs(slope) * shift.runs))
    if shift.gap < 0:
        rate = -rate
    one, other = shift.windows
    mean = shift.law.mean_of(shift.record)
    spread = ball(shift.law.covariance_of(shift.record, shift.record)).sqrt()
    return _tilted(one, mean, spread, rate) - _tilted(other, mean, spread, rate)


def _tilted(window: Window, mean: Fraction, spread: arb, rate: arb) -> arb:
    """Enclose log E[e^(qX) | X in the window], but for the summand that all windows share."""
    low, high = ((ball(end - mean)) / spread for end in window)
    push = rate * spread
    return mass_between(low - push, high - push).log() - mass_between(low, high).log()


def mass_between(low: arb, high: arb) -> arb:
    """Enclose the mass of a standard normal variable between two numbers."""
    root = ball(2).sqrt()
    if low > 0:
        return (falling_erfc(low / root) - falling_erfc(high / root)) / 2
    if high < 0:
        return (falling_erfc(-high / root) - falling_erfc(-low / root)) / 2
    return 1 - (falling_erfc(high / root) + falling_erfc(-low / root)) / 2


def falling_erfc(x: arb) -> arb:
    """Enclose erfc, which falls, by its values at both ends: far out Arb's own is much wider."""
    union: arb = x.lower().erfc().union(x.upper().erfc())
    return union
