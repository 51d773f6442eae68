"""Cones {g : g(a) <= apart(a, b) g(b)} by their extreme rays, and means of rows between bounds, of
many cells at once: `apart` has shape (cells, values, values).
"""

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.intp]

_FEASIBLE = 1 + 1e-9
_FEW = 3  # values, of which rays are few
_SAME = 13  # decimals of logarithms of rays that are one, up to rounding


def largest(low: "Floats", high: "Floats", numbers: "Floats") -> "Floats":
    """Return about the largest means of numbers over rows between bounds, along the last axis."""
    import numpy as np

    low, high, numbers = np.broadcast_arrays(low, high, numbers)
    order = np.argsort(-numbers, axis=-1, kind="stable")
    room = np.take_along_axis(high - low, order, axis=-1)
    ahead = np.cumsum(room, axis=-1) - room
    rest = 1 - low.sum(axis=-1, keepdims=True)
    row = np.take_along_axis(low, order, axis=-1) + np.clip(rest - ahead, 0, room)
    whole: Floats = (row * np.take_along_axis(numbers, order, axis=-1)).sum(axis=-1)
    return whole


def rays(apart: "Floats") -> "Floats":
    """Return the extreme rays of each cone, largest entry 1: as many bounds are met as make a tree.
    Cones with fewer rays than others have rays of ones as well, which are in all of them.

    >>> import numpy as np
    >>> rays(np.array([[[1.0, 2.0], [4.0, 1.0]]])).tolist()
    [[[1.0, 0.5], [0.25, 1.0]]]
    """
    import numpy as np

    size = apart.shape[1]
    one, other, up = _trees(size)
    every = np.arange(len(up))
    rows = np.ones((len(apart), len(up), size))
    for a, b, more in zip(one.T, other.T, up.T):  # b hangs on a, which is known
        rows[:, every, b] = rows[:, every, a] * np.where(more, apart[:, b, a], 1 / apart[:, a, b])
    rows /= rows.max(axis=2, keepdims=True)
    kept = np.ones(rows.shape[:2], dtype=bool)
    for a, b in product(range(size), repeat=2):
        kept &= rows[:, :, a] <= apart[:, a, b, None] * rows[:, :, b] * _FEASIBLE
    found = [_distinct(cell[some]) for cell, some in zip(rows, kept)]
    whole = np.ones((len(apart), max(map(len, found)), size))
    for cell, some in zip(whole, found):
        cell[: len(some)] = some
    return whole


def _distinct(rows: "Floats") -> "Floats":
    """Return each of some rays once, up to rounding, unless they are few."""
    import numpy as np

    if rows.shape[1] <= _FEW:
        return rows
    _, first = np.unique(np.log(rows).round(_SAME), axis=0, return_index=True)
    found: Floats = rows[first]
    return found


@cache
def _trees(size: int) -> "tuple[Places, Places, NDArray[np.bool_]]":
    """Return all spanning trees as edges away from 0, in an order that goes outward, with all signs
    of edges.
    """
    import numpy as np

    found = []
    for edges in combinations(list(combinations(range(size), 2)), size - 1):
        known, left, outward = {0}, list(edges), []
        while True:
            near = [edge for edge in left if (edge[0] in known) != (edge[1] in known)]
            if not near:
                break
            a, b = near[0] if near[0][0] in known else near[0][::-1]
            outward.append((a, b))
            known.add(b)
            left.remove(near[0])
        if len(known) == size:
            found.append(outward)
    signs = np.array(list(product((False, True), repeat=size - 1)))
    trees = np.repeat(np.array(found), len(signs), axis=0)
    return trees[:, :, 0], trees[:, :, 1], np.tile(signs, (len(found), 1))
