"""Sizes of c and |lam| in the proof of proposition 1, as linked arguments."""

from sympy import Abs, And, Rational

from pufferproof.claims.language import letter
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.papers.massny2025.influence.linked import a, b, same

d = letter("d", "|lam|", real=True)
c0 = letter("c0", "c for the value 0", real=True)
c1 = letter("c1", "c for the value 1", real=True)


def _begun(about: str, ordered: bool) -> Linked:
    one = Linked(about, {}, {a: "", b: ""}, near={b: Rational(999, 1000)})
    if ordered:
        one.given("a is smaller", a <= b)
    one.given("lam < 0", a + b > 1)
    one.let(d, Abs(1 - a - b))
    one.let(c0, a / b)
    one.let(c1, b / a)
    one.step("|lam|", same(d, a + b - 1), "let d", "lam < 0")
    return one


def _inequalities() -> Linked:
    one = _begun("products of c and |lam|", ordered=True)
    middle = same(c1 * d, 1 - (a + b) / a * (1 - b))
    uses = "let c0", "let c1", "|lam|", "lam < 0", "a is smaller"
    one.step("the ends", c0 * d <= c1 * d, *uses)
    one.step("the middle", middle, "let c1", "|lam|")
    said = And(c0 * d <= c1 * d, middle, c1 * d < 1)
    return one.conclude("all of it", said, "the ends", "the middle")


def _equivalence() -> Linked:
    one = _begun("c and |lam|", ordered=False)
    one.step("the value 0", And(c0 * d < 1, c0 > d), "let c0", "|lam|")
    one.step("the value 1", And(c1 * d < 1, c1 > d), "let c1", "|lam|")
    said = And(c0 * d < 1, c0 > d, c1 * d < 1, c1 > d)
    return one.conclude("both sides hold", said, "the value 0", "the value 1")


INEQUALITIES, EQUIVALENCE = _inequalities(), _equivalence()
"""Both products are below 1; so c d < 1 and c > d are equivalent, as both hold for both c."""
