"""The worst ratio about any record of a forest of bits, over all mechanisms of given per-record
levels: one pass up and one down, with the numbers of `chain`.

Derived: worst.record-levels-network.
"""

from collections.abc import Iterable, Sequence

from pufferproof.lp.translation.bits.chain import PLAIN, Sides, integers, precision_of, range_shown
from pufferproof.lp.translation.bits.quotients import ONE, Precision, Range
from pufferproof.lp.translation.levels import NOTHING, RecordLevels
from pufferproof.models.priors.forest import Forest

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
    passes = _Passes(forest, levels)
    before, after = passes.before(), passes.after
    odds = _Passes(forest, RecordLevels(((levels.count, NOTHING),))).before()
    known = {
        record: Sides(
            before[record - 1].reduced(),
            after[record - 1].reduced(),
            odds[record - 1].reduced(),
            levels.at(record),
        )
        for record in records
    }
    return known, passes.precision


class _Passes:
    """What passes along the arrows of a forest, upwards and downwards.

    With any record for the root, what a subtree may show is a range of ratios of E[u | bit = 1] and
    E[u | bit = 0], u a column; an arrow moves it by a Moebius map, which is monotone, and its ends
    are attained by products. Downwards the ratios are those of E[u, bit = 1] and E[u, bit = 0], so
    that no arrow is turned round: the prior odds are divided out at the record asked about.
    """

    def __init__(self, forest: Forest, levels: RecordLevels) -> None:
        self.forest, self.precision = forest, precision_of(levels.count)
        ranges = {key: range_shown(PLAIN, total) for key, total in levels.distinct.items()}
        self.own = [ranges[id(levels.at(record))] for record in range(1, levels.count + 1)]
        self.after = [_WHOLE] * levels.count
        self.upwards = [_WHOLE] * levels.count  # what a record shows of the one it hangs on
        for record in reversed(forest.downward):
            self._up(record)

    def _up(self, record: int) -> None:
        place = record - 1
        below = [self.upwards[child - 1] for child in self.forest.children[place]]
        self.after[place] = self._product(below)
        if self.forest.parents[place] is not None:
            (p00, p01), (p10, p11) = self.forest.kernels[place]
            known = self.after[place].times(self.own[place], self.precision)
            self.upwards[place] = known.moved(integers([p11, p10, p01, p00]), self.precision)

    def before(self) -> list[Range]:
        """Return the ratios of E[u, bit = 1] and E[u, bit = 0] over what is not below a record."""
        before = [_WHOLE] * len(self.own)
        for record in self.forest.downward:
            place, children = record - 1, self.forest.children[record - 1]
            if self.forest.parents[place] is None:
                (p0, p1), _ = self.forest.kernels[place]
                before[place] = Range.at(ONE, ONE).moved(integers([p1, 0, p0, 0]), self.precision)
            here = before[place].times(self.own[place], self.precision)
            for child, others in zip(children, self._without_each(children)):
                (p00, p01), (p10, p11) = self.forest.kernels[child - 1]
                known = here.times(others, self.precision)
                before[child - 1] = known.moved(integers([p11, p01, p10, p00]), self.precision)
        return before

    def _without_each(self, children: Sequence[int]) -> list[Range]:
        """Return, for each child, what its siblings show together."""
        shown_by = [self.upwards[child - 1] for child in children]
        first, last = [_WHOLE], [_WHOLE]
        for one, other in zip(shown_by[:-1], shown_by[:0:-1]):
            first.append(first[-1].times(one, self.precision))
            last.append(last[-1].times(other, self.precision))
        return [one.times(other, self.precision) for one, other in zip(first, reversed(last))]

    def _product(self, ranges: Iterable[Range]) -> Range:
        product = _WHOLE
        for each in ranges:
            product = product.times(each, self.precision)
        return product
