"""The shift of a slope, eq. (2), as linked arguments; S runs through sets of outcomes."""

from sympy import And, Eq, Max, Or

from pufferproof.claims.language import above, at_least, between, letter, letters
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.papers.streaming_cw.streams.linked import P, n

a = letter("a", "P0(y|z)", at_least(0))
b = letter("b", "P1(y|z)", at_least(0))
s = letter("s", "the slope of eq. (2)")
o = letter("o", "1 if y is in S, 0 if it is not", between(0, 1))
c = letter("c", "1 if P0(y|z) is at least the slope times P1(y|z), 0 if it is less", between(0, 1))
A, B = letters("A B", "the sum over y in S")
C, D = letters("C D", "the sum over those y where P0 is at least the slope times P1")
H = letter("H", "the hockey-stick divergence at the slope")

p = letter("p", "P0(y_j|z)", at_least(0))
q = letter("q", "P1(y_j|z)", above(0))
t = letter("t", "the slope of y_j")
L, S = letters("L S", "the largest and the smallest of these slopes")
G = letter("G", "the shift at this slope")
K, M = letters("K M", "the shift at the largest and at the smallest of these slopes")


def _is_sum() -> Linked:
    one = Linked(
        "the shift of a slope",
        {"y": "the outcomes"},
        {b: "y", s: "", o: "y", c: "y", a: "y"},
        {a: s * b},
    )
    one.given("the positive part", Or(And(Eq(c, 1), a >= s * b), And(Eq(c, 0), a < s * b)))
    one.sum(A, "y", o * a)
    one.sum(B, "y", o * b)
    one.sum(C, "y", c * a)
    one.sum(D, "y", c * b)
    one.sum(H, "y", Max(0, a - s * b))
    one.along("no set has more", "y", A - s * B <= H)
    one.along("one has as much", "y", Eq(C - s * D, H, evaluate=False), "the positive part")
    both = And(A - s * B <= H, Eq(C - s * D, H, evaluate=False))
    return one.conclude("the largest", both, "no set has more", "one has as much")


def _ends() -> Linked:
    one = Linked(
        "shifts at the ends",
        {"j": "the slopes at z", "y": "the outcomes"},
        {a: "y", b: "y", t: "j"},
    )
    one.largest(L, "j", t)
    one.least(S, "j", t)
    one.sum(G, "y", Max(0, a - t * b))
    one.sum(K, "y", Max(0, a - L * b))
    one.sum(M, "y", Max(0, a - S * b))
    one.term("at most the largest", L)
    one.term("at least the smallest", S)
    one.along("steeper", "y", K <= G, "at most the largest")
    one.along("flatter", "y", G <= M, "at least the smallest")
    return one.conclude("the ends", And(K <= G, G <= M), "steeper", "flatter")


def _printed_ends() -> Linked:
    one = Linked(
        "printed shifts",
        {"j": "the outcomes y_j in W", "i": "the sets S of outcomes"},
        {p: "j", q: "j", n: "i"},
    )
    one.let(t, p / q)
    one.largest(P, "i", n * p - t * n * q)
    one.step("every sum", Eq(n * p - t * n * q, 0, evaluate=False), "let t")
    one.attained("every shift", P, Eq(P, 0, evaluate=False), "every sum")
    return one.conclude("all are 0", And(P <= 0, P >= 0), "every shift")


def _steepest() -> Linked:
    one = Linked("the steepest slope", {"j": "the outcomes y_j in W"}, {p: "j", q: "j"})
    one.let(t, p / q)
    one.largest(L, "j", t)
    one.sum(K, "j", Max(0, p - L * q))
    one.term("at most the largest", L)
    one.step("no part", Eq(Max(0, p - L * q), 0, evaluate=False), "at most the largest", "let t")
    one.along("no shift", "j", Eq(K, 0, evaluate=False), "no part")
    return one.conclude("the shift", And(K <= 0, K >= 0), "no shift")


IS_SUM, ENDS, PRINTED_ENDS, STEEPEST = _is_sum(), _ends(), _printed_ends(), _steepest()
