"""Powers of the chain and influences by distance as linked arguments: proposition 1.

The steps between two records are an index, so that their number D is any number from 1 on.
"""

from typing import Any

from sympy import Abs, And, Eq, Implies, Max, Ne, Or, S

from pufferproof.claims.language import above, below, letter
from pufferproof.claims.language.linked import Linked

a = letter("a", "the probability of the step from 0 to 1", above(0), below(1), real=True)
b = letter("b", "the probability of the step from 1 to 0", above(0), below(1), real=True)
D = letter("D", "the number of steps", real=True)
l = letter("l", "lam^D", real=True)
u = letter("u", "Pr(X_t=0|X_p=0), t = p + D", real=True)
v = letter("v", "Pr(X_t=0|X_p=1), t = p + D", real=True)
f = letter("f", "Pr(X_p=0), and Pr(X_t=0): both have the stationary law", real=True)
x = letter("x", "Pr(X_t=0|X_p=0), t = p - D, by Bayes' rule", real=True)
y = letter("y", "Pr(X_t=0|X_p=1), t = p - D, by Bayes' rule", real=True)
A = letter("A", "a_D", real=True)
B = letter("B", "b_D", real=True)
E = letter("E", "e^i(X_p~>X_t=0), t = p + D", real=True)
F = letter("F", "e^i(X_p~>X_t=1), t = p + D", real=True)
G = letter("G", "e^i(X_p~>X_t=0), t = p - D", real=True)
H = letter("H", "e^i(X_p~>X_t=1), t = p - D", real=True)
c = letter("c", "the ratio of (17) for the value 0", real=True)
d = letter("d", "the ratio of (17) for the value 1", real=True)
q = letter("q", "Pr(X_t=0|X_p=0), t = p + D + 1", real=True)
r = letter("r", "Pr(X_t=0|X_p=1), t = p + D + 1", real=True)
m = letter("m", "lam^(D + 1)", real=True)
k = letter("k", "the sum of the powers of lam below D", real=True)
J = letter("J", "E at D + 1", real=True)
K = letter("K", "F at D + 1", real=True)

LAM = 1 - a - b
STEPS = {"s": "the D steps between X_p and X_t"}
ENTRIES = And(u > 0, u < 1, v > 0, v < 1)


def same(one: Any, other: Any) -> Any:
    """An equation that sympy leaves as it is."""
    return Eq(one, other, evaluate=False)


def chain(about: str, eigenvalue: bool = True) -> Linked:
    """Rows of the power for D steps, and the power of the eigenvalue if it is used."""
    one = Linked(about, STEPS, {a: "", b: ""})
    one.chain(u, "s", S.One, u * (1 - a) + (1 - u) * b)
    one.chain(v, "s", S.Zero, v * (1 - a) + (1 - v) * b)
    if eigenvalue:
        one.product(l, "s", LAM)
    return one


def _powers() -> Linked:
    one = chain("powers of the eigenvalue")
    one.sum(D, "s", S.One)
    one.term("a step", D)
    one.along("size", "s", And(Abs(l) <= 1, Or(Eq(D, 0), Abs(l) <= Abs(LAM))))
    one.along("sign", "s", Or(LAM < 0, l >= 0))
    one.along("from 0", "s", same((a + b) * u, b + a * l))
    one.along("from 1", "s", same((a + b) * v, b - b * l))
    one.step("sizes", And(Abs(l) <= Abs(LAM), Abs(LAM) < 1), "size", "a step")
    one.step("entries", ENTRIES, "sizes", "sign", "from 0", "from 1")
    said = And(Abs(l) <= Abs(LAM), Abs(LAM) < 1, Implies(LAM >= 0, l >= 0), *ENTRIES.args)
    return one.conclude("all of it", said, "sizes", "sign", "entries")


POWERS = _powers()
"""Sizes and signs of powers of the eigenvalue; entries of the power are positive."""
POWERS_SAY = POWERS.as_lemma("powers of the eigenvalue")
PUT = {each: each for each in (a, b, u, v, l)}


def _power() -> Linked:
    one = chain("the power for D steps")
    one.let(A, a / (a + b) * (1 - l))
    one.let(B, b / (a + b) * (1 - l))
    one.by("sizes", POWERS_SAY, PUT)
    one.along("from 0", "s", same((a + b) * u, b + a * l))
    one.along("from 1", "s", same((a + b) * v, b - b * l))
    said = [same(u, 1 - A), same(v, B), same(A / B, a / b), same(1 - A - B, l)]
    return one.conclude("(15) and (16)", And(*said), "from 0", "from 1", "let A", "let B", "sizes")


POWER = _power()
"""The power for D steps in closed form."""


def _backwards(one: Linked) -> None:
    """The law of a record before p, by Bayes' rule."""
    one.by("sizes", POWERS_SAY, PUT)
    one.let(f, b / (a + b))
    one.step("both values", And(f > 0, f < 1), "let f")
    one.let(x, f * u / (f * u + (1 - f) * v), "sizes", "both values")
    one.let(y, f * (1 - u) / (f * (1 - u) + (1 - f) * (1 - v)), "sizes", "both values")


def _reversible() -> Linked:
    one = chain("a chain that is read backwards")
    _backwards(one)
    one.along("balance", "s", same(b * (1 - u), a * v))
    one.step("joint law", same(f * (1 - u), (1 - f) * v), "balance", "let f")
    one.step("from 0", same(x, u), "let x", "joint law", "both values")
    one.step("from 1", same(y, v), "let y", "joint law", "both values")
    return one.conclude("both sides", And(same(x, u), same(y, v)), "from 0", "from 1")


REVERSIBLE = _reversible()
"""The law of a record before p given X_p is that of the record as far after it."""
REVERSIBLE_SAYS = REVERSIBLE.as_lemma("a chain that is read backwards")


def _influences(about: str, ordered: bool = True) -> Linked:
    """Influences of X_p on records on both sides, where a is at most b if they are `ordered`."""
    one = chain(about)
    if ordered:
        one.given("a is smaller", a <= b)
    _backwards(one)
    one.by("both sides", REVERSIBLE_SAYS, {each: each for each in (a, b, u, v, f, x, y)})
    one.let(E, Max(u / v, v / u), "sizes")
    one.let(F, Max((1 - u) / (1 - v), (1 - v) / (1 - u)), "sizes")
    one.let(G, Max(x / y, y / x), "sizes", "both sides")
    one.let(H, Max((1 - x) / (1 - y), (1 - y) / (1 - x)), "sizes", "both sides")
    uses = ["let E", "let F", "let G", "let H", "both sides", "sizes"]
    one.step("the same left", And(same(G, E), same(H, F)), *uses)
    one.along("from 0", "s", same((a + b) * u, b + a * l))
    one.along("from 1", "s", same((a + b) * v, b - b * l))
    if ordered:
        uses = ["a is smaller", "from 0", "from 1", "sizes"]
        one.step("the order", E <= F, "let E", "let F", *uses)
    return one


def _larger(strictly: bool) -> Linked:
    one = _influences("the value of larger influence", ordered=False)
    uses = ["let E", "let F", "from 0", "from 1", "sizes"]
    if not strictly:
        order = And(Implies(a <= b, E <= F), Implies(a > b, F <= E))
        one.step("right", order, *uses)
        said = And(order, Implies(a <= b, G <= H), Implies(a > b, H <= G))
        return one.conclude("right and left", said, "right", "the same left")
    one.along("not 0", "s", Or(Eq(a + b, 1), Ne(l, 0)))
    uses += ["not 0"]
    differ = And(Ne(a, b), Ne(a + b, 1))
    right = And(Implies(differ, Ne(E, F)), Implies(Ne(E, F), differ))
    one.step("right", right, *uses)
    said = And(right, Implies(differ, Ne(G, H)), Implies(Ne(G, H), differ))
    return one.conclude("right and left", said, "right", "the same left")


LARGER, STRICTLY = _larger(False), _larger(True)
"""Which value has the larger influence for any a and b, and when both influences differ."""
