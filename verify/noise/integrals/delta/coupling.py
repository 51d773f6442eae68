"""Couplings of two laws of values, which move mass from those of one to those of the other.

Noise makes of a pair of values a pair of densities, and a delta, as the moment of a Renyi
divergence, is jointly convex in them: that of the laws is at most the mean of those of the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import TYPE_CHECKING

from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.noise.laws.of_framework import Law, LawPair

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.coupling",)
_MOST_PAIRS = 250_000  # that are put in order


@dataclass(frozen=True)
class Axis:
    """The noise of a number: a decay, of real numbers or of integers, or a variance."""

    decay: Power | None
    variance: Fraction | None
    on_integers: bool = False

    @classmethod
    def of(cls, noise: Noise) -> Axis:
        """Return the axis of some noise."""
        return cls(noise.decay, noise.variance, noise.on_integers)


def of_noises(pair: LawPair, noises: Sequence[Noise]) -> tuple[Law, Law, list[Axis]]:
    """Return the laws of a pair and the noise of each number; all Gaussian noise in the flat of the
    values, where numbers are fewer.
    """
    variances = [noise.variance for noise in noises if noise.variance is not None]
    if len(variances) < len(noises):
        return pair.above, pair.below, [Axis.of(noise) for noise in noises]
    above, below, variances = flat_laws(pair, variances)
    return above, below, [Axis(None, variance) for variance in variances]


@dataclass(frozen=True)
class Coupling:
    """Pairs of values of two laws, and the mass of each."""

    moved: tuple[tuple[Vector, Vector, Fraction], ...]

    @classmethod
    def near(cls, above: Law, below: Law) -> Coupling:
        """Return a coupling that moves no mass far: of those in `some`.

        >>> one, half = Fraction(1), Fraction(1, 2)
        >>> laws = {(0 * one,): half, (4 * one,): half}, {(one,): half, (5 * one,): half}
        >>> [(int(v[0]), int(w[0])) for v, w, _ in Coupling.near(*laws).moved]
        [(0, 1), (4, 5)]
        """
        return min(cls.some(above, below), key=lambda coupling: coupling.farthest)

    @classmethod
    def some(cls, above: Law, below: Law) -> list[Coupling]:
        """Return couplings: by the order of values, and, of not too many, nearest ones first."""
        along = cls._along(sorted(above), sorted(below), above, below)
        if len(above) * len(below) > _MOST_PAIRS:
            return [along]
        return [along, cls._nearest(above, below)]

    @property
    def farthest(self) -> Fraction:
        """The largest square of a distance that mass is moved."""
        return max(sum(((x - y) ** 2 for x, y in zip(v, w)), Fraction(0)) for v, w, _ in self.moved)

    @classmethod
    def _nearest(cls, above: Law, below: Law) -> Coupling:
        firsts, seconds = list(above), list(below)
        common = lcm(*(mass.denominator for law in (above, below) for mass in law.values()))
        left, right = ([int(mass * common) for mass in law.values()] for law in (above, below))
        moved = []
        for place in _nearest_first(firsts, seconds):
            i, j = divmod(place, len(seconds))
            if mass := min(left[i], right[j]):
                moved.append((firsts[i], seconds[j], Fraction(mass, common)))
                left[i] -= mass
                right[j] -= mass
        return cls(tuple(moved))

    @classmethod
    def _along(cls, first: Sequence[Vector], second: Sequence[Vector], above: Law, below: Law) -> Coupling:
        left, right, moved = dict(above), dict(below), []
        i = j = 0
        while i < len(first) and j < len(second):
            v, w = first[i], second[j]
            mass = min(left[v], right[w])
            moved.append((v, w, mass))
            left[v] -= mass
            right[w] -= mass
            i, j = i + (not left[v]), j + (not right[w])
        return cls(tuple(moved))


def _nearest_first(firsts: Sequence[Vector], seconds: Sequence[Vector]) -> list[int]:
    """Return the pairs of two lists in the order of their distances, about: any order will do."""
    import numpy as np

    left, right = (np.array(values, dtype=float) for values in (firsts, seconds))
    squares = ((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2)
    order: list[int] = np.argsort(squares.reshape(-1), kind="stable").tolist()
    return order


def flat_laws(pair: LawPair, variances: Sequence[Fraction]) -> tuple[Law, Law, list[Fraction]]:
    """Return the laws of a pair in coordinates of the flat of its values, and the variances there.

    Gaussian noise on vectors whose values lie in a flat of fewer dimensions is the same on fewer
    numbers. With the inner product <x, y> = sum_k x_k y_k / sigma_k^2 and orthogonal vectors b_1 ..
    b_d that span the differences of the values, found by Gram and Schmidt with rationals, the
    likelihood of an output w depends on t_i = <w - v_0, b_i> / <b_i, b_i> alone: independent
    numbers, of variances 1 / <b_i, b_i>. One of them is the line of
    `pufferproof.verify.noise.normal.lines`.

    >>> from dataclasses import replace
    >>> one = Fraction(1)
    >>> laws = {(one, 0 * one): one}, {(0 * one, one): one}
    >>> above, below, variances = flat_laws(LawPair("theta", ("s", "t"), *laws), [one, one])
    >>> [[str(x) for x in value] for value in (*above, *below)], [str(v) for v in variances]
    ([['1'], ['0']], ['1/2'])
    """
    values = sorted({*pair.above, *pair.below})

    def inner(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
        return sum((a * b / v for a, b, v in zip(x, y, variances)), Fraction(0))

    def minus(x: Vector, y: Vector) -> Vector:
        return tuple(a - b for a, b in zip(x, y))

    basis: list[Vector] = []
    for value in values[1:]:
        rest = minus(value, values[0])
        for b in basis:
            share = inner(rest, b) / inner(b, b)
            rest = minus(rest, tuple(share * entry for entry in b))
        if any(rest):
            basis.append(rest)

    def place(value: Vector) -> Vector:
        return tuple(inner(minus(value, values[0]), b) / inner(b, b) for b in basis)

    above, below = ({place(v): p for v, p in law.items()} for law in (pair.above, pair.below))
    return above, below, [1 / inner(b, b) for b in basis]


def coupled_moment(coupling: Coupling, axes: Sequence[Axis], order: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose the bound, which is the moment where there is one value each.

    The moment of two laws is

        at most the sum over (v, v') of pi(v, v') prod over k of m_k(v_k - v'_k),

    pi the coupling and m_k that of noise k about two values: by joint convexity of f^alpha g^(1 -
    alpha).
    """
    from flint import arb, ctx

    with ctx.workprec(bits):
        total = arb(0)
        moment = cache(lambda k, distance: shift_moment(axes[k], distance, order))
        for v, w, mass in coupling.moved:
            part = ball(mass)
            for k, (x, y) in enumerate(zip(v, w)):
                part *= moment(k, abs(x - y))
            total += part
        return dyadic(total.lower()), dyadic(total.upper())


def shift_moment(noise: Axis, distance: Fraction, order: Fraction) -> arb:
    """Enclose the moment of noise about two values at a distance, at the working precision: by
    Mironov (2017), Propositions 6 and 7, and a sum of integers.
    """
    from flint import arb

    if not distance:
        return arb(1)
    if noise.variance is not None or noise.decay is None:
        return ball(order * (order - 1) * distance**2 / (2 * (noise.variance or Fraction(1)))).exp()
    fall = noise.decay.to(distance).ball()
    gain, loss = (fall.log() * ball(1 - order)).exp(), (fall.log() * ball(order)).exp()
    if not noise.on_integers:
        return (ball(order) * gain + ball(order - 1) * loss) / ball(2 * order - 1)
    rate = noise.decay.ball()
    # the ratios between the two values are a geometric series of ratio a^(2 alpha - 1)
    steps = (rate.log() * ball(2 * order - 1)).exp()
    inner = (1 - rate) * gain * (steps - (steps.log() * ball(distance)).exp()) / (1 - steps)
    return (gain + loss + inner) / (1 + rate)
