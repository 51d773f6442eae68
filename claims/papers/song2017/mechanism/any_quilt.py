"""The quilt mechanism as one linked argument: noise, averages over the nearby records, and the
influence of the quilt.
"""

from sympy import Abs, And, Eq, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, POSITIVE, X, Y, Z

p = letter("p", "P(X_N=this, X_R=x_R|X_Q=x_Q, X_i=a)", at_least(0), real=True)
q = letter("q", "P(X_N=this, X_R=x_R|X_Q=x_Q, X_i=b)", at_least(0), real=True)
f = letter("f", "the value of F at this and x, where X_i = a", real=True)
g = letter("g", "the value of F at this and x, where X_i = b", real=True)
t = letter("t", "P(X_Q=x_Q|X_i=a)", at_least(0), real=True)
r = letter("r", "P(X_Q=x_Q|X_i=b)", at_least(0), real=True)
o = letter("o", "the density of the other release at its output given x", at_least(0), real=True)
n = letter("n", "how many records of X_N the query F reads", at_least(0), real=True)
s = letter("sigma", "the scale of the noise", above(0), real=True)
w = letter("w", "an output", real=True)
eps = letter("epsilon", "the level", real=True)
e = letter("e", "a bound of the influence of the quilt", at_least(0), real=True)
u, v = letters("u v", "the exponent of the noise at w", real=True)
z = letter("z", "what the influence leaves of the level", real=True)
k, h = letters("k h", "the density of the noise at w, without its constant", real=True)
K = letter("K", "e to what the influence leaves of the level", real=True)
R = letter("R", "e to the bound of the influence", real=True)
E = letter("E", "e to the level", real=True)
P = letter("P", "P(X_R=x_R|X_Q=x_Q, X_i=a)", real=True)
Q = letter("Q", "P(X_R=x_R|X_Q=x_Q, X_i=b), which is P if X_Q is a quilt", real=True)
A = letter("A", "the density of w and x_R given x_Q and X_i = a", real=True)
B = letter("B", "the density of w and x_R given x_Q and X_i = b", real=True)
J = letter("J", "the density of both outputs given X_i = a", real=True)
L = letter("L", "the density of both outputs given X_i = b", real=True)


def _released() -> Linked:
    """Hypotheses and definitions."""
    of_x = "the values x of the quilt X_Q and the remote records X_R"
    one = Linked(
        "the quilt mechanism",
        {"i": "the values of X_N, where X_i = a", "j": "those where X_i = b", "x": of_x},
        {w: "", s: "", n: "", e: "", eps: "", p: "i x", f: "i x", q: "j x", g: "j x"}
        | {t: "x", r: "x", o: "x"},
        near={q: P, f: w, g: w, n: Abs(w), eps: e + n / s, t: r},
    )
    one.given("Lipschitz", Abs(f - g) <= n)
    one.given("the scale", n <= s * (eps - e))
    one.sum(P, "i", p)
    one.sum(Q, "j", q)
    one.given("separated", P <= Q)
    one.let(R, exp(e))
    one.given("influence", t <= R * r)
    one.let(u, -Abs(w - f) / s)
    one.let(v, -Abs(w - g) / s)
    one.let(z, eps - e)
    one.let(k, exp(u))
    one.let(h, exp(v))
    one.let(K, exp(z))
    one.let(E, exp(eps))
    one.sum(A, "i", p * k)
    one.sum(B, "j", q * h)
    one.sum(J, "x", o * t * A)
    one.sum(L, "x", o * r * B)
    return one


def _any_quilt() -> Linked:
    one = _released()
    one.by("exp grows", GROWS, {X: u, Y: v, Z: z})
    one.by("exp adds", ADDS, {X: eps, Y: z, Z: e}, "let z")
    one.by("K is positive", POSITIVE, {X: z})
    one.by("h is positive", POSITIVE, {X: v})
    one.step("exponents", u <= v + z, "Lipschitz", "the scale", "let u", "let v", "let z")
    one.step("noise", k <= K * h, "exponents", "exp grows")
    one.along("one value of X_N", "j", p * k * Q <= K * p * B, "noise")
    one.along("averages", "i", A * Q <= K * P * B, "one value of X_N")
    one.along("no mass", "i", Or(P > 0, And(Eq(P, 0), Eq(A, 0))))
    one.along("not negative", "j", B >= 0, "h is positive")
    uses = "averages", "separated", "no mass", "not negative", "K is positive"
    one.step("given the quilt", A <= K * B, *uses)
    uses = "given the quilt", "influence", "exp adds", "not negative", "K is positive"
    one.step("at x", t * A <= E * r * B, *uses)
    one.along("both outputs", "x", J <= E * L, "at x")
    return one.conclude("the level", And(t * A <= E * r * B, J <= E * L), "at x", "both outputs")


ANY_QUILT = _any_quilt()
"""Densities of an output and x, and of both outputs, differ by at most a factor e^epsilon."""
