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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.verify.noise.records.classes.jets import (
    WIDER,
    Jet,
    down,
    minus,
    plus,
    size,
    times,
    up,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Span = tuple[Floats, Floats]


@dataclass(frozen=True)
class Outputs:
    """The outputs at values of the numbers: of every coordinate spans of decay^|d|, d = -m .. m;
    by record and coordinate which value adds 1, None if none does.
    """

    decays: "Sequence[Span]"
    adds: Sequence[Sequence[int | None]]

    @property
    def count(self) -> int:
        """The number of records."""
        return len(self.adds)

    @property
    def size(self) -> int:
        """The number of entries of V at its largest."""
        from math import prod

        return prod(len(low) for low, _ in self.decays)

    def base(self) -> "Span":
        """Return spans of prod_k decay_k^|d_k|, of shape (1, 1, ...)."""
        import numpy as np

        spans = []
        for side, widen in ((0, down), (1, up)):
            whole = np.ones(())
            for span in self.decays:
                whole = widen(np.multiply.outer(whole, span[side]))
            spans.append(whole[None, None])
        return spans[0], spans[1]

    def seen(self, record: int, value: int, whole: "Floats") -> "Floats":
        """Return V(d - what a record of a value adds), one shorter where it counts."""
        cut: list[slice] = [slice(None)] * (whole.ndim - len(self.decays))
        for adding in self.adds[record - 1]:
            if adding is None:
                cut.append(slice(None))
            else:
                cut.append(slice(None, -1) if adding == value else slice(1, None))
        return whole[tuple(cut)]


def powers(c: Jet, count: int) -> list[Jet]:
    """Return S_0 .. S_count of c in [-1, 1] and its derivatives."""
    import numpy as np

    zero = (c.value[0] * 0, c.value[0] * 0)
    low, high = np.maximum(c.value[0], -1), np.minimum(c.value[1], 1)
    far, close = np.maximum(-low, 0), np.maximum(-high, 0)  # of c < 0
    sums = [Jet(zero, (zero,) * len(c.slopes))]
    at_low, at_high, by_c = low * 0, high * 0, zero
    for n in range(1, count + 1):
        by_c = plus(sums[-1].value, times((low, high), by_c))
        at_low, at_high = 1 + low * at_low, 1 + high * at_high
        room = n * 2.0**-49
        least = at_low - room * np.maximum(at_low, 1)
        most = at_high + room * np.maximum(at_high, 1)
        if n % 2 and n > 1:  # S_n falls, then rises, in |c| <= 1
            most = np.where(low < 0, np.maximum(most, at_low + room), most)
            dips = np.where(high < 0, (1 + close**n) / (1 + far), 1 / (1 + far)) * (1 - room)
            least = np.where(low < 0, np.where(n % 2, dips, least), least)
        value = np.maximum(least, 0), most
        sums.append(Jet(value, tuple(times(by_c, x) for x in c.slopes)))
    return sums


class Bridges:
    """Cells of (a, b): arrays of shape (cells, 2). `last` is the longest way to a secret record.

    `slopes`: whether derivatives are wanted.
    """

    def __init__(self, low: "Floats", high: "Floats", last: int, middle: "Bridges | None") -> None:
        import numpy as np

        one, zero = np.ones(len(low)), np.zeros(len(low))
        units = ((one, one), (zero, zero)), ((zero, zero), (one, one))
        self.a, self.b = (Jet((low[:, k], high[:, k]), units[k]) for k in (0, 1))
        self.one = Jet((one, one), ((zero, zero),) * 2)
        c = (self.one - self.a) - self.b
        c = Jet(c.value, (minus((one, one)),) * 2).within(-1, 1)
        self.remembers = c.value[0] > 0  # cells that lie in a + b < 1
        self.middle = middle
        self.radii: list[Floats] = []
        if middle is not None:
            self.radii = [
                up(np.maximum(high[:, k] - m.value[0], m.value[0] - low[:, k]))
                for k, m in enumerate((middle.a, middle.b))
            ]
        self.sums = powers(c, last)
        if middle is not None:
            pairs = zip(self.sums, middle.sums)
            self.sums = [each.near(point, self.radii) for each, point in pairs]
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
            found = self._toward(n, value)
            if self.middle is not None:
                points = self.middle.toward(n, value)
                found = found[0].near(points[0], self.radii), found[1].near(points[1], self.radii)
            self.known[n, value] = found
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
class Means:
    """Spans of V by value, of shape (cells, 2, ...), and of its derivatives; the middle's spans."""

    value: "Span"
    slopes: "tuple[Span, ...]"
    middle: "Span"

    def cut(self, outputs: Outputs, record: int, value: int, own: int) -> "Means":
        """Return V(own) less what a record of a value adds, of shape (cells, 1, ...)."""

        def one(span: "Span") -> "Span":
            low, high = (outputs.seen(record, value, x[:, own : own + 1]) for x in span)
            return low, high

        return Means(one(self.value), tuple(map(one, self.slopes)), one(self.middle))


def likelihoods(
    bridges: Bridges, middle: Bridges, outputs: Outputs, record: int
) -> dict[tuple[int, int], Means]:
    """Return M_s(x, w) for values (s, x), x = s where the record is the first; of shape
    (cells, 1, outputs).
    """
    import numpy as np

    cells = len(bridges.a.value[0])
    low, high = (np.broadcast_to(x, (cells, *x.shape[1:])) for x in outputs.base())
    base = low, high
    zero = (base[0] * 0, base[0] * 0)
    now = Means(_twice(base), (_twice(zero),) * 2, _twice(base))
    for j in range(outputs.count, record, -1):
        pieces = now.cut(outputs, j, 0, 0), now.cut(outputs, j, 1, 1)
        now = mixed((bridges.ahead(), middle.ahead()), *pieces, bridges.radii)
    found = {}
    for s in (0, 1):
        own = now.cut(outputs, record, s, s)
        if record == 1:
            found[s, s] = own
            continue
        then = Means(_twice(own.value), tuple(map(_twice, own.slopes)), _twice(own.middle))
        for j in range(record - 1, 1, -1):
            pieces = then.cut(outputs, j, 0, 0), then.cut(outputs, j, 1, 1)
            n = record - j + 1
            then = mixed((bridges.toward(n, s), middle.toward(n, s)), *pieces, bridges.radii)
        for x in (0, 1):
            found[s, x] = then.cut(outputs, 1, x, x)
    return found


def _twice(span: "Span") -> "Span":
    import numpy as np

    low, high = (np.broadcast_to(x, (x.shape[0], 2, *x.shape[2:])) for x in span)
    return low, high


def mixed(
    rows: "tuple[Sequence[Jet], Sequence[Jet]]", zero: Means, one: Means, radii: "list[Floats]"
) -> Means:
    """Return (1 - p) V_0 + p V_1 for rows p, of cells and of their middles."""
    import numpy as np

    p = stacked([row.value for row in rows[0]], zero.value[0].ndim)
    slopes = [
        stacked([row.slopes[k] for row in rows[0]], zero.value[0].ndim)
        for k in range(len(zero.slopes))
    ]
    at = stacked([row.value for row in rows[1]], zero.value[0].ndim)
    middle = _mixture(at, zero.middle, one.middle)
    if not radii:
        return Means(middle, (), middle)
    value = _mixture(p, zero.value, one.value)
    gap = gap_of(zero, one, radii)
    found = []
    for k, own in enumerate(slopes):
        carried = _carried(p, zero.slopes[k], one.slopes[k])
        found.append(_sum(carried, times(own, gap)))
    slack = _slack(found, radii)
    low = np.fmax(value[0], down(middle[0] - slack))
    high = np.fmin(value[1], up(middle[1] + slack))
    return Means((low, high), tuple(found), middle)


def stacked(spans: "Sequence[Span]", dimensions: int) -> "Span":
    """Return spans by value, of shape (cells, values, 1, ...)."""
    import numpy as np

    shape = (len(spans[0][0]), len(spans)) + (1,) * (dimensions - 2)
    low, high = (np.stack([span[side] for span in spans], axis=1) for side in (0, 1))
    return low.reshape(shape), high.reshape(shape)


def _mixture(p: "Span", zero: "Span", one: "Span") -> "Span":
    """Return the span of (1 - p) V_0 + p V_1, all at least 0."""
    import numpy as np

    low = np.where(one[0] > zero[0], *p)
    high = np.where(one[1] > zero[1], p[1], p[0])
    return (
        ((1 - low) * zero[0] + low * one[0]) * (1 - WIDER),
        ((1 - high) * zero[1] + high * one[1]) * (1 + WIDER),
    )


def _carried(p: "Span", zero: "Span", one: "Span") -> "Span":
    """Return the same of numbers of any sign."""
    import numpy as np

    low = np.where(one[0] > zero[0], *p)
    high = np.where(one[1] > zero[1], p[1], p[0])
    with np.errstate(all="ignore"):
        ends = (1 - low) * zero[0] + low * one[0], (1 - high) * zero[1] + high * one[1]
        wide = [(abs(zero[side]) + abs(one[side])) * WIDER for side in (0, 1)]
    return ends[0] - wide[0], ends[1] + wide[1]


def gap_of(zero: Means, one: Means, radii: "list[Floats]") -> "Span":
    """Return the span of V_1 - V_0: of the cell, and from its middle, whose radii are given."""
    import numpy as np

    with np.errstate(all="ignore"):
        plain = down(one.value[0] - zero.value[1]), up(one.value[1] - zero.value[0])
        steep = [_less(x, y) for x, y in zip(one.slopes, zero.slopes)]
        slack = _slack(steep, radii)
        low = down(one.middle[0] - zero.middle[1]) - slack
        high = up(one.middle[1] - zero.middle[0]) + slack
    return np.fmax(plain[0], down(low)), np.fmin(plain[1], up(high))


def _less(one: "Span", other: "Span") -> "Span":
    return down(one[0] - other[1]), up(one[1] - other[0])


def _slack(slopes: "Sequence[Span]", radii: "list[Floats]") -> "Floats":
    import numpy as np

    with np.errstate(all="ignore"):
        whole: Floats | float = 0.0
        for slope, radius in zip(slopes, radii):
            r = radius.reshape(-1, *(1,) * (slope[0].ndim - 1))
            whole = whole + np.where(r > 0, r * size(slope), 0)
        found: Floats = np.where(np.isnan(whole), np.inf, whole) * (1 + WIDER)
    return found


def _sum(one: "Span", other: "Span") -> "Span":
    import numpy as np

    with np.errstate(all="ignore"):
        low, high = down(one[0] + other[0]), up(one[1] + other[1])
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
