"""The last lines of the proof of Theorem 4: t shifts in all."""

from sympy import And

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.linked import Linked

t = letter("t", "the number of steps", at_least(1), real=True)
delta_max = letter("delta_max", "the largest shift of a step", real=True)
delta_min = letter("delta_min", "the least shift at z of the last step", at_least(0), real=True)
x = letter("x", "the sum of P0(y_t|z) over V_t", real=True)
P = letter("P", "P^0(S_t|z), the probability of the outputs in S_t", at_least(0), real=True)
f = letter("f", "the factor of the first t - 1 steps, of any sign", real=True)


def _last_lines() -> Linked:
    one = Linked(
        "t shifts in all",
        {},
        {t: "", delta_max: "", delta_min: "", x: "", P: ""},
        near={delta_max: delta_min, x: 1 - delta_min, P: f * x},
    )
    one.given("shifts", delta_min <= delta_max)
    one.given("the last output", x >= 1 - delta_min)
    one.let(f, 1 - (t - 1) * delta_max)
    one.given("all outputs", P >= f * x)
    product = f * (1 - delta_min) >= 1 - t * delta_max
    one.step("product", product, "shifts", "let f")
    one.step("shift", 1 - P <= t * delta_max, "product", "the last output", "all outputs", "let f")
    return one.conclude("both", And(product, 1 - P <= t * delta_max), "product", "shift")


LAST_LINES = _last_lines()
