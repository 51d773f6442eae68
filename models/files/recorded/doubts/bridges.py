"""Paths of a Markov chain that begin and end like given ones, drawn from its law.

Given X_0 and X_T = b, the step from x to y with m steps left has the probability

    P(x, y) back_(m-1)(y) / back_m(x),   back_m(x) = P(X_m = b | X_0 = x).

A value that nothing follows has no row: a path may end there, and passes it nowhere else.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_RARE = 5


class Bridges:
    """The chain of the relative frequencies of some paths, whose values are 0, 1, ..

    Steps are counted by cells: those from one value that occur less than 5 times share a cell, as a
    chain that was estimated from them says little of each. `tails` are the values that steps of a
    cell leave, in order, and `begins` marks the first cell of each.
    """

    def __init__(self, paths: "Sequence[np.ndarray]") -> None:
        import numpy as np

        self.size = 1 + max(int(path.max()) for path in paths)
        codes = np.concatenate([path[:-1] * self.size + path[1:] for path in paths])
        self.steps, counts = np.unique(codes, return_counts=True)
        before = self.steps // self.size
        follow = np.bincount(before, minlength=self.size)
        rank = np.arange(len(self.steps)) - (np.cumsum(follow) - follow)[before]
        self.heads = np.zeros((self.size, int(follow.max())), dtype=np.int64)
        self.heads[before, rank] = self.steps % self.size
        self.chances = np.zeros(self.heads.shape)
        left = np.bincount(before, counts, self.size)
        self.chances[before, rank] = counts / left[before]
        shared = np.where(counts < _RARE, before * self.size, self.steps + 1) + before
        cells, self.cell = np.unique(shared, return_inverse=True)
        self.tails = np.zeros(len(cells), dtype=np.int64)
        self.tails[self.cell] = before
        self.begins = np.diff(self.tails, prepend=-1) > 0

    def drawn(self, path: "np.ndarray", draws: int, random: "np.random.Generator") -> "np.ndarray":
        """Return `draws` rows: paths with the length and the ends of `path`."""
        import numpy as np

        backs = [np.bincount([path[-1]], minlength=self.size).astype(float)]
        for _ in range(len(path) - 2):
            back = (self.chances * backs[-1][self.heads]).sum(1)
            backs.append(back / back.max())
        found = np.empty((len(path), draws), dtype=np.int64)
        found[0] = at = np.full(draws, path[0])
        for step in range(1, len(path)):
            heights = np.cumsum(self.chances * backs[-step][self.heads], axis=1)
            heights /= np.maximum(heights[:, -1:], np.finfo(float).tiny)
            rank = (random.random((draws, 1)) >= heights[at, :-1]).sum(1)
            found[step] = at = self.heads[at, rank]
        return found.T

    def counts(self, paths: "np.ndarray") -> "np.ndarray":
        """Return how often the steps of each cell occur in every row."""
        import numpy as np

        rows, size = len(paths), len(self.tails)
        steps = np.searchsorted(self.steps, paths[:, :-1] * self.size + paths[:, 1:])
        codes = self.cell[steps] + np.arange(rows)[:, None] * size
        return np.bincount(codes.ravel(), minlength=rows * size).reshape(rows, size).astype(float)

    def departures(self, counts: "np.ndarray") -> "np.ndarray":
        """Return for each cell how often a step left the same value, in every row."""
        import numpy as np

        begins = np.flatnonzero(self.begins)
        lengths = np.diff(begins, append=len(self.begins))
        return np.repeat(np.add.reduceat(counts, begins, axis=1), lengths, axis=1)
