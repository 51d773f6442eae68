"""The stationary chain read backwards, one step and whole sequences, as linked arguments."""

from typing import Any

from sympy import And, Eq, Or, S

from pufferproof.claims.language import between, letter
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.papers.massny2025.influence.linked import a, b, same

f = letter("f", "the stationary probability of 0", real=True)
c = letter("c", "Pr(X_t=0|X_{t+1}=0), by Bayes' rule", real=True)
d = letter("d", "Pr(X_t=0|X_{t+1}=1), by Bayes' rule", real=True)

m = letter("m", "X_1", between(0, 1), real=True)
w = letter("w", "the record after this step", between(0, 1), real=True)
z = letter("z", "the last record", real=True)
h = letter("h", "the record before this step", real=True)
k = letter("k", "the probability of this step, given the record before it", real=True)
g = letter("g", "the probability of its reverse, given the record after it", real=True)
K = letter("K", "the probability of all steps", real=True)
G = letter("G", "the probability of all steps in reverse", real=True)
P = letter("P", "the probability of the sequence", real=True)
Q = letter("Q", "the probability of the reversed sequence", real=True)


def _one_step() -> Linked:
    one = Linked("one step read backwards", {}, {a: "", b: ""})
    one.let(f, b / (a + b))
    one.step("both values", And(f > 0, f < 1), "let f")
    one.let(c, f * (1 - a) / (f * (1 - a) + (1 - f) * b), "both values")
    one.let(d, f * a / (f * a + (1 - f) * (1 - b)), "both values")
    one.step("from 0", same(c, 1 - a), "let c", "let f")
    one.step("from 1", same(d, b), "let d", "let f")
    return one.conclude("the same law", And(same(c, 1 - a), same(d, b)), "from 0", "from 1")


ONE_STEP = _one_step()
"""A step of the stationary chain has the same law in both directions."""


def _step(before: Any, after: Any) -> Any:
    """The probability of a step between two bits."""
    stays, goes = (1 - after) * (1 - a) + after * a, (1 - after) * b + after * (1 - b)
    return (1 - before) * stays + before * goes


def _stationary(bit: Any) -> Any:
    return (1 - bit) * f + bit * (1 - f)


def _sequence() -> Linked:
    given = {a: "", b: "", m: "", w: "t"}
    one = Linked("a sequence read backwards", {"t": "the steps"}, given, near={m: S.One})
    one.given("the first record", Or(Eq(m, 0), Eq(m, 1)))
    one.given("a record", Or(Eq(w, 0), Eq(w, 1)))
    one.let(f, b / (a + b))
    one.step("balance", same(f * a, (1 - f) * b), "let f")
    one.chain(z, "t", m, w)
    one.before(h, z)
    one.let(k, _step(h, w))
    one.let(g, _step(w, h))
    one.product(K, "t", k)
    one.product(G, "t", g)
    one.let(P, _stationary(m) * K)
    one.let(Q, _stationary(z) * G)
    whole = And(Or(Eq(z, 0), Eq(z, 1)), same(_stationary(m) * K, _stationary(z) * G))
    uses = "the first record", "a record", "balance", "let k", "let g"
    one.along("all steps", "t", whole, *uses)
    return one.conclude("as likely", same(P, Q), "all steps", "let P", "let Q")


SEQUENCE = _sequence()
"""A sequence of records and the reversed one are equally likely."""
