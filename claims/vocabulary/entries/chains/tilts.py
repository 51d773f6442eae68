"""Walks over tilts of the records of a chain: Tilts.v."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO, quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.quilts.chains import TABLE_OF, tables_of
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import listed, row, rows
from pufferproof.claims.vocabulary.terms import Sort, entry

STEPS, TILTS, COLUMN = "nat -> 'A -> 'A -> R", "nat -> 'A -> R", f"{TABLE_OF} -> R"
PLACES = "X_0, X_1 .. is a chain, P_k its step from X_k to X_(k+1), and r_k(z) belongs to the value z of X_(k+1)."
Steps = Sequence[Rows]
Column = Mapping[tuple[int, ...], Fraction]


def steps_in_time(of: str) -> Sort:
    """A step after each record; the last one goes on."""
    return Sort(
        f"nat -> {of} -> {of} -> R",
        f"a sequence of real matrices on {of}, one for the step after each record X_k",
        "list (list (list Q))",
        "(fun k => rows_of (late [] {} k))",
        listed(rows),
    )


def tilts_in_time(of: str) -> Sort:
    """A tilt of each record and value; those of the last record go on."""
    return Sort(
        f"nat -> {of} -> R",
        f"a sequence of real functions on {of}, one for each record X_(k+1)",
        "list (list Q)",
        "(fun k => law_of (late [] {} k))",
        rows,
    )


def column(of: str, number: str) -> Sort:
    """A number for each table, in order."""
    return Sort(
        f"Chain.vec {of} {number} -> R",
        f"a real function of tables of {number} members of {of}",
        "list Q",
        "law_of_tables {}",
        row,
    )


def mean(P: Steps, number: int, u: Law, x: int) -> Fraction:
    """Return the mean of a column after the value x of X_0."""
    total = ZERO
    for entry_of, table in zip(u, tables_of(len(P[0]), number)):
        chance, at = entry_of, x
        for k, y in enumerate(table):
            chance, at = chance * late(P, k)[at][y], y
        total += chance
    return total


def walk(P: Steps, r: Rows, number: int, v: int, w: int, b: Fraction) -> Fraction:
    """Return where the walk ends."""
    places = range(len(P[0]))
    at = [Fraction(x == v) - b * Fraction(x == w) for x in places]
    for k in range(number):
        at = [sum((at[x] * late(P, k)[x][z] for x in places), ZERO) for z in places]
        tilts = late(r, k)
        at = [c * t if c > 0 else c * quotient(Fraction(1), t) for c, t in zip(at, tilts)]
    return sum(at, ZERO)


def products(r: Rows, number: int) -> Iterator[list[Fraction]]:
    """Yield every product of r or 1/r of each record, at all tables."""
    size = len(r[0])
    ends = [[*product(*((t, quotient(Fraction(1), t)) for t in late(r, k)))] for k in range(number)]
    for chosen in product(*ends):
        column = [Fraction(1)]
        for factors in chosen:
            column = [each * factors[z] for each in column for z in range(size)]
        yield column


def _tilted(r: Rows, number: int, u: Law) -> Iterator[tuple[Fraction, Fraction]]:
    size = len(r[0])
    found = dict(zip(tables_of(size, number), u))
    for table, here in found.items():
        yield ZERO, here
        for k in range(number):
            for z in range(size):
                other = found[(*table[:k], z, *table[k + 1 :])]
                yield here, late(r, k)[table[k]] * late(r, k)[z] * other


def _told(P: Steps, r: Rows, number: int, v: int, w: int, b: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    for u in products(r, number):
        yield mean(P, number, u, v), b * mean(P, number, u, w)


NONNEGATIVE = entry(
    "no step negative",
    takes=(STEPS,),
    words="no entry of a step in [0] is negative",
    tex=r"[0] \ge 0",
    coq="Tilts.steps_nonneg [0]",
    value=lambda P: ((ZERO, each) for step in P for row in step for each in row),
    relation="<=",
)
AT_LEAST_ONE = entry(
    "no tilt below 1",
    takes=(TILTS,),
    words="[0]_k(z) >= 1 for every k and z",
    tex=r"[0]_k(z) \ge 1",
    coq="Tilts.at_least_one [0]",
    value=lambda r: ((Fraction(1), each) for row in r for each in row),
    relation="<=",
)
TILTED = entry(
    "column within tilts",
    takes=(TILTS, "nat", COLUMN),
    words="[2] is not negative and [2](x) <= [0]_(k-1)(x_k) [0]_(k-1)(x'_k) [2](x') for all tables x and "
    "x' of X_1 .. X_[1] that differ in X_k at most, and every k",
    tex=r"0 \le [2](x) \le {[0]}_{k-1}(x_k)\, {[0]}_{k-1}(x'_k)\, [2](x') \text{ if } x_j = x'_j "
    r"\text{ for } j \ne k",
    coq="Tilts.tilted [0] O [1] [2]",
    value=_tilted,
    relation="<=",
)
WALK_END = entry(
    "end of the walk",
    takes=(STEPS, TILTS, "nat", "'A", "'A", "R"),
    gives="R",
    words="sum_z c_[2](z; [3], [4], [5])",
    tex=r"\textstyle\sum_z c_{[2]}(z; [3], [4], [5])",
    coq="Tilts.walk_end [0] [1] O [2] (Tilts.start dA [3] [4] [5])",
    value=walk,
    meaning=f"{PLACES} c_0(z; v, w, b) is 1 at v, less b at w, and 0 elsewhere. c_(k+1)(z) is s = "
    "sum_y c_k(y) P_k(y, z), times r_k(z) where s > 0, and divided by r_k(z) elsewhere.",
)
MEAN = entry(
    "mean after a value",
    takes=(STEPS, "nat", COLUMN, "'A"),
    gives="R",
    words="E([2] | X_0 = [3])",
    tex=r"E([2] \mid X_0 = [3])",
    coq="Tilts.mean [0] O [1] [2] [3]",
    value=mean,
    meaning="E(u | X_0 = y) is the sum of P_0(y, x_1) P_1(x_1, x_2) .. P_(n-1)(x_(n-1), x_n) u(x) over the tables x.",
)
PRODUCTS_TOLD = entry(
    "products told apart",
    takes=(STEPS, TILTS, "nat", "'A", "'A", "R"),
    words="E(m | X_0 = [3]) <= [5] E(m | X_0 = [4]) for every product m(x) = m_0(x_1) .. m_(n-1)(x_n) "
    "whose factors m_k(z) are [1]_k(z) or 1/[1]_k(z)",
    tex=r"E(m \mid X_0 = [3]) \le [5]\, E(m \mid X_0 = [4]) \text{ for } m = \textstyle\prod_k m_k, "
    r"m_k(z) \in \{{[1]}_k(z), 1/{[1]}_k(z)\}",
    coq="Tilts.products_told [0] [1] [2] [3] [4] [5]",
    value=_told,
    relation="<=",
)
