"""The largest value of a quotient of two quadratic forms over mixtures of two priors, exactly.

For weights x, z >= 0 (not both zero) the quotient is (u_ll x^2 + u_c x z + u_mm z^2) / (v_ll x^2 +
v_c x z + v_mm z^2), where v is a product of two linear forms with coefficients >= 0, and u is
nowhere negative where v is 0. It is at most d everywhere iff the form with coefficients g = u - d
v is nowhere positive: g_ll <= 0, g_mm <= 0 and (g_c <= 0 or g_c^2 <= 4 g_ll g_mm). The smallest
such d is rational, or a root of a quadratic with rational coefficients.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("general.two-weights",)
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
        return start if self.at_most(start) else self._crossing()

    def _crossing(self) -> Fraction | Root:
        """Return the first root of E(d) = g_c^2 - 4 g_ll g_mm.

        E > 0 and g_c > 0 where both ends are bounded, and E <= 0 further on, where g_c is 0. As
        v_c^2 >= 4 v_ll v_mm, E is convex: it has no root before.
        """
        (l0, c0, m0), (l1, c1, m1) = self.above, self.below
        a = c1 * c1 - 4 * l1 * m1
        b = 4 * (l0 * m1 + l1 * m0) - 2 * c0 * c1
        c = c0 * c0 - 4 * l0 * m0
        return roots(a, b, c)[0]

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


def suprema_approx(above: Any, below: Any) -> "NDArray[np.float64]":
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


def surely_below(above: Any, below: Any, bound: Fraction) -> "NDArray[np.bool_]":
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


def unbounded(above: Any, below: Any) -> "NDArray[np.bool_]":
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
