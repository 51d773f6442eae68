"""The Renyi moment of Laplace noise on one number.

Between two neighbouring values both densities are sums of a rising and a falling exponential,

    f = (rate / 2) (A e^(-rate (L - y)) + B e^(-rate y)),

y the distance from the left one and L that between them, so that the integral of f (f/g)^(alpha-1)
over y is one of a function that is analytic near the real line: Arb encloses it. Beyond the extreme
values the ratio is constant, and the integral is half of A^alpha C^(1 - alpha).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.leakage.renyi import Bounds
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw, falling, rising

if TYPE_CHECKING:
    from flint import acb, arb

_NONE = Fraction(0)


def laplace_moment(
    above: ScalarLaw, below: ScalarLaw, decay: Power, order: Fraction, bits: int
) -> Bounds:
    """Return bounds of the moment of an ordered pair, at a working precision.

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
        up = [rising(each, falls) for each in weights]
        down = [falling(each, falls) for each in weights]
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

        found = acb.integral(
            self._at, acb(0), acb(length), rel_tol=tolerance, abs_tol=tolerance
        ).real
        return found * self.rate / 2

    def _at(self, place: acb, analytic: bool) -> acb:
        (up, down), (rise, fall) = self.ends
        step = (place * self.rate).exp()
        square = step * step
        above, below = up * square + down, rise * square + fall
        return above / step * ((above / below).log(analytic=analytic) * self.excess).exp()
