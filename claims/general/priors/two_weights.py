"""A quadratic form of two weights that is at most 0, as linked arguments: enough, and needed."""

from sympy import And, Eq, Max, Or

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

g, h = letters("g h", "the coefficient of a square", real=True)
c = letter("c", "the coefficient of the product", real=True)
x, z = letters("x z", "a weight", at_least(0), real=True)
form = letter("F", "the form at x and z", real=True)
s = letter("s", "the root of a square", real=True)
X = letter("X", "the first weight at X, Z, the second at Y, X", real=True)
Z = letter("Z", "the second weight at X, Z", real=True)
Y = letter("Y", "the first weight at Y, X", real=True)


def _enough() -> Linked:
    one = Linked(
        "two weights: enough", {}, {g: "", h: "", c: "", x: "", z: ""}, near={h: c**2 / (4 * g)}
    )
    one.given("g", g <= 0)
    one.given("h", h <= 0)
    one.given("c", Or(c <= 0, c**2 <= 4 * g * h))
    one.let(form, g * x**2 + c * x * z + h * z**2)
    one.let(s, 2 * g * x + c * z)
    one.step("squares", Eq(4 * g * form, s**2 + (4 * g * h - c**2) * z**2), "let F", "let s")
    one.step("c above 0", Or(c <= 0, 4 * g * form >= 0), "squares", "c")
    one.step("g = 0", Or(g < 0, c <= 0), "g", "c")
    one.step("c at most 0", Or(c > 0, form <= 0), "g", "h", "let F")
    return one.conclude("at most 0", form <= 0, "c above 0", "g = 0", "c at most 0")


def _needed() -> Linked:
    one = Linked("two weights: needed", {}, {g: "", h: "", c: ""}, near={h: c**2 / (4 * g)})
    one.let(X, Max(c, 0))
    one.let(Z, Max(-2 * g, 0))
    one.let(Y, Max(1 - h, 0))
    one.given("at 0, 1", h <= 0)
    one.given("at X, Z", g * X**2 + c * X * Z + h * Z**2 <= 0)
    one.given("at Y, X", g * Y**2 + c * Y * X + h * X**2 <= 0)
    one.step("g", g <= 0, "at 0, 1", "at Y, X", "let X", "let Y")
    one.step("g = 0", Or(g < 0, c <= 0), "at Y, X", "let X", "let Y")
    one.step("g < 0", Or(Eq(g, 0), c <= 0, c**2 <= 4 * g * h), "at X, Z", "let X", "let Z")
    whole = And(g <= 0, h <= 0, Or(c <= 0, c**2 <= 4 * g * h))
    return one.conclude("the conditions", whole, "g", "at 0, 1", "g = 0", "g < 0")


ENOUGH, NEEDED = _enough(), _needed()
