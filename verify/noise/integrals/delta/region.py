"""A delta between bounds, and the outputs over which it is an integral or a sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import ball, dyadic

if TYPE_CHECKING:
    from flint import arb

_TINY = Fraction(1, 2**40_000)  # less than any number that a file can ask for, but 0


@dataclass(frozen=True)
class DeltaRegion:
    """The sum of the positive part of f - e^epsilon g, lower <= delta <= upper, and where it is
    positive: named for a person, ends rounded to six digits.
    """

    lower: Fraction
    upper: Fraction
    outputs: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether the bounds agree to 2^-60 of the value, or the value is tiny."""
        return self.upper <= _TINY or (self.upper - self.lower) * 2**60 <= self.lower


Evaluate = Callable[[int], DeltaRegion]  # at a working precision in bits


class Enclosed:
    """A sum of balls, of positive parts whose sign is known and of errors where it is not."""

    def __init__(self) -> None:
        from flint import arb

        self._total = arb(0)
        self._error = Fraction(0)
        self._intervals: list[tuple[float, float]] = []

    def add(self, part: arb, low: float, high: float) -> None:
        """Add a part that is not negative, the integral over an interval of outputs."""
        self._total += part
        if self._intervals and self._intervals[-1][1] >= low:
            self._intervals[-1] = self._intervals[-1][0], high
        elif low < high:
            self._intervals.append((low, high))

    def signed(self, part: arb, low: float = 0.0, high: float = 0.0) -> bool:
        """Add the positive part of a number, and say whether it is above 0; where its sign is not
        known, doubt it.
        """
        if part > 0:
            self.add(part, low, high)
            return True
        if not part <= 0:
            self.doubt(part)
        return False

    def doubt(self, most: arb) -> None:
        """Allow for an error of either sign, of at most a number."""
        self._error += _above(most)

    def region(self) -> DeltaRegion:
        """Return the bounds of the sum, and the outputs of its parts."""
        lower, upper = _below(self._total) - self._error, _above(self._total) + self._error
        named = tuple(f"({low:.6g}, {high:.6g})" for low, high in self._intervals)
        return DeltaRegion(max(lower, Fraction(0)), upper, named)


def _below(value: arb) -> Fraction:
    """Return a lower bound of a ball: 0 if it may be negative or tiny, which is not written out."""
    return dyadic(value.lower()) if value > _tiny() else Fraction(0)


def _above(value: arb) -> Fraction:
    """Return an upper bound of a ball: 0 if it is not above 0, else at least the tiny number."""
    if value <= 0:
        return Fraction(0)
    return _TINY if value <= _tiny() else dyadic(value.upper())


def _tiny() -> arb:
    return ball(_TINY)
