"""The region of two rows is a zonotope, hence convex; the region of a mechanism, a union of them,
need not be.

Derives the form of R(M,x,x') as the set of all choices (P . alpha, Q . (1 - alpha)), and refutes
convexity of R(M). Letters: `plane_letters`. Source: "Composition Theorem for streaming CW-privacy",
Section 1.1, Definition 1 and Figure 1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.papers.streaming_cw.plane.letters import (
    ALL,
    FLOOR,
    LEFT,
    A,
    B,
    C,
    P,
    Q,
    T,
    U,
    V,
    W,
)
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Pmf,
    Point,
    Rows,
    distributions,
    gap,
    generating_points,
    hull,
    in_hull,
    listed,
    two_rows,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = LETTERS


@claim(
    "streaming_cw.def-regions",
    where="Section 1.1 and Definition 1",
    statement="R(epsilon, delta) = {(a, b): a + R b >= 1 - delta, R a + b >= 1 - delta}. R(M,x,x') "
    "is the convex hull of the points (P(S), Q(S')) over all S. R(M) is the union of R(M,x,x') "
    "over neighbours x, x'.",
    kind="definition",
)
def def_regions(check: Check) -> None:
    for where in ("in the plane", "in the unit square"):
        with check.reading(where) as argument:
            argument.definition(
                "regions", f"R(epsilon, delta) is taken {where}; the regions R(M,x,x') are hulls."
            )


@claim(
    "streaming_cw.zonotope-form",
    where="Section 1.1",
    statement="R(M,x,x') = {(P . alpha, Q . beta): 0 <= alpha_y, beta_y <= 1, alpha_y + beta_y = 1 "
    "for all outcomes y}.",
    kind="lemma",
)
def zonotope_form(check: Check) -> None:
    with check.reading("as printed", ALL) as argument:
        prove_zonotope(argument)
    check.near_miss(
        "as printed: alpha + beta = 1 dropped", lambda a: prove_zonotope(a, complementary=False)
    )


def prove_zonotope(argument: Argument, complementary: bool = True) -> None:
    """The generating points are the 0/1 choices of alpha; every other choice mixes two with one
    fractional entry less.
    """
    beta = 1 - T if complementary else W
    inside, outside, choice = sympy.symbols("inside outside alpha", real=True)
    member = And(Eq(choice, 1), Eq(inside, P), Eq(outside, 0))
    other = And(Eq(choice, 0), Eq(inside, 0), Eq(outside, Q))
    argument.induction(
        "a set is a choice",
        "alpha = 1 on S and 0 elsewhere, beta = 1 - alpha: a sums P(y) over S and b sums Q(y) over "
        "S', left and floor sum P(y) alpha and Q(y) beta over all outcomes so far, and they are "
        "equal",
        (And(Eq(A, LEFT), Eq(B, FLOOR)), [Eq(A, 0), Eq(B, 0), Eq(LEFT, 0), Eq(FLOOR, 0)]),
        (
            And(Eq(A + inside, LEFT + P * choice), Eq(B + outside, FLOOR + Q * (1 - choice))),
            [Eq(A, LEFT), Eq(B, FLOOR), Or(member, other)],
        ),
    )
    prove_mixture_is_a_choice(argument)
    argument.inequality(
        "one fractional entry less",
        "An outcome with alpha_y = t in (0, 1): the point is t times the point with alpha_y = 1 "
        "plus 1 - t times the point with alpha_y = 0, all other entries kept.",
        And(Eq(A + P * T, T * (A + P) + (1 - T) * A), Eq(B + Q * beta, T * B + (1 - T) * (B + Q))),
        [P >= 0, Q >= 0, T > 0, T < 1, W >= 0, W <= 1],
    )
    argument.induction(
        "all choices lie in the hull",
        "By induction on the number of fractional entries: a half-plane u a + v b <= c that "
        "contains all generating points contains every choice",
        (U * A + V * B <= C, [U * A + V * B <= C]),
        (
            U * (A + P * T) + V * (B + Q * beta) <= C,
            [
                U * (A + P) + V * B <= C,
                U * A + V * (B + Q) <= C,
                T > 0,
                T < 1,
                P >= 0,
                Q >= 0,
                W >= 0,
                W <= 1,
            ],
        ),
    )


def prove_mixture_is_a_choice(argument: Argument, low: Any = 0) -> None:
    """The right-hand side of the zonotope form is convex: mixing two choices with weight t in
    [low, 1] is a choice.
    """
    first, second = sympy.symbols("alpha_first alpha_second", real=True)
    mixed = T * first + (1 - T) * second
    argument.inequality(
        "a mixture of choices is a choice",
        "t alpha + (1 - t) alpha' has entries in [0, 1] with complement t beta + (1 - t) beta', "
        "and both coordinates are linear in it: the set of all choices is convex.",
        And(mixed >= 0, mixed <= 1, Eq(1 - mixed, T * (1 - first) + (1 - T) * (1 - second))),
        [first >= 0, first <= 1, second >= 0, second <= 1, low <= T, T <= 1],
    )


@claim(
    "streaming_cw.regions-convex",
    where="Section 1, Figure 1, Assumption 2",
    statement="Differential privacy, CW-privacy and a mechanism M are characterised by convex "
    "regions.",
    kind="remark",
)
def regions_convex(check: Check) -> None:
    name = "each R(M,x,x') is convex"
    with check.reading(name, ALL) as argument:
        prove_mixture_is_a_choice(argument)
        argument.cite(
            "the same set", "These choices make up R(M,x,x').", "streaming_cw.zonotope-form"
        )
    check.near_miss(f"{name}: weights below 0", lambda a: prove_mixture_is_a_choice(a, low=-1))
    with check.reading("R(M) is convex, neighbours in both orders") as argument:
        _refute_convex(argument, ((rows, [rows, rows[::-1]]) for rows in two_rows(2, 2)))
    with check.reading("R(M) is convex, each pair of neighbours in one order") as argument:
        _refute_convex(argument, (((p, q, r), [(p, q), (p, r)]) for p, q, r in _three_rows(2, 3)))


def _three_rows(outcomes: int, denominator: int) -> Iterator[tuple[Pmf, ...]]:
    """Yield the kernels of three databases, fewest outcomes first, then by a common denominator
    of all entries.
    """
    for size in range(1, outcomes + 1):
        for scale in range(1, denominator + 1):
            yield from product(distributions(size, scale), repeat=3)


def _refute_convex(argument: Argument, family: Iterator[tuple[Any, list[Rows]]]) -> None:
    found = argument.exhaust(
        "smallest failure",
        "Kernels, fewest outcomes and smallest denominators first, and their pairs of rows; every "
        "segment between vertices of the regions is clipped exactly.",
        family,
        lambda instance: _outside(instance[1]) is None,
    )
    witness = None if found is None else _outside(found[1])
    if found is None or witness is None:
        return
    start, end, between = witness

    def violated() -> bool:
        sets = [generating_points(*rows) for rows in found[1]]
        ends = all(any(point in points for points in sets) for point in (start, end))
        t = (between[0] - start[0]) / (end[0] - start[0]) if end[0] != start[0] else Fraction(1, 2)
        on_segment = 0 <= t <= 1 and between == tuple(s + t * (e - s) for s, e in zip(start, end))
        return ends and on_segment and not any(in_hull(between, points) for points in sets)

    argument.counterexample(
        "a segment leaves the union",
        f"With the rows shown, ({listed(start)}) and ({listed(end)}) are generating points of "
        f"R(M), and the point ({listed(between)}) between them lies in none of the regions "
        f"R(M,x,x').",
        {"rows": found[0], "pairs": found[1], "ends": (start, end), "between": between},
        violated,
    )


def _outside(pairs: list[Rows]) -> tuple[Point, Point, Point] | None:
    """Return two vertices and a point between them outside the union of the regions of these
    pairs of rows.
    """
    regions = [hull(generating_points(*rows)) for rows in pairs]
    corners = [corner for region_ in regions for corner in region_]
    for start in corners:
        for end in corners:
            t = gap(regions, start, end)
            if t is not None:
                return (
                    start,
                    end,
                    (start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])),
                )
    return None
