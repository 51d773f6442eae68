"""The weighted mediant inequality as linked arguments: a bound of all terms is one of the sums."""

from sympy import Ge, Le

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

a, b = letters("a b", "a side of the inequality for one term", real=True)
w = letter("w", "the weight of i", at_least(0), real=True)
c = letter("c", "the bound, of any sign", real=True)
A, B = letters("A B", "the weighted sum", real=True)


def _mediant(about: str, order: type[Le] | type[Ge]) -> Linked:
    one = Linked(about, {"i": "the terms"}, {a: "i", b: "i", w: "i", c: ""}, near={a: c * b})
    one.given("one term", order(a, c * b))
    one.sum(A, "i", w * a)
    one.sum(B, "i", w * b)
    one.along("every term", "i", order(A, c * B), "one term")
    return one.conclude("the sums", order(A, c * B), "every term")


AT_MOST, AT_LEAST = _mediant("a bound above", Le), _mediant("a bound below", Ge)
