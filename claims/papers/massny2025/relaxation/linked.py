"""The utility of 3R mechanisms and the sum of their q_t, for any number of records in M."""

from sympy import Eq

from pufferproof.claims.language import above, letter, letters
from pufferproof.claims.language.linked import Linked

a = letter("a", "Pr(X_{t+1}=1|X_t=0)", above(0), real=True)
b = letter("b", "Pr(X_{t+1}=0|X_t=1)", above(0), real=True)
n = letter("n", "the number of records", above(0), real=True)
s = letter("s", "the number of records in S, which are released", real=True)
q = letter("q", "q_t, the chance to redact X_t = 0, where X_t = 1 is redacted", real=True)
r = letter("r", "another q_t", real=True)
Q, R = letters("Q R", "the sum of these q_t", real=True)
w = letter("w", "Pr(X_t=0)", real=True)
c, d = letters("c d", "how many records of M are released, in expectation", real=True)
u, v = letters("u v", "the utility, the expected share of records that are released", real=True)


def _direction() -> Linked:
    one = Linked(
        "the utility of 3R mechanisms",
        {"t": "the records of M"},
        {q: "t", r: "t", a: "", b: "", n: "", s: ""},
    )
    one.sum(Q, "t", q)
    one.sum(R, "t", r)
    one.given("a larger sum", Q < R)
    one.let(w, b / (a + b))
    one.sum(c, "t", w * (1 - q))
    one.sum(d, "t", w * (1 - r))
    one.let(u, (s + c) / n)
    one.let(v, (s + d) / n)
    one.along("the difference", "t", Eq(c - d, w * (R - Q)))
    one.step("fewer records", d < c, "the difference", "a larger sum", "let w")
    return one.conclude("utilities", v < u, "fewer records", "let u", "let v")


DIRECTION = _direction()
