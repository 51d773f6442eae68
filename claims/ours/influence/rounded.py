"""Flips of every record of a chain of two values, as the public code of "Optimal Local Bayesian
Differential Privacy over Markov Chains" computes them: in floats, here rounded up to fractions.
"""

from fractions import Fraction
from math import ceil, inf, sqrt

_MICRO = 10**6
Point = tuple[float, float]
Line = tuple[Point, Point]


def rounded_up(q: Fraction, r: Fraction, odds: int) -> tuple[Fraction, Fraction]:
    """Return the flips of 0 and 1 that the code finds, rounded up to 10^-6."""
    x, y = (Fraction(ceil(x * _MICRO), _MICRO) for x in flips_approx(float(q), float(r), odds))
    return x, y


def flips_approx(q: float, r: float, odds: float) -> Point:
    """Return the flips of 0 and 1 (min_exp_noise of lstm_attack.py,
    github.com/AdityaSaraf/correlated_data_privacy_attack): where two segments meet each other or
    the lines x = 1/2 and y = 1/2, the point that flips least.
    """
    a, b = _side(q, r, odds), _side(r, q, odds)
    first = (1 - a, 0.5), (0.5, 1 / (4 * a))
    second = (1 / (4 * b), 0.5), (0.5, 1 - b)
    steep, flat = sorted((first, second), key=lambda line: -abs(_slope(line)))
    top = _meeting(steep, ((0, 0.5), (0.5, 0.5)))
    right = _meeting(flat, ((0.5, 0), (0.5, 0.5)))
    points = [point for point in (_meeting(first, second), top, right) if point is not None]
    return min(points, key=lambda point: point[0] * r + point[1] * q)


def _side(q: float, r: float, odds: float) -> float:
    gap, rest = q - odds * r, odds * (1 - q) * (1 - r)
    root = abs(gap) * sqrt(gap**2 + 4 * rest)
    whole = gap**2 + 2 * rest
    return (whole + (root if odds >= q / r else -root)) / (4 * (1 - q) ** 2 * odds)


def _slope(line: Line) -> float:
    (a, b), (c, d) = line
    return inf if a == c else (d - b) / (c - a)


def _meeting(one: Line, other: Line) -> Point | None:
    """Return the point of two segments that meet, or None if they do not."""
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    cross = (c - a) * (h - f) - (d - b) * (g - e)
    if not cross:
        return None
    s = ((e - a) * (h - f) - (f - b) * (g - e)) / cross
    t = ((e - a) * (d - b) - (f - b) * (c - a)) / cross
    return (a + s * (c - a), b + s * (d - b)) if 0 <= s <= 1 and 0 <= t <= 1 else None
