"""The moment of a Renyi divergence that is an integral, enclosed by ball arithmetic (Arb) as
closely as asked for; and where the divergence itself is a rational number of nats.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.renyi import Bounds, Moment

FINEST = 384  # bits to which integrals are refined

Enclosing = Callable[[int], Bounds]  # at a working precision


@dataclass(frozen=True)
class Integral(Moment):
    """The moment of an ordered pair as `enclosing` bounds it; `nats` is the divergence where it
    is known to be a rational, `otherwise` has bounds where quadrature fails, which may stay wide.
    """

    enclosing: Enclosing = field(repr=False, compare=False, kw_only=True)
    nats: Fraction | None = field(default=None, kw_only=True)
    otherwise: Moment | None = field(default=None, repr=False, compare=False, kw_only=True)

    coarsest: ClassVar[int] = 12
    finest: ClassVar[int] = FINEST

    @property
    def infinite(self) -> bool:
        """False: noise has a positive density everywhere."""
        return False

    @cached_property
    def value(self) -> Fraction | None:
        """1 for equal laws, else no rational that is known."""
        return Fraction(1) if self.nats == 0 else None

    def bounds(self, accuracy: int) -> Bounds:
        """Return rational bounds, of relative width at most 2^-accuracy.

        Raises `SolverError` where quadrature does not reach that, and there is nothing else.
        """
        if self.otherwise is not None and self._failed:
            return self.otherwise.bounds(accuracy)
        if accuracy not in self._known:
            try:
                self._known[accuracy] = self._refined(accuracy)
            except SolverError:
                if self.otherwise is None:
                    raise
                self._failed.append(accuracy)
                return self.otherwise.bounds(accuracy)
        return self._known[accuracy]

    def _refined(self, accuracy: int) -> Bounds:
        bits = accuracy + 32
        for _ in range(6):
            lower, upper = self.enclosing(bits)
            if lower > 0 and (upper - lower) * 2**accuracy <= lower:
                return lower, upper
            bits += accuracy + 32
        raise SolverError("an integral of a Renyi divergence is not enclosed closely enough")

    @cached_property
    def _known(self) -> dict[int, Bounds]:
        return {}

    @cached_property
    def _failed(self) -> list[int]:
        return []

    def at(self, level: Level) -> int | None:
        """Return the sign of the divergence minus a level, or None if 384 bits do not tell."""
        if self.nats is None:
            return super().at(level)
        if level.nats is not None:
            return (self.nats > level.nats) - (self.nats < level.nats)
        return -Level.of_nats(self.nats).compare(level.ratio or Fraction(1))
