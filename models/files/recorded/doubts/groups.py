"""Whether one chain serves all groups: Pearson's chi-square of equal transition rows.

    statistic = sum over groups g and steps x y of (n_g(xy) - e)^2 / e,   e = n_g(x.) n(xy) / n(x.)

With k groups and s values it has (k - 1) s (s - 1) degrees of freedom under one chain, fewer where
a group never leaves a value or a step never occurs. If more than the last value decides, x is the
last values.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pufferproof.models.files.recorded.doubts.bridges import Bridges
from pufferproof.models.files.recorded.doubts.comparison import (
    DRAWS,
    FEWER_DRAWS,
    MOST_VALUES,
    Comparison,
    of_tables,
    share_approx,
    shortened,
)

_MOST_STEPS = 2_500  # different ones, and
_MOST_CELLS = 100_000  # of groups and steps, from which all draws are made

_Tables = dict[tuple[int, ...], Counter[tuple[int, int]]]


@dataclass(frozen=True)
class Likeness:
    """The comparison of groups with one chain for all, and the group `farthest` from it: that with
    the largest part of the statistic per departure.
    """

    comparison: Comparison
    farthest: int


def likeness(sequences: Sequence[Sequence[int]], order: int = 1) -> Likeness:
    """Compare the transition rows of groups.

    If the law of chi-square does not hold, groups are drawn from the chain of all, each with the
    first and the last values and the length that it has; if there are many values, some of them.

    >>> calm, restless = [0] * 60 + [1] * 60 + [0] * 60, [0, 1, 1] * 60
    >>> found = likeness([calm, restless, calm])
    >>> found.comparison.degrees, found.comparison.p_value < 0.001, found.farthest
    (4, True, 1)
    """
    given = {k: values for k, values in enumerate(sequences) if len(values) > order}
    tables = _tables(given, order)
    found = of_tables(tables.values())
    if not found.degrees:
        return Likeness(found, 0)
    if not found.chi_square:
        places = list(given)
        some = shortened(list(given.values()), _most_values(tables))
        given = {places[k]: values for k, values in some.items()}
        tables = _tables(given, order)
        found = of_tables(tables.values())
        p, draws = _drawn_approx(list(given.values()), order)
        found = replace(found, p_value=p, draws=draws)
    return Likeness(found, _farthest(tables))


def _tables(sequences: Mapping[int, Sequence[int]], order: int) -> _Tables:
    """Return for every context how often what followed it, by groups."""
    tables: _Tables = {}
    for group, values in sequences.items():
        windows = Counter(zip(*(values[start:] for start in range(order + 1))))
        for (*context, y), count in windows.items():
            tables.setdefault(tuple(context), Counter())[group, y] = count
    return dict(sorted(tables.items()))


def _most_values(tables: _Tables) -> int:
    """Return how many values are drawn: fewer where many values follow a context."""
    widest = max(len({y for _, y in cells}) for cells in tables.values())
    return min(MOST_VALUES, 10 * MOST_VALUES // widest)


def _farthest(tables: _Tables) -> int:
    """Return the group with the largest part of the statistic per departure."""
    part: dict[int, float] = defaultdict(float)
    seen: Counter[int] = Counter()
    for cells in tables.values():
        rows: Counter[int] = Counter()
        columns: Counter[int] = Counter()
        for (group, y), count in cells.items():
            rows[group] += count
            columns[y] += count
        for group, row in rows.items():
            seen[group] += row
            for y, column in columns.items():
                expected = row * column / rows.total()
                part[group] += (cells[group, y] - expected) ** 2 / expected
    return max(seen, key=lambda group: (part[group] / seen[group], -group))


def _drawn_approx(sequences: Sequence[Sequence[int]], order: int) -> tuple[float, int]:
    """Return the p-value from groups that are drawn from the chain of all, and how many draws."""
    import numpy as np

    numbers: dict[tuple[int, ...], int] = {}
    paths = []
    for values in sequences:
        contexts = zip(*(values[start:] for start in range(order)))
        paths.append(np.array([numbers.setdefault(context, len(numbers)) for context in contexts]))
    bridges = Bridges(paths)
    size = len(bridges.tails)
    few = size <= _MOST_STEPS and size * len(paths) <= _MOST_CELLS
    draws = DRAWS if few else FEWER_DRAWS
    random = np.random.default_rng(0)
    total, squares, leaving = (np.zeros((draws + 1, size)) for _ in range(3))
    for path in paths:
        drawn = np.vstack([path, bridges.drawn(path, draws, random)])
        counts = bridges.counts(drawn)
        left = bridges.departures(counts)
        total += counts
        squares += counts**2 / np.maximum(left, 1)
        leaving += left > 0
    # with k_x groups that leave x: statistic - degrees of freedom + number of steps
    #   = sum over x y that occur of (n(x.) / n(xy) sum of n_g(xy)^2 / n_g(x.) - (k_x - 1))
    #     + sum over x of (k_x - 1)
    left, others = bridges.departures(total), np.maximum(leaving - 1, 0)
    parts = (total > 0) * (left * squares / np.maximum(total, 1) - others)
    observed, *drawn = (parts + others * bridges.begins).sum(1).tolist()
    return share_approx(observed, drawn), draws
