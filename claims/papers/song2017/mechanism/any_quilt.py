"""The quilt mechanism as a linked argument: noise, averages over the nearby records, and the
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
n = letter("n", "how many records of X_N the query F reads", at_least(0), real=True)
s = letter("sigma", "the scale of the noise", above(0), real=True)
w = letter("w", "an output", real=True)
eps = letter("epsilon", "the level", real=True)
e = letter("e", "the influence of the quilt, or a bound of it", at_least(0), real=True)
d = letter("d", "by how much F changes, in L1", real=True)
a, b = letters("a b", "the distance of w from the value of F, in L1", real=True)
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
J = letter("J", "the density of what is released given X_i = a", real=True)
L = letter("L", "the density of what is released given X_i = b", real=True)
AT_X = t * A <= E * r * B


def _noisy(about: str) -> Linked:
    """The density of the output given x is close for the values a and b of X_i: the scale is at
    least the score of the quilt, n/(epsilon - e).
    """
    one = Linked(
        about,
        {
            "i": "the values of X_N, where X_i = a",
            "j": "those where X_i = b",
            "x": "the values x of the quilt X_Q and the remote records X_R",
            "c": "the coordinates of F",
        },
        {w: "c", s: "", n: "", e: "", eps: "", p: "i x", f: "i x c", q: "j x", g: "j x c"}
        | {t: "x", r: "x"},
        near={f: w, g: w, n: d, q: P, eps: e + n / s, r: t},
    )
    one.given("a finite score", e < eps)
    one.given("the scale", n / (eps - e) <= s)
    one.sum(d, "c", Abs(f - g))
    one.given("Lipschitz", d <= n)
    one.sum(P, "i", p)
    one.sum(Q, "j", q)
    one.given("separated", P <= Q)
    one.let(R, exp(e))
    one.given("influence", t <= R * r)
    one.sum(a, "c", Abs(w - f))
    one.sum(b, "c", Abs(w - g))
    one.let(u, -a / s)
    one.let(v, -b / s)
    one.let(z, eps - e)
    one.let(k, exp(u))
    one.let(h, exp(v))
    one.let(K, exp(z))
    one.let(E, exp(eps))
    one.sum(A, "i", p * k)
    one.sum(B, "j", q * h)
    return one


def _at_x(one: Linked) -> None:
    """Add the facts up to the bound at one x."""
    one.by("exp grows", GROWS, {X: u, Y: v, Z: z})
    one.by("exp adds", ADDS, {X: eps, Y: z, Z: e}, "let z")
    one.by("K is positive", POSITIVE, {X: z})
    one.by("h is positive", POSITIVE, {X: v})
    one.along("norms", "c", b <= a + d)
    room = "a finite score", "the scale"
    one.step("exponents", u <= v + z, "norms", "Lipschitz", *room, "let u", "let v", "let z")
    one.step("noise", k <= K * h, "exponents", "exp grows")
    one.along("one value of X_N", "j", p * k * Q <= K * p * B, "noise")
    one.along("averages", "i", A * Q <= K * P * B, "one value of X_N")
    one.along("no mass", "i", Or(P > 0, And(Eq(P, 0), Eq(A, 0))))
    one.along("not negative", "j", B >= 0, "h is positive")
    uses = "averages", "separated", "no mass", "not negative", "K is positive"
    one.step("given the quilt", A <= K * B, *uses)


USES = "given the quilt", "influence", "exp adds", "not negative", "K is positive"


def _forgotten() -> Linked:
    one = _noisy("the quilt mechanism")
    one.sum(J, "x", t * A)
    one.sum(L, "x", r * B)
    _at_x(one)
    one.step("at x", AT_X, *USES)
    one.along("all x", "x", J <= E * L, "at x")
    return one.conclude("the level", J <= E * L, "all x")


MECHANISM = _forgotten()
"""Densities of an output differ by at most a factor e^epsilon."""
