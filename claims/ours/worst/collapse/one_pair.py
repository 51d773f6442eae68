"""One pair, one prior: the extreme rays in closed form, and the largest joint leakage of
releases.

rho_x = mu_x / nu_x (infinite where nu_x = 0). P: rho > R, N: rho < 1/R, Z: the rest; both orders
are constrained. With f_x = mu_x - R nu_x and g_x = nu_x - R mu_x the cone is {u >= 0 : sum f u <=
0, sum g u <= 0}. Databases of probability zero under both laws are deleted.
"""

from pufferproof.claims.ours.worst.collapse import said
from pufferproof.claims.ours.worst.statements import one_pair as says
from pufferproof.claims.registry import Check, claim


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
    """Prove that these lie in the cone and are extreme, and that no other vector is.

    Each is an extreme ray. e_x lies in the cone iff 1/R <= rho_x <= R. x in P has mu_x > R nu_x,
    and y with rho_y < R has mu_y < R nu_y: u (mu_x - R nu_x) = v (R nu_y - mu_y) makes <mu, u> = R
    <nu, u>, with u > 0 iff v > 0; the other order with mu and nu exchanged. A sum of two vectors of
    the cone lives on {x, y} in both, with forms <= 0 that sum to 0: both are 0, and a form with
    coefficients m > 0 > n vanishes on one line only.

    No other. One pair and one prior: at most two points [worst.ray-support]. One point: x in Z. Two
    points with entries u, v > 0: a form with coefficients m, n, not both 0, is tight, m u + n v =
    0, else u alone could change. Opposite signs: f_x > 0 is x in P, f_y < 0 is rho_y < R; likewise
    g: x in N and rho_y > 1/R.
    """
    name = "each is an extreme ray"
    check.tried(name)
    name = "no other"
    check.tried(name)


@claim(
    "worst.dichotomy",
    where="One pair, one prior",
    statement="One pair of mutually exclusive secrets s, t, one prior that allows both, both "
    "orders: the largest joint ratio of K releases of levels R_1, .., R_K >= 1 is R_1 .. R_K if K "
    "<= 1 or each secret has a single database of positive probability, and infinite otherwise, "
    "also for levels of 1. In one order, s against t, it is R_1 .. R_K / m^(K - 1) if K <= 1 or t "
    "has a single database of positive probability, where m is the least positive probability of a "
    "database given s, and infinite otherwise.",
    says={
        "each secret determines the database": said.DETERMINED,
        "otherwise": said.OTHERWISE,
        "one order": said.ONE_WAY,
        "one order, otherwise": said.OTHERWISE_ONE_WAY,
    },
)
def dichotomy(check: Check) -> None:
    """Coq multiplies the levels of one database each, and separates two by columns that meet in
    one database. In one order a release tells of the lightest database of s.
    """


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
    """Prove upper bounds and attainment in each case.

    Two databases with rho < max R: the largest rho. Never more: L = max rho has mu_x <= L nu_x for
    every x. Both levels at least L: the unit column of x lies in both cones. One level at least L:
    the unit column of x in the second cone and a ray towards y with rho_y < 1 <= R_1 in the first
    (some y has rho_y < 1, as mu and nu differ): the product lives on x alone. Both below: rays
    towards y with rho_y < R_1 and y' with rho_y' < R_2, y, y' different [worst.one-pair-rays]: the
    product again lives on x.

    One such database: the formula bounds. f_x = mu_x - R_1 nu_x >= 0 for x other than y, and F =
    R_1 nu_y - mu_y > 0: the promise is sum f u <= F u_y, so that the shares f u/(F u_y) have a sum
    of at most 1; likewise for the second, and products of shares sum to at most 1. For L at least
    (a T + c)/(b T + d), T = F G/(f g), a, b = mu_x, nu_x and c, d = mu_y, nu_y: (a - L b) T <= L d
    - c, so that (a - L b) w_x <= (L d - c) share w_y, and over all x M + mu_y w_y <= L (N + nu_y
    w_y). If f_x = 0 then rho_x = R_1 <= L for the limit rho_x: its terms have mu_x w_x <= L nu_x
    w_x.

    One such database: the formula is attained. Entries F, f and G, g at x and y are rays of the two
    cones (the unit ray of x if f or g is 0) [worst.one-pair-rays]; their product has the quotient F
    G : f g, which is t_x.
    """
    name = "two databases with rho < max R: the largest rho"
    check.tried(name)
    name = "one such database: the formula bounds"
    check.tried(name)
    name = "one such database: the formula is attained"
    check.tried(name)
