"""How the best utility depends on the level: monotone where mechanisms are fixed in advance, not
for published regions; jumps.

At distance 1, e = p/r = e^i0(1) and h = (1-r)/(1-p) = e^i1(1). Source of the setting: massny2025,
section IV.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.ours.redaction.statements.levels import (
    MONOTONE_CLASS,
    MONOTONE_SPLIT,
    MONOTONE_TWO,
    NOT_ATTAINED,
    NOT_MONOTONE,
    RIGHT_CONTINUOUS,
)
from pufferproof.claims.registry import Check, claim

NOTATION = SETTING | FAMILY


@claim(
    "redaction.level-monotone",
    where="Dependence on the level",
    statement="Over any class of mechanisms that does not depend on eps - all local redaction "
    "mechanisms, 3R ones whose region thresholds are chosen apart from the level - the "
    "supremum of the utility of those that are eps-private never falls as eps grows. Nor does, "
    "with the published regions, where thresholds are the budgets, the supremum over all "
    "budgets eps_l + eps_r <= eps; nor that for given budgets, as long as these grow and M and "
    "S do not change; nor that for n = 2, with all of eps as the budget of the one other "
    "record.",
    says={
        "a class that does not depend on eps, or M and S fixed": MONOTONE_CLASS,
        "published regions, best split of the level": MONOTONE_SPLIT,
        "n = 2, published regions": MONOTONE_TWO,
    },
)
def level_monotone(check: Check) -> None:
    """Prove that the feasible set grows; for n = 2 from the closed form.

    A class that does not depend on eps, or M and S fixed. Feasible at a larger level: one output;
    the same for each side with its budget. The supremum: N at E, K at F: if N > K some value
    admitted that E admits, and so F, is above (N + K)/2.

    Published regions, best split of the level. Budgets: left, right are e^eps_l, e^eps_r: what
    keeps the smaller level keeps the larger one. The supremum: as above.

    N = 2, published regions. One record: 0, w (x-1)/(x p - r), 1 with bounds e and h
    [redaction.two-records]. Rising, from 0 and up to w <= 1: U, V at e <= x <= y <= h.
    """
    fixed, two = "a class that does not depend on eps, or M and S fixed", "n = 2, published regions"
    split = "published regions, best split of the level"
    check.tried(fixed)
    check.tried(split)
    check.tried(two)


@claim(
    "redaction.published-not-monotone",
    where="Dependence on the level",
    statement="Let a = 1/8, b = 1/2, n = 3 and p = 1. With the published regions, threshold = "
    "budget = eps, the best 3R mechanism releases more than 1 record in expectation at e^eps = "
    "9/5, and exactly 1 at the larger level e^eps = 20/11 = e^i1(2). With thresholds chosen "
    "apart from the budget the loss does not occur.",
    kind="example",
    says=NOT_MONOTONE,
)
def published_not_monotone(check: Check) -> None:
    """Prove it by an explicit q below, and by the single feasible q at i1(2).

    Powers: P^2 from a_2, b_2 [massny2025.prop1-power]. One constraint: that of the output ***
    [redaction.one-constraint]. The regions at 9/5: i0(1) <= eps < i1(2) < i1(1): M = {2, 3}, S is
    empty. Q_2 = 1/2, q_3 = 11/50: s, t are the likelihoods of *** given X_1 = 0 and 1, from (q_3,
    1) behind X_3: E s >= t. The records released are w (2 - q_2 - q_3) > 1. The regions at 20/11:
    i0(1) <= eps = i1(2) < i1(1): M = {2}, S = {3}. Q_2 = 1 is forced: E s >= t for *1, X_3 = 1: s =
    (1-a) q2 a + a (1-b), t = b q2 a + (1-b)^2. Record 3 alone is released. Released: 1 + w (1 -
    q_2). Thresholds apart: the mechanism of 9/5 is feasible at 20/11 [redaction.level-monotone].
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.split-not-attained",
    where="Dependence on the level",
    statement="A best split need not exist: a = 1/8, b = 1/2, n = 3, p = 1, e^eps = 20/11, "
    "published regions. Every budget eps_r < eps is worse than some larger one below eps, and "
    "eps_r = eps is worse than log(9/5): the supremum of the utility over the budgets is not "
    "attained.",
    kind="example",
    says=NOT_ATTAINED,
)
def split_not_attained(check: Check) -> None:
    """Prove that the value rises up to the level and falls there.

    The fall: more than 1 record at 9/5, 1 at 20/11 [redaction.published-not-monotone]. Tight: at
    every optimum: with more budget there is slack, and some q can be lowered
    [redaction.exact-shape]. M = {2, 3}: a larger budget is better: E s = t, and F (s - d part0) >=
    t - d part1 for small d > 0: q_k is lowered by d, the utility grows by w d; a budget in between
    is free. Budgets below i0(1): 1 - a > x b: record 2 is in L, and x < i1(2): record 3 is not in
    S; at most w < 1 record is released.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.right-continuous",
    where="Dependence on the level",
    statement="The supremum of the utility of eps-private local redaction mechanisms is attained "
    "at every eps >= 0, and is continuous from the right in eps.",
    says=RIGHT_CONTINUOUS,
)
def right_continuous(check: Check) -> None:
    """Prove it by compactness; the constraints are kept in limits.

    A sequence of profiles r in [0,1]^(2n) has a subsequence that converges
    [textbook.Compactness.sequences_converge]. If like0 - E like1 = gap > 0 in the limit,
    likelihoods being polynomials in r, then so nearby: constraints that hold along a sequence of
    levels that tends to E hold in the limit. The best utilities at larger levels fall to a limit >=
    N by monotony [redaction.level-monotone]; the limit profile is feasible at E with utility limit
    <= N.
    """
    name = "as stated"
    check.tried(name)
