"""Influence curves of truncated Gaussian priors by the definition, as certified intervals.

    a*(b) = max over ordered pairs (s, t) of min over H, |H| = b, of max over priors of the supremum
    over x_L in the box of log p(x_L | s) / p(x_L | t)

where H holds the secret record, else x_L tells s from t for sure, and p are the densities of the
truncated law. More hidden records leave less to see, so that |H| <= b needs no other sets;
symmetries are used, and a set H is left aside when some x_L shows that it is worse than another.

Source: bai2026, Section 6.2, Example 4, with the order of a pair kept and the minimum taken for
every ordered pair.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from pufferproof.models.priors.continuous.points import Between, GaussianFramework, Window
from pufferproof.verify.influence.gaussian.law import GaussianLaw, Hidden
from pufferproof.verify.influence.gaussian.published import farthest, published, recipe
from pufferproof.verify.influence.gaussian.rows import TooMuchWorkError
from pufferproof.verify.influence.gaussian.supremum import BoxPlace, LargestDifference, WindowQuestion

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
            one, other = (_shrunk(framework.secrets[name], at_points) for name in order)
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


def _shrunk(secret: Between, at_points: bool) -> Between:
    if not at_points:
        return secret
    middle = (secret.window[0] + secret.window[1]) / 2
    return Between(secret.record, (middle, middle))


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
        wide = [_widened(window) for window in self.windows]
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


def _widened(window: Window) -> Window:
    """Return a window of some width, for guesses."""
    low, high = window
    return window if low < high else (low, low + Fraction(1, 1000))
