"""One pair, one prior: the extreme rays in closed form, and the largest joint leakage of two
releases.

rho_x = mu_x / nu_x (infinite where nu_x = 0). P: rho > R, N: rho < 1/R, Z: the rest; both orders
are constrained. With f_x = mu_x - R nu_x and g_x = nu_x - R mu_x the cone is {u >= 0 : sum f u <=
0, sum g u <= 0}. Databases of probability zero under both laws are deleted.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, S, a, b, c, d, u, v, p, q = sympy.symbols("R S a b c d u v p q")
M, N, A, B, L, w, t, m, n = sympy.symbols("M N A B L w t m n")


@claim(
    "worst.one-pair-rays",
    where="One pair, one prior",
    statement="Let T = {(mu, nu), (nu, mu)}, where mu and nu may overlap, and R >= 1. Up to scale "
    "the extreme rays of C_R are: the unit vectors of Z; for x in P and rho_y < R the vector "
    "on {x, y} with <mu, u> = R <nu, u>; for x in N and rho_y > 1/R the vector on {x, y} with "
    "<nu, u> = R <mu, u>.",
)
def one_pair_rays(check: Check) -> None:
    """Prove that these lie in the cone and are extreme, and that no other vector is."""
    name = "each is an extreme ray"
    with check.reading(name, "every R >= 1; all finite sizes") as argument:
        _in_the_cone(argument)
    check.near_miss(
        f"{name}: also towards rho_y = R", lambda argument: _two_points(argument, equal=True)
    )
    name = "no other"
    with check.reading(name, "every R >= 1; all finite sizes") as argument:
        _no_other(argument)
    check.near_miss(
        f"{name}: tight rows with a single sign", lambda argument: _two_signs(argument, single=True)
    )


def _in_the_cone(argument: Argument) -> None:
    argument.inequality(
        "unit vectors",
        "e_x lies in the cone iff a = mu_x <= R b, b = nu_x <= R a, that is 1/R <= rho_x <= R (a + "
        "b > 0)",
        sympy.Equivalent((p <= 0) & (q <= 0), (a <= R * b) & (b <= R * a)),
        [Eq(p, a - R * b), Eq(q, b - R * a), a >= 0, b >= 0, a + b > 0, R >= 1],
    )
    _two_points(argument)
    argument.inequality(
        "extreme",
        "Both entries are positive. A sum of two vectors of the cone lives on {x, y} in both, with "
        "forms A, B <= 0 that sum to 0: both are 0, and a form with coefficients m > 0 > n on {x, "
        "y} vanishes on one line only: u c = v d",
        Eq(u * d, v * c),
        [
            Eq(A + B, 0),
            A <= 0,
            B <= 0,
            Eq(A, m * u + n * v),
            Eq(B, m * c + n * d),
            m > 0,
            n < 0,
            u >= 0,
            v >= 0,
            c >= 0,
            d >= 0,
        ],
    )


def _two_points(argument: Argument, equal: bool = False) -> None:
    below = c <= R * d if equal else c < R * d
    argument.inequality(
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
            R >= 1,
            b >= 0,
            c >= 0,
            d >= 0,
            u >= 0,
            v >= 0,
        ],
    )


def _no_other(argument: Argument) -> None:
    argument.cite("at most two points", "one pair and one prior", "worst.ray-support")
    argument.inequality(
        "one point",
        "u e_x with u > 0 lies in the cone iff f_x, g_x <= 0: x in Z",
        (p <= 0) & (q <= 0),
        [p * u <= 0, q * u <= 0, u > 0],
    )
    _two_signs(argument)
    argument.inequality(
        "opposite signs",
        "f_x = a - R b > 0 is x in P: b = nu_x = 0, or a = p b with p = rho_x > R; f_y = c - R d < "
        "0 is q = rho_y < R, where c = q d; likewise g: x in N and rho_y > 1/R",
        sympy.Or(Eq(b, 0), p > R) & (q < R),
        [
            a - R * b > 0,
            sympy.Or(Eq(b, 0), Eq(a, p * b)),
            b >= 0,
            c - R * d < 0,
            Eq(c, q * d),
            c >= 0,
            d >= 0,
            R >= 1,
        ],
    )


def _two_signs(argument: Argument, single: bool = False) -> None:
    argument.inequality(
        "two points: a row is tight, with opposite signs",
        "Let u, v > 0 be the entries of an extreme ray on {x, y}. If both forms are slack or have "
        "both coefficients 0, small changes of u alone stay in the cone. So a form with "
        "coefficients m, n, not both 0, is tight: m u + n v = 0",
        (m * n > 0) if single else (m * n < 0),
        [Eq(m * u + n * v, 0), u > 0, v > 0, sympy.Or(sympy.Ne(m, 0), sympy.Ne(n, 0))],
    )


@claim(
    "worst.dichotomy",
    where="One pair, one prior",
    statement="One pair of mutually exclusive secrets, one prior that allows both, both orders: "
    "the largest joint ratio of two releases of levels R_1, R_2 >= 1 is R_1 R_2 if each secret "
    "has a single database of positive probability, and infinite otherwise, also for R_1 = R_2 "
    "= 1.",
)
def dichotomy(check: Check) -> None:
    """Prove both cases by explicit columns."""
    name = "each secret determines the database"
    with check.reading(name, "every R_1, R_2 >= 1") as argument:
        _determined(argument)
    check.near_miss(f"{name}: less than R_1 R_2", lambda argument: _determined(argument, less=True))
    name = "otherwise"
    with check.reading(name, "every R_1, R_2 >= 1; all finite sizes") as argument:
        _everything(argument)
    check.near_miss(
        f"{name}: one database for each secret", lambda argument: _everything(argument, single=True)
    )


def _determined(argument: Argument, less: bool = False) -> None:
    bound = R * S / 2 if less else R * S
    argument.inequality(
        "at most R_1 R_2",
        "mu and nu are unit vectors: u <= R v and c <= S d are the promises for the entries at the "
        "two databases",
        u * c <= bound * v * d,
        [u <= R * v, c <= S * d, u >= 0, v >= 0, c >= 0, d >= 0, R >= 1, S >= 1],
    )
    argument.inequality(
        "attained",
        "Columns (R, 1) and (S, 1), in the cones (for R = 1 the constant one)",
        Eq(u * c, R * S * v * d) & (u <= R * v) & (v <= R * u) & (c <= S * d) & (d <= S * c),
        [Eq(u, R), Eq(v, 1), Eq(c, S), Eq(d, 1), R >= 1, S >= 1],
    )
    argument.cite("they occur", "for R > 1, and for R = 1 with both orders", "worst.lemma0")


def _everything(argument: Argument, single: bool = False) -> None:
    argument.inequality(
        "a column on one database of each secret",
        "x has a = mu_x > 0 = nu_x, y has b = nu_y > 0 = mu_y: entries u = b at x and v = a at y "
        "give <mu, u> = a b = <nu, u>: it lies in C_1, hence in every C_R",
        (M <= R * N) & (N <= R * M) & (M > 0),
        [Eq(u, b), Eq(v, a), Eq(M, a * u), Eq(N, b * v), a > 0, b > 0, R >= 1],
    )
    argument.cite("they occur", "for R = 1 with both orders", "worst.lemma0")
    argument.inequality(
        "two columns that meet in x only",
        "If s' has two possible databases y, y', the columns on {x, y} and {x, y'} have the "
        "product u v > 0 at x, p d at y and q c at y', with c, d the entries of the first at y' "
        "and the second at y, 0: infinite for the order (s, s'). If s has two, the order (s', s) "
        "does",
        (a * u * v > 0) & Eq(b * p * d + w * q * c, 0),
        [
            a > 0,
            u > 0,
            v > 0,
            p > 0,
            q > 0,
            b > 0,
            w > 0,
            Eq(c, 0),
            (d >= 0) if single else Eq(d, 0),
        ],
    )
    argument.inequality(
        "and nothing else",
        "All other entries are 0 in both; M > 0 = N is an infinite ratio",
        M > L * N,
        [M > 0, Eq(N, 0), L >= 1],
    )


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
)
def dichotomy_overlap(check: Check) -> None:
    """Prove upper bounds and attainment in each case."""
    name = "two databases with rho < max R: the largest rho"
    with check.reading(name, ALL_SIZES) as argument:
        _largest_quotient(argument)
    check.near_miss(f"{name}: one such database", lambda argument: _separated(argument, same=True))
    name = "one such database: the formula bounds"
    with check.reading(name, ALL_SIZES) as argument:
        _formula(argument)
    check.near_miss(
        f"{name}: t without the second level", lambda argument: _limits(argument, once=True)
    )
    name = "one such database: the formula is attained"
    with check.reading(name, ALL_SIZES) as argument:
        _formula_attained(argument)
    check.near_miss(
        f"{name}: a larger t", lambda argument: _formula_attained(argument, larger=True)
    )


def _largest_quotient(argument: Argument) -> None:
    argument.induction(
        "never more than the largest rho",
        "With L = max rho, a = mu_x <= L b = L nu_x for every x: M, N the sums over the first x of "
        "an entry u times mu_x, nu_x",
        base=(a * u <= L * b * u, [a <= L * b, u >= 0]),
        step=(M + a * u <= L * (N + b * u), [M <= L * N, a <= L * b, u >= 0]),
    )
    argument.inequality(
        "both levels at least the largest rho",
        "Then x with the largest rho = a/b >= 1 lies in both Z: the unit column has ratio rho",
        (a <= R * b) & (b <= R * a) & (a <= S * b) & (b <= S * a),
        [Eq(a, L * b), L >= 1, R >= L, S >= L, b >= 0],
    )
    argument.inequality(
        "one level at least the largest rho",
        "If R_1 < rho_x <= R_2 the unit column of x is in the second cone and a two-point ray "
        "towards y with rho_y < 1 <= R_1 in the first: the product lives on x alone",
        (u * v > 0) & Eq(c * d, 0),
        [u > 0, v > 0, c > 0, Eq(d, 0)],
    )
    argument.inequality(
        "some database has rho < 1",
        "If mu_y >= nu_y for all y then A - B >= a - b for the sums over all: as A = B = 1, a <= b "
        "for every y: mu = nu",
        Eq(a, b),
        [Eq(A, 1), Eq(B, 1), A - B >= a - b, a >= b],
    )
    _separated(argument)


def _separated(argument: Argument, same: bool = False) -> None:
    argument.cite(
        "rays",
        "towards y with rho_y < R_1 and y' with rho_y' < R_2, y, y' different",
        "worst.one-pair-rays",
    )
    argument.inequality(
        "both levels below the largest rho",
        "Rays on {x, y} and {x, y'} with y, y' different: u, v > 0 at x, entries c > 0, q at y and "
        "d > 0, p at y' with q = p = 0",
        (u * v > 0) & Eq(c * q, 0) & Eq(d * p, 0),
        [u > 0, v > 0, c > 0, d > 0, p >= 0, *([q > 0] if same else [Eq(q, 0), Eq(p, 0)])],
    )


def _formula(argument: Argument) -> None:
    argument.induction(
        "the promise, with every coefficient of one sign",
        "f_x = mu_x - R_1 nu_x >= 0 for x other than y, and F = R_1 nu_y - mu_y > 0: the promise "
        "is sum f u <= F u_y, so the a = f u/(F u_y) have a sum A <= 1; likewise b and B for the "
        "second. sum a b <= A B",
        base=(Eq(M, A * B), [Eq(M, a * b), Eq(A, a), Eq(B, b), a >= 0, b >= 0]),
        step=(M + a * b <= (A + a) * (B + b), [M <= A * B, A >= 0, B >= 0, a >= 0, b >= 0]),
    )
    _limits(argument)
    argument.induction(
        "one more database",
        "M and N sum mu_x w_x, nu_x w_x, and A sums a b over the first x: M - L N <= c A, c = L "
        "nu_y - mu_y times w_y",
        base=(m * w - L * n * w <= c * a, [m * w - L * n * w <= c * a]),
        step=(
            M + m * w - L * (N + n * w) <= c * (A + a),
            [M - L * N <= c * A, m * w - L * n * w <= c * a],
        ),
    )
    argument.inequality(
        "the ratio",
        "With A <= 1: M + mu_y w <= L (N + nu_y w)",
        M + p * w <= L * (N + q * w),
        [M - L * N <= c * A, A <= 1, c >= 0, Eq(c, (L * q - p) * w)],
    )
    argument.inequality(
        "no denominator can be 0 with a positive entry and a larger ratio",
        "If f_x = 0 then rho_x = R_1 <= L for the limit rho_x: its terms have mu_x w_x <= L nu_x "
        "w_x",
        m * w <= L * n * w,
        [Eq(m, R * n), R <= L, n >= 0, w >= 0],
    )
    argument.identity(
        "products",
        "u_x v_x = (a F u_y/f)(b G v_y/g)",
        "((a*F*u)/f)*((b*G*v)/g)",
        "((a*b)*(F*G))/(f*g)*(u*v)",
    )


def _limits(argument: Argument, once: bool = False) -> None:
    f, g, F, G = sympy.symbols("f g F G")
    argument.inequality(
        "one database against y",
        "w = u_x v_x and p = u_y v_y: w f g = (a b) F G p with a b = t. L is at least (m T + c)/(n "
        "T + d), T = F G/(f g), m, n = mu_x, nu_x and c, d = mu_y, nu_y, so that (m - L n) T <= L "
        "d - c. Then (m - L n) w <= (L d - c) t p",
        (m - L * n) * w <= (L * d - c) * t * p,
        [
            Eq(w * f * g, t * F * G * p),
            (m - L * n) * F * (1 if once else G) <= (L * d - c) * f * g,
            f > 0,
            g > 0,
            F > 0,
            G > 0,
            t >= 0,
            p >= 0,
            w >= 0,
            L >= 1,
        ],
    )


def _formula_attained(argument: Argument, larger: bool = False) -> None:
    f, g, F, G = sympy.symbols("f g F G")
    argument.inequality(
        "two rays on {x, y}",
        "Entries F, f and G, g at x and y are rays of the two cones (the unit ray of x if f or g "
        "is 0); their product has the quotient F G : f g, which is t_x",
        Eq(M * (n * F * G + d * f * g), N * (m * F * G * (2 if larger else 1) + c * f * g)),
        [
            Eq(M, m * u + c * v),
            Eq(N, n * u + d * v),
            Eq(u, F * G),
            Eq(v, f * g),
            f >= 0,
            g >= 0,
            F > 0,
            G > 0,
            m > 0,
            d > 0,
            n >= 0,
            c >= 0,
        ],
    )
    argument.cite(
        "they are rays", "x in P for both levels and rho_y < R_1, R_2", "worst.one-pair-rays"
    )
