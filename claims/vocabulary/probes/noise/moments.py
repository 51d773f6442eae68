"""Probes of moments and excesses, and how tables with weights are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import at
from pufferproof.claims.vocabulary.entries.noise import moments
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, member, table, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
e = letter("e", moments.ORDER)
K = letter("K", NUMBER)
g = letter("g", weights("I"))
A, C = letter("A", table("I", "W")), letter("C", table("I", "W"))
w = letter("w", member("W"))
mu, nu = letter("mu", weights("W")), letter("nu", weights("W"))


def tables(draws: Draws) -> Instance:
    """One to three masses, now and then negative, two tables with a row of two or three numbers for
    each, which are laws but for one in eight and have zeros, a number K, and an order of 2 or 3.
    """
    count, size = 1 + draws.below(3), 2 + draws.below(2)
    unit = draws.among([1, 4, 4])
    masses = [draws.below(4) for _ in range(count)]
    if rarely(draws):
        masses[draws.below(count)] -= draws.among([1, 4])
    found = {name: [_row(draws, size) for _ in range(count)] for name in "AC"}
    if draws.below(3):
        found["A"] = [[a if c else F(0) for a, c in zip(*rows)] for rows in zip(*found.values())]
    return {
        **{"I": count, "W": size, "g": [F(each, unit) for each in masses], **found},
        **{"K": F(draws.below(5), 2), "w": draws.below(size), "e": 1 + draws.below(2)},
        **{"mu": _row(draws, size), "nu": _row(draws, size)},
    }


def _row(draws: Draws, size: int) -> list[Fraction]:
    row = [*draws.law(size, 3)]
    if rarely(draws):
        row[draws.below(size)] = draws.among([F(-1, 200), F(-1), F(2), F(1, 50)])
    return row


PROBES = [
    Probe(
        "moment",
        moments.MOMENT(e, mu, nu),
        "W",
        tables,
        {"moment": lambda e, p, q: moments.moment(e, q, p)},
        "Roots MomentTables",
    ),
    Probe(
        "excess",
        moments.EXCESS(K, mu, nu),
        "W",
        tables,
        {"excess": lambda K, p, q: moments.excess(K, q, p)},
        "Roots MomentTables",
    ),
    Probe(
        "mean of rows",
        at(moments.MEAN(g, A), w),
        "I W",
        tables,
        {"mean of rows": lambda g, A: moments.mean(g[::-1], A)},
        "Roots MomentTables",
    ),
]
