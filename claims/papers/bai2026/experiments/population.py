"""Table 4, whose row eps = 5 has another precision: whether any population has the printed
accuracies of Group DP-Exp as its means.

At a level eps a draw names label j with a probability in proportion to x_j^(2 eps), where x_j =
e^(-g_j) for a gap g_j >= 0 to the most frequent label that counts, lengths and K make: x_1 = 1. No
other property of a population is used.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from typing import NamedTuple

from pufferproof.claims.language import Edit, Proof, at_least, letter, proved
from pufferproof.claims.papers.bai2026.experiments.cells import ACCURACY, Cell, Entry, cell
from pufferproof.claims.papers.bai2026.statements import metrics as said
from pufferproof.claims.registry import Check, claim

TABLE, MECHANISM, RANKS = "T4", "Group DP-Exp", 3
_CHANCE = Fraction(1, 11)
TENTH = Fraction(1, 1000)
LATER = "E Acc@1 at eps = 5 is bounded by that at eps = 4"
READ_AS_6: Mapping[str, str] = {"5": "6"}
POPULATION: Sequence[tuple[tuple[int, ...], int]] = (
    ((100, 61, 59, 6, *[5] * 7), 2),
    ((100, 98, 94, *[93] * 8), 446),
    ((100, 98, 95, 95, 95, *[94] * 6), 59),
    ((100, 99, *[94] * 9), 88),
    ((100, 99, 99, 99, 98, 97, 97, 93, 91, 91, 90), 212),
    ((100, 100, 100, *[93] * 8), 76),
    ((100,) * 11, 117),
)
"""Of every 1,000 queries, so many have these x_j, in hundredths."""
ALONE: Mapping[str, Sequence[tuple[tuple[int, ...], int]]] = {
    "4": (((100, *[71] * 10), 81), ((100,) * 11, 919)),
    "5": (((100, *[73] * 10), 107), ((100,) * 11, 893)),
}
"""Populations for one cell each."""

share = letter("share", "the weight of the next query", at_least(0))


class Measured(NamedTuple):
    """A cell that a population is compared with, and the level it is read as."""

    epsilon: str
    read_as: str
    column: str


@claim(
    "bai2026.x-row-5",
    where="Table 4 (a question of ours: which population has these accuracies)",
    statement="Let queries be about at most 11 labels. For Group DP-Exp, whatever their counts "
    "and lengths are, E Acc@1(eps = 5) - 1/11 <= 7/5 (E Acc@1(eps = 4) - 1/11). So "
    "the printed 13.28% at eps = 4 and 15.6% at eps = 5 of Table 4 are not both means of one "
    "population, while each alone is. With the row eps = 5 read as eps = 6, one population has "
    "all accuracies and hit rates of Group DP-Exp in Tables 4 and 5 up to a tenth of a percent.",
    kind="numeric table",
    says={LATER: said.ROW_5},
    unsaid="It is about printed numbers, and the population that is named; the steps go through "
    "all of them",
)
def row_5(check: Check) -> None:
    """Bound one query, then its mean; evaluate populations exactly.

    Ten labels: A mean of fifth powers: 5 s x^4 <= 4 x^5 + s^5, for every label. The least A5: With
    A4 = 10 s^4 and ten labels, zeros for those that are missing. One variable: (1 - s^5)(1 + 10
    s^4) <= c (1 - s^4)(1 + 10 s^5). One query: Acc@1 = 1/(1 + A): f4 (1 + 10 s^4) = 1 and f5 (1 +
    10 s^5) <= 1. Means: over queries, in proportion to their weights.
    """
    check.tried(LATER)
    proved(
        check,
        "13.28% and 15.6% break this",
        "the printed numbers and what is rounded to them",
        _contradiction,
        the_cells_before_them=Edit("the cells", family=[_pair("3", "4")]),
    )
    proved(
        check,
        "either cell alone is possible",
        "a population for each",
        _alone,
        one_population_for_both=Edit("populations", family=[("5", ALONE["4"])]),
    )
    as_printed = Edit("all cells", holds=partial(_fits, read_as={}))
    proved(
        check,
        "eps = 5 read as eps = 6",
        "24 cells, one population of seven kinds of queries",
        _population,
        eps_5_as_printed=as_printed,
    )


def _contradiction(proof: Proof) -> None:
    proof.exhaust(
        "the cells",
        "the least number that is rounded to 15.6% is too large for the largest to 13.28%",
        [_pair("4", "5")],
        _breaks,
    )


def _pair(first: str, second: str) -> tuple[Measured, Measured]:
    return Measured(first, first, "Acc@1"), Measured(second, second, "Acc@1")


def _breaks(cells: tuple[Measured, Measured]) -> bool:
    """Whether E Acc@1(5) - 1/11 > 7/5 (E Acc@1(4) - 1/11), whatever was rounded."""
    at_4, at_5 = _printed(cells[0]).high, _printed(cells[1]).low
    return at_5 - _CHANCE > Fraction(7, 5) * (at_4 - _CHANCE)


def _alone(proof: Proof) -> None:
    proof.exhaust(
        "populations",
        "two kinds of queries have the printed number as their mean",
        ALONE.items(),
        lambda each: _near(each[1], Measured(each[0], each[0], "Acc@1"), Fraction(0)),
    )


def _population(proof: Proof) -> None:
    proof.exhaust(
        "all cells",
        "Acc@1 to Acc@3 and HR at six levels, exactly, against the printed ones",
        _cells(READ_AS_6),
        lambda measured: _near(POPULATION, measured, TENTH),
    )


def _cells(read_as: Mapping[str, str]) -> list[Measured]:
    """List the cells of the mechanism, and the level that each is read as."""
    columns = (*(f"Acc@{k}" for k in range(1, RANKS + 1)), "HR")
    levels = ("0.5", "1", "2", "3", "4", "5")
    return [
        Measured(level, read_as.get(level, level), each) for level in levels for each in columns
    ]


def _printed(measured: Measured) -> Cell:
    table = ACCURACY[TABLE] if measured.column == "HR" else TABLE
    return cell(Entry(table, measured.epsilon, MECHANISM, measured.column))


def _fits(measured: Measured, read_as: Mapping[str, str]) -> bool:
    level = read_as.get(measured.epsilon, measured.epsilon)
    return _near(POPULATION, measured._replace(read_as=level), TENTH)


def _near(
    population: Sequence[tuple[tuple[int, ...], int]], measured: Measured, slack: Fraction
) -> bool:
    """Whether the mean of a population is rounded to the printed number, up to a slack."""
    power = int(2 * Fraction(measured.read_as))
    parts = [share * metric(kind, power, measured.column) for kind, share in population]
    mean = sum(parts, Fraction(0)) / sum(share for _, share in population)
    found = _printed(measured)
    return found.low - slack <= mean <= found.high + slack


@cache
def metric(kind: tuple[int, ...], power: int, column: str) -> Fraction:
    """Return Acc@k or HR of three draws without replacement, in proportion to x_j^power."""
    weights = [value**power for value in kind]
    if column == "HR":
        named = [_named(weights, label, rank) for label in range(RANKS) for rank in range(RANKS)]
        return sum(named, Fraction(0)) / RANKS
    rank = int(column.removeprefix("Acc@")) - 1
    return _named(weights, rank, rank)


def _named(weights: Sequence[int], label: int, rank: int) -> Fraction:
    """Return how likely this label is named at this rank, ranks from 0."""
    others = [other for other in range(len(weights)) if other != label]
    return sum(
        (_likelihood(weights, (*before, label)) for before in permutations(others, rank)),
        Fraction(0),
    )


def _likelihood(weights: Sequence[int], drawn: tuple[int, ...]) -> Fraction:
    """Return how likely these labels are drawn in this order."""
    left, found = sum(weights), Fraction(1)
    for label in drawn:
        found *= Fraction(weights[label], left)
        left -= weights[label]
    return found
