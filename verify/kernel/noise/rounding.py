"""Numbers m 2^e that are never negative, rounded to so many bits, up or down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from ..level import Point, enclosure
from ..reading import spend

Rounded = tuple[int, int]  # m and e
ONE: Rounded = (1, 0)
ZERO: Rounded = (0, 0)
Vector = list[Rounded]
Matrix = list[Vector]


def cut(number: Rounded, bits: int, up: bool) -> Rounded:
    m, e = number
    extra = m.bit_length() - bits
    if extra <= 0:
        return number
    return (-(-m >> extra) if up else m >> extra), e + extra


def plus(one: Rounded, two: Rounded, bits: int, up: bool) -> Rounded:
    (m, e), (n, f) = (one, two) if one[1] >= two[1] else (two, one)
    if n == 0 or m == 0:
        return one if two[0] == 0 else two
    if e - f > 4 * bits + n.bit_length():  # the other is less than one unit of this
        return ((m << 2 * bits) + up, e - 2 * bits) if up else (m, e)
    return cut(((m << e - f) + n, f), bits, up)


def times(one: Rounded, two: Rounded, bits: int, up: bool) -> Rounded:
    return cut((one[0] * two[0], one[1] + two[1]), bits, up)


def inverse(number: Rounded, bits: int, up: bool) -> Rounded:
    m, e = number
    wide = m.bit_length() + bits
    return (-(-(1 << wide) // m) if up else (1 << wide) // m), -wide - e


def rounded(number: Fraction, bits: int, up: bool) -> Rounded:
    return rational(*number.as_integer_ratio(), bits, up)


def rational(n: int, d: int, bits: int, up: bool) -> Rounded:
    return times((n, 0), inverse((d, 0), bits + 8, up), bits, up)


def exponential(nats: Fraction, bits: int, up: bool) -> Rounded:
    """Bound e^-nats, nats >= 0."""
    halvings = int(nats).bit_length()
    low, high, unit = enclosure(nats / (1 << halvings), bits)
    root = inverse((low if up else high, 1 - unit.bit_length()), bits, up)
    return raised(root, 1 << halvings, bits, up)


def raised(number: Rounded, exponent: int, bits: int, up: bool) -> Rounded:
    return power_applied([[ONE]], [[number]], exponent, bits, up)[0][0]


def whole(*numbers: Rounded) -> list[int]:
    """NR1: return numbers as integers over one unit, so that they can be compared."""
    least = min(e for m, e in numbers)
    far = sum(e - least for m, e in numbers)
    spend(1, far, far)  # as much as a product of what is made
    return [m << e - least for m, e in numbers]


def compared(above: Iterable[Rounded], p: Rounded, below: Iterable[Rounded], q: Rounded) -> Iterator[Point]:
    """NR1: yield a, p, b, q for a of `above`, b of `below`: a and b over one unit, p and q too."""
    most, least = whole(p, q)
    for one, other in zip(above, below):
        a, b = whole(one, other)
        yield Point(a, most, b, least)


def less(one: Rounded, two: Rounded) -> bool:
    tops = [(bool(m), m.bit_length() + e) for m, e in (one, two)]
    if tops[0] != tops[1]:  # and never a shift by many bits
        return tops[0] < tops[1]
    first, second = whole(one, two)
    return first < second


def product(one: Matrix, two: Matrix, bits: int, up: bool) -> Matrix:
    spend(len(one) * len(two) * len(two[0]), bits, bits)
    rows = []
    for row in one:
        sums = [ZERO] * len(two[0])
        for x, others in zip(row, two):
            sums = [plus(s, times(x, y, bits, up), bits, up) for s, y in zip(sums, others)]
        rows.append(sums)
    return rows


def power_applied(row: Matrix, matrix: Matrix, exponent: int, bits: int, up: bool) -> Matrix:
    while exponent > 0:
        row = product(row, matrix, bits, up) if exponent & 1 else row
        matrix, exponent = product(matrix, matrix, bits, up), exponent >> 1
    return row
