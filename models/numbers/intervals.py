"""Proved floats: arrays of numbers known between two floats, `low` and `high`, rounded outward.

Each operation encloses every value that it can have on numbers of its intervals. An operation on
floats returns the nearest float, so its value lies within one unit in the last place:

    |x y - fl(x y)| <= 2^-53 |x y| + 2^-1075,    likewise of a quotient; of a sum without 2^-1075.

`low` may be -infinity and `high` infinity: nothing is known on that side. What is undefined, such
as 0 times infinity, or a quotient by an interval with 0 inside, is unbounded on both sides.
Weighted sums of intervals count their errors alike.

Trust: NumPy's + - * / return the nearest float, and its log and exp err by at most 4 units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

MOST = (2 - 2.0**-52) * 2.0**1023  # the largest float
EPS = 2.0**-52  # one unit in the last place of 1, twice the error of an operation
TINY = 2.0**-1074  # the least positive float
LEAST = 2.0**-960  # of products whose underflow is less than half a unit of the sum of many
_LIBRARY = 2.0**-50  # relative: 8 errors of an operation, for logarithms and exponentials


@dataclass(frozen=True, slots=True)
class Interval:
    """Arrays of the same shape, or that broadcast: low <= x <= high, and no NaN."""

    low: "Floats"
    high: "Floats"

    __array_ufunc__ = None  # so that an array times an interval asks the interval

    @classmethod
    def point(cls, value: "Floats | float") -> "Interval":
        """Return floats as numbers that are known exactly."""
        import numpy as np

        values = np.asarray(value, float)
        return cls(values, values)

    @classmethod
    def around(cls, values: object) -> "Interval":
        """Return the closest enclosure of a rational, or of lists of them.

        >>> third = Interval.around([Fraction(1, 3), Fraction(1, 2)])
        >>> third.low.tolist() == [1 / 3, 0.5], third.high.tolist() == [nextafter(1 / 3, 1), 0.5]
        (True, True)
        """
        import numpy as np

        numbers = np.array(values, dtype=object)
        ends = [np.empty(numbers.shape) for _ in range(2)]
        for place, value in np.ndenumerate(numbers):
            ends[0][place], ends[1][place] = below(value), above(value)
        return cls(ends[0], ends[1])

    @classmethod
    def stack(cls, parts: "Sequence[Interval]", axis: int = 0) -> "Interval":
        """Return intervals side by side along a new axis."""
        import numpy as np

        return cls(np.stack([x.low for x in parts], axis), np.stack([x.high for x in parts], axis))

    @classmethod
    def concatenate(cls, parts: "Sequence[Interval]", axis: int = 0) -> "Interval":
        """Return intervals one after another along an axis."""
        import numpy as np

        low, high = (np.concatenate(ends, axis) for ends in zip(*((x.low, x.high) for x in parts)))
        return cls(low, high)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the arrays."""
        return self.low.shape

    def __getitem__(self, place: Any) -> "Interval":
        return Interval(self.low[place], self.high[place])

    def take(self, place: int, axis: int) -> "Interval":
        """Return the numbers at a place along an axis."""
        return self[(slice(None),) * axis + (place,)]

    def reshape(self, *shape: int) -> "Interval":
        """Return the same numbers in another shape."""
        return Interval(self.low.reshape(*shape), self.high.reshape(*shape))

    def transpose(self, axes: "Sequence[int]") -> "Interval":
        """Return the same numbers with their axes in another order."""
        return Interval(self.low.transpose(axes), self.high.transpose(axes))

    def moveaxis(self, source: int, target: int) -> "Interval":
        """Return the same numbers with an axis in another place."""
        import numpy as np

        low, high = (np.moveaxis(x, source, target) for x in (self.low, self.high))
        return Interval(low, high)

    def broadcast_to(self, shape: tuple[int, ...]) -> "Interval":
        """Return the same numbers repeated along new axes."""
        import numpy as np

        return Interval(np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape))

    @property
    def size(self) -> "Floats":
        """The largest absolute value."""
        import numpy as np

        sizes: Floats = np.maximum(abs(self.low), abs(self.high))
        return sizes

    def within(self, low: float, high: float) -> "Interval":
        """Return the same of numbers that also lie between two floats."""
        import numpy as np

        return Interval(np.clip(self.low, low, high), np.clip(self.high, low, high))

    def meet(self, other: "Interval") -> "Interval":
        """Return what lies in both intervals, of numbers that do."""
        import numpy as np

        return Interval(np.maximum(self.low, other.low), np.minimum(self.high, other.high))

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __add__(self, other: "Interval | Floats | float") -> "Interval":
        import numpy as np

        x, y = self, _interval(other)
        with np.errstate(all="ignore"):
            return known(_down(x.low + y.low), _up(x.high + y.high))

    __radd__ = __add__

    def __sub__(self, other: "Interval | Floats | float") -> "Interval":
        return self + -_interval(other)

    def __rsub__(self, other: "Floats | float") -> "Interval":
        return -self + other

    def __mul__(self, other: "Interval | Floats | float") -> "Interval":
        import numpy as np

        x, y = self, _interval(other)
        with np.errstate(all="ignore"):
            if x.positive:
                return x._times(y)
            if y.positive:
                return y._times(x)
            pairs = [(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
            low = np.minimum.reduce([_product(a, b, False) for a, b in pairs])
            high = np.maximum.reduce([_product(a, b, True) for a, b in pairs])
        return known(low, high)

    __rmul__ = __mul__

    def __truediv__(self, other: "Interval | Floats | float") -> "Interval":
        import numpy as np

        x, y = self, _interval(other)
        with np.errstate(all="ignore"):
            if y.positive:
                return x._over(y)
            if (y.high <= 0).all():
                return (-x)._over(-y)
            # a quotient is monotone in both numbers unless the divisor changes its sign
            pairs = [(a, b) for a in (x.low, x.high) for b in (y.low, y.high)]
            low = np.minimum.reduce([_quotient(a, b, False) for a, b in pairs])
            high = np.maximum.reduce([_quotient(a, b, True) for a, b in pairs])
            unknown = (y.low <= 0) & (y.high >= 0)
        return known(np.where(unknown, -inf, low), np.where(unknown, inf, high))

    def __rtruediv__(self, other: "Floats | float") -> "Interval":
        return _interval(other) / self

    def __matmul__(self, other: "Interval") -> "Interval":
        """Return a product of matrices, of numbers at least 0 with any."""
        return dot(self, other)

    def sum(self, axis: int, keepdims: bool = False) -> "Interval":
        """Return sums of n numbers: n - 1 errors of the sum of their absolute values."""
        import numpy as np

        room = (self.low.shape[axis] + 2) * EPS
        with np.errstate(all="ignore"):
            low, high = (x.sum(axis, keepdims=keepdims) for x in (self.low, self.high))
            if self.positive:
                return known(np.minimum(low, MOST) * (1 - room), high * (1 + room))
            least, most = (abs(x).sum(axis, keepdims=keepdims) for x in (self.low, self.high))
            return known(low - least * room, high + most * room)

    def runs(self, starts: "NDArray[np.intp]") -> "Interval":
        """Return sums of runs of numbers at least 0 along the last axis, given where they start."""
        import numpy as np

        check_weights(self)
        room = (self.low.shape[-1] + 2) * EPS
        with np.errstate(all="ignore"):
            low, high = (np.add.reduceat(x, starts, axis=-1) for x in (self.low, self.high))
            return Interval(np.minimum(low, MOST) * (1 - room), high * (1 + room))

    def log(self) -> "Interval":
        """Return logarithms, -infinity of 0; where numbers may be negative nothing is known."""
        import numpy as np

        with np.errstate(all="ignore"):
            low, high = np.log(self.low), np.maximum(np.log(self.high), -MOST)
            return known(low - abs(low) * _LIBRARY, high + abs(high) * _LIBRARY)

    def exp(self) -> "Interval":
        """Return exponentials, which are never negative."""
        import numpy as np

        with np.errstate(all="ignore"):
            low, high = np.exp(self.low), np.exp(self.high)
            less = np.clip(low * (1 - _LIBRARY) - 8 * TINY, 0, MOST)
            more = high * (1 + _LIBRARY) + np.where(self.high > -inf, 8 * TINY, 0)
            return known(less, more)

    @property
    def positive(self) -> bool:
        """Whether no number is negative."""
        return bool(smallest(self.low) >= 0)

    def _times(self, other: "Interval") -> "Interval":
        """Return a product with this factor, which is at least 0."""
        import numpy as np

        x, y = self, other
        if y.positive:
            low, high = _product(x.low, y.low, False), _product(x.high, y.high, True)
            return Interval(np.fmax(low, 0.0), np.fmin(high, inf))
        low = _product(np.where(y.low >= 0, x.low, x.high), y.low, False)
        high = _product(np.where(y.high >= 0, x.high, x.low), y.high, True)
        return known(low, high)

    def _over(self, other: "Interval") -> "Interval":
        """Return a quotient by numbers at least 0."""
        import numpy as np

        x, least, most = self, abs(other.low), abs(other.high)  # no -0, of which 1 / x is -inf
        if x.positive:
            low, high = _quotient(x.low, most, False), _quotient(x.high, least, True)
            return Interval(np.fmax(low, 0.0), np.fmin(high, inf))
        low = _quotient(x.low, np.where(x.low >= 0, most, least), False)
        high = _quotient(x.high, np.where(x.high >= 0, least, most), True)
        return known(low, high)


def below(value: Fraction | int) -> float:
    """Return the largest float that is at most a rational.

    >>> below(Fraction(1, 2)), below(-(Fraction(10) ** 400)), below(Fraction(10) ** 400) == MOST
    (0.5, -inf, True)
    """
    near = nearest(value)
    return near if near <= value else nextafter(near, -inf)


def above(value: Fraction | int) -> float:
    """Return the least float that is at least a rational."""
    return -below(-value)


def dot(weights: Interval, numbers: Interval) -> Interval:
    """Return sum_y w_y x_y over the last axis of weights, at least 0, and the last but one of
    numbers, as `@` does.
    """
    import numpy as np

    check_weights(weights)
    with np.errstate(all="ignore"):
        if numbers.positive:
            low = _sums(weights.low, numbers.low, False)
            return known(low, _sums(weights.high, numbers.high, True))
        ends = []
        for less, more, at, upward in (
            (weights.low, weights.high, numbers.low, False),
            (weights.high, weights.low, numbers.high, True),
        ):
            gain = _sums(less, np.maximum(at, 0), upward)
            ends.append((gain, _sums(more, np.maximum(-at, 0), not upward)))
        (gain, loss), (most, least) = ends
        return known(_down(gain - loss), _up(most - least))


def check_weights(weights: Interval) -> None:
    if not weights.positive:
        raise ValueError("numbers that have to be at least 0 are not")


def _interval(value: "Interval | Floats | float") -> Interval:
    return value if isinstance(value, Interval) else Interval.point(value)


def nearest(value: Fraction | int) -> float:
    """Return the nearest float, infinite beyond the largest one.

    >>> nearest(Fraction(1, 3)), nearest(-(Fraction(10) ** 400))
    (0.3333333333333333, -inf)
    """
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def known(low: "Floats", high: "Floats") -> Interval:
    """Return an interval: NaN, also of what overflows, says nothing."""
    import numpy as np

    return Interval(np.fmax(low, -inf), np.fmin(high, inf))


def smallest(values: "Floats") -> float:
    """Return the least number, at most 1; NaN if there is one."""
    import numpy as np

    least: float = np.minimum.reduce(values, axis=None, initial=1.0)
    return least


def down(value: "Floats", errors: int = 1) -> "Floats":
    """Return floats below all numbers that become these by so many operations on numbers at least
    0, none of which underflows.
    """
    return value * (1 - errors * EPS)


def up(value: "Floats", errors: int = 1) -> "Floats":
    """Return floats above all such numbers."""
    return value * (1 + errors * EPS)


def _down(value: "Floats") -> "Floats":
    """Return floats below all numbers of any sign that round to these and do not underflow."""
    return value - abs(value) * EPS


def _up(value: "Floats") -> "Floats":
    return value + abs(value) * EPS


def _product(x: "Floats", y: "Floats", upward: bool) -> "Floats":
    """Return a bound of x y: an error of the product, and of what underflows."""
    product = x * y
    size = abs(product)
    wide = size * EPS
    if not smallest(size) >= LEAST:
        wide = wide + TINY * ((x != 0) & (y != 0))
    return product + wide if upward else product - wide


def _quotient(x: "Floats", y: "Floats", upward: bool) -> "Floats":
    """Return a bound of x / y, likewise; for y infinite the limit."""
    quotient = x / y
    size = abs(quotient)
    wide = size * EPS
    if not smallest(size) >= LEAST:
        wide = wide + TINY * ((x != 0) & (abs(y) < inf))
    return quotient + wide if upward else quotient - wide


def _sums(weights: "Floats", numbers: "Floats", upward: bool) -> "Floats":
    """Return a bound of sum_y w_y x_y, all at least 0: n errors, and what n products underflow."""
    import numpy as np

    size = weights.shape[-1]
    sums: Floats = weights @ numbers
    if not upward:  # a sum that overflows may be as small as the largest float less n errors
        sums = np.minimum(sums, MOST)
    rounded: Floats = sums * (1 + (size + 2) * (EPS if upward else -EPS))
    if smallest(sums) >= LEAST:
        return rounded
    lost = np.where((sums < LEAST) & ((weights > 0).astype(float) @ (numbers > 0).astype(float) > 0), size * TINY, 0.0)
    return rounded + lost if upward else np.maximum(rounded - lost, 0)


# Weighted sums of intervals, rounded outward: means over rows, mixtures of two, parts of a whole, and the mean value
# form. Each counts its errors of an operation as `intervals` does.


def mean_over_simplex(rows: Interval, numbers: Interval) -> Interval:
    """Return means sum_y p_y x_y over all rows of {l <= p <= u, sum(p) = 1}, one of which there is:
    rows of shape (.., x, y) and numbers of shape (.., y, ..), as `@` has them.

    By duality, for any number c, here the median of the numbers,

        c + sum_y (l_y (x_y - c)+ - u_y (c - x_y)+) <= sum_y p_y x_y.
    """
    import numpy as np

    check_weights(rows)
    room = (rows.low.shape[-1] + 8) * EPS
    floor = rows.low.shape[-1] * TINY  # what products lose as they underflow
    ends = []
    with np.errstate(all="ignore"):
        for at, gaining, losing, sign in (
            (numbers.low, rows.low, rows.high, -1),
            (numbers.high, rows.high, rows.low, 1),
        ):
            c = median(at)
            gain = gaining @ np.maximum(at - c, 0)
            loss = losing @ np.maximum(c - at, 0)
            wide = (abs(c) + gain + loss) * room + floor
            ends.append(c + gain - loss + sign * wide)
        bottom = numbers.low.min(axis=-2, keepdims=True)
        top = numbers.high.max(axis=-2, keepdims=True)
        return known(np.fmax(ends[0], bottom), np.fmin(ends[1], top))


def mean_value(middle: Interval, slopes: Sequence[Interval], radii: "Sequence[Floats]") -> Interval:
    """Return f(m) + sum_k [-r_k, r_k] d f / d theta_k: the values of a function in cells, given
    those in their middles; the first axis of all is that of cells.
    """
    import numpy as np

    slack: Floats = np.zeros(())
    with np.errstate(all="ignore"):
        for slope, radius in zip(slopes, radii):
            r = radius.reshape(-1, *(1,) * (slope.low.ndim - 1))
            # a parameter that is fixed may have any slope
            slack = slack + np.where(r > 0, r * slope.size + TINY, 0)
        slack = slack * (1 + (len(slopes) + 2) * EPS)
        return middle + Interval(-slack, slack)


def mixture(share: Interval, zero: Interval, one: Interval) -> Interval:
    """Return (1 - p) x + p y for p from 0 to 1, in which it is monotone: four errors of the sum of
    absolute values.
    """
    import numpy as np

    ends, positive = [], zero.positive and one.positive
    with np.errstate(all="ignore"):
        for x, y, upward in ((zero.low, one.low, False), (zero.high, one.high, True)):
            p = np.where((y > x) == upward, share.high, share.low)
            mixed = (1 - p) * x + p * y
            size = mixed if positive else (1 - p) * abs(x) + p * abs(y)
            wide = size * (4 * EPS)
            if not smallest(size) >= LEAST:
                wide = wide + TINY * ((x != 0) | (y != 0))
            ends.append(mixed + wide if upward else mixed - wide)
        return known(np.fmax(ends[0], 0.0) if positive else ends[0], ends[1])


def others(known: Interval) -> Interval:
    """Return the sums of all numbers of the last axis but one's own: nothing is subtracted."""
    size = known.shape[-1]
    if size <= 2:
        return known[..., ::-1] if size == 2 else Interval.point(known.low * 0)
    rest = [[z for z in range(size) if z != y] for y in range(size)]
    return Interval.stack([known[..., each].sum(axis=-1) for each in rest], axis=-1)


def part(one: Interval, other: Interval) -> Interval:
    """Return x / (x + y) of numbers at least 0; of 0 / 0 what lies from 0 to 1."""
    import numpy as np

    check_weights(one)
    check_weights(other)
    with np.errstate(all="ignore"):
        low = one.low / (one.low + other.high)
        high = one.high / np.minimum(one.high + other.low, MOST)  # a sum that overflows is larger
        low, high = low * (1 - 4 * EPS) - TINY, high * (1 + 4 * EPS) + TINY
        never = (one.high == 0) & (other.low > 0)
        return Interval(np.fmax(low, 0.0), np.where(never, 0.0, np.fmin(high, 1.0)))


def median(numbers: "Floats", axis: int = -2) -> "Floats":
    """Return a float between the least and the largest along an axis, which stays: in the middle of
    three.
    """
    import numpy as np

    least, most = (f(axis=axis, keepdims=True) for f in (numbers.min, numbers.max))
    size = numbers.shape[axis]
    if size > 3:
        middle: Floats = np.median(numbers, axis=axis, keepdims=True)
        return middle
    between = numbers.sum(axis=axis, keepdims=True) - least - most if size == 3 else least
    found: Floats = np.clip(between, least, most)
    return found
