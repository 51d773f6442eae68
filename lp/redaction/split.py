"""The best split of a level between the two sides of the private record, for 3R mechanisms: a
certified interval.

    maximise U_left(x) + U_right(y)  subject to  x, y >= 0,  x + y <= epsilon,

U the expected number of released records of one side's best design, with its regions at the
threshold x or y. Influences of records cut each axis into pieces on which the regions, a shape, are
the same; pairs of pieces are searched, those with the largest bounds first. Source of the family:
massny2025, Section IV, with budgets above 0; zero is ours, and so is the search.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.lp.redaction.curve import (
    DOWN,
    UP,
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

# With a budget x the regions of a side are thresholds at x of the influences of its records. So
# influences cut the ratios e^x from 1 on into pieces, [start, end), on which the regions are the same.
PIECES_RESTS_ON = ("massny2025.regions", "massny2025.x-regions-intervals")
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


RESTS_ON = ("redaction.level-monotone", "redaction.split-far", "redaction.split-not-attained")
_TIE = 1 + 4e-13  # gains closer than this are not told apart
_CLOSE = 1 + 1e-10  # a bound this close to what is reached is not worth another search
# records of shapes that are enclosed before coarse bounds have to do; 5 for a pair looked at
_MOST_WORK = 8_000
_REDACTED = (Fraction(1), Fraction(1))


@dataclass(frozen=True)
class Split:
    """Bounds of the expected number of released records, and a 3R mechanism with budgets, as
    ratios, that reaches the lower.
    """

    lower: Fraction
    upper: Fraction
    mechanism: LocalRedaction
    left: Fraction
    right: Fraction


def best_split(chain: BinaryChain, private: int, level: Level) -> Split:
    """Return the best split of a level between the sides, as bounds and the mechanism found.

    >>> from pufferproof.models.numbers.level import Level
    >>> split = best_split(BinaryChain("1/4", "1/2", 4), 2, Level.log(2))
    >>> split.lower, split.left, split.right
    (Fraction(2, 1), Fraction(1, 1), Fraction(2, 1))
    """
    return _BestSplit(chain, private, level).run()


class _SidePieces:
    """One side: its pieces, bounds of what they release, and designs for given budgets."""

    def __init__(self, chain: BinaryChain, count: int, most: Fraction) -> None:
        self.chain, self.pieces = chain, list(pieces_of(chain, count, most))
        self.work = 0
        self._known: dict[tuple[int, Fraction, Fraction], tuple[float, Profile | None]] = {}
        self._arcs: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def piece(self, profile: Profile) -> Piece | None:
        """Return the piece of the least budget that a profile keeps, or None."""
        budget = 1 / profile.ratio
        piece = self.pieces[bisect_right(self.pieces, budget, key=lambda piece: piece.start) - 1]
        fits = piece.shape.end == profile.shape.end and piece.shape.first <= profile.shape.first
        return piece if fits and (piece.end is None or budget < piece.end) else None

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
            if not self.pieces[at].shape.size:
                self._known[key] = (
                    float(self.pieces[at].shape.count + 1 - self.pieces[at].shape.end),
                    Profile(self.chain, self.pieces[at].shape),
                )
            else:
                curve = curve_of(self.chain)
                self.work += self.pieces[at].shape.size
                most = most_gain(curve, (self.pieces[at].shape,), SideBudget.between(low, high), -1.0)
                if not most.thetas:
                    self._known[key] = float("-inf"), None
                else:
                    near = Profile.near(
                        self.chain, self.pieces[at].shape, curve.q(self.pieces[at].shape, most.thetas[0])
                    )
                    self._known[key] = (
                        most.upper * UP,
                        near.with_ratio(1 / low, sum(q not in (0, 1) for q in near.q) <= 1),
                    )
        return self._known[key]


class _FoundSplit(NamedTuple):
    """A split that was found: its gain, the designs of both sides, and their budgets."""

    gain: Fraction
    left: Profile
    right: Profile
    left_budget: Fraction
    right_budget: Fraction


class _BestSplit:
    """Pairs of pieces, those with the largest bounds first.

    On a piece U does not fall, as a larger budget only admits more q (redaction.level-monotone);
    from one piece to the next it may. So the optimum over a pair of pieces is at the upper ends of
    both, or on the line x + y = epsilon: where it enters or leaves the pair, or at a point at which
    both sides gain as much from a little more budget. The last are enclosed by
    `pufferproof.lp.redaction.curve`, the others are designs of sides alone. Pieces that differ
    in their first records only are first bounded together, with q from distance 1 on and any
    budgets.

    A piece may contain its upper end only as a limit: the supremum need not be reached, the
    mechanism then comes close to it (redaction.split-not-attained). At that limit a last q of 0 is
    possible, too; the design with the rare value released there is better, and belongs to the next
    piece.
    """

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        self.chain, self.private, self.level = chain, private, level
        nearest = chain.influence(1 - chain.common_value, 1) or Fraction(1)
        top = nearest * nearest  # larger levels are no use
        self.low, self.high = (top, top) if level.compare(top) <= 0 else level_bounds(level)
        self.budget = SideBudget.between(self.low, self.high)
        counts = private - 1, chain.length - private
        side = _SidePieces(chain, counts[0], self.high)
        self.sides = (side, side if counts[0] == counts[1] else _SidePieces(chain, counts[1], self.high))
        self.best: _FoundSplit | None = None
        self.refined, self.work = 0.0, 0
        self.wide: dict[tuple[Shape, Shape], float] = {}

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
        lower, best = self.best.gain, self.best
        mechanism = LocalRedaction([*reversed(best.left.rows), _REDACTED, *best.right.rows])
        upper = min(max(Fraction(max(self.refined, self._cutoff())), lower), Fraction(self.chain.length - 1))
        return Split(lower, upper, mechanism, best.left_budget, best.right_budget)

    def _cutoff(self) -> float:
        return -1.0 if self.best is None else float(self.best.gain) * _TIE

    def _pairs(self) -> Iterator[tuple[float, int, int]]:
        """Yield pairs of pieces, largest bound first, on the line or with upper ends below it."""
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
        if self.level.compare(one.start * two.start) > 0 or (
            one.shape.size and two.shape.size and self._known(one, two)
        ):
            return
        for x, y in self._corners(one, two):
            tops = (outward(Fraction(0), 1 - 1 / budget[1])[1] for budget in (x, y))
            bounds = [side.bound(at, top) for side, at, top in zip(self.sides, (left, right), tops)]
            if sum(bounds) * UP <= self._cutoff():
                continue
            (upper, first), (more, second) = (self.sides[0].design(left, *x), self.sides[1].design(right, *y))
            self.refined = max(self.refined, (upper + more) * UP)
            if first is not None and second is not None:
                self._reached(one, two, first, second)
        if one.shape.size and two.shape.size:
            # enclose the points of a pair at which both sides gain as much from more budget
            shapes = one.shape, two.shape
            self.work += one.shape.size + two.shape.size
            most = most_gain(curve_of(self.chain), shapes, self.budget, self._cutoff(), (one.budgets, two.budgets))
            self.refined = max(self.refined, most.upper * UP)
            fitted = self._fitted(shapes, most.thetas)
            if fitted is not None:
                self._reached(one, two, *fitted)

    def _corners(self, one: Piece, two: Piece) -> Iterator[tuple[Bounds, Bounds]]:
        """Yield budgets of both sides, each enclosed, at the corners of a pair of pieces."""
        (x, top), (y, other) = (((piece.start, piece.start), piece.top) for piece in (one, two))
        points: list[tuple[Bounds, Bounds]] = []
        if top is not None and other is not None and top[0] * other[0] <= self.low:
            points.append((top, other))
        points += [(left, (self.low / left[1], self.high / left[0])) for left in (x, top) if left is not None]
        points += [((self.low / right[1], self.high / right[0]), right) for right in (y, other) if right is not None]
        for left, right in points:
            if one.overlaps(left) and two.overlaps(right):
                yield left, right

    def _known(self, one: Piece, two: Piece) -> bool:
        """Tell whether designs with these ends release no more than about what is reached."""
        curve = curve_of(self.chain)
        shapes = curve.widest(one.shape), curve.widest(two.shape)
        if shapes not in self.wide:
            # bound what two shapes release within the level, or 0 if that is already reached
            self.work += sum(shape.size for shape in shapes)
            most = most_gain(curve, shapes, self.budget, self._cutoff(), ones=True)
            fitted = self._fitted(shapes, most.thetas)
            if fitted is not None:
                left, right = (profile.trimmed for profile in fitted)
                pieces = self.sides[0].piece(left), self.sides[1].piece(right)
                if pieces[0] is not None and pieces[1] is not None:
                    self._reached(pieces[0], pieces[1], left, right)
            self.wide[shapes] = most.upper * UP
        if self.wide[shapes] > self._cutoff() * _CLOSE:
            return False
        self.refined = max(self.refined, self.wide[shapes])
        return True

    def _fitted(self, shapes: tuple[Shape, Shape], thetas: tuple[float, ...]) -> tuple[Profile, Profile] | None:
        """Return designs close to parameters with one q that uses up the level, or None."""
        if not thetas:
            return None
        curve = curve_of(self.chain)
        first, second = (Profile.near(self.chain, shape, curve.q(shape, theta)) for shape, theta in zip(shapes, thetas))
        fitted = second.with_ratio(1 / (self.low * first.ratio), False)
        if fitted is not None:
            return first, fitted
        fitted = first.with_ratio(1 / (self.low * second.ratio), False)
        return None if fitted is None else (fitted, second)

    def _reached(self, one: Piece, two: Piece, left: Profile, right: Profile) -> None:
        """Note two designs if exact budgets of their pieces, within the level, allow them."""
        x, y = max(one.start, 1 / left.ratio), max(two.start, 1 / right.ratio)
        inside = (one.end is None or x < one.end) and (two.end is None or y < two.end)
        if not inside or (x * y > self.low and self.level.compare(x * y) > 0):
            return
        gain = left.gain + right.gain
        if self.best is None or gain > self.best.gain:
            self.best = _FoundSplit(gain, left, right, x, y)


def _rest(room: float, taken: float) -> float:
    """Return a bound of what is left of a room, 1 - (1 - room) / (1 - taken)."""
    return max(0.0, (room - taken) / (1 - taken) * UP + room * (UP - 1))
