"""Mixtures of priors: what a promise kept for every prior of a list says about an adversary unsure
which prior is right.

For prior l: p_l = P_l(s), q_l = P_l(s'), a_l = P_l(y | s), b_l = P_l(y | s'), with a_l <= R b_l. A
mixture with weights w_l has P(y | s) = sum w p a / sum w p: each secret reweights the priors by its
own probabilities. The largest ratio is R Omega, where Omega is the largest of p_l/q_l divided by
the smallest: the ratio of the prior odds of the secrets.
"""

from pufferproof.claims.general.statements import mixtures
from pufferproof.claims.registry import Check, claim


@claim(
    "general.prior-mixture-bound",
    where="general laws",
    statement="If a mechanism is epsilon-Pufferfish for priors theta_1 .. theta_n that give both "
    "secrets positive probability, every mixture of them has P(y|s) <= e^epsilon Omega P(y|s') "
    "for every output y, Omega the largest over the smallest of the odds "
    "theta_l(s)/theta_l(s'). For given odds Omega is the supremum over all such mechanisms and "
    "mixtures, on any databases: no smaller constant does; where the odds differ it is not "
    "attained.",
    kind="theorem",
    says={
        "upper bound": mixtures.ODDS_BOUND,
        "equal odds lose nothing": mixtures.ODDS_KEEP,
        "no smaller constant": mixtures.NO_SMALLER,
        "the loss is unbounded": mixtures.UNBOUNDED,
    },
)
def prior_mixture_bound(check: Check) -> None:
    """Prove the bound for any number of priors, that it is the supremum, and when a mixture
    loses nothing.

    Upper bound. One more prior: h and k are the largest and smallest odds. A, sum_p, B, sum_q are
    the sums of w p a, w p, w q b, w q over the first priors, so that P(y|s) = A/sum_p and P(y|s') =
    B/sum_q: A <= R h B and k sum_q <= sum_p. The ratio under the mixture: N = A/sum_p = P(y|s) and
    D = B/sum_q = P(y|s') have N <= R (h/k) D: k N <= R h D. Not attained: a prior above the
    smallest odds counts: then k sum_q < sum_p, and for D > 0 the ratio is below R h/k. Not
    attained: only priors with the smallest odds count: then N <= R D by the bound for these, and k
    < h.

    Equal odds lose nothing. From "One more prior" to "The ratio under the mixture": as above. Omega
    = 1: With the bound k N <= R h D and h = k: the mixture keeps the level of its parts.

    No smaller constant. A mechanism that keeps the level for each prior: Databases a, c under the
    first prior, b, d under the second; s = {a, b}, s' = {c, d}. The output u has probability x =
    R/(R + 1) at a, 1 - x at c and 0 at b and d; v the rest: level R under the first prior, 1 under
    the other. The ratio of u under a mixture: With weights proportional to t and 1, odds p/q under
    the first prior and p2/q2 under the second, m = p/p2 and n = q/q2: P(u|s)/P(u|s') = [t p x/(t p
    + p2)] / [t q (1 - x)/(t q + q2)], and x/(1 - x) = R. It comes as near to R Omega as one likes:
    Omega = W = p q2/(q p2) = m/n >= 1. For any c with 0 < c < R W the weight t = (R W - c)/(c m) >
    0 gives a ratio R W (1 + t n)/(1 + t m) of at least c.

    The loss is unbounded. From "A mechanism that keeps the level for each prior" to "For any c
    with": as above. Odds as far apart as one likes: For every C >= 1 let theta_1(s) = first = C/(C
    + 1) and theta_2(s) = second = 1/(C + 2), with s' the rest: Omega = W = [first/(1 -
    first)]/[second/(1 - second)] = C (C + 1) > C, and as above some mixture exceeds R C, also with
    R = 1.
    """
    check.tried("upper bound")
    check.tried("equal odds lose nothing")
    check.tried("no smaller constant")
    check.tried("the loss is unbounded")
