"""Comparisons of recorded data with a model, the words for their p-values, and the doubts that
follow.

A p-value is the tail of chi-square if all counts are expected to be at least 5, and

    sum of 1/e over all expected counts e <= sqrt(2 degrees of freedom) / 3,

as the mean of the statistic exceeds the degrees of freedom by up to half this sum in chains that
seldom move, which adds up over many groups. Otherwise data are drawn from the model, with a fixed
seed: if `exceed` of B draws have a statistic as large as the data, p = (1 + exceed) / (1 + B).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Literal

from pufferproof.models.numbers.text import JsonObject

WEAK, EVIDENCE = 0.05, 0.01  # p-values below which there is weak evidence, and evidence
DRAWS, FEWER_DRAWS = 1999, 199
MOST_VALUES = 10_000  # from which data are drawn
_STRENGTHS = ((0.001, "strong evidence"), (EVIDENCE, "evidence"), (WEAK, "weak evidence"))
_LONG = 100
_LEAST = 1e-300  # p-values are not told apart below
_RARE = 5  # counts that are expected to be smaller need draws
_CLOSE = 1e-9  # statistics of the same counts differ by rounding at most

About = Literal["groups", "order", "gaps", "smoothing"]
Cells = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Doubt:
    """What speaks against the fitted model: a sentence, and a p-value if a test found it."""

    about: About
    says: str
    p_value: float | None = None

    @property
    def contrary(self) -> bool:
        """Whether a test found evidence against the model that is not weak."""
        return self.p_value is not None and self.p_value < EVIDENCE

    def as_json(self) -> JsonObject:
        """Return the doubt as commands print it, the p-value rounded."""
        p = None if self.p_value is None else float(f"{self.p_value:.6g}")
        return {"about": self.about, "p": p, "says": self.says}

    def __str__(self) -> str:
        return self.says


@dataclass(frozen=True)
class Comparison:
    """Pearson's chi-square and its p-value (rounded), from `draws` or, if there are none, from the
    law of chi-square. Of the `cells` that are compared `rare` are expected to count less than 5;
    `inverse` is the sum of 1/e over all.
    """

    statistic: Fraction
    degrees: int
    p_value: float
    cells: int = 0
    rare: int = 0
    draws: int = 0
    inverse: float = 0

    @property
    def chi_square(self) -> bool:
        """Whether the law of chi-square holds well enough."""
        return not self.rare and self.inverse <= sqrt(2 * self.degrees) / 3

    @property
    def doubtful(self) -> bool:
        """Whether there is evidence against the model, weak or strong."""
        return self.p_value < WEAK

    @property
    def p_text(self) -> str:
        """Return the p-value as text, with the number of draws."""
        p = f"p = {self.p_value:.3g}" if self.p_value > _LEAST else f"p < {_LEAST}"
        return f"{p} ({self.draws} draws)" if self.draws else p

    @property
    def text(self) -> str:
        """Return the statistic, its degrees of freedom if they decide, and the p-value as text."""
        degrees = f", {self.degrees} degree{'s' * (self.degrees > 1)} of freedom"
        return (
            f"chi-square {float(self.statistic):.4g}{'' if self.draws else degrees}, {self.p_text}"
        )

    def against(self, model: str) -> str:
        """Return what the p-value says against a model."""
        return against(self.p_value, model)


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
    p, inverse = _tail_approx(statistic, degrees), sum(part.inverse for part in parts)
    return Comparison(statistic, degrees, p, cells, rare, inverse=inverse)


def _of_table(cells: Cells) -> Comparison:
    """Compare one table: sum of (n - e)^2 / e = total (sum of n^2 / (row column) - 1)."""
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    for (x, z), count in cells.items():
        rows[x] += count
        columns[z] += count
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


def _tail_approx(statistic: Fraction, degrees: int) -> float:
    if not degrees:
        return 1.0
    from flint import arb, ctx, fmpq

    with ctx.workprec(64):  # P(chi^2 > x) = Gamma(d / 2, x / 2) / Gamma(d / 2)
        half = arb(fmpq(statistic.numerator, 2 * statistic.denominator))
        tail = half.gamma_upper(arb(degrees) / 2, 1)
    return max(float(tail), _LEAST)
