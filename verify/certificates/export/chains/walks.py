"""Slopes of outputs along a chain of bits, as Coq carries them: in cones of integers.

A ray is u : v, a cone all between two of them. The steps are those of `Cones.v` and `Redacted.v`,
with the same integers, so that hints are known to serve before they are written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from pufferproof.models.errors import CertificateError

LARGEST = 60_000_000  # squares of the bits of all slopes together: about ten seconds of Coq

Ray = tuple[int, int]
Cone = tuple[Ray, Ray]
# a unit, and how many of it hide a record that is 0, and one that is 1
StepRow = tuple[int, int, int]
Matrix = tuple[Ray, Ray]
ALWAYS: StepRow = (1, 1, 1)
ANY = "*01"
ONES: Cone = ((1, 1), (1, 1))


class TooCloseError(CertificateError):
    """Slopes are not known well enough at a precision, or take Coq too long."""


@dataclass(frozen=True)
class ChainSteps:
    """A chain: a unit, how many of it leave 0 and leave 1, the law of its first record up to a
    factor, and how many records stand before the private one.
    """

    unit: int
    leave: int
    back: int
    first: Ray
    before: int

    def forwards(self, factors: Ray) -> Matrix:
        s, t = factors
        stay, remain = self.unit - self.leave, self.unit - self.back
        return (s * stay, t * self.back), (s * self.leave, t * remain)

    def backwards(self, factors: Ray) -> Matrix:
        s, t = factors
        stay, remain = self.unit - self.leave, self.unit - self.back
        return (s * stay, t * self.leave), (s * self.back, t * remain)


class ConeWalk:
    """Cones of a chain, exact with 0 bits."""

    def __init__(self, steps: ChainSteps, bits: int) -> None:
        self.steps, self.bits, self.spent = steps, bits, 0

    def cone(self, rows: Sequence[StepRow], symbols: Iterable[str], strict: bool) -> Cone:
        """Return the slopes, given the private value, of all outputs with these symbols."""
        both, before = [*zip(rows, symbols)], self.steps.before
        near = (self.steps.first, self.steps.first)
        for row, shown in both[:before]:
            near = self.moved(near, [self.steps.forwards(f) for f in factors(row, shown)], strict)
        far = ONES
        for row, shown in reversed(both[before + 1 :]):
            far = self.moved(far, [self.steps.backwards(f) for f in factors(row, shown)], strict)
        (a, b), (c, d) = near
        (e, f), (g, h) = far
        row, shown = both[before]
        own = [((s, 0), (0, t)) for s, t in factors(row, shown)]
        return self.moved(((a * e, b * f), (c * g, d * h)), own, strict)

    def prior(self, rows: Sequence[StepRow]) -> Cone:
        """Return the slope P(private value is 0) : P(it is 1)."""
        return self.cone([ALWAYS] * len(rows), "*" * len(rows), strict=True)

    def moved(self, cone: Cone, matrices: Sequence[Matrix], strict: bool) -> Cone:
        images = [image(m, ray) for m in matrices for ray in cone]
        self.spent += max(n.bit_length() for ray in images for n in ray) ** 2
        if self.spent > LARGEST or (strict and not all(map(any, images))):
            raise TooCloseError("the slopes of outputs are too long to be exported")
        known = [*filter(any, images)] or [(1, 1)]
        low, high = reduce(smaller, known), reduce(larger, known)
        return self.short(low, above=False), self.short(high, above=True)

    def short(self, ray: Ray, above: bool) -> Ray:
        u, v = ray
        if u == v or not u or not v:
            return int(u > 0), int(v > 0)
        if self.bits == 0:
            g = math.gcd(u, v)
            return u // g, v // g
        k = min(u, v).bit_length() - self.bits
        if k <= self.bits:
            return ray
        return (-(-u >> k), v >> k) if above else (u >> k, -(-v >> k))


def factors(row: StepRow, symbols: str) -> list[Ray]:
    """Return what symbols multiply the values 0 and 1 with."""
    unit, zero, one = row
    known = {"*": (zero, one), "0": (unit - zero, 0), "1": (0, unit - one)}
    return [known[symbol] for symbol in symbols]


def image(matrix: Matrix, ray: Ray) -> Ray:
    (a, b), (c, d) = matrix
    return a * ray[0] + b * ray[1], c * ray[0] + d * ray[1]


def at_most(r: Ray, s: Ray) -> bool:
    return r[0] * s[1] <= r[1] * s[0]


def smaller(r: Ray, s: Ray) -> Ray:
    return r if at_most(r, s) else s


def larger(r: Ray, s: Ray) -> Ray:
    return s if at_most(r, s) else r


def largest(cone: Cone, prior: Cone) -> Fraction | None:
    """Return the largest ratio of outputs, either way round, or None if it may be infinite."""
    ((a, b), (c, d)), ((e, f), (g, h)) = cone, prior
    if d * e <= 0 or a * h <= 0:
        return None
    return max(Fraction(c * f, d * e), Fraction(b * g, a * h))


def least(cone: Cone, prior: Cone) -> Fraction | None:
    """Return the ratio that one output reaches at least, or None if it is infinite."""
    ((a, b), (c, d)), ((e, f), (g, h)) = cone, prior
    parts = [(x, y) for x, y in ((a * h, b * g), (d * e, c * f)) if x > 0]
    if any(y == 0 for _, y in parts):
        return None
    return max((Fraction(x, y) for x, y in parts), default=Fraction(0))
