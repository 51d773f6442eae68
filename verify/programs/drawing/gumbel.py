"""Gumbel and logistic draws: noisy scores that race each other.

A Gumbel draw is -log E for an exponential E, and a logistic draw the difference of two of them.
They are linear forms as other draws are, but compared with each other only:
`pufferproof.verify.programs.regions.races` has the probabilities.
"""

from typing import Any

from pufferproof.models.numbers.pieces import rational
from pufferproof.verify.programs.drawing.parameters import Parameters


class GumbelDraws(Parameters):
    """The methods of a generator whose draws are compared with draws of their own kind."""

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x with P(x <= t) = exp(-e^(-(t - loc) / scale))."""
        return self._each(lambda a, b: self._gumbel(b) + a, size, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw x with P(x <= t) = 1 / (1 + e^(-(t - loc) / scale))."""

        def one(loc: Any, scale: Any) -> Any:
            first = self._gumbel(scale)
            return first - self._gumbel(scale) + loc

        return self._each(one, size, loc, scale)

    def _gumbel(self, scale: Any) -> Any:
        b = rational(self._scale(scale))
        return self._run.gumbel() * b
