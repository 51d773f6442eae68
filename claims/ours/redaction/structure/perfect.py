"""Redaction that sees all records at once, any number of records: perfect privacy, a bound at every
level.

Expected numbers of released records; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps. For perfect
privacy (eps = 0) the optimum is a maximal coupling of the chains that start from X_p = 0 and X_p =
1. Source of the setting: massny2025.
"""

from pufferproof.claims.ours.redaction.statements.pairs import CENTRAL_PAIRING
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "u": "the values of all records but X_p, where X_p = 0",
    "v": "the values of all records but X_p, where X_p = 1",
    "d": "d(u,v) is the number of records in which u and v differ",
    "f": "f_uv, of pairs of u and v, is a part of an output whose likelihoods given X_p = 0 and 1 "
    "are in proportion R : 1",
    "g": "g_uv, of pairs of u and v, is a part of an output whose likelihoods given X_p = 0 and 1 "
    "are in proportion 1 : R",
}


PAIRS = "a sum over pairs"


@claim(
    "redaction.central-pairing",
    where="Central redaction",
    statement="For every law of n bits, with probabilities m_0, m_1 > 0 of X_p = 0 and X_p = 1, "
    "the best central mechanism is a transport between the laws of u = (X_t : t not p) given "
    "X_p = 0 and given X_p = 1: the expected number of records that it releases is the largest "
    "sum of (n - 1 - d(u,v)) ((m_0 R + m_1) f_uv + (m_0 + m_1 R) g_uv) over f, g >= 0 with "
    "sum_v (R f_uv + g_uv) = P(u|X_p=0) and sum_u (f_uv + R g_uv) = P(v|X_p=1); u and v differ "
    "in d(u,v) records.",
    says={PAIRS: CENTRAL_PAIRING},
)
def central_pairing(check: Check) -> None:
    """Prove that the likelihoods of an output split into pairs with the extreme ratios R and
    1/R.

    The probabilities M, N of an output given X_p = 0, 1 are R x + y and x + R y with x = (R M -
    N)/(R^2 - 1), y = (R N - M)/(R^2 - 1) >= 0; for R = 1, M = N = x and y = 0. The databases u, v
    that show this output contribute s to M and t to N: f = x s t/(M N), g = y s t/(M N). At most:
    X_p is never shown [redaction.central-own], and in the q records shown u and v agree, so that q
    <= n - 1 - d. Attained: show for each pair all records in which it agrees: the likelihoods of f
    are in proportion R : 1, those of g 1 : R; an output collects pairs, and sums keep both
    inequalities. Worth: m_0 M + m_1 N in x and y [lemma.central-pairing].
    """
