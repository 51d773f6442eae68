"""The delta of noise on many numbers, between bounds.

By boxes (`boxes`) of up to five numbers; where these are too many, at most the mean over a coupling
of those of two values each, and at least that of some of the numbers alone. Of two values Gaussian
noise has that on one number at distance (sum d_k^2 / v_k)^(1/2). Other noise has ratios of at most
e^t, t = sum rate_k d_k, moments m of every order alpha, and a delta of at most

    (e^t - e^epsilon) / (e^t + 1),
    m e^((1 - alpha) epsilon) (alpha - 1)^(alpha - 1) / alpha^alpha,

as P(E) <= e^t Q(E), and r - e^epsilon is at most that multiple of r^alpha; with Laplace noise that
moves one number, 1 - e^((epsilon - t) / 2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import ceil, lcm, sqrt
from typing import TYPE_CHECKING

from flint import arb, ctx

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.integrals.delta.one_number import (
    DeltaRegion,
    OutputGrid,
    ScalarLaw,
    gaussian_delta,
    laplace_delta,
)
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, marginal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Couplings of two laws of values, which move mass from those of one to those of the other.
#
# Noise makes of a pair of values a pair of densities, and a delta, as the moment of a Renyi divergence, is jointly
# convex in them: that of the laws is at most the mean of those of the pairs.

RESTS_ON = ("noise.coupling",)
_MOST_PAIRS = 250_000  # that are put in order


@dataclass(frozen=True)
class Axis:
    """The noise of a number: a decay, of real numbers or of integers, or a variance."""

    decay: Power | None
    variance: Fraction | None
    on_integers: bool = False

    @classmethod
    def of(cls, noise: Noise) -> Axis:
        """Return the axis of some noise."""
        return cls(noise.decay, noise.variance, noise.on_integers)


def of_noises(pair: LawPair, noises: Sequence[Noise]) -> tuple[Law, Law, list[Axis]]:
    """Return the laws of a pair and the noise of each number; all Gaussian noise in the flat of the
    values, where numbers are fewer.
    """
    variances = [noise.variance for noise in noises if noise.variance is not None]
    if len(variances) < len(noises):
        return pair.above, pair.below, [Axis.of(noise) for noise in noises]
    above, below, variances = flat_laws(pair, variances)
    return above, below, [Axis(None, variance) for variance in variances]


@dataclass(frozen=True)
class Coupling:
    """Pairs of values of two laws, and the mass of each."""

    moved: tuple[tuple[Vector, Vector, Fraction], ...]

    @classmethod
    def near(cls, above: Law, below: Law) -> Coupling:
        """Return a coupling that moves no mass far: of those in `some`.

        >>> one, half = Fraction(1), Fraction(1, 2)
        >>> laws = {(0 * one,): half, (4 * one,): half}, {(one,): half, (5 * one,): half}
        >>> [(int(v[0]), int(w[0])) for v, w, _ in Coupling.near(*laws).moved]
        [(0, 1), (4, 5)]
        """
        return min(cls.some(above, below), key=lambda coupling: coupling.farthest)

    @classmethod
    def some(cls, above: Law, below: Law) -> list[Coupling]:
        """Return couplings: by the order of values, and, of not too many, nearest ones first."""
        along = cls._along(sorted(above), sorted(below), above, below)
        if len(above) * len(below) > _MOST_PAIRS:
            return [along]
        return [along, cls._nearest(above, below)]

    @property
    def farthest(self) -> Fraction:
        """The largest square of a distance that mass is moved."""
        return max(sum(((x - y) ** 2 for x, y in zip(v, w)), Fraction(0)) for v, w, _ in self.moved)

    @classmethod
    def _nearest(cls, above: Law, below: Law) -> Coupling:
        import numpy as np

        firsts, seconds = list(above), list(below)
        common = lcm(*(mass.denominator for law in (above, below) for mass in law.values()))
        left, right = ([int(mass * common) for mass in law.values()] for law in (above, below))
        moved = []
        # The pairs of two lists in the order of their distances, about: any order will do
        firsts_at, seconds_at = (np.array(values, dtype=float) for values in (firsts, seconds))
        squares = ((firsts_at[:, None, :] - seconds_at[None, :, :]) ** 2).sum(axis=2)
        order: list[int] = np.argsort(squares.reshape(-1), kind="stable").tolist()
        for place in order:
            i, j = divmod(place, len(seconds))
            if mass := min(left[i], right[j]):
                moved.append((firsts[i], seconds[j], Fraction(mass, common)))
                left[i] -= mass
                right[j] -= mass
        return cls(tuple(moved))

    @classmethod
    def _along(cls, first: Sequence[Vector], second: Sequence[Vector], above: Law, below: Law) -> Coupling:
        left, right, moved = dict(above), dict(below), []
        i = j = 0
        while i < len(first) and j < len(second):
            v, w = first[i], second[j]
            mass = min(left[v], right[w])
            moved.append((v, w, mass))
            left[v] -= mass
            right[w] -= mass
            i, j = i + (not left[v]), j + (not right[w])
        return cls(tuple(moved))


def flat_laws(pair: LawPair, variances: Sequence[Fraction]) -> tuple[Law, Law, list[Fraction]]:
    """Return the laws of a pair in coordinates of the flat of its values, and the variances there.

    Gaussian noise on vectors whose values lie in a flat of fewer dimensions is the same on fewer
    numbers. With the inner product <x, y> = sum_k x_k y_k / sigma_k^2 and orthogonal vectors b_1 ..
    b_d that span the differences of the values, found by Gram and Schmidt with rationals, the
    likelihood of an output w depends on t_i = <w - v_0, b_i> / <b_i, b_i> alone: independent
    numbers, of variances 1 / <b_i, b_i>. One of them is the line of
    `pufferproof.verify.noise.normal.lines`.

    >>> from dataclasses import replace
    >>> one = Fraction(1)
    >>> laws = {(one, 0 * one): one}, {(0 * one, one): one}
    >>> above, below, variances = flat_laws(LawPair("theta", ("s", "t"), *laws), [one, one])
    >>> [[str(x) for x in value] for value in (*above, *below)], [str(v) for v in variances]
    ([['1'], ['0']], ['1/2'])
    """
    values = sorted({*pair.above, *pair.below})

    def inner(x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
        return sum((a * b / v for a, b, v in zip(x, y, variances)), Fraction(0))

    def minus(x: Vector, y: Vector) -> Vector:
        return tuple(a - b for a, b in zip(x, y))

    basis: list[Vector] = []
    for value in values[1:]:
        rest = minus(value, values[0])
        for b in basis:
            share = inner(rest, b) / inner(b, b)
            rest = minus(rest, tuple(share * entry for entry in b))
        if any(rest):
            basis.append(rest)

    def place(value: Vector) -> Vector:
        return tuple(inner(minus(value, values[0]), b) / inner(b, b) for b in basis)

    above, below = ({place(v): p for v, p in law.items()} for law in (pair.above, pair.below))
    return above, below, [1 / inner(b, b) for b in basis]


def coupled_moment(coupling: Coupling, axes: Sequence[Axis], order: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Enclose the bound, which is the moment where there is one value each.

    The moment of two laws is

        at most the sum over (v, v') of pi(v, v') prod over k of m_k(v_k - v'_k),

    pi the coupling and m_k that of noise k about two values: by joint convexity of f^alpha g^(1 -
    alpha).
    """
    with ctx.workprec(bits):
        total = arb(0)
        moment = cache(lambda k, distance: shift_moment(axes[k], distance, order))
        for v, w, mass in coupling.moved:
            part = ball(mass)
            for k, (x, y) in enumerate(zip(v, w)):
                part *= moment(k, abs(x - y))
            total += part
        return dyadic(total.lower()), dyadic(total.upper())


def shift_moment(noise: Axis, distance: Fraction, order: Fraction) -> arb:
    """Enclose the moment of noise about two values at a distance, at the working precision: by
    Mironov (2017), Propositions 6 and 7, and a sum of integers.
    """
    if not distance:
        return arb(1)
    if noise.variance is not None or noise.decay is None:
        return ball(order * (order - 1) * distance**2 / (2 * (noise.variance or Fraction(1)))).exp()
    fall = noise.decay.to(distance).ball()
    gain, loss = (fall.log() * ball(1 - order)).exp(), (fall.log() * ball(order)).exp()
    if not noise.on_integers:
        return (ball(order) * gain + ball(order - 1) * loss) / ball(2 * order - 1)
    rate = noise.decay.ball()
    # the ratios between the two values are a geometric series of ratio a^(2 alpha - 1)
    steps = (rate.log() * ball(2 * order - 1)).exp()
    inner = (1 - rate) * gain * (steps - (steps.log() * ball(distance)).exp()) / (1 - steps)
    return (gain + loss + inner) / (1 + rate)


# The delta of noise on a few numbers, between bounds, by boxes.
#
# With c_v = P(F = v | s) - e^epsilon P(F = v | s'), the positive part of
#
#     h(w) = sum_v c_v prod_k f_k(w_k - v_k) = A(w) - B(w)
#
# is to be integrated, A having the terms with c_v > 0. Balls give the mass of every f_k(. - v_k) on the intervals of
# an axis and its least and largest density there: h has a sign on a box, or the box is halved. On what is left the
# integral is at least the positive part of that of h, and at most that of A times 1 - min B / max A. Sums of products
# of floats are widened by their error.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

if TYPE_CHECKING:
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
            # Say what is known of boxes of a level, some at a time
            tables = [self._table(k, level, np.unique(left[:, k])) for k in range(len(self.axes))]
            step = max(1, _CHUNK // max(1, len(self.values)))
            parts = [left[start : start + step] for start in range(0, len(left), step)]
            signs = _Signs.together([_Signs.of(part, tables, self.weights) for part in parts])
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

    def _table(self, axis: int, level: int, needed: Indices) -> _IntervalTable:
        """Return mass, least and largest density of every value, on some intervals of an axis."""
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
            (first, first_less, first_more), (last, least, most) = self._end(place - 1), self._end(place)
            ends = _nearest(first), _nearest(last)
            top = max(ends) if not place - 1 < self.value < place else 1.0
            if self.value <= place - 1:
                inside = first_more - most
            elif self.value >= place:
                inside = least - first_less
            else:
                inside = 1 - first_less - most
            return _nearest(inside), min(ends), top
        density, less, more = self._end(0 if not place else self.count)
        at_end = _nearest(density)
        mass = _nearest(more if place else less)
        return mass, at_end if self.steady else 0.0, at_end

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
    """Return a float within 2^-50 of a number that is not negative, relative; or 0 for one below 10^-290."""
    middle = float(number.mid())
    return middle if middle > 1e-290 else 0.0


_ORDERS = tuple(Fraction(each) for each in ("5/4", "3/2", 2, 3, 4, 6, 8, 12, 16, 24, 32, 64))
_TOGETHER = 3  # of the numbers that tell most alone, taken together for a lower bound
_NONE = Fraction(0)


def several_delta(above: Law, below: Law, axes: Sequence[Axis], level: Level, effort: int = 0) -> DeltaRegion:
    """Return bounds of the delta of an ordered pair of laws.

    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> zero, one = Fraction(0), Fraction(1)
    >>> noise = Axis(Power.exp(-one), None)
    >>> laws = {(zero,) * 6: one}, {(one, *(zero,) * 5): one}
    >>> found = several_delta(*laws, [noise] * 6, Level("0"))
    >>> f"{float(found.lower):.6f}", f"{float(found.upper):.6f}"  # 1 - e^(-1/2)
    ('0.393469', '0.393469')
    """
    question = SeveralQuestion(above, below, axes, level, effort)
    within = ask([by_boxes], question).answer
    if within is not None and len(axes) <= _TOGETHER:
        return within
    boxes = within or DeltaRegion(_NONE, Fraction(1), ())
    upper = min(boxes.upper, *(_coupled(coupling, axes, level) for coupling in Coupling.some(above, below)))
    lower = max(boxes.lower, _of_fewer(above, below, axes, level, effort))
    return DeltaRegion(min(lower, upper), upper, ())


def _of_fewer(above: Law, below: Law, axes: Sequence[Axis], level: Level, effort: int) -> Fraction:
    """Return a lower bound by numbers alone, and by those together that tell most."""

    def kept(places: Sequence[int]) -> Fraction:
        left, right = (marginal(law, places) for law in (above, below))
        fewer = SeveralQuestion(left, right, [axes[k] for k in places], level, effort)
        region = ask((on_integers, of_one_number, by_boxes), fewer).answer
        return _NONE if region is None else region.lower

    alone = {k: kept([k]) for k in range(len(axes))}
    first = sorted(alone, key=lambda k: -alone[k])[:_TOGETHER]
    return max(*alone.values(), kept(first), _NONE)


@dataclass(frozen=True)
class SeveralQuestion:
    """The delta of an ordered pair of laws of some numbers."""

    above: Law
    below: Law
    axes: Sequence[Axis]
    level: Level
    effort: int

    @property
    def alone(self) -> tuple[ScalarLaw, ScalarLaw]:
        """The laws of the first number."""
        above, below = ({v[0]: p for v, p in law.items()} for law in (self.above, self.below))
        return above, below


def by_boxes(question: SeveralQuestion) -> DeltaRegion | None:
    """Enclose the delta by boxes of outputs, of noise on real numbers of one kind."""
    axes = question.axes
    # whether noise is of one kind: real numbers and integers are not
    alike = len({(axis.variance is None, axis.on_integers) for axis in axes}) == 1
    if not alike or axes[0].on_integers:
        return None
    return box_delta(question.above, question.below, axes, question.level, question.effort)


def on_integers(question: SeveralQuestion) -> DeltaRegion | None:
    """Sum over all outputs, which are integers."""
    if not all(axis.on_integers for axis in question.axes):
        return None
    pair = LawPair("", ("", ""), question.above, question.below)
    decays = [axis.decay for axis in question.axes if axis.decay is not None]
    return OutputGrid(pair, decays).enclosed(question.level, _BITS)


def of_one_number(question: SeveralQuestion) -> DeltaRegion | None:
    """Enclose the integral over the outputs of one number."""
    axis, *others = question.axes
    if others or axis.on_integers:
        return None
    if axis.decay is not None:
        return laplace_delta(*question.alone, axis.decay, question.level, _BITS)
    variance = axis.variance or Fraction(1)
    return gaussian_delta(*question.alone, variance, question.level, _BITS)


def _coupled(coupling: Coupling, axes: Sequence[Axis], level: Level) -> Fraction:
    """Bound the delta by a coupling."""
    shift = _shift(tuple(axes), level)
    return sum((mass * shift(tuple(abs(x - y) for x, y in zip(v, w))) for v, w, mass in coupling.moved), _NONE)


@lru_cache(maxsize=8)
def _shift(axes: tuple[Axis, ...], level: Level) -> Callable[[Vector], Fraction]:
    """Return what bounds the delta of two values, by their distances: the same for all laws."""

    @cache
    def bound(distances: Vector) -> Fraction:
        moved = [(axis, d) for axis, d in zip(axes, distances) if d]
        variances = [axis.variance for axis, _ in moved if axis.variance is not None]
        if not moved:
            return _NONE
        if len(variances) == len(moved):
            square = sum((d * d / v for (_, d), v in zip(moved, variances)), _NONE)
            one = {_NONE: Fraction(1)}, {Fraction(1): Fraction(1)}
            return gaussian_delta(*one, 1 / square, level, _BITS).upper
        return min(_of_moments(moved, level), Fraction(1) if variances else _of_ratio(moved, level))

    return bound


def _of_moments(moved: Sequence[tuple[Axis, Fraction]], level: Level) -> Fraction:
    """Bound the delta of two values by their moments."""
    bounds = [Fraction(1)]
    with ctx.workprec(_BITS):
        nats = level.ball().log()
        for order in _ORDERS:
            a, excess = ball(order), ball(order - 1)
            total = (excess * excess.log() - a * a.log() - excess * nats).exp()
            for axis, distance in moved:
                total *= shift_moment(axis, distance, order)
            if total.is_finite():
                bounds.append(dyadic(total.upper()))
    return min(bounds)


def _of_ratio(moved: Sequence[tuple[Axis, Fraction]], level: Level) -> Fraction:
    """Bound the delta of two values by their largest ratio."""
    with ctx.workprec(_BITS):
        ratio, bar = arb(1), level.ball()
        for axis, distance in moved:
            if axis.decay is not None:
                ratio /= axis.decay.to(distance).ball()
        if ratio <= bar:
            return _NONE
        bound = (ratio - bar) / (ratio + 1)
        if len(moved) == 1 and not moved[0][0].on_integers:
            bound = bound.min(1 - (bar / ratio).sqrt())
        return max(dyadic(bound.upper()), _NONE)
