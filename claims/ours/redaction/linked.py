"""More redaction, as a linked argument."""

from sympy import And, Max

from pufferproof.claims.language import at_least, between, letter
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
