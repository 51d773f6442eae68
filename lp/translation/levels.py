"""Per-record levels: how much a release may tell of each record, in nats, and their sum over
releases.

A mechanism has level epsilon_j at record j if P(w | x) <= e^epsilon_j P(w | x') for databases x, x'
that differ in record j alone. Joint releases, also adaptive ones, have the sums of the levels, and
conversely a column of the summed levels is a product of columns of the single ones: what several
releases can leak is what one of the summed levels can.

Derived: worst.power-closed.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, groupby
from math import ceil, floor, prod
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_bounds
from pufferproof.models.numbers.level import Level

_SHORT = 56  # bits after the point of a level that stands for one whose e^level is irrational


@dataclass(frozen=True)
class Total:
    """A sum of levels, log(ratio) + nats: e to it is ratio e^nats.

    >>> Total.of([Level("log(3)"), Level("0.5"), Level("log(2)")])
    Total(ratio=Fraction(6, 1), nats=Fraction(1, 2))
    """

    ratio: Fraction
    nats: Fraction

    @classmethod
    def of(cls, levels: Sequence[Level], runs: int = 1) -> "Total":
        """Return the sum of levels, `runs` times."""
        ratio = prod(
            (level.ratio for level in levels if level.ratio is not None), start=Fraction(1)
        )
        nats = sum((level.nats for level in levels if level.nats is not None), Fraction(0))
        return cls(ratio**runs, nats * runs)

    def __add__(self, other: "Total") -> "Total":
        return Total(self.ratio * other.ratio, self.nats + other.nats)

    def times(self, count: int) -> "Total":
        """Return this level `count` times."""
        return Total(self.ratio**count, self.nats * count)

    @property
    def exact(self) -> Fraction | None:
        """e to the level where it is rational, else None."""
        return None if self.nats else self.ratio

    def bounds(self, accuracy: int = 96) -> tuple[Fraction, Fraction]:
        """Return rational bounds of e to the level, relative width at most 2^-accuracy."""
        low, high = Level.of_nats(self.nats).bounds(accuracy)
        return self.ratio * low, self.ratio * high

    def rounded(self, upward: bool) -> "Total":
        """Return a level just above or below whose e^level is a short rational, itself if it is
        rational.
        """
        if self.exact is not None:
            return self
        low, high = self.bounds(_SHORT)
        step = Fraction(1, 1 << _SHORT)
        ends = (floor(low / step) * step, ceil(high / step) * step)
        return Total(max(ends[upward], Fraction(1)), Fraction(0))

    def enclosure(self) -> Enclosure:
        """Return the level in nats."""
        low, high = log_bounds(self.ratio, 72) if self.ratio != 1 else (Fraction(0), Fraction(0))
        return enclose(low + self.nats, high + self.nats)

    def __str__(self) -> str:
        if not self.nats:
            return str(Level.log(self.ratio))
        nats = str(Level.of_nats(self.nats))
        return nats if self.ratio == 1 else f"{Level.log(self.ratio)} + {nats}"


@dataclass(frozen=True)
class RecordLevels:
    """The level of every record, equal neighbours together: `runs` has how many records, from the
    first on, have which level.

    >>> RecordLevels.uniform(3, ["log(2)", "log(3)"]).at(2)
    Total(ratio=Fraction(6, 1), nats=Fraction(0, 1))
    """

    runs: tuple[tuple[int, Total], ...]

    @classmethod
    @checked
    def uniform(cls, count: int, levels: Sequence[Any], times: int = 1) -> "RecordLevels":
        """Return one level for all records: the sum of those of every release.

        Raises `ModelError` unless there is a level, and they are levels.
        """
        known = Level.coerce_all(levels, "levels")
        if not known:
            raise ModelError("expected at least one level, found none", "levels")
        return cls(((count, Total.of(known, times)),))

    @classmethod
    @checked
    def of(cls, levels: Sequence[Any], times: int = 1) -> "RecordLevels":
        """Return one level for every record, from the first on."""
        given = Level.coerce_all(levels, "levels")
        if not given:
            raise ModelError("expected at least one level, found none", "levels")
        distinct = {id(level): level for level in given}  # equal ones are mostly one object
        totals = {key: Total.of([level], times) for key, level in distinct.items()}
        return cls(tuple((len(list(same)), totals[key]) for key, same in groupby(map(id, given))))

    @cached_property
    def count(self) -> int:
        """The number of records."""
        return sum(length for length, _ in self.runs)

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(length for length, _ in self.runs))

    def at(self, record: int) -> Total:
        """Return the level of a record, from 1."""
        return self.runs[bisect_left(self._ends, record)][1]

    def between(self, first: int, last: int) -> Iterator[tuple[int, Total]]:
        """List how many records from `first` to `last` have which level, in order."""
        start = 1
        for length, total in self.runs:
            inside = min(last, start + length - 1) - max(first, start) + 1
            if inside > 0:
                yield inside, total
            start += length

    def rounded(self, upward: bool) -> "RecordLevels":
        """Return levels just above or below, e to which are rational."""
        return RecordLevels(tuple((length, total.rounded(upward)) for length, total in self.runs))

    @property
    def exact(self) -> bool:
        """Whether e to every level is rational."""
        return all(total.exact is not None for total in self.distinct.values())

    def plus(self, extra: Total) -> "RecordLevels":
        """Return these levels with one more for every record."""
        sums = {key: total + extra for key, total in self.distinct.items()}
        return RecordLevels(tuple((length, sums[id(total)]) for length, total in self.runs))

    @cached_property
    def distinct(self) -> dict[int, Total]:
        """The levels that occur, each under the identity of its object."""
        return {id(total): total for _, total in self.runs}

    @property
    def text(self) -> str:
        """The level, or the smallest and the largest of several."""
        totals = sorted(self.distinct.values(), key=lambda each: each.bounds()[1])
        return str(totals[0]) if self.equal else f"from {totals[0]} to {totals[-1]}"

    @property
    def largest(self) -> Total:
        """The largest level of a record."""
        return max(self.distinct.values(), key=lambda total: total.bounds()[1])

    @property
    def equal(self) -> bool:
        """Whether all records have one level."""
        return len(self.runs) == 1
