"""Lemma A.2 from Lemma A.1 as a linked argument: powers near the stationary law, their ratio."""

from sympy import And, S

from pufferproof.claims.language import above, at_least, letter
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, POSITIVE, X, Y, Z

a = letter("a", "P^t(x,y) for this chain theta", real=True)
b = letter("b", "P^t(x',y) for this chain", real=True)
q = letter("q", "pi_theta(y)", above(0), real=True)
m = letter("m", "the least probability under pi_theta", above(0), real=True)
pi = letter("pi", "the least probability of the class", above(0), real=True)
j = letter("G", "the eigengap of this chain", real=True)
g = letter("g", "the least eigengap of the class", real=True)
t = letter("t", "the distance", at_least(0), real=True)
u = letter("u", "the exponent of this chain", real=True)
v = letter("v", "the exponent of the class", real=True)
k = letter("k", "e^(-t G)", real=True)
h = letter("h", "e^(-t g)", real=True)
o = letter("O", "the exponent 0", real=True)
e = letter("E", "e to the exponent 0", real=True)
d = letter("d", "Delta_t of this chain", real=True)
D = letter("Delta", "Delta_t of the class", real=True)


def _powers() -> Linked:
    """Hypotheses and definitions."""
    one = Linked(
        "powers of a chain",
        {},
        {q: "", m: "", pi: "", g: "", t: "", j: "", a: "", b: ""},
        near={m: pi, j: g, a: q, b: q},
    )
    one.given("pi of the class", pi <= m)
    one.given("g of the class", g <= j)
    one.let(u, -t * j)
    one.let(v, -t * g)
    one.let(k, exp(u))
    one.let(h, exp(v))
    one.let(d, k / m)
    one.let(D, h / pi)
    one.given("above the threshold", h < pi)
    one.given("Lemma A.1 for x", And((1 - d) * q <= a, a <= (1 + d) * q))
    one.given("Lemma A.1 for x'", And((1 - d) * q <= b, b <= (1 + d) * q))
    return one


def _forward() -> Linked:
    one = _powers()
    one.let(o, S.Zero)
    one.let(e, exp(o))
    one.by("k grows", GROWS, {X: u, Y: v, Z: o})
    one.by("e^0", ADDS, {X: o, Y: o, Z: o}, "let O")
    one.by("e^0 > 0", POSITIVE, {X: o})
    one.by("h > 0", POSITIVE, {X: v})
    one.step("exponents", u <= v + o, "g of the class", "let u", "let v", "let O")
    one.step("k <= h", k <= h, "k grows", "exponents", "e^0", "e^0 > 0")
    kept = "k <= h", "pi of the class", "let d", "let Delta", "h > 0"
    one.step("of the class", d <= D, *kept)
    one.step("below 1", D < 1, "let Delta", "above the threshold")
    uses = "of the class", "below 1", "Lemma A.1 for x", "Lemma A.1 for x'"
    deltas = And(d >= 0, d <= D, D < 1)
    bounds = And((1 - D) / (1 + D) <= a / b, a / b <= (1 + D) / (1 - D))
    return one.conclude("the ratio", And(deltas, bounds), *uses)


FORWARD = _forward()
"""Powers of a chain within Lemma A.1 have the ratio of Lemma A.2."""
