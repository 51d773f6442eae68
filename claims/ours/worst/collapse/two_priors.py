"""Two priors and a secret that one database has: the worst joint leakage of two releases, up to the
budget at which they can leak everything. `pufferproof explore --formula` found the form for p and
1 - p.
"""

from pufferproof.claims.ours.worst.statements.beliefs import two_priors as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "p1, p2": "the two probabilities of b1 given not a",
}


@claim(
    "worst.two-priors",
    where="Several pairs or priors: phase transitions",
    statement="X in {a, b1, b2}, secrets X = a and X in {b1, b2}, two priors with 0 < P(X = a) < 1 "
    "and P(X = b1 | X not a) = p1 and p2, p1 < p2; k = max(p1 (1 - p1), p2 (1 - p2))/(p2 - p1)^2 "
    "and k (R - 1/R)^2 < 1, R >= 1. The joint ratio of two releases of level log(R) is at most "
    "max(R^2 + k (R - 1/R)^2, 1/(1 - k (R - 1/R)^2)), and if R^2 p1 <= p2 and R^2 (1 - p2) <= "
    "1 - p1 it can be as large.",
    says={"no more": says.AT_MOST, "reached": says.REACHED},
)
def two_priors(check: Check) -> None:
    """Prove it through means: that of a product is the product of means and a covariance, and the
    covariance is made of the differences between the means under the two priors.

    No more. Columns: joint columns are products of columns of the cone [worst.columns]. A column
    that is 0 at a: Its means under both priors are at most R times 0, so that it is 0: others are
    scaled to 1 at a, and their means lie between 1/R and R. The covariance: the mean of a product
    is the product of the means and q (1 - q) times both differences. A gap: is p2 - p1 times a
    difference, up to the sign: T = mean1 mean2 + c gap1 gap2. Two gaps: each between two numbers
    from 1/R to R. From above: T = means + c gaps. From below, gaps of one sign: then T is at least
    the product of two means, 1/T at most R^2. From below, gaps of two signs: say gap1 >= 0 >= gap2,
    else the columns change places: mean1 - gap1 is at least 1/R, mean2 - gap2 at most R. Where
    mean1 = R: linear in mean2: between its values at 1/R and at R. Between: linear in mean1:
    between its values at 1/R, where it is mean2/R, and at R. Where w = 0, all means are 1. One over
    it: 1/T is at most 1/low, which is the larger of R^2 and 1/(1 - k w^2).

    Reached. Columns: what lies in the cone is the column of a mechanism [worst.columns]. The column
    of means R and 1/R: it lies in the cone. The column of means 1/R and R: it lies in the cone.
    From "The covariance" to "A gap": as above. Both products: under the prior whose c is k: a
    column with itself, of mean R there, and both columns.

    An engine proves its formula [lemma.two-priors].
    """
    check.tried("no more")
    check.tried("reached")
