"""Columns on networks of bits: what a bound of their ratios becomes as one bit is eliminated."""

from sympy import Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.classes import eliminating as says
from pufferproof.claims.registry import Check, claim

p0, p1 = letters(
    "p0 p1", "P(y = 0) and P(y = 1) given x_j = u and the other neighbours", at_least(0)
)
q0, q1 = letters("q0 q1", "the same given x_j = v", at_least(0))
h0, h1 = letters("h0 h1", "h at x_j = u, for y = 0 and 1", above(0))
f0, f1 = letters("f0 f1", "h at x_j = v, for y = 0 and 1", above(0))
R = letter("R", "R_j(u, v)", above(0))
B = letter("B", "the largest quotient of means at both ends of F", above(0))
p = letter("p", "P(y | u, x) at the next value of y", at_least(0))
h, f = letters("h f", "h at x_j = u and at x_j = v, for the next value of y", above(0))
A, C = letters("A C", "the sums of p h and of p f over the first values of y", at_least(0))
M, N = letters("M N", "sums of E[r | u, x] and of E[r | v, x] over the first rays", at_least(0))
m, n = letters("m n", "the same of the next ray", at_least(0))
fa, fb, fc = letters("fa fb fc", "a ray at values a, b and c of y", above(0))
ab, bc, ac = letters("ab bc ac", "R_y(a, b), R_y(b, c) and R_y(a, c)", above(0))
low, high = letters("low high", "1/R_y(0, 1) and R_y(1, 0)", above(0))

NOTATION = {
    "h": "a function of bits, positive: a column",
    "u, v": "values of x_j",
    "R_j(u, v)": "a bound of h at x_j = u against h at x_j = v, all other bits the same",
    "y": "the bit that is eliminated",
    "x": "the other neighbours of y",
    "p(y | u, x)": "the law of y given x_j = u and x",
    "F": "f(1)/f(0) of a function f of y",
    "a, b, c": "values of y",
    "r": "an extreme ray of the cone of functions f of y with f(a) <= R_y(a, b) f(b)",
}


@claim(
    "classes.elimination",
    where="Classes of priors",
    statement="Let h > 0 be a function of bits with h(x_j = u) <= R_j(u, v) h(x_j = v) for all j, "
    "u and v and all values of the other bits, and let h' be its mean over the bit y, given its "
    "neighbours. Then h'(x_j = u) <= R_j(u, v) B h'(x_j = v), where B is 1 if j is no neighbour of "
    "y, else the largest (p(0 | u, x) + p(1 | u, x) F)/(p(0 | v, x) + p(1 | v, x) F) over F in "
    "{1/R_y(0, 1), R_y(1, 0)} and the values x of the other neighbours, whatever law p has given "
    "values that are impossible. Of records with any number of values the same holds for B = max "
    "E[r | u, x]/E[r | v, x] over x and the extreme rays r of the cone of all f >= 0 with f(a) <= "
    "R_y(a, b) f(b). If R_y(a, c) <= R_y(a, b) R_y(b, c) then equations r(a) = R_y(a, b) r(b) "
    "along a spanning tree give r, in which no value is on both sides.",
    kind="lemma",
    says={"as stated": says.ELIMINATION, "any number of values": says.VALUES},
)
def elimination(check: Check) -> None:
    """Prove it: two means of one function, whose quotient is largest at an end."""
    proved(
        check,
        "as stated",
        "all positive functions and laws of bits",
        _elimination,
        a_larger_column=Edit("one function", without=h0 <= R * f0),
        one_end=Edit("largest at an end", without=p0 + p1 * high <= B * (q0 + q1 * high)),
    )
    proved(
        check,
        "any number of values",
        "all positive functions and laws of finitely many values",
        _of_values,
        a_smaller_bound=Edit("a sum of rays", put={B: B / 2}),
        any_bounds=Edit("equations that follow", without=ac <= ab * bc),
    )


def _elimination(proof: Proof) -> None:
    proof.inequality(
        "one function",
        "h at x_j = u is at most R_j(u, v) times that at v, for both values of y: what is left is "
        "the quotient of two means of f = h(x_j = v)",
        p0 * h0 + p1 * h1 <= R * (p0 * f0 + p1 * f1),
        [h0 <= R * f0, h1 <= R * f1],
    )
    proof.inequality(
        "largest at an end",
        "F = f1/f0 lies between both ends, and (p0 + p1 F) - B (q0 + q1 F) is linear in F",
        p0 * f0 + p1 * f1 <= B * (q0 * f0 + q1 * f1),
        [
            p0 + p1 * low <= B * (q0 + q1 * low),
            p0 + p1 * high <= B * (q0 + q1 * high),
            low * f0 <= f1,
            f1 <= high * f0,
        ],
    )


def _of_values(proof: Proof) -> None:
    proof.summed(
        "one function",
        "h at x_j = u is at most R_j(u, v) times that at v, for every value of y: what is left is "
        "the quotient of two means of f = h(x_j = v)",
        so_far=A <= R * C,
        adding={A: p * h, C: p * f},
        given=[h <= R * f],
    )
    proof.cite("rays", "f lies in the cone, and is a finite sum of its rays", "worst.rays-span")
    proof.summed(
        "a sum of rays",
        "B bounds E[r | u, x]/E[r | v, x] of every ray, so that of the sum f",
        so_far=M <= B * N,
        adding={M: m, N: n},
        given=[m <= B * n],
    )
    proof.inequality(
        "equations that follow",
        "A ray is given by equations that connect all values. Those of a and b, and of b and c, "
        "give that of a and c. Choose one value of every class of values that equations lead "
        "from, and none lead to from outside: those from chosen to other values connect all, and "
        "some of them are a spanning tree",
        fa >= ac * fc,
        [Eq(fa, ab * fb), Eq(fb, bc * fc), ac <= ab * bc],
    )
