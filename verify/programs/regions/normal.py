"""What a path knows of its Gaussian draws: for each linear form of them that was compared, the
interval that it lies in.

    P(low < sum d_v Z_v < high) = P(low / |d| < Z < high / |d|),    |d|^2 = sum d_v^2

Forms without a draw in common are independent, and so are forms d, e with sum d_v e_v = 0: jointly
Gaussian numbers that are not correlated. So the probability of a path is a product of differences
of normal tails. Correlated forms would need integrals of several dimensions, and are refused.
"""

import math
from typing import Any

from flint import fmpq

from pufferproof.models.numbers.pieces import (
    End,
    ExponentialPolynomial,
    Piecewise,
    fraction,
    highest,
    lowest,
)
from pufferproof.verify.programs.regions.region import Direction, HalfSpace, TooManyError
from pufferproof.verify.programs.regions.tails import NormalPolynomial

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
        depends on another.
        """
        direction, turned, cut = _turned(half)
        self._expect_alone(direction)
        low, high = self.ends.get(direction, (None, None))
        sides = low is None or low < cut, high is None or cut < high
        return (sides[1], sides[0]) if turned else sides

    def _expect_alone(self, direction: Direction) -> None:
        own = dict(direction)
        for other in self.ends.keys() - {direction}:
            covariance = sum(d * own.get(v, 0) for v, d in other)
            if covariance:
                raise BeyondError(_CORRELATED)

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
        whole = ExponentialPolynomial.constant(fmpq(1))
        for direction, ends in self.ends.items():
            whole *= NormalPolynomial.between(*ends, _variance(direction))
        return whole


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
