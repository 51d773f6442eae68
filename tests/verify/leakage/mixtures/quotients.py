"""Quotients of quadratic forms over two priors, and their suprema by zeros of the derivative."""

from fractions import Fraction
from math import isqrt
from random import Random

import mpmath
from tests.soak.drawing import RATIOS

from pufferproof.verify.leakage.mixtures import Form, MixtureQuotient, Root, form, value_of

F = Fraction


def shares(weights) -> bool:
    return sum(weights) == 1 and min(weights) >= 0


def value_at(both: MixtureQuotient, weights) -> Fraction | None:
    mass = value_of(both.below, *weights)
    return value_of(both.above, *weights) / mass if mass else None


def quotient(draw: Random) -> tuple[Form, Form]:
    """Forms of a leakage, or of a delta: P(y and s) is at most P(s) under either prior."""
    numbers = [Fraction(n, draw.choice((1, 1, 3))) for n in (0, 1, 1, 2, 3, 5, 10**9)]
    p, q = ([draw.choice(numbers) for _ in "lm"] for _ in "st")
    parts = [Fraction(k, 4) for k in (0, 1, 2, 3, 4)]
    a, b = ([draw.choice(parts) * each for each in masses] for masses in (p, q))
    if draw.random() < 0.5:
        return form(a, q), form(p, b)
    ratio = draw.choice(RATIOS)
    first, cross, second = (u - ratio * v for u, v in zip(form(a, q), form(b, p)))
    return (first, cross, second), form(p, q)


def largest_quotient(above: Form, below: Form) -> tuple[Fraction | Root | None, bool]:
    """The supremum for z = t, x = 1, at both ends of t and where the derivative is 0; whether a
    rational t, or an end, reaches it.
    """
    if not any(below):
        return (None if any(u > 0 for u in above) else Fraction(0)), False
    values = []
    for u, v in ((above, below), (above[::-1], below[::-1])):
        degree = next(k for k in range(3) if v[k])
        if any(u[:degree]):
            return None, False
        values.append((u[degree] / v[degree], degree == 0))
    (u0, u1, u2), (v0, v1, v2) = above, below
    a, b, c = u2 * v1 - u1 * v2, 2 * (u2 * v0 - u0 * v2), u1 * v0 - u0 * v1
    if a == b == c == 0:  # the same everywhere
        values.append((value_of(above, F(1), F(1)) / value_of(below, F(1), F(1)), True))
    elif a == 0 and b:
        values += at_zero(above, below, -c / b, F(0), F(0))
    elif a and (square := b * b - 4 * a * c) >= 0:
        for side in (1, -1):
            values += at_zero(above, below, -b / (2 * a), side / (2 * a), square)
    best = max((value for value, _ in values), key=number)
    return best, (best, True) in values


def at_zero(above: Form, below: Form, r: Fraction, s: Fraction, square: Fraction):
    """The quotient at t = r + s sqrt(square), if that is positive, and whether t is rational."""
    root = F(isqrt(square.numerator), isqrt(square.denominator))
    if root * root == square:
        r, s, square = r + s * root, F(0), F(0)
    if number(Root(r, s * s * square, 1 if s > 0 else -1)) <= 0:
        return []
    (n, n1), (d, d1) = (
        (u0 + u1 * r + u2 * (r * r + s * s * square), u1 * s + 2 * u2 * r * s) for u0, u1, u2 in (above, below)
    )
    norm = d * d - d1 * d1 * square
    center, side = (n * d - n1 * d1 * square) / norm, (n1 * d - n * d1) / norm
    return [(Root(center, side**2 * square, 1 if side > 0 else -1) if side else center, s == 0)]


def number(value: Fraction | Root):
    """A number to 250 digits."""
    with mpmath.workdps(250):
        if isinstance(value, Root):
            return number(value.center) + value.side * mpmath.sqrt(number(value.square))
        return mpmath.mpf(value.numerator) / value.denominator
