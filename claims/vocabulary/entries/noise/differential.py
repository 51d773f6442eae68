"""Levels between neighbours, differential privacy, and exponential mechanisms: Differential.v and
Exponential.v.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.composition.conditions import Joint
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import CHANNEL, Rows
from pufferproof.claims.vocabulary.entries.records.curves import CELLS, Cells, distance
from pufferproof.claims.vocabulary.sorts import level, listed
from pufferproof.claims.vocabulary.terms import Log, Sort, entry

NEIGHBOURS = "'D -> 'D -> Prop"
SCORES = "'D -> 'W -> level"
Pairs = Sequence[tuple[int, int]]


def scores(of: str, to: str) -> Sort:
    """A score of each output for each database; at an instance a logarithm of a rational."""
    return Sort(
        f"{of} -> {to} -> level",
        f"a real matrix of scores with rows indexed by {of} and columns by {to}",
        "list (list Q)",
        "(fun x w => ln (rows_of {} x w))",
        listed(listed(level)),
    )


def _outputs(M: Any) -> Iterable[Any]:
    if isinstance(M, Joint):
        each = range(len(M.mechanisms[0][0])) if M.mechanisms else range(0)
        return product(each, repeat=len(M.mechanisms))
    return range(len(M[0]))


def _close(ratio: Fraction, M: Any, pairs: Pairs) -> Iterator[tuple[object, object]]:
    for x, y in pairs:
        yield from ((M[x][w], ratio * M[y][w]) for w in _outputs(M))


def _chosen(M: Rows, Ns: Sequence[Rows]) -> list[list[Fraction]]:
    return [[a * b for a, N in zip(row, Ns) for b in N[x]] for x, row in enumerate(M)]


def _exponential(u: Sequence[Sequence[Log]]) -> list[list[Fraction]]:
    totals = [sum((each.of for each in row), ZERO) for row in u]
    return [[each.of / total for each in row] for row, total in zip(u, totals)]


def _sensitive(eps: Log, u: Sequence[Sequence[Log]], pairs: Pairs) -> Iterator[tuple[Fraction, Fraction]]:
    for x, y in pairs:
        for a, b in zip(u[x], u[y]):
            yield a.of**2, eps.of * b.of**2
            yield b.of**2, eps.of * a.of**2


def _one_cell(cells: Cells, pairs: Pairs) -> Iterator[bool]:
    tables = range(len(cells[0]))
    for x, y in product(tables, tables):
        if distance(cells, x, y) == 1:
            yield (x, y) in pairs


CLOSE = entry(
    "close at neighbours",
    takes=("R", CHANNEL, NEIGHBOURS),
    words="for every pair (x, y) in [2] and every output w, [1] shows w on x with at most [0] times "
    "its probability on y",
    tex=r"\forall (x, y) \in [2], w:\ {[1]}_{x,w} \le [0]\, {[1]}_{y,w}",
    coq="Differential.close [0] [1] [2]",
    value=_close,
    relation="<=",
)
CHOSEN = entry(
    "chosen by the first output",
    takes=(CHANNEL, "'W -> 'D -> 'V -> R"),
    gives="'D -> ('W * 'V) -> R",
    words="the joint release of [0] and of the [1]_w that its output w chooses",
    tex=r"([0], [1]_{[0]})",
    coq="Differential.chosen [0] [1]",
    value=_chosen,
    meaning="Both releases are of the same database, with independent randomness.",
)
EXPONENTIAL = entry(
    "exponential mechanism",
    takes=(SCORES,),
    gives=CHANNEL,
    words="the exponential mechanism of [0]",
    tex=r"\mathrm{Exp}_{[0]}",
    coq="Exponential.exponential [0]",
    value=_exponential,
    meaning="The exponential mechanism of u shows w on x with the probability e^(u(x, w)) / sum_v e^(u(x, v)).",
)
SENSITIVE = entry(
    "sensitivity of scores",
    takes=("level", SCORES, NEIGHBOURS),
    words="|[1](x, w) - [1](y, w)| <= ([0])/2 for every pair (x, y) in [2] and every output w",
    tex=r"\forall (x, y) \in [2], w:\ |[1]_{x,w} - [1]_{y,w}| \le [0]/2",
    coq="Exponential.sensitive [0] [1] [2]",
    value=_sensitive,
    relation="<=",
)
ONE_CELL = entry(
    "tables that differ in one cell",
    takes=(CELLS, NEIGHBOURS),
    words="[1] has all pairs of tables that differ in one cell",
    tex=r"[1] \supseteq \{(x, y) \text{ that differ in one cell}\}",
    coq="Exponential.one_cell dV [0] [1]",
    value=_one_cell,
    relation="truth",
)
