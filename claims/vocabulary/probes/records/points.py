"""Probes of several releases at once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.records import points
from pufferproof.claims.vocabulary.families import framework
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, level, listed, pairs, priors, tables
from pufferproof.claims.vocabulary.terms import Log, Sort, letter

F = Fraction


def levels(of: str) -> Sort:
    """A level for each member of a finite set."""
    return Sort(
        f"{of} -> level",
        f"a family of real numbers, one for each member of {of}",
        "list Q",
        "(fun j => ln (law_of {} j))",
        listed(level),
    )


ratio = letter("ratio", NUMBER, "R")
Ms = letter("Ms", tables("K", "D", "W"), "M")
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
eps, a = letter("eps", levels("K")), letter("a", levels("K"))


def drawn(draws: Draws) -> Instance:
    """A framework with one to three mechanisms, which are now and then negative, and levels."""
    found = dict(framework(draws))
    found["K"] = found["C"]
    found["ratio"] = draws.among([F(1), F(2), F(4), F(9)])
    some = [F(1), F(2), F(1, 2), F(3)]
    return found | {name: [Log(draws.among(some)) for _ in range(found["K"])] for name in ("eps", "a")}


PROBES = [
    Probe(
        "all at once",
        KEEPS(ratio, points.AT_ONCE(Ms), Q, T),
        "K D W",
        drawn,
        {"all at once": lambda Ms: Ms[0]},
        "Points",
    ),
    Probe(
        "levels of all",
        EXP(points.LEVEL_MINUS(points.LEVELS_OF_ALL(eps), points.LEVELS_OF_ALL(a))),
        "K",
        drawn,
        {"sum of the levels of all": lambda levels: levels[0], "difference of levels": lambda a, b: Log(b.of / a.of)},
        "Points",
    ),
]
