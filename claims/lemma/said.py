"""The weighted mediant inequality, said once: a bound of all terms is one of the sums."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import WEIGHTS
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
I, i = set_named("I"), letter("i", member("I"))
w, a, b = (letter(name, weights("I")) for name in "wab")
c = letter("c", NUMBER)


def terms(draws: Draws) -> Instance:
    """One to three terms with weights, zeros often and a negative one now and then; a_i is often
    c b_i, or close to it, and b_i and c have any sign.
    """
    size = 1 + draws.below(3)
    c = F(draws.below(5) - 2, 1 + draws.below(2))
    w = [F(draws.below(3)) for _ in range(size)]
    if rarely(draws):
        w[0] = draws.among([F(-1), F(-1, 200)])
    b = [F(draws.below(5) - 2) for _ in range(size)]
    off = [draws.among([F(0), F(0), F(1), F(-1), F(1, 200), F(-1, 200)]) for _ in range(size)]
    return {"I": size, "w": w, "a": [c * x + y for x, y in zip(b, off)], "b": b, "c": c}


SUMS = total(i, at(w, i) * at(a, i), I), c * total(i, at(w, i) * at(b, i), I)
AT_MOST = Proposition(
    "composition.Bounds.mediant",
    "I",
    [w, a, b, c],
    [WEIGHTS(w), every(i, at(a, i) <= c * at(b, i), I)],
    SUMS[0] <= SUMS[1],
    terms,
)
AT_LEAST = Proposition(
    "composition.Bounds.mediant_below",
    "I",
    [w, a, b, c],
    [WEIGHTS(w), every(i, c * at(b, i) <= at(a, i), I)],
    SUMS[1] <= SUMS[0],
    terms,
)
