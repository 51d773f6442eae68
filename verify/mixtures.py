"""Leakage over the convex hull of the priors ("closure": "convex"): is the promise kept for every mixture?

A mechanism that keeps its promise for two priors need not keep it for their mixture, because the secrets reweight the
priors differently. With a_l = P_l(y and s), p_l = P_l(s), b_l = P_l(y and s'), q_l = P_l(s') the ratio at a mixture is
(a.w)(q.w) / ((p.w)(b.w)).

*Two priors suffice*, however many are listed. Fix the value r of a.w / p.w; then q.w / b.w is linear-fractional on the
polytope {w in simplex : (a - r p).w = 0}, so its supremum is at a vertex, which has at most two non-zero weights. (A vertex
with p.w = 0 is one prior l; joined with any prior j with a_j >= r p_j > 0 it reaches the same supremum in the limit.)

*Two priors, one quadratic.* For weights (x, z) the promise at ratio R reads g(x, z) = x^2 g_ll + x z c + z^2 g_mm <= 0 with
g_ll = a_l q_l - R p_l b_l and c = a_l q_m + a_m q_l - R (p_l b_m + p_m b_l): it holds for all weights iff g_ll, g_mm <= 0 and
(c <= 0 or c^2 <= 4 g_ll g_mm). The worst ratio is where that starts to hold: rational, or a root of a quadratic.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import isqrt

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework, Pair
from pufferproof.models.level import Level
from pufferproof.verify.laws import ConditionalLaws
from pufferproof.verify.leakage import Leakage, Witness, nothing_to_check

_ACCURACY = 96


@dataclass(frozen=True)
class Root:
    """The irrational number center + side * sqrt(square): rational center and square, side +1 or -1.

    Two of them are the same number only if all three fields agree, since sqrt(square) is irrational.
    """

    center: Fraction
    square: Fraction
    side: int

    def bounds(self, accuracy: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds at a distance of at most 2^-accuracy."""
        above, below = self.square.numerator, self.square.denominator
        root = Fraction(isqrt(above * below << (2 * accuracy)), below << accuracy)
        ends = [self.center + self.side * end for end in (root, root + Fraction(1, below << accuracy))]
        return min(ends), max(ends)

    def exceeds(self, value: Fraction) -> bool:
        """Say whether the root is larger than a rational (it is never equal to one)."""
        accuracy = _ACCURACY
        while True:
            lower, upper = self.bounds(accuracy)
            if lower >= value or upper <= value:
                return lower >= value
            accuracy *= 2


Supremum = Fraction | Root | None
"""A rational, an irrational root of a quadratic, or None for infinite."""


@dataclass(frozen=True)
class Quadratic:
    """The condition for mixtures of two priors l and m: AQ <= R PB with A = x a_l + z a_m and so on."""

    a: tuple[Fraction, Fraction]
    p: tuple[Fraction, Fraction]
    b: tuple[Fraction, Fraction]
    q: tuple[Fraction, Fraction]

    def at(self, ratio: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Return (g_ll, c, g_mm) at R = ratio."""
        (al, am), (pl, pm), (bl, bm), (ql, qm) = self.a, self.p, self.b, self.q
        cross = al * qm + am * ql - ratio * (pl * bm + pm * bl)
        return al * ql - ratio * pl * bl, cross, am * qm - ratio * pm * bm

    def holds(self, ratio: Fraction) -> bool:
        """Say whether every mixture keeps the ratio, exactly."""
        first, cross, second = self.at(ratio)
        return first <= 0 and second <= 0 and (cross <= 0 or cross * cross <= 4 * first * second)

    def supremum(self) -> Supremum:
        """Return the smallest ratio that every mixture keeps; None if there is none."""
        (al, am), (pl, pm), (bl, bm), (ql, qm) = self.a, self.p, self.b, self.q
        ends = [(al * ql, pl * bl), (am * qm, pm * bm)]
        across = (al * qm + am * ql, pl * bm + pm * bl)
        if any(above > 0 and below == 0 for above, below in [*ends, across]):
            return None
        start = max((Fraction(above, below) for above, below in ends if below), default=Fraction(0))
        if self.holds(start):
            return start
        if not (ends[0][1] and ends[1][1]):  # one end is 0 <= 0 at every ratio: only c <= 0 is left
            return max(start, Fraction(*across))
        return self._crossing(start)

    def _crossing(self, start: Fraction) -> Supremum:
        """Return the first root of E(R) = c^2 - 4 g_ll g_mm above `start`, where E > 0 and c > 0."""
        (l0, c0, m0), (l1, c1, m1) = self.at(Fraction(0)), self.at(Fraction(1))
        l1, c1, m1 = l1 - l0, c1 - c0, m1 - m0
        a, b, c = c1 * c1 - 4 * l1 * m1, 2 * c0 * c1 - 4 * (l0 * m1 + l1 * m0), c0 * c0 - 4 * l0 * m0
        if a == 0:
            return -c / b
        center, square = -b / (2 * a), (b * b - 4 * a * c) / (4 * a * a)
        root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        if root * root == square:
            return min(value for value in (center - root, center + root) if value > start)
        smaller = Root(center, square, -1)
        return smaller if smaller.exceeds(start) else Root(center, square, 1)

    def beyond(self, ratio: Fraction) -> tuple[Fraction, Fraction]:
        """Return weights of a mixture (summing to 1) whose ratio exceeds `ratio`; `holds(ratio)` must be false.

        Both secrets are positive there: an end with g > 0 has a and q positive, elsewhere both weights are.
        """
        first, cross, second = self.at(ratio)
        if first > 0:
            x, z = Fraction(1), Fraction(0)
        elif second > 0:
            x, z = Fraction(0), Fraction(1)
        elif first < 0:
            x, z = cross, -2 * first  # the top of the parabola in x / z
        else:
            x, z = 1 - second, cross  # g = z (x c + z g_mm) = c^2
        return x / (x + z), z / (x + z)

    def defined(self, x: Fraction, z: Fraction) -> bool:
        """Say whether both secrets have positive probability at the mixture."""
        return x * self.p[0] + z * self.p[1] > 0 and x * self.q[0] + z * self.q[1] > 0

    def ratio(self, x: Fraction, z: Fraction) -> Fraction | None:
        """Return the ratio at the mixture with weights x and z, None for infinite."""
        a, p, b, q = (x * first + z * second for first, second in (self.a, self.p, self.b, self.q))
        return a * q / (p * b) if b else None


def compare(supremum: Supremum, level: Level) -> int:
    """Return the sign of supremum - e^epsilon, exactly (an irrational algebraic number is never e^epsilon)."""
    if supremum is None:
        return 1
    if isinstance(supremum, Fraction):
        return level.compare(supremum)
    accuracy = _ACCURACY
    while True:
        lower, upper = supremum.bounds(accuracy)
        if level.compare(lower) == level.compare(upper) != 0:
            return level.compare(lower)
        accuracy *= 2


def as_leakage(supremum: Supremum) -> Leakage:
    """Return a supremum as a leakage: exact, infinite, or bounds of relative distance below 2^-64."""
    if not isinstance(supremum, Root):
        return Leakage.of(supremum)
    accuracy = _ACCURACY
    while True:
        lower, upper = supremum.bounds(accuracy)
        if lower > 1 and (upper - lower) * 2**64 < lower - 1:
            return Leakage(lower, upper)
        accuracy *= 2


def mixture_leakage(framework: Framework, channel: Channel, level: Level | None = None) -> tuple[Supremum, Witness]:
    """Return the exact supremum of e^leakage over all mixtures of the priors, and a mixture near it.

    The witness is a mixture of at most two priors. Where the supremum is irrational or only a limit, its ratio exceeds
    `level` if the supremum does, else it lies within a relative distance of 2^-40 (above 2^40 where infinite).

    >>> from pufferproof import Channel, Framework, Table
    >>> priors = {"l": Table({"a": "1/4", "c": "3/4"}), "m": Table({"b": "3/4", "d": "1/4"})}
    >>> framework = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], priors, "convex")
    >>> rows = {"a": ["1/2", "1/2"], "b": ["1/6", "5/6"], "c": ["1/2", "1/2"], "d": ["1/6", "5/6"]}
    >>> supremum, witness = mixture_leakage(framework, Channel.of(rows, ["u", "v"]))
    >>> as_leakage(supremum).enclosure().upper, witness.prior
    ('0.53913967870842231', (('l', Fraction(2911, 7953)), ('m', Fraction(5042, 7953))))

    Raises `ModelError` as `leakage` does.
    """
    channel = channel.aligned(framework.databases, framework.support)
    best: tuple[Supremum, tuple[str, str], Quadratic, Pair, int] | None = None
    for names, quadratic, pair, output in _quadratics(framework, channel):
        if best is not None and isinstance(best[0], Fraction) and quadratic.holds(best[0]):
            continue
        supremum = quadratic.supremum()
        if best is None or _greater(supremum, best[0]):
            best = supremum, names, quadratic, pair, output
        if supremum is None:
            break
    if best is None:
        raise nothing_to_check()
    supremum, names, quadratic, pair, output = best
    weights = _weights_near(supremum, quadratic, level)
    mixture = tuple((name, weight) for name, weight in zip(names, weights) if weight)
    prior = mixture[0][0] if len(mixture) == 1 else mixture
    return supremum, Witness(prior, pair, channel.outputs[output])


def _quadratics(framework: Framework, channel: Channel) -> Iterator[tuple[tuple[str, str], Quadratic, Pair, int]]:
    """List every condition: single priors first (as l = m), then two priors; ordered pairs and outputs in file order."""
    laws = {name: ConditionalLaws(framework, channel, name) for name in framework.priors}
    for names in [*((name, name) for name in laws), *combinations(laws, 2)]:
        for pair in framework.pairs:
            if not all(any(framework.mass(name, secret) for name in names) for secret in pair):
                continue
            for ordered in [pair] if framework.one_sided else [pair, (pair[1], pair[0])]:
                for output in range(len(channel.outputs)):
                    first, second = (_terms(laws[name], ordered, output) for name in names)
                    a, p, b, q = zip(first, second)
                    yield names, Quadratic(a, p, b, q), ordered, output


def _terms(laws: ConditionalLaws, pair: Pair, output: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return P(y and s), P(s), P(y and s'), P(s') under one prior."""
    masses = [Fraction(laws.framework.mass(laws.prior, secret), laws.law.total) for secret in pair]
    joint = [mass * Fraction(*laws.exact(secret, output)) if mass else mass for secret, mass in zip(pair, masses)]
    return joint[0], masses[0], joint[1], masses[1]


def _greater(mine: Supremum, theirs: Supremum) -> bool:
    if mine is None or theirs is None:
        return mine is None and theirs is not None
    if isinstance(theirs, Fraction):
        return _exceeds(mine, theirs)
    if isinstance(mine, Fraction):
        return not theirs.exceeds(mine)
    accuracy = _ACCURACY
    while mine != theirs:
        (low, high), (other_low, other_high) = mine.bounds(accuracy), theirs.bounds(accuracy)
        if low > other_high or high < other_low:
            return low > other_high
        accuracy *= 2
    return False


def _exceeds(supremum: Supremum, value: Fraction) -> bool:
    if supremum is None:
        return True
    return supremum.exceeds(value) if isinstance(supremum, Root) else supremum > value


def _weights_near(supremum: Supremum, quadratic: Quadratic, level: Level | None) -> tuple[Fraction, Fraction]:
    """Return weights at which the supremum is reached, or as near as `mixture_leakage` says."""
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    exact = None if isinstance(supremum, Root) else supremum
    if not isinstance(supremum, Root):
        for x, z in [(one, none), (none, one), (half, half)]:
            if quadratic.defined(x, z) and quadratic.ratio(x, z) == exact:
                return x, z
    if isinstance(exact, Fraction):
        first, cross, _ = quadratic.at(exact)
        if first < 0 < cross:
            return cross / (cross - 2 * first), -2 * first / (cross - 2 * first)
    target = _target(supremum, level)
    x, z = quadratic.beyond(target)
    for digits in range(1, 40):
        simple = x.limit_denominator(10**digits)
        reached = quadratic.ratio(simple, 1 - simple) if quadratic.defined(simple, 1 - simple) else none
        if reached is None or reached > target:
            return simple, 1 - simple
    return x, z


def _target(supremum: Supremum, level: Level | None) -> Fraction:
    """Return a rational below the supremum that is near it, and at least e^epsilon where the supremum exceeds that."""
    if supremum is None:
        near = Fraction(2**40)
    else:
        lower = supremum if isinstance(supremum, Fraction) else supremum.bounds(_ACCURACY)[0]
        near = lower * (1 - Fraction(1, 2**40))
    if level is None or compare(supremum, level) <= 0:
        return near
    accuracy = _ACCURACY
    while not _exceeds(supremum, bound := level.bounds(accuracy)[1]):
        accuracy *= 2
    return max(near, bound)
