"""Comparisons of recorded data with a model, the words for their p-values, and the doubts that
follow.

A p-value is the tail of chi-square if all counts are expected to be at least 5, and

    sum of 1/e over all expected counts e <= sqrt(2 degrees of freedom) / 3,

as the mean of the statistic exceeds the degrees of freedom by up to half this sum in chains that
seldom move, which adds up over many groups. Otherwise data are drawn from the model, with a fixed
seed: if `exceed` of B draws have a statistic as large as the data, p = (1 + exceed) / (1 + B).

All tests of one fit are a family: words and doubts go by p-values corrected for their number
(`holm`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Literal, TypeVar

from pufferproof.models.numbers.text import JsonObject

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
        p, corrected = map(_rounded, (self.p_value, self.corrected))
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
    parts = [_of_table(cells) for cells in tables]
    statistic = sum((part.statistic for part in parts), Fraction(0))
    degrees = sum(part.degrees for part in parts)
    cells, rare = sum(part.cells for part in parts), sum(part.rare for part in parts)
    p, inverse = tail_approx(statistic, degrees), sum(part.inverse for part in parts)
    return Comparison(statistic, degrees, p, cells, rare, inverse=inverse)


def margins(cells: Cells) -> tuple[Counter[int], Counter[int]]:
    """Return the sums of the rows and of the columns of a table."""
    rows, columns = Counter[int](), Counter[int]()
    for (x, z), count in cells.items():
        rows[x] += count
        columns[z] += count
    return rows, columns


def _of_table(cells: Cells) -> Comparison:
    """Compare one table: sum of (n - e)^2 / e = total (sum of n^2 / (row column) - 1)."""
    rows, columns = margins(cells)
    degrees = (len(rows) - 1) * (len(columns) - 1)
    if degrees < 1:
        return Comparison(Fraction(0), 0, 1.0)
    total, across, down = rows.total(), lcm(*rows.values()), lcm(*columns.values())
    squares = sum(n * n * (across // rows[x]) * (down // columns[z]) for (x, z), n in cells.items())
    expected = [r * c for r in rows.values() for c in columns.values()]
    rare = sum(each < _RARE * total for each in expected)
    inverse = sum(total / each for each in expected)
    statistic = total * (Fraction(squares, across * down) - 1)
    return Comparison(statistic, degrees, 1.0, len(expected), rare, inverse=inverse)


def of_common(tables: Iterable[Cells]) -> Comparison:
    """Return the sum of Pearson's chi-square as `of_tables` does, with rare rows and rare columns
    of every table counted together, and without tables for which its law does not hold even so.
    """
    merged = [_merged(cells) for cells in tables]
    return of_tables(cells for cells in merged if (test := of_tables([cells])).degrees and test.chi_square)


def _merged(cells: Cells) -> Cells:
    """Count rows and columns together, the rarest first, until every count is expected to be at
    least 5, or two of each are left.
    """
    rows, columns = margins(cells)
    total = rows.total()
    row, column = {x: x for x in rows}, {z: z for z in columns}
    while min(rows.values()) * min(columns.values()) < _RARE * total:
        rarer = min((rows, row), (columns, column), key=lambda pair: min(pair[0].values()))
        counted, names = (
            rarer if len(rarer[0]) > 2 else max((rows, row), (columns, column), key=lambda pair: len(pair[0]))
        )
        if len(counted) < 3:
            break
        (one, few), (two, _) = sorted(counted.items(), key=lambda item: item[1])[:2]
        counted[two] += few
        del counted[one]
        names.update({name: two for name, into in names.items() if into == one})
    found: Counter[tuple[int, int]] = Counter()
    for (x, z), count in cells.items():
        found[row[x], column[z]] += count
    return found


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


def _rounded(p: float | None) -> float | None:
    return None if p is None else float(f"{p:.6g}")


def share_approx(statistic: float, drawn: Sequence[float]) -> float:
    """Return the p-value of a statistic among those that were drawn."""
    exceed = sum(each >= statistic - _CLOSE * abs(statistic) for each in drawn)
    return (1 + exceed) / (1 + len(drawn))


def tail_approx(statistic: Fraction, degrees: int) -> float:
    """Return the probability that chi-square exceeds the statistic."""
    if not degrees:
        return 1.0
    from flint import arb, ctx, fmpq

    with ctx.workprec(64):  # P(chi^2 > x) = Gamma(d / 2, x / 2) / Gamma(d / 2)
        half = arb(fmpq(statistic.numerator, 2 * statistic.denominator))
        tail = half.gamma_upper(arb(degrees) / 2, 1)
    return max(float(tail), _LEAST)
