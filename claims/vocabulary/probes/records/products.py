"""Probes of product distributions of records."""

from dataclasses import replace
from itertools import product

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.records import products
from pufferproof.claims.vocabulary.entries.records.accounts import differ, tables_of
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import MATRIX, NATURAL, NUMBER, TABLE, rows
from pufferproof.claims.vocabulary.terms import Sort, letter

F = Fraction
A, n = set_named("A"), letter("n", NATURAL)
ON_TABLES = Sort(
    f"{TABLE} -> W -> R",
    "a mechanism from tables of n records with values in A to W",
    "list (list Q)",
    "(chances_at {})",
    rows,
    MATRIX,
)
M = letter("M", ON_TABLES)
ratio = letter("ratio", replace(NUMBER, read="Q2R (from_1 {})"), "R")
CHANCES = [F(1, 2), F(1, 4), F(3, 8), F(1, 2)]


def drawn(draws: Draws) -> Instance:
    """Tables of no, one or two records with two or three values, or three bits, a mechanism with
    one or two outputs, and a ratio that is often the least for tables that differ in one record.
    """
    size, number = draws.among([(2, 0), (2, 1), (3, 1), (2, 2), (2, 2), (3, 2), (2, 3)])
    tables = [*tables_of(size, number)]
    some = [*CHANCES, F(0)] if not draws.below(3) else CHANCES
    M = [[draws.among(some) for _ in range(1 + (number < 2))] for _ in tables]
    found = [F(1)]
    for (x, here), (y, there) in product(enumerate(tables), repeat=2):
        if any(differ(here, there, j) for j in range(number)):
            found += [a / b if b > 0 else F(2) for a, b in zip(M[x], M[y]) if a > 0]
    ratio = max(F(1), max(found) * draws.among(CLOSE))
    return {"A": size, "n": number, "W": len(M[0]), "M": M, "ratio": ratio}


PROBES = [
    Probe(
        "keeps for products",
        products.KEEPS_PRODUCTS(ratio, M, A, n),
        "A W",
        drawn,
        {
            "keeps for products": lambda ratio, M, size, number: products.KEEPS_PRODUCTS.value(
                ratio, M[::-1], size, min(number, 1)
            )
        },
        "Sequences Records Accounts Products",
    ),
    Probe(
        "keeps for products of full support",
        products.KEEPS_FULL(ratio, M, A, n),
        "A W",
        drawn,
        {
            "keeps for products of full support": lambda ratio, M, size, number: products.KEEPS_FULL.value(
                ratio, M[::-1], size, min(number, 1)
            )
        },
        "Sequences Records Accounts Products",
    ),
    Probe(
        "keeps for a value against others",
        products.KEEPS_OTHERS(ratio, M, A, n),
        "A W",
        drawn,
        {
            "keeps for a value against others": lambda ratio, M, size, number: products.KEEPS_OTHERS.value(
                ratio, M, size, min(number, 1)
            )
        },
        "Sequences Records Accounts Products",
    ),
    Probe(
        "differs in one record",
        products.DP_FOR_RECORDS(ratio, M, A, n),
        "A W",
        drawn,
        {
            "differs in one record": lambda ratio, M, size, number: (
                (a, ratio * b) for x in M for y in M for a, b in zip(x, y)
            )
        },
        "Sequences Records Accounts Products",
    ),
]
