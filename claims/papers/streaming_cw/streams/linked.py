"""Statements on one step of a stream as linked arguments: eq. (1) for every outcome, and the shift
of the steepest slope.
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

p = letter("p", "P0(y_j|z)", at_least(0))
q = letter("q", "P1(y_j|z)", above(0))
t = letter("t", "the slope of y_j")
L = letter("L", "the largest of these slopes")
K = letter("K", "the shift at the largest of these slopes")


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


def _steepest() -> Linked:
    one = Linked("the steepest slope", {"j": "the outcomes y_j in W"}, {p: "j", q: "j"})
    one.let(t, p / q)
    one.largest(L, "j", t)
    one.sum(K, "j", Max(0, p - L * q))
    one.term("at most the largest", L)
    one.step("no part", Eq(Max(0, p - L * q), 0, evaluate=False), "at most the largest", "let t")
    one.along("no shift", "j", Eq(K, 0, evaluate=False), "no part")
    return one.conclude("the shift", And(K <= 0, K >= 0), "no shift")


COLLAPSE, PRINTED = _equal(), _equal(printed=True)
"""If no outcome is less likely under P0 than under P1, both laws are equal."""
STEEPEST = _steepest()
"""The shift at the largest of all slopes is 0."""
