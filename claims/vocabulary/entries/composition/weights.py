"""Mechanisms that compose up to a constant, and weights on databases that are the same for all
outputs: Weights.v.

At an instance entries are powers of 2, 0, or minus a power of 2, and so is e to the level.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    CHANNEL,
    LAW_OF,
    SET,
    Law,
    Rows,
    Secret,
    inside,
    weight,
)
from pufferproof.claims.vocabulary.terms import Log, entry
from pufferproof.models.errors import SolverError

Gaps = list[list[int]]
"""A row for each database: how far another one is above it at each output, in powers of 2."""
PAIRS, PRIORS = f"{SET} -> {SET} -> Prop", f"({LAW_OF}) -> Prop"


def exponent(number: Fraction) -> int:
    """Return k of 2^k. Raises `SolverError` for another number."""
    k = number.numerator.bit_length() - number.denominator.bit_length()
    if number != Fraction(2) ** k:
        raise SolverError(f"expected a power of 2, found {number}")
    return k


def gaps(e: int, Ms: Sequence[Rows], x: int, others: Sequence[int]) -> Gaps:
    """Return the gaps of the databases that give all outputs of x."""
    seen = [(i, w) for i, M in enumerate(Ms) for w, each in enumerate(M[x]) if each > 0]
    return [
        [exponent(Ms[i][x][w]) - e - exponent(Ms[i][y][w]) for i, w in seen]
        for y in others
        if all(Ms[i][y][w] > 0 for i, w in seen)
    ]


def separated(rows: Gaps) -> bool:
    """Return whether some positive numbers, one for each column, make all rows positive: one column
    after the other is eliminated.
    """
    while rows and rows[0]:
        up, down = ([row for row in rows if sign * row[0] > 0] for sign in (1, -1))
        pairs = [[p[0] * b - n[0] * a for a, b in zip(p, n)] for p in up for n in down]
        rows = [row[1:] for row in (*(row for row in rows if row[0] <= 0), *pairs)]
    return not rows


def weighed(rows: Gaps) -> bool:
    """Return whether a mean of some rows is nowhere positive: where there is one, one with k rows
    is 0 at k - 1 columns and at no other mean of these rows.
    """
    return any(
        _nowhere_positive(chosen, columns)
        for size in range(1, len(rows) + 1)
        for chosen in combinations(rows, size)
        for columns in combinations(range(len(rows[0])), size - 1)
    )


def _nowhere_positive(chosen: Sequence[Sequence[int]], columns: Sequence[int]) -> bool:
    beta = _solved([[row[c] for row in chosen] for c in columns], len(chosen))
    return beta is not None and all(sum(b * row[c] for b, row in zip(beta, chosen)) <= 0 for c in range(len(chosen[0])))


def _solved(equations: Sequence[Sequence[int]], size: int) -> list[Fraction] | None:
    """Return the law that solves equations to 0, or None if there is none or more than one."""
    table = [[Fraction(1)] * (size + 1)]
    table += [[*map(Fraction, row), Fraction(0)] for row in equations]
    for place in range(size):
        pivot = next((row for row in table[place:] if row[place]), None)
        if pivot is None:
            return None
        table.remove(pivot)
        table.insert(place, [each / pivot[place] for each in pivot])
        for number, row in enumerate(table):
            if number != place:
                table[number] = [a - row[place] * b for a, b in zip(row, table[place])]
    law = [row[-1] for row in table]
    return law if min(law) >= 0 else None


def each_gap(
    eps: Log, Ms: Sequence[Rows], pairs: Sequence[tuple[Secret, Secret]], priors: Sequence[Law]
) -> Iterator[Gaps]:
    """Yield the gaps of every possible database, for each prior and pair."""
    e = exponent(eps.of)
    for p in priors:
        for s, t in pairs:
            if weight(p, s) > 0 and weight(p, t) > 0:
                others = [y for y in range(len(p)) if inside(p, t, y) > 0]
                yield from (gaps(e, Ms, x, others) for x in sorted(s) if p[x] > 0)


def _composing(eps: Log, Ms: Any, pairs: Any, priors: Any) -> Iterator[bool]:
    yield all(each >= 0 for M in Ms for row in M for each in row)
    yield all(min(p) >= 0 and sum(p) == 1 for p in priors)
    yield from (not separated(rows) for rows in each_gap(eps, Ms, pairs, priors))


COMPOSING = entry(
    "composing",
    takes=("level", f"'I -> {CHANNEL}", PAIRS, PRIORS),
    words="no [1]_i has a negative entry, every prior in [3] is a law, and for every p in [3] and every "
    "(s, t) in [2] with P_p(s) > 0 and P_p(t) > 0 there is a constant C such that, for every joint "
    "release N of n independent runs of the [1]_i, repetitions allowed, and all its outputs y, "
    "P_p(N = y | s) <= e^(n [0] + C) P_p(N = y | t)",
    tex=r"\forall p \in [3], (s, t) \in [2]\ \exists C\ \forall n, N = [1]_{i_1} \otimes \dots \otimes "
    r"[1]_{i_n}, y:\ P_p(N = y \mid s) \le e^{n [0] + C} P_p(N = y \mid t)",
    coq="Weights.composing [0] [1] [2] [3]",
    value=_composing,
    relation="truth",
    meaning="Mechanisms compose linearly if C = 0 will do.",
)
HAS_WEIGHTS = entry(
    "has weights",
    takes=("level", f"'I -> {CHANNEL}", PAIRS, PRIORS),
    words="for every p in [3], every (s, t) in [2] with P_p(s) > 0 and P_p(t) > 0, and every x with "
    "p(x, s) > 0 there is a law beta on D, positive only at l with p(l, t) > 0, such that "
    "[1]_i(x, w) <= e^([0]) prod_l [1]_i(l, w)^(beta_l) for every i and every output w",
    tex=r"\forall p \in [3], (s, t) \in [2], x: p(x, s) > 0\ \exists \beta\ \forall i, w:\ "
    r"{[1]_i}_{x,w} \le e^{[0]} \textstyle\prod_{l: p(l, t) > 0} {[1]_i}_{l,w}^{\beta_l}",
    coq="Weights.has_weights [0] [1] [2] [3]",
    value=lambda eps, Ms, pairs, priors: (weighed(rows) for rows in each_gap(eps, Ms, pairs, priors)),
    relation="truth",
    meaning="Here p(x, s) is p(x) if x is in s, and 0 otherwise. In products 0^0 = 1.",
)
