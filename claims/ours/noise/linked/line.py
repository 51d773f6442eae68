"""Gaussian noise on the points of a line, as a linked argument."""

from sympy import And, Eq

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, X, Y, Z

p = letter("p", "the probability of this tau given s", at_least(0), real=True)
q = letter("q", "the probability of this tau given s'", at_least(0), real=True)
t = letter("tau", "the place of the value v + tau d of the query", real=True)
v = letter("v", "a coordinate of a point of the line", real=True)
d = letter("d", "a coordinate of the direction of the line", real=True)
w = letter("w", "a coordinate of an output", real=True)
a = letter("a", "1 by the variance of the noise of this coordinate", above(0), real=True)
P = letter("P", "1 by the variance of the noise on tau", real=True)
Q = letter("Q", "P times the output of tau", real=True)
S = letter("S", "the square of the distance of w from v, in units of the noise", real=True)
y = letter("y", "the output of tau that says as much as w", real=True)
E = letter("E", "the square of the distance of w, in units of the noise", real=True)
x, z = letters("x z", "the exponent of the noise at w, or at y", real=True)
c = letter("c", "what both exponents differ by", real=True)
k = letter("k", "the density of the noise at w, without its constant", real=True)
h = letter("h", "the density of the noise on tau at y, without its constant", real=True)
C = letter("C", "e to what both exponents differ by", real=True)
N, D = letters("N D", "the likelihood of w, given s or s'", real=True)
n, m = letters("n m", "the likelihood of y, given s or s'", real=True)
r = letter("r", "an output of tau", real=True)
o = letter("o", "a coordinate of the output v + r d", real=True)
R = letter("R", "the product of o - v and d, in units of the noise", real=True)


def _line() -> Linked:
    one = Linked(
        "Gaussian noise on a line",
        {"i": "the values of the query", "j": "its coordinates"},
        {p: "i", q: "i", t: "i", v: "j", d: "j", a: "j", w: "j", r: ""},
        near={t: d, w: v + d},
        spare={"the direction": "without a direction there is no line"},
    )
    one.sum(P, "j", a * d**2)
    one.given("the direction", P > 0)
    one.sum(Q, "j", a * d * (w - v))
    one.let(y, Q / P)
    one.sum(E, "j", a * (w - v - t * d) ** 2)
    one.let(x, -E / 2)
    one.let(z, -P * (t - y) ** 2 / 2)
    one.let(k, exp(x))
    one.let(h, exp(z))
    one.sum(N, "i", p * k)
    one.sum(D, "i", q * k)
    one.sum(n, "i", p * h)
    one.sum(m, "i", q * h)
    one.let(o, v + r * d)
    one.sum(R, "j", a * d * (o - v))
    one.sum(S, "j", a * (w - v) ** 2)
    one.let(c, (Q**2 / P - S) / 2)
    one.let(C, exp(c))
    one.by("exp adds", ADDS, {X: x, Y: c, Z: z})
    one.along("the square", "j", Eq(E, P * t**2 - 2 * Q * t + S))
    uses = "the square", "the direction", "let x", "let y", "let z", "let c"
    one.step("completed", Eq(x, c + z), *uses)
    one.step("densities", Eq(k, C * h), "completed", "exp adds")
    one.along("given s", "i", Eq(N, C * n), "densities")
    one.along("given s'", "i", Eq(D, C * m), "densities")
    one.along("every output", "j", Eq(R, r * P), "let o")
    both = And(Eq(N * m, D * n), Eq(R, r * P))
    return one.conclude("the ratio", both, "given s", "given s'", "every output")


LINE = _line()
"""The output w has the ratio of the output y of tau, and every output r of tau is one of these."""
