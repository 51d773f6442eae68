"""Columns on networks of bits: what a bound of their ratios becomes as one bit is eliminated."""

from pufferproof.claims.ours.classes import eliminating as says
from pufferproof.claims.registry import Check, claim

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
    """Prove it: two means of one function, whose quotient is largest at an end.

    As stated. h at x_j = u is at most R_j(u, v) times that at v, for both values of y: what is left
    is the quotient of two means of f = h(x_j = v), and (p0 + p1 F) - B (q0 + q1 F) is linear in F =
    f1/f0.

    Any number of values. f lies in the cone, and is a finite sum of its rays [worst.rays-span]: B
    bounds E[r | u, x]/E[r | v, x] of every ray. A ray is given by equations that connect all
    values. Those of a and b, and of b and c, give that of a and c: choose one value of every class
    of values that equations lead from, and none lead to from outside; those from chosen to other
    values connect all, and some of them are a spanning tree.
    """
