"""A truncated Gaussian law in numbers: logarithms of what is integrated over the hidden records.

With Q = Sigma^-1, hidden records H, which hold the secret record i, and shown ones L, the density
of x_L given that x_i lies in a window s is, up to a factor that does not depend on s,
e^A_s(x_L) / P_s, where

    A_s(x_L) = log of the integral of exp(-x_H'Q_HH x_H/2 - x_H'Q_HL x_L), x_i in s, the rest of H
    in the box, and P_s = e^A_s with every record hidden.

A window that is one point u stands for x_i = u.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import Window

if TYPE_CHECKING:
    import numpy as np
    from flint import arb, arb_mat, fmpq
    from numpy.typing import NDArray

# Integrals of e^(-y'Qy/2 - g'y) over a box around 0, in floats with a bound of the error.
#
# g'y >= 0 on the box, so that integrands are at most 1. Coordinates are integrated one after the other, each with the
# nodes of a rule; the innermost one is a normal integral. What is left out is counted: the ends of intervals, rows of
# little weight, and coordinates that hardly leave the box.
#
# This file also has Gauss-Legendre rules for one coordinate of many rows at once, with bounds of their errors.

# Coordinates of a normal law one after the other: what each is given those before it.
#
# Rounding: with |y_j| <= Y_j, a coordinate's mean and place are right up to a few 2^-52 of Y_k + sum of |c_kj| Y_j, c
# being the regression on those before; in units of its deviation d_k that is eta, and an exponent -z^2/2 with z <=
# sqrt(2 span) is off by at most eta (z + eta). A node that is off by 4 x 2^-52 Y_k changes the logarithm of an
# integrand by that times sum_j |Q_kj| Y_j + |g_k|.


if TYPE_CHECKING:
    Floats = NDArray[np.float64]

EPS = 2.0**-52


class Ladder:
    """Coordinates in order: each given those before it, under precision Q."""

    def __init__(self, precision: "arb_mat", order: Sequence[int]) -> None:
        import numpy as np
        from flint import arb_mat

        d = len(order)
        q = arb_mat([[precision[i, j] for j in order] for i in order])
        self.size = d
        self.diagonal = np.array([float(q[k, k]) for k in range(d)])
        self.size_of = np.abs(np.array([[float(q[i, j]) for j in range(d)] for i in range(d)]))
        self.means: list[Floats] = []
        self.spread: list[Floats] = []
        self.sums: list[Floats] = []
        self.differences: list[Floats] = []
        for k in range(d):
            self._given_first(q, k)
        self.deviation = np.array([each[0] for each in self.spread])

    def _given_first(self, q: "arb_mat", k: int) -> None:
        """Keep later coordinates given the first k: means and deviations."""
        import numpy as np
        from flint import arb_mat

        later, left = range(k, self.size), range(self.size - k)
        c = arb_mat([[q[i, j] for j in later] for i in later]).inv()
        mean = np.zeros((len(left), k))
        if k:
            found = c * arb_mat([[q[i, j] for j in range(k)] for i in later])
            mean = -np.array([[float(x) for x in row] for row in found.tolist()])
        self.means.append(mean)
        self.spread.append(np.array([float(c[i, i].sqrt()) for i in left]))
        for sign, kept in ((2, self.sums), (-2, self.differences)):
            both = [[abs(c[i, i] + c[j, j] + sign * c[i, j]) for j in left] for i in left]
            kept.append(np.array([[float(x.sqrt()) for x in row] for row in both]))

    def rounding(self, reach: "Floats", drift: "Floats", span: float) -> float:
        """Return a relative error of weights: `reach` bounds |y_k|, `span` exponents."""
        import numpy as np

        z = np.sqrt(2 * span)
        total = 0.0
        for k in range(self.size):
            parts = reach[k] + float(np.abs(self.means[k][0]) @ reach[:k])
            off = (k + 5) * EPS * parts / self.deviation[k]
            total += off * (z + off)
            total += 4 * EPS * reach[k] * (float(self.size_of[k] @ reach) + abs(drift[k]))
        return float(total + 8 * EPS * (span + self.size))


# Normal integrals in floats, with a proven relative error.
#
# erfcx(x) = e^(x^2) erfc(x) = (2 / sqrt(pi)) times the integral of e^(-t^2 - 2xt) over t >= 0. Its Taylor coefficients
# at x >= 0 alternate, and |c_k| <= 1/Gamma(k/2 + 1), also relative to erfcx(x) (the weight e^(-2xt) prefers small t).
# With cells of half-width 1/64 the nine coefficients of degree 0 .. 8 leave out at most 64^-9 / Gamma(11/2), far below
# one rounding. Beyond 32 the alternating asymptotic series is used, whose first term left out is below 1.5e-16 of the
# value. Coefficients come from Arb, rounded once.

ERROR = 2.0**-48
"""Relative error of `erfcx_approx`, and of an exponential of numpy at a float, with room: both take
a handful of roundings of 2^-53.
"""
_CELLS = 32  # per unit
_LAST = 32
_DEGREE = 8
_ZERO_BEYOND = 39.0  # e^(-39^2 / 2) is no float but 0


@cache
def _coefficients() -> "Floats":
    """Return the Taylor coefficients of erfcx at every multiple of 1/32, a row per degree."""
    import numpy as np
    from flint import arb, arb_series, ctx

    columns = []
    with ctx.workprec(160):
        for cell in range(_CELLS * _LAST + 1):
            argument = arb_series([arb(cell) / _CELLS, 1], prec=_DEGREE + 1)
            series = (argument * argument).exp() * argument.erfc()
            columns.append([float(series[k]) for k in range(_DEGREE + 1)])
    return np.array(columns).T.copy()


def erfcx_approx(x: "Floats") -> "Floats":
    """Return e^(x^2) erfc(x) for x >= 0, up to a relative `ERROR`.

    >>> import numpy as np
    >>> erfcx_approx(np.array([0.0, 1.0, 100.0])).round(9).tolist()
    [1.0, 0.427583576, 0.005641614]
    """
    import numpy as np

    table = _coefficients()
    near = np.minimum(x, _LAST)
    cell = np.rint(near * _CELLS)
    offset = near - cell / _CELLS
    index = cell.astype(np.intp)
    value = table[_DEGREE].take(index)
    for row in table[_DEGREE - 1 :: -1]:
        value *= offset
        value += row.take(index)
    far = x > _LAST
    if far.any():
        # sum over k < 6 of (-1)^k (2k - 1)!! / (2 x^2)^k, over x sqrt(pi)
        step, series = 0.5 / (x[far] * x[far]), np.ones_like(x[far])
        for factor in (9, 7, 5, 3, 1):
            series = 1 - factor * step * series
        value[far] = series / (x[far] * 1.7724538509055161)
    return np.asarray(value)


def tail_approx(t: "Floats") -> "Floats":
    """Return P(Z > t) for a standard normal Z and t >= 0."""
    import numpy as np

    value = np.zeros_like(t)
    some = t < _ZERO_BEYOND
    near = t[some]
    value[some] = 0.5 * np.exp(-0.5 * near * near) * erfcx_approx(near * 0.7071067811865476)
    return np.asarray(value)


_POINTS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 64, 96, 128)
_ROOT_TWO_PI = 2.5066282746310007
_HALF_ROOT = 1.2533141373155003  # sqrt(pi / 2)
_CHUNK = 200_000
ROOM = 1 + 1e-6  # over roundings of sums of errors


class TooMuchWorkError(Exception):
    """More rows than asked for."""


@dataclass
class RoundedSum:
    """What was added up: the value, absolute errors, magnitudes that were rounded, rows."""

    value: float = 0.0
    error: float = 0.0
    magnitude: float = 0.0
    rows: int = 0
    sums: int = 0


@dataclass(frozen=True)
class Task:
    """One integral over y: the ladder, the box around 0, the drift, and how exact."""

    ladder: Ladder
    low: "Floats"
    high: "Floats"
    drift: "Floats"
    tolerance: float
    most_rows: float
    found: RoundedSum = field(default_factory=RoundedSum)

    @cached_property
    def caps(self) -> "Floats":
        """J of the coordinates from k on, for k = 0 .. d."""
        import numpy as np

        with np.errstate(divide="ignore"):
            each = np.minimum(_ROOT_TWO_PI * self.ladder.deviation, 1 / np.abs(self.drift))
        each = np.minimum(each, self.high - self.low)
        return np.append(np.cumprod(each[::-1])[::-1], 1.0) * (1 + 1e-12)

    @cached_property
    def free_from(self) -> int:
        """The first coordinate from which on there is no drift."""
        import numpy as np

        drifting = np.flatnonzero(self.drift)
        return int(drifting[-1]) + 1 if len(drifting) else 0

    @cached_property
    def span(self) -> float:
        """How far below the largest value of an integrand, in nats, is left out."""
        import numpy as np

        return float(np.log(1 / self.tolerance) + 5)

    def run(self) -> "Task":
        """Add everything up. Raises `TooMuchWorkError` beyond the rows allowed."""
        import numpy as np

        self.descend(0, np.zeros((1, 0)), np.ones(1))
        return self

    def descend(self, k: int, before: "Floats", weight: "Floats") -> None:
        """Add weight times the integral from coordinate k on, for all rows."""
        self.found.rows += len(weight)
        self.found.sums += 1
        if self.found.rows > self.most_rows:
            raise TooMuchWorkError
        last = k == self.ladder.size - 1
        if not last and k >= self.free_from:
            before, weight = self.settled(k, before, weight)
        if not len(weight):
            return
        if last:
            self.innermost(before, weight)
        else:
            self.expand(k, before, weight)

    def settled(self, k: int, before: "Floats", weight: "Floats") -> tuple["Floats", "Floats"]:
        """Add rows from which hardly anything leaves the box, and return the others.

        Where the coordinates left have no drift, the chance that none leaves the box is 1 - sum of
        P(out) up to at most the sum over pairs of P(both out), and P(a > s, b > t) <= P(a + b > s +
        t).
        """
        import numpy as np

        ladder, found = self.ladder, self.found
        mean = before @ ladder.means[k].T
        above, below = self.high[k:] - mean, mean - self.low[k:]
        inside = (np.minimum(above, below) > 1.5 * ladder.spread[k]).all(axis=1)
        if not inside.any():
            return before, weight
        rows = np.flatnonzero(inside)
        above, below, mass = above[rows], below[rows], weight[rows] * self.caps_free[k]
        both = np.zeros(len(rows))
        remaining = ladder.size - k
        for i in range(remaining):
            one = 2 * ladder.spread[k][i] ** 2
            both += 0.25 * np.exp(-((above[:, i] + below[:, i]) ** 2) / one)
            for j in range(i):
                plus, minus = 2 * ladder.sums[k][i, j] ** 2, 2 * ladder.differences[k][i, j] ** 2
                both += 0.5 * np.exp(-((above[:, i] + above[:, j]) ** 2) / plus)
                both += 0.5 * np.exp(-((below[:, i] + below[:, j]) ** 2) / plus)
                both += 0.5 * np.exp(-((above[:, i] + below[:, j]) ** 2) / minus)
                both += 0.5 * np.exp(-((below[:, i] + above[:, j]) ** 2) / minus)
        good = both <= self.tolerance * 1e-2
        good |= both * mass <= self.tolerance * 1e-2 * self.caps[0] / max(len(rows), 100)
        scaled = [np.concatenate([above[good, i], below[good, i]]) / ladder.spread[k][i] for i in range(remaining)]
        out = sum((tail_approx(each).reshape(2, -1).sum(axis=0) for each in scaled), np.zeros(good.sum()))
        inner = 1 - out + 0.5 * both[good]
        found.value += float((mass[good] * inner).sum())
        found.error += float((mass[good] * (0.5 * both[good] + 1e-12 * out)).sum()) * ROOM
        found.magnitude += float(mass[good].sum())
        kept = np.ones(len(weight), dtype=bool)
        kept[rows[good]] = False
        return before[kept], weight[kept]

    @cached_property
    def caps_free(self) -> "Floats":
        """The integrals over the whole space of the coordinates from k on, without drift."""
        import numpy as np

        each = _ROOT_TWO_PI * self.ladder.deviation
        return np.append(np.cumprod(each[::-1])[::-1], 1.0)

    def innermost(self, before: "Floats", weight: "Floats") -> None:
        """Add weight times the normal integral over the last coordinate."""
        import numpy as np

        k = self.ladder.size - 1
        d, g = self.ladder.deviation[k], self.drift[k]
        mean = before @ self.ladder.means[k][0]
        centre = mean - g * d * d
        nearest = np.clip(centre, self.low[k], self.high[k])
        height = np.exp(-0.5 * ((nearest - mean) / d) ** 2 - g * nearest) * weight * d
        width = (self.high[k] - self.low[k]) / d
        start = np.where(centre <= self.high[k], (self.low[k] - centre) / d, (centre - self.high[k]) / d)
        outside = start > 0
        value = np.empty_like(height)
        magnitude = np.empty_like(height)
        if outside.any():  # from start > 0, over the first value
            first = start[outside]
            near = erfcx_approx(first * 0.7071067811865476)
            far = np.exp(-width * (first + 0.5 * width))
            some = far > 0
            far[some] *= erfcx_approx((first[some] + width) * 0.7071067811865476)
            value[outside], magnitude[outside] = _HALF_ROOT * (near - far), 2 * _HALF_ROOT * (near + far)
        if not outside.all():  # from start <= 0 to start + width >= 0
            first = start[~outside]
            left, right = tail_approx(-first), tail_approx(np.maximum(first + width, 0.0))
            value[~outside], magnitude[~outside] = _ROOT_TWO_PI * (1 - left - right), 2 * _ROOT_TWO_PI
        self.found.value += float((height * value).sum())
        self.found.magnitude += float((height * magnitude).sum())

    def expand(self, k: int, before: "Floats", weight: "Floats") -> None:
        """Go on with the nodes of coordinate k, a Gauss-Legendre rule on what matters of its
        interval.

        Given y_1 .. y_(k-1), y_k has a normal weight of mean m and deviation d (`ladder`), the
        drift e^(-g_k y_k), and the integral F over the others, at most J, the product over the
        others of min( sqrt(2 pi) d, 1/|g|, width of the box). Beyond the ends of an interval f
        falls at least exponentially; rows of little weight have at most weight times J.
        """
        import numpy as np

        box = float(self.low[k]), float(self.high[k])
        mean = before @ self.ladder.means[k][0]
        rule = IntervalRule(self.ladder, k, mean, box, float(self.drift[k]), self.span)
        self.found.error += float((weight * rule.left_out).sum()) * self.caps[k + 1] * ROOM
        wanted = self.tolerance * 0.03 * self.caps[k] / self.caps[k + 1]
        wanted = np.maximum(
            wanted, 1e-3 * self.tolerance * self.caps[0] / (weight * self.caps[k + 1] * max(len(weight), 1))
        )
        choice = rule.choose(wanted)
        self.found.error += float((weight * rule.errors).sum()) * self.caps[k + 1] * ROOM
        for points in np.unique(choice):
            rows = np.flatnonzero(choice == points)
            step = max(1, _CHUNK // int(points))
            for start in range(0, len(rows), step):
                some = rows[start : start + step]
                self.follow(k, before[some], weight[some], rule, some, int(points))

    def follow(
        self, k: int, before: "Floats", weight: "Floats", rule: "IntervalRule", rows: "NDArray[np.intp]", points: int
    ) -> None:
        """Go on with the nodes of some rows, without those of little weight."""
        import numpy as np

        nodes, weights = gauss_legendre(points)
        y = rule.middle[rows, None] + rule.half[rows, None] * nodes
        exponent = -0.5 * ((y - rule.mean[rows, None]) / rule.deviation) ** 2 - rule.drift * y
        new = (weight * rule.half[rows])[:, None] * weights * np.exp(exponent)
        small = new * self.caps[k + 1] < self.tolerance * 1e-4 * self.caps[0] / max(new.size, 1000)
        self.found.error += float(new[small].sum()) * self.caps[k + 1] * ROOM
        row, column = np.nonzero(~small)
        if len(row):
            after = np.column_stack([before[row], y[row, column]])
            self.descend(k + 1, after, new[row, column])


@cache
def gauss_legendre(points: int) -> tuple["Floats", "Floats"]:
    """Return nodes and weights on [-1, 1], each within a rounding."""
    import numpy as np
    from flint import arb, ctx

    with ctx.workprec(100):
        found = [arb.legendre_p_root(points, k, weight=True) for k in range(points)]
    return np.array([float(x) for x, _ in found]), np.array([float(w) for _, w in found])


class IntervalRule:
    """Intervals for coordinate k in many rows, and rules on them.

    `mean` is its mean in every row; what lies more than `span` nats below the largest value of the
    weight is left out. Errors and `left_out` are in units of weight times J.
    """

    def __init__(
        self, ladder: Ladder, k: int, mean: "Floats", box: tuple[float, float], drift: float, span: float
    ) -> None:
        import numpy as np

        low, high = box
        self.mean, self.deviation = mean, float(ladder.deviation[k])
        self.drift, self.curvature = drift, float(ladder.diagonal[k])
        d = self.deviation
        self.centre = mean - drift * d * d
        nearest = np.clip(self.centre, low, high)
        first = np.abs(self.centre - nearest) / d
        reach = d * 2 * span / (np.sqrt(first**2 + 2 * span) + first)
        self.a, self.b = np.maximum(low, nearest - reach), np.minimum(high, nearest + reach)
        self.middle, self.half = 0.5 * (self.a + self.b), 0.5 * (self.b - self.a)
        left = np.where(self.a > low, self._tail(self.a, -1.0), 0.0)
        right = np.where(self.b < high, self._tail(self.b, 1.0), 0.0)
        edges = 4 * EPS * max(abs(low), abs(high)) * np.exp(self._log(nearest))
        self.left_out = left + right + edges
        self.errors = np.zeros(len(mean))

    def _log(self, y: "Floats") -> "Floats":
        return -0.5 * ((y - self.mean) / self.deviation) ** 2 - self.drift * y

    def _tail(self, end: "Floats", side: float) -> "Floats":
        """Bound the integral beyond an end of the interval."""
        import numpy as np

        slope = side * ((end - self.mean) / self.deviation**2 + self.drift)
        with np.errstate(divide="ignore"):
            return np.where(slope > 0, np.exp(self._log(end)) / slope, np.inf)

    def _error(self, points: int) -> "Floats":
        """Bound the error of a rule, with a rho that is nearly the best."""
        import numpy as np

        with np.errstate(divide="ignore", over="ignore"):
            ratio = 4 * (2 * points - 1) / (self.half**2 * self.curvature)
            rho = np.sqrt(0.5 * (ratio + np.sqrt(ratio * ratio + 4)))
            slopes = ((end - self.mean) / self.deviation**2 + self.drift for end in (self.a, self.b))
            ends = np.maximum(*map(np.abs, slopes))
            rho = np.minimum(rho, 1.05 + 4 * points / (self.half * ends + 1e-300))
            rho = np.minimum(rho, 1e6)
            over = self.half * (0.5 * (rho + 1 / rho) - 1)
            imaginary = self.half * 0.5 * (rho - 1 / rho)
            best = np.clip(self.centre, self.a - over, self.b + over)
            exponent = 0.5 * self.curvature * imaginary**2 + self._log(best)
            exponent += np.log(8 * self.half) - (2 * points - 1) * np.log(rho) - np.log(rho - 1)
            return np.asarray(np.exp(np.minimum(exponent * (1 + 1e-12) + 1e-9, 700.0)))

    def choose(self, wanted: "Floats") -> "NDArray[np.intp]":
        """Return for every row the fewest points whose error is small enough; keep the errors."""
        import numpy as np

        choice = np.zeros(len(self.mean), dtype=np.intp)
        for points in _POINTS:
            error = self._error(points)
            take = (choice == 0) & ((error <= wanted) | (points == _POINTS[-1]))
            choice[take], self.errors[take] = points, error[take]
            if choice.all():
                break
        return choice


# Integrals of exp(-x'Qx/2 - b'x) over boxes, enclosed.
#
# Let x* be the mode over the box and y = x - x*. The exponent is its value at x*, kept in Arb, minus y'Qy/2 + g'y,
# where g = Qx* + b vanishes inside the box and g'y >= 0 on it. What is left is at most 1 and is done in floats
# (`rows`). Source: the usual reduction of normal integrals over boxes to successive conditional ones (Genz 1992), with
# rules and bounds instead of samples.


class BoxIntegral:
    """The integral of exp(-x'Qx/2 - b'x) over a box, for one Q and box and any b.

    `precision` is an Arb matrix, `low` and `high` are exact (`fmpq`). Intermediate results are kept
    at Arb's current precision.
    """

    def __init__(self, precision: "arb_mat", low: "Sequence[fmpq]", high: "Sequence[fmpq]") -> None:
        self.precision, self.low, self.high = precision, list(low), list(high)
        self.ladders: dict[tuple[int, ...], Ladder] = {}
        self.rows = 0
        self.caution = 30.0  # how much larger the tolerance of a sum is than its error, about

    def log(self, linear: "Sequence[arb]", tolerance: float, most_rows: float = 1e8) -> "arb":
        """Enclose the logarithm as an Arb ball, of radius about `tolerance` where that can be
        reached. Raises `TooMuchWorkError` where it takes more rows than allowed.
        """
        from flint import arb, ctx

        if len(self.low) == 1:
            # log of the integral of exp(-q x^2 / 2 - b x) from low to high
            q, b, low, high = self.precision[0, 0], linear[0], self.low[0], self.high[0]
            for extra in (0, 64, 256, 1024, 4096):
                with ctx.workprec(ctx.prec + extra):
                    scale = (q / 2).sqrt()
                    start, end = (low + b / q) * scale, (high + b / q) * scale
                    if start > 0:
                        inside = start.erfc() - end.erfc()
                    elif end < 0:
                        inside = (-end).erfc() - (-start).erfc()
                    else:
                        inside = end.erf() - start.erf()
                    logarithm = b * b / (2 * q) + (inside * (arb.pi() / (2 * q)).sqrt()).log()
                    if logarithm.rad() < arb(2) ** -60 or extra == 4096:
                        break
            return logarithm
        mode, gradient = self._mode(linear)
        order = self._order(mode, gradient)
        if order not in self.ladders:
            self.ladders[order] = Ladder(self.precision, order)
        ladder, sum_tolerance = self.ladders[order], min(self.caution * tolerance, 1e-3)
        for _ in range(4):
            task = self._task(ladder, order, mode, gradient, sum_tolerance, most_rows)
            found = task[0].run().found
            self.rows += found.rows
            error, value = self._error(task[0], found), found.value
            if not error < value:
                self.caution, sum_tolerance = 1.0, sum_tolerance * 1e-2
                continue
            # 0.6 of what would have been right, and not twice what it was
            right = 0.6 * sum_tolerance / max(found.error / value, 1e-300)
            self.caution = float(min(max(right, 1.0), 2 * self.caution, 1e3))
            if found.error <= tolerance * value:
                break
            sum_tolerance *= min(0.5, 0.5 * tolerance * value / found.error)
        if not value > error:
            raise TooMuchWorkError
        at_mode = -sum(
            (
                mode[i] * (sum(self.precision[i, j] * mode[j] for j in range(len(mode))) / 2) + linear[i] * mode[i]
                for i in range(len(mode))
            ),
            arb(0),
        )
        return at_mode + arb(value, error).log() + arb(0, task[1])

    def _error(self, task: Task, found: RoundedSum) -> float:
        import numpy as np

        reach = np.maximum(np.abs(task.low), np.abs(task.high))
        span = task.span + 20 + float(np.log(max(1, found.rows)))
        relative = task.ladder.rounding(reach, task.drift, span)
        relative += EPS * (64 + 2 * found.sums)
        return (found.error + 4 * ERROR * found.magnitude) * ROOM + relative * 2 * found.value

    def _task(
        self,
        ladder: Ladder,
        order: Sequence[int],
        mode: "Sequence[arb]",
        gradient: "Sequence[arb]",
        tolerance: float,
        most_rows: float,
    ) -> tuple[Task, float]:
        """Return the integral around the mode, and the log error of neglected gradients."""
        import numpy as np
        from flint import arb

        low = np.array([float(arb(self.low[i]) - mode[i]) for i in order])
        high = np.array([float(arb(self.high[i]) - mode[i]) for i in order])
        drift, neglected = [], 0.0
        for i, below, above in zip(order, low, high):
            g = float(gradient[i])
            kept = (below == 0 and g > 0) or (above == 0 and g < 0)
            drift.append(g if kept else 0.0)
            rest = gradient[i] - drift[-1]
            neglected += float(abs(rest).upper()) * max(above, -below)
        return (Task(ladder, low, high, np.array(drift), tolerance, most_rows), neglected * ROOM)

    def _mode(self, linear: "Sequence[arb]") -> "tuple[list[arb], list[arb]]":
        """Return a point near the mode of the box, exactly, and the gradient of -log there."""
        from flint import arb

        d = len(self.low)
        low, high = [arb(each) for each in self.low], [arb(each) for each in self.high]
        at: dict[int, int] = {}
        x = [arb(0)] * d
        for turn in range(100 * d):
            free = [i for i in range(d) if i not in at]
            for i, side in at.items():
                x[i] = low[i] if side < 0 else high[i]
            for i, value in zip(free, self._solved(free, at, x, linear)):
                x[i] = value
            gradient = self._gradient(x, linear)
            new = {i: side for i, side in at.items() if (gradient[i].mid() > 0) == (side < 0)}
            new |= {i: -1 for i in free if x[i] < low[i]} | {i: 1 for i in free if x[i] > high[i]}
            if new == at:
                break
            if turn > 2 * d:  # one at a time, the least index: this cannot go round in circles
                first = min(i for i in range(d) if at.get(i) != new.get(i))
                new = {i: s for i, s in at.items() if i != first} | ({first: new[first]} if first in new else {})
            at = new
        for i in range(d):
            if i not in at:
                inside = x[i].mid()
                within = inside if inside < high[i] else high[i]
                x[i] = within if inside > low[i] else low[i]
        return x, self._gradient(x, linear)

    def _gradient(self, x: "Sequence[arb]", linear: "Sequence[arb]") -> "list[arb]":
        d = len(x)
        return [sum((self.precision[i, j] * x[j] for j in range(d)), linear[i]) for i in range(d)]

    def _solved(
        self, free: Sequence[int], at: dict[int, int], x: "Sequence[arb]", linear: "Sequence[arb]"
    ) -> "list[arb]":
        from flint import arb_mat

        if not free:
            return []
        matrix = arb_mat([[self.precision[i, j] for j in free] for i in free])
        right = [-linear[i] - sum(self.precision[i, j] * x[j] for j in at) for i in free]
        found = matrix.solve(arb_mat([[each] for each in right]))
        return [found[i, 0] for i in range(len(free))]

    def _order(self, mode: "Sequence[arb]", gradient: "Sequence[arb]") -> tuple[int, ...]:
        """Return the coordinates, those first that meet a wall of the box soonest."""
        import numpy as np

        d = len(mode)
        q = np.array([[float(self.precision[i, j]) for j in range(d)] for i in range(d)])
        room = [min(float(mode[i] - self.low[i]), float(self.high[i] - mode[i])) for i in range(d)]
        order: list[int] = []
        while len(order) < d:
            later = [i for i in range(d) if i not in order]
            spread = np.sqrt(np.abs(np.diag(np.linalg.inv(q[np.ix_(later, later)]))))
            steps = [(round(room[i] / s, 9), i) for i, s in zip(later, spread)]
            order.append(min(steps)[1])
        return tuple(order)


_LEAST_BITS = 160
_MOST_BITS = 20_000
_ROWS = 4e7
_LOOSER = (1.0, 1e3, 1e6)  # tolerances to try, relative to that asked for
Hidden = tuple[int, ...]


def fmpq_of(value: Fraction) -> "fmpq":
    """Return a rational as flint has it."""
    from flint import fmpq

    return fmpq(value.numerator, value.denominator)


@dataclass(frozen=True)
class GaussianLaw:
    """A prior on `count` records, which are counted from 0 here."""

    prior: TruncatedGaussian
    count: int
    _integrals: dict[tuple[Hidden, int, Window], BoxIntegral] = field(default_factory=dict)
    _odds: dict[tuple[int, Window, Window], "arb"] = field(default_factory=dict)

    @cached_property
    def bits(self) -> int:
        """A precision at which Sigma^-1 has enough digits."""
        return self._inverse[0]

    @property
    def precision(self) -> "arb_mat":
        """Q = Sigma^-1, an Arb matrix."""
        return self._inverse[1]

    @cached_property
    def _inverse(self) -> "tuple[int, arb_mat]":
        from flint import arb, ctx

        bits = _LEAST_BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                try:
                    q = self.prior.arb_covariance(self.count).inv()
                except ZeroDivisionError:
                    bits *= 2
                    continue
                sizes = [q[i, i].sqrt() for i in range(self.count)]
                every = [(i, j) for i in range(self.count) for j in range(self.count)]
                if all(q[i, j].rad() < arb(2) ** -100 * sizes[i] * sizes[j] for i, j in every):
                    return bits, q
            bits *= 2
        raise TooMuchWorkError

    def log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        """Enclose A_s(x_L), x in the order of the shown records. Raises `TooMuchWorkError` where
        that would take too long.
        """
        from flint import ctx

        with ctx.workprec(self.bits):
            return self._log_given(window, record, hidden, x, tolerance)

    def _log_given(self, window: Window, record: int, hidden: Hidden, x: Sequence[Fraction], tolerance: float) -> "arb":
        from flint import arb

        q = self.precision
        shown = [k for k in range(self.count) if k not in hidden]
        values = [(k, fmpq_of(value)) for k, value in zip(shown, x)]
        constant = arb(0)
        if window[0] == window[1]:
            u = fmpq_of(window[0])
            constant = -q[record, record] * u * u / 2
            constant -= sum((q[record, k] * value for k, value in values), arb(0)) * u
            values.append((record, u))
            hidden = tuple(k for k in hidden if k != record)
            if not hidden:
                return constant
        linear = [sum((q[h, k] * value for k, value in values), arb(0)) for h in hidden]
        integral = self._integral(window, record, hidden)
        for looser in _LOOSER:
            try:
                return constant + integral.log(linear, min(tolerance * looser, 1e-2), _ROWS)
            except TooMuchWorkError:
                if looser == _LOOSER[-1] or tolerance * looser >= 1e-2:
                    raise
        raise TooMuchWorkError

    def _integral(self, window: Window, record: int, hidden: Hidden) -> BoxIntegral:
        key = (hidden, record, window)
        if key not in self._integrals:
            from flint import arb_mat

            sides = [window if k == record else self.prior.box for k in hidden]
            q = arb_mat([[self.precision[i, j] for j in hidden] for i in hidden])
            self._integrals[key] = BoxIntegral(
                q, [fmpq_of(low) for low, _ in sides], [fmpq_of(high) for _, high in sides]
            )
        return self._integrals[key]

    def odds(self, record: int, one: Window, other: Window, tolerance: float) -> "arb":
        """Enclose log(P_other / P_one), of windows of one record: exactly 0 where the box is
        symmetric and so are they.
        """
        from flint import arb, ctx

        if self.mirrored and one == (-other[1], -other[0]):
            return arb(0)
        key = (record, one, other)
        if key not in self._odds or float(self._odds[key].rad()) > 4 * tolerance:
            every = tuple(range(self.count))
            with ctx.workprec(self.bits):
                found = [self._log_given(w, record, every, (), tolerance) for w in (other, one)]
                self._odds[key] = found[0] - found[1]
        return self._odds[key]

    @property
    def mirrored(self) -> bool:
        """Whether x and -x have the same law."""
        return self.prior.box[0] == -self.prior.box[1]


# The published recipe for truncated Gaussian priors (bai2026, Theorem 5), as printed.
#
# With L the n - b records that are correlated least with record i, and all laws untruncated,
#
#     sup over mu of log[W(r | mu) / W(r' | mu)] - log[W(r) / W(r')],
#
# W(r | mu) being the probability of the window r under N(mu, sigma^2), sigma^2 = Sigma_ii - Sigma_iL Sigma_LL^-1
# Sigma_Li, and W(r) that under N(0, Sigma_ii). The print lets mu sweep without an end: then the supremum is infinite.
# Here mu runs over what x_L in the box makes of it. Among sets L with ties the best is taken.


@dataclass(frozen=True)
class Recipe:
    """What the recipe gives for two windows of a record: an Arb ball, and the hidden records."""

    influence: "arb"
    hidden: Hidden


def farthest(law: GaussianLaw, record: int, hidden: int) -> list[Hidden]:
    """Return the sets of so many hidden records, counted from 0, that hold the record and those
    correlated most with it: several where there are ties.

    >>> from pufferproof.models.priors.continuous.normal import TruncatedGaussian
    >>> farthest(GaussianLaw(TruncatedGaussian([-1, 1], length=1), 4), 1, 2)
    [(0, 1), (1, 2)]
    """
    size = law.prior.size_of_correlation
    others = sorted((k for k in range(law.count) if k != record), key=lambda k: size(record, k), reverse=True)
    last = size(record, others[hidden - 2]) if hidden > 1 else None
    if last is None:
        return [(record,)]
    sure = [k for k in others if size(record, k) > last]
    tied = [k for k in others if size(record, k) == last]
    return [tuple(sorted((record, *sure, *some))) for some in combinations(tied, hidden - 1 - len(sure))]


def published(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Sequence[Hidden]) -> Recipe:
    """Return the least value of the recipe over these sets of hidden records."""
    found = [Recipe(recipe(law, record, one, other, each), each) for each in hidden]
    return min(found, key=lambda each: float(each.influence.mid()))


def recipe(law: GaussianLaw, record: int, one: Window, other: Window, hidden: Hidden) -> "arb":
    """Enclose the recipe's value for one set of hidden records, mu ending where the box makes it
    end.

    That end is [box] times the sum of |Sigma_iL Sigma_LL^-1|. The log-ratio is monotone in mu (a
    likelihood ratio of normal laws), so that the supremum is at an end.
    """
    from flint import arb, arb_mat, ctx

    with ctx.workprec(law.bits):
        sigma = law.prior.arb_covariance(law.count)
        shown = [k for k in range(law.count) if k not in hidden]
        if not shown:
            return arb(0)
        inverse = arb_mat([[sigma[i, j] for j in shown] for i in shown]).inv()
        row = arb_mat([[sigma[record, j] for j in shown]])
        weights = row * inverse
        variance = sigma[record, record] - (weights * row.transpose())[0, 0]
        mean = arb(0)
        side = 1 if one[0] >= other[1] else -1
        for j in range(len(shown)):
            ends = [weights[0, j] * fmpq_of(end) * side for end in law.prior.box]
            mean += ends[0].max(ends[1])
        found = [_log_window(1 / variance, side * mean, w) for w in (one, other)]
        alone = [_log_window(1 / sigma[record, record], arb(0), w) for w in (one, other)]
        return found[0] - found[1] - alone[0] + alone[1]


def _log_window(precision: "arb", mean: "arb", window: tuple[Fraction, Fraction]) -> "arb":
    """Enclose log of the integral of exp(-q x^2/2 + q mu x) over a window: that of its probability
    up to what does not depend on it.
    """
    from flint import arb_mat

    integral = BoxIntegral(arb_mat([[precision]]), [fmpq_of(window[0])], [fmpq_of(window[1])])
    return integral.log([-precision * mean], 0.0)
