"""The largest ratio of values of some records of a stationary chain with equal levels, by spans of
records: `pufferproof.lp.translation.alphabets.tilted` bounds each record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.levels import Total
from pufferproof.verify.noise.accounts.tilted import TiltedSides

RESTS_ON = ("worst.tilts",)
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
