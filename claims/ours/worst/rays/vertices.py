"""The largest joint leakage is attained at extreme rays of the cones of columns, one for each
release.

An extreme ray is a vector u of the cone such that u = v + w with v, w in the cone forces v and w to
be multiples of u. For fixed other columns the ratio <mu, u o z> / <nu, u o z> is a quotient of two
linear forms in u, so that a sum of columns never does better than the best of its terms. Ratios are
compared as products: 0/0 is no violation and a/0 is infinite.
"""

from pufferproof.claims.ours.worst.rays.said import span
from pufferproof.claims.ours.worst.rays.said import vertices as said
from pufferproof.claims.ours.worst.statements import rays as says
from pufferproof.claims.registry import Check, claim


@claim("worst.rays-span", where="Theorem A", kind="lemma", says=span.RAYS_SPAN)
def rays_span(check: Check) -> None:
    """Coq proves it by adding one inequality at a time (double description).

    Vectors that span the cone of some inequalities give those of one more: the ones that keep it,
    and for each two on both sides of it the sum that meets it. Of finitely many that span, those
    that the others do not span are extreme rays, and each extreme ray is a multiple of one of them.
    """


@claim(
    "worst.ray-support",
    where="One pair, one prior",
    statement="Let R >= 1, and let each database have positive probability under some law of T. An "
    "extreme ray of C_R has at most 1 + k non-zero entries, k the number of (unordered pair, "
    "prior) in T; for a one-sided T at most 1 + its length.",
    kind="lemma",
    says={"one binding row for each pair and prior": says.RAY_SUPPORT},
)
def ray_support(check: Check) -> None:
    """Prove that of the two orders of a pair only one can bind, and count unknowns against
    equations.

    Of two orders of a pair only one can bind: <mu, u> = R <nu, u> and <nu, u> = R <mu, u> with R >
    1 make both 0, and neither row has an entry on the support of u; for R = 1 they are one
    equation. If w lives on the support of u and is orthogonal to every tight row, u is half the sum
    of u + t w and u - t w, which lie in the cone for small t > 0: an extreme ray admits only
    multiples of u as w. So k equations leave at most k + 1 unknowns: each equation eliminates one
    unknown, and with two unknowns and no equation left (1, 0) and (0, 1) are not both multiples of
    u.
    """


@claim(
    "worst.vertices",
    where="Theorem A",
    says=said.VERTICES,
)
def vertices(check: Check) -> None:
    """Coq proves it from the mediant inequality, one release at a time.

    A joint output is a product of columns [worst.columns], each a finite sum of extreme rays
    [worst.rays-span], and the ratio of sums is at most the largest of the ratios [lemma.mediant]. A
    ray is up to scale a column of a mechanism with two outputs [worst.lemma0].
    """


@claim(
    "worst.two-outputs",
    where="Theorem A",
    statement="L*_K is attained by K mechanisms with two outputs each; for equal budgets also by "
    "one mechanism with at most K + 1 outputs that is run K times.",
    says={"K mechanisms": says.ATTAINED, "one mechanism": says.ONE_MECHANISM},
)
def two_outputs(check: Check) -> None:
    """Prove that K columns of one cone fit into one mechanism.

    K mechanisms. Columns t r and 1 - t r for each ray r [worst.lemma0] of a tuple that attains the
    ratio [worst.vertices].

    One mechanism. r_1 + .. + r_K lies in the cone of columns that occur: for some t > 0 so does 1 -
    t (r_1 + .. + r_K) [worst.lemma0]. Running it K times, the outputs 1, 2, .., K in this order
    have the columns t r_k.
    """


@claim("worst.adaptivity", where="Theorem A", says=said.CHOSEN)
def adaptivity(check: Check) -> None:
    """Coq proves that each joint output is still a product of K columns, one from each cone: the
    mechanism is chosen by earlier outputs, not by the database.
    """


@claim("worst.supports", where="Theorem A", says=said.VERTICES)
def supports(check: Check) -> None:
    """Coq proves that finitely many tuples of rays without a collapse have a common bound, and
    that a sum of terms that are not negative is positive iff one of them is.
    """


@claim(
    "worst.general-outputs",
    where="Theorem A",
    statement="Mechanisms with infinite output spaces do not exceed L*_K: P(A | s) <= L*_K P(A | "
    "s') for every measurable set A of joint outputs of independent mechanisms on finitely "
    "many databases.",
    assumes=["the largest ratio is taken over measurable events; independent releases"],
    says={"measurable events": says.GENERAL_OUTPUTS},
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
