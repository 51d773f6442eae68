"""Exact sums over all integers of products of geometric tails.

Integer noise Z of geometric type has tails x -> P(Z >= x - q) and masses x -> P(Z = x - q) that
are, on either side of one integer (the kink), a constant plus a multiple of a power of alpha. A
product of such functions is a finite sum of powers on either side of all kinks, so its sum over the
integers is a finite sum plus two sums of geometric series: a rational, with nothing cut off. Noisy
maxima and sparse vectors are such sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import Number, checked_ratio, hold

_ZERO, _ONE = Fraction(0), Fraction(1)
Terms = dict[Fraction, Fraction]
"""base -> coefficient, for the function k -> sum of coefficient * base^k on k = 0, 1, 2, ..."""


@dataclass(frozen=True)
class Tail:
    """A function f on the integers that is exponential on either side of `kink`.

    With (c, d) = `left`: f(x) = c + d alpha^(kink - x) for x < kink; with (c, d) = `right`: f(x) =
    c + d alpha^(x - kink) for x >= kink.
    """

    kink: int
    alpha: Fraction
    left: tuple[Fraction, Fraction]
    right: tuple[Fraction, Fraction]

    def at(self, x: int) -> Fraction:
        """Return f(x)."""
        constant, coefficient = self.right if x >= self.kink else self.left
        return constant + coefficient * self.alpha ** abs(x - self.kink)

    def complement(self) -> "Tail":
        """Return 1 - f."""
        left, right = ((1 - constant, -coefficient) for constant, coefficient in (self.left, self.right))
        return Tail(self.kink, self.alpha, left, right)

    def terms(self, x: int, step: int) -> Terms:
        """Return k -> f(x + step k) as powers, for a step of +1 from x >= kink or of -1 from x
        < kink.
        """
        constant, coefficient = self.right if step > 0 else self.left
        return {_ONE: constant, self.alpha: coefficient * self.alpha ** abs(x - self.kink)}


class Noise(Protocol):
    """Integer noise Z whose mass and tail functions are exponential on either side of a kink."""

    def mass(self, center: int) -> Tail:
        """Return x -> P(center + Z = x)."""
        ...

    def at_least(self, center: int) -> Tail:
        """Return x -> P(center + Z >= x)."""
        ...


@dataclass(frozen=True)
class TwoSided:
    """Two-sided geometric noise, the discrete Laplace law: P(Z = z) = (1 - alpha) / (1 + alpha)
    alpha^|z|, alpha = 1 / ratio.

    >>> TwoSided("2").mass(0).at(1), TwoSided("2").at_least(0).at(1)
    (Fraction(1, 6), Fraction(1, 3))

    Source: Ghosh, Roughgarden and Sundararajan, "Universally utility-maximizing privacy
    mechanisms", STOC 2009.
    """

    ratio: Number

    def __post_init__(self) -> None:
        hold(self, ratio=checked_ratio(self.ratio))

    def mass(self, center: int) -> Tail:
        """Return x -> P(center + Z = x)."""
        alpha = 1 / Fraction(self.ratio)
        peak = (1 - alpha) / (1 + alpha)
        return Tail(center, alpha, (_ZERO, peak), (_ZERO, peak))

    def at_least(self, center: int) -> Tail:
        """Return x -> P(center + Z >= x): with m = x - center, alpha^m / (1 + alpha) or 1 -
        alpha^(1-m) / (1 + alpha).
        """
        alpha = 1 / Fraction(self.ratio)
        return Tail(center, alpha, (_ONE, -alpha / (1 + alpha)), (_ZERO, 1 / (1 + alpha)))


@dataclass(frozen=True)
class OneSided:
    """One-sided geometric noise, the discrete exponential law: P(Z = z) = (1 - alpha) alpha^z for z
    >= 0, alpha = 1 / ratio.

    >>> OneSided("2").mass(0).at(1), OneSided("2").mass(0).at(-1), OneSided("2").at_least(0).at(1)
    (Fraction(1, 4), Fraction(0, 1), Fraction(1, 2))
    """

    ratio: Number

    def __post_init__(self) -> None:
        hold(self, ratio=checked_ratio(self.ratio))

    def mass(self, center: int) -> Tail:
        """Return x -> P(center + Z = x)."""
        alpha = 1 / Fraction(self.ratio)
        return Tail(center, alpha, (_ZERO, _ZERO), (_ZERO, 1 - alpha))

    def at_least(self, center: int) -> Tail:
        """Return x -> P(center + Z >= x)."""
        return Tail(center, 1 / Fraction(self.ratio), (_ONE, _ZERO), (_ZERO, _ONE))


def up_to(most: int) -> Tail:
    """Return the indicator of x <= most: the tail x -> P(most + Z >= x) without noise.

    >>> up_to(3).at(3), up_to(3).at(4)
    (Fraction(1, 1), Fraction(0, 1))
    """
    return Tail(most + 1, Fraction(1, 2), (_ONE, _ZERO), (_ZERO, _ZERO))


def sum_of_products(factors: Sequence[Tail]) -> Fraction:
    """Return sum over all integers x of prod_i f_i(x), exactly.

    >>> (sum_of_products([TwoSided("3").mass(5)]), sum_of_products([TwoSided("3").mass(0), TwoSided("3").at_least(0)]))
    (Fraction(1, 1), Fraction(21, 32))

    Raises `ModelError` unless the sum converges (a mass among the factors is enough).
    """
    low, high = min(factor.kink for factor in factors), max(factor.kink for factor in factors)
    middle = sum((prod(factor.at(x) for factor in factors) for x in range(low, high)), _ZERO)
    right = _series(_expanded([factor.terms(high, 1) for factor in factors]))
    left = _series(_expanded([factor.terms(low - 1, -1) for factor in factors]))
    return left + middle + right


def _expanded(factors: Sequence[Terms]) -> Terms:
    """Multiply sums of powers: (c b^k)(d e^k) = cd (be)^k."""
    product: Terms = {_ONE: _ONE}
    for factor in factors:
        terms: Terms = {}
        for base, coefficient in product.items():
            for other, step in factor.items():
                terms[base * other] = terms.get(base * other, _ZERO) + coefficient * step
        product = {base: coefficient for base, coefficient in terms.items() if coefficient}
    return product


def _series(terms: Terms) -> Fraction:
    """Sum over k >= 0: a term c b^k contributes c / (1 - b)."""
    if _ONE in terms:
        raise ModelError("expected a product that vanishes at infinity, found one that does not", "sum_of_products")
    return sum((coefficient / (1 - base) for base, coefficient in terms.items()), _ZERO)
