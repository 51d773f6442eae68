"""The largest Renyi divergence of queries with noise, for an order alpha > 1.

    e^((alpha - 1) epsilon) = max over theta, (s, s') of
        integral over outputs w of f(w | s, theta)^alpha f(w | s', theta)^(1 - alpha),

a sum where outputs are integers: beyond the extreme values ratios are constant, so that it is that
of noise which is cut off there, and rational for integer orders where ratios of geometric noise
are. Else integrals are enclosed (`scalar`), and refined until they decide; of several
numbers (`several`) as closely as there is room for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil, log, sqrt
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.arguments import Number
from pufferproof.models.noise.additive import Noise, lattice_of
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.proportions import common_step
from pufferproof.verify.decision import united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.leakage.renyi import Bounds, Moment, Renyi, order_of
from pufferproof.verify.noise.integrals.delta.integers import OutputGrid
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw, falling, rising
from pufferproof.verify.noise.integrals.renyi.lattice import lattice_moment
from pufferproof.verify.noise.integrals.renyi.several import Integral, several_moment
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal.lines import RESTS_ON as LINES_REST_ON
from pufferproof.verify.noise.normal.lines import on_a_line, scalar_laws
from pufferproof.verify.noise.queries import query_laws

if TYPE_CHECKING:
    from flint import acb, acb_poly, arb


_STEPS = (16, 96)  # bits at which pairs that cannot be the largest are left out


def noise_renyi(framework: Framework, mechanism: NoisyQueries, alpha: Number) -> Renyi:
    """Return the largest Renyi divergence of order alpha of queries with noise, over listed priors
    and ordered pairs.

    Args:
        framework: what must be protected.
        mechanism: any numbers with any noise: exact or closely enclosed for one number, for
            Gaussian noise on a line and for 200,000 integer outputs, else between bounds.
        alpha: the order, as `renyi_divergence` takes it.

    Raises `ModelError` where Gaussian noise is too small for its values.
    """
    return largest_renyi(query_laws(framework, mechanism), order_of(alpha))


def largest_renyi(laws: QueryLaws, order: Fraction) -> Renyi:
    """Return the largest Renyi divergence of the laws of a query, the noise in them."""
    if not laws.pairs:
        raise nothing_to_check()
    moments = [moment_of(pair, laws.noises, order) for pair in distinct(laws.pairs)]
    for accuracy in _STEPS:
        if len(moments) == 1:
            break
        bounds = [moment.bounds(accuracy) for moment in moments]
        floor = max(lower for lower, _ in bounds)
        moments = [kept for kept, (_, upper) in zip(moments, bounds) if upper >= floor]
    lattice = lattice_of(laws.noises) is not None
    on_lines = (
        not lattice
        and len(laws.noises) > 1
        and any(noise.variance is not None for noise in laws.noises)
    )
    claims = united(laws.claims, LINES_REST_ON if on_lines else ())
    return Renyi(order, tuple(moments), claims=claims)


def moment_of(pair: LawPair, noises: Sequence[Noise], order: Fraction) -> Moment:
    """Return the moment of an ordered pair, coordinates that never vary left out."""
    question = MomentQuestion(pair, *varying(pair, noises), order)
    engines = on_lattice, on_integers, on_one_line, of_one_number, of_several
    return ask(engines, question).expect()


@dataclass(frozen=True)
class MomentQuestion:
    """The moment of an ordered pair: `fewer` has the coordinates that vary, with their noise."""

    pair: LawPair
    fewer: LawPair
    noises: Sequence[Noise]
    order: Fraction

    @property
    def decays(self) -> list[Power]:
        """The decays of noise that has one."""
        return [noise.decay for noise in self.noises if noise.decay is not None]


def on_lattice(question: MomentQuestion) -> Moment | None:
    """Sum over outputs of discrete Gaussian noise, in closed form of single values."""
    sigmas = lattice_of(question.noises)
    if sigmas is None:
        return None
    return lattice_moment(question.pair, question.fewer, sigmas, question.order)


def on_integers(question: MomentQuestion) -> Moment | None:
    """Sum over all outputs, which are integers."""
    if not all(noise.on_integers for noise in question.noises):
        return None
    return _grid_moment(OutputGrid(question.fewer, question.decays), question.order)


def on_one_line(question: MomentQuestion) -> Moment | None:
    """Enclose the integral along the line on which all values with Gaussian noise lie."""
    fewer, noises, order = question.fewer, question.noises, question.order
    if question.decays or not on_a_line(fewer):
        return None
    moment = line_moment(question.pair, *scalar_laws(fewer, noises), order)
    return replace(moment, otherwise=several_moment(fewer, noises, order))


def of_one_number(question: MomentQuestion) -> Moment | None:
    """Enclose the integral over the outputs of one number with Laplace noise."""
    fewer, order = question.fewer, question.order
    if len(question.noises) > 1 or question.noises[0].on_integers:
        return None
    above, below = ({value[0]: p for value, p in law.items()} for law in (fewer.above, fewer.below))
    (decay,) = question.decays

    def enclosing(bits: int) -> Bounds:
        return laplace_moment(above, below, decay, order, bits)

    nats = Fraction(0) if above == below else None
    pair = question.pair
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


def of_several(question: MomentQuestion) -> Moment:
    """Bound the moment of several numbers."""
    return several_moment(question.fewer, question.noises, question.order)


def line_moment(
    pair: LawPair, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction
) -> Integral:
    """Return the moment of Gaussian noise on a number."""

    def enclosing(bits: int) -> Bounds:
        return gaussian_moment(above, below, variance, order, bits)

    nats = single_divergence(above, below, variance, order)
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


def _grid_moment(grid: OutputGrid, order: Fraction) -> Moment:
    """Return the moment of noise on integers: rational terms where decays are rational."""
    pair = grid.pair
    if (terms := grid.terms()) is not None:
        return Moment(order, pair.prior, pair.pair, terms)

    def enclosing(bits: int) -> Bounds:
        from flint import arb, ctx

        with ctx.workprec(bits):
            total, excess = arb(0), ball(order - 1)
            for above, below in grid.balls():
                total += above * ((above / below).log() * excess).exp()
            return dyadic(total.lower()), dyadic(total.upper())

    nats = Fraction(0) if pair.above == pair.below else None
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


# Scalar -------------------------------------------------------------------------------------------
#
# The Renyi moment of Gaussian or Laplace noise on one number.
#
# For Gaussian noise with y = w - v_0, u = e^(y step / v) and values v_0 + j step, the densities
# are a normal density times polynomials in u with coefficients p_j e^(-(j step)^2 / 2v). Arb
# encloses the integral of f (f/g)^(alpha-1), analytic near the real line, between two ends. Beyond
# them, f is at most the density about its extreme value a, and g at least q times that about its
# own, b: there the integral is at most
#
#     q^(1-alpha) e^(alpha (alpha-1) (a-b)^2 / 2v) P(Z > B - alpha a - (1-alpha) b), Z normal.
#
# For a single value each the divergence is alpha (a-b)^2 / 2v.

_MOST_NATS = 100_000  # of a divergence: beyond it noise hides nothing
_DENSE = 50  # as many coefficients of a polynomial may stand for one that is not 0
_NONE = Fraction(0)


def single_divergence(
    above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction
) -> Fraction | None:
    """Return the divergence in nats where both laws have one value, 0 of equal ones, else None."""
    if above == below:
        return Fraction(0)
    if len(above) > 1 or len(below) > 1:
        return None
    (left,), (right,) = above, below
    return order * (left - right) ** 2 / (2 * variance)


def gaussian_moment(
    above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction, bits: int
) -> Bounds:
    """Return bounds of the moment of an ordered pair, at a working precision.

    >>> one = Fraction(1)
    >>> bounds = gaussian_moment({0 * one: one}, {one: one}, one, 2 * one, 96)
    >>> f"{float(bounds[0]):.12f}"  # e
    '2.718281828459'

    Raises `ModelError` where the divergence could exceed 100,000 nats, `SolverError` where Arb
    finds no enclosure, for hundreds of values.
    """
    from flint import acb, arb, ctx

    with ctx.workprec(bits):
        integrand = _Integrand(above, below, variance, order)
        tails = [_AxisTail(above, below, variance, order, side) for side in (-1, 1)]
        low, high = (tail.end(bits) for tail in tails)
        tolerance = arb(2) ** (24 - bits)
        whole = acb.integral(
            integrand.at,
            acb(ball(low - integrand.first)),
            acb(ball(high - integrand.first)),
            rel_tol=tolerance,
            abs_tol=tolerance,
        ).real
        if not whole.is_finite():
            raise SolverError("an integral of a Renyi divergence is not enclosed")
        rest = sum((tail.most(end) for tail, end in zip(tails, (low, high))), arb(0))
        lower, upper = dyadic(whole.lower()), dyadic((whole + rest).upper())
        return max(lower, Fraction(1)), upper  # a moment is at least 1


class _AxisTail:
    """What lies beyond an end, on one side."""

    def __init__(
        self, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction, side: int
    ) -> None:
        extreme = max if side > 0 else min
        self.side, self.variance, self.order = side, variance, order
        self.above, self.below = extreme(above), extreme(below)
        self.share = below[self.below]
        self.middle = order * self.above + (1 - order) * self.below
        self.nats = order * (order - 1) * (self.above - self.below) ** 2 / (2 * variance)
        if self.nats > _MOST_NATS:
            raise ModelError("expected values closer to each other, or a larger sigma", "noise")
        self.last = extreme(self.above, self.below, self.middle)

    def end(self, bits: int) -> Fraction:
        """Return an end beyond which there is less than 2^-bits."""
        nats = float(self.nats) - float(self.order - 1) * log(self.share) + bits
        return self.last + self.side * ceil(sqrt(2 * nats * float(self.variance)) * 64 + 1) / (
            Fraction(64)
        )

    def most(self, end: Fraction) -> arb:
        """Enclose a bound of the integral beyond an end."""
        distance = ball(self.side * (end - self.middle)) / ball(2 * self.variance).sqrt()
        factor = ball(self.nats) - ball(self.order - 1) * ball(self.share).log()
        return factor.exp() * distance.erfc() / 2


class _Integrand:
    """f (f/g)^(alpha-1) as a function of the distance from the smallest value."""

    def __init__(
        self, above: ScalarLaw, below: ScalarLaw, variance: Fraction, order: Fraction
    ) -> None:
        from flint import arb

        values = sorted({*above, *below})
        self.first = values[0]
        self.variance, self.excess = variance, order - 1
        self.half = ball(1 / (2 * variance))
        self.scale = 1 / (2 * arb.pi() * ball(variance)).sqrt()
        self.step = common_step(v - self.first for v in values) or Fraction(1)
        self.laws = [self._law(law) for law in (above, below)]

    def _law(self, law: ScalarLaw) -> acb_poly | dict[int, arb]:
        from flint import acb_poly

        terms = {
            int((v - self.first) / self.step): ball(p)
            * ball(-((v - self.first) ** 2) / (2 * self.variance)).exp()
            for v, p in law.items()
        }
        degree = max(terms)
        if degree > _DENSE * len(terms):
            return terms
        return acb_poly([terms.get(j, 0) for j in range(degree + 1)])

    def at(self, place: acb, analytic: bool) -> Any:
        """Return the integrand at a complex ball."""
        rise = place * ball(self.step / self.variance)
        unit = rise.exp()
        above, below = (self._sum(law, unit, rise) for law in self.laws)
        ratio = above / below
        if self.excess.denominator == 1:
            power = ratio ** int(self.excess)
        else:
            power = (ratio.log(analytic=analytic) * ball(self.excess)).exp()
        return above * power * (-place * place * self.half).exp() * self.scale

    @staticmethod
    def _sum(law: acb_poly | dict[int, arb], unit: acb, rise: acb) -> Any:
        if isinstance(law, dict):
            return sum(weight * (rise * j).exp() for j, weight in law.items())
        return law(unit)


def laplace_moment(
    above: ScalarLaw, below: ScalarLaw, decay: Power, order: Fraction, bits: int
) -> Bounds:
    """Return bounds of the moment of an ordered pair, at a working precision.

    Between two neighbouring values both densities are sums of a rising and a falling exponential,

        f = (rate / 2) (A e^(-rate (L - y)) + B e^(-rate y)),

    y the distance from the left one and L that between them, so that the integral of f
    (f/g)^(alpha-1) over y is one of a function that is analytic near the real line: Arb encloses
    it. Beyond the extreme values the ratio is constant, and the integral is half of A^alpha C^(1 -
    alpha).

    >>> one = Fraction(1)
    >>> bounds = laplace_moment({0 * one: one}, {one: one}, Power.exp(-one), 2 * one, 96)
    >>> f"{float(bounds[0]):.12f}"  # (2 e + e^-2) / 3
    '1.857299646718'
    """
    from flint import arb, ctx

    with ctx.workprec(bits):
        values = sorted({*above, *below})
        gaps = [high - low for low, high in pairwise(values)]
        falls = [decay.to(gap).ball() for gap in gaps]
        weights = [[ball(law.get(v, _NONE)) for v in values] for law in (above, below)]
        up = [rising(row, falls) for row in weights]
        down = [falling(row, falls) for row in weights]
        excess, rate = ball(order - 1), -decay.ball().log()
        total = (_tail(up[0][0], up[1][0], excess) + _tail(down[0][-1], down[1][-1], excess)) / 2
        tolerance = arb(2) ** (24 - bits)
        for place, gap in enumerate(gaps):
            ends = [(up[law][place + 1] * falls[place], down[law][place]) for law in (0, 1)]
            piece = _RenyiPiece(ends, rate, excess)
            total += piece.integral(ball(gap), tolerance)
        return dyadic(total.lower()), dyadic(total.upper())


def _tail(above: arb, below: arb, excess: arb) -> arb:
    return above * ((above / below).log() * excess).exp()


class _RenyiPiece:
    """The integrand between two neighbouring values: per law the coefficients of e^(rate y) and
    e^(-rate y).
    """

    def __init__(self, ends: list[tuple[arb, arb]], rate: arb, excess: arb) -> None:
        self.ends, self.rate, self.excess = ends, rate, excess

    def integral(self, length: arb, tolerance: arb) -> arb:
        """Enclose the integral."""
        from flint import acb

        integral = acb.integral(
            self._at, acb(0), acb(length), rel_tol=tolerance, abs_tol=tolerance
        ).real
        return integral * self.rate / 2

    def _at(self, place: acb, analytic: bool) -> acb:
        (up, down), (rise, fall) = self.ends
        step = (place * self.rate).exp()
        square = step * step
        above, below = up * square + down, rise * square + fall
        return above / step * ((above / below).log(analytic=analytic) * self.excess).exp()
