"""Comparisons of recorded data with a model, the words for their p-values, and the doubts that
follow.

A p-value is the tail of chi-square if all counts are expected to be at least 5, and

    sum of 1/e over all expected counts e <= sqrt(2 degrees of freedom) / 3,

as the mean of the statistic exceeds the degrees of freedom by up to half this sum in chains that
seldom move, which adds up over many groups. Otherwise data are drawn from the model, with a fixed
seed (`Share`): until 1 in 20 of all draws that may be made reach the data, or all are made.

All tests of one fit are a family: words and doubts go by p-values corrected for their number
(`holm`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, exp, lcm, lgamma, log, sqrt
from typing import TYPE_CHECKING, Literal, TypeVar

from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.records import preview

if TYPE_CHECKING:
    import numpy as np

WEAK, EVIDENCE, STRONG = 0.05, 0.01, 0.001  # p-values below which there is evidence
DRAWS, FEWER_DRAWS = 1999, 199
MOST_VALUES = 10_000  # from which data are drawn
_STRENGTHS = ((STRONG, "strong evidence"), (EVIDENCE, "evidence"), (WEAK, "weak evidence"))
_LONG = 100
_LEAST = 1e-300  # p-values are not told apart below
_RARE = 5  # counts that are expected to be smaller need draws
_CLOSE = 1e-9  # statistics of the same counts differ by rounding at most

About = Literal[
    "groups", "odd", "order", "season", "trend", "ends", "copies", "shape", "gaps", "times", "ids", "rows", "smoothing"
]
_CERTAIN = ("times", "ids", "gaps", "smoothing")
_T = TypeVar("_T")
Cells = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Doubt:
    """What speaks against the fitted model: a sentence, and a p-value if a test found it; also
    `corrected`, if it is one of several tests.
    """

    about: About
    says: str
    p_value: float | None = None
    corrected: float | None = None

    @property
    def evidence(self) -> bool:
        """Whether a test found evidence, not weak evidence alone, or the data are not what a chain
        is of, which needs no test.
        """
        p = self.p_value if self.corrected is None else self.corrected
        return self.about in _CERTAIN if p is None else p < EVIDENCE

    def as_json(self) -> JsonObject:
        """Return the doubt as commands print it, p-values rounded."""
        p, corrected = (None if p is None else float(f"{p:.6g}") for p in (self.p_value, self.corrected))
        corrected = p if corrected is None else corrected
        return {"about": self.about, "p": p, "corrected": corrected, "says": self.says}

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True)
class Comparison:
    """Pearson's chi-square and its p-value (rounded), from `draws` or, if there are none, from the
    law of chi-square. Of the `cells` that are compared `rare` are expected to count less than 5;
    `inverse` is the sum of 1/e over all. If it is one of several tests, `corrected` is the p-value
    that words go by.
    """

    statistic: Fraction
    degrees: int
    p_value: float
    cells: int = 0
    rare: int = 0
    draws: int = 0
    inverse: float = 0
    corrected: float | None = None

    @property
    def judged(self) -> float:
        """The p-value that words go by."""
        return self.p_value if self.corrected is None else self.corrected

    @property
    def chi_square(self) -> bool:
        """Whether the law of chi-square holds well enough."""
        return not self.rare and self.inverse <= sqrt(2 * self.degrees) / 3

    @property
    def doubtful(self) -> bool:
        """Whether there is evidence against the model, weak or strong."""
        return self.judged < WEAK

    @property
    def p_text(self) -> str:
        """Return the p-value as text, with the number of draws."""
        p = f"p = {self.p_value:.3g}" if self.p_value > _LEAST else f"p < {_LEAST}"
        return f"{p} ({self.draws} draws)" if self.draws else p

    @property
    def text(self) -> str:
        """Return the statistic, its degrees of freedom if they decide, and the p-value as text."""
        degrees = f", {self.degrees} degree{'s' * (self.degrees > 1)} of freedom"
        return f"chi-square {float(self.statistic):.4g}{'' if self.draws else degrees}, {self.p_text}"

    def against(self, model: str) -> str:
        """Return what the p-value says against a model, and that it is one of several if that
        changes the words.
        """
        words = against(self.judged, model)
        many = self.corrected is not None and words != against(self.p_value, model)
        return f"{words}, as one of several tests" if many else words


def holm(p_values: Mapping[About, float]) -> dict[About, float]:
    """Return p-values that are corrected for their number, so that a true chain has a p-value below
    any level with at most that probability. For p_1 <= .. <= p_m the rule of Holm is

        corrected p_k = min(1, max over j <= k of (m - j + 1) p_j)

    >>> holm({"order": 0.01, "season": 0.03, "ends": 0.5})
    {'order': 0.03, 'season': 0.06, 'ends': 0.5}
    """
    corrected, largest = {}, 0.0
    for rank, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        corrected[name] = largest
    return corrected


def against(p: float, model: str) -> str:
    """Return what a p-value says against a model.

    >>> against(0.021, "order 1"), against(0.5, "order 1")
    ('weak evidence against order 1', 'nothing found against order 1')
    """
    words_for = (words for most, words in _STRENGTHS if p < most)
    return f"{next(words_for, 'nothing found')} against {model}"


def of_tables(tables: Iterable[Cells]) -> Comparison:
    """Return the sum of Pearson's chi-square for independent rows and columns of every table, with
    the p-value of its law in large samples.

        sum of (n - e)^2 / e,   e = row column / total

    A table with a rows and b columns that hold something has (a - 1) (b - 1) degrees of freedom.
    """
    statistic, degrees, compared, rare, inverse = Fraction(0), 0, 0, 0, 0.0
    for cells in tables:
        rows, columns = margins(cells)
        if len(rows) < 2 or len(columns) < 2:
            continue
        # sum of (n - e)^2 / e = total (sum of n^2 / (row column) - 1)
        total, across, down = rows.total(), lcm(*rows.values()), lcm(*columns.values())
        squares = sum(n * n * (across // rows[x]) * (down // columns[z]) for (x, z), n in cells.items())
        statistic += total * (Fraction(squares, across * down) - 1)
        degrees += (len(rows) - 1) * (len(columns) - 1)
        expected = [row * column for row in rows.values() for column in columns.values()]
        compared += len(expected)
        rare += sum(product < _RARE * total for product in expected)
        inverse += sum(total / product for product in expected)
    return Comparison(statistic, degrees, tail_approx(statistic, degrees), compared, rare, inverse=inverse)


def margins(cells: Cells) -> tuple[Counter[int], Counter[int]]:
    """Return the sums of the rows and of the columns of a table."""
    rows, columns = Counter[int](), Counter[int]()
    for (x, z), count in cells.items():
        rows[x] += count
        columns[z] += count
    return rows, columns


def of_common(tables: Iterable[Cells]) -> Comparison:
    """Return the sum of Pearson's chi-square as `of_tables` does, with rare rows and rare columns
    of every table counted together, and without tables for which its law does not hold even so.
    """
    fitting = []
    for cells in tables:
        rows, columns = margins(cells)
        total = rows.total()
        row, column = {x: x for x in rows}, {z: z for z in columns}
        # rows and columns are counted together, the rarest first, until every count is expected to
        # be at least 5, or two of each are left
        while min(rows.values()) * min(columns.values()) < _RARE * total:
            both = (rows, row), (columns, column)
            counted, names = min(both, key=lambda pair: min(pair[0].values()))
            if len(counted) < 3:
                counted, names = max(both, key=lambda pair: len(pair[0]))
            if len(counted) < 3:
                break
            (one, few), (two, _) = sorted(counted.items(), key=lambda item: item[1])[:2]
            counted[two] += few
            del counted[one]
            names.update({name: two for name, into in names.items() if into == one})
        merged: Counter[tuple[int, int]] = Counter()
        for (x, z), count in cells.items():
            merged[row[x], column[z]] += count
        test = of_tables([merged])
        if test.degrees and test.chi_square:
            fitting.append(merged)
    return of_tables(fitting)


def longest(sequences: Sequence[Sequence[_T]], most: int) -> list[Sequence[_T]]:
    """Return sequences, of the longer ones the beginnings, with about so many values in all: as
    much of each as all can have, but at least 100 values, of the longest ones.

    >>> [len(values) for values in longest([[0] * 900, [1] * 50, [2] * 400], 600)]
    [275, 50, 275]
    """
    if sum(map(len, sequences)) <= most:
        return list(sequences)
    left, share, lengths = most, 0, sorted(len(values) for values in sequences)
    for k, length in enumerate(lengths):
        share = left // (len(lengths) - k)
        if length > share:
            break
        left -= length
    share = max(share, _LONG)
    by_length = sorted(range(len(sequences)), key=lambda k: (-len(sequences[k]), k))
    room, taken = most, set()
    for k in by_length:
        if room <= 0:
            break
        taken.add(k)
        room -= min(len(sequences[k]), share)
    return [sequences[k][:share] for k in sorted(taken)]


def shortened(sequences: Sequence[Sequence[int]], most: int) -> dict[int, Sequence[int]]:
    """Return sequences by their places; if they have more than so many values, the beginnings of
    some, evenly spread, with at least 100 values each or all.
    """
    if sum(map(len, sequences)) <= most:
        return dict(enumerate(sequences))
    length = max(most // len(sequences), _LONG)
    stride = -(-len(sequences) * length // most)
    return {k: sequences[k][:length] for k in range(0, len(sequences), stride)}


def share_approx(statistic: float, drawn: Sequence[float]) -> float:
    """Return the p-value of a statistic among those that were drawn."""
    exceed = sum(each >= statistic - _CLOSE * abs(statistic) for each in drawn)
    return (1 + exceed) / (1 + len(drawn))


@dataclass
class Share:
    """The p-value of a statistic among draws that are made one after the other, B at `most`. Besag
    and Clifford (1991) end with draw l, the h-th that reaches the data:

        p = h / l,   or (1 + exceed) / (1 + B) if fewer than h of all B do.

    With h = level B, rounded up, all B draws would have p >= level too: no word that begins below
    this level depends on draws that are left out. P(p <= t) <= t holds as for a fixed number of
    draws: p <= h / l if the data are among the h largest of l, themselves and l - 1 draws.

    >>> found = Share(1.0, 39)
    >>> found.take([0.5, 2, 0, 3, 3, 3])
    >>> found.done, found.draws, found.p_value
    (True, 4, 0.5)
    """

    statistic: float
    most: int
    level: float = WEAK
    exceed: int = 0
    draws: int = 0

    def take(self, drawn: Iterable[float]) -> None:
        """Take draws, those after the last one that is needed excepted."""
        least = self.statistic - _CLOSE * abs(self.statistic)
        for each in drawn:
            if self.done:
                break
            self.draws += 1
            self.exceed += each >= least

    @property
    def _enough(self) -> int:
        return ceil(self.level * self.most)

    @property
    def done(self) -> bool:
        """Whether no further draw is needed."""
        return self.exceed == self._enough or self.draws == self.most

    @property
    def p_value(self) -> float:
        """The p-value, once it is done."""
        return self.exceed / self.draws if self.exceed == self._enough else (1 + self.exceed) / (1 + self.draws)


def batches(shares: Sequence[Share]) -> Iterator[int]:
    """Yield how many draws to make next, until all shares are done: about an eighth of all, and then
    as many as there are.
    """
    while left := [each for each in shares if not each.done]:
        yield min(left[0].most - left[0].draws, max(left[0].most // 8 + 1, left[0].draws))


def tail_approx(statistic: Fraction, degrees: int) -> float:
    """Return the probability that chi-square exceeds the statistic."""
    if not degrees:
        return 1.0
    from flint import arb, ctx, fmpq

    with ctx.workprec(64):  # P(chi^2 > x) = Gamma(d / 2, x / 2) / Gamma(d / 2)
        half = arb(fmpq(statistic.numerator, 2 * statistic.denominator))
        tail = half.gamma_upper(arb(degrees) / 2, 1)
    return max(float(tail), _LEAST)


# What a doubt about a fitted chain says, and what to do about it; and whether one chain serves all groups.

FEW = 20  # departures from a value, below which its row is doubted
_SPREADS = (4, 16, 64)  # a of the bets against one chain for all
_MOST_STEPS = 2_500  # different ones, and
_MOST_CELLS = 100_000  # of groups and steps, from which all draws are made

HOLD_ALL = (
    "kinds box with confidence 95% makes priors that hold every group, kinds each those of groups with enough records"
)
_Tables = dict[tuple[int, ...], Counter[tuple[int, int]]]


@dataclass(frozen=True)
class Likeness:
    """The comparison of groups with one chain for all, and the group `farthest` from it: that with
    the largest part of the statistic per departure. `odd` compares one group with all.
    """

    comparison: Comparison
    farthest: int
    odd: "Odd | None" = None


def likeness(sequences: Sequence[Sequence[int]], order: int = 1, members: Sequence[int] | None = None) -> Likeness:
    """Compare the transition rows of groups; `members` has the group of every sequence, in order,
    where a group has several: the number of its group, and its steps are counted together.

    If the law of chi-square does not hold, groups are drawn from the chain of all, each with the
    first and the last values and the length that it has; if there are many values, some of them.
    One odd group among many is lost in this sum, and has a comparison of its own (`Odd`).

    >>> calm, restless = [0] * 60 + [1] * 60 + [0] * 60, [0, 1, 1] * 60
    >>> found = likeness([calm, restless, calm])
    >>> found.comparison.degrees, found.comparison.p_value < 0.001, found.farthest
    (4, True, 1)
    """
    of = range(len(sequences)) if members is None else members
    given = {k: values for k, values in enumerate(sequences) if len(values) > order}
    tables = _tables(given, order, of)
    comparison = of_tables(tables.values())
    if not comparison.degrees:
        return Likeness(comparison, 0)
    odd = Odd.of(tables)
    widest = max(len({y for _, y in cells}) for cells in tables.values())
    some = shortened(list(given.values()), min(MOST_VALUES, 10 * MOST_VALUES // widest))
    whole = len(some) == len(given)
    sums, least = not comparison.chi_square, whole and odd.p_tail < WEAK
    if sums or (least and comparison.p_value >= STRONG):
        places = list(given)
        given = {places[k]: values for k, values in some.items()}
        by_sum, by_largest = _drawn_approx(list(given.values()), order, [of[k] for k in given], sums, least)
        if least:
            odd = replace(odd, p_drawn=by_largest.p_value, draws=by_largest.draws)
        if sums:
            tables = _tables(given, order, of)
            comparison = replace(of_tables(tables.values()), p_value=by_sum.p_value, draws=by_sum.draws)
    return Likeness(comparison, _farthest(tables), odd)


@dataclass(frozen=True)
class Odd:
    """The group that is least like all: with n(y) steps from a context to y, n in all, and the
    frequencies P of all groups,

        G = sum over contexts and y of n(y) log(n(y) / (n P(y)))

    `p_tail` is the tail of chi-square at 2 G, times the number of groups, which is too small where
    few steps are expected. Below 5 % the p-value is that of the largest G of groups that are drawn;
    of much data it is the number of groups over the gain of a bet against P that is fair given P,
    by Markov's inequality: the mean gain where each row is drawn from Dirichlet(a P), for three a.
    """

    group: int
    statistic: float
    p_tail: float
    p_bet: float
    p_drawn: float | None = None
    draws: int = 0

    @classmethod
    def of(cls, tables: _Tables) -> "Odd":
        """Find the group."""
        ratio, degrees = defaultdict[int, float](float), Counter[int]()
        gains = [defaultdict[int, float](float) for _ in _SPREADS]
        for cells in tables.values():
            rows, columns = margins(cells)
            for group, row in rows.items():
                degrees[group] += len(columns) - 1
                for a, gain in zip(_SPREADS, gains):
                    gain[group] += lgamma(a) - lgamma(row + a)
            for (group, y), count in cells.items():
                share = columns[y] / rows.total()
                ratio[group] += count * log(count / rows[group] / share)
                for a, gain in zip(_SPREADS, gains):
                    gain[group] += lgamma(count + a * share) - lgamma(a * share)
                    gain[group] -= count * log(share)
        statistics = {k: Fraction(2 * nats).limit_denominator(10**9) for k, nats in ratio.items()}
        tails = {k: tail_approx(nats, degrees[k]) for k, nats in statistics.items()}
        group = min(tails, key=lambda k: (tails[k], -ratio[k], k))
        won = max(gain[k] for gain in gains for k in ratio) - log(len(gains) * len(ratio))
        bet = exp(-max(won, 0.0))
        return cls(group, 2 * ratio[group], min(1.0, len(ratio) * tails[group]), bet)

    @property
    def comparison(self) -> Comparison:
        """The comparison of the group with all."""
        p, draws = self.p_tail, 0
        if p < WEAK and self.p_drawn is not None:
            p, draws = self.p_drawn, self.draws
        elif p < WEAK:
            p = max(self.p_bet, 1e-300)
        return Comparison(Fraction(self.statistic), 1, p, draws=draws)


def _tables(sequences: Mapping[int, Sequence[int]], order: int, of: Sequence[int]) -> _Tables:
    """Return for every context how often what followed it, by the groups that sequences are of."""
    tables: _Tables = {}
    for place, values in sequences.items():
        windows = Counter(zip(*(values[start:] for start in range(order + 1))))
        for (*context, y), count in windows.items():
            tables.setdefault(tuple(context), Counter())[of[place], y] += count
    return dict(sorted(tables.items()))


def _farthest(tables: _Tables) -> int:
    """Return the group with the largest part of the statistic per departure."""
    part: dict[int, float] = defaultdict(float)
    seen: Counter[int] = Counter()
    for cells in tables.values():
        rows, columns = margins(cells)
        for group, row in rows.items():
            seen[group] += row
            for y, column in columns.items():
                expected = row * column / rows.total()
                part[group] += (cells[group, y] - expected) ** 2 / expected
    return max(seen, key=lambda group: (part[group] / seen[group], -group))


def _drawn_approx(
    sequences: Sequence[Sequence[int]], order: int, of: Sequence[int], sums: bool, largest: bool
) -> tuple[Share, Share]:
    """Compare groups with draws from the chain of all: return the shares of draws that reach the sum
    and its largest part, those done that are asked for.
    """
    import numpy as np

    numbers: dict[tuple[int, ...], int] = {}
    by_group: dict[int, list[np.ndarray]] = {}
    for group, values in zip(of, sequences):
        contexts = zip(*(values[start:] for start in range(order)))
        path = np.array([numbers.setdefault(context, len(numbers)) for context in contexts])
        by_group.setdefault(group, []).append(path)
    bridges = Bridges([path for paths in by_group.values() for path in paths])
    size = len(bridges.tails)
    few = size <= _MOST_STEPS and size * len(sequences) <= _MOST_CELLS
    random = np.random.default_rng(0)

    def statistics(draws: int) -> tuple[list[float], list[float]]:
        """Return the sum and its largest part, of the data or of draws."""
        rows = draws or 1
        total, squares, leaving = (np.zeros((rows, size)) for _ in range(3))
        most = np.zeros(rows)
        for paths in steps(by_group.values(), "groups"):
            counts = np.zeros((rows, size))
            for path in paths:
                counts += bridges.counts(bridges.drawn(path, draws, random) if draws else path[None])
            left = bridges.departures(counts)
            share = counts / np.maximum(left, 1)
            if largest:
                logs = np.log(np.where(counts > 0, share / bridges.shares, 1))
                most = np.maximum(most, (counts * logs).sum(1))
            total += counts
            squares += counts * share
            leaving += left > 0
        # with k_x groups that leave x: statistic - degrees of freedom + number of steps
        #   = sum over x y that occur of (n(x.) / n(xy) sum of n_g(xy)^2 / n_g(x.) - (k_x - 1))
        #     + sum over x of (k_x - 1)
        left, others = bridges.departures(total), np.maximum(leaving - 1, 0)
        parts = (total > 0) * (left * squares / np.maximum(total, 1) - others)
        return (parts + others * bridges.begins).sum(1).tolist(), most.tolist()

    most = DRAWS if few else FEWER_DRAWS
    shares = tuple(Share(observed, most) for (observed,) in statistics(0))
    for draws in batches([share for share, asked in zip(shares, (sums, largest)) if asked]):
        for share, drawn in zip(shares, statistics(draws)):
            share.take(drawn)
    return shares[0], shares[1]


class Bridges:
    """The chain of the relative frequencies of some paths, whose values are 0, 1, ..

    Steps are counted by cells: those from one value that occur less than 5 times share a cell, as a
    chain that was estimated from them says little of each. `tails` are the values that steps of a
    cell leave, in order, `begins` marks the first cell of each, and `shares` are frequencies.
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
        self.shares = np.bincount(self.cell, counts) / left[self.tails]
        self.backs: dict[int, list[np.ndarray]] = {}  # by the value at the end: what leads there in so many steps

    def drawn(self, path: "np.ndarray", draws: int, random: "np.random.Generator") -> "np.ndarray":
        """Return `draws` rows: paths with the length and the ends of `path`."""
        import numpy as np

        backs = self.backs.setdefault(int(path[-1]), [np.bincount([path[-1]], minlength=self.size).astype(float)])
        while len(backs) < len(path) - 1:
            back = (self.chances * backs[-1][self.heads]).sum(1)
            backs.append(back / back.max())
        paths = np.empty((len(path), draws), dtype=np.int64)
        paths[0] = at = np.full(draws, path[0])
        for step in range(1, len(path)):
            heights = np.cumsum(self.chances * backs[len(path) - 1 - step][self.heads], axis=1)
            heights /= np.maximum(heights[:, -1:], np.finfo(float).tiny)
            rank = (random.random((draws, 1)) >= heights[at, :-1]).sum(1)
            paths[step] = at = self.heads[at, rank]
        return paths.T

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


def doubts_of_order(test: Comparison, order: int) -> list[Doubt]:
    """Return a doubt if data speak against the order of a chain."""
    if not test.doubtful:
        return []
    says = (
        f"{test.p_text}: {test.against(f'order {order}')}: what follows depends on more than the "
        f"last {'value' if order == 1 else f'{order} values'} (fit order {order + 1})"
    )
    return [Doubt("order", says, test.p_value, test.corrected)]


def doubts_of_groups(found: Likeness | None, groups: Sequence[str]) -> list[Doubt]:
    """Return a doubt if groups are not alike."""
    if found is None or not found.comparison.doubtful:
        return []
    test = found.comparison
    name = preview([groups[found.farthest]])
    says = (
        f"{test.p_text}: {test.against('one chain for all groups')}: the {len(groups)} groups are "
        f"not alike, and perhaps none follows this chain; group {name} is farthest from it "
        f"({HOLD_ALL})"
    )
    return [Doubt("groups", says, test.p_value, test.corrected)]


def doubts_of_rows(departures: Mapping[str, int]) -> list[Doubt]:
    """Return a doubt if few departures from some value were seen."""
    few = {name: count for name, count in departures.items() if 0 < count < FEW}
    if not few:
        return []
    rarest = min(few, key=lambda name: few[name])
    one = len(few) == 1
    says = (
        f"{'1 row of the chain is' if one else f'{len(few)} rows of the chain are'} estimated from "
        f"fewer than {FEW} departures, {'' if one else 'the least '}from {preview([rarest])} "
        f"({few[rarest]}): the true row may be far from it (--confidence makes a box of rows that "
        "are not ruled out)"
    )
    return [Doubt("rows", says)]


def doubts_of_smoothing(unfollowed: Sequence[str]) -> list[Doubt]:
    """Return a doubt if some rows of a chain come from smoothing alone."""
    if not unfollowed:
        return []
    rows = "their rows are" if len(unfollowed) > 1 else "its row is"
    says = (
        f"nothing follows {preview(list(unfollowed))} in the data: {rows} invented by smoothing, "
        "with every next value equally likely (if nothing can follow, as after a death, use "
        "--absorbing, or absorbing in a plan or in Python)"
    )
    return [Doubt("smoothing", says)]
