"""Columns that satisfy NfC form a convex cone, as a linked argument: of sums of columns, as after
post-processing, the geometric means are at least the sums of geometric means.
"""

from sympy import And, Eq, Or

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, POSITIVE, TANGENT, X, Y, Z

kappa = letter("kappa", "the likelihood of the new output given w", at_least(0), real=True)
u = letter("u", "the column of w at x", at_least(0), real=True)
v = letter("v", "the column of w at y", at_least(0), real=True)
s = letter("s", "the logarithm of v where v is not 0", real=True)
b = letter("b", "a weight", at_least(0), real=True)
R = letter("R", "the level", at_least(0), real=True)
z = letter("z", "the logarithm of V, or above it", real=True)
T = letter("T", "the sum of these weights", real=True)
t = letter("t", "1 by this sum", real=True)
beta = letter("beta", "the weight of y for x, where those of one x sum to 1", real=True)
F = letter("F", "v where it is not 0", real=True)
m = letter("m", "the logarithm of G", real=True)
G = letter("G", "the geometric mean of the column of w", real=True)
U = letter("U", "the new column at x", real=True)
V = letter("V", "the new column at y", real=True)
H = letter("H", "V, or above it", real=True)
M = letter("M", "the logarithm of J", real=True)
J = letter("J", "the geometric mean of the new column, or above it", real=True)

e = letter("e", "how far the column of w is below the new one at y, in logarithms", real=True)
d = letter("d", "the mean of this", real=True)
k = letter("k", "what is above this mean", real=True)
O = letter("O", "e to how far the column of w is below the new one at y", real=True)
h = letter("h", "e to the mean of this", real=True)
K = letter("K", "e to what is above this mean", real=True)
i = letter("i", "1 by H", real=True)
l = letter("l", "the logarithm of i", real=True)
o = letter("o", "the exponent 0", real=True)
N = letter("N", "e to the exponent 0", real=True)
L = letter("L", "the sum of the weights beta", real=True)
E = letter("E", "the sum of beta e", real=True)
f = letter("f", "the mean of O", real=True)
n = letter("n", "the mean of v by H", real=True)
A, B, C, D = letters("A B C D", "a sum of kappa beta v by H", real=True)


def _columns() -> Linked:
    one = Linked(
        "the outputs of which a new output is made",
        {"w": "the old outputs", "x": "the databases of s", "y": "the databases of s'"},
        {kappa: "w", v: "w y", s: "w y", b: "x y", R: "", u: "w x", z: "y"},
        near={v: F, u: R * G},
        spare={"weights": "weights that are all 0 have no sum to divide by"},
    )
    one.sum(T, "y", b)
    one.given("weights", T > 0)
    one.let(t, 1 / T)
    one.let(beta, b * t)
    one.let(F, exp(s))
    one.sum(m, "y", beta * s)
    one.let(G, exp(m))
    one.sum(U, "w", kappa * u)
    one.sum(V, "w", kappa * v)
    one.let(H, exp(z))
    one.sum(M, "y", beta * z)
    one.let(J, exp(M))
    one.given("logarithms at y", Or(Eq(v, 0), Eq(v, F)))
    one.given("logarithms of V", V <= H)
    one.given("levels", u <= R * G)
    one.given("supports", Or(Eq(u, 0), Eq(b, 0), v > 0))
    return one


def _means(one: Linked) -> None:
    """The geometric mean of a column is at most J times the mean of v by H."""
    one.let(e, s - z)
    one.let(d, m - M)
    one.let(k, e - d)
    one.let(l, -z)
    one.let(o, z + l)
    for power, exponent in ((O, e), (h, d), (K, k), (i, l), (N, o)):
        one.let(power, exp(exponent))
    one.sum(L, "y", beta)
    one.sum(E, "y", beta * e)
    one.sum(f, "y", beta * O)
    one.sum(n, "y", beta * v * i)
    one.step("beta >= 0", beta >= 0, "let beta", "let t", "weights")
    one.along("weights add", "y", Eq(L, t * T), "let beta")
    one.step("to 1", Eq(L, 1), "weights add", "let t", "weights")
    one.along("mean of e", "y", Eq(E, m - M), "let e")
    one.by("tangent", TANGENT, {X: k})
    one.by("O", ADDS, {X: e, Y: d, Z: k})
    one.by("G", ADDS, {X: m, Y: M, Z: d})
    one.by("s - z", ADDS, {X: e, Y: s, Z: l})
    one.by("h > 0", POSITIVE, {X: d})
    one.by("J > 0", POSITIVE, {X: M})
    one.by("i > 0", POSITIVE, {X: l})
    uses: tuple[str, ...] = "tangent", "O", "let k", "h > 0", "beta >= 0"
    one.step("at y", beta * O >= h * (beta + beta * e - beta * d), *uses)
    one.along("at all y", "y", f >= h * (L + E - L * d), "at y")
    one.step("means", h <= f, "at all y", "to 1", "mean of e", "let d")
    uses = "s - z", "let e", "let l", "supports", "logarithms at y", "let beta"
    one.step("v by H", Or(Eq(u, 0), Eq(beta * O, beta * v * i)), *uses)
    one.along("column by H", "y", Or(Eq(u, 0), Eq(f, n)), "v by H")
    one.along("n >= 0", "y", n >= 0, "beta >= 0", "i > 0")
    uses = "levels", "G", "let d", "means", "column by H", "n >= 0", "J > 0"
    one.step("one output", u <= R * J * n, *uses)


def _cone() -> Linked:
    one = _columns()
    _means(one)
    one.sum(A, "y", kappa * beta * v * i)
    one.sum(B, "w", A)
    one.sum(C, "w", kappa * beta * v * i)
    one.sum(D, "y", C)
    one.along("of w", "y", Eq(A, kappa * n))
    one.along("all outputs", "w", U <= R * J * B, "one output", "of w")
    one.swap("either order", B, D)
    one.along("of y", "w", Eq(C, beta * V * i))
    one.by("e^0", ADDS, {X: o, Y: z, Z: l}, "let o")
    one.by("e^0 again", ADDS, {X: z, Y: z, Z: o})
    uses: tuple[str, ...] = (
        "e^0",
        "e^0 again",
        "let o",
        "let l",
        "i > 0",
        "logarithms of V",
        "beta >= 0",
        "of y",
    )
    one.step("V by H", C <= beta, *uses)
    one.along("all y", "y", D <= L, "V by H")
    support = Or(Eq(U, 0), Eq(b, 0), V > 0)
    one.along("joint support", "w", And(V >= 0, support), "supports")
    uses = "all outputs", "either order", "all y", "to 1", "J > 0", "joint support"
    return one.conclude("the new column", And(U <= R * J, support), *uses)


CONE = _cone()
"""A sum of columns that satisfy an NfC condition satisfies it, with the same weights and level."""
