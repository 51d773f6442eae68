"""Enclosures, over cells of matrices, of what outputs tell of one record: E[L | X_i = s] of their
likelihoods L, backwards along the ways of records.

    after X_i:   C_j(x, n) = sum_y P(x, y) C_(j+1)(y, n'),              n' the point after n and y
    before it:   C_j(x, n) = sum_y B_j(x, y) C_(j+1)(y, n'),
                 B_j(x, y) = P(x, y) D_(j+1)(y) / D_j(x),    D_j(x) = P(X_i = s | X_j = x)

Bounds of means of numbers F over {l <= p <= u, sum(p) = 1} are those of duality, for any number c:

    c + sum_y (l_y (F_y - c)+ - u_y (c - F_y)+) <= sum_y p_y F_y.

Where a chain gives X_i = s no probability, bounds say nothing of it. Floats with outward rounding:
every error is relative to numbers at least 0, and what underflows is below 1e-250.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.influence.box.atoms import trees
from pufferproof.verify.noise.records.classes.jets import inverse
from pufferproof.verify.noise.records.classes.rows.cells import tight
from pufferproof.verify.noise.records.classes.rows.ways import Ways

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]

MOST_ROOTED = 5  # values whose stationary laws are bounded, by spanning trees
_WIDER = 2.0**-46
_LEAST = 1e-250  # of a probability of a secret that is told from 0


@dataclass(frozen=True)
class Secret:
    """Value s of record i, both from 1 and from 0."""

    record: int
    value: int


class Cells:
    """Cells of matrices with a first law: arrays of shape (cells, values + 1, values).

    `stationary`: the first law is that of each matrix, and the last row is not used.
    """

    def __init__(self, low: "Floats", high: "Floats", stationary: bool) -> None:
        values = low.shape[-1]
        self.rows: Span = low[:, :values], high[:, :values]
        self.first: Span = low[:, values:], high[:, values:]
        self.stationary = stationary
        if stationary:
            low, high = self.weights
            self.first = low[:, None], high[:, None]

    @cached_property
    def weights(self) -> "Span":
        """Spans of the stationary law, up to a factor: of sums over spanning trees."""
        import numpy as np

        low, high = self.rows
        found = [
            [sum(np.prod([side[:, x, u] for x, u in tree], axis=0) for tree in trees(size, z))]
            for side in (low, high)
            for size in [low.shape[-1]]
            for z in range(size)
        ]
        half = len(found) // 2
        ends = [np.stack([x[0] for x in found[k : k + half]], axis=1) for k in (0, half)]
        return _span(ends[0], ends[1])

    @cached_property
    def steep(self) -> "Span":
        """Spans of the derivatives of these weights, of shape (cells, z, x, y)."""
        import numpy as np

        low, high = self.rows
        size = low.shape[-1]
        found = np.zeros((2, len(low), size, size, size))
        for side, entries in enumerate((low, high)):
            for z in range(size):
                for tree in trees(size, z):
                    for x, y in tree:
                        rest = [entries[:, u, v] for u, v in tree if (u, v) != (x, y)]
                        found[side, :, z, x, y] += np.prod(rest, axis=0) if rest else 1.0
        return _span(found[0], found[1])


class Means:
    """What outputs tell of a secret over cells: `value`, of shape (cells, outputs)."""

    def __init__(self, cells: Cells, ways: Ways, secret: Secret) -> None:
        self.cells, self.ways, self.secret = cells, ways, secret
        self.reached = self._reached()
        self.levels = self._levels()
        self.value: Span = self.levels[0][0][:, 0, 0], self.levels[0][1][:, 0, 0]

    def _reached(self) -> "list[Span]":
        """Return D_i, .., D_1 by level 1 .. i."""
        import numpy as np

        shape = (len(self.cells.rows[0]), self.cells.rows[0].shape[-1])
        one = np.zeros(shape)
        one[:, self.secret.value] = 1
        found: list[Span] = [(one, one)]
        for _ in range(self.secret.record - 1):
            low, high = (x[:, :, None] for x in found[-1])
            low, high = means(self.cells.rows, (low, high))
            found.append(_span(low[..., 0], high[..., 0]))
        return found[::-1]

    def before(self, level: int) -> "Span":
        """Return the spans of B of a level before the secret, of shape (cells, x, y)."""
        rows = self.cells.first if level == 0 else self.cells.rows
        return tilted(rows, self.reached[level], self.cells.stationary and level == 0)

    def ahead(self, level: int) -> "Span":
        """Return the values of C after a level by next record, of shape (cells, y, points, ..)."""
        import numpy as np

        following = self.ways.following[level]
        values = np.arange(following.shape[1])[:, None]
        low, high = (x[:, values, following.T] for x in self.levels[level + 1])
        return low, high

    def _levels(self) -> "list[Span]":
        """Return spans of C of all levels, of shape (cells, x, points, outputs)."""
        import numpy as np

        cells, values = self.cells.rows[0].shape[:2]
        count, record = self.ways.records, self.secret.record
        shape = (cells, values, *self.ways.low.shape)
        found: list[Span | None] = [None] * (count + 1)
        self.levels = found  # type: ignore[assignment]
        found[count] = tuple(np.broadcast_to(x, shape) for x in (self.ways.low, self.ways.high))
        for level in range(count, -1, -1):
            if level < count:
                rows = self.cells.rows if level >= record else self.before(level)
                low, high = self.ahead(level)
                flat = tuple(x.reshape(cells, values, -1) for x in (low, high))
                found[level] = tuple(
                    x.reshape(cells, -1, *low.shape[2:]) for x in means(rows, flat)
                )
            if level == record:
                own = slice(self.secret.value, self.secret.value + 1)
                known = found[level]
                found[level] = tuple(
                    np.broadcast_to(x[:, own], (cells, values, *x.shape[2:])) for x in known
                )
        return [each for each in found if each is not None]


def means(rows: "Span", numbers: "Span") -> "Span":
    """Return bounds of means of numbers at least 0, of shape (cells, y, ..), over rows of shape
    (cells, x, y).
    """
    import numpy as np

    ends = []
    for side, (one, other) in enumerate((rows, rows[::-1])):
        known = numbers[side]
        middle = median(known)[:, None]
        above, below = np.maximum(known - middle, 0), np.maximum(middle - known, 0)
        ends.append(middle + one @ above - other @ below)
    top = numbers[1].max(axis=1, keepdims=True)
    wide = top * _WIDER
    bottom = numbers[0].min(axis=1, keepdims=True)
    return np.maximum(ends[0] - wide, bottom), np.minimum(ends[1] + wide, top)


def median(numbers: "Floats") -> "Floats":
    """Return a number between those of the axis of values: in the middle of three."""
    import numpy as np

    if numbers.shape[1] <= 3:
        least, most = numbers.min(axis=1), numbers.max(axis=1)
        between = numbers.sum(axis=1) - least - most if numbers.shape[1] == 3 else least
        found: Floats = np.clip(between, least, most)
        return found
    found = np.median(numbers, axis=1)
    return found


def tilted(rows: "Span", reached: "Span", scaled: bool = False) -> "Span":
    """Return bounds of p_y D_y / sum_z p_z D_z, of shape (cells, x, y); anything from 0 to 1 where
    the sum may be 0. `scaled`: p is a law up to a factor.
    """
    import numpy as np

    (low, high), (less, more) = rows, (reached[0][:, None], reached[1][:, None])
    least, most = low * less, high * more
    fewest = least.sum(axis=-1, keepdims=True) - least
    fullest = most.sum(axis=-1, keepdims=True) - most
    fewest = np.maximum(fewest - _WIDER * least.sum(axis=-1, keepdims=True), 0)
    fullest = fullest + _WIDER * most.sum(axis=-1, keepdims=True)
    if not scaled and low.shape[-1] > 1:
        lowest, greatest = _others(reached)
        fewest = np.maximum(fewest, (1 - high) * lowest[:, None] * (1 - _WIDER))
        fullest = np.minimum(fullest, (1 - low) * greatest[:, None] * (1 + _WIDER) + 1e-300)
    with np.errstate(all="ignore"):
        below = np.where(least > 0, least / (least + fullest), 0) * (1 - _WIDER)
        above = np.where(most > 0, most / (most + fewest), 0) * (1 + _WIDER)
    nothing = ~(most > 0).any(axis=-1, keepdims=True)
    return tight(below, np.where(nothing, 1, np.minimum(above, 1)))


def _others(reached: "Span") -> "Span":
    """Return the least and the greatest D of all other values, by value."""
    import numpy as np

    size = reached[0].shape[-1]
    apart = [[z for z in range(size) if z != y] for y in range(size)]
    low = np.stack([reached[0][:, each].min(axis=-1) for each in apart], axis=-1)
    return low, np.stack([reached[1][:, each].max(axis=-1) for each in apart], axis=-1)


def _span(low: "Floats", high: "Floats") -> "Span":
    """Return the span of positive numbers that were summed, wider, 0 where they may underflow."""
    import numpy as np

    low, high = low * (1 - _WIDER), high * (1 + _WIDER)
    return np.where(low < _LEAST, 0, low), np.where((high > 0) & (high < _LEAST), _LEAST, high)


class Slopes:
    """The derivatives of log E[L | X_i = s] in all entries, up to a number per row: `value`, of
    shape (cells, values + 1, values, outputs).

        after X_i:  sum_n b_j(x, n) C_(j+1)(y, n') / C,           b_j(x, n) = P(X_j = x, n | X_i = s)
        before it:  sum_n b_j(x, n) D_(j+1)(y) / D_j(x) (C_(j+1)(y, n') - C) / C
    """

    def __init__(self, means_: Means) -> None:
        self.means, self.cells, self.ways = means_, means_.cells, means_.ways
        self.value = self._value()

    def _value(self) -> "Span":
        import numpy as np

        cells, values, _ = self.cells.rows[0].shape
        shape = (cells, values + 1, values, self.ways.low.shape[1])
        low, high = np.zeros(shape), np.zeros(shape)
        weight: Span = np.ones((cells, 1, 1)), np.ones((cells, 1, 1))
        for level in range(self.ways.records):
            past = level < self.means.secret.record
            own = slice(values, None) if level == 0 else slice(0, values)
            if level == 0 and self.cells.stationary:
                less, more = self._rooted()
                low[:, :values], high[:, :values] = less, more
            else:
                less, more = self._told(level, weight, past)
                low[:, own], high[:, own] = low[:, own] + less, high[:, own] + more
            rows = self.means.before(level) if past else self.cells.rows
            weight = self._moved(level, weight, rows)
        one = inverse(self.means.value)
        one = one[0][:, None, None], one[1][:, None, None]
        with np.errstate(all="ignore"):
            low = np.where(low > 0, low * one[0], low * one[1])
            high = np.where(high > 0, high * one[1], high * one[0])
        low, high = low - abs(low) * _WIDER, high + abs(high) * _WIDER
        return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)

    def _told(self, level: int, weight: "Span", past: bool) -> "Span":
        """Return the sums of one level, of shape (cells, x, y, outputs)."""
        import numpy as np

        low, high = self.means.ahead(level)
        cells, values, points, outputs = low.shape
        if past:
            whole = tuple(x[:, None, None] for x in self.means.value)
            low, high = low - whole[1], high - whole[0]
        else:
            between = median((low + high) / 2)[:, None]
            low, high = low - between, high - between
        low, high = (np.moveaxis(x, 1, 2).reshape(cells, points, -1) for x in (low, high))
        more = weight[1] @ np.maximum(high, 0), weight[0] @ np.maximum(-high, 0)
        less = weight[0] @ np.maximum(low, 0), weight[1] @ np.maximum(-low, 0)
        room = (points + 16) * 2.0**-51
        high = more[0] - more[1] + room * (more[0] + more[1])
        low = less[0] - less[1] - room * (less[0] + less[1])
        low, high = (x.reshape(cells, -1, values, outputs) for x in (low, high))
        return _scaled((low, high), self._ratios(level)) if past else (low, high)

    def _ratios(self, level: int) -> "Span":
        """Return spans of D_(j+1)(y) / D_j(x), of shape (cells, x, y, 1)."""
        import numpy as np

        less, more = self.means.reached[level]
        if level == 0:
            rows = self.cells.first
            low, high = means(rows, (less[:, :, None], more[:, :, None]))
            low, high = low[..., 0], high[..., 0]
        else:
            rows = self.cells.rows
            low, high = self.means.reached[level - 1]
        with np.errstate(all="ignore"):
            top = more[:, None] * inverse((low, high))[1][:, :, None]
            top = np.minimum(top, np.where(rows[0] > 0, 1 / rows[0], np.inf)) * (1 + _WIDER)
            top = np.where(more[:, None] > 0, top, 0)
            bottom = less[:, None] * inverse((low, high))[0][:, :, None] * (1 - _WIDER)
        return bottom[..., None], top[..., None]

    def _rooted(self) -> "Span":
        """Return sum_z (dt_z / dP(x, y)) D_1(z) (C_1(z) - C) / sum_z t_z D_1(z), of t_z the
        stationary weights, of which the sum is t_s.
        """
        import numpy as np

        low, high = (x[:, :, 0] for x in self.means.ahead(0))
        low, high = low - self.means.value[1][:, None], high - self.means.value[0][:, None]
        less, more = self.means.reached[0]
        low = np.where(low > 0, low * less[..., None], low * more[..., None])
        high = np.where(high > 0, high * more[..., None], high * less[..., None])
        steep = [x[..., None] for x in self.cells.steep]
        low, high = low[:, :, None, None], high[:, :, None, None]
        with np.errstate(all="ignore"):
            tops = np.where(high > 0, high * steep[1], high * steep[0])
            bottoms = np.where(low > 0, low * steep[0], low * steep[1])
            high = tops.sum(axis=1) + _WIDER * abs(tops).sum(axis=1)
            low = bottoms.sum(axis=1) - _WIDER * abs(bottoms).sum(axis=1)
        own = tuple(x[:, self.means.secret.value] for x in self.cells.weights)
        over = tuple(x[:, None, None, None] for x in inverse(own))
        return _scaled((low, high), over)

    def _moved(self, level: int, weight: "Span", rows: "Span") -> "Span":
        """Return b of the next level, of shape (cells, y, points)."""
        import numpy as np

        following = self.ways.following[level]
        points = int(following.max()) + 1
        ends = []
        for mass, entries in zip(weight, rows):
            found = np.zeros((len(mass), entries.shape[-1], points))
            for y in range(entries.shape[-1]):
                order = np.argsort(following[:, y], kind="stable")
                places, starts = np.unique(following[order, y], return_index=True)
                come = (entries[:, :, y, None] * mass).sum(axis=1)[:, order]
                found[:, y, places] = np.add.reduceat(come, starts, axis=-1)
            ends.append(found)
        wide = (following.shape[0] + 16) * 2.0**-52
        return ends[0] * (1 - wide), np.minimum(ends[1] * (1 + wide), 1)


def _scaled(span: "Span", factor: "Span") -> "Span":
    """Return the span of products with factors at least 0."""
    import numpy as np

    (low, high), (less, more) = span, factor
    with np.errstate(all="ignore"):
        low = np.where(low > 0, low * less, low * more)
        high = np.where(high > 0, high * more, high * less)
    low, high = low - abs(low) * _WIDER, high + abs(high) * _WIDER
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
