"""Theorems of the paper, each said once."""

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.logic import IFF
from pufferproof.claims.vocabulary.entries.promise import NONNEGATIVE
from pufferproof.claims.vocabulary.entries.regions import (
    ALTERNATIVES_TOTAL,
    APPROXIMATE,
    BOTH_WAYS,
    COUPLED,
    HULL_ALLOWED,
    INEQUALITIES,
    INEQUALITIES_GIVEN,
    ONE_INEQUALITY,
    REGIONS_ALLOWED,
    ROWS_TOTAL,
    SQUARE_ALLOWED,
)
from pufferproof.claims.vocabulary.probes.regions import tables, two_worlds
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, neighbours, worlds
from pufferproof.claims.vocabulary.terms import Term, letter

D, W = map(set_named, "DW")
M, ratio, delta = (
    letter("M", mechanism("D", "W")),
    letter("ratio", NUMBER, "R"),
    letter("delta", NUMBER),
)
N, C = letter("neighbours", neighbours("D"), "N"), letter("worlds", worlds("D"), "C")


LETTERS = [M, ratio, delta, N]
ROWS = [ROWS_TOTAL(M)]
PRIVATE = APPROXIMATE(M, ratio, delta, BOTH_WAYS(N))


OUTSIDE = {
    "D": 1,
    "W": 2,
    "M": [[Fraction(-1, 200), Fraction(201, 200)]],
    "ratio": Fraction(1),
    "delta": Fraction(1),
    "neighbours": [(0, 0)],
}


def _equivalent(name: str, other: Term, *more: Term) -> Proposition:
    return Proposition(
        f"Regions.{name}",
        "D~ W",
        LETTERS,
        [*ROWS, *more],
        IFF(PRIVATE, other),
        tables,
        edges=[OUTSIDE] if more else [],
    )


BY_INEQUALITIES = _equivalent("by_inequalities", INEQUALITIES(M, ratio, delta, N))
BY_INEQUALITIES_BOTH_WAYS = _equivalent(
    "by_inequalities_both_ways", INEQUALITIES(M, ratio, delta, BOTH_WAYS(N))
)
BY_ONE_INEQUALITY = _equivalent("by_one_inequality", ONE_INEQUALITY(M, ratio, delta, BOTH_WAYS(N)))
BY_REGIONS = _equivalent("by_regions", REGIONS_ALLOWED(M, ratio, delta, N))
BY_HULL = _equivalent("by_hull", HULL_ALLOWED(M, ratio, delta, N))
IN_SQUARE = _equivalent("in_square", SQUARE_ALLOWED(M, ratio, delta, N), NONNEGATIVE(M))
WORLDS_BY_INEQUALITIES = Proposition(
    "Regions.worlds_by_inequalities",
    "D W",
    [M, ratio, delta, C],
    [*ROWS, ALTERNATIVES_TOTAL(C)],
    IFF(COUPLED(M, ratio, delta, C), INEQUALITIES_GIVEN(M, ratio, delta, C)),
    two_worlds,
)
