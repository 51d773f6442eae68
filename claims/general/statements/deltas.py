"""Levels with deltas as linked arguments: groups of records, and what a promise loses by them."""

from sympy import And, Eq, Or, S

from pufferproof.claims.general.statements.linked import RECORDS, A, P, Q, V, W, X, Y, m, n, p, q
from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.linked import Linked

a = letter("a", "P(E | x), E a set of outputs", at_least(0))
r = letter("r", "e to the level for the record", at_least(1))
d = letter("d", "what a change of the record adds", at_least(0))
g = letter("g", "P(E | x), the records of H up to this one being those of y", at_least(0))
h = letter("h", "P(E | x), the records of H before this one being those of y")
e = letter("e", "P(E | y)")
K = letter("K", "e to the levels of all records of H")
L = letter("L", "e to the levels of the records of H before this one")
D = letter("D", "what all of them add")
k = letter("kappa", "e to the level where tables agree outside H", at_least(1))
c = letter("delta", "what is added where tables agree outside H", at_least(0))
T = letter("T", "the probability of all that is possible given s")


def _groups() -> Linked:
    one = Linked(
        "groups of records", {"j": "the records of H"}, {a: "", r: "j", d: "j", g: "j"}, {g: a}
    )
    one.chain(e, "j", a, g)
    one.before(h, e)
    one.product(K, "j", r)
    one.before(L, K)
    one.chain(D, "j", S.Zero, D + L * d)
    one.given("one record", h <= r * g + d)
    one.along("so far", "j", And(a <= K * e + D, K >= 1), "one record")
    return one.conclude("all of them", a <= K * e + D, "so far")


def _promised() -> Linked:
    one = Linked(
        "a promise with a delta",
        RECORDS,
        {A: "", p: "l h", q: "l g", m: "l h", n: "l g", k: "", c: ""},
        {A: P / Q, m: k * n + c},
    )
    one.sum(P, "h", p)
    one.sum(Q, "g", q)
    one.sum(X, "h", p * m)
    one.sum(Y, "g", q * n)
    one.sum(T, "l", P)
    one.sum(V, "l", X)
    one.sum(W, "l", Y)
    one.given("what is shown", P <= A * Q)
    one.given("tables that agree", m <= k * n + c)
    one.given("a law given s", T <= 1)
    one.along("one value", "g", p * m * Q <= k * p * Y + c * p * Q, "tables that agree")
    one.along("all values", "h", X * Q <= k * P * Y + c * P * Q, "one value")
    one.along("or none", "h", And(P >= 0, Or(Eq(X, 0), P > 0)))
    one.along("of s'", "g", Y >= 0)
    facts = "all values", "or none", "of s'", "what is shown"
    one.step("given what is shown", X <= A * k * Y + c * P, *facts)
    one.along("everything", "l", V <= A * k * W + c * T, "given what is shown")
    return one.conclude("the promise", V <= A * k * W + c, "everything", "a law given s")


GROUPS, PROMISED = _groups(), _promised()
