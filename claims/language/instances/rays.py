"""Extreme rays of cones on a few databases, as integers.

An extreme ray is a vector of the cone at which the inequalities that are tight leave one line.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import gcd, lcm
from operator import mul
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction

Vector = Sequence[Any]


def rays(rows: Sequence[Vector], size: int) -> list[tuple[int, ...]]:
    """Return the extreme rays of {u >= 0 : <row, u> <= 0}, as integers without a common factor."""
    return [*_rays(tuple([_integers(row) for row in rows]), size)]


@lru_cache(maxsize=100)
def _rays(whole: tuple[tuple[int, ...], ...], size: int) -> tuple[tuple[int, ...], ...]:
    """Compute them once for an instance, whose levels are often equal."""
    signs = [tuple(-int(x == y) for y in range(size)) for x in range(size)]
    every = list(dict.fromkeys([*whole, *signs]))
    found: dict[tuple[int, ...], None] = {}
    for chosen in combinations(every, size - 1):
        line = _line(chosen, size)
        least, largest = min(line), max(line)
        if least < 0 < largest or least == largest == 0:
            continue
        u = primitive(line if largest > 0 else [-x for x in line])
        if u not in found and _below(whole, u):
            found[u] = None
    return tuple(found)


def _below(rows: Sequence[tuple[int, ...]], u: tuple[int, ...]) -> bool:
    return all(sum(map(mul, row, u)) <= 0 for row in rows)


def _integers(row: Vector) -> tuple[int, ...]:
    scale = lcm(*(Fraction(x).denominator for x in row))
    return primitive([int(x * scale) for x in row])


def _line(rows: Sequence[tuple[int, ...]], size: int) -> list[int]:
    """Return what is orthogonal to size - 1 rows, by their minors: 0 if they are dependent."""
    if size == 3:
        (a, b, c), (d, e, f) = rows
        return [b * f - c * e, c * d - a * f, a * e - b * d]
    if size == 4:
        (a, b, c, d), (e, f, g, h), (i, j, k, l) = rows
        ef, eg, eh = e * j - f * i, e * k - g * i, e * l - h * i
        fg, fh, gh = f * k - g * j, f * l - h * j, g * l - h * k
        return [b * gh - c * fh + d * fg, c * eh - a * gh - d * eg, a * fh - b * eh + d * ef, b * eg - a * fg - c * ef]
    return [(-1) ** x * determinant([row[:x] + row[x + 1 :] for row in rows]) for x in range(size)]


def determinant(rows: Sequence[tuple[int, ...]]) -> int:
    """Return the determinant, by its first row."""
    if not rows:
        return 1
    if len(rows) == 2:
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]
    if len(rows) == 3:
        (a, b, c), (d, e, f), (g, h, i) = rows
        return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return sum(
        (-1) ** x * a * determinant([row[:x] + row[x + 1 :] for row in rows[1:]]) for x, a in enumerate(rows[0]) if a
    )


def primitive(whole: Sequence[int]) -> tuple[int, ...]:
    """Return whole numbers without their common factor."""
    common = gcd(*whole) or 1
    return tuple(x // common for x in whole)
