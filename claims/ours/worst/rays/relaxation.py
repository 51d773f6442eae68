"""The linear relaxation of the worst pair of columns, and mixtures of priors.

W stands for the N x N matrix u v' of a pair of columns. With A_1 u <= 0, A_2 v <= 0 besides u, v >=
0 describing the cones, the relaxation maximises <mu, diag W> / <nu, diag W> over W >= 0 with -A_1 W
>= 0, -W A_2' >= 0 and A_1 W A_2' >= 0.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
L, M, N, m, n, a, b, c, u, v, w, x, y = sympy.symbols("L M N m n a b c u v w x y")


@claim(
    "worst.relaxation",
    where="Algorithms: upper bound from one linear program",
    statement="Let two cones of columns on N databases be {u >= 0 : A_1 u <= 0} and {v >= 0 : A_2 "
    "v <= 0}, and (mu, nu) in T. The largest <mu, diag W> / <nu, diag W> over N x N matrices W "
    ">= 0 with -A_1 W >= 0, -W A_2' >= 0 and A_1 W A_2' >= 0, A_2' being the transpose of A_2, "
    "is at least every ratio <mu, u o v> / <nu, u o v> of two columns of the cones.",
    kind="lemma",
)
def relaxation(check: Check) -> None:
    """Prove that every product u v' is feasible and has the ratio of the joint output on its
    diagonal.
    """
    name = "sound"
    with check.reading(name, ALL_SIZES) as argument:
        _feasible(argument)
    check.near_miss(f"{name}: A_1 W A_2' <= 0", lambda argument: _feasible(argument, other=True))


def _feasible(argument: Argument, other: bool = False) -> None:
    argument.inequality(
        "u v' is feasible",
        "a <= 0 and b <= 0 are rows of A_1 u and A_2 v: entries of -A_1 u v', -u (A_2 v)' and (A_1 "
        "u)(A_2 v)'",
        (-a * v >= 0) & (-u * b >= 0) & (u * v >= 0) & ((a * b <= 0) if other else (a * b >= 0)),
        [a <= 0, b <= 0, u >= 0, v >= 0],
    )
    argument.induction(
        "its diagonal is the product of columns",
        "M = sum_x mu_x W_xx and N = sum_x mu_x u_x v_x over the first x",
        base=(Eq(m * w, m * u * v), [Eq(w, u * v), m >= 0]),
        step=(Eq(M + m * w, N + m * u * v), [Eq(M, N), Eq(w, u * v), m >= 0]),
    )


@claim(
    "worst.relaxation-simplicial",
    where="Algorithms: upper bound from one linear program",
    statement="If one of the two cones of worst.relaxation is simplicial (N inequalities B u >= 0, "
    "B invertible, describe it), that largest value is the largest ratio <mu, u o v> / <nu, u "
    "o v> of two columns of the cones.",
)
def simplicial(check: Check) -> None:
    """Prove that a feasible W is then a sum of products of columns."""
    name = "exact"
    with check.reading(name, ALL_SIZES) as argument:
        _decomposed(argument)
    check.near_miss(
        f"{name}: a second factor that is only not negative",
        lambda argument: _second(argument, loose=True),
    )


def _decomposed(argument: Argument) -> None:
    argument.cite(
        "a triple product", "(inverse of B)(B W) = (inverse of B times B) W", "lemma.finite-sums"
    )
    argument.induction(
        "W = sum_i r_i z_i', r_i the columns of the inverse of B (the rays), z_i the rows of B W",
        "An entry of the identity times W: M sums c y over the first rows, c = 1 at the row of the "
        "entry w, where y = w, and c = 0 elsewhere; n sums c and is 1 at the end: M = n w",
        base=(Eq(c * y, c * w), [sympy.Or(Eq(c, 0), Eq(c, 1) & Eq(y, w))]),
        step=(Eq(M + c * y, (n + c) * w), [Eq(M, n * w), sympy.Or(Eq(c, 0), Eq(c, 1) & Eq(y, w))]),
    )
    argument.induction(
        "B r_i >= 0",
        "B times its inverse is the identity: entries 0 and 1, so the r_i lie in the first cone; "
        "sums and multiples stay there",
        base=(m >= 0, [sympy.Or(Eq(m, 0), Eq(m, 1))]),
        step=(M + w * m >= 0, [M >= 0, w >= 0, sympy.Or(Eq(m, 0), Eq(m, 1))]),
    )
    _second(argument)
    argument.cite(
        "mediant",
        "<mu, diag W> and <nu, diag W> are sums over i of those of r_i o z_i, each a product of "
        "columns with ratio at most the largest L; where it is infinite there is nothing to show",
        "lemma.mediant",
    )
    argument.cite("attained", "products of columns are feasible", "worst.relaxation")


def _second(argument: Argument, loose: bool = False) -> None:
    argument.cite(
        "order of summation",
        "A_2 z_i = A_2 (row of B W)' is an entry of B W A_2'",
        "lemma.finite-sums",
    )
    argument.inequality(
        "z_i lies in the second cone",
        "A row of B is a unit row, or a row of -A_1. So an entry of z_i is one of W or of -A_1 W, "
        "and a value b of A_2 z_i is minus an entry x >= 0 of -W A_2', or minus an entry y >= 0 of "
        "A_1 W A_2'",
        b <= 0,
        [sympy.Or(Eq(b, -x), Eq(b, -y)), y >= 0, *([] if loose else [x >= 0])],
    )


@claim(
    "worst.mixtures",
    where="Priors",
    statement="A mechanism that is epsilon-Pufferfish for two priors need not be for a mixture of "
    "them: for every R there are priors and a mechanism of level R for each whose ratio under "
    "a mixture exceeds R.",
)
def mixtures(check: Check) -> None:
    """Prove it by the sharp constant of mixtures, which exceeds 1 whenever the odds of the
    secrets differ.
    """
    name = "as stated"
    with check.reading(name, "every R >= 1") as argument:
        argument.cite(
            "sharp constant",
            "ratios up to R Omega, Omega the quotient of the largest and smallest prior odds, are "
            "approached",
            "general.prior-mixture-bound",
        )
        _odds(argument)
    check.near_miss(f"{name}: equal odds", lambda argument: _odds(argument, equal=True))


def _odds(argument: Argument, equal: bool = False) -> None:
    R, c = sympy.symbols("R c")
    argument.inequality(
        "odds that differ",
        "Odds x > y > 0 of s against s' under the two priors: Omega = x/y = w > 1, so that some c "
        "with R < c < R Omega is exceeded",
        (R < c) & (c < R * w),
        [Eq(w * y, x), y > 0, (x >= y) if equal else (x > y), R >= 1, Eq(2 * c, R + R * w)],
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
)
def linear_fractional(check: Check) -> None:
    """Prove that scaling identifies the two programs."""
    name = "scaling"
    with check.reading(name, ALL_SIZES) as argument:
        _scaled(argument)
    check.near_miss(f"{name}: denominator 2", lambda argument: _scaled(argument, two=True))


def _scaled(argument: Argument, two: bool = False) -> None:
    t = sympy.Symbol("t")
    argument.inequality(
        "every ratio is a value of the program",
        "u with M = <mu, r o u>, N = <nu, r o u> > 0: v = t u with t N = 1 lies in the cone and "
        "has the value t M, the ratio L",
        Eq(t * M, L),
        [Eq(t * N, 2 if two else 1), Eq(L * N, M), N > 0, M >= 0],
    )
    argument.inequality(
        "0/0 does not count",
        "M = N = 0 is no violation of M <= L N",
        M <= L * N,
        [Eq(M, 0), Eq(N, 0), L >= 0],
    )
