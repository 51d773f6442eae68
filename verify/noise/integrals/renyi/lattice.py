"""The Renyi moment of discrete Gaussian noise on integers.

Of one value each, x and y with d = x - y, completing the square gives

    sum over w of P(w - x)^alpha P(w - y)^(1 - alpha)
        = exp(alpha (alpha - 1) d^2 / 2v) Theta(alpha d) / Theta(0),  v = sigma^2,

so that the divergence is at most alpha d^2 / 2v, which it is where alpha d is an integer (Canonne,
Kamath and Steinke 2020, proposition 5). Several numbers multiply. Of mixtures on one number it is a
sum over integers, and beyond an end at most

    q^(1 - alpha) exp(alpha (alpha - 1) (a - b)^2 / 2v) P(Z + m beyond it),  m = alpha a + (1 -
    alpha) b,

a and b the extreme values on that side, q the probability of b.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.tables.lattice import LatticeGaussian
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.verify.leakage.renyi import Bounds
from pufferproof.verify.noise.integrals.delta.laplace import ScalarLaw
from pufferproof.verify.noise.integrals.renyi.several import Enclosing, Integral
from pufferproof.verify.noise.laws.of_framework import LawPair

if TYPE_CHECKING:
    from flint import arb

_MOST_OUTPUTS = 100_000  # integers of a sum
_MOST_NATS = 100_000  # of a divergence: beyond it noise hides nothing


def lattice_moment(
    pair: LawPair, fewer: LawPair, sigmas: Sequence[Fraction], order: Fraction
) -> Integral:
    """Return the moment of an ordered pair, the numbers that vary in `fewer`, with discrete
    Gaussian noise of sigma^2 each.

    >>> one = Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): one}, {(one,): one})
    >>> print(lattice_moment(pair, pair, [2 * one], 2 * one).nats)  # alpha d^2 / 2 sigma^2
    1/2

    Raises `ModelError` where the divergence could exceed 100,000 nats, `TooLargeError` for
    mixtures on several numbers, or with more than 100,000 outputs.
    """
    single = len(fewer.above) == 1 == len(fewer.below)
    if single:
        moves = [x - y for x, y in zip(next(iter(fewer.above)), next(iter(fewer.below)))]
        closed = sum(
            (order * d * d / (2 * sigma2) for d, sigma2 in zip(moves, sigmas)), Fraction(0)
        )
        known = all((order * d).denominator == 1 for d in moves)

        def shifted(bits: int) -> Bounds:
            return _of_shifts(moves, sigmas, order, closed, bits)

        return _integral(pair, order, shifted, closed if known else None)
    if len(sigmas) > 1:
        raise TooLargeError(
            "an order of several numbers with discrete Gaussian noise under a prior that mixes "
            "their values is not supported: expected one number",
            "query",
        )
    above, below = ({value[0]: p for value, p in law.items()} for law in (fewer.above, fewer.below))

    def mixed(bits: int) -> Bounds:
        return _of_mixtures(above, below, sigmas[0], order, bits)

    return _integral(pair, order, mixed, Fraction(0) if above == below else None)


def _integral(
    pair: LawPair, order: Fraction, enclosing: Enclosing, nats: Fraction | None
) -> Integral:
    return Integral(order, pair.prior, pair.pair, (), enclosing=enclosing, nats=nats)


def _of_shifts(
    moves: Sequence[Fraction],
    sigmas: Sequence[Fraction],
    order: Fraction,
    closed: Fraction,
    bits: int,
) -> Bounds:
    from flint import ctx

    nats = closed * (order - 1)
    if nats > _MOST_NATS:
        raise ModelError("expected values closer to each other, or a larger sigma", "noise")
    with ctx.workprec(bits):
        total = ball(nats).exp()
        for d, sigma2 in zip(moves, sigmas):
            law = LatticeGaussian(sigma2)
            total *= law.theta(order * d) / law.theta()
        return max(dyadic(total.lower()), Fraction(1)), dyadic(total.upper())


def _of_mixtures(
    above: ScalarLaw, below: ScalarLaw, sigma2: Fraction, order: Fraction, bits: int
) -> Bounds:
    from flint import arb, ctx

    law = LatticeGaussian(sigma2)
    sides = [_Side(above, below, sigma2, order, side) for side in (-1, 1)]
    low, high = (side.end(bits) for side in sides)
    if high - low > _MOST_OUTPUTS:
        raise TooLargeError(
            f"a sum of {high - low} outputs: expected at most {_MOST_OUTPUTS}, or one value each",
            "noise",
        )
    with ctx.workprec(bits):
        none, whole, half = arb(0), law.theta(), 1 / (2 * sigma2)
        total = none
        for place in range(low, high + 1):
            one, other = (
                sum(
                    (ball(p) * ball(-((place - v) ** 2) * half).exp() for v, p in f.items()), arb(0)
                )
                for f in (above, below)
            )
            total += one * ((one / other).log() * ball(order - 1)).exp()
        total /= whole
        rest = sum((side.most(end) for side, end in zip(sides, (low, high))), arb(0))
        return max(dyadic(total.lower()), Fraction(1)), dyadic((total + rest).upper())


class _Side:
    """What lies beyond an end, on one side."""

    def __init__(
        self, above: ScalarLaw, below: ScalarLaw, sigma2: Fraction, order: Fraction, side: int
    ) -> None:
        extreme = max if side > 0 else min
        one, other = extreme(above), extreme(below)
        self.side, self.sigma2, self.order, self.share = side, sigma2, order, below[other]
        self.middle = order * one + (1 - order) * other
        self.nats = order * (order - 1) * (one - other) ** 2 / (2 * sigma2)
        if self.nats > _MOST_NATS:
            raise ModelError("expected values closer to each other, or a larger sigma", "noise")
        self.last = extreme(one, other, self.middle)

    def end(self, bits: int) -> int:
        """Return an end beyond which there is less than about 2^-bits."""
        nats = self.nats + (self.order - 1) * _least_nats(self.share) + bits
        last = ceil(self.last) if self.side > 0 else floor(self.last)
        return last + self.side * (isqrt(int(2 * nats * self.sigma2)) + 2)

    def most(self, end: int) -> arb:
        """Enclose a bound of the sum beyond an end: a tail from the distance on, rounded down."""
        tail = LatticeGaussian(self.sigma2).tail(floor(self.side * (end - self.middle)) + 1)
        factor = ball(self.nats) - ball(self.order - 1) * ball(self.share).log()
        return factor.exp() * tail


def _least_nats(share: Fraction) -> int:
    """Return an integer above -log of a probability."""
    return share.denominator.bit_length() - share.numerator.bit_length() + 2
