"""Moments and excesses of two laws, and means of rows: Moments.v.

Orders are integers at instances.
"""

from collections.abc import Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.sorts import natural
from pufferproof.claims.vocabulary.terms import Sort, entry

ROW = "'W -> R"
ORDER = Sort(
    "posreal", "a positive real number", "nat", "MomentTables.above_one {}", lambda number: natural(number - 1)
)
"""What the order of a moment is above 1."""


def moment(e: int, p: Law, q: Law) -> Fraction:
    """Return the sum of p^(1 + e) q^-e, in which a power of what is not positive is 0."""
    both = ((a, b) for a, b in zip(p, q) if a > 0 and b > 0)
    return sum((a ** (1 + e) / b**e for a, b in both), ZERO)


def excess(K: Fraction, p: Law, q: Law) -> Fraction:
    """Return the sum of the positive parts of p - K q."""
    return sum((max(a - K * b, ZERO) for a, b in zip(p, q)), ZERO)


def mean(g: Law, A: Rows) -> Sequence[Fraction]:
    """Return the rows of a table, summed with weights."""
    return [sum((a * b for a, b in zip(g, column)), ZERO) for column in zip(*A)]


MOMENT = entry(
    "moment",
    takes=("posreal", ROW, ROW),
    gives="R",
    words="m(1 + [0], [1], [2])",
    tex=r"\textstyle\sum_w {[1]}_w^{1 + [0]} {[2]}_w^{-[0]}",
    coq="Moments.moment (1 + [0]) [1] [2]",
    value=moment,
    meaning="m(a, p, q) is the sum of p_w^a q_w^(1 - a) over all w; a power of a number that is not positive is 0.",
)
EXCESS = entry(
    "excess",
    takes=("R", ROW, ROW),
    gives="R",
    words="E([0], [1], [2])",
    tex=r"\textstyle\sum_w \max(0, {[1]}_w - [0] {[2]}_w)",
    coq="Moments.excess [0] [1] [2]",
    value=excess,
    meaning="E(K, p, q) is the sum of max(0, p_w - K q_w) over all w.",
)
MEAN = entry(
    "mean of rows",
    takes=("'I -> R", f"'I -> {ROW}"),
    gives=ROW,
    words="sum_i [0]_i [1]_i",
    tex=r"\textstyle\sum_i [0]_i [1]_i",
    coq="(Moments.mean [0] [1])",
    value=mean,
    precedence=0,
)
