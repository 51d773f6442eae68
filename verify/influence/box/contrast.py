"""How much rows of P^d differ at most, for every transition matrix in a box: bounds that fall with
the distance d.

With R(d) >= P^d(u, y) / P^d(u', y) for all u, u', A the most mass that row u can have on a set S
and B the least that row u' can,

    R(d+1) = max over sets S of (1 + (R(d) - 1) A(u, S)) / (1 + (R(d) - 1) B(u', S)),

and R(d+1) - 1 <= (R(d) - 1) max (A - B): rows forget. Numbers are integers over 2^192, rounded
upwards. Source: Seneta, Non-negative Matrices and Markov Chains, chapter 3.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from operator import mul, sub
from typing import NamedTuple

RESTS_ON = ("influence.contrast",)
MOST_STATES = 5
_STEPS = 32
_FIRST = 8  # the last power whose entries may be the first without zeros

# over 2^192, by pairs of rows; a pair without a bound is left out
Ratios = dict[tuple[int, int], int]
BITS = 192
ONE = 1 << BITS

Entries = list[list[int]]


class Span(NamedTuple):
    """Bounds of a matrix, entry by entry, as integers over 2^192."""

    lower: Entries
    upper: Entries


class Power(NamedTuple):
    """Bounds of P^d, and of its derivative by every free entry (x, u) of P."""

    value: Span
    slopes: dict[tuple[int, int], Span]


class BoxPowers:
    """Powers of the matrices lower <= P <= upper with rows that sum to 1, as bounds."""

    def __init__(self, lower: Sequence[Sequence[Fraction]], upper: Sequence[Sequence[Fraction]]) -> None:
        self.states = len(lower)
        # a matrix is one point where this is empty
        self.free = [(x, u) for x in range(self.states) for u in range(self.states) if lower[x][u] < upper[x][u]]
        self.step = Span([[floor_of(p) for p in row] for row in lower], [[ceiling_of(p) for p in row] for row in upper])
        eye = [[ONE * (x == y) for y in range(self.states)] for x in range(self.states)]
        zero = [[0] * self.states for _ in range(self.states)]
        self._known = {
            0: Power(Span(eye, eye), {place: Span(zero, zero) for place in self.free}),
            1: Power(self.step, {place: _unit(self.states, place) for place in self.free}),
        }

    def power(self, distance: int) -> Power:
        """Return bounds of P^d and of its derivatives."""
        if distance not in self._known:
            half = self.power(distance // 2)
            whole = _composed(half, half)
            self._known[distance] = _composed(whole, self._known[1]) if distance % 2 else whole
        return self._known[distance]


def floor_of(value: Fraction) -> int:
    """Return the largest integer at most 2^192 value."""
    return (value.numerator << BITS) // value.denominator


def ceiling_of(value: Fraction) -> int:
    """Return the least integer at least 2^192 value."""
    return -((-value.numerator << BITS) // value.denominator)


def extreme(lower: Sequence[int], upper: Sequence[int], gains: Sequence[int], most: bool) -> int:
    """Return the largest or least sum of p(u) gains(u) in the box, sum(p) = 1, over 2^384."""
    return _moved(_room(lower, upper), _ordered(gains, most))


class _Room(NamedTuple):
    """The least entries of a row, how much each may grow, and what is left to be placed."""

    least: Sequence[int]
    growth: list[int]
    rest: int


class _Ordered(NamedTuple):
    """Gains of entries, and the entries in the order in which they are filled."""

    gains: Sequence[int]
    order: list[int]


def _room(lower: Sequence[int], upper: Sequence[int]) -> _Room:
    return _Room(lower, list(map(sub, upper, lower)), ONE - sum(lower))


def _ordered(gains: Sequence[int], most: bool) -> _Ordered:
    return _Ordered(gains, sorted(range(len(gains)), key=gains.__getitem__, reverse=most))


def _moved(room: _Room, ordered: _Ordered) -> int:
    """Return the sum of the gains once what is left is placed in order."""
    (least, growth, rest), (gains, order) = room, ordered
    total: int = sum(map(mul, least, gains))
    for u in order:
        if growth[u] >= rest:
            return total + rest * gains[u]
        total += growth[u] * gains[u]
        rest -= growth[u]
    return total


def _unit(states: int, place: tuple[int, int]) -> Span:
    entries = [[ONE * ((x, u) == place) for u in range(states)] for x in range(states)]
    return Span(entries, entries)


def _composed(one: Power, other: Power) -> Power:
    slopes = {}
    for place, first in one.slopes.items():
        before, after = _plain(first, other.value), _averaged(one.value, other.slopes[place])
        slopes[place] = Span(_sum(before.lower, after.lower), _sum(before.upper, after.upper))
    return Power(_averaged(one.value, other.value), slopes)


def _averaged(one: Span, other: Span) -> Span:
    """Return bounds of a product whose first factor has rows that sum to 1."""
    below = [_ordered(gains, most=False) for gains in zip(*other.lower)]
    above = [_ordered(gains, most=True) for gains in zip(*other.upper)]
    rows = list(map(_room, one.lower, one.upper))
    return Span(
        [[_moved(row, gains) >> BITS for gains in below] for row in rows],
        [[-(-_moved(row, gains) >> BITS) for gains in above] for row in rows],
    )


def _plain(one: Span, other: Span) -> Span:
    """Return bounds of a product of non-negative matrices."""
    below, above = list(zip(*other.lower)), list(zip(*other.upper))
    return Span(
        [[sum(map(mul, row, column)) >> BITS for column in below] for row in one.lower],
        [[-(-sum(map(mul, row, column)) >> BITS) for column in above] for row in one.upper],
    )


def _sum(one: Entries, other: Entries) -> Entries:
    return [[a + b for a, b in zip(*rows)] for rows in zip(one, other)]


class Contrast:
    """Bounds of P^d(u, y) / P^d(u', y) over the box of some powers.

    In units of its least entry the column h = P^d(., y) is between 1 and R(d), and the sum of P(u,
    z) h(z) over that of P(u', z) h(z) is largest where h is 1 or R(d) (influence.contrast).
    """

    def __init__(self, powers: BoxPowers) -> None:
        self.powers, self.step, self.states = powers, powers.step, range(powers.states)
        self.ratios = lru_cache(maxsize=None)(self._ratios)

    def most(self, distance: int, end: int, above: int | None, below: int | None) -> int | None:
        """Return a bound at y = `end` of a pair of rows u, u', or None if there is none."""
        ratios = self.ratios(distance, end)
        pairs = [(u, w) for u in self.states for w in self.states if above in (u, None) and below in (w, None)]
        apart = [pair for pair in pairs if pair[0] != pair[1]]
        if any(pair not in ratios for pair in apart):
            return None
        return max((ONE if len(apart) < len(pairs) else 0, *(ratios[pair] for pair in apart)))

    def _ratios(self, distance: int, end: int) -> Ratios:
        pairs = [(u, w) for u in self.states for w in self.states if u != w]
        if distance == 1:
            return self._quotients(distance, end, pairs)
        if distance > _STEPS:
            return self._far(distance, end, pairs)
        before = self.ratios(distance - 1, end)
        if len(before) < len(pairs):
            return self._quotients(distance, end, pairs) if distance <= _FIRST else {}
        rise = max(before.values()) - ONE
        whole = ONE << BITS
        # influence.contrast: (1 + (R - 1) A) / (1 + (R - 1) B), rounded up
        return {
            pair: max(-((-(whole + rise * a) << BITS) // (whole + rise * b)) for a, b in masses)
            for pair, masses in self._masses.items()
        }

    def _quotients(self, distance: int, end: int, pairs: list[tuple[int, int]]) -> Ratios:
        lower, upper = self.powers.power(distance).value
        return {(u, w): -(-(upper[u][end] << BITS) // lower[w][end]) for u, w in pairs if lower[w][end]}

    def _far(self, distance: int, end: int, pairs: list[tuple[int, int]]) -> Ratios:
        near = self.ratios(_STEPS, end)
        if len(near) < len(pairs):
            return {}
        factor, rise, left = self._contraction, max(near.values()) - ONE, distance - _STEPS
        while left:
            if left % 2:
                rise = -(-rise * factor >> BITS)
            factor = -(-factor * factor >> BITS)
            left //= 2
        return dict.fromkeys(pairs, ONE + rise)

    @cached_property
    def _contraction(self) -> int:
        return max(a - b for masses in self._masses.values() for a, b in masses)

    @cached_property
    def _masses(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """The most mass of row u and the least of row u' on every set of states."""
        sets = [set(chosen) for size in self.states for chosen in combinations(self.states, size + 1)]
        most = [
            [self._mass(row, other, chosen) for chosen in sets] for row, other in zip(self.step.upper, self.step.lower)
        ]
        full = [set(self.states) - chosen for chosen in sets]
        least = [
            [ONE - self._mass(row, other, rest) for rest in full]
            for row, other in zip(self.step.upper, self.step.lower)
        ]
        return {(u, w): list(zip(most[u], least[w])) for u in self.states for w in self.states if u != w}

    def _mass(self, upper: list[int], lower: list[int], chosen: set[int]) -> int:
        """Return the most mass of a row on a set."""
        inside, outside = (sum(upper[z] for z in chosen), sum(lower[z] for z in self.states if z not in chosen))
        return max(0, min(inside, ONE - outside))
