"""The bound in the proof of Theorem 3.2 as a linked argument: queries with finitely many values."""

from sympy import Abs, And, Eq, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import GROWS, X, Y, Z

c = letter("c", "the mass of a coupling at two values, t and s", at_least(0), real=True)
t = letter("t", "the value of F given s_i", real=True)
s = letter("s", "the value of F given s_j", real=True)
w = letter("w", "an output", real=True)
W = letter("W", "the scale of the noise times epsilon", above(0), real=True)
eps = letter("epsilon", "the level", at_least(0), real=True)
k, h = letters("k h", "the density of the noise at w, without its constant", real=True)
u, v = letters("u v", "the exponent of the noise at w", real=True)
R = letter("R", "e to the level", real=True)
here, there = letters("here there", "a sum over one side of the coupling", real=True)
all_i, all_j = letters("all_i all_j", "a sum over the coupling", real=True)


def _within(about: str) -> Linked:
    """A coupling within W, and the noise at an output summed over it."""
    one = Linked(
        about,
        {"i": "the values of F given s_i", "j": "the values of F given s_j"},
        {c: "i j", t: "i", s: "j", w: "", W: "", eps: ""},
    )
    one.given("within W", Or(Eq(c, 0), Abs(t - s) <= W))
    one.let(u, -eps * Abs(w - t) / W)
    one.let(v, -eps * Abs(w - s) / W)
    one.let(k, exp(u))
    one.let(h, exp(v))
    one.let(R, exp(eps))
    one.sum(here, "j", c * k)
    one.sum(there, "j", c * h)
    one.sum(all_i, "i", here)
    one.sum(all_j, "i", there)
    return one


def _bound() -> Linked:
    one = _within("exponents over a coupling")
    one.by("t to s", GROWS, {X: u, Y: v, Z: eps})
    one.by("s to t", GROWS, {X: v, Y: u, Z: eps})
    one.step("up", Or(Eq(c, 0), u <= v + eps), "within W", "let u", "let v")
    one.step("down", Or(Eq(c, 0), v <= u + eps), "within W", "let u", "let v")
    one.step("one pair up", c * k <= R * c * h, "up", "t to s")
    one.step("one pair down", c * h <= R * c * k, "down", "s to t")
    one.along("one value up", "j", here <= R * there, "one pair up")
    one.along("one value down", "j", there <= R * here, "one pair down")
    one.along("all pairs up", "i", all_i <= R * all_j, "one value up")
    one.along("all pairs down", "i", all_j <= R * all_i, "one value down")
    both = And(all_i <= R * all_j, all_j <= R * all_i)
    return one.conclude("both bounds", both, "all pairs up", "all pairs down")


BOUND = _bound()
"""Sums of the noise over a coupling within W: with t and with s, within e^epsilon either way."""
