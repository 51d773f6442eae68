"""Releases that the outputs before them choose, with levels for cells: ChosenReleases.v.

At an instance a release has a table of its probabilities for no output before it, and one for each
last output; the last of these tables goes on.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import Rows
from pufferproof.claims.vocabulary.entries.records.curves import CELLS, PER_ENTRY, Cells
from pufferproof.claims.vocabulary.entries.records.points import AT_ONCE
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import MATRIX, listed, rows
from pufferproof.claims.vocabulary.terms import Log, Sort, entry

ONE, ZERO = Fraction(1), Fraction(0)
CHOSEN = "'K -> list 'W -> 'D -> 'W -> R"


def chosen(by: str, of: str, to: str) -> Sort:
    """A mechanism for each member of a finite set, chosen by the outputs before it."""
    return Sort(
        f"{by} -> list {to} -> {of} -> {to} -> R",
        f"a family of mechanisms from {of} to {to}, one for each member of {by}, each chosen by the outputs before it",
        "list (list (list (list Q)))",
        "(chosen_tables {})",
        listed(listed(rows)),
        MATRIX,
    )


def _joint(Ms: Sequence[Sequence[Rows]], x: int, output: Sequence[int]) -> Fraction:
    found, key = ONE, 0
    for tables, w in zip(Ms, output):
        found *= late(tables, key)[x][w]
        key = w + 1
    return found


def _at_once(Ms: Sequence[Sequence[Rows]]) -> list[list[Fraction]]:
    """Return the joint law: its outputs are all lists of outputs, one for each release."""
    outputs = [*product(range(len(Ms[0][0][0])), repeat=len(Ms))]
    return [[_joint(Ms, x, each) for each in outputs] for x in range(len(Ms[0][0]))]


def _private(cells: Cells, Ms: Sequence[Sequence[Rows]], delta: Sequence[Log]) -> Iterator[tuple[object, object]]:
    for tables, level in zip(Ms, delta):
        for key in range(len(tables[0][0]) + 1):
            M = late(tables, key)
            yield from ((ZERO, each) for row in M for each in row)
            yield from PER_ENTRY.value(level.of, cells, M)


AT_ONCE_CHOSEN = entry(
    "all at once, chosen",
    takes=(CHOSEN,),
    gives="'D -> list 'W -> R",
    words="the joint release of all [0]_k, each chosen by the outputs before it",
    tex=r"\textstyle\bigotimes_k {[0]}_k",
    coq="(RecordTables.adaptive (List.map [0] Sums.all) nil)",
    value=_at_once,
    precedence=0,
    meaning=AT_ONCE.meaning,
)
PRIVATE_WHATEVER = entry(
    "private whatever was shown",
    takes=(CELLS, CHOSEN, "'K -> level"),
    words="for every k and whatever the outputs before were, no entry of [1]_k is negative, and "
    "[1]_k(x, w) <= e^([2]_k) [1]_k(y, w) for all tables x and y that differ in one cell and every "
    "output w",
    tex=r"\forall k, x, y \text{ that differ in one cell}, w:\ 0 \le {[1]}_k(x, w) \le "
    r"e^{{[2]}_k}\, {[1]}_k(y, w)",
    coq="ChosenReleases.private_whatever dV [0] [1] [2]",
    value=_private,
    relation="<=",
)
