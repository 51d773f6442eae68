"""The count of records that are all equal, with noise for independent records; ratios of sets of
outcomes and of outcomes.
"""

from sympy import Abs, And, Eq, Implies, Or

from pufferproof.claims.language import above, at_least, letter
from pufferproof.claims.language.linked import Linked

n = letter("n", "the number of records, and the count if all are 1", at_least(2), real=True)
w = letter("w", "an output", real=True)
epsilon = letter("epsilon", "the level for independent records", above(0), real=True)
x = letter("x", "the exponent of the noise at w if the count is 0", real=True)
y = letter("y", "the exponent of the noise at w if the count is n", real=True)

p = letter("p", "P(X_R=o|X_i=a) at this outcome o", at_least(0), real=True)
q = letter("q", "P(X_R=o|X_i=b) at this outcome", above(0), real=True)
member = letter("member", "1 if this outcome is in the set, 0 if not", real=True)
K = letter("K", "a bound of the ratios of all sets of one outcome", real=True)
ratio = letter("ratio", "the ratio at this outcome", real=True)
e = letter("e", "e to the max-influence", real=True)
A = letter("A", "the probability of the set given X_i = a", real=True)
B = letter("B", "the probability of the set given X_i = b", real=True)


def _divergence() -> Linked:
    """The largest ratio of outcomes bounds that of every set, and is at most what bounds all."""
    one = Linked(
        "sets of outcomes",
        {"o": "the outcomes x_R that are possible given X_i = b"},
        {p: "o", q: "o", member: "o", K: ""},
        near={K: ratio},
    )
    one.given("a set", Or(Eq(member, 0), Eq(member, 1)))
    one.given("sets of one outcome", p <= K * q)
    one.let(ratio, p / q)
    one.largest(e, "o", ratio)
    one.sum(A, "o", member * p)
    one.sum(B, "o", member * q)
    one.term("one ratio", e)
    one.step("one outcome", member * p <= e * member * q, "one ratio", "let ratio", "a set")
    one.along("a set of outcomes", "o", A <= e * B, "one outcome")
    one.attained("at the largest ratio", e, e <= K, "let ratio", "sets of one outcome")
    then = And(A <= e * B, e <= K)
    return one.conclude("divergence", then, "a set of outcomes", "at the largest ratio")


def _equal_records() -> Linked:
    one = Linked("records that are all equal", {}, {n: "", w: "", epsilon: ""})
    one.let(x, -epsilon * Abs(w))
    one.let(y, -epsilon * Abs(w - n))
    leaks = x - y <= n * epsilon, y - x <= n * epsilon, Implies(Eq(w, 0), Eq(x - y, n * epsilon))
    return one.conclude("n times epsilon", And(*leaks, n * epsilon > epsilon), "let x", "let y")


DIVERGENCE, EQUAL_RECORDS = _divergence(), _equal_records()
