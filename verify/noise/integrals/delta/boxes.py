"""The delta of noise on a few numbers, between bounds, by boxes.

With c_v = P(F = v | s) - e^epsilon P(F = v | s'), the positive part of

    h(w) = sum_v c_v prod_k f_k(w_k - v_k) = A(w) - B(w)

is to be integrated, A having the terms with c_v > 0. Balls give the mass of every f_k(. - v_k) on
the intervals of an axis and its least and largest density there: h has a sign on a box, or the box
is halved. On what is left the integral is at least the positive part of that of h, and at most that
of A times 1 - min B / max A. Sums of products of floats are widened by their error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, sqrt
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.integrals.delta.coupling import Axis
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.int64]

_BITS = 128  # working precision of balls
_FIRST_LEVEL = 3  # halvings of every axis before boxes are chosen: 10 parts with both tails
_LEVELS = {1: 12, 2: 14, 3: 9, 4: 6, 5: 5}  # halvings of an axis, by the number of axes
_CHUNK = 1_000_000  # boxes times values at a time
# how close bounds are to be, relatively, and how many boxes times values of a level there may be
_EFFORTS = ((1e-2, 300_000), (1e-3, 1_000_000), (1e-5, 4_000_000))
_REACH = 12  # sigmas beyond the extreme values
_UNIT = 2.0**-50  # relative: eight roundings of floats


def box_delta(
    above: dict[Vector, Fraction], below: dict[Vector, Fraction], axes: Sequence[Axis], level: Level, effort: int = 0
) -> DeltaRegion:
    """Return bounds of the delta of an ordered pair of laws, closer with more effort (0 to 2).

    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> from pufferproof.models.numbers.level import Level
    >>> zero, one = Fraction(0), Fraction(1)
    >>> noise = Axis(Power.exp(-one), None)
    >>> found = box_delta({(zero, zero): one}, {(one, zero): one}, [noise, noise], Level("0"))
    >>> 0.39 < found.lower <= found.upper < 0.4  # 1 - e^(-1/2), the second never varies
    True

    Raises `TooLargeError` for more than five coordinates, and too many boxes times values.
    """
    if len(axes) > max(_LEVELS):
        raise TooLargeError(f"expected at most 5 numbers that vary, found {len(axes)}", "delta")
    work = (2**_FIRST_LEVEL + 2) ** len(axes) * len({*above, *below})
    if work > _EFFORTS[-1][1]:
        most = _EFFORTS[-1][1]
        raise TooLargeError(f"{work} boxes times values: expected at most {most}", "delta")
    boxes = _Boxes(above, below, axes, level)
    lower, upper = boxes.refined(_LEVELS[len(axes)], *_EFFORTS[effort])
    return DeltaRegion(max(lower, Fraction(0)), upper, ())


class _Boxes:
    """The terms of h, and what is known of them on the intervals of every axis."""

    def __init__(
        self, above: dict[Vector, Fraction], below: dict[Vector, Fraction], axes: Sequence[Axis], level: Level
    ) -> None:
        import numpy as np

        none = Fraction(0)
        low, high = level.bounds(256)
        middle = (low + high) / 2
        self.values: list[Vector] = []
        weights = []
        for value in sorted({*above, *below}):
            left, right = above.get(value, none), below.get(value, none)
            if level.sign(left, right):
                self.values.append(value)
                weights.append(float(left - middle * right))
        self.weights = np.array(weights)
        self.axes = axes
        # what a coefficient may miss by being rounded, beside its relative error
        self.slack = (high - low) * len(self.values) + sum(
            (Fraction(abs(weight)) for weight in weights), Fraction(0)
        ) / 2**52

    def refined(self, levels: int, close: float, most: int) -> tuple[Fraction, Fraction]:
        """Return bounds of the integral, after some halvings of every axis: of boxes that matter,
        and as many as there is room for.
        """
        import numpy as np

        lower = upper = Fraction(0)
        left = np.array(list(product(range(2**_FIRST_LEVEL + 2), repeat=len(self.axes))), dtype=np.int64)
        for level in range(_FIRST_LEVEL, levels + 1):
            signs = self._signs(left, level)
            lower, upper = lower + _down(signs.positive), upper + _up(signs.positive)
            sizes = signs.most - signs.least
            estimate = float(lower) + float(signs.least.sum())
            children = len(signs.left) * 2 ** len(self.axes) * len(self.values)
            last = level == levels or children > most or sizes.sum() <= close * estimate
            split = np.full(len(sizes), not last) & (sizes > close / 64 * estimate / max(1, len(sizes)))
            lower += _down(_summed(signs.least[~split], np.zeros(1)))
            upper += _up(_summed(signs.most[~split], np.zeros(1)))
            left = _halved(signs.left[split], 2**level + 1)
            if not len(left):
                break
        rest = self.slack + Fraction(1, 10**250)  # and what rounds to no float
        return lower - rest, upper + rest

    def _signs(self, boxes: Indices, level: int) -> _Signs:
        """Say what is known of boxes of a level, some at a time."""
        import numpy as np

        tables = [self._table(k, level, np.unique(boxes[:, k])) for k in range(len(self.axes))]
        step = max(1, _CHUNK // max(1, len(self.values)))
        parts = [boxes[start : start + step] for start in range(0, len(boxes), step)]
        return _Signs.together([_Signs.of(part, tables, self.weights) for part in parts])

    def _table(self, axis: int, level: int, needed: Indices) -> _IntervalTable:
        """Return mass, least and largest density of every value, on some intervals of an axis."""
        from flint import ctx

        noise, values = self.axes[axis], [value[axis] for value in self.values]
        low, high = min(values), max(values)
        if noise.variance is not None:
            reach = Fraction(ceil(_REACH * sqrt(float(noise.variance)) * 1024), 1024)
            low, high = low - reach, high + reach
        places = needed.tolist()
        with ctx.workprec(_BITS):
            rows = {}
            for value in dict.fromkeys(values):
                about = _About(noise, value, low, high, 2**level)
                rows[value] = list(zip(*(about.interval(place) for place in places)))
        return _IntervalTable(needed, *([rows[value][k] for value in values] for k in range(3)))


class _IntervalTable:
    """Arrays over values and the intervals that are needed."""

    def __init__(self, needed: Indices, mass: object, least: object, most: object) -> None:
        import numpy as np

        self.needed = needed
        self.mass, self.least, self.most = (np.array(column) for column in (mass, least, most))


@dataclass(frozen=True)
class _Signs:
    """What boxes of one level add: of positive ones a sum and a bound of its error; of those not
    told, the `left`, the least and the most that each can.
    """

    positive: tuple[float, float]
    left: Indices
    least: Floats
    most: Floats

    @classmethod
    def together(cls, parts: Sequence[_Signs]) -> _Signs:
        """Return what some parts are together."""
        import numpy as np

        sums = np.array([part.positive for part in parts])
        size, errors = _summed(sums[:, 0], sums[:, 1])
        names = ("left", "least", "most")
        rest = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
        return cls((size, errors), *rest)

    @classmethod
    def of(cls, boxes: Indices, tables: Sequence[_IntervalTable], weights: Floats) -> _Signs:
        """Return the signs of some boxes."""
        import numpy as np

        places = [np.searchsorted(t.needed, boxes[:, k]) for k, t in enumerate(tables)]
        mass, least, most = (
            np.prod([getattr(t, name)[:, at] for t, at in zip(tables, places)], axis=0)
            for name in ("mass", "least", "most")
        )
        up, down = np.maximum(weights, 0), np.maximum(-weights, 0)
        error = _UNIT * (len(tables) + len(weights) + 8)
        gain, loss = up @ mass, down @ mass
        high_gain, low_loss = (up @ most) * (1 + error), (down @ least) * (1 - error)
        positive = (up @ least) * (1 - error) > (down @ most) * (1 + error)
        unknown = ~positive & ~(high_gain <= low_loss)
        doubt = error * (gain + loss)
        sums = _summed((gain - loss)[positive], doubt[positive])
        gain, loss, doubt = gain[unknown], loss[unknown], doubt[unknown]
        share = 1 - low_loss[unknown] / high_gain[unknown] * (1 - error)
        bound = np.maximum(gain * np.clip(share, 0, 1), gain - loss) + doubt
        return cls(sums, boxes[unknown], np.maximum(gain - loss - doubt, 0), bound * (1 + error))


def _summed(parts: Floats, errors: Floats) -> tuple[float, float]:
    """Return a sum of floats and a bound of its error."""
    import numpy as np

    size = float(np.abs(parts).sum())
    return float(parts.sum()), float(errors.sum()) * (1 + 1e-9) + size * len(parts) * 2.0**-52


def _down(total: tuple[float, float]) -> Fraction:
    return max(Fraction(total[0]) - Fraction(total[1]), Fraction(0))


def _up(total: tuple[float, float]) -> Fraction:
    return Fraction(total[0]) + Fraction(total[1])


def _halved(boxes: Indices, last: int) -> Indices:
    """Return the boxes of the next level that make up some; the first and the last interval of an
    axis are not bounded, and stay.
    """
    import numpy as np

    parts = []
    for sides in product((0, 1), repeat=boxes.shape[1]):
        side = np.array(sides)
        inner = (boxes > 0) & (boxes < last)
        keep = (inner | (side == 0)).all(axis=1)
        child = np.where(inner, 2 * boxes - 1 + side, np.where(boxes == 0, 0, 2 * last - 1))
        parts.append(child[keep])
    return np.concatenate(parts)


class _About:
    """Noise about a value, on an axis that is cut into intervals from 1 to n, with unbounded ones 0
    and n + 1; densities up to a constant factor.
    """

    def __init__(self, noise: Axis, value: Fraction, low: Fraction, high: Fraction, count: int) -> None:
        self.count, self.steady = count, noise.variance is None
        self.start, self.step = ball(low - value), ball((high - low) / count)
        # the place of the value among the ends
        self.value = (value - low) * count / (high - low) if high > low else Fraction(0)
        self.rate = -noise.decay.ball().log() if noise.decay is not None else None
        self.half = 1 / (2 * ball(noise.variance or Fraction(1)))
        self.scale = self.half.sqrt()
        self._ends: dict[int, tuple[arb, arb, arb]] = {}

    def interval(self, place: int) -> tuple[float, float, float]:
        """Return mass, least and largest density; of Laplace noise densities are constant multiples
        of one another on an unbounded interval, and those at its end stand for them.
        """
        if 0 < place <= self.count:
            return self._inner(place)
        density, less, more = self._end(0 if not place else self.count)
        at_end = _nearest(density)
        mass = _nearest(more if place else less)
        return mass, at_end if self.steady else 0.0, at_end

    def _inner(self, place: int) -> tuple[float, float, float]:
        (first, less, more), (last, least, most) = self._end(place - 1), self._end(place)
        ends = _nearest(first), _nearest(last)
        top = max(ends) if not place - 1 < self.value < place else 1.0
        if self.value <= place - 1:
            mass = more - most
        elif self.value >= place:
            mass = least - less
        else:
            mass = 1 - less - most
        return _nearest(mass), min(ends), top

    def _end(self, k: int) -> tuple[arb, arb, arb]:
        """Return the density at an end, and the probabilities of less and of more than it."""
        if k not in self._ends:
            distance = self.start + self.step * k
            if self.rate is not None:
                density = (-self.rate * abs(distance)).exp()
                tails = density / 2, 1 - density / 2
                self._ends[k] = (density, *(tails if k <= self.value else tails[::-1]))
            else:
                place = distance * self.scale
                tails = (-place).erfc() / 2, place.erfc() / 2
                self._ends[k] = ((-distance * distance * self.half).exp(), *tails)
        return self._ends[k]


def _nearest(number: arb) -> float:
    """Return a float within 2^-50 of a number that is not negative, relative; or 0 for one below
    10^-290.
    """
    middle = float(number.mid())
    return middle if middle > 1e-290 else 0.0
