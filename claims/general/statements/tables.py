"""Changes of single records: paths of tables, and hidden sets of records."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Table,
    distance,
    neighbours,
    rows,
)
from pufferproof.claims.language.instances.laws import ZERO, largest_quotient
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def domains(draws: Draws) -> Instance:
    """Up to six tables of two cells with three values, a mechanism on them with two outputs, and R,
    its least level for tables that differ in one cell, or 2, or more.
    """
    everything = list(product(range(3), range(2)))
    U = draws.several(everything) or everything[:1]
    M = rows(draws, len(U), 2)
    level = _least(M, neighbours(tuple(U)))
    return {"U": U, "M": M, "R": (level or F(2)) + F(draws.below(2), 2)}


def _places(U: Sequence[Table]) -> list[tuple[int, int]]:
    return [(i, j) for i in range(len(U)) for j in range(len(U)) if i != j]


def _least(M: Rows, places: Sequence[tuple[int, int]]) -> F | None:
    return largest_quotient((M[i], M[j]) for i, j in places)


SINGLE = "P(y | D) <= e^epsilon P(y | D') for tables that differ in one entry"
DETOUR = {
    "U": [(0, 0), (2, 0), (2, 1), (1, 1)],
    "M": [[F(1, n), 1 - F(1, n)] for n in (16, 8, 4, 2)],
    "R": F(2),
}
"""Two tables that differ in two cells, and three changes from one to the other inside U."""


def hidden(draws: Draws, count: int) -> Instance:
    """Draw so many bits, sets s and s', H and A as above."""
    tables = list(product(range(2), repeat=count))
    prior = draws.law(len(tables), 2)
    i = draws.below(count)
    s = frozenset(n for n, x in enumerate(tables) if x[i] == 0)
    t = frozenset(range(len(tables))) - s if draws.below(4) else frozenset(draws.several(sorted(s)))
    H = draws.several(range(count))
    A = shown_ratio(tables, prior, s, t, H)
    return {
        "tables": tables,
        "prior": prior,
        "s": s,
        "t": t,
        "H": H,
        "A": (F(2) if A is None else A) + F(draws.below(2), 2),
    }


def record_level(tables: Sequence[Table], M: Rows, j: int) -> F | None:
    return _least(M, _apart(tuple(tables), j))


@lru_cache(maxsize=100)
def _apart(tables: tuple[Table, ...], j: int) -> list[tuple[int, int]]:
    """The places of tables that differ in record j alone."""
    return [
        (a, b)
        for a, b in _places(tables)
        if [x == y for x, y in zip(tables[a], tables[b])] == [n != j for n in range(len(tables[a]))]
    ]


def shown(tables: Sequence[Table], prior: Prior, s: Any, H: Sequence[int]) -> dict[Table, F]:
    law: dict[Table, F] = {}
    total = sum((prior[n] for n in s), ZERO)
    for n in s:
        key = tuple(v for j, v in enumerate(tables[n]) if j not in H)
        law[key] = law.get(key, ZERO) + (prior[n] / total if total else ZERO)
    return law


def shown_ratio(
    tables: Sequence[Table], prior: Prior, s: object, t: object, H: Sequence[int]
) -> F | None:
    p, q = shown(tables, prior, s, H), shown(tables, prior, t, H)
    ratios = [None if not q.get(x) else a / q[x] for x, a in p.items() if a]
    return None if None in ratios else max([ZERO, *(each for each in ratios if each is not None)])


LEVELS = "every mechanism has the levels R_j for the records of H"
SHOWN = "P(x_L | s) <= A P(x_L | s') for the records outside H"


def is_shown(instance: Any) -> bool:
    parts = (instance[each] for each in ("tables", "prior", "s", "t", "H"))
    least = shown_ratio(*parts)
    return least is not None and least <= instance["A"]


EVERY_TABLE = "tables have all combinations of values"


def all_tables(tables: Sequence[Table], **_: object) -> bool:
    """Whether all tables of bits are there."""
    return bool(len(tables) == 2 ** len(tables[0]))


def all_or_some(draws: Draws) -> Instance:
    """All tables of two cells with two or three values, or in one of four draws some of them; a
    mechanism on them with two outputs, and R, its least level for tables that differ in one cell,
    or 2, or more.
    """
    everything = list(product(range(2 + draws.below(2)), range(2)))
    U = everything if draws.below(4) else draws.several(everything) or everything[:1]
    M = rows(draws, len(U), 2)
    level = _least(M, neighbours(tuple(U)))
    return {"U": U, "M": M, "R": (level or F(2)) + F(draws.below(2), 2)}


def _by_cells(U: Sequence[Table], M: Rows, R: F, less: int = 0, exponent: bool = False) -> bool:
    """Whether tables that differ in k cells keep R^(k - less)."""
    return all(
        a <= R ** (2 if exponent else max(0, distance(U[i], U[j]) - less)) * b
        for i, j in _places(U)
        for a, b in zip(M[i], M[j])
    )


THREE_CELLS: Instance = {
    "U": list(product(range(2), repeat=3)),
    "M": [
        [F(1, 2 ** (1 + sum(x))), 1 - F(1, 2 ** (1 + sum(x)))] for x in product(range(2), repeat=3)
    ],
    "R": F(2),
}
"""Tables that differ in three cells, with a ratio of R^3."""
ALL_TABLES = "U has all tables over a product of cell domains"
GROUP_PRODUCT = Statement(
    family=all_or_some,
    edges=[DETOUR, THREE_CELLS],
    given={
        SINGLE: lambda U, M, R: all(
            a <= R * b for i, j in neighbours(tuple(U)) for a, b in zip(M[i], M[j])
        ),
        ALL_TABLES: lambda U, M, R: (
            len(U) == prod(len({x[i] for x in U}) for i in range(len(U[0])))
        ),
    },
    holds=_by_cells,
    too_strong={
        "exponent k - 1": {"less": 1},
        "exponent 2": {"exponent": True},
    },
    too_weak=[SINGLE, ALL_TABLES],
)


def responses(draws: Draws) -> Instance:
    """k = 1 to 3 bits, each reported rightly with probability R/(R + 1), R from 1 to 4."""
    return {"k": draws.among([1, 2, 1, 2, 3]), "R": 1 + F(draws.below(7), 2)}
