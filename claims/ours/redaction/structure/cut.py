"""Full release from a record on, as a linked argument."""

from sympy import And, Eq, Max, Or

from pufferproof.claims.language import at_least, between, letter
from pufferproof.claims.language.linked import Linked

a0 = letter("a0", "P(X_t=0, the others show y|one value of X_p)", at_least(0), real=True)
a1 = letter("a1", "P(X_t=1, the others show y|one value of X_p)", at_least(0), real=True)
b0 = letter("b0", "P(X_t=0, the others show y|the other value of X_p)", at_least(0), real=True)
b1 = letter("b1", "P(X_t=1, the others show y|the other value of X_p)", at_least(0), real=True)
r0 = letter("r0", "r_t(0)", between(0, 1), real=True)
r1 = letter("r1", "r_t(1)", between(0, 1), real=True)
e0 = letter("e0", "P(records beyond t show z|X_t=0)", at_least(0), real=True)
e1 = letter("e1", "P(records beyond t show z|X_t=1)", at_least(0), real=True)
E0 = letter("E0", "the sum of e0", real=True)
E1 = letter("E1", "the sum of e1", real=True)
c0 = letter("c0", "P(records beyond t are x|X_t=0)", at_least(0), real=True)
c1 = letter("c1", "P(records beyond t are x|X_t=1)", at_least(0), real=True)
R = letter("R", "a bound of the ratio for all outputs", real=True)
S0 = letter("S0", "the sum over z where X_t = 0 is shown, given one value of X_p", real=True)
T0 = letter("T0", "the sum over z where X_t = 0 is shown, given the other value", real=True)
S1 = letter("S1", "the sum over z where X_t = 1 is shown, given one value of X_p", real=True)
T1 = letter("T1", "the sum over z where X_t = 1 is shown, given the other value", real=True)
S = letter("S", "the sum over z where X_t is redacted, given one value of X_p", real=True)
T = letter("T", "the sum over z where X_t is redacted, given the other value", real=True)


SHOWN = ("0", r0, a0, b0, e0, E0, S0, T0), ("1", r1, a1, b1, e1, E1, S1, T1)


def _before() -> Linked:
    """Outputs of the mechanism before: a value is shown, or redacted."""
    one = Linked(
        "full release from a record on",
        {
            "y": "what p, records nearer than t and the other side can show",
            "z": "what records beyond t can show",
            "x": "the values of the records beyond t",
        },
        {a0: "y", a1: "y", b0: "y", b1: "y", r0: "", r1: "", e0: "z", e1: "z", c0: "x", c1: "x"}
        | {R: ""},
        near={e0: e0 / E0, e1: e1 / E1, R: Max(a0 / b0, a1 / b1)},
    )
    one.sum(E0, "z", e0)
    one.sum(E1, "z", e1)
    one.given("a law for 0", Eq(E0, 1))
    one.given("a law for 1", Eq(E1, 1))
    one.given("the row of t", Or(And(r0 < 1, r1 < 1), Eq(r0, 0), Eq(r1, 0)))
    for value, r, a, b, e, *_ in SHOWN:
        one.given(f"{value} is shown", (1 - r) * a * e <= R * (1 - r) * b * e)
    above, below = r0 * a0 * e0 + r1 * a1 * e1, r0 * b0 * e0 + r1 * b1 * e1
    one.given("X_t is redacted", above <= R * below)
    one.sum(S, "z", above)
    one.sum(T, "z", below)
    return one


def _cut() -> Linked:
    one = _before()
    one.along("all redacted", "z", S <= R * T, "X_t is redacted")
    one.along("one value of X_p", "z", Eq(S, r0 * a0 * E0 + r1 * a1 * E1))
    one.along("the other value of X_p", "z", Eq(T, r0 * b0 * E0 + r1 * b1 * E1))
    for value, r, a, b, e, E, total, other in SHOWN:
        one.sum(total, "z", (1 - r) * a * e)
        one.sum(other, "z", (1 - r) * b * e)
        one.along(f"{value}, all shown", "z", total <= R * other, f"{value} is shown")
        whole = And(Eq(total, (1 - r) * a * E), Eq(other, (1 - r) * b * E))
        one.along(f"{value}, the sums", "z", whole)
    redacted = (
        "all redacted",
        "one value of X_p",
        "the other value of X_p",
        "a law for 0",
        "a law for 1",
    )
    for value, r, a, b, *_ in SHOWN:
        uses = f"{value}, all shown", f"{value}, the sums", f"a law for {value}"
        one.step(f"{value}, its part", (1 - r) * a <= R * (1 - r) * b, *uses)
    hidden = r0 * a0 + r1 * a1 <= R * (r0 * b0 + r1 * b1)
    one.step("the redacted part", hidden, *redacted)
    parts = "0, its part", "1, its part", "the redacted part", "the row of t"
    one.step("each value", And(a0 <= R * b0, a1 <= R * b1), *parts)
    said = And(a0 * c0 <= R * b0 * c0, a1 * c1 <= R * b1 * c1)
    return one.conclude("all outputs", said, "each value")


FULL_RELEASE = _cut()
"""What bounds the ratio before bounds it if t and all records beyond it are released."""
