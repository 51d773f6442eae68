"""Pairs of first records of the two sides of a private record, with bounds of what local redaction
releases there.

A pair of sides is of one of four kinds: which of its two likelihood ratios depends on the q of a
side, left and right. If it is the same one, one budget is shared, and pairs of first records that
are no use are left out; if it is not, each side has a budget of its own, E / o of the other one, o
the influence of the value released first. Bounds are floats rounded outward; what is close is left
to the exact search.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.redaction.local.curve import DOWN, UP, curve_of
from pufferproof.lp.redaction.local.grid import Grid
from pufferproof.lp.redaction.local.most import outward
from pufferproof.models.sequences.binary import BinaryChain

if TYPE_CHECKING:
    import numpy as np

RESTS_ON = ("redaction.side-levels", "redaction.joint-of-sides")
_LEAST_CELLS, _MOST_CELLS = 64, 512  # of the grid of budgets


class SidePairs:
    """Grids of both sides of a private record, and bounds of pairs of first records.

    Where one budget is shared, o_left o_right <= E for the influences o of the values released
    first; such a pair is no use where each side alone could begin one record nearer, as designs
    with q on that side are among those of the nearer pair (designs without any q are no matter of
    kinds).
    """

    def __init__(self, chain: BinaryChain, private: int, low: Fraction, high: Fraction) -> None:
        import numpy as np

        self.excess = outward(low - 1, high - 1)
        cells = min(max(_LEAST_CELLS, chain.length), _MOST_CELLS)
        edges = -np.expm1(-np.log1p(self.excess[1]) * np.arange(cells + 1) / cells)
        edges[-1] = outward(Fraction(0), 1 - 1 / high)[1] * UP
        curve, counts = curve_of(chain), (private - 1, chain.length - private)
        grid = Grid(curve, counts[0], edges)
        self.grids = grid, grid if counts[0] == counts[1] else Grid(curve, counts[1], edges)
        self.edges = edges
        self._nearer: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def ordered(self) -> Iterator[tuple[float, tuple[int, int], tuple[int, int]]]:
        """Yield pairs of kinds and first records, the largest bound of releases first."""
        import numpy as np

        kinds = ((0, 0), (1, 1), (0, 1), (1, 0))
        bound = np.stack([self._same(kind[0]) if kind[0] == kind[1] else self._mixed(kind) for kind in kinds])
        flat = bound.ravel()
        for at in np.argsort(-flat, kind="stable"):
            if flat[at] == -np.inf:
                return
            which, left, right = (int(each) for each in np.unravel_index(at, bound.shape))
            yield float(flat[at]), kinds[which], (left, right)

    def _same(self, kind: int) -> "np.ndarray":
        """Bound pairs that share one budget: over the cells of the left budget, the right one gets
        what the cell leaves.

        A pair is no use where each side alone could begin one record nearer: designs with q on a
        side are among those of the nearer pair, and those without any q are known.
        """
        import numpy as np

        opposite = self._opposite(kind)
        fits = opposite * UP <= self.excess[0]
        fits[0], fits[:, 0] = False, False  # a first record is at distance 1 or more
        nearer = (np.zeros_like(fits), np.zeros_like(fits))  # pairs whose left, right side could begin nearer
        nearer[0][1:], nearer[1][:, 1:] = fits[:-1], fits[:, :-1]
        self._nearer[kind] = nearer
        # designs by whether the left, the right side has a q: all that begin at `first` or farther,
        # or none
        some = [np.maximum.accumulate(grid.bound[kind][::-1], axis=0)[::-1] for grid in self.grids]
        none = [grid.plain(kind) for grid in self.grids]
        possible = opposite * DOWN <= self.excess[1]
        possible[0], possible[:, 0] = False, False
        own, other = np.array(self.cells()).T
        bound = np.full(fits.shape, -np.inf)
        for left, right, covered in (
            (some[0], some[1], nearer[0] | nearer[1]),
            (some[0], none[1], nearer[0]),
            (none[0], some[1], nearer[1]),
        ):
            i, j = np.nonzero(possible & ~covered)
            bound[i, j] = np.maximum(bound[i, j], (left[i][:, own] + right[j][:, other]).max(axis=1))
        widened: np.ndarray = bound * UP
        return widened

    def _opposite(self, kind: int) -> "np.ndarray":
        """Return the products, less 1, of the influences of the values released first."""
        left, right = (grid.opposite(kind) for grid in self.grids)
        products: np.ndarray = left[:, None] + right * (1 + left[:, None])
        return products

    def cells(self) -> list[tuple[int, int]]:
        """Return, for each cell of a left budget, its grid points and the right budget."""
        import numpy as np

        before = np.concatenate(([0.0], self.edges[:-1]))
        rest = (self.edges[-1] - before) / (1 - before) * UP
        return list(enumerate(np.minimum(np.searchsorted(self.edges, rest, "left"), len(self.edges) - 1).tolist()))

    def _mixed(self, kinds: tuple[int, int]) -> "np.ndarray":
        """Bound pairs with budgets per side: E over the influence of the other's first value."""
        import numpy as np

        firsts = []
        for side in (0, 1):
            other = self.grids[1 - side].opposite(kinds[1 - side])
            room = (self.excess[1] - other * DOWN) / (1 + self.excess[0]) * UP
            at = np.minimum(np.searchsorted(self.edges, room, "left"), len(self.edges) - 1)
            firsts.append(np.where(room < 0, -np.inf, self.grids[side].bound[kinds[side]][:, at]))
        total: np.ndarray = (firsts[0] + firsts[1].T) * UP
        return total

    def nearer(self, kind: int, firsts: tuple[int, int]) -> tuple[bool, bool]:
        """Tell whether a side of a pair that shares a budget could begin one record nearer."""
        left, right = self._nearer[kind]
        return bool(left[firsts]), bool(right[firsts])

    def plain(self) -> list[list[int]]:
        """Return the first records, not ordered, of two sides without q that may keep the level."""
        import numpy as np

        fits = [self._opposite(kind) * DOWN <= self.excess[1] for kind in (0, 1)]
        places: list[list[int]] = (np.argwhere((fits[0] & fits[1])[1:, 1:]) + 1).tolist()
        return places
