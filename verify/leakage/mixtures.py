"""Promises over the convex hull of the priors ("closure": "convex"): are they kept for every
mixture?

A mechanism that keeps its promise for two priors need not keep it for their mixture, because the
secrets reweight the priors differently. With a_l = P_l(y and s), p_l = P_l(s), b_l = P_l(y and s'),
q_l = P_l(s') the ratio at a mixture w is (a.w)(q.w) / ((p.w)(b.w)), and the sum that delta bounds
is, for a set of outputs, (a.w)/(p.w) - e^epsilon (b.w)/(q.w). Mixtures of two priors suffice,
however many are listed; for two both are quotients of quadratic forms in the weights:
`pufferproof.verify.leakage.mixtures`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, pairwise
from math import isqrt, lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable, between, listed
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.leakage.laws import ConditionalLaws
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Witness, delta_json, nothing_to_check, prior_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Forms = Sequence[NDArray[np.float64]]  # three coefficients, for every two priors

# The largest value of a quotient of two quadratic forms over mixtures of two priors, exactly.
#
# For weights x, z >= 0 (not both zero) the quotient is (u_ll x^2 + u_c x z + u_mm z^2) / (v_ll x^2 + v_c x z + v_mm
# z^2), where v is a product of two linear forms with coefficients >= 0, and u is nowhere negative where v is 0. It is
# at most d everywhere iff the form with coefficients g = u - d v is nowhere positive: g_ll <= 0, g_mm <= 0 and (g_c <=
# 0 or g_c^2 <= 4 g_ll g_mm). The smallest such d is rational, or a root of a quadratic with rational coefficients.

SUPREMA_RESTS_ON = ("general.two-weights",)
Form = tuple[Fraction, Fraction, Fraction]
"""Coefficients of x^2, x z and z^2."""

ACCURACY = 96
"""Bits with which irrational roots are first bounded."""


@dataclass(frozen=True)
class Root:
    """The irrational number center + side * sqrt(square): rational center and square, side +1 or
    -1.

    Two of them are the same number only if all three fields agree, since sqrt(square) is
    irrational.
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


Supremum = Fraction | Root | None
"""A rational, an irrational root of a quadratic, or None for infinite."""


@dataclass(frozen=True)
class MixtureQuotient:
    """The quotient of the forms `above` and `below`, over mixtures of two priors."""

    above: Form
    below: Form

    def excess(self, bound: Fraction) -> Form:
        """Return the form above - bound * below."""
        first, cross, second = (u - bound * v for u, v in zip(self.above, self.below))
        return first, cross, second

    def at_most(self, bound: Fraction) -> bool:
        """Say whether the quotient is at most `bound` for all mixtures, exactly."""
        first, cross, second = self.excess(bound)  # general.two-weights
        return first <= 0 and second <= 0 and (cross <= 0 or cross * cross <= 4 * first * second)

    def supremum(self) -> Supremum:
        """Return the smallest bound on the quotient; None if there is none, 0 of 0 / 0."""
        if any(u > 0 and v == 0 for u, v in zip(self.above, self.below)):
            return None
        quotients = [u / v for u, v in zip(self.above, self.below) if v]
        ends = quotients[:1] + quotients[-1:]  # where x or z divides both forms, those without it
        start = max(ends, default=Fraction(0))
        if self.at_most(start):
            return start
        # The first root of E(d) = g_c^2 - 4 g_ll g_mm: E > 0 and g_c > 0 where both ends are bounded, and E <= 0
        # further on, where g_c is 0. As v_c^2 >= 4 v_ll v_mm, E is convex: it has no root before.
        (l0, c0, m0), (l1, c1, m1) = self.above, self.below
        a = c1 * c1 - 4 * l1 * m1
        b = 4 * (l0 * m1 + l1 * m0) - 2 * c0 * c1
        return roots(a, b, c0 * c0 - 4 * l0 * m0)[0]

    def beyond(self, bound: Fraction) -> tuple[Fraction, Fraction]:
        """Return weights (sum 1) whose quotient exceeds `bound`, if `at_most(bound)` fails."""
        first, cross, second = self.excess(bound)
        if first > 0:
            x, z = Fraction(1), Fraction(0)
        elif second > 0:
            x, z = Fraction(0), Fraction(1)
        elif first < 0:
            x, z = cross, -2 * first  # the top of the parabola in x / z
        else:
            x, z = 1 - second, cross  # the excess is z (x g_c + z g_mm) = g_c^2
        return x / (x + z), z / (x + z)

    def exceeded_at(self, x: Fraction, z: Fraction, bound: Fraction) -> bool:
        """Say whether the quotient exceeds `bound` at the mixture with weights x and z."""
        return value_of(self.excess(bound), x, z) > 0

    def weights_near(self, bound: Fraction) -> tuple[Fraction, Fraction]:
        """Return short weights whose quotient exceeds `bound`, if `at_most(bound)` fails."""
        x, z = self.beyond(bound)
        for digits in range(1, 40):
            simple = x.limit_denominator(10**digits)
            if self.exceeded_at(simple, 1 - simple, bound):
                return simple, 1 - simple
        return x, z

    def weights_at(self, bound: Fraction) -> tuple[Fraction, Fraction] | None:
        """Return weights whose quotient is `bound`, its supremum, or None if approached only."""
        half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
        first, cross, _ = self.excess(bound)
        places = [(one, none), (none, one), (half, half)]
        if cross > 0:  # the top of the parabola in x / z
            top = cross / (cross - 2 * first)
            places.append((top, 1 - top))
        for x, z in places:
            if value_of(self.below, x, z) > 0 == value_of(self.excess(bound), x, z):
                return x, z
        return None


def suprema_approx(above: "Forms", below: "Forms") -> "NDArray[np.float64]":
    """Return about the suprema of quotients whose forms have arrays of floats as coefficients."""
    import numpy as np

    (l0, c0, m0), (l1, c1, m1) = above, below
    with np.errstate(all="ignore"):
        start = np.fmax(np.fmax(l0 / l1, m0 / m1), 0)  # 0 / 0 is left out
        inside = c0 - start * c1 > 0  # and one of the ends is 0 there
        a, c = c1 * c1 - 4 * l1 * m1, c0 * c0 - 4 * l0 * m0
        b = 4 * (l0 * m1 + l1 * m0) - 2 * c0 * c1
        root = 2 * c / (np.sqrt(np.fmax(b * b - 4 * a * c, 0)) - b)  # the first, also where a is 0
        return np.asarray(np.where(inside, np.fmax(root, start), start))


def surely_below(above: "Forms", below: "Forms", bound: Fraction) -> "NDArray[np.bool_]":
    """Say of which quotients it is proven that their supremum is less than `bound`.

    Coefficients are arrays of floats within 8 * 2^-53 of the numbers, relatively, 0 where these
    are, and no product of three of them with `bound` may be subnormal or overflow.

    h = bound * below - above is computed within 16 * 2^-53 of the sum of its two parts, and lowered
    by twice as much: by 16 * 2^-53 of |h| at least, which is more than what products add. Where
    both ends of h are positive, and its middle is, or h_c^2 < 4 h_ll h_mm, h is positive for all
    weights (general.two-weights), and the supremum is less.

    >>> import numpy as np
    >>> ones = [np.array([1.0])] * 3
    >>> [bool(surely_below(ones, ones, bound)) for bound in (Fraction(1), Fraction(2))]
    [False, True]
    """
    import numpy as np

    ratio, room = float(bound), 32 * 2.0**-53
    parts = [(u, ratio * v) for u, v in zip(above, below)]
    first, cross, second = (v - u - room * (v + u) for u, v in parts)
    middle = cross * np.minimum(cross, 0) < 4 * first * second  # 0 where it is positive
    return np.asarray((np.minimum(first, second) > 0) & middle)


def unbounded(above: "Forms", below: "Forms") -> "NDArray[np.bool_]":
    """Say which quotients have no bound, of arrays whose zeros are those of the numbers."""
    import numpy as np

    return np.asarray(np.any([(u > 0) & (v == 0) for u, v in zip(above, below)], axis=0))


def form(left: Any, right: Any) -> Any:
    """Return the product of two linear forms x left[0] + z left[1] and x right[0] + z right[1], of
    numbers or of arrays of them.
    """
    return left[0] * right[0], left[0] * right[1] + left[1] * right[0], left[1] * right[1]


def value_of(coefficients: Form, x: Fraction, z: Fraction) -> Fraction:
    """Return the value of a form at (x, z)."""
    return coefficients[0] * x * x + coefficients[1] * x * z + coefficients[2] * z * z


def roots(a: Fraction, b: Fraction, c: Fraction) -> list[Fraction | Root]:
    """Return the distinct real roots of a d^2 + b d + c in ascending order, a and b not both 0."""
    if a == 0:
        return [-c / b]
    center, square = -b / (2 * a), (b * b - 4 * a * c) / (4 * a * a)
    if square < 0:
        return []
    root = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    if root * root == square:
        return [center - root, center + root] if root else [center]
    return [Root(center, square, -1), Root(center, square, 1)]


def exceeds(supremum: Supremum, value: Fraction) -> bool:
    """Say whether a supremum is larger than a rational, exactly."""
    if supremum is None:
        return True
    if isinstance(supremum, Fraction):
        return supremum > value
    accuracy = ACCURACY
    while True:  # an irrational root is never equal to a rational
        lower, upper = supremum.bounds(accuracy)
        if lower >= value or upper <= value:
            return lower >= value
        accuracy *= 2


def greater(mine: Supremum, theirs: Supremum) -> bool:
    """Say whether one supremum is larger than another, exactly."""
    if mine is None or theirs is None:
        return mine is None and theirs is not None
    if isinstance(theirs, Fraction):
        return exceeds(mine, theirs)
    if isinstance(mine, Fraction):
        return not exceeds(theirs, mine)
    accuracy = ACCURACY
    while mine != theirs:
        (low, high), (other_low, other_high) = mine.bounds(accuracy), theirs.bounds(accuracy)
        if low > other_high or high < other_low:
            return low > other_high
        accuracy *= 2
    return False


def rational_bounds(supremum: Fraction | Root, floor: Fraction) -> tuple[Fraction, Fraction]:
    """Return bounds of a supremum > floor within 2^-64 of its distance to `floor`."""
    if isinstance(supremum, Fraction):
        return supremum, supremum
    accuracy = ACCURACY
    while True:
        lower, upper = supremum.bounds(accuracy)
        if (upper - lower) * 2**64 < lower - floor:
            return lower, upper
        accuracy *= 2


RESTS_ON = ("general.mixtures-of-two",)
Weighted = str | tuple[tuple[str, Fraction], ...]
Values = tuple[Fraction, Fraction]
_FINEST = 2048
_AT_ONCE = 200_000  # quotients in floats
_FEW_PRIORS = 4  # of so many and fewer all quotients are looked at exactly
_LEAST, _MOST = 1e-50, 1e50  # floats whose products are far from subnormal
_LEAST_DELTA = Fraction(1, 10**20)  # of which products with masses are not subnormal
_0 = Fraction(0)
_NEAR = 1 - Fraction(1, 2**40)


class Terms(NamedTuple):
    """What an output adds under two priors: a = P(output, s), p = P(s), b = P(output, s'), q =
    P(s'), each under both.
    """

    a: Values
    p: Values
    b: Values
    q: Values


class _ReachedSupremum(NamedTuple):
    """A supremum of a quotient of forms, and the priors, pair and outputs that reach it."""

    supremum: Supremum
    names: tuple[str, str]
    quotient: MixtureQuotient
    pair: Pair
    outputs: tuple[int, ...]


def mixture_leakage(framework: Framework, channel: Channel, level: Level | None = None) -> tuple[Supremum, Witness]:
    """Return the exact supremum of e^leakage over all mixtures of the priors, and a mixture near
    it.

    The witness is a mixture of at most two priors. Where the supremum is irrational or only a
    limit, its ratio exceeds `level` if the supremum does, and lies within a relative distance of
    2^-40 (above 2^40 where infinite).

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
    best: _ReachedSupremum | None = None
    for names, pair, output, quotient in _MixtureQuotients(framework, channel).quotients():
        known = None if best is None else best.supremum
        if isinstance(known, Fraction) and quotient.at_most(known):
            continue
        supremum = quotient.supremum()
        if best is None or greater(supremum, best.supremum):
            best = _ReachedSupremum(supremum, names, quotient, pair, (output,))
        if supremum is None:
            break
    if best is None:
        raise nothing_to_check()
    weights = _leakage_weights(best.supremum, best.quotient, level)
    shown = channel.outputs[best.outputs[0]]
    return best.supremum, Witness(_mixture(best.names, weights), best.pair, shown)


class _MixtureQuotients:
    """The quotients of two priors, ordered pairs and outputs that may be the largest."""

    def __init__(self, framework: Framework, channel: Channel) -> None:
        self.joints = _Joints(framework, channel)
        # single priors first, as l = m, then two, in file order.
        # Two priors suffice (general.mixtures-of-two): fix the value r of a.w / p.w; then b.w / q.w is linear-
        # fractional on the polytope {w in simplex : (a - r p).w = 0}, so its extremes are at vertices, which have at
        # most two non-zero weights. (A vertex with p.w = 0 is one prior l; joined with any prior j with a_j >= r p_j
        # > 0 it reaches at least the same value in the limit.)
        names = list(framework.priors)
        self.names = [*((name, name) for name in names), *combinations(names, 2)]
        self.pairs = [order for pair in framework.pairs for order in framework.orders(pair)]
        step = max(1, _AT_ONCE // (len(self.pairs) * len(channel.outputs)))
        starts = range(0, len(self.names), step)
        self.chunks = [range(i, min(i + step, len(self.names))) for i in starts]

    def quotients(self) -> "Iterator[tuple[tuple[str, str], Pair, int, MixtureQuotient]]":
        """Yield those left in the order of priors, pairs and outputs."""
        floor: Fraction | None = Fraction(0)  # a lower bound that floats propose, None if infinite
        if self.joints.reliable and len(self.joints.framework.priors) > _FEW_PRIORS:
            best = self._peak(self._forms)
            supremum = self._quotient(best[0], best[1], *best[2]).supremum()
            floor = None if supremum is None else rational_bounds(supremum, _0)[0]
        for chunk in self.chunks:
            for index, order, output in self._left(chunk, floor):
                names, pair = self.names[chunk[index]], self.pairs[order]
                if self.joints.allowed(names, pair):
                    yield names, pair, output, self._quotient(names, pair, output)

    def _quotient(self, names: tuple[str, str], pair: Pair, output: int) -> MixtureQuotient:
        a, p, b, q = self.joints.terms(names, pair, output)
        return MixtureQuotient(form(a, q), form(p, b))

    def _peak(self, forms: Callable[[range, Pair], "tuple[Forms, Forms]"]) -> tuple[tuple[str, str], Pair, list[int]]:
        """Return two priors, an ordered pair and the output with the largest float quotient."""
        import numpy as np

        values, chunk, pair = max(
            ((suprema_approx(*forms(chunk, pair)), chunk, pair) for chunk in self.chunks for pair in self.pairs),
            key=lambda each: float(each[0].max()),
        )
        index, *output = np.unravel_index(values.argmax(), values.shape)
        return self.names[chunk[int(index)]], pair, list(map(int, output))

    def _left(self, chunk: range, floor: Fraction | None) -> Iterator[tuple[int, int, int]]:
        """Yield the places of a chunk that are left: priors, ordered pairs, outputs."""
        import numpy as np

        shape = (len(chunk), len(self.pairs), len(self.joints.channel.outputs))
        left = np.ones(shape, dtype=np.bool_)
        if floor is None or 0 < floor < _MOST:
            for order, pair in enumerate(self.pairs):
                forms = self._forms(chunk, pair)
                left[:, order] = unbounded(*forms) if floor is None else ~surely_below(*forms, floor)
        for index, order, output in np.argwhere(left).tolist():
            yield index, order, output

    def left_for_delta(self, ratio: Fraction) -> "Iterator[tuple[tuple[str, str], Pair]]":
        """Yield two priors and an ordered pair, in their order, without those under which delta at
        this e^epsilon is proven to be less than under others, or 0 after the first ones.
        """
        import numpy as np

        proven = self.joints.reliable and ratio < _MOST
        floor, begun = _0, False
        if proven:  # where the ceiling of delta is largest
            best = self._peak(partial(self._ceilings, ratio=ratio))
            suprema = [delta.supremum for delta in _deltas(self.joints, best[0], best[1], ratio)]
            floor = max((rational_bounds(supremum, _0)[0] for supremum in suprema if supremum), default=_0)
        for chunk in self.chunks:
            shape = len(self.pairs), len(chunk)
            left, silent = np.ones(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
            for order, pair in enumerate(self.pairs if proven else ()):
                above, below = self._ceilings(chunk, pair, ratio)
                silent[order] = ~np.any(above, axis=0)
                if floor > _LEAST_DELTA:
                    left[order] = ~surely_below(above, below, floor)
            for index, order in np.argwhere(left.T).tolist():
                names, pair = self.names[chunk[index]], self.pairs[order]
                if self.joints.allowed(names, pair) and not (begun and silent[order, index]):
                    begun = True
                    yield names, pair

    def _ceilings(self, chunk: range, pair: Pair, ratio: Fraction) -> "tuple[Forms, Forms]":
        """Return forms in floats whose quotient is nowhere less than delta, one for each two
        priors.

        Weights are not negative, so a form is at most the one of its positive coefficients. Those
        of a q - R b p are computed within 8 * 2^-53 of the sum of their two parts, and the sum of n
        of them within n * 2^-53 of itself.
        """
        import numpy as np

        unit, steep = 2.0**-53, float(ratio)
        above, below = self._forms(chunk, pair)
        over = [u - steep * v + 32 * unit * (u + steep * v) for u, v in zip(above, below)]
        room = 1 + 4 * (len(self.joints.channel.outputs) + 2) * unit
        (_, p), (_, q) = (self._rows(chunk, secret) for secret in pair)
        masses = form(*([each[:, 0] for each in both] for both in (p, q)))
        return [np.maximum(each, 0).sum(axis=1) * room for each in over], masses

    def _forms(self, chunk: range, pair: Pair) -> "tuple[Forms, Forms]":
        """Return the forms of a chunk in floats, one row for each two priors."""
        (a, p), (b, q) = (self._rows(chunk, secret) for secret in pair)
        return form(a, q), form(p, b)

    def _rows(self, chunk: range, secret: str) -> list[Any]:
        """Return P(y and s) and P(s) in floats, each under the first and the second prior."""
        both = [[self.joints.place[names[side]] for names in self.names[chunk.start : chunk.stop]] for side in (0, 1)]
        return [[each[rows] for rows in both] for each in self.joints.floats_approx[secret]]


class _Joints:
    """P(y and s) and P(s) of all priors, secrets and outputs: exactly, and rounded to floats."""

    def __init__(self, framework: Framework, channel: Channel) -> None:
        self.framework, self.channel = framework, channel
        self.place = {name: index for index, name in enumerate(framework.priors)}
        laws = {name: ConditionalLaws(framework, channel, name) for name in framework.priors}
        self._mass = {
            secret: [Fraction(framework.mass(name, secret), laws[name].law.total) for name in laws]
            for secret in dict.fromkeys(name for pair in framework.pairs for name in pair)
        }
        self._joint = {
            secret: [_joint(laws[name], secret, mass) for name, mass in zip(laws, masses)]
            for secret, masses in self._mass.items()
        }

    def allowed(self, names: tuple[str, str], pair: Pair) -> bool:
        """Whether both secrets are possible under one of two priors at least."""
        return all(any(self._mass[secret][self.place[name]] for name in names) for secret in pair)

    def terms(self, names: tuple[str, str], pair: Pair, output: int) -> Terms:
        """Return what an output adds under two priors."""
        first, second = (self.place[name] for name in names)
        (a, p), (b, q) = (
            (
                (self._joint[secret][first][output], self._joint[secret][second][output]),
                (self._mass[secret][first], self._mass[secret][second]),
            )
            for secret in pair
        )
        return Terms(a, p, b, q)

    @cached_property
    def floats_approx(self) -> "dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]":
        """The joint probabilities of every secret, a row for each prior, and a column of P(s)."""
        import numpy as np

        return {
            secret: (
                np.array(self._joint[secret], dtype=np.float64),
                np.array(self._mass[secret], dtype=np.float64)[:, None],
            )
            for secret in self._mass
        }

    @property
    def reliable(self) -> bool:
        """Whether all that is not 0 is far from subnormal."""
        return all(
            ((each == 0) | (each > _LEAST)).all() for both in self.floats_approx.values() for each in both
        ) and all(
            bool(exact) == bool(rounded)
            for secret, (joint, _) in self.floats_approx.items()
            for row, exactly in zip(joint.tolist(), self._joint[secret])
            for rounded, exact in zip(row, exactly)
        )


def _joint(laws: ConditionalLaws, secret: str, mass: Fraction) -> list[Fraction]:
    outputs = range(len(laws.channel.outputs))
    if not mass:
        return [mass for _ in outputs]
    return [mass * Fraction(*laws.exact(secret, output)) for output in outputs]


@dataclass(frozen=True)
class MixtureRatio(LargestRatio):
    """The largest ratio over mixtures of priors, an algebraic number."""

    supremum: Supremum
    claims: tuple[str, ...] = field(default=(*RESTS_ON, *SUPREMA_RESTS_ON), kw_only=True, repr=False)

    def compare(self, level: Level) -> int:
        """Return the sign of the leakage minus epsilon, exactly."""
        return compare(self.supremum, level)


def compare(supremum: Supremum, level: Level) -> int:
    """Return the sign of supremum - e^epsilon, exactly."""
    if supremum is None:
        return 1
    if isinstance(supremum, Fraction):
        return level.compare(supremum)
    accuracy = ACCURACY
    while True:
        lower, upper = supremum.bounds(accuracy)
        if level.compare(lower) == level.compare(upper) != 0:
            return level.compare(lower)
        accuracy *= 2


def as_leakage(supremum: Supremum) -> Leakage:
    """Return a supremum of e^leakage as a leakage: exact, infinite, or tightly bounded."""
    if not isinstance(supremum, Root):
        return Leakage.of(supremum)
    return Leakage(*rational_bounds(supremum, Fraction(1)))


@dataclass(frozen=True, repr=False)
class MixtureDelta(Readable):
    """The smallest delta over all mixtures at a level, between two suprema: the same one when
    e^epsilon is rational.

    `prior`, `pair` and `outputs` say where it is reached or approached: the sum over `outputs` of
    P(y | pair[0]) - e^epsilon P(y | pair[1]).
    """

    level: Level
    low: Supremum
    high: Supremum
    prior: Weighted
    pair: Pair
    outputs: tuple[str, ...]

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        return self.low if isinstance(self.low, Fraction) and self.low == self.high else None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        ends = [(end, end) if isinstance(end, Fraction) else _bounds(end) for end in (self.low, self.high)]
        return ends[0][0], ends[1][1]

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        return largest.trust(self.level)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, and the largest ratio with it: the same."""
        return largest.rests_on(self.level)

    def as_json(self) -> JsonObject:
        """Return the delta object of the file formats."""
        return delta_json(self.value, self.bounds(), self.prior, self.pair, self.outputs)

    def __str__(self) -> str:
        above, below = self.pair
        value, where = (between(*self.bounds()), f"for {above!r} against {below!r}, {prior_text(self.prior)}")
        return f"delta {value} at {self.level}, {where}, outputs {listed(self.outputs)}"


def mixture_delta(
    framework: Framework, channel: Channel, level: Level, bound: Fraction
) -> tuple[MixtureDelta, int | None]:
    """Return the smallest delta over all mixtures, and the sign of delta - bound: None if
    undecided.

    For rational e^epsilon both are exact. Otherwise e^epsilon is enclosed, and refined until the
    sign is certain or its enclosure is finer than 2^-2048, which leaves it undecided.

    Raises `ModelError` as `leakage` does.
    """
    channel = channel.aligned(framework.databases, framework.support)
    accuracy = ACCURACY
    while True:
        low_ratio, high_ratio = level.bounds(accuracy)
        low, place = _delta_at(framework, channel, high_ratio, bound)
        high = low if low_ratio == high_ratio else _delta_at(framework, channel, low_ratio, bound)[0]
        delta = MixtureDelta(level, low, high, *place)
        if exceeds(low, bound):
            return delta, 1
        if not exceeds(high, bound):
            return delta, 0 if low == high == bound else -1
        if accuracy >= _FINEST:
            return delta, None
        accuracy *= 2


def _delta_at(
    framework: Framework, channel: Channel, ratio: Fraction, bound: Fraction
) -> tuple[Supremum, tuple[Weighted, Pair, tuple[str, ...]]]:
    """Return the smallest delta at a rational e^epsilon, and where it is reached."""
    search, best = _MixtureQuotients(framework, channel), None
    for names, pair in search.left_for_delta(ratio):
        for delta in _deltas(search.joints, names, pair, ratio):
            if best is None or greater(delta.supremum, best.supremum):
                best = delta
    if best is None:
        raise nothing_to_check()
    weights = _delta_weights(best.supremum, best.quotient, bound)
    outputs_named = tuple(channel.outputs[y] for y in best.outputs)
    return best.supremum, (_mixture(best.names, weights), best.pair, outputs_named)


def _deltas(joints: "_Joints", names: tuple[str, str], pair: Pair, ratio: Fraction) -> Iterator[_ReachedSupremum]:
    """Yield what delta is on each piece of the mixtures of two priors, for an ordered pair."""
    terms = [joints.terms(names, pair, y) for y in range(len(joints.channel.outputs))]
    p, q = terms[0].p, terms[0].q
    excesses = [MixtureQuotient(form(a, q), form(b, p)).excess(ratio) for a, _, b, _ in terms]
    for outputs in _positive_sets(excesses):
        first, cross, second = (sum((excesses[y][i] for y in outputs), Fraction(0)) for i in range(3))
        quotient = MixtureQuotient((first, cross, second), form(p, q))
        yield _ReachedSupremum(quotient.supremum(), names, quotient, pair, tuple(sorted(outputs)))


def _positive_sets(excesses: list[Form]) -> set[frozenset[int]]:
    """Return the sets of outputs whose forms are positive together, on every open piece of the
    mixtures of two priors.

    Pieces are separated by 0 and the roots of the forms in t = z / x > 0; a rational point is taken
    inside each. More sets do no harm: the sum that delta bounds is the largest over all sets of
    outputs.
    """
    cuts: set[Fraction | Root] = {
        root for first, cross, second in excesses if second or cross for root in roots(second, cross, first)
    }
    cuts.add(Fraction(0))
    accuracy = ACCURACY
    while True:
        ends = sorted((root, root) if isinstance(root, Fraction) else root.bounds(accuracy) for root in cuts)
        if all(left[1] < right[0] for left, right in pairwise(ends)):
            break
        accuracy *= 2
    positive = [end for end in ends if end[1] >= 0]
    points = [*((left[1] + right[0]) / 2 for left, right in pairwise(positive)), positive[-1][1] + 1]
    whole = [_in_integers(excess) for excess in excesses]
    return {frozenset(_positive_at(whole, t)) for t in points}


def _in_integers(excess: Form) -> tuple[int, int, int]:
    """Return a positive multiple of a form that has integer coefficients."""
    common = lcm(*(number.denominator for number in excess))
    first, cross, second = (number.numerator * (common // number.denominator) for number in excess)
    return first, cross, second


def _positive_at(forms: list[tuple[int, int, int]], t: Fraction) -> Iterator[int]:
    """Yield which forms are positive at (1, t): they are at the denominator and numerator of t."""
    x, z = t.denominator, t.numerator
    xx, xz, zz = x * x, x * z, z * z
    for y, (first, cross, second) in enumerate(forms):
        if first * xx + cross * xz + second * zz > 0:
            yield y


def _mixture(names: tuple[str, str], weights: tuple[Fraction, Fraction]) -> Weighted:
    mixed = tuple((name, weight) for name, weight in zip(names, weights) if weight)
    alone = names[0] == names[1] or len(mixed) == 1
    return mixed[0][0] if alone else mixed


def _bounds(supremum: Supremum) -> tuple[Fraction, Fraction]:
    return rational_bounds(supremum, Fraction(0)) if supremum is not None else (Fraction(1), Fraction(1))


def _leakage_weights(supremum: Supremum, quotient: MixtureQuotient, level: Level | None) -> tuple[Fraction, Fraction]:
    """Return weights at which the ratio is reached, or as near as `mixture_leakage` says."""
    if supremum is None:
        everywhere = _infinite_at(quotient)
        if everywhere is not None:
            return everywhere
        near = Fraction(2**40)
    else:
        exact = quotient.weights_at(supremum) if isinstance(supremum, Fraction) else None
        if exact is not None:
            return exact
        near = rational_bounds(supremum, Fraction(0))[0] * _NEAR
    if level is not None and compare(supremum, level) > 0:
        accuracy = ACCURACY
        while not exceeds(supremum, level.bounds(accuracy)[1]):
            accuracy *= 2
        near = max(near, level.bounds(accuracy)[1])
    return quotient.weights_near(near)


def _infinite_at(quotient: MixtureQuotient) -> tuple[Fraction, Fraction] | None:
    half, one, none = Fraction(1, 2), Fraction(1), Fraction(0)
    for x, z in [(one, none), (none, one), (half, half)]:
        if value_of(quotient.above, x, z) > 0 == value_of(quotient.below, x, z):
            return x, z
    return None


def _delta_weights(supremum: Supremum, quotient: MixtureQuotient, bound: Fraction) -> tuple[Fraction, Fraction]:
    exact = quotient.weights_at(supremum) if isinstance(supremum, Fraction) else None
    if exact is not None:
        return exact
    near = _bounds(supremum)[0] * _NEAR
    return quotient.weights_near(max(near, bound) if exceeds(supremum, bound) else near)
