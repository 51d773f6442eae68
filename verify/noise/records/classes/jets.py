"""Numbers over cells of parameters: spans of a value and of its derivatives, rounded outward.

A `Jet` encloses a function of a cell, an array of them at once: its least and greatest value, and
the least and greatest derivative in every parameter. An operation on floats errs by a factor of at
most 1 + 2^-53; sums are widened by their terms, as they may cancel.

    f(theta) in f(middle) + sum_k r_k [d f / d theta_k],    r the radii of the cell
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]

WIDER = 2.0**-50


@dataclass(frozen=True)
class Jet:
    """Spans of a function, and of its derivatives by parameter."""

    value: "Span"
    slopes: "tuple[Span, ...]"

    def __add__(self, other: "Jet") -> "Jet":
        pairs = zip(self.slopes, other.slopes)
        return Jet(plus(self.value, other.value), tuple(plus(x, y) for x, y in pairs))

    def __neg__(self) -> "Jet":
        return Jet(minus(self.value), tuple(map(minus, self.slopes)))

    def __sub__(self, other: "Jet") -> "Jet":
        return self + -other

    def __mul__(self, other: "Jet") -> "Jet":
        pairs = zip(self.slopes, other.slopes)
        return Jet(
            times(self.value, other.value),
            tuple(plus(times(x, other.value), times(self.value, y)) for x, y in pairs),
        )

    def __truediv__(self, other: "Jet") -> "Jet":
        """Return a quotient, the divisor being at least 0: anything where it may be 0."""
        over = inverse(other.value)
        ratio = times(self.value, over)
        pairs = zip(self.slopes, other.slopes)
        slopes = tuple(times(plus(x, minus(times(ratio, y))), over) for x, y in pairs)
        return Jet(ratio, slopes)

    def within(self, low: float, high: float) -> "Jet":
        """Return the same of a function that is known to lie in an interval."""
        import numpy as np

        least, most = (
            np.clip(np.nan_to_num(x, nan=y), low, high) for x, y in zip(self.value, (low, high))
        )
        return Jet((least, most), self.slopes)

    def near(self, middle: "Jet", radii: "list[Floats]") -> "Jet":
        """Return the same, the value also bounded from the middle of the cell."""
        import numpy as np

        with np.errstate(all="ignore"):
            slack = sum(np.where(r > 0, r * size(x), 0) for r, x in zip(radii, self.slopes))
            slack = np.where(np.isnan(slack), np.inf, slack) * (1 + WIDER)
            low = np.fmax(self.value[0], down(middle.value[0] - slack))
            high = np.fmin(self.value[1], up(middle.value[1] + slack))
        return Jet((low, high), self.slopes)


def up(value: "Floats") -> "Floats":
    """Return a float that is above what a rounded operation stands for."""
    return value + abs(value) * WIDER


def down(value: "Floats") -> "Floats":
    """Return a float that is below what a rounded operation stands for."""
    return value - abs(value) * WIDER


def size(span: "Span") -> "Floats":
    """Return the largest size of a number of a span."""
    import numpy as np

    found: Floats = np.maximum(abs(span[0]), abs(span[1]))
    return found


def minus(span: "Span") -> "Span":
    """Return the span of -x."""
    return -span[1], -span[0]


def plus(one: "Span", other: "Span") -> "Span":
    """Return the span of x + y."""
    import numpy as np

    with np.errstate(all="ignore"):
        low, high = down(one[0] + other[0]), up(one[1] + other[1])
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def times(one: "Span", other: "Span") -> "Span":
    """Return the span of x y; 0 times infinity is anything."""
    import numpy as np

    with np.errstate(all="ignore"):
        ends = [x * y for x in one for y in other]
        low = np.minimum(np.minimum(ends[0], ends[1]), np.minimum(ends[2], ends[3]))
        high = np.maximum(np.maximum(ends[0], ends[1]), np.maximum(ends[2], ends[3]))
        low, high = down(low), up(high)
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def inverse(span: "Span") -> "Span":
    """Return the span of 1 / x for x >= 0, up to infinity where x may be 0."""
    import numpy as np

    with np.errstate(all="ignore"):
        low, high = down(1 / np.maximum(span[1], 0)), up(1 / np.maximum(span[0], 0))
    return np.maximum(np.nan_to_num(low, nan=0.0, posinf=np.finfo(float).max), 0), high
