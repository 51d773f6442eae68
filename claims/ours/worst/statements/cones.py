"""Cones of columns on two to four databases, their extreme rays, and the ratios of products.

A list T has ordered pairs of laws; a column is a list of entries. An extreme ray is a vector of the
cone at which the inequalities that are tight leave one line.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product
from math import lcm
from operator import mul
from typing import Any

from pufferproof.claims.language.instances.laws import ONE, ZERO, dot
from pufferproof.claims.language.instances.rays import Vector, primitive, rays
from pufferproof.claims.language.statements import Draws, Fraction

F = Fraction
Pair = tuple[Vector, Vector]
LEVELS = [ONE, F(2), F(3, 2), F(4, 3)]


def times(*columns: Vector) -> list[Any]:
    """Return the entrywise product."""
    result = list(columns[0])
    for each in columns[1:]:
        result = [x * y for x, y in zip(result, each)]
    return result


def inside(T: Sequence[Pair], R: F, u: Vector) -> bool:
    """Whether a column lies in C_R."""
    return all(x >= 0 for x in u) and all(dot(mu, u) <= R * dot(nu, u) for mu, nu in T)


def level(T: Sequence[Pair], u: Vector) -> F | None:
    """Return the least R >= 1 with u in C_R, or None if there is none."""
    return joint([(ONE, ONE)], ratio(T, u))


def ratio(T: Iterable[Pair], u: Vector) -> F | None:
    """Return the largest <mu, u>/<nu, u>, 0/0 left out, or None if it is infinite."""
    best = ZERO
    for mu, nu in T:
        m, n = dot(mu, u), dot(nu, u)
        if m and not n:
            return None
        best = max(best, m / n) if n else best
    return best


def joint(numbers: Sequence[tuple[F, F]], least: F | None) -> F | None:
    """Return the largest of a ratio and of quotients of numbers."""
    return None if least is None else max([least, *(a / b for a, b in numbers)])


def both(T: Sequence[Pair]) -> list[Pair]:
    """Return the pairs in both orders."""
    return [*T, *((nu, mu) for mu, nu in T)]


def promise(T: Sequence[Pair], R: F) -> list[list[F]]:
    """Return the rows of the cone of columns that occur: at R = 1 the promise is an equation."""
    return [[m - R * n for m, n in zip(mu, nu)] for mu, nu in (both(T) if R == 1 else T)]


def tuples(T: Sequence[Pair], levels: Sequence[F]) -> list[tuple[tuple[int, ...], ...]]:
    """Return all tuples of extreme rays of the cones of columns that occur."""
    size = len(T[0][0])
    known = {R: rays(promise(T, R), size) for R in dict.fromkeys(levels)}
    return list(product(*(known[R] for R in levels)))


def worst(T: Sequence[Pair], levels: Sequence[F], at: Sequence[Pair] = ()) -> F | None:
    """Return L*_K as the largest ratio at a tuple of rays, for all of T or at some of its pairs,
    or None if it is infinite.
    """
    return _worst(_fixed(T), tuple(levels), _fixed(at or T))


@lru_cache(maxsize=1000)
def _worst(T: tuple[Pair, ...], levels: tuple[F, ...], at: tuple[Pair, ...]) -> F | None:
    size = len(T[0][0])
    products = {(1,) * size}
    for R in levels:
        known = rays(promise(T, R), size)
        products = {primitive(times(u, r)) for u in products for r in known}
    whole, high, low = [_whole(*pair) for pair in at], 0, 1
    for each, (mu, nu) in product(products, whole):
        m, n = sum(map(mul, mu, each)), sum(map(mul, nu, each))
        if m and not n:
            return None
        if m * low > high * n:
            high, low = m, n
    return F(high, low)


def _whole(mu: Vector, nu: Vector) -> tuple[list[int], list[int]]:
    """Return two vectors times a common denominator."""
    scale = lcm(*(F(x).denominator for x in (*mu, *nu)))
    return [int(x * scale) for x in mu], [int(x * scale) for x in nu]


def _fixed(T: Sequence[Pair]) -> tuple[Pair, ...]:
    return tuple((tuple(mu), tuple(nu)) for mu, nu in T)


def occurs(T: Sequence[Pair], R: F, u: Vector, t: F) -> bool:
    """Whether t u and 1 - t u are the columns of a mechanism of level R."""
    first = [t * x for x in u]
    return inside(T, R, first) and inside(T, R, [1 - x for x in first])


def small(R: F, u: Vector) -> F:
    """Return a factor small enough for t u to be a column, if any is."""
    return F(min(ONE, R - 1 if R > 1 else ONE) / (2 * R * max(1, *u)))


def column(draws: Draws, size: int, largest: int = 3) -> list[F]:
    """Draw a column that is not 0, of whole entries; ties and zeros are frequent."""
    entries = [F(draws.below(largest + 1)) for _ in range(size)]
    return entries if any(entries) else [ONE] * size


def pairs(draws: Draws, size: int, number: int = 2) -> list[Pair]:
    """Draw up to `number` pairs of laws with zeros, which may overlap, in one order or in both."""
    T: list[Pair] = [
        (draws.law(size, 2), draws.law(size, 2)) for _ in range(1 + draws.below(number))
    ]
    return both(T) if draws.whether() else T
