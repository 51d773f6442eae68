"""Many steps along equal records at once: powers of the Moebius map of two of them.

A step takes each end of a range to an end of the next one, by a map that is known; where it falls,
ends change places, so that two steps take every end to itself. The powers of that map are products
of matrices with entries that are not negative, rounded outward.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pufferproof.lp.translation.bits.quotients import Moebius, Precision, Quotient, Range

_MORE = 96  # bits beyond those of a quotient


class _MatrixBounds(NamedTuple):
    """Bounds of the entries of a matrix, up to a factor that both have in common."""

    lower: Moebius
    upper: Moebius


@dataclass(frozen=True)
class Jump:
    """Steps along records that all show the same: r goes to by(r s), s in the range `seen`.

    >>> walk = Jump((3, 1, 1, 3), Range.at((2, 1), (2, 1)), Precision(40))
    >>> float(walk.after(Range.at((1, 1), (1, 1)), 2).bounds()[1])
    1.6206896551724137
    """

    by: Moebius
    seen: Range
    precision: Precision

    def after(self, at: Range, steps: int) -> Range:
        """Return the range after an even number of steps, from one without 0 and infinity."""
        p, q, s, t = self.by
        falling = p * t < q * s
        ends = zip(at.ends(False), self.seen.ends(False), self.seen.ends(falling))
        image = []
        for upward, ((above, below), first, second) in enumerate(ends):
            twice = _product(_after(self.by, second), _after(self.by, first))
            lower, upper = _power(twice, steps // 2, self.precision.bits + _MORE)
            (p, q, _, _), (_, _, s, t) = (upper, lower) if upward % 2 else (lower, upper)
            rounded = self.precision.up if upward % 2 else self.precision.down
            image.append(rounded(p * above + q * below, s * above + t * below))
        return Range(*image)


def _after(by: Moebius, seen: Quotient) -> Moebius:
    """Return the map r -> by(r a / b)."""
    (p, q, s, t), (a, b) = by, seen
    return p * a, q * b, s * a, t * b


def _product(one: Moebius, other: Moebius) -> Moebius:
    (p, q, s, t), (a, b, c, d) = one, other
    return p * a + q * c, p * b + q * d, s * a + t * c, s * b + t * d


def _power(matrix: Moebius, exponent: int, bits: int) -> _MatrixBounds:
    square = _shortened(_MatrixBounds(matrix, matrix), bits)
    power = _MatrixBounds((1, 0, 0, 1), (1, 0, 0, 1))
    while exponent:
        if exponent % 2:
            power = _times(power, square, bits)
        square, exponent = _times(square, square, bits), exponent // 2
    return power


def _times(one: _MatrixBounds, other: _MatrixBounds, bits: int) -> _MatrixBounds:
    lower, upper = _product(one.lower, other.lower), _product(one.upper, other.upper)
    return _shortened(_MatrixBounds(lower, upper), bits)


def _shortened(matrix: _MatrixBounds, bits: int) -> _MatrixBounds:
    """Return a matrix of at most so many bits, divided by a power of 2."""
    shift = max(0, max(matrix.upper).bit_length() - bits)
    (p, q, s, t), (a, b, c, d) = matrix
    lower = p >> shift, q >> shift, s >> shift, t >> shift
    return _MatrixBounds(lower, (-(-a >> shift), -(-b >> shift), -(-c >> shift), -(-d >> shift)))
