"""The Markov quilt mechanism on chains, with published bounds instead of exact influences.

    sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - bound(X_Q))

with the eigengap bounds of `pufferproof.verify.influence.bounds`: wang2016, Lemma 4.7 (of a class
of chains) or song2017, Lemma II.3 (MQMApprox, one chain). Quilts with a distance below the bound's
threshold are left out; one-sided quilts get the terms of their own side and the empty one 0, as
wang2016 states. What a bound assumes (irreducible, aperiodic, reversible) is checked; whether it
bounds influence for any law of X_1 is not: claims on both papers say where it fails.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.bounds import EigengapBound
from pufferproof.verify.influence.quilts.worst_record import QuiltScale, worst_record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

RESTS_ON = ("wang2016.lem-4.7", "wang2016.x-alg2-repaired", "song2017.lem-II3-repaired")
_RATE_BITS = 192
# more than the relative error of exp(-x) for an x that is read from rationals, per unit of x
_ROUNDED = 2.0**-46


def markov_quilt_approx(
    bound: EigengapBound, length: int, level: Level, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism with a published bound of influence.

    Were only two-sided quilts searched, as song2017's lemma is printed, the first record would have
    none, and no finite noise would be enough. Bounds depend on distances alone, so that few records
    are searched.

    Args:
        bound: the bound, of a chain or a class of chains.
        length: T.
        level: epsilon > 0.
        records: the records whose values are secret, all if None.
        lipschitz: L, how much the query changes at most (in L1) when one record does.

    >>> from pufferproof.verify.influence.bounds import wang_bound
    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    >>> worst = markov_quilt_approx(wang_bound([chain]), 1000, Level.of_nats(1))
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('49.220', 22, 18)

    Raises `ModelError` unless epsilon > 0, records are on the chain.
    """
    return worst_record(_EigengapScores(bound), length, level, records, lipschitz)


class _EigengapScores:
    """A bound h(b) + 2 h(a), h(t) = log((pi + x) / (pi - x)), x = exp(-r t), or infinity."""

    claims: tuple[str, ...] = RESTS_ON
    position_free = True
    period = 1

    def __init__(self, bound: EigengapBound) -> None:
        self.bound = bound

    @cached_property
    def _rate(self) -> tuple[float, float]:
        """Floats below and above the rate r, the least eigengap over the bound's divisor."""
        from flint import ctx

        with ctx.workprec(_RATE_BITS):
            gaps = [spectrum.gap() / self.bound.divisor for spectrum in self.bound.spectra]
            low, high = (
                min(dyadic(end) for end in ends) for ends in zip(*((gap.lower(), gap.upper()) for gap in gaps))
            )
        return float(low) * (1 - _ROUNDED), float(high) * (1 + _ROUNDED)

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of the bound; records do not matter."""
        (low, high), (after_low, after_high) = self._terms(lefts), self._terms(rights)
        return 2 * low + after_low, 2 * high + after_high

    def _terms(self, distances: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of h, 0 where the distance is."""
        import numpy as np

        pi, (slow, fast) = float(self.bound.least), self._rate
        shown = distances > 0
        terms = []
        for rate, sign in ((fast, -1), (slow, 1)):
            wide = _ROUNDED * (1 + rate * distances)
            decay = np.exp(-rate * distances) * (1 + sign * wide)
            gap = pi - decay + sign * -_ROUNDED * pi
            ratio = np.full(len(distances), math.inf)
            np.divide(2 * decay, gap, out=ratio, where=gap > 0)
            terms.append(np.where(shown, np.maximum(np.log1p(ratio) * (1 + sign * _ROUNDED), 0.0), 0.0))
        return terms[0], terms[1]

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of e^bound, infinite below the threshold."""
        ratio = self.bound.at(left, right)
        return Bounds.infinite() if ratio is None else Bounds(ratio.lower, ratio.upper)
