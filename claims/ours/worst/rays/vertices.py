"""The largest joint leakage is attained at extreme rays of the cones of columns, one for each
release.

An extreme ray is a vector u of the cone such that u = v + w with v, w in the cone forces v and w to
be multiples of u. For fixed other columns the ratio <mu, u o z> / <nu, u o z> is a quotient of two
linear forms in u, so that a sum of columns never does better than the best of its terms. Ratios are
compared as products: 0/0 is no violation and a/0 is infinite.
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

ALL_SIZES = "all finite sizes"
R, S, L, m, n, M, N, t, s = sympy.symbols("R S L m n M N t s")


@claim(
    "worst.rays-span",
    where="Theorem A",
    statement="Every vector of a cone {u >= 0 : A u <= 0} is a finite sum of extreme rays of it, "
    "and there are finitely many extreme rays up to scale.",
    kind="lemma",
)
def rays_span(check: Check) -> None:
    """Prove it by splitting along a direction that keeps what is tight, which makes one
    inequality more tight.
    """
    name = "splitting"
    with check.reading(name, ALL_SIZES) as argument:
        _split(argument)
    check.near_miss(f"{name}: without u >= 0", lambda argument: _bounded(argument, signed=True))


def _split(argument: Argument) -> None:
    u, w = sympy.symbols("u w")
    argument.identity(
        "a point between two others",
        "If u is no extreme ray then u = v + v' with v no multiple of u; every inequality (row or "
        "sign) tight at u is tight at v and v', hence at w = v - c u, for any c. u lies between u "
        "+ t w and u - s w, entry by entry",
        u,
        (s * (u + t * w) + t * (u - s * w)) / (s + t),
    )
    _bounded(argument)
    argument.inequality(
        "the first step at which an inequality becomes tight",
        "An inequality with value m > 0 at u and n at w, n < 0, becomes tight at t = m/(-n) > 0; "
        "before that it holds. At the smallest such t over the finitely many inequalities all "
        "hold, and one more than at u is tight. So splitting ends",
        (t > 0) & Eq(m + t * n, 0) & sympy.Or(s > t, m + s * n >= 0),
        [m > 0, n < 0, Eq(t * n, -m), s >= 0],
    )
    argument.inequality(
        "finitely many rays",
        "Two rays u, v with the same tight inequalities are proportional: for small t > 0, t n <= "
        "m wherever n > 0, the vector u - t v keeps every inequality that is not tight (value m > "
        "0 at u, n at v), and tight ones stay tight, so u = t v + (u - t v)",
        m - t * n >= 0,
        [m > 0, t > 0, sympy.Or(n <= 0, t * n <= m)],
    )


def _bounded(argument: Argument, signed: bool = False) -> None:
    u, v, c, d, x = sympy.symbols("u v c d x")
    argument.inequality(
        "both directions end",
        "u and v have entries u, v and d, x where v is no multiple of u. With c halfway between "
        "the quotients v/u and x/d, w = v - c u has a negative and a positive entry: u - s w and u "
        "+ t w leave u >= 0. (Where u has an entry 0, v has 0 too)",
        (v - c * u < 0) & (x - c * d > 0),
        [v * d < x * u, d > 0, *([] if signed else [u > 0]), Eq(2 * c * u * d, v * d + x * u)],
    )


@claim(
    "worst.ray-support",
    where="One pair, one prior",
    statement="Let R >= 1, and let each database have positive probability under some law of T. An "
    "extreme ray of C_R has at most 1 + k non-zero entries, k the number of (unordered pair, "
    "prior) in T; for a one-sided T at most 1 + its length.",
    kind="lemma",
)
def ray_support(check: Check) -> None:
    """Prove that of the two orders of a pair only one can bind, and count unknowns against
    equations.
    """
    name = "one binding row for each pair and prior"
    with check.reading(name, ALL_SIZES) as argument:
        _one_binds(argument)
        _perturbed(argument)
        _kernel(argument)
    check.near_miss(f"{name}: R < 1", lambda argument: _one_binds(argument, below=True))
    check.near_miss(
        f"{name}: as many equations as unknowns", lambda argument: _kernel(argument, square=True)
    )


def _one_binds(argument: Argument, below: bool = False) -> None:
    argument.inequality(
        "both orders tight",
        "If <mu, u> = m = R n and n = R m with R > 1 then m = n = 0: u vanishes on both supports, "
        "and neither row has an entry on the support of u",
        Eq(m, 0) & Eq(n, 0),
        [Eq(m, R * n), Eq(n, R * m), m >= 0, n >= 0, (R >= 1) & (R < 2) if below else (R > 1)],
    )
    argument.inequality(
        "R = 1",
        "Then both orders are the same equation m = n",
        sympy.Equivalent(Eq(m - R * n, 0), Eq(R * m - n, 0)),
        [Eq(R, 1), m >= 0, n >= 0],
    )


def _perturbed(argument: Argument) -> None:
    argument.identity(
        "halves",
        "If w lives on the support of u and is orthogonal to every tight row, then for small t > 0 "
        "u + t w and u - t w lie in the cone (tight rows stay tight, others stay slack, positive "
        "entries stay positive), and u is half their sum: an extreme ray admits only multiples of "
        "u as w",
        "u",
        "(u + t*w)/2 + (u - t*w)/2",
    )
    argument.inequality(
        "small enough",
        "A slack row, or a positive entry, with value m > 0 at u and n at w: t L <= m, L >= |n|",
        (m + t * n >= 0) & (m - t * n >= 0),
        [m > 0, t > 0, t * L <= m, n <= L, -n <= L],
    )


def _kernel(argument: Argument, square: bool = False) -> None:
    a, b, x, y, r, z = sympy.symbols("a b x y r z")
    argument.inequality(
        "eliminating an unknown",
        "An equation a x + r = 0 with a not 0, r the other terms, determines x; in the other "
        "equations b x + z = 0 becomes a z - b r = 0. So k equations in k + 2 unknowns are reduced "
        "to k - 1 in k + 1, or an equation has no term left",
        sympy.Equivalent(Eq(b * x + z, 0), Eq(a * z - b * r, 0)),
        [Eq(a * x + r, 0), sympy.Ne(a, 0)],
    )
    if square:
        independent, equations = (
            sympy.Ne(x * z, y * r),
            [Eq(a * x + b * y, 0), Eq(a * r + b * z, 0), sympy.Ne(a, 0)],
        )
    else:
        independent, equations = (
            sympy.Or(
                sympy.Ne(a * x, 1), sympy.Ne(a * y, 0), sympy.Ne(b * x, 0), sympy.Ne(b * y, 1)
            ),
            [],
        )
    argument.inequality(
        "two unknowns, no equation",
        "With k = 0 the vectors (1, 0) and (0, 1) are not both multiples a (x, y), b (x, y) of the "
        "same vector: one of them is no multiple of u",
        independent,
        equations,
    )


@claim(
    "worst.vertices",
    where="Theorem A",
    statement="L*_K(R_1 .. R_K) is the maximum of <mu, r_1 o .. o r_K> / <nu, r_1 o .. o r_K> over "
    "(mu, nu) in T and tuples of extreme rays r_k of the cones of columns that occur, tuples "
    "with 0/0 left out; it is infinite iff some tuple has a positive numerator and the "
    "denominator 0.",
)
def vertices(check: Check) -> None:
    """Prove it from the mediant inequality, one release at a time."""
    name = "upper bound"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _at_rays(argument)
    check.near_miss(f"{name}: a smaller bound", lambda argument: _at_rays(argument, slack=True))
    name = "attained"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _attained(argument)
    check.near_miss(
        f"{name}: by any smaller ratio", lambda argument: _attained(argument, lower=True)
    )


def _at_rays(argument: Argument, slack: bool = False) -> None:
    argument.cite("columns", "a joint output is a product of columns", "worst.columns")
    argument.cite(
        "rays",
        "u_k is a finite sum of extreme rays; the product of the sums is the sum over tuples of "
        "products",
        "worst.rays-span",
    )
    argument.induction(
        "one more tuple of rays",
        "L is the largest ratio at a tuple of rays. M and N sum <mu, r> and <nu, r> over the first "
        "products r of rays, with m <= L n for the next: M <= L N. If L is infinite there is "
        "nothing to show",
        base=(m <= (L - 1 if slack else L) * n, [m <= L * n, m >= 0, n >= 0, L >= 1]),
        step=(
            M + m <= (L - 1 if slack else L) * (N + n),
            [M <= L * N, m <= L * n, m >= 0, n >= 0, M >= 0, N >= 0, L >= 1],
        ),
    )
    argument.cite("mediant", "the same with positive weights", "lemma.mediant")


def _attained(argument: Argument, lower: bool = False) -> None:
    P = sympy.Symbol("P")
    argument.cite(
        "columns that occur", "t_k r_k is a column of a mechanism with two outputs", "worst.lemma0"
    )
    argument.inequality(
        "scale does not matter",
        "At the joint output of these columns both sums are multiplied by P = t_1 .. t_K > 0: the "
        "ratio L of the rays, finite or not, is that of the joint release",
        sympy.Equivalent(P * M <= (S if lower else L) * P * N, M <= L * N),
        [P > 0, M >= 0, N >= 0, L >= 1, *([S < L] if lower else [])],
    )


@claim(
    "worst.two-outputs",
    where="Theorem A",
    statement="L*_K is attained by K mechanisms with two outputs each; for equal budgets also by "
    "one mechanism with at most K + 1 outputs that is run K times.",
)
def two_outputs(check: Check) -> None:
    """Prove that K columns of one cone fit into one mechanism."""
    name = "K mechanisms"
    with check.reading(name, ALL_SIZES) as argument:
        argument.cite("two outputs", "columns t r and 1 - t r for each ray r", "worst.lemma0")
        argument.cite("attained", "by a tuple of rays, of ratio M / N", "worst.vertices")
        argument.inequality(
            "the joint output of the first columns",
            "Its column is t times the product of the rays, t the product of the K factors: the "
            "same ratio",
            sympy.Equivalent(t * M <= L * t * N, M <= L * N),
            [t > 0, M >= 0, N >= 0, L >= 1],
        )
    check.near_miss(f"{name}: t = 2", lambda argument: _fits(argument, twice=True))
    name = "one mechanism"
    with check.reading(name, ALL_SIZES) as argument:
        _fits(argument)
    check.near_miss(
        f"{name}: columns of twice the size", lambda argument: _fits(argument, twice=True)
    )


def _fits(argument: Argument, twice: bool = False) -> None:
    u, v = sympy.symbols("u v")
    argument.cite(
        "the sum of rays occurs",
        "r_1 + .. + r_K lies in the cone of columns that occur, as each does: for some "
        "t > 0 the vector 1 - t (r_1 + .. + r_K) lies in it",
        "worst.lemma0",
    )
    argument.induction(
        "K + 1 columns",
        "v is the sum of the first rays at one database, u >= 0 the entry of the next; entries t u "
        "of each column lie in [0, 1], as t times the whole sum is at most 1",
        base=((t * u <= 1) & (t * u >= 0), [u >= 0, t > 0, t * u <= 1]),
        step=(
            ((2 if twice else 1) * t * u <= 1) & (t * v <= 1) & (t * u >= 0),
            [v >= 0, u >= 0, t > 0, t * (v + u) <= 1],
        ),
    )
    argument.inequality(
        "the wanted output",
        "Running it K times, the outputs 1, 2, .., K in this order have the columns t r_k: the "
        "ratio is that of the rays",
        sympy.Equivalent(t * M <= L * t * N, M <= L * N),
        [t > 0, M >= 0, N >= 0, L >= 1],
    )


@claim(
    "worst.adaptivity",
    where="Theorem A",
    statement="Let levels R_1 .. R_K be fixed in advance. Choosing the k-th mechanism, of level "
    "R_k, by the outputs before it does not raise the largest joint ratio above L*_K(R_1 .. "
    "R_K).",
)
def adaptivity(check: Check) -> None:
    """Prove it: each joint output is still a product of K columns, one from each cone."""
    name = "pure leakage"
    with check.reading(name, f"{ALL_SIZES}, any number of releases") as argument:
        _adaptive(argument)
    check.near_miss(
        f"{name}: the choice may look at the database",
        lambda argument: _adaptive(argument, looks=True),
    )


def _adaptive(argument: Argument, looks: bool = False) -> None:
    u, v, w = sympy.symbols("u v w")
    argument.cite(
        "columns",
        "the joint output (y_1 .. y_K) has the product of the columns that were chosen",
        "worst.columns",
    )
    argument.cite(
        "bound",
        "every product of columns, the k-th from the k-th cone, has ratio at most L*_K",
        "worst.vertices",
    )
    argument.inequality(
        "one column for all databases",
        "The mechanism is chosen by earlier outputs, not by the database: the next entry at x is w "
        "= u_x, u one column",
        Eq(v * w, v * u),
        [v >= 0, u >= 0, w >= 0, *([] if looks else [Eq(w, u)])],
    )


@claim(
    "worst.supports",
    where="Theorem A",
    statement="L*_K is infinite iff some extreme rays, one of each cone of columns that occur, "
    "have a common support that meets supp mu and misses supp nu, for some (mu, nu) in T.",
)
def supports(check: Check) -> None:
    """Prove that a sum of terms that are not negative is positive iff one of them is."""
    name = "collapse is a matter of supports"
    with check.reading(name, ALL_SIZES) as argument:
        argument.cite("rays", "L*_K is infinite iff it is at a tuple of rays", "worst.vertices")
        _positive(argument)
    check.near_miss(f"{name}: signed entries", lambda argument: _positive(argument, signed=True))


def _positive(argument: Argument, signed: bool = False) -> None:
    a, u, v = sympy.symbols("a u v")
    entries = [a >= 0] if signed else [a >= 0, u >= 0, v >= 0]
    argument.induction(
        "a sum is positive iff a term is",
        "M sums mu_x u_x over the first databases; for the next a = mu_x and u = u_x: M + a u > 0 "
        "iff M > 0 or a, u > 0",
        base=(sympy.Equivalent(a * u > 0, (a > 0) & (u > 0)), entries),
        step=(
            sympy.Equivalent(M + a * u > 0, sympy.Or(M > 0, (a > 0) & (u > 0))),
            [M >= 0, *entries],
        ),
    )
    argument.inequality(
        "a product is positive iff all factors are",
        "u = product of the entries of the first rays at x, v that of the next",
        sympy.Equivalent(u * v > 0, (u > 0) & (v > 0)),
        entries,
    )


@claim(
    "worst.general-outputs",
    where="Theorem A",
    statement="Mechanisms with infinite output spaces do not exceed L*_K: P(A | s) <= L*_K P(A | "
    "s') for every measurable set A of joint outputs of independent mechanisms on finitely "
    "many databases.",
    assumes=["the largest ratio is taken over measurable events; independent releases"],
)
def general_outputs(check: Check) -> None:
    """Prove it for rectangles and finite unions of them, and by approximation for every event."""
    name = "measurable events"
    with check.reading(
        name, "all finite database spaces, all measurable output spaces"
    ) as argument:
        _events(argument)
    check.near_miss(f"{name}: half the bound", lambda argument: _events(argument, half=True))


def _events(argument: Argument, half: bool = False) -> None:
    e = sympy.Symbol("e")
    argument.cite(
        "rectangles",
        "For events A_k the vectors (P_k(A_k | x))_x are columns, A_k and its complement being two "
        "outputs; A_1 x .. x A_K has their product",
        "worst.vertices",
    )
    argument.cite("finite unions of disjoint rectangles", "sums keep the bound", "lemma.mediant")
    argument.assume(
        "approximation",
        "For every event and every e > 0 some finite union of disjoint rectangles differs from it "
        "by an event of probability at most e under each of the finitely many laws of the joint "
        "output given a database",
        "standard measure theory: the rectangles generate the product sigma-algebra",
    )
    bound = L / 2 if half else L
    argument.inequality(
        "the limit",
        "m = P(A | s) > L n, n = P(A | s'), would leave room: with e = (m - L n)/(2 (1 + L)) the "
        "union, of probabilities M and N within e, would exceed the bound too, M > L N",
        sympy.Or(m <= bound * n, M > L * N),
        [
            Eq(2 * e * (1 + L), m - L * n),
            m - M <= e,
            N - n <= e,
            L >= 1,
            m >= 0,
            n >= 0,
            M >= 0,
            N >= 0,
        ],
    )
