"""Enclosures, over cells of two-valued chains, of the likelihoods of all outputs of noisy numbers
given a record and the first one.

A chain has P(0, 1) = a, P(1, 0) = b, S_n = 1 + c + .. + c^(n-1) with c = 1 - a - b of any sign, and
H_n = P(X_(j+n) = 1 | X_j = 1) = 1 - b S_n. Given X_i = 1, records before it are a chain that moves
to 1, n records before it, with probability

    (1 - b S_(n-1)) / S_n from 0,    (1 - b) H_(n-1) / H_n from 1,

in which a = 0 divides nothing; of X_i = 0 exchange the values. The means

    M_s(x, w) = E[exp(-|w - F| / scale) | X_1 = x, X_i = s]

of numbers F follow by a pass over functions of w less the sum so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.numbers.intervals import Interval, mean_value, mixture

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]


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
        import numpy as np

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
    import numpy as np

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

    def __init__(self, low: Floats, high: Floats, last: int, middle: Bridges | None) -> None:
        import numpy as np

        one, zero = (Interval.point(np.full(len(low), x)) for x in (1.0, 0.0))
        units = (one, zero), (zero, one)
        self.a, self.b = (Jet(Interval(low[:, k], high[:, k]), units[k]) for k in (0, 1))
        self.one = Jet(one, (zero, zero))
        c = (self.one - self.a) - self.b
        c = Jet(c.value, (-one, -one)).within(-1, 1)
        self.remembers = c.value.low > 0  # cells that lie in a + b < 1
        self.middle = middle
        self.radii: list[Floats] = []
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
            step = self._toward(n, value)
            if self.middle is not None:
                points = self.middle.toward(n, value)
                step = step[0].near(points[0], self.radii), step[1].near(points[1], self.radii)
            self.known[n, value] = step
        return self.known[n, value]

    def _toward(self, n: int, value: int) -> tuple[Jet, Jet]:
        own, other = (self.b, self.a) if value else (self.a, self.b)
        # from the other value: (1 - own S_(n-1)) / S_n to this one
        enters = ((self.one - own * self.sums[n - 1]) / self.sums[n]).within(0, 1)
        # from this value: own other S_(n-1) / H_n to the other one
        leaves = (own * other * self.sums[n - 1] / self.stays(n, value)).within(0, 1)
        if value:
            return enters, (self.one - leaves).within(0, 1)
        return leaves, (self.one - enters).within(0, 1)


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
    """Return M_s(x, w) for values (s, x), x = s where the record is the first; of shape
    (cells, 1, outputs).
    """
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
    rows: tuple[Sequence[Jet], Sequence[Jet]], zero: BridgeMeans, one: BridgeMeans, radii: list[Floats]
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


def gap_of(zero: BridgeMeans, one: BridgeMeans, radii: list[Floats]) -> Interval:
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

    def near(self, middle: Jet, radii: Sequence[Floats]) -> Jet:
        """Return the same, the value also bounded from the middle of the cell."""
        return Jet(self.value.meet(mean_value(middle.value, self.slopes, radii)), self.slopes)
