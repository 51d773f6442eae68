"""The linear relaxation of the worst pair of columns, and mixtures of priors.

W stands for the N x N matrix u v' of a pair of columns. With A_1 u <= 0, A_2 v <= 0 besides u, v >=
0 describing the cones, the relaxation maximises <mu, diag W> / <nu, diag W> over W >= 0 with -A_1 W
>= 0, -W A_2' >= 0 and A_1 W A_2' >= 0.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.statements import relaxation as says
from pufferproof.claims.registry import Check, claim

a = letter("a", "an entry of A_1 u", at_most(0))
b = letter("b", "an entry of A_2 v, or of A_2 z")
u, v = letters("u v", "entries of two columns")
w = letter("w", "an entry of W")
m = letter("m", "mu_x", at_least(0))
diagonal, joint = letters("diagonal joint", "the sums of mu_x W_xx and of mu_x u_x v_x so far")
c = letter("c", "an entry of the identity")
y = letter("y", "an entry of W in the row of c, or of A_1 W A_2'")
x = letter("x", "an entry of -W A_2'", at_least(0))
total, ones = letters("total ones", "the sums of c y and of c so far")
sum_so_far = letter("sum_so_far", "the sum of multiples of entries so far", at_least(0))
R = letter("R", "e to the level", at_least(1))
odds1 = letter("odds1", "the odds of s against s' under one prior")
odds2 = letter("odds2", "the odds of s against s' under another prior", above(0))
omega = letter("omega", "their quotient")
middle = letter("middle", "a number between R and R omega")
t = letter("t", "the factor that makes the denominator 1")
M, N = letters("M N", "<mu, r o u>, <nu, r o u>")
L = letter("L", "the ratio M/N")
rests, products = letters("rests products", "sums over the first entries, and multipliers")
rest = letter("rest", "an entry of diag(L nu - mu) - B_1' S B_2", at_least(0))
column_u, column_v = letters("column_u column_v", "u_x and v_y", at_least(0))
multiplier = letter("multiplier", "an entry of S", at_least(0))
row_1, row_2 = letters("row_1 row_2", "an entry of B_1 u, and of B_2 v", at_least(0))
joint_mu, joint_nu = letters("joint_mu joint_nu", "<mu, u o v> and <nu, u o v>", at_least(0))
factor = letter("factor", "the number L of an identity")


@claim(
    "worst.relaxation",
    where="Algorithms: upper bound from one linear program",
    statement="Let two cones of columns on N databases be {u >= 0 : A_1 u <= 0} and {v >= 0 : A_2 "
    "v <= 0}, and (mu, nu) in T. The largest <mu, diag W> / <nu, diag W> over N x N matrices W "
    ">= 0 with -A_1 W >= 0, -W A_2' >= 0 and A_1 W A_2' >= 0, A_2' being the transpose of A_2, "
    "is at least every ratio <mu, u o v> / <nu, u o v> of two columns of the cones.",
    kind="lemma",
    says=says.RELAXATION,
)
def relaxation(check: Check) -> None:
    """Prove that every product u v' is feasible and has the ratio of the joint output on its
    diagonal.
    """
    name = "sound"
    proved(check, name, ALL_SIZES, _feasible)
    check.near_miss(
        f"{name}: A_1 W A_2' <= 0",
        edited(_feasible, Edit("u v' is feasible", put={a * b >= 0: a * b <= 0})),
    )


def _feasible(proof: Proof) -> None:
    proof.inequality(
        "u v' is feasible",
        "a <= 0 and b <= 0 are rows of A_1 u and A_2 v: entries of -A_1 u v', -u (A_2 v)' and (A_1 "
        "u)(A_2 v)'",
        (-a * v >= 0) & (-u * b >= 0) & (u * v >= 0) & (a * b >= 0),
        [b <= 0, u >= 0, v >= 0],
    )
    proof.summed(
        "its diagonal is the product of columns",
        "diagonal = sum_x mu_x W_xx and joint = sum_x mu_x u_x v_x over the first x",
        so_far=Eq(diagonal, joint),
        adding={diagonal: m * w, joint: m * u * v},
        given=[Eq(w, u * v)],
    )


@claim(
    "worst.relaxation-simplicial",
    where="Algorithms: upper bound from one linear program",
    statement="If one of the two cones of worst.relaxation is simplicial (N inequalities B u >= 0, "
    "B invertible, describe it), that largest value is the largest ratio <mu, u o v> / <nu, u "
    "o v> of two columns of the cones.",
    says=says.RELAXATION_SIMPLICIAL,
)
def simplicial(check: Check) -> None:
    """Prove that a feasible W is then a sum of products of columns."""
    name = "exact"
    proved(
        check,
        name,
        ALL_SIZES,
        _decomposed,
        a_second_factor_that_is_only_not_negative=Edit(
            "z_i lies in the second cone", without=x >= 0
        ),
    )


def _decomposed(proof: Proof) -> None:
    proof.cite(
        "a triple product", "(inverse of B)(B W) = (inverse of B times B) W", "lemma.finite-sums"
    )
    proof.summed(
        "W = sum_i r_i z_i', r_i the columns of the inverse of B (the rays), z_i the rows of B W",
        "An entry of the identity times W: total sums c y over the first rows, c = 1 at the row "
        "of the entry w, where y = w, and c = 0 elsewhere; ones sums c and is 1 at the end: total "
        "= ones w",
        so_far=Eq(total, ones * w),
        adding={total: c * y, ones: c},
        given=[sympy.Or(Eq(c, 0), Eq(c, 1) & Eq(y, w))],
    )
    proof.induction(
        "B r_i >= 0",
        "B times its inverse is the identity: entries 0 and 1, so the r_i lie in the first cone; "
        "sums and multiples stay there",
        base=(c >= 0, [sympy.Or(Eq(c, 0), Eq(c, 1))]),
        step=(sum_so_far + w * c >= 0, [w >= 0, sympy.Or(Eq(c, 0), Eq(c, 1))]),
    )
    _second(proof)
    proof.cite(
        "mediant",
        "<mu, diag W> and <nu, diag W> are sums over i of those of r_i o z_i, each a product of "
        "columns with ratio at most the largest L; where it is infinite there is nothing to show",
        "lemma.mediant",
    )
    proof.cite("attained", "products of columns are feasible", "worst.relaxation")


def _second(proof: Proof) -> None:
    proof.cite(
        "order of summation",
        "A_2 z_i = A_2 (row of B W)' is an entry of B W A_2'",
        "lemma.finite-sums",
    )
    proof.inequality(
        "z_i lies in the second cone",
        "A row of B is a unit row, or a row of -A_1. So an entry of z_i is one of W or of -A_1 W, "
        "and a value b of A_2 z_i is minus an entry x >= 0 of -W A_2', or minus an entry y >= 0 of "
        "A_1 W A_2'",
        b <= 0,
        [sympy.Or(Eq(b, -x), Eq(b, -y)), y >= 0],
    )


@claim(
    "worst.mixtures",
    where="Priors",
    statement="A mechanism that is epsilon-Pufferfish for two priors need not be for a mixture of "
    "them: for every R there are priors and a mechanism of level R for each whose ratio under "
    "a mixture exceeds R.",
    says=says.MIXTURES,
)
def mixtures(check: Check) -> None:
    """Prove it by the sharp constant of mixtures, which exceeds 1 whenever the odds of the
    secrets differ.
    """
    name = "as stated"
    proved(
        check,
        name,
        "every R >= 1",
        _exceeded,
        equal_odds=Edit("odds that differ", without=odds1 > odds2, given=odds1 >= odds2),
    )


def _exceeded(proof: Proof) -> None:
    proof.cite(
        "sharp constant",
        "ratios up to R Omega, Omega the quotient of the largest and smallest prior odds, are "
        "approached",
        "general.prior-mixture-bound",
    )
    _odds(proof)


def _odds(proof: Proof) -> None:
    proof.inequality(
        "odds that differ",
        "Odds odds1 > odds2 > 0 of s against s' under the two priors: omega = odds1/odds2 > 1, so "
        "that some middle with R < middle < R omega is exceeded",
        (R < middle) & (middle < R * omega),
        [Eq(omega * odds2, odds1), odds1 > odds2, Eq(2 * middle, R + R * omega)],
    )


@claim(
    "worst.linear-fractional",
    where="Algorithms: one linear-fractional program for each ray",
    statement="For a fixed column r the largest <mu, r o u>/<nu, r o u> over u in a cone is the "
    "optimum of max <mu, r o v> over v in the cone with <nu, r o v> = 1 if <nu, r o u> > 0 "
    "wherever <mu, r o u> > 0; otherwise it is infinite.",
    kind="lemma",
    assumes=[
        "finitely many inequalities describe the cone; some u in it has <mu, r o u> > 0 or <nu, r "
        "o u> > 0"
    ],
    says=says.LINEAR_FRACTIONAL,
)
def linear_fractional(check: Check) -> None:
    """Prove that scaling identifies the two programs."""
    name = "scaling"
    proved(
        check,
        name,
        ALL_SIZES,
        _scaled,
        denominator_2=Edit(
            "every ratio is a value of the program", without=Eq(t * N, 1), given=Eq(t * N, 2)
        ),
    )


def _scaled(proof: Proof) -> None:
    proof.inequality(
        "every ratio is a value of the program",
        "u with M = <mu, r o u>, N = <nu, r o u> > 0: v = t u with t N = 1 lies in the cone and "
        "has the value t M, the ratio L",
        Eq(t * M, L),
        [Eq(t * N, 1), Eq(L * N, M), N > 0, M >= 0],
    )
    proof.inequality(
        "0/0 does not count",
        "M = N = 0 is no violation of M <= L N",
        M <= L * N,
        [Eq(M, 0), Eq(N, 0), L >= 0],
    )


@claim(
    "worst.identities",
    where="Algorithms: upper bound from one linear program",
    statement="Let {u >= 0 : B_1 u >= 0} and {v >= 0 : B_2 v >= 0} be two cones of columns, mu, nu "
    "laws and L a number. If some matrix S >= 0 makes every entry of diag(L nu - mu) - B_1' "
    "S B_2 at least 0, B_1' being the transpose of B_1, then <mu, u o v> <= L <nu, u o v> "
    "for all columns u, v of the two cones.",
    kind="lemma",
    says=says.IDENTITIES,
)
def identities(check: Check) -> None:
    """Prove it by adding up the entries, and the products of inequalities."""
    signed = Edit("products of inequalities", without=multiplier >= 0)
    proved(
        check,
        "as stated",
        ALL_SIZES,
        _identity,
        a_multiplier_below_0=signed,
        a_smaller_bound=Edit("the bound", put={joint_nu: joint_nu / 2}),
    )


def _identity(proof: Proof) -> None:
    proof.summed(
        "entries",
        "u' (diag(L nu - mu) - B_1' S B_2) v sums rest_xy u_x v_y",
        so_far=rests >= 0,
        adding={rests: rest * column_u * column_v},
    )
    proof.summed(
        "products of inequalities",
        "(B_1 u)' S (B_2 v) sums S_ij (B_1 u)_i (B_2 v)_j",
        so_far=products >= 0,
        adding={products: multiplier * row_1 * row_2},
    )
    proof.inequality(
        "the bound",
        "u' diag(L nu - mu) v = L <nu, u o v> - <mu, u o v> is the sum of both",
        joint_mu <= factor * joint_nu,
        [Eq(factor * joint_nu - joint_mu, rests + products), rests >= 0, products >= 0],
    )
