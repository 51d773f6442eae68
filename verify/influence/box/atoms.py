"""The probabilities that influences are quotients of, over a box of transition matrices: bounds,
derivatives, exact values.

An influence is a product of quotients of positive polynomials in the entries of P, each of them one
of

    P^d(v, y)
    (q P^(t-1))(v), the law of X_t from a given law q
    t(v) = sum of weights of trees towards v

By the Markov chain tree theorem pi(w) / pi(v) = t(w) / t(v), a tree weighing the product of its
transitions. Each is bounded over a box, valued exactly at a point, and has an order: if every entry
(x, u) of P falls like s^n(x, u), s to 0, or is 0 (order None), the probability falls like s to its
order. Sums of positive terms cannot cancel, so that orders are shortest ways.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.verify.influence.box.contrast import BITS, ONE, BoxPowers, Span, ceiling_of, floor_of

if TYPE_CHECKING:
    from flint import fmpq_mat

MOST_TREE_STATES = 5
Order = int | None
Orders = list[list[Order]]


class AtomBounds(NamedTuple):
    """Bounds of a probability, and of its derivatives by free entries, as integers over 2^192."""

    lower: int
    upper: int
    slopes: dict[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Transition:
    """P^d(v, y)."""

    distance: int
    start: int
    end: int

    def bounded(self, powers: BoxPowers) -> AtomBounds:
        """Return bounds over a box."""
        value, slopes = powers.power(self.distance)
        return _weighted([(ONE, ONE, self.start)], value, slopes, self.end)

    def value(self, power: Callable[[int], Sequence[Sequence[Fraction]]]) -> Fraction:
        """Return the value at a matrix, given its powers."""
        return power(self.distance)[self.start][self.end]

    def order(self, orders: "TropicalPowers") -> Order:
        """Return the order along a way to the boundary."""
        return orders.power(self.distance)[self.start][self.end]


@dataclass(frozen=True)
class Marginal:
    """(q P^d)(v), q a given law."""

    law: tuple[Fraction, ...]
    distance: int
    end: int

    def bounded(self, powers: BoxPowers) -> AtomBounds:
        """Return bounds over a box."""
        value, slopes = powers.power(self.distance)
        weights = [(floor_of(p), ceiling_of(p), z) for z, p in enumerate(self.law) if p]
        return _weighted(weights, value, slopes, self.end)

    def value(self, power: Callable[[int], Sequence[Sequence[Fraction]]]) -> Fraction:
        """Return the value at a matrix, given its powers."""
        rows = power(self.distance)
        return sum((p * rows[z][self.end] for z, p in enumerate(self.law) if p), Fraction(0))

    def order(self, orders: "TropicalPowers") -> Order:
        """Return the order along a way to the boundary."""
        rows = orders.power(self.distance)
        return _least(rows[z][self.end] for z, p in enumerate(self.law) if p)


@dataclass(frozen=True)
class Trees:
    """t(v), the stationary probability of v up to a factor that all values share."""

    end: int

    def bounded(self, powers: BoxPowers) -> AtomBounds:
        """Return bounds over a box."""
        lower, upper, below, above = (0, 0, dict.fromkeys(powers.free, 0), dict.fromkeys(powers.free, 0))
        for tree in trees(powers.states, self.end):
            scale = BITS * (len(tree) - 1)
            lower += prod(powers.step.lower[x][u] for x, u in tree) >> scale
            upper += -(-prod(powers.step.upper[x][u] for x, u in tree) >> scale)
            for place in set(tree) & below.keys():
                others = [edge for edge in tree if edge != place]
                less = BITS * (len(tree) - 2)
                below[place] += _shifted(prod(powers.step.lower[x][u] for x, u in others), less)
                above[place] -= _shifted(-prod(powers.step.upper[x][u] for x, u in others), less)
        return AtomBounds(lower, upper, {place: (below[place], above[place]) for place in powers.free})

    def value(self, power: Callable[[int], Sequence[Sequence[Fraction]]]) -> Fraction:
        """Return the value at a matrix, given its powers."""
        step = power(1)
        rooted = trees(len(step), self.end)
        return sum((prod((step[x][u] for x, u in tree), start=Fraction(1)) for tree in rooted), Fraction(0))

    def order(self, orders: "TropicalPowers") -> Order:
        """Return the order along a way to the boundary."""
        step, rooted = orders.power(1), trees(orders.states, self.end)
        return _least(_added(step[x][u] for x, u in tree) for tree in rooted)


Atom = Transition | Marginal | Trees


class TropicalPowers:
    """The orders of the entries of P^d: the least sum of orders over the ways of d steps."""

    def __init__(self, step: Orders) -> None:
        self.states = len(step)
        eye: Orders = [[0 if x == y else None for y in range(self.states)] for x in range(self.states)]
        self._known: dict[int, Orders] = {0: eye, 1: step}

    def power(self, distance: int) -> Orders:
        """Return the orders of P^d."""
        if distance not in self._known:
            half = self.power(distance // 2)
            whole = self._product(half, half)
            self._known[distance] = self._product(whole, self._known[1]) if distance % 2 else whole
        return self._known[distance]

    def _product(self, one: Orders, other: Orders) -> Orders:
        columns = list(zip(*other))
        return [[_least(_added(pair) for pair in zip(row, column)) for column in columns] for row in one]


class PointPowers:
    """The powers of one matrix, exactly."""

    def __init__(self, transition: Sequence[Sequence[Fraction]]) -> None:
        self.transition = transition
        self.power = lru_cache(maxsize=None)(self._power)

    @cached_property
    def _matrix(self) -> "fmpq_mat":
        from flint import fmpq, fmpq_mat

        return fmpq_mat([[fmpq(p.numerator, p.denominator) for p in row] for row in self.transition])

    def _power(self, distance: int) -> Sequence[Sequence[Fraction]]:
        if distance == 1:
            return self.transition
        rows = (self._matrix**distance).tolist()
        return [[Fraction(int(entry.p), int(entry.q)) for entry in row] for row in rows]


@lru_cache(maxsize=64)
def trees(states: int, root: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return all spanning trees towards a root: one step out of every other state."""
    others = [x for x in range(states) if x != root]
    rooted = []
    for ends in product(range(states), repeat=len(others)):
        following = dict(zip(others, ends))
        if all(_leads(following, x, root) for x in others):
            rooted.append(tuple(following.items()))
    return tuple(rooted)


def _leads(following: dict[int, int], start: int, root: int) -> bool:
    for _ in range(len(following) + 1):
        if start == root:
            return True
        start = following[start]
    return start == root


def _weighted(
    weights: list[tuple[int, int, int]], value: Span, slopes: dict[tuple[int, int], Span], end: int
) -> AtomBounds:
    def total(span: Span) -> tuple[int, int]:
        below = sum(low * span.lower[z][end] for low, _, z in weights) >> BITS
        return below, -(-sum(high * span.upper[z][end] for _, high, z in weights) >> BITS)

    return AtomBounds(*total(value), {place: total(span) for place, span in slopes.items()})


def _shifted(number: int, bits: int) -> int:
    return number >> bits if bits >= 0 else number << -bits


def _added(orders: Iterable[Order]) -> Order:
    total = 0
    for order in orders:
        if order is None:
            return None
        total += order
    return total


def _least(orders: Iterable[Order]) -> Order:
    return min((order for order in orders if order is not None), default=None)
