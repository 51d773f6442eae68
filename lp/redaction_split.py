"""The best split of a level between the two sides of the private record, for 3R mechanisms: a certified interval.

    maximise U_l(x) + U_r(y)  subject to  x, y >= 0,  x + y <= epsilon,

U the expected number of released records of one side's best design (`lp/redaction_exact.py`), with its regions at the threshold
x or y. Influences of records cut each axis into pieces on which the regions are the same. On a piece U increases, as a larger
budget only admits more q; from one piece to the next it may fall. So on a box of one piece each, U_l + U_r is at most its value
at the upper right corner. The line x + y = epsilon is cut into boxes until the interval is narrow or the work is done. A piece
may contain its upper end only as a limit: the supremum need not be reached, the mechanism then comes close to it.

At that limit the last medium record k has i1(k) = budget, so that q_k = 0 is possible as well: there the rest is a design for
the small region that starts with k, and the smaller of the two least sums bounds both. Source of the family: massny2025,
Section IV, with budgets above 0; zero is ours, and so is the search.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from itertools import product

from pufferproof.lp.redaction_exact import exact_side, least_stationary
from pufferproof.lp.redaction_relaxed import SideDesign
from pufferproof.lp.redaction_side import DesignSide
from pufferproof.models.binary_chain import BinaryChain, Budget
from pufferproof.models.level import Level
from pufferproof.models.numbers import log_bounds

_GRAIN = 1 << 64  # budgets are multiples of 2^-64 nats
_WIDTH = Fraction(1, 10**9)
_MOST_STEPS = 400  # on short chains; fewer where each takes longer


@dataclass(frozen=True)
class Split:
    """Two sides with the designs that reach `lower` released records; no split reaches more than `upper`."""

    lower: Fraction
    upper: Fraction
    left: tuple[DesignSide, SideDesign]
    right: tuple[DesignSide, SideDesign]


@dataclass(frozen=True)
class _Piece:
    """Budgets from `start` to below `end` (bounds of them, end None: unbounded) at which the regions are these."""

    first: int
    small: int
    start: Fraction
    end: Fraction | None


_Box = tuple[bool, _Piece, _Piece, Fraction, Fraction]


def best_split(chain: BinaryChain, private: int, level: Level) -> Split:
    """Return the best split of a level between the sides, as bounds and the mechanism found."""
    return _Search(chain, private, level).run()


class _Side:
    """One side: its pieces, what it reaches at a budget, and what it cannot exceed on a piece."""

    def __init__(self, chain: BinaryChain, count: int, most: Fraction) -> None:
        self.chain, self.count = chain, count
        self.weight = max(chain.stationary_law)
        self.pieces = list(self._pieces(most))
        self.reached = cache(self._reached)
        self.bound = cache(self._bound)

    def _pieces(self, most: Fraction) -> Iterator[_Piece]:
        """Yield the pieces that start at most at `most` nats; influences decrease in the distance."""
        common, crossed = self.chain.common_value, dict[Fraction, list[tuple[bool, int]]]()
        for value, distance in product((0, 1), range(1, self.count + 1)):
            ratio = self.chain.influence(value, distance) or Fraction(1)
            crossed.setdefault(ratio, []).append((value == common, distance))
        first = small = self.count + 1
        start = Fraction(0)
        for ratio, records in sorted(crossed.items()):
            low, high = (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, 80)
            if low > most:
                yield _Piece(first, small, start, high)
                return
            if ratio > 1:
                yield _Piece(first, small, start, high)
            first = min([first, *(distance for is_first, distance in records if is_first)])
            small = min([small, *(distance for is_first, distance in records if not is_first)])
            start = low
        yield _Piece(first, small, start, None)

    def _reached(self, budget: Budget) -> tuple[Fraction, DesignSide, SideDesign]:
        side = DesignSide.of(self.chain, self.count, budget)
        design = exact_side(side)
        return side.released + self.weight * (side.size - design.total), side, design

    def _bound(self, piece: _Piece, nats: Fraction) -> Fraction:
        """Return a bound of what designs with the regions of a piece release with up to this budget."""
        top = nats if piece.end is None else min(nats, piece.end)
        budget = Budget(Level.of_nats(top))
        size, small = piece.small - piece.first, piece.small
        if size <= 0:
            return Fraction(self.count + 1 - small)
        sums = [least_stationary(DesignSide(self.chain, self.count, budget, piece.first, small))]
        last = self.chain.max_influence(small - 1)
        if last is not None and budget.compare(last) <= 0:
            sums.append(least_stationary(DesignSide(self.chain, self.count, budget, piece.first, small - 1)))
        least = min((each for each in sums if each is not None), default=Fraction(0))
        return self.count + 1 - small + self.weight * (size - least)


class _Boxes:
    """Boxes of left budgets in a pair of pieces, the one with the largest bound first."""

    def __init__(self) -> None:
        self._heap: list[tuple[Fraction, int, _Box]] = []
        self._pushed = 0

    def push(self, bound: Fraction, *box: *_Box) -> None:
        """Put in a box: whether its bound is that of the box alone, its pieces and its ends."""
        self._pushed += 1
        heappush(self._heap, (-bound, self._pushed, box))

    def pop(self) -> _Box:
        """Take out the box with the largest bound."""
        return heappop(self._heap)[2]

    @property
    def largest(self) -> Fraction:
        """The largest bound, 0 if no box is left."""
        return -self._heap[0][0] if self._heap else Fraction(0)


class _Search:
    """Best first over boxes of pairs of pieces."""

    def __init__(self, chain: BinaryChain, private: int, level: Level) -> None:
        self.level, self.length = level, chain.length
        if level.nats is not None:
            self.low = self.high = level.nats
        else:
            ratio = level.ratio or Fraction(1)
            self.low, self.high = (Fraction(0), Fraction(0)) if ratio == 1 else log_bounds(ratio, 80)
        self.sides = _Side(chain, private - 1, self.high), _Side(chain, chain.length - private, self.high)
        self.best: tuple[Fraction, Budget, Budget] | None = None

    def run(self) -> Split:
        """Return the interval and the best mechanism found."""
        whole, half, none = (Budget(self.level, Fraction(part, 2)) for part in (2, 1, 0))
        for pair in ((whole, none), (none, whole), (half, half)):
            self._try(*pair)
        boxes = _Boxes()
        for left, right in product(self.sides[0].pieces, self.sides[1].pieces):
            if left.start + right.start <= self.high:
                last = self.high - right.start
                end = last if left.end is None else min(last, left.end)
                boxes.push(self._coarse(left, right), False, left, right, left.start, end)
        steps, most = 0, _MOST_STEPS // (1 + self.length // 10)
        while boxes.largest > self._lower() * (1 + _WIDTH) and steps < most:
            refined, left, right, x, then = boxes.pop()
            steps += 1
            if not refined:
                boxes.push(self._above(left, right, x, then), True, left, right, x, then)
                continue
            self._visit(left, right, x, then)
            middle = _grain((x + then) / 2)
            if not x < middle < then:
                boxes.push(self._above(left, right, x, then), True, left, right, x, then)
                break
            for ends in ((x, middle), (middle, then)):
                boxes.push(self._above(left, right, *ends), True, left, right, *ends)
        lower, first, second = self.best if self.best is not None else (Fraction(0), none, none)
        upper = max(lower, boxes.largest)
        return Split(lower, upper, self.sides[0].reached(first)[1:], self.sides[1].reached(second)[1:])

    def _lower(self) -> Fraction:
        return self.best[0] if self.best is not None else Fraction(0)

    def _coarse(self, left: _Piece, right: _Piece) -> Fraction:
        """Bound the value over two pieces by the ends of each alone, which are computed once."""
        return self.sides[0].bound(left, self.high) + self.sides[1].bound(right, self.high)

    def _above(self, left: _Piece, right: _Piece, x: Fraction, then: Fraction) -> Fraction:
        """Bound the value over left budgets in [x, then]; the right one is at most epsilon - x."""
        return self.sides[0].bound(left, then) + self.sides[1].bound(right, self.high - x)

    def _visit(self, left: _Piece, right: _Piece, x: Fraction, then: Fraction) -> None:
        """Try a left budget near the upper end of a box, and one in the middle, each with all the right piece can take."""
        for wanted in (then, (x + then) / 2, x):
            first = _grain(min(wanted, self.low, *([] if left.end is None else [left.end - Fraction(2, 1 << 60)])))
            second = _grain(min([self.low - first, *([] if right.end is None else [right.end - Fraction(2, 1 << 60)])]))
            if first >= 0 and second >= 0:
                self._try(Budget(Level.of_nats(first)), Budget(Level.of_nats(second)))

    def _try(self, left: Budget, right: Budget) -> None:
        value = self.sides[0].reached(left)[0] + self.sides[1].reached(right)[0]
        if self.best is None or value > self.best[0]:
            self.best = value, left, right


def _grain(value: Fraction) -> Fraction:
    return Fraction((value.numerator * _GRAIN) // value.denominator, _GRAIN)
