"""Sums of positive parts of runs of secrets that several rows make up, exactly.

Given s the counts c have the probability k!/prod c_j! sum_x mu_x prod_j P(j|x)^c_j, and the sums
over x are compared with e^epsilon: by logarithms in floats with a proven error, and by integers
where these do not tell. Outputs whose columns are proportional are one. On every line of counts
few intervals are beyond the level, and their weights under each row are summed from those of the
line before (`lines`).
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import gcd, prod
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.runs.lines import weights_between

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.columns",)
Row = tuple[int, ...]
Mixture = Mapping[Row, int]  # rows of integers with one sum, and their weights
_NEVER = -1e300  # the logarithm of 0
_MOST_NATS = 10**300


def merged(mixtures: Sequence[Mixture]) -> list[list[Row]]:
    """Return the rows of mixtures with outputs whose columns are proportional as one, without
    impossible ones.

    >>> merged([{(1, 2, 3, 0): 1}, {(2, 4, 0, 0): 5}])
    [[(3, 3)], [(6, 0)]]
    """
    kinds: dict[Row, list[int]] = {}
    for place, column in enumerate(zip(*(row for mixture in mixtures for row in mixture))):
        if common := gcd(*column):
            kinds.setdefault(tuple(n // common for n in column), []).append(place)
    return [
        [tuple(sum(row[i] for i in kind) for kind in kinds.values()) for row in mixture]
        for mixture in mixtures
    ]


def mixed_parts(
    rows: Sequence[Sequence[Row]], weights: Sequence[Sequence[int]], level: Level, runs: int
) -> tuple[int, int]:
    """Return for both secrets the weights, summed over their rows and over the counts that are
    more than e^epsilon times as likely given the first.

    >>> mixed_parts([[(3, 1)], [(1, 3)]], [[1], [1]], Level("log(2)"), 2)
    (9, 1)
    """
    region = _CountsRegion(rows, weights, level, runs)
    sums = [0, 0]
    for support, members in region.supports().items():
        laws = [[rows[side][place][j] for j in support] for side, place in members]
        found = _sums(region, support, laws)
        for (side, place), each in zip(members, found):
            sums[side] += weights[side][place] * each
    return sums[0], sums[1]


def _sums(region: "_CountsRegion", support: Row, laws: list[list[int]]) -> list[int]:
    if len(support) > 1:
        return weights_between(laws, region.runs, partial(region.ends, support))
    beyond = region.exceeds({support[0]: region.runs})
    return [law[0] ** region.runs if beyond else 0 for law in laws]


class _CountsRegion:
    """The counts that are more than e^epsilon times as likely given the first secret."""

    def __init__(
        self,
        rows: Sequence[Sequence[Row]],
        weights: Sequence[Sequence[int]],
        level: Level,
        runs: int,
    ) -> None:
        import numpy as np

        self.rows, self.weights, self.level, self.runs = rows, weights, level, runs
        self.masses = [sum(each) for each in weights]
        every = [row for side in rows for row in side]
        self.logs = np.array([[math.log(n) if n else _NEVER for n in row] for row in every])
        self.shares = np.array(
            [
                math.log(weight) - math.log(mass)
                for side, mass in zip(weights, self.masses)
                for weight in side
            ]
        )
        self.nats = _nats_approx(level)
        self.error = self._error()

    def _error(self) -> float:
        """Return a bound of the error of a log-ratio less the level: of logarithms 2^-51 of
        their size, and 2^-52 of the largest sum for every term that is added.
        """
        finite = [math.log(max(n, 1)) for side in self.rows for row in side for n in row]
        size = self.runs * (1 + max(finite)) + math.log(max(self.masses)) + self.nats + 2
        return math.ldexp((sum(self.logs.shape) + 16) * size, -49)

    def supports(self) -> dict[Row, list[tuple[int, int]]]:
        """Return which rows, by side and place, have which possible outputs."""
        known: dict[Row, list[tuple[int, int]]] = {}
        for side, rows in enumerate(self.rows):
            for place, row in enumerate(rows):
                support = tuple(j for j, n in enumerate(row) if n)
                known.setdefault(support, []).append((side, place))
        return known

    def ends(self, support: Row, counts: Sequence[int]) -> list[int]:
        """Return where counts of the last output begin and cease to be in it, on a line."""
        import numpy as np

        low, *others, high = support
        left = self.runs - sum(counts)
        last = np.arange(left + 1)
        known = self.shares + self.logs[:, others] @ np.array(counts, dtype=np.float64)
        terms = known[:, None] + np.outer(self.logs[:, low], left - last)
        terms += np.outer(self.logs[:, high], last)
        with np.errstate(invalid="ignore"):
            above = _summed(terms[: len(self.rows[0])]) - _summed(terms[len(self.rows[0]) :])
        inside = above - self.nats > self.error
        fixed = dict(zip(others, counts))
        for n in np.flatnonzero(abs(above - self.nats) <= self.error).tolist():
            inside[n] = self.exceeds(fixed | {low: left - n, high: n})
        changes = np.flatnonzero(np.diff(inside)) + 1
        return [0] * bool(inside[0]) + changes.tolist()

    def exceeds(self, counts: Mapping[int, int]) -> bool:
        """Decide one set of counts, by outputs, in integers."""
        one, other = (
            sum(
                weight * prod(row[j] ** n for j, n in counts.items())
                for row, weight in zip(rows, weights)
            )
            for rows, weights in zip(self.rows, self.weights)
        )
        return self.level.sign(Fraction(one * self.masses[1]), Fraction(other * self.masses[0])) > 0


def _summed(terms: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Return the logarithm of sums by column, minus infinity where all is impossible."""
    import numpy as np

    most = terms.max(axis=0)
    sums = np.log(np.exp(terms - most).sum(axis=0)) + most
    return np.where(most < _NEVER / 2, -np.inf, sums)


def _nats_approx(level: Level) -> float:
    """Return a level within 2^-50 of its size; large ones are beyond every ratio."""
    if level.nats is not None:
        return float(min(level.nats, Fraction(_MOST_NATS)))
    ratio = level.bounds()[0]
    return 0.0 if ratio == 1 else float(log_bounds(ratio, 60)[0])
