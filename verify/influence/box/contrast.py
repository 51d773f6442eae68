"""How much rows of P^d differ at most, for every transition matrix in a box: bounds that fall with
the distance d.

With R(d) >= P^d(u, y) / P^d(u', y) for all u, u', A the most mass that row u can have on a set S
and B the least that row u' can,

    R(d+1) = max over sets S of (1 + (R(d) - 1) A(u, S)) / (1 + (R(d) - 1) B(u', S)),

and R(d+1) - 1 <= (R(d) - 1) max (A - B): rows forget. Numbers are integers over 2^192, rounded
upwards. Source: Seneta, Non-negative Matrices and Markov Chains, chapter 3.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations, islice, product
from math import prod
from operator import mul, sub
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains import IntervalChain

if TYPE_CHECKING:
    from flint import fmpq_mat

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
        units = {}  # the derivative of P by its own entry
        for place in self.free:
            unit = [[ONE * ((x, u) == place) for u in range(self.states)] for x in range(self.states)]
            units[place] = Span(unit, unit)
        self._known = {
            0: Power(Span(eye, eye), {place: Span(zero, zero) for place in self.free}),
            1: Power(self.step, units),
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


def _composed(one: Power, other: Power) -> Power:
    slopes = {}
    for place, first in one.slopes.items():
        # bounds of a product of non-negative matrices
        below, above = list(zip(*other.value.lower)), list(zip(*other.value.upper))
        plain = Span(
            [[sum(map(mul, row, column)) >> BITS for column in below] for row in first.lower],
            [[-(-sum(map(mul, row, column)) >> BITS) for column in above] for row in first.upper],
        )
        before, after = plain, _averaged(one.value, other.slopes[place])
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


# The probabilities that influences are quotients of, over a box of transition matrices: bounds, derivatives, exact
# values.
#
# An influence is a product of quotients of positive polynomials in the entries of P, each of them one of
#
#     P^d(v, y)
#     (q P^(t-1))(v), the law of X_t from a given law q
#     t(v) = sum of weights of trees towards v
#
# By the Markov chain tree theorem pi(w) / pi(v) = t(w) / t(v), a tree weighing the product of its transitions. Each is
# bounded over a box, valued exactly at a point, and has an order: if every entry (x, u) of P falls like s^n(x, u), s
# to 0, or is 0 (order None), the probability falls like s to its order. Sums of positive terms cannot cancel, so that
# orders are shortest ways.

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
                scale = BITS * (len(tree) - 1)
                below[place] += (prod(powers.step.lower[x][u] for x, u in others) << BITS) >> scale
                above[place] -= (-prod(powers.step.upper[x][u] for x, u in others) << BITS) >> scale
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
        following, met = dict(zip(others, ends)), {root}
        for _ in others:
            met |= {x for x in others if following[x] in met}
        if len(met) == states:
            rooted.append(tuple(following.items()))
    return tuple(rooted)


def _weighted(
    weights: list[tuple[int, int, int]], value: Span, slopes: dict[tuple[int, int], Span], end: int
) -> AtomBounds:
    def total(span: Span) -> tuple[int, int]:
        below = sum(low * span.lower[z][end] for low, _, z in weights) >> BITS
        return below, -(-sum(high * span.upper[z][end] for _, high, z in weights) >> BITS)

    return AtomBounds(*total(value), {place: total(span) for place, span in slopes.items()})


def _added(orders: Iterable[Order]) -> Order:
    total = 0
    for order in orders:
        if order is None:
            return None
        total += order
    return total


def _least(orders: Iterable[Order]) -> Order:
    return min((order for order in orders if order is not None), default=None)


# Whether influences over a box of transition matrices are unbounded, from the zeros that its matrices have or come
# near.
#
# Along a way P(s) into the box, s to 0, whose entries are positive, fall like s, or are 0, every probability has an
# order (see above). The supremum is infinite if some quotient has an order below 0:
# then it grows like a power of 1/s; or if its denominator is 0 and its numerator is not: then one chain attains it.
# These ways are tried, all of them unless there are very many: what is found is proved, and no more than that.

MOST_WAYS = 5000


class ConditionalQuotient(NamedTuple):
    """A quotient of two probabilities that counts where a third one is positive."""

    above: Atom
    below: Atom
    present: Atom


@dataclass(frozen=True)
class BoxQuilt:
    """The quotients of {X_(i-a), X_(i+b)} on X_i over a class of chains: for values v, w the
    maximum over each factor; `pair` is one (v, w), instead of all of them.

    Raises `ModelError` unless the trees of a stationary law are few enough.
    """

    box: IntervalChain
    record: int
    left: int | None
    right: int | None
    pair: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.box.initial == "stationary" and self.box.states > MOST_TREE_STATES:
            raise ModelError(
                f"stationary laws over a box: expected at most {MOST_TREE_STATES} states, found {self.box.states}",
                "transition_lower",
            )

    @property
    def last(self) -> int:
        """The last record that matters."""
        return self.record + (self.right or 0)

    def present(self, record: int, value: int) -> Atom:
        """Return a probability that is positive if X_t can have this value."""
        law, states = self.box.initial, self.box.states
        if law == "stationary":
            return Trees(value)
        start = tuple(Fraction(1, states) for _ in range(states)) if isinstance(law, str) else law
        if 1 in start:
            return Transition(record - 1, start.index(Fraction(1)), value)
        return Marginal(start, record - 1, value)

    def factors(self, v: int, w: int) -> list[list[ConditionalQuotient]]:
        """Return the quotients of every factor of P(. | X_i = v) / P(. | X_i = w)."""
        values, here, factors = range(self.box.states), self.present(self.record, v), []
        if self.right is not None:
            b = self.right
            factors.append([ConditionalQuotient(Transition(b, v, y), Transition(b, w, y), here) for y in values])
        if self.left is not None:
            a, there = self.left, self.record - self.left
            factors.append(
                [ConditionalQuotient(Transition(a, x, v), Transition(a, x, w), self.present(there, x)) for x in values]
            )
            # m_i(w) / m_i(v), over all starts where any law is allowed
            if self.box.initial == "any":
                steps = self.record - 1
                factors.append(
                    [ConditionalQuotient(Transition(steps, z, w), Transition(steps, z, v), here) for z in values]
                )
            else:
                factors.append([ConditionalQuotient(self.present(self.record, w), here, here)])
        return factors

    def pairs(self, orders: TropicalPowers) -> list[tuple[int, int]]:
        """Return the ordered pairs of values that X_i can have along a way to the boundary."""
        values = self.possible(orders)
        found = [(v, w) for v, w in product(values, repeat=2) if v != w]
        return found if self.pair is None else [each for each in found if each == self.pair]

    def possible(self, orders: TropicalPowers) -> list[int]:
        """Return the values that X_i can have along a way to the boundary."""
        return [v for v in range(self.box.states) if self.present(self.record, v).order(orders) is not None]


def unbounded(quilt: BoxQuilt) -> bool:
    """Whether some way into the box makes the influence grow without bound."""
    ways = map(TropicalPowers, islice(_ways(quilt.box), MOST_WAYS))
    return any(_grows(quilt.factors(v, w), orders) for orders in ways for v, w in quilt.pairs(orders))


def several_stationary(box: IntervalChain) -> bool:
    """Whether some matrix of the box has several stationary laws."""
    states = range(box.states)
    subsets = [set(chosen) for size in states for chosen in combinations(states, size + 1)]
    closed = [chosen for chosen in subsets if all(sum(box.upper[x][u] for u in chosen) >= 1 for x in chosen)]
    return any(not one & other for one, other in combinations(closed, 2))


def interior(box: IntervalChain) -> TropicalPowers:
    """Return the orders inside the box: every entry that can be positive is."""
    return TropicalPowers([[0 if most else None for most in row] for row in box.upper])


def _grows(factors: Sequence[Sequence[ConditionalQuotient]], orders: TropicalPowers) -> bool:
    total, attained = 0, False
    for factor in factors:
        growths = []
        for quotient in factor:
            above, below = quotient.above.order(orders), quotient.below.order(orders)
            if above is None or quotient.present.order(orders) is None:
                continue
            attained |= below is None
            growths.append(above - (below or 0))
        if not growths:
            return False
        total += min(growths)
    return attained or total < 0


def _ways(box: IntervalChain) -> Iterator[Orders]:
    """Yield the orders of the entries of P(s): 0 where positive, 1 where falling like s, or None if
    0.

    The rows stand for some P(s) in the box if the positive entries alone can sum to 1.
    """
    rows = []
    for lower, upper in zip(box.lower, box.upper):
        possible: list[tuple[Order, ...]] = [(0, None, 1) if high else (None,) for high in upper]
        choices = [(0,) if low else orders for low, orders in zip(lower, possible)]
        rows.append([orders for orders in product(*choices) if _holds(orders, lower, upper)])
    return (list(map(list, chosen)) for chosen in product(*rows))


def _holds(orders: Sequence[Order], lower: Sequence[Fraction], upper: Sequence[Fraction]) -> bool:
    """Whether positive rows with these orders that sum to 1 exist in the box."""
    positive = [index for index, order in enumerate(orders) if order == 0]
    most, least = sum(upper[index] for index in positive), sum(lower[index] for index in positive)
    if most < 1 or not positive:
        return False
    if 1 in orders:
        return least < 1
    return least < 1 or all(lower[index] for index in positive)
