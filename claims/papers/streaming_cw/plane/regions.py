"""The region of two rows is a zonotope, hence convex; the region of a mechanism, a union of them,
need not be.

Derives the form of R(M,x,x') as the set of all choices (P . alpha, Q . (1 - alpha)), and refutes
convexity of R(M). Letters: `letters.py`. Source: "Composition Theorem for streaming CW-privacy",
Section 1.1, Definition 1 and Figure 1.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import PRINTED, Proof
from pufferproof.claims.papers.streaming_cw.plane import said
from pufferproof.claims.papers.streaming_cw.plane.in_numbers import parted
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
        with check.reading(where) as proof:
            proof.definition(
                "regions", f"R(epsilon, delta) is taken {where}; the regions R(M,x,x') are hulls."
            )


@claim(
    "streaming_cw.zonotope-form",
    where="Section 1.1",
    kind="lemma",
    says={PRINTED: said.ZONOTOPE},
)
def zonotope_form(check: Check) -> None:
    """A set is a choice: alpha = 1 on S and 0 elsewhere, and a mixture of choices is a choice. All
    outcomes with one fractional value t of alpha move to 1 or to 0 together: the choice is t times
    the first plus 1 - t times the second.
    """
    check.stated(PRINTED)


@claim(
    "streaming_cw.regions-convex",
    where="Section 1, Figure 1, Assumption 2",
    statement="Differential privacy, CW-privacy and a mechanism M are characterised by convex "
    "regions.",
    kind="remark",
    says={"each R(M,x,x') is convex": said.CONVEX},
)
def regions_convex(check: Check) -> None:
    """A mixture of choices is a choice: t alpha + (1 - t) alpha' has entries in [0, 1] with
    complement t beta + (1 - t) beta', and both coordinates are linear in it: the set of all choices
    is convex. The same set: These choices make up R(M,x,x') [streaming_cw.zonotope-form].
    """
    name = "each R(M,x,x') is convex"
    check.stated(name)
    with check.reading("R(M) is convex, neighbours in both orders") as proof:
        _refute_convex(proof, ((rows, [rows, rows[::-1]]) for rows in two_rows(2, 2)))
    with check.reading("R(M) is convex, each pair of neighbours in one order") as proof:
        three = ((rows, [(rows[0], other) for other in rows[1:]]) for rows in _three_rows(2, 3))
        _refute_convex(proof, three)


def _three_rows(outcomes: int, denominator: int) -> Iterator[tuple[Pmf, ...]]:
    """Yield the kernels of three databases, fewest outcomes first, then by a common denominator
    of all entries.
    """
    for size in range(1, outcomes + 1):
        for scale in range(1, denominator + 1):
            yield from product(distributions(size, scale), repeat=3)


def _refute_convex(proof: Proof, family: Iterator[tuple[object, list[Rows]]]) -> None:
    found = proof.exhaust(
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
        share = Fraction(1, 2)
        if end[0] != start[0]:
            share = (between[0] - start[0]) / (end[0] - start[0])
        mixed = tuple(here + share * (there - here) for here, there in zip(start, end))
        on_segment = 0 <= share <= 1 and between == mixed
        return ends and on_segment and not any(in_hull(between, points) for points in sets)

    proof.counterexample(
        "a segment leaves the union",
        f"With the rows shown, ({listed(start)}) and ({listed(end)}) are generating points of "
        f"R(M), and the point ({listed(between)}) between them lies in none of the regions "
        f"R(M,x,x').",
        {"rows": found[0], "pairs": found[1], "ends": (start, end), "between": between},
        violated,
        " and ".join(parted(between, rows) for rows in found[1]),
    )


def _outside(pairs: list[Rows]) -> tuple[Point, Point, Point] | None:
    """Return two vertices and a point between them outside the union of the regions of these
    pairs of rows.
    """
    regions = [hull(generating_points(*rows)) for rows in pairs]
    corners = [corner for region_ in regions for corner in region_]
    for start in corners:
        for end in corners:
            share = gap(regions, start, end)
            if share is not None:
                x, y = (here + share * (there - here) for here, there in zip(start, end))
                return start, end, (x, y)
    return None
