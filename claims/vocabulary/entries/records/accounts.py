"""Releases one after the other with levels for records, and what other records tell:
RecordTables.v.

A release has, at an instance, a table of its probabilities for each last output before it, the
first one where there is none, and levels for records beside each; the last of these tables goes on,
and so do the last of its levels and the last level of each.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any, NamedTuple

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows, weight
from pufferproof.claims.vocabulary.entries.records.local import SET, TABLE
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import both, listed, naturals, rows
from pufferproof.claims.vocabulary.terms import Sort, entry

ONE, ZERO = Fraction(1), Fraction(0)
RELEASES_IN_COQ = "list ((list {0} -> Chain.vec {1} n -> {0} -> R) * (list {0} -> nat -> R))"
RECORDS_IN_COQ = "nat -> bool"
Table = tuple[int, ...]


class Chosen(NamedTuple):
    """A release and its levels for records, both chosen by the last output before it."""

    tables: Sequence[Rows]
    levels: Sequence[Sequence[Fraction]]


def records(words: str = "a set of records") -> Sort:
    """A set of records."""
    return Sort(RECORDS_IN_COQ, words, "list nat", "(fun j => existsb (Nat.eqb j) {})", naturals)


def chosen(of: str, to: str) -> Sort:
    """A list of releases, each chosen by the outputs before it."""
    return Sort(
        RELEASES_IN_COQ.format(to, of),
        f"a list of mechanisms M_k from tables of n records with values in {of} to {to}, each "
        "chosen, with a real number r_kj for every record j, by the outputs before it",
        "list Accounts.raw_chosen",
        "map Accounts.chosen_read {}",
        listed(both(listed(rows), rows)),
    )


class Outputs(list[Fraction]):
    """The probabilities of all lists of so many outputs in order; those of others are 0."""

    def __init__(self, found: Sequence[Fraction], size: int, number: int) -> None:
        super().__init__(found)
        self.size, self.number = size, number

    def __getitem__(self, place: Any) -> Any:
        """Return one by its place, or by the list."""
        if not isinstance(place, Sequence):
            return super().__getitem__(place)
        if len(place) != self.number:
            return ZERO
        return super().__getitem__(sum(w * self.size**k for k, w in enumerate(reversed(place))))


def _adaptive(releases: Sequence[Chosen]) -> list[Outputs]:
    """Return the channel of all outputs of releases together."""
    first = releases[0].tables[0]
    size, number = len(first[0]), len(releases)
    return [
        Outputs([_chance(releases, x, ws) for ws in product(range(size), repeat=number)], size, number)
        for x in range(len(first))
    ]


def _chance(releases: Sequence[Chosen], x: int, ws: Sequence[int]) -> Fraction:
    before = [0, *(1 + w for w in ws)]
    each = (late(one.tables, key)[x][w] for one, key, w in zip(releases, before, ws))
    return prod(each, start=ONE)


def tables_of(size: int, number: int) -> list[Table]:
    """List the tables of so many records in order."""
    return [*product(range(size), repeat=number)]


def differ(x: Table, y: Table, j: int) -> bool:
    """Whether two tables differ in record j alone, or not at all."""
    return all(a == b for k, (a, b) in enumerate(zip(x, y)) if k != j)


def _good(
    hidden: Collection[int], releases: Sequence[Chosen], size: int, number: int
) -> Iterator[tuple[Fraction, Fraction]]:
    tables = [*enumerate(tables_of(size, number))]
    for one in releases:
        for key in range(max(len(one.tables), len(one.levels))):
            M, levels = late(one.tables, key), late(one.levels, key)
            yield from ((ZERO, a) for each in M for a in each)
            for j in hidden:
                for (x, here), (y, there) in product(tables, repeat=2):
                    if differ(here, there, j):
                        yield from ((a, late(levels, j) * b) for a, b in zip(M[x], M[y]))


def _spent(
    hidden: Collection[int], releases: Sequence[Chosen], budget: Fraction, number: int
) -> Iterator[tuple[Fraction, Fraction]]:
    outputs = range(len(releases[0].tables[0][0]))
    for ws in product(outputs, repeat=len(releases)):
        chosen = [late(one.levels, key) for one, key in zip(releases, [0, *(1 + w for w in ws)])]
        levels = (late(each, j) for each in chosen for j in hidden if j < number)
        yield prod(levels, start=ONE), budget


def shown_parts(hidden: Collection[int], size: int, number: int) -> list[frozenset[int]]:
    """Return the sets of tables that agree in all records but the hidden ones."""
    found: dict[Table, set[int]] = {}
    for place, table in enumerate(tables_of(size, number)):
        key = tuple(a for k, a in enumerate(table) if k not in hidden)
        found.setdefault(key, set()).add(place)
    return [frozenset(each) for each in found.values()]


def _tell(
    factor: Fraction, hidden: Collection[int], pairs: Any, priors: Sequence[Law], size: int, number: int
) -> Iterator[tuple[Fraction, Fraction]]:
    parts = shown_parts(hidden, size, number)
    for p in priors:
        for s, t in pairs:
            if (ps := weight(p, s)) > 0 and (pt := weight(p, t)) > 0:
                yield from ((weight(p, s & part) * pt, factor * ps * weight(p, t & part)) for part in parts)


RELEASES = RELEASES_IN_COQ.format("'W", "'A")
GOOD = entry(
    "levels of releases",
    takes=(RECORDS_IN_COQ, RELEASES, "Type", "nat"),
    words="no entry of a mechanism M_k in [1] is negative, and M_k(x, w) <= r_kj M_k(y, w) for every j "
    "in [0], all tables x and y that agree in all records but j, and every output w, whatever the "
    "outputs before it, which chose M_k and r_kj",
    tex=r"\forall k, j \in [0], x, y \text{ that agree but in } j, w:\ "
    r"0 \le M_k(x, w) \le r_{kj} M_k(y, w)",
    coq="forall Mr_, List.In Mr_ [1] -> RecordTables.good (A := [2]) (n := [3]) [0] Mr_",
    value=_good,
    precedence=200,
    relation="<=",
)
TELL = entry(
    "other records tell",
    takes=("R", RECORDS_IN_COQ, f"{SET} -> {SET} -> Prop", f"({TABLE} -> R) -> Prop", "Type", "nat"),
    words="P_p(X_L = v | s) <= [0] P_p(X_L = v | t) for the records L that are not in [1] and all their "
    "values v, for every p in [3] and every pair (s, t) in [2] with P_p(s) > 0 and P_p(t) > 0",
    tex=r"\forall p \in [3], (s, t) \in [2], v:\ "
    r"P_p(X_{[1]^c} = v \mid s) \le [0]\, P_p(X_{[1]^c} = v \mid t)",
    coq="forall p_, [3] p_ -> forall s_ t_, [2] s_ t_ -> 0 < Pufferfish.P p_ s_ -> "
    "0 < Pufferfish.P p_ t_ -> RecordTables.influence_of_shown dA (n := [5]) [1] [0] p_ s_ t_",
    value=_tell,
    precedence=200,
    relation="<=",
)
ADAPTIVE = entry(
    "releases one after the other",
    takes=(RELEASES,),
    gives=f"{TABLE} -> list 'W -> R",
    words="the release of all M_k in [0], one after the other,",
    tex=r"([0]_1, [0]_2, ..)",
    coq="(RecordTables.adaptive (List.map fst [0]) [])",
    value=_adaptive,
    precedence=0,
)
SPENT = entry(
    "levels spent",
    takes=(RECORDS_IN_COQ, RELEASES, "R", "nat"),
    words="prod_(k, j in [0]) r_kj <= [2], whatever the outputs",
    tex=r"\textstyle\prod_{k, j \in [0]} r_{kj} \le [2]",
    coq="forall ws_, List.length ws_ = List.length [1] -> "
    "RecordTables.of_hidden [0] (RecordTables.spent (List.map snd [1]) [] ws_) [3] <= [2]",
    value=_spent,
    precedence=200,
    relation="<=",
    meaning="The product is over all M_k and all those of the n records that are hidden, j in H.",
)
