"""The best split of a level between the two sides of the private record, for 3R mechanisms: a certified interval.

    maximise U_left(x) + U_right(y)  subject to  x, y >= 0,  x + y <= epsilon,

U the expected number of released records of one side's best design (`pufferproof.lp.redaction_exact`), with its regions at the
threshold x or y. Influences of records cut each axis into pieces on which the regions, a shape, are the same. On a piece U
does not fall, as a larger budget only admits more q; from one piece to the next it may. So the optimum over a pair of pieces
is at the upper ends of both, or on the line x + y = epsilon: where it enters or leaves the pair, or at a point at which both
sides gain as much from a little more budget. The last are enclosed by `pufferproof.lp.redaction_most`, the others are designs
of sides alone.

A piece may contain its upper end only as a limit: the supremum need not be reached, the mechanism then comes close to it. (At
that limit a last q of 0 is possible, too; the design with the rare value released there is better, and belongs to the next
piece.) Source of the family: massny2025, Section IV, with budgets above 0; zero is ours, and so is the search.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.lp.redaction_curve import DOWN, UP, Shape, curve_of
from pufferproof.lp.redaction_most import Budget, level_bounds, most_gain, outward
from pufferproof.lp.redaction_profile import Profile
from pufferproof.models.binary_chain import BinaryChain
from pufferproof.models.level import Level
from pufferproof.models.mechanisms.redaction import LocalRedaction

_NEXT = Fraction(1, 1 << 70)  # how close to a limit that is not reached mechanisms come, in lengths of the piece
_TIE = 1 + 4e-13  # gains closer than this are not told apart
_MOST_WORK = 8_000  # records of shapes that are enclosed before coarse bounds have to do; 5 for a pair looked at
_REDACTED = (Fraction(1), Fraction(1))


_Budget = tuple[Fraction, Fraction]  # bounds of e^x


@dataclass(frozen=True)
class Split:
    """Bounds of the expected number of released records, and a 3R mechanism with budgets, as ratios, that reaches the lower."""

    lower: Fraction
    upper: Fraction
    mechanism: LocalRedaction
    left: Fraction
    right: Fraction


def best_split(chain: BinaryChain, private: int, level: Level) -> Split:
    """Return the best split of a level between the sides, as bounds and the mechanism found.

    >>> from pufferproof.models.level import Level
    >>> found = best_split(BinaryChain("1/4", "1/2", 4), 2, Level.log(2))
    >>> found.lower, found.left, found.right
    (Fraction(2, 1), Fraction(1, 1), Fraction(2, 1))
    """
    return _Search(chain, private, level).run()


@dataclass(frozen=True)
class _Piece:
    """Budgets, as ratios e^x, from `start` to below `end` (None: unbounded) at which the regions of a side are a shape."""

    shape: Shape
    start: Fraction
    end: Fraction | None

    @cached_property
    def budgets(self) -> Budget:
        """Floats that enclose the piece, with both ends."""
        if self.end is not None:
            return Budget.between(self.start, self.end)
        return Budget((0.0, outward(1 / self.start, 1 / self.start)[1]), (outward(1 - 1 / self.start, Fraction(1))))

    @property
    def top(self) -> _Budget | None:
        """Bounds of the upper end, the lower one inside the piece; None where there is no end."""
        return None if self.end is None else (self.end - (self.end - self.start) * _NEXT, self.end)

    def overlaps(self, budget: _Budget) -> bool:
        """Whether a budget between these bounds may lie in the piece with both ends."""
        return budget[1] >= self.start and (self.end is None or budget[0] <= self.end)


def _pieces(chain: BinaryChain, count: int, most: Fraction) -> Iterator[_Piece]:
    """Yield the pieces of a side that start at most at a ratio; influences do not increase in the distance."""
    crossed = _breakpoints(chain, count, most)
    first = small = count + 1
    start = Fraction(1)
    for ratio in sorted(crossed):
        if ratio > 1:
            yield _Piece(Shape(chain.common_value, first, small, count), start, ratio)
        if ratio > most:
            return
        first = min([first, *(distance for value, distance in crossed[ratio] if value == chain.common_value)])
        small = min([small, *(distance for value, distance in crossed[ratio] if value != chain.common_value)])
        start = ratio
    yield _Piece(Shape(chain.common_value, first, small, count), start, None)


def _breakpoints(chain: BinaryChain, count: int, most: Fraction) -> dict[Fraction, list[tuple[int, int]]]:
    """Return the influences up to a ratio, and the next one of each value, with the values and distances that have them."""
    crossed: dict[Fraction, list[tuple[int, int]]] = {}
    for value in (0, 1):
        for distance in range(count, 0, -1):
            ratio = chain.influence(value, distance) or Fraction(1)
            crossed.setdefault(ratio, []).append((value, distance))
            if ratio > most:
                break
    return crossed


class _Side:
    """One side: its pieces, bounds of what they release, and designs for given budgets."""

    def __init__(self, chain: BinaryChain, count: int, most: Fraction) -> None:
        self.chain, self.pieces = chain, list(_pieces(chain, count, most))
        self.work = 0
        self._known: dict[tuple[int, Fraction, Fraction], tuple[float, Profile | None]] = {}
        self._arcs: dict[int, tuple[Any, Any]] = {}

    def bound(self, at: int, top: float) -> float:
        """Bound what a piece releases with budgets up to a ratio with 1 - 1 / ratio = top."""
        shape = self.pieces[at].shape
        if not shape.size:
            return float(shape.count + 1 - shape.end)
        if at not in self._arcs:
            arcs = curve_of(self.chain).fine(shape)
            self._arcs[at] = arcs.room[0], arcs.gain[1]
        room, gain = self._arcs[at]
        possible = gain[room <= top]
        return float(possible.max()) * UP if len(possible) else 0.0

    def design(self, at: int, low: Fraction, high: Fraction) -> tuple[float, Profile | None]:
        """Return a bound for a budget between two ratios, and a design for the lower one."""
        key = at, low, high
        if key not in self._known:
            self._known[key] = self._design(self.pieces[at].shape, low, high)
        return self._known[key]

    def _design(self, shape: Shape, low: Fraction, high: Fraction) -> tuple[float, Profile | None]:
        if not shape.size:
            return float(shape.count + 1 - shape.end), Profile(self.chain, shape)
        curve = curve_of(self.chain)
        self.work += shape.size
        most = most_gain(curve, (shape,), Budget.between(low, high), -1.0)
        if not most.thetas:
            return float("-inf"), None
        near = Profile.near(self.chain, shape, curve.q(shape, most.thetas[0]))
        return most.upper * UP, near.with_ratio(1 / low, sum(q not in (0, 1) for q in near.q) <= 1)


class _Search:
    """Pairs of pieces, those with the largest bounds first."""

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        self.chain, self.private, self.level = chain, private, level
        nearest = chain.influence(1 - chain.common_value, 1) or Fraction(1)
        top = nearest * nearest  # larger levels are no use
        self.low, self.high = (top, top) if level.compare(top) <= 0 else level_bounds(level)
        self.budget = Budget.between(self.low, self.high)
        counts = private - 1, chain.length - private
        side = _Side(chain, counts[0], self.high)
        self.sides = side, side if counts[0] == counts[1] else _Side(chain, counts[1], self.high)
        self.best: tuple[Fraction, Profile, Profile, Fraction, Fraction] | None = None
        self.refined, self.work = 0.0, 0

    def run(self) -> Split:
        """Return the interval and the best mechanism found."""
        for bound, left, right in self._pairs():
            if bound <= self._cutoff():
                break
            if self.work + sum(side.work for side in self.sides) > _MOST_WORK:
                self.refined = max(self.refined, bound)
                break
            self._visit(left, right)
        if self.best is None:
            raise AssertionError("a budget of 0 on both sides is a split")
        lower, one, two, left_budget, right_budget = self.best
        mechanism = LocalRedaction([*reversed(one.rows), _REDACTED, *two.rows])
        upper = min(max(Fraction(max(self.refined, self._cutoff())), lower), Fraction(self.chain.length - 1))
        return Split(lower, upper, mechanism, left_budget, right_budget)

    def _cutoff(self) -> float:
        return -1.0 if self.best is None else float(self.best[0]) * _TIE

    def _pairs(self) -> Iterator[tuple[float, int, int]]:
        """Yield pairs of pieces with bounds, largest first: those on the line, and those whose upper ends are below it."""
        import numpy as np

        (low, high), (left, right) = self.budget.room, self.sides
        (begin, finish), (start, end) = (
            np.array([piece.budgets.room for piece in side.pieces]).T for side in self.sides
        )
        first, last = (x[:, None] + y[None, :] * (1 - x[:, None]) for x, y in ((begin, start), (finish, end)))
        alone = [
            np.array([side.bound(at, min(piece.budgets.room[1], high)) for at, piece in enumerate(side.pieces)])
            for side in self.sides
        ]
        bound = np.where(last * DOWN <= high, (alone[0][:, None] + alone[1][None, :]) * UP, -1.0)
        for i, j in np.argwhere((first * DOWN <= high) & (last * UP >= low)).tolist():
            tops = min(finish[i], _rest(high, start[j])), min(end[j], _rest(high, begin[i]))
            bound[i, j] = max(bound[i, j], (left.bound(i, tops[0]) + right.bound(j, tops[1])) * UP)
        for at in np.argsort(-bound, axis=None, kind="stable").tolist():
            i, j = divmod(at, bound.shape[1])
            if bound[i, j] < 0:
                return
            yield float(bound[i, j]), i, j

    def _visit(self, left: int, right: int) -> None:
        """Enclose what a pair of pieces releases, and note what is reached."""
        one, two = self.sides[0].pieces[left], self.sides[1].pieces[right]
        self.work += 5
        if self.level.compare(one.start * two.start) > 0:
            return
        for x, y in self._corners(one, two):
            tops = (outward(Fraction(0), 1 - 1 / budget[1])[1] for budget in (x, y))
            bounds = [side.bound(at, top) for side, at, top in zip(self.sides, (left, right), tops)]
            if sum(bounds) * UP <= self._cutoff():
                continue
            (upper, first), (more, second) = self.sides[0].design(left, *x), self.sides[1].design(right, *y)
            self.refined = max(self.refined, (upper + more) * UP)
            if first is not None and second is not None:
                self._reached(one, two, first, second)
        if one.shape.size and two.shape.size:
            self._between(one, two)

    def _corners(self, one: _Piece, two: _Piece) -> Iterator[tuple[_Budget, _Budget]]:
        """Yield budgets of both sides, each enclosed: the ends of the line in a pair of pieces, or the upper ends of both."""
        (x, top), (y, other) = (((piece.start, piece.start), piece.top) for piece in (one, two))
        points: list[tuple[_Budget, _Budget]] = []
        if top is not None and other is not None and top[0] * other[0] <= self.low:
            points.append((top, other))
        points += [(left, (self.low / left[1], self.high / left[0])) for left in (x, top) if left is not None]
        points += [((self.low / right[1], self.high / right[0]), right) for right in (y, other) if right is not None]
        for left, right in points:
            if one.overlaps(left) and two.overlaps(right):
                yield left, right

    def _between(self, one: _Piece, two: _Piece) -> None:
        """Enclose the points inside a pair at which both sides gain as much from a little more budget."""
        curve, shapes = curve_of(self.chain), (one.shape, two.shape)
        self.work += one.shape.size + two.shape.size
        most = most_gain(curve, shapes, self.budget, self._cutoff(), (one.budgets, two.budgets))
        if not most.thetas:
            return
        self.refined = max(self.refined, most.upper * UP)
        first, second = (
            Profile.near(self.chain, shape, curve.q(shape, theta)) for shape, theta in zip(shapes, most.thetas)
        )
        fitted = second.with_ratio(1 / (self.low * first.ratio), False)
        if fitted is not None:
            self._reached(one, two, first, fitted)
        else:
            fitted = first.with_ratio(1 / (self.low * second.ratio), False)
            if fitted is not None:
                self._reached(one, two, fitted, second)

    def _reached(self, one: _Piece, two: _Piece, left: Profile, right: Profile) -> None:
        """Note two designs if budgets of their pieces, within the level, let them be, decided exactly."""
        x, y = max(one.start, 1 / left.ratio), max(two.start, 1 / right.ratio)
        inside = (one.end is None or x < one.end) and (two.end is None or y < two.end)
        if not inside or (x * y > self.low and self.level.compare(x * y) > 0):
            return
        gain = left.gain + right.gain
        if self.best is None or gain > self.best[0]:
            self.best = gain, left, right, x, y


def _rest(room: float, taken: float) -> float:
    """Return a bound of what is left of a room, 1 - (1 - room) / (1 - taken)."""
    return max(0.0, (room - taken) / (1 - taken) * UP + room * (UP - 1))
