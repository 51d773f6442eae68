"""Statements on levels and their split between two sides: monotone, continuous, jumps, budgets."""

from collections.abc import Sequence
from functools import cache

from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO, at_most
from pufferproof.claims.language.instances.redaction import (
    HIDDEN,
    ORDERED,
    Bits,
    bits,
    is_ordered,
    leakage,
    local,
    pointwise,
    regions,
    shows,
    three_regions,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.redaction.statements.central import local_best
from pufferproof.claims.ours.redaction.statements.optima import best_three, level, private, two_bits
from pufferproof.claims.ours.redaction.statements.sides import (
    Chances,
    feasible,
    medium,
    one_side,
    side_law,
)

F = Fraction
TINY, SMALL = F(1, 10**12), F(1, 10**6)
MORE = [F(101, 100), ONE, F(5, 4), F(2)]


def two_levels(draws: Draws) -> Instance:
    """A 3R mechanism of one side as for one side, feasible most often, a level at least as large as
    its budget, and a local mechanism.
    """
    drawn = one_side(draws)
    rows = local(draws, drawn["n"], [1])
    return drawn | {"more": drawn["R"] * draws.among(MORE), "rows": rows}


SAME, FEASIBLE = "M and S are the same for both budgets", "q is feasible"


def _same(of: Bits, n: int, R: F, q: Chances, more: F, **_: object) -> bool:
    return regions(of, n, 1, R, R) == regions(of, n, 1, more, more)


def _remains(of: Bits, n: int, R: F, q: Chances, more: F, rows: Rows) -> bool:
    """Whether q is feasible for the larger budget, and what is private at a level at more."""
    law = side_law(of, n)
    least = leakage(law, rows, [1])
    moved = {t: q.get(t, ONE) for t in medium(of, n, more)}
    return feasible(of, n, more, moved) and (not at_most(least, R) or at_most(least, more))


MONOTONE_CLASS = Statement(
    family=two_levels,
    given={SAME: _same, FEASIBLE: lambda of, n, R, q, more, rows: feasible(of, n, R, q)},
    holds=_remains,
    too_strong={"for 99/100 of the budget, too": lambda R, **_: {"more": R * ALMOST}},
    too_weak=[SAME, FEASIBLE],
)
LESS = F(9, 5), F(20, 11)
FALLS = {
    "of": (F(1, 8), HALF),
    "n": 3,
    "R": LESS[0],
    "q": {2: HALF, 3: F(11, 50)},
    "more": LESS[1],
    "rows": [HIDDEN] * 3,
}
"""a = 1/8, b = 1/2, n = 3, p = 1: more is shown at the level 9/5 than at 20/11 = e^i1(2)."""


def _shown(of: Bits, n: int, R: F, q: Chances) -> F:
    return shows(of, three_regions(regions(of, n, 1, R, R), q))


def _some_budget(of: Bits, n: int, R: F, q: Chances, more: F, whole: bool = False) -> bool:
    """Whether a budget of at most the larger level allows a 3R mechanism that shows as much; in
    the near miss that budget is the whole level, where M has one record.
    """
    shown = _shown(of, n, R, q)
    if whole:
        best = best_three(of, n, more)
        return best is None or best >= shown
    return any(
        x <= more and feasible(of, n, x, q) and _shown(of, n, x, q) >= shown
        for x in (more, R)
        if {*q} == {*medium(of, n, x)}
    )


MONOTONE_SPLIT = Statement(
    family=two_levels,
    edges=[FALLS],
    given={FEASIBLE: lambda of, n, R, q, more, rows: feasible(of, n, R, q)},
    holds=lambda of, n, R, q, more, rows, whole=False: _some_budget(of, n, R, q, more, whole=whole),
    too_strong={"with all of the level as the budget": {"whole": True}},
)


def two_bits_two_levels(draws: Draws) -> Instance:
    """A stationary chain of two bits, mostly a <= b, any eigenvalue, and two levels, the second one
    at least as large, at, between or near the influences.
    """
    of = bits(draws)
    low, high = sorted((level(draws, of), level(draws, of)))
    return {"of": of, "R": low, "more": high}


def _best(of: Bits, R: F) -> F:
    return best_three(of, 2, R) or ZERO


MONOTONE_TWO = Statement(
    family=two_bits_two_levels,
    holds=lambda of, R, more, strictly_different_levels=False: (
        (_best(of, R) <= _best(of, more))
        and (not strictly_different_levels or (R == more or _best(of, R) < _best(of, more)))
    ),
    too_strong={"strictly for different levels": {"strictly_different_levels": True}},
)


def three_bits(draws: Draws) -> Instance:
    """q of the first record of M, and a budget from 1 to 20/11, for a = 1/8, b = 1/2, n = 3, p =
    1.
    """
    first = F(1 + draws.below(16), 16)
    x = draws.among([F(7, 4), F(181, 100), LESS[0], F(3, 2), ONE, LESS[1] - F(1, 10**4)])
    return {"first": first, "x": x}


OF = F(1, 8), HALF


def _not_monotone(first: F, x: F, drop: F = ONE) -> bool:
    """Whether more than one record is shown at 9/5, at 20/11 only q = 1 is feasible, which shows
    one, and the regions of 9/5 with its q keep 20/11.
    """
    low, high = LESS
    split, apart = regions(OF, 3, 1, high, high), regions(OF, 3, 1, low, low)
    chances = {2: HALF, 3: F(11, 50)}
    kept = leakage(side_law(OF, 3), three_regions(apart, chances), [1])
    return (
        split == "LMS"
        and feasible(OF, 3, high, {2: first}) == (first == 1)
        and feasible(OF, 3, low, chances)
        and _shown(OF, 3, low, chances) > drop
        and best_three(OF, 3, high) == 1
        and at_most(kept, high)
    )


NOT_MONOTONE = Statement(
    family=three_bits,
    holds=_not_monotone,
    too_strong={"more than 11/10 records": {"drop": F(11, 10)}},
)


@cache
def _least_second(R: F, first: F) -> F | None:
    """The least q of the second record of M that keeps the budget, to 2^-40; None if there is
    none.
    """
    low, high = ZERO, ONE
    if not feasible(OF, 3, R, {2: first, 3: high}):
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if feasible(OF, 3, R, {2: first, 3: middle}) else (middle, high)
    return high


def _not_attained(first: F, x: F, first_best: bool = False) -> bool:
    """Whether every budget below 20/11 is worse than some larger one below it, or no worse than
    that one if `first_best`, and 20/11 is worse than 9/5.
    """
    best, high = _shown(OF, 3, LESS[0], {2: HALF, 3: F(11, 50)}), LESS[1]
    if "S" in regions(OF, 3, 1, x, x) or len(medium(OF, 3, x)) < 2:
        found = best_three(OF, 3, x)
        return found is not None and found < best
    second = _least_second(x, first)
    larger = _least_second((x + high) / 2, first)
    if first_best:
        return larger is None or second is None or second <= larger
    some = second is None or (larger is not None and larger < second - TINY)
    return some and (best_three(OF, 3, high) or ZERO) < best


NOT_ATTAINED = Statement(
    family=three_bits,
    holds=_not_attained,
    too_strong={"some budget below 20/11 is best": {"first_best": True}},
)


def _continuous(of: Bits, R: F, row: Sequence[F], left: bool = False) -> bool:
    """Whether the largest number is that of a mechanism, which no private row exceeds, and hardly
    larger just above the level.
    """
    best, other = local_best(of, R), local_best(of, R - TINY if left else R + TINY)
    rows = [HIDDEN, row]
    attained = not private(of, R, rows) or shows(of, rows) <= best
    return attained and (other <= best < other + SMALL if left else best <= other < best + SMALL)


RIGHT_CONTINUOUS = Statement(
    family=two_bits, holds=_continuous, too_strong={"from the left, too": {"left": True}}
)


def far_ends(draws: Draws) -> Instance:
    """A stationary chain of three to six bits, mostly a <= b, an eigenvalue other than 0, p inside,
    a level often just below i0(p-1) + i0(n-p), and a budget of the left side.
    """
    of = bits(draws, "+-")
    p = 2 + draws.below(2)
    n = p + 1 + draws.below(3)
    ends = (pointwise(of, p - 1, 0) or ONE) * (pointwise(of, n - p, 0) or ONE)
    R = 1 + (ends - 1) * draws.among([HALF, ALMOST, F(9, 10), F(1, 4), ONE])
    x = draws.among([ONE, R, pointwise(of, p - 1, 0) or ONE, 1 + (R - 1) * F(draws.below(9), 8)])
    return {"of": of, "n": n, "p": p, "R": R, "x": min(x, R)}


def _one_side(of: Bits, n: int, p: int, R: F, x: F) -> bool:
    split = regions(of, n, p, x, R / x)
    return {*split[:p]} == {"L"} or {*split[p:]} == {"L"}


BELOW = "eps < i0(p-1) + i0(n-p)"
SPLIT_FAR = Statement(
    family=far_ends,
    given={
        ORDERED: is_ordered,
        BELOW: lambda of, n, p, R, x: (
            R < (pointwise(of, p - 1, 0) or ONE) * (pointwise(of, n - p, 0) or ONE)
        ),
    },
    holds=lambda of, n, p, R, x, nothing_released=False: (
        _one_side(of, n, p, R, x)
        and (not nothing_released or ({*regions(of, n, p, x, R / x)} == {"L"}))
    ),
    too_strong={"nothing is released": {"nothing_released": True}},
    too_weak=[BELOW],
)


def middles(draws: Draws) -> Instance:
    """A stationary chain of three or five bits, mostly a <= b, any eigenvalue other than 0, p in
    the middle, and x, the square root of the level, from below to above that of i0(p-1).
    """
    of, p = bits(draws, "+-"), 2 + draws.below(2)
    low = pointwise(of, p - 1, 0) or ONE
    x = ONE
    while x**2 < low:
        x += (low - x) / 2
    return {"of": of, "p": p, "x": draws.among([x, (x + low) / 2, x, low, (1 + x) / 2])}


def _middle(of: Bits, p: int, x: F) -> bool:
    """Whether the equal split shows nothing, and all of the level for one side something."""
    n, R = 2 * p - 1, x**2
    split = regions(of, n, p, ONE, R)
    last = split[-1] in "MS"
    chances = dict.fromkeys((t for t, letter in enumerate(split, 1) if letter == "M"), ONE)
    little = chances if n not in chances else chances | {n: 1 - SMALL}
    rows = three_regions(split, little)
    shown = shows(of, rows) > 0 and private(of, R, rows, p)
    return {*regions(of, n, p, x, x)} == {"L"} and last and shown


FROM, TO = "eps >= i0(p-1)", "eps < 2 i0(p-1)"
SPLIT_MIDDLE = Statement(
    family=middles,
    given={
        ORDERED: is_ordered,
        FROM: lambda of, p, x: x**2 >= (pointwise(of, p - 1, 0) or ONE),
        TO: lambda of, p, x: x < (pointwise(of, p - 1, 0) or ONE),
    },
    holds=_middle,
    too_weak=[FROM, TO],
)
