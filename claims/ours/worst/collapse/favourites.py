"""Beliefs of which each favours another database: the budget from which on K releases can leak
everything. `pufferproof explore --formula` found it for three databases, where two releases need
R^2 >= (1 - 2 p)/p, and three R^2 >= (1 - p)/(2 p).
"""

from pufferproof.claims.ours.worst.statements.beliefs import favourites as says
from pufferproof.claims.registry import Check, claim

NOTATION = {"b_1 .. b_m": "the databases besides a", "K": "how many releases there are"}


@claim(
    "worst.favourites",
    where="Several pairs or priors: phase transitions",
    statement="Let X take the values a, b_1 .. b_m, m >= 2, let the secrets be X = a and X not "
    "a, and let there be m priors with 0 < P_j(X = a) < 1: given X not a, P_j gives b_j the "
    "probability 1 - (m - 1) p and every other b the probability p, 0 < p <= 1/m. Some K >= 2 "
    "releases of level log(R), R >= 1, together make X = a certain if and only if R^2 >= 1 + (1 "
    "- m p)/((m - s) p), s = m/K rounded up.",
    says=says.THRESHOLD,
)
def favourites(check: Check) -> None:
    """Bound the level of a column from below by how many databases it excludes, averaging over the
    priors of the others.

    K columns whose product is 0 at b_1 .. b_m have m zeros there together, so that one has at least
    s, and none has m. It is above 0 at t >= 1 databases, t <= m - s, of sum V. The means under the
    priors of these add up to V (1 - (m - 1) p) + (t - 1) p V, and each is at most R; the prior of a
    database that the column excludes has the mean p V >= 1/R. Reached: b_1 .. b_m are covered by K
    sets of s databases; the column of each is 0 there, 1 at a and c = 1/(R p (m - s)) at the
    others. Its mean is 1/R under the priors of the set, and at most R under others: what lies in
    the cone is the column of a mechanism [worst.columns].
    """
