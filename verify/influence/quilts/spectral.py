"""The Markov quilt mechanism on chains, with the sharper bound of singular values instead of exact
influences.

    sigma = max over i, min over quilts Q of X_i, of L card(N) / (epsilon - bound(X_Q))

with the bound of `pufferproof.verify.influence.spectral`. Quilts with a distance at which it has
none are left out. What it assumes is checked, so that it is at least the influence; it is at most
the published bounds. It depends on distances alone, so that few records are searched.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.quilts.worst_record import QuiltScale, worst_record
from pufferproof.verify.influence.spectral import RESTS_ON as BOUNDS_REST_ON
from pufferproof.verify.influence.spectral import SpectralBound

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Indices = NDArray[np.int64]
    Floats = NDArray[np.float64]

RESTS_ON = ("general.spectral-influence", "song2017.mqm-private-repaired")
_BITS = 192
_TINY = 1e-300  # more than any number that exp gives as 0
_ROUNDED = 2.0**-46  # more than the relative error of exp(-x), per unit of x, and of the terms


def markov_quilt_spectral(
    bound: SpectralBound, length: int, level: Level, records: Sequence[int] | None = None, lipschitz: Fraction | int = 1
) -> QuiltScale:
    """Return the noise scale of the Markov quilt mechanism with the bound of singular values.

    Args:
        bound: the bound of a chain, from its stationary law or from any law of X_1.
        length: T.
        level: epsilon > 0.
        records: the records whose values are secret, all if None.
        lipschitz: L, how much the query changes at most (in L1) when one record does.

    >>> from pufferproof.verify.influence.spectral import spectral_bound
    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10)))
    >>> worst = markov_quilt_spectral(spectral_bound(chain, True), 1000, Level.of_nats(1))
    >>> worst.scale.enclosure().lower[:6], worst.quilt.left, worst.quilt.right
    ('35.980', 14, 14)

    Raises `ModelError` unless epsilon > 0, records are on the chain.
    """
    return worst_record(_SpectralScores(bound), length, level, records, lipschitz)


class _SpectralScores:
    """Floats below and above the terms log B and log C, infinite where D may be 1 or more."""

    claims: tuple[str, ...] = (*RESTS_ON, *BOUNDS_REST_ON)
    position_free = True
    period = 1

    def __init__(self, bound: SpectralBound) -> None:
        self.bound = bound

    @cached_property
    def _rate(self) -> tuple[float, float] | None:
        """Floats below and above -log sigma, None for sigma = 0."""
        from flint import ctx

        with ctx.workprec(_BITS):
            square = self.bound.square()
            if square == 0:
                return None
            rate = -square.log() / 2
            low, high = dyadic(rate.lower()), dyadic(rate.upper())
        return float(low) * (1 - _ROUNDED), float(high) * (1 + _ROUNDED)

    def within(self, first: int, last: int, lefts: "Indices", rights: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of the bound; records do not matter."""
        backward = _forward if self.bound.stationary else _backward
        before, after = self._decays(lefts), self._decays(rights)
        low, high = (
            (backward(left) + _forward(right)) * (1 + sign * _ROUNDED)
            for left, right, sign in zip(before, after, (-1, 1))
        )
        return low, high

    def _decays(self, distances: "Indices") -> "tuple[Floats, Floats]":
        """Return bounds of D, 0 where the distance is."""
        import numpy as np

        if self._rate is None:
            nothing = np.zeros(len(distances))
            return nothing, nothing
        slow, fast = self._rate
        low = np.exp(-fast * distances) * (1 - _ROUNDED * (1 + fast * distances))
        high = np.exp(-slow * distances) * (1 + _ROUNDED * (1 + slow * distances)) + _TINY
        least, shown = float(self.bound.least), distances > 0
        below = np.maximum(low / least * (1 - _ROUNDED), 0.0)
        above = high / least * (1 + _ROUNDED)
        return np.where(shown, below, 0.0), np.where(shown, above, 0.0)

    def bounds(self, record: int, left: int | None, right: int | None, bits: int) -> Bounds:
        """Return rigorous bounds of e^bound, infinite where there is none."""
        ratio = self.bound.at(left, right)
        return Bounds.infinite() if ratio is None else Bounds(ratio.lower, ratio.upper)


def _forward(decay: "Floats") -> "Floats":
    """Return log B, as log(1 + D (D + sqrt(2 - D^2))/(1 - D^2))."""
    import numpy as np

    inside = np.minimum(decay, 1.0)
    return _logs(inside * (inside + np.sqrt(2 - inside**2)), (1 - inside) * (1 + inside))


def _backward(decay: "Floats") -> "Floats":
    """Return log C, as log(1 + D (2 - D)/(1 - D)^2)."""
    import numpy as np

    inside = np.minimum(decay, 1.0)
    return _logs(inside * (2 - inside), (1 - inside) ** 2)


def _logs(above: "Floats", below: "Floats") -> "Floats":
    import numpy as np

    ratio = np.full(len(above), math.inf)
    np.divide(above, below, out=ratio, where=below > 0)
    logs: Floats = np.log1p(ratio)
    return logs
