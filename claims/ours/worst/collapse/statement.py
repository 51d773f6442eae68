"""Several pairs or priors: when releases within their budgets leak everything, and when added
secrets prevent it.

Each statement is about explicit cones: that two or more columns have a product that is positive
somewhere in supp mu and vanishes on supp nu, or that inequalities u_x <= kappa u_y hold on the
cone, which bound joint leakage for every number of releases.
"""

from pufferproof.claims.ours.worst.statements import secrets as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.phase-transition",
    where="Several pairs or priors: phase transitions",
    statement="Let X take the values a, b1, b2, let the secrets be X = a and X in {b1, b2}, and "
    "let the priors have 0 < P(X = a) < 1 and P(X = b1 | X not a) = p for the p of a finite or "
    "infinite set with the smallest element p1 and the largest p2 > p1. Then some number of "
    "releases of level R >= 1 collapses iff R^2 >= max((1 - p1)/(1 - p2), p2/p1), where "
    "quotients with denominator 0 are infinite; if so, two releases collapse.",
    says={"collapse above": says.ABOVE_THRESHOLD, "finite below": says.BELOW_THRESHOLD},
)
def phase_transition(check: Check) -> None:
    """Prove it through the columns that vanish at one b: averages are monotone in p, so that p1
    and p2 decide.

    Collapse above. A column on a and b1: (1, u, 0) with u = 1/(R t), t > 0 the smallest average
    weight of b1: 1/R <= q u <= R for every q in between, as the largest weight is at most R^2 times
    the smallest. A column on a and b2: (1, 0, u) with u = 1/(R t), t > 0 the smallest average
    weight of b2: 1/R <= q u <= R for every q in between, as the largest weight is at most R^2 times
    the smallest. They occur: R > 1, because R^2 >= p2/p1 > 1 [worst.lemma0]. The product: (1, u, 0)
    o (1, 0, v) = (1, 0, 0): M = 1 given a, N = 0 otherwise.

    Finite below. No column (u > 0 at a, 0 at b2) if R^2 p1 < p2: The promise at p1: at_a <= R p1
    at_b, at p2 in the other order: p2 at_b <= R at_a. No column (u > 0 at a, 0 at b1) if R^2 (1 -
    p2) < 1 - p1: likewise. A column with 0 at a is 0 at both b: 0 < p1 or 0 < p2, and p1 < 1: q
    at_b1 + (1 - q) at_b2 <= R at_a = 0 for both q, so no product misses a and meets a b that is
    possible. Below one threshold u_a > 0 implies u_b2 > 0, or u_b1 > 0: Either is an implication on
    the cone for the order (a, not a), if that database is possible: for the prior p2 = 1 the law of
    not a is b1 alone, but then 1 - p2 = 0 and u_a > 0 implies u_b1 > 0; likewise p1 = 0. With
    infinitely many priors too such a b keeps a probability of at least 1 - p2, or p1, or 1/2 if
    this is 0, as then both are implied [worst.finite-equivalences].
    """
