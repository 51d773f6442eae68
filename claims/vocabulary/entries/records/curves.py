"""Influence curves of cells, and levels for tables that differ in one cell: Curves.v."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, LAW_OF, SET, Rows, weight
from pufferproof.claims.vocabulary.terms import entry

Cells = Sequence[Sequence[int]]
"""For each cell its value in each table."""


def distance(cells: Cells, x: int, y: int) -> int:
    """Return in how many cells two tables differ."""
    return sum(row[x] != row[y] for row in cells)


def _per_entry(ratio: Fraction, cells: Cells, M: Rows) -> Iterator[tuple[object, object]]:
    for x, row in enumerate(M):
        for y, other in enumerate(M):
            if distance(cells, x, y) == 1:
                yield from ((a, ratio * b) for a, b in zip(row, other))


def reached(cells: Cells, x: int, most: int) -> set[int]:
    """Return the tables to which at most so many changes of one cell lead."""
    found = {x}
    for _ in range(most):
        found |= {z for z in range(len(cells[0])) if any(distance(cells, y, z) == 1 for y in found)}
    return found


def _joined(most: int, cells: Cells) -> Iterator[bool]:
    tables = range(len(cells[0]))
    for x in tables:
        near = reached(cells, x, most)
        yield from (y in near for y in tables if distance(cells, x, y) <= most)


def _product(cells: Cells) -> Iterator[bool]:
    tables = range(len(cells[0]))
    known = {tuple(row[x] for row in cells) for x in tables}
    yield len(known) == len(tables)
    for x in known:
        for y in known:
            yield from ((*x[:i], y[i], *x[i + 1 :]) in known for i in range(len(cells)))


def shown(cells: Cells, hidden: Sequence[int]) -> list[frozenset[int]]:
    """Return the sets of tables that agree in all cells but those that are hidden."""
    found: dict[tuple[int, ...], set[int]] = {}
    for x in range(len(cells[0])):
        key = tuple(row[x] for i, row in enumerate(cells) if i not in hidden)
        found.setdefault(key, set()).add(x)
    return [frozenset(each) for each in found.values()]


def hidden_sets(cells: Cells, most: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of at most so many cells."""
    for size in range(min(most, len(cells)) + 1):
        yield from combinations(range(len(cells)), size)


def _on_curve(most: int, factor: Fraction, cells: Cells, pairs: Any, priors: Any) -> Iterator[bool]:
    for s, t in pairs:
        both = [p for p in priors if weight(p, s) > 0 and weight(p, t) > 0]
        yield any(
            all(
                weight(p, s & part) * weight(p, t) <= factor * weight(p, s) * weight(p, t & part)
                for p in both
                for part in shown(cells, hidden)
            )
            for hidden in hidden_sets(cells, most)
        )


CELLS = "'I -> 'D -> 'V"
PER_ENTRY = entry(
    "per entry",
    takes=("R", CELLS, CHANNEL),
    words="each output of [2] is at most [0] times as likely, or dense, on x as on y, for all tables x "
    "and y that differ in one cell",
    tex=r"\forall x, y \text{ that differ in one cell}, w:\ {[2]}_{x,w} \le [0]\, {[2]}_{y,w}",
    coq="Curves.per_entry dV [1] [0] [2]",
    value=_per_entry,
    relation="<=",
)
JOINED = entry(
    "joined",
    takes=("nat", CELLS),
    words="any two tables that differ in at most [0] cells are joined by a path of at most [0] changes "
    "of one cell, each of which leads to a table in D",
    tex=r"\text{tables at a distance of at most } [0] \text{ are joined by } [0] \text{ changes}",
    coq="Curves.joined dV [1] [0]",
    value=_joined,
    relation="truth",
)
PRODUCT = entry(
    "all tables",
    takes=(CELLS,),
    words="no two tables agree in all cells, and copying a cell of any table into any other table gives a table in D",
    tex=r"D = \textstyle\prod_i V_i",
    coq="Curves.product_of_values dV [0]",
    value=_product,
    relation="truth",
)
ON_CURVE = entry(
    "on the curve",
    takes=("nat", "R", CELLS, f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"),
    words="for every pair (s, t) in [3] there is a set L of all but at most [0] cells such that "
    "P_p(X_L = v | s) <= [1] P_p(X_L = v | t) for every p in [4] with P_p(s) > 0 and P_p(t) > 0 "
    "and all values v of the cells in L",
    tex=r"\forall (s, t) \in [3]\ \exists L, |L^c| \le [0]\ \forall p \in [4], v:\ "
    r"P_p(X_L = v \mid s) \le [1]\, P_p(X_L = v \mid t)",
    coq="Curves.on_curve dI dV [2] [0] [1] [3] [4]",
    value=_on_curve,
    relation="truth",
)
APART = entry(
    "cells apart",
    takes=(CELLS, "'D", "'D"),
    gives="nat",
    words="d([1], [2])",
    tex="d([1], [2])",
    coq="Curves.distance dV [0] [1] [2]",
    value=distance,
    meaning="d(x, y) is the number of cells in which the tables x and y differ.",
)
CHANGED = entry(
    "changes lead",
    takes=("nat", CELLS, "'D", "'D"),
    words="at most [0] changes of one cell lead from [2] to [3], each of them to a table in D",
    tex=r"[2] \to \dots \to [3] \text{ in at most } [0] \text{ changes}",
    coq="Curves.within dV [1] [0] [2] [3]",
    value=lambda most, cells, x, y: iter((y in reached(cells, x, most),)),
    relation="truth",
)
