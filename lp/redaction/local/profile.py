"""One side of a redaction profile, exact: its constrained likelihood ratio at p, and the q that
makes it just large enough.

With all other q of a side fixed, the constrained likelihood ratio u at p
(`pufferproof.lp.redaction.local.curve`) is (q x + y) / (q z + w) with non-negative integers up to a
common factor, increasing in q. So a wanted u >= t gives the least q exactly, as a rational. Nothing
is optimised here but that one q.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.redaction.local.curve import Shape
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.sequences.binary import BinaryChain, Pair

RESTS_ON = ("redaction.events", "redaction.monotone")
_GRAIN = 64  # proposed q become multiples of 2^-64


@dataclass(frozen=True)
class Profile:
    """The records at distance 1 .. count on one side: a shape and its q, nearest record first."""

    chain: BinaryChain
    shape: Shape
    q: tuple[Fraction, ...] = ()

    @classmethod
    def near(cls, chain: BinaryChain, shape: Shape, q: Sequence[float]) -> "Profile":
        """Return a profile with q rounded to multiples of 2^-64."""
        return cls(chain, shape, tuple(Fraction(round(value * 2**_GRAIN), 1 << _GRAIN) for value in q))

    @property
    def least_leaking(self) -> "Profile":
        """The profile of this shape in which all q are 1."""
        shape = self.shape
        first = self._value(shape.size)
        return Profile(self.chain, Shape(first, shape.end, shape.end, shape.count))

    @property
    def trimmed(self) -> "Profile":
        """The same profile, `first` the first record with q < 1."""
        ones = next((k for k, q in enumerate(self.q) if q != 1), len(self.q))
        shape = self.shape
        return Profile(self.chain, Shape(self._value(ones), shape.first + ones, shape.end, shape.count), self.q[ones:])

    @property
    def gain(self) -> Fraction:
        """The expected number of released records of this side."""
        total = [Fraction(0), Fraction(0)]
        for k, q in enumerate(self.q):
            total[self._value(k)] += 1 - q
        zero, one = self.chain.stationary_law
        return self.shape.count + 1 - self.shape.end + zero * total[0] + one * total[1]

    @property
    def rows(self) -> list[Pair]:
        """(r(0), r(1)) of the records at distance 1 .. count."""
        one, zero = Fraction(1), Fraction(0)
        medium = [(q, one) if self._value(k) == 0 else (one, q) for k, q in enumerate(self.q)]
        released = self.shape.count + 1 - self.shape.end
        return [(one, one)] * (self.shape.first - 1) + medium + [(zero, zero)] * released

    @property
    def ratio(self) -> Fraction:
        """The constrained likelihood ratio at p, at most 1; 1 where nothing is released."""
        above, below = self._at(-1)
        return Fraction(above[0] + above[1], below[0] + below[1])

    @property
    def other_ratio(self) -> Fraction:
        """The other likelihood ratio at p, at least 1: of the value released at `first`."""
        if self.shape.first > self.shape.count:
            return Fraction(1)
        return self.chain.influence(self.shape.value, self.shape.first) or Fraction(1)

    @property
    def pivot(self) -> int | None:
        """The index of the q farthest from 0 and 1, or None if all are 1."""
        best = max(range(len(self.q)), key=lambda k: (min(self.q[k], 1 - self.q[k]), -self.q[k]), default=None)
        return None if best is None or self.q[best] == 1 else best

    def with_ratio(self, wanted: Fraction, exact: bool) -> "Profile | None":
        """Return the profile with the least q at the pivot such that the ratio is at least
        `wanted`, None if there is none.

        Unless `exact` that q is rounded up to a multiple of 2^-96.
        """
        pivot = self.pivot
        if pivot is None:
            return self if self.ratio >= wanted else None
        above, below = self._at(pivot)
        slope = above[0] - wanted * below[0]
        if slope <= 0:
            return None
        q = max(Fraction(0), (wanted * below[1] - above[1]) / slope)
        if not exact:
            q = Fraction(-((-q.numerator << 96) // q.denominator), 1 << 96)
        if q > 1:
            return None
        return Profile(self.chain, self.shape, (*self.q[:pivot], q, *self.q[pivot + 1 :]))

    def _value(self, k: int) -> int:
        return self.shape.value ^ (k & 1) if self.chain.eigenvalue < 0 else self.shape.value

    def _at(self, pivot: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return (x, y), (z, w) with ratio (q x + y) / (q z + w), q that at the pivot."""
        chain, shape = self.chain, self.shape
        p00, p01, p10, p11 = integers([entry for row in chain.transition for entry in row])
        free, fixed = ((0, 0), (1, 1))  # q free + fixed: likelihoods given that the present record is 0, 1
        if shape.end <= shape.count:
            last = self._value(len(self.q))
            fixed = (0, 1) if last == 0 else (1, 0)
        for k in range(len(self.q) - 1, -1, -1):
            if shape.end <= shape.count or k < len(self.q) - 1:
                free, fixed = ((p00 * f + p01 * g, p10 * f + p11 * g) for f, g in (free, fixed))
            value, q = self._value(k), self.q[k]
            if k == pivot:
                free = (fixed[0], 0) if value == 0 else (0, fixed[1])
                fixed = (0, fixed[1]) if value == 0 else (fixed[0], 0)
            elif q != 1:
                over, under = q.numerator, q.denominator
                scale = (over, under) if value == 0 else (under, over)
                free, fixed = ((scale[0] * f, scale[1] * g) for f, g in (free, fixed))
        if shape.first <= shape.count:
            p00, p01, p10, p11 = integers([entry for row in chain.power(shape.first) for entry in row])
            free, fixed = ((p00 * f + p01 * g, p10 * f + p11 * g) for f, g in (free, fixed))
        above = self._value(shape.first)
        return (free[above], fixed[above]), (free[1 - above], fixed[1 - above])
