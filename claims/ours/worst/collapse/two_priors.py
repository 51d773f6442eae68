"""Two priors and a secret that one database has: the worst joint leakage of two releases, up to the
budget at which they can leak everything. `pufferproof explore --formula` found the form for p and
1 - p.
"""

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements.beliefs import two_priors as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level", at_least(1))
r = letter("r", "1/R", above(0))
w = letter("w", "R - 1/R", at_least(0))
p1, p2 = letters("p1 p2", "the two probabilities of b1 given not a", between(0, 1))
D = letter("D", "p2 - p1", above(0))
x, y = letters("x y", "the entries of a column at b1 and b2, that at a being 1")
x1, y1 = letters("x1 y1", "those of a first column")
x2, y2 = letters("x2 y2", "those of a second column")
q, other = letters("q other", "the probabilities of b1 under one prior and under the other one")
mean1, mean2 = letters("mean1 mean2", "the means q x + (1 - q) y of both columns", above(0))
gap1, gap2 = letters("gap1 gap2", "these less the means under the other prior")
means = letter("means", "the product of both means", above(0))
gaps = letter("gaps", "the product of both gaps")
c = letter("c", "q (1 - q)/(p2 - p1)^2", at_least(0))
k = letter("k", "the larger c of both priors", at_least(0))
low = letter("low", "the smaller of 1/R^2 and 1 - k (R - 1/R)^2")
right = letter("right", "R mean2 - k (R - 1/R) (R - mean2)")
T = letter("T", "q x1 x2 + (1 - q) y1 y2, the joint ratio or one over it", above(0))

LEVEL = [Eq(R * r, 1), Eq(w, R - r)]
SCOPE = "all p1 < p2 and R of the statement, two releases, adaptive or not"


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
    """
    without = Edit("from above", put={R**2 + k * w**2: R**2})
    proved(check, "no more", SCOPE, _at_most, without_the_covariance=without)
    larger = Edit("the column of means R and 1/R", without=R**2 * (1 - p2) <= 1 - p1)
    proved(check, "reached", SCOPE, _reached, larger_budgets=larger)


def _at_most(proof: Proof) -> None:
    proof.cite("columns", "joint columns are products of columns of the cone", "worst.columns")
    proof.inequality(
        "a column that is 0 at a",
        "Its means under both priors are at most R times 0, so that it is 0: others are scaled to "
        "1 at a, and their means lie between 1/R and R",
        Eq(x, 0) & Eq(y, 0),
        [p1 * x + (1 - p1) * y <= 0, p2 * x + (1 - p2) * y <= 0, x >= 0, y >= 0, p1 < p2],
    )
    _means(proof)
    proof.inequality(
        "two gaps",
        "each between two numbers from 1/R to R",
        (gap1 * gap2 <= w**2) & (-(w**2) <= gap1 * gap2),
        [-w <= gap1, gap1 <= w, -w <= gap2, gap2 <= w],
    )
    proof.inequality(
        "from above",
        "T = means + c gaps",
        means + c * gaps <= R**2 + k * w**2,
        [means <= R**2, gaps <= w**2, c <= k],
    )
    proof.inequality(
        "from below, gaps of one sign",
        "then T is at least the product of two means, 1/T at most R^2",
        means + c * gaps >= r**2,
        [means >= r**2, gaps >= 0],
    )
    _opposite(proof)
    proof.inequality(
        "one over it",
        "1/T is at most 1/low, which is the larger of R^2 and 1/(1 - k w^2)",
        (1 <= R**2 * T) | (1 <= T + k * w**2),
        [low <= T, Eq(R * r, 1), Eq(low, r**2) | Eq(low, 1 - k * w**2)],
    )


def _means(proof: Proof) -> None:
    mean = q * x1 + (1 - q) * y1
    proof.identity(
        "the covariance",
        "the mean of a product is the product of the means and q (1 - q) times both differences",
        q * x1 * x2 + (1 - q) * y1 * y2,
        mean * (q * x2 + (1 - q) * y2) + q * (1 - q) * (x1 - y1) * (x2 - y2),
    )
    proof.identity(
        "a gap",
        "is p2 - p1 times a difference, up to the sign: T = mean1 mean2 + c gap1 gap2",
        mean - (other * x1 + (1 - other) * y1),
        (q - other) * (x1 - y1),
    )


def _opposite(proof: Proof) -> None:
    proof.inequality(
        "from below, gaps of two signs",
        "say gap1 >= 0 >= gap2, else the columns change places: mean1 - gap1 is at least 1/R, "
        "mean2 - gap2 at most R",
        mean1 * mean2 - k * (mean1 - r) * (R - mean2) <= mean1 * mean2 + c * gap1 * gap2,
        [gap1 >= 0, gap2 <= 0, gap1 <= mean1 - r, -gap2 <= R - mean2, c <= k],
    )
    proof.inequality(
        "where mean1 = R",
        "linear in mean2: between its values at 1/R and at R",
        w * low <= w * right,
        [
            Eq(right, R * mean2 - k * w * (R - mean2)),
            low <= 1 - k * w**2,
            low <= r**2,
            r <= 1,
            r <= mean2,
            mean2 <= R,
            *LEVEL,
        ],
    )
    proof.inequality(
        "between",
        "linear in mean1: between its values at 1/R, where it is mean2/R, and at R. Where w = 0, "
        "all means are 1",
        w * low <= w * (mean1 * mean2 - k * (mean1 - r) * (R - mean2)),
        [
            Eq(right, R * mean2 - k * w * (R - mean2)),
            low <= right,
            low <= r * mean2,
            r <= mean1,
            mean1 <= R,
            *LEVEL,
        ],
    )


def _reached(proof: Proof) -> None:
    proof.cite("columns", "what lies in the cone is the column of a mechanism", "worst.columns")
    for name, (one, two), given in (
        ("the column of means R and 1/R", (R, r), R**2 * (1 - p2) <= 1 - p1),
        ("the column of means 1/R and R", (r, R), R**2 * p1 <= p2),
    ):
        proof.inequality(
            name,
            "it lies in the cone",
            (x >= 0) & (y >= 0) & Eq(p1 * x + (1 - p1) * y, one) & Eq(p2 * x + (1 - p2) * y, two),
            [
                Eq(D, p2 - p1),
                Eq(D * x, (1 - p1) * two - (1 - p2) * one),
                Eq(D * y, p2 * one - p1 * two),
                Eq(R * r, 1),
                given,
            ],
        )
    _means(proof)
    proof.inequality(
        "both products",
        "under the prior whose c is k: a column with itself, of mean R there, and both columns",
        Eq(R * R + k * (R - r) * (R - r), R**2 + k * w**2)
        & Eq(R * r + k * (R - r) * (r - R), 1 - k * w**2),
        LEVEL,
    )
