"""The Renyi moment of noise on several numbers: a product of quadratures, one for each of them.

The integrand is positive, and along one coordinate, the others fixed or integrated, each rule is
right up to a relative error: so is their product, by (1 - e_1) .. (1 - e_d) from below and
(1 + e_1) .. (1 + e_d) from above. What trapezoids leave out is bounded by any coupling, of which a
pair of values v, v' has e^(alpha (alpha - 1) |v - v'|^2 / 2v) times a normal density about
alpha v + (1 - alpha) v'. Sums of products of positive floats are widened by their error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, fsum, log, prod, sqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.verify.leakage.renyi import Bounds
from pufferproof.verify.noise.integrals.delta.coupling import Axis, Coupling
from pufferproof.verify.noise.integrals.renyi.rules import AxisReach, QuadratureRule, power, power_error, rule_of, times
from pufferproof.verify.noise.laws.of_framework import Law

if TYPE_CHECKING:
    from flint import arb

    from pufferproof.verify.noise.integrals.renyi.rules import Floats, Scaled

_MOST_POINTS = 1_000_000  # of the product of all axes: arrays of 8 MB
_MOST_WORK = 200_000_000  # points times values
_MOST_DENSITIES = 400_000  # of all values at all nodes of an axis
_UNIT = 2.0**-53  # relative error of an operation on floats
_SMALLEST = 1e-280  # densities below it could lose digits as subnormal floats
_DEEPEST = 900  # halvings of the largest term; smaller ones are raised to it
_BITS = 96  # working precision of balls


def product_moment(
    above: Law, below: Law, noises: Sequence[Axis], order: Fraction, accuracy: int, coupling: Coupling | None = None
) -> Bounds:
    """Return bounds of the moment of an ordered pair, of a relative width of about 2^-accuracy,
    where there is room for that.

    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> zero, one = Fraction(0), Fraction(1)
    >>> noises = [Axis(Power.exp(-one), None)] * 2
    >>> lower, upper = product_moment({(zero, zero): one}, {(one, one): one}, noises, 2 * one, 30)
    >>> f"{float(lower):.8f}", f"{float(upper):.8f}"  # ((2 e + e^-2) / 3)^2
    ('3.44956198', '3.44956198')

    A coupling of the laws is found where none is given. Raises `TooLargeError` for too many points,
    and numbers that are no floats.
    """
    coupling = coupling or Coupling.near(above, below)
    target = 2.0 ** -(min(accuracy, 40) + 2) / len(noises)
    axes = [sorted(set(axis)) for axis in zip(*above, *below)]
    reaches = _reaches(above, below, noises, order, target, coupling)
    planned = [rule_of(noise, axis, reach, order, target) for noise, axis, reach in zip(noises, axes, reaches)]
    densities = max(plan.count * len(axis) for plan, axis in zip(planned, axes))
    if densities > _MOST_DENSITIES:
        raise TooLargeError(f"{densities} densities on an axis: expected at most {_MOST_DENSITIES}", "renyi")
    points = prod(plan.count for plan in planned)
    if points > _MOST_POINTS or points * (len(above) + len(below)) > _MOST_WORK:
        raise TooLargeError(f"{points} points: expected at most {_MOST_POINTS}", "renyi")
    rules = [plan.made() for plan in planned]
    lower, upper = _summed(above, below, rules, order)
    tail = _tail(coupling, noises, reaches, order)
    least = prod((1 + rule.error for rule in rules), start=Fraction(1))
    most = prod((1 - rule.error for rule in rules), start=Fraction(1))
    if most <= 0:
        raise TooLargeError("an error of quadrature above 1", "renyi")
    return max(lower / least, Fraction(1)), (upper + tail) / most


def _summed(above: Law, below: Law, rules: Sequence[QuadratureRule], order: Fraction) -> Bounds:
    """Return bounds of the sum over all points, what underflows left to the upper one."""
    import numpy as np

    left, right = (_densities(law, rules) for law in (above, below))
    if not min(left.min(), right.min()) > _SMALLEST:
        raise TooLargeError("densities below 1e-280", "renyi")
    terms = times(np.frexp(left), power(left / right, order - 1))
    terms = times(terms, _weights([rule.weights for rule in rules]))
    top = int(terms[1].max())
    shifts = np.maximum(terms[1] - top, -_DEEPEST)
    total = Fraction(fsum((terms[0] * 2.0**shifts).tolist())) * Fraction(2) ** top
    density = (max(len(above), len(below)) + 6 * len(rules) + 4) * 2 * _UNIT
    ratio = power_error(order - 1, 2 * density + _UNIT)
    error = Fraction((density + ratio + (12 * len(rules) + 8) * _UNIT) * 1.01)
    raised = Fraction(len(shifts)) * Fraction(2) ** (top - _DEEPEST)
    return total * (1 - error) - raised, total * (1 + error)


def _weights(factors: Sequence[Scaled]) -> Scaled:
    """Return the products of weights, at all points."""
    import numpy as np

    mantissa, shift = factors[0]
    for other, more in factors[1:]:
        mantissa = np.multiply.outer(mantissa, other).reshape(-1)
        shift = np.add.outer(shift, more).reshape(-1)
    return mantissa, shift


def _densities(law: Law, rules: Sequence[QuadratureRule]) -> Floats:
    """Return the densities at all points, by products of the values of a law and points."""
    import numpy as np

    places = [{value: k for k, value in enumerate(rule.values)} for rule in rules]
    shares = np.array([float(p) for p in law.values()])
    rows = [rule.densities[[place[value[k]] for value in law]] for k, (rule, place) in enumerate(zip(rules, places))]
    half = (len(rows) + 1) // 2
    first = _beside(rows[:half]) * shares[:, None]
    if half == len(rows):
        return np.asarray(first.sum(axis=0))
    return np.asarray((first.T @ _beside(rows[half:])).reshape(-1))


def _beside(rows: Sequence[Floats]) -> Floats:
    import numpy as np

    grid = rows[0]
    for row in rows[1:]:
        grid = (grid[:, :, None] * row[:, None, :]).reshape(len(row), -1)
    return np.asarray(grid)


def _reaches(
    above: Law, below: Law, noises: Sequence[Axis], order: Fraction, target: float, coupling: Coupling
) -> list[AxisReach | None]:
    """Return the reach of trapezoids on every Gaussian axis, with None for other noise."""
    nats = [float(_nats(left, right, noises, order)) for left, right, _ in coupling.moved]
    reaches: list[AxisReach | None] = []
    for k, noise in enumerate(noises):
        if noise.variance is None:
            reaches.append(None)
            continue
        ends = []
        for (left, right, _), extent in zip(coupling.moved, nats):
            room = sqrt(2 * float(noise.variance) * (extent - log(target) + 4))
            margin = Fraction(ceil(room * 64), 64)
            middle = order * left[k] + (1 - order) * right[k]
            ends += [middle - margin, middle + margin]
        below_k, both_k = [v[k] for v in below], [v[k] for v in (*above, *below)]
        spans = [max(values) - min(values) for values in (below_k, both_k)]
        reaches.append(AxisReach(min(ends), max(ends), *spans))
    return reaches


def _nats(left: Vector, right: Vector, noises: Sequence[Axis], order: Fraction) -> Fraction:
    """Return the logarithm of a shift's moment on Gaussian axes; of others an upper bound."""
    total = Fraction(0)
    for x, y, noise in zip(left, right, noises):
        if noise.variance is not None:
            total += order * (order - 1) * (x - y) ** 2 / (2 * noise.variance)
        elif noise.decay is not None:
            rate = -noise.decay.ball().log()
            total += (order - 1) * abs(x - y) * dyadic(rate.upper())
    return total


def _tail(coupling: Coupling, noises: Sequence[Axis], reaches: Sequence[AxisReach | None], order: Fraction) -> Fraction:
    """Bound the sum over nodes beyond those that are taken: on one axis a probability, on others at
    most 2, as steps are below a standard deviation.
    """
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        total = arb(0)
        for left, right, mass in coupling.moved:
            factor = ball(_nats(left, right, noises, order)).exp() * ball(mass)
            for part in _beyond(left, right, noises, reaches, order):
                total += factor * part * 2 ** (len(noises) - 1)
        return dyadic(total.upper())


def _beyond(
    left: Vector, right: Vector, noises: Sequence[Axis], reaches: Sequence[AxisReach | None], order: Fraction
) -> Iterator[arb]:
    for x, y, noise, reach in zip(left, right, noises, reaches):
        if reach is not None:
            middle, variance = order * x + (1 - order) * y, noise.variance or Fraction(1)
            for distance in (middle - reach.low, reach.high - middle):
                yield (ball(distance) / ball(2 * variance).sqrt()).erfc() / 2
