"""Mixtures of priors: what a promise kept for every prior of a list says about an adversary unsure
which prior is right.

For prior l: p_l = P_l(s), q_l = P_l(s'), a_l = P_l(y | s), b_l = P_l(y | s'), with a_l <= R b_l. A
mixture with weights w_l has P(y | s) = sum w p a / sum w p: each secret reweights the priors by its
own probabilities. The largest ratio is R Omega, where Omega is the largest of p_l/q_l divided by
the smallest: the ratio of the prior odds of the secrets.
"""

from pufferproof.claims.general.priors import odds_bound
from pufferproof.claims.registry import Check, claim


@claim(
    "general.prior-mixture-bound",
    where="general laws",
    kind="theorem",
    says={"upper bound": odds_bound.BOUND, "no smaller constant": odds_bound.REACHED},
)
def prior_mixture_bound(check: Check) -> None:
    """Compare the priors with those of the largest and the smallest odds. Where all odds are equal
    Omega = 1, and a mixture loses nothing.

    No smaller constant: databases a, c under the first prior, b, d under the second; s = {a, b}, s'
    = {c, d}. The output y has probability x at a, 1 - x at c and 0 at b and d: level R under the
    first prior, 1 under the other. With weights proportional to t and 1 its ratio is at least c.
    Odds C/1 and 1/(C + 1) have Omega = C (C + 1): the loss is unbounded, also at R = 1.
    """
