"""Whether influences over a box of transition matrices are unbounded, from the zeros that its
matrices have or come near.

Along a way P(s) into the box, s to 0, whose entries are positive, fall like s, or are 0, every
probability has an order (see `pufferproof.verify.influence.box.atoms`). The supremum is infinite if
some quotient has an order below 0: then it grows like a power of 1/s; or if its denominator is 0
and its numerator is not: then one chain attains it. These ways are tried, all of them unless there
are very many: what is found is proved, and no more than that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.verify.influence.box.atoms import (
    MOST_TREE_STATES,
    Atom,
    Marginal,
    Order,
    Orders,
    Transition,
    Trees,
    TropicalPowers,
)

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
            factors.append(self._prior(v, w))
        return factors

    def _prior(self, v: int, w: int) -> list[ConditionalQuotient]:
        """Return the quotients of m_i(w) / m_i(v), over all starts where any law is allowed."""
        here = self.present(self.record, v)
        if self.box.initial != "any":
            return [ConditionalQuotient(self.present(self.record, w), here, here)]
        steps = self.record - 1
        starts = range(self.box.states)
        return [ConditionalQuotient(Transition(steps, z, w), Transition(steps, z, v), here) for z in starts]

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
    return any(_grows(quilt, TropicalPowers(step)) for step in islice(_ways(quilt.box), MOST_WAYS))


def several_stationary(box: IntervalChain) -> bool:
    """Whether some matrix of the box has several stationary laws."""
    states = range(box.states)
    subsets = [set(chosen) for size in states for chosen in combinations(states, size + 1)]
    closed = [chosen for chosen in subsets if all(sum(box.upper[x][u] for u in chosen) >= 1 for x in chosen)]
    return any(not one & other for one, other in combinations(closed, 2))


def interior(box: IntervalChain) -> TropicalPowers:
    """Return the orders inside the box: every entry that can be positive is."""
    return TropicalPowers([[0 if most else None for most in row] for row in box.upper])


def _grows(quilt: BoxQuilt, orders: TropicalPowers) -> bool:
    return any(_pair_grows(quilt.factors(v, w), orders) for v, w in quilt.pairs(orders))


def _pair_grows(factors: Sequence[Sequence[ConditionalQuotient]], orders: TropicalPowers) -> bool:
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
    rows = [list(_row_orders(low, high)) for low, high in zip(box.lower, box.upper)]
    return (list(map(list, chosen)) for chosen in product(*rows))


def _row_orders(lower: Sequence[Fraction], upper: Sequence[Fraction]) -> Iterator[tuple[Order, ...]]:
    possible: list[tuple[Order, ...]] = [(0, None, 1) if high else (None,) for high in upper]
    choices = ((0,) if low else orders for low, orders in zip(lower, possible))
    for chosen in product(*choices):
        if _holds(chosen, lower, upper):
            yield chosen


def _holds(orders: Sequence[Order], lower: Sequence[Fraction], upper: Sequence[Fraction]) -> bool:
    """Whether positive rows with these orders that sum to 1 exist in the box."""
    positive = [index for index, order in enumerate(orders) if order == 0]
    most, least = sum(upper[index] for index in positive), sum(lower[index] for index in positive)
    if most < 1 or not positive:
        return False
    if 1 in orders:
        return least < 1
    return least < 1 or all(lower[index] for index in positive)
