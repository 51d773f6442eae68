"""How to split a level between the two sides of p: when one side gets nothing, when both get half,
and when neither is best.

At distance 1 the likelier and the other probability of value 0 are (p, r) = (1-a, b) for lam > 0
and (b, 1-a) for lam < 0; e = p/r, h = (1-r)/(1-p), and one medium record at the end of the chain
releases w (x-1)/(x p - r) of itself at best (`redaction.two-records`).
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.levels import (
    SPLIT_EXAMPLE,
    SPLIT_FAR,
    SPLIT_LENGTH,
    SPLIT_MIDDLE,
    SPLIT_THREE,
)
from pufferproof.claims.registry import Check, claim

NOTATION = SETTING | FAMILY


@claim(
    "redaction.split-far",
    where="Splitting the level",
    statement="a <= b, lam != 0, 1 < p < n, eps < i0(p-1) + i0(n-p), budgets eps_l, eps_r >= 0 "
    "with eps_l + eps_r <= eps: no 3R mechanism releases records on both sides, so that one of "
    "the two budgets can be lowered to 0 without any loss. For n = 2p-1 and i0(p-1) <= eps < 2 "
    "i0(p-1) every 3R mechanism with the equal split eps_l = eps_r = eps/2 releases nothing, "
    "some 3R mechanism with one budget 0 does: p in the middle does not make the equal split "
    "optimal.",
    says={
        "one side only": SPLIT_FAR,
        "p in the middle": SPLIT_MIDDLE,
    },
)
def split_far(check: Check) -> None:
    """Prove it from the least influence on each side.

    One side only. A record outside L: has i0 <= the budget of its side, and i0 is least at the end
    of the side [massny2025.x-regions-intervals]. Not both: e = e^i0(p-1), f = e^i0(n-p): both sides
    release something only if x >= e and y >= f. A zero budget: the other side loses nothing if its
    budget x is lowered to 1.

    P in the middle. A record outside L: as above [massny2025.x-regions-intervals]. Not both: e =
    e^i0(p-1), f = e^i0(n-p): both sides release something only if x >= e and y >= f. A zero budget:
    the other side loses nothing if its budget x is lowered to 1. The equal split: x^2 <= E < e^2:
    neither side reaches e. The value 0: has the ratio e or 1/e at the last record
    [massny2025.prop1-closed]. I1(p-1) <= eps: S is not empty: with q = 1 it alone is released,
    which leaks i1 of its first record, at most eps [massny2025.x-dim-leakage]. A zero split: E >=
    p/r = e: everything redacted but the last record, its value 0 shown with a small probability d >
    0. Both outputs, 0 and *, keep E.
    """
    one, middle = "one side only", "p in the middle"
    check.tried(one)
    check.tried(middle)


@claim(
    "redaction.split-three",
    where="Splitting the level",
    statement="n = 3, p = 2, a <= b, lam != 0, eps > 0: the largest utility of 3R mechanisms over "
    "all budgets eps_l, eps_r >= 0 with eps_l + eps_r <= eps and all feasible q is attained, "
    "by all of eps for one side, by half of it for each, or by i1(1) for one side and the rest "
    "of eps for the other. Below 2 i0(1) all of eps for one side is best; from 2 i0(1) to "
    "below i1(1), and from 2 i1(1) on, half for each.",
    kind="closed form",
    says=SPLIT_THREE,
)
def split_three(check: Check) -> None:
    """Prove it region by region; the gain of one medium record is increasing and concave in its
    budget.

    One record: releases 0 below e, U = w (x-1)/(x p - r) from e to h, 1 from h on
    [redaction.two-records]. P and r: p + r >= 1 for both signs of lam, as b >= a; so w <= 1 and e
    <= h. Increasing, at most 1: U = w (x-1)/(x p - r), V the same at y >= x >= e = p/r. More than
    half of w: p + r < 2: U > w/2 already at e. The sum of two gains: is F/G. Against g = 2 z: the
    value at 2 t minus that at total, times both G. G: a square is not negative. Signs: of the
    factors and of both G. Concave in the budget: x y = t^2: both gains u + v = top/bottom together
    are at most twice that of t, top_t/bottom_t; top, top_t are the F and bottom, bottom_t the G.
    Both in S: x, y >= h: E >= h^2, and half to each side is enough for both. One in S, one in M: x
    >= h: the budget rest = E/h of the other side is at least y. Both in M: half = e^(eps/2), t =
    sqrt(x y) <= half: half to each side gives at least as much; half >= e, and if half >= h both
    are in S. One in L: all of eps to the other side: y <= E. Below 2 i0(1): E < e^2: not both sides
    reach e. From 2 i0(1) on, below i1(1): E < h: no side reaches h. The equal split gives 2 U > w,
    a zero split w (E-1)/(E p - r) <= w. At most w: another = w (x-1)/(x p - r) is what a zero split
    gives, x = E from e to h. From 2 i1(1) on: both records are released.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.split-example",
    where="Splitting the level",
    statement="a = 1/4, b = 1/2, n = 3, p = 2, 3R with optimal q: at e^eps = 9/4 the equal split "
    "eps_l = eps_r = eps/2 is best, with 16/15 records against 1 with one budget 0; at e^eps = "
    "49/16, where the equal split still releases on both sides, giving i1(1) to one side is "
    "better, with more than 3/2 records against less than 5/4; at e^eps = 2 it is best to have "
    "one budget 0, with 1 record against 0 of the equal split.",
    kind="example",
    says=SPLIT_EXAMPLE,
)
def split_example(check: Check) -> None:
    """Prove it by the closed form with numbers.

    The candidates: zero, equal, or i1(1) and the rest [redaction.split-three]. One record: releases
    w (x-1)/(x p - r) with e <= x < h [redaction.two-records]. 9/4: x = 3/2 to each side: both in M,
    as e = 3/2, h = 2; E < e h, so i1(1) to one side leaves less than e, and 1 record. 49/16: x =
    7/4 to each side; or h = 2 to one and y = 49/32 to the other, both above e. 2: E = h releases
    one record, sqrt(2) < e none.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.split-length",
    where="Splitting the level",
    statement="a = 1/4, b = 1/2, e^eps = 2, p in the middle, 3R with optimal q: for n = 3 all of "
    "eps for one side is best; for n = 5 it is not: it releases 2 records, the split e^eps_l = "
    "6/5, e^eps_r = 5/3 more than 2. Which split is best depends on n.",
    kind="example",
    says=SPLIT_LENGTH,
)
def split_length(check: Check) -> None:
    """Prove it from the regions at distances 1 and 2.

    N = 3: a zero split, below 2 i0(1) [redaction.split-three]. Powers: f = a_2, g = b_2
    [massny2025.prop1-power]. One constraint: of the output *1 on the right
    [redaction.one-constraint]. A zero split: i1(1) <= eps: all of one side, and i0(2) > 0: nothing
    on the other. Its level: 2 < e^(2 i0(1)). 6/5 and 5/3: x y = 2. Left: i1(2) = eps_l, record 1 is
    released and record 2 redacted. Right: record 4 in M, as i0(1) <= eps_r < i1(1), record 5 in S;
    q = 1/2 keeps y star0 >= star1 for *1, star0, star1 its likelihoods. More than 2: 1 + 1 + w (1 -
    q).
    """
    name = "as stated"
    check.tried(name)
