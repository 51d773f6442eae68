"""One pair, one prior: the extreme rays in closed form, and the largest joint leakage of two
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

    Each is an extreme ray. Unit vectors: e_x lies in the cone iff a = mu_x <= R b, b = nu_x <= R a,
    that is 1/R <= rho_x <= R (a + b > 0). Two points: x in P with a = mu_x > R b = R nu_x, and c =
    mu_y < R d = R nu_y: u (a - R b) = v (R d - c) makes M = <mu, u> = R <nu, u> = R N, hence N <= R
    M, with u > 0 iff v > 0. The other order is the same with mu and nu exchanged. Extreme: Both
    entries are positive. A sum of two vectors of the cone lives on {x, y} in both, with forms A, B
    <= 0 that sum to 0: both are 0, and a form with coefficients m > 0 > n on {x, y} vanishes on one
    line only: u other_x = v other_y.

    No other. At most two points: one pair and one prior [worst.ray-support]. One point: u e_x with
    u > 0 lies in the cone iff f_x, g_x <= 0: x in Z. Two points: a row is tight, with opposite
    signs: Let u, v > 0 be the entries of an extreme ray on {x, y}. If both forms are slack or have
    both coefficients 0, small changes of u alone stay in the cone. So a form with coefficients m,
    n, not both 0, is tight: m u + n v = 0. Opposite signs: f_x = a - R b > 0 is x in P: b = nu_x =
    0, or rho_x > R, where a = rho_x b; f_y = c - R d < 0 is rho_y < R, where c = rho_y d; likewise
    g: x in N and rho_y > 1/R.
    """
    name = "each is an extreme ray"
    check.tried(name)
    name = "no other"
    check.tried(name)


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
    check.stated("each secret determines the database")
    check.stated("otherwise")


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

    Two databases with rho < max R: the largest rho. Never more than the largest rho: With L = max
    rho, a = mu_x <= L b = L nu_x for every x: M, N the sums over the first x of an entry u times
    mu_x, nu_x. Both levels at least the largest rho: Then x with the largest rho = a/b >= 1 lies in
    both Z: the unit column has ratio rho. One level at least the largest rho: If R_1 < rho_x <= R_2
    the unit column of x is in the second cone and a two-point ray towards y with rho_y < 1 <= R_1
    in the first: the product lives on x alone. Some database has rho < 1: If mu_y >= nu_y for all y
    then A - B >= a - b for the sums over all: as A = B = 1, a <= b for every y: mu = nu. Rays:
    towards y with rho_y < R_1 and y' with rho_y' < R_2, y, y' different [worst.one-pair-rays]. Both
    levels below the largest rho: Rays on {x, y} and {x, y'} with y, y' different: first_x, second_x
    > 0 at x, entries first_y > 0, second_y at y and second_y2 > 0, first_y2 at y' with second_y =
    first_y2 = 0.

    One such database: the formula bounds. The promise, with every coefficient of one sign: f_x =
    mu_x - R_1 nu_x >= 0 for x other than y, and F = R_1 nu_y - mu_y > 0: the promise is sum f u <=
    F u_y, so the share1 = f u/(F u_y) have a sum sum1 <= 1; likewise share2 and sum2 for the
    second. products <= sum1 sum2. One database against y: w = u_x v_x and w_y = u_y v_y: w f g =
    share F G w_y with share the product of the shares. L is at least (a T + c)/(b T + d), T = F
    G/(f g), a, b = mu_x, nu_x and c, d = mu_y, nu_y, so that (a - L b) T <= L d - c. Then (a - L b)
    w <= (L d - c) share w_y. One more database: M and N sum mu_x w_x, nu_x w_x, and products sums
    share1 share2 over the first x: M - L N <= room products, room = L nu_y - mu_y times w_y. The
    ratio: With products <= 1: M + mu_y w_y <= L (N + nu_y w_y). No denominator can be 0 with a
    positive entry and a larger ratio: If f_x = 0 then rho_x = R_1 <= L for the limit rho_x: its
    terms have mu_x w_x <= L nu_x w_x. Products: u_x v_x = (a F u_y/f)(b G v_y/g).

    One such database: the formula is attained. Two rays on {x, y}: Entries F, f and G, g at x and y
    are rays of the two cones (the unit ray of x if f or g is 0); their product has the quotient F G
    : f g, which is t_x. They are rays: x in P for both levels and rho_y < R_1, R_2
    [worst.one-pair-rays].
    """
    name = "two databases with rho < max R: the largest rho"
    check.tried(name)
    name = "one such database: the formula bounds"
    check.tried(name)
    name = "one such database: the formula is attained"
    check.tried(name)
