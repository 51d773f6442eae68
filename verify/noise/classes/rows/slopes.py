"""Enclosures, over cells of matrices, of how what outputs tell of a record (`means`) changes with
the entries of a matrix.
"""

from pufferproof.models.numbers.intervals import Interval, dot
from pufferproof.models.numbers.means import mean_over_simplex, median
from pufferproof.verify.noise.classes.rows.means import SecretMeans


class Slopes:
    """The derivatives of log E[L | X_i = s] in all entries, up to a number per row: `value`, of
    shape (cells, values + 1, values, outputs).

        after X_i:  sum_n b_j(x, n) C_(j+1)(y, n') / C
        before it:  sum_n b_j(x, n) D_(j+1)(y) / D_j(x) (C_(j+1)(y, n') - C) / C,

    b_j(x, n) being P(X_j = x, n | X_i = s).
    """

    def __init__(self, means: SecretMeans) -> None:
        self.means, self.cells, self.ways = means, means.cells, means.ways
        self.value = self._value()

    def _value(self) -> Interval:
        import numpy as np

        cells, values, _ = self.cells.rows.shape
        weight = Interval.point(np.ones((cells, 1, 1)))
        shape = cells, values, values, self.ways.outputs
        rows, first = (Interval.point(np.zeros((cells, n, *shape[2:]))) for n in (values, 1))
        for level in range(self.ways.records):
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

        points = int(self.ways.following[level].max()) + 1
        shape = rows.shape[0], rows.shape[-1], points
        moves = Interval(np.zeros(shape), np.zeros(shape))
        for y, merged in enumerate(self.ways.merging[level]):
            come = (rows[:, :, y, None] * weight).sum(axis=1)[:, merged.order].runs(merged.starts)
            moves.low[:, y, merged.places] = come.low
            moves.high[:, y, merged.places] = come.high
        return moves.within(0, 1)
