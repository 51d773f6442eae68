"""The best local redaction of all for one private record of a binary chain: a mechanism, and a
bound that no other one exceeds.

Any r_t(x) is allowed. The optimum is the largest over finitely many pairs of shapes of problems
with one parameter a side; it is reached, at every level. Shapes are discarded by bounds on a grid
of budgets, the best first; what is left is enclosed by `most_gain`. Whether shapes keep the level
at all is decided exactly. Source of the question: massny2025, which proposes three regions and
leaves the best local mechanism open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.lp.redaction.curve import (
    DOWN,
    UP,
    Curve,
    CurveRecord,
    Profile,
    Shape,
    SideBudget,
    curve_of,
    level_bounds,
    most_gain,
    outward,
)
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

if TYPE_CHECKING:
    import numpy as np

# A bound at a grid point holds for every budget up to it: the largest gain of all boxes of
# stationary designs whose budget may be that small.
GRID_RESTS_ON = ("redaction.level-monotone",)


class Grid:
    """Bounds of what one side may release: by the ratio that is free, the first record with q <
    1, and a grid of budgets.
    """

    def __init__(self, curve: Curve, count: int, edges: "np.ndarray") -> None:
        import numpy as np

        self.curve, self.count, self.edges = curve, count, edges
        self._tables: dict[tuple[int, int], tuple[list[Shape], np.ndarray]] = {}
        self.excess = np.zeros((2, count + 2))  # influences - 1 by value and distance
        for value in (0, 1):
            for distance in range(1, count + 1):
                self.excess[value, distance] = float((curve.chain.influence(value, distance) or 1) - 1)
        self.bound = np.full((2, count + 2, len(edges)), -np.inf)
        if count:
            for first in range(1, self.count + 1):
                for kind in (0, 1):
                    value = self.value(kind, first)

                    self._put(
                        self.bound[kind, first],
                        np.array([self._spent(value, first)]),
                        np.array([(self.count + 1.0 - first)]),
                    )
            for far in (0, 1):
                for i, row in enumerate(self.curve.rows(far, True, self.count)[: self.count - 1], 1):
                    self._enter_row(far, row, i, range(1, self.count - i + 1))
                for i, row in enumerate(self.curve.rows(far, False, self.count), 1):
                    self._enter_row(far, row, i, range(self.count + 1 - i, self.count + 2 - i))
        self.bound[:, count + 1, :] = np.maximum(self.bound[:, count + 1, :], 0.0)
        self.bound = np.maximum.accumulate(self.bound, axis=2)

    def opposite(self, kind: int) -> "np.ndarray":
        """Return the influences, less 1, of the values released first, by `first`."""
        import numpy as np

        return np.array([0.0, *(self.excess[self.value(kind, k), k] for k in range(1, self.count + 1)), 0.0])

    def value(self, kind: int, first: int) -> int:
        """Return the value released at a distance if the free ratio at p is that of `kind`."""
        return self.curve.value_at(kind, first)

    def shapes(self, kind: int, first: int) -> Iterator[Shape]:
        """Yield the shapes with this first record, that without q first."""
        if first > self.count:
            yield Shape(kind, first, first, self.count)
            return
        value = self.value(kind, first)
        for end in range(first, self.count + 2):
            yield Shape(value, first, end, self.count)

    def plain(self, kind: int) -> "np.ndarray":
        """Return the bounds of the shapes without q, one row for each first record."""
        import numpy as np

        rows = [self.row(next(self.shapes(kind, first))) for first in range(1, self.count + 2)]
        return np.array([np.full(len(self.edges), -np.inf), *rows])

    def table(self, kind: int, first: int) -> tuple[list[Shape], "np.ndarray"]:
        """Return the shapes with this first record, a row each, and bounds of their releases."""
        import numpy as np

        if (kind, first) not in self._tables:
            shapes = list(self.shapes(kind, first))
            self._tables[kind, first] = shapes, np.array([self.row(shape) for shape in shapes])
        return self._tables[kind, first]

    def wide_table(self, kind: int, first: int) -> tuple[list[Shape], "np.ndarray"]:
        """Return weaker bounds at hand: shapes with q release at most those from distance 1 on."""
        import numpy as np

        if first > self.count:
            return self.table(kind, first)
        shapes, (_, widest) = list(self.shapes(kind, first)), self.table(kind, 1)
        return shapes, np.concatenate((self.row(shapes[0])[None], widest[first:]))

    def row(self, shape: Shape) -> "np.ndarray":
        """Return bounds of what a shape releases with each budget of the grid."""
        import numpy as np

        gains = np.full(len(self.edges), -np.inf)
        if shape.first > shape.count:
            gains[:] = 0.0
        elif not shape.size:
            self._put(
                gains, np.array([self._spent(shape.value, shape.first)]), np.array([shape.count + 1.0 - shape.first])
            )
        else:
            arcs = self.curve.fine(shape)
            self._put(gains, arcs.room[0], arcs.gain[1])
        return np.maximum.accumulate(gains)

    def _put(self, gains: "np.ndarray", room: "np.ndarray", gain: "np.ndarray") -> None:
        import numpy as np

        bins = np.searchsorted(self.edges, room * DOWN, "left")
        fits = bins < len(self.edges)
        np.maximum.at(gains, bins[fits], gain[fits])

    def _spent(self, value: int, first: int) -> float:
        """Return a lower bound of 1 - 1/i of the value not released first, at its distance."""
        import numpy as np

        return float(self.curve.room(value, first, (np.zeros(1), np.zeros(1)))[0][0])

    def _enter_row(self, far: int, row: CurveRecord, i: int, firsts: range) -> None:
        """Enter designs of i records with q, the nearest below 1, at every possible place."""
        import numpy as np

        free = row.star[0] < 1
        u, gain = (row.u[0][free], row.u[1][free]), row.gain[1][free]
        if not len(gain):
            return
        value = self.curve.value_at(far, i - 1)
        places = np.array(firsts)
        room = self.curve.rooms(value, places, u)
        bins = np.searchsorted(self.edges, room * DOWN, "left")
        which, box = np.nonzero(bins < len(self.edges))
        kinds = (value ^ (places & 1)) if self.curve.turns else np.full_like(places, value)
        gains = (gain[box] + (self.count + 1 - i - places[which])) * UP
        np.maximum.at(self.bound, (kinds[which], places[which], bins[which, box]), gains)


# A pair of sides is of one of four kinds: which of its two likelihood ratios depends on the q of a
# side, left and right. If it is the same one, one budget is shared, and pairs of first records that
# are no use are left out; if it is not, each side has a budget of its own, E / o of the other one, o
# the influence of the value released first.
PAIRS_RESTS_ON = ("redaction.side-levels", "redaction.joint-of-sides")
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
