"""Enclosures, over cells of matrices, of how what outputs tell of a record (`means`) changes with
the entries of a matrix.
"""

from typing import TYPE_CHECKING, TypeAlias

from pufferproof.verify.noise.records.classes.jets import inverse
from pufferproof.verify.noise.records.classes.rows.means import Means, means, median

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]

_WIDER = 2.0**-46


class Slopes:
    """The derivatives of log E[L | X_i = s] in all entries, up to a number per row: `value`, of
    shape (cells, values + 1, values, outputs).

        after X_i:  sum_n b_j(x, n) C_(j+1)(y, n') / C
        before it:  sum_n b_j(x, n) D_(j+1)(y) / D_j(x) (C_(j+1)(y, n') - C) / C,

    b_j(x, n) being P(X_j = x, n | X_i = s).
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
        own, most = (x[:, self.means.secret.value] for x in self.cells.weights)
        own, most = (x[:, None, None, None] for x in inverse((own, most)))
        return _scaled((low, high), (own, most))

    def _moved(self, level: int, weight: "Span", rows: "Span") -> "Span":
        """Return b of the next level, of shape (cells, y, points)."""
        import numpy as np

        following = self.ways.following[level]
        points = int(following.max()) + 1
        ends = []
        for mass, entries in zip(weight, rows):
            found = np.zeros((len(mass), entries.shape[-1], points))
            for y, merged in enumerate(self.ways.merging[level]):
                come = (entries[:, :, y, None] * mass).sum(axis=1)[:, merged.order]
                found[:, y, merged.places] = np.add.reduceat(come, merged.starts, axis=-1)
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
