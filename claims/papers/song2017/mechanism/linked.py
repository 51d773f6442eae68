"""Averages and noise of the quilt mechanism as linked arguments: appendices A-A and A-B."""

from sympy import Abs, Eq, Or

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

c = letter("c", "by how much the query changes with this record", real=True)
m = letter("m", "how much the query changes at most with this record", real=True)
w = letter("w", "an output", real=True)
a = letter("a", "the value of the query before", real=True)
s = letter("sigma", "the scale of the noise", above(0), real=True)
eps = letter("epsilon", "the level", real=True)
e = letter("e", "the influence that is left to the remote records", real=True)
d = letter("d", "the change of the query with all records", real=True)
n = letter("n", "the most that the query changes with all records", real=True)
x, y = letters("x y", "the exponent of the noise at w", real=True)
z = letter("z", "what is left of the level", real=True)
k, h = letters("k h", "the density of the noise at w, without its constant", real=True)
K = letter("K", "e to what is left of the level", real=True)


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
        {"r": "the records of X_N"},
        {c: "r", m: "r", w: "", a: "", s: "", eps: "", e: ""},
        near={c: m, eps: e + n / s},
    )
    one.given("one record", Abs(c) <= m)
    one.sum(d, "r", c)
    one.sum(n, "r", m)
    one.given("the scale", n <= s * (eps - e))
    one.let(x, -Abs(w - a) / s)
    one.let(y, -Abs(w - a - d) / s)
    one.let(z, eps - e)
    one.let(k, exp(x))
    one.let(h, exp(y))
    one.let(K, exp(z))
    one.by("exp grows", GROWS, {X: x, Y: y, Z: z})
    one.along("all records", "r", Abs(d) <= n, "one record")
    uses = "all records", "the scale", "let x", "let y", "let z"
    one.step("exponents", x <= y + z, *uses)
    return one.conclude("densities", k <= K * h, "exponents", "exp grows")


AVERAGES, NOISE = _averages(), _noise()
