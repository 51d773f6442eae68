"""3R designs: records near the private one are redacted, far ones shown, others by their value.

The regions are found again, and what no mechanism of a class releases is bounded by numbers of the
certificate or of the kernel. Notation: that of `redaction`; the influence of a value at a distance
is the larger of its slope and the inverse; q is r(0) of a record of the medium region.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, count, islice, pairwise, repeat
from math import ceil, floor
from typing import NamedTuple

from ..level import Level
from ..reading import Node, require, size, spend
from .redaction import (
    REDACTED,
    Arithmetic,
    Both,
    Chain,
    Row,
    Slope,
    exceeds,
    extreme,
    over,
    reaches,
    row_of,
    runs,
    times,
)

FINEST, GRAIN, UNIT = 33, 1 << 96, 1 << 160  # bits of how close points are; units of points, bounds
RELEASED: Row = (1, 0, 0)
NOTHING: Both = ((1, 1), (1, 1))  # bounds of the slope of what is not shown

Lines = list[tuple[int, int]]
Bounded = tuple[int, int, Fraction]  # how many are released and medium, the least sum of q


class Side(NamedTuple):
    """The left or the right of p: rows, the nearest first, how many are not small, q, a proof."""

    rows: list[Row]
    near: int
    q: list[Fraction]
    proof: Node


class Design:
    """A mechanism within a level, and what no mechanism of its class is to exceed.

    Values are exchanged if alpha > beta.
    """

    def __init__(
        self, chain: Chain, rows: list[Row], numbers: Arithmetic, level: Level, most: Fraction, proof: Node
    ) -> None:
        turned = chain.alpha > chain.beta
        self.given, self.chain = chain, chain.turned() if turned else chain
        self.numbers, self.level = numbers, level
        self.rows = [(unit, one, zero) for unit, zero, one in rows] if turned else rows
        self.falls = chain.alpha + chain.beta > 1  # the map of slopes, if the eigenvalue is negative
        self.most, self.proof = most, proof  # released records; the numbers that show it
        self.power = 1 if chain.private in (1, chain.length) else 2  # of e^budget that is e^level
        self.slopes: list[tuple[Both, Both]] = []  # bounds for values 0 and 1, at distance 1, 2, ..
        self.first = self.small = 0  # the least distances of the medium and of the small region

    def values(self) -> Iterator[tuple[Both, Both]]:
        """Yield bounds of the slopes at distance 1, 2, .. of records with value 0 and value 1."""
        zero: Both = ((1, 0), (1, 0))
        one: Both = ((0, 1), (0, 1))
        forth = self.chain.forth
        while True:
            zero, one = (self.numbers.moved(forth, both, True) for both in (zero, one))
            yield zero, one

    def keeps(self, ratio: Slope) -> bool:
        """Decide ratio <= e^budget for the budget of a side."""
        spend_product(ratio[0].bit_length() + ratio[1].bit_length())
        return not exceeds(self.level, (ratio[0] ** self.power, ratio[1] ** self.power))

    def reached(self, ratio: Slope) -> bool:
        """Decide ratio >= e^budget for the budget of a side."""
        spend_product(ratio[0].bit_length() + ratio[1].bit_length())
        return reaches(self.level, (ratio[0] ** self.power, ratio[1] ** self.power))

    def within(self, both: Both) -> bool:
        """Decide whether the influence of a slope between these is within the budget of a side."""
        if self.keeps(extreme(both)):
            return True
        require(not self.keeps(extreme(both[::-1])), "undecided: the precision is too low")
        return False

    def regions(self) -> None:
        """Find the regions: medium once the common value is within the budget, small once both."""
        longest = max(self.chain.private - 1, self.chain.length - self.chain.private)
        self.first = self.small = longest + 1
        for distance, pair in enumerate(islice(self.values(), longest), 1):
            self.slopes.append(pair)
            common, rare = map(self.within, pair)
            self.first = min(self.first, distance) if common else self.first
            whole = common == (self.first <= distance)
            require(whole, "the regions at distance {} are no intervals", distance)
            if common and rare:  # and so beyond, where less is learnt
                self.small = distance
                break

    def sides(self) -> Iterator[Side]:
        """Yield the left and the right of p, which are to follow the regions."""
        self.regions()
        p, proofs = self.chain.private, self.proof.fields("left right")
        parts = ((self.rows[: p - 1][::-1], proofs["left"]), (self.rows[p:], proofs["right"]))
        for rows, proof in parts:
            first, near = (min(distance - 1, len(rows)) for distance in (self.first, self.small))
            medium = rows[first:near]
            ends = all(row == REDACTED for row in rows[:first])
            ends = ends and all(row == RELEASED for row in rows[near:])
            follows = ends and all(one == unit for unit, _, one in medium)
            require(follows, "the mechanism does not follow the regions")
            yield Side(rows, near, [Fraction(zero, unit) for unit, zero, _ in medium], proof)

    def not_above(self, sides: Sequence[Bounded]) -> None:
        """Check the bound of what both sides release."""
        common = self.chain.beta / (self.chain.alpha + self.chain.beta)
        shares = (released + (medium - least) * common for released, medium, least in sides)
        total = sum(shares, Fraction(0))
        require(total <= self.most, "up to {} released records are not excluded", total)

    def relaxed(self) -> None:
        """Class 3r-relaxed: q keeps the published constraints, y bounds the sum of such q."""
        self.not_above([self.relaxed_side(side) for side in self.sides()])

    def relaxed_side(self, side: Side) -> Bounded:
        """Check q and y of a side, the numbers of its proof, whose sum is the bound."""
        rows, near, q, proof = side
        y = [n for times, (n,) in runs(proof, 1, len(q)) for _ in range(times)]
        product_q, product_y = (1, 1), (1, 1)
        for distance, above, below, then in zip(count(near - len(q) + 2), q, y, [*y[1:], Fraction(0)]):
            delta = self.slopes[distance - 1][distance > near] if distance <= len(rows) else NOTHING
            product_q = self.numbers.short(times(product_q, above.as_integer_ratio()), False)
            kept = self.keeps(over(extreme(delta), product_q))
            require(kept, "the constraint before distance {} is broken", distance)
            product_y = self.numbers.short(times(product_y, below.as_integer_ratio()), True)
            require(below >= then >= 0, "{}: the numbers grow or are negative", proof.where)
            small = below == then or self.reached(over(extreme(delta[::-1]), product_y))
            require(small, "{}: the product before distance {} is too large", proof.where, distance)
        return len(rows) - near, len(q), added(y)

    def constant(self) -> None:
        """Class 3r-constant: each side has one q, and a q below which it leaks too much."""
        sides = []
        for side in self.sides():
            require(len({*side.q}) < 2, "q is not constant")
            require(self.keeps(extreme(self.side(side.rows, True))), "a side leaks more than its budget")
            sides.append((len(side.rows) - side.near, len(side.q), len(side.q) * self.too_small(side)))
        self.not_above(sides)

    def exact(self) -> None:
        """Class 3r-exact: as 3r-constant for at most one medium record, else lower bounds."""
        sides = []
        for side in self.sides():
            require(self.keeps(extreme(self.side(side.rows, True))), "a side leaks more than its budget")
            few = len(side.q) < 2
            least = self.too_small(side) * len(side.q) if few else self.chained(side)
            sides.append((len(side.rows) - side.near, len(side.q), least))
        self.not_above(sides)

    def chained(self, side: Side) -> Fraction:
        """Return a lower bound of the sum of q: the first slope is at least that of the proof."""
        (rows, near, q, proof), numbers, forth = side, self.numbers, self.chain.forth
        text = "there is no rule for two medium records and a negative eigenvalue"
        require(not self.falls, text)
        least = proof.number()
        require(0 <= least < 1, "{}: expected a slope from 0 to 1", proof.where)
        both: Both = (least.as_integer_ratio(), least.as_integer_ratio())
        for _ in range(near - len(q) + 1):
            both = numbers.moved(forth, both, True)
        low = self.reached(both[1][::-1])
        require(low, "{}: the slope may be below {}", proof.where, least)
        bound = Bound(self.chain.alpha, self.chain.beta)
        end = bound.g(Fraction(0)) if len(rows) > near else Fraction(1)
        return bound.chained(q, least, end)

    def too_small(self, side: Side) -> Fraction:
        """Check that the side leaks too much for any q below that of the proof, and return it."""
        (rows, near, q, proof), least = side, side.proof.number()
        text = "there is no rule for two medium records and a negative eigenvalue"
        require(len(q) < 2 or not self.falls, text)
        if least != 0:
            medium = [row_of(least, Fraction(1))] * len(q)
            low, high = self.side([*rows[: near - len(q)], *medium, *rows[near:]], False)
            reached = self.reached(high if self.falls and near % 2 else low[::-1])
            require(reached, "{}: q may be below {}", proof.where, least)
        return least

    def side(self, rows: list[Row], wide: bool) -> Both:
        """Return bounds of the extreme slopes that a side, the nearest row first, shows of p."""
        return self.numbers.side(rows[::-1], self.chain.forth, (1, 1), repeat(None), wide)


def added(values: Iterable[Fraction]) -> Fraction:
    """Return a sum, and refuse where its denominator grows long over and over."""
    total = Fraction(0)
    for value in values:
        spend_product(size(total) + size(value))
        total += value
    return total


def spend_product(bits: int) -> None:
    """Count a product, sum, common factor or comparison of two fractions of so many bits."""
    spend(1, 768 + bits, 768 + bits)


class Bound:
    """Lower bounds of the sum of q from a medium record on, as functions of the least slope there.

    q_k = s_k f(s_(k+1)) with f = 1 / g, which falls and is convex: above tangents. V_k(s) is the
    least s f(s') + V_(k+1)(s') over s' with g(s') >= s. Bounded below by lines on every interval of
    s', it is on an interval of s above the least of the lines that are possible there, hence above
    its chord; and tangent and chord together are least at an end of an interval.
    """

    def __init__(self, alpha: Fraction, beta: Fraction) -> None:
        self.alpha, self.beta = alpha, beta

    def chained(self, q: list[Fraction], least: Fraction, end: Fraction) -> Fraction:
        """Return a lower bound of the sum of q; `end` is what the last q is multiplied with."""
        bottoms = [*accumulate(q[1:], lambda s, _: self.back(s), initial=least)]
        center, top = q[-1] * end, end  # of the slope at the last medium record
        lines, reach = [(floor(UNIT / end), 0)] * 2, [end]
        for now, bottom in zip(q[-2::-1], bottoms[::-1]):
            lines, reach = self.lines(self.grid(bottom, center, top), lines, reach)
            center, top = now * self.g(center), coarse(self.g(top))
        return Fraction(self.least(lines, least), UNIT)

    def g(self, s: Fraction) -> Fraction:
        """Return the slope s moved by one record."""
        spend_product(size(self.alpha) + size(self.beta) + size(s))
        return ((1 - self.alpha) * s + self.alpha) / (self.beta * s + 1 - self.beta)

    def back(self, s: Fraction) -> Fraction:
        """Return at most the slope >= 0 that is moved to s < 1 by one record, 0 if none is."""
        above, below = s * (1 - self.beta) - self.alpha, 1 - self.alpha - self.beta * s
        return coarse(max(Fraction(0), above / below), floor)

    def grid(self, bottom: Fraction, center: Fraction, top: Fraction) -> list[Fraction]:
        """Return points from the bottom to the top, close to each other near the center."""
        require(bottom < top, "the slopes of a medium record have no room")
        offsets = [top * Fraction(5**i, 4**i << FINEST) for i in range(4 * FINEST)]
        signed = (sign * offset for offset in [Fraction(0), *offsets] for sign in (1, -1))
        near = (coarse(center + offset) for offset in signed)
        return sorted({bottom, top, *(min(max(x, bottom), top) for x in near)})

    def lines(self, points: list[Fraction], beyond: Lines, reach: list[Fraction]) -> tuple[Lines, list[Fraction]]:
        """Return for each interval two lines (t, w) and the largest x.

        One of the two is below x f(s) + V(s) for all s in the interval. These are for the slope x
        of the next record, x <= g(s) as q <= 1; `beyond` and `reach` are those for this record.
        """
        lines: Lines = []
        for x, y in pairwise(points):
            possible = beyond[2 * bisect_left(reach, x) :]
            middle = (x + y) / 2
            below = (1 - self.alpha) * middle + self.alpha
            slope, value = (self.alpha + self.beta - 1) / below**2, 1 / self.g(middle)
            for end in (x, y):
                tangent = floor((value + slope * (end - middle)) * UNIT)
                lines.append((tangent, self.least(possible, end)))
        return lines, [self.g(y) for y in points[1:]]

    def least(self, lines: Lines, s: Fraction) -> int:
        """Return the least s t + w over the lines."""
        spend(1 + len(lines), UNIT.bit_length(), size(s))
        a, b = s.as_integer_ratio()
        return min([a * t + b * w for t, w in lines]) // b


def coarse(value: Fraction, rounded: Callable[[Fraction], int] = ceil) -> Fraction:
    """Return a short fraction close to a value, not below it or, by `floor`, not above it."""
    return Fraction(rounded(value * GRAIN), GRAIN)
