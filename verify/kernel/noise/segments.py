"""Sums over disjoint segments of a chain of two values, released together: intervals of odds.

A pair of numbers (d, n) stands for the odds n / d; an interval for the least and the largest odds.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from math import isqrt

from ..level import Point
from ..reading import spend
from .laws import decay, expect_few, fields, marginal, ordered, smoothed
from .model import Chain, Noise, Query
from .rounding import ONE, ZERO, Matrix, Rounded, Vector, compared, less, plus, power_applied, rational, times

Odds = tuple[Rounded, Rounded]
Interval = tuple[Odds, Odds]
Bounds = tuple[Vector, Vector]  # of numbers at every output, from below and from above
Table = dict[tuple[int, int], Bounds]  # by the values of two records
Kind = tuple[int, list[int], Noise, int]  # a segment, and steps to what it informs
BOTH, SIDES = (0, 1), (False, True)  # values; from below and from above
UNIT: list[Vector] = [[ONE, ZERO], [ZERO, ONE]]


class Walk:
    """The odds of records between the segments of one chain."""

    def __init__(self, chain: Chain, groups: list[tuple[Query, Noise]], bits: int) -> None:
        self.chain, self.groups, self.bits = chain, groups, bits
        step = [[[rational(x, chain.base, bits, up) for x in row] for row in chain.step] for up in SIDES]
        self.step: tuple[Matrix, Matrix] = (step[0], step[1])
        self.alike, self.maps = dict[object, Table](), dict[object, Table]()
        self.images = dict[object, Interval]()
        self.lefts, self.rights = [self.start(groups[0][0].first)], [(ends(UNIT_ROW, UNIT_ROW))]
        for (one, noise), (two, _) in pairwise(groups):
            kind = one.last - one.first, one.adds, noise, two.first - one.last
            self.lefts.append(self.image(kind, True, self.lefts[-1]))
        for (one, _), (two, noise) in reversed([*pairwise(groups)]):
            kind = two.last - two.first, two.adds, noise, two.first - one.last
            self.rights.append(self.image(kind, False, self.rights[-1]))
        self.rights.reverse()

    def start(self, record: int) -> Interval:
        """Bound the odds of a record, of which nothing is shown."""
        law = marginal(self.chain, record, self.bits)
        return ends([law[0][0], law[1][0]], [law[0][1], law[1][1]])

    def image(self, kind: tuple[int, list[int], Noise, int], left: bool, odds: Interval) -> Interval:
        """Bound the odds that the outputs of a segment leave, some steps from it."""
        length, adds, noise, steps = kind
        key = length, tuple(adds), noise, steps, left
        if key not in self.maps:
            self.maps[key] = self.mapped(kind, left)
        if (key, odds) not in self.images:
            self.images[key, odds] = hull(self.maps[key], odds, self.bits)
        return self.images[key, odds]

    def mapped(self, kind: Kind, left: bool) -> Table:
        length, adds, noise, steps = kind
        key = length, tuple(adds), noise
        if key not in self.alike:
            query = Query(adds, 1, length + 1, noise.ratio, noise.ratio)
            given = self.given(query, noise, 1)
            self.alike[key] = {(x, y): given[x, x, y] for x in BOTH for y in BOTH}
        table = self.alike[key]
        power = [power_applied(UNIT, self.step[up], steps, self.bits, up) for up in SIDES]
        found: Table = {}
        for x in BOTH:
            for y in BOTH:
                sides = []
                for up in SIDES:
                    pairs = [
                        (table[x, z][up], power[up][z][y]) if left else (table[z, x][up], power[up][y][z]) for z in BOTH
                    ]
                    sides.append(self.mixed(pairs, up))
                found[x, y] = sides[0], sides[1]
        return found

    def mixed(self, pairs: list[tuple[Vector, Rounded]], up: bool) -> Vector:
        bits, (one, a), (two, b) = self.bits, *pairs
        spend(2 * len(one), bits, bits)
        return [plus(times(x, a, bits, up), times(y, b, bits, up), bits, up) for x, y in zip(one, two)]

    def given(self, query: Query, noise: Noise, record: int) -> dict[tuple[int, int, int], Bounds]:
        """Bound K_w^v(x, y) at every output w, by v, x and y."""
        chain, first, last = self.chain, query.first, query.last
        field = (last - first + 2) * (chain.base.bit_length() + 1) + 16 & ~7
        terms = 1 + max(query.adds) * (last - first + 1)
        expect_few(terms)
        spend(2 * (last - first + 1), terms * field, chain.base.bit_length())
        spend(8, terms * field // 2, 32 * isqrt(terms * field // 2))
        heads, tails = {}, {}
        for end in BOTH:
            now = [int(value == end) for value in BOTH]
            for t in range(first, record):
                put = [x << field * n for x, n in zip(now, query.added(t))]
                now = [sum(x * row[y] for x, row in zip(put, chain.step)) for y in BOTH]
            heads[end] = now
            now = [int(value == end) for value in BOTH]
            for t in range(last, record, -1):
                put = [x << field * n for x, n in zip(now, query.added(t))]
                now = [sum(p * x for p, x in zip(row, put)) for row in chain.step]
            tails[end] = now
        found, taus = {}, [decay(noise, self.bits, up) for up in SIDES]
        for v in BOTH:
            own = query.adds[v]
            for x in BOTH:
                for y in BOTH:
                    law = fields((heads[x][v] * tails[y][v]) << field * own, field, terms)
                    low, high = (smoothed(law, taus[up], self.bits, up) for up in SIDES)
                    found[v, x, y] = low, high
        return found

    def points(self, record: int, wanted: list[tuple[int, int]]) -> Iterator[Point]:
        """Yield the likelihoods of outputs given two values of a record, outward: at both ends of
        the odds on either side, and at every output of its segment.
        """
        masses, bits = marginal(self.chain, record, self.bits), self.bits
        live = {v for v, (low, _) in masses.items() if low[0] > 0}
        pairs = ordered(wanted, live)
        if not pairs:
            return
        for likely in self.likelihoods(record):
            for v, u in pairs:
                spend(len(likely[v][1]), bits, bits)
                yield from compared(likely[v][1], masses[v][0], likely[u][0], masses[u][1])

    def likelihoods(self, record: int) -> Iterator[dict[int, Bounds]]:
        """Yield those of both values, for each end of the odds on either side."""
        k = sum(query.first <= record for query, _ in self.groups) - 1
        inside = k >= 0 and record <= self.groups[k][0].last
        if not inside:
            for p in self.before(k, record):
                for q in self.after(k + 1, record):
                    yield {v: self.alone(p[v], q[v]) for v in BOTH}
            return
        given = self.given(*self.groups[k], record)
        for p in self.lefts[k]:
            for q in self.rights[k]:
                found = {}
                for v in BOTH:
                    low, high = (self.bilinear({xy: given[v, *xy][up] for xy in PAIRS}, p, q, up) for up in SIDES)
                    found[v] = low, high
                yield found

    def alone(self, one: Rounded, two: Rounded) -> Bounds:
        low, high = (times(one, two, self.bits, up) for up in SIDES)
        return [low], [high]

    def bilinear(self, table: dict[tuple[int, int], Vector], p: Odds, q: Odds, up: bool) -> Vector:
        rows = [self.mixed([(table[x, 0], q[0]), (table[x, 1], q[1])], up) for x in BOTH]
        return self.mixed([(rows[0], p[0]), (rows[1], p[1])], up)

    def before(self, k: int, record: int) -> Interval:
        """Bound the odds of a record of no segment that segment k and earlier ones leave."""
        if k < 0:
            return self.start(record)
        query, noise = self.groups[k]
        kind = query.last - query.first, query.adds, noise, record - query.last
        return self.image(kind, True, self.lefts[k])

    def after(self, k: int, record: int) -> Interval:
        if k == len(self.groups):
            return ends(UNIT_ROW, UNIT_ROW)
        query, noise = self.groups[k]
        kind = query.last - query.first, query.adds, noise, query.first - record
        return self.image(kind, False, self.rights[k])


PAIRS = [(x, y) for x in BOTH for y in BOTH]
UNIT_ROW = [ONE, ONE]


def ends(low: Vector, high: Vector) -> Interval:
    """Return the least and the largest odds of numbers between bounds."""
    return (high[0], low[1]), (low[0], high[1])


def hull(maps: Table, odds: Interval, bits: int) -> Interval:
    """Bound what every output makes of the ends of an interval."""
    spend(32 * len(maps[0, 0][0]), bits, bits)
    lows, highs = list[Odds](), list[Odds]()
    for given in odds:
        sides = {
            (y, up): [
                plus(times(given[0], a, bits, up), times(given[1], b, bits, up), bits, up)
                for a, b in zip(maps[0, y][up], maps[1, y][up])
            ]
            for y in BOTH
            for up in SIDES
        }
        lows += zip(sides[0, True], sides[1, False])
        highs += zip(sides[0, False], sides[1, True])
    lower = reduce(lambda x, y: y if below(y, x) else x, lows)
    return lower, reduce(lambda x, y: y if below(x, y) else x, highs)


def below(one: Odds, two: Odds) -> bool:
    """Whether one of two odds n / d is below the other."""
    (d, n), (e, m) = one, two
    return less((n[0] * e[0], n[1] + e[1]), (m[0] * d[0], m[1] + d[1]))
