"""What a mixture of priors loses, as linked arguments: at most the quotient of the odds, and no
less for some mechanism and mixture.
"""

from sympy import And, Eq, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked

w = letter("w", "the weight of the prior", at_least(0), real=True)
p = letter("p", "P_l(s)", above(0), real=True)
q = letter("q", "P_l(s')", above(0), real=True)
a = letter("a", "P_l(y | s)", at_least(0), real=True)
b = letter("b", "P_l(y | s')", at_least(0), real=True)
R = letter("R", "e to the level", at_least(1), real=True)
o = letter("o", "the odds of s against s' under the prior", real=True)
h = letter("h", "the largest odds", real=True)
k = letter("k", "the smallest odds, so that Omega is h/k", real=True)
P, Q = letters("P Q", "the probability of the secret under the mixture", real=True)
A, B = letters("A B", "the probability of y and the secret under the mixture", real=True)

p1 = letter("p_1", "P(s) under the first prior", above(0), real=True)
q1 = letter("q_1", "P(s') under the first prior", above(0), real=True)
p2 = letter("p_2", "P(s) under the second prior", above(0), real=True)
q2 = letter("q_2", "P(s') under the second prior", above(0), real=True)
c = letter("c", "a ratio below R Omega", above(0), real=True)
Omega = letter("Omega", "the quotient of the odds", real=True)
x = letter(
    "x",
    "the probability of y at a database in s, and 1 - x that at one in s', both possible under the "
    "first prior alone, where at those of the second prior it is 0",
    real=True,
)
d = letter("d", "any weight of the first prior against 1", above(0), real=True)
t = letter("t", "the weight of the first prior against 1", real=True)


def _mixture() -> Linked:
    """Hypotheses and definitions."""
    one = Linked(
        "mixtures of priors",
        {"l": "the priors", "y": "the outputs"},
        {w: "l", p: "l", q: "l", a: "l y", b: "l y", R: ""},
        near={a: R * b},
        spare={
            "s is possible": "otherwise nothing is P(y | s)",
            "s' is possible": "otherwise nothing is P(y | s')",
        },
    )
    one.given("level R", a <= R * b)
    one.let(o, p / q)
    one.largest(h, "l", o)
    one.least(k, "l", o)
    one.sum(P, "l", w * p)
    one.sum(Q, "l", w * q)
    one.sum(A, "l", w * p * a)
    one.sum(B, "l", w * q * b)
    one.given("s is possible", P > 0)
    one.given("s' is possible", Q > 0)
    return one


def _bound() -> Linked:
    one = _mixture()
    one.term("at most h", h)
    one.term("at least k", k)
    one.attained("k is above 0", k, k > 0, "let o")
    one.step("order", And(k > 0, h >= k), "k is above 0", "at most h", "at least k")
    one.step("p from above", p <= h * q, "at most h", "let o")
    one.step("p from below", p >= k * q, "at least k", "let o")
    one.step("one numerator", p * a <= R * h * q * b, "p from above", "level R")
    one.along("numerators", "l", A <= R * h * B, "one numerator")
    one.along("not below 0", "l", And(A >= 0, B >= 0))
    one.step(
        "one prior",
        Or(p > k * q, And(Eq(p, k * q), p * a <= R * k * q * b)),
        "p from below",
        "level R",
    )
    counts = Or(P > k * Q, And(Eq(P, k * Q), A <= R * k * B))
    one.along("which priors count", "l", counts, "one prior")
    uses = "numerators", "which priors count", "not below 0", "order", "s' is possible"
    one.step("product", A * k * Q <= R * h * B * P, *uses)
    one.step("strict product", Or(Eq(h, k), Eq(A, 0), A * k * Q < R * h * B * P), *uses)
    ratio, bound = A / P, R * (h / k) * (B / Q)
    possible = "s is possible", "s' is possible", "k is above 0"
    one.step("the bound", ratio <= bound, "product", *possible)
    strict = Or(Eq(h, k), Eq(A, 0), ratio < bound)
    one.step("not reached", strict, "strict product", *possible)
    return one.conclude("both", And(ratio <= bound, strict), "the bound", "not reached", *possible)


def _reached() -> Linked:
    one = Linked(
        "a mixture that comes near",
        {},
        {p1: "", q1: "", p2: "", q2: "", R: "", c: ""},
        near={c: R * p1 * q2 / (q1 * p2)},
    )
    one.let(Omega, p1 * q2 / (q1 * p2))
    one.given("below", c < R * Omega)
    one.let(x, R / (R + 1))
    one.let(t, (R * Omega - c) * p2 / (c * p1))
    one.step("the weight", t > 0, "let t", "below")
    one.step("x", And(x > 0, x < 1, Eq(x, R * (1 - x))), "let x")
    one.step("level R", And(x <= R * (1 - x), 1 - x <= R * x), "x")
    one.step("the sum", Eq(c * q1 * (t * p1 + p2), R * p1 * q2), "let t", "let Omega")
    given_s, given_t = t * p1 * x / (t * p1 + p2), t * q1 * (1 - x) / (t * q1 + q2)
    products = t * p1 * x * (t * q1 + q2) >= c * t * q1 * (1 - x) * (t * p1 + p2)
    one.step("products", products, "the sum", "x")
    one.step("the ratio", given_s >= c * given_t, "products", "the weight")
    whole = And(x <= R * (1 - x), 1 - x <= R * x, t > 0, given_s >= c * given_t)
    return one.conclude("near", whole, "level R", "the weight", "the ratio")


def _lost() -> Linked:
    of = {p1: "", q1: "", p2: "", q2: "", R: "", d: ""}
    one = Linked("mixtures that do not keep the level", {}, of)
    one.given("odds differ", p1 * q2 > q1 * p2)
    one.let(x, R / (R + 1))
    one.step("x", And(x > 0, x < 1, Eq(x, R * (1 - x))), "let x")
    one.step("level R", And(x <= R * (1 - x), 1 - x <= R * x), "x")
    one.step("sums", p1 * (d * q1 + q2) > q1 * (d * p1 + p2), "odds differ")
    products = d * p1 * x * (d * q1 + q2) > R * d * q1 * (1 - x) * (d * p1 + p2)
    one.step("products", products, "sums", "x")
    given_s, given_t = d * p1 * x / (d * p1 + p2), d * q1 * (1 - x) / (d * q1 + q2)
    one.step("the ratio", given_s > R * given_t, "products")
    whole = And(x <= R * (1 - x), 1 - x <= R * x, given_s > R * given_t)
    return one.conclude("not kept", whole, "level R", "the ratio")


BOUND, REACHED, LOST = _bound(), _reached(), _lost()
