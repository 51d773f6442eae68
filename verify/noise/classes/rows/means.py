"""Enclosures, over cells of matrices, of what outputs tell of one record: E[L | X_i = s] of their
likelihoods L, backwards along the decision diagram of the mechanism.

    after X_i:   C_j(x, n) = sum_y P(x, y) C_(j+1)(y, n'),              n' the point after n and y
    before it:   C_j(x, n) = sum_y B_j(x, y) C_(j+1)(y, n'),
                 B_j(x, y) = P(x, y) D_(j+1)(y) / D_j(x),    D_j(x) = P(X_i = s | X_j = x)

Bounds of means of numbers F over {l <= p <= u, sum(p) = 1} are those of duality, for any number c:

    c + sum_y (l_y (F_y - c)+ - u_y (c - F_y)+) <= sum_y p_y F_y.

Where a chain gives X_i = s no probability, bounds say nothing of it.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pufferproof.models.numbers.intervals import Interval, dot, mean_over_simplex, median, others, part
from pufferproof.verify.influence.box.atoms import trees
from pufferproof.verify.noise.classes.rows.cells import tight
from pufferproof.verify.noise.classes.rows.diagram import Diagram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.intp]

MOST_ROOTED = 5  # values whose stationary laws are bounded, by spanning trees


@dataclass(frozen=True)
class RecordValue:
    """Value s of record i, both from 1 and from 0."""

    record: int
    value: int


class MatrixCells:
    """Cells of matrices with a first law: arrays of shape (cells, values + 1, values).

    `stationary`: the first law is that of each matrix, and the last row is not used.
    """

    def __init__(self, low: "Floats", high: "Floats", stationary: bool) -> None:
        values = low.shape[-1]
        self.rows = Interval(low[:, :values], high[:, :values])
        self.first = Interval(low[:, values:], high[:, values:])
        self.stationary = stationary
        if stationary:
            self.first = self.weights[:, None]

    @cached_property
    def weights(self) -> Interval:
        """The stationary law, up to a factor: sums over spanning trees."""
        values = self.rows.shape[-1]
        return Interval.stack([self._sum(_edges(values, z)) for z in range(values)], axis=1)

    @cached_property
    def steep(self) -> Interval:
        """The derivatives of these weights, of shape (cells, z, x, y)."""
        values = self.rows.shape[-1]
        entries = [
            self._sum(_edges(values, z, (x, y))) for z in range(values) for x in range(values) for y in range(values)
        ]
        return Interval.stack(entries, axis=1).reshape(-1, values, values, values)

    def _sum(self, edges: "Places") -> Interval:
        """Return sums over trees, of shape (trees, edges, 2), of products of their entries."""
        import numpy as np

        whole = Interval.point(np.ones((self.rows.shape[0], len(edges))))
        for edge in np.moveaxis(edges, 1, 0):
            whole = whole * self.rows[:, edge[:, 0], edge[:, 1]]
        return whole.sum(axis=1)


@cache
def _edges(values: int, root: int, less: tuple[int, int] | None = None) -> "Places":
    """Return the trees towards a root as edges (x, y); `less` one edge, those that have it."""
    import numpy as np

    kept = [tree for tree in trees(values, root) if less is None or less in tree]
    count = values - 1 - (less is not None)
    edges = [[edge for edge in tree if edge != less] for tree in kept]
    return np.array(edges, dtype=np.intp).reshape(len(kept), count, 2)


class SecretMeans:
    """What outputs tell of a secret over cells: `value`, of shape (cells, outputs)."""

    def __init__(self, cells: MatrixCells, diagram: Diagram, secret: RecordValue) -> None:
        self.cells, self.diagram, self.secret = cells, diagram, secret
        self.reached = self._reached()
        self._before: dict[int, Interval] = {}
        self.levels: list[Interval] = []
        self._levels()
        self.value: Interval = self.levels[0][:, 0, 0]

    def _reached(self) -> list[Interval]:
        """Return D_i, .., D_1 by level 1 .. i."""
        import numpy as np

        one = np.zeros(self.cells.rows.shape[::2])
        one[:, self.secret.value] = 1
        levels = [Interval.point(one)]
        for _ in range(self.secret.record - 1):
            levels.append(mean_over_simplex(self.cells.rows, levels[-1][:, :, None])[..., 0])
        return levels[::-1]

    def before(self, level: int) -> Interval:
        """Return B of a level before the secret, of shape (cells, x, y)."""
        if level not in self._before:
            rows = self.cells.first if level == 0 else self.cells.rows
            scaled = self.cells.stationary and level == 0
            self._before[level] = tilted(rows, self.reached[level], scaled)
        return self._before[level]

    def ahead(self, level: int) -> Interval:
        """Return the values of C after a level by next record, of shape (cells, y, points, ..)."""
        import numpy as np

        children = self.diagram.children[level]
        values = np.arange(children.shape[1])[:, None]
        return self.levels[level + 1][:, values, children.T]

    def _levels(self) -> None:
        """Find C of all levels, of shape (cells, x, points, outputs)."""
        cells, values, _ = self.cells.rows.shape
        count = self.diagram.records
        last = self.diagram.terminals.broadcast_to((cells, values, *self.diagram.terminals.shape))
        self.levels = [last] * (count + 1)
        self._known(count)
        for level in range(count - 1, -1, -1):
            rows = self.cells.rows if level >= self.secret.record else self.before(level)
            ahead = self.ahead(level)
            means = mean_over_simplex(rows, ahead.reshape(cells, values, -1))
            self.levels[level] = means.reshape(cells, -1, *ahead.shape[2:])
            self._known(level)

    def _known(self, level: int) -> None:
        """At the record of the secret, leave its value only."""
        if level == self.secret.record:
            whole, value = self.levels[level], self.secret.value
            self.levels[level] = whole[:, value : value + 1].broadcast_to(whole.shape)


def tilted(rows: Interval, reached: Interval, scaled: bool = False) -> Interval:
    """Return bounds of p_y D_y / sum_z p_z D_z, of shape (cells, x, y); anything from 0 to 1 where
    the sum may be 0. `scaled`: p is a law up to a factor.
    """
    import numpy as np

    own = rows * reached[:, None]
    rest = others(own)
    if not scaled and rows.shape[-1] > 1:
        rest = rest.meet((1 - rows) * _least_and_most(reached)[:, None])
    share = part(own, rest)
    possible = (own.high > 0) | ~(own.high > 0).any(axis=-1, keepdims=True)
    return tight(Interval(share.low, np.where(possible, share.high, 0)))


def _least_and_most(reached: Interval) -> Interval:
    """Return the least and the greatest D of all other values, by value."""
    import numpy as np

    size = reached.shape[-1]
    apart = [[z for z in range(size) if z != y] for y in range(size)]
    low = np.stack([reached.low[:, places].min(axis=-1) for places in apart], axis=-1)
    high = np.stack([reached.high[:, places].max(axis=-1) for places in apart], axis=-1)
    return Interval(low, high)


class Slopes:
    """The derivatives of log E[L | X_i = s] in all entries, up to a number per row: `value`, of
    shape (cells, values + 1, values, outputs).

        after X_i:  sum_n b_j(x, n) C_(j+1)(y, n') / C
        before it:  sum_n b_j(x, n) D_(j+1)(y) / D_j(x) (C_(j+1)(y, n') - C) / C,

    b_j(x, n) being P(X_j = x, n | X_i = s).
    """

    def __init__(self, means: SecretMeans) -> None:
        self.means, self.cells, self.diagram = means, means.cells, means.diagram
        self.value = self._value()

    def _value(self) -> Interval:
        import numpy as np

        cells, values, _ = self.cells.rows.shape
        weight = Interval.point(np.ones((cells, 1, 1)))
        shape = cells, values, values, self.diagram.outputs
        rows, first = (Interval.point(np.zeros((cells, n, *shape[2:]))) for n in (values, 1))
        for level in range(self.diagram.records):
            past = level < self.means.secret.record
            if level == 0 and self.cells.stationary:
                rows = self._rooted()
            elif level == 0:
                first = self._told(level, weight, past)
            else:
                rows = rows + self._told(level, weight, past)
            entries = self.means.before(level) if past else self.cells.rows
            weight = self._moved(level, weight, entries)
        return Interval.concatenate([rows, first], axis=1) / self.means.value[:, None, None]

    def _told(self, level: int, weight: Interval, past: bool) -> Interval:
        """Return the sums of one level, of shape (cells, x, y, outputs)."""
        ahead = self.means.ahead(level)
        cells, values, points, outputs = ahead.shape
        if past:
            ahead = ahead - self.means.value[:, None, None]
        else:
            ahead = ahead - median((ahead.low + ahead.high) / 2, axis=1)
        moves = dot(weight, ahead.moveaxis(1, 2).reshape(cells, points, -1))
        moves = moves.reshape(cells, -1, values, outputs)
        return moves * self._ratios(level) if past else moves

    def _ratios(self, level: int) -> Interval:
        """Return D_(j+1)(y) / D_j(x), at most 1 / P(x, y), of shape (cells, x, y, 1)."""
        import numpy as np

        then = self.means.reached[level]
        if level == 0:
            rows = self.cells.first
            now = mean_over_simplex(rows, then[:, :, None])[..., 0]
        else:
            rows, now = self.cells.rows, self.means.reached[level - 1]
        ratio = then[:, None] / now[:, :, None]
        high = np.minimum(ratio.high, (1 / rows).high)
        never = then.high[:, None] == 0
        return Interval(ratio.low, np.where(never, 0, high))[..., None]

    def _rooted(self) -> Interval:
        """Return sum_z (dt_z / dP(x, y)) D_1(z) (C_1(z) - C) / sum_z t_z D_1(z), of t_z the
        stationary weights, of which the sum is t_s.
        """
        differences = self.means.ahead(0)[:, :, 0] - self.means.value[:, None]
        differences = differences * self.means.reached[0][..., None]
        whole = (differences[:, :, None, None] * self.cells.steep[..., None]).sum(axis=1)
        return whole / self.cells.weights[:, self.means.secret.value][:, None, None, None]

    def _moved(self, level: int, weight: Interval, rows: Interval) -> Interval:
        """Return b of the next level, of shape (cells, y, points)."""
        import numpy as np

        points = int(self.diagram.children[level].max()) + 1
        shape = rows.shape[0], rows.shape[-1], points
        moves = Interval(np.zeros(shape), np.zeros(shape))
        for y, merged in enumerate(self.diagram.merging[level]):
            come = (rows[:, :, y, None] * weight).sum(axis=1)[:, merged.order].runs(merged.starts)
            moves.low[:, y, merged.places] = come.low
            moves.high[:, y, merged.places] = come.high
        return moves.within(0, 1)
