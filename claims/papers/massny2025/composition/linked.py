"""Both sides of X_p together as linked arguments: any chain, any local mechanism.

Given X_p the records on its two sides are independent. The redaction of X_p is a part of both.
"""

from typing import Any

from sympy import And, Eq, Integer, S

from pufferproof.claims.language import above, at_least, between, letter
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, POSITIVE, X, Y, Z

p = letter("p", "Pr(these records left of p|X_p=x)", at_least(0), real=True)
q = letter("q", "Pr(these records left of p|X_p=1-x)", at_least(0), real=True)
o = letter("o", "Pr(this output|these records), left of p", at_least(0), real=True)
r = letter("r", "Pr(these records right of p|X_p=x)", at_least(0), real=True)
w = letter("w", "Pr(these records right of p|X_p=1-x)", at_least(0), real=True)
h = letter("h", "Pr(this output|these records), right of p", at_least(0), real=True)
s = letter("s", "Pr(Y_p=*|X_p=x)", between(0, 1), real=True)
u = letter("u", "Pr(Y_p=*|X_p=1-x)", between(0, 1), real=True)
A = letter("A", "Pr(this output left of p|X_p=x)", real=True)
B = letter("B", "Pr(this output left of p|X_p=1-x)", real=True)
C = letter("C", "Pr(this output right of p|X_p=x)", real=True)
D = letter("D", "Pr(this output right of p|X_p=1-x)", real=True)
F = letter("F", "the sum over the records right of p, given X_p = x", real=True)
G = letter("G", "the sum over the records right of p, given X_p = 1 - x", real=True)
J = letter("J", "Pr(these outputs left and right of p|X_p=x)", real=True)
K = letter("K", "Pr(these outputs left and right of p|X_p=1-x)", real=True)
L = letter("L", "e^Lk(X_p->Y^(l)), or more", at_least(1), real=True)
R = letter("R", "e^Lk(X_p->Y^(r)), or more", at_least(1), real=True)
a = letter("a", "eps_l", at_least(0), real=True)
b = letter("b", "eps_r", at_least(0), real=True)
e = letter("e", "eps", real=True)
l = letter("l", "e^eps_l", real=True)
m = letter("m", "e^eps_r", real=True)
E = letter("E", "e^eps", real=True)
eps = letter("epsilon", "eps", above(0), real=True)
n = letter("n", "half of eps", real=True)
t = letter("t", "eps_l + eps_r", real=True)
T = letter("T", "e^(eps_l + eps_r)", real=True)
g = letter("g", "the exponent 0", real=True)
v = letter("v", "e to the exponent 0", real=True)


def _sides(about: str, left: Any, right: Any, more: dict[Any, str], near: dict[Any, Any]) -> Linked:
    """Outputs of both sides, and those of each within its level, with the output of X_p."""
    one = Linked(
        about,
        {
            "i": "the values of the records left of p",
            "j": "the values of the records right of p",
            "y": "the outputs of the records left of p",
            "z": "the outputs of the records right of p",
        },
        {p: "i", q: "i", o: "i y", r: "j", w: "j", h: "j z", s: "", u: ""} | more,
        near={s: u} | near,
    )
    for letter_, exponent in (l, a), (m, b), (E, e):
        if exponent in more:
            one.let(letter_, exp(exponent))
    one.sum(A, "i", p * o)
    one.sum(B, "i", q * o)
    one.sum(C, "j", r * h)
    one.sum(D, "j", w * h)
    one.given("left, X_p redacted", s * A <= left * u * B)
    one.given("left, X_p released", (1 - s) * A <= 0)
    one.given("right, X_p redacted", s * C <= right * u * D)
    one.sum(F, "j", p * r * o * h)
    one.sum(J, "i", F)
    one.sum(G, "j", q * w * o * h)
    one.sum(K, "i", G)
    return one


def _compose() -> Linked:
    near = {L: s * A / (u * B), R: s * C / (u * D)}
    one = _sides("both sides", L, R, {L: "", R: ""}, near)
    one.along("x, right", "j", Eq(F, p * o * C, evaluate=False))
    one.along("x, both", "i", Eq(J, A * C, evaluate=False), "x, right")
    one.along("1 - x, right", "j", Eq(G, q * o * D, evaluate=False))
    one.along("1 - x, both", "i", Eq(K, B * D, evaluate=False), "1 - x, right")
    one.along("left is not negative", "i", And(A >= 0, B >= 0))
    one.along("right is not negative", "j", And(C >= 0, D >= 0))
    hidden = "left, X_p redacted", "left, X_p released", "right, X_p redacted"
    signs = "left is not negative", "right is not negative"
    one.step("redacted", s * A * C <= L * R * u * B * D, *hidden, *signs)
    one.step("released", (1 - s) * A * C <= 0, "left, X_p released", "right is not negative")
    said = And(s * J <= L * R * u * K, (1 - s) * J <= 0)
    return one.conclude("the whole output", said, "redacted", "released", "x, both", "1 - x, both")


COMPOSE = _compose()
"""The whole output leaks at most what both sides leak."""


def _privacy() -> Linked:
    one = _sides("a 3R mechanism", l, m, {a: "", b: "", e: ""}, {e: a + b})
    one.given("the budgets", a + b <= e)
    one.let(t, a + b)
    one.let(T, exp(t))
    one.let(g, S.Zero)
    one.let(v, exp(g))
    one.by("exp adds", ADDS, {X: t, Y: a, Z: b}, "let t")
    one.by("exp grows", GROWS, {X: t, Y: e, Z: g})
    one.by("e^0", ADDS, {X: g, Y: g, Z: g}, "let g")
    one.by("e^0 > 0", POSITIVE, {X: g})
    one.by("e^eps_l >= 1", GROWS, {X: g, Y: a, Z: g})
    one.by("e^eps_r >= 1", GROWS, {X: g, Y: b, Z: g})
    zero = "e^0", "e^0 > 0", "let g"
    one.step("levels", And(l >= 1, m >= 1), "e^eps_l >= 1", "e^eps_r >= 1", "e^0 > 0")
    one.step("the level", l * m <= E, "exp adds", "exp grows", "the budgets", "let t", *zero)
    put = {each: each for each in (p, q, o, r, w, h, s, u, A, B, C, D, F, G, J, K)} | {L: l, R: m}
    hidden = "left, X_p redacted", "left, X_p released", "right, X_p redacted"
    one.by("both sides", COMPOSE.as_lemma("both sides"), put, *hidden, "levels")
    one.along("not negative, right", "j", G >= 0)
    one.along("not negative", "i", K >= 0, "not negative, right")
    said = And(s * J <= E * u * K, (1 - s) * J <= 0)
    return one.conclude("private", said, "both sides", "the level", "not negative")


PRIVACY = _privacy()
"""A mechanism of which both sides keep their budgets keeps their sum."""


def _halves() -> Linked:
    one = Linked(
        "M redacted and S released, at half of the level on both sides",
        {
            "i": "the values of the nearest record of S left of p",
            "j": "the values of the nearest record of S right of p",
            "y": "the outputs of the records left of p",
            "z": "the outputs of the records right of p",
        },
        {p: "i", q: "i", o: "i y", r: "j", w: "j", h: "j z", eps: ""},
        near={p: q, r: w},
    )
    one.let(n, eps / 2)
    one.let(l, exp(n))
    one.let(E, exp(eps))
    one.given("influence at most eps/2, left", p <= l * q)
    one.given("influence at most eps/2, right", r <= l * w)
    for total, index, term in (A, "i", p * o), (B, "i", q * o), (C, "j", r * h), (D, "j", w * h):
        one.sum(total, index, term)
    one.sum(F, "j", p * r * o * h)
    one.sum(J, "i", F)
    one.sum(G, "j", q * w * o * h)
    one.sum(K, "i", G)
    one.along("left", "i", A <= l * B, "influence at most eps/2, left")
    one.along("right", "j", C <= l * D, "influence at most eps/2, right")
    put = {each: each for each in (p, q, o, r, w, h, A, B, C, D, F, G, J, K, l, E)}
    put |= {s: Integer(1), u: Integer(1), a: n, b: n, e: eps, m: l}
    one.by("both sides", PRIVACY.as_lemma("a 3R mechanism"), put, "left", "right", "let n")
    said = And(A <= l * B, C <= l * D, J <= E * K)
    return one.conclude("private", said, "left", "right", "both sides")


HALVES = _halves()
"""With q_t = 1 and eps/2 on both sides a 3R mechanism is eps-private."""
