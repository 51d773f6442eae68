"""The sum of the levels of releases and their number times the largest, after Theorem III.7."""

from sympy import Eq, S

from pufferproof.claims.language import letter
from pufferproof.claims.language.linked import Linked

e = letter("epsilon", "the level of this release", real=True)
total = letter("total", "the sum of the levels", real=True)
K = letter("K", "the number of releases", real=True)
top = letter("top", "the largest level", real=True)
low = letter("low", "the least level", real=True)
g = letter("g", "how far this level is below the largest", real=True)
G = letter("G", "the sum of these gaps", real=True)


def _levels() -> Linked:
    one = Linked("levels of releases", {"k": "the releases"}, {e: "k"})
    one.sum(total, "k", e)
    one.sum(K, "k", S.One)
    one.largest(top, "k", e)
    return one


def _at_least_as_good() -> Linked:
    one = _levels()
    one.term("one level", top)
    one.along("so far", "k", total <= K * top, "one level")
    return one.conclude("all levels", total <= K * top, "so far")


def _strictly_better() -> Linked:
    one = _levels()
    one.least(low, "k", e)
    one.given("two levels differ", low < top)
    one.term("one level", top)
    one.let(g, top - e)
    one.sum(G, "k", g)
    one.along("all gaps", "k", Eq(G, K * top - total), "let g")
    one.term("one gap", G, "one level", "let g")
    one.attained("the gap of the least level", low, top - low <= G, "one gap", "let g")
    uses = "all gaps", "the gap of the least level", "two levels differ"
    return one.conclude("all levels", total < K * top, *uses)


AT_LEAST_AS_GOOD, STRICTLY_BETTER = _at_least_as_good(), _strictly_better()
