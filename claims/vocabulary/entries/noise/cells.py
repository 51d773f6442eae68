"""Queries of tables with Laplace noise, and how much a cell changes them: NoisyTables.v.

At an instance e^(-|F_k(x) - F_k(y)|/b_k) is a power of the root by which a scale is known.
"""

from collections.abc import Iterator
from itertools import product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.noise.queries import QUERIES, Queries
from pufferproof.claims.vocabulary.entries.records.curves import CELLS, Cells, distance
from pufferproof.claims.vocabulary.terms import Log, entry

ONE = Fraction(1)


def unchanged(F: Queries, x: int, y: int) -> Fraction:
    """Return e^(-c), where c is how much the queries change, each in units of its scale."""
    return prod((root ** (2 * abs(f[x] - f[y])) for f, root in F), start=ONE)


def _little(eps: Log, cells: Cells, F: Queries) -> Iterator[tuple[Fraction, Fraction]]:
    tables = range(len(cells[0]))
    for x, y in product(tables, tables):
        if distance(cells, x, y) == 1:
            yield ONE, eps.of * unchanged(F, x, y)


CHANGES_LITTLE = entry(
    "one cell changes queries",
    ("level", CELLS, QUERIES),
    "Prop",
    "sum_k |F_k(x) - F_k(y)|/b_k <= [0] for all tables x and y that differ in one cell",
    r"\forall x, y \text{ that differ in one cell}:\ "
    r"\textstyle\sum_k |F_k(x) - F_k(y)| / b_k \le [0]",
    "NoisyTables.changes_little dV [1] [2] [0]",
    _little,
    relation="<=",
)
