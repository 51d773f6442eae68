"""Cells of matrices, many at once: arrays of shape (cells, rows, values) of least and greatest
entries, each row the polytope {l <= p <= u, sum(p) = 1}; the last row is the law of X_1.

Bounds are rounded outward, so that no matrix of a cell is lost.
"""

from typing import TYPE_CHECKING, TypeAlias

from pufferproof.models.numbers.intervals import Interval, others

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Span: TypeAlias = tuple[Floats, Floats]
    Places: TypeAlias = NDArray[np.intp]

THIN = 1e-12  # of an entry that is not cut
_ROUNDING = 2.0**-49  # of entries of rows that add up to 1: a few units of floats


def tight(rows: Interval) -> Interval:
    """Return bounds that rows attain, about: l_y >= 1 - sum of the other u, u_y likewise."""
    return rows.meet(1 - others(rows))


def middle(low: "Floats", high: "Floats") -> "Span":
    """Return thin cells that hold a matrix of each cell, in its middle."""
    import numpy as np

    room = high - low
    whole = room.sum(axis=-1, keepdims=True)
    rest = 1 - low.sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        share = np.where(whole > 0, np.clip(rest / whole, 0, 1), 0)
    return around(low + share * room, low, high)


def around(points: "Floats", low: "Floats", high: "Floats") -> "Span":
    """Return thin cells around matrices of cells that sum to 1 up to rounding."""
    import numpy as np

    wide = np.where(high > low, _ROUNDING, 0)
    return np.maximum(low, points - wide), np.minimum(high, points + wide)


def vertex(low: "Floats", high: "Floats", worth: "Floats") -> "Floats":
    """Return the rows of largest sum p_y worth_y, about."""
    import numpy as np

    order = np.argsort(-worth, axis=-1, kind="stable")
    room = np.take_along_axis(high - low, order, axis=-1)
    before = np.cumsum(room, axis=-1) - room
    rest = 1 - low.sum(axis=-1, keepdims=True)
    added = np.clip(rest - before, 0, room)
    point = low.copy()
    np.put_along_axis(point, order, np.take_along_axis(low, order, axis=-1) + added, axis=-1)
    return point


def faces(low: "Floats", high: "Floats", least: "Floats", most: "Floats") -> "tuple[Floats, Floats, NDArray[np.bool_]]":
    """Return cells less what is nowhere the largest, and which cells are less.

    Args: least, most: bounds of slopes of every number that could be the largest, of shape (cells,
    rows, values, numbers); of other numbers 0 and 0 in all entries.

    Where the slope of an entry is at least that of all other entries of its row that can move, the
    largest number has this entry as large as can be, but for what entries that are thin leave open;
    where it is at most that, as small.
    """
    import numpy as np

    free = high - low > THIN
    gained = np.ones(low.shape, dtype=bool)
    lost = np.ones(low.shape, dtype=bool)
    for y in range(low.shape[-1]):
        for z in range(low.shape[-1]):
            if y != z:
                beside = ~free[..., z]
                gained[..., y] &= beside | (least[:, :, y] >= most[:, :, z]).all(axis=-1)
                lost[..., y] &= beside | (most[:, :, y] <= least[:, :, z]).all(axis=-1)
    gained &= free
    lost &= free & ~gained
    # one entry of a row at a time: two at their bounds may be no row
    first = np.cumsum(gained | lost, axis=-1) == 1
    gained, lost = gained & first, lost & first
    thin = np.where(free, 0, high - low).sum(axis=-1, keepdims=True) + 4 * _ROUNDING
    rest = 1 - others(Interval(low, high))
    top, bottom = np.minimum(high, rest.high) - thin, np.maximum(low, rest.low) + thin
    less = np.where(gained, np.maximum(low, top), low)
    more = np.where(lost, np.minimum(high, bottom), high)
    cells = tight(Interval(less, more))
    less, more = cells.low, cells.high
    smaller = (more - less).sum(axis=(1, 2)) < (high - low).sum(axis=(1, 2)) * (1 - 1e-9)
    return less, more, smaller


def halves(low: "Floats", high: "Floats", rows: "Places", values: "Places") -> "Span":
    """Return the cells on either side of the middle of an entry of each, all first ones first."""
    import numpy as np

    every = np.arange(len(low))
    at = every, rows, values
    between = (low[at] + high[at]) / 2
    less, more = high.copy(), low.copy()
    less[at] = more[at] = between
    cells = tight(Interval(np.concatenate([low, more]), np.concatenate([less, high])))
    return cells.low, cells.high
