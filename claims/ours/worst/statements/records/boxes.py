"""Chains of bits with matrices in a box: what a chain leaks at levels per record, against two
corners, by laws written out and columns.
"""

from collections.abc import Sequence
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import (
    extremes,
    factors,
    has,
    law_of,
    least_levels,
    mean,
    table,
)

F = Fraction
Pair = tuple[F, F]
"""P11 and P01 of a chain of bits, or a law."""
ENTRIES = [F(1, 2), F(1, 4), F(3, 4), F(1, 20), F(19, 20), F(1, 100), F(99, 100)]


def boxes(draws: Draws) -> Instance:
    """One to three bits of a chain with matrix entries in a box, above 0 and below 1, also near
    both; a chain of the box, stationary or from any positive law; a bit i; a column and its least
    levels.
    """
    count = draws.among([2, 3, 1])
    ends = [[draws.among(ENTRIES) for _ in range(3)] for _ in range(2)]
    u = table(draws, count, 2)
    return {
        "count": count,
        "box": tuple((min(each), max(each)) for each in ends),
        "chain": tuple(sorted(each)[draws.below(3)] for each in ends),
        "start": None if draws.whether() else _both(draws.among(ENTRIES)),
        "i": draws.below(count),
        "u": u,
        "levels": least_levels(u),
    }


def _both(p: F) -> Pair:
    return 1 - p, p


def _law(count: int, chain: Pair, start: Sequence[F] | None) -> dict[tuple[int, ...], F]:
    a, b = chain
    first = (1 - a, b) if start is None else start
    kernel = [[1 - b, b], [1 - a, a]]
    edges = {c: (c - 1, kernel) for c in range(1, count)}
    return law_of(2, [x / sum(first) for x in first], edges)


def _ratio(law: Any, u: Any, i: int) -> F:
    """The mean of a column given a 1, over that given a 0."""
    zero, one = (mean(law, u, i, value) for value in (0, 1))
    return ONE if zero is None or one is None else one / zero


def _within(
    count: int,
    box: tuple[Pair, Pair],
    chain: Pair,
    start: Sequence[F] | None,
    i: int,
    u: object,
    levels: Sequence[F],
    corners: Sequence[tuple[int, int]] = ((1, 0), (0, 1)),
    factor: F = ONE,
) -> bool:
    """Whether a column tells two values apart no better under a chain than some column does under
    a corner, in either order.
    """
    own, known = _ratio(_law(count, chain, start), u, i), [ONE]
    for j, k in corners:
        known += extremes(_law(count, (box[0][j], box[1][k]), start), levels, i) or ()
    return own <= factor * max(known) and 1 / own <= factor / min(known)


def _fits(i: int, start: object, **_: object) -> bool:
    return i == 0 or start is None


def _skewed() -> Instance:
    """The last of three bits, the first of which is seldom 1 under every matrix."""
    levels = [F(2), F(2), ONE]
    u = {x: (1 + F(x[0] == 0)) * (1 + F(x[1] == 1)) for x in factors(levels)[0]}
    ends = ((F(1, 100), F(1, 20)), (F(1, 20), F(1, 4)))
    drawn = {"box": ends, "chain": (F(1, 20), F(1, 4)), "start": _both(F(1, 100))}
    return {"count": 3, **drawn, "i": 2, "u": u, "levels": levels}


START = "the law of X_1 is the stationary one of each matrix, or i = 1"
BOX = Statement(
    family=boxes,
    given={START: _fits, "the column has the levels R_j": has},
    holds=_within,
    edges=[_skewed()],
    too_strong={
        "P11 largest and P01 least alone": {"corners": [(1, 0)]},
        "P11 least and P01 largest alone": {"corners": [(0, 1)]},
        "both largest, or both least": {"corners": [(0, 0), (1, 1)]},
        "99/100 of it": {"factor": ALMOST},
    },
    too_weak=[START],
)
