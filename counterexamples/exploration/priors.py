"""Every prior on a grid: the databases have weights from 0 to W, and their probabilities are
weights over their sum. Of each the exact leakage of one mechanism.

Weights are numbered, that of the last database running fastest. Those with a common divisor are
passed over: without it they are the same prior, so that every prior counts once. Some ten thousand
are computed together, in 64-bit integers that are checked beforehand to hold every product. Ratios

    P(y | s) / P(y | t) = a(s, y) w(t) / (a(t, y) w(s)),   a(s, y) = sum_{x in s} w(x) n(x, y),

are compared by cross products; n(x, y) are the mechanism's probabilities times one denominator. A
pair says nothing where a secret of it has no weight.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.tables import Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Ratios = tuple[Integers, Integers]  # numerators and denominators, 0 over 1 where there is none

BINS_PER_NAT = 256  # of a histogram
TOGETHER, _AT_ONCE = 200_000, 10_000  # lists of weights in one unit, and in one array
_MOST, _BITS = 10**10, 62  # a million take about a second


@dataclass(frozen=True)
class Priors:
    """The priors of a framework's databases with weights up to `most`, and a mechanism.

    Raises `ModelError` unless the mechanism has a row for every database, and `TooLargeError` for
    more than 10^10 lists of weights or numbers that 64 bits do not hold.
    """

    framework: Framework
    mechanism: Channel
    most: int
    level: Level | None = None

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ModelError(f"expected at least 1, found {self.most}", "weights")
        if self.level is not None and self.level.ratio is None:
            raise ModelError(f"expected log(N) or log(N/M), found {self.level}", "level")
        if self.count > _MOST:
            raise TooLargeError(self._too_many(), "weights")
        if self._bits() > _BITS:
            raise TooLargeError("products of weights and probabilities exceed 64-bit integers")

    def __len__(self) -> int:
        return self.count

    @property
    def count(self) -> int:
        """How many lists of weights there are, of any size."""
        return int((self.most + 1) ** len(self.framework.databases))

    def _too_many(self) -> str:
        """Say how many lists of weights there are, and what is few enough."""
        size = len(self.framework.databases)
        most = next(w for w in range(_MOST) if (w + 2) ** size > _MOST)
        databases = max((n for n in range(size) if (self.most + 1) ** n <= _MOST), default=0)
        few = [f"weights of at most {most}"] if most else []
        few += [f"at most {databases} databases"] if databases > 1 else []
        return (
            f"{self.most + 1}^{size} weightings of {size} databases, at most {_MOST:,} are gone "
            f"through: expected {' or '.join(few) or 'fewer databases'}"
        )

    def _bits(self) -> int:
        """Return how many bits the largest product takes: of two numerators of ratios."""
        heavy = self.most * len(self.framework.databases)
        largest = heavy * heavy * max(max(row) for row in self.rows)
        level = max(self.bound) if self.level is not None else 1
        return (largest * max(largest, level)).bit_length()

    @cached_property
    def bound(self) -> list[int]:
        """The level as numerator and denominator of e to it; 0 over 0 where there is none."""
        ratio = None if self.level is None else self.level.ratio
        return [0, 0] if ratio is None else [ratio.numerator, ratio.denominator]

    @cached_property
    def rows(self) -> list[list[int]]:
        """The mechanism's probabilities times one denominator."""
        databases = self.framework.databases
        channel = self.mechanism.aligned(databases, frozenset(range(len(databases))))
        common = lcm(*channel.denominators)
        return [
            [n * (common // denominator) for n in channel.numerators_of(place)]
            for place, denominator in enumerate(channel.denominators)
        ]

    def units(self) -> Iterator[Unit]:
        """Yield the units that go through all priors."""
        listing = self.framework.listed
        pairs = [[[*listing.secrets[name]] for name in pair] for pair in listing.pairs]
        for start in range(0, len(self), TOGETHER):
            stop = min(start + TOGETHER, len(self))
            yield Unit.of(found, self.rows, pairs, self.most, [start, stop], self.bound)

    def spread_units(self) -> Iterator[Unit]:
        """Yield the units of a histogram: how many priors leak how much."""
        for unit in self.units():
            yield Unit.of(spread, *json.loads(unit.arguments)[:-1])

    def weights(self, number: int) -> list[int]:
        """Return the weights with a number."""
        base, weights = self.most + 1, []
        for _ in self.framework.databases:
            number, weight = divmod(number, base)
            weights.append(weight)
        return weights[::-1]

    def prior(self, number: int) -> Table:
        """Return the prior whose weights have a number."""
        weights = self.weights(number)
        named = zip(self.framework.databases, weights)
        return Table({name: Fraction(weight, sum(weights)) for name, weight in named if weight})


@dataclass(frozen=True)
class Found:
    """What is found of priors: how many there are, how many say something of some pair, leak
    everything, and more than the level; the largest ratio, None for infinite, and the first prior
    that has it.
    """

    priors: int
    meant: int
    infinite: int
    above: int
    ratio: Fraction | None
    number: int

    @classmethod
    def of(cls, answers: Sequence[list[int]]) -> "Found | None":
        """Sum up the answers of units, in their order, or None if no prior says anything."""
        finite = [answer for answer in answers if answer[1]]
        if not finite:
            return None
        best = finite[0]
        for each in finite[1:]:
            if each[4] * best[5] > best[4] * each[5]:
                best = each
        counts = [sum(answer[place] for answer in answers) for place in range(4)]
        ratio = Fraction(best[4], best[5]) if best[5] else None
        return cls(counts[0], counts[1], counts[2], counts[3], ratio, best[6])


def found(
    rows: list[list[int]], pairs: list[Any], most: int, span: list[int], bound: list[int]
) -> list[int]:
    """Return of the priors from one number to another: how many there are, say something, are
    infinite, exceed the level; and the largest ratio, above and below, with its number.
    """
    total = [0, 0, 0, 0]
    best = [0, 1, span[0]]
    for numbers, weights in _priors(span, most, len(rows)):
        above, below = _largest(weights, rows, pairs)
        counts = (above > 0, (above > 0) & (below == 0), above * bound[1] > below * bound[0])
        total = [
            total[0] + len(numbers),
            *(old + int(new.sum()) for old, new in zip(total[1:], counts)),
        ]
        place = _first_largest(above, below)
        one, other = int(above[place]), int(below[place])
        if one * best[1] > best[0] * other:
            best = [one, other, int(numbers[place])]
    return total + best


def spread(
    rows: list[list[int]], pairs: list[object], most: int, span: list[int]
) -> list[list[int]]:
    """Return of the priors from one number to another how many have finite leakages of about k /
    256 nats, [k, number] each; k is rounded down in floats, which decide nothing.
    """
    import numpy as np

    counts = np.zeros(0, dtype=np.int64)
    for _, weights in _priors(span, most, len(rows)):
        above, below = _largest(weights, rows, pairs)
        finite = (above > 0) & (below > 0)
        nats = np.log(above[finite] / below[finite])
        new = np.bincount((nats * BINS_PER_NAT + 1e-9).astype(np.int64), minlength=len(counts))
        new[: len(counts)] += counts
        counts = new
    return [[int(k), int(counts[k])] for k in np.flatnonzero(counts)]


def _priors(span: list[int], most: int, databases: int) -> "Iterator[tuple[Integers, Integers]]":
    """Yield priors in arrays: their numbers, and their weights, one row each. Weights without a
    common divisor stand for their multiples, and those that are all 0, whose divisor is 0, for
    nothing.
    """
    import numpy as np

    for start in range(span[0], span[1], _AT_ONCE):
        left = np.arange(start, min(start + _AT_ONCE, span[1]), dtype=np.int64)
        columns = np.empty((databases, len(left)), dtype=np.int64)
        for column in columns[::-1]:
            left, column[:] = np.divmod(left, most + 1)
        places = np.flatnonzero(np.gcd.reduce(columns, axis=0) == 1)
        if len(places):
            yield start + places, columns[:, places].T


def _largest(weights: "Integers", rows: list[list[int]], pairs: list[Any]) -> "Ratios":
    """Return the largest ratio of every prior over pairs, both orders and outputs."""
    import numpy as np

    matrix = np.array(rows, dtype=np.int64)
    best = np.zeros(len(weights), dtype=np.int64), np.ones(len(weights), dtype=np.int64)
    for pair in pairs:
        one, other = (_conditional(weights, matrix, held) for held in pair)
        for (above, own), (below, its) in ((one, other), (other, one)):
            for output in range(matrix.shape[1]):
                best = _larger(best, (above[:, output] * its, below[:, output] * own))
    return best


def _conditional(weights: "Integers", matrix: "Integers", held: list[int]) -> "Ratios":
    """Return a(s, y) and w(s) of a secret that holds in some databases."""
    inside = weights[:, held]
    return inside @ matrix[held], inside.sum(axis=1)


def _larger(first: "Ratios", second: "Ratios") -> "Ratios":
    """Return the larger of two ratios, place by place, the first of equal ones.

    One above 0 over 0 is infinite; what is 0 above, whatever is below, is never larger.
    """
    import numpy as np

    change = second[0] * first[1] > first[0] * second[1]
    return np.where(change, second[0], first[0]), np.where(change, second[1], first[1])


def _first_largest(above: "Integers", below: "Integers") -> int:
    """Return the first place of the largest ratio, by halves."""
    import numpy as np

    places = np.arange(len(above))
    while len(places) > 1:
        half = (len(places) + 1) // 2
        first, second = places[:half].copy(), places[half:]
        upper = first[: len(second)]
        change = above[second] * below[upper] > above[upper] * below[second]
        change |= (above[second] * below[upper] == above[upper] * below[second]) & (second < upper)
        first[: len(second)] = np.where(change, second, upper)
        places = first
    return int(places[0])
