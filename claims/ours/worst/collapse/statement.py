"""Several pairs or priors: when releases within their budgets leak everything, and when added
secrets prevent it.

Each statement is about explicit cones: that two or more columns have a product that is positive
somewhere in supp mu and vanishes on supp nu, or that inequalities u_x <= kappa u_y hold on the
cone, which bound joint leakage for every number of releases.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, M, N, L, K, m, n, a, b, c, d, u, v, w = sympy.symbols("R M N L K m n a b c d u v w")


@claim(
    "worst.universal-collapse",
    where="Several pairs or priors",
    statement="If every law nu of T gives every database probability at most 1 - 1/R, then L*_K "
    "for K mechanisms of level R is infinite for K = |supp nu|, for each (mu, nu) with supp mu "
    "not inside supp nu. R > 1 is implied.",
)
def universal_collapse(check: Check) -> None:
    """Prove that the columns 1 - e_y are allowed, and that their product excludes supp nu."""
    name = "as stated"
    with check.reading(name, ALL_SIZES) as argument:
        _complements(argument)
        _product(argument)
    check.near_miss(
        f"{name}: probabilities up to 1 - 1/(2R)",
        lambda argument: _complements(argument, larger=True),
    )
    check.near_miss(f"{name}: one release fewer", lambda argument: _product(argument, fewer=True))


def _complements(argument: Argument, larger: bool = False) -> None:
    bound = 2 * R - 1 if larger else 2 * R - 2
    argument.inequality(
        "R > 1",
        "A law has a positive probability n, n <= 1 - 1/R: R n <= R - 1",
        R > 1,
        [R * n <= R - 1, n > 0, R >= 1],
    )
    argument.inequality(
        "the column 1 - e_y lies in C_R",
        "<mu, 1 - e_y> = 1 - m <= R (1 - n) = R <nu, 1 - e_y>, as 2 R n <= 2 R - 2, m = mu_y, n = "
        "nu_y",
        1 - m <= R * (1 - n),
        [2 * R * n <= bound, m >= 0, m <= 1, n >= 0, R >= 1],
    )
    argument.cite("it occurs", "as R > 1", "worst.lemma0")


def _product(argument: Argument, fewer: bool = False) -> None:
    argument.induction(
        "the product over y in supp nu",
        "v is the product so far at a database outside supp nu, w at one of the y so far, d at the "
        "next y: the next column has entries 1, 1 and 0 there, called a, b and c",
        base=(Eq(a, 1) & Eq(c, 0), [Eq(a, 1), Eq(c, 0)]),
        step=(
            Eq(v * a, 1) & Eq(w * b, 0) & Eq(d * c, 0),
            [Eq(v, 1), Eq(w, 0), Eq(a, 1), Eq(b, 1), d >= 0, (c >= 0) if fewer else Eq(c, 0)],
        ),
    )
    argument.inequality(
        "infinite",
        "It is 1 at some x in supp mu outside supp nu and 0 on supp nu: M >= mu_x = m > 0 = N",
        M > L * N,
        [M >= m, m > 0, Eq(N, 0), L >= 1],
    )


@claim(
    "worst.phase-transition",
    where="Several pairs or priors: phase transitions",
    statement="X in {a, b1, b2}, secrets X = a and X in {b1, b2}, priors with 0 < P(X = a) < 1 and "
    "P(X = b1 | X not a) = p for p in a finite or infinite set with smallest element p1 and "
    "largest p2 > p1: some number of releases of level R >= 1 collapses iff R^2 >= max((1 - "
    "p1)/(1 - p2), p2/p1), quotients with denominator 0 being infinite; then two releases do.",
)
def phase_transition(check: Check) -> None:
    """Prove it through the columns that vanish at one b: averages are monotone in p, so that p1
    and p2 decide.
    """
    name = "collapse above"
    with check.reading(name, "all p1 < p2, every R") as argument:
        _above(argument)
    check.near_miss(
        f"{name}: from half the threshold on", lambda argument: _above(argument, half=True)
    )
    name = "finite below"
    with check.reading(name, "all p1 < p2, every R, any number of releases") as argument:
        _below(argument)
    check.near_miss(f"{name}: at the threshold too", lambda argument: _below(argument, equal=True))


P1, P2, s, t = sympy.symbols("p1 p2 s t")


def _above(argument: Argument, half: bool = False) -> None:
    for name, low, high, entry in (
        ("b1", P1, P2, "(1, u, 0)"),
        ("b2", 1 - P2, 1 - P1, "(1, 0, u)"),
    ):
        argument.inequality(
            f"a column on a and {name}",
            f"{entry} with u = 1/(R t), t > 0 the smallest average weight of {name}: 1/R <= q u <= "
            f"R for every q in between, as the largest weight is at most R^2 times the smallest",
            (q_low(low, u) >= 1) & (high * u <= R) & (d * u <= R) & (R * d * u >= 1),
            [
                Eq(R * u * low, 1),
                (1 if half else 2) * high <= 2 * R**2 * low,
                low > 0,
                d >= low,
                d <= high,
                R >= 1,
                P1 >= 0,
                P2 <= 1,
                P1 < P2,
            ],
        )
    argument.cite("they occur", "R > 1, because R^2 >= p2/p1 > 1", "worst.lemma0")
    argument.inequality(
        "the product",
        "(1, u, 0) o (1, 0, v) = (1, 0, 0): M = 1 given a, N = 0 otherwise",
        M > L * N,
        [Eq(M, 1), Eq(N, a * u * 0 + b * v * 0), L >= 1],
    )


def q_low(low: sympy.Expr, entry: sympy.Expr) -> sympy.Expr:
    """Return R times the smallest average of a column that has this entry at one b."""
    return R * low * entry


def _below(argument: Argument, equal: bool = False) -> None:
    def small(high: sympy.Expr, low: sympy.Expr) -> sympy.Basic:
        return R**2 * low <= high if equal else R**2 * low < high

    argument.inequality(
        "no column (u > 0 at a, 0 at b2) if R^2 p1 < p2",
        "The promise at p1: u <= R p1 v, at p2 in the other order: p2 v <= R u",
        Eq(u, 0),
        [
            u <= R * P1 * v,
            P2 * v <= R * u,
            small(P2, P1),
            u >= 0,
            v >= 0,
            P1 >= 0,
            P1 < P2,
            P2 <= 1,
            R >= 1,
        ],
    )
    argument.inequality(
        "no column (u > 0 at a, 0 at b1) if R^2 (1 - p2) < 1 - p1",
        "likewise",
        Eq(u, 0),
        [
            u <= R * (1 - P2) * v,
            (1 - P1) * v <= R * u,
            small(1 - P1, 1 - P2),
            u >= 0,
            v >= 0,
            P1 >= 0,
            P1 < P2,
            P2 <= 1,
            R >= 1,
        ],
    )
    argument.inequality(
        "a column with 0 at a is 0 at both b",
        "0 < p1 or 0 < p2, and p1 < 1: q v + (1 - q) w <= R u = 0 for both q, so no product misses "
        "a and meets a b that is possible",
        Eq(v, 0) & Eq(w, 0),
        [
            P1 * v + (1 - P1) * w <= 0,
            P2 * v + (1 - P2) * w <= 0,
            v >= 0,
            w >= 0,
            P1 >= 0,
            P1 < P2,
            P2 <= 1,
        ],
    )
    argument.cite(
        "below one threshold u_a > 0 implies u_b2 > 0, or u_b1 > 0",
        "Either is an implication on the cone for the order (a, not a), if that database is "
        "possible: for the prior p2 = 1 the law of not a is b1 alone, but then 1 - p2 = 0 and u_a "
        "> 0 implies u_b1 > 0; likewise p1 = 0. With infinitely many priors too such a b keeps a "
        "probability of at least 1 - p2, or p1, or 1/2 if this is 0, as then both are implied",
        "worst.finite-equivalences",
    )


@claim(
    "worst.smaller-budgets",
    where="Several pairs or priors: phase transitions",
    statement="Smaller budgets can remove collapse: for some framework two releases of level R "
    "leak everything, and any number of releases of a smaller level above 0 has finite joint "
    "leakage.",
)
def smaller_budgets(check: Check) -> None:
    """Prove it with p1 = 1/3, p2 = 2/3: the threshold is R^2 = 2."""
    name = "R = 3/2 and R = 4/3"
    with check.reading(name, "one framework") as argument:
        _budgets(argument)
    check.near_miss(
        f"{name}: R = 3/2 removes it", lambda argument: _budgets(argument, Fraction(3, 2))
    )


def _budgets(argument: Argument, smaller: Fraction = Fraction(4, 3)) -> None:
    argument.cite(
        "thresholds", "collapse iff R^2 >= max((1 - p1)/(1 - p2), p2/p1)", "worst.phase-transition"
    )
    values = [Eq(P1, sympy.Rational(1, 3)), Eq(P2, sympy.Rational(2, 3))]
    argument.inequality(
        "above",
        "R = 3/2: 9/4 >= 2",
        (R**2 * P1 >= P2) & (R**2 * (1 - P2) >= 1 - P1),
        [*values, Eq(R, sympy.Rational(3, 2))],
    )
    argument.inequality(
        "below",
        "R = 4/3: 16/9 < 2",
        sympy.Or(R**2 * P1 < P2, R**2 * (1 - P2) < 1 - P1),
        [*values, Eq(R, sympy.Rational(smaller.numerator, smaller.denominator))],
    )


@claim(
    "worst.singletons",
    where="Several pairs or priors: singletons",
    statement="Let a prior pi give at least two databases positive probability, and let each "
    "secret {X = x}, x one of them, be paired with its complement, in both orders. Then u_y <= "
    "R (1 - pi_x)/pi_y u_x for all u in C_R and all such x, y, and joint leakage is finite for "
    "every number of releases; also with further pairs, and further priors on these databases.",
)
def singletons(check: Check) -> None:
    """Prove that the promise for a singleton bounds every other entry by its own."""
    name = "as stated"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _singleton(argument)
    check.near_miss(
        f"{name}: only the order (x, complement)",
        lambda argument: _singleton(argument, one_sided=True),
    )


def _singleton(argument: Argument, one_sided: bool = False) -> None:
    p = sympy.Symbol("p")
    argument.inequality(
        "one term of the complement",
        "v = u_x, u = u_y, p = pi_x, a = pi_y: <nu, u> = (a u + rest)/(1 - p) <= R v, the rest M "
        "not negative",
        a * u <= R * (1 - p) * v,
        [
            v * (1 - p) <= R * (a * u + M) if one_sided else a * u + M <= R * (1 - p) * v,
            *[M >= 0, a > 0, p > 0, p < 1, u >= 0, v >= 0, R >= 1],
        ],
    )
    argument.cite(
        "finite",
        "inequalities u_y <= kappa u_x for all x, y bound every ratio",
        "worst.finite-equivalences",
    )


@claim(
    "worst.adding-secrets",
    where="Several pairs or priors: singletons",
    statement="Adding secrets can restore composability: X = {a, b1, b2} with positive "
    "probabilities and the secrets {a} and its complement collapses at every level, and with "
    "the secrets {b1}, {b2} and their complements added it does at none.",
)
def adding_secrets(check: Check) -> None:
    """Prove it by the dichotomy and the bound for singletons."""
    name = "as stated"
    p, q = sympy.symbols("p q")
    with check.reading(name, "every full-support prior, every R >= 1") as argument:
        argument.cite(
            "without", "one pair, and not a is possible in two databases", "worst.dichotomy"
        )
        argument.inequality(
            "without: two releases at level 0",
            "p, q > 0 are the probabilities of b1 and b2 given not a. Columns (1, u, 0) and (1, 0, "
            "v) of a, b1, b2 with p u = q v = 1 have the mean 1 under both secrets, and their "
            "product is 1 at a and has the mean 0 given not a",
            Eq(p * u + q * w, 1) & Eq(p * t + q * v, 1) & Eq(p * u * t + q * w * v, 0),
            [Eq(p * u, 1), Eq(q * v, 1), Eq(w, 0), Eq(t, 0), p > 0, q > 0, Eq(p + q, 1)],
        )
        argument.cite("with", "every database is a secret", "worst.singletons")
        argument.inequality(
            "with: no output excludes a database",
            "All entries of a column are within factors of each other, so all are positive or none "
            "is, and so in products",
            sympy.Equivalent(u > 0, v > 0),
            [u <= K * v, v <= K * u, K >= 1, u >= 0, v >= 0],
        )
    check.near_miss(f"{name}: the first pair alone is safe", _alone)


def _alone(argument: Argument) -> None:
    argument.inequality(
        "u_b1 is bounded by u_a",
        "false: only averages of u_b1 and u_b2 against u_a are, and (1, 2, 0) at even odds shows "
        "that u_a is not bounded by u_b2",
        u <= K * w,
        [Eq(2 * u, v + w), u >= 0, v >= 0, w >= 0, K >= 1],
    )
