"""Two priors and one pair of disjoint secrets: when a promise for both is one for all mixtures.

For prior l: p_l = P_l(s), q_l = P_l(s'), both positive, mu_l and nu_l the laws of the database
given s and given s'. A mixture with weights w and 1 - w has as law of s the mean of mu_1 and mu_2
with the share w p_1/(w p_1 + (1 - w) p_2) of the first, for s' with w q_1/(w q_1 + (1 - w) q_2).
"""

from pufferproof.claims.general.statements import classes, mixtures
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "mu_l, nu_l": "the laws of the database given s, and given s', under the prior l",
    "p_l, q_l": "the probabilities of s and of s' under the prior l",
}


@claim(
    "general.mixture-dichotomy",
    where="general laws",
    statement="Let two priors give both of two disjoint secrets s, s' positive probability, and "
    "let R >= 1. Every mechanism that keeps the ratio R for (s, s') in both orders under both "
    "priors keeps it under all their mixtures iff p_1/q_1 = p_2/q_2, or mu_1 = mu_2, or nu_1 = "
    "nu_2. If not, one mechanism breaks it under every mixture with positive weights.",
    kind="theorem",
    says={
        "each condition suffices": classes.CONDITIONS_SUFFICE,
        "one of them is needed": mixtures.NEEDED,
    },
)
def mixture_dichotomy(check: Check) -> None:
    """Prove that each condition suffices, and construct a mechanism where none holds.

    Each condition suffices. mu_1 = mu_2 gives P_1(y | s) = P_2(y | s) under every mixture, at most
    R times each P_l(y | s') and so R times their mean, and likewise in the other order; nu_1 = nu_2
    is the same with s and s' exchanged. p_1/q_1 = p_2/q_2: both secrets weigh the priors alike.

    One of them is needed. Else s and s' weigh the priors differently, for every 0 < w < 1. Let
    P_l(y | s') = high and low, P_l(y | s) = R high and R low. If high > low and share_s > share_t
    the mixture has P(y | s) > R P(y | s'); if share_s < share_t exchange high and low. mu_1(x) >
    mu_2(x) for some x of s: P(y | .) = base on s and base + step at x gives both aims, and likewise
    on s'. The aims differ by at most h from the middle 1/(2 (R + 1)), or R times that on s: all
    entries lie between 0 and 1, and the other output keeps the level, as high <= 1/(R + 1).
    """
