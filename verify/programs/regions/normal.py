"""What a path knows of its Gaussian draws: for each linear form of them that was compared, the
interval that it lies in.

    P(low < sum d_v Z_v < high) = P(low / |d| < Z < high / |d|),    |d|^2 = sum d_v^2

Forms d, e with sum d_v e_v = 0 are not correlated, and jointly Gaussian: groups of forms that are
not correlated with each other are independent. The probability of a group of one form is a
difference of normal tails, that of a star one integral. Other groups are refused.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple, TypeVar

from flint import acb, arb, ctx, fmpq

from pufferproof.models.noise.tables.tails import InTails, NormalSum, Tails
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.pieces import End, ExponentialPolynomial, Piecewise, fraction, highest, lowest, rational
from pufferproof.verify.programs.regions.region import Direction, HalfSpace, TooManyError, feasible, half_space

# The probability that standard normal draws lie in a star: all of them are compared with one, the centre, as the
# largest is with the others, or a noisy threshold with noisy answers.
#
#     P = integral of phi(z) prod_j P(a_j z + b_j < Z_j < c_j z + d_j),    low < z < high
#
# Given the centre the others are independent, so that one integral is left: over those z for which every interval is
# one, in pieces if a draw has several bounds on one side. Arb encloses it; where |z| > r the integrand is at most
# phi(z), which bounds what is cut off.

_BITS = 320  # at first; they double
_PAIR = 2
_Ends = tuple[End, End]
Ball = TypeVar("Ball", arb, acb)


class Slope(NamedTuple):
    """A bound that is linear in the centre: rise z + start."""

    rise: Fraction
    start: Fraction

    def of(self, z: Fraction) -> Fraction:
        return self.rise * z + self.start

    def at(self, z: acb) -> acb:
        """Enclose the bound for a ball z."""
        return z * arb(rational(self.rise)) + arb(rational(self.start))


class Ray(NamedTuple):
    """The bounds of a draw, given the centre; None for one that there is not."""

    low: Slope | None = None
    high: Slope | None = None


@dataclass(frozen=True)
class Star:
    """The interval of the centre, and the draws that are compared with it.

    >>> below = Ray(high=Slope(Fraction(1), Fraction(0)))
    >>> first = Star(None, None, (below, below))
    >>> round(float(first.ball()), 9)  # the first of three is the largest
    0.333333333
    """

    low: Fraction | None
    high: Fraction | None
    rays: tuple[Ray, ...]

    def ball(self) -> arb:
        """Enclose the probability, at the present working precision or a higher one."""
        bits = _BITS
        while bits < ctx.prec:
            bits *= 2
        return _ball(self, bits)


@lru_cache(maxsize=10_000)
def _ball(star: Star, bits: int) -> arb:
    with ctx.workprec(bits):
        far = (arb(2).log() * (2 * bits)).sqrt().upper() + 1  # phi(far) < 2^-bits
        low, high = (near if end is None else arb(rational(end)) for end, near in ((star.low, -far), (star.high, far)))
        low, high = low.max(-far), high.min(far)
        if not low < high:  # beyond what is integrated, or too close to tell
            return arb(0).union(arb(1))
        inside = acb.integral(lambda z, _: _integrand(star, z), acb(low), acb(high)).real
        cut = arb(0).union(2 * _above(far))
        return inside / (2 * arb.pi()).sqrt() + cut


def _integrand(star: Star, z: acb) -> acb:
    value = (-z * z / 2).exp()
    for low, high in star.rays:
        if low is None and high is not None:
            value *= _above(-high.at(z))
        elif low is not None:
            value *= _above(low.at(z)) - (0 if high is None else _above(high.at(z)))
    return value


def _above(z: Ball) -> Ball:
    """Return P(Z > z)."""
    return (z / arb(2).sqrt()).erfc() / 2


def stars_of(ends: Mapping[Direction, _Ends]) -> list[Star]:
    """Return forms and their intervals as stars that exclude each other; none if no draw is in all
    comparisons of two, or a form has more than two.
    """
    pairs = [{v for v, _ in direction} for direction in ends if len(direction) == _PAIR]
    common = set.intersection(*pairs) if pairs else set()
    if not common or any(len(direction) > _PAIR for direction in ends):
        return []
    centre = min(common, key=lambda v: (((v, 1),) not in ends, v))
    low, high = ((None if end is None else fraction(end)) for end in ends.get(((centre, 1),), (None, None)))
    bounds: dict[int, tuple[list[Slope], list[Slope]]] = {}
    for direction, own in ends.items():
        for v, sides in _bounds(centre, direction, *own):
            for kept, bound in zip(bounds.setdefault(v, ([], [])), sides):
                kept += [] if bound is None else [bound]
    return _pieces(low, high, list(bounds.values()))


def _pieces(
    low: Fraction | None, high: Fraction | None, bounds: Sequence[tuple[list[Slope], list[Slope]]]
) -> list[Star]:
    """Return a star for each interval of the centre in which the closest bounds are the same."""
    cuts = {
        (other.start - one.start) / (one.rise - other.rise)
        for lows, highs in bounds
        for one, other in combinations([*lows, *highs], 2)
        if one.rise != other.rise
    }
    inner = sorted(z for z in cuts if (low is None or low < z) and (high is None or z < high))
    found: list[Star] = []
    for left, right in pairwise([low, *inner, high]):
        z = _inside(left, right)
        rays = [
            Ray(
                max(lows, key=lambda each: each.of(z), default=None),
                min(highs, key=lambda each: each.of(z), default=None),
            )
            for lows, highs in bounds
        ]
        if any(ray.low and ray.high and ray.low.of(z) >= ray.high.of(z) for ray in rays):
            continue
        star = Star(left, right, tuple(sorted(rays, key=repr)))
        if found and found[-1].high == left and found[-1].rays == star.rays:
            star = Star(found.pop().low, right, star.rays)
        found.append(star)
    return found


def _inside(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is None:
        return Fraction(0) if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def _bounds(centre: int, direction: Direction, low: End, high: End) -> Iterator[tuple[int, Sequence[Slope | None]]]:
    """Yield the draw beside the centre in a form, and its bounds."""
    at = dict(direction).get(centre, 0)
    for v, d in direction:
        if v != centre:
            bounds = [None if end is None else Slope(Fraction(-at, d), fraction(end) / d) for end in (low, high)]
            yield v, bounds if d > 0 else bounds[::-1]


# Numbers that Gaussian draws of programs make: polynomials in tails of the standard normal law and in probabilities of
# stars, with exponential polynomials as coefficients (`pufferproof.models.noise.tables.tails`).
#
# The probabilities of both sides of a comparison add up to exactly 1; those of stars do so as far as their enclosures
# tell.

_FEW_BITS = 256


class NormalPolynomial(InTails, ExponentialPolynomial):
    """A number with exponential polynomials of no variables as coefficients.

    >>> ahead, behind = (NormalPolynomial.between(fmpq(1), None, 1), NormalPolynomial.between(None, fmpq(1), 1))
    >>> round(ahead.approx(), 6), (ahead + behind).value()
    (0.158655, Fraction(1, 1))
    """

    def __init__(self, of: Mapping[Tails, ExponentialPolynomial]) -> None:
        self._of = {tails: value for tails, value in of.items() if value.terms}
        super().__init__(0, {})
        self.terms = dict(self._of)

    def _made(self, of: Mapping[Tails, ExponentialPolynomial]) -> "NormalPolynomial":
        return NormalPolynomial(of)

    @classmethod
    def between(cls, low: End, high: End, variance: int) -> "NormalPolynomial":
        """Return P(low < X < high) of a Gaussian draw of mean 0 and a variance."""
        above = cls({(): ExponentialPolynomial.constant(fmpq(1))})
        above = above if low is None else cls._above(low, variance)
        return above if high is None else above - cls._above(high, variance)

    @classmethod
    def _above(cls, cut: fmpq, variance: int) -> "NormalPolynomial":
        if not cut:
            return cls({(): ExponentialPolynomial.constant(fmpq(1, 2))})
        t = Fraction(int(cut.p), int(cut.q)) ** 2 / variance
        tail = cls({(t,): ExponentialPolynomial.constant(fmpq(1))})
        whole = ExponentialPolynomial.constant(fmpq(1))
        return tail if cut > 0 else whole - tail

    def sum(self) -> ExponentialSum:
        """Return the number with exponential sums as coefficients."""
        return NormalSum.of({tails: value.sum() for tails, value in self._of.items()})

    def value(self) -> Fraction | None:
        """Return the value if it is rational by its form, else None."""
        if self._of.keys() - {()}:
            return None
        return self._of[()].value() if self._of else Fraction(0)

    @classmethod
    def of_star(cls, star: Star) -> "NormalPolynomial":
        return cls({(star,): ExponentialPolynomial.constant(fmpq(1))})

    @property
    def vanishes(self) -> bool:
        """Whether the value may be 0, as far as the enclosures of stars tell."""
        stars = any(isinstance(each, Star) for tails in self._of for each in tails)
        with ctx.workprec(_FEW_BITS):
            return stars and bool(self.near(arb(0)).contains(0))

    def ball(self, y: arb) -> arb:
        """Enclose the value."""
        value: arb = self.enclosed(y)
        return value


NORMAL = ("normal",)  # the law of a Gaussian draw, of standard deviation 1
_FAR = fmpq(2) ** 1000
_OTHERS = "it compares Gaussian draws with draws of another law"
_CORRELATED = "it compares Gaussian draws in several ways that depend on each other"


class BeyondError(TooManyError):
    """A comparison has no exact probability here: `why`."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class StandardNormal(Piecewise):
    """What stands where a draw of another law has its density: that of a Gaussian draw is never
    integrated piece by piece.
    """

    def __init__(self) -> None:
        super().__init__(((None, None, ExponentialPolynomial(1, {})),))


class Normals:
    """The standard normal draws of a run, and the intervals of the forms that were compared.

    >>> normals = Normals({0, 1})
    >>> half = HalfSpace(((0, 1), (1, -1)), -2, 1)  # Z_0 - Z_1 > 2
    >>> normals.possible(half), normals.restrict(half)
    ((True, True), None)
    >>> round(normals.mass().approx(), 6)  # P(Z > sqrt(2))
    0.07865
    """

    def __init__(self, draws: set[int]) -> None:
        self.draws = draws
        self.ends: dict[Direction, tuple[End, End]] = {}

    def copy(self) -> "Normals":
        copied = Normals(self.draws)
        copied.ends = dict(self.ends)
        return copied

    def has(self, half: HalfSpace) -> bool:
        """Whether a Gaussian draw is compared. Raises `BeyondError` if another one is as well."""
        normal = len([v for v, _ in half.direction if v in self.draws])
        if 0 < normal < len(half.direction):
            raise BeyondError(_OTHERS)
        return normal > 0

    def possible(self, half: HalfSpace) -> tuple[bool, bool]:
        """Return whether a form can be negative, and positive. Raises `BeyondError` for one that
        depends on others, and is no star with them.
        """
        direction, turned, cut = _turned(half)
        low, high = self.ends.get(direction, (None, None))
        sides = [low is None or low < cut, high is None or cut < high]
        group = self._group(direction)
        if group.keys() - {direction}:
            below, above = (low, lowest(high, cut)), (highest(low, cut), high)
            for place, ends in enumerate((below, above)):
                inside = {**group, direction: ends}
                sides[place] = sides[place] and feasible(_halves(inside))
                if sides[place]:
                    _mass(inside)
        return (sides[1], sides[0]) if turned else (sides[0], sides[1])

    def _group(self, direction: Direction) -> dict[Direction, tuple[End, End]]:
        """Return the forms that a form depends on, directly or through others, and their ends."""
        found, left = {direction}, [direction]
        while left:
            own = dict(left.pop())
            for other in self.ends.keys() - found:
                if sum(d * own.get(v, 0) for v, d in other):  # the covariance
                    found.add(other)
                    left.append(other)
        return {each: ends for each, ends in self.ends.items() if each in found}

    def share_approx(self, half: HalfSpace) -> float:
        """Return how probable a half-space is, to a few digits."""
        direction, turned, cut = _turned(half)
        low, high = self.ends.get(direction, (None, None))
        size = math.sqrt(sum(d * d for _, d in direction))
        a, b = (0.0 if low is None else _below_approx(low, size)), _below_approx(high, size)
        share = (b - _below_approx(cut, size)) / (b - a) if b > a else 0.5
        share = min(max(share, 1e-9), 1 - 1e-9)
        return 1 - share if turned else share

    def restrict(self, half: HalfSpace) -> None:
        """Keep the half-space of the side that was taken."""
        direction, turned, cut = _turned(half)
        low, high = self.ends.get(direction, (None, None))
        self.ends[direction] = (low, lowest(high, cut)) if turned else (highest(low, cut), high)

    def mass(self) -> ExponentialPolynomial:
        """Return the probability of all intervals."""
        whole, left = ExponentialPolynomial.constant(fmpq(1)), dict(self.ends)
        while left:
            group = self._group(next(iter(left)))
            whole *= _mass(group)
            left = {direction: left[direction] for direction in left if direction not in group}
        return whole


def _mass(group: Mapping[Direction, tuple[End, End]]) -> NormalPolynomial:
    if len(group) == 1:
        ((direction, ends),) = group.items()
        return NormalPolynomial.between(*ends, sum(d * d for _, d in direction))
    stars = stars_of(group) or stars_of(_needed(group))
    if not stars:
        raise BeyondError(_CORRELATED)
    first, *others = map(NormalPolynomial.of_star, stars)
    return sum(others, first)


def _needed(group: Mapping[Direction, tuple[End, End]]) -> dict[Direction, tuple[End, End]]:
    """Return forms without the ends that the others imply, as sorting leaves them."""
    kept = dict(group)
    for direction in group:
        for side in (0, 1):
            low, high = kept[direction]
            own = (None, high) if side == 0 else (low, None)
            end = (low, None) if side == 0 else (None, high)
            for half in _halves({direction: end}):
                if not feasible([*_halves({**kept, direction: own}), half.opposite()]):
                    kept[direction] = own
    return {direction: ends for direction, ends in kept.items() if ends != (None, None)}


def _halves(group: Mapping[Direction, tuple[End, End]]) -> Iterator[HalfSpace]:
    for direction, (low, high) in group.items():
        form = {v: fmpq(d) for v, d in direction}
        if low is not None:
            yield half_space(form, -low)
        if high is not None:
            yield half_space({v: -d for v, d in form.items()}, high)


def _turned(half: HalfSpace) -> tuple[Direction, bool, fmpq]:
    """Return the form without its constant, its first coefficient positive, whether that is the
    form turned round, and where the form is 0.
    """
    if half.direction[0][1] > 0:
        return half.direction, False, -half.constant
    return tuple((v, -d) for v, d in half.direction), True, half.constant


def _below_approx(cut: End, size: float) -> float:
    if cut is None:
        return 1.0
    near = float(fraction(highest(lowest(cut, _FAR), -_FAR)))  # a float
    return math.erfc(-near / size / math.sqrt(2)) / 2
