"""An upper bound of the worst case about the first record of chains in a box, of any alphabet: with
D_n = R_n,

    D_j = R_j max over v, w, A of (1 + (D_(j+1) - 1) most(v, A)) / (1 + (D_(j+1) - 1) least(w, A)),

A a set of values, most(v, A) the largest mass that it has in row v of the box, least(w, A) the
least one in row w. In the end v, w are the values of the secrets. Two records reach it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations, product
from math import ceil
from typing import Any, Literal, NamedTuple

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.local import LocalMechanism, RecordLaws
from pufferproof.verify.leakage.ratio import Leakage

# The worst case of per-record levels: what it says, and bounds of it pair by pair.

Attained = Literal["count", "alternating count", "signed count", "randomised response", "linear program"]
BoundName = Literal["recursion", "blocks", "published", "elimination"]
Favours = Mapping[int, frozenset[int]]
Ends = tuple[Total | None, Total | None]  # of a leakage, None if an end is no level
_WRITTEN = 100_000  # records of a mechanism that is written to a file
_ONE = Fraction(1)


@dataclass(frozen=True, repr=False)
class WorstCase(Readable, Tabular):
    """The largest leakage of mechanisms of per-record levels.

    `leakage` has equal ends or an enclosure where `exact`, else an upper bound and what a mechanism
    that was found leaks. It is that of `pair` under `prior`; `attained` says by which release, and
    `mechanism` makes one, or None if none was made. It rests on `claims`; `bound` says what kind of
    bound it is where it is one. Of independent records it is the largest of the `levels` of those
    that secrets speak of. `ends` are levels that are the ends of the leakage, None if an end is no
    level.
    """

    _named = ("prior", "above", "below")

    leakage: Leakage
    exact: bool
    prior: str
    pair: Pair
    attained: Attained | None
    mechanism: Callable[[], Channel | LocalMechanism] | None = field(default=None, repr=False)
    claims: tuple[str, ...] = ()
    bound: BoundName = "recursion"
    levels: tuple[Total, ...] = field(default=(), repr=False)
    ends: Ends = field(default=(None, None), repr=False)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell.

        A leakage that is the largest of some `levels` is compared with epsilon itself, so that it
        is known to be equal where both are irrational.
        """
        if self.levels:
            return max(each.compare(level) for each in self.levels)
        return self.leakage.compare(level)

    def entries(self) -> list[Entry]:
        """Return one row: where the worst case is, and its nats."""
        above, below = self.pair
        place = {"prior": self.prior, "above": above, "below": below, "attained": self.attained}
        return [place | nats(self.enclosure())]

    def enclosure(self) -> Enclosure:
        """Return the leakage in nats."""
        return enclosed(self.leakage, self.ends)

    def __str__(self) -> str:
        one, other = self.pair
        where = f"for {one!r} against {other!r}, prior {self.prior!r}"
        how = f", attained by a {self.attained}" if self.attained else ""
        return f"leakage {self.leakage} over all mechanisms of these levels, {where}{how}"


def enclosed(leakage: Leakage, ends: Ends) -> Enclosure:
    """Return a leakage in nats, its ends from levels if they are such."""
    (low, high), rounded = ends, leakage.enclosure()
    return Enclosure(
        rounded.lower if low is None else low.enclosure().lower,
        rounded.upper if high is None else high.enclosure().upper,
    )


@dataclass(frozen=True)
class PairBounds:
    """Bounds of the largest ratio for one ordered pair under one prior, None for infinite."""

    lower: Fraction | None
    upper: Fraction | None
    prior: str
    pair: Pair


def largest(known: Sequence[PairBounds]) -> PairBounds:
    """Return bounds of the largest of several, with the place of the largest upper one.

    Raises `ModelError` if there is none.
    """
    if not known:
        raise ModelError("nothing to check: under every prior, each pair has a secret of probability 0", "pairs")
    top = max(known, key=lambda each: (each.upper is None, each.upper or _ONE))
    lows = [each.lower for each in known]
    lower = None if None in lows else max(low for low in lows if low is not None)
    return PairBounds(lower, top.upper, top.prior, top.pair)


class Order(NamedTuple):
    """An ordered pair of secrets, its record, and the positions of both values in the alphabet."""

    pair: Pair
    record: int
    one: int
    other: int


def orders(framework: Framework) -> Iterator[Order]:
    """List the ordered pairs with their record and the positions of both values."""
    for pair in framework.pairs:
        for order in framework.orders(pair):
            (record, one), (_, other) = (framework.places[secret] for secret in order)
            yield Order(order, record, one, other)


def responses(framework: Framework, levels: RecordLevels, favours: Favours) -> LocalMechanism:
    """Return the mechanism in which record j says 1 with odds R_j to 1 on favoured values, and 0 so
    on others; a record without any says nothing. Where R_j is irrational a rational just below
    takes its place.

    Raises `ModelError` for more than 100,000 records.
    """
    alphabet = framework.expect_records().alphabet
    if levels.count > _WRITTEN:
        raise ModelError(
            f"expected at most {_WRITTEN} records for a mechanism that is written out, found {levels.count}",
            "records.count",
        )
    half = (Fraction(1, 2), Fraction(1, 2))
    rows = {}

    def row(record: int) -> Any:
        chosen, ratio = favours.get(record), levels.at(record).rounded(upward=False).ratio
        if (chosen, ratio) not in rows:
            told = (1 / (ratio + 1), ratio / (ratio + 1))
            rows[chosen, ratio] = (half,) * len(alphabet)
            if chosen is not None:
                rows[chosen, ratio] = tuple(told if x in chosen else told[::-1] for x in range(len(alphabet)))
        return rows[chosen, ratio]

    records = tuple(row(record) for record in range(1, levels.count + 1))
    return LocalMechanism(alphabet, ("0", "1"), RecordLaws(records))


RESTS_ON = ("worst.box-sets",)
MOST_VALUES = 8  # of which all sets are gone through
_LONG, _BITS = 512, 128  # numbers of more bits are rounded up to so many after the point
_LARGEST = Fraction(2) ** 4096


@dataclass(frozen=True)
class Masses:
    """The largest mass of a set of values in one row, and the least one in another."""

    most: Fraction
    least: Fraction
    chosen: tuple[bool, ...]

    def told(self, apart: Fraction) -> Fraction:
        """Return how far a column tells the rows apart by this set, where its means are `apart`."""
        return (1 + (apart - 1) * self.most) / (1 + (apart - 1) * self.least)


def box_bound(box: IntervalChain, levels: RecordLevels, pairs: Iterable[tuple[int, int]]) -> Fraction | None:
    """Return an upper bound of e to the worst case for pairs of values of the first record, by
    their positions, or None if it is too large to say.

    >>> rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    >>> box_bound(IntervalChain("any", rows, rows), RecordLevels.uniform(2, ["log(2)"]), [(0, 1)])
    Fraction(12, 5)

    Args: box: of at most 8 values.
    """
    apart = _later(box, levels)
    if apart is None:
        return None
    return levels.at(1).bounds()[1] * max(each.told(apart) for each in _front(box, pairs))


def telling_chain(box: IntervalChain, levels: RecordLevels, pair: tuple[int, int]) -> MarkovChain | None:
    """Return a chain of the box that tells much about two values of a record: rows of the
    first value, and of those in the set that tells most, have the largest mass there, others the
    least one. With two records none tells more about the first.

    >>> rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    >>> box = IntervalChain("any", [[0, 0, 0]] * 3, [["1/2"] * 3] * 3)
    >>> chain = telling_chain(box, RecordLevels.uniform(2, ["log(2)"]), (0, 1))
    >>> [[str(p) for p in row] for row in chain.transition]
    [['1/2', '0', '1/2'], ['1/2', '1/2', '0'], ['1/2', '0', '1/2']]
    """
    apart = _later(box, levels)
    if apart is None:
        return None
    best = max(_front(box, [pair]), key=lambda each: each.told(apart))
    ends = list(zip(box.lower, box.upper))
    return box.chain(
        [
            _row(*ends[x], [among == (x == pair[0] or (x != pair[1] and best.chosen[x]))
                            for among in best.chosen])
            for x in range(box.states)
        ]
    )  # fmt: skip


def _later(box: IntervalChain, levels: RecordLevels) -> Fraction | None:
    """Return D_2, 1 where there is one record, or None if it is too large to say."""
    front, bound = _front(box, permutations(range(box.states), 2)), _ONE
    for length, total in [*levels.between(2, levels.count)][::-1]:
        own = total.bounds()[1]
        for _ in range(length):
            last, bound = bound, _short(own * max(each.told(bound) for each in front))
            if bound > _LARGEST:
                return None
            if bound == last:  # more records of this level add nothing
                break
    return bound


def _short(value: Fraction) -> Fraction:
    """Return a number, rounded up where it is long."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _LONG:
        return value
    return Fraction(ceil(value * 2**_BITS), 2**_BITS)


def _front(box: IntervalChain, pairs: Iterable[tuple[int, int]]) -> list[Masses]:
    """Return the masses of all sets for pairs of rows, without the dominated ones."""
    chosen = list(product((False, True), repeat=box.states))
    ends = list(zip(box.lower, box.upper))
    every = [Masses(_mass(*ends[v], A), 1 - _mass(*ends[w], [not z for z in A]), A) for v, w in pairs for A in chosen]
    front: list[Masses] = []
    for each in sorted(every, key=lambda each: (-each.most, each.least)):
        if not front or each.least < front[-1].least:
            front.append(each)
    return front


def _mass(lower: Sequence[Fraction], upper: Sequence[Fraction], chosen: Sequence[bool]) -> Fraction:
    """Return the largest mass that chosen values have in a row between two bounds."""
    own = sum((high for high, among in zip(upper, chosen) if among), Fraction(0))
    left = sum((low for low, among in zip(lower, chosen) if not among), Fraction(0))
    return min(own, 1 - left)


def _row(lower: Sequence[Fraction], upper: Sequence[Fraction], chosen: Sequence[bool]) -> list[Fraction]:
    """Return a row between two bounds in which chosen values have the largest mass."""
    row, left = list(lower), 1 - sum(lower)
    for z in sorted(range(len(row)), key=lambda z: not chosen[z]):
        more = min(left, upper[z] - lower[z])
        row[z], left = row[z] + more, left - more
    return row
