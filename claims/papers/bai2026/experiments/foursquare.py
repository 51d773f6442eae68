"""Tables 2 and 7: whether one population has the printed Acc@1 of Group DP-Exp as its means.

A draw at a level eps names label j in proportion to x_j^(eps/K), where x_j = e^(-g_j) for a gap
g_j >= 0 to the most frequent label that counts and lengths make: x_1 = 1. With x_j = y_j^30 all
powers are integers. `population` asks the same of Table 4.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.papers.bai2026.experiments.cells import LEVELS, Entry, cell, ranks
from pufferproof.claims.registry import Check, claim

MECHANISM, COLUMN, WHOLE = "Group DP-Exp", "Acc@1", 1_000
POPULATION: Sequence[tuple[tuple[int, int], int]] = (
    ((5, 1), 9_739),
    ((77, 309), 878),
    ((77, 332), 3_117),
    ((77, 573), 4_722),
    ((77, 593), 2_550),
    ((77, 728), 1_559),
    ((77, 742), 7_067),
    ((77, 843), 4_720),
    ((77, 852), 2_681),
    ((77, 943), 31_797),
    ((77, 999), 31_170),
)
"""Of every 100,000 queries, so many have so many labels beside the most frequent one with this y,
in thousandths, and y = 0 for all others.
"""


@claim(
    "bai2026.x-rows-foursquare",
    where="Tables 2 and 7 (a question of ours: which population has these accuracies)",
    statement="Let a draw of Group DP-Exp at eps name label j in proportion to x_j^(eps/K), with "
    "x_1 = 1 for the most frequent label. Then one population of queries over 78 labels has all "
    "twelve printed Acc@1 of Group DP-Exp in Table 2 (K = 3) and Table 7 (K = 5) as its means, to "
    "the last digit. So these cells do not contradict one another.",
    kind="numeric table",
    unsaid="It is about printed numbers, and the population that is named; the step goes through "
    "all of them",
)
def rows_foursquare(check: Check) -> None:
    """Evaluate a population exactly."""
    proved(
        check,
        "one population has all twelve",
        "12 cells, one population of eleven kinds of queries",
        _population,
        one_level_per_draw_for_both_K=Edit("all cells", holds=partial(_fits, shared=False)),
        one_label_less=Edit("all cells", holds=partial(_fits, missing=1)),
        the_cells_of_MQM=Edit("all cells", family=list(_cells("MQM"))),
    )


def _population(proof: Proof) -> None:
    proof.exhaust(
        "all cells",
        "the mean of Acc@1 = 1 / (1 + sum of x_j^(eps/K)) is rounded to the printed number",
        list(_cells(MECHANISM)),
        _fits,
    )


def _cells(mechanism: str) -> list[Entry]:
    return [Entry(table, eps, mechanism, COLUMN) for table in ("T2", "T7") for eps in LEVELS]


def _fits(entry: Entry, shared: bool = True, missing: int = 0) -> bool:
    """Whether the mean of the population is rounded to the cell."""
    draws = ranks(entry.table) if shared else 3
    power = int(30 * Fraction(entry.epsilon) / draws)
    total = sum(share for _, share in POPULATION)
    parts = (share * named_first(labels - missing, y, power) for (labels, y), share in POPULATION)
    found = cell(entry)
    return found.low <= sum(parts, Fraction(0)) / total <= found.high


def named_first(labels: int, y: int, power: int) -> Fraction:
    """Return Acc@1 of a query with so many labels of y thousandths, at 30 eps / K = power."""
    return Fraction(WHOLE**power, WHOLE**power + labels * y**power)
