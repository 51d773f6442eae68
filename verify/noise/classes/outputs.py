"""The largest of P(w | X_i = 1) / P(w | X_i = 0), or its inverse, over the two-valued chains of a
box with a + b >= 1 and over outputs w at values of the numbers, by branch and bound (`steps`).

The parameters are a, b and, where any start is allowed, u = P(X_1 = 1 | X_i = s), which may be
anything there: P(X_1 = 1 | X_i = 1 - s) is k u / (k u + 1 - u), with

    k = a b S^2 / ((1 - a S)(1 - b S))  of s = 1, 1 / k of s = 0,    S = 1 + c + .. + c^(i-2).

The ratio is convex or concave in u: largest at an end, or below a tangent. Cells are bounded by
that in the middle, and slopes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.numbers.intervals import Interval, mean_value, mixture, part
from pufferproof.verify.noise.classes.steps import MOST_CELLS, CellBounds

# Enclosures, over cells of two-valued chains, of the likelihoods of all outputs of noisy numbers given a record and
# the first one.
#
# A chain has P(0, 1) = a, P(1, 0) = b, S_n = 1 + c + .. + c^(n-1) with c = 1 - a - b of any sign, and H_n = P(X_(j+n)
# = 1 | X_j = 1) = 1 - b S_n. Given X_i = 1, records before it are a chain that moves to 1, n records before it, with
# probability
#
#     (1 - b S_(n-1)) / S_n from 0,    (1 - b) H_(n-1) / H_n from 1,
#
# in which a = 0 divides nothing; of X_i = 0 exchange the values. The means
#
#     M_s(x, w) = E[exp(-|w - F| / scale) | X_1 = x, X_i = s]
#
# of numbers F follow by a pass over functions of w less the sum so far.

BridgesFloats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Outputs:
    """The outputs at values of the numbers: of every coordinate decay^|d|, d = -m .. m; by record
    and coordinate which value adds 1, or None if none does.
    """

    decays: Sequence[Interval]
    adds: Sequence[Sequence[int | None]]

    @property
    def count(self) -> int:
        """The number of records."""
        return len(self.adds)

    @property
    def size(self) -> int:
        """The number of entries of V at its largest."""
        from math import prod

        return prod(decay.shape[0] for decay in self.decays)

    def base(self) -> Interval:
        """Return prod_k decay_k^|d_k|, of shape (1, 1, ...)."""
        whole = Interval.point(np.ones((1, 1)))
        for decay in self.decays:
            whole = whole.reshape(*whole.shape, 1) * decay
        return whole

    def seen(self, record: int, value: int, whole: Interval) -> Interval:
        """Return V(d - what a record of a value adds), one shorter where it counts."""
        cut: list[slice] = [slice(None)] * (len(whole.shape) - len(self.decays))
        for adding in self.adds[record - 1]:
            if adding is None:
                cut.append(slice(None))
            else:
                cut.append(slice(None, -1) if adding == value else slice(1, None))
        return whole[tuple(cut)]


def powers(c: Jet, count: int) -> list[Jet]:
    """Return S_0 .. S_count of c in [-1, 1] and its derivatives.

    S_n rises in c, unless n > 1 is odd and c < 0: there S_n = (1 + |c|^n) / (1 + |c|).
    """
    within = c.value.within(-1, 1)
    low, high = Interval.point(within.low), Interval.point(within.high)
    far, close = (Interval.point(np.maximum(-x.low, 0)) for x in (low, high))  # of c < 0
    zero = Interval.point(low.low * 0)
    sums = [Jet(zero, (zero,) * len(c.slopes))]
    at_low, at_high, by_c, power = zero, zero, zero, zero + 1
    for n in range(1, count + 1):
        by_c = sums[-1].value + within * by_c
        at_low, at_high, power = 1 + low * at_low, 1 + high * at_high, power * close
        least, most = at_low.low, at_high.high
        if n % 2 and n > 1:
            falls = low.low < 0
            most = np.where(falls, np.maximum(most, at_low.high), most)
            least = np.where(falls, ((1 + power) / (1 + far)).low, least)
        value = Interval(np.maximum(least, 0), most)
        sums.append(Jet(value, tuple(by_c * x for x in c.slopes)))
    return sums


class Bridges:
    """Cells of (a, b): arrays of shape (cells, 2). `last` is the longest way to a secret record.

    `slopes`: whether derivatives are wanted.
    """

    def __init__(self, low: BridgesFloats, high: BridgesFloats, last: int, middle: Bridges | None) -> None:
        one, zero = (Interval.point(np.full(len(low), x)) for x in (1.0, 0.0))
        units = (one, zero), (zero, one)
        self.a, self.b = (Jet(Interval(low[:, k], high[:, k]), units[k]) for k in (0, 1))
        self.one = Jet(one, (zero, zero))
        c = (self.one - self.a) - self.b
        c = Jet(c.value, (-one, -one)).within(-1, 1)
        self.remembers = c.value.low > 0  # cells that lie in a + b < 1
        self.middle = middle
        self.radii: list[BridgesFloats] = []
        if middle is not None:
            both = ((self.a, middle.a), (self.b, middle.b))
            self.radii = [(x.value - y.value).size for x, y in both]
        self.sums = powers(c, last)
        if middle is not None:
            pairs = zip(self.sums, middle.sums)
            self.sums = [total.near(point, self.radii) for total, point in pairs]
        self.known: dict[tuple[int, int], tuple[Jet, Jet]] = {}

    def stays(self, n: int, value: int) -> Jet:
        """Return P(X_(j+n) = x | X_j = x): H_n of 1, 1 - a S_n of 0."""
        step = self.b if value else self.a
        return (self.one - step * self.sums[n]).within(0, 1)

    def ahead(self) -> tuple[Jet, Jet]:
        """Return P(next = 1 | x) for both values x."""
        return self.a, (self.one - self.b).within(0, 1)

    def toward(self, n: int, value: int) -> tuple[Jet, Jet]:
        """Return P(next = 1 | x, n steps on: value) for both values x, n > 1."""
        if (n, value) not in self.known:
            own, other = (self.b, self.a) if value else (self.a, self.b)
            # from the other value: (1 - own S_(n-1)) / S_n to this one
            enters = ((self.one - own * self.sums[n - 1]) / self.sums[n]).within(0, 1)
            # from this value: own other S_(n-1) / H_n to the other one
            leaves = (own * other * self.sums[n - 1] / self.stays(n, value)).within(0, 1)
            if value:
                step = enters, (self.one - leaves).within(0, 1)
            else:
                step = leaves, (self.one - enters).within(0, 1)
            if self.middle is not None:
                points = self.middle.toward(n, value)
                step = step[0].near(points[0], self.radii), step[1].near(points[1], self.radii)
            self.known[n, value] = step
        return self.known[n, value]


@dataclass(frozen=True)
class BridgeMeans:
    """V by value, of shape (cells, 2, ...), its derivatives, and V in the middles of cells."""

    value: Interval
    slopes: tuple[Interval, ...]
    middle: Interval

    @classmethod
    def constant(cls, value: Interval) -> BridgeMeans:
        """Return means that depend on neither of both parameters."""
        return cls(value, (value * 0,) * 2, value)

    def of_both(self) -> BridgeMeans:
        """Return the same means for both values."""
        return BridgeMeans(_twice(self.value), tuple(map(_twice, self.slopes)), _twice(self.middle))

    def cut(self, outputs: Outputs, record: int, value: int, own: int) -> BridgeMeans:
        """Return V(own) less what a record of a value adds, of shape (cells, 1, ...)."""

        def one(whole: Interval) -> Interval:
            return outputs.seen(record, value, whole[:, own : own + 1])

        return BridgeMeans(one(self.value), tuple(map(one, self.slopes)), one(self.middle))


def likelihoods(bridges: Bridges, middle: Bridges, outputs: Outputs, record: int) -> dict[tuple[int, int], BridgeMeans]:
    """Return M_s(x, w) for values (s, x), x = s where the record is the first; of shape (cells, 1, outputs)."""
    base = outputs.base()
    base = base.broadcast_to((len(bridges.remembers), *base.shape[1:]))
    now = BridgeMeans.constant(base).of_both()
    for j in range(outputs.count, record, -1):
        pieces = now.cut(outputs, j, 0, 0), now.cut(outputs, j, 1, 1)
        now = mixed((bridges.ahead(), middle.ahead()), *pieces, bridges.radii)
    means = {}
    for s in (0, 1):
        own = now.cut(outputs, record, s, s)
        if record == 1:
            means[s, s] = own
            continue
        then = own.of_both()
        for j in range(record - 1, 1, -1):
            pieces = then.cut(outputs, j, 0, 0), then.cut(outputs, j, 1, 1)
            n = record - j + 1
            then = mixed((bridges.toward(n, s), middle.toward(n, s)), *pieces, bridges.radii)
        for x in (0, 1):
            means[s, x] = then.cut(outputs, 1, x, x)
    return means


def _twice(entries: Interval) -> Interval:
    return entries.broadcast_to((entries.shape[0], 2, *entries.shape[2:]))


def mixed(
    rows: tuple[Sequence[Jet], Sequence[Jet]], zero: BridgeMeans, one: BridgeMeans, radii: list[BridgesFloats]
) -> BridgeMeans:
    """Return (1 - p) V_0 + p V_1 for rows p, of cells and of their middles."""
    dimensions = len(zero.value.shape)
    p = stacked([row.value for row in rows[0]], dimensions)
    at = stacked([row.value for row in rows[1]], dimensions)
    middle = mixture(at, zero.middle, one.middle)
    if not radii:
        return BridgeMeans(middle, (), middle)
    gap = gap_of(zero, one, radii)
    slopes = []
    for k, (x, y) in enumerate(zip(zero.slopes, one.slopes)):
        own = stacked([row.slopes[k] for row in rows[0]], dimensions)
        slopes.append(mixture(p, x, y) + own * gap)
    value = mixture(p, zero.value, one.value).meet(mean_value(middle, slopes, radii))
    return BridgeMeans(value, tuple(slopes), middle)


def stacked(numbers: Sequence[Interval], dimensions: int) -> Interval:
    """Return numbers by value, of shape (cells, values, 1, ...)."""
    shape = numbers[0].shape[0], len(numbers)
    return Interval.stack(numbers, axis=1).reshape(*shape, *(1,) * (dimensions - 2))


def gap_of(zero: BridgeMeans, one: BridgeMeans, radii: list[BridgesFloats]) -> Interval:
    """Return V_1 - V_0: of the cell, and from its middle, whose radii are given."""
    steep = [x - y for x, y in zip(one.slopes, zero.slopes)]
    gap = mean_value(one.middle - zero.middle, steep, radii)
    return gap.meet(one.value - zero.value)


@dataclass(frozen=True)
class Jet:
    """Intervals of a function, and of its derivatives by parameter.

    f(theta) in f(middle) + sum_k r_k [d f / d theta_k],    r the radii of the cell
    """

    value: Interval
    slopes: tuple[Interval, ...]

    def __add__(self, other: Jet) -> Jet:
        slopes = (x + y for x, y in zip(self.slopes, other.slopes))
        return Jet(self.value + other.value, tuple(slopes))

    def __neg__(self) -> Jet:
        return Jet(-self.value, tuple(-x for x in self.slopes))

    def __sub__(self, other: Jet) -> Jet:
        return self + -other

    def __mul__(self, other: Jet) -> Jet:
        one, two = self.value, other.value
        slopes = (x * two + one * y for x, y in zip(self.slopes, other.slopes))
        return Jet(one * two, tuple(slopes))

    def __truediv__(self, other: Jet) -> Jet:
        ratio = self.value / other.value
        slopes = ((x - ratio * y) / other.value for x, y in zip(self.slopes, other.slopes))
        return Jet(ratio, tuple(slopes))

    def within(self, low: float, high: float) -> Jet:
        """Return the same of a function that is known to lie in an interval."""
        return Jet(self.value.within(low, high), self.slopes)

    def near(self, middle: Jet, radii: Sequence[BridgesFloats]) -> Jet:
        """Return the same, the value also bounded from the middle of the cell."""
        return Jet(self.value.meet(mean_value(middle.value, self.slopes, radii)), self.slopes)


Floats = NDArray[np.float64]

_MOST_ENTRIES = 300_000  # of V, of a batch of cells: bounds of 5 MB, with as much per slope
_ROWS = 60  # entries of V whose work is that of rows
_EAGER = 3  # how much sooner u is cut than slopes alone say
_WIDER = 1 + 2.0**-44  # more than the roundings of products of four positive numbers
_ROOM = 1e-12  # relative, of a ratio of sums of positive numbers


@dataclass(frozen=True)
class AtOutputs:
    """A question of one secret record.

    Args:
        start: "stationary", "any", or "given", with P(X_1 = 1) between two floats.
        base: the value s of u.
        most_work, most_cells: what all cells may take, and how many they may be.
        turning: leave out chains with a + b < 1.
        apart: k is 0 for every chain of the box, not in the limit alone.
    """

    outputs: Outputs
    record: int
    start: str
    base: int
    most_work: int
    turning: bool = True
    apart: bool = False
    given: tuple[float, float] = (0.0, 1.0)
    most_cells: int = MOST_CELLS

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""
        return max(1, min(256, _MOST_ENTRIES // self.outputs.size))

    @property
    def work(self) -> int:
        """About how much work a cell is."""
        return (self.outputs.size + _ROWS) * self.outputs.count

    def values(self, points: Floats) -> Floats:
        """Return about the largest log ratio of chains, u being free."""
        bounds = self.enclosed(points, points)
        return bounds.middle

    def enclosed(self, low: Floats, high: Floats) -> CellBounds:
        """Return bounds of log ratios, by cell, and of their slopes."""
        middle = (low + high) / 2
        far = max(self.record - 1, 1)
        points = Bridges(middle[:, :2], middle[:, :2], far, None)
        cells = Bridges(low[:, :2], high[:, :2], far, points)
        means = likelihoods(cells, points, self.outputs, self.record)
        share = Interval(np.maximum(low[:, 2], 0), np.minimum(high[:, 2], 1))
        with np.errstate(all="ignore"):
            if self.record == 1:
                zero, one, free = means[0, 0], means[1, 1], None
            else:
                # P(w | X_i = s), and how the ratio depends on u
                rows = [(self.first(cells, s, share), self.first(points, s, share)) for s in (0, 1)]

                def given(s: int) -> BridgeMeans:
                    cell, point = rows[s]
                    return mixed(((cell,), (point,)), means[s, 0], means[s, 1], cells.radii)

                zero, one, free = given(0), given(1), None
                if self.start == "any":
                    own, other = ([means[s, x] for x in (0, 1)] for s in (self.base, 1 - self.base))
                    odds = self.odds(points).value
                    if self.apart:
                        odds = Interval.point(odds.low * 0)
                    free = _Free.of(own, other, odds, share, self.base, [row[0] for row in rows])
                    free = replace(free, apart=self.apart)
            (v0, m0), (v1, m1) = [(flat(means.value), flat(means.middle)) for means in (zero, one)]
            tree = _both((v1 / v0).log())
            slopes = [_both(flat(y) / v1 - flat(x) / v0) for x, y in zip(zero.slopes, one.slopes)]
            members = middle.copy()
            if free is None:
                point = _both((m1 / m0).log()).high
                best = np.abs(np.log(m1.low / m0.high)).max(axis=1)
                spread = np.full_like(point, 1e-300)
            else:
                point, best, members[:, 2] = free.largest()
                point = point + _ROOM * (1 + abs(point))
                spread = free.spread(cells.radii)
            radii = [r[:, None] for r in cells.radii]
            form = mean_value(Interval(-point, point), slopes, radii).high
            upper = np.fmin(tree.high, form)
            slopes.append(Interval(-spread, spread))
            if self.turning:
                upper[cells.remembers] = -np.inf
            ends = Interval.stack(slopes)
            return CellBounds(upper, ends.low, ends.high, best, members)

    def first(self, at: Bridges, value: int, share: Interval) -> Jet:
        """Return P(X_1 = 1 | X_i = value)."""
        n, zero = self.record - 1, Interval.point(share.low * 0)
        nothing = zero, zero
        if self.start == "any":
            if value == self.base:
                return Jet(share, nothing)
            if self.apart:
                return Jet(zero, nothing)
            # k u / (k u + 1 - u) with its slopes at u
            odds = self.odds(at)
            k, less = odds.value, 1 - share
            # u (1 - u) / (k u + 1 - u)^2, the derivative in k
            steep = 1 / (k + less / share) * (1 / (1 + k * (share / less)))
            return Jet(part(k * share, less), tuple(steep * x for x in odds.slopes))
        stays = at.stays(n, 1), at.stays(n, 0)
        if self.start == "stationary":
            return stays[0] if value else (at.one - stays[1]).within(0, 1)
        t = Jet(Interval(zero.low + self.given[0], zero.low + self.given[1]), nothing)
        rest = at.one - t
        if value:
            return _part(t * stays[0], rest * at.a * at.sums[n])
        return _part(t * at.b * at.sums[n], rest * stays[1])

    def odds(self, at: Bridges) -> Jet:
        """Return k."""
        n = self.record - 1
        joined = at.a * at.b * at.sums[n] * at.sums[n]
        apart = at.stays(n, 0) * at.stays(n, 1)
        return joined / apart if self.base else apart / joined


def flat(numbers: Interval) -> Interval:
    """Return numbers of shape (cells, outputs)."""
    return numbers.reshape(numbers.shape[0], -1)


def _both(numbers: Interval) -> Interval:
    """Return x and -x of all outputs, one after another."""
    return Interval.concatenate([numbers, -numbers], axis=1)


def _part(above: Jet, below: Jet) -> Jet:
    """Return x / (x + y), of numbers at least 0."""
    x, y = above.value.within(0, inf), below.value.within(0, inf)
    whole = x + y
    pairs = zip(above.slopes, below.slopes)
    slopes = ((one * y - other * x) / whole / whole for one, other in pairs)
    return Jet(part(x, y), tuple(slopes))


@dataclass(frozen=True)
class _Free:
    """The ratio ((1-u) P_0 + u P_1)(1 - u + k u) / ((1-u) Q_0 + k u Q_1) at chains, by output, and
    whether it is the ratio of value 1 to 0; `room` is its relative error.
    """

    p: tuple[Floats, Floats]
    q: tuple[Floats, Floats]
    k: Floats
    share: Interval
    base: int
    room: Floats
    slopes: list[Floats]
    apart: bool = False

    @classmethod
    def of(
        cls,
        own: Sequence[BridgeMeans],
        other: Sequence[BridgeMeans],
        odds: Interval,
        share: Interval,
        base: int,
        rows: Sequence[Jet],
    ) -> _Free:
        ends = [[flat(means.middle) for means in side] for side in (own, other)]
        exact = odds.high == 0
        room = np.where(exact, 1, (odds.high / odds.low) ** 2 * _WIDER)[:, None]
        for x in (*ends[0], *ends[1]):
            room = room * (x.high / x.low)
        slopes: list[Floats] = []
        widths = [(row.value.high - row.value.low)[:, None] for row in (rows[base], rows[1 - base])]
        for j in range(len(own[0].slopes)):
            steep: Floats | float = 0.0
            for side, wide in zip((own, other), widths):
                at = [(flat(x.slopes[j]).low + flat(x.slopes[j]).high) / 2 / flat(x.middle).low for x in side]
                steep = steep + abs(at[1] - at[0]) * wide
            slopes.append(np.asarray(steep))
        p, q = ((x[0].low, x[1].low) for x in ends)
        return cls(p, q, odds.low[:, None], share[:, None], base, room, slopes)

    def spread(self, radii: list[Floats]) -> Floats:
        """Return about what is gained by cutting u, by its width."""
        gained = sum(r[:, None] * x for r, x in zip(radii, self.slopes))
        width = np.maximum(self.share.high - self.share.low, 1e-12)
        gain = np.nan_to_num(_EAGER * gained / width, nan=1.0, posinf=1e8)
        spread: Floats = np.maximum(np.concatenate([gain, gain], axis=1), 1e-300)
        return spread

    def largest(self) -> tuple[Floats, Floats, Floats]:
        """Return upper bounds of both log ratios by cell and output, the best value by cell, about, and where it is."""
        (p0, p1), (q0, q1), k = self.p, self.q, self.k
        low, high = (np.broadcast_to(x, p0.shape) for x in (self.share.low, self.share.high))
        alpha, beta, gamma = p1 - p0, k - 1, k * q1 - q0
        square, line = alpha * beta * gamma, alpha * beta * q0
        rest = (alpha + beta * p0) * q0 - gamma * p0
        root = np.sqrt(np.maximum(line * line - square * rest, 0))
        sign = np.where(line >= 0, 1, -1)
        tried = [low, high]
        far = -(line + sign * root)
        roots = [np.where(np.isfinite(x), x, low) for x in (far / square, rest / far)]
        tried += [np.clip(x, low, high) for x in roots]
        values = []
        for x in tried:
            v = 1 - x
            ratio: Floats = (v * p0 + x * p1) * (v + k * x) / (v * q0 + k * x * q1)
            values.append(ratio)
        ends = np.maximum(values[0], values[1]), np.minimum(values[0], values[1])
        above, below = values[0] + np.inf, values[0] * 0
        for x, value in zip(tried, values):
            # The derivative in u, and a bound of the error of it
            divisor = ((1 - x) * q0 + k * x * q1) ** 2
            slope = ((square * x + 2 * line) * x + rest) / divisor
            error = 2.0**-44 * (p0 + p1) * (1 + k) * (q0 + k * q1) / divisor
            moved = slope * (low - x), slope * (high - x)
            wide = error * (high - low) + value * _ROOM
            above = np.fmin(above, value + np.maximum(*moved) + wide)
            below = np.fmax(below, value + np.minimum(*moved) - wide)
        tip = (k == 0) & (high >= 1)  # where P(X_1 = 1 | X_i = 1 - s) may be anything
        last = p1 / q0 if self.apart else p1 / q1
        end_most = np.where(tip, np.maximum(np.fmax(values[0], p1 / q0), last), ends[0])
        end_least = np.where(tip, np.minimum(np.fmin(values[0], p1 / q0), last), ends[1])
        most = np.log(np.maximum(end_most, above) * self.room)
        least = -np.log(np.minimum(end_least, below) / self.room)
        most, least = (np.where(np.isnan(x), np.inf, x) for x in (most, least))
        logs = abs(np.log(np.stack(values)))
        logs = np.where(np.isnan(logs), -np.inf, logs)
        by_try, places = logs.max(axis=2), logs.argmax(axis=2)
        which, cells = by_try.argmax(axis=0), np.arange(len(p0))
        at = np.stack(tried)[which, cells, places[which, cells]]
        pair = (most, least) if self.base else (least, most)
        return np.concatenate(pair, axis=1), by_try.max(axis=0), at
