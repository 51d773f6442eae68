"""Probes of events and partitions."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import partitions
from pufferproof.claims.vocabulary.families import channel, framework, signed
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, families, pairs, priors, table
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
E, ratio = set_named("E"), letter("ratio", NUMBER, "R")
M = letter("M", table("D", "E", "a real function of databases in {} and events in {}"))
Cells = letter("cells", families("W", "E"), "P")
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")


def events(draws: Draws) -> Instance:
    """2 to 4 databases, 2 to 4 events with probabilities that are now and then negative, one or
    two priors, a pair of secrets and perhaps its other order; partitions of two events each, which
    leave out an event at times.
    """
    found = framework(draws)
    number = 2 + draws.below(3)
    rows = signed(draws, channel(draws, found["D"], number))
    cells = [[e, draws.below(number)] for e in range(number)]
    if draws.below(3) == 2:
        del cells[draws.below(number)]
    kept = {name: found[name] for name in ("D", "priors", "pairs", "ratio")}
    return {**kept, "E": number, "W": 2, "M": rows, "cells": cells}


PROBES = [
    Probe(
        "cells of partitions",
        partitions.COVERED(E, Cells),
        "E W",
        events,
        {"cells of partitions": lambda size, cells: iter((len(cells) >= size - 1,))},
        "Partitions",
    ),
    Probe(
        "keeps for partitions",
        partitions.KEEPS_EACH(ratio, M, Cells, Q, T),
        "D E W",
        events,
        {
            "keeps for partitions": lambda ratio, M, cells, pairs, priors: partitions.keeps_each(
                ratio, M, cells[1:], pairs, priors
            )
        },
        "Partitions",
    ),
]
