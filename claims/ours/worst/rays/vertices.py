"""The largest joint leakage is attained at extreme rays of the cones of columns, one for each
release.

An extreme ray is a vector u of the cone such that u = v + w with v, w in the cone forces v and w to
be multiples of u. For fixed other columns the ratio <mu, u o z> / <nu, u o z> is a quotient of two
linear forms in u, so that a sum of columns never does better than the best of its terms. Ratios are
compared as products: 0/0 is no violation and a/0 is infinite.
"""

from sympy import Eq, Equivalent, Ne, Or

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
from pufferproof.claims.ours.worst.statements import rays as says
from pufferproof.claims.registry import Check, claim

ANY_NUMBER = f"{ALL_SIZES}, any number of releases"

u, v, w = letters(
    "u v w", "entries of columns, or of sums or products of columns, at one database", at_least(0)
)
t = letter("t", "a factor of columns", above(0))
slack = letter("slack", "the value at u of an inequality that is not tight there", above(0))
slope = letter("slope", "the value of that inequality at a direction")
z = letter("z", "the entry of the direction w in which u moves")
forth, back = letters("forth back", "how far u moves along the direction, and against it")
d = letter("d", "the entry of u at a second database", above(0))
y, x = letters("y x", "the entries of v, no multiple of u, at the first database and at the second")
c = letter("c", "halfway between the quotients of the entries of v and u")
steep = letter("steep", "a bound of the slopes")
p, q = letters("p q", "coefficients of an unknown in two equations; or factors of a vector")
h, k = letters("h k", "two unknowns")
f, g = letters("f g", "what else is in the two equations")

R = letter("R", "e to the level", at_least(1))
L = letter("L", "the largest ratio at a tuple of rays", at_least(1))
S = letter("S", "a ratio smaller than L")
M, N = letters(
    "M N",
    "sums of <mu, r>, <nu, r> over the first products r of rays; or <mu, u>, <nu, u>",
    at_least(0),
)
m, n = letters(
    "m n",
    "<mu, r>, <nu, r> of one column or of the next product r; or P(A | s), P(A | s')",
    at_least(0),
)
P = letter("P", "t_1 .. t_K, the product of the factors of the columns", above(0))
a = letter("a", "mu_x", at_least(0))
joint = letter("joint", "the sum over the first x of mu_x times two entries of a joint output")
product = letter("product", "the same sum for the entries of two columns")
e = letter("e", "by how much probabilities of the union may be off")


@claim(
    "worst.rays-span",
    where="Theorem A",
    statement="Every vector of a cone {u >= 0 : A u <= 0} is a finite sum of extreme rays of it, "
    "and there are finitely many extreme rays up to scale.",
    kind="lemma",
    says=says.RAYS_SPAN,
)
def rays_span(check: Check) -> None:
    """Prove it by splitting along a direction that keeps what is tight, which makes one
    inequality more tight.
    """
    without_signs = Edit("both directions end", without=[u > 0, u >= 0])
    proved(check, "splitting", ALL_SIZES, _split, **{"without u >= 0": without_signs})


def _split(proof: Proof) -> None:
    proof.identity(
        "a point between two others",
        "If u is no extreme ray then u = v + v' with v no multiple of u; every inequality (row or "
        "sign) tight at u is tight at v and v', hence at w = v - c u, for any c. With z an entry "
        "of w, u lies between u + t w and u - s w, t = forth and s = back, entry by entry",
        u,
        (back * (u + forth * z) + forth * (u - back * z)) / (back + forth),
    )
    _bounded(proof)
    proof.inequality(
        "the first step at which an inequality becomes tight",
        "An inequality with slack > 0 at u and slope < 0, its value at w, becomes tight at t = "
        "slack/(-slope) > 0; before that it holds. At the smallest such t over the finitely many "
        "inequalities all hold, and one more than at u is tight. So splitting ends",
        (forth > 0) & Eq(slack + forth * slope, 0) & Or(back > forth, slack + back * slope >= 0),
        [slope < 0, Eq(forth * slope, -slack), back >= 0],
    )
    proof.inequality(
        "finitely many rays",
        "Two rays u, v with the same tight inequalities are proportional: for small t > 0, t slope "
        "<= slack wherever slope > 0, the vector u - t v keeps every inequality that is not tight "
        "(with slack at u, slope at v), and tight ones stay tight, so u = t v + (u - t v)",
        slack - t * slope >= 0,
        [Or(slope <= 0, t * slope <= slack)],
    )


def _bounded(proof: Proof) -> None:
    proof.inequality(
        "both directions end",
        "u and v have entries u, y and d, x where v is no multiple of u. With c halfway between "
        "the quotients y/u and x/d, w = v - c u has a negative and a positive entry: u - s w and u "
        "+ t w leave u >= 0. (Where u has an entry 0, v has 0 too)",
        (y - c * u < 0) & (x - c * d > 0),
        [y * d < x * u, u > 0, Eq(2 * c * u * d, y * d + x * u)],
    )


@claim(
    "worst.ray-support",
    where="One pair, one prior",
    statement="Let R >= 1, and let each database have positive probability under some law of T. An "
    "extreme ray of C_R has at most 1 + k non-zero entries, k the number of (unordered pair, "
    "prior) in T; for a one-sided T at most 1 + its length.",
    kind="lemma",
    says=says.RAY_SUPPORT,
)
def ray_support(check: Check) -> None:
    """Prove that of the two orders of a pair only one can bind, and count unknowns against
    equations.
    """
    proved(
        check,
        "one binding row for each pair and prior",
        ALL_SIZES,
        _one_row_each,
        **{
            "R < 1": Edit("both orders tight", without=R > 1, given=[R >= 1, R < 2]),
            "as many equations as unknowns": Edit(
                "two unknowns, no equation",
                instead=Ne(h * g, k * f),
                given=[Eq(p * h + q * k, 0), Eq(p * f + q * g, 0), Ne(p, 0)],
            ),
        },
    )


def _one_row_each(proof: Proof) -> None:
    _one_binds(proof)
    _perturbed(proof)
    _kernel(proof)


def _one_binds(proof: Proof) -> None:
    proof.inequality(
        "both orders tight",
        "If <mu, u> = m = R n and n = R m with R > 1 then m = n = 0: u vanishes on both supports, "
        "and neither row has an entry on the support of u",
        Eq(m, 0) & Eq(n, 0),
        [Eq(m, R * n), Eq(n, R * m), R > 1],
    )
    proof.inequality(
        "R = 1",
        "Then both orders are the same equation m = n",
        Equivalent(Eq(m - R * n, 0), Eq(R * m - n, 0)),
        [Eq(R, 1)],
    )


def _perturbed(proof: Proof) -> None:
    proof.identity(
        "halves",
        "If w lives on the support of u and is orthogonal to every tight row, then for small t > 0 "
        "u + t w and u - t w lie in the cone (tight rows stay tight, others stay slack, positive "
        "entries stay positive), and u is half their sum: an extreme ray admits only multiples of "
        "u as w",
        "u",
        "(u + t*z)/2 + (u - t*z)/2",
    )
    proof.inequality(
        "small enough",
        "A slack row, or a positive entry, with value slack > 0 at u and slope at w: t steep <= "
        "slack, steep >= |slope|",
        (slack + t * slope >= 0) & (slack - t * slope >= 0),
        [t * steep <= slack, slope <= steep, -slope <= steep],
    )


def _kernel(proof: Proof) -> None:
    proof.inequality(
        "eliminating an unknown",
        "An equation p h + f = 0 with p not 0, f the other terms, determines h; in the other "
        "equations q h + g = 0 becomes p g - q f = 0. So k equations in k + 2 unknowns are reduced "
        "to k - 1 in k + 1, or an equation has no term left",
        Equivalent(Eq(q * h + g, 0), Eq(p * g - q * f, 0)),
        [Eq(p * h + f, 0), Ne(p, 0)],
    )
    proof.inequality(
        "two unknowns, no equation",
        "With no equation left the vectors (1, 0) and (0, 1) are not both multiples p (h, k), q "
        "(h, k) of the same vector: one of them is no multiple of u",
        Or(Ne(p * h, 1), Ne(p * k, 0), Ne(q * h, 0), Ne(q * k, 1)),
    )


@claim(
    "worst.vertices",
    where="Theorem A",
    statement="L*_K(R_1 .. R_K) is the maximum of <mu, r_1 o .. o r_K> / <nu, r_1 o .. o r_K> over "
    "(mu, nu) in T and tuples of extreme rays r_k of the cones of columns that occur, tuples "
    "with 0/0 left out; it is infinite iff some tuple has a positive numerator and the "
    "denominator 0.",
    says={"upper bound": says.UPPER, "attained": says.ATTAINED},
)
def vertices(check: Check) -> None:
    """Prove it from the mediant inequality, one release at a time."""
    smaller = Edit("one more tuple of rays", put={L: L - 1})
    proved(check, "upper bound", ANY_NUMBER, _at_rays, a_smaller_bound=smaller)
    lower = Edit("scale does not matter", put={L * P * N: S * P * N}, given=S < L)
    proved(check, "attained", ANY_NUMBER, _attained, by_any_smaller_ratio=lower)


def _at_rays(proof: Proof) -> None:
    proof.cite("columns", "a joint output is a product of columns", "worst.columns")
    proof.cite(
        "rays",
        "u_k is a finite sum of extreme rays; the product of the sums is the sum over tuples of "
        "products",
        "worst.rays-span",
    )
    proof.summed(
        "one more tuple of rays",
        "L is the largest ratio at a tuple of rays. M and N sum <mu, r> and <nu, r> over the first "
        "products r of rays, with m <= L n for the next: M <= L N. If L is infinite there is "
        "nothing to show",
        so_far=M <= L * N,
        adding={M: m, N: n},
        given=[m <= L * n],
    )
    proof.cite("mediant", "the same with positive weights", "lemma.mediant")


def _attained(proof: Proof) -> None:
    proof.cite(
        "columns that occur", "t_k r_k is a column of a mechanism with two outputs", "worst.lemma0"
    )
    proof.inequality(
        "scale does not matter",
        "At the joint output of these columns both sums are multiplied by P = t_1 .. t_K > 0: the "
        "ratio L of the rays, finite or not, is that of the joint release",
        Equivalent(P * M <= L * P * N, M <= L * N),
    )


@claim(
    "worst.two-outputs",
    where="Theorem A",
    statement="L*_K is attained by K mechanisms with two outputs each; for equal budgets also by "
    "one mechanism with at most K + 1 outputs that is run K times.",
    says={"K mechanisms": says.ATTAINED, "one mechanism": says.ONE_MECHANISM},
)
def two_outputs(check: Check) -> None:
    """Prove that K columns of one cone fit into one mechanism."""
    twice = Edit("K + 1 columns: step", put={t * u <= 1: 2 * t * u <= 1})
    proved(check, "K mechanisms", ALL_SIZES, _one_each, **{"t = 2": edited(_fits, twice)})
    proved(check, "one mechanism", ALL_SIZES, _fits, columns_of_twice_the_size=twice)


def _one_each(proof: Proof) -> None:
    proof.cite("two outputs", "columns t r and 1 - t r for each ray r", "worst.lemma0")
    proof.cite("attained", "by a tuple of rays, of ratio M / N", "worst.vertices")
    proof.inequality(
        "the joint output of the first columns",
        "Its column is t times the product of the rays, t the product of the K factors: the same "
        "ratio",
        Equivalent(t * M <= L * t * N, M <= L * N),
    )


def _fits(proof: Proof) -> None:
    proof.cite(
        "the sum of rays occurs",
        "r_1 + .. + r_K lies in the cone of columns that occur, as each does: for some "
        "t > 0 the vector 1 - t (r_1 + .. + r_K) lies in it",
        "worst.lemma0",
    )
    proof.induction(
        "K + 1 columns",
        "v is the sum of the first rays at one database, u >= 0 the entry of the next; entries t u "
        "of each column lie in [0, 1], as t times the whole sum is at most 1",
        base=((t * u <= 1) & (t * u >= 0), [t * u <= 1]),
        step=((t * u <= 1) & (t * v <= 1) & (t * u >= 0), [t * (v + u) <= 1]),
    )
    proof.inequality(
        "the wanted output",
        "Running it K times, the outputs 1, 2, .., K in this order have the columns t r_k: the "
        "ratio is that of the rays",
        Equivalent(t * M <= L * t * N, M <= L * N),
    )


@claim(
    "worst.adaptivity",
    where="Theorem A",
    statement="Let levels R_1 .. R_K be fixed in advance. Choosing the k-th mechanism, of level "
    "R_k, by the outputs before it does not raise the largest joint ratio above L*_K(R_1 .. "
    "R_K).",
    says=says.ADAPTIVITY,
)
def adaptivity(check: Check) -> None:
    """Prove it: each joint output is still a product of K columns, one from each cone."""
    looks = Edit("one column for all databases", without=Eq(w, u))
    proved(check, "pure leakage", ANY_NUMBER, _adaptive, the_choice_may_look_at_the_database=looks)


def _adaptive(proof: Proof) -> None:
    proof.cite(
        "columns",
        "the joint output (y_1 .. y_K) has the product of the columns that were chosen",
        "worst.columns",
    )
    proof.cite(
        "bound",
        "every product of columns, the k-th from the k-th cone, has ratio at most L*_K",
        "worst.vertices",
    )
    proof.summed(
        "one column for all databases",
        "The mechanism is chosen by earlier outputs, not by the database: the next entry at x is w "
        "= u_x, u one column, so joint, the sum of mu_x v_x w, is the sum product of mu_x v_x u_x",
        so_far=Eq(joint, product),
        adding={joint: a * v * w, product: a * v * u},
        given=[Eq(w, u)],
    )


@claim(
    "worst.supports",
    where="Theorem A",
    statement="L*_K is infinite iff some extreme rays, one of each cone of columns that occur, "
    "have a common support that meets supp mu and misses supp nu, for some (mu, nu) in T.",
    says=says.SUPPORTS,
)
def supports(check: Check) -> None:
    """Prove that a sum of terms that are not negative is positive iff one of them is."""
    signed = [
        Edit("a sum is positive iff a term is: step", without=u >= 0),
        Edit("a product is positive iff all factors are", without=[u >= 0, v >= 0]),
    ]
    proved(check, "collapse is a matter of supports", ALL_SIZES, _positive, signed_entries=signed)


def _positive(proof: Proof) -> None:
    proof.cite("rays", "L*_K is infinite iff it is at a tuple of rays", "worst.vertices")
    proof.induction(
        "a sum is positive iff a term is",
        "M sums mu_x u_x over the first databases; for the next a = mu_x and u = u_x: M + a u > 0 "
        "iff M > 0 or a, u > 0",
        base=(Equivalent(a * u > 0, (a > 0) & (u > 0)), []),
        step=(Equivalent(M + a * u > 0, Or(M > 0, (a > 0) & (u > 0))), [M >= 0]),
    )
    proof.inequality(
        "a product is positive iff all factors are",
        "u = product of the entries of the first rays at x, v that of the next",
        Equivalent(u * v > 0, (u > 0) & (v > 0)),
    )


@claim(
    "worst.general-outputs",
    where="Theorem A",
    statement="Mechanisms with infinite output spaces do not exceed L*_K: P(A | s) <= L*_K P(A | "
    "s') for every measurable set A of joint outputs of independent mechanisms on finitely "
    "many databases.",
    assumes=["the largest ratio is taken over measurable events; independent releases"],
    says=says.GENERAL_OUTPUTS,
)
def general_outputs(check: Check) -> None:
    """Prove it for rectangles and finite unions of them, and by approximation for every event."""
    scope = "all finite database spaces, all measurable output spaces"
    half = Edit("the limit", put={m <= L * n: m <= L * n / 2})
    proved(check, "measurable events", scope, _events, half_the_bound=half)


def _events(proof: Proof) -> None:
    proof.cite(
        "rectangles",
        "For events A_k the vectors (P_k(A_k | x))_x are columns, A_k and its complement being two "
        "outputs; A_1 x .. x A_K has their product",
        "worst.vertices",
    )
    proof.cite("finite unions of disjoint rectangles", "sums keep the bound", "lemma.mediant")
    proof.assume(
        "approximation",
        "For every event and every e > 0 some finite union of disjoint rectangles differs from it "
        "by an event of probability at most e under each of the finitely many laws of the joint "
        "output given a database",
        "standard measure theory: the rectangles generate the product sigma-algebra",
    )
    proof.inequality(
        "the limit",
        "m = P(A | s) > L n, n = P(A | s'), would leave room: with e = (m - L n)/(2 (1 + L)) the "
        "union, of probabilities M and N within e, would exceed the bound too, M > L N",
        Or(m <= L * n, M > L * N),
        [Eq(2 * e * (1 + L), m - L * n), m - M <= e, N - n <= e],
    )
