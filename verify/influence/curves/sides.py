"""What the nearest shown record on either side of X_i says about it, by distance: the two factors
of the ratio of a block of hidden records.

Hidden are {i-j .. i+k}; shown on the left is X_(i-j-1), at the end j = i - 1 of the chain nothing,
and likewise on the right. So the ratio is left[j] right[k], and j + k + 1 records are hidden.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cmp_to_key, reduce
from typing import TYPE_CHECKING, Any, Protocol

from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.chain import ChainInfluence, PairFactor
from pufferproof.verify.influence.curves.orders import Order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("influence.blocks", "influence.any-start")
Quotient = tuple[int, int]  # not in lowest terms, which would take longer than comparing


class PositiveNumbers(Protocol):
    """Positive numbers, exact or enclosed, that are multiplied and compared."""

    def number(self, value: Any) -> Any:
        """Return the number that a factor has."""

    def times(self, one: Any, other: Any) -> Any:
        """Return a product."""

    def least(self, numbers: Sequence[Any]) -> Any:
        """Return the least of some numbers."""

    def largest(self, numbers: Sequence[Any]) -> Any:
        """Return the largest of some numbers."""

    def bounds(self, number: Any) -> Bounds:
        """Return rational bounds."""


class RationalQuotients:
    """Rationals."""

    def number(self, value: Fraction) -> Quotient:
        """Return numerator and denominator."""
        return value.numerator, value.denominator

    def times(self, one: Quotient, other: Quotient) -> Quotient:
        """Return the product."""
        return one[0] * other[0], one[1] * other[1]

    def least(self, numbers: Sequence[Quotient]) -> Quotient:
        """Return the least number."""
        return min(numbers, key=_SIZE)

    def largest(self, numbers: Sequence[Quotient]) -> Quotient:
        """Return the largest number."""
        return max(numbers, key=_SIZE)

    def bounds(self, number: Quotient) -> Bounds:
        """Return the number, twice."""
        return Bounds(Fraction(*number), Fraction(*number))


class Enclosures:
    """Arb enclosures of some bits."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def number(self, value: Any) -> Any:
        """Return the enclosure, also of a rational."""
        from flint import arb, ctx, fmpq

        if isinstance(value, Fraction):
            with ctx.workprec(self.bits):
                return arb(fmpq(value.numerator, value.denominator))
        return value

    def times(self, one: Any, other: Any) -> Any:
        """Return an enclosure of the product."""
        return self._reduced(lambda a, b: a * b, (one, other))

    def least(self, numbers: Sequence[Any]) -> Any:
        """Return an enclosure of the least number."""
        return self._reduced(lambda a, b: a.min(b), numbers)

    def largest(self, numbers: Sequence[Any]) -> Any:
        """Return an enclosure of the largest number."""
        return self._reduced(lambda a, b: a.max(b), numbers)

    def bounds(self, number: Any) -> Bounds:
        """Return the ends of an enclosure, which is of a number of at least 1."""
        from flint import ctx

        with ctx.workprec(self.bits):
            ends = dyadic(number.lower()), dyadic(number.upper())
        return Bounds(*(max(end, Fraction(1)) for end in ends))

    def _reduced(self, operation: Callable[[Any, Any], Any], numbers: Sequence[Any]) -> Any:
        from flint import ctx

        with ctx.workprec(self.bits):
            return reduce(operation, numbers)


class Sides:
    """The factors of one prior for one ordered pair, for up to `most` hidden records.

    `chain` is None for independent records, which say nothing.
    """

    def __init__(
        self, chain: ChainInfluence | None, order: Order, length: int, most: int, anywhere: bool = False
    ) -> None:
        self.v, self.w = order.v, order.w
        reach = min(order.record, most), min(length - order.record + 1, most)
        self.left = _side(chain, order.record - 1, reach[0], _left(chain, order.record, anywhere))
        self.right = _side(chain, length - order.record, reach[1], _right(chain))
        self.logs = [self._logs(factors) for factors in (self.left, self.right)]
        self.errors = [_errors(factors) for factors in (self.left, self.right)]

    def number(self, left: int, right: int, numbers: PositiveNumbers) -> Any:
        """Return left[j] right[k] (influence.blocks)."""
        chosen = [*self.left[left], *self.right[right]]
        values = [numbers.number(factor.value(self.v, self.w)) for factor in chosen]
        return reduce(numbers.times, values, numbers.number(Fraction(1)))

    def _logs(self, side: Sequence[Sequence[PairFactor]]) -> "Floats":
        import numpy as np

        return np.array([sum(f.logs[self.v, self.w] for f in factors) for factors in side], float)


def _side(
    chain: ChainInfluence | None, records: int, reach: int, at: Callable[[int], list[PairFactor]]
) -> list[list[PairFactor]]:
    """Return the factors at distances 1, 2, .. as far as there are records, then none."""
    return [at(index + 1) if chain and index < records else [] for index in range(reach)]


def _left(chain: ChainInfluence | None, record: int, anywhere: bool) -> Callable[[int], list[PairFactor]]:
    def at(distance: int) -> list[PairFactor]:
        assert chain is not None
        if anywhere:
            return chain.factors_of_any_start(record, distance, None)
        return chain.factors(record, distance, None)

    return at


def _right(chain: ChainInfluence | None) -> Callable[[int], list[PairFactor]]:
    return lambda distance: [] if chain is None else [chain.forward(distance)]


def _errors(side: Sequence[Sequence[PairFactor]]) -> "Floats":
    import numpy as np

    return np.array([sum(factor.error for factor in factors) for factors in side], float)


def _compare(one: Quotient, other: Quotient) -> int:
    return one[0] * other[1] - other[0] * one[1]


_SIZE = cmp_to_key(_compare)
