"""One order of a pair at level 0, as a linked argument: outputs have laws given both secrets, and
neither law can be below the other everywhere.
"""

from sympy import Eq, Rational

from pufferproof.claims.language import above, at_least, letter
from pufferproof.claims.language.linked import Linked

g = letter("g", "the probability of an output given s", at_least(0), real=True)
h = letter("h", "the probability of this output given s'", above(0), real=True)
u = letter("u", "the probability of another output given s", at_least(0), real=True)
v = letter("v", "the probability of this other output given s'", at_least(0), real=True)
a = letter("a", "the probability of the secret s", above(0), real=True)
b = letter("b", "the probability of the secret s'", above(0), real=True)
U = letter("U", "the probability of all other outputs given s", real=True)
V = letter("V", "the probability of all other outputs given s'", real=True)


def _one_order() -> Linked:
    one = Linked(
        "one order at level 0",
        {"y": "the other outputs"},
        {u: "y", v: "y", a: "", b: "", g: "", h: ""},
        near={u: Rational(1, 4), v: u, g: 1 - U, h: 1 - V},
    )
    one.given("the output", g <= h)
    one.given("another output", u <= v)
    one.sum(U, "y", u)
    one.sum(V, "y", v)
    one.given("a law given s", Eq(g + U, 1, evaluate=False))
    one.given("a law given s'", Eq(h + V, 1, evaluate=False))
    one.along("other outputs", "y", U <= V, "another output")
    uses = "the output", "a law given s", "a law given s'", "other outputs"
    one.step("the same", Eq(g, h, evaluate=False), *uses)
    odds = Eq(a * g / (b * h), a / b, evaluate=False)
    return one.conclude("posterior odds", odds, "the same")


ONE_ORDER = _one_order()
"""Posterior odds are prior odds if P(y | s) <= P(y | s') at every output."""
