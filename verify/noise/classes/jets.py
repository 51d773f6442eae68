"""Numbers over cells of parameters: intervals of a value and of its derivatives.

A `Jet` encloses a function of a cell, an array of them at once: its values, and its derivatives in
every parameter.

    f(theta) in f(middle) + sum_k r_k [d f / d theta_k],    r the radii of the cell
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.numbers.intervals import Interval
from pufferproof.models.numbers.means import mean_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Jet:
    """Intervals of a function, and of its derivatives by parameter."""

    value: Interval
    slopes: tuple[Interval, ...]

    def __add__(self, other: "Jet") -> "Jet":
        slopes = (x + y for x, y in zip(self.slopes, other.slopes))
        return Jet(self.value + other.value, tuple(slopes))

    def __neg__(self) -> "Jet":
        return Jet(-self.value, tuple(-x for x in self.slopes))

    def __sub__(self, other: "Jet") -> "Jet":
        return self + -other

    def __mul__(self, other: "Jet") -> "Jet":
        one, two = self.value, other.value
        slopes = (x * two + one * y for x, y in zip(self.slopes, other.slopes))
        return Jet(one * two, tuple(slopes))

    def __truediv__(self, other: "Jet") -> "Jet":
        ratio = self.value / other.value
        slopes = ((x - ratio * y) / other.value for x, y in zip(self.slopes, other.slopes))
        return Jet(ratio, tuple(slopes))

    def within(self, low: float, high: float) -> "Jet":
        """Return the same of a function that is known to lie in an interval."""
        return Jet(self.value.within(low, high), self.slopes)

    def near(self, middle: "Jet", radii: "Sequence[Floats]") -> "Jet":
        """Return the same, the value also bounded from the middle of the cell."""
        return Jet(self.value.meet(mean_value(middle.value, self.slopes, radii)), self.slopes)
