"""Section 2: privacy of tables, processing and odds, on tables of one or two cells and frameworks
of up to four databases.
"""

from collections.abc import Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    Table,
    distance,
    neighbours,
    output_law,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, largest_quotient
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
SIZES = [(2,), (3,), (2, 2), (2, 3)]
PER_ENTRY = "M is per-entry epsilon-DP"


def level(U: Sequence[Table], M: Rows) -> F | None:
    """Return e^epsilon of per-entry privacy, None for infinite."""
    return largest_quotient((M[i], M[j]) for i, j in neighbours(tuple(U)))


def is_dp(U: Sequence[Table], M: Rows, R: F) -> bool:
    """Whether M(D)(w) <= R M(D')(w) for all tables that differ in one cell."""
    least = level(U, M)
    return least is not None and least <= R


ALL_TABLES = "U has all tables over a product of cell domains"


def has_all_tables(U: Sequence[Table], **_: object) -> bool:
    """Whether U is the product of the values that its cells have."""
    return len(U) == prod(len(set(values)) for values in zip(*U))


APART: Instance = {"U": [(0, 0), (1, 1)], "M": [[ONE, ZERO], [ZERO, ONE]], "R": ONE}
"""Two tables that differ in both cells: per-entry privacy asks nothing of them."""


def positive_rows(draws: Draws, size: int, outputs: int) -> list[list[F]]:
    """Draw a mechanism that has zeros rarely and ties often, so that its levels are finite."""
    drawn: list[list[F]] = []
    while len(drawn) < size:
        law = draws.law if draws.below(8) == 7 else draws.positive_law
        drawn.append(drawn[-1] if drawn and draws.below(3) == 0 else law(outputs))
    return drawn


def all_tables(draws: Draws) -> list[Table]:
    """Draw one or two cells of two or three values, and list all tables."""
    return list(product(*map(range, draws.among(SIZES))))


def tables_with(draws: Draws, mechanisms: int = 1) -> Instance:
    """All tables of one or two cells of two or three values, mechanisms on them with two outputs
    and zeros, and their least per-entry levels or more, or 2 where these are infinite.
    """
    U = all_tables(draws)
    drawn = [positive_rows(draws, len(U), 2) for _ in range(mechanisms)]
    levels = [(level(U, M) or F(2)) + F(draws.below(3) // 2) for M in drawn]
    return {"U": U, "mechanisms": drawn, "levels": levels}


def _grouped(U: Sequence[Table], M: Rows, R: F, less: int = 0, factor: F = ONE) -> bool:
    for (x, p), (y, q) in product(zip(U, M), repeat=2):
        bound = max(ONE, factor * R ** max(0, distance(x, y) - less))
        if x != y and any(a > bound * b for a, b in zip(p, q)):
            return False
    return True


def one_mechanism(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, a mechanism with two outputs and zeros
    at times, and R, its least per-entry level or more, or 2.
    """
    drawn = tables_with(draws)
    return {"U": drawn["U"], "M": drawn["mechanisms"][0], "R": drawn["levels"][0]}


def some_tables(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, or some of them, which need not have
    those between; a mechanism with two outputs on them, and R, its least per-entry level or more,
    or 2.
    """
    U = all_tables(draws)
    if draws.whether():
        U = draws.several(U) or U[:1]
    M = positive_rows(draws, len(U), 2)
    return {"U": U, "M": M, "R": (level(U, M) or F(2)) + F(draws.below(3) // 2)}


def _closed(U: Sequence[Table], **_: object) -> bool:
    return all(z in U for x, y in product(U, repeat=2) for z in product(*zip(x, y)))


GROUP_DP = Statement(
    family=one_mechanism,
    edges=[APART],
    given={PER_ENTRY: is_dp, ALL_TABLES: has_all_tables},
    holds=_grouped,
    too_strong={"exponent k - 1": {"less": 1}, "99/100 of the bound": {"factor": ALMOST}},
    too_weak=[PER_ENTRY, ALL_TABLES],
)
CLOSED = "tables whose cells are taken from two tables of U are in U"
GROUP_DP_REPAIRED = Statement(
    family=some_tables,
    given={PER_ENTRY: is_dp, CLOSED: _closed},
    holds=_grouped,
    too_strong={"exponent k - 1": {"less": 1}},
    too_weak=[PER_ENTRY, CLOSED],
)


def keeps_order(priors: Sequence[Prior], s: Secret, t: Secret, M: Rows, R: F) -> bool:
    """Whether P(M = w | s) <= R P(M = w | t) for all priors that allow both and all outputs."""
    laws = [(output_law(prior, M, s), output_law(prior, M, t)) for prior in priors]
    return all(p <= R * q for left, right in laws if left and right for p, q in zip(left, right))
