"""A delta between bounds, and the outputs over which it is an integral or a sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import dyadic

if TYPE_CHECKING:
    from flint import arb


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
        """Whether the bounds agree to 2^-60 of the value."""
        return (self.upper - self.lower) * 2**60 <= self.lower


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

    def doubt(self, most: arb) -> None:
        """Allow for an error of either sign, of at most a number."""
        self._error += max(dyadic(most.upper()), Fraction(0))

    def region(self) -> DeltaRegion:
        """Return the bounds of the sum, and the outputs of its parts."""
        lower = dyadic(self._total.lower()) - self._error
        upper = dyadic(self._total.upper()) + self._error
        named = tuple(f"({low:.6g}, {high:.6g})" for low, high in self._intervals)
        return DeltaRegion(max(lower, Fraction(0)), max(upper, Fraction(0)), named)
