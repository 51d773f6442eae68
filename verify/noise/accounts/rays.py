"""By how much bounds of columns grow as a record of more than two values is eliminated.

As in `elimination`, R_j(u, v) becomes R_j(u, v) max E_p[f] / E_q[f], p and q laws of the record
given x_j = u and v, over the cone of all f with

    f(a) <= R(a, b) f(b).

It is largest at an extreme ray, where equations connect all values. Let R be closed, R(a, c) <=
R(a, b) R(b, c): equations of a and b, and of b and c, give that of a and c, so that some spanning
tree leads from upper values to lower ones. All are tried. Of more than five values R is
max R(a, b), and rays are 1 or R.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("classes.elimination-rays",)
LARGEST = 1e50  # of ratios: products of five are floats
MOST_VALUES = 8
_MOST_EXACT = 5  # values whose trees are tried
_UNIT = 2.0**-53
_NEAR = 1 + 1e-9  # more than all roundings of a ray
Edge = tuple[int, int]


def closed(ratios: "Floats") -> "Floats":
    """Return the least bounds that follow from bounds of f(a) / f(b), but for roundings."""
    import numpy as np

    bounds = ratios.copy()
    np.fill_diagonal(bounds, 1)
    for b in range(len(bounds)):
        bounds = np.minimum(bounds, bounds[:, b, None] * bounds[b])
    return bounds


def rays_of(ratios: "Floats") -> "Floats":
    """Return the extreme rays of a cone as rows whose least entry is 1, or those of a larger cone.

    >>> import numpy as np
    >>> rays_of(np.array([[1.0, 3.0], [2.0, 1.0]])).tolist()
    [[3.0, 1.0], [1.0, 2.0]]
    """
    import numpy as np

    size, bounds = len(ratios), closed(ratios)
    if size > _MOST_EXACT:
        sets = np.array(list(product((False, True), repeat=size))[1:-1])
        return np.where(sets, bounds.max(), 1.0)
    rows = []
    for tree in _trees(size):
        entries = {tree[0][0]: 1.0}
        for a, b in tree:
            if a in entries:
                entries[b] = entries[a] / bounds[a, b]
            else:
                entries[a] = entries[b] * bounds[a, b]
        rows.append([entries[a] for a in range(size)])
    rays = np.array(rows)
    within = (rays[:, :, None] <= bounds * rays[:, None, :] * _NEAR).all((1, 2))
    kept: Floats = rays[within]
    return np.asarray(kept / kept.min(1, keepdims=True))


def cost(size: int) -> int:
    """Return how many means are taken for an entry of a table, at most."""
    rays = len(_trees(size)) if size <= _MOST_EXACT else 2**size - 2
    return -(-rays // size)


@cache
def _trees(size: int) -> tuple[tuple[Edge, ...], ...]:
    """List the spanning trees of values, from upper ones to lower ones, every edge (upper, lower)
    next to those before.
    """
    trees = []
    for count in range(1, size):
        for upper in combinations(range(size), count):
            edges = [(a, b) for a in upper for b in range(size) if b not in upper]
            for chosen in combinations(edges, size - 1):
                tree = tuple(_connected(chosen))
                if len(tree) == size - 1:
                    trees.append(tree)
    return tuple(trees)


def _connected(edges: Sequence[Edge]) -> Iterator[Edge]:
    """Yield edges, each with one end that those before have; no edge of a circle or apart."""
    left, reached = list(edges), {edges[0][0]}
    while nearer := [edge for edge in left if (edge[0] in reached) != (edge[1] in reached)]:
        yield nearer[0]
        left.remove(nearer[0])
        reached |= set(nearer[0])


def growth(table: "Floats", ratios: "Floats", error: float) -> "Iterator[Floats]":
    """Yield by how much R_j(u, v) of every neighbour j grows as the record of the last axis, whose
    own bounds are given, is eliminated from a table with a relative error: upper bounds.

    Neighbours that have probability 0 together may give any law: that of all others together.
    """
    import numpy as np

    size, total = len(ratios), table.sum(-1)
    slack = 1 + 8 * error + 8 * (size + 4) ** 2 * _UNIT
    laws = table / np.where(total > 0, total, 1)[..., None]
    laws[total == 0] = laws.reshape(-1, size).sum(0) / max(1, np.count_nonzero(total))
    means = laws @ rays_of(ratios).T
    for axis in range(total.ndim):
        rows = means.reshape(size**axis, size, -1)  # no copy, which moveaxis makes
        most = np.ones((size, size))
        for one, other in permutations(range(size), 2):
            most[one, other] = (rows[:, one] / rows[:, other]).max()
        yield most * slack
