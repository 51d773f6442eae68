"""Probes of events and partitions."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import partitions
from pufferproof.claims.vocabulary.families import channel, framework, signed, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, measures, pairs, priors
from pufferproof.claims.vocabulary.sorts import events as sets_of
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
Omega, W, ratio = set_named("Omega"), set_named("W"), letter("ratio", NUMBER, "R")
M = letter("M", measures("D", "Omega"))
Events = letter("events", sets_of("Omega"), "E")
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")


def events(draws: Draws) -> Instance:
    """2 to 4 databases, 1 to 3 outputs with probabilities that are now and then negative, one or
    two priors, a pair of secrets and perhaps its other order; the events are all sets, or a set
    with its complement, all outputs and none, and one is left out at times; 1 to 3 cells; R that of
    a random event, or a number.
    """
    found = framework(draws)
    outputs = 1 + draws.below(3)
    rows = signed(draws, channel(draws, found["D"], outputs))
    every = frozenset(range(outputs))
    some = subset(draws, outputs)
    listed = {frozenset[int](), every, some, every - some}
    if draws.below(3) == 0:
        listed = {e for parts in partitions.partitions(2, outputs) for e in parts}
    order = sorted(listed, key=sorted)
    if draws.below(3) == 2:
        del order[draws.below(len(order))]
    kept = {name: found[name] for name in ("D", "priors", "pairs", "ratio")}
    return {**kept, "Omega": outputs, "W": 1 + draws.below(3), "M": rows, "events": order}


USING = "Partitions"
PROBES = [
    Probe(
        "closed under complement",
        partitions.CLOSED(Events, Omega),
        "Omega",
        events,
        {"closed under complement": lambda events, size: iter((frozenset(range(size)) in events,))},
        USING,
    ),
    Probe(
        "keeps for events",
        partitions.KEEPS_EVENTS(ratio, M, Events, Q, T),
        "D Omega",
        events,
        {
            "keeps for events": lambda ratio, M, events, pairs, priors: partitions.KEEPS_EVENTS.value(
                ratio, M, events[1:2], pairs, priors
            )
        },
        USING,
    ),
    Probe(
        "keeps for partitions",
        partitions.KEEPS_CELLS(W, ratio, M, Events, Q, T),
        "D Omega W",
        events,
        {
            "keeps for partitions": lambda size, ratio, M, events, pairs, priors: partitions.KEEPS_EVENTS.value(
                ratio, M, events, pairs, priors
            )
        },
        USING,
    ),
]
