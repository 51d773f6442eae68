"""One side of a private record on a binary Markov chain: the extreme likelihood ratios of what a
local redaction shows there.

Only these events matter: the nearest released record is at distance d and has value z, or nothing
is released. Their likelihoods given X_p = x are columns of

    M_1 = P,  M_(d+1) = M_d diag(r(0), r(1)) P
        (r of the record at distance d; the reversed chain on the left),

times 1 - r(z), and M_d diag(r(0), r(1)) 1 at the end; once both ratios lie between ratios already
reached, no farther event matters. Matrices are integers up to a factor: exact, or rounded down to a
fixed number of bits with the error counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from pufferproof.models.numbers.proportions import Rounding, integers
from pufferproof.models.sequences.binary import Pair

RESTS_ON = ("redaction.events", "redaction.messages")
_MAX_BITS = 60_000  # exact integers beyond this are rounded instead
_SHORT, _MAX_BITS_SHORT = 2_000, 1_000_000  # the same for at most so many records
_FLINT_BITS = 20_000
_PRECISION = 160
_KNOWN_ROWS = 10_000

Matrix = tuple[int, ...]  # 2 x 2, rows x, columns z: m00, m01, m10, m11, up to a common factor


# above, below and event: (distance, value) released, or None for nothing
Reach = tuple[int, int, tuple[int, int] | None]


@dataclass(frozen=True)
class SideRatios:
    """The largest and smallest P(event | X_p = 0) / P(event | X_p = 1) on one side, each with a
    bound of its relative error.
    """

    largest: Reach
    smallest: Reach
    slacks: tuple[Fraction, Fraction]


NOTHING = SideRatios((1, 1, None), (1, 1, None), (Fraction(0), Fraction(0)))


class SideSweep:
    """The search along one side for its extreme ratios, nearest record first.

    The columns of M_(d+1) are positive combinations of those of M_d, hence their ratios are
    mediants (redaction.messages).

    Args:
        step: the matrix P.
        start: what is known of the farthest record.
        precision: the bits that integers are rounded to, None for exact ones as long as `count`
            records allow.
    """

    def __init__(self, step: Matrix, start: tuple[int, ...], precision: int | None, count: int) -> None:
        self.step, self.start, self.count = step, start, count
        self.keep = precision or _PRECISION
        self.rounding = Rounding(self.keep)
        exact = _MAX_BITS_SHORT if count <= _SHORT else _MAX_BITS
        self.limit = exact if precision is None else 2 * precision
        self.gap = Fraction(0)  # how far ratios differ of which one stands for all
        self.largest: Reach | None = None
        self.smallest: Reach | None = None
        self.settled = [False, False]  # largest and smallest: known exactly, whatever is rounded later
        self._known: dict[int, ReleaseWeights] = {}

    def run(self, matrix: Matrix, turn: int, rows: Iterable[Pair]) -> SideRatios:
        """Search the records; `turn` is the eigenvalue's sign: det > 0 favours column 0."""
        m00, m01, m10, m11 = matrix
        count, known, zero_above, flat = self.count, self._known, turn > 0, turn == 0
        for distance, row in enumerate(rows, 1):
            w00, w01, w10, w11, zero, one = known.get(id(row)) or self._weights(row)
            if distance == count:
                zero, one = zero and self.start[0] > 0, one and self.start[1] > 0
            if flat:  # all columns from here on have one ratio
                if zero or one or distance == count:
                    event = (distance, int(not zero))
                    self._reach(m00, m10, event if zero or one else None)
                    break
                continue
            if zero or one:
                zeros, ones = (m00, m10, (distance, 0)), (m01, m11, (distance, 1))
                higher = (zeros, ones, zero, one) if zero_above else (ones, zeros, one, zero)
                if self._columns(*higher):
                    break
            if distance == count:
                self._nothing_released((m00, m01, m10, m11), row)
                break
            m00, m01, m10, m11 = (
                m00 * w00 + m01 * w10,
                m00 * w01 + m01 * w11,
                m10 * w00 + m11 * w10,
                m10 * w01 + m11 * w11,
            )
            flat = not (w00 and w10)
            zero_above = zero_above == (turn > 0)
            if m00.bit_length() > self.limit:
                if not self.rounding.steps:
                    self._settle((m00, m10, None), (m01, m11, None), zero_above)
                m00, m01, m10, m11 = self._rounded((m00, m01, m10, m11))
                flat = flat or self._narrow(m00, m10, m01, m11)
        return self._side()

    def _side(self) -> SideRatios:
        if self.largest is None or self.smallest is None:
            raise AssertionError("every side has an event")
        slack = self.rounding.slack + self.gap + self.rounding.slack * self.gap
        largest, smallest = (Fraction(0) if settled else slack for settled in self.settled)
        return SideRatios(self.largest, self.smallest, (largest, smallest))

    def _rounded(self, matrix: Matrix) -> Matrix:
        rounded = self.rounding(matrix)
        if rounded != matrix:
            self.rounding.steps += 1
            self.limit = 2 * self.keep
        return rounded

    def _narrow(self, m00: int, m10: int, m01: int, m11: int) -> bool:
        """Whether two ratios agree closely enough to stand for each other; count the error."""
        if abs(m00 * m11 - m10 * m01) << (self.keep - 16) > min(m00 * m11, m10 * m01):
            return False
        self.gap = Fraction(1, 1 << (self.keep - 16))
        return True

    def _columns(self, high: Reach, low: Reach, high_shown: bool, low_shown: bool) -> bool:
        """Take in one record's columns, ratio high >= low; tell if farther ones matter."""
        done = self.settled[0] or (self.largest is not None and not exceeds(high, self.largest))
        if not done and high_shown:
            self.largest, done = high, True
        elif not done and (self.largest is None or exceeds(low, self.largest)):
            self.largest = low
        if self.settled[1] or (self.smallest is not None and not exceeds(self.smallest, low)):
            return done
        if low_shown:
            self.smallest = low
            return done
        if self.smallest is None or exceeds(self.smallest, high):
            self.smallest = high
        return False

    def _reach(self, above: int, below: int, event: tuple[int, int] | None) -> None:
        reached = above, below, event
        if self.largest is None or (not self.settled[0] and exceeds(reached, self.largest)):
            self.largest = reached
        if self.smallest is None or (not self.settled[1] and exceeds(self.smallest, reached)):
            self.smallest = reached

    def _settle(self, zeros: Reach, ones: Reach, zero_above: bool) -> None:
        """Note before the first rounding which extremes no farther event can pass."""
        high, low = (zeros, ones) if zero_above else (ones, zeros)
        self.settled = [
            self.largest is not None and not exceeds(high, self.largest),
            self.smallest is not None and not exceeds(self.smallest, low),
        ]

    def _nothing_released(self, matrix: Matrix, row: Pair) -> None:
        """Take in the event that nothing on this side is released, unless it is impossible."""
        zero, one = integers([row[0] * self.start[0], row[1] * self.start[1]])
        if zero or one:
            self._reach(matrix[0] * zero + matrix[1] * one, matrix[2] * zero + matrix[3] * one, None)

    def _weights(self, row: Pair) -> "ReleaseWeights":
        zero, one = (row[0].numerator * row[1].denominator, row[1].numerator * row[0].denominator)
        common = gcd(zero, one) or 1
        zero, one = zero // common, one // common
        m00, m01, m10, m11 = self.step
        matrix = zero * m00, zero * m01, one * m10, one * m11
        weights = ReleaseWeights(*matrix, row[0] != 1, row[1] != 1)
        if len(self._known) < _KNOWN_ROWS:
            self._known[id(row)] = weights
        return weights


class ReleaseWeights(NamedTuple):
    """diag(r(0), r(1)) P as integers up to a factor, and whether values may be released."""

    w00: int
    w01: int
    w10: int
    w11: int
    zero: bool
    one: bool


def exceeds(one: Reach, other: Reach) -> bool:
    """Whether one ratio is larger, by as many leading bits of long integers as needed."""
    (a, b, _), (c, d, _) = one, other
    bits, size = 128, a.bit_length()
    while 8 * bits < size:
        left, left_end, left_shift = _leading_product(a, d, bits)
        right, right_end, right_shift = _leading_product(b, c, bits)
        shift = max(-4 * bits, min(4 * bits, left_shift - right_shift))
        left, left_end = left << max(shift, 0), left_end << max(shift, 0)
        right, right_end = right << max(-shift, 0), right_end << max(-shift, 0)
        if left >= right_end:
            return True
        if left_end <= right:
            return False
        bits *= 4
    if size > _FLINT_BITS:
        from flint import fmpz

        return bool(fmpz(a) * fmpz(d) > fmpz(b) * fmpz(c))
    return a * d > b * c


def _leading_product(a: int, b: int, bits: int) -> tuple[int, int, int]:
    """Return (lower, upper, shift) with lower 2^shift <= a b < upper 2^shift."""
    drop_a, drop_b = max(0, a.bit_length() - bits), max(0, b.bit_length() - bits)
    lead_a, lead_b = a >> drop_a, b >> drop_b
    return lead_a * lead_b, (lead_a + 1) * (lead_b + 1), drop_a + drop_b
