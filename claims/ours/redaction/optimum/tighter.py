"""Convex programs for 3R mechanisms that are tighter than the published one: sound, and optimal in
closed form.

One side, lam > 0. A(q), B(q) are the likelihoods of the last output (see `shape`) given X_p = 0 and
1; p_S and r_S those of X_k = 0 for exactly the records S of M, divided by A(1) and B(1), so that
A(q) = A(1) sum_S p_S prod_S q_k; w_k is the sum of p_S over S with k in S. Source of the published
program: massny2025, appendix A.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.statements.programs import (
    CONDENSED,
    CONDENSED_CONVEX,
    IMPLIED,
    WEIGHTED,
    WEIGHTED_OPTIMUM,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **SETTING,
    **FAMILY,
    **NUMBERED,
    **LAST,
    "A": "A(q) = P(last output|X_p=0)",
    "B": "B(q) = P(last output|X_p=1)",
    "v": "v_k, the exponents",
    "w": "w_k, the weights",
    "mu": "a number > 0",
}


@claim(
    "redaction.weighted-bound",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: with w_k = P(X_k=0 | X_p=0, "
    "last output when q = 1) in (0, 1) the single constraint delta_N - w_1 log q_1 - .. - w_N "
    "log q_N <= budget keeps the budget of the side. It is implied by the constraints of the "
    "published program, with slack unless all q_k = 1; it is convex in log q.",
    says={
        "it keeps the budget": WEIGHTED,
        "implied by the published constraints": IMPLIED,
    },
)
def weighted_bound(check: Check) -> None:
    """Prove it by the inequality of means for A, and B(q) <= B(1).

    It keeps the budget. One constraint: E A(q) >= B(q) [redaction.one-constraint]. Means: A(q)/A(1)
    = sum_S p_S x_S is at least the product of x_S^(p_S) [bai2026.x-am-gm]. Exponents: x_S is a
    product over S: q_k has the exponent sum of p_S over S with k in S, w_k [lemma.finite-sums].
    B(q) <= B(1): weighed, shares are the sums of r_S x_S and of r_S over the first S; x_S in [0,
    1]. Products of q are in [0, 1]: x_S, one factor q at a time. Delta_N: B(1)/A(1) = e^delta_N, i1
    of the first small record, or 1 at the end [massny2025.prop1-closed]. The constraint: A >= A(1)
    m, B <= B(1) and e^delta_N = B(1)/A(1) <= E m: B <= E A.

    Implied by the published constraints. Smaller weights: U, V are the sums of w_k y_k and of y_k
    over the first k: U <= V; U < V from the first y_k > 0 on. The published constraint: of the last
    record of M, delta_N + V <= budget. W_k is in (0, 1): with0, with1 > 0 are the likelihoods of
    the last output with X_k = 0 and 1. Convex: the constraint is linear in log q; a convex
    combination t of two feasible vectors of y is feasible.
    """
    sound, tighter = "it keeps the budget", "implied by the published constraints"
    check.tried(sound)
    check.tried(tighter)


@claim(
    "redaction.weighted-optimum",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: the weighted program, "
    "minimise q_1 + .. + q_N subject to delta_N - w_1 log q_1 - .. - w_N log q_N <= budget and "
    "0 < q_k <= 1, is solved by q_k = min{1, mu w_k} with mu > 0 such that the constraint is "
    "an equality. Its optimum is below that of the published program unless q = 1 is the only "
    "feasible choice of the latter.",
    kind="closed form",
    says=WEIGHTED_OPTIMUM,
)
def weighted_optimum(check: Check) -> None:
    """Prove it by log t <= t - 1, record by record.

    Bernoulli: z = (1 + x/n)^n >= 1 + n (r - 1) with r = 1 + x/n >= 0 [lemma.bernoulli]. Log t <= t
    - 1: so power >= 1 + exponent for large n, and its limit e^exponent is at least 1 + exponent;
    with t = e^exponent. One record: other - best >= mu w (log other - log best): best = mu w, or
    best = 1 <= mu w and log other <= 0. All records: S is the sum of other - best, T that of w l
    over the first records: S >= mu T. Optimal: T = sum w log other - sum w log best >= 0: other is
    feasible, and best tight for some mu, as the left side of the constraint falls from infinity to
    delta_N continuously as mu grows, and delta_N is at most the budget. Better than published: its
    optimum satisfies the weighted constraint with slack [redaction.weighted-bound]. With slack:
    some q_k = q < 1 can be lowered by a factor 1 - lowered, lowered > 0 small: w cost <= budget - d
    - U, cost = -log(1 - lowered).
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.condensed-bound",
    where="Tighter relaxations",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty: for every q' in (0, 1]^N "
    "the constraint log B(q) - log A(q') - v_1 (log q_1 - log q'_1) - .. - v_N (log q_N - log "
    "q'_N) <= budget, v_k the derivative of log A by log q_k at q', keeps the budget of the "
    "side and is convex in log q; at q = q' it is the exact constraint. So the program with "
    "this constraint, q' feasible, has an optimum that is never worse than q'.",
    says={
        "it keeps the budget, and is exact at q'": CONDENSED,
        "it is convex in log q": CONDENSED_CONVEX,
    },
)
def condensed_bound(check: Check) -> None:
    """Prove it by the inequality of means at q', and by Cauchy's inequality for B.

    It keeps the budget, and is exact at q'. One constraint: E A(q) >= B(q)
    [redaction.one-constraint]. Means: A(q)/A(q') = sum_S p'_S x_S, p'_S the share of S in A(q') and
    x_S the product of q_k/q'_k over S, is at least the product of x_S^(p'_S) [bai2026.x-am-gm].
    Exponents: of q_k/q'_k: the sum of p'_S over S with k in S, which is v_k [lemma.finite-sums].
    Sound: factor is the product of (q_k/q'_k)^(v_k), Ap = A(q'): B <= E Ap factor and A >= Ap
    factor. Exact at q': factor = 1. Never worse: q' is feasible, so the optimum of the program is
    at most its sum prime.

    It is convex in log q. Cauchy: F, G, H are the sums of u^2, v^2 and u v over the first S: H^2 <=
    F G. So log B at the midpoint of two log q is at most the mean; log B is continuous, hence
    convex. The rest is linear in log q: value1, value2 are values at two points, middle that at the
    midpoint; log_middle is that of log B.
    """
    sound, convex = "it keeps the budget, and is exact at q'", "it is convex in log q"
    check.tried(sound)
    check.tried(convex)
