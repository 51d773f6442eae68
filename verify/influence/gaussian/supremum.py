"""The largest log-ratio A_s - A_t over all places of the shown records, certified.

A_s is a cumulant function of a normal law on a convex set: it is convex, and so is a quadratic less
it. So A_s - A_t is a difference of convex functions, and on a cell at most the first minus a
tangent of the other, largest at a corner; tangents come from differences. Cells with the largest
bound are split until it is near enough to the largest value found.
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import count, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.priors.continuous.points import Window
from pufferproof.verify.influence.gaussian.law import GaussianLaw, Hidden

if TYPE_CHECKING:
    import numpy as np
    from flint import arb_mat
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

BoxPlace = tuple[Fraction, ...]
Cell = tuple[tuple[Fraction, Fraction], ...]
_STEPS = 8  # steps of difference quotients in a cell
_SLOP = 1e-14  # relative, over roundings of a few sums of floats


class Values(NamedTuple):
    """A_s and A_t at a place, and by how much they may be off."""

    one: float
    other: float
    off: float


class CellBound(NamedTuple):
    """An upper bound on a cell, how much of it errors of integrals make, and where to cut it."""

    upper: float
    noise: float
    longest: int


class FoundDifference(NamedTuple):
    """Bounds of the largest A_s - A_t, and a place where it is at least the lower one."""

    lower: float
    upper: float
    place: BoxPlace


@dataclass(frozen=True)
class WindowQuestion:
    """Two windows s and t of a record under a law, and which records are hidden."""

    law: GaussianLaw
    record: int
    one: Window
    other: Window
    hidden: Hidden
    tolerance: float
    known: dict[BoxPlace, Values] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """How many records are shown."""
        return self.law.count - len(self.hidden)

    def at(self, place: BoxPlace) -> Values:
        """Return A_s and A_t at a place."""
        if place not in self.known:
            found = [
                self.law.log_given(w, self.record, self.hidden, place, self.tolerance) for w in (self.one, self.other)
            ]
            values = [float(each.mid()) for each in found]
            off = sum(float(each.rad()) for each in found) * (1 + 1e-9)
            size = sum(abs(value) for value in values)
            self.known[place] = Values(values[0], values[1], off + _SLOP * size)
        return self.known[place]

    def difference(self, place: BoxPlace) -> float:
        """Return A_s - A_t at a place, up to its error."""
        found = self.at(place)
        return found.one - found.other

    @cached_property
    def curvature(self) -> "Floats":
        """G: an upper bound of the Hessians.

        0 <= Hess A_s <= G with (Brascamp and Lieb 1976) Cov(x_K | x_i) <= Q_KK^-1 for the other
        hidden records K, and the variance of x_i in a window of width w at most w^2/4; or Cov(x_H)
        <= Q_HH^-1.
        """
        import numpy as np
        from flint import ctx

        with ctx.workprec(self.law.bits):
            found = [_conditional(self), _jointly(self)]
        matrix = min(found, key=lambda each: float(np.trace(each)))
        return np.asarray(matrix + 1e-13 * np.trace(matrix) * np.eye(self.dimension))


def _part(q: "arb_mat", rows: Sequence[int], columns: Sequence[int]) -> "arb_mat":
    from flint import arb_mat

    return arb_mat([[q[i, j] for j in columns] for i in rows])


def _floats(matrix: "arb_mat") -> "Floats":
    import numpy as np

    return np.array([[float(entry) for entry in row] for row in matrix.tolist()])


def _jointly(question: WindowQuestion) -> "Floats":
    """Return Q_LH Q_HH^-1 Q_HL."""
    q, hidden = question.law.precision, question.hidden
    shown = [k for k in range(question.law.count) if k not in hidden]
    across = _part(q, shown, hidden)
    return _floats(across * _part(q, hidden, hidden).inv() * across.transpose())


def _conditional(question: WindowQuestion) -> "Floats":
    """Bound the Hessian by what K and the secret record vary: with B = Q_KK^-1 and
    Cov(K | x_i) = C <= B, (l_i - l_K C Q_Ki)^2 w^2/4 <= (2 (l_i - l_K B Q_Ki / 2)^2 + kappa l_K B
    l_K / 2) w^2/4 for kappa = Q_iK B Q_Ki, as |u C v - u B v / 2| <= sqrt(u B u v B v) / 2.
    """
    import numpy as np

    q, i = question.law.precision, question.record
    shown = [k for k in range(question.law.count) if k not in question.hidden]
    others = [k for k in question.hidden if k != i]
    width = max(high - low for low, high in (question.one, question.other))
    width_squared = float(width) ** 2
    own = _floats(_part(q, shown, [i]))[:, 0]
    if not others:
        return np.outer(own, own) * width_squared / 4
    across, inverse = _part(q, shown, others), _part(q, others, others).inv()
    column = _part(q, others, [i])
    kappa = float((column.transpose() * inverse * column)[0, 0])
    half = own - _floats(across * inverse * column)[:, 0] / 2
    base = _floats(across * inverse * across.transpose())
    return np.asarray(base * (1 + width_squared * kappa / 8) + np.outer(half, half) * width_squared / 2)


@dataclass
class LargestDifference:
    """Branch and bound for one question: cells of the box of the shown records. `climbs`: a place
    is looked for first where the difference is about the largest.
    """

    question: WindowQuestion
    slack: Callable[[float], float]
    most_cells: int
    climbs: bool = True
    best: BoxPlace = ()
    value: float = float("-inf")

    def run(self, start: Sequence[BoxPlace]) -> FoundDifference:
        """Return bounds that differ by at most `slack` of the largest value, or what was reached
        with so many cells; `start` are places to try first.
        """
        low, high = self.question.law.prior.box
        for place in start:
            self.offer(place)
        if self.climbs:
            self.climb(low, high)
        sides = [list(pairwise(sorted({low, high, at}))) for at in self.best]
        order, heap = count(), list[tuple[float, int, CellBound, Cell]]()

        def take(cell: Cell) -> None:
            found = self.bound(cell)
            heapq.heappush(heap, (found.noise - found.upper, next(order), found, cell))

        for cell in product(*sides):
            take(cell)
        cells = len(heap)
        while cells < self.most_cells and -heap[0][0] > self.enough:
            _, _, found, cell = heapq.heappop(heap)  # what is left above may be noise: it stays
            for part in _parts(cell, found.longest, self.best[found.longest]):
                take(part)
                cells += 1
        off = self.question.at(self.best).off
        upper = max([self.value + off, *(found.upper for _, _, found, _ in heap)])
        return FoundDifference(self.value - off, upper, self.best)

    @property
    def enough(self) -> float:
        """The bound of a cell that needs no cut."""
        return self.value + self.slack(self.value)

    def offer(self, place: BoxPlace) -> bool:
        """Take a place if the difference is larger there."""
        found = self.question.difference(place)
        if found <= self.value:
            return False
        self.best, self.value = place, found
        return True

    def climb(self, low: Fraction, high: Fraction) -> None:
        """Go from the best place along coordinates, as long as that leads up."""
        width = high - low
        for _ in range(4):
            before = self.value
            for j in range(len(self.best)):
                for side in (1, -1):
                    if self.stepped(j, side * width / 512, low, high):
                        self.search(j, side, low, high)
            if self.value <= before + 1e-9 * abs(before):
                return

    def stepped(self, j: int, step: Fraction, low: Fraction, high: Fraction) -> bool:
        """Try a step along a coordinate."""
        moved = self.best[j] + step
        return low <= moved <= high and self.offer((*self.best[:j], moved, *self.best[j + 1 :]))

    def search(self, j: int, side: int, low: Fraction, high: Fraction) -> None:
        """Search along a coordinate, with ever smaller steps both ways."""
        step = (high - low) / 8
        while step > (high - low) / 2**16:
            if not (self.stepped(j, side * step, low, high) or self.stepped(j, -side * step, low, high)):
                step /= 4

    def bound(self, cell: Cell) -> "CellBound":
        """Bound the difference on a cell, by a tangent at its best corner, or at its centre.

        f = A_s and g = A_t are convex, and so are q - A_t and q - A_s with q(x) = x'Gx/2. In either
        case A_s - A_t = f - g, and on a cell f - g is at most f minus a tangent of g, which is
        convex: at most its largest value at the corners. At a corner that touches the tangent
        nothing is lost.
        """
        corners = list(product(*cell))
        top = max(corners, key=self.question.difference)
        self.offer(top)
        found = self.touched(cell, corners, self.best if self.best in corners else top)
        if found.upper - found.noise <= self.enough:
            return found
        centre = tuple((a + b) / 2 for a, b in cell)
        return min(found, self.touched(cell, corners, centre), key=lambda each: each.upper)

    def touched(self, cell: Cell, corners: Sequence[BoxPlace], place: BoxPlace) -> "CellBound":
        """Bound the difference on a cell by what touches at a place."""
        import numpy as np

        values = np.array([self.question.at(corner) for corner in corners])
        at = np.array([[float(x) for x in corner] for corner in corners])
        here = np.array([float(x) for x in place])
        g = self.question.curvature
        squares = 0.5 * np.einsum("ij,jk,ik->i", at, g, at)
        known, square = self.question.at(place), 0.5 * here @ g @ here
        down, up, noise = self.slopes(cell, place)
        away = at - here
        off = values[:, 2] + known.off + np.abs(away) @ noise
        rising = [np.where(away > 0, away * u, away * d).sum(axis=1) for d, u in zip(down, up)]
        first = values[:, 0] - known.other - rising[0] + off
        second = squares - values[:, 1] - (square - known.one) - rising[1] + off
        slop = _SLOP * (np.abs(values[:, :2]).max() + 2 * squares.max() + np.abs(rising).max())
        bound = min(first, second, key=lambda each: float(each.max()))
        worst = away[int(bound.argmax())]
        longest = int((np.abs(worst) * np.sqrt(np.diag(g))).argmax())
        return CellBound(float(bound.max() + 2 * slop), float(off.max() + 2 * slop), longest)

    def slopes(self, cell: Cell, place: BoxPlace) -> tuple["Floats", "Floats", "Floats"]:
        """Return bounds of the partial derivatives of A_t and of q - A_s at a place, a row each:
        upper ones, which count where x_j falls, lower ones, which count where it rises; and errors
        of both.

        (g(c) - g(c - h))/h <= g'(c) <= (g(c + h) - g(c))/h.
        """
        import numpy as np

        up, down, noise = np.zeros((2, len(cell))), np.zeros((2, len(cell))), np.zeros(len(cell))
        at, off = self._convex(place)
        for j, (a, b) in enumerate(cell):
            step = (b - a) / _STEPS
            for side, slope in ((1, down), (-1, up)):  # a step up bounds the derivative from above
                if place[j] == (a if side > 0 else b):
                    continue  # the cell is on the other side
                to, to_off = self._convex((*place[:j], place[j] + side * step, *place[j + 1 :]))
                slope[:, j] = (to - at) / (side * float(step))
                noise[j] = max(noise[j], (off + to_off) / float(step))
        return down, up, noise

    def _convex(self, place: BoxPlace) -> tuple["Floats", float]:
        """Return A_t and q - A_s at a place, and their error."""
        import numpy as np

        found = self.question.at(place)
        x = np.array([float(each) for each in place])
        square = float(0.5 * x @ self.question.curvature @ x)
        return np.array([found.other, square - found.one]), found.off + _SLOP * 2 * square


def _parts(cell: Cell, j: int, best: Fraction) -> list[Cell]:
    """Cut a cell across a coordinate: in the middle, or nearer to where the best place is."""
    a, b = cell[j]
    share = {a: Fraction(1, 4), b: Fraction(3, 4)}.get(best, Fraction(1, 2))
    cut = a + share * (b - a)
    return [(*cell[:j], part, *cell[j + 1 :]) for part in ((a, cut), (cut, b))]
