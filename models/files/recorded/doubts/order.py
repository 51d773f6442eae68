"""Whether recorded sequences form a Markov chain of some order: Pearson's chi-square.

Given its first value and how often each step occurs, a sequence from a chain is equally likely to
be any sequence that has both. So the p-value from shuffles that keep both holds exactly, for every
chain and every length. Each sequence is shuffled by itself: sequences of different chains do not
count against the order.

This file also has sequences that begin alike and have the same steps equally often, drawn
uniformly.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import (
    DRAWS,
    MOST_VALUES,
    Comparison,
    longest,
    of_common,
    of_tables,
    share_approx,
)
from pufferproof.models.interface.steps import steps

if TYPE_CHECKING:
    import numpy as np

_Context = tuple[int, ...]
_Tables = list[Counter[tuple[int, int]]]


def first_order_test(values: Sequence[int]) -> Comparison:
    """Compare one sequence with a first-order chain, as `order_test` does."""
    return order_test([values])


def order_test(sequences: Iterable[Sequence[int]], order: int = 1, members: Sequence[int] | None = None) -> Comparison:
    """Compare how often x y is followed by z with what the steps from y alone let expect, y being
    `order` values and x the one before.

        statistic = sum over x, y, z of (n(xyz) - e)^2 / e,   e = n(xy.) n(.yz) / n(.y.)

    Under a chain of this order it is asymptotically chi-square, with (a - 1) (b - 1) degrees of
    freedom for every y that is preceded by a values and followed by b. The statistic is summed over
    groups if the law of chi-square then holds; `members` has the number of the group of every
    sequence, by default each is one. Otherwise sequences are counted together, and the p-value is
    that of shuffles. Of more than 10,000 values it is twice the smaller one of two: that of
    shuffles of about 10,000, and that of all values, each group by itself, with rare x and rare z
    counted together so that the law of chi-square holds.

    >>> test = order_test([[0, 0, 1, 1] * 10])
    >>> test.degrees, test.p_value, test.draws
    (2, 0.0005, 1999)
    """
    given = list(sequences)
    groups: dict[int, list[Sequence[int]]] = {}
    for place, values in enumerate(given):
        groups.setdefault(place if members is None else members[place], []).append(values)
    tables = [table for own in groups.values() for table in _tables(own, order)]
    apart = of_tables(tables)
    if apart.degrees and apart.chi_square:
        return apart
    some = longest(given, MOST_VALUES)
    comparison = of_tables(_tables(some, order))
    if not comparison.degrees:
        return comparison
    drawn = replace(comparison, p_value=_drawn_approx(some, order), draws=DRAWS)
    if sum(map(len, given)) == sum(map(len, some)):
        return drawn
    pooled = of_common(tables)
    if not pooled.degrees:
        return drawn
    least = min(drawn, pooled, key=lambda test: test.p_value)
    return replace(least, p_value=min(1.0, 2 * least.p_value))


def _tables(sequences: Iterable[Sequence[int]], order: int) -> _Tables:
    """Return for every y how often x stood before it and z after it."""
    windows: Counter[_Context] = Counter()
    for values in sequences:
        windows.update(zip(*(values[start:] for start in range(order + 2))))
    tables: dict[_Context, Counter[tuple[int, int]]] = {}
    for (x, *y, z), count in windows.items():
        tables.setdefault(tuple(y), Counter())[x, z] = count
    return [cells for _, cells in sorted(tables.items())]


def _drawn_approx(sequences: Sequence[Sequence[int]], order: int) -> float:
    """Return the p-value from shuffles of the contexts of every sequence."""
    import numpy as np

    paths = list(_paths(sequences, order))
    random = np.random.default_rng(0)
    drawn = [np.vstack([path, shuffled(path, DRAWS, random)]) for path in steps(paths, "sequences")]
    observed, *others = _Statistic(paths).of_approx(np.hstack(drawn))
    return share_approx(observed, others)


def _paths(sequences: Sequence[Sequence[int]], order: int) -> "Iterator[np.ndarray]":
    """Yield the contexts of sequences that have 3 and more, in order, numbered."""
    import numpy as np

    numbers: dict[_Context, int] = {}
    for values in sequences:
        contexts = zip(*(values[start:] for start in range(order)))
        path = [numbers.setdefault(context, len(numbers)) for context in contexts]
        if len(path) > 2:
            yield np.array(path, dtype=np.int32)


class _Statistic:
    """Pearson's statistic up to constants: the sum of n(abc)^2 N(b) / (N(ab) N(bc))."""

    def __init__(self, paths: "Sequence[np.ndarray]") -> None:
        import numpy as np

        self.size = 1 + max(int(path.max()) for path in paths)
        steps = np.concatenate([path[:-1] * self.size + path[1:] for path in paths])
        kinds, counts = np.unique(steps, return_counts=True)
        before, after = kinds // self.size, kinds % self.size
        left = np.bincount(before, counts, self.size)
        follow = np.bincount(before, minlength=self.size)  # how many contexts come next
        first = np.cumsum(follow) - follow
        self.known = kinds
        ends = np.cumsum([len(path) for path in paths])
        starts = np.delete(np.arange(ends[-1]), np.concatenate([ends - 1, ends - 2]))
        self.starts = starts  # of three contexts in a row
        self.rank = np.arange(len(kinds)) - first[before]  # among the steps from the same context
        width = follow[after]
        self.cell = np.cumsum(width) - width  # a step followed by each other one has a cell
        entering = np.repeat(np.arange(len(kinds)), width)
        leaving = np.arange(int(width.sum())) - self.cell[entering] + first[after[entering]]
        self.weights = left[after[entering]] / (counts[entering] * counts[leaving])

    def of_approx(self, drawn: "np.ndarray") -> list[float]:
        """Return the statistic of every row, which has all paths one after the other."""
        import numpy as np

        statistics = []
        for row in drawn:
            path = row.astype(np.int64)
            steps = np.searchsorted(self.known, path[:-1] * self.size + path[1:])
            cells = self.cell[steps[self.starts]] + self.rank[steps[self.starts + 1]]
            counts = np.bincount(cells, minlength=len(self.weights))
            statistics.append(float((counts * counts * self.weights).sum()))
        return statistics


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
    walk: np.ndarray = nodes[_walked(edges, first, places[0])]
    return walk


def _walked(edges: "np.ndarray", first: "np.ndarray", start: int) -> "np.ndarray":
    """Return the nodes along a trail in every row, which leaves each node by its edges in order."""
    import numpy as np

    draws, steps = edges.shape
    size = len(first)
    flat, rows, nodes = edges.ravel(), np.arange(draws) * steps, np.arange(draws) * size
    following = np.tile(first, draws)
    at = np.full(draws, start)
    walk = np.empty((steps + 1, draws), dtype=np.int32)
    walk[0] = at
    for step in range(1, steps + 1):
        node = nodes + at
        edge = following[node]
        following[node] = edge + 1
        at = flat[rows + edge]
        walk[step] = at
    return walk.T


def _trees(
    heads: "np.ndarray", first: "np.ndarray", moving: "np.ndarray", end: int, draws: int, random: "np.random.Generator"
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
