"""A line that touches a privacy region from below is a pair (epsilon, delta), and the shift is the
hockey stick H_R(P||Q).

Derives this for lines with positive coefficients; other tangents, the other order of neighbours,
and negative epsilon are refuted. Letters: `plane_letters`. Source: "Composition Theorem for
streaming CW-privacy", Figure 1 and the sentence after it.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy
from sympy import And, Eq, Equivalent, Or

from pufferproof.claims.papers.streaming_cw.plane.inclusion import cite_mixtures
from pufferproof.claims.papers.streaming_cw.plane.letters import (
    ALL,
    DELTA,
    DROPPED,
    LEVEL,
    P_REST,
    Q_REST,
    UNIT,
    A,
    B,
    C,
    P,
    Q,
    R,
    U,
    V,
)
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Point,
    Rows,
    as_evidence,
    differentially_private,
    generating_points,
    hockey_stick,
    level,
    listed,
    two_rows,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    **LETTERS,
    "u": "the first coefficient of a line u a + v b = c",
    "v": "the second coefficient of a line u a + v b = c",
    "c": "the right-hand side of a line u a + v b = c",
}


@claim(
    "streaming_cw.tangent-gives-pair",
    where="Figure 1 and the next sentence",
    statement="Every tangent line of the privacy region corresponds to a pair (epsilon, delta).",
    kind="remark",
    repair="streaming_cw.tangent-gives-pair-repaired",
)
def tangent_gives_pair(check: Check) -> None:
    with check.reading(
        "any supporting line is a boundary line of some R(epsilon, delta)"
    ) as argument:
        _refute_tangents(argument, lambda rows: [(Fraction(1), Fraction(0))], touching=1)
    with check.reading(
        "any line along an edge is a boundary line of some R(epsilon, delta)"
    ) as argument:
        _refute_tangents(
            argument, lambda rows: [(q, p) for p, q in zip(*rows) if p or q], touching=2
        )
    name = "a line from below, u, v > 0, is a boundary line of one R(epsilon, delta)"
    with check.reading(name, ALL) as argument:
        prove_boundary_line(argument)
    check.near_miss(
        f"{name}: u, v in any order of size", lambda a: prove_boundary_line(a, ordered=DROPPED)
    )
    name = "the same line, for one pair of rows, gives P(S) <= R Q(S) + delta in its own order"
    with check.reading(name, ALL) as argument:
        prove_shift_is_hockey_stick(argument)
    check.near_miss(
        f"{name}: the line moved up",
        lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)),
    )
    with check.reading(
        "a line from below touching R(M,x,x') makes M (epsilon, delta)-private"
    ) as argument:
        _refute_tangent_privacy(argument)
    with check.reading("with negative epsilon, a line from below gives just one pair") as argument:
        _refute_unique_pair(argument)


def _refute_tangents(
    argument: Argument, normals: Callable[[Rows], list[Point]], touching: int
) -> None:
    """A supporting line u a + v b = c is a boundary line of some R(epsilon, delta) only if u
    and v have one strict sign.
    """

    def bad(rows: Rows) -> Point | None:
        return next((normal for normal in normals(rows) if normal[0] * normal[1] <= 0), None)

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; the tangents tried are u a + v "
        "b = c.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    normal = None if found is None else bad(found)
    if found is None or normal is None:
        return
    u, v = normal
    points = set(generating_points(*found))
    low = min(u * a + v * b for a, b in points)

    def violated() -> bool:
        tangent = (u != 0 or v != 0) and len(
            [1 for a, b in points if u * a + v * b == low]
        ) >= touching
        # The boundary lines a + R b = 1 - delta and R a + b = 1 - delta, R >= 1, have coefficients
        # of one strict sign.
        return tangent and u * v == 0

    argument.counterexample(
        "an axis-parallel tangent",
        f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the line {u} a + {v} b = {low} "
        f"touches the region and "
        "has a coefficient 0; the boundary lines of every R(epsilon, delta) have coefficients (1, "
        "R) or (R, 1) with R >= 1 finite, never 0.",
        as_evidence(found, u=u, v=v, c=low),
        violated,
    )


def prove_boundary_line(argument: Argument, ordered: list[Any] | None = None) -> None:
    """A supporting line u a + v b = c from below with u, v > 0 is a boundary line of exactly
    one R(epsilon, delta).
    """
    other, moved, k = sympy.symbols("R_other delta_other k", real=True)
    cite_mixtures(argument)
    argument.inequality(
        "the height of the line",
        "c is the least height of a generating point (p, q_rest): 0 <= c, and c <= u, c <= v "
        "because (1, 0) and (0, 1) are generating.",
        U * P + V * Q_REST >= 0,
        [*UNIT, U > 0, V > 0],
    )
    argument.case_split(
        "which coefficient is larger", "v >= u or u >= v.", [V >= U, U >= V], [U > 0, V > 0]
    )
    cases = [("v >= u", U, V, A + R * B), ("u >= v", V, U, R * A + B)]
    for name, small, large, left in cases:
        sizes = [large >= small] if ordered is None else ordered
        argument.inequality(
            f"the pair if {name}",
            "Divided by the smaller coefficient the line reads as printed, with R >= 1 and 0 <= "
            "delta <= 1.",
            And(
                R >= 1,
                DELTA >= 0,
                DELTA <= 1,
                Equivalent(Eq(U * A + V * B, C), Eq(left, 1 - DELTA)),
            ),
            [
                small > 0,
                *sizes,
                large > 0,
                C >= 0,
                small >= C,
                Eq(large, R * small),
                Eq(C, (1 - DELTA) * small),
            ],
        )
    argument.inequality(
        "no second pair",
        "Two printed forms of one line have proportional coefficients, hence the same R and delta.",
        And(Eq(R, other), Eq(DELTA, moved)),
        [
            *([R >= 1, other >= 1] if ordered is None else [R > 0, other > 0]),
            Or(And(Eq(k, 1), Eq(R, k * other)), And(Eq(1, k * other), Eq(R, k))),
            Eq(1 - DELTA, k * (1 - moved)),
        ],
    )


def prove_shift_is_hockey_stick(argument: Argument, moved: Fraction = Fraction(0)) -> None:
    """The line a + R b = 1 - delta touches the region from below iff delta = H_R(P||Q)."""
    cite_mixtures(argument)
    argument.inequality(
        "heights are shifts",
        "The point (P(S), Q(S')) = (p, q_rest) lies on or above a + R b = 1 - delta iff P(S') <= R "
        "Q(S') + delta: the line lies below the region iff delta >= H_R(P||Q), and touches it iff "
        "delta = H_R(P||Q).",
        Equivalent(
            1 - DELTA + sympy.Rational(moved) <= P + R * Q_REST, P_REST <= R * Q_REST + DELTA
        ),
        [*UNIT, *LEVEL],
    )


def _refute_tangent_privacy(argument: Argument) -> None:
    def failing(rows: Rows) -> Fraction | None:
        ratios = [
            Fraction(1),
            *sorted(above / below for above, below in zip(*rows) if below and above > below),
        ]
        return next(
            (r for r in ratios if hockey_stick(*rows, r) < hockey_stick(*rows[::-1], r)), None
        )

    found = argument.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first; R = 1 and all likelihood "
        "ratios above 1.",
        two_rows(2, 2),
        lambda rows: failing(rows) is None,
    )
    ratio = None if found is None else failing(found)
    if found is None or ratio is None:
        return
    shift = hockey_stick(*found, ratio)
    argument.counterexample(
        "the other order fails",
        f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the line a + {ratio} b = "
        f"{1 - shift} touches R(M,x,x') from below, which gives R = {ratio} and delta = {shift}; "
        f"yet Q(S) > {ratio} P(S) + {shift} for some set S, so "
        "that M is not private.",
        as_evidence(found, R=ratio, delta=shift, epsilon=level(ratio)),
        lambda: (
            min(a + ratio * b for a, b in generating_points(*found)) == 1 - shift
            and differentially_private(*found, ratio, shift)
            and not differentially_private(*found[::-1], ratio, shift)
        ),
    )


def _refute_unique_pair(argument: Argument) -> None:
    rows: Rows = ((Fraction(1),), (Fraction(1),))
    ratio = Fraction(2)
    low = min(a + ratio * b for a, b in generating_points(*rows))
    argument.counterexample(
        "two pairs",
        "For P = Q = (1) the line a + 2 b = 1 touches the region, and it is both a + R b = 1 - "
        "delta with R = 2, delta = 0 and R a + b = 1 - delta with R = 1/2, delta = 1/2.",
        as_evidence(rows, first=(ratio, 1 - low), second=(1 / ratio, 1 - low / ratio)),
        lambda: (
            low == 1
            and (1 / ratio, Fraction(1), low / ratio) == tuple(x / ratio for x in (1, ratio, low))
        ),
    )


@claim(
    "streaming_cw.tangent-gives-pair-repaired",
    where="Figure 1, repaired",
    statement="A line u a + v b = c with u, v > 0 that touches R(M,x,x') from below is a boundary "
    "line of R(epsilon, delta) for exactly one pair of epsilon >= 0 and delta in [0, 1]. If v "
    ">= u, then R = v/u and delta = H_R(P||Q), so that P(S) <= R Q(S) + delta for all sets S "
    "of outcomes. If it touches R(M) from below, with neighbours listed in both orders, M is "
    "(epsilon, delta)-differentially private.",
    kind="remark",
)
def tangent_gives_pair_repaired(check: Check) -> None:
    name = "a boundary line of exactly one region"
    with check.reading(name, ALL) as argument:
        prove_boundary_line(argument)
    check.near_miss(
        f"{name}: u, v in any order of size", lambda a: prove_boundary_line(a, ordered=DROPPED)
    )
    with check.reading("one order", ALL) as argument:
        prove_shift_is_hockey_stick(argument)
    check.near_miss(
        "one order: the line moved up",
        lambda a: prove_shift_is_hockey_stick(a, moved=Fraction(1, 100)),
    )
    name = "R(M), both orders: M is private"
    with check.reading(name, ALL) as argument:
        prove_mirror(argument)
    check.near_miss(f"{name}: one order listed", lambda a: prove_mirror(a, both=False))


def prove_mirror(argument: Argument, both: bool = True) -> None:
    """With both orders listed a line below R(M) bounds P(S') by R Q(S') + delta and Q(S) by R
    P(S) + delta, for all S.
    """
    line, mirrored = P + R * Q_REST >= 1 - DELTA, Q_REST + R * P >= 1 - DELTA
    argument.inequality(
        "points of both orders",
        "The point of (x, x') at S is (p, q_rest), that of (x', x) at S' is (q_rest, p), its "
        "mirror image in a = b: both lie on or above a + R b = 1 - delta. So P(S') <= R Q(S') + "
        "delta and Q(S) <= R P(S) + delta; S and S' run through all sets. The line R a + b = 1 - "
        "delta is the mirror image.",
        And(P_REST <= R * Q_REST + DELTA, Q <= R * P + DELTA),
        [*UNIT, *LEVEL, line, *([mirrored] if both else [])],
    )
