"""The largest joint leakage is attained at extreme rays of the cones of columns, one for each
release.

An extreme ray is a vector u of the cone such that u = v + w with v, w in the cone forces v and w to
be multiples of u. For fixed other columns the ratio <mu, u o z> / <nu, u o z> is a quotient of two
linear forms in u, so that a sum of columns never does better than the best of its terms. Ratios are
compared as products: 0/0 is no violation and a/0 is infinite.
"""

from pufferproof.claims.ours.worst.statements import rays as says
from pufferproof.claims.registry import Check, claim


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

    A point between two others: If u is no extreme ray then u = v + v' with v no multiple of u;
    every inequality (row or sign) tight at u is tight at v and v', hence at w = v - c u, for any c.
    With z an entry of w, u lies between u + t w and u - s w, t = forth and s = back, entry by
    entry. Both directions end: u and v have entries u, y and d, x where v is no multiple of u. With
    c halfway between the quotients y/u and x/d, w = v - c u has a negative and a positive entry: u
    - s w and u + t w leave u >= 0. (Where u has an entry 0, v has 0 too). The first step at which
    an inequality becomes tight: An inequality with slack > 0 at u and slope < 0, its value at w,
    becomes tight at t = slack/(-slope) > 0; before that it holds. At the smallest such t over the
    finitely many inequalities all hold, and one more than at u is tight. So splitting ends.
    Finitely many rays: Two rays u, v with the same tight inequalities are proportional: for small t
    > 0, t slope <= slack wherever slope > 0, the vector u - t v keeps every inequality that is not
    tight (with slack at u, slope at v), and tight ones stay tight, so u = t v + (u - t v).
    """
    check.tried("splitting")


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

    Both orders tight: If <mu, u> = m = R n and n = R m with R > 1 then m = n = 0: u vanishes on
    both supports, and neither row has an entry on the support of u. R = 1: Then both orders are the
    same equation m = n. Halves: If w lives on the support of u and is orthogonal to every tight
    row, then for small t > 0 u + t w and u - t w lie in the cone (tight rows stay tight, others
    stay slack, positive entries stay positive), and u is half their sum: an extreme ray admits only
    multiples of u as w. Small enough: A slack row, or a positive entry, with value slack > 0 at u
    and slope at w: t steep <= slack, steep >= |slope|. Eliminating an unknown: An equation p h + f
    = 0 with p not 0, f the other terms, determines h; in the other equations q h + g = 0 becomes p
    g - q f = 0. So k equations in k + 2 unknowns are reduced to k - 1 in k + 1, or an equation has
    no term left. Two unknowns, no equation: With no equation left the vectors (1, 0) and (0, 1) are
    not both multiples p (h, k), q (h, k) of the same vector: one of them is no multiple of u.
    """
    check.tried("one binding row for each pair and prior")


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
    """Prove it from the mediant inequality, one release at a time.

    Upper bound. Columns: a joint output is a product of columns [worst.columns]. Rays: u_k is a
    finite sum of extreme rays; the product of the sums is the sum over tuples of products
    [worst.rays-span]. One more tuple of rays: L is the largest ratio at a tuple of rays. M and N
    sum <mu, r> and <nu, r> over the first products r of rays, with m <= L n for the next: M <= L N.
    If L is infinite there is nothing to show. Mediant: the same with positive weights
    [lemma.mediant].

    Attained. Columns that occur: t_k r_k is a column of a mechanism with two outputs
    [worst.lemma0]. Scale does not matter: At the joint output of these columns both sums are
    multiplied by P = t_1 .. t_K > 0: the ratio L of the rays, finite or not, is that of the joint
    release.
    """
    check.tried("upper bound")
    check.tried("attained")


@claim(
    "worst.two-outputs",
    where="Theorem A",
    statement="L*_K is attained by K mechanisms with two outputs each; for equal budgets also by "
    "one mechanism with at most K + 1 outputs that is run K times.",
    says={"K mechanisms": says.ATTAINED, "one mechanism": says.ONE_MECHANISM},
)
def two_outputs(check: Check) -> None:
    """Prove that K columns of one cone fit into one mechanism.

    K mechanisms. Two outputs: columns t r and 1 - t r for each ray r [worst.lemma0]. Attained: by a
    tuple of rays, of ratio M / N [worst.vertices]. The joint output of the first columns: Its
    column is t times the product of the rays, t the product of the K factors: the same ratio.

    One mechanism. The sum of rays occurs: r_1 + .. + r_K lies in the cone of columns that occur, as
    each does: for some t > 0 the vector 1 - t (r_1 + .. + r_K) lies in it [worst.lemma0]. K + 1
    columns: v is the sum of the first rays at one database, u >= 0 the entry of the next; entries t
    u of each column lie in [0, 1], as t times the whole sum is at most 1. The wanted output:
    Running it K times, the outputs 1, 2, .., K in this order have the columns t r_k: the ratio is
    that of the rays.
    """
    check.tried("K mechanisms")
    check.tried("one mechanism")


@claim(
    "worst.adaptivity",
    where="Theorem A",
    statement="Let levels R_1 .. R_K be fixed in advance. Choosing the k-th mechanism, of level "
    "R_k, by the outputs before it does not raise the largest joint ratio above L*_K(R_1 .. "
    "R_K).",
    says=says.ADAPTIVITY,
)
def adaptivity(check: Check) -> None:
    """Prove it: each joint output is still a product of K columns, one from each cone.

    Columns: the joint output (y_1 .. y_K) has the product of the columns that were chosen
    [worst.columns]. Bound: every product of columns, the k-th from the k-th cone, has ratio at most
    L*_K [worst.vertices]. One column for all databases: The mechanism is chosen by earlier outputs,
    not by the database: the next entry at x is w = u_x, u one column, so joint, the sum of mu_x v_x
    w, is the sum product of mu_x v_x u_x.
    """
    check.tried("pure leakage")


@claim(
    "worst.supports",
    where="Theorem A",
    statement="L*_K is infinite iff some extreme rays, one of each cone of columns that occur, "
    "have a common support that meets supp mu and misses supp nu, for some (mu, nu) in T.",
    says=says.SUPPORTS,
)
def supports(check: Check) -> None:
    """Prove that a sum of terms that are not negative is positive iff one of them is.

    Rays: L*_K is infinite iff it is at a tuple of rays [worst.vertices]. A sum is positive iff a
    term is: M sums mu_x u_x over the first databases; for the next a = mu_x and u = u_x: M + a u >
    0 iff M > 0 or a, u > 0. A product is positive iff all factors are: u = product of the entries
    of the first rays at x, v that of the next.
    """
    check.tried("collapse is a matter of supports")


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
    """Prove it for rectangles and finite unions of them, and by approximation for every event.

    Rectangles: For events A_k the vectors (P_k(A_k | x))_x are columns, A_k and its complement
    being two outputs; A_1 x .. x A_K has their product [worst.vertices]. Finite unions of disjoint
    rectangles: sums keep the bound [lemma.mediant]. Approximation: For every event and every e > 0
    some finite union of disjoint rectangles differs from it by an event of probability at most e
    under each of the finitely many laws of the joint output given a database. The limit: m = P(A |
    s) > L n, n = P(A | s'), would leave room: with e = (m - L n)/(2 (1 + L)) the union, of
    probabilities M and N within e, would exceed the bound too, M > L N.
    """
    check.tried("measurable events")
