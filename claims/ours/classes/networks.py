"""Columns on networks of bits: what a bound of their ratios becomes as one bit is eliminated."""

from pufferproof.claims.ours.classes import eliminating as says
from pufferproof.claims.ours.classes import said
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
    "B": "the largest quotient of means of an extreme ray, or 1",
}


@claim("classes.elimination", where="Classes of priors", kind="lemma", says=said.ELIMINATED)
def elimination(check: Check) -> None:
    """Coq adds up over the functions r_z: h is at most R times their sum g, and the mean of each
    grows by at most B.

    A function of records is h at a value u of another record and g at a value v of it, y being the
    record that is eliminated, and p and q its laws given u and v and all others. If y is a bit and
    g(1)/g(0) is within l and m, g is a sum of r_1 = (1, l) and r_2 = (1, m), so that B is the
    larger one of two quotients. Otherwise the r_z are the extreme rays of a cone in which g lies
    [worst.rays-span]. B is 1 if the other record is no neighbour of y.
    """


@claim(
    "classes.elimination-rays",
    where="Classes of priors",
    statement="Let h > 0 be a function of records with h(x_j = u) <= R_j(u, v) h(x_j = v) for all "
    "j, u and v and all values of the other records, and let h' be its mean over the "
    "record y, given its neighbours. Then h'(x_j = u) <= R_j(u, v) B h'(x_j = v), where B "
    "is 1 if j is no neighbour of y, else the largest E[r | u, x]/E[r | v, x] over the "
    "values x of the other neighbours and the extreme rays r of the cone of all f >= 0 "
    "with f(a) <= R_y(a, b) f(b). If R_y(a, c) <= R_y(a, b) R_y(b, c) then equations r(a) "
    "= R_y(a, b) r(b) along a spanning tree give r, in which no value is on both sides.",
    kind="lemma",
    says={"bits": says.ELIMINATION, "any number of values": says.VALUES},
)
def elimination_rays(check: Check) -> None:
    """Prove it: two means of one function in a cone, whose quotient is largest at a ray.

    Bits. The function h at x_j = u is at most R_j(u, v) times that at v, for both values of y: what
    is left is the quotient of two means of f = h(x_j = v), and (p0 + p1 F) - B (q0 + q1 F) is
    linear in F = f1/f0.

    Any number of values. f lies in the cone, and is a finite sum of its rays [worst.rays-span]: B
    bounds E[r | u, x]/E[r | v, x] of every ray. A ray is given by equations that connect all
    values. Those of a and b, and of b and c, give that of a and c: choose one value of every class
    of values that equations lead from, and none lead to from outside; those from chosen to other
    values connect all, and some of them are a spanning tree.
    """
