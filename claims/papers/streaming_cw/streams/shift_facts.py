"""Shifts of slopes, eq. (2), as linked arguments; S runs through sets of outcomes."""

from sympy import And, Eq, Max

from pufferproof.claims.language import above, at_least, letter
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.papers.streaming_cw.streams.linked import P, n

p = letter("p", "P0(y_j|z)", at_least(0))
q = letter("q", "P1(y_j|z)", above(0))
t = letter("t", "the slope of y_j")
L = letter("L", "the largest of these slopes")
K = letter("K", "the shift at the largest of these slopes")


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


PRINTED_ENDS, STEEPEST = _printed_ends(), _steepest()
