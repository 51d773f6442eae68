"""Histograms of the records of a table: Histograms.v."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import LAW_OF, Law
from pufferproof.claims.vocabulary.entries.quilts.chains import TABLE_OF, Table
from pufferproof.claims.vocabulary.sorts import listed, natural
from pufferproof.claims.vocabulary.terms import Sort, entry


def table_of(of: str, number: str) -> Sort:
    """A table of records."""
    return Sort(
        f"Chain.vec {of} {number}",
        f"a sequence of {number} members of {of}",
        "list nat",
        "Histograms.record_list _ {}",
        listed(natural),
    )


def frequencies(table: Table, number: int, size: int) -> list[Fraction]:
    """Return the share of the records that have each value."""
    return [quotient(Fraction(table.count(a)), Fraction(number)) for a in range(size)]


def distance(one: Law, other: Law) -> Fraction:
    """Return the sum of the distances of entries."""
    return sum((abs(a - b) for a, b in zip(one, other)), ZERO)


def changes(x: Sequence[int], y: Sequence[int]) -> int:
    """Return at how many places two tables differ."""
    return sum(a != b for a, b in zip(x, y))


DIFFER_ONCE = entry(
    "differ at most once",
    takes=(TABLE_OF, TABLE_OF),
    words="[0] and [1] differ in at most one record",
    tex=r"[0], [1] \text{ differ in at most one record}",
    coq="Histograms.differ_once [0] [1]",
    value=lambda x, y: iter((changes(x, y) <= 1,)),
    relation="truth",
)
FREQUENCIES = entry(
    "frequencies",
    takes=(TABLE_OF, "nat", "Type"),
    gives="'A -> R",
    words="the histogram of [0]",
    tex=r"F([0])",
    coq="Histograms.frequencies (d[2]) (n := [1]) [0]",
    value=frequencies,
    meaning="The histogram of a sequence of n values has, for each value, the number of places at "
    "which the sequence has it, divided by n.",
)
DISTANCE_L1 = entry(
    "distance in L1",
    takes=(LAW_OF, LAW_OF),
    gives="R",
    words="the L1 distance of [0] and [1]",
    tex=r"\|[0] - [1]\|_1",
    coq="Histograms.distance_l1 [0] [1]",
    value=distance,
    meaning="The L1 distance of two functions is the sum of the absolute values of the differences of their values.",
)
TWO_OVER = entry(
    "2 by a number",
    takes=("nat",),
    gives="R",
    words="2/[0]",
    tex=r"\frac{2}{[0]}",
    coq="2 / INR [0]",
    value=lambda number: quotient(Fraction(2), Fraction(number)),
    precedence=40,
)
