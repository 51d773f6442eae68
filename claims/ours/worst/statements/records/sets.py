"""Chains over any alphabet with matrices in a box: the recursion over sets of values, against laws
written out and columns.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import prod

from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, subsets
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import (
    Kernel,
    has,
    law_of,
    least_levels,
    mean,
    table,
)

F = Fraction
Box = tuple[Kernel, Kernel]


def mass(row: tuple[Row, Row], chosen: Sequence[int], largest: bool) -> F:
    """Return the largest or the least mass of some values in a row between two bounds."""
    low, high = row
    inside, outside = (high, low) if largest else (low, high)
    own = sum((inside[z] for z in chosen), ZERO)
    left = 1 - sum((x for z, x in enumerate(outside) if z not in chosen), ZERO)
    return min(own, left) if largest else max(own, left)


def step(box: Box, D: F, pairs: Sequence[tuple[int, int]], apart: bool = True) -> F:
    """Return the largest quotient over pairs of rows and sets of values; `apart`: the most of one
    row and the least of the other, else the most of both.
    """
    rows = list(zip(*box))
    known = [
        (mass(rows[v], A, True), mass(rows[w], A, not apart))
        for v, w in pairs
        for A in subsets(range(len(rows)))
    ]
    return max((1 + (D - 1) * p) / (1 + (D - 1) * q) for p, q in known)


def bound(box: Box, levels: Row, pair: tuple[int, int], apart: bool = True) -> F:
    """Return D_1 of a pair of values."""
    every = list(permutations(range(len(box[0])), 2))
    D = ONE
    for place in range(len(levels) - 1, -1, -1):
        D = levels[place] * step(box, D, [pair] if place == 0 else every, apart)
    return D


def boxes(draws: Draws) -> Instance:
    """One to three records of two values, or one or two of three; a chain and a box around it; a
    column, drawn or one that reaches the bound for two records, and its least levels.
    """
    values = 2 + draws.below(2)
    count = 1 + draws.below(3 if values == 2 else 2)
    chain = [draws.law(values, 3) for _ in range(values)]
    wide = F(draws.below(3), 6)
    low = [[max(ZERO, x - wide * draws.below(3)) for x in row] for row in chain]
    high = [[min(ONE, x + wide * draws.below(3)) for x in row] for row in chain]
    u = table(draws, count, values)
    start = draws.positive_law(values, 3)
    return {"box": (low, high), "chain": chain, "start": start, "u": u, "levels": least_levels(u)}


def _bounded(
    box: Box,
    chain: Kernel,
    start: Row,
    u: Mapping[tuple[int, ...], F],
    levels: Row,
    apart: bool = True,
    factor: F = ONE,
) -> bool:
    """Whether the means of the column given two values of X_1 have at most the ratio D_1."""
    law = law_of(len(chain), start, {c: (c - 1, chain) for c in range(1, len(levels))})
    means = [mean(law, u, 0, v) for v in range(len(chain))]
    known = [(v, m) for v, m in enumerate(means) if m is not None]
    return all(
        m <= factor * bound(box, levels, (v, w), apart) * other
        for (v, m), (w, other) in permutations(known, 2)
    )


def _inside(box: Box, chain: Kernel, **_: object) -> bool:
    return all(
        a <= x <= b
        for low, row, high in zip(box[0], chain, box[1])
        for a, x, b in zip(low, row, high)
    )


BOX, LEVELS = "the matrix is in the box", "the column has the levels R_j"
BOUNDED = Statement(
    family=boxes,
    given={BOX: _inside, LEVELS: has},
    holds=_bounded,
    too_strong={"the most of both rows": {"apart": False}, "99/100 of it": {"factor": ALMOST}},
)


def two_records(draws: Draws) -> Instance:
    """Two records of two or three values, levels 1 to 3, a box around a chain, and two values."""
    drawn = boxes(draws)
    v, w = draws.among(list(permutations(range(len(drawn["chain"])), 2)))
    levels = [1 + F(draws.below(5), 2) for _ in range(2)]
    return {"box": drawn["box"], "chain": drawn["chain"], "pair": (v, w), "levels": levels}


def _row(box: Box, value: int, chosen: Sequence[int], largest: bool) -> list[F]:
    """Return a row of the box with the largest or least mass on some values."""
    low, high = (list(each[value]) for each in box)
    first, left = sorted(range(len(low)), key=lambda z: (z in chosen) != largest), 1 - sum(low)
    for z in first:
        more = min(left, high[z] - low[z])
        low[z], left = low[z] + more, left - more
    return low


def _reached(box: Box, chain: Kernel, pair: tuple[int, int], levels: Row, factor: F = ONE) -> bool:
    """Whether some chain of the box and some column of the levels have the ratio D_1, or more."""
    v, w = pair
    known = []
    for A in subsets(range(len(chain))):
        rows = list(chain)
        rows[v], rows[w] = _row(box, v, A, True), _row(box, w, A, False)
        if not _inside(box, rows):
            return False
        law = law_of(len(chain), [F(1, len(chain))] * len(chain), {1: (0, rows)})
        u = {x: (levels[0] if x[0] == v else ONE) * (levels[1] if x[1] in A else ONE) for x in law}
        above, below = mean(law, u, 0, v), mean(law, u, 0, w)
        if above is not None and below is not None:
            known.append(above / below)
    return max(known) >= factor * bound(box, levels, pair)


REACHED = Statement(
    family=two_records,
    given={BOX: lambda **each: _inside(**each)},
    holds=_reached,
    too_strong={"101/100 of it": {"factor": F(101, 100)}},
)


def symmetric(draws: Draws) -> Instance:
    """One to three records of two or three values, or one or two of four; the probability to stay,
    often at least that of any other value; levels 1 to 2; a column, its own levels below them.
    """
    values = 2 + draws.below(3)
    count = 1 + draws.below(3 if values < 4 else 2)
    stay = F(1, values) * draws.among([ONE, F(3, 2), F(5, 4), F(values), F(1, 2)])
    stay = min(stay, ONE)
    u = table(draws, count, values)
    more = [ONE, F(3, 2), F(2)]
    levels = [max(least, draws.among(more)) for least in least_levels(u)]
    return {"values": values, "stay": stay, "u": u, "levels": levels}


def _symmetric(
    values: int, stay: F, u: Mapping[tuple[int, ...], F], levels: Row, factor: F = ONE
) -> bool:
    """Whether the column tells no two values apart by more than D_1, and the counting one does."""
    q = (1 - stay) / (values - 1)
    rows = [[stay if x == y else q for y in range(values)] for x in range(values)]
    start = [F(1, values)] * values
    law = law_of(values, start, {c: (c - 1, rows) for c in range(1, len(levels))})
    D = ONE
    for R in reversed(levels):
        D = R * (1 + (D - 1) * stay) / (1 + (D - 1) * q) if D != ONE else R
    means = [mean(law, u, 0, v) or ONE for v in range(values)]
    counting = {x: prod((R for R, z in zip(levels, x) if z == 0), start=ONE) for x in u}
    told = [mean(law, counting, 0, v) or ONE for v in (0, 1)]
    return max(means) <= factor * D * min(means) and told[0] == D * told[1]


STAYS, HAS = "a >= q", "the column has the levels R_j"
SYMMETRIC = Statement(
    family=symmetric,
    given={STAYS: lambda values, stay, **_: bool(stay * values >= 1), HAS: has},
    holds=_symmetric,
    too_strong={"99/100 of it": {"factor": ALMOST}},
    too_weak=[STAYS],
)
