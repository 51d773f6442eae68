"""Levels, and comparisons with them that always end: R = e^level is rational, or e^nats.

A rational number is never equal to e^q for a rational q other than 0, so that bounds of e^q in
integers, rounded outward, decide once they are close enough; what takes over 2^17 bits is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from math import isqrt
from typing import NamedTuple

from .reading import Node, Refused, require, show, size, spend

MAX_PRECISION = 17  # log2 of the bits of e^nats


class Point(NamedTuple):
    """a = P(w, s), p = P(s), b = P(w, t), q = P(t), all up to a positive factor."""

    a: int
    p: int
    b: int
    q: int


class Level:
    """R = e^level >= 1: a rational, or e^nats for a rational nats > 0, which is irrational."""

    def __init__(self, node: Node) -> None:
        self.form = "log" if "log" in node.of(dict) else "nats"
        self.value = node.fields(self.form)[self.form].number()  # R itself, or the nats
        self.enclosed = cache(partial(enclosure, self.value))  # to hash a fraction takes long
        self.name, self.bits = f"{self.form}({show(self.value)})", size(self.value)
        require(self.value >= (1 if self.form == "log" else 0), "level {} is negative", self.name)

    def exceeded(self, point: Point, delta: Fraction = Fraction(0)) -> bool:
        """Decide a/p - R b/q > delta for p, q > 0."""
        (a, p, b, q), (num, den), long = point, delta.as_integer_ratio(), max(point).bit_length()
        spend(1, 2 * long + size(delta), long + 3 * size(delta) + 2 * self.bits)
        left, right = a * q * den - num * p * q, b * p * den  # is left > R right?

        def holds(n: int, d: int) -> bool:
            return left * d <= n * right

        return left > right and (right == 0 or not self.decide(holds, left.bit_length()))

    def exceeded_by_mixture(self, one: Point, two: Point) -> bool:
        """Decide whether A Q > R P B for some combination of two points with weights >= 0."""
        (a, p, b, q), (aa, pp, bb, qq) = one, two
        long = max(*one, *two).bit_length()
        spend(2, 3 * long + 2 * self.bits, 3 * long + 2 * self.bits)

        def holds(num: int, den: int) -> bool:
            first, second = den * a * q - num * p * b, den * aa * qq - num * pp * bb
            cross = den * (a * qq + aa * q) - num * (p * bb + pp * b)
            between = cross <= 0 or cross * cross <= 4 * first * second
            return first <= 0 and second <= 0 and between

        return not self.decide(holds, 4 * long + 16)

    def decide(self, holds: Callable[[int, int], bool], settled: int) -> bool:
        """Decide holds(R), which stays true when R grows and is constant from 2^settled on."""
        if self.form == "log" or self.value == 0:
            return holds(*(self.value or Fraction(1)).as_integer_ratio())
        spend(5, 2 * settled, 2 * settled)
        if self.value >= settled:  # then R > 2^settled
            return holds(1 << settled, 1)
        for k in range(6, MAX_PRECISION + 1):
            low, high, unit = self.enclosed(1 << k)
            spend(5, settled + high.bit_length(), settled + high.bit_length())
            if holds(low, unit) == holds(high, unit):
                return holds(low, unit)
        text = f"comparing with {self.name} needs more than 2^{MAX_PRECISION} bits"
        raise Refused(f"undecided: {text}")


@cache
def enclosure(nats: Fraction, bits: int) -> tuple[int, int, int]:
    """Return low, high, unit with low <= unit e^nats <= high, of relative width about 2^-bits."""
    halvings = int(nats).bit_length() + isqrt(bits) + 2  # the series is that of nats / 2^halvings < 1/4
    work = bits + 2 * halvings + 16
    spend(1, work + size(nats), work + size(nats))
    spend(2 * isqrt(bits) + 8 * halvings, work, 32 * isqrt(work))  # long products, by Karatsuba
    n, x = 0, (nats.numerator << work) // (nats.denominator << halvings)  # nats / 2^halvings
    low = high = term_low = term_high = 1 << work
    while term_high > 1:
        n += 1
        term_low = (term_low * x >> work) // n
        term_high = -((-term_high * (x + 1) >> work) // n)
        low, high = low + term_low, high + term_high
    high += 1  # the rest of the series is less than its last term, which is at most 1
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    return low, high, 1 << work
