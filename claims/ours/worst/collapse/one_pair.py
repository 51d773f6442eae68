"""One pair, one prior: the extreme rays in closed form, and the largest joint leakage of two
releases.

rho_x = mu_x / nu_x (infinite where nu_x = 0). P: rho > R, N: rho < 1/R, Z: the rest; both orders
are constrained. With f_x = mu_x - R nu_x and g_x = nu_x - R mu_x the cone is {u >= 0 : sum f u <=
0, sum g u <= 0}. Databases of probability zero under both laws are deleted.
"""

import sympy
from sympy import Eq

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.collapse import said
from pufferproof.claims.ours.worst.statements import one_pair as says
from pufferproof.claims.registry import Check, claim

R = letter("R", "e to the level of the first release", at_least(1))
S = letter("S", "e to the level of the second release")
a, b = letters("a b", "mu_x, nu_x")
c, d = letters("c d", "mu_y, nu_y")
u, v = letters("u v", "entries of a vector at x and at y")
p, q = letters("p q", "f_x, g_x")
other_x, other_y = letters(
    "other_x other_y", "entries of another vector at x and at y", at_least(0)
)
A, B = letters("A B", "the forms of two vectors, or the sums of mu and of nu over all databases")
m, n = letters("m n", "coefficients of a form at x and at y")
M, N = letters("M N", "<mu, u>, <nu, u>, or the sums so far")
rho_x, rho_y = letters("rho_x rho_y", "mu_x/nu_x, mu_y/nu_y")
first_x, second_x = letters(
    "first_x second_x", "entries of the first and of the second column at x", above(0)
)
first_y = letter("first_y", "the entry of the first column at y", above(0))
second_y = letter("second_y", "the entry of the second column at y")
first_y2 = letter("first_y2", "the entry of the first column at y'")
second_y2 = letter("second_y2", "the entry of the second column at y'", above(0))
L = letter("L", "a ratio")
share1, share2 = letters(
    "share1 share2", "f u/(F u_y) for the first column, g v/(G v_y) for the second one", at_least(0)
)
sum1, sum2 = letters("sum1 sum2", "the sums of these shares so far")
products = letter("products", "the sum of share1 share2 so far")
share = letter("share", "share1 share2")
room = letter("room", "(L nu_y - mu_y) w_y")
w, w_y = letters("w w_y", "u_x v_x, u_y v_y")
f, F = letters("f F", "mu_x - R_1 nu_x, R_1 nu_y - mu_y", at_least(0))
g, G = letters("g G", "mu_x - R_2 nu_x, R_2 nu_y - mu_y", at_least(0))


@claim(
    "worst.one-pair-rays",
    where="One pair, one prior",
    statement="Let T = {(mu, nu), (nu, mu)}, where mu and nu may overlap, and R >= 1. Up to scale "
    "the extreme rays of C_R are: the unit vectors of Z; for x in P and rho_y < R the vector "
    "on {x, y} with <mu, u> = R <nu, u>; for x in N and rho_y > 1/R the vector on {x, y} with "
    "<nu, u> = R <mu, u>.",
    says={"each is an extreme ray": says.EACH, "no other": says.NO_OTHER},
)
def one_pair_rays(check: Check) -> None:
    """Prove that these lie in the cone and are extreme, and that no other vector is."""
    name = "each is an extreme ray"
    proved(check, name, "every R >= 1; all finite sizes", _in_the_cone)
    check.near_miss(
        f"{name}: also towards rho_y = R",
        edited(_in_the_cone, Edit("two points", without=c < R * d, given=c <= R * d)),
    )
    name = "no other"
    proved(
        check,
        name,
        "every R >= 1; all finite sizes",
        _no_other,
        tight_rows_with_a_single_sign=Edit(
            "two points: a row is tight, with opposite signs", instead=m * n > 0
        ),
    )


def _in_the_cone(proof: Proof) -> None:
    proof.inequality(
        "unit vectors",
        "e_x lies in the cone iff a = mu_x <= R b, b = nu_x <= R a, that is 1/R <= rho_x <= R (a + "
        "b > 0)",
        sympy.Equivalent((p <= 0) & (q <= 0), (a <= R * b) & (b <= R * a)),
        [Eq(p, a - R * b), Eq(q, b - R * a), a >= 0, b >= 0, a + b > 0],
    )
    _two_points(proof)
    proof.inequality(
        "extreme",
        "Both entries are positive. A sum of two vectors of the cone lives on {x, y} in both, "
        "with forms A, B <= 0 that sum to 0: both are 0, and a form with coefficients m > 0 > n "
        "on {x, y} vanishes on one line only: u other_x = v other_y",
        Eq(u * other_y, v * other_x),
        [
            Eq(A + B, 0),
            A <= 0,
            B <= 0,
            Eq(A, m * u + n * v),
            Eq(B, m * other_x + n * other_y),
            m > 0,
            n < 0,
            u >= 0,
            v >= 0,
        ],
    )


def _two_points(proof: Proof) -> None:
    below = c < R * d
    proof.inequality(
        "two points",
        "x in P with a = mu_x > R b = R nu_x, and c = mu_y < R d = R nu_y: u (a - R b) = v (R d - "
        "c) makes M = <mu, u> = R <nu, u> = R N, hence N <= R M, with u > 0 iff v > 0. The other "
        "order is the same with mu and nu exchanged",
        Eq(M, R * N) & (N <= R * M) & sympy.Equivalent(u > 0, v > 0),
        [
            Eq(u * (a - R * b), v * (R * d - c)),
            Eq(M, a * u + c * v),
            Eq(N, b * u + d * v),
            a > R * b,
            below,
            b >= 0,
            c >= 0,
            d >= 0,
            u >= 0,
            v >= 0,
        ],
    )


def _no_other(proof: Proof) -> None:
    proof.cite("at most two points", "one pair and one prior", "worst.ray-support")
    proof.inequality(
        "one point",
        "u e_x with u > 0 lies in the cone iff f_x, g_x <= 0: x in Z",
        (p <= 0) & (q <= 0),
        [p * u <= 0, q * u <= 0, u > 0],
    )
    _two_signs(proof)
    proof.inequality(
        "opposite signs",
        "f_x = a - R b > 0 is x in P: b = nu_x = 0, or rho_x > R, where a = rho_x b; f_y = "
        "c - R d < 0 is rho_y < R, where c = rho_y d; likewise g: x in N and rho_y > 1/R",
        sympy.Or(Eq(b, 0), rho_x > R) & (rho_y < R),
        [
            a - R * b > 0,
            sympy.Or(Eq(b, 0), Eq(a, rho_x * b)),
            b >= 0,
            c - R * d < 0,
            Eq(c, rho_y * d),
            c >= 0,
            d >= 0,
        ],
    )


def _two_signs(proof: Proof) -> None:
    proof.inequality(
        "two points: a row is tight, with opposite signs",
        "Let u, v > 0 be the entries of an extreme ray on {x, y}. If both forms are slack or have "
        "both coefficients 0, small changes of u alone stay in the cone. So a form with "
        "coefficients m, n, not both 0, is tight: m u + n v = 0",
        m * n < 0,
        [Eq(m * u + n * v, 0), u > 0, v > 0, sympy.Or(sympy.Ne(m, 0), sympy.Ne(n, 0))],
    )


@claim(
    "worst.dichotomy",
    where="One pair, one prior",
    statement="One pair of mutually exclusive secrets, one prior that allows both, both orders: "
    "the largest joint ratio of two releases of levels R_1, R_2 >= 1 is R_1 R_2 if each secret "
    "has a single database of positive probability, and infinite otherwise, also for R_1 = R_2 "
    "= 1.",
    says={
        "each secret determines the database": said.DETERMINED,
        "otherwise": said.OTHERWISE,
    },
)
def dichotomy(check: Check) -> None:
    """Coq multiplies the levels of one database each, and separates two by columns that meet in
    one database.
    """
    check.stated("each secret determines the database", "all finite sizes, every R_1, R_2 >= 1")
    check.stated("otherwise", "all finite sizes, every R_1, R_2 >= 1")


@claim(
    "worst.dichotomy-overlap",
    where="One pair, one prior: overlapping supports, one direction",
    statement="For different laws mu, nu that may overlap and levels R_1, R_2 >= 1, T = {(mu, nu), "
    "(nu, mu)} or, R_k > 1, {(mu, nu)} alone: the largest ratio <mu, u_1 o u_2>/<nu, u_1 o "
    "u_2> is max_x rho_x, unless exactly one database y has rho_y < max(R_1, R_2); then it is "
    "the largest (mu_x t_x + mu_y)/(nu_x t_x + nu_y) over x other than y, t_x = (R_1 nu_y - "
    "mu_y)(R_2 nu_y - mu_y)/((mu_x - R_1 nu_x)(mu_x - R_2 nu_x)), the limit rho_x if a "
    "denominator is 0.",
    kind="closed form",
    assumes=["databases that neither law sees are deleted; for mu = nu the ratio is 1"],
    says={
        "two databases with rho < max R: the largest rho": says.LARGEST_RHO,
        "one such database: the formula bounds": says.FORMULA_BOUNDS,
        "one such database: the formula is attained": says.FORMULA_ATTAINED,
    },
)
def dichotomy_overlap(check: Check) -> None:
    """Prove upper bounds and attainment in each case."""
    name = "two databases with rho < max R: the largest rho"
    proved(
        check,
        name,
        ALL_SIZES,
        _largest_quotient,
        one_such_database=Edit(
            "both levels below the largest rho",
            without=[Eq(second_y, 0), Eq(first_y2, 0)],
            given=second_y > 0,
        ),
    )
    name = "one such database: the formula bounds"
    proved(
        check,
        name,
        ALL_SIZES,
        _formula,
        t_without_the_second_level=Edit(
            "one database against y",
            without=(a - L * b) * F * G <= (L * d - c) * f * g,
            given=(a - L * b) * F <= (L * d - c) * f * g,
        ),
    )
    name = "one such database: the formula is attained"
    proved(
        check,
        name,
        ALL_SIZES,
        _formula_attained,
        a_larger_t=Edit("two rays on {x, y}", put={a * F * G: a * F * G * 2}),
    )


def _largest_quotient(proof: Proof) -> None:
    proof.summed(
        "never more than the largest rho",
        "With L = max rho, a = mu_x <= L b = L nu_x for every x: M, N the sums over the first x of "
        "an entry u times mu_x, nu_x",
        so_far=M <= L * N,
        adding={M: a * u, N: b * u},
        given=[a <= L * b, u >= 0],
    )
    proof.inequality(
        "both levels at least the largest rho",
        "Then x with the largest rho = a/b >= 1 lies in both Z: the unit column has ratio rho",
        (a <= R * b) & (b <= R * a) & (a <= S * b) & (b <= S * a),
        [Eq(a, L * b), L >= 1, R >= L, S >= L, b >= 0],
        for_any=[R],
    )
    proof.inequality(
        "one level at least the largest rho",
        "If R_1 < rho_x <= R_2 the unit column of x is in the second cone and a two-point ray "
        "towards y with rho_y < 1 <= R_1 in the first: the product lives on x alone",
        (first_x * second_x > 0) & Eq(first_y * second_y, 0),
        [Eq(second_y, 0)],
    )
    proof.inequality(
        "some database has rho < 1",
        "If mu_y >= nu_y for all y then A - B >= a - b for the sums over all: as A = B = 1, a <= b "
        "for every y: mu = nu",
        Eq(a, b),
        [Eq(A, 1), Eq(B, 1), A - B >= a - b, a >= b],
    )
    _separated(proof)


def _separated(proof: Proof) -> None:
    proof.cite(
        "rays",
        "towards y with rho_y < R_1 and y' with rho_y' < R_2, y, y' different",
        "worst.one-pair-rays",
    )
    proof.inequality(
        "both levels below the largest rho",
        "Rays on {x, y} and {x, y'} with y, y' different: first_x, second_x > 0 at x, entries "
        "first_y > 0, second_y at y and second_y2 > 0, first_y2 at y' with second_y = first_y2 = 0",
        (first_x * second_x > 0) & Eq(first_y * second_y, 0) & Eq(second_y2 * first_y2, 0),
        [first_y2 >= 0, Eq(second_y, 0), Eq(first_y2, 0)],
    )


def _formula(proof: Proof) -> None:
    proof.induction(
        "the promise, with every coefficient of one sign",
        "f_x = mu_x - R_1 nu_x >= 0 for x other than y, and F = R_1 nu_y - mu_y > 0: the promise "
        "is sum f u <= F u_y, so the share1 = f u/(F u_y) have a sum sum1 <= 1; likewise share2 "
        "and sum2 for the second. products <= sum1 sum2",
        base=(
            Eq(products, sum1 * sum2),
            [Eq(products, share1 * share2), Eq(sum1, share1), Eq(sum2, share2)],
        ),
        step=(
            products + share1 * share2 <= (sum1 + share1) * (sum2 + share2),
            [products <= sum1 * sum2, sum1 >= 0, sum2 >= 0],
        ),
    )
    _limits(proof)
    proof.induction(
        "one more database",
        "M and N sum mu_x w_x, nu_x w_x, and products sums share1 share2 over the first x: M - L "
        "N <= room products, room = L nu_y - mu_y times w_y",
        base=(a * w - L * b * w <= room * share, [a * w - L * b * w <= room * share]),
        step=(
            M + a * w - L * (N + b * w) <= room * (products + share),
            [M - L * N <= room * products, a * w - L * b * w <= room * share],
        ),
    )
    _no_larger(proof)


def _no_larger(proof: Proof) -> None:
    proof.inequality(
        "the ratio",
        "With products <= 1: M + mu_y w_y <= L (N + nu_y w_y)",
        M + c * w_y <= L * (N + d * w_y),
        [M - L * N <= room * products, products <= 1, room >= 0, Eq(room, (L * d - c) * w_y)],
    )
    proof.inequality(
        "no denominator can be 0 with a positive entry and a larger ratio",
        "If f_x = 0 then rho_x = R_1 <= L for the limit rho_x: its terms have mu_x w_x <= L nu_x "
        "w_x",
        a * w <= L * b * w,
        [Eq(a, R * b), R <= L, b >= 0, w >= 0],
        for_any=[R],
    )
    proof.identity(
        "products",
        "u_x v_x = (a F u_y/f)(b G v_y/g)",
        "((a*F*u)/f)*((b*G*v)/g)",
        "((a*b)*(F*G))/(f*g)*(u*v)",
    )


def _limits(proof: Proof) -> None:
    proof.inequality(
        "one database against y",
        "w = u_x v_x and w_y = u_y v_y: w f g = share F G w_y with share the product of the "
        "shares. L is at least (a T + c)/(b T + d), T = F G/(f g), a, b = mu_x, nu_x and c, d = "
        "mu_y, nu_y, so that (a - L b) T <= L d - c. Then (a - L b) w <= (L d - c) share w_y",
        (a - L * b) * w <= (L * d - c) * share * w_y,
        [
            Eq(w * f * g, share * F * G * w_y),
            (a - L * b) * F * G <= (L * d - c) * f * g,
            f > 0,
            g > 0,
            F > 0,
            G > 0,
            share >= 0,
            w_y >= 0,
            w >= 0,
            L >= 1,
        ],
    )


def _formula_attained(proof: Proof) -> None:
    proof.inequality(
        "two rays on {x, y}",
        "Entries F, f and G, g at x and y are rays of the two cones (the unit ray of x if f or g "
        "is 0); their product has the quotient F G : f g, which is t_x",
        Eq(M * (b * F * G + d * f * g), N * (a * F * G + c * f * g)),
        [
            Eq(M, a * u + c * v),
            Eq(N, b * u + d * v),
            Eq(u, F * G),
            Eq(v, f * g),
            F > 0,
            G > 0,
            a > 0,
            d > 0,
            b >= 0,
            c >= 0,
        ],
    )
    proof.cite(
        "they are rays", "x in P for both levels and rho_y < R_1, R_2", "worst.one-pair-rays"
    )
