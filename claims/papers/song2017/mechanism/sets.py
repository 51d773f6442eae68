"""The influence of one node on each side as a linked argument.

The influence of X_R is the logarithm of the least K for which P(X_R=x|X_i=v) <= K P(X_R=x|X_i=u)
for all x and all v and u that are possible; these conditions stand multiplied by P(X_i=v) and
P(X_i=u).
"""

from typing import Any

from sympy import And, Eq, Or

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.linked import Linked

f = letter("f", "P(X_i=v)")
g = letter("g", "P(X_i=u)")

m = letter("m", "P(X_(i-a)=l)", at_least(0))
x = letter("x", "P(X_i=v|X_(i-a)=l)", at_least(0))
w = letter("w", "the same for the value u of X_i", at_least(0))
y = letter("y", "P(X_(i+b)=r|X_i=v)", at_least(0))
z = letter("z", "the same for the value u of X_i", at_least(0))
A = letter("A", "e to the influence of X_(i-a), or to a bound of it", at_least(0))
B = letter("B", "e to the influence of X_(i+b), or to a bound of it", at_least(0))
Y = letter("Y", "their sum over r")
Z = letter("Z", "the same for the value u of X_i")
J = letter("J", "P(X_(i-a)=l, X_i=v, X_(i+b)=r) on the chain")
H = letter("H", "the same for the value u of X_i")
L = letter("L", "P(X_(i-a)=l, X_i=v)")
G = letter("G", "the same for the value u of X_i")
R = letter("R", "P(X_i=v, X_(i+b)=r)")
Q = letter("Q", "the same for the value u of X_i")
M = letter("M", "the sum of P(X_(i-a)=l) P(X_i=v|X_(i-a)=l)")
c = letter("c", "P(X_(i-a)=l) P(X_i=v|X_(i-a)=l)")
W = letter("W", "the same for the value u of X_i")
N = letter("N", "the same for the value u of X_i")
d = letter("d", "the same for the value u of X_i")


def _possible(bound: Any) -> Any:
    """The bound, unless one of both values of X_i is impossible."""
    return Or(Eq(f, 0), Eq(g, 0), bound)


def _chain() -> Linked:
    """Both nodes of a chain, with bounds of their influences."""
    one = Linked(
        "one node on each side",
        {
            "l": "the values of X_(i-a)",
            "r": "the values of X_(i+b)",
            "v": "the values of X_i",
            "u": "v",
        },
        {m: "l", x: "l v", y: "v r", A: "", B: ""},
        near={A: L * g / (G * f), B: R * g / (Q * f)},
    )
    one.at(w, x, "u")
    one.at(z, y, "u")
    one.sum(Y, "r", y)
    one.at(Z, Y, "u")
    one.let(J, m * x * y)
    one.sum(L, "r", J)
    one.sum(R, "l", J)
    one.sum(f, "l", L)
    for copy, each in {H: J, G: L, Q: R, g: f}.items():
        one.at(copy, each, "u")
    one.given("influence of X_(i-a)", _possible(L * g <= A * G * f))
    one.given("influence of X_(i+b)", _possible(R * g <= B * Q * f))
    return one


def _two_sides() -> Linked:
    one = _chain()
    one.let(c, m * x)
    one.sum(M, "l", c)
    for copy, each in {d: c, N: M}.items():
        one.at(copy, each, "u")
    one.along("the left margin", "r", Eq(L, c * Y), "let J", "let c")
    one.along("the right margin", "l", Eq(R, M * y), "let J", "let c")
    one.along("of X_i", "l", Eq(f, M * Y), "the left margin")
    one.along("mass", "l", M >= 0, "let c")
    one.along("mass of sides", "r", Y >= 0)
    for name in ("the left margin", "the right margin", "of X_i", "mass", "mass of sides"):
        one.again(f"{name}, of u", name, "u")
    one.again("J of u", "let J", "u")
    one.again("c of u", "let c", "u")
    both = "of X_i", "of X_i, of u"
    uses = "influence of X_(i-a)", "the left margin", "the left margin, of u"
    one.step(
        "left", _possible(c * N <= A * d * M), *uses, *both, "mass of sides", "mass of sides, of u"
    )
    uses = "influence of X_(i+b)", "the right margin", "the right margin, of u"
    one.step("right", _possible(y * Z <= B * z * Y), *uses, *both, "mass", "mass, of u")
    one.step("signs", And(d >= 0, A * d * M >= 0), "c of u", "mass")
    signs = "signs", "mass of sides, of u"
    product = _possible(c * N * y * Z <= A * d * M * B * z * Y)
    one.step("product", product, "left", "right", *signs)
    then = _possible(J * g <= A * B * H * f)
    last = "product", "let J", "J of u", "let c", "c of u", "of X_i", "of X_i, of u"
    return one.conclude("both", then, *last)


TWO_SIDES = _two_sides()
"""Bounds of the influences of both nodes multiply to one of the influence of both."""
