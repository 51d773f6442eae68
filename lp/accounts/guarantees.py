"""What an accountant says of one record, as a condition on pairs of probabilities.

A notion that is a condition on the laws of two neighbours, and is kept by what is computed from the
output, allows certain pairs (P(S | x), P(S | y)) for an event S: {(a, b): a <= G(b), b <= G(a)} with
a concave G, one minus a trade-off function. A mechanism with two outputs shows each pair, so that
mechanisms are, for one event, functions h with h(x) <= G(h(y)) for neighbours (`flips`).

    (epsilon, delta)   G(t) = min(e^epsilon t + delta, 1 - e^-epsilon (1 - delta - t))
    mu-GDP             G(t) = Phi(Phi^-1(t) + mu)

Every G is held from both sides: by lines above it, and by numbers below its values.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, floor, isqrt, log
from typing import Protocol

from flint import arb, ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import brief

BITS = 96  # after the point, of lines and of values of G
_UNIT = 1 << BITS
_PRECISION = 192
_ONE = Fraction(1)
_SMALL = Fraction(1, 100)
_MOST_RUNS = 5_000  # each adds a line


@dataclass(frozen=True)
class Line:
    """t -> slope t + intercept, at least G everywhere on [0, 1]; both are multiples of 2^-96."""

    slope: Fraction
    intercept: Fraction

    @classmethod
    def over(cls, slope: Fraction, intercept: Fraction) -> "Line":
        """Return a line that is nowhere below one of 0 <= t with any rational numbers.

        >>> Line.over(Fraction(1), Fraction(1, 2))
        Line(slope=Fraction(1, 1), intercept=Fraction(1, 2))
        """
        return cls(upward(slope), upward(intercept))

    def mirrored(self) -> "Line":
        """Return what the line says of 1 - h: a <= slope b + intercept, with a and b exchanged.

        1 - b <= slope (1 - a) + intercept is a <= b / slope + 1 - (1 - intercept) / slope.
        """
        return Line(upward(1 / self.slope), upward(1 - downward(1 / self.slope) * (1 - self.intercept)))


def upward(value: Fraction) -> Fraction:
    """Return the least multiple of 2^-96 that is not below a number."""
    return Fraction(ceil(value * _UNIT), _UNIT)


def downward(value: Fraction) -> Fraction:
    """Return the largest multiple of 2^-96 that is not above a number."""
    return Fraction(floor(value * _UNIT), _UNIT)


class Guarantee(Protocol):
    """A concave G, from above by lines and from below by values."""

    @property
    def lines(self) -> Sequence[Line]:
        """Lines of which none is below G."""

    def below(self, t: Fraction) -> Fraction:
        """Return a number between t and G(t), close to G(t), for t from 0 to 1."""

    @property
    def smooth(self) -> bool:
        """Whether G has more tangents than `lines`."""

    def tangent(self, t: float) -> Line | None:
        """Return a line close to G at t, None if `lines` are all there is to know."""

    @property
    def nats(self) -> float:
        """About how many nats the guarantee keeps but for a small probability: a scale to choose
        slopes by.
        """

    def __str__(self) -> str:
        """Return what is said of a record, as a person says it."""


@dataclass(frozen=True)
class Points:
    """(epsilon_j, delta_j)-differentially private for every j at once.

    >>> from pufferproof.models.numbers.level import Level
    >>> one = Points(((Level("log(3)"), Fraction(1, 10)),))
    >>> one.below(Fraction(1, 10)), one.below(Fraction(7, 10)), one.below(Fraction(1))
    (Fraction(2, 5), Fraction(14, 15), Fraction(1, 1))

    Raises `ModelError` unless there is a point, and deltas are at least 0 and below 1.
    """

    points: tuple[tuple[Level, Fraction], ...]
    runs: int = 1
    smooth = False

    def __post_init__(self) -> None:
        if not self.points:
            raise ModelError("expected at least one level with its delta, found none", "points")
        for _, delta in self.points:
            if not 0 <= delta < 1:
                raise ModelError(f"expected a delta from 0 to below 1, found {brief(delta)}", "points")
        if self.runs < 1:
            raise ModelError(f"expected at least one run, found {self.runs}", "runs")
        if self.runs > _MOST_RUNS:
            raise ModelError(f"expected at most {_MOST_RUNS} runs of a level with a delta, found {self.runs}", "runs")
        if self.runs > 1 and len(self.points) > 1:
            raise ModelError("runs of a guarantee of several points: expected one level with its delta", "runs")

    @classmethod
    def of(cls, points: Sequence[tuple[LevelLike, object]], runs: int = 1) -> "Points":
        """Return the guarantee of levels, each with its delta, in any form that is read."""
        return cls(tuple((Level.coerce(level), exact(delta)) for level, delta in points), check_type(runs, int, "runs"))

    @cached_property
    def _ends(self) -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
        """Bounds of e^epsilon and of delta for every point, of all runs together.

        The worst of K adaptive runs is that of K independent ones whose privacy loss is +-epsilon,
        or infinite with probability delta (Kairouz, Oh, Viswanath 2015): for i = 0 .. K/2

            epsilon_i = (K - 2 i) epsilon,  1 - delta_i = (1 - delta)^K (1 - sum_(l < i) C(K, l)
                (e^((K - l) epsilon) - e^((K - 2 i + l) epsilon)) / (1 + e^epsilon)^K).
        """
        if self.runs == 1:
            return [(*level.bounds(BITS), delta, delta) for level, delta in self.points]
        ((level, delta),) = self.points
        found = []
        with ctx.workprec(_PRECISION + 64 + 2 * self.runs):
            ratio, kept = level.ball(), (1 - ball(delta)) ** self.runs
            steep = flat = arb(0)  # sums over l < i of C(K, l) e^((K - l) epsilon), C(K, l) e^(l epsilon)
            for i in range(self.runs // 2 + 1):
                over = steep - ratio ** (self.runs - 2 * i) * flat
                steep += comb(self.runs, i) * ratio ** (self.runs - i)
                flat += comb(self.runs, i) * ratio**i
                lost = 1 - kept * (1 - over / (1 + ratio) ** self.runs)
                power = ratio ** (self.runs - 2 * i)
                low, high = (max(end, Fraction(0)) for end in (dyadic(lost.lower()), dyadic(lost.upper())))
                ends = max(dyadic(power.lower()), _ONE), dyadic(power.upper())
                if low < 1:
                    found.append((*ends, low, min(high, _ONE)))
        return found

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Both lines of every point."""
        steep = [Line.over(ratio, delta) for _, ratio, _, delta in self._ends]
        return tuple(dict.fromkeys([*steep, *(line.mirrored() for line in steep)]))

    @cached_property
    def _envelope(self) -> tuple[list[Fraction], list[tuple[Fraction, Fraction]]]:
        """Where the least of the lines of levels and deltas that are no larger changes, and these
        lines.
        """
        lines = [(ratio, delta) for ratio, _, delta, _ in self._ends]
        lines += [(1 / ratio, 1 - (1 - delta) / ratio) for ratio, delta in lines]
        lines.append((Fraction(0), _ONE))
        return _hull(lines)

    def below(self, t: Fraction) -> Fraction:
        """Return G(t), rounded down where e^epsilon is no short rational."""
        turns, hull = self._envelope
        slope, intercept = hull[bisect_right(turns, t)]
        return slope * t + intercept

    def tangent(self, t: float) -> None:
        """Return None: the lines are all there is to know."""

    @property
    def nats(self) -> float:
        """The least level whose delta is at most 1/100, or that of the smallest delta."""
        small = [ends for ends in self._ends if ends[3] <= _SMALL] or [min(self._ends, key=lambda ends: ends[3])]
        return min(log(ratio) for _, ratio, _, _ in small)

    def __str__(self) -> str:
        said = " and ".join(f"({level}, {brief(delta)})" for level, delta in self.points)
        return f"{said}-differentially private" + (f", {self.runs} times" if self.runs > 1 else "")


_STARTS = [z / 8 for z in range(-56, 57)]  # of tangents: Phi^-1 of the place


@dataclass(frozen=True)
class Gaussian:
    """mu-Gaussian differentially private: no easier to tell apart than N(0, 1) and N(mu, 1).

    >>> round(float(Gaussian(Fraction(1)).below(Fraction(1, 2))), 6)
    0.841345
    """

    mu: Fraction
    runs: int = 1
    smooth = True

    def __post_init__(self) -> None:
        if self.mu < 0:
            raise ModelError(f"expected a mu of at least 0, found {brief(self.mu)}", "mu")

    @cached_property
    def _ends(self) -> tuple[Fraction, Fraction]:
        """Bounds of the mu of all runs together, mu sqrt(K)."""
        root = isqrt(self.runs)
        if root * root == self.runs:
            return self.mu * root, self.mu * root
        with ctx.workprec(_PRECISION):
            value = ball(self.mu) * arb(self.runs).sqrt()
            return dyadic(value.lower()), dyadic(value.upper())

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Some tangents, those of probabilities from 1e-11 to 1 - 1e-11."""
        return tuple(self._at(Fraction(z) - Fraction(self.nats) / 2) for z in _STARTS)

    def _at(self, z: Fraction) -> Line:
        """Return the tangent at t = Phi(z): its slope is e^-(mu z + mu^2 / 2)."""
        with ctx.workprec(_PRECISION):
            mu = ball(self._ends[1])
            slope = (-(mu * ball(z) + mu * mu / 2)).exp()
            intercept = _phi(ball(z) + mu) - slope * _phi(ball(z))
            return Line.over(dyadic(slope.upper()), dyadic(intercept.upper()))

    def tangent(self, t: float) -> Line | None:
        """Return the tangent at t."""
        if not 1e-300 < t < 1 - 1e-15:
            return None
        with ctx.workprec(64):
            z = float(_quantile(arb(t)))
        return self._at(Fraction(z))

    @property
    def nats(self) -> float:
        """mu."""
        return float(self._ends[0])

    def below(self, t: Fraction) -> Fraction:
        """Return a number between t and G(t), within 2^-96 of it."""
        if t in (0, 1):
            return t
        with ctx.workprec(_PRECISION):
            value = _phi(_quantile(ball(t)) + ball(self._ends[0]))
            low = dyadic(value.lower()) if value.is_finite() else t
        return min(max(low, t), _ONE)

    def __str__(self) -> str:
        said = f"{brief(self.mu)}-Gaussian differentially private"
        return f"{said}, {self.runs} times" if self.runs > 1 else said


def twice(guarantee: Guarantee) -> Guarantee:
    """Return what a guarantee for databases with a record added or removed says of one record that
    takes another value, which is both: G(G(t)).

    Every h with h(x) <= G(G(h(y))) where one record differs is that of a mechanism: databases with
    records removed get min over complete y of G^d(h(y)), d how many removals and additions lead to y.

    >>> twice(Gaussian(Fraction(1, 2))).nats
    1.0
    """
    if isinstance(guarantee, Gaussian):
        return Gaussian(2 * guarantee.mu, guarantee.runs)
    return Twice(guarantee)


@dataclass(frozen=True)
class Twice:
    """What a guarantee for databases with a record added or removed says of one record that takes
    another value.
    """

    once: Guarantee
    smooth = False

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Lines after lines, those that are the least somewhere."""
        turns, hull = _hull([(line.slope, line.intercept) for line in self.once.lines])
        found = []
        for (slope, intercept), start, end in zip(hull, [Fraction(0), *turns], [*turns, _ONE]):
            first, last = (bisect_right(turns, slope * t + intercept) for t in (start, end))
            found += [_after(Line(*second), Line(slope, intercept)) for second in hull[first : last + 1]]
        return tuple(dict.fromkeys(found))

    def below(self, t: Fraction) -> Fraction:
        """Return a number between t and G(G(t))."""
        return self.once.below(downward(self.once.below(t)) if t < 1 else t)

    def tangent(self, t: float) -> Line | None:
        """Return None: the lines are all there is to know."""
        return None

    @property
    def nats(self) -> float:
        """Twice as many as of the guarantee."""
        return 2 * self.once.nats

    def __str__(self) -> str:
        return str(self.once)


def _after(second: Line, first: Line) -> Line:
    """Return second(first(t))."""
    return Line.over(second.slope * first.slope, second.slope * first.intercept + second.intercept)


def _hull(lines: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[Fraction], list[tuple[Fraction, Fraction]]]:
    """Return where the least of some lines changes from t = 0 on, and the lines that are the least."""
    hull: list[tuple[Fraction, Fraction]] = []
    turns: list[Fraction] = []
    for slope, intercept in sorted(lines, key=lambda line: (-line[0], line[1])):
        if hull and hull[-1][0] == slope:
            continue
        while hull:
            turn = (intercept - hull[-1][1]) / (hull[-1][0] - slope)
            if (turns and turn <= turns[-1]) or turn <= 0:
                hull.pop()
                turns = turns[: max(len(hull) - 1, 0)]
                continue
            turns.append(turn)
            break
        hull.append((slope, intercept))
    return turns, hull


def _phi(z: arb) -> arb:
    """Return Phi(z)."""
    return (-z / arb(2).sqrt()).erfc() / 2


def _quantile(t: arb) -> arb:
    """Return Phi^-1(t), 0 < t < 1."""
    return -arb(2).sqrt() * (2 * t).erfcinv()
