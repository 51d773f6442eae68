"""When joint leakage stays finite for every number of releases: inequalities of
differential-privacy type are implied.

(a) L*_K is finite for all K; (b) it is for K = max |supp nu|; (c) for every (mu, nu) and x in supp
  mu there is y in supp nu with u_x > 0 => u_y > 0 on the cone; (d) for these, u_x <= kappa u_y on
  the cone. The cone is that of columns that occur, the same for each release; with different
  budgets the largest one decides finiteness from above.
"""

from collections.abc import Sequence
from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Table
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
u, v, k, L, m, n, M, N, K = sympy.symbols("u v k L m n M N K")


@claim(
    "worst.finite-equivalences",
    where="Theorem B",
    statement="For mechanisms of one level R >= 1 these are equivalent: (a) L*_K is finite for all "
    "K; (b) L*_K is finite for K = max |supp nu| over (mu, nu) in T; (c) for every (mu, nu) in "
    "T and x in supp mu some y in supp nu has u_y > 0 for all u with u_x > 0 in the cone of "
    "columns that occur; (d) for every (mu, nu) in T and x in supp mu some y in supp nu and "
    "some constant kappa have u_x <= kappa u_y for all u in that cone. In (b) the largest "
    "|supp nu| over the (mu, nu) with supp mu not inside supp nu is enough.",
)
def finite_equivalences(check: Check) -> None:
    """Prove (a) => (b) => (c) => (d) => (a)."""
    name = "(b) => (c): what (c) lacks gives a collapse"
    with check.reading(name, ALL_SIZES) as argument:
        _collapse(argument)
    check.near_miss(f"{name}: one release fewer", lambda argument: _collapse(argument, fewer=True))
    name = "(c) => (d): finitely many rays"
    with check.reading(name, ALL_SIZES) as argument:
        _kappa(argument)
    check.near_miss(f"{name}: kappa = R", lambda argument: _kappa(argument, small=True))
    name = "(d) => (a): an explicit bound"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _bounded(argument)
    check.near_miss(f"{name}: kappa not multiplied", lambda argument: _bounded(argument, once=True))


def _collapse(argument: Argument, fewer: bool = False) -> None:
    z, w = sympy.symbols("z w")
    argument.cite("columns", "products of K columns occur at a joint output", "worst.vertices")
    argument.induction(
        "the product is positive at x",
        "If (c) fails at (mu, nu) and x, each y in supp nu has a column u(y) with u_x > 0 = u_y: v "
        "is the product at x of the first of them, u the entry of the next",
        base=(u > 0, [u > 0]),
        step=(v * u > 0, [v > 0, u > 0]),
    )
    argument.induction(
        "and zero at each y so far",
        "z is the product at one of the y so far, w >= 0 the entry of the next column there; at "
        "the next y the product v of the columns so far meets the entry 0",
        base=(Eq(u, 0), [Eq(u, 0)]),
        step=(
            Eq(z * w, 0) & Eq(v * u, 0),
            [Eq(z, 0), w >= 0, v >= 0, *([u >= 0] if fewer else [Eq(u, 0)])],
        ),
    )
    argument.inequality(
        "a collapse at K = |supp nu|",
        "One factor for each y: <mu, w> >= mu_x w_x > 0 with a = m = mu_x, and <nu, w> = 0. "
        "Further releases may be constant: the vector of ones is a column",
        (M > L * N) & (M > 0),
        [M >= m * v, m > 0, v > 0, Eq(N, 0), L >= 1],
    )


def _kappa(argument: Argument, small: bool = False) -> None:
    R = sympy.Symbol("R")
    argument.cite(
        "rays",
        "a column is a finite sum of extreme rays, of which there are finitely many",
        "worst.rays-span",
    )
    bound = R if small else k
    argument.induction(
        "one more ray",
        "kappa = k is the largest u_x/u_y over extreme rays with u_x > 0, where u_y > 0 is known; "
        "M and N sum the entries at x and y of the first rays of a sum, m and n are those of the "
        "next",
        base=(m <= bound * n, [m <= k * n, m >= 0, n >= 0, k >= 0, R >= 1]),
        step=(
            M + m <= bound * (N + n),
            [M <= k * N, m <= k * n, m >= 0, n >= 0, M >= 0, N >= 0, k >= 0, R >= 1],
        ),
    )


def _bounded(argument: Argument, once: bool = False) -> None:
    p, q, c, C, b = sympy.symbols("p q c C b")
    argument.induction(
        "products",
        "v and p are the entries at x and y of a product of columns, q = kappa^K: v <= q p. The "
        "next column has u and c, u <= kappa c",
        base=(u <= k * c, [u <= k * c, u >= 0, c >= 0]),
        step=(
            v * u <= q * (1 if once else k) * p * c,
            [v <= q * p, u <= k * c, u >= 0, v >= 0, c >= 0, p >= 0, q >= 0],
        ),
    )
    argument.inequality(
        "a database of supp nu",
        "nu_y p <= N = <nu, w>, and nu_y >= b, the smallest positive entry of nu: v <= q N/b",
        b * v <= q * N,
        [v <= q * p, c * p <= N, c >= b, b > 0, p >= 0, q >= 0],
    )
    argument.induction(
        "averaging over x",
        "M sums mu_x w_x over the first x, C sums mu_x: b M <= q N C, and C = 1 at the end, so "
        "that L*_K <= kappa^K/b, kappa the largest for the chosen pairs x, y",
        base=(b * m * v <= q * N * m, [b * v <= q * N, m >= 0]),
        step=(b * (M + m * v) <= q * N * (C + m), [b * M <= q * N * C, b * v <= q * N, m >= 0]),
    )


@claim(
    "worst.finite-certificates",
    where="Theorem B",
    statement="kappa u_y - u_x = sum_i lambda_i (R <nu_i, u> - <mu_i, u>) + <sigma, u> as linear "
    "forms, lambda, sigma >= 0, implies u_x <= kappa u_y on C_R; and if for given x, y no such "
    "combination exists for any kappa, some u in C_R has u_x > 0 = u_y.",
    kind="lemma",
)
def finite_certificates(check: Check) -> None:
    """Prove soundness by adding inequalities; completeness from the theorem of the alternative."""
    name = "soundness"
    with check.reading(name, ALL_SIZES) as argument:
        _sound(argument)
    check.near_miss(
        f"{name}: a multiplier of any sign", lambda argument: _sound(argument, signed=True)
    )
    name = "completeness"
    with check.reading(name, ALL_SIZES) as argument:
        _complete(argument)
    check.near_miss(f"{name}: with kappa = 1", lambda argument: _complete(argument, one=True))


def _sound(argument: Argument, signed: bool = False) -> None:
    g, w = sympy.symbols("g w")
    argument.induction(
        "one more multiple of an inequality",
        "M is the combination so far at u, not negative; w >= 0 multiplies the next form, g >= 0 "
        "at u",
        base=(M >= 0, [Eq(M, 0)]),
        step=(M + w * g >= 0, [M >= 0, g >= 0, *([] if signed else [w >= 0])]),
    )
    argument.inequality("conclusion", "M = kappa u_y - u_x", u <= k * v, [Eq(M, k * v - u), M >= 0])


def _complete(argument: Argument, one: bool = False) -> None:
    t = sympy.Symbol("t")
    _kappa(argument)
    argument.inequality(
        "for each larger constant too",
        "for t >= k",
        u <= (1 if one else t) * v,
        [u <= k * v, v >= 0, t >= k, k >= 0],
    )
    argument.assume(
        "Farkas' lemma",
        "A linear inequality that holds on {u >= 0 : <row_i, u> >= 0} is a combination with "
        "weights >= 0 of them",
        "linear programming duality",
    )


@claim(
    "worst.pairwise-not-enough",
    where="Theorem B",
    statement="There is a framework with a collapse number above 2: any two releases within the "
    "budget have finite joint leakage, and some three leak everything. Four databases are the "
    "fewest: the secret {a} against {b1, b2, b3}, three priors that give the b's the "
    "probabilities (1, 2, 2)/5, (2, 1, 2)/5, (2, 2, 1)/5 given not a, e^epsilon = 4/3.",
)
def pairwise_not_enough(check: Check) -> None:
    """Prove that columns vanish at one b at most, that they can at each, and that three
    databases do not suffice.
    """
    name = "two releases are safe, three are not"
    with check.reading(name, "one framework, every mechanism within the budget") as argument:
        _one_zero(argument)
        _three_columns(argument)
    check.near_miss(
        f"{name}: at e^epsilon = 3/2", lambda argument: _one_zero(argument, Fraction(3, 2))
    )
    check.near_miss(
        f"{name}: at e^epsilon = 8/7", lambda argument: _three_columns(argument, Fraction(8, 7))
    )
    name = "three databases are too few"
    with check.reading(name, "every framework") as argument:
        _too_few(argument)
    check.near_miss(f"{name}: four databases too", lambda argument: _too_few(argument, 4))


def triple_framework() -> Framework:
    """Return the framework with collapse number 3 at e^epsilon = 4/3."""
    laws = {"p1": (1, 2, 2), "p2": (2, 1, 2), "p3": (2, 2, 1)}
    names = ("a", "b1", "b2", "b3")
    priors = {
        name: Table(dict(zip(names, [Fraction(1, 2), *(Fraction(w, 10) for w in law)])))
        for name, law in laws.items()
    }
    return Framework(names, {"a": ["a"], "b": list(names[1:])}, [("a", "b")], priors)


def _cone(level: Fraction, a: sympy.Symbol, b: Sequence[sympy.Symbol]) -> list[sympy.Basic]:
    """Return the inequalities of C_R for the three priors, with entries a and b_1, b_2, b_3."""
    R, rows = sympy.Rational(level.numerator, level.denominator), ((1, 2, 2), (2, 1, 2), (2, 2, 1))
    averages = [sum(w * x for w, x in zip(row, b)) for row in rows]
    return [
        a >= 0,
        *(x >= 0 for x in b),
        *(5 * a <= R * s for s in averages),
        *(s <= 5 * R * a for s in averages),
    ]


def _one_zero(argument: Argument, level: Fraction = Fraction(4, 3)) -> None:
    a, b, c, d = sympy.symbols("a b1 b2 b3")
    for zero in ((b, c), (b, d), (c, d)):
        argument.inequality(
            f"no column with a > 0 vanishes at {zero[0]} and {zero[1]}",
            "The averages of the third entry under two of the priors differ by the factor 2 > R^2",
            Eq(a, 0),
            [*_cone(level, a, (b, c, d)), *(Eq(x, 0) for x in zero)],
        )
    argument.inequality(
        "a column with a = 0 vanishes everywhere",
        "so that no product misses a and meets some b, and two columns with a > 0 leave some b: "
        "the ratio is finite",
        Eq(b, 0) & Eq(c, 0) & Eq(d, 0),
        [*_cone(level, a, (b, c, d)), Eq(a, 0)],
    )


def _three_columns(argument: Argument, level: Fraction = Fraction(4, 3)) -> None:
    a, b, c, d, t = sympy.symbols("a b1 b2 b3 t")
    for place, zero in enumerate((b, c, d)):
        values = [Eq(x, 0 if x == zero else 5 * t / 4) for x in (b, c, d)]
        argument.inequality(
            f"a column that vanishes at {zero} only",
            "Entries t at a and 5t/4 at the other two, whose averages are t under one prior and "
            "3t/4 under the two others: the "
            f"product of the three columns is positive at a and zero at every b (column "
            f"{place + 1})",
            sympy.And(*_cone(level, a, (b, c, d)), a > 0),
            [*values, Eq(a, t), t > 0],
        )
    argument.cite("they occur", "each is a column of a mechanism, as R > 1", "worst.lemma0")


def _too_few(argument: Argument, databases: int = 3) -> None:
    argument.cite(
        "the bound K = |supp nu|",
        "if L*_K is finite for K = |supp nu| then for all K",
        "worst.finite-equivalences",
    )
    argument.inequality(
        "a database of supp mu lies outside supp nu",
        "A collapse at (mu, nu) needs x in supp mu outside supp nu, so n = |supp nu| <= |X| - 1; "
        "the collapse number K <= n",
        K <= 2,
        [K <= n, n <= m - 1, m <= databases, K >= 1],
    )
