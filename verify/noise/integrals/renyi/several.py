"""The Renyi moment of noise on several numbers, between bounds as close as there is room for.

By products of quadratures (`products`). Where these take too many points, the moment is at most
what a coupling says, and at least that of some of the numbers alone, as leaving out
others is post-processing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise, product
from math import ceil, cos, floor, fsum, inf, log, pi, prod, sqrt
from typing import TYPE_CHECKING, ClassVar

from flint import arb, ctx

from pufferproof.models.errors import SolverError, TooLargeError
from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import Engine, ask
from pufferproof.verify.leakage.renyi import Bounds, Moment
from pufferproof.verify.noise.integrals.delta.several import Axis, Coupling, coupled_moment, of_noises
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, marginal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Quadrature on one axis for Renyi moments, with a proven relative error.
#
# Along one coordinate, all others fixed, both densities are sums of e^(x v / sigma^2) times a normal density, or of
# e^(rate x) and e^(-rate x) between neighbouring values. At x + iy every phase is in [-t, t], t growing with y, and so
# |f| <= f(x), |g| >= cos(t) g(x). Hence
#
#     trapezoids    2 e^(a^2 / 2v) cos(a R / 2v)^(1-alpha) / (e^(2 pi a / step) - 1)
#     Gauss         4 r^(1-2n) / (r - 1) * e^((2 alpha - 1) rate (length + beyond)) cos(t)^(1-alpha)
#
# bound the error relative to the integral: by Trefethen and Weideman (2014), Theorem 5.1, on a strip; by Chebyshev
# coefficients on an ellipse of sum r of half axes, which goes `beyond` the piece. Beyond the extreme values of Laplace
# noise ratios are constant, and half a weight is exact.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

if TYPE_CHECKING:
    Scaled = tuple[Floats, NDArray[np.int64]]  # m and e of m 2^e

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
        # Half the width of a strip, and the largest step that reaches the target by it
        v, spread = float(variance), float(reach.below)
        widest = float(reach.both if order.denominator > 1 else reach.below) / (2 * v)
        most = min(pi / 2 / widest if widest else inf, 12 * sqrt(v))
        tried = [most * k / 64 for k in range(1, 64)]
        cost = {a: _trapezoid_cost(a, v, spread, float(order)) for a in tried}
        widest_half = max(tried, key=lambda a: a / (cost[a] + log(2 / target)))
        longest = min(2 * pi * widest_half / (cost[widest_half] + log(2 / target)), sqrt(v))
        half, step = _short(widest_half), _short(longest)
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


def _trapezoids(
    variance: Fraction, values: Sequence[Fraction], spread: Fraction, order: Fraction, half: Fraction, nodes: _Nodes
) -> QuadratureRule:
    with ctx.workprec(_BITS):
        bend = (ball(half * spread) / ball(2 * variance)).cos()
        growth = (ball(half * half) / ball(2 * variance)).exp()
        growth *= (bend.log() * ball(1 - order)).exp()
        error = 2 * growth / ((2 * arb.pi() * ball(half / nodes.step)).exp() - 1)
        scale = ball(nodes.step) / (2 * arb.pi() * ball(variance)).sqrt()
        places = [nodes.first + nodes.step * k for k in range(nodes.count)]
        rows = []
        for place in places:
            # A weight and densities about all values, the largest of which is 1
            squares = [(place - value) ** 2 for value in values]
            least = min(squares)
            weight = scale * ball(-least / (2 * variance)).exp()
            rows.append((weight, [ball((least - square) / (2 * variance)).exp() for square in squares]))
        return _rule(values, rows, dyadic(error.upper()))


def _trapezoid_cost(a: float, variance: float, spread: float, order: float) -> float:
    bend = cos(min(a * spread / (2 * variance), pi / 2 - 1e-9))
    return a * a / (2 * variance) - (order - 1) * log(bend)


def _pieces(decay: Power, values: Sequence[Fraction], order: Fraction, plans: Sequence[_Plan]) -> QuadratureRule:
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
    plans, least = [], max(1, floor(gap / 4))
    for parts in (least * factor for factor in _PARTS):
        half = gap / parts / 2
        for share in (0.2, 0.4, 0.6, 0.8, 0.95):  # of the phase at which the bound ends
            rise = share * pi / 2 / half
            r = min(rise + sqrt(rise * rise + 1), 1e6)  # (r - 1/r) / 2 = rise
            beyond = half * ((r + 1 / r) / 2 - 1)
            growth = (2 * order - 1) * (2 * half + beyond) - (order - 1) * log(cos(half * (r - 1 / r) / 2))
            needed = (growth + log(4 / (r - 1) / target)) / log(r)
            plans.append(_Plan(parts, max(1, ceil((needed + 1) / 2)), _short(r)))
    return min(plans, key=lambda plan: plan.parts * plan.nodes)


@cache
def _gauss(count: int) -> list[tuple[arb, arb]]:
    """Return the nodes and the weights of Gauss and Legendre on [-1, 1]."""
    with ctx.workprec(_BITS):
        return [arb.legendre_p_root(count, k, weight=True) for k in range(count)]


def _integers(decay: Power, values: Sequence[Fraction]) -> QuadratureRule:
    """Return the integers from the least value to the largest, which stand for those beyond."""
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
        # The power for an exponent between 0 and 1
        rest = exponent - left
        mantissa, shift = square
        places = np.floor((mantissa - 0.5) * (2 * _PLACES)).astype(np.int64)
        middle = 0.5 + (places + 0.5) / (2 * _PLACES)
        s, u = float(rest), (mantissa - middle) / middle
        series = 1 + s * u * (1 + (s - 1) / 2 * u * (1 + (s - 2) / 3 * u))
        kept, where = np.unique(shift, return_inverse=True)
        middles = [Fraction(2 * _PLACES + 2 * k + 1, 4 * _PLACES) for k in range(_PLACES)]
        with ctx.workprec(96):
            table = np.array([float((ball(m) ** ball(rest)).mid()) for m in middles])
            scales = np.array([float((ball(2) ** ball(rest * int(e))).mid()) for e in kept])
        whole = times(np.frexp(table[places] * series), np.frexp(scales[where]))
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


# The Renyi moment of noise on several numbers: a product of quadratures, one for each of them.
#
# The integrand is positive, and along one coordinate, the others fixed or integrated, each rule is right up to a
# relative error: so is their product, by (1 - e_1) .. (1 - e_d) from below and (1 + e_1) .. (1 + e_d) from above. What
# trapezoids leave out is bounded by any coupling, of which a pair of values v, v' has e^(alpha (alpha - 1) |v - v'|^2
# / 2v) times a normal density about alpha v + (1 - alpha) v'. Sums of products of positive floats are widened by their
# error.

_MOST_POINTS = 1_000_000  # of the product of all axes: arrays of 8 MB
_MOST_WORK = 200_000_000  # points times values
_MOST_DENSITIES = 400_000  # of all values at all nodes of an axis
_SMALLEST = 1e-280  # densities below it could lose digits as subnormal floats
_DEEPEST = 900  # halvings of the largest term; smaller ones are raised to it
_PRODUCT_BITS = 96  # working precision of balls


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
    # The products of weights, at all points
    factors = [rule.weights for rule in rules]
    mantissa, shift = factors[0]
    for other, more in factors[1:]:
        mantissa = np.multiply.outer(mantissa, other).reshape(-1)
        shift = np.add.outer(shift, more).reshape(-1)
    terms = times(terms, (mantissa, shift))
    top = int(terms[1].max())
    shifts = np.maximum(terms[1] - top, -_DEEPEST)
    total = Fraction(fsum((terms[0] * 2.0**shifts).tolist())) * Fraction(2) ** top
    density = (max(len(above), len(below)) + 6 * len(rules) + 4) * 2 * _UNIT
    # bound the relative error of a power, given that of the base, small against 1 / exponent
    ratio = float(order - 1) * ((2 * density + _UNIT) + _UNIT) * 1.01 + 4 * _UNIT + _PART
    error = Fraction((density + ratio + (12 * len(rules) + 8) * _UNIT) * 1.01)
    raised = Fraction(len(shifts)) * Fraction(2) ** (top - _DEEPEST)
    return total * (1 - error) - raised, total * (1 + error)


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
    with ctx.workprec(_PRODUCT_BITS):
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


_FINEST = 40  # bits that floats reach
_COARSER = (20, 10, 4)  # bits to try where finer ones take too many points
FINEST = 384  # bits to which integrals are refined
Enclosing = Callable[[int], Bounds]  # at a working precision


@dataclass(frozen=True)
class Several(Moment):
    """The moment of an ordered pair of laws of several numbers; bounds may stay wide."""

    above: Law = field(repr=False, compare=False, kw_only=True)
    below: Law = field(repr=False, compare=False, kw_only=True)
    axes: Sequence[Axis] = field(repr=False, compare=False, kw_only=True)

    coarsest: ClassVar[int] = 10
    finest: ClassVar[int] = _FINEST

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds, of relative width at most 2^-accuracy where there is room for it, at most 2^-40."""
        asked = min(accuracy, _FINEST)
        if asked not in self._known:
            finest = (asked, *(coarse for coarse in _COARSER if coarse < asked))
            self._known[asked] = ask([*map(_by_products, finest), _far], self).expect()
        return self._known[asked]

    @cached_property
    def far(self) -> Bounds:
        """Bounds that no quadrature is needed for, or that of fewer numbers."""
        couplings = Coupling.some(self.above, self.below)
        upper = min(coupled_moment(coupling, self.axes, self.order, _BITS)[1] for coupling in couplings)
        # A lower bound by some of the numbers: those that tell most, as many as can be
        alone = {k: self._of([k]) for k in range(len(self.axes))}
        chosen: list[int] = []
        best = Fraction(1)
        for k in sorted(alone, key=lambda k: -(alone[k] or 0)):
            lower = self._of([*chosen, k])
            if lower is None:
                break
            chosen.append(k)
            best = max(best, lower)
        return min(best, upper), upper

    @cached_property
    def coupling(self) -> Coupling:
        return Coupling.near(self.above, self.below)

    def _of(self, kept: list[int]) -> Fraction | None:
        above, below = (marginal(law, kept) for law in (self.above, self.below))
        axes = [self.axes[k] for k in kept]
        fewer = Several(self.order, "", ("", ""), above=above, below=below, axes=axes)
        bounds = ask([_by_products(_COARSER[1])], fewer).answer
        return None if bounds is None else bounds[0]

    @cached_property
    def _known(self) -> dict[int, Bounds]:
        return {}


def _by_products(accuracy: int) -> Engine[Several, Bounds]:
    """Return the engine that encloses a moment by products of quadratures."""

    def products(of: Several) -> Bounds:
        return product_moment(of.above, of.below, of.axes, of.order, accuracy, of.coupling)

    return products


def _far(of: Several) -> Bounds:
    return of.far


def several_moment(pair: LawPair, noises: Sequence[Noise], order: Fraction) -> Moment:
    """Return the moment of noise on several numbers; of Gaussian noise in the flat of its values.

    >>> one, two = Fraction(1), Fraction(2)
    >>> pair = LawPair("theta", ("s", "t"), {(one, one): one}, {(two, two): one})
    >>> found = several_moment(pair, [Noise.laplace(1)] * 2, two)
    >>> f"{float(found.bounds(40)[0]):.10f}"  # ((2 e + e^-2) / 3)^2
    '3.4495619777'
    """
    above, below, axes = of_noises(pair, noises)
    if len(above) == len(below) == 1 or above == below:
        coupling = Coupling.near(above, below)
        nats = Fraction(0) if above == below else None
        return Integral(
            order, pair.prior, pair.pair, enclosing=lambda bits: coupled_moment(coupling, axes, order, bits), nats=nats
        )
    return Several(order, pair.prior, pair.pair, above=above, below=below, axes=axes)


@dataclass(frozen=True)
class Integral(Moment):
    """The moment of an ordered pair as `enclosing` bounds it; `nats` is the divergence where it
    is known to be a rational, `otherwise` has bounds where quadrature fails, which may stay wide.
    """

    enclosing: Enclosing = field(repr=False, compare=False, kw_only=True)
    nats: Fraction | None = field(default=None, kw_only=True)
    otherwise: Moment | None = field(default=None, repr=False, compare=False, kw_only=True)

    coarsest: ClassVar[int] = 12
    finest: ClassVar[int] = FINEST

    @cached_property
    def value(self) -> Fraction | None:
        """1 for equal laws, else no rational that is known."""
        return Fraction(1) if self.nats == 0 else None

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds, of relative width at most 2^-accuracy.

        Raises `SolverError` where quadrature does not reach that, and there is nothing else.
        """
        if self.otherwise is not None and self._failed:
            return self.otherwise.bounds(accuracy)
        if accuracy not in self._known:
            try:
                self._known[accuracy] = self._refined(accuracy)
            except SolverError:
                if self.otherwise is None:
                    raise
                self._failed.append(accuracy)
                return self.otherwise.bounds(accuracy)
        return self._known[accuracy]

    def _refined(self, accuracy: int) -> Bounds:
        bits = accuracy + 32
        for _ in range(6):
            lower, upper = self.enclosing(bits)
            if lower > 0 and (upper - lower) * 2**accuracy <= lower:
                return lower, upper
            bits += accuracy + 32
        raise SolverError("an integral of a Renyi divergence is not enclosed closely enough")

    @cached_property
    def _known(self) -> dict[int, Bounds]:
        return {}

    @cached_property
    def _failed(self) -> list[int]:
        return []

    def at(self, level: Level) -> int | None:
        """Return the sign of the divergence minus a level, or None if 384 bits do not tell."""
        if self.nats is None:
            return super().at(level)
        if level.nats is not None:
            return (self.nats > level.nats) - (self.nats < level.nats)
        return -Level.of_nats(self.nats).compare(level.ratio or Fraction(1))
