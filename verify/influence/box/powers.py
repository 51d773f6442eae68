"""Rigorous bounds of powers of all transition matrices in a box, and of their derivatives, in
integers of 192 fraction bits.

With bounds of A and of B, rows of A summing to 1, the entry (A B)(v, y) is bounded by the largest
and least sum of p(u) B(u, y) over the rows p that the bounds of A(v, .) hold: a fractional
knapsack. So that P^(m+n) is bounded from P^m and P^n, and with E(x, u) the derivative of P by its
entry (x, u)

    dP^(m+n) = dP^m P^n + P^m dP^n.

All of it contains the truth for every matrix of the box, since every rounding is outward; nothing
here looks for an optimum. Source: Hartfiel, Markov Set-Chains (1998), for the bounds of products.
"""

from collections.abc import Sequence
from fractions import Fraction
from operator import mul, sub
from typing import NamedTuple

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
    """Powers of the matrices in a box, lower <= P <= upper with rows that sum to 1, all d >= 0,
    as bounds.
    """

    def __init__(
        self, lower: Sequence[Sequence[Fraction]], upper: Sequence[Sequence[Fraction]]
    ) -> None:
        self.states = len(lower)
        self.free = [
            (x, u)
            for x in range(self.states)
            for u in range(self.states)
            if lower[x][u] < upper[x][u]
        ]  # a matrix is one point where this is empty
        self.step = Span(
            [[floor_of(p) for p in row] for row in lower],
            [[ceiling_of(p) for p in row] for row in upper],
        )
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
    """Return the largest (or least) sum of p(u) gains(u), lower <= p <= upper, sum(p) = 1, over
    2^384.
    """
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
