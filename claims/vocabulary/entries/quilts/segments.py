"""Segments of the records of a chain, what depends on them, and what one record tells of another:
ParallelSegments.v and QuiltsOfTables.v.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import SET, Law, Rows, weight
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    CHAIN_IN_COQ,
    CLASS_OF,
    TABLE_OF,
    ChainOf,
    Table,
    law_of_chain,
    tables_of,
)
from pufferproof.claims.vocabulary.sorts import MATRIX, both, listed, naturals, row, rows
from pufferproof.claims.vocabulary.terms import Log, Sort, entry

TABLES = "Chain.vec {} n"
SET_OF_TABLES = f"Pufferfish.secret ({TABLE_OF})"
CHAIN_OF = CHAIN_IN_COQ.format(*["'A"] * 3)


def set_of_tables(of: str) -> Sort:
    """A set of tables."""
    return Sort(
        f"@Pufferfish.secret ({TABLES.format(of)})",
        f"a set of tables of n members of {of}",
        "list nat",
        "Segments.set_read {}",
        naturals,
    )


def reader(of: str, to: str) -> Sort:
    """A mechanism on tables."""
    return Sort(
        f"{TABLES.format(of)} -> {to} -> R",
        f"a mechanism from tables X of n members of {of} to {to}",
        "list (list Q)",
        "Segments.table_read {}",
        rows,
        MATRIX,
    )


def one_chain(of: str) -> Sort:
    """A chain by itself."""
    return Sort(
        CHAIN_IN_COQ.format(of, of, of),
        f"a chain on {of} with real first weights and a real step after every X_k",
        "list Q * list (list (list Q))",
        "Chains.loose_chain {}",
        both(row, listed(rows)),
    )


def _depends(found: Any, seen: Callable[[Table], object], size: int, number: int) -> Iterator[bool]:
    """Yield whether what is found at tables of which the same is seen is the same."""
    first: dict[object, object] = {}
    for place, table in enumerate(tables_of(size, number)):
        own = place in found if isinstance(found, frozenset) else found[place]
        yield first.setdefault(seen(table), own) == own


def _reads(first: int, last: int, M: Rows, size: int, number: int) -> Iterator[bool]:
    return _depends(M, lambda table: table[first : last + 1], size, number)


def _values_in(first: int, last: int, size: int, number: int) -> list[tuple[frozenset[int], frozenset[int]]]:
    return [
        (having(i, x, size, number), having(i, y, size, number))
        for i in range(first, min(last + 1, number))
        for x, y in product(range(size), repeat=2)
    ]


def having(i: int, x: int, size: int, number: int) -> frozenset[int]:
    """Return the tables whose record i has a value."""
    every = enumerate(tables_of(size, number))
    return frozenset(place for place, table in every if table[i : i + 1] == (x,))


def _record(place: int, size: int, number: int) -> list[frozenset[int]]:
    """Return the sets of tables by the value of a record, which may be none."""
    if place >= number:
        return [frozenset(range(size**number))]
    return [having(place, x, size, number) for x in range(size)]


def _told(
    level: Log, chains: Sequence[ChainOf], k: int, j: int, number: int, size: int
) -> Iterator[tuple[Fraction, Fraction]]:
    own, told = _record(k, size, number), _record(j, size, number)
    for chain in chains:
        p = law_of_chain(chain, number)
        for v, u in product(own, repeat=2):
            if (pv := weight(p, v)) > 0 and (pu := weight(p, u)) > 0:
                for q in told:
                    yield weight(p, v & q) * pu, level.of * pv * weight(p, u & q)


def _both(M: Rows, N: Rows) -> list[list[Fraction]]:
    return [[a * b for a in here for b in there] for here, there in zip(M, N)]


def _of_both(a: Log, b: Log, f: Log, g: Log) -> Log:
    return Log(max(min(a.of * b.of, a.of * f.of), min(b.of * a.of, b.of * g.of)))


def _law(chain: ChainOf, number: int) -> Law:
    return law_of_chain(chain, number)


READS = entry(
    "reads a segment",
    takes=("nat", "nat", f"{TABLE_OF} -> 'W -> R", "Type", "nat"),
    words="[2] depends on the records X_[0] .. X_[1] alone",
    tex=r"[2] \text{ reads } X_{[0]} .. X_{[1]}",
    coq="Parallel.looks_at (ParallelSegments.segment (A := [3]) (n := [4]) [0] [1]) [2]",
    value=_reads,
    relation="truth",
)
UP_TO = entry(
    "depends on the records up to",
    takes=("nat", SET_OF_TABLES, "Type", "nat"),
    words="whether X is in [1] depends on the records up to X_[0] alone",
    tex=r"[1] \in \sigma(X_0 .. X_{[0]})",
    coq="Parallel.looks_at (ParallelChains.up_to (A := [2]) (n := [3]) [0]) [1]",
    value=lambda t, s, size, number: _depends(s, lambda table: table[: t + 1], size, number),
    relation="truth",
)
FROM = entry(
    "depends on the records from",
    takes=("nat", SET_OF_TABLES, "Type", "nat"),
    words="whether X is in [1] depends on the records from X_[0] on alone",
    tex=r"[1] \in \sigma(X_{[0]}, ..)",
    coq="Parallel.looks_at (ParallelChains.from (A := [2]) (n := [3]) [0]) [1]",
    value=lambda t, s, size, number: _depends(s, lambda table: table[t:], size, number),
    relation="truth",
)
VALUES_IN = entry(
    "values of the records of a segment",
    takes=("nat", "nat", "Type", "nat"),
    gives="Pufferfish.secret (Chain.vec [2] [3]) -> Pufferfish.secret (Chain.vec [2] [3]) -> Prop",
    words="all pairs (X_i = x, X_i = y) with [0] <= i <= [1] and x, y in [2]",
    tex=r"\{(X_i = x, X_i = y): [0] \le i \le [1]\}",
    coq="ParallelSegments.two_values_in (d[2]) [3] [0] [1]",
    value=_values_in,
)
VALUES_OF = entry(
    "values of the record",
    takes=("nat", "Type", "nat"),
    gives="Pufferfish.secret (Chain.vec [1] [2]) -> Pufferfish.secret (Chain.vec [1] [2]) -> Prop",
    words="all pairs (X_[0] = x, X_[0] = y) with x, y in [1]",
    tex=r"\{(X_{[0]} = x, X_{[0]} = y)\}",
    coq="ParallelSegments.two_values_in (d[1]) [2] [0] [0]",
    value=lambda i, size, number: _values_in(i, i, size, number),
)
TOLD = entry(
    "told of a record",
    takes=("level", CLASS_OF, "nat", "nat", "nat", "Type"),
    words="e(X_[3] | X_[2]) <= [0] for every chain in [1]",
    tex=r"e_{[1]}(X_{[3]} | X_{[2]}) \le [0]",
    coq="forall p_ : Chain.vec [5] [4] -> R, TableQuilts.laws_of [1] [4] p_ -> "
    "ParallelSegments.told_at_most (d[5]) p_ [2] [3] (exp [0])",
    value=_told,
    precedence=200,
    relation="<=",
    meaning="e(X_j | X_k) is the max-influence of X_k on X_j, the largest of ln P(X_j = v | X_k = "
    "x)/P(X_j = v | X_k = y) over all v and all x and y that are possible values of X_k.",
)
EITHER = entry(
    "pairs of either",
    takes=(f"{SET} -> {SET} -> Prop", f"{SET} -> {SET} -> Prop"),
    gives=f"{SET} -> {SET} -> Prop",
    words="[0], and [1],",
    tex=r"[0] \cup [1]",
    coq="Parallel.either [0] [1]",
    value=lambda some, more: [*some, *more],
)
TOGETHER = entry(
    "two releases",
    takes=("'D -> 'W -> R", "'D -> 'V -> R"),
    gives="'D -> ('W * 'V) -> R",
    words="([0], [1])",
    tex=r"([0], [1])",
    coq="Pufferfish.both [0] [1]",
    value=_both,
    meaning="(M, N) is the release of M and N together, with independent randomness.",
)
OF_BOTH = entry(
    "level of both segments",
    takes=("level", "level", "level", "level"),
    gives="level",
    words="max{min{[0] + [1], [0] + [2]}, min{[1] + [0], [1] + [3]}}",
    tex=r"\max\{\min\{[0] + [1], [0] + [2]\}, \min\{[1] + [0], [1] + [3]\}\}",
    coq="Rmax (Rmin ([0] + [1]) ([0] + [2])) (Rmin ([1] + [0]) ([1] + [3]))",
    value=_of_both,
)
LAW_OF_CHAIN = entry(
    "law of a chain",
    takes=(CHAIN_OF, "nat"),
    gives="Chain.vec 'A [1] -> R",
    words="[0]",
    tex="[0]",
    coq="TableQuilts.law_of_chain [0] [1]",
    value=_law,
    meaning="P_theta(s) is the sum of the weights that the chain theta gives to the tables in s: "
    "of a table, its first weight times those of all its steps; commas between sets and equations "
    "mean that all of them hold.",
)
MEET = entry(
    "meet",
    takes=(SET, SET),
    gives=SET,
    words="[0], [1]",
    tex="[0], [1]",
    coq="QuiltsOfTables.meet [0] [1]",
    value=lambda s, t: s & t,
)
VALUE_IS = entry(
    "value of a record",
    takes=("nat", "'A", "Type", "nat"),
    gives="Pufferfish.secret (Chain.vec [2] [3])",
    words="X_[0] = [1]",
    tex="X_{[0]} = [1]",
    coq="SequentialChains.record_is (d[2]) (n := [3]) [0] [1]",
    value=having,
)
