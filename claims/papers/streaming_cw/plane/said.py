"""Theorems on the region of two rows, its slopes and its shifts, each said once."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    IFF,
    NOTHING,
    ONE,
    at,
)
from pufferproof.claims.vocabulary.entries.foundations.promise import NONNEGATIVE
from pufferproof.claims.vocabulary.entries.streams.regions import ROWS_TOTAL
from pufferproof.claims.vocabulary.entries.streams.slopes import (
    BETWEEN,
    CHOICE,
    IN_REGION,
    IN_SQUARE,
    LEFT,
    MINIMA,
    MOST,
    PRINTED_SHIFT,
    SAME_LIST,
    SHIFT,
    TOUCHES,
)
from pufferproof.claims.vocabulary.probes.streams.slopes import (
    four_rows,
    lines,
    on_a_line,
    points,
    two_points,
)
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, member
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
Row = Sequence[Fraction | int]
Pair = tuple[Row, Row]
M, N = letter("M", mechanism("D", "W")), letter("N", mechanism("E", "V"))
x, y = letter("x", member("D")), letter("y", member("D"), "x'")
u, v = letter("u", member("E")), letter("v", member("E"), "u'")
w = letter("w", member("W", "an output in W"))
ratio, delta = letter("ratio", NUMBER, "R"), letter("delta", NUMBER)
a, b, c, d = (letter(name, NUMBER) for name in ("a", "b", "c", "d"))
s, t = letter("s", NUMBER), letter("t", NUMBER)
inverse = letter("inverse", NUMBER, "R'")
TWO = (M, x, y)
HALF = F(1, 2)
ROWS = [ROWS_TOTAL(M), NONNEGATIVE(M)]
BELOW = F(1, 200)
SIGNED: Pair = [1 + BELOW, -BELOW], [1, 0]
"""A row with a negative entry, and rows that are laws with the same slopes and shifts."""
UNSIGNED: Pair = [1, 0], [F(200, 201), F(1, 201)]
NO_SLOPE: Pair = [HALF, HALF], [1, 0]
APART: Pair = [0, 1], [1, 0]
THIRD = F(1, 3)
ONE_SLOPE: Pair = [0, THIRD, 2 * THIRD], [THIRD, 0, 2 * THIRD]
ONE_MORE: Pair = [0, THIRD, 2 * THIRD], [THIRD, THIRD, THIRD]
"""The same list in one order, and one slope in common in the other."""


def _rows(P: Row, Q: Row, *more: list[F]) -> Instance:
    """A mechanism whose first two rows are given."""
    rows = [[*map(F, P)], [*map(F, Q)], *more]
    return {"D": len(rows), "W": len(P), "M": rows, "x": 0, "y": 1}


def _other(P: Row, Q: Row, *more: list[F]) -> Instance:
    found = _rows(P, Q, *more)
    return {"E": found["D"], "V": found["W"], "N": found["M"], "u": 0, "v": 1}


def _numbers(**numbers: Fraction | int) -> Instance:
    return {name: F(number) for name, number in numbers.items()}


SHIFT_TOUCHES = Proposition(
    "streams.Slopes.shift_touches",
    "D~ W",
    [*TWO, ratio, delta],
    [ROWS_TOTAL(M)],
    IFF(SHIFT(*TWO, ratio, delta), TOUCHES(*TWO, ratio, delta)),
    lines,
    [{**_rows([HALF], [HALF], [F(1)]), **_numbers(ratio=1, delta=0)}],
)
LAST_SHIFT = Proposition(
    "streams.Slopes.last_shift",
    "D~ W",
    [*TWO, ratio],
    [NONNEGATIVE(M), MOST(*TWO, ratio)],
    SHIFT(*TWO, ratio, LEFT(*TWO)),
    lines,
    [
        {**_rows([F(-1, 200), F(201, 200)], [0, 1]), **_numbers(ratio=2)},
        {**_rows([F(201, 200)], [1]), **_numbers(ratio=1)},
    ],
)
PRINTED_ENDS = Proposition(
    "streams.Slopes.printed_shift",
    "D~ W",
    [*TWO, w, ratio],
    [at(M, x, w).equals(ratio * at(M, y, w))],
    PRINTED_SHIFT(*TWO, w, ratio, NOTHING()),
    lines,
    survivors={
        "hypothesis 1, <= for = [equal]": "superfluous: the empty set has no less than any other",
        "conclusion, 99/100 of the right side [printed shift]": "equivalent: 99/100 of 0 is 0",
    },
)
ZONOTOPE = Proposition(
    "streams.Zonotopes.zonotope_form",
    "D~ W",
    [*TWO, a, b],
    [],
    IFF(IN_REGION(*TWO, a, b), CHOICE(*TWO, a, b)),
    points,
    always="it says that two sets are equal, whatever the rows are",
)
INTERSECTION = Proposition(
    "streams.Intersections.region_is_intersection",
    "D~ W",
    [*TWO, a, b],
    ROWS,
    IFF(
        IN_REGION(*TWO, a, b),
        BOTH(IN_SQUARE(a, b), BOTH(BETWEEN(M, x, y, a, b), BETWEEN(M, y, x, b, a))),
    ),
    points,
    [{**_rows(*SIGNED), **_numbers(a=1 + BELOW, b=0)}],
)
NO_LESS = "equivalent: 101/100 of a number is negative only if the number is"
ONE_THING = "equivalent: it is one condition"
CONVEX = Proposition(
    "streams.BoundaryLines.convex",
    "D~ W",
    [*TWO, a, b, c, d, s, t],
    [
        *(NOTHING() <= s, NOTHING() <= t, (s + t).equals(ONE())),
        *(IN_REGION(*TWO, a, b), IN_REGION(*TWO, c, d)),
    ],
    IN_REGION(*TWO, s * a + t * c, s * b + t * d),
    two_points,
    survivors={
        "hypothesis 1, 101/100 of the right side [at most]": NO_LESS,
        "hypothesis 2, 101/100 of the right side [at most]": NO_LESS,
        "hypothesis 4, for some, not for all [point of a region]": ONE_THING,
        "hypothesis 5, for some, not for all [point of a region]": ONE_THING,
    },
)
LINE = a + ratio * b
OWN_LINE = Proposition(
    "streams.BoundaryLines.own_order",
    "D~ W",
    [*TWO, ratio, delta, a, b],
    [ROWS_TOTAL(M), SHIFT(*TWO, ratio, delta)],
    IFF(LINE.equals(MINIMA(*TWO, ratio)), (LINE + delta).equals(ONE())),
    on_a_line,
    survivors={"hypothesis 2, for some, not for all [shift]": ONE_THING},
)
OTHER_LINE = Proposition(
    "streams.BoundaryLines.other_order",
    "D~ W",
    [*TWO, ratio, inverse, delta, a, b],
    [
        *(ROWS_TOTAL(M), NOTHING() < ratio, (inverse * ratio).equals(ONE())),
        SHIFT(M, y, x, inverse, delta),
    ],
    IFF(LINE.equals(MINIMA(*TWO, ratio)), (inverse * a + b + delta).equals(ONE())),
    on_a_line,
    survivors={
        "hypothesis 2, <= for < [less]": "equivalent: R' R = 1, so that R is not 0",
        "hypothesis 4, for some, not for all [shift]": ONE_THING,
    },
)

TWO_LISTS = [
    *ROWS,
    ROWS_TOTAL(N),
    NONNEGATIVE(N),
    SAME_LIST(M, x, y, N, u, v),
    SAME_LIST(M, y, x, N, v, u),
]
LETTERS = [*TWO, N, u, v]
EDGES = [
    {**_rows([HALF], [HALF], [F(1)]), **_other([1], [1])},
    {**_rows([1], [1]), **_other([HALF], [HALF], [F(1)])},
    {**_rows(*SIGNED), **_other(*UNSIGNED)},
    {**_rows(*UNSIGNED), **_other(*SIGNED)},
    {**_rows(*NO_SLOPE), **_other(*APART)},
    {**_rows(*NO_SLOPE[::-1]), **_other(*APART[::-1])},
    {**_rows(*ONE_SLOPE), **_other(*ONE_MORE)},
    {**_rows(*ONE_SLOPE[::-1]), **_other(*ONE_MORE[::-1])},
]
SAME_REGION = Proposition(
    "streams.Intersections.same_region",
    "D~ W E~ V",
    [*LETTERS, a, b],
    TWO_LISTS,
    IFF(IN_REGION(*TWO, a, b), IN_REGION(N, u, v, a, b)),
    four_rows,
    [
        {**each, **_numbers(a=p, b=q)}
        for each in EDGES
        for p, q in ((0, HALF), (0, 0), (1 + BELOW, 0), (2 * THIRD, 0), (0, 2 * THIRD))
    ],
)
SAME_SHIFTS = Proposition(
    "streams.Intersections.same_shifts",
    "D~ W E~ V",
    [*LETTERS, ratio, delta],
    TWO_LISTS,
    IFF(SHIFT(*TWO, ratio, delta), SHIFT(N, u, v, ratio, delta)),
    four_rows,
    [
        {**each, **_numbers(ratio=r, delta=d)}
        for each in EDGES
        for r, d in ((0, HALF), (0, 1), (1, HALF), (1, 1), (2, 0), (HALF, HALF))
    ],
)
