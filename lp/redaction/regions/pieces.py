"""The budgets of one side of a 3R mechanism, cut where its regions change.

With a budget x the regions of a side are thresholds at x of the influences of its records. So
influences cut the ratios e^x from 1 on into pieces, [start, end), on which the regions, a shape,
are the same. Source of the regions: massny2025.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pufferproof.lp.redaction.local.curve import Shape
from pufferproof.lp.redaction.local.most import SideBudget, outward
from pufferproof.models.sequences.binary import BinaryChain

RESTS_ON = ("massny2025.regions", "massny2025.x-regions-intervals")
# how close to a limit that is not reached mechanisms come, in lengths of the piece
_NEXT = Fraction(1, 1 << 70)

Bounds = tuple[Fraction, Fraction]  # of e^x


@dataclass(frozen=True)
class Piece:
    """Budgets, as ratios e^x, from `start` to below `end` (None: unbounded) at which the
    regions of a side are a shape.
    """

    shape: Shape
    start: Fraction
    end: Fraction | None

    @cached_property
    def budgets(self) -> SideBudget:
        """Floats that enclose the piece, with both ends."""
        if self.end is not None:
            return SideBudget.between(self.start, self.end)
        return SideBudget((0.0, outward(1 / self.start, 1 / self.start)[1]), (outward(1 - 1 / self.start, Fraction(1))))

    @property
    def top(self) -> Bounds | None:
        """Bounds of the upper end, the lower one inside the piece, or None if there is no end."""
        return None if self.end is None else (self.end - (self.end - self.start) * _NEXT, self.end)

    def overlaps(self, budget: Bounds) -> bool:
        """Whether a budget between these bounds may lie in the piece with both ends."""
        return budget[1] >= self.start and (self.end is None or budget[0] <= self.end)


def pieces_of(chain: BinaryChain, count: int, most: Fraction) -> Iterator[Piece]:
    """Yield the pieces of a side that start at most at a ratio."""
    # the influences up to a ratio, each with the values and distances that have it
    crossed: dict[Fraction, list[tuple[int, int]]] = {}
    for value in (0, 1):
        for distance in range(count, 0, -1):
            ratio = chain.influence(value, distance) or Fraction(1)
            crossed.setdefault(ratio, []).append((value, distance))
            if ratio > most:
                break
    first = small = count + 1
    start = Fraction(1)
    for ratio in sorted(crossed):
        if ratio > 1:
            yield Piece(Shape(chain.common_value, first, small, count), start, ratio)
        if ratio > most:
            return
        first = min([first, *(distance for value, distance in crossed[ratio] if value == chain.common_value)])
        small = min([small, *(distance for value, distance in crossed[ratio] if value != chain.common_value)])
        start = ratio
    yield Piece(Shape(chain.common_value, first, small, count), start, None)
