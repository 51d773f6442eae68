"""The best local redaction of all for one private record of a binary chain: a mechanism, and a bound that no other one
exceeds.

Any r_t(x) is allowed. Outputs left and right of p are independent given X_p and all combinations of them occur, so that a
mechanism keeps E = e^epsilon iff, with the largest and the least likelihood ratios of its two sides,

    largest_left largest_right <= E  and  least_left least_right >= 1 / E.

By the structure of a side (`pufferproof.lp.redaction_curve`) one of its two ratios depends on the q of its shape, the other
one is the influence o of the value released first. If the same ratio is free on both sides, o_left o_right <= E is a question
of integers and the other constraint is one budget for both sides; if not, the sides have budgets E / o_right and E / o_left of
their own. So the optimum is the largest over finitely many shapes of one-parameter problems; with `first` the first record
with q < 1. The feasible set is closed and bounded: the optimum is reached, at every level.

Shapes are discarded by bounds on a grid of budgets, the best first; what is left is enclosed by
`pufferproof.lp.redaction_most`. Source of the question: massny2025, which proposes three regions and leaves the best local
mechanism open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.lp.redaction_curve import DOWN, UP, Shape, curve_of
from pufferproof.lp.redaction_grid import Grid
from pufferproof.lp.redaction_most import Budget, level_bounds, most_gain
from pufferproof.lp.redaction_profile import Profile
from pufferproof.models.binary_chain import BinaryChain
from pufferproof.models.level import Level
from pufferproof.models.mechanisms.redaction import LocalRedaction

if TYPE_CHECKING:
    import numpy as np

_LEAST_CELLS, _MOST_CELLS = 64, 512  # of the grid of budgets
_TIE = 1 + 4e-13  # gains closer than this are not told apart
_MOST_WORK = (
    8_000  # records of shapes that are enclosed before the bounds on the grid have to do; 5 for a pair looked at
)


@dataclass(frozen=True)
class LocalOptimum:
    """Bounds of the expected number of released records, the lower one reached by the mechanism."""

    lower: Fraction
    upper: Fraction
    mechanism: LocalRedaction


def local_optimum(chain: BinaryChain, private: int, level: Level) -> LocalOptimum:
    """Return the most that any local redaction mechanism within a level releases, as an interval, and a mechanism.

    >>> found = local_optimum(BinaryChain("1/4", "1/2", 2), 1, Level.log("3/2"))
    >>> found.lower, found.upper - found.lower < Fraction(1, 10**10)
    (Fraction(8, 15), True)
    """
    others = chain.length - 1
    nearest = [(1 - chain.common_value, 1)] * ((private > 1) + (private < chain.length))
    if not others or chain.compare_influences(level, *nearest) <= 0:
        everything = [t for t in range(1, chain.length + 1) if t != private]
        return LocalOptimum(Fraction(others), Fraction(others), LocalRedaction.releasing(everything, chain.length))
    if level.compare(Fraction(1)) == 0:
        return LocalOptimum(Fraction(0), Fraction(0), LocalRedaction.releasing([], chain.length))
    return _Search(chain, private, level).run()


class _Search:
    """Best first over pairs of shapes."""

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        import numpy as np

        self.chain, self.private, self.level = chain, private, level
        self.low, self.high = level_bounds(level)
        self.budget = Budget.between(self.low, self.high)
        nats = float(level.enclosure().upper)
        cells = min(max(_LEAST_CELLS, chain.length), _MOST_CELLS)
        edges = -np.expm1(-nats * np.arange(cells + 1) / cells)
        edges[-1] = self.budget.room[1] * UP
        curve = curve_of(chain)
        counts = private - 1, chain.length - private
        grid = Grid(curve, counts[0], edges)
        self.grids = grid, grid if counts[0] == counts[1] else Grid(curve, counts[1], edges)
        self.curve, self.edges = curve, edges
        self.best: tuple[Fraction, Profile, Profile] | None = None
        self.work = 0
        self.refined = 0.0

    def run(self) -> LocalOptimum:
        """Return the interval and the best mechanism found."""
        rest = 0.0
        for bound, kinds, firsts in self._pairs():
            if bound <= self._cutoff():
                break
            if self.work > _MOST_WORK:
                rest = bound
                break
            self._visit(kinds, firsts)
        nothing = [Profile(self.chain, Shape(0, grid.count + 1, grid.count + 1, grid.count)) for grid in self.grids]
        lower, left, right = self.best or (Fraction(0), nothing[0], nothing[1])
        redacted = [(Fraction(1), Fraction(1))]
        mechanism = LocalRedaction([*reversed(left.rows), *redacted, *right.rows])
        upper = max(Fraction(max(self.refined, rest, self._cutoff())), lower)
        return LocalOptimum(lower, min(upper, Fraction(self.chain.length - 1)), mechanism)

    def _cutoff(self) -> float:
        return 0.0 if self.best is None else float(self.best[0]) * _TIE

    def _pairs(self) -> Iterator[tuple[float, tuple[int, int], tuple[int, int]]]:
        """Yield pairs of kinds and first records with bounds of what they release, largest first."""
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
        """Bound pairs that share one budget: over the cells of the left budget, the right one gets what the cell leaves."""
        import numpy as np

        left, right = (grid.bound[kind] for grid in self.grids)
        bound = np.full((left.shape[0], right.shape[0]), -np.inf)
        for own, other in self._cells():
            np.maximum(bound, left[:, own, None] + right[None, :, other], out=bound)
        over = np.outer(*(grid.opposite(kind) for grid in self.grids)) * DOWN > float(self.high) * UP
        bound[over] = -np.inf
        widened: np.ndarray = bound * UP
        return widened

    def _cells(self) -> list[tuple[int, int]]:
        """Return, for each cell of a left budget, the grid points that bound it and the right budget from above."""
        import numpy as np

        before = np.concatenate(([0.0], self.edges[:-1]))
        rest = (self.edges[-1] - before) / (1 - before) * UP
        return list(enumerate(np.minimum(np.searchsorted(self.edges, rest, "left"), len(self.edges) - 1).tolist()))

    def _mixed(self, kinds: tuple[int, int]) -> "np.ndarray":
        """Bound pairs whose sides have budgets of their own: E over the influence of what the other side releases first."""
        import numpy as np

        firsts = []
        for side in (0, 1):
            other = self.grids[1 - side].opposite(kinds[1 - side])
            room = 1 - other / float(self.high) * DOWN
            at = np.minimum(np.searchsorted(self.edges, room * UP, "left"), len(self.edges) - 1)
            bound = self.grids[side].bound[kinds[side]][:, at]
            bound[:, room <= 0] = np.where(room[room <= 0] < -1e-9, -np.inf, bound[:, room <= 0])
            firsts.append(bound)
        total: np.ndarray = (firsts[0] + firsts[1].T) * UP
        return total

    def _visit(self, kinds: tuple[int, int], firsts: tuple[int, int]) -> None:
        """Enclose what shapes with these first records release, and note what is reached."""
        self.work += 5
        if kinds[0] == kinds[1]:
            if self._opposite_fits(kinds, firsts):
                self._share(kinds, firsts)
        else:
            self._apart(kinds, firsts)

    def _opposite_fits(self, kinds: tuple[int, int], firsts: tuple[int, int]) -> bool:
        places = [
            (grid.value(kind, first), first)
            for grid, kind, first in zip(self.grids, kinds, firsts)
            if first <= grid.count
        ]
        return not places or self.chain.compare_influences(self.level, *places) <= 0

    def _share(self, kinds: tuple[int, int], firsts: tuple[int, int]) -> None:
        """Take the pairs of shapes in the order of their bounds."""
        import numpy as np

        (left, rows), (right, columns) = (
            grid.table(kind, first) for grid, kind, first in zip(self.grids, kinds, firsts)
        )
        own, other = np.array(self._cells()).T
        left_keeps = (rows[:, own] + columns.max(axis=0)[other]).max(axis=1) * UP > self._cutoff()
        right_keeps = (rows.max(axis=0)[own] + columns[:, other]).max(axis=1) * UP > self._cutoff()
        bound = np.full((len(left), len(right)), -np.inf)
        for i in np.flatnonzero(left_keeps):
            bound[i, right_keeps] = (rows[i, own] + columns[right_keeps][:, other]).max(axis=1)
        places = np.argwhere(bound * UP > self._cutoff())
        for i, j in sorted(places, key=lambda place: -bound[place[0], place[1]]):
            if bound[i, j] * UP <= self._cutoff():
                return
            if self.work > _MOST_WORK:
                self.refined = max(self.refined, float(bound[i, j]) * UP)
                return
            self._solve(left[i], right[j])

    def _solve(self, left: Shape, right: Shape) -> None:
        """Enclose one pair of shapes with one budget."""
        one, two = Profile(self.chain, left), Profile(self.chain, right)
        if left.size and right.size:
            self.work += left.size + right.size
            if not self._fits(Fraction(1), one, two):
                return
            most = most_gain(self.curve, (left, right), self.budget, self._cutoff())
            if most.thetas:
                self.refined = max(self.refined, most.upper * UP)
                near = (self.curve.q(shape, theta) for shape, theta in zip((left, right), most.thetas))
                self._propose(*(Profile.near(self.chain, shape, q) for shape, q in zip((left, right), near)))
        else:
            fixed, shape = (two, left) if left.size else (one, right)
            beside = float(fixed.gain)
            upper, profile = self._one(shape, 1 / fixed.ratio, self._cutoff() - beside)
            self.refined = max(self.refined, (upper + beside) * UP)
            if profile is not None:
                self._reached(*((profile, two) if left.size else (one, profile)))

    def _fits(self, wanted: Fraction, *sides: Profile) -> bool:
        """Tell exactly whether shapes keep the level, beside a factor, where all their q are 1: there they leak least."""
        return self.level.compare(wanted / prod(side.least_leaking.ratio for side in sides)) <= 0

    def _propose(self, left: Profile, right: Profile) -> None:
        """Make the budget tight at one q, exactly, and note the pair if that works."""
        if left.pivot is not None:
            fitted = left.with_ratio(1 / (self.low * right.ratio), False)
            if fitted is not None:
                return self._reached(fitted, right)
        fitted = right.with_ratio(1 / (self.low * left.ratio), False)
        return None if fitted is None else self._reached(left, fitted)

    def _reached(self, left: Profile, right: Profile) -> None:
        gain = left.gain + right.gain
        if self.best is None or gain > self.best[0]:
            self.best = gain, left, right

    def _apart(self, kinds: tuple[int, int], firsts: tuple[int, int]) -> None:
        """Enclose the sides one after the other, each with its own budget."""
        found = []
        for side in (0, 1):
            beside = Profile(self.chain, next(self.grids[1 - side].shapes(kinds[1 - side], firsts[1 - side])))
            found.append(self._alone(side, kinds[side], firsts[side], beside.other_ratio))
        (upper, left), (more, right) = found
        self.refined = max(self.refined, (upper + more) * UP)
        if left is not None and right is not None:
            self._reached(left, right)

    def _alone(self, side: int, kind: int, first: int, other: Fraction) -> tuple[float, Profile | None]:
        """Return a bound and the best profile of one side whose ratio is to be at least other / E."""
        import numpy as np

        best: Profile | None = None
        upper, grid = float("-inf"), self.grids[side]
        if self.level.compare(other) > 0:
            return upper, best
        at = min(int(np.searchsorted(self.edges, self._budget(other).room[1], "left")), len(self.edges) - 1)
        shapes, rows = grid.table(kind, first)
        bounds = zip((rows[:, at] * UP).tolist(), shapes)
        for bound, shape in sorted(bounds, key=lambda pair: -pair[0]):
            cutoff = -1.0 if best is None else float(best.gain) * _TIE
            if bound <= cutoff:
                return max(upper, cutoff), best
            if self.work > _MOST_WORK:
                return max(upper, bound), best
            more, profile = self._one(shape, other, cutoff)
            upper = max(upper, more)
            if profile is not None and (best is None or profile.gain > best.gain):
                best = profile
        return max(upper, -1.0 if best is None else float(best.gain) * _TIE), best

    def _budget(self, wanted: Fraction) -> Budget:
        """Return what is left of E where a factor `wanted` is taken."""
        return Budget.between(self.low / wanted, self.high / wanted)

    def _one(self, shape: Shape, wanted: Fraction, cutoff: float) -> tuple[float, Profile | None]:
        """Return a bound and a profile of one shape whose ratio is to be at least wanted / E."""
        if not shape.size:
            whole = Profile(self.chain, shape)
            return float("-inf"), whole if self.level.compare(wanted / whole.ratio) <= 0 else None
        self.work += shape.size
        most = most_gain(self.curve, (shape,), self._budget(wanted), cutoff)
        if not most.thetas or not self._fits(wanted, Profile(self.chain, shape)):
            return float("-inf"), None
        near = Profile.near(self.chain, shape, self.curve.q(shape, most.thetas[0]))
        return most.upper, near.with_ratio(wanted / self.low, sum(q not in (0, 1) for q in near.q) <= 1)
