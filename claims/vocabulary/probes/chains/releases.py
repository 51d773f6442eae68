"""Probe of two releases that tell more than twice, and how levels are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import releases
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import LEVEL
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
eps = letter("eps", LEVEL, "ε")
RATIOS = (F(2), F(1), F(1, 2), F(11, 10), F(3, 2), F(3), F(7), F(20), F(199, 200), F(201, 200))


def levels(draws: Draws) -> Instance:
    """A level by its exponential, from 1/2 to 20, often 1, or a little more or less."""
    return {"eps": Log(draws.among([*RATIOS]))}


def above(draws: Draws) -> Instance:
    """A level above 0, by its exponential: from 1 + 1/200 to 20."""
    return {"eps": Log(draws.among([each for each in RATIOS if each > 1]))}


PROBES = [
    Probe(
        "two releases tell more than twice",
        releases.MORE_THAN_TWICE(eps),
        "",
        levels,
        {"two releases tell more than twice": lambda eps: iter(((1, eps.of),))},
        "TwoReleases",
    )
]
