"""Probes of the influence curve of a stationary chain of bits, and of its printed formula."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records import hidden
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
ratio = letter("ratio", NUMBER, "R")
p, q = letter("p", NUMBER), letter("q1", NUMBER, "q")
T, b = letter("T", NATURAL), letter("b", NATURAL)
STAYS = [F(1, 2), F(2, 3), F(1, 3), F(3, 4), F(1, 4), F(1, 12), F(9, 10)]
NO_CHANCES = [F(1), F(0), F(3, 2), F(-1, 2)]


def stays(draws: Draws) -> Instance:
    """Chances p and q to stay, often equal ones or p + q = 1, and now and then one that is 0, 1 or
    no chance.
    """
    first = draws.among(STAYS)
    found = {"p": first, "q1": draws.among([first, 1 - first, *[draws.among(STAYS)] * 2])}
    if rarely(draws):
        found[draws.among(["p", "q1"])] = draws.among(NO_CHANCES)
    return found


def level(draws: Draws, at: Instance) -> Fraction:
    """Draw a level: the least one or the printed one, or close to it, rarely any."""
    p, q = at["p"], at["q1"]
    found = draws.among([F(1), F(2), F(-1), F(5)])
    if 0 < p < 1 and 0 < q < 1 and not rarely(draws):
        found = hidden.printed(p, q, at["b"])
        if draws.whether():
            found = hidden.least(p, q, at["T"], at["b"])
    return found * draws.among([*CLOSE])


def small_chains(draws: Draws) -> Instance:
    """Chances to stay, one or two records, rarely three, of which b = 0 to 2 are hidden, and R."""
    size = draws.among([(1, 1), (2, 1), (2, 1), (2, 0), (1, 2)])
    T, b = (3, 1) if draws.below(20) == 19 else size
    found = {**stays(draws), "T": T, "b": b}
    return {**found, "ratio": level(draws, found)}


def formulas(draws: Draws) -> Instance:
    """Chances to stay, and b from 0 to 4."""
    return {**stays(draws), "b": draws.below(5)}


USING = "Sequences Records Stationary HiddenBits"
PROBES = [
    Probe(
        "influence curve of bits at most",
        hidden.CURVE(ratio, p, q, T, b),
        "",
        small_chains,
        {"influence curve of bits at most": lambda R, p, q, n, b: hidden.CURVE.value(R, p, q, n, b + 1)},
        USING,
    ),
    Probe(
        "printed curve of bits",
        hidden.PRINTED(p, q, b),
        "",
        formulas,
        {"printed curve of bits": lambda p, q, b: hidden.printed(1 - p, 1 - q, b)},
        USING,
    ),
]
