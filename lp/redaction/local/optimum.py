"""The best local redaction of all for one private record of a binary chain: a mechanism, and a
bound that no other one exceeds.

Any r_t(x) is allowed. The optimum is the largest over finitely many pairs of shapes of problems
with one parameter a side; it is reached, at every level. Shapes are discarded by bounds on a grid
of budgets (`pufferproof.lp.redaction.local.pairs`), the best first; what is left is enclosed by
`pufferproof.lp.redaction.local.most`. Whether shapes keep the level at all is decided exactly.
Source of the question: massny2025, which proposes three regions and leaves the best local mechanism
open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from pufferproof.lp.redaction.local.curve import UP, Shape, curve_of
from pufferproof.lp.redaction.local.most import SideBudget, level_bounds, most_gain
from pufferproof.lp.redaction.local.pairs import SidePairs
from pufferproof.lp.redaction.local.profile import Profile
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

RESTS_ON = (
    "redaction.joint-of-sides",
    "redaction.three-regions",
    "redaction.side-levels",
    "redaction.right-continuous",
)
_TIE = 1 + 4e-13  # gains closer than this are not told apart
_CLOSE = 1 + 1e-10  # a bound this close to what is reached is not worth another search
# records of shapes that are enclosed before the bounds on the grid have to do; 5 for a pair looked
# at
_MOST_WORK = 8_000


@dataclass(frozen=True)
class LocalOptimum:
    """Bounds of the expected number of released records, the lower one reached by the mechanism."""

    lower: Fraction
    upper: Fraction
    mechanism: LocalRedaction


def local_optimum(chain: BinaryChain, private: int, level: Level) -> LocalOptimum:
    """Return the most that any local redaction mechanism within a level releases, as an interval,
    and a mechanism.

    >>> optimum = local_optimum(BinaryChain("1/4", "1/2", 2), 1, Level.log("3/2"))
    >>> optimum.lower, optimum.upper - optimum.lower < Fraction(1, 10**10)
    (Fraction(8, 15), True)
    """
    others = chain.length - 1
    nearest = [(1 - chain.common_value, 1)] * ((private > 1) + (private < chain.length))
    if not others or chain.compare_influences(level, *nearest) <= 0:
        everything = [t for t in range(1, chain.length + 1) if t != private]
        return LocalOptimum(Fraction(others), Fraction(others), LocalRedaction.releasing(everything, chain.length))
    if level.compare(Fraction(1)) == 0:
        return LocalOptimum(Fraction(0), Fraction(0), LocalRedaction.releasing([], chain.length))
    return _BestPair(chain, private, level).run()


class _BestPair:
    """Best first over pairs of shapes.

    A mechanism keeps E = e^epsilon iff, with the largest and the least likelihood ratios of its two
    sides (redaction.joint-of-sides),

        largest_left largest_right <= E  and  least_left least_right >= 1 / E.

    One of the two ratios of a side depends on the q of its shape, the other one is the influence o
    of the value released first (redaction.side-levels). If the same ratio is free on both sides,
    o_left o_right <= E is a question of integers and the other constraint is one budget for both
    sides; if not, the sides have budgets E / o_right and E / o_left of their own. `first` is the
    first record with q < 1; 1 on both sides at first, which bounds all shapes with the same ends.
    """

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        self.chain, self.private, self.level = chain, private, level
        self.low, self.high = level_bounds(level)
        self.budget = SideBudget.between(self.low, self.high)
        self.pairs = SidePairs(chain, private, self.low, self.high)
        self.grids, self.edges = self.pairs.grids, self.pairs.edges
        self.curve = curve_of(chain)
        self.best = self._without_q()
        self.wide: dict[tuple[Shape, Shape], float] = {}
        self.work = 0
        self.refined = 0.0

    def run(self) -> LocalOptimum:
        """Return the interval and the best mechanism found."""
        rest = 0.0
        for bound, kinds, firsts in self.pairs.ordered():
            if bound <= self._cutoff():
                break
            if self.work > _MOST_WORK:
                rest = bound
                break
            self._visit(kinds, firsts)
        lower, left, right = self.best
        redacted = [(Fraction(1), Fraction(1))]
        mechanism = LocalRedaction([*reversed(left.rows), *redacted, *right.rows])
        upper = max(Fraction(max(self.refined, rest, self._cutoff())), lower)
        return LocalOptimum(lower, min(upper, Fraction(self.chain.length - 1)), mechanism)

    def _without_q(self) -> tuple[Fraction, Profile, Profile]:
        """Return the most that sides without q release, decided exactly, and the sides."""
        for firsts in sorted(self.pairs.plain(), key=sum):
            if all(self._opposite_fits((kind, kind), firsts) for kind in (0, 1)):
                shapes = (next(grid.shapes(0, first)) for grid, first in zip(self.grids, firsts))
                left, right = (Profile(self.chain, shape) for shape in shapes)
                return left.gain + right.gain, left, right
        raise AssertionError("nothing may be released on both sides")

    def _cutoff(self) -> float:
        return float(self.best[0]) * _TIE

    def _visit(self, kinds: tuple[int, int], firsts: tuple[int, int]) -> None:
        """Enclose what shapes with these first records release, and note what is reached."""
        self.work += 5
        if kinds[0] == kinds[1]:
            if self._opposite_fits(kinds, firsts):
                self._share(kinds, firsts)
        else:
            # enclose the sides one after the other, each with its own budget
            sides = []
            for side in (0, 1):
                beside = Profile(self.chain, next(self.grids[1 - side].shapes(kinds[1 - side], firsts[1 - side])))
                sides.append(self._alone(side, kinds[side], firsts[side], beside.other_ratio))
            (upper, left), (more, right) = sides
            self.refined = max(self.refined, (upper + more) * UP)
            if left is not None and right is not None:
                self._reached(left, right)

    def _opposite_fits(self, kinds: tuple[int, int], firsts: Sequence[int]) -> bool:
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
            grid.wide_table(kind, first) for grid, kind, first in zip(self.grids, kinds, firsts)
        )
        own, other = np.array(self.pairs.cells()).T
        left_keeps = (rows[:, own] + columns.max(axis=0)[other]).max(axis=1) * UP > self._cutoff()
        right_keeps = (rows.max(axis=0)[own] + columns[:, other]).max(axis=1) * UP > self._cutoff()
        bound = np.full((len(left), len(right)), -np.inf)
        for i in np.flatnonzero(left_keeps):
            bound[i, right_keeps] = (rows[i, own] + columns[right_keeps][:, other]).max(axis=1)
        left_nearer, right_nearer = self.pairs.nearer(kinds[0], firsts)
        bound[0, 0] = -np.inf
        bound[0, 1:] = -np.inf if right_nearer else bound[0, 1:]
        bound[1:, 0] = -np.inf if left_nearer else bound[1:, 0]
        bound[1:, 1:] = -np.inf if left_nearer or right_nearer else bound[1:, 1:]
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
            wide = self.curve.widest(left), self.curve.widest(right)
            if wide not in self.wide:
                self.wide[wide] = self._together(*wide)
            upper = self.wide[wide]
            if upper > self._cutoff() * _CLOSE:
                import numpy as np

                own, other = np.array(self.pairs.cells()).T
                coarse = (self.grids[0].row(left)[own] + self.grids[1].row(right)[other]).max()
                if float(coarse) * UP <= self._cutoff():
                    return
                upper = self._together(left, right)
        else:
            fixed, shape = (two, left) if left.size else (one, right)
            beside = float(fixed.gain)
            upper, profile = self._one(shape, 1 / fixed.ratio, self._cutoff() - beside)
            upper = (upper + beside) * UP
            if profile is not None:
                self._reached(*((profile, two) if left.size else (one, profile)))
        self.refined = max(self.refined, upper)

    def _together(self, left: Shape, right: Shape) -> float:
        """Return a bound of what two shapes with q release, or the cutoff, and note near optima."""
        self.work += left.size + right.size
        shapes = left, right
        if not self._fits(Fraction(1), *(Profile(self.chain, shape) for shape in shapes)):
            return 0.0
        most = most_gain(self.curve, shapes, self.budget, self._cutoff())
        if not most.thetas:
            return 0.0
        near = (self.curve.q(shape, theta) for shape, theta in zip(shapes, most.thetas))
        self._propose(*(Profile.near(self.chain, shape, q).trimmed for shape, q in zip(shapes, near)))
        return most.upper * UP

    def _fits(self, wanted: Fraction, *sides: Profile) -> bool:
        """Tell exactly whether shapes keep the level at q = 1, where they leak least."""
        return self.level.compare(wanted / prod(side.least_leaking.ratio for side in sides)) <= 0

    def _propose(self, left: Profile, right: Profile) -> None:
        """Make the budget tight at one q, exactly, and note the pair if that works."""
        places = [(one.shape.value, one.shape.first) for one in (left, right) if one.shape.first <= one.shape.count]
        if places and self.chain.compare_influences(self.level, *places) > 0:
            return None
        if left.pivot is not None:
            fitted = left.with_ratio(1 / (self.low * right.ratio), False)
            if fitted is not None:
                return self._reached(fitted, right)
        fitted = right.with_ratio(1 / (self.low * left.ratio), False)
        return None if fitted is None else self._reached(left, fitted)

    def _reached(self, left: Profile, right: Profile) -> None:
        gain = left.gain + right.gain
        if gain > self.best[0]:
            self.best = gain, left, right

    def _alone(self, side: int, kind: int, first: int, other: Fraction) -> tuple[float, Profile | None]:
        """Return a bound and the best profile of one side whose ratio is at least other / E."""
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

    def _budget(self, wanted: Fraction) -> SideBudget:
        """Return what is left of E where a factor `wanted` is taken."""
        return SideBudget.between(self.low / wanted, self.high / wanted)

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
