"""Sums of positive parts of runs of secrets that several rows make up, exactly.

Given s the counts c have the probability k!/prod c_j! sum_x mu_x prod_j P(j|x)^c_j, and the sums
over x are compared with e^epsilon: by logarithms in floats with a proven error, and by integers
where these do not tell. Outputs whose columns are proportional are one. On every line of counts
few intervals are beyond the level, and their weights under each row are summed from those of the
line before (`lines`).

This file also has weights of sets of counts between boundaries, summed line after line.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import comb, gcd, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.columns",)
Ends = Callable[[Sequence[int]], list[int] | None]  # counts of the last outcome, by the others'
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
    return [[tuple(sum(row[i] for i in kind) for kind in kinds.values()) for row in mixture] for mixture in mixtures]


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
        self, rows: Sequence[Sequence[Row]], weights: Sequence[Sequence[int]], level: Level, runs: int
    ) -> None:
        import numpy as np

        self.rows, self.weights, self.level, self.runs = rows, weights, level, runs
        self.masses = [sum(weight) for weight in weights]
        every = [row for side in rows for row in side]
        self.logs = np.array([[math.log(n) if n else _NEVER for n in row] for row in every])
        self.shares = np.array(
            [math.log(weight) - math.log(mass) for side, mass in zip(weights, self.masses) for weight in side]
        )
        self.nats = _nats_approx(level)
        self.error = self._error()

    def _error(self) -> float:
        """Return a bound of the error of a log-ratio less the level, in units of 2^-52."""
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
            sum(weight * prod(row[j] ** n for j, n in counts.items()) for row, weight in zip(rows, weights))
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


class _RunsTail(NamedTuple):
    """A count of the last outcome, the weight there, and the sum from there on."""

    start: int
    weight: Any
    beyond: Any


class _SharedRuns(NamedTuple):
    """How many runs the first and the last outcome share, whether there is anything from each
    boundary on, and there the sums of every law; at least one, to go on from.
    """

    left: int
    ends: list[bool]
    tails: list[list[_RunsTail]]


def how_many_lines(outcomes: int, runs: int) -> int:
    """Return how many counts there are of all outcomes but two, in at most so many runs."""
    return comb(runs + outcomes - 2, runs)


def weights_between(laws: Sequence[Sequence[int]], runs: int, ends: Ends) -> list[int]:
    """Return for every law, a list of positive weights of outcomes, the sum of the weights of the
    counts whose last one is from the first of the `ends` on, without those from the second on, with
    those from the third on, and so forth. With None there are none, nor of more of an outcome.

    >>> weights_between([(1, 2, 3)], 2, lambda counts: [1 - sum(counts)])
    [35]
    """
    return _Lines(laws, runs, ends).sums()


class _Lines:
    def __init__(self, laws: Sequence[Sequence[int]], runs: int, ends: Ends) -> None:
        from flint import fmpz

        self.laws = [[fmpz(weight) for weight in law] for law in laws]
        self.runs, self.ends = runs, ends
        self.counts = [0] * (len(laws[0]) - 2)
        self.totals = [fmpz(0) for _ in laws]

    def sums(self) -> list[int]:
        start = [_RunsTail(self.runs, law[-1] ** self.runs, law[-1] ** self.runs) for law in self.laws]
        line = self._with_ends(self.runs, [start])
        if line is not None:
            self._from(line, 0)
        return [int(total) for total in self.totals]

    def _from(self, line: _SharedRuns, place: int) -> None:
        """Add the lines from one on, on which outcomes after `place` do not occur yet."""
        if place == len(self.counts):
            for i in range(len(self.laws)):
                for number, (some, tails) in enumerate(zip(line.ends, line.tails)):
                    if some:
                        self.totals[i] += -tails[i].beyond if number % 2 else tails[i].beyond
            return
        onward: _SharedRuns | None = line
        while onward is not None:
            self._from(onward, place + 1)
            self.counts[place] += 1
            onward = self._next(onward, place)
        self.counts[place] = 0

    def _next(self, line: _SharedRuns, place: int) -> _SharedRuns | None:
        """Return the line with one more run of an outcome, or None if there is nothing more."""
        if line.left == 0:
            return None
        tails = [
            [self._onward(law, tail, line.left, place) for law, tail in zip(self.laws, each)] for each in line.tails
        ]
        return self._with_ends(line.left - 1, tails)

    def _with_ends(self, left: int, tails: list[list[_RunsTail]]) -> _SharedRuns | None:
        """Return the line with sums moved to its boundaries."""
        ends = self.ends(self.counts)
        if ends is None:
            return None
        places = [min(max(end, 0), left) for end in ends] or [tails[0][0].start]
        tails += [tails[-1]] * (len(places) - len(tails))
        moved = [
            [_moved(law, tail, left, place) for law, tail in zip(self.laws, each)] for each, place in zip(tails, places)
        ]
        return _SharedRuns(left, [end <= left for end in ends], moved)

    def _onward(self, law: Sequence[Any], tail: _RunsTail, left: int, place: int) -> _RunsTail:
        low, each, high, times = law[0], law[place + 1], law[-1], self.counts[place]
        count, weight, beyond = tail if tail.start < left else _moved(law, tail, left, left - 1)
        beyond = (beyond * left - weight * count) * each // (times * (low + high))
        return _RunsTail(count, weight * ((left - count) * each) // (times * low), beyond)


def _moved(law: Sequence[Any], tail: _RunsTail, left: int, place: int) -> _RunsTail:
    """Return the sum from another count of the last outcome on."""
    start, weight, beyond = tail
    low, high = law[0], law[-1]
    while start > place:  # C(m, t - 1) = C(m, t) t / (m - t + 1)
        weight = weight * (start * low) // ((left - start + 1) * high)
        beyond += weight
        start -= 1
    while start < place:
        beyond -= weight
        weight = weight * ((left - start) * high) // ((start + 1) * low)
        start += 1
    return _RunsTail(place, weight, beyond)
