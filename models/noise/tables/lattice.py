"""Sums of the discrete Gaussian law, enclosed: theta series and tails.

With sigma^2 = v the law has the probability exp(-z^2 / 2v) / Theta(0) at the integer z, where

    Theta(m) = sum over integers z of exp(-(z - m)^2 / 2v)
             = sqrt(2 pi v) (1 + 2 sum_n exp(-2 pi^2 v n^2) cos(2 pi n m))

by Poisson's formula: Theta(m) <= Theta(0), with equality where m is an integer. A tail is summed
term by term where sigma is small, and else by the Euler-Maclaurin formula, f(x) = exp(-x^2 / 2v):

    sum_{z >= k} f(z) = integral of f from k on + f(k) / 2
                        - sum_{j <= J} B_2j / (2j)! f^(2j - 1)(k) + R,
    |R| <= 4 (2 pi)^(-2J) times the integral of |f^(2J)| from k on,

in which f^(n)(x) = (-1)^n sigma^-n He_n(x / sigma) f(x) for Hermite polynomials, and |He_n(x)| <=
1.1 sqrt(n!) exp(x^2 / 4) (Abramowitz and Stegun 1964, 22.14.17), so that the integral is at most
1.1 sqrt((2J)!) sigma^(1 - 2J) sqrt(pi) erfc(k / 2 sigma).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import factorial, isqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb

_FEW = 500  # sigmas up to this are summed term by term
_MOST_ORDERS = 4_000  # derivatives of the Euler-Maclaurin formula


@dataclass(frozen=True)
class LatticeGaussian:
    """The discrete Gaussian law of `variance` = sigma^2, at the working precision at which its
    methods are called.

    >>> from flint import ctx
    >>> with ctx.workprec(64):
    ...     law = LatticeGaussian(Fraction(1))
    ...     print(law.tail(1).str(12, radius=False), law.probabilities([0])[0].str(12, radius=False))
    0.300528860867 0.398942278267
    """

    variance: Fraction

    @cached_property
    def _half(self) -> Fraction:
        return 1 / (2 * self.variance)

    def theta(self, middle: Fraction = Fraction(0)) -> arb:
        """Enclose Theta at a number."""
        from flint import arb, ctx

        bits = ctx.prec
        middle -= round(middle)
        total = arb(0)
        if self.variance >= Fraction(1, 6):  # about where both series are as short
            rate = -2 * arb.pi() ** 2 * ball(self.variance)
            for n in count(1):
                size = (rate * n * n).exp()
                total += 2 * size * ball(2 * n * middle).cos_pi()
                if size < arb(2) ** (-bits - 8):
                    break
            # the rest: each term is at most a half of the one before
            rest = 4 * (rate * (n + 1) ** 2).exp()
            whole = 1 + total + arb(0, 1) * rest
            return whole * (2 * arb.pi() * ball(self.variance)).sqrt()
        total = self.weight(middle)
        for n in count(1):
            sizes = [self.weight(z - middle) for z in (n, -n)]
            total += sizes[0] + sizes[1]
            if sizes[0] + sizes[1] < arb(2) ** (-bits - 8) * total:
                break
        return total + arb(0, 1) * 2 * (sizes[0] + sizes[1])

    def weight(self, distance: Fraction | int) -> arb:
        """Enclose f."""
        return ball(-distance * distance * self._half).exp()

    def probabilities(self, places: Iterable[Fraction | int]) -> list[arb]:
        """Enclose the probabilities of integers."""
        whole = self.theta()
        return [self.weight(place) / whole for place in places]

    def tail(self, place: int) -> arb:
        """Enclose the probability of all integers from one on."""
        if place <= 0:
            return 1 - self.tail(1 - place)
        if self.variance <= max(_FEW**2, place):  # beyond sigma^2 each term is 1/e of the last
            return self._term_by_term(place) / self.theta()
        return self._euler_maclaurin(place) / self.theta()

    def _term_by_term(self, place: int) -> arb:
        from flint import arb, ctx

        bits = ctx.prec
        with ctx.workprec(bits + 32):
            term = self.weight(place)
            step = ball(-(2 * place + 1) * self._half).exp()
            shrink = ball(-1 / self.variance).exp()
            total, least = term, term * arb(2) ** (-bits - 8)
            while True:
                term *= step
                total += term
                step *= shrink
                # the terms that follow fall faster than a geometric series of ratio `step`
                if step < 1 and not term * step > least * (1 - step):
                    break
            rest = term * step / (1 - step)
            return total + rest / 2 + arb(0, 1) * rest / 2

    def _euler_maclaurin(self, place: int) -> arb:
        from flint import arb, ctx, fmpq

        bits = ctx.prec
        with ctx.workprec(2 * bits + 64):
            sigma = ball(self.variance).sqrt()
            scaled = ball(Fraction(place)) / sigma
            square, half = ball(place**2 * self._half), arb(1) / 2
            value = (-square).exp()
            # sqrt(pi) erfc(z) = Gamma(1/2, z^2), which is enclosed well however large z is
            total = sigma / arb(2).sqrt() * square.gamma_upper(half) + value / 2
            target = total * arb(2) ** (-bits - 8)
            reach = sigma * (square / 2).gamma_upper(half) * 11 / 10
            before, here = arb(1), scaled  # He_0, He_1
            scale, rest = 1 / sigma, arb(0)
            for j in range(1, _MOST_ORDERS):
                order = 2 * j - 1
                # f^(order) = -sigma^-order He_order f, and the sum has a minus before it
                number = fmpq.bernoulli(2 * j) / fmpq(factorial(2 * j))
                derivative = scale * here * value
                total += arb(number) * derivative
                rest = 4 * reach / (2 * arb.pi() * sigma) ** (2 * j) * arb(factorial(2 * j)).sqrt()
                # the zeros of He_2j are at most sqrt(8 j + 2) (Szego 1975, 6.31); beyond them
                # f^(2j) has one sign, and the integral of |f^(2j)| is |f^(2j - 1)|
                if place**2 >= (8 * j + 2) * self.variance:
                    rest = rest.min(4 * derivative / (2 * arb.pi()) ** (2 * j))
                if rest < target:
                    break
                for _ in range(2):
                    before, here = here, scaled * here - order * before
                    order += 1
                scale /= sigma * sigma
            else:
                raise TooLargeError("a tail of discrete Gaussian noise is not enclosed", "noise")
            return total + arb(0, 1) * rest


def deviations(variance: Fraction, bits: int) -> int:
    """Return a distance beyond which there is less than 2^-bits of the law: E e^(tZ) = e^(t^2 v/2)
    Theta(tv) / Theta(0) is at most that of a normal law, so that P(|Z| >= k) <= 2 exp(-k^2 / 2v).
    """
    nats = Fraction(7, 10) * (bits + 2)
    return isqrt(int(2 * variance * nats)) + 2
