"""Weights of sets of counts beyond a boundary, summed line after line.

A line has all counts c but those of the first and the last outcome, which share m runs. Let t be
the least count of the last one, Y the weight there, and X the sum from there on. One more of an
outcome of weight p, whose count becomes c, makes them

    X' = (X m - Y t) p / (c (p_0 + p_r)),    Y' = Y (m - t) p / (c p_0),

and t - 1 in place of t has Y t p / (c p_r). The boundary t must not rise, and fall by at most 1,
with every other count, as that of a half-space whose first and last outcomes are extreme.

Derived: worst.columns.
"""

from collections.abc import Callable, Sequence
from math import comb
from typing import Any, NamedTuple

First = Callable[[Sequence[int]], int]  # the least count of the last outcome, by the others'


class _Tail(NamedTuple):
    """The weight where the last outcome has its least count, and the sum from there on."""

    weight: Any
    beyond: Any


class _Line(NamedTuple):
    """How many runs the first and the last outcome share, the least count of the last one, and
    the sums of every law.
    """

    left: int
    first: int
    tails: list[_Tail]


def how_many_lines(outcomes: int, runs: int) -> int:
    """Return how many counts there are of all outcomes but two, in at most so many runs."""
    return comb(runs + outcomes - 2, runs)


def weights_beyond(laws: Sequence[Sequence[int]], runs: int, first: First) -> list[int]:
    """Return for every law, a list of positive weights of outcomes, the sum of the weights of all
    counts whose last outcome occurs at least `first` times.

    >>> weights_beyond([(1, 2, 3)], 2, lambda counts: 1 - sum(counts))
    [35]
    """
    return _Lines(laws, runs, first).sums()


class _Lines:
    def __init__(self, laws: Sequence[Sequence[int]], runs: int, first: First) -> None:
        from flint import fmpz

        self.laws = [[fmpz(weight) for weight in law] for law in laws]
        self.runs, self.first = runs, first
        self.counts = [0] * (len(laws[0]) - 2)
        self.totals = [fmpz(0) for _ in laws]

    def sums(self) -> list[int]:
        first = max(0, self.first(self.counts))
        if first <= self.runs:
            self._from(_Line(self.runs, first, [self._tail(law, first) for law in self.laws]), 0)
        return [int(total) for total in self.totals]

    def _tail(self, law: Sequence[Any], first: int) -> _Tail:
        """Return the sums of the line on which no other outcome occurs."""
        low, high = law[0], law[-1]
        weight = beyond = high**self.runs
        for count in range(self.runs, first, -1):  # C(k, c - 1) = C(k, c) c / (k - c + 1)
            weight = weight * (count * low) // ((self.runs - count + 1) * high)
            beyond += weight
        return _Tail(weight, beyond)

    def _from(self, line: _Line, place: int) -> None:
        """Add the lines from one on, on which outcomes after `place` do not occur yet."""
        if place == len(self.counts):
            for i, tail in enumerate(line.tails):
                self.totals[i] += tail.beyond
            return
        onward: _Line | None = line
        while onward is not None:
            self._from(onward, place + 1)
            self.counts[place] += 1
            onward = self._next(onward, place)
        self.counts[place] = 0

    def _next(self, line: _Line, place: int) -> _Line | None:
        """Return the line with one more run of an outcome, or None if nothing is beyond."""
        left, count = line.left, self.counts[place]
        if left == 0:
            return None
        first = max(0, self.first(self.counts))
        if first > left - 1:
            return None
        tails = []
        for law, (weight, beyond) in zip(self.laws, line.tails):
            low, each, high = law[0], law[place + 1], law[-1]
            beyond = (beyond * left - weight * line.first) * each // (count * (low + high))
            if first == line.first:
                weight = weight * ((left - first) * each) // (count * low)
            else:
                weight = weight * (line.first * each) // (count * high)
                beyond += weight
            tails.append(_Tail(weight, beyond))
        return _Line(left - 1, first, tails)
