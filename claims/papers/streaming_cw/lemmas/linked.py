"""The first inequality in the proof of Lemma 1, for any number of terms, and which blocks windows
share.
"""

from sympy import And, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked

a = letter("a", "P^0(y_1..y_{t-1}|[z*,z]_up) for this value of z*", at_least(0), real=True)
A = letter("A", "P^1(y_1..y_{t-1}|[z*,z']_up) for this value of z*", real=True)
b = letter("b", "P^0(y_t|X_t=[z*,z]) for this value of z*", at_least(0), real=True)
B = letter("B", "P^1(y_t|X_t=[z*,z']) for this value of z*", at_least(0), real=True)
p = letter("p", "the probability of this value of z*", at_least(0), real=True)
M = letter("M", "the largest a", at_least(0), real=True)
m = letter("m", "the least A, so that M/m is the largest a/A over two values", above(0), real=True)
i = letter("i", "the number of a window, whose blocks are b_i, .., b_{i+k-1}", real=True)
j = letter("j", "the number of a block", real=True)
k = letter("k", "the number of blocks of a window", at_least(2), real=True)
N, D = letters("N D", "the sum of the joint probabilities", real=True)
S, T = letters("S T", "the sum of the probabilities at step t", real=True)


def _max_ratio() -> Linked:
    one = Linked(
        "a quotient of sums",
        {"i": "the values of z*"},
        {a: "i", A: "i", b: "i", B: "i", p: "i", M: "", m: ""},
        near={a: M, A: m},
        spare={"the denominator": "where T = 0 there is no quotient"},
    )
    one.given("the largest a", a <= M)
    one.given("the least A", A >= m)
    one.sum(N, "i", a * b * p)
    one.sum(D, "i", A * B * p)
    one.sum(S, "i", b * p)
    one.sum(T, "i", B * p)
    one.given("the denominator", T > 0)
    one.step("one numerator", a * b * p <= M * b * p, "the largest a")
    one.step("one denominator", A * B * p >= m * B * p, "the least A")
    one.along("numerators", "i", N <= M * S, "one numerator")
    one.along("denominators", "i", D >= m * T, "one denominator")
    one.along("positive", "i", S >= 0)
    uses = "numerators", "denominators", "positive", "the denominator"
    return one.conclude("quotients", N / D <= M / m * (S / T), *uses)


def _owns_none() -> Linked:
    one = Linked("a window between two others", {}, {i: "", j: "", k: ""}, near={j: i})
    one.given("a block of the window", And(i <= j, j <= i + k - 1))
    one.given("numbers are whole", Or(j <= i, j >= i + 1))
    before, after = And(i - 1 <= j, j <= i + k - 2), And(i + 1 <= j, j <= i + k)
    uses = "a block of the window", "numbers are whole"
    return one.conclude("a block of the window before or after", Or(before, after), *uses)


MAX_RATIO, OWNS_NONE = _max_ratio(), _owns_none()
"""N/D is at most M/m times S/T: the quotient of sums by the largest quotient of two terms."""
