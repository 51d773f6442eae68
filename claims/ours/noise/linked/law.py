"""Laplace noise leaks at most the distance of two values by its scale, as linked arguments."""

from sympy import Abs, And, Eq

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, X, Y, Z

P = letter("P", "the probability of s and this value of F", at_least(0), real=True)
Q = letter("Q", "the probability of s' and this value of F", at_least(0), real=True)
f = letter("f", "a coordinate of this value of F given s", real=True)
h = letter("h", "this coordinate of a value of F given s'", real=True)
w = letter("w", "this coordinate of an output", real=True)
b = letter("b", "the scale of the noise", above(0), real=True)
G = letter("G", "a distance", real=True)
d = letter("d", "the distance of two values in L1", real=True)
x = letter("x", "the distance of the output from the value given s", real=True)
y = letter("y", "the distance of the output from the value given s'", real=True)
r, t = letters("r t", "the exponent of the noise", real=True)
g = letter("g", "the level", real=True)
K, L = letters(
    "K L", "the likelihood of the output given this value, without its constant", real=True
)
R = letter("R", "e to the level", real=True)
A, B = letters("A B", "the likelihood of the output and the secret, s or s'", real=True)
S, T = letters("S T", "the probability of the secret, s or s'", real=True)
a, c = letters("a c", "the likelihood of the output given the secret, s or s'", real=True)


def _likelihoods(one: Linked) -> None:
    """Define the likelihoods of an output, without their constant, and e to the level G/b."""
    one.sum(x, "k", Abs(w - f))
    one.sum(y, "k", Abs(w - h))
    one.let(r, -x / b)
    one.let(t, -y / b)
    one.let(g, G / b)
    one.let(K, exp(r))
    one.let(L, exp(t))
    one.let(R, exp(g))


def _spread() -> Linked:
    one = Linked(
        "Laplace noise",
        {"i": "the values of F given s", "j": "the values of F given s'", "k": "the coordinates"},
        {P: "i", Q: "j", f: "i k", h: "j k", w: "k", G: "", b: ""},
        near={f: w, h: w + G / 3},
        spare={
            "s is possible": "given s nothing is said where its probability is 0",
            "s' is possible": "given s' nothing is said where its probability is 0",
        },
    )
    one.sum(d, "k", Abs(f - h))
    one.given("no farther than G", d <= G)
    one.sum(S, "i", P)
    one.sum(T, "j", Q)
    one.given("s is possible", S > 0)
    one.given("s' is possible", T > 0)
    _likelihoods(one)
    one.sum(A, "i", P * K)
    one.sum(B, "j", Q * L)
    one.let(a, A / S)
    one.let(c, B / T)
    one.by("exp grows", GROWS, {X: r, Y: t, Z: g})
    one.along("the triangle", "k", y <= x + d)
    one.step(
        "exponents", r <= t + g, "the triangle", "no farther than G", "let r", "let t", "let g"
    )
    one.step("one pair", K <= R * L, "exponents", "exp grows")
    one.along("one value", "j", K * T <= R * B, "one pair")
    one.along("all values", "i", A * T <= R * B * S, "one value")
    uses = "all values", "let a", "let c", "s is possible", "s' is possible"
    return one.conclude("the level", a <= R * c, *uses)


SPREAD = _spread()
"""Given s, an output has at most e^(G/b) times the likelihood that it has given s'."""


def _two() -> Linked:
    one = Linked(
        "Laplace noise on two constants",
        {"k": "the coordinates"},
        {f: "k", h: "k", w: "k", b: ""},
        near={w: f},
    )
    one.given("the output", Eq(w, f))
    one.sum(G, "k", Abs(f - h))
    _likelihoods(one)
    one.by("exp adds", ADDS, {X: r, Y: g, Z: t})
    one.along("distances", "k", And(Eq(x, 0), Eq(y, G)), "the output")
    one.step("exponents", Eq(r, g + t), "distances", "let r", "let t", "let g")
    return one.conclude("the level", Eq(K, R * L), "exponents", "exp adds")


CONSTANTS = _two()
"""If F is f given s and h given s', the output f leaks the distance of f and h by b."""
