"""How many records a 3R mechanism redacts, in expectation over databases and outputs."""

from sympy import And, Eq

from pufferproof.claims.language import at_least, between, letter
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.papers.massny2025.influence.linked import a, b, same

w = letter("w", "Pr(X=x)", at_least(0), real=True)
v = letter("v", "the value x_t", between(0, 1), real=True)
W = letter("W", "the sum of these probabilities", real=True)
g = letter("g", "1 if t is in L, 0 if not", between(0, 1), real=True)
m = letter("m", "1 if t is in M, 0 if not", between(0, 1), real=True)
q = letter("q", "q_t if t is in M", between(0, 1), real=True)
f = letter("f", "Pr(X_t=0), the stationary law", real=True)
Z = letter("Z", "Pr(X_t=0)", real=True)
N = letter("N", "Pr(X_t=1)", real=True)
r = letter("r", "r_t(x_t): 1 in L, 0 in S, q_t or 1 in M", real=True)
R = letter("R", "the expected number of redacted records of x", real=True)
E = letter("E", "E[#redacted]", real=True)
T = letter("T", "Pr(Y_t=*)", real=True)
S = letter("S", "the sum of Pr(Y_t=*)", real=True)
L = letter("L", "|L|", real=True)
M = letter("M", "|M|", real=True)
Q = letter("Q", "the sum of q_t over M", real=True)
C = letter("C", "the sum of 1 - q_t over M", real=True)


def _redacted(about: str) -> Linked:
    """The redacted records of a mechanism, one database at a time."""
    one = Linked(
        about,
        {"x": "the databases", "t": "the records"},
        {a: "", b: "", w: "x", v: "x t", g: "t", m: "t", q: "t"},
        near={w: w / W, b: a * Z / (W - Z)},
    )
    one.let(f, b / (a + b))
    one.sum(W, "x", w)
    one.sum(Z, "x", w * (1 - v))
    one.given("the value 0", Eq(Z, f))
    one.given("a law", Eq(W, 1))
    one.let(r, g + m * (q * (1 - v) + v))
    one.sum(R, "t", r * w)
    one.sum(E, "x", R)
    one.sum(L, "t", g)
    one.sum(M, "t", m)
    one.sum(C, "t", m * (1 - q))
    return one


def _count() -> Linked:
    one = _redacted("redacted records")
    one.sum(N, "x", w * v)
    one.sum(T, "x", r * w)
    one.sum(S, "t", T)
    one.along("a record", "x", Eq(T, g * W + m * (q * Z + N)), "let r")
    one.along("both values", "x", Eq(N, W - Z))
    uses = "a record", "both values", "a law", "the value 0"
    one.step("its chance", Eq(T, g + m * (1 - f) + f * m * q), *uses)
    one.sum(Q, "t", m * q)
    one.along("all records", "t", Eq(S, L + M * (1 - f) + f * Q), "its chance")
    one.along("the rest of M", "t", Eq(C, M - Q))
    one.swap("in either order", E, S)
    share = same(1 - f, a / (a + b))
    one.step("the other share", share, "let f")
    forms = And(share, same(E, L + M * (1 - f) + f * Q), same(E, L + M - f * C))
    uses = "all records", "the rest of M", "in either order", "the other share"
    return one.conclude("both forms", forms, *uses)


COUNT = _count()
"""The expected number of redacted records, in both forms."""
