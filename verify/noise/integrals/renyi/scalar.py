"""The Renyi moment of Gaussian or Laplace noise on one number.

For Gaussian noise with y = w - v_0, u = e^(y step / v) and values v_0 + j step, the densities are a
normal density times polynomials in u with coefficients p_j e^(-(j step)^2 / 2v). Arb encloses the
integral of f (f/g)^(alpha-1), analytic near the real line, between two ends. Beyond them, f is at
most the density about its extreme value a, and g at least q times that about its own, b: there the
integral is at most

    q^(1-alpha) e^(alpha (alpha-1) (a-b)^2 / 2v) P(Z > B - alpha a - (1-alpha) b), Z normal.

For a single value each the divergence is alpha (a-b)^2 / 2v.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, log, sqrt
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.proportions import common_step
from pufferproof.verify.leakage.renyi import Bounds
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw, falling, rising

if TYPE_CHECKING:
    from flint import acb, acb_poly, arb

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
