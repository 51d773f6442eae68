"""Eq. (2) as a list of linear programs, their duals, and differential privacy as a special case of
NfC constraints.

The programs have logarithms of likelihood ratios as data, so what is proved is about real matrices:
weak duality by summing in two orders, strong duality by the theorem of the alternative. With zero
likelihoods the data are infinite: optimal values still agree, but the primal need not attain its
own. Source: bai2026, proof of Theorem 5.1.
"""

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.bai2026.composition.said import ONE_HOT_IS_DP
from pufferproof.claims.papers.bai2026.statements import runs
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "v_i[l]": "the likelihood of the i-th output at the database D_l, for finitely many outputs of "
    "the mechanisms",
    "alpha_i": "weights on the outputs: alpha_i >= 0 with sum 1",
    "l*": "the number of a database with s1",
    "eps0": "the variable that the first program makes as large as possible",
    "x": "the variable that the dual makes as small as possible",
}
POSITIVE = "all likelihoods positive"
ZEROS = "zero likelihoods, 0 log 0 = 0, optimal values as suprema"


@claim(
    "bai2026.nfc-lp",
    where="proof of Theorem 5.1",
    statement="Let there be finitely many outputs and databases, at least one of them with s1 and "
    "one with s2. Then max_l* sum_i alpha_i log v_i[l*] <= eps + max_l sum_i alpha_i log "
    "v_i[l], l* over s1 and l over s2, holds for all alpha (eq. (2)) iff for every l* with s1 "
    "the program max eps0 subject to alpha >= 0, sum_i alpha_i = 1, sum_i alpha_i "
    "log(v_i[l*]/v_i[l]) >= eps0 for all l with s2, has optimum <= eps. The dual is min x "
    "subject to beta >= 0, sum_l beta_l = 1, x + sum_l beta_l log v_i[l] >= log v_i[l*] for "
    "all i, with l over s2; both optima are equal.",
    kind="lemma",
    says={POSITIVE: runs.PROGRAM, ZEROS: runs.PROGRAM_ZEROS},
)
def nfc_lp(check: Check) -> None:
    """Prove the rewriting, weak and strong duality, for positive likelihoods and for zeros.

    All likelihoods positive. A maximum over l* is at most a bound iff each value is, and for one l*
    the second maximum turns into a minimum: the value of l* less the maximum of the x_l is the
    minimum of the differences, and eps0 is feasible with alpha iff it is at most each of them. So
    the optimum for l* is the largest minimum over all alpha, and (2) holds for all alpha iff every
    optimum is at most eps. As B, the sum of the beta_l, is 1, the printed dual constraint says
    sum_l beta_l g_il <= x, g_il = log(v_i[l*]/v_i[l]). Weak duality: sum_il alpha_i beta_l g_il
    [lemma.finite-sums] is at most x by outputs and at least eps0 by databases. Strong duality: for
    every x either weights beta have sum_l beta_l (g_il - x) <= 0 for all i, and are feasible with
    x; or y_i >= 0 have S_l - x Y > 0 for all l, S_l = sum_i y_i g_il and Y the sum of the y_i, not
    0 [bai2026.x-alternative]: then alpha = y/Y has a value above x at every l. So no x lies above
    all eps0 and below all feasible x, and at the supremum x of eps0 the dual attains it. The primal
    attains it too, by the alternative for x - g_il with both roles exchanged.

    Zero likelihoods, 0 log 0 = 0, optimal values as suprema. Outputs that l* never gives: the
    product form 0 <= e^x prod v_i[l]^beta_l always holds, and in (2) a positive alpha_i makes the
    first sum minus infinity: drop them; if none is left both values are minus infinity. Databases
    that exclude an output that l* gives: beta_l > 0 makes the right side 0, so only beta_l = 0 is
    feasible; in the primal every alpha with alpha_i > 0 meets the condition of l. If none is left
    no beta has sum 1, and alpha > 0 meets all conditions with every eps0: both values are infinite.
    Weights may be moved a little: Replace every y_w by a rational c_w with y_w < c_w <= y_w + h.
    old, new and sizes are the sums of y_w g_wl, c_w g_wl and |g_wl|: new >= old - h sizes, and h =
    old/(2 sizes + 1), the least over l, leaves new > 0. The c_w > 0 are rational: multiplied by a
    common denominator they are integers >= 1. So alpha > 0 comes as near as one likes to every
    alpha on the databases that are left, and both values are those of the finite programs on them.
    """


@claim(
    "bai2026.nfc-dp-special",
    where="after Theorem 5.1",
    kind="remark",
    says={PRINTED: ONE_HOT_IS_DP},
)
def nfc_dp_special(check: Check) -> None:
    """Factors with weight 0 are 1, also 0^0, and the one with weight 1 is the likelihood itself."""
    check.stated(PRINTED)
