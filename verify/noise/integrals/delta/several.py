"""The delta of noise on many numbers, between bounds.

By boxes (`boxes`) of up to five numbers; where these are too many, at most the mean over a coupling
of those of two values each, and at least that of some of the numbers alone. Of two values Gaussian
noise has that on one number at distance (sum d_k^2 / v_k)^(1/2). Other noise has ratios of at most
e^t, t = sum rate_k d_k, moments m of every order alpha, and a delta of at most

    (e^t - e^epsilon) / (e^t + 1),
    m e^((1 - alpha) epsilon) (alpha - 1)^(alpha - 1) / alpha^alpha,

as P(E) <= e^t Q(E), and r - e^epsilon is at most that multiple of r^alpha; with Laplace noise that
moves one number, 1 - e^((epsilon - t) / 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.integrals.delta.boxes import box_delta
from pufferproof.verify.noise.integrals.delta.coupling import Axis, Coupling, shift_moment
from pufferproof.verify.noise.integrals.delta.gaussian import gaussian_delta
from pufferproof.verify.noise.integrals.delta.integers import OutputGrid
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw, laplace_delta
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, marginal

_BITS = 128  # working precision of balls
_ORDERS = tuple(Fraction(each) for each in ("5/4", "3/2", 2, 3, 4, 6, 8, 12, 16, 24, 32, 64))
_TOGETHER = 3  # of the numbers that tell most alone, taken together for a lower bound
_NONE = Fraction(0)


def several_delta(above: Law, below: Law, axes: Sequence[Axis], level: Level, effort: int = 0) -> DeltaRegion:
    """Return bounds of the delta of an ordered pair of laws.

    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> zero, one = Fraction(0), Fraction(1)
    >>> noise = Axis(Power.exp(-one), None)
    >>> laws = {(zero,) * 6: one}, {(one, *(zero,) * 5): one}
    >>> found = several_delta(*laws, [noise] * 6, Level("0"))
    >>> f"{float(found.lower):.6f}", f"{float(found.upper):.6f}"  # 1 - e^(-1/2)
    ('0.393469', '0.393469')
    """
    question = SeveralQuestion(above, below, axes, level, effort)
    within = ask([by_boxes], question).answer
    if within is not None and len(axes) <= _TOGETHER:
        return within
    boxes = within or DeltaRegion(_NONE, Fraction(1), ())
    upper = min(boxes.upper, *(_coupled(coupling, axes, level) for coupling in Coupling.some(above, below)))
    lower = max(boxes.lower, _of_fewer(above, below, axes, level, effort))
    return DeltaRegion(min(lower, upper), upper, ())


@dataclass(frozen=True)
class SeveralQuestion:
    """The delta of an ordered pair of laws of some numbers."""

    above: Law
    below: Law
    axes: Sequence[Axis]
    level: Level
    effort: int

    @property
    def alone(self) -> tuple[ScalarLaw, ScalarLaw]:
        """The laws of the first number."""
        above, below = ({v[0]: p for v, p in law.items()} for law in (self.above, self.below))
        return above, below


def by_boxes(question: SeveralQuestion) -> DeltaRegion | None:
    """Enclose the delta by boxes of outputs, of noise on real numbers of one kind."""
    axes = question.axes
    if not _alike(axes) or axes[0].on_integers:
        return None
    return box_delta(question.above, question.below, axes, question.level, question.effort)


def on_integers(question: SeveralQuestion) -> DeltaRegion | None:
    """Sum over all outputs, which are integers."""
    if not all(axis.on_integers for axis in question.axes):
        return None
    pair = LawPair("", ("", ""), question.above, question.below)
    decays = [axis.decay for axis in question.axes if axis.decay is not None]
    return OutputGrid(pair, decays).enclosed(question.level, _BITS)


def of_one_number(question: SeveralQuestion) -> DeltaRegion | None:
    """Enclose the integral over the outputs of one number."""
    axis, *others = question.axes
    if others or axis.on_integers:
        return None
    if axis.decay is not None:
        return laplace_delta(*question.alone, axis.decay, question.level, _BITS)
    variance = axis.variance or Fraction(1)
    return gaussian_delta(*question.alone, variance, question.level, _BITS)


def _alike(axes: Sequence[Axis]) -> bool:
    """Whether noise is of one kind: real numbers and integers are not."""
    return len({(axis.variance is None, axis.on_integers) for axis in axes}) == 1


def _coupled(coupling: Coupling, axes: Sequence[Axis], level: Level) -> Fraction:
    """Bound the delta by a coupling."""
    shift = _shift(tuple(axes), level)
    return sum((mass * shift(tuple(abs(x - y) for x, y in zip(v, w))) for v, w, mass in coupling.moved), _NONE)


@lru_cache(maxsize=8)
def _shift(axes: tuple[Axis, ...], level: Level) -> Callable[[Vector], Fraction]:
    """Return what bounds the delta of two values, by their distances: the same for all laws."""

    @cache
    def bound(distances: Vector) -> Fraction:
        moved = [(axis, d) for axis, d in zip(axes, distances) if d]
        variances = [axis.variance for axis, _ in moved if axis.variance is not None]
        if not moved:
            return _NONE
        if len(variances) == len(moved):
            square = sum((d * d / v for (_, d), v in zip(moved, variances)), _NONE)
            one = {_NONE: Fraction(1)}, {Fraction(1): Fraction(1)}
            return gaussian_delta(*one, 1 / square, level, _BITS).upper
        return min(_of_moments(moved, level), Fraction(1) if variances else _of_ratio(moved, level))

    return bound


def _of_moments(moved: Sequence[tuple[Axis, Fraction]], level: Level) -> Fraction:
    """Bound the delta of two values by their moments."""
    from flint import ctx

    bounds = [Fraction(1)]
    with ctx.workprec(_BITS):
        nats = level.ball().log()
        for order in _ORDERS:
            a, excess = ball(order), ball(order - 1)
            total = (excess * excess.log() - a * a.log() - excess * nats).exp()
            for axis, distance in moved:
                total *= shift_moment(axis, distance, order)
            if total.is_finite():
                bounds.append(dyadic(total.upper()))
    return min(bounds)


def _of_ratio(moved: Sequence[tuple[Axis, Fraction]], level: Level) -> Fraction:
    """Bound the delta of two values by their largest ratio."""
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        ratio, bar = arb(1), level.ball()
        for axis, distance in moved:
            if axis.decay is not None:
                ratio /= axis.decay.to(distance).ball()
        if ratio <= bar:
            return _NONE
        bound = (ratio - bar) / (ratio + 1)
        if len(moved) == 1 and not moved[0][0].on_integers:
            bound = bound.min(1 - (bar / ratio).sqrt())
        return max(dyadic(bound.upper()), _NONE)


def _of_fewer(above: Law, below: Law, axes: Sequence[Axis], level: Level, effort: int) -> Fraction:
    """Return a lower bound by numbers alone, and by those together that tell most."""

    def kept(places: Sequence[int]) -> Fraction:
        left, right = (marginal(law, places) for law in (above, below))
        fewer = SeveralQuestion(left, right, [axes[k] for k in places], level, effort)
        region = ask((on_integers, of_one_number, by_boxes), fewer).answer
        return _NONE if region is None else region.lower

    alone = {k: kept([k]) for k in range(len(axes))}
    first = sorted(alone, key=lambda k: -alone[k])[:_TOGETHER]
    return max(*alone.values(), kept(first), _NONE)
