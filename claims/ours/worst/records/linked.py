"""Families of columns that are closed under products and powers, as one linked argument on the
logarithms of entries.
"""

from sympy import And, Eq, Max, S

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, POSITIVE, X, Y, Z

B = letter("B", "the coefficient in an inequality of the family of the entry at x", real=True)
d = letter("d", "how many levels the inequality allows", real=True)
a = letter("a", "the logarithm of the entry at x of a column of release k", real=True)
h = letter("h", "the logarithm of the entry at x of a column of the whole level", real=True)
rho = letter("rho", "the logarithm of the whole level", at_least(0), real=True)
t = letter("t", "the share of release k in it", at_least(0), real=True)
T = letter("T", "the sum of shares", real=True)
r = letter("r", "the logarithm of the level of release k", real=True)
R = letter("R", "the sum of these logarithms", real=True)
A = letter("A", "the left side for the column of release k", real=True)
H = letter("H", "the left side for the column of the whole level", real=True)
s = letter("s", "the logarithm of the entry of the product", real=True)
G = letter("G", "the left side for the product of the columns of releases", real=True)
b = letter("b", "the logarithm of the entry of a part", real=True)
P = letter("P", "the left side for a part", real=True)
Bs = letter("Bs", "a term of the left side, summed over releases", real=True)
Gx = letter("Gx", "the left side, summed over releases first", real=True)
Gk = letter("Gk", "the left side, summed over the entries first", real=True)
c = letter("c", "the sum of the logarithms of parts", real=True)
u = letter("u", "the entry of the column of release k", real=True)
U = letter("U", "the product of these entries", real=True)
E = letter("E", "e to the logarithm of the entry of the product", real=True)
v = letter("v", "the entry of the part for release k", real=True)
V = letter("V", "the product of these parts", real=True)
C = letter("C", "e to the sum of the logarithms of parts", real=True)
F = letter("F", "the entry of the column of the whole level", real=True)
o = letter("O", "the exponent 0", real=True)
e = letter("e", "e to the exponent 0", real=True)


def _columns() -> Linked:
    """Hypotheses and definitions."""
    one = Linked(
        "products and parts of columns",
        {"i": "the inequalities of a family", "x": "the databases", "k": "the releases"},
        {B: "i x", a: "k x", h: "x", rho: "", t: "k", d: "i"},
        near={t: t / T, d: Max(A / r, H / rho)},
    )
    one.let(r, t * rho)
    one.sum(T, "k", t)
    one.sum(A, "x", B * a)
    one.sum(H, "x", B * h)
    one.given("shares", Eq(T, 1, evaluate=False))
    one.given("columns of releases", A <= d * r)
    one.given("a column of the whole level", H <= d * rho)
    one.sum(R, "k", r)
    one.sum(s, "k", a)
    one.sum(G, "x", B * s)
    one.sum(Bs, "k", B * a)
    one.sum(Gx, "x", Bs)
    one.sum(Gk, "k", A)
    one.let(b, t * h)
    one.sum(P, "x", B * b)
    one.sum(c, "k", b)
    for power, of in ((u, a), (E, s), (v, b), (C, c), (F, h)):
        one.let(power, exp(of))
    one.product(U, "k", u)
    one.product(V, "k", v)
    one.let(o, S.Zero)
    one.let(e, exp(o))
    return one


def _logarithms() -> Linked:
    one = _columns()
    one.along("each entry", "k", Eq(Bs, B * s))
    one.along("all entries", "x", Eq(Gx, G), "each entry")
    one.swap("in either order", Gx, Gk)
    one.along("all releases", "k", Gk <= d * R, "columns of releases")
    one.along("all levels", "k", Eq(R, rho * T), "let r")
    uses = "all entries", "in either order", "all releases", "all levels", "shares"
    one.step("products", G <= d * rho, *uses)
    one.along("a part", "x", Eq(P, t * H), "let b")
    one.step("parts", P <= d * r, "a part", "a column of the whole level", "let r")
    one.along("sums of parts", "k", Eq(c, h * T), "let b")
    one.exponentials("entries of products", E, U)
    one.exponentials("products of parts", C, V)
    one.by("e^0", ADDS, {X: o, Y: o, Z: o}, "let O")
    one.by("e^0 > 0", POSITIVE, {X: o})
    one.by("the same", ADDS, {X: c, Y: h, Z: o})
    kept = "products of parts", "the same", "sums of parts", "shares", "let O", "e^0", "e^0 > 0"
    one.step("whole columns", Eq(V, F), *kept)
    whole = And(G <= d * rho, P <= d * r, Eq(U, E), Eq(V, F))
    return one.conclude("both", whole, "products", "parts", "entries of products", "whole columns")


LOGARITHMS = _logarithms()
"""Products of columns are columns of the whole level, and these are products of columns."""
