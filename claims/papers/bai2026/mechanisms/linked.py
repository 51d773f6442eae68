"""The smallest scale of Laplace noise that the points of an influence curve give."""

from sympy import And, Implies

from pufferproof.claims.language import above, letter
from pufferproof.claims.language.linked import Linked

a = letter("a", "a(b), the value of the curve at this point", real=True)
b = letter("b", "the number of hidden cells at this point", above(0), real=True)
promise = letter("eps_puffer", "the level that is promised", real=True)
L = letter("L", "how much the query changes at most with one cell, in L1", above(0), real=True)
s = letter("s", "a scale of the noise", above(0), real=True)
r = letter("r", "a scale that no point allows", above(0), real=True)
level = letter("level", "the level eps_DP that this point allows", real=True)
best = letter("best", "the largest of these levels", real=True)
d = letter("d", "eps_DP of the noise of scale s", real=True)
h = letter("h", "eps_DP of the noise of scale r", real=True)


def _best_point() -> Linked:
    one = Linked(
        "points of a curve",
        {"j": "the points of the curve"},
        {a: "j", b: "j", promise: "", L: "", s: "", r: ""},
        near={s: L / best, r: L / best},
    )
    one.let(level, (promise - a) / b)
    one.largest(best, "j", level)
    one.let(d, L / s)
    one.let(h, L / r)
    one.given("some level", best > 0)
    one.given("r is not allowed", b * h + a > promise)
    one.term("one level", best)
    allowed = b * d + a <= promise
    one.step("a level", Implies(allowed, d <= best), "let level", "one level")
    one.attained("no level", best, best < h, "let level", "r is not allowed")
    then = And(Implies(allowed, L / best <= s), r < L / best)
    uses = "a level", "no level", "let d", "let h", "some level"
    return one.conclude("scales", then, *uses)


BEST_POINT = _best_point()
