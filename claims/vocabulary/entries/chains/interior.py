"""What levels per record tell of a bit of a chain, whose sides are branches of a tree: Interior.v.

Records are counted from 0, and quotients are as in Coq, where x/0 is 0.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.entries.chains.counts import INITIAL, ONE, STEPS, ZERO, Steps
from pufferproof.claims.vocabulary.entries.foundations.logic import quotient
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Rows
from pufferproof.claims.vocabulary.entries.records.stationary import SHARES_OF
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.sorts import MATRIX, rows
from pufferproof.claims.vocabulary.terms import Sort, entry

BITS_READ = "InnerBit.bits 'i 'm -> 'W -> R"
LEVELS = SHARES_OF
Numbers = Sequence[Fraction]
RECURSION = (
    "A side of X_i contributes s(1) = max{g(S), g(1/D)} and s(0) = max{1/g(S), 1/g(1/D)}, with "
    "g(t) = (Q11 t + Q10)/(Q01 t + Q00) of the step Q to its nearest record X_j, S = R_j s'(1) and "
    "D = R_j s'(0), where s' is what the records beyond X_j contribute. Without records s(v) is 1. "
    "The steps of the left side are B_(i-1), B_(i-2) .., those of the right side P_i, P_(i+1) .."
)


def on_bits(before: str, after: str, to: str) -> Sort:
    """A mechanism on the bits of a chain."""
    return Sort(
        f"InnerBit.bits {before} {after} -> {to} -> R",
        f"a mechanism from tables of bits X_0 .. X_({before}+{after}) to {to}",
        "list (list Q)",
        "Branches.bits_read {}",
        rows,
        MATRIX,
    )


def law_after(p: Law, T: Steps, number: int) -> list[Fraction]:
    """Return the law of a record."""
    found = [*p]
    for k in range(number):
        found = [sum((found[x] * late(T, k)[x][y] for x in (0, 1)), ZERO) for y in (0, 1)]
    return found


def tables(i: int, m: int) -> list[tuple[int, ...]]:
    """Return the tables of bits, in order."""
    return [*product((0, 1), repeat=i + 1 + m)]


def told(p: Law, T: Steps, i: int, m: int, row_of: Numbers, v: int) -> Fraction:
    """Return the mean of a column given that X_i is v."""
    mass, total = ZERO, ZERO
    for x, here in zip(tables(i, m), row_of):
        if x[i] == v:
            chance = p[x[0]]
            for k in range(i + m):
                chance *= late(T, k)[x[k]][x[k + 1]]
            mass, total = mass + chance, total + chance * here
    return quotient(total, mass)


def turn(T: Steps, levels: Numbers) -> tuple[Fraction, Fraction]:
    """Return what a side contributes to the ratio of 1 and 0, and of 0 and 1: its steps and levels,
    the nearest first.
    """
    if not levels:
        return ONE, ONE
    up, down = (levels[0] * each for each in turn(T[1:], levels[1:]))
    zero, one = T[0]
    ends = [quotient(one[1] * t + one[0], zero[1] * t + zero[0]) for t in (up, quotient(ONE, down))]
    return max(ends), max(quotient(ONE, each) for each in ends)


def worst(T: Steps, B: Steps, R: Numbers, i: int, m: int, v: int) -> Fraction:
    """Return R_i times what both sides contribute."""
    left = turn([late(B, i - 1 - j) for j in range(i)], [late(R, i - 1 - j) for j in range(i)])
    right = turn([late(T, i + j) for j in range(m)], [late(R, i + 1 + j) for j in range(m)])
    return Fraction(late(R, i) * left[1 - v] * right[1 - v])


def half(R: Numbers, x: Sequence[int], c: Sequence[int]) -> Fraction:
    """Return half the product of 1/R_j over the records in which two tables differ."""
    found = Fraction(1, 2)
    for j, (a, b) in enumerate(zip(x, c)):
        found *= ONE if a == b else quotient(ONE, late(R, j))
    return found


def _levelled(R: Numbers, i: int, m: int, M: Rows) -> Iterator[tuple[Fraction, Fraction]]:
    known = dict(zip(tables(i, m), M))
    for j in range(i + m + 1 + len(R)):
        for x, row_of in known.items():
            for other in {x, (*x[:j], 1 - x[j], *x[j + 1 :])} if j < len(x) else {x}:
                yield from ((a, late(R, j) * b) for a, b in zip(row_of, known[other]))


def _reached(p: Law, T: Steps, R: Numbers, i: int, m: int, v: int, ratio: Fraction) -> Iterator[bool]:
    whole = tables(i, m)

    def by(c: Sequence[int]) -> bool:
        shown = [half(R, x, c) for x in whole]
        M = [[1 - each, each] for each in shown]
        one, other = (told(p, T, i, m, shown, z) for z in (v, 1 - v))
        return (
            all(0 <= each <= 1 for each in shown)
            and all(a <= b for a, b in _levelled(R, i, m, M))
            and other > 0
            and one == ratio * other
        )

    yield any(by(c) for c in whole)


def _backwards(p: Law, T: Steps, B: Steps, i: int) -> Iterator[tuple[Fraction, Fraction]]:
    for k in range(i):
        here, following = law_after(p, T, k), law_after(p, T, k + 1)
        for x, y in product((0, 1), repeat=2):
            yield following[x] * late(B, k)[x][y], here[y] * late(T, k)[y][x]


def _laws(T: Steps) -> Iterator[bool]:
    return (min(each) >= 0 and sum(each) == 1 for step in T for each in step)


OTHER = entry(
    "other bit",
    takes=("bool",),
    gives="bool",
    words="1 - [0]",
    tex="1 - [0]",
    coq="(negb [0])",
    value=lambda v: 1 - v,
    precedence=0,
)
STEPS_LAWS = entry(
    "rows of steps are laws",
    takes=(STEPS,),
    words="all rows of every step in [0] are laws",
    tex=r"[0]_k(x) \text{ are laws}",
    coq="Interior.steps_laws [0]",
    value=_laws,
    relation="truth",
)
AT_LEAST_1 = entry(
    "levels of at least 1",
    takes=(LEVELS,),
    words="[0]_j >= 1 for every j",
    tex=r"[0]_j \ge 1",
    coq="Interior.levels_above_one [0]",
    value=lambda R: ((ONE, each) for each in R),
    relation="<=",
)
BACKWARDS = entry(
    "steps backwards",
    takes=(INITIAL, STEPS, STEPS, "nat"),
    words="P(X_(k+1) = x) [2]_k(x, y) = P(X_k = y, X_(k+1) = x) for every k < [3] and all x and y, if "
    "X_0 has the law [0] and [1]_k is the step after X_k",
    tex=r"P(X_{k+1} = x)\, {[2]}_k(x, y) = P(X_k = y, X_{k+1} = x) \text{ for } k < [3]",
    coq="Interior.backwards [3] [0] [1] [2]",
    value=_backwards,
    relation="=",
)
BOTH_POSSIBLE = entry(
    "both values possible",
    takes=(INITIAL, STEPS, "nat"),
    words="P(X_[2] = 0) > 0 and P(X_[2] = 1) > 0",
    tex=r"P(X_{[2]} = 0), P(X_{[2]} = 1) > 0",
    coq="Interior.both_possible [2] [0] [1]",
    value=lambda p, T, i: ((ZERO, each) for each in law_after(p, T, i)),
    relation="<",
)
LEVELLED = entry(
    "level of every bit",
    takes=(LEVELS, "nat", "nat", BITS_READ),
    words="[3](x, w) <= [0]_j [3](x', w) for all outputs w and tables x and x' that differ in X_j at most, and every j",
    tex=r"{[3]}(x, w) \le {[0]}_j\, {[3]}(x', w) \text{ if } x_k = x'_k \text{ for } k \ne j",
    coq="Interior.levelled [1] [2] [0] [3]",
    value=_levelled,
    relation="<=",
)
TOLD = entry(
    "output given a bit",
    takes=(INITIAL, STEPS, "nat", "nat", BITS_READ, "bool", "'W"),
    gives="R",
    words="P([4] = [6] | X_[2] = [5])",
    tex=r"P([4] = [6] \mid X_{[2]} = [5])",
    coq="Interior.told [2] [3] [0] [1] [4] [5] [6]",
    value=lambda p, T, i, m, M, v, w: told(p, T, i, m, [row_of[w] for row_of in M], v),
)
WORST = entry(
    "worst of a bit",
    takes=(STEPS, STEPS, LEVELS, "nat", "nat", "bool"),
    gives="R",
    words="[2]_[3] s_left([5]) s_right([5])",
    tex=r"{[2]}_{[3]}\, s_{\text{left}}([5])\, s_{\text{right}}([5])",
    coq="Interior.worst_of [3] [4] [0] [1] [2] [5]",
    value=worst,
    precedence=40,
    meaning=RECURSION,
)
REACHED = entry(
    "worst is reached",
    takes=(INITIAL, STEPS, LEVELS, "nat", "nat", "bool", "R"),
    words="for some table c the mechanism M_c that shows 1 at x with half the product of 1/[2]_j over "
    "the records X_j in which x and c differ, and 0 otherwise, has the level [2]_j for every "
    "record, and P(M_c = 1 | X_[3] = [5]) = [6] P(M_c = 1 | X_[3] = 1 - [5]) > 0",
    tex=r"\exists c:\ P(M_c = 1 \mid X_{[3]} = [5]) = [6]\, P(M_c = 1 \mid X_{[3]} = 1 - [5]) > 0",
    coq="Interior.reached [3] [4] [0] [1] [2] [5] [6]",
    value=_reached,
    relation="truth",
)
