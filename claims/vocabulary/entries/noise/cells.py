"""Queries of tables with Laplace noise, how much a cell changes them, and what scales points of a
curve allow: NoisyTables.v.

At an instance e^(-|F_k(x) - F_k(y)|/b_k) is a power of the root by which a scale is known.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import Law
from pufferproof.claims.vocabulary.entries.noise.queries import QUERIES, Queries
from pufferproof.claims.vocabulary.entries.records.curves import APART, CELLS, Cells, distance
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


def _by_cells(eps: Log, cells: Cells, F: Queries) -> Iterator[tuple[Fraction, Fraction]]:
    tables = range(len(cells[0]))
    for x, y in product(tables, tables):
        yield ONE, eps.of ** distance(cells, x, y) * unchanged(F, x, y)


def _best(promise: Fraction, a: Law, b: Sequence[int]) -> Fraction:
    levels = (quotient(promise - each, Fraction(few)) for each, few in zip(a, b))
    return max(ZERO, *levels)


def _smallest(L: Fraction, promise: Fraction, a: Law, b: Sequence[int], s: Fraction) -> Iterator[bool]:
    yield L > 0 and min(b) > 0 and s > 0
    yield any(few * L + each * s <= promise * s for each, few in zip(a, b))
    yield all(s * (promise - each) <= L * few for each, few in zip(a, b))


CHANGES_LITTLE = entry(
    "one cell changes queries",
    takes=("level", CELLS, QUERIES),
    words="sum_k |F_k(x) - F_k(y)|/b_k <= [0] for all tables x and y that differ in one cell",
    tex=r"\forall x, y \text{ that differ in one cell}:\ "
    r"\textstyle\sum_k |F_k(x) - F_k(y)| / b_k \le [0]",
    coq="NoisyTables.changes_little dV [1] [2] [0]",
    value=_little,
    relation="<=",
)
CHANGES_BY_CELLS = entry(
    "cells change queries",
    takes=("level", CELLS, QUERIES),
    words="sum_k |F_k(x) - F_k(y)|/b_k <= d(x, y) [0] for all tables x and y",
    tex=r"\forall x, y:\ \textstyle\sum_k |F_k(x) - F_k(y)| / b_k \le d(x, y)\, [0]",
    coq="NoisyTables.changes_by_cells dV [1] [2] [0]",
    value=_by_cells,
    relation="<=",
    meaning=APART.meaning,
)
POINTS = ("'J -> R", "'J -> nat")
BEST_LEVEL = entry(
    "best level",
    takes=("R", *POINTS),
    gives="R",
    words="max{0, max_j ([0] - [1]_j)/[2]_j}",
    tex=r"\max\{0, \max_j ([0] - [1]_j)/[2]_j\}",
    coq="NoisyTables.best_level [0] [1] [2]",
    value=_best,
)
SMALLEST_SCALE = entry(
    "smallest scale",
    takes=("R", "R", *POINTS, "R"),
    words="[0] and all [3]_j are positive, and [4] is the smallest s > 0 for which [3]_j [0]/s + "
    "[2]_j <= [1] for some j",
    tex=r"[4] = \min \{s > 0 : \exists j:\ [3]_j\, [0]/s + [2]_j \le [1]\}",
    coq="NoisyTables.smallest_scale [0] [1] [2] [3] [4]",
    value=_smallest,
    relation="truth",
)
DIVIDED = entry(
    "divided",
    takes=("R", "R"),
    gives="R",
    words="[0]/([1])",
    tex="[0]/[1]",
    coq="[0] / [1]",
    value=quotient,
    precedence=40,
)
