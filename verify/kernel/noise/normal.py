"""Masses of intervals under a normal law, between integers over 2^bits."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt

from ..reading import size, spend
from .rounding import Rounded, exponential

Bounds = tuple[int, int]  # over 2^bits, from below and from above


def fixed(number: Rounded, bits: int, up: bool) -> int:
    m, e = number[0], number[1] + bits
    if e >= 0:
        return m << e
    return -(-m >> -e) if up else m >> -e


@cache
def root_two_pi(bits: int) -> Bounds:
    """Bound 2^bits / sqrt(2 pi), where pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    work = bits + 32
    spend(bits, work, 64)
    (low, high), (least, most) = arctangent(5, work), arctangent(239, work)
    under, above = 16 * low - 4 * most, 16 * high - 4 * least
    unit = 1 << bits + work
    return unit // (isqrt(2 * above << work) + 1), unit // isqrt(2 * under << work) + 1


def arctangent(x: int, bits: int) -> Bounds:
    """Bound 2^bits arctan(1/x); signs alternate, so that the rest is less than its first term."""
    term, k, least, most = (1 << bits) // x, 0, 0, 0
    while term > 0:
        part = (-1) ** k * (term // (2 * k + 1))
        least, most = least + part - 2, most + part + 2
        term, k = term // (x * x), k + 1
    return least - 2, most + 2


@cache
def half(square: Fraction, bits: int) -> Bounds:
    """Bound 2^bits (Phi(x) - 1/2) for x >= 0, where x^2 is given."""
    most = 1 << bits - 1
    if square >= 2 * bits:
        return most - 1, most
    work, (n, d) = 3 * bits + 32, square.as_integer_ratio()
    spend(1, size(square) + work, size(square) + work)
    squares, root = ((n << work) // d, -((-n << work) // d)), isqrt((n << 2 * work) // d)
    sums, terms, k = (0, 0), (root, root + 1), 0
    while terms[1] > 1 or 2 * squares[1] > 2 * k + 3 << work:
        spend(2, work, work)
        sums, k = (sums[0] + terms[0], sums[1] + terms[1]), k + 1
        low = (terms[0] * squares[0] >> work) // (2 * k + 1)
        terms = low, -((-terms[1] * squares[1] >> work) // (2 * k + 1))
    sums = sums[0], sums[1] + 2 * terms[1] + 2  # each further term is at most half of the last
    density = [fixed(exponential(square / 2, work, up), work, up) for up in (False, True)]
    roots, shift = root_two_pi(work), 3 * work - bits
    above = -(-sums[1] * density[1] * roots[1] >> shift)
    return sums[0] * density[0] * roots[0] >> shift, min(most, above)


def below(place: Fraction, n: int, precision: Fraction, bits: int) -> Bounds:
    """Bound 2^bits times the mass below a place under the law around n."""
    low, high = half((place - n) ** 2 * precision, bits)
    middle = 1 << bits - 1
    return (middle + low, middle + high) if place >= n else (middle - high, middle - low)


def mass(low: Fraction | None, high: Fraction | None, n: int, precision: Fraction, bits: int) -> Bounds:
    """Bound 2^bits times the mass between two places; None is beyond all."""
    left = (0, 0) if low is None else below(low, n, precision, bits)
    right = (1 << bits,) * 2 if high is None else below(high, n, precision, bits)
    return max(0, right[0] - left[1]), right[1] - left[0]
