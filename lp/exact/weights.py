"""Rational weights that sum to exactly 1, and how floats from a solver become such weights.

Both players of a matrix game, and mixtures in general, need weights that sum to exactly 1: rounding
them one by one does not give that. Small denominators are tried first, as they make ties visible
and certificates short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALL = 64  # largest common denominator that is tried first
_UNIT = 1 << 48


@dataclass(frozen=True)
class Weights:
    """Rational weights that sum to exactly 1: numerators over one denominator, at places of
    positive weight.
    """

    places: tuple[int, ...]
    numerators: tuple[int, ...]
    denominator: int

    @classmethod
    def at(cls, place: int) -> "Weights":
        """Return all the weight at one place."""
        return cls((place,), (1,), 1)

    @classmethod
    def of(cls, weights: Mapping[int, Fraction]) -> "Weights":
        """Return positive rational weights that sum to 1."""
        common = lcm(*(weight.denominator for weight in weights.values()))
        return cls(tuple(weights), tuple(int(weight * common) for weight in weights.values()), common)

    def fractions(self) -> dict[int, Fraction]:
        """Return the weights by place."""
        return {place: Fraction(n, self.denominator) for place, n in zip(self.places, self.numerators)}

    def over(self, size: int) -> "NDArray[np.float64]":
        """Return them as floats, a relative error of 2^-53 each."""
        import numpy as np

        dense = np.zeros(size)
        dense[list(self.places)] = [n / self.denominator for n in self.numerators]
        return dense


def rounded_weights(values: "NDArray[np.float64]", places: Sequence[int], otherwise: int) -> list[Weights]:
    """Return float weights as rationals that sum to 1: with the smallest denominator that is near,
    and as they are.

    All the weight is at the place `otherwise` when the floats are no weights.
    """
    import numpy as np

    kept = np.flatnonzero(values > 2.0**-44)
    chosen = values[kept]
    total = float(chosen.sum())
    if not kept.size or not 0.5 < total < 2:  # the solver gave nothing useful
        return [Weights.at(otherwise)]
    chosen = chosen / total
    names = tuple(places[i] for i in kept.tolist())
    candidates, weights = [], chosen.tolist()
    sizes = np.arange(1, SMALL + 1)
    scaled = sizes * weights[0]  # the first weight rules most denominators out
    for d in sizes[np.abs(scaled - np.rint(scaled)) < 1e-6 * sizes].tolist():
        nearest = [round(d * weight) for weight in weights]
        near = all(abs(d * x - n) < 1e-6 * d for x, n in zip(weights, nearest))
        if near and sum(nearest) == d and min(nearest) > 0:
            candidates.append(Weights(names, tuple(nearest), d))
            break
    numerators = _summing(np.rint(chosen * _UNIT).astype(np.int64).tolist(), _UNIT)
    candidates.append(Weights(names, numerators, _UNIT))
    return candidates


def _summing(numerators: list[int], total: int) -> tuple[int, ...]:
    """Return positive integers that sum to `total`, by changing the largest."""
    numerators[numerators.index(max(numerators))] += total - sum(numerators)
    return tuple(numerators)
