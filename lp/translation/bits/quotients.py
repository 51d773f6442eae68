"""Quotients of integers rounded outward: the numbers that recursions along a million records pass
on.

A quotient is a pair (a, b) of integers that are not negative, not both 0; (a, 0) is infinite. A
range of a positive number r holds bounds of the least and of the largest value that r can take, so
that both ends are enclosed.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd

Quotient = tuple[int, int]
Moebius = tuple[int, int, int, int]  # (p, q, s, t): r goes to (p r + q) / (s r + t)
ONE: Quotient = (1, 1)


@dataclass(frozen=True)
class Precision:
    """How many bits a quotient keeps; shorter ones stay exact."""

    bits: int

    def down(self, above: int, below: int) -> Quotient:
        """Return a quotient that is at most above / below, and equal to it where it is short."""
        return self._rounded(above, below, 0)

    def up(self, above: int, below: int) -> Quotient:
        """Return a quotient that is at least above / below, and equal to it where it is short."""
        return self._rounded(above, below, 1)

    def _rounded(self, above: int, below: int, upward: int) -> Quotient:
        if not above or not below:
            return (1, 0) if above else (0, 1)
        lengths = above.bit_length(), below.bit_length()
        if max(lengths) <= self.bits:
            return above, below
        shift = self.bits - lengths[0] + lengths[1]
        if shift >= 0:
            scaled, rest = divmod(above << shift, below)
            return scaled + (1 if rest and upward else 0), 1 << shift
        scaled, rest = divmod(above, below << -shift)
        return (scaled + (1 if rest and upward else 0)) << -shift, 1


@dataclass(frozen=True)
class Range:
    """Bounds of the least and of the largest value of a ratio: `least` <= min r <= `least_upper`,
    `most_lower` <= max r <= `most`.
    """

    least: Quotient
    least_upper: Quotient
    most_lower: Quotient
    most: Quotient

    @classmethod
    def at(cls, lower: Quotient, upper: Quotient) -> "Range":
        """Return the range of a number between two bounds."""
        return cls(lower, upper, lower, upper)

    def moved(self, by: Moebius, precision: Precision) -> "Range":
        """Return the range of (p r + q) / (s r + t), a function of r that is monotone."""
        p, q, s, t = by
        image = [
            rounded(p * a + q * b, s * a + t * b) if a and b else _limit(by, a)
            for (a, b), rounded in zip(self.ends(p * t < q * s), _roundings(precision))
        ]
        return Range(*image)

    def reduced(self) -> "Range":
        """Return the same range in lowest terms."""
        return Range(*(_lowest(end) for end in self.ends(False)))

    @property
    def finite(self) -> bool:
        """Whether no end is 0 or infinite."""
        return all(a and b for a, b in self.ends(False))

    def narrow(self, bits: int) -> bool:
        """Whether both ends are enclosed within a relative width of 2^-bits."""
        return all(
            (above[0] * below[1] - below[0] * above[1]) << bits <= below[0] * above[1]
            for below, above in [(self.least, self.least_upper), (self.most_lower, self.most)]
        )

    def ends(self, falling: bool) -> tuple[Quotient, Quotient, Quotient, Quotient]:
        """Return the four bounds, or those that a falling map takes to each of them."""
        if falling:
            return self.most, self.most_lower, self.least_upper, self.least
        return self.least, self.least_upper, self.most_lower, self.most

    def times(self, other: "Range", precision: Precision) -> "Range":
        """Return the range of a product whose factors are chosen independently."""
        image = [
            rounded(a * c, b * d)
            for (a, b), (c, d), rounded in zip(self.ends(False), other.ends(False), _roundings(precision))
        ]
        return Range(*image)

    def inverse(self) -> "Range":
        """Return the range of 1 / r."""
        least, least_upper, most_lower, most = (flipped(end) for end in self.ends(False))
        return Range(most, most_lower, least_upper, least)

    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the larger one of max r and 1 / min r; None for infinite."""
        lower = larger(self.most_lower, flipped(self.least_upper))
        upper = larger(self.most, flipped(self.least))
        return fraction(lower), fraction(upper)


def _roundings(precision: Precision):  # type: ignore[no-untyped-def]
    return precision.down, precision.up, precision.down, precision.up


def _limit(by: Moebius, infinite: int) -> Quotient:
    """Return (p r + q) / (s r + t) where r is infinite, or where it is 0."""
    p, q, s, t = by
    near, far = ((p, s), (q, t)) if infinite else ((q, t), (p, s))
    return near if any(near) else far


def _lowest(quotient: Quotient) -> Quotient:
    common = gcd(*quotient)
    return quotient[0] // common, quotient[1] // common


def flipped(quotient: Quotient) -> Quotient:
    """Return 1 / r."""
    return quotient[1], quotient[0]


def larger(one: Quotient, other: Quotient) -> Quotient:
    """Return the larger quotient."""
    return one if one[0] * other[1] >= other[0] * one[1] else other


def fraction(quotient: Quotient) -> Fraction | None:
    """Return the number, None for infinite."""
    return Fraction(*quotient) if quotient[1] else None
