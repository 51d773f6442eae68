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

    Upper bound. h and k are the largest and smallest odds: P(y|s) = A/sum_p and P(y|s') = B/sum_q
    with A <= R h B and k sum_q <= sum_p: the ratio is at most R h/k. Not attained: if a prior above
    the smallest odds counts then k sum_q < sum_p; else the bound for priors with the smallest odds
    is R.

    Equal odds lose nothing. h = k.

    No smaller constant. Databases a, c under the first prior, b, d under the second; s = {a, b}, s'
    = {c, d}. The output u has probability x = R/(R + 1) at a, 1 - x at c and 0 at b and d: level R
    under the first prior, 1 under the other. With weights proportional to t and 1, odds p/q under
    the first prior and p2/q2 under the second, m = p/p2 and n = q/q2: P(u|s)/P(u|s') = R W (1 + t
    n)/(1 + t m), W = m/n = Omega, at least c < R W for t = (R W - c)/(c m).

    The loss is unbounded. As above with theta_1(s) = C/(C + 1) and theta_2(s) = 1/(C + 2), with s'
    the rest: Omega = C (C + 1) > C, also with R = 1.
    """
    check.tried("upper bound")
    check.tried("equal odds lose nothing")
    check.tried("no smaller constant")
    check.tried("the loss is unbounded")
