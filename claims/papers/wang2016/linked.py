"""The count of records that are all equal, with noise for independent records."""

from sympy import Abs, And, Eq, Implies

from pufferproof.claims.language import above, at_least, letter
from pufferproof.claims.language.linked import Linked

n = letter("n", "the number of records, and the count if all are 1", at_least(2), real=True)
w = letter("w", "an output", real=True)
epsilon = letter("epsilon", "the level for independent records", above(0), real=True)
x = letter("x", "the exponent of the noise at w if the count is 0", real=True)
y = letter("y", "the exponent of the noise at w if the count is n", real=True)


def _equal_records() -> Linked:
    one = Linked("records that are all equal", {}, {n: "", w: "", epsilon: ""})
    one.let(x, -epsilon * Abs(w))
    one.let(y, -epsilon * Abs(w - n))
    leaks = x - y <= n * epsilon, y - x <= n * epsilon, Implies(Eq(w, 0), Eq(x - y, n * epsilon))
    return one.conclude("n times epsilon", And(*leaks, n * epsilon > epsilon), "let x", "let y")


EQUAL_RECORDS = _equal_records()
