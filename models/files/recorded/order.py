"""Whether recorded sequences form a Markov chain of some order: Pearson's chi-square."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

SPEAKS = 0.01  # p-values below this speak against the chain
_RARE = 5  # counts that are expected to be smaller make a p-value rough

_Cells = dict[tuple[int, int], int]


@dataclass(frozen=True)
class OrderTest:
    """Pearson's chi-square of a chain of the next order against this one, and its p-value
    (rounded). Of the `cells` that are compared `rare` are expected to count less than 5.
    """

    statistic: Fraction
    degrees: int
    p_value: float
    cells: int = 0
    rare: int = 0

    @property
    def speaks_against(self) -> bool:
        """Whether the p-value is small."""
        return self.p_value < SPEAKS


def first_order_test(values: Sequence[int]) -> OrderTest:
    """Compare one sequence with a first-order chain, as `order_test` does."""
    return order_test([values])


def order_test(sequences: Iterable[Sequence[int]], order: int = 1) -> OrderTest:
    """Compare how often x y is followed by z with what the steps from y alone let expect, y being
    `order` values and x the one before.

        statistic = sum over x, y, z of (n(xyz) - e)^2 / e,   e = n(xy.) n(.yz) / n(.y.)

    Under a chain of this order it is asymptotically chi-square, with (a - 1) (b - 1) degrees of
    freedom for every y that is preceded by a values and followed by b. A small p-value speaks
    against the chain; a large one proves nothing.

    >>> test = order_test([[0, 0, 1, 1] * 10])
    >>> test.degrees, test.p_value < 1e-8
    (2, True)
    """
    tables: dict[tuple[int, ...], _Cells] = {}
    windows: Counter[tuple[int, ...]] = Counter()
    for values in sequences:
        windows.update(zip(*(values[start:] for start in range(order + 2))))
    for (x, *y, z), count in windows.items():
        tables.setdefault(tuple(y), {})[x, z] = count
    parts = [_compared(cells) for _, cells in sorted(tables.items())]
    statistic = sum((part.statistic for part in parts), Fraction(0))
    degrees = sum(part.degrees for part in parts)
    cells, rare = sum(part.cells for part in parts), sum(part.rare for part in parts)
    return OrderTest(statistic, degrees, _tail_approx(statistic, degrees), cells, rare)


def _compared(cells: _Cells) -> OrderTest:
    """Compare one table: sum of (n - e)^2 / e = total (sum of n^2 / (row column) - 1)."""
    rows: Counter[int] = Counter()
    columns: Counter[int] = Counter()
    for (x, z), count in cells.items():
        rows[x] += count
        columns[z] += count
    degrees = (len(rows) - 1) * (len(columns) - 1)
    if not degrees:
        return OrderTest(Fraction(0), 0, 1.0)
    total, across, down = rows.total(), lcm(*rows.values()), lcm(*columns.values())
    squares = sum(n * n * (across // rows[x]) * (down // columns[z]) for (x, z), n in cells.items())
    rare = sum(r * c < _RARE * total for r in rows.values() for c in columns.values())
    statistic = total * (Fraction(squares, across * down) - 1)
    return OrderTest(statistic, degrees, 1.0, len(rows) * len(columns), rare)


def _tail_approx(statistic: Fraction, degrees: int) -> float:
    if not degrees:
        return 1.0
    from scipy.stats import chi2

    return float(chi2.sf(float(statistic), degrees))
