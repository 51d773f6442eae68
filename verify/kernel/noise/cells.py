"""What noise on a sum of the records of a chain leaks whichever chain of a class it is.

Chains of two values have P(0, 1) = a, P(1, 0) = b and P(X_1 = 1) = s. A class is cut into cells,
each of which is bounded by numbers at its ends: at the output that favours value 1 most the ratio
is w_i u_i v_i, with what record i, the later ones and the earlier ones tell. All numbers are
rounded outward to so many bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from ..level import Level, Point
from ..reading import Node, cost, require, spend
from .classes import Cell, Class, Classes
from .laws import decay
from .model import Model, about, opened, precision
from .rounding import ONE, Rounded, inverse, less, plus, raised, rounded, times, whole

Odds = tuple[Rounded, Rounded]  # (d, n) stands for n / d
STEP = 64  # operations with rounded numbers for a record, and more


def at_most(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """For every chain of every class, and pairs in both orders: no ratio is more than R."""
    claim, model, inputs = opened(top, "level bits cells", paths, Classes)
    level, bits = Level(claim["level"]), precision(claim["bits"])
    require(model.noise.precision == 0, "normal noise has no bounded ratio: expected a delta")
    require(len(model.alphabet) == 2, "no rule for classes of {} values", model.alphabet)
    cells, checked = claim["cells"].children(), 0
    require(cells.keys() == model.classes.keys(), "cells: expected those of every class")
    weights, asked = Weights(model, bits), sorted({model.secrets[s][0] for s, _ in model.pairs})
    for name, own in model.classes.items():
        records = [i for i in asked if own.possible(i)]
        alike = not own.changes or (cells[name].value == "." and not own.turns)
        require(alike, "chains that change with time: expected one cell, and a + b <= 1")
        if records and own.turns:
            require(not above(level, weights.all), "a + b > 1: expected more than one record tells")
            checked += 1
        for cell in leaves(cells[name], own.whole):
            for swapped in (False, True) if records else ():
                for odds in Ends(cell, own, swapped, weights).ratios(records):
                    require(not above(level, odds), "the ratio in a cell exceeds {}", level.name)
                    checked += 1
    require(checked > 0, "nothing to check")
    return f"the leakage of {about(model)} is at most {level.name}", checked, inputs


def above(level: Level, ratio: Rounded) -> bool:
    spend(1, *[abs(ratio[1])] * 2)
    one, other = whole(ratio, ONE)
    return level.exceeded(Point(one, 1, other, 1))


def leaves(node: Node, cell: Cell) -> Iterator[Cell]:
    """NU2: yield the cells of a tree, written from its root: a letter halves the cell in that
    parameter, the lower half first, and a full stop leaves it as it is.
    """
    left = [cell]
    for letter in node.of(str):
        require(left, "{}: expected no more than one tree", node.where)
        now = left.pop()
        if letter == ".":
            yield now
            continue
        require(letter in now, "{}: no parameter {}", node.where, letter)
        low, high = now[letter]
        spend(2, cost(low) + 1, cost(high) + 1)
        middle = (low + high) / 2
        left += [now | {letter: (middle, high)}, now | {letter: (low, middle)}]
    require(not left, "{}: expected a whole tree", node.where)


class Weights:
    """How many times as much a record of one value counts as one of the other, at the end of all
    queries that favours it: W of `each` record, and V of all queries together.
    """

    def __init__(self, model: Model, bits: int) -> None:
        spend(model.count, 64, 64)
        self.bits, self.each, self.all = bits, [ONE] * model.count, ONE
        for query, noise in model.groups:
            once = inverse(decay(noise, bits, False), bits, True)
            own = raised(once, abs(query.adds[0] - query.adds[1]), bits, True)
            self.each[query.first - 1 : query.last] = [own] * (query.last - query.first + 1)
            self.all = times(self.all, own, bits, True)


class Bounds(NamedTuple):
    """x and 1 - x, each from below and from above."""

    low: Rounded
    high: Rounded
    rest_low: Rounded
    rest_high: Rounded


def bounds(x: Fraction, bits: int) -> Bounds:
    spend(4, cost(x), bits + 768)
    low, high, rest_low, rest_high = (rounded(y, bits, up) for y in (x, 1 - x) for up in (False, True))
    return Bounds(low, high, rest_low, rest_high)


class Ends:
    """What bounds the ratios in a cell, of the outputs that favour one value; `swapped`: 0."""

    def __init__(self, cell: Cell, own: Class, swapped: bool, weights: Weights) -> None:
        self.weights, self.bits = weights, weights.bits
        if own.gap > 0:
            (low, high), gap = cell["p"], own.gap
            a, b = (low * gap, high * gap), ((1 - high) * gap, (1 - low) * gap)
        else:
            a, b = cell["a"], cell["b"]
        start = cell.get("s")
        if swapped:
            a, b = b, a
            start = start and (1 - start[1], 1 - start[0])
        spend(2, cost(a[0]), cost(b[0]))
        self.empty = a[0] + b[0] > 1  # no chain of the cell has a + b <= 1
        self.a, self.a_high = (bounds(x, self.bits) for x in a)
        self.b, self.b_high = (bounds(x, self.bits) for x in b)
        self.start = start and tuple(bounds(x, self.bits) for x in start)

    def up(self, *factors: Rounded) -> Rounded:
        return self.product(factors, True)

    def down(self, *factors: Rounded) -> Rounded:
        return self.product(factors, False)

    def product(self, factors: Sequence[Rounded], up: bool) -> Rounded:
        found = factors[0]
        for each in factors[1:]:
            found = times(found, each, self.bits, up)
        return found

    def sum(self, one: Rounded, two: Rounded, up: bool) -> Rounded:
        return plus(one, two, self.bits, up)

    def over(self, one: Rounded, two: Rounded) -> Rounded:
        """Return one / two from above."""
        return self.up(one, inverse(two, self.bits, True))

    def ratios(self, records: Sequence[int]) -> Iterator[Rounded]:
        """NU4: yield w_i u_i v_i from above, for some records in order."""
        if self.empty:
            return
        weights = self.weights.each
        spend(STEP * len(weights), self.bits, self.bits)
        later, wanted, told = dict[int, Rounded](), {*records}, ONE
        for record in range(len(weights), records[0] - 1, -1):
            told = self.up(told, weights[record - 1])
            if record in wanted:
                later[record] = told
            told = self.stepped(told)
        odds, told = self.first(), ONE
        for record in range(1, records[-1] + 1):
            if record in wanted:
                yield self.up(later[record], told)
            told = self.up(told, weights[record - 1])
            if odds is None:
                told = self.stepped(told)
            else:
                told, odds = self.passed(told, odds), self.moved(odds)

    def stepped(self, z: Rounded) -> Rounded:
        """Return (b + (1 - b) z) / (1 - a + a z) at the least a and b."""
        above = self.sum(self.b.high, self.up(self.b.rest_high, z), True)
        return self.over(above, self.sum(self.a.rest_low, self.down(self.a.low, z), False))

    def first(self) -> tuple[Odds, Odds] | None:
        """Return the least and the largest odds of X_1, nothing of stationary chains."""
        if not self.start:
            return None
        low, high = self.start
        return (low.rest_high, low.low), (high.rest_low, high.high)

    def moved(self, odds: tuple[Odds, Odds]) -> tuple[Odds, Odds]:
        """Return the least and the largest odds of the next record."""
        (d, n), (e, m) = odds
        a, b, wide, long = self.a, self.b, self.a_high, self.b_high
        least = (
            self.sum(self.up(d, a.rest_high), self.up(n, long.high), True),
            self.sum(self.down(d, a.low), self.down(n, long.rest_low), False),
        )
        most = (
            self.sum(self.down(e, wide.rest_low), self.down(m, b.low), False),
            self.sum(self.up(e, wide.high), self.up(m, b.rest_high), True),
        )
        return least, most

    def passed(self, z: Rounded, odds: tuple[Odds, Odds]) -> Rounded:
        """Return the largest g(o) for odds between two, at the least a and b."""
        (d, n), (e, m) = odds
        if m[0] == 0 or d[0] == 0:  # one value of the record before is impossible
            return ONE
        a, b = self.a, self.b
        if self.rises(m, e, z):
            return self.at((e, m), z)
        if not less(self.down(n, n, b.low, b.rest_low, z), self.up(d, d, a.high, a.rest_high)):
            return self.at((d, n), z)
        return self.highest(z)

    def rises(self, n: Rounded, d: Rounded, z: Rounded) -> bool:
        """Whether g rises up to n / d: (n / d)^2 b (1 - b) z <= a (1 - a)."""
        a, b = self.a, self.b
        left, right = self.up(n, n, b.high, b.rest_high, z), self.down(d, d, a.low, a.rest_low)
        return not less(right, left)

    def at(self, odds: Odds, z: Rounded) -> Rounded:
        """Return g(o) = (1 + B_1 (z - 1)) / (1 + B_0 (z - 1)), which is at most z."""
        (d, n), a, b = odds, self.a, self.b
        above = self.up(
            self.sum(self.up(a.high, d), self.up(b.rest_high, z, n), True),
            self.sum(self.up(a.rest_high, d), self.up(b.high, n), True),
        )
        below = self.down(
            self.sum(self.down(a.low, d), self.down(b.rest_low, n), False),
            self.sum(self.down(a.rest_low, d), self.down(b.low, z, n), False),
        )
        return self.no_more(above, below, z)

    def highest(self, z: Rounded) -> Rounded:
        """Return z ((1 + s) / (s + z))^2 for s^2 = z (1 - a) (1 - b) / (a b)."""
        below = self.down(self.a.low, self.b.low)
        if below[0] == 0:
            return z
        s = root(self.over(self.up(z, self.a.rest_high, self.b.rest_high), below), self.bits)
        one, two = self.sum(ONE, s, True), self.sum(s, z, False)
        return self.no_more(self.up(z, one, one), self.down(two, two), z)

    def no_more(self, above: Rounded, below: Rounded, z: Rounded) -> Rounded:
        """Return a quotient from above, or z if that is less."""
        if below[0] == 0:
            return z
        found = self.over(above, below)
        return found if less(found, z) else z


def root(number: Rounded, bits: int) -> Rounded:
    """Return a square root from above."""
    m, e = number
    move = 2 * bits + (e & 1)
    spend(1, m.bit_length() + move, bits)
    return isqrt(m << move) + 1, (e - move) // 2
