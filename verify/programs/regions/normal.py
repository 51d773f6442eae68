"""What a path knows of its Gaussian draws: for each linear form of them that was compared, the
interval that it lies in.

    P(low < sum d_v Z_v < high) = P(low / |d| < Z < high / |d|),    |d|^2 = sum d_v^2

Forms d, e with sum d_v e_v = 0 are not correlated, and jointly Gaussian: groups of forms that are
not correlated with each other are independent. The probability of a group of one form is a
difference of normal tails, that of a star one integral. Other groups are refused.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import End, ExponentialPolynomial, Piecewise, fraction, highest, lowest
from pufferproof.verify.programs.regions.region import Direction, HalfSpace, TooManyError, feasible, half_space
from pufferproof.verify.programs.regions.stars import stars_of
from pufferproof.verify.programs.regions.tails import NormalPolynomial

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
        """Return the same, to which other comparisons can be added."""
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
        size = math.sqrt(_variance(direction))
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
    """Return the probability of forms that depend on each other."""
    if len(group) == 1:
        ((direction, ends),) = group.items()
        return NormalPolynomial.between(*ends, _variance(direction))
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


def _turned(half: HalfSpace) -> tuple[Direction, bool, Any]:
    """Return the form without its constant, its first coefficient positive, whether that is the
    form turned round, and where the form is 0.
    """
    if half.direction[0][1] > 0:
        return half.direction, False, -half.constant
    return tuple((v, -d) for v, d in half.direction), True, half.constant


def _variance(direction: Direction) -> int:
    return sum(d * d for _, d in direction)


def _below_approx(cut: End, size: float) -> float:
    if cut is None:
        return 1.0
    near = float(fraction(highest(lowest(cut, _FAR), -_FAR)))  # a float
    return math.erfc(-near / size / math.sqrt(2)) / 2
