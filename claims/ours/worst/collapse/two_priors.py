"""Two priors and a secret that one database has: the worst joint leakage of two releases, up to the
budget at which they can leak everything. `pufferproof explore --formula` found the form for p and
1 - p.
"""

from pufferproof.claims.ours.worst.statements.beliefs import two_priors as says
from pufferproof.claims.registry import Check, claim

NOTATION = {"p1, p2": "the two probabilities of b1 given not a"}


@claim(
    "worst.two-priors",
    where="Several pairs or priors: phase transitions",
    statement="Let X take the values a, b1, b2, let the secrets be X = a and X in {b1, b2}, and "
    "let two priors have 0 < P(X = a) < 1 and P(X = b1 | X not a) = p1 and p2, p1 < p2. Let k = "
    "max(p1 (1 - p1), p2 (1 - p2))/(p2 - p1)^2, R >= 1 and k (R - 1/R)^2 < 1. The joint ratio "
    "of two releases of level log(R) is at most max(R^2 + k (R - 1/R)^2, 1/(1 - k (R - "
    "1/R)^2)), and if R^2 p1 <= p2 and R^2 (1 - p2) <= 1 - p1 it can be as large.",
    says={"no more": says.AT_MOST, "reached": says.REACHED},
)
def two_priors(check: Check) -> None:
    """Prove it through means: that of a product is the product of means and a covariance, and the
    covariance is made of the differences between the means under the two priors.

    No more. Joint columns are products of columns of the cone [worst.columns]; one that is 0 at a
    has means of at most R times 0: others are scaled to 1 at a, and their means lie between 1/R and
    R. The mean of a product is T = mean1 mean2 + c gap1 gap2, a gap being the difference of means
    under the two priors, over p2 - p1. Gaps of one sign: T is at least the product of two means, at
    least 1/R^2, and at most R^2 + k w^2. Gaps of two signs, say gap1 >= 0 >= gap2: mean1 - gap1 >=
    1/R and mean2 - gap2 <= R; T is linear in each mean, and least at the ends, where it is at least
    the smaller of 1/R^2 and 1 - k w^2 [lemma.two-priors].

    Reached. The columns of means R and 1/R, and 1/R and R, lie in the cone: under the prior whose c
    is k, a column with itself, of mean R there, and both columns.
    """
