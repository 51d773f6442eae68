"""Cones {g : g(a) <= apart(a, b) g(b)} by their extreme rays, and means of rows between bounds."""

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_FEASIBLE = 1 + 1e-9


def largest(low: "Floats", high: "Floats", numbers: "Floats") -> "Floats":
    """Return about the largest means of numbers over rows between bounds, by ray."""
    import numpy as np

    order = np.argsort(-numbers, axis=1, kind="stable")
    room = (high - low)[order]
    ahead = np.cumsum(room, axis=1) - room
    row = low[order] + np.clip(1 - low.sum() - ahead, 0, room)
    whole: Floats = (row * np.take_along_axis(numbers, order, axis=1)).sum(axis=1)
    return whole


def rays(apart: "Floats") -> "Floats":
    """Return the extreme rays of the cone, largest entry 1: as many bounds are met as make a tree.

    >>> import numpy as np
    >>> rays(np.array([[1.0, 2.0], [4.0, 1.0]])).tolist()
    [[0.25, 1.0], [1.0, 0.5]]
    """
    import numpy as np

    size = len(apart)
    found = []
    for tree in _trees(size):
        for signs in product((False, True), repeat=size - 1):
            ray = np.ones(size)
            for (a, b), up in zip(tree, signs):  # b hangs on a, which is known
                ray[b] = ray[a] * apart[b, a] if up else ray[a] / apart[a, b]
            found.append(ray / ray.max())
    rows = np.array(found)
    kept = (rows[:, :, None] <= apart * rows[:, None, :] * _FEASIBLE).all(axis=(1, 2))
    whole: Floats = np.unique(rows[kept], axis=0)
    return whole


@cache
def _trees(size: int) -> list[list[tuple[int, int]]]:
    """Return all spanning trees as edges away from 0, in an order that goes outward."""
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
    return found
