"""Matrix games of log-likelihoods: zeros and levels in them, which games mixtures of priors have,
and a bound below the coupling condition.
"""

from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.growth import games as says
from pufferproof.claims.ours.worst.statements.growth import rates
from pufferproof.claims.registry import Check, claim

earned = letter("earned", "what optimal weights of rows earn against a column that remains")
size = letter("size", "a number as large as what is earned and lost", above(0))
cost = letter("cost", "a bound of the losses of separating rows against it", at_least(0))
wanted = letter("wanted", "any number below what is earned, or below a ratio")
share = letter("share", "the weight of separating rows, or of the other prior", between(0, 1))
E = letter("E", "e to the value", at_least(1))
total, average = letters("total average", "sums over the first rows of v_w[x], of the averages")
entry = letter("entry", "v_w[x]", at_least(0))
mean, mean_term = letters("mean mean_term", "the average of v_w[y] by beta, in the sum and next")
geometric = letter("geometric", "prod_y v_w[y]^beta_y", at_least(0))
root = letter("root", "the square root of v_w[y]", at_least(0))
middle = letter("middle", "the average of the roots by beta", at_least(0))
weight = letter("weight", "beta_y, or lambda_xw, or a weight of a term", at_least(0))
lost, loss = letters("lost loss", "sums of beta_y (root - middle)^2, and one term", at_least(0))
first, second, weights, spread = letters(
    "first second weights spread",
    "sums over the first y of beta_y root, beta_y root^2, beta_y and beta_y (root - middle)^2",
)
k_s, l_s = letters("k_s l_s", "the probability of s under the priors k and l", above(0))
k_t, l_t = letters("k_t l_t", "the probability of s' under the priors k and l", above(0))
omega = letter("omega", "k(s) l(s')/(k(s') l(s))", above(0))
C = letter("C", "the largest ratio of a game that counts", at_least(1))
above_k, below_k = letters(
    "above_k below_k", "P(outputs | s) and P(outputs | s') under k", at_least(0)
)
below_l = letter("below_l", "P(outputs | s') under l", at_least(0))
bound = letter("bound", "C times the largest of 1 and the omegas", at_least(1))
left, right = letters("left right", "the sums of both sides of a mixture", at_least(0))
left_term, right_term = letters("left_term right_term", "the next terms of them", at_least(0))
level = letter("level", "the level of the coupling condition")
means, logs = letters("means logs", "sums of lambda (sum_y beta_xy log v_w[y]), lambda log v_w[x]")
log_mean, log_entry = letters("log_mean log_entry", "sum_y beta_xy log v_w[y], and log v_w[x]")
price = letter("price", "sum_w lambda_xw log(v_w[x]/v_w[y]) - mu_x g_y")
least = letter("least", "the least price of a row x")
priced, priced_weights = letters("priced priced_weights", "sums of beta price and of beta so far")


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
    """Prove it by a small share for separating outputs, and by inequalities of means."""
    proved(
        check,
        "separated columns",
        ALL_SIZES,
        _separated,
        any_share=Edit("a small share", without=Eq(2 * share * size, earned - wanted)),
    )
    proved(
        check,
        "values that are not negative",
        ALL_SIZES,
        _not_negative,
        a_larger_value=Edit("all outputs", put={E: E / 2}),
    )
    proved(
        check,
        "the value 0",
        ALL_SIZES,
        _zero,
        laws_that_may_exceed_1=Edit("nothing is lost", without=average <= 1),
        roots_of_another_mean=Edit("the spread: step", put={spread: 2 * spread}),
    )


def _separated(proof: Proof) -> None:
    proof.cite("finite games", "have optimal weights alpha and beta", "worst.game-value")
    proof.inequality(
        "a small share",
        "beta with weight on a separated column pays infinitely much, so the columns that remain "
        "are all that counts for beta. Rows: the optimal alpha keeps 1 - share, one separating row "
        "for each other column divides the share: against those the pay is infinite, against these "
        "it is more than any number wanted",
        (1 - share) * earned - share * cost > wanted,
        [wanted < earned, earned + cost <= size, Eq(2 * share * size, earned - wanted)],
    )


def _not_negative(proof: Proof) -> None:
    _geometric(proof)
    proof.summed(
        "all outputs",
        "v_w[x] <= E prod_y v_w[y]^beta_y <= E times the average",
        so_far=total <= E * average,
        adding={total: entry, average: mean_term},
        given=[entry <= E * geometric, geometric <= mean_term],
    )
    proof.inequality(
        "at least 0",
        "total = 1 over the w with v_w[x] > 0, the average of laws over them is at most 1",
        E >= 1,
        [Eq(total, 1), average <= 1, total <= E * average, average >= 0],
        for_any=[E],
    )


def _geometric(proof: Proof) -> None:
    proof.cite(
        "geometric means",
        "are at most averages, with beta as weights; also of the square roots: prod_y "
        "v_w[y]^beta_y is the square of the geometric mean of the roots",
        "bai2026.x-am-gm",
    )


def _zero(proof: Proof) -> None:
    _geometric(proof)
    proof.summed(
        "the spread",
        "sum_y beta_y (root - middle)^2 = second - 2 middle first + middle^2 weights, which is "
        "the average less middle^2, as weights = 1 and first = middle",
        so_far=Eq(second - 2 * middle * first + middle**2 * weights, spread),
        adding={
            second: weight * root**2,
            first: weight * root,
            weights: weight,
            spread: weight * (root - middle) ** 2,
        },
    )
    proof.summed(
        "all outputs",
        "E = 1: v_w[x] <= middle^2 <= average - loss",
        so_far=total <= average - lost,
        adding={total: entry, average: mean_term, lost: loss},
        given=[entry <= middle**2, middle**2 <= mean_term - loss],
    )
    proof.inequality(
        "nothing is lost",
        "so loss = 0 for all w: each y with beta_y > 0 has root = middle, and v_w[x] <= v_w[y]; "
        "both sum to 1 at most, the first to 1, so they are equal. A y with the row of x has "
        "entries 0, and the value is at most 0",
        lost <= 0,
        [Eq(total, 1), average <= 1, total <= average - lost],
    )


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
    """Prove it term by term, and that mixtures come near every pair of laws that counts."""
    proved(
        check,
        "upper bound",
        ALL_SIZES,
        _mixtures_upper,
        without_the_constant=Edit("both allow both", put={bound: C}),
        a_smaller_sum=Edit("all terms", put={bound: bound / 2}),
    )
    proved(
        check,
        "nearly reached",
        ALL_SIZES,
        _mixtures_lower,
        any_mixture=Edit("k without s'", without=_SMALL),
    )


_SMALL = share * wanted * below_k * k_t < (1 - share) * l_t * (above_k - wanted * below_l)


def _mixtures_upper(proof: Proof) -> None:
    proof.cite(
        "each game", "its pair of laws has ratios of at most C = e^(k V)/b", "worst.rate-upper"
    )
    proof.inequality(
        "both allow both",
        "of the terms (k, l) and (l, k): k(s) l(s') P(. | s, k) against l(s) k(s') P(. | s', k), "
        "where all four probabilities are positive",
        k_s * l_t * above_k <= bound * l_s * k_t * below_k,
        [above_k <= C * below_k, Eq(k_s * l_t, omega * k_t * l_s), C * omega <= bound],
    )
    proof.inequality(
        "the others",
        "the game of (mu_k, nu_l) counts itself, or k = l",
        k_s * l_t * above_k <= bound * k_s * l_t * below_l,
        [above_k <= C * below_l, C <= bound],
    )
    proof.summed(
        "all terms",
        "a mixture has sum_k w_k k(s) P(. | s, k) sum_l w_l l(s') above, and below the same with "
        "P(. | s', l) in the other sum: every term above has a term below of its own, since (k, l) "
        "with all four positive takes (l, k), whose own partner is (k, l)",
        so_far=left <= bound * right,
        adding={left: left_term, right: right_term},
        given=[left_term <= bound * right_term],
    )


def _mixtures_lower(proof: Proof) -> None:
    proof.cite("each game", "runs whose ratio is at least e^(k V) mu_x", "worst.rate-lower")
    proof.inequality(
        "k without s'",
        "l(s) = 0, and the share of k small: given s the law is mu_k, given s' nearly nu_l, so "
        "that the ratio exceeds any number below that of mu_k and nu_l. If k(s') = 0 the law given "
        "s' is nu_l, that given s nearly mu_k for a small share of l",
        above_k * (share * k_t + (1 - share) * l_t)
        > wanted * (share * k_t * below_k + (1 - share) * l_t * below_l),
        [_SMALL, wanted >= 0],
    )


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
    """Prove it: inequalities times lambda, and mu beta = nu times g."""
    proved(
        check,
        "as stated",
        ALL_SIZES,
        _coupling_level,
        signed_weights=Edit("all rows: step", without=weight >= 0),
        the_average_price=Edit("the least price", without=price >= least, given=price <= least),
    )


def _coupling_level(proof: Proof) -> None:
    proof.summed(
        "all rows",
        "sum lambda = 1: epsilon is at least sum lambda_xw log v_w[x] - sum lambda_xw sum_y "
        "beta_xy log v_w[y]",
        so_far=logs <= level * weights + means,
        adding={logs: weight * log_entry, means: weight * log_mean, weights: weight},
        given=[log_entry <= level + log_mean],
    )
    proof.cite(
        "in another order",
        "which is sum_x sum_y beta_xy (sum_w lambda_xw log(v_w[x]/v_w[y]) - mu_x g_y) + sum_y g_y "
        "sum_x mu_x beta_xy, as rows of beta sum to 1; the last sum is <nu, g>; beta_xy = 0 where "
        "y is separated from x",
        "lemma.finite-sums",
    )
    proof.summed(
        "the least price",
        "of one x: the average of prices by beta is at least the least",
        so_far=priced >= least * priced_weights,
        adding={priced: weight * price, priced_weights: weight},
        given=[price >= least],
    )
