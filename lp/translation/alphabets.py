"""The worst ratio about one record of a chain with any number of values: the walk by signs of
`pufferproof.verify.noise.accounts.tilted` from above, which is exact up to the rounding of floats,
and the tilts of that walk from below.

A column of level log(R_j) at record j changes by a factor of at most r_j(z) r_j(z') with r_j =
R_j^(1/2) for all values. Given X_i both sides are independent, and products of factors reach the
largest ratio of each:

    E[u | X_i = v] / E[u | X_i = w] <= R_i before(v, w) after(v, w).

Tilts r_j on a set A_j and 1/r_j elsewhere are R_j on A_j and 1 elsewhere up to a number: the column
of an output of responses that tell of record j whether its value is in A_j.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, nextafter, sqrt
from typing import TYPE_CHECKING

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.sets import Order
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.sequences.chain import Along, Chain
from pufferproof.verify.noise.accounts.tilted import TiltedSides, Tilts, best_signs, largest_guess

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The largest ratio of values of some records of a stationary chain with equal levels, by spans of records:
# `pufferproof.lp.translation.alphabets` bounds each record.

SPANS_RESTS_ON = ("worst.tilts",)
Values = tuple[int, int]
_FEW = 12  # pairs of values for which all walks are quick
_CLOSE, _SAME = Fraction(1, 2**28), Fraction(1, 2**38)  # of bounds of spans, above 1 and relative
_ROUNDS, _PIECES = 3, 64  # how often spans of records are cut, and into how many in all


class Spans:
    """The largest ratio of values of some records of a stationary chain with equal levels: spans of
    records that are cut where their bound is larger than that of a record in the middle.

    A column of the records on one side is one of more records, of which the farthest tell nothing,
    so that a bound for more records holds for fewer.
    """

    def __init__(self, sides: TiltedSides, total: Total, asked: Mapping[int, Sequence[Values]]) -> None:
        self.sides, self.own = sides, total.bounds()[1]
        known = {id(pairs): frozenset(pairs) for pairs in asked.values()}
        self.asked = {record: known[id(pairs)] for record, pairs in asked.items()}
        self.records = sorted(asked)

    def largest(self) -> "Span | None":
        """Return an upper bound of all with its place, or None if there is none."""
        middle, last = len(self.records) // 2, len(self.records) - 1
        pairs = self._pairs(self.records)
        if len(pairs) > _FEW:
            likely = self.sides.farthest(sorted(self.asked[self.records[middle]]))
            inside = self._of(middle, middle, [likely])
            pairs = [likely, *self._unproven(pairs, likely)]
        else:
            inside = self._of(middle, middle, pairs)
        whole = self._of(0, last, pairs)
        if whole is None or inside is None:
            return None
        middle = min(middle, last)
        if whole.place[1:] != inside.place[1:]:
            inside = max(inside, self._of(middle, middle, [whole.place[1:]]) or inside)
        spans = [whole]
        for _ in range(_ROUNDS):
            top = max(spans)
            if top.first == top.last or _close(top.bound, inside.bound):
                break
            wide = [span for span in spans if span.bound > inside.bound]
            parts = self._split(wide, inside.bound)
            if parts is None:
                break
            spans = parts
        return max([*spans, inside])

    def _split(self, spans: Sequence["Span"], least: Fraction) -> "list[Span] | None":
        """Return spans in pieces, all of which are walked at once, for the pairs whose bound is
        larger than a number.
        """
        pieces, parts = max(2, _PIECES // len(spans)), list[tuple[int, int]]()
        for span in spans:
            size = span.last - span.first + 1
            cuts = sorted({span.first + size * piece // pieces for piece in range(pieces)})
            parts += zip(cuts, [*(cut - 1 for cut in cuts[1:]), span.last])
        pairs = sorted({pair for span in spans for pair in span.above(least)})
        known = []
        for later in (False, True):
            lengths = sorted({self._length(*part, later) for part in parts})
            found = self.sides.of_lengths(self.records[0], pairs, later, lengths)
            if found is None:
                return None
            known.append(dict(zip(lengths, found)))
        return [
            self._span(*part, pairs, *(side[self._length(*part, later)] for later, side in enumerate(known)))
            for part in parts
        ]

    def _length(self, first: int, last: int, later: int) -> int:
        """Return how many records there are at most on one side of those of a span."""
        if later:
            return self.sides.laws.length - self.records[first]
        return self.records[last] - 1

    def _pairs(self, records: Sequence[int]) -> list[Values]:
        every = {id(self.asked[record]): self.asked[record] for record in records}
        return sorted(set[Values]().union(*every.values()))

    def _unproven(self, pairs: Sequence[Values], likely: Values) -> list[Values]:
        """Return the pairs that are not shown to have smaller ratios than a likely one at a record
        in the middle.
        """
        place, ends = self.records[len(self.records) // 2], (self.records[-1], self.records[0])
        left = [pair for pair in pairs if pair != likely]
        kept = list[bool]([True] * len(left))
        for later in (False, True):
            known = self.sides.bounds(place, [likely], later)
            if known is None:
                return left
            shown = self.sides.shown(ends[later], left, later, known[0])
            kept = [one and other for one, other in zip(kept, shown)]
        return [pair for pair, smaller in zip(left, kept) if not smaller]

    def _of(self, first: int, last: int, pairs: Sequence[Values]) -> "Span | None":
        """Return the bound of a span."""
        before = self.sides.bounds(self.records[last], pairs, later=False)
        after = self.sides.bounds(self.records[first], pairs, later=True)
        if before is None or after is None:
            return None
        return self._span(first, last, pairs, before, after)

    def _span(
        self, first: int, last: int, pairs: Sequence[Values], before: Sequence[Fraction], after: Sequence[Fraction]
    ) -> "Span":
        """Return a span with its bound, without pairs that no record of it has."""
        records = self.records[first : last + 1]
        there = set(self._pairs(records))
        products = {pair: self.own * one * other for pair, one, other in zip(pairs, before, after) if pair in there}
        pair = max(products, key=lambda each: products[each], default=(0, 0))
        center = self.sides.laws.length + 1
        inner = sorted(records, key=lambda record: abs(2 * record - center))
        record = next((each for each in inner if pair in self.asked[each]), inner[0])
        return Span(products.get(pair, Fraction(0)), (record, *pair), first, last, products)


@dataclass(frozen=True)
class Span:
    """Records from one place to another, and what bounds the ratios of some pairs of values; a
    record and a pair with the largest bound are in `place`.
    """

    bound: Fraction
    place: tuple[int, int, int]
    first: int
    last: int
    bounds: Mapping[Values, Fraction]

    def above(self, least: Fraction) -> list[Values]:
        """Return the pairs whose bound is larger."""
        return [pair for pair, bound in self.bounds.items() if bound > least]

    def __lt__(self, other: "Span") -> bool:
        return self.bound < other.bound


def _close(bound: Fraction, least: Fraction) -> bool:
    """Whether a bound is hardly above that of some record, in nats and beside what floats do."""
    return bound - least <= max((least - 1) * _CLOSE, least * _SAME)


RESTS_ON = ("worst.tilts", "song2017.x-markov")
_LESS = (0.0, 2.0**-46, 2.0**-40, 2.0**-30)  # below the largest ratio, relative: where signs are
_REACHED = 1 + Fraction(1, 2**30)  # above what a guess may exceed the ratio of its tilts
_ROUND = 2.0**-52  # twice the relative error of a rounding
_TINY = 1e-290  # above what products lose that are too small for floats


@dataclass(frozen=True)
class Responses:
    """Randomised responses of the records around record i, and how many times likelier their
    favoured output is given X_i = v than given w, rounded down.
    """

    ratio: Fraction
    favoured: dict[int, frozenset[int]]


class Walks:
    """Walks by signs along one chain at given levels of all its records.

    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> flips = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> walks = Walks(Chain.of_markov(flips), RecordLevels.uniform(3, ["log(2)"]))
    >>> order = Order(("s", "t"), 2, 1, 0)
    >>> [f"{float(bound):.9f}" for bound in walks.bounds([order])]
    ['3.920000000']
    >>> found = walks.responses(order)
    >>> (f"{float(found.ratio):.9f}", {place: set(values) for place, values in found.favoured.items()})
    ('3.920000000', {1: {1}, 2: {1}, 3: {1}})
    """

    def __init__(self, chain: Chain, levels: RecordLevels, laws: Along | None = None) -> None:
        self.chain, self.levels, self._laws = chain, levels, laws

    def at(self, levels: RecordLevels) -> "Walks":
        """Return those at other levels of the same records."""
        return Walks(self.chain, levels, None if self._sides is None else self._sides.laws)

    @cached_property
    def _sides(self) -> TiltedSides | None:
        size, tilts, last = len(self.chain.step), list[tuple[int, int, Tilts]](), 0
        for length, total in self.levels.between(1, self.levels.count):
            tilts.append((last + 1, last + length, _tilts(total, size)))
            last += length
        return TiltedSides.of(self.chain, tilts, self._laws)

    def bounds(self, orders: Sequence[Order]) -> list[Fraction] | None:
        """Return upper bounds of the ratios of values of records, or None if a step is below
        1e-200, a ratio above what floats can be, or walks of sides that differ are long together.
        """
        asked: dict[int, list[tuple[int, int]]] = {}
        for order in orders:
            asked.setdefault(order.record, []).append((order.one, order.other))
        bounds = dict[tuple[int, int, int], Fraction]()
        for record, values in steps(asked.items(), "records"):
            ratios = None if self._sides is None else self._sides.ratios(record, values)
            if ratios is None:
                return None
            own = self.levels.at(record).bounds()[1]
            for pair, (before, after) in zip(values, ratios):
                bounds[record, *pair] = own * before * after
        return [bounds[order.record, order.one, order.other] for order in orders]

    def largest(self, orders: Sequence[Order]) -> tuple[Order, Fraction] | None:
        """Return an upper bound of all ratios with the order that has it; None as `bounds`."""
        if self.levels.largest.bounds()[1] == 1:
            return orders[0], Fraction(1)
        if self.chain.stationary and self.levels.equal:
            placed = {(order.record, order.one, order.other): order for order in orders}
            asked: dict[int, list[Values]] = {}
            for order in orders:
                asked.setdefault(order.record, []).append((order.one, order.other))
            found = self.largest_of(asked)
            return None if found is None else (placed[found[0]], found[1])
        bounds = self.bounds(orders)
        if bounds is None:
            return None
        top = max(range(len(orders)), key=lambda k: bounds[k])
        return orders[top], bounds[top]

    def largest_of(self, asked: Mapping[int, Sequence[Values]]) -> tuple[tuple[int, int, int], Fraction] | None:
        """Return an upper bound of the ratios of pairs of values of some records, and where it is;
        None as `bounds`.

        Args:
            asked: pairs of values by record, of a stationary chain with equal levels.
        """
        if self._sides is None:
            return None
        span = Spans(self._sides, self.levels.largest, asked).largest()
        return None if span is None else (span.place, span.bound)

    def responses(self, order: Order) -> Responses:
        """Return randomised responses whose favoured output leaks most, as far as floats tell."""
        ratio = self.levels.at(order.record).bounds()[0]
        favoured = {order.record: frozenset({order.one})}
        for later in (False, True):
            reached, signs = self._best(order, later)
            if reached > 1:
                ratio *= reached
                known = {row.tobytes(): frozenset(row.nonzero()[0].tolist()) for row in signs}
                places = (_place(order.record, step, later) for step in range(1, len(signs) + 1))
                favoured |= {place: known[row.tobytes()] for place, row in zip(places, signs)}
        return Responses(ratio, dict(sorted(favoured.items())))

    def _best(self, order: Order, later: bool) -> "tuple[Fraction, list[NDArray[np.bool_]]]":
        """Return at most the ratio that tilts near the best ones reach, and the sets of values that
        they favour, for the nearest record first.

        At the largest ratio some coefficients are 0: floats do not tell their signs, which change
        the ratio much where levels are large.
        """
        best: tuple[Fraction, list[NDArray[np.bool_]]] = (Fraction(1), [])
        if self._sides is None:
            return best
        side = self._sides.side(order.record, [(order.one, order.other)], later)
        kernel, runs, start = side.kernel, side.runs, side.starts[0]
        guess = largest_guess(kernel, runs, side.ends[1], start)
        for less in _LESS if runs else ():
            signs = best_signs(kernel, runs, start, guess * (1 - less))
            reached = self._reached(order, later, signs)
            if reached > best[0]:
                best = reached, signs
            if reached * _REACHED >= guess:
                break
        return best

    def _reached(self, order: Order, later: bool, signs: "Sequence[NDArray[np.bool_]]") -> Fraction:
        """Return at most the ratio of the product of R_j on favoured values and 1 elsewhere.

        Everything is positive: bounds of the sums of products from the farthest record inwards.
        """
        import numpy as np

        if self._sides is None:
            return Fraction(1)
        side = self._sides.side(order.record, [(order.one, order.other)], later)
        kernel, start, (low, high) = side.kernel, side.starts[0], side.ends
        if not later:
            low, high = self._sides.law(_place(order.record, len(signs), later))
        error = (len(kernel) + 8) * _ROUND
        ends = {key: total.bounds() for key, total in self.levels.distinct.items()}
        factors = {key: (below(least), above(most)) for key, (least, most) in ends.items()}
        for step in range(len(signs), 0, -1):
            least, most = factors[id(self.levels.at(_place(order.record, step, later)))]
            row = signs[step - 1]
            low = np.maximum(kernel @ np.where(row, low * least, low) * (1 - error) - _TINY, 0.0)
            high = kernel @ np.where(row, high * most, high) * (1 + error) + _TINY
            scale = np.exp2(-np.frexp(high.max())[1])
            low, high = low * scale, high * scale
        one = Fraction(start.above[0]) * Fraction(float(low[order.one]))
        return one / (Fraction(start.below[1]) * Fraction(float(high[order.other])))


def _place(record: int, step: int, later: bool) -> int:
    return record + step if later else record - step


def _tilts(total: Total, size: int) -> Tilts:
    import numpy as np

    up = nextafter(sqrt(above(total.bounds()[1])), inf)
    ends: NDArray[np.float64] = np.full(size, up)
    return Tilts(ends, np.nextafter(1 / ends, 0.0))
