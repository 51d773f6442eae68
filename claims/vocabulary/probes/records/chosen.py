"""Probes of releases that the outputs before them choose."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.records import chosen
from pufferproof.claims.vocabulary.families import CLOSE, Rows, rarely, signed
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records import curves
from pufferproof.claims.vocabulary.probes.records.curves import Q, T, X, ratio
from pufferproof.claims.vocabulary.probes.records.points import levels
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
Ms, delta = letter("Ms", chosen.chosen("K", "D", "W"), "M"), letter("delta", levels("K"))


def drawn(draws: Draws) -> Instance:
    """As for influence curves, with one or two releases, each with one to three tables, and levels
    that are often the least; the level of the point of the curve; a ratio that is often what they
    pay together.
    """
    found = curves.drawn(draws)
    releases = [_tables(draws, found["M"]) for _ in range(1 + draws.below(2))]
    off = draws.among(CLOSE) if rarely(draws) else F(1)
    delta = [max(curves.level(found["X"], M) for M in tables) * off for tables in releases]
    paid = found["factor"]
    for each in delta:
        paid *= each ** found["b"]
    return {
        **found,
        **{"K": len(releases), "Ms": releases, "delta": [*map(Log, delta)]},
        **{"a": Log(found["factor"]), "ratio": paid * draws.among(CLOSE)},
    }


def _tables(draws: Draws, M: Rows) -> list[Rows]:
    """The table of a mechanism, and mostly others for outputs before it."""
    some = curves.CHANCES if rarely(draws) else curves.CHANCES[:3]
    rows = [[[draws.among(some) for _ in row] for row in M] for _ in range(2)]
    if rarely(draws):
        rows = [signed(draws, each) for each in rows]
    return [M, *rows[: draws.below(3)]]


PROBES = [
    Probe(
        "all at once, chosen",
        KEEPS(ratio, chosen.AT_ONCE_CHOSEN(Ms), Q, T),
        "K D W",
        drawn,
        {"all at once, chosen": lambda Ms: chosen.AT_ONCE_CHOSEN.value([each[:1] for each in Ms])},
        "Sequences Accounts Points Chosen",
    ),
    Probe(
        "private whatever was shown",
        chosen.PRIVATE_WHATEVER(X, Ms, delta),
        "I D V K W",
        drawn,
        {
            "private whatever was shown": lambda X, Ms, delta: chosen.PRIVATE_WHATEVER.value(
                X, [each[:1] for each in Ms], delta
            )
        },
        "Sequences Accounts Curves Points Chosen",
    ),
]
