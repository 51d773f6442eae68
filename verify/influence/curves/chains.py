"""The influence curve along Markov chains of any length, by dynamic programming over the gaps to
the left and to the right of a record.

    a*(b) of an ordered pair = min over j + k + 1 = b of log left[j] right[k]

with the factors of `Sides` for the blocks {i-j .. i+k}; for several priors the largest of them
replaces the product. Records are alike where X_1 has the stationary law and both ends are
far; from another law the first are taken one by one, and the others bounded by the next one from
any law: then a point may have two ends. Floats choose candidates, exact numbers or enclosures
decide.

Source: bai2026, Section 6.2, with the order of a pair kept and the infimum taken for every ordered
pair.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache, reduce
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.laws import Prior as LawPrior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds, PrecisionError
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import MAX_DIGITS, ChainInfluence, PairFactor, is_narrow
from pufferproof.verify.influence.chain import RESTS_ON as INFLUENCES_REST_ON
from pufferproof.verify.influence.curves.point import (
    ChainStart,
    CurvePoint,
    Order,
    Prior,
    expect_orders,
    nothing_compared,
    resting,
)

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# What the nearest shown record on either side of X_i says about it, by distance: the two factors of the ratio of a
# block of hidden records.
#
# Hidden are {i-j .. i+k}; shown on the left is X_(i-j-1), at the end j = i - 1 of the chain nothing, and likewise on
# the right. So the ratio is left[j] right[k], and j + k + 1 records are hidden.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

SIDES_RESTS_ON = ("influence.blocks", "influence.any-start")
Quotient = tuple[int, int]  # not in lowest terms, which would take longer than comparing


Positive = TypeVar("Positive")


class PositiveNumbers(Protocol[Positive]):
    """Positive numbers, exact or enclosed, that are multiplied and compared."""

    def number(self, value: Any) -> Positive:
        """Return the number that a factor has."""

    def times(self, one: Positive, other: Positive) -> Positive:
        """Return a product."""

    def least(self, numbers: Sequence[Positive]) -> Positive:
        """Return the least of some numbers."""

    def largest(self, numbers: Sequence[Positive]) -> Positive:
        """Return the largest of some numbers."""

    def bounds(self, number: Positive) -> Bounds:
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

    def number(self, value: "arb | Fraction") -> "arb":
        """Return the enclosure, also of a rational."""
        from flint import arb, ctx, fmpq

        if isinstance(value, Fraction):
            with ctx.workprec(self.bits):
                return arb(fmpq(value.numerator, value.denominator))
        return value

    def times(self, one: "arb", other: "arb") -> "arb":
        """Return an enclosure of the product."""
        return self._reduced(lambda a, b: a * b, (one, other))

    def least(self, numbers: "Sequence[arb]") -> "arb":
        """Return an enclosure of the least number."""
        return self._reduced(lambda a, b: a.min(b), numbers)

    def largest(self, numbers: "Sequence[arb]") -> "arb":
        """Return an enclosure of the largest number."""
        return self._reduced(lambda a, b: a.max(b), numbers)

    def bounds(self, number: "arb") -> Bounds:
        """Return the ends of an enclosure, which is of a number of at least 1."""
        from flint import ctx

        with ctx.workprec(self.bits):
            ends = dyadic(number.lower()), dyadic(number.upper())
        return Bounds(*(max(end, Fraction(1)) for end in ends))

    def _reduced(self, operation: "Callable[[arb, arb], arb]", numbers: "Sequence[arb]") -> "arb":
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
        import numpy as np

        self.v, self.w = order.v, order.w
        before, after = order.record - 1, length - order.record
        # the factors at distances 1, 2, .. as far as there are records, then none
        self.left: list[list[PairFactor]] = [[] for _ in range(min(before + 1, most))]
        self.right: list[list[PairFactor]] = [[] for _ in range(min(after + 1, most))]
        if chain is not None:
            left = chain.factors_of_any_start if anywhere else chain.factors
            for distance in range(1, min(before, most) + 1):
                self.left[distance - 1] = left(order.record, distance, None)
            for distance in range(1, min(after, most) + 1):
                self.right[distance - 1] = [chain.forward(distance)]
        sides = (self.left, self.right)
        self.logs = [np.array([sum(f.logs[self.v, self.w] for f in place) for place in side], float) for side in sides]
        self.errors = [np.array([sum(f.error for f in place) for place in side], float) for side in sides]

    def number(self, left: int, right: int, numbers: PositiveNumbers[Positive]) -> Positive:
        """Return left[j] right[k] (influence.blocks)."""
        chosen = [*self.left[left], *self.right[right]]
        values = [numbers.number(factor.value(self.v, self.w)) for factor in chosen]
        return reduce(numbers.times, values, numbers.number(Fraction(1)))


def _compare(one: Quotient, other: Quotient) -> int:
    return one[0] * other[1] - other[0] * one[1]


_SIZE = cmp_to_key(_compare)


RESTS_ON = ("influence.blocks", "influence.any-start", "wang2016.lem-4.5", "song2017.x-markov")
_BITS, _TAIL_BITS, _MOST_BITS = 128, 1 << 9, 1 << 13
_HEAD = 1 << 15  # entries of tables for records that are taken one by one


def chain_points(priors: Sequence[Prior], length: int, orders: Sequence[Order], most: int) -> list[CurvePoint]:
    """Return a*(b) for b = 0 .. `most`, at most the number of records.

    >>> from pufferproof import MarkovChain
    >>> chain = ChainStart(MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]]))
    >>> orders = [Order(("s", "t"), 50_000, 0, 1), Order(("t", "s"), 50_000, 1, 0)]
    >>> points = chain_points([chain], 100_000, orders, 3)
    >>> [point.upper for point in points], points[3].hidden
    ([None, Fraction(9, 1), Fraction(5, 1), Fraction(25, 9)], range(49999, 50002))

    Raises `ModelError` unless the records are at most 10^6, and some ordered pair has two values of
    positive probability under some prior.
    """
    curve = _CurveOfRows(priors, length, most, expect_orders(orders))
    if not curve.rows:
        raise nothing_compared()
    if curve.short:
        return curve.points(None)
    bits = _BITS
    while True:
        try:
            points = curve.points(bits)
        except PrecisionError:
            if bits >= _MOST_BITS:
                raise
        else:
            if bits >= _MOST_BITS or all(_done(curve, point.ratio, bits) for point in points):
                return points
        bits *= 2


def _done(curve: "_CurveOfRows", ratio: Bounds, bits: int) -> bool:
    """Whether more bits would add nothing: the ends are narrow, nearly 1, or those of a tail."""
    if ratio.lower is None or ratio.upper is None or is_narrow(ratio):
        return True
    if curve.tails and bits >= _TAIL_BITS:
        return True
    return bits > _BITS and (ratio.upper - 1) * (1 << bits // 2) < 1


class CurveRow(NamedTuple):
    """An ordered pair, and the priors that count; of a tail, from any law, as an upper bound."""

    order: Order
    priors: tuple[int, ...]
    tail: bool = False


@dataclass(frozen=True)
class _Split:
    """A way to hide so many records, and its ratio."""

    left: int
    right: int
    ratio: object


class _CurveOfRows:
    """The rows of one curve, and its points in one arithmetic."""

    def __init__(self, priors: Sequence[Prior], length: int, most: int, orders: Sequence[Order]) -> None:
        self.priors, self.length, self.most = priors, length, most
        self._laws = [Along(prior.chain, length) if isinstance(prior, ChainStart) else None for prior in priors]
        self._early = [
            [set(ChainInfluence(laws).values_of_any_start(t)) for t in range(1, laws.states + 2)]
            if laws is not None and isinstance(prior, ChainStart) and prior.anywhere
            else []
            for prior, laws in zip(priors, self._laws)
        ]
        self._possible = lru_cache(maxsize=None)(self._possible_values)
        self.rows, self.tails = self._chosen(orders)

    @property
    def short(self) -> bool:
        """Whether exact ratios have few enough digits to be written."""
        last = max(row.order.record for row in self.rows)
        bits = [
            laws.denominator.bit_length()
            * (self.most + 1 + (laws.states if laws.stationary and not prior.anywhere else 2 * last))
            for prior, laws in zip(self.priors, self._laws)
            if laws is not None and isinstance(prior, ChainStart)
        ]
        return max(bits, default=0) < 3 * MAX_DIGITS

    def points(self, bits: int | None) -> list[CurvePoint]:
        """Return the points, exact or with enclosures of so many bits."""
        numbers: PositiveNumbers[Any] = RationalQuotients() if bits is None else Enclosures(bits)
        chains = [None if laws is None else ChainInfluence(_again(laws, bits)) for laws in self._laws]
        rows = [_Pair(row, self._sides(row, chains), numbers) for row in self.rows]
        first = CurvePoint(0, Bounds.infinite(), rows[0].row.order.pair, ())
        points = [first, *(self._point(rows, hidden) for hidden in steps(range(1, self.most + 1), "points"))]
        return resting(points, RESTS_ON, SIDES_RESTS_ON, INFLUENCES_REST_ON)

    def _sides(self, row: CurveRow, chains: Sequence[ChainInfluence | None]) -> list[Sides]:
        sides = []
        for index in row.priors:
            prior = self.priors[index]
            anywhere = row.tail or (isinstance(prior, ChainStart) and prior.anywhere)
            sides.append(Sides(chains[index], row.order, self.length, self.most, anywhere))
        return sides

    def _point(self, pairs: "Sequence[_Pair]", hidden: int) -> CurvePoint:
        import numpy as np

        choices = [pair.bounds(hidden) for pair in pairs]
        lower = np.array([(logs - errors).min() for logs, errors, _ in choices])
        upper = np.array([(logs + errors).min() for logs, errors, _ in choices])
        sure = np.array([not pair.row.tail for pair in pairs])
        if np.isposinf(lower[sure]).any():
            worst = pairs[int(np.flatnonzero(np.isposinf(lower) & sure)[0])]
            return CurvePoint(hidden, Bounds.infinite(), worst.row.order.pair)
        near = np.flatnonzero(upper >= lower.max())
        chosen = {int(index): pairs[int(index)].least(hidden) for index in near if not np.isposinf(lower[index])}
        return self._largest(pairs, hidden, chosen, bool(np.isposinf(lower).any()))

    def _largest(self, pairs: "Sequence[_Pair]", hidden: int, splits: dict[int, _Split], unbounded: bool) -> CurvePoint:
        """Return the largest of the least ratios; where a tail has it, only its upper end."""
        numbers = pairs[0].numbers
        bounds = {index: numbers.bounds(split.ratio) for index, split in splits.items()}
        own = [index for index in splits if not pairs[index].row.tail]
        most = max((bounds[i].upper for i in splits), default=None)  # type: ignore[type-var]
        if not own:  # a tail alone may reach this far: ask the records that are taken one by one
            rest = [pair for pair in pairs if not pair.row.tail]
            known = self._point(rest, hidden)
            return CurvePoint(hidden, Bounds(known.lower, None if unbounded else most))
        worst = max(own, key=lambda i: (bounds[i].upper, -i))
        least = max(bounds[i].lower for i in own)  # type: ignore[type-var]
        split, order = splits[worst], pairs[worst].row.order
        block = range(order.record - split.left, order.record + split.right + 1)
        return CurvePoint(hidden, Bounds(least, None if unbounded else most), order.pair, block)

    def _chosen(self, orders: Sequence[Order]) -> tuple[list[CurveRow], bool]:
        """Return the ordered pairs that matter, and whether some stand for a tail of records."""
        groups: dict[object, list[CurveRow]] = {}
        steady = all(map(_is_steady, self.priors, self._laws))
        for order in orders:
            counted = tuple(p for p in range(len(self.priors)) if self._counts(p, order))
            if counted:
                ends = order.beside(self.length, self.most)
                key = (order.v, order.w, ends, counted if steady else None)
                groups.setdefault(key, []).append(CurveRow(order, counted))
        if steady:
            first = [min(rows, key=lambda row: row.order.record) for rows in groups.values()]
            return first, False
        states = max((laws.states for laws in self._laws if laws is not None), default=1)
        head = max(_HEAD // ((self.most + 1) * states**2), 8)
        chosen: list[CurveRow] = []
        tails = False
        for rows in groups.values():
            ordered = sorted(rows, key=lambda row: row.order.record)
            chosen += ordered[:head]
            if len(ordered) > head:
                everything = tuple(sorted({p for row in ordered[head:] for p in row.priors}))
                chosen.append(CurveRow(ordered[head].order, everything, tail=True))
                tails = True
        return chosen, tails

    def _counts(self, index: int, order: Order) -> bool:
        """Whether both values have a positive probability under a prior."""
        prior, laws = self.priors[index], self._laws[index]
        if laws is None:
            row = prior.rows[order.record - 1]  # type: ignore[union-attr]
            return bool(row[order.v] and row[order.w])
        if self._early[index]:  # the values that any law leaves are the same from record k + 1 on
            values = self._early[index][min(order.record, laws.states + 1) - 1]
        else:
            values = set(self._possible(index, 1 if laws.stationary else order.record))
        return order.v in values and order.w in values

    def _possible_values(self, index: int, record: int) -> frozenset[int]:
        laws = self._laws[index]
        assert laws is not None
        return frozenset(laws.possible(record))


def _is_steady(prior: Prior, laws: Along | None) -> bool:
    """Whether influence at the same distances from the ends falls along the chain, or stays."""
    return laws is None or laws.stationary or (isinstance(prior, ChainStart) and prior.anywhere)


class _Pair:
    """A row with the factors of its priors."""

    def __init__(self, row: CurveRow, sides: list[Sides], numbers: PositiveNumbers[Any]) -> None:
        self.row, self.sides, self.numbers = row, sides, numbers

    def bounds(self, hidden: int) -> "tuple[Floats, Floats, int]":
        """Return, by records hidden, logarithms of every way, their errors, and the first j."""
        import numpy as np

        lefts, rights = (len(logs) for logs in self.sides[0].logs)
        first, last = max(0, hidden - rights), min(lefts, hidden)
        logs, errors = np.full(last - first, -np.inf), np.zeros(last - first)
        later = slice(hidden - last, hidden - first)
        for side in self.sides:
            logs = np.maximum(logs, side.logs[0][first:last] + side.logs[1][later][::-1])
            errors = np.maximum(errors, side.errors[0][first:last] + side.errors[1][later][::-1])
        return logs, errors, first

    def least(self, hidden: int) -> _Split:
        """Return the way with the least ratio, where that is finite."""
        import numpy as np

        logs, errors, first = self.bounds(hidden)
        near = np.flatnonzero(logs - errors <= (logs + errors).min())
        splits = [(first + int(j), hidden - 1 - first - int(j)) for j in near]
        ratios = [self.numbers.largest([side.number(*split, self.numbers) for side in self.sides]) for split in splits]
        least = self.numbers.least(ratios)
        place = int(np.argmin(logs[near]))
        if isinstance(self.numbers, RationalQuotients):
            place = next(i for i, ratio in enumerate(ratios) if ratio is least)
        return _Split(*splits[place], least)


def _again(laws: Along, bits: int | None) -> Along:
    """Return a walk along a chain in the arithmetic of a curve."""
    if bits is None:
        return laws
    return Along(laws.chain, laws.length, "enclosed", bits)


# The published closed form of the influence curve, as printed, or why there is none.
#
#     P = [[p, 1 - p], [1 - q, q]],   0 < p, q < 1,   lam = p + q - 1,   pi the stationary law,
#     z = pi(0) if q > p else pi(1),   d_L = floor((b + 1) / 2),   d_R = ceil((b + 1) / 2):
#
#     a*(b) = sum over d in {d_L, d_R} of |log((z + lam^d (1 - z)) / (z - lam^d z))|
#
# for a stationary start, b much less than the number of records, and secrets X_i = 0 against X_i = 1. Over several
# chains it is the largest. Whether it is a*(b) is for the claims on the paper to say.
# Source: bai2026, Example 3 of Section 6.3.

PUBLISHED_RESTS_ON = ("bai2026.chain-repaired",)
PUBLISHED = "bai2026 Example 3"
_MOST_DIGITS = 100_000  # in bits


def published_curve(
    priors: Sequence[LawPrior], count: int, alphabet: int, points: Sequence[int]
) -> list[Fraction | str | None]:
    """Return e^a*(b) as printed for every b in `points`, None for infinity; or in words why it has
    none.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> published_curve([chain], 9, 2, [0, 1, 9])
    [None, Fraction(4, 1), 'none: all records are hidden']
    """
    for prior in priors:
        lacking = ""
        if not isinstance(prior, MarkovChain):
            lacking = "none: for Markov chains"
        elif alphabet != 2 or len(prior.transition) != 2:
            lacking = "none: for chains of two values"
        elif 0 in {entry for row in prior.transition for entry in row}:
            lacking = "none: for transitions of positive probability"
        elif not Along(prior, count).stationary:
            lacking = "none: for a stationary start"
        if lacking:
            return [lacking] * len(points)
    chains = [prior for prior in priors if isinstance(prior, MarkovChain)]
    return [_largest_printed(chains, b) if b < count else "none: all records are hidden" for b in points]


def _largest_printed(chains: Sequence[MarkovChain], hidden: int) -> Fraction | str | None:
    ratios: list[Fraction | None] = []
    for chain in chains:
        (p, _), (_, q) = chain.transition
        lam, z = p + q - 1, ((1 - q) if q > p else (1 - p)) / (2 - p - q)
        distances = (hidden + 1) // 2, (hidden + 2) // 2
        if distances[1] * lam.denominator.bit_length() > _MOST_DIGITS:
            return "none: it has too many digits"
        below = [z - lam**d * z for d in distances]
        factors = [(z + lam**d * (1 - z)) / rest for d, rest in zip(distances, below) if rest]
        ratios.append(prod((max(factor, 1 / factor) for factor in factors), start=Fraction(1)) if all(below) else None)
    return None if None in ratios else max(ratio for ratio in ratios if ratio is not None)
