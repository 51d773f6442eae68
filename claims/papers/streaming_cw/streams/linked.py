"""Statements on one step of a stream as linked arguments: eq. (1) for every outcome, and sequences
of outputs that others dominate.
"""

from sympy import And, Eq, Max, Rational

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked

g = letter("g", "P0(y|z) at an outcome y in W", at_least(0), real=True)
h = letter("h", "P1(y|z) at this outcome", above(0), real=True)
u = letter("u", "P0 at another outcome, 0 if it is not in W", at_least(0), real=True)
v = letter("v", "P1 at this other outcome, 0 if it is not in W", at_least(0), real=True)
U, V = letters("U V", "the probability of all other outcomes", real=True)
r = letter("r", "the slope at y", real=True)
E = letter("E", "the part of all other outcomes in the shift", real=True)
delta = letter("delta", "the shift at this slope", real=True)
n = letter("n", "the number of members of S", at_least(0))
P = letter("P", "the printed shift: the largest sum over S, each member adding the summand of y")

c = letter("c", "a factor", above(0), real=True)
v0 = letter("v0", "the weight of the first sequence at this state", real=True)
w0 = letter(
    "w0", "the weight of the second sequence at a state on the windows", at_least(0), real=True
)
a = letter("a", "the weight of what follows from this state", at_least(0), real=True)
v1 = letter("v1", "the weight of the first sequence at this state", real=True)
w1 = letter(
    "w1", "the weight of the second sequence at a state when scrubbed", at_least(0), real=True
)
b = letter("b", "the weight of what follows from this state", at_least(0), real=True)
V0, V1 = letters("V0 V1", "the weight of the first sequence and what follows", real=True)
W0, W1 = letters("W0 W1", "the weight of the second sequence and what follows", real=True)


def _equal(printed: bool = False) -> Linked:
    """Collapse of eq. (1) where it holds for every outcome; and that the printed shift is 0 too."""
    one = Linked(
        "eq. (1) for every outcome",
        {"x": "the other outcomes"} | ({"i": "the sets S of outcomes"} if printed else {}),
        {u: "x", v: "x", g: "", h: ""} | ({n: "i"} if printed else {}),
        near={v: Rational(1, 4), u: v, h: 1 - V, g: 1 - U},
    )
    one.given("y", g >= h)
    one.given("another outcome", u >= v)
    one.sum(U, "x", u)
    one.sum(V, "x", v)
    one.given("P0 is a law", Eq(g + U, 1, evaluate=False))
    one.given("P1 is a law", Eq(h + V, 1, evaluate=False))
    one.let(r, g / h)
    one.sum(E, "x", Max(0, u - r * v))
    one.let(delta, Max(0, g - r * h) + E)
    one.along("other outcomes", "x", U >= V, "another outcome")
    one.step("equal", Eq(g, h), "y", "P0 is a law", "P1 is a law", "other outcomes")
    one.step("slope", Eq(r, 1), "let r", "equal")
    one.step("one part", Eq(Max(0, u - r * v), u - v), "another outcome", "slope")
    one.along("parts", "x", Eq(E, U - V), "one part")
    uses = "let delta", "parts", "slope", "equal", "P0 is a law", "P1 is a law"
    if not printed:
        return one.conclude("collapse", And(Eq(g, h), Eq(r, 1), Eq(delta, 0)), *uses)
    one.largest(P, "i", n * g - r * n * h)
    one.step("no shift", Eq(delta, 0), *uses)
    one.step("every sum", Eq(n * g - r * n * h, 0), "let r")
    one.attained("none printed", P, Eq(P, 0), "every sum")
    return one.conclude("both are 0", And(Eq(P, delta), P <= 0), "none printed", "no shift")


def _dominated() -> Linked:
    one = Linked(
        "sequences of outputs",
        {"i": "the states on the windows", "j": "the states when scrubbed"},
        {w0: "i", a: "i", w1: "j", b: "j", c: "", v0: "i", v1: "j"},
        near={v0: c * w0, v1: c * w1},
    )
    one.given("on the windows", v0 <= c * w0)
    one.given("when scrubbed", v1 >= c * w1)
    one.sum(V0, "i", v0 * a)
    one.sum(W0, "i", w0 * a)
    one.sum(V1, "j", v1 * b)
    one.sum(W1, "j", w1 * b)
    one.along("not negative on the windows", "i", W0 >= 0)
    one.along("not negative when scrubbed", "j", W1 >= 0)
    one.along("at most c times", "i", V0 <= c * W0, "on the windows")
    one.along("at least c times", "j", V1 >= c * W1, "when scrubbed")
    signs = "not negative on the windows", "not negative when scrubbed"
    return one.conclude(
        "products", V0 * W1 <= W0 * V1, "at most c times", "at least c times", *signs
    )


COLLAPSE, PRINTED = _equal(), _equal(printed=True)
"""If no outcome is less likely under P0 than under P1, both laws are equal."""
DOMINATED = _dominated()
"""Whatever follows, the ratio of the first sequence is at most that of the second."""
