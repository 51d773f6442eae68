"""Weighted sums of intervals, rounded outward: means over rows, mixtures of two, parts of a whole,
and the mean value form. Each counts its errors of an operation as `intervals` does.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.numbers.intervals import EPS, LEAST, MOST, TINY, Interval, check_weights, known, smallest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]


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
