"""Couplings of two laws of values, which move mass from those of one to those of the other.

Noise makes of a pair of values a pair of densities, and a delta, as the moment of a Renyi
divergence, is jointly convex in them: that of the laws is at most the mean of those of the pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.verify.noise.laws.of_framework import Law, LawPair
from pufferproof.verify.noise.normal.flats import flat_laws

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
        return min(cls.some(above, below), key=lambda each: each.farthest)

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
        left, right = dict(above), dict(below)
        moved = []
        for place in _nearest_first(firsts, seconds):
            v, w = firsts[place // len(seconds)], seconds[place % len(seconds)]
            if mass := min(left[v], right[w]):
                moved.append((v, w, mass))
                left[v] -= mass
                right[w] -= mass
        return cls(tuple(moved))

    @classmethod
    def _along(
        cls, first: Sequence[Vector], second: Sequence[Vector], above: Law, below: Law
    ) -> Coupling:
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

    left, right = (np.array(each, dtype=float) for each in (firsts, seconds))
    squares = ((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2)
    order: list[int] = np.argsort(squares.reshape(-1), kind="stable").tolist()
    return order
