"""Probes of tables of records and local redaction."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.records import local
from pufferproof.claims.vocabulary.families import subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import (
    NATURAL,
    NUMBER,
    PAIRS_OF_TABLES,
    PRIORS_OF_TABLES,
    VALUES,
    chances_in_time,
)
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
A, n, ratio = set_named("A"), letter("n", NATURAL), letter("ratio", NUMBER, "R")
chances, values = letter("r", chances_in_time("A")), letter("v", VALUES)
pairs, priors = letter("pairs", PAIRS_OF_TABLES, "Q"), letter("priors", PRIORS_OF_TABLES, "Theta")
SOME_CHANCES = [F(1), F(1), F(1, 2), F(0), F(1, 4), F(3, 2), F(-1, 2)]


def redactions(draws: Draws) -> Instance:
    """One or two records with two values, chances of 0 to 1 and at times beyond, values of some of
    the records, one or two priors with zeros, two secrets and perhaps their other order.
    """
    size, length = 2, 1 + draws.below(2)
    tables = size**length
    s, t = subset(draws, tables), subset(draws, tables)
    rows = [[draws.among(SOME_CHANCES) for _ in range(size)] for _ in range(1 + draws.below(2))]
    return {
        "A": size,
        "n": length,
        "ratio": draws.among([F(1), F(3, 2), F(2), F(3)]),
        "r": rows,
        "v": [draws.among([None, *range(size)]) for _ in range(length)],
        "pairs": [(s, t), *[(t, s)] * draws.below(2)],
        "priors": [draws.law(tables, 3) for _ in range(1 + draws.below(2))],
    }


USING = "Sequences Records"
PROBES = [
    Probe(
        "local redaction",
        KEEPS(ratio, local.LOCAL(n, chances), pairs, priors),
        "A",
        redactions,
        {"local redaction": lambda n, r: local.LOCAL.value(n, [*r[1:], r[0]])},
        USING,
    ),
    Probe(
        "chance to be shown",
        local.RELEASED(chances, values),
        "A",
        redactions,
        {"chance to be shown": lambda r, v: local.RELEASED.value(r, v[:1])},
        USING,
    ),
    Probe(
        "values keep",
        local.VALUES_KEEP(ratio, A, values, pairs, priors),
        "A",
        redactions,
        {"values keep": lambda R, A, v, p, q: local.VALUES_KEEP.value(R, A, v[::-1], p, q)},
        USING,
    ),
]
