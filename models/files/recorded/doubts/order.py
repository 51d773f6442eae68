"""Whether recorded sequences form a Markov chain of some order, by Pearson's chi-square, and the
same one at all times.

Given its first value and how often each step occurs, a sequence from a chain is equally likely to
be any sequence that has both. So the p-value from shuffles that keep both holds exactly, for every
chain and every length. Each sequence is shuffled by itself, uniformly: sequences of different
chains do not count against the order.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pufferproof.models.files.recorded.doubts.comparison import (
    DRAWS,
    MOST_VALUES,
    Comparison,
    Share,
    batches,
    longest,
    of_common,
    of_tables,
    tail_approx,
)
from pufferproof.models.interface.steps import steps

if TYPE_CHECKING:
    import numpy as np

# Whether steps are alike at all times: at every phase of a season, and early and late.
#
# A period is cut into equal bins. From each value, what comes next is compared between bins, by the chi-square of
# Mantel and Haenszel (of Pearson but for a factor 1 - 1/N in one stratum). Strata are the contexts, the last values
# that a chain goes by, so that no order hides a season; and the groups if they are not alike. Bins are as fine, from
# 24 down to three, as keeps the law of chi-square (`comparison`); rare next values are counted together. A value that
# leaves less is left out.

_FINEST, _COARSEST = 24, 3
_LEAST = 5  # counts that are expected are at least so many
_MOST_COLUMNS = 8  # next values that are told apart
_CYCLES = 3  # of a period, in the longest recording
_USUAL = {"24 steps": 24.0, "7 steps": 7.0, "12 steps": 12.0}
_LONGEST_PERIOD = 400  # steps, of those that are looked for
_SEARCHED = 4_000  # values of the longest recording, and
_PAIRS = 16  # of context and next value, in which periods are looked for
_PARTS = 4  # of recordings, which are compared for a trend
_FEWEST = 60  # values in which a period is looked for


@dataclass(frozen=True)
class Steps:
    """All steps of recordings: the number of the context that each leaves, the value that it leads
    to, the time of that value in steps, the share of all steps that are earlier in the recordings
    of their groups, the number of the recording, the value before, and the stratum: only steps of
    the same one are compared.
    """

    context: "np.ndarray"
    value: "np.ndarray"
    time: "np.ndarray"
    share: "np.ndarray"
    recording: "np.ndarray"
    before: "np.ndarray"
    stratum: "np.ndarray"

    @classmethod
    def of(
        cls, sequences: Sequence[Sequence[int]], order: int, starts: Sequence[float] = (), members: Sequence[int] = ()
    ) -> "Steps":
        """Return the steps; `starts` has the time of the first value of each sequence, and
        `members` its group: by default it begins at 0, and is of its own.
        """
        import numpy as np

        of, begins = members or range(len(sequences)), starts or [0.0] * len(sequences)
        first: dict[int, float] = {}
        for group, begin in zip(of, begins):
            first.setdefault(group, begin)

        size = 1 + max(max(values, default=0) for values in sequences)
        given = [(k, np.asarray(v)) for k, v in enumerate(sequences) if len(v) > order]
        parts: list[list[np.ndarray]] = [[] for _ in range(6)]
        for k, values in given:
            count = len(values) - order
            code = np.zeros(count, dtype=np.int64)
            for lag in range(order):
                code = code * size + values[lag : lag + count]
            places = np.arange(order, len(values))
            begin, since = begins[k], begins[k] - first[of[k]] + places
            number, before = np.full(count, k), values[order - 1 : -1]
            own = (code, values[order:], begin + places, since, number, before)
            for part, array in zip(parts, own):
                part.append(array)
        codes, value, time, since, recording, before = map(np.concatenate, parts)
        share = np.searchsorted(np.sort(since), since) / len(since)
        context = np.unique(codes, return_inverse=True)[1]
        return cls(context, value, time, share, recording, before, np.zeros_like(value))

    def some(self, chosen: "np.ndarray") -> "Steps":
        """Return the steps that are chosen."""
        return Steps(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @property
    def span(self) -> float:
        """How long the longest recording is, in steps, gaps included."""
        if not len(self.time):
            return 0.0
        return float(self.time.max() - self.time.min())


@dataclass(frozen=True)
class Season:
    """The comparison of phases of the period that stands out most, and the name of that period."""

    comparison: Comparison
    period: str


def season(steps: Steps, periods: Iterable[tuple[str, float]]) -> Season:
    """Compare the phases of every period that steps hold three times: of the `periods` of the
    calendar; if there are none, of 24, 7 and 12 steps and of the period that stands out in the
    first half of the recordings, which the second half then tests. With K periods the p-value is K
    times the least.
    """
    named = [(name, length, steps) for name, length in periods]
    if not named:
        named = [(name, length, steps) for name, length in _USUAL.items()]
        early = steps.share < 0.5
        if len(steps.value) >= _FEWEST and (period := _outstanding(steps.some(early))):
            named.append((f"{period} steps", float(period), steps.some(~early)))
    found = []
    for name, length, some in named:
        if length >= 2 and some.span >= _CYCLES * length - 1:
            phase = (some.time / length) % 1.0
            found.append(Season(_compared(some, phase, int(min(_FINEST, max(_COARSEST, length)))), name))
    tried = [each for each in found if each.comparison.degrees]
    if not tried:
        return Season(Comparison(Fraction(0), 0, 1.0), "")
    best = min(tried, key=lambda each: each.comparison.p_value)
    p = min(1.0, len(tried) * best.comparison.p_value)
    return replace(best, comparison=replace(best.comparison, p_value=p))


def trend(steps: Steps) -> Comparison:
    """Compare the quarters of the recordings."""
    return _compared(steps, steps.share, _PARTS)


def _compared(steps: Steps, phase: "np.ndarray", finest: int) -> Comparison:
    """Compare bins of phases from every value, and add up."""
    import numpy as np

    statistic, degrees = 0.0, 0
    stratum = steps.stratum * (1 + int(steps.context.max(initial=0))) + steps.context
    order = np.argsort(steps.before, kind="stable")
    bounds = np.flatnonzero(np.diff(steps.before[order], prepend=-1))
    for own in np.split(order, bounds[1:]) if len(order) else []:
        counts = _counts(steps.value[own], phase[own], stratum[own], finest)
        if counts is not None:
            statistic += _mantel_haenszel(counts)
            degrees += (counts.shape[1] - 1) * (counts.shape[2] - 1)
    exact = Fraction(statistic).limit_denominator(10**6)
    return Comparison(exact, degrees, tail_approx(exact, degrees))


def _counts(value: "np.ndarray", phase: "np.ndarray", stratum: "np.ndarray", finest: int) -> "np.ndarray | None":
    """Return how often values, rare ones together, come next in each bin, for every stratum; None
    if all are rare.
    """
    import numpy as np

    names, place = np.unique(value, return_inverse=True)
    strata = np.unique(stratum, return_inverse=True)[1]
    if len(names) < 2:
        return None
    values = np.bincount(place)
    ranked = np.argsort(-values, kind="stable")
    depth, total = 1 + int(strata.max()), len(place)
    for bins in range(finest, _COARSEST - 1, -1):
        if finest % bins and bins > _COARSEST:
            continue
        row = np.minimum((phase * bins).astype(np.int64), bins - 1)
        rows = np.bincount(row, minlength=bins)
        if not rows.min():
            continue
        for kept in range(min(len(ranked), _MOST_COLUMNS), 1, -1):
            column = np.full(len(ranked), kept - 1)  # rare values are counted together
            column[ranked[:kept]] = np.arange(kept)
            sums = np.bincount(column, values)
            inverse = total * (1 / rows).sum() * (1 / sums).sum()
            degrees = (bins - 1) * (kept - 1)
            # the law of chi-square holds well enough
            if rows.min() * sums.min() >= _LEAST * total and inverse <= sqrt(2 * degrees) / 3:
                codes = (strata * bins + row) * kept + column[place]
                counts = np.bincount(codes, minlength=depth * bins * kept)
                return counts.reshape(depth, bins, kept).astype(float)
    return None


def _mantel_haenszel(counts: "np.ndarray") -> float:
    """Return the statistic d' V^-1 d of tables, one for every stratum, whose rows are bins:

    d = sum over strata of n - r c' / N   (less the last row and column),
    V = sum over strata of N^2 / (N - 1) (diag(r) / N - r r' / N^2) x (diag(c) / N - c c' / N^2)
    """
    import numpy as np

    total = counts.sum((1, 2))
    counts = counts[total > 1]
    total = total[total > 1]
    rows, columns = counts.sum(2) / total[:, None], counts.sum(1) / total[:, None]
    off = (counts - total[:, None, None] * rows[:, :, None] * columns[:, None, :]).sum(0)

    def spread(shares: "np.ndarray") -> "np.ndarray":
        squares = shares[:, :, None] * shares[:, None, :]
        found: np.ndarray = shares[:, :, None] * np.eye(shares.shape[1]) - squares
        return found[:, :-1, :-1]

    weights = total**2 / (total - 1)
    variance = np.einsum("g,gab,gcd->acbd", weights, spread(rows), spread(columns), optimize=True)
    d = off[:-1, :-1].ravel()
    solved = np.linalg.lstsq(variance.reshape(len(d), len(d)), d, rcond=1e-9)[0]
    return max(0.0, float(d @ solved))


def _outstanding(steps: Steps) -> int | None:
    """Return the period, in steps, at which what comes next varies most around its context's mean:
    the largest periodogram, over the commonest pairs of a context and a next value.
    """
    import numpy as np

    if not len(steps.recording):
        return None
    names, counts = np.unique(steps.recording, return_counts=True)
    own = steps.some(steps.recording == names[counts.argmax()])
    own = own.some(np.arange(len(own.value)) < _SEARCHED)
    longest = min(_LONGEST_PERIOD, int(own.span) // _CYCLES)
    if longest < 2:
        return None
    size = 1 + int(own.value.max())
    codes = own.context * size + own.value
    pairs, place, number = np.unique(codes, return_inverse=True, return_counts=True)
    periods = np.arange(2, longest + 1)
    waves = np.exp(2j * np.pi * np.outer(own.time, 1 / periods))
    power = np.zeros(len(periods))
    left = np.bincount(own.context)
    for pair in np.argsort(-number)[:_PAIRS]:
        here = own.context == pairs[pair] // size
        share = number[pair] / left[pairs[pair] // size]
        if share < 1:
            off = ((place == pair) - share * here).astype(float)
            power += np.abs(off @ waves) ** 2 / (number[pair] * (1 - share))
    return int(periods[power.argmax()]) if power.any() else None


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
    share = _shuffles_approx(some, order)
    drawn = replace(comparison, p_value=share.p_value, draws=share.draws)
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


def _shuffles_approx(sequences: Sequence[Sequence[int]], order: int) -> Share:
    """Return the share of shuffles of the contexts of every sequence that has 3 and more."""
    import numpy as np

    numbers: dict[_Context, int] = {}
    paths = []
    for values in sequences:
        contexts = zip(*(values[start:] for start in range(order)))
        path = [numbers.setdefault(context, len(numbers)) for context in contexts]
        if len(path) > 2:
            paths.append(np.array(path))
    statistic, random = _Statistic(paths), np.random.default_rng(0)
    paths = [path.astype(np.min_scalar_type(len(numbers))) for path in paths]
    share = Share(statistic.of_approx(np.concatenate(paths)[None])[0], DRAWS)
    for draws in batches([share]):
        drawn = [shuffled(path, draws, random) for path in steps(paths, "sequences")]
        share.take(statistic.of_approx(np.hstack(drawn)))
    return share


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
    # a trail in every row, which leaves each node by its edges in order
    flat, row, node_of_row, following = edges.ravel(), rows * len(heads), rows * size, np.tile(first, draws)
    at = np.full(draws, places[0])
    walk = np.empty((len(heads) + 1, draws), dtype=np.int32)
    walk[0] = at
    for step in range(1, len(heads) + 1):
        node = node_of_row + at
        edge = following[node]
        following[node] = edge + 1
        at = flat[row + edge]
        walk[step] = at
    trails: np.ndarray = nodes[walk.T]
    return trails


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
