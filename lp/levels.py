"""Per-record levels: how much a release may tell of each record, in nats, and their sum over
releases.

A mechanism has level epsilon_j at record j if P(w | x) <= e^epsilon_j P(w | x') for databases x, x'
that differ in record j alone. Joint releases, also adaptive ones, have the sums of the levels, and
conversely a column of the summed levels is a product of columns of the single ones: what several
releases can leak is what one of the summed levels can.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate
from math import ceil, floor, log, prod

from flint import arb, ctx, fmpq

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.enclosures import Enclosure, dyadic, enclose, log_approx, log_bounds
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief, text_of

RESTS_ON = ("worst.power-closed",)
_SHORT = 56  # bits after the point of a level that stands for one whose e^level is irrational
_LONGEST = 4_096  # bits of a rational that is computed with as it is
_LARGEST_NATS = 10**5
_MOST_BITS = 1 << 28  # of the numerator of e^level


@dataclass(frozen=True)
class Total:
    """A sum of levels, log(ratio) + nats + sum_p y_p log(p): e to it is ratio e^nats prod_p p^y_p.

    `roots` has the primes p with their exponents y_p, between 0 and 1; noise of scale c/log(r) has
    such levels.

    >>> Total.of([Level("log(3)"), Level("0.5"), Level("log(2)")])
    Total(ratio=Fraction(6, 1), nats=Fraction(1, 2), roots=())
    """

    ratio: Fraction
    nats: Fraction
    roots: tuple[tuple[int, Fraction], ...] = ()

    @classmethod
    def of(cls, levels: Sequence[Level], runs: int = 1) -> "Total":
        """Return the sum of levels, `runs` times."""
        ratio = prod((level.ratio for level in levels if level.ratio is not None), start=Fraction(1))
        nats = sum((level.nats for level in levels if level.nats is not None), Fraction(0))
        return cls(_power(ratio, runs), nats * runs)

    @classmethod
    def of_power(cls, power: Power) -> "Total":
        """Return the level whose e^level is a power.

        >>> Total.of_power(Power.of(Fraction(2), Fraction(3, 2)))
        Total(ratio=Fraction(2, 1), nats=Fraction(0, 1), roots=((2, Fraction(1, 2)),))
        """
        ratio, rest = power.split()
        return cls(ratio, rest.nats, rest.primes)

    @property
    def power(self) -> Power:
        """e to the level without its rational factor."""
        return Power(self.nats, self.roots)

    def __add__(self, other: "Total") -> "Total":
        ratio = self.ratio * other.ratio
        if not self.roots and not other.roots:
            return Total(ratio, self.nats + other.nats)
        more, rest = self.power.times(other.power).split()
        return Total(ratio * more, rest.nats, rest.primes)

    def times(self, count: int) -> "Total":
        """Return this level `count` times; a negative count is what is taken away again."""
        if not self.roots:
            return Total(_power(self.ratio, count), self.nats * count)
        more, rest = self.power.to(Fraction(count)).split()
        return Total(_power(self.ratio, count) * more, rest.nats, rest.primes)

    @property
    def exact(self) -> Fraction | None:
        """e to the level where it is a rational of at most 4,096 bits, else None."""
        if self.nats or self.roots or _bits(self.ratio) > _LONGEST:
            return None
        return self.ratio

    def bounds(self, accuracy: int = 96) -> tuple[Fraction, Fraction]:
        """Return rational bounds of e to the level, at least 1, relative width at most
        2^-accuracy.
        """
        if self.exact is not None:
            return self.exact, self.exact
        self._expect_moderate()
        bits = accuracy + 32
        while True:
            with ctx.workprec(bits):
                value = arb(fmpq(self.ratio.numerator, self.ratio.denominator)) * self.power.ball()
                if value.rel_accuracy_bits() > accuracy:
                    low, high = dyadic(value.lower()), dyadic(value.upper())
                    return max(low, Fraction(1)), max(high, Fraction(1))
            bits *= 2

    def compare(self, level: Level) -> int:
        """Return the sign of this level minus epsilon, exactly.

        e to a rational other than 0 is not algebraic (Lindemann), so that both are equal only if
        their nats are, and their ratios; the exponents of `roots` are no integers.

        >>> total = Total.of([Level("0.5"), Level("log(2)")])
        >>> total.compare(Level("1.2")), Total.of([Level("0.5")], 2).compare(Level("1"))
        (-1, 0)
        """
        if (self.ratio, self.nats, self.roots) == (level.ratio or 1, level.nats or 0, ()):
            return 0
        accuracy = 96
        while True:
            low, high = self.bounds(accuracy)
            if level.compare(low) > 0:
                return 1
            if level.compare(high) < 0:
                return -1
            accuracy *= 2

    def rounded(self, upward: bool) -> "Total":
        """Return a level just above or below whose e^level is a short rational, itself if it is
        one.
        """
        if self.exact is not None:
            return self
        low, high = self.bounds(_SHORT)
        step = Fraction(1, 1 << _SHORT)
        ends = (floor(low / step) * step, ceil(high / step) * step)
        return Total(max(ends[upward], Fraction(1)), Fraction(0))

    @property
    def nats_approx(self) -> float:
        """The level in nats, up to rounding errors. Raises `ModelError` as `bounds`."""
        self._expect_moderate()
        ratio = log_approx(self.ratio)
        return float(self.nats) + ratio + sum(float(y) * log(p) for p, y in self.roots)

    def _expect_moderate(self) -> None:
        if self.nats > _LARGEST_NATS:
            nats = brief(self.nats)
            raise ModelError(f"expected at most {_LARGEST_NATS} nats here, found {nats}")

    def enclosure(self) -> Enclosure:
        """Return the level in nats."""
        terms = [(Fraction(p), y) for p, y in self.roots]
        terms += [(self.ratio, Fraction(1))] if self.ratio != 1 else []
        low = high = self.nats
        for base, factor in terms:
            least, most = log_bounds(base, 72)
            low, high = low + factor * least, high + factor * most
        return enclose(low, high)

    def __str__(self) -> str:
        terms = [] if self.ratio == 1 else [f"log({brief(self.ratio)})"]
        terms += [f"{text_of(y)} log({p})" for p, y in self.roots]
        terms += [str(Level.of_nats(self.nats))] if self.nats else []
        return " + ".join(terms) or "0"


NOTHING = Total(Fraction(1), Fraction(0))


def _power(ratio: Fraction, count: int) -> Fraction:
    """Return ratio^count. Raises `ModelError` where that is too long a number to be a level."""
    if ratio != 1 and abs(count) * _bits(ratio) > _MOST_BITS:
        raise ModelError(f"expected a level of fewer digits, found log({brief(ratio)}) {abs(count)} times")
    return ratio**count


def _bits(ratio: Fraction) -> int:
    return max(ratio.numerator.bit_length(), ratio.denominator.bit_length())


@dataclass(frozen=True)
class RecordLevels:
    """The level of every record, equal neighbours together: `runs` has how many records, from the
    first on, have which level.

    >>> RecordLevels.uniform(3, ["log(2)", "log(3)"]).at(2)
    Total(ratio=Fraction(6, 1), nats=Fraction(0, 1), roots=())
    """

    runs: tuple[tuple[int, Total], ...]

    @classmethod
    def uniform(cls, count: int, levels: Sequence[LevelLike], times: int = 1) -> "RecordLevels":
        """Return one level for all records: the sum of those of every release.

        Raises `ModelError` unless there is a level, and they are levels.
        """
        count = check_type(count, int, "count")
        times = check_type(times, int, "times")
        read = Level.coerce_all(levels, "levels")
        if not read:
            raise ModelError("expected at least one level, found none", "levels")
        return cls(((count, Total.of(read, times)),))

    @classmethod
    def of(cls, levels: Sequence[LevelLike], times: int = 1) -> "RecordLevels":
        """Return one level for every record, from the first on."""
        times = check_type(times, int, "times")
        import numpy as np

        given = Level.coerce_all(levels, "levels")
        if not given:
            raise ModelError("expected at least one level, found none", "levels")
        distinct = dict(zip(map(id, given), given))  # equal ones are mostly one object
        totals = {key: Total.of([level], times) for key, level in distinct.items()}
        keys = np.fromiter(map(id, given), np.uint64, len(given))
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        lengths = np.diff(starts, append=len(given)).tolist()
        run = cache(lambda length, key: (length, totals[key]))
        return cls(tuple(map(run, lengths, keys[starts].tolist())))

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
