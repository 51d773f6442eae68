"""Differential privacy alone and on top: families closed under powers, rays of the cube.

Levels and entries are powers of 2, so that exponents, and shares of them, are whole numbers.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.cones import Pair, column, pairs, ratio, small, times

F = Fraction
TWO = F(2)


def means(draws: Draws) -> Instance:
    """Three databases, one with a bound by a mean of the others, with weights that are halves; two
    levels, powers of 4; columns of powers of 4, some with zeros, and a
    shape for a column of the product of levels.
    """
    pairs_of = {0: (draws.among([1, 2]), draws.among([2, 1]))}
    levels = [draws.below(3), draws.below(3)]
    columns = [[draws.among([ONE, F(4), F(16), ZERO]) for _ in range(3)] for _ in levels]
    return {
        "halves": pairs_of,
        "pair": (draws.law(3, 2), draws.law(3, 2)),
        "levels": levels,
        "shape": [2 * draws.below(3) for _ in range(3)],
        "columns": columns,
    }


def nfc(halves: Any, R: F, u: Sequence[F]) -> bool:
    """Whether u_D is at most R times the square root of the product of two entries."""
    return all(u[D] ** 2 <= R**2 * u[l] * u[k] for D, (l, k) in halves.items())


def _nfc_powers(
    halves: Any, levels: Any, shape: Any, columns: Any, less: int = 0, **_: object
) -> bool:
    """Whether products of columns of these levels have the product of levels, and columns of that
    level are products of columns that occur; so the largest ratios are the same.
    """
    whole = F(4) ** sum(levels[less:])
    joint = nfc(halves, whole, times(*columns))
    total = F(4) ** sum(levels)
    if not sum(levels) or not nfc(halves, total, [total**h for h in shape]):
        return joint
    each = [[F(4) ** (r * h) for h in shape] for r in levels]
    occur = all(
        nfc(halves, F(4) ** r, u)
        and (r == 0 or nfc(halves, F(4) ** r, [1 - small(F(4) ** r, u) * x for x in u]))
        for r, u in zip(levels, each)
    )
    return joint and occur and times(*each) == [total**h for h in shape]


ABOVE_1 = "some R_k > 1"
HAVE = "the columns have the levels R_k"
NFC = Statement(
    family=means,
    given={
        HAVE: lambda halves, levels, columns, **_: all(
            nfc(halves, F(4) ** r, u) for r, u in zip(levels, columns)
        ),
        ABOVE_1: lambda levels, **_: any(levels),
    },
    holds=_nfc_powers,
    too_strong={"a level left out": {"less": 1}},
    too_weak=[HAVE],
)


def on_top(draws: Draws) -> Instance:
    """One record of two or three values, or two bits; one pair of laws of the database, in both
    orders or one; a level of databases and one of records, 2, 3/2 or 3, and a column, a sum of
    extreme rays of both promises together, in one of eight cases any other; K = 2 releases.
    """
    count, values = (2, 2) if draws.below(12) == 11 else (1, 2 + draws.below(2))
    whole = list(product(range(values), repeat=count))
    T = pairs(draws, len(whole), 1)
    R, S = draws.among([TWO, F(3, 2), F(3)]), draws.among([TWO, F(3, 2), F(3)])
    known = list(cone(tuple(whole), T, R, S))
    u: list[F] = [F(sum(each)) for each in zip(draws.among(known), draws.among(known))]
    if draws.below(8) == 7:
        u = column(draws, len(whole))
    return {"whole": whole, "T": T, "R": R, "S": S, "u": u, "K": 2}


def cone(whole: object, T: Sequence[Pair], R: F, S: F) -> list[tuple[int, ...]]:
    """Return the extreme rays of both promises together."""
    return _cone(whole, tuple((tuple(mu), tuple(nu)) for mu, nu in T), R, S)


@lru_cache(maxsize=100)
def _cone(whole: Any, T: tuple[Pair, ...], R: F, S: F) -> list[tuple[int, ...]]:
    rows = [[m - R * n for m, n in zip(mu, nu)] for mu, nu in T]
    rows += [
        [(z == x) - S * (z == y) for z in whole]
        for x, y in product(whole, repeat=2)
        if sum(a != b for a, b in zip(x, y)) == 1
    ]
    return rays(rows, len(whole))


def _promised(whole: Any, T: Any, R: F, S: F, u: Any, **_: object) -> bool:
    at = dict(zip(whole, u))
    near = all(
        at[x] <= S * at[y]
        for x, y in product(whole, repeat=2)
        if sum(a != b for a, b in zip(x, y)) == 1
    )
    return near and at_most(ratio(T, u), R)


def _implied(whole: Any, T: Any, R: F, S: F, u: Any, K: int, power: int = 0) -> bool:
    n = power or len(whole[0])
    bounded = all(a <= S**n * b for a, b in product(u, repeat=2))
    known = cone(tuple(whole), T, R, S)
    most = [ratio(T, times(r, q)) for r, q in product(known, repeat=2)]
    if None in most:
        return False
    return bounded and at_most(ratio(T, times(*[u] * K)), max(each or ZERO for each in most))


PROMISED = "u keeps both promises"
ON_TOP = Statement(
    family=on_top,
    given={PROMISED: _promised},
    holds=_implied,
    too_strong={"S instead of S^n": {"power": 1}},
    too_weak=[PROMISED],
)
