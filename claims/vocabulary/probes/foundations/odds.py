"""Probes of odds."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import odds
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.families import framework, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, pairs, priors
from pufferproof.claims.vocabulary.terms import letter

D, W = map(set_named, "DW")
ratio, M = letter("ratio", NUMBER), letter("M", mechanism("D", "W"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")


def drawn(draws: Draws) -> Instance:
    """A framework, whose priors are now and then no laws, with mechanisms of few differences."""
    found = dict(framework(draws))
    if draws.below(3) == 2:
        found["priors"] = [vector(draws, found["D"])]
    if draws.whether():
        found["M"] = [found["M"][0 if draws.below(3) else x] for x in range(found["D"])]
    if rarely(draws):
        found["ratio"] *= 0
    return found


def _swapped(entry: Any) -> Any:
    return lambda R, M, pairs, priors: entry.value(R, M, [(t, s) for s, t in pairs], priors)


def _twice(entry: Any) -> Any:
    return lambda R, M, pairs, priors: entry.value(2 * R, M, pairs, priors)


PROBES = [
    Probe(
        "keeps in both orders",
        odds.IN_BOTH_ORDERS(ratio, M, Q, T),
        "D W",
        drawn,
        {"keeps in both orders": KEEPS.value},
        "Odds",
    ),
    Probe(
        "odds at most",
        odds.ODDS_AT_MOST(ratio, M, Q, T),
        "D W",
        drawn,
        {"odds at most": _swapped(odds.ODDS_AT_MOST)},
        "Odds",
    ),
    Probe(
        "odds stay",
        odds.ODDS_STAY(M, Q, T),
        "D W",
        drawn,
        {"odds stay": lambda M, pairs, priors: odds.ODDS_STAY.value(M, pairs, priors[:1])},
        "Odds",
    ),
    Probe(
        "odds within", odds.ODDS_WITHIN(ratio, M, Q, T), "D W", drawn, {"odds within": _twice(odds.ODDS_WITHIN)}, "Odds"
    ),
]
