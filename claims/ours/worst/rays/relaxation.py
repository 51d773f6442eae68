"""The linear relaxation of the worst pair of columns, and mixtures of priors.

W stands for the N x N matrix u v' of a pair of columns. With A_1 u <= 0, A_2 v <= 0 besides u, v >=
0 describing the cones, the relaxation maximises <mu, diag W> / <nu, diag W> over W >= 0 with -A_1 W
>= 0, -W A_2' >= 0 and A_1 W A_2' >= 0.
"""

from pufferproof.claims.general.priors.odds_bound import LOST
from pufferproof.claims.ours.worst.rays.said import programs
from pufferproof.claims.ours.worst.statements import relaxation as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.relaxation",
    where="Algorithms: upper bound from one linear program",
    kind="lemma",
    says={"sound": programs.FEASIBLE},
)
def relaxation(check: Check) -> None:
    """Take W = u v' for two columns: it is feasible and has the ratio of their product, so that
    the largest ratio of the program is at least that of the columns.
    """


@claim(
    "worst.relaxation-simplicial",
    where="Algorithms: upper bound from one linear program",
    statement="If one of the two cones of worst.relaxation is simplicial (N inequalities B u >= 0, "
    "B invertible, describe it), that largest value is the largest ratio <mu, u o v> / <nu, u "
    "o v> of two columns of the cones.",
    says=says.RELAXATION_SIMPLICIAL,
)
def simplicial(check: Check) -> None:
    """Prove that a feasible W is then a sum of products of columns.

    W = (inverse of B)(B W) = sum_i r_i z_i' [lemma.finite-sums], r_i the columns of the inverse of
    B (the rays), z_i the rows of B W. B r_i >= 0, as B times its inverse is the identity: the r_i
    lie in the first cone. A row of B is a unit row, or a row of -A_1: an entry of z_i is one of W
    or of -A_1 W, and a value of A_2 z_i is minus an entry of -W A_2', or of A_1 W A_2': z_i lies in
    the second cone. <mu, diag W> and <nu, diag W> are sums over i of those of r_i o z_i, each a
    product of columns [lemma.mediant]. Products of columns are feasible [worst.relaxation].
    """
    name = "exact"
    check.tried(name)


@claim("worst.mixtures", where="Priors", says=LOST)
def mixtures(check: Check) -> None:
    """Take databases a, c under the first prior and b, d under the second, s = {a, b}, s' = {c, d},
    and an output of probability x at a, 1 - x at c and 0 at b and d: the mechanism has the level R
    under the first prior, and 1 under the second, but no mixture of both keeps R.
    """


@claim(
    "worst.linear-fractional",
    where="Algorithms: one linear-fractional program for each ray",
    kind="lemma",
    says={"scaling": programs.SCALING},
)
def linear_fractional(check: Check) -> None:
    """Scale u to a column v of the program max <mu, r o v> over v in the cone with <nu, r o v> = 1:
    its value is the ratio of u. And each v of the program has its value as ratio, so that the
    largest ratio is the optimum. Where <nu, r o u> = 0 < <mu, r o u> the ratio is infinite.
    """


@claim(
    "worst.identities",
    where="Algorithms: upper bound from one linear program",
    kind="lemma",
    says=programs.BOUND,
)
def identities(check: Check) -> None:
    """Add up the entries times u_x v_y, and the products of inequalities times S: the matrix S
    has an entry for each pair of a row of B_1 and a row of B_2.
    """
