"""The worst ratio about any record of a forest of bits, over all mechanisms of given per-record
levels: one pass up and one down, with the numbers of `chain`.
"""

from collections.abc import Iterable, Sequence

from pufferproof.lp.translation.bits.chain import PLAIN, Sides, integers, precision_of, range_shown
from pufferproof.lp.translation.bits.quotients import ONE, Moebius, Precision, Range
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.models.priors.forest import Forest

RESTS_ON = ("worst.record-levels-network",)
_WHOLE = Range.at(ONE, ONE)


def forest_sides(
    forest: Forest, levels: RecordLevels, records: Iterable[int]
) -> tuple[dict[int, Sides], Precision]:
    """Return what is known of each of some records from the others: of the one it hangs on
    `before` it, of those that hang on it `after` it; and the precision.

    Args:
        forest: of as many bits as there are levels.
        levels: of every record.
        records: from 1 on.

    >>> from fractions import Fraction
    >>> step = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    >>> start = ((Fraction(1, 2), Fraction(1, 2)),) * 2
    >>> forest = Forest((2, None, 2), (step, start, step))
    >>> known, precision = forest_sides(forest, RecordLevels.uniform(3, ["log(2)"]), [2])
    >>> known[2].ratio((0, 1), (1, 0), precision).bounds()
    (Fraction(98, 25), Fraction(98, 25))
    """
    passes, asked = _Passes(forest, levels), set(records)
    before, odds = passes.before(asked), _Passes(forest, None).before(asked)
    known = {
        record: Sides(
            before[record].reduced(),
            passes.after[record - 1].reduced(),
            odds[record].reduced(),
            levels.at(record),
        )
        for record in asked
    }
    return known, passes.precision


class _Passes:
    """What passes along the arrows of a forest, upwards and downwards.

    With any record for the root, what a subtree may show is a range of ratios of E[u | bit = 1] and
    E[u | bit = 0], u a column; an arrow moves it by a Moebius map, which is monotone, and its ends
    are attained by products. Downwards the ratios are those of E[u, bit = 1] and E[u, bit = 0], so
    that no arrow is turned round: the prior odds are divided out at the record asked about.
    """

    def __init__(self, forest: Forest, levels: RecordLevels | None) -> None:
        count = len(forest.parents)
        self.forest, self.precision = forest, precision_of(count)
        self.moves: dict[tuple[int, bool], Moebius] = {}  # by the identity of a kernel
        self.own = [_WHOLE] * count
        self.after = [_WHOLE] * count
        self.upwards = [_WHOLE] * count  # what a record shows of the one it hangs on
        if levels is None:  # records show nothing
            return
        ranges = {key: range_shown(PLAIN, total) for key, total in levels.distinct.items()}
        self.own = [ranges[id(levels.at(record))] for record in range(1, count + 1)]
        seen: dict[tuple[int, ...], tuple[Range, Range]] = {}  # equal subtrees are passed once
        for record in reversed(forest.downward):
            below = forest.children[record - 1]
            key = id(self.own[record - 1]), id(forest.kernels[record - 1])
            shown = *key, *(id(self.upwards[child - 1]) for child in below)
            if shown not in seen:
                seen[shown] = self._up(record, below)
            self.after[record - 1], self.upwards[record - 1] = seen[shown]

    def _up(self, record: int, below: Sequence[int]) -> tuple[Range, Range]:
        """Return what is shown of a record from below it, and what both show of the one above."""
        after = self._product(self.upwards[child - 1] for child in below)
        known = self._times(after, self.own[record - 1])
        return after, known.moved(self._move(record, True), self.precision)

    def _move(self, record: int, upward: bool) -> Moebius:
        """Return how an arrow moves a ratio upwards, or downwards."""
        kernel = self.forest.kernels[record - 1]
        key = id(kernel), upward
        if key not in self.moves:
            (p00, p01), (p10, p11) = kernel
            self.moves[key] = integers([p11, *((p10, p01) if upward else (p01, p10)), p00])
        return self.moves[key]

    def before(self, records: Iterable[int]) -> dict[int, Range]:
        """Return the ratios of E[u, bit = 1] and E[u, bit = 0] over what is not below a record, of
        some records and those that they hang on.
        """
        asked, before = self.forest.with_above(records), dict[int, Range]()
        for record in (each for each in self.forest.downward if each in asked):
            place, children = record - 1, self.forest.children[record - 1]
            if self.forest.parents[place] is None:
                (p0, p1), _ = self.forest.kernels[place]
                start = Range.at(ONE, ONE).moved(integers([p1, 0, p0, 0]), self.precision)
                before[record] = start
            here = self._times(before[record], self.own[place])
            if asked.isdisjoint(children):
                continue
            for child, others in zip(children, self._without_each(children)):
                if child in asked:
                    known = self._times(here, others)
                    before[child] = known.moved(self._move(child, False), self.precision)
        return before

    def _without_each(self, children: Sequence[int]) -> list[Range]:
        """Return, for each child, what its siblings show together."""
        shown_by = [self.upwards[child - 1] for child in children]
        first, last = [_WHOLE], [_WHOLE]
        for one, other in zip(shown_by[:-1], shown_by[:0:-1]):
            first.append(self._times(first[-1], one))
            last.append(self._times(last[-1], other))
        return [self._times(one, other) for one, other in zip(first, reversed(last))]

    def _product(self, ranges: Iterable[Range]) -> Range:
        product = _WHOLE
        for each in ranges:
            product = self._times(product, each)
        return product

    def _times(self, one: Range, other: Range) -> Range:
        if one is _WHOLE or other is _WHOLE:
            return other if one is _WHOLE else one
        return one.times(other, self.precision)
