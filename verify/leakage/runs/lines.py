"""Weights of sets of counts between boundaries, summed line after line.

A line has all counts c but those of the first and the last outcome, which share m runs. Let t be a
count of the last one, Y the weight there, and X the sum from there on. One more of an outcome of
weight p, whose count becomes c, makes them

    X' = (X m - Y t) p / (c (p_0 + p_r)),    Y' = Y (m - t) p / (c p_0),

and t - 1 in place of t has Y t p_0 / ((m - t + 1) p_r): a few products with small numbers where
boundaries of one line are near those of the line before.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

RESTS_ON = ("worst.columns",)
Ends = Callable[[Sequence[int]], list[int] | None]  # counts of the last outcome, by the others'


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
        start = [
            _RunsTail(self.runs, law[-1] ** self.runs, law[-1] ** self.runs) for law in self.laws
        ]
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
            [self._onward(law, tail, line.left, place) for law, tail in zip(self.laws, each)]
            for each in line.tails
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
            [_moved(law, tail, left, place) for law, tail in zip(self.laws, each)]
            for each, place in zip(tails, places)
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
