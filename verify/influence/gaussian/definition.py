"""Influence curves of truncated Gaussian priors by the definition, as certified intervals.

    a*(b) = max over ordered pairs (s, t) of min over H, |H| = b, of max over priors of the supremum
    over x_L in the box of log p(x_L | s) / p(x_L | t)

where H holds the secret record, else x_L tells s from t for sure, and p are the densities of the
truncated law. More hidden records leave less to see, so that |H| <= b needs no other sets;
symmetries are used, and a set H is left aside when some x_L shows that it is worse than another.

Source: bai2026, Section 6.2, Example 4, with the order of a pair kept and the minimum taken for
every ordered pair.
"""

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, count, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.priors.continuous.points import Between, GaussianFramework, Window
from pufferproof.verify.influence.gaussian.law import GaussianLaw, Hidden, TooMuchWorkError, farthest, published, recipe

if TYPE_CHECKING:
    import numpy as np
    from flint import arb_mat
    from numpy.typing import NDArray

# The largest log-ratio A_s - A_t over all places of the shown records, certified.
#
# A_s is a cumulant function of a normal law on a convex set: it is convex, and so is a quadratic less it. So A_s - A_t
# is a difference of convex functions, and on a cell at most the first minus a tangent of the other, largest at a
# corner; tangents come from differences. Cells with the largest bound are split until it is near enough to the largest
# value found.

if TYPE_CHECKING:
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
            # Q_LH Q_HH^-1 Q_HL
            q, hidden = self.law.precision, self.hidden
            shown = [k for k in range(self.law.count) if k not in hidden]
            across = _part(q, shown, hidden)
            jointly = _floats(across * _part(q, hidden, hidden).inv() * across.transpose())
            found = [_conditional(self), jointly]
        matrix = min(found, key=lambda each: float(np.trace(each)))
        return np.asarray(matrix + 1e-13 * np.trace(matrix) * np.eye(self.dimension))


def _part(q: "arb_mat", rows: Sequence[int], columns: Sequence[int]) -> "arb_mat":
    from flint import arb_mat

    return arb_mat([[q[i, j] for j in columns] for i in rows])


def _floats(matrix: "arb_mat") -> "Floats":
    import numpy as np

    return np.array([[float(entry) for entry in row] for row in matrix.tolist()])


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
            # cut a cell across a coordinate: in the middle, or nearer to where the best place is
            j = found.longest
            best = self.best[found.longest]
            a, b = cell[j]
            share = {a: Fraction(1, 4), b: Fraction(3, 4)}.get(best, Fraction(1, 2))
            cut = a + share * (b - a)
            parts = [(*cell[:j], part, *cell[j + 1 :]) for part in ((a, cut), (cut, b))]
            for part in parts:
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


RELATIVE = 1e-6
_MOST_CELLS = 4_000
_LEAST = 3e-12  # roundings alone leave about 1e-12 of integrals
_FINER = 180  # a difference quotient over 1/8 of a cell multiplies errors by some 36: 1/5 of all
_INFINITE = float("inf")
Order = tuple[str, str]


@dataclass(frozen=True)
class GaussianPoint:
    """An enclosure of a*(b), or of one ordered pair's part in it.

    `lower` and `upper` are exact values of floats, or infinite; `shown` is a place of the shown
    records that attains the lower bound for the hidden ones, counted from 1.
    """

    lower: float
    upper: float
    pair: Order | None = None
    record: int | None = None
    prior: str | None = None
    hidden: tuple[int, ...] = ()
    shown: tuple[tuple[int, Fraction], ...] = ()


class KnownSet(NamedTuple):
    """What is known of one set of hidden records."""

    lower: float
    upper: float
    prior: str
    place: BoxPlace


@dataclass(frozen=True)
class Curves:
    """The curve, its parts by record, and the published recipe, all for b = 0 .. n."""

    points: tuple[GaussianPoint, ...]
    by_record: dict[int, tuple[GaussianPoint, ...]]
    published: tuple[GaussianPoint, ...]


def gaussian_curve(
    framework: GaussianFramework, relative: float = RELATIVE, at_points: bool = False, most_cells: int = _MOST_CELLS
) -> Curves:
    """Enclose a*(b) for b = 0 .. n, to this relative width where that can be reached.

    With `at_points` windows shrink to their middles: the limit of secrets that are points.

    >>> from pufferproof.models.priors.continuous.normal import TruncatedGaussian
    >>> prior = TruncatedGaussian([-1, 1], [["1", "1/2"], ["1/2", "1"]])
    >>> secrets = {"s": (1, 0, 1), "t": (1, -1, 0)}
    >>> found = gaussian_curve(GaussianFramework(2, secrets, [("s", "t")], {"p": prior}))
    >>> [round(point.upper, 6) for point in found.points]
    [inf, 0.596772, 0.0]
    """
    laws = {name: GaussianLaw(prior, framework.count) for name, prior in framework.priors.items()}
    least: dict[Order, list[GaussianPoint]] = {}
    recipes: dict[Order, list[GaussianPoint]] = {}
    seen: dict[object, Order] = {}
    for pair in framework.pairs:
        for order in (pair, pair[::-1]):
            key = _key(framework, order)
            if key in seen:
                continue
            seen[key] = order
            one, other = (framework.secrets[name] for name in order)
            if at_points:
                one, other = (Between(each.record, (sum(each.window, Fraction(0)) / 2,) * 2) for each in (one, other))
            question = PairCurve(laws, order, one, other, relative, most_cells)
            least[order] = question.curve()
            if not at_points:
                recipes[order] = question.recipe()
    records = sorted({framework.secrets[one].record for one, _ in framework.pairs})
    by_record = {
        record: _largest(
            [
                found
                for order, found in least.items()
                if _mirror(framework, order, framework.secrets[order[0]].record, record)
            ]
        )
        for record in records
    }
    return Curves(_largest([*least.values()]), by_record, _largest([*recipes.values()]))


def _mirror(framework: GaussianFramework, order: Order, record: int, wanted: int) -> bool:
    """Whether an ordered pair stands for one of the wanted record: its own, or its reversal's."""
    if record == wanted:
        return True
    if not all(prior.reversible for prior in framework.priors.values()):
        return False
    windows = {
        (framework.secrets[a].window, framework.secrets[b].window)
        for pair in framework.pairs
        for a, b in (pair, pair[::-1])
        if framework.secrets[a].record == wanted
    }
    own = tuple(framework.secrets[name].window for name in order)
    same = {own} | ({tuple((-high, -low) for low, high in own)} if _centred(framework) else set())
    return record == framework.count + 1 - wanted and bool(windows & same)


def _centred(framework: GaussianFramework) -> bool:
    """Whether (x_1 .. x_n) and its negative have one law."""
    return all(prior.box[0] == -prior.box[1] for prior in framework.priors.values())


def _key(framework: GaussianFramework, order: Order) -> object:
    """Return what is the same for ordered pairs that a symmetry turns into one another.

    (x_1 .. x_n), its negative (where the box is symmetric) and its reversal (where the covariance
    is) have one law.
    """
    one, other = (framework.secrets[name] for name in order)
    found = {(one.record, one.window, other.window)}
    if _centred(framework):
        found |= {(record, (-s[1], -s[0]), (-t[1], -t[0])) for record, s, t in list(found)}
    if all(prior.reversible for prior in framework.priors.values()):
        found |= {(framework.count + 1 - record, s, t) for record, s, t in list(found)}
    return min(found)


def _largest(curves: Sequence[Sequence[GaussianPoint]]) -> tuple[GaussianPoint, ...]:
    """Return the largest of several curves, and where the largest lower bounds are."""
    found = []
    for points in zip(*curves):
        most = max(points, key=lambda point: (point.lower, point.upper))
        found.append(replace(most, upper=max(point.upper for point in points)))
    return tuple(found)


@dataclass(frozen=True)
class PairCurve:
    """One ordered pair of secrets about a record, under all priors."""

    laws: dict[str, GaussianLaw]
    order: Order
    one: Between
    other: Between
    relative: float
    most_cells: int

    @property
    def record(self) -> int:
        """The record from 0."""
        return self.one.record - 1

    @cached_property
    def count(self) -> int:
        """How many records there are."""
        return next(iter(self.laws.values())).count

    @property
    def windows(self) -> tuple[Window, Window]:
        """The windows of both secrets."""
        return self.one.window, self.other.window

    def curve(self) -> list[GaussianPoint]:
        """Return the least suprema for b = 0 .. n."""
        points = [GaussianPoint(_INFINITE, _INFINITE, self.order, self.one.record)]
        for hidden in range(1, self.count):
            found = self.least(hidden)
            upper = min(found.upper, points[-1].upper)
            points.append(replace(found, upper=upper))
        return [*points, GaussianPoint(0.0, 0.0, self.order, self.one.record)]

    def least(self, hidden: int) -> GaussianPoint:
        """Return the least supremum over the sets of so many hidden records."""
        others = [k for k in range(self.count) if k != self.record]
        sets = [tuple(sorted((self.record, *some))) for some in combinations(others, hidden - 1)]
        sets = [each for each in sets if self.first_of_two(each)]
        best: tuple[float, Hidden, KnownSet] | None = None
        lower = _INFINITE
        for each in sorted(sets, key=self.guess):
            enough = _INFINITE if best is None else best[0]
            found = self.of_set(each, enough)
            lower = min(lower, found.lower)
            if best is None or found.upper < best[0]:
                best = found.upper, each, found
        assert best is not None
        upper, kept, known = best
        shown = [k + 1 for k in range(self.count) if k not in kept]
        return GaussianPoint(
            max(0.0, lower),
            upper,
            self.order,
            self.one.record,
            known.prior,
            tuple(k + 1 for k in kept),
            tuple(zip(shown, known.place)),
        )

    def first_of_two(self, hidden: Hidden) -> bool:
        """Whether a set comes before its reversal, which is the same where all laws are."""
        reversed_set = tuple(sorted(self.count - 1 - k for k in hidden))
        middle = 2 * self.record == self.count - 1
        same = middle and all(law.prior.reversible for law in self.laws.values())
        return not same or hidden <= reversed_set

    def guess(self, hidden: Hidden) -> float:
        """Return about how large the supremum is: the recipe's value."""
        wide = [(low, high if low < high else low + Fraction(1, 1000)) for low, high in self.windows]
        return max(float(recipe(law, self.record, wide[0], wide[1], hidden).mid()) for law in self.laws.values())

    def of_set(self, hidden: Hidden, enough: float, below: float = -_INFINITE) -> KnownSet:
        """Return bounds of the supremum for hidden records, over all priors; only a lower one, and
        an infinite upper one, where that exceeds `enough`; an upper one below `below` is good
        enough.
        """
        found = KnownSet(0.0, 0.0, next(iter(self.laws)), ())
        for name, law in self.laws.items():
            each = Suprema(law, self, name, below).of(hidden, enough)
            best = each if each.lower >= found.lower else found
            found = best._replace(upper=max(found.upper, each.upper))
        return found

    def recipe(self) -> list[GaussianPoint]:
        """Return the recipe's values for b = 0 .. n, the largest over the priors."""
        points = [GaussianPoint(_INFINITE, _INFINITE, self.order, self.one.record)]
        for hidden in range(1, self.count + 1):
            found = {
                name: published(law, self.record, *self.windows, farthest(law, self.record, hidden))
                for name, law in self.laws.items()
            }
            name = max(found, key=lambda each: float(found[each].influence.mid()))
            ball = found[name].influence
            low, high = _down(float(ball.lower())), _up(float(ball.upper()))
            kept = tuple(k + 1 for k in found[name].hidden)
            points.append(GaussianPoint(low, high, self.order, self.one.record, name, kept))
        return points


@dataclass(frozen=True)
class Suprema:
    """Suprema under one prior; an upper bound below `below` is good enough."""

    law: GaussianLaw
    pair: PairCurve
    name: str
    below: float = -_INFINITE

    def of(self, hidden: Hidden, enough: float) -> KnownSet:
        """Return bounds of the supremum of log p(x_L | s) / p(x_L | t)."""
        try:
            return self.attempt(hidden, enough)
        except TooMuchWorkError:
            return KnownSet(0.0, _INFINITE, self.name, ())

    def attempt(self, hidden: Hidden, enough: float) -> KnownSet:
        """Return bounds, finding out how exact integrals must be. Raises `TooMuchWorkError`."""
        relative = self.pair.relative
        corners = self.corners(hidden)
        question = self.question(hidden, 1e-6)
        guess, off = self.odds(1e-6)
        value, place = max((question.difference(corner), corner) for corner in corners)
        lower = value - question.at(place).off + guess - off
        if lower > enough:
            return KnownSet(lower, _INFINITE, self.name, place)
        size = max(abs(value + guess), 1e-12)
        shown = self.law.count - len(hidden)
        tolerance = min(max(relative * size / (_FINER * shown), _LEAST), 1e-7)
        question = self.question(hidden, tolerance)
        guess, off = self.odds(max(min(relative * size / 20, 1e-6), _LEAST))

        def slack(found: float) -> float:
            return max(0.4 * relative * abs(found + guess), aim - found)

        aim = self.below - guess - 2 * off - 1e-9 * abs(self.below)
        climbs = aim == -_INFINITE
        found = LargestDifference(question, slack, self.pair.most_cells, climbs).run([place])
        return KnownSet(_down(found.lower + guess - off), _up(found.upper + guess + off), self.name, found.place)

    def question(self, hidden: Hidden, tolerance: float) -> WindowQuestion:
        """Return what is asked for, with integrals this exact."""
        return WindowQuestion(self.law, self.pair.record, *self.pair.windows, hidden, tolerance)

    def odds(self, tolerance: float) -> tuple[float, float]:
        """Return log(P_t / P_s) and its error."""
        ball = self.law.odds(self.pair.record, *self.pair.windows, tolerance)
        size = abs(float(ball.mid()))
        return float(ball.mid()), float(ball.rad()) * (1 + 1e-9) + 2e-16 * size

    def corners(self, hidden: Hidden) -> list[BoxPlace]:
        """Return the corners of the box of the shown records."""
        return [*product(self.law.prior.box, repeat=self.law.count - len(hidden))]


def _down(value: float) -> float:
    return value and math.nextafter(value * (1 - math.copysign(4e-16, value)), -math.inf)


def _up(value: float) -> float:
    return value and math.nextafter(value * (1 + math.copysign(4e-16, value)), math.inf)
