"""More redaction, and both sides of X_p together, as linked arguments."""

from typing import Any

from sympy import And, Eq, Implies, Max, Or

from pufferproof.claims.language import above, at_least, between, letter
from pufferproof.claims.language.linked import Linked

p = letter("p", "P(X_t=v, the other records are x|one secret)", at_least(0), real=True)
q = letter("q", "P(X_t=v, the other records are x|another secret)", at_least(0), real=True)
o = letter("o", "P(the other records show y|they are x)", at_least(0), real=True)
r = letter("r", "r_t(v)", between(0, 1), real=True)
s = letter("s", "the raised r_t(v)", between(0, 1), real=True)
R = letter("R", "a bound of the ratio of both laws of Y", real=True)
c = letter("c", "P(X_t=v, the other records show y|one secret)", real=True)
d = letter("d", "P(X_t=v, the other records show y|another secret)", real=True)
C = letter("C", "P(Y_t=*, the other records show y|one secret)", real=True)
D = letter("D", "P(Y_t=*, the other records show y|another secret)", real=True)
E = letter("E", "C with the raised r_t", real=True)
F = letter("F", "D with the raised r_t", real=True)


def _monotone() -> Linked:
    one = Linked(
        "more redaction of a record",
        {
            "v": "the values of X_t",
            "x": "the values of all other records",
            "y": "what the other records can show",
        },
        {p: "v x", q: "v x", o: "x y", r: "v", s: "v", R: ""},
        near={s: r, R: Max(c / d, C / D)},
    )
    one.sum(c, "x", p * o)
    one.sum(d, "x", q * o)
    one.sum(C, "v", r * c)
    one.sum(D, "v", r * d)
    one.sum(E, "v", s * c)
    one.sum(F, "v", s * d)
    one.given("raised", r <= s)
    one.given("X_t is shown", (1 - r) * c <= R * (1 - r) * d)
    one.given("X_t is redacted", C <= R * D)
    one.step("one value more", s * c - r * c <= R * (s * d - r * d), "raised", "X_t is shown")
    one.along("all values more", "v", E - C <= R * (F - D), "one value more")
    one.step("still shown", (1 - s) * c <= R * (1 - s) * d, "raised", "X_t is shown")
    said = And((1 - s) * c <= R * (1 - s) * d, E <= R * F)
    return one.conclude(
        "no more leakage", said, "still shown", "all values more", "X_t is redacted"
    )


MONOTONE = _monotone()
"""A bound of both laws of the output stays one as a record is redacted more."""

u = letter("u", "P(the left side shows this|X_p=0), for what it can show", above(0), real=True)
v = letter("v", "P(the left side shows this|X_p=1)", above(0), real=True)
f = letter("f", "P(the right side shows this|X_p=0), for what it can show", above(0), real=True)
g = letter("g", "P(the right side shows this|X_p=1)", above(0), real=True)
U = letter("U", "the sum of u", real=True)
V = letter("V", "the sum of v", real=True)
M = letter("M", "the sum of f", real=True)
N = letter("N", "the sum of g", real=True)
L0 = letter("L0", "the largest of these ratios", real=True)
L1 = letter("L1", "the largest of these inverses", real=True)
R0 = letter("R0", "the largest of these ratios", real=True)
R1 = letter("R1", "the largest of these inverses", real=True)
l0 = letter("l0", "the ratio of what the left side shows", real=True)
l1 = letter("l1", "its inverse", real=True)
r0 = letter("r0", "the ratio of what the right side shows", real=True)
r1 = letter("r1", "its inverse", real=True)
w0 = letter("w0", "P(Y=y|X_p=0)/P(Y=y|X_p=1): given X_p sides are independent", real=True)
w1 = letter("w1", "its inverse", real=True)
W = letter("W", "the largest ratio with this output of the left side", real=True)
J = letter("J", "e^Lk", real=True)
A = letter("A", "e^Lk_l", real=True)
B = letter("B", "e^Lk_r", real=True)
A0 = letter("A0", "the sum of L0 v - u", real=True)
A1 = letter("A1", "the sum of L1 u - v", real=True)


Laws = tuple[tuple[Any, Any], tuple[Any, Any]]
Pair = tuple[Any, Any]


def _at_least_1(one: Linked, index: str, laws: Laws, largest: Pair, ratios: Pair) -> None:
    """Say that the largest ratios of one side are at least 1."""
    for ((x, X), (y, Y)), most, ratio in zip((laws, laws[::-1]), largest, ratios):
        one.term(f"{ratio}: at most", most)
        one.step(f"{ratio}: weights", most * y >= x, f"{ratio}: at most", f"let {ratio}")
        one.along(f"{ratio}: all", index, most * Y >= X, f"{ratio}: weights")
        both = f"{x} is a law", f"{y} is a law"
        one.step(f"{most} >= 1", most >= 1, f"{ratio}: all", *both)


def _both_1(one: Linked, index: str, laws: Laws, largest: Pair, ratios: Pair, gaps: Pair) -> None:
    """Say that the largest ratios of one side are above 1, or both are 1."""
    for way, ((x, X), (y, Y)) in enumerate((laws, laws[::-1])):
        most, gap, back, most_back = largest[way], gaps[way], ratios[1 - way], largest[1 - way]
        one.along(f"{gap} in all", index, Eq(gap, most * Y - X))
        one.term(f"one part of {gap}", gap, f"{ratios[way]}: weights")
        uses = f"one part of {gap}", f"{gap} in all", f"{most} >= 1", f"let {back}"
        one.step(f"{back} <= 1", Or(most > 1, back <= 1), *uses, f"{x} is a law", f"{y} is a law")
        one.attained(f"{most_back} <= 1", most_back, Or(most > 1, most_back <= 1), f"{back} <= 1")


LEFT, RIGHT = ((u, U), (v, V)), ((f, M), (g, N))


def _both_sides() -> Linked:
    """Laws of what sides show, and their ratios."""
    one = Linked(
        "the leakage of both sides",
        {"i": "what the left side can show", "j": "what the right side can show"},
        {u: "i", v: "i", f: "j", g: "j"},
        near={u: u / U, v: v / V, f: f / M, g: g / N},
    )
    for index, laws in ("i", LEFT), ("j", RIGHT):
        for x, X in laws:
            one.sum(X, index, x)
            one.given(f"{x} is a law", Eq(X, 1))
    for ratio, x, y in (
        (l0, u, v),
        (l1, v, u),
        (r0, f, g),
        (r1, g, f),
        (w0, u * f, v * g),
        (w1, v * g, u * f),
    ):
        one.let(ratio, x / y)
    for most, index, ratio in (L0, "i", l0), (L1, "i", l1), (R0, "j", r0), (R1, "j", r1):
        one.largest(most, index, ratio)
    one.largest(W, "j", Max(w0, w1))
    one.largest(J, "i", W)
    one.let(A, Max(L0, L1))
    one.let(B, Max(R0, R1))
    one.sum(A0, "i", L0 * v - u)
    one.sum(A1, "i", L1 * u - v)
    return one


def _joint() -> Linked:
    one = _both_sides()
    _at_least_1(one, "i", LEFT, (L0, L1), (l0, l1))
    _at_least_1(one, "j", RIGHT, (R0, R1), (r0, r1))
    _both_1(one, "i", LEFT, (L0, L1), (l0, l1), (A0, A1))
    one.term("of an output", W)
    one.term("of all outputs", J)
    whole = Max(L0 * R0, L1 * R1)
    for w, l, r, L, R_ in (w0, l0, r0, L0, R0), (w1, l1, r1, L1, R1):
        one.step(f"{w}", Eq(w, l * r), *(f"let {each}" for each in (w, l, r)))
        one.step(f"{w} below", l * r <= J, "of an output", "of all outputs", f"{w}")
        one.attained(f"{w} below, left", L, L * r <= J, f"{w} below")
        one.attained(f"{w} below, both", R_, L * R_ <= J, f"{w} below, left")
        uses = f"{l}: at most", f"{r}: at most", f"{w}", f"let {l}", f"let {r}"
        one.step(f"{w} above", w <= L * R_, *uses)
    one.attained("above, an output", W, W <= whole, "w0 above", "w1 above")
    one.attained("above, all outputs", J, J <= whole, "above, an output")
    one.step("exact", Eq(J, whole), "above, all outputs", "w0 below, both", "w1 below, both")
    sides = "L0 >= 1", "L1 >= 1", "R0 >= 1", "R1 >= 1"
    one.step("bounds", And(A <= J, B <= J, J <= A * B), "exact", "let A", "let B", *sides)
    together = Or(And(Eq(L0, A), Eq(R0, B)), And(Eq(L1, A), Eq(R1, B)))
    equal = And(Implies(Eq(J, A * B), together), Implies(together, Eq(J, A * B)))
    one.step("equality", equal, "exact", "let A", "let B", *sides[1:3])
    half = Or(J**2 > A * B, And(Eq(A, 1), Eq(B, 1)))
    one.step("half", half, "exact", "let A", "let B", *sides, "L0 <= 1", "L1 <= 1")
    said = And(Eq(J, whole), A <= J, B <= J, J <= A * B, equal, half)
    return one.conclude("all of it", said, "exact", "bounds", "equality", "half")


JOINT = _joint()
"""The leakage of both sides together, exactly and between bounds."""
