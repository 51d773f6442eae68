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
        self._before: dict[int, Span] = {}
        self.levels: list[Span] = []
        self._levels()
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
        if level not in self._before:
            rows = self.cells.first if level == 0 else self.cells.rows
            scaled = self.cells.stationary and level == 0
            self._before[level] = tilted(rows, self.reached[level], scaled)
        return self._before[level]

    def ahead(self, level: int) -> "Span":
        """Return the values of C after a level by next record, of shape (cells, y, points, ..)."""
        import numpy as np

        following = self.ways.following[level]
        values = np.arange(following.shape[1])[:, None]
        low, high = (x[:, values, following.T] for x in self.levels[level + 1])
        return low, high

    def _levels(self) -> None:
        """Find spans of C of all levels, of shape (cells, x, points, outputs)."""
        import numpy as np

        cells, values = self.cells.rows[0].shape[:2]
        count = self.ways.records
        shape = (cells, values, *self.ways.low.shape)
        last = np.broadcast_to(self.ways.low, shape), np.broadcast_to(self.ways.high, shape)
        self.levels = [last] * (count + 1)
        self._known(count)
        for level in range(count - 1, -1, -1):
            rows = self.cells.rows if level >= self.secret.record else self.before(level)
            ahead = self.ahead(level)
            shape = (cells, -1, *ahead[0].shape[2:])
            low, high = (x.reshape(cells, values, -1) for x in ahead)
            low, high = means(rows, (low, high))
            self.levels[level] = low.reshape(shape), high.reshape(shape)
            self._known(level)

    def _known(self, level: int) -> None:
        """At the record of the secret, leave its value only."""
        import numpy as np

        if level == self.secret.record:
            own = slice(self.secret.value, self.secret.value + 1)
            low, high = self.levels[level]
            self.levels[level] = (
                np.broadcast_to(low[:, own], low.shape),
                np.broadcast_to(high[:, own], high.shape),
            )


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
    known: Floats = np.median(numbers, axis=1)
    return known


def tilted(rows: "Span", reached: "Span", scaled: bool = False) -> "Span":
    """Return bounds of p_y D_y / sum_z p_z D_z, of shape (cells, x, y); anything from 0 to 1 where
    the sum may be 0. `scaled`: p is a law up to a factor.
    """
    import numpy as np

    (low, high), (less, more) = rows, (reached[0][:, None], reached[1][:, None])
    least, most = low * less, high * more
    sums = least.sum(axis=-1, keepdims=True), most.sum(axis=-1, keepdims=True)
    fewest = np.maximum(sums[0] - least - _WIDER * sums[0], 0)
    fullest = sums[1] - most + _WIDER * sums[1]
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
