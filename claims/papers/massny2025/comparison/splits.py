"""How many records 3R mechanisms can release on small chains, over all budgets, exactly.

Left of p the sets S and M change with eps_l only where e^eps_l is an influence at some distance;
eps_r = eps - eps_l is best as large as possible, so these eps_l and 0 suffice. |S| + |M| b/(a+b)
bounds the expected number of released records for any q: in M the rare value is never released.
Source: massny2025, section IV, equations (1), (2) and (3).
"""

from fractions import Fraction

from pufferproof.claims.papers.massny2025.bound.patterns import Instance
from pufferproof.claims.papers.massny2025.influence.instances import pointwise


def most_released(at: Instance, halves: bool = False, positive: bool = False) -> Fraction:
    """An upper bound on n nu of every 3R mechanism with eps_l + eps_r <= eps; with eps_l = eps_r =
    eps/2 if `halves`.

    If `positive`, eps_l and eps_r are positive; this is only evaluated at p = 1, where eps_l may be
    as small as one likes.
    """
    of, right = at.of, at.length - at.private
    if halves:
        return sum((_side(at, length, at.ratio, 2) for length in (at.private - 1, right)), Fraction(0))
    if positive:
        return _side(at, right, at.ratio, strict=True)
    values = (pointwise(of, d, z) for d in range(1, at.private) for z in (0, 1))
    levels = {Fraction(1), *(value for value in values if value <= at.ratio)}
    return max(_side(at, at.private - 1, level) + _side(at, right, at.ratio / level) for level in levels)


def _side(at: Instance, length: int, ratio: Fraction, power: int = 1, strict: bool = False) -> Fraction:
    """|S| + |M| b/(a+b) on one side: influences to a power against a ratio, strictly below it
    if eps' may only approach it.
    """
    common, total = at.of.b / (at.of.a + at.of.b), Fraction(0)
    for distance in range(1, length + 1):
        low, high = sorted(pointwise(at.of, distance, z) ** power for z in (0, 1))
        if high < ratio or (high == ratio and not strict):
            total += 1
        elif low < ratio or (low == ratio and not strict):
            total += common
    return total
