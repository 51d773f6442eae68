"""The rate at which leakage grows with the number of releases: the value of a matrix game between
outputs and databases.

For one mechanism with columns v_w, an ordered pair with laws mu, nu and x in supp mu: rows are the
outputs w with v_w[x] > 0, columns the y in supp nu with v_w[y] > 0 for all these w, entries g_wy =
log(v_w[x] / v_w[y]). V_x is the value of the game, alpha and beta optimal weights of rows and
columns. Logarithms are letters here: the proofs hold for real numbers.
"""

from pufferproof.claims.language import ALL_SIZES
from pufferproof.claims.ours.worst.growth import said
from pufferproof.claims.ours.worst.statements.growth import rates as says
from pufferproof.claims.papers.bai2026.composition import said as composition
from pufferproof.claims.registry import Check, claim

REAL_WEIGHTS = f"{ALL_SIZES}, real weights"


@claim("worst.game-value", where="Rate", kind="lemma", says=said.GAME_VALUE)
def game_value(check: Check) -> None:
    """Coq proves it from Farkas' lemma: the value is the supremum of what rows can exceed.

    For every V', with the entries g - V': either column weights keep every row at most V', or row
    weights, scaled to sum 1, keep every column above V'; never both, as the sum of alpha_w beta_y
    g_wy by rows and by columns shows.
    """


@claim("worst.rate-upper", where="Rate", says=composition.BOUNDED)
def rate_upper(check: Check) -> None:
    """Coq proves the bound from the inequality of means [worst.nfc-constant]: as weights are at
    most 1, mu beta is at most 1, and 1/C at most each nu.
    """


@claim(
    "worst.rate-lower",
    where="Rate",
    statement="If x in supp mu and counts k_w, with sum k, have sum_w k_w log(v_w[x]/v_w[y]) >= k "
    "V for all y in supp nu (v_w[x] > 0, infinite where v_w[y] = 0), then the k-fold leakage "
    "is at least k V + log mu_x.",
    says=says.RATE_LOWER,
)
def rate_lower(check: Check) -> None:
    """Prove it at the joint output that shows each w as often as k_w says.

    Averaging over y: U = prod_w v_w[x]^k_w, and F u <= U at every y with F = e^(kV), u the same
    product at y. N and s sum nu_y u and nu_y over the first y: F N <= U s, and s = 1 at the end.
    The ratio: <mu, U> = M is at least m U with m = mu_x: the ratio is at least m F (infinite if N =
    0, as M > 0).
    """
    name = "lower bound"
    check.tried(name)


@claim(
    "worst.rate",
    where="Rate",
    statement="For one mechanism, lim (1/k) (k-fold leakage) is the largest value V_x over (mu, "
    "nu) in T and x in supp mu, if every such game has a column; otherwise some k-fold leakage "
    "is infinite. The k-fold leakage is at most k times the limit plus log(1/b). Counts of "
    "outputs in proportions near weights alpha of rows that are optimal in the largest game "
    "reach it.",
    says={"limit": says.LIMIT, "no column left: a collapse": says.COLLAPSE},
)
def rate(check: Check) -> None:
    """Prove both bounds, with outputs that make excluded databases impossible used once.

    Limit. At most: the value V_x has weights beta with log v_w[x] <= V_x + sum beta log v_w[y] for
    the outputs with v_w[x] > 0 [worst.game-value]; for the others the bound is 0 <=. So k V +
    log(1/b) with V the largest value [worst.rate-upper]. At least, from counts [worst.rate-lower]:
    alpha with sum_w alpha_w g_wy > V' for all y; rational weights within d of alpha lose at most d
    C, C >= sum_w |g_wy|. Each y in supp nu without a column has an output w with v_w[x] > 0 =
    v_w[y]: one run each, no more than |supp nu| in all, multiplies the quotient at the other y by
    at least e^(-c). So the exponent per run is at least V' - e for large k. Between multiples of
    the denominator of the weights, dropping runs is post-processing and does not raise leakage. V
    >= 0, as leakage is not negative and at most k V + c for every k.

    No column left: a collapse. Every y in supp nu has an output w with v_w[x] > 0 = v_w[y]; one of
    each: <mu, U> >= mu_x U_x > 0 and <nu, U> = 0.
    """
    name = "limit"
    check.tried(name)
    name = "no column left: a collapse"
    check.tried(name)


@claim(
    "worst.nfc-is-rate",
    where="Rate",
    statement="A mechanism has rate at most epsilon, that is k-fold leakage at most k epsilon + "
    "o(k), iff for every (mu, nu) and x in supp mu there are weights beta on supp nu with "
    "v_w[x] <= e^epsilon prod_y v_w[y]^beta_y for all outputs w; then the k-fold leakage is at "
    "most k epsilon + log(1/b).",
    says=says.NFC_IS_RATE,
)
def nfc_is_rate(check: Check) -> None:
    """Prove that asymptotic linear composition is the condition NfC, in both directions.

    If: k epsilon + log(1/b), b fixed [worst.rate-upper]. Only if: the rate is the largest V_x <=
    epsilon, or infinite [worst.rate]. Weights: beta of the game keeps every row at most V_x
    [worst.game-value]. A row of the game is the constraint of an output: row = sum beta_y (log
    v_w[x] - log v_w[y]) <= V <= epsilon, with log v_w[x] = log_x, log_y = sum beta_y log v_w[y] and
    weights of sum 1: log_x <= epsilon + log_y. Outputs with v_w[x] = 0 satisfy it anyway, and y
    that some of the others exclude have weight 0.
    """
    name, _scope = "NfC is asymptotic linear composition", f"{REAL_WEIGHTS}, any number of runs"
    check.tried(name)
