"""Where the largest ratio of likelihoods is, as a linked argument: one coordinate of an output, the
others fixed, with noise that decays exponentially.

At an output w that is no value, let x be the value next to it on the left. With c = p - m q times
the density at w, "left" and "right" the sums of c over the values on either side and h the density
at w about x, N - m D at x is left/h + right h, and at w it is left + right.
"""

from typing import Any

from sympy import Abs, And, Eq, Ne, Not, Or, S

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, POSITIVE, X, Y, Z

x = letter("x", "this coordinate of a value of F", real=True)
y = letter("y", "the same of another value", real=True)
p = letter(
    "p",
    "the probability of a value given s, times the likelihoods of the other coordinates",
    at_least(0),
    real=True,
)
q = letter("q", "the same given s'", at_least(0), real=True)
m = letter("m", "a bound of the ratios", real=True)
w = letter("w", "this coordinate of an output", real=True)
rho = letter("rho", "the rate of decay, log(1/t)", above(0), real=True)
e = letter("e", "the exponent of the noise at w, about x", real=True)
E = letter("E", "the exponent of the noise at w, about y", real=True)
f = letter("f", "the exponent of the noise at x, about y", real=True)
h = letter("h", "the density at w about x, without its constant", real=True)
g = letter("g", "the density at w about y, without its constant", real=True)
k = letter("k", "the density at x about y, without its constant", real=True)
N, D = letters("N D", "the likelihood of the output x, given s or s'", real=True)
A, B = letters("A B", "the likelihood of the output w, given s or s'", real=True)
s = letter("s", "1 by how far w is beyond x", real=True)
t = letter("t", "1 by how far w is beyond y", real=True)
c = letter("c", "what a value adds to N - m D at w", real=True)
u = letter("u", "c of a value on the left of w, else 0", real=True)
v = letter("v", "c of a value on the right of w, else 0", real=True)
left, right = letters("left right", "the sum of c on this side", real=True)
high, low = letters("high low", "the largest and the least s", real=True)
o = letter("o", "the exponent 0", real=True)
O = letter("O", "e to the exponent 0", real=True)


def _released() -> Linked:
    """An output, the values, and the likelihoods at both."""
    one = Linked(
        "one coordinate of an output",
        {"i": "the values of F given s or s'", "j": "i"},
        {p: "j", q: "j", m: "", x: "i", w: "", rho: ""},
        near={p: m * q},
        spare={"another output": "where w is a value, the first hypothesis says it"},
    )
    densities_of(one)
    return one


def densities_of(one: Linked) -> None:
    """Define the likelihoods of a value x and of an output w, without their constant."""
    one.at(y, x, "j")
    one.let(f, -rho * Abs(x - y))
    one.let(k, exp(f))
    one.sum(N, "j", p * k)
    one.sum(D, "j", q * k)
    one.let(E, -rho * Abs(w - y))
    one.let(g, exp(E))
    one.sum(A, "j", p * g)
    one.sum(B, "j", q * g)


def _sides(one: Linked) -> None:
    """Definitions of the argument."""
    one.given("at the values", N <= m * D)
    one.given("another output", Ne(w, x))
    one.let(e, -rho * Abs(w - x))
    one.let(h, exp(e))
    one.let(s, 1 / (w - x))
    one.at(t, s, "j")
    one.let(c, (p - m * q) * g)
    one.let(u, c * (1 + t * Abs(w - y)) / 2)
    one.let(v, c * (1 - t * Abs(w - y)) / 2)
    one.sum(left, "j", u)
    one.sum(right, "j", v)
    one.largest(high, "i", s)
    one.least(low, "i", s)
    one.let(o, S.Zero)
    one.let(O, exp(o))


def _densities(one: Linked) -> None:
    """How densities at w and at x are related."""
    one.by("x between", ADDS, {X: E, Y: e, Z: f})
    one.by("w between", ADDS, {X: f, Y: e, Z: E})
    one.by("h > 0", POSITIVE, {X: e})
    one.by("e^0", ADDS, {X: o, Y: o, Z: o}, "let o")
    one.by("h grows", GROWS, {X: e, Y: o, Z: o})
    one.step("exponent of h", e <= o + o, "let e", "let o")
    one.step("h <= 1", h <= 1, "h grows", "exponent of h", "e^0")
    one.again("let t", "let s", "j")
    one.again("no other value", "another output", "j")


def _side(one: Linked, side: str, end: Any, before: Any, own: Any) -> None:
    """What the value next to w on one side says: `end` is the largest or the least s, `before` that
    y is on this side, `own` what a value on this side adds.
    """
    total, across = (left, v) if side == "left" else (right, u)
    after = y > w if side == "left" else y < w
    other, mine = (s < end, s <= 0) if side == "left" else (s > end, s >= 0)
    within = y <= x if side == "left" else y >= x
    none = Or(other, mine)
    one.term(f"{side}: s", end)
    one.again(f"{side}: t", f"{side}: s", "j")
    here = x < w if side == "left" else x > w
    order = Or(none, And(here, within), And(here, after))
    uses: tuple[str, ...] = f"{side}: t", "let s", "let t", "another output", "no other value"
    one.step(f"{side}: order", order, *uses)
    exponents = Or(none, And(before, Eq(E, e + f)), And(after, Eq(f, e + E)))
    one.step(f"{side}: exponents", exponents, f"{side}: order", "let e", "let E", "let f")
    densities = Or(none, And(before, Eq(g, h * k)), And(after, Eq(k, h * g)))
    one.step(f"{side}: densities", densities, f"{side}: exponents", "x between", "w between")
    pair = Eq((p - m * q) * k * h, own + across * h**2)
    uses = f"{side}: densities", "no other value", "let t", "let c", "let u", "let v"
    one.step(f"{side}: one value", Or(none, pair), *uses)
    sums = Eq((N - m * D) * h, total + (left + right - total) * h**2)
    one.along(f"{side}: all values", "j", Or(none, sums), f"{side}: one value")
    bound = Or(total <= 0, left + right <= 0)
    uses = f"{side}: all values", "at the values", "h > 0", "h <= 1"
    one.step(f"{side}: at x", Or(none, bound), *uses)
    some = end > 0 if side == "left" else end < 0
    one.attained(f"{side}: next to w", end, Or(Not(some), bound), f"{side}: at x")
    empty = f"{side}: t", "let t", "let u" if side == "left" else "let v", "no other value"
    one.step(f"{side}: no value", Or(some, own <= 0), *empty)
    one.along(f"{side}: none", "j", Or(some, total <= 0), f"{side}: no value")
    one.step(side, bound, f"{side}: next to w", f"{side}: none")


def _attained() -> Linked:
    one = _released()
    _sides(one)
    _densities(one)
    _side(one, "left", high, y < w, u)
    _side(one, "right", low, y > w, v)
    one.along("both sides", "j", Eq(A - m * B, left + right), "let c", "let u", "let v")
    return one.conclude("the output w", A <= m * B, "both sides", "left", "right")


ATTAINED = _attained()
"""Bounds of ratios at all values that this coordinate takes bound it at every output."""
