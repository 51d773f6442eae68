"""Sequences that begin alike and have the same steps equally often, drawn uniformly.

Such sequences are the Eulerian trails of a graph that has an edge for every step. The last edges by
which a trail leaves its nodes form a tree towards the end of the trail, and every tree goes with
every order of the other edges. So a uniform tree and uniform orders give a uniform trail
(Kandel, Matias, Unger and Winkler 1996). The tree is drawn by cycle popping (Wilson 1996): every
node picks an edge, and nodes on cycles pick again until there is no cycle.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def shuffled(path: "np.ndarray", draws: int, random: "np.random.Generator") -> "np.ndarray":
    """Return `draws` rows: paths that begin where `path` does and have its steps, drawn uniformly
    and independently.

    >>> import numpy as np
    >>> rows = shuffled(np.array([0, 0, 1, 0, 1, 1]), 500, np.random.default_rng(0))
    >>> sorted({"".join(map(str, row)) for row in rows.tolist()})
    ['001011', '001101', '010011', '011001']
    """
    import numpy as np

    nodes, places = np.unique(path, return_inverse=True)
    size, end = len(nodes), places[-1]
    # edges by the node that they leave, those that stay there last
    order = np.lexsort((places[:-1] == places[1:], places[:-1]))
    tails, heads = places[:-1][order], places[1:][order]
    count = np.bincount(tails, minlength=size)
    moving = np.bincount(tails[tails != heads], minlength=size)
    first = np.cumsum(count) - count
    last = _trees(heads, first, moving, end, draws, random)
    rows = np.arange(draws)
    edges = np.empty((draws, len(heads)), dtype=np.int32)
    for node in range(size):
        begin, stop = first[node], first[node] + count[node]
        block = np.tile(heads[begin:stop], (draws, 1))
        if node == end:
            random.permuted(block, axis=1, out=block)
        else:
            chosen = last[:, node] - begin
            leaving = block[rows, chosen]
            block[rows, chosen] = block[:, -1]
            block[:, :-1] = random.permuted(block[:, :-1], axis=1)
            block[:, -1] = leaving
        edges[:, begin:stop] = block
    found: np.ndarray = nodes[_walked(edges, first, places[0])]
    return found


def _walked(edges: "np.ndarray", first: "np.ndarray", start: int) -> "np.ndarray":
    """Return the nodes along a trail in every row, which leaves each node by its edges in order."""
    import numpy as np

    draws, steps = edges.shape
    size = len(first)
    flat, rows, nodes = edges.ravel(), np.arange(draws) * steps, np.arange(draws) * size
    following = np.tile(first, draws)
    at = np.full(draws, start)
    found = np.empty((steps + 1, draws), dtype=np.int32)
    found[0] = at
    for step in range(1, steps + 1):
        node = nodes + at
        edge = following[node]
        following[node] = edge + 1
        at = flat[rows + edge]
        found[step] = at
    return found.T


def _trees(
    heads: "np.ndarray",
    first: "np.ndarray",
    moving: "np.ndarray",
    end: int,
    draws: int,
    random: "np.random.Generator",
) -> "np.ndarray":
    """Return an edge of every node but `end`, in every row: uniform among the trees towards it."""
    import numpy as np

    size = len(first)
    picked: np.ndarray = first + (random.random((draws, size)) * moving).astype(np.int64)
    picked[:, end] = 0
    active = np.arange(draws)
    while len(active):
        towards = heads[picked[active]].astype(np.int64)
        towards[:, end] = end
        for _ in range(size.bit_length()):  # as many steps as there are nodes end on a cycle
            towards = np.take_along_axis(towards, towards, 1)
        cyclic = np.zeros((len(active), size), dtype=bool)
        np.put_along_axis(cyclic, towards, True, 1)
        cyclic[:, end] = False
        again = cyclic.any(1)
        active, cyclic = active[again], cyclic[again]
        row, node = np.nonzero(cyclic)
        new = first[node] + (random.random(len(node)) * moving[node]).astype(np.int64)
        picked[active[row], node] = new
    return picked
