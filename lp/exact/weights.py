"""Rational weights that sum to exactly 1, and how floats from a solver become such weights; and the
signs of sums of logarithms.

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

# The sign of a sum of logarithms of rationals with integer coefficients, and of one with a rational constant, decided
# exactly.
#
# n_1 log q_1 + ... + n_k log q_k is compared with 0 as a product of powers while these are small; otherwise it is
# enclosed with growing precision, which decides it unless it is 0. With a constant c != 0 it is never 0 (e^c is
# transcendental).

_SMALL = 200_000  # bits of a product that is compared as an integer
_FINEST = 1 << 12  # as far as the kernel of rates goes


def sign_of_logs(terms: Sequence[tuple[int, Fraction]], constant: Fraction = Fraction(0)) -> int | None:
    """Return the sign of sum of n log q over the terms (n, q), q > 0, plus the constant; None if
    too close to 0 to tell.

    >>> (sign_of_logs([(3, Fraction(2)), (-1, Fraction(8))]), sign_of_logs([(1, Fraction(3))], Fraction(-11, 10)))
    (0, -1)
    """
    together: dict[Fraction, int] = {}
    for n, q in terms:
        together[q] = together.get(q, 0) + n
    terms = [(n, q) for q, n in together.items() if n and q != 1]
    if not terms or (
        constant == 0
        and sum(abs(n) * (q.numerator.bit_length() + q.denominator.bit_length()) for n, q in terms) <= _SMALL
    ):
        return _sign(constant) if not terms else _sign(_product(terms) - 1)
    from flint import arb, ctx, fmpq

    bits = 128
    while bits <= _FINEST:
        with ctx.workprec(bits):
            total = arb(fmpq(constant.numerator, constant.denominator))
            for n, q in terms:
                total += n * arb(fmpq(q.numerator, q.denominator)).log()
            if total > 0 or total < 0:
                return 1 if total > 0 else -1
        bits *= 4
    return None


def _product(terms: Sequence[tuple[int, Fraction]]) -> Fraction:
    above = below = 1
    for n, q in terms:
        top, bottom = (q.numerator, q.denominator) if n > 0 else (q.denominator, q.numerator)
        above, below = above * top ** abs(n), below * bottom ** abs(n)
    return Fraction(above, below)


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


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
    rounded = np.rint(chosen * _UNIT).astype(np.int64).tolist()
    rounded[rounded.index(max(rounded))] += _UNIT - sum(rounded)
    numerators = tuple(rounded)
    candidates.append(Weights(names, numerators, _UNIT))
    return candidates
