"""An upper bound of the worst case about the first record of chains in a box, of any alphabet: with
D_n = R_n,

    D_j = R_j max over v, w, A of (1 + (D_(j+1) - 1) most(v, A)) / (1 + (D_(j+1) - 1) least(w, A)),

A a set of values, most(v, A) the largest mass that it has in row v of the box, least(w, A) the
least one in row w. In the end v, w are the values of the secrets. Two records reach it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import ceil

from pufferproof.lp.levels import RecordLevels
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.markov import MarkovChain

RESTS_ON = ("worst.box-sets",)
MOST_VALUES = 8  # of which all sets are gone through
_LONG, _BITS = 512, 128  # numbers of more bits are rounded up to so many after the point
_LARGEST = Fraction(2) ** 4096
_ONE = Fraction(1)


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
