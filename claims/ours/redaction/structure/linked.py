"""What the sides of the best local redaction contribute to the level, as linked arguments."""

from sympy import And, Eq, Implies, Max

from pufferproof.claims.language import above, at_least, below, between, letter
from pufferproof.claims.language.linked import Linked

A = letter("A", "P(X_t=v|X_p=0)", above(0), below(1), real=True)
C = letter("C", "P(X_t=v|X_p=1)", above(0), below(1), real=True)
q = letter("q", "r_t(v)", at_least(0), below(1), real=True)
w = letter("w", "r_t of the other value", between(0, 1), real=True)
f = letter("f", "P(the side shows z beyond t|X_t=v)", above(0), real=True)
g = letter("g", "P(the side shows z beyond t|X_t is the other value)", above(0), real=True)
m = letter("m", "the ratio of X_t = v, e^(i_v(d)) or its inverse", real=True)
s0 = letter("s0", "P(the side shows v, then z|X_p=0)", real=True)
s1 = letter("s1", "P(the side shows v, then z|X_p=1)", real=True)
t0 = letter("t0", "P(the side shows the other value, then z|X_p=0)", real=True)
t1 = letter("t1", "P(the side shows the other value, then z|X_p=1)", real=True)
u0 = letter("u0", "P(the side shows *, then z|X_p=0)", real=True)
u1 = letter("u1", "P(the side shows *, then z|X_p=1)", real=True)


def _side() -> Linked:
    one = Linked(
        "the first record of a side that is not always redacted",
        {"z": "what the side can show beyond t"},
        {A: "", C: "", q: "", w: "", f: "z", g: "z"},
    )
    one.let(m, A / C)
    one.let(s0, (1 - q) * A * f)
    one.let(s1, (1 - q) * C * f)
    one.let(t0, (1 - w) * (1 - A) * g)
    one.let(t1, (1 - w) * (1 - C) * g)
    one.let(u0, q * A * f + w * (1 - A) * g)
    one.let(u1, q * C * f + w * (1 - C) * g)
    one.step("shown", And(Eq(s0, m * s1), s1 > 0), "let m", "let s0", "let s1")
    uses = "let m", "let t0", "let t1", "let u0", "let u1"
    largest = Implies(A >= C, And(t0 <= m * t1, u0 <= m * u1))
    least = Implies(A <= C, And(t0 >= m * t1, u0 >= m * u1))
    one.step("largest", largest, *uses)
    one.step("least", least, *uses)
    said = And(Eq(s0, m * s1), s1 > 0, largest, least)
    return one.conclude("extreme", said, "shown", "largest", "least")


SIDE = _side()
"""No output of the side has a ratio beyond that of the first value that can be shown."""

E = letter("E", "e^(i0(d)), the largest ratio of the left side", at_least(1), real=True)
F = letter("F", "e^(i0(d')), the largest ratio of the right side", at_least(1), real=True)
M = letter("M", "the inverse of the smallest ratio of the left side", above(0), real=True)
N = letter("N", "the inverse of the smallest ratio of the right side", above(0), real=True)
R = letter("R", "e^eps", at_least(1), real=True)
s = letter("s", "a number", above(0), real=True)
J = letter("J", "e^Lk, by redaction.joint-of-sides", real=True)


def _levels() -> Linked:
    one = Linked(
        "both sides show the value 0 first",
        {},
        {E: "", F: "", M: "", N: "", R: "", s: ""},
        near={R: Max(E * F, M * N), s: M},
    )
    one.let(J, Max(E * F, M * N))
    needed = Implies(J <= R, And(E * F <= R, N <= R / M))
    enough = Implies(And(E * F <= R, M <= s, N <= R / s), J <= R)
    one.step("needed, s = M", needed, "let J")
    one.step("enough, any s", enough, "let J")
    return one.conclude("the level", And(needed, enough), "needed, s = M", "enough, any s")


LEVELS = _levels()
"""The level is kept iff largest ratios keep it and some s divides it for the smallest ones."""
