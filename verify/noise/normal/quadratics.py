"""Sums of normal densities of several values and variances, compared on an interval.

    p(y) = sum_i a_i e^(-(y - m_i)^2 / 2 v_i) / c(v_i),    a_i rational

relative to one term each other term is e to a quadratic of y. The term of the largest variance,
and of the extreme value among these, outweighs all others from some place on (`far`). The ratio of
two sums of one term each has a quadratic logarithm: its supremum is at an end or at the vertex,
exactly. Of others it is in a narrow piece around a zero of p' q - p q', beyond `far` within 2^-90
of that of the extreme terms. The sign of a difference is told by balls on halved intervals.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Any

from flint import arb, ctx

from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.enclosures import ball

Place = tuple[Fraction, Fraction]  # a value and a variance
End = Fraction | None
BITS = 256
NEAR = 90  # bits to which other terms are nothing beside the extreme one
_NARROW = Fraction(1, 1 << 60)
_MOST_STEPS = 20_000


@dataclass(frozen=True)
class Quadratic:
    """a y^2 + b y + c."""

    a: Fraction
    b: Fraction
    c: Fraction

    @classmethod
    def between(cls, one: Place, other: Place) -> "Quadratic":
        """Return the logarithm of e^(-(y - m)^2 / 2v) over the same of another place."""
        (m, v), (n, w) = one, other
        return cls(1 / (2 * w) - 1 / (2 * v), m / v - n / w, n * n / (2 * w) - m * m / (2 * v))

    def plus(self, other: "Quadratic") -> "Quadratic":
        """Return the sum."""
        return Quadratic(self.a + other.a, self.b + other.b, self.c + other.c)

    def at(self, y: Fraction) -> Fraction:
        """Return the value at a number."""
        return (self.a * y + self.b) * y + self.c

    def over(self, low: Fraction, high: Fraction) -> arb:
        """Enclose all values between two numbers."""
        ends = [self.at(low), self.at(high)]
        if self.a and low < (top := -self.b / (2 * self.a)) < high:
            ends.append(self.at(top))
        return ball(min(ends)).union(ball(max(ends)))

    def slope(self, low: Fraction, high: Fraction) -> arb:
        """Enclose the derivative between two numbers."""
        ends = [2 * self.a * y + self.b for y in (low, high)]
        return ball(min(ends)).union(ball(max(ends)))

    def highest(self, low: End, high: End) -> Fraction | None:
        """Return where the value is largest between two ends, or None if it has no bound; it is
        constant, or falls, towards an end that is infinite.
        """
        if self.a < 0:
            top = -self.b / (2 * self.a)
            top = top if low is None else max(low, top)
            return top if high is None else min(high, top)
        if self.grows(low, -1) or self.grows(high, 1):
            return None
        if low is None or high is None:
            return (high or Fraction(0)) if low is None else low
        return max((low, high), key=self.at)

    def grows(self, end: End, side: int) -> bool:
        """Whether the value has no bound towards an end."""
        return end is None and (self.a > 0 or (not self.a and side * self.b > 0))


@dataclass(frozen=True)
class Terms:
    """A sum of normal densities, place -> coefficient; `factor` gives 1 / c(v) of a variance."""

    of: Mapping[Place, Any]
    factor: Callable[[Fraction], arb]

    def extreme(self, side: int) -> Place:
        """Return the place of the term that is the largest far out on a side."""
        return max(self.of, key=lambda place: (place[1], side * place[0]))

    def far(self, side: int, bits: int = NEAR) -> Fraction:
        """Return a number beyond which all other terms together are less than 2^-bits of the
        extreme one, and fall beside it.
        """
        extreme = self.extreme(side)
        others = [
            (Quadratic.between(place, extreme), abs(self._weight(place) / self._weight(extreme)))
            for place in self.of
            if place != extreme
        ]
        if not others:
            return extreme[0]
        step = Fraction(isqrt(int(extreme[1]))) or Fraction(1, 1 + isqrt(int(1 / extreme[1])))
        y = side * max(side * place[0] for place in self.of)
        for _ in range(4_000):
            y += side * step
            if all(side * (2 * log.a * y + log.b) < 0 for log, _ in others):
                rest = arb(0)
                for log, size in others:
                    rest += size * ball(log.at(y)).exp()
                if rest < arb(2) ** -bits:
                    return y
            step *= 2
        raise TooLargeError("laws of Gaussian noise are too close far out", "noise")

    def _weight(self, place: Place) -> arb:
        """Enclose what a term is multiplied by."""
        weight = self.of[place]
        return (ball(weight) if isinstance(weight, Fraction) else weight) * self.factor(place[1])

    def _beside(self, place: Place, low: Fraction, high: Fraction) -> Iterator[tuple[arb, Quadratic]]:
        """Yield every term, divided by e^(-(y - m)^2 / 2v) of a place, and its exponent."""
        for own in self.of:
            log = Quadratic.between(own, place)
            yield self._weight(own) * log.over(low, high).exp(), log

    def beside(self, place: Place, low: Fraction, high: Fraction) -> arb:
        """Enclose the sum, divided by e^(-(y - m)^2 / 2v) of a place, between two numbers."""
        return sum((term for term, _ in self._beside(place, low, high)), arb(0))

    def slope(self, place: Place, low: Fraction, high: Fraction) -> arb:
        """Enclose the derivative of the same."""
        terms = self._beside(place, low, high)
        return sum((term * log.slope(low, high) for term, log in terms), arb(0))


@dataclass(frozen=True)
class Cell:
    """An interval, and the sign of a sum on all of it; 0 if that is not told."""

    low: End
    high: End
    sign: int


def signs(sums: Terms, low: End, high: End) -> Iterator[Cell]:
    """Yield cells between two ends, with the sign of a sum whose coefficients are balls that are not 0."""
    if not sums.of:
        return
    known = {_sign(weight) for weight in sums.of.values()}
    if len(known) == 1 and 0 not in known:
        yield Cell(low, high, known.pop())
        return
    left, right = sums.far(-1, 1), sums.far(1, 1)
    left = left if low is None else max(low, left)
    right = right if high is None else min(high, right)
    outer = [(low, left if high is None else min(left, high), -1), (right if low is None else max(right, low), high, 1)]
    if _less(*outer[0][:2]):
        yield Cell(outer[0][0], outer[0][1], _sign(sums.of[sums.extreme(-1)]))
    if left < right:
        yield from _halved(sums, left, right)
    if _less(*outer[1][:2]):
        yield Cell(outer[1][0], outer[1][1], _sign(sums.of[sums.extreme(1)]))


def _less(low: End, high: End) -> bool:
    return low is None or high is None or low < high


def _sign(value: Fraction | arb) -> int:
    return int(value > 0) - int(value < 0)


def _halved(sums: Terms, low: Fraction, high: Fraction) -> Iterator[Cell]:
    stack, steps = [(low, high)], 0
    while stack:
        a, b = stack.pop()
        steps += 1
        place = min(sums.of, key=lambda each: abs(each[0] - (a + b) / 2))
        sign = _sign(sums.beside(place, a, b))
        if not sign:
            middle = (a + b) / 2
            tangent = sums.beside(place, middle, middle) + sums.slope(place, a, b) * (
                ball(a).union(ball(b)) - ball(middle)
            )
            sign = _sign(tangent)
        if sign or b - a <= _NARROW * max(Fraction(1), abs(a)) or steps > _MOST_STEPS:
            yield Cell(a, b, sign)
        else:
            middle = (a + b) / 2
            stack += [(middle, b), (a, middle)]


def bumps(p: Terms, q: Terms, low: Fraction, high: Fraction) -> Iterator[tuple[Fraction, arb, arb]]:
    """Yield a number, the ratio of two sums there, and an enclosure of the ratio around it, for
    pieces between two numbers in which the ratio may have a maximum that is at no end.
    """
    stack, steps, best = [(low, high)], 0, arb(0)
    place = next(iter(q.of))
    while stack:
        a, b = stack.pop()
        steps += 1
        above, below = p.beside(place, a, b), q.beside(place, a, b)
        # Enclose p' q - p q', but for a factor above 0: terms of one place have none of it, and those of two have a
        # coefficient whose sign is exact
        turn, none = arb(0), Fraction(0)
        for one, other in combinations(dict.fromkeys((*p.of, *q.of)), 2):
            weight = p.of.get(one, none) * q.of.get(other, none)
            weight -= p.of.get(other, none) * q.of.get(one, none)
            if weight:
                steep = Quadratic.between(one, other).slope(a, b)
                log = Quadratic.between(one, place).plus(Quadratic.between(other, place))
                size = p.factor(one[1]) * p.factor(other[1]) * ball(weight)
                turn += size * steep * log.over(a, b).exp()
        if turn > 0 or turn < 0:
            continue
        middle = (a + b) / 2
        inside = p.beside(place, middle, middle) / q.beside(place, middle, middle)
        around = above / below if below > 0 else arb("inf")
        if inside.is_finite() and inside.lower() > best:
            best = inside.lower()
        if around.is_finite() and around.upper() < best:
            continue
        if b - a <= _NARROW * max(Fraction(1), abs(a)) or steps > _MOST_STEPS:
            yield middle, inside, around
        else:
            stack += [(middle, b), (a, middle)]


def precise() -> AbstractContextManager[object]:
    """Return the context of the working precision."""
    return ctx.workprec(BITS)
