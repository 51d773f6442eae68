"""The stationary law of a chain of two values, for any number of records."""

from sympy import And, Eq

from pufferproof.claims.language import above, letter
from pufferproof.claims.language.linked import Linked

a = letter("a", "Pr(X_{t+1}=1|X_t=0)", above(0), real=True)
b = letter("b", "Pr(X_{t+1}=0|X_t=1)", above(0), real=True)
start = letter("start", "Pr(X_1=0)", real=True)
p = letter("p", "Pr(X_n=0), n - 1 steps after X_1", real=True)


def _stationary() -> Linked:
    one = Linked(
        "the stationary law",
        {"t": "the steps"},
        {a: "", b: "", start: ""},
        near={start: b / (a + b)},
    )
    one.given("X_1 has this law", Eq(start, b / (a + b)))
    one.chain(p, "t", start, p * (1 - a) + (1 - p) * b)
    one.along("all records", "t", Eq(p * (a + b), b), "X_1 has this law")
    law = And(Eq(p, b / (a + b)), Eq(1 - p, a / (a + b)))
    return one.conclude("X_n has this law", law, "all records")


STATIONARY = _stationary()
