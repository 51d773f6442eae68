"""Queries that are Lipschitz, II-D; averages and noise of the quilt mechanism, appendices A-A and
A-B.
"""

from sympy import Abs, And, Eq, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import GROWS, X, Y, Z

p = letter("p", "a weight", at_least(0), real=True)
q = letter("q", "a weight", at_least(0), real=True)
u = letter("u", "a number for each x", real=True)
v = letter("v", "a number for each y", real=True)
C = letter("C", "a factor", real=True)
P, Q = letters("P Q", "the sum of these weights", real=True)
A, B = letters("A B", "a weighted sum", real=True)

c = letter("c", "by how much this coordinate changes with this record", real=True)
m = letter("m", "how much the query changes at most with this record, in L1", real=True)
w = letter("w", "an output", real=True)
a = letter("a", "the value of the query before", real=True)
s = letter("sigma", "the scale of the noise", above(0), real=True)
eps = letter("epsilon", "the level", real=True)
e = letter("e", "the influence that is left to the remote records", real=True)
b = letter("b", "by how much the query changes with this record, in L1", real=True)
B_all = letter("b_all", "the sum of these changes", real=True)
t = letter("t", "the sum of the changes of this coordinate", real=True)
T = letter("T", "the sum of the changes of all coordinates", real=True)
d = letter("d", "the change of this coordinate with all records", real=True)
D = letter("D", "the change of the query with all records, in L1", real=True)
n = letter("n", "the most that the query changes with all records", real=True)
f, g = letters("f g", "the distance of w from the value of the query, in L1", real=True)
x, y = letters("x y", "the exponent of the noise at w", real=True)
z = letter("z", "what is left of the level", real=True)
k, h = letters("k h", "the density of the noise at w, without its constant", real=True)
K = letter("K", "e to what is left of the level", real=True)

F = letter("F", "this coordinate of the query", real=True)
G = letter("G", "the same of a database with another value of one record", real=True)
L = letter("L", "the constant", above(0), real=True)
change = letter("change", "by how much the query changes, in L1", real=True)
scaled = letter("scaled", "by how much this coordinate changes, over L", real=True)
scaled_change = letter("scaled_change", "by how much the query over L changes, in L1", real=True)


def _rescaled() -> Linked:
    one = Linked(
        "a Lipschitz query",
        {"i": "the coordinates of the query"},
        {F: "i", G: "i", L: ""},
        near={L: change},
    )
    one.sum(change, "i", Abs(F - G))
    one.given("Lipschitz", change <= L)
    one.let(scaled, F / L - G / L)
    one.sum(scaled_change, "i", Abs(scaled))
    one.step("a coordinate", Eq(L * Abs(scaled), Abs(F - G)), "let scaled")
    one.along("all coordinates", "i", Eq(L * scaled_change, change), "a coordinate")
    return one.conclude("1-Lipschitz", scaled_change <= 1, "all coordinates", "Lipschitz")


def _constant() -> Linked:
    one = Linked(
        "a query with L = 0",
        {"i": "the coordinates of the query"},
        {F: "i", G: "i"},
        near={F: G},
    )
    one.sum(change, "i", Abs(F - G))
    one.given("L = 0", change <= 0)
    one.term("a coordinate", change)
    then = And(Eq(F, G), change <= 1)
    return one.conclude("no change", then, "a coordinate", "L = 0")


def _averages() -> Linked:
    one = Linked(
        "averages of two functions",
        {"i": "the values x", "j": "the values y"},
        {p: "i", u: "i", q: "j", v: "j", C: ""},
    )
    one.given("close", Or(Eq(p, 0), Eq(q, 0), u <= C * v))
    one.sum(A, "i", p * u)
    one.sum(P, "i", p)
    one.sum(B, "j", q * v)
    one.sum(Q, "j", q)
    one.along("one x", "j", p * u * Q <= C * p * B, "close")
    one.along("every x", "i", A * Q <= C * P * B, "one x")
    return one.conclude("averages", A * Q <= C * P * B, "every x")


def _noise() -> Linked:
    one = Linked(
        "noise and nearby records",
        {"r": "the records of X_N", "i": "the coordinates of the query"},
        {c: "r i", m: "r", w: "i", a: "i", s: "", eps: "", e: ""},
        near={m: b, eps: e + n / s},
    )
    one.sum(b, "i", Abs(c))
    one.given("one record", b <= m)
    one.sum(d, "r", c)
    one.sum(n, "r", m)
    one.given("the scale", n <= s * (eps - e))
    one.sum(f, "i", Abs(w - a))
    one.sum(g, "i", Abs(w - a - d))
    one.let(x, -f / s)
    one.let(y, -g / s)
    one.let(z, eps - e)
    one.let(k, exp(x))
    one.let(h, exp(y))
    one.let(K, exp(z))
    one.sum(t, "r", Abs(c))
    one.sum(T, "i", t)
    one.sum(B_all, "r", b)
    one.sum(D, "i", Abs(d))
    one.by("exp grows", GROWS, {X: x, Y: y, Z: z})
    one.along("one coordinate", "r", Abs(d) <= t)
    one.along("coordinates", "i", D <= T, "one coordinate")
    one.swap("in either order", T, B_all)
    one.along("records", "r", B_all <= n, "one record")
    one.along("norms", "i", g <= f + D)
    uses = "norms", "coordinates", "in either order", "records", "the scale"
    one.step("exponents", x <= y + z, *uses, "let x", "let y", "let z")
    return one.conclude("densities", k <= K * h, "exponents", "exp grows")


RESCALED, CONSTANT = _rescaled(), _constant()
AVERAGES, NOISE = _averages(), _noise()
