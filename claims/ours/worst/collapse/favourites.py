"""Beliefs of which each favours another database: the budget from which on K releases can leak
everything. `pufferproof explore --formula` found it for three databases, where two releases need
R^2 >= (1 - 2 p)/p, and three R^2 >= (1 - p)/(2 p).
"""

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.beliefs import favourites as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
p = letter("p", "the probability of a database that a prior does not favour", above(0))
m = letter("m", "how many databases there are besides a", at_least(2))
s = letter("s", "m/K, rounded up", at_least(1))
t = letter("t", "at how many databases the column is above 0", at_least(1))
T = letter("T", "m - s", at_least(1))
V = letter("V", "the sum of the column over b_1 .. b_m, that at a being 1", at_least(0))
g = letter("g", "1 - (m - t) p", at_least(0))
low, high = letters("low high", "the means of the column", above(0))
c = letter("c", "the entry of the column at T databases", above(0))
total = letter("total", "the sum of means over the t priors that favour where it is above 0")

NOTATION = {
    "b_1 .. b_m": "the databases besides a",
    "K": "how many releases there are",
}


@claim(
    "worst.favourites",
    where="Several pairs or priors: phase transitions",
    statement="X in {a, b_1 .. b_m}, m >= 2, secrets X = a and X not a, and m priors with 0 < "
    "P_j(X = a) < 1, of which P_j given X not a gives b_j the probability 1 - (m - 1) p and each "
    "other one p, 0 < p <= 1/m. Some K >= 2 releases of level log(R), R >= 1, leak everything "
    "together, that X = a is certain, if and only if R^2 >= 1 + (1 - m p)/((m - s) p), s = m/K "
    "rounded up.",
    says=says.THRESHOLD,
)
def favourites(check: Check) -> None:
    """Bound the level of a column from below by how many databases it excludes, averaging over the
    priors of the others.
    """
    proved(
        check,
        "as stated",
        "every m, K and p of the statement",
        _threshold,
        a_column_that_excludes_nothing=Edit("outside", without=p * V * R >= 1),
        fewer_databases_left=Edit("the fewest zeros", without=t <= T),
        a_lower_level=Edit("reached", without=1 - m * p <= T * p * (R**2 - 1)),
    )


def _threshold(proof: Proof) -> None:
    proof.inequality(
        "inside",
        "K columns whose product is 0 at b_1 .. b_m have m zeros there together, so that one has "
        "at least s, and none has m. It is above 0 at t >= 1 databases. The means under the priors "
        "of these t add up to V (1 - (m - 1) p) + (t - 1) p V, and each is at most R",
        V * g <= t * R,
        [
            Eq(g, 1 - (m - t) * p),
            Eq(total, V * (1 - (m - 1) * p) + (t - 1) * p * V),
            total <= t * R,
        ],
    )
    proof.inequality(
        "outside",
        "the prior of a database that the column excludes has the mean p V >= 1/R",
        g <= t * p * R**2,
        [V * g <= t * R, p * V * R >= 1],
    )
    proof.inequality(
        "the fewest zeros",
        "t is at most m - s, and p at most 1/m",
        1 - m * p <= T * p * (R**2 - 1),
        [Eq(g, 1 - (m - t) * p), g <= t * p * R**2, t <= T, m * p <= 1],
    )
    proof.inequality(
        "reached",
        "b_1 .. b_m are covered by K sets of s databases; the column of each is 0 there, 1 at a "
        "and c = 1/(R p (m - s)) at the others. Its mean is 1/R under the priors of the set, and "
        "at most R under others",
        Eq(low * R, 1) & (high <= R) & (high * R >= 1),
        [
            Eq(c * R * p * T, 1),
            Eq(low, c * p * T),
            Eq(high, c * (1 - (m - T) * p)),
            1 - m * p <= T * p * (R**2 - 1),
            m * p <= 1,
        ],
    )
    proof.cite("columns", "what lies in the cone is the column of a mechanism", "worst.columns")
