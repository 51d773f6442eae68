"""Linked arguments: a statement and the facts from which it follows, as one object.

    argument = Linked("a mean", {"x": "the databases"}, {p: "x", f: "x", K: ""})
    argument.given("a bound", f <= K)
    argument.sum(mean, "x", p * f)
    argument.sum(mass, "x", p)
    argument.along("so is the sum", "x", mean <= K * mass, "a bound")
    argument.conclude("the mean", mean <= K * mass, "so is the sum")

From the object come its words, its LaTeX, its program with near misses, and the implications that
engines decide. A second reader (`second`) goes through the same facts as plain text, with code of
its own, and asks engines again. A reading that is opened by `check.linked(name)` is DERIVED only if
both agree and its program held at every instance on which it was tried.
"""

from pufferproof.claims.language.linked.argument import Lemma, Linked, exp
from pufferproof.claims.language.linked.made import Fact, Fold

__all__ = ["Fact", "Fold", "Lemma", "Linked", "exp"]
