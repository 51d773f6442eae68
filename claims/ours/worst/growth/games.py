"""Matrix games of log-likelihoods: zeros and levels in them, which games mixtures of priors have,
and a bound below the coupling condition.
"""

from pufferproof.claims.ours.worst.statements.growth import games as says
from pufferproof.claims.ours.worst.statements.growth import rates
from pufferproof.claims.registry import Check, claim

NOTATION = {"l": "a prior, as k is"}


@claim(
    "worst.game-zeros",
    where="Growth with the number of releases",
    statement="Let rows be the outputs w with v_w[x] > 0, columns databases y, and entries "
    "log(v_w[x]/v_w[y]), infinite where v_w[y] = 0. If a column has no infinite entry the value is "
    "that of the game with these columns alone, otherwise it is infinite. Without levels to "
    "subtract it is never negative, and it is 0 iff some y has the row of x: v_w[y] = v_w[x] for "
    "all outputs w.",
    kind="lemma",
    says={
        "separated columns": says.SEPARATED,
        "values that are not negative": says.NOT_NEGATIVE,
        "the value 0": says.VALUE_0,
    },
)
def game_zeros(check: Check) -> None:
    """Prove it by a small share for separating outputs, and by inequalities of means.

    Separated columns. Finite games have optimal weights alpha and beta [worst.game-value]. beta
    with weight on a separated column pays infinitely much, so the columns that remain are all that
    counts for beta. The optimal alpha keeps 1 - share, and one separating row for each other column
    divides the share: against these the pay is more than any number wanted.

    Values that are not negative. Geometric means are at most averages [bai2026.x-am-gm]: v_w[x] <=
    E prod_y v_w[y]^beta_y <= E times the average, and the v_w[x] sum to 1, the averages over them
    to at most 1.

    The value 0. With the square roots, of mean middle, v_w[x] <= middle^2 = average - sum_y beta_y
    (root - middle)^2: nothing may be lost, so each y with beta_y > 0 has root = middle for all w,
    and v_w[x] <= v_w[y]; both sum to 1 at most, the first to 1, so they are equal. A y with the row
    of x has entries 0, and the value is at most 0.
    """


@claim(
    "worst.rate-mixtures",
    where="Growth with the number of releases",
    statement="Let one pair (s, s') and finitely many priors be given, and all their mixtures. The "
    "k-fold leakage of a mechanism over the mixtures that allow both secrets is at most k V + "
    "log(1/b) + a constant, V the largest value of the games of (mu_k, nu_k), for priors that "
    "allow both, and of (mu_k, nu_l) for priors k, l with k(s) > 0, l(s') > 0 and k(s') = 0 or "
    "l(s) = 0; and no smaller V will do. The constant is the log of the largest k(s) l(s')/(k(s') "
    "l(s)) of priors that allow both, or 0.",
    kind="theorem",
    says={"upper bound": rates.MIXTURES_UPPER, "nearly reached": rates.MIXTURES_NEAR},
)
def rate_mixtures(check: Check) -> None:
    """Prove it term by term, and that mixtures come near every pair of laws that counts.

    Upper bound. Each game has ratios of at most C = e^(k V)/b [worst.rate-upper]. A mixture has
    sum_k w_k k(s) P(. | s, k) sum_l w_l l(s') above, and below the same with P(. | s', l) in the
    other sum: every term (k, l) above has a term below of its own, (l, k) if all four probabilities
    are positive, else itself, by the game of (mu_k, nu_l), or k = l.

    Nearly reached. Each game has runs whose ratio is at least e^(k V) mu_x [worst.rate-lower]. If
    l(s) = 0 and the share of k is small: given s the law is mu_k, given s' nearly nu_l. If k(s') =
    0 the law given s' is nu_l, that given s nearly mu_k for a small share of l.
    """


@claim(
    "worst.coupling-level",
    where="Conditions that compose",
    statement="Let beta >= 0 have rows of sum 1 on supp mu, mu beta = nu, and log v_w[x] <= "
    "epsilon + sum_y beta_xy log v_w[y] for all x in supp mu and outputs w with v_w[x] > 0. For "
    "all lambda_xw >= 0 of sum 1 and all g_y: epsilon >= sum_x min_y (sum_w lambda_xw "
    "log(v_w[x]/v_w[y]) - mu_x g_y) + <nu, g>, the least over the y with v_w[y] > 0 wherever "
    "v_w[x] > 0.",
    kind="lemma",
    says=says.COUPLING_LEVEL,
)
def coupling_level(check: Check) -> None:
    """Prove it: inequalities times lambda, and mu beta = nu times g.

    All rows: sum lambda = 1: epsilon is at least sum lambda_xw log v_w[x] - sum lambda_xw sum_y
    beta_xy log v_w[y]. In another order: which is sum_x sum_y beta_xy (sum_w lambda_xw
    log(v_w[x]/v_w[y]) - mu_x g_y) + sum_y g_y sum_x mu_x beta_xy, as rows of beta sum to 1; the
    last sum is <nu, g>; beta_xy = 0 where y is separated from x [lemma.finite-sums]. The least
    price: of one x: the average of prices by beta is at least the least.
    """
