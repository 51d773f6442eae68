"""What a value of X_p that is released leaks, as linked arguments: no R bounds the ratio.

They use the law of Y given X alone, so that its coordinates may depend on each other given X.
"""

from sympy import Eq, Integer, Or

from pufferproof.claims.language import at_least, below, between, letter
from pufferproof.claims.language.linked import Linked

p = letter("p", "Pr(X=these values|X_p=x)", at_least(0), real=True)
q = letter("q", "Pr(X=these values|X_p=1-x)", at_least(0), real=True)
o = letter("o", "Pr(Y=y|X=these values, X_p=x)", at_least(0), real=True)
h = letter("h", "Pr(Y=y|X=these values, X_p=1-x)", at_least(0), real=True)
r = letter("r", "r_p(x)", at_least(0), below(1), real=True)
R = letter("R", "any number", real=True)
P = letter("P", "Pr(X_p=x|X_p=x)", real=True)
O = letter("O", "the probability of these outputs given X=these values, X_p=x", real=True)
H = letter("H", "the probability of these outputs given X=these values, X_p=1-x", real=True)
W = letter("W", "Pr(Y=y|X_p=x)", real=True)
T = letter("T", "Pr(Y=y|X_p=1-x)", real=True)
S = letter("S", "the probability of all these outputs given X_p = x", real=True)
M = letter("M", "by how much Pr(Y=y|X_p=x) is above R Pr(Y=y|X_p=1-x) at most", real=True)
w = letter("w", "the sum over outputs first, given X_p = x", real=True)
V = letter("V", "the sum over outputs, then over values of X, given X_p = x", real=True)
t = letter("t", "r_t(x_t)", at_least(0), below(1), real=True)
Z = letter("Z", "the probability of all these outputs given X_p = 1 - x", real=True)
z = letter("z", "the sum over outputs first, given X_p = 1 - x", real=True)
U = letter("U", "the sum over outputs, then over values of X, given X_p = 1 - x", real=True)
a = letter("a", "1 if X_Q = x_Q, 0 if not", between(0, 1), real=True)
b = letter("b", "1 if X_Q = x_Q, 0 if not", between(0, 1), real=True)
A = letter("A", "Pr(X_Q=x_Q|X_p=x)", real=True)
B = letter("B", "Pr(X_Q=x_Q|X_p=1-x)", real=True)
VALUES = {"i": "the values of X with X_p = x", "j": "the values of X with X_p = 1 - x"}
GIVEN = {p: "i", q: "j", o: "i y", h: "j y", R: ""}


def _sums(one: Linked) -> None:
    """Probabilities of outputs that are never shown where X_p is 1 - x."""
    one.sum(O, "y", o)
    one.sum(H, "y", h)
    one.sum(W, "i", p * o)
    one.sum(T, "j", q * h)
    one.sum(S, "y", W)
    one.largest(M, "y", W - R * T)
    one.sum(w, "y", p * o)
    one.sum(V, "i", w)


def _infinite(one: Linked, possible: str) -> None:
    one.term("one output", H)
    one.step("it is not shown", Eq(h, 0), "one output", "only x is shown")
    one.along("nor by any", "j", Eq(T, 0), "it is not shown")
    one.term("at most", M)
    one.step("each output", Or(M > 0, W <= 0), "at most", "nor by any")
    one.along("all outputs", "y", Or(M > 0, S <= 0), "each output")
    one.step("above R", M > 0, "all outputs", possible)


def _released() -> Linked:
    outputs = {"y": "the outputs with Y_p = x"}
    near = {p: p / P, o: o / O * (1 - r), h: Integer(0)}
    one = Linked("a released X_p", VALUES | outputs, GIVEN | {r: ""}, near)
    one.sum(P, "i", p)
    _sums(one)
    one.given("a law", Eq(P, 1))
    one.given("x is released", Eq(O, 1 - r))
    one.given("only x is shown", H <= 0)
    one.along("given these values", "y", Eq(w, p * O))
    one.step("by r", Eq(w, p * (1 - r)), "given these values", "x is released")
    one.along("given X_p = x", "i", Eq(V, P * (1 - r)), "by r")
    one.swap("in either order", V, S)
    one.step("possible", S > 0, "given X_p = x", "in either order", "a law")
    _infinite(one, "possible")
    return one.conclude("infinite", M > 0, "above R")


RELEASED = _released()
"""If x is ever released, no R bounds the ratio of both laws of Y."""


def _one_record() -> Linked:
    outputs = {"y": "the outputs with Y_Q = x_Q, where Q = {t}"}
    near = {o: o / O * (1 - t) * a, h: h / H * (1 - t) * b, R: W / T}
    one = Linked("one record", VALUES | outputs, GIVEN | {a: "i", b: "j", t: ""}, near)
    one.sum(O, "y", o)
    one.sum(H, "y", h)
    one.sum(W, "i", p * o)
    one.sum(T, "j", q * h)
    one.sum(A, "i", p * a)
    one.sum(B, "j", q * b)
    one.given("R bounds the ratio", W <= R * T)
    one.given("the redaction of X_t, given x", Eq(O, (1 - t) * a))
    one.given("the redaction of X_t, given 1 - x", Eq(H, (1 - t) * b))
    for law, which, index, parts in (
        ("x", (o, O, a), "i", (p, w, V, A)),
        ("1 - x", (h, H, b), "j", (q, z, U, B)),
    ):
        (shown, all_shown, here), (weight, inner, outer, mass) = which, parts
        one.sum(inner, "y", weight * shown)
        one.sum(outer, index, inner)
        one.along(f"these values, {law}", "y", Eq(inner, weight * all_shown))
        uses = f"these values, {law}", f"the redaction of X_t, given {law}"
        one.step(f"by r, {law}", Eq(inner, (1 - t) * weight * here), *uses)
        one.along(f"all values, {law}", index, Eq(outer, (1 - t) * mass), f"by r, {law}")
    one.sum(S, "y", W)
    one.sum(Z, "y", T)
    one.along("all outputs", "y", S <= R * Z, "R bounds the ratio")
    one.swap("in either order, x", V, S)
    one.swap("in either order, 1 - x", U, Z)
    both = [f"{of}, {law}" for of in ("all values", "in either order") for law in ("x", "1 - x")]
    return one.conclude("influence", A <= R * B, "all outputs", *both)


ONE_RECORD = _one_record()
"""What bounds the ratio of Y bounds that of a value of a record that is sometimes released."""
