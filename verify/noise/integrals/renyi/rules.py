"""Quadrature on one axis for Renyi moments, with a proven relative error.

Along one coordinate, all others fixed, both densities are sums of e^(x v / sigma^2) times a normal
density, or of e^(rate x) and e^(-rate x) between neighbouring values. At x + iy every phase is in
[-t, t], t growing with y, and so |f| <= f(x), |g| >= cos(t) g(x). Hence

    trapezoids    2 e^(a^2 / 2v) cos(a R / 2v)^(1-alpha) / (e^(2 pi a / step) - 1)
    Gauss         4 r^(1-2n) / (r - 1) * e^((2 alpha - 1) rate (length + beyond)) cos(t)^(1-alpha)

bound the error relative to the integral: by Trefethen and Weideman (2014), Theorem 5.1, on a strip;
by Chebyshev coefficients on an ellipse of sum r of half axes, which goes `beyond` the piece. Beyond
the extreme values of Laplace noise ratios are constant, and half a weight is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import ceil, cos, floor, inf, log, pi, sqrt
from typing import TYPE_CHECKING, Any

from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.noise.integrals.delta.coupling import Axis

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Scaled = tuple[Floats, NDArray[Any]]  # m and e of m 2^e

_BITS = 128  # working precision of balls
_PARTS = (1, 2, 3, 5, 8, 12, 20, 40, 100)  # into which a gap is cut
_UNIT = 2.0**-53  # relative error of an operation on floats
_PLACES = 4096  # of the table, on [1/2, 1)
_PART = 32 * _UNIT  # relative error of a power below 1: remainder 2^-52, roundings, two tables


@dataclass(frozen=True)
class QuadratureRule:
    """Nodes of an axis: their weights, the densities there about every value, in the order of
    `values`, up to a factor that the weight has; each within 2^-50. `error` bounds that of the
    quadrature, relative to the integral.
    """

    values: tuple[Fraction, ...]
    weights: Scaled
    densities: Floats
    error: Fraction


@dataclass(frozen=True)
class Planned:
    """How many nodes a rule will have, and what makes it."""

    count: int
    made: Callable[[], QuadratureRule]


@dataclass(frozen=True)
class AxisReach:
    """What trapezoids on an axis must cover, and how far values below lie apart, above too."""

    low: Fraction
    high: Fraction
    below: Fraction
    both: Fraction


def rule_of(
    noise: Axis, values: Sequence[Fraction], reach: AxisReach | None, order: Fraction, target: float
) -> Planned:
    """Return the plan of a rule whose error is about a target."""
    if reach is not None:
        variance = noise.variance or Fraction(1)
        half, step = _strip(variance, reach, order, target)
        nodes = _Nodes(reach.low, step, ceil((reach.high - reach.low) / step) + 1)
        return Planned(nodes.count, lambda: _trapezoids(variance, values, reach.below, order, half, nodes))
    decay = noise.decay or Power.exp(Fraction(-1))
    if noise.on_integers:
        count = int(values[-1] - values[0]) + 1
        return Planned(count, lambda: _integers(decay, values))
    rate = -float(decay.ball().log().mid())
    plans = [_plan(rate * float(b - a), float(order), target) for a, b in pairwise(values)]
    count = 2 + sum(plan.parts * plan.nodes for plan in plans)
    return Planned(count, lambda: _pieces(decay, values, order, plans))


@dataclass(frozen=True)
class _Nodes:
    """Nodes at equal steps."""

    first: Fraction
    step: Fraction
    count: int


def _strip(variance: Fraction, reach: AxisReach, order: Fraction, target: float) -> tuple[Fraction, Fraction]:
    """Return half the width of a strip, and the largest step that reaches the target by it."""
    v, spread = float(variance), float(reach.below)
    widest = float(reach.both if order.denominator > 1 else reach.below) / (2 * v)
    most = min(pi / 2 / widest if widest else inf, 12 * sqrt(v))
    tried = [most * k / 64 for k in range(1, 64)]
    cost = {a: _trapezoid_cost(a, v, spread, float(order)) for a in tried}
    half = max(tried, key=lambda a: a / (cost[a] + log(2 / target)))
    step = min(2 * pi * half / (cost[half] + log(2 / target)), sqrt(v))
    return _short(half), _short(step)


def _trapezoids(
    variance: Fraction, values: Sequence[Fraction], spread: Fraction, order: Fraction, half: Fraction, nodes: _Nodes
) -> QuadratureRule:
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        bend = (ball(half * spread) / ball(2 * variance)).cos()
        growth = (ball(half * half) / ball(2 * variance)).exp()
        growth *= (bend.log() * ball(1 - order)).exp()
        error = 2 * growth / ((2 * arb.pi() * ball(half / nodes.step)).exp() - 1)
        scale = ball(nodes.step) / (2 * arb.pi() * ball(variance)).sqrt()
        places = [nodes.first + nodes.step * k for k in range(nodes.count)]
        rows = [_about(place, values, variance, scale) for place in places]
        return _rule(values, rows, dyadic(error.upper()))


def _trapezoid_cost(a: float, variance: float, spread: float, order: float) -> float:
    bend = cos(min(a * spread / (2 * variance), pi / 2 - 1e-9))
    return a * a / (2 * variance) - (order - 1) * log(bend)


def _about(node: Fraction, values: Sequence[Fraction], variance: Fraction, scale: arb) -> tuple[arb, list[arb]]:
    """Return a weight and densities about all values, the largest of which is 1."""
    squares = [(node - value) ** 2 for value in values]
    least = min(squares)
    return (
        scale * ball(-least / (2 * variance)).exp(),
        [ball((least - square) / (2 * variance)).exp() for square in squares],
    )


def _pieces(decay: Power, values: Sequence[Fraction], order: Fraction, plans: Sequence[_Plan]) -> QuadratureRule:
    from flint import ctx

    with ctx.workprec(_BITS):
        rate = -decay.ball().log()
        balls = [ball(value) for value in values]
        rows = [_at_end(values, values[0], decay), _at_end(values, values[-1], decay)]
        worst = Fraction(0)
        for (low, high), plan in zip(pairwise(values), plans):
            length = (high - low) / plan.parts
            worst = max(worst, plan.error(rate * ball(length), order))
            for part, (place, weight) in product(range(plan.parts), _gauss(plan.nodes)):
                node = ball(low + part * length) + ball(length / 2) * (1 + place)
                densities = [(-rate * abs(node - value)).exp() for value in balls]
                rows.append((weight * ball(length / 4) * rate, densities))
        return _rule(values, rows, worst)


def _at_end(values: Sequence[Fraction], end: Fraction, decay: Power) -> tuple[arb, list[arb]]:
    """Return what stands for all beyond an extreme value."""
    return ball(Fraction(1, 2)), [decay.to(abs(value - end)).ball() for value in values]


@dataclass(frozen=True)
class _Plan:
    """Into how many parts a gap is cut, with how many nodes each, and the sum of half axes."""

    parts: int
    nodes: int
    axes: Fraction

    def error(self, length: arb, order: Fraction) -> Fraction:
        """Bound the relative error on a part, its length in units of the scale."""
        r = ball(self.axes)
        beyond = length / 2 * ((r + 1 / r) / 2 - 1)
        bend = (length / 2 * (r - 1 / r) / 2).cos()
        growth = (ball(2 * order - 1) * (length + beyond)).exp()
        growth *= (bend.log() * ball(1 - order)).exp()
        return dyadic((4 * r ** (1 - 2 * self.nodes) / (r - 1) * growth).upper())


@cache
def _plan(gap: float, order: float, target: float) -> _Plan:
    """Return a plan of few nodes for a gap, in units of the scale."""
    return min(_plans(gap, order, target), key=lambda plan: plan.parts * plan.nodes)


def _plans(gap: float, order: float, target: float) -> Iterator[_Plan]:
    least = max(1, floor(gap / 4))
    for parts in (least * factor for factor in _PARTS):
        half = gap / parts / 2
        for share in (0.2, 0.4, 0.6, 0.8, 0.95):  # of the phase at which the bound ends
            rise = share * pi / 2 / half
            r = min(rise + sqrt(rise * rise + 1), 1e6)  # (r - 1/r) / 2 = rise
            beyond = half * ((r + 1 / r) / 2 - 1)
            growth = (2 * order - 1) * (2 * half + beyond) - (order - 1) * log(cos(half * (r - 1 / r) / 2))
            needed = (growth + log(4 / (r - 1) / target)) / log(r)
            yield _Plan(parts, max(1, ceil((needed + 1) / 2)), _short(r))


@cache
def _gauss(count: int) -> list[tuple[arb, arb]]:
    """Return the nodes and the weights of Gauss and Legendre on [-1, 1]."""
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        return [arb.legendre_p_root(count, k, weight=True) for k in range(count)]


def _integers(decay: Power, values: Sequence[Fraction]) -> QuadratureRule:
    """Return the integers from the least value to the largest, which stand for those beyond."""
    from flint import ctx

    with ctx.workprec(_BITS):
        rate = decay.ball()
        low, high = int(values[0]), int(values[-1])
        weights = dict.fromkeys(range(low, high + 1), (1 - rate) / (1 + rate))
        for end in (low, high):
            weights[end] += rate / (1 + rate)
        rows = [(weight, [decay.to(abs(value - node)).ball() for value in values]) for node, weight in weights.items()]
        return _rule(values, rows, Fraction(0))


def _rule(values: Sequence[Fraction], rows: Sequence[tuple[arb, list[arb]]], error: Fraction) -> QuadratureRule:
    import numpy as np

    parts = [weight.mid().man_exp() for weight, _ in rows]
    mantissas, shifts = np.frexp(np.array([float(int(m)) for m, _ in parts]))
    weights = mantissas, shifts + np.array([int(e) for _, e in parts], dtype=np.int64)
    densities = np.array([[float(entry.mid()) for entry in row] for _, row in rows]).T
    return QuadratureRule(tuple(values), weights, densities, error)


def _short(number: float) -> Fraction:
    """Return a short fraction just below a positive float."""
    digits = max(0, 12 - floor(log(number, 2)))
    return Fraction(floor(number * 2**digits), 2**digits)


def power(base: Floats, exponent: Fraction) -> Scaled:
    """Return the power of positive normal floats.

    Whole powers are repeated squares, the rest x^s = m^s 2^(e s) by a table of m^s and four terms
    of a Taylor series. Numbers are m 2^e with 1/2 <= m < 1 and any integer e, so that nothing
    overflows.

    >>> import numpy as np
    >>> mantissa, shift = power(np.array([9.0, 0.25]), Fraction(3, 2))
    >>> (mantissa * 2.0**shift).round(12).tolist()
    [27.0, 0.125]
    """
    import numpy as np

    left = floor(exponent)
    whole = np.frexp(np.ones_like(base))
    square: Scaled = np.frexp(base)
    if left != exponent:
        whole = _part(square, exponent - left)
    while left:
        whole = times(whole, square) if left & 1 else whole
        left >>= 1
        square = times(square, square) if left else square
    return whole


def times(one: Scaled, other: Scaled) -> Scaled:
    """Return the product of two arrays."""
    import numpy as np

    mantissa, shift = np.frexp(one[0] * other[0])
    return mantissa, shift + one[1].astype(np.int64) + other[1].astype(np.int64)


def power_error(exponent: Fraction, error: float) -> float:
    """Bound the relative error of a power, given that of the base, small against 1 / exponent."""
    return float(exponent) * (error + _UNIT) * 1.01 + 4 * _UNIT + _PART


def _part(base: Scaled, exponent: Fraction) -> Scaled:
    """Return the power for an exponent between 0 and 1."""
    import numpy as np
    from flint import ctx

    mantissa, shift = base
    places = np.floor((mantissa - 0.5) * (2 * _PLACES)).astype(np.int64)
    middle = 0.5 + (places + 0.5) / (2 * _PLACES)
    s, u = float(exponent), (mantissa - middle) / middle
    series = 1 + s * u * (1 + (s - 1) / 2 * u * (1 + (s - 2) / 3 * u))
    kept, where = np.unique(shift, return_inverse=True)
    middles = [Fraction(2 * _PLACES + 2 * k + 1, 4 * _PLACES) for k in range(_PLACES)]
    with ctx.workprec(96):
        table = np.array([float((ball(m) ** ball(exponent)).mid()) for m in middles])
        scales = np.array([float((ball(2) ** ball(exponent * int(e))).mid()) for e in kept])
    return times(np.frexp(table[places] * series), np.frexp(scales[where]))
