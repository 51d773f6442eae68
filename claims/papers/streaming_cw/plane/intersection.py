"""The region of two rows as an intersection of half-planes, one pair of parallel lines for every
likelihood ratio.

f(R) = sum over y of min(P(y), R Q(y)) = 1 - H_R(P||Q), with H the hockey stick, is the lower
boundary of R(M,x,x') in direction (1, R). Derives that these lines, their reflections and the unit
square describe the region; refutes that the printed regions R(epsilon_i, delta_i) do. Letters:
`letters.py`. Source: "Composition Theorem for streaming CW-privacy", Section 1.1, after Figure
1.
"""

from collections.abc import Callable
from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw.plane import said
from pufferproof.claims.papers.streaming_cw.plane.in_numbers import parted
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Point,
    Rows,
    Slopes,
    allowed,
    as_evidence,
    generating_points,
    in_hull,
    level,
    listed,
    slopes,
    two_rows,
)
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import LARGER_SHIFT
from pufferproof.claims.registry import Check, claim

NOTATION = LETTERS
OWN, OTHER = "the shift in the order (x, x')", "the shift at 1/R in the other order"


@claim(
    "streaming_cw.region-is-intersection",
    where="after Figure 1",
    statement="In general R(M,x,x') is the intersection of the regions R(epsilon_i, delta_i) of "
    "the recipe of slopes.",
    kind="lemma",
    repair="streaming_cw.region-is-intersection-repaired",
    says={
        "the region lies in the intersection, delta_i the larger shift of both orders": (
            LARGER_SHIFT
        )
    },
)
def region_is_intersection(check: Check) -> None:
    """Generating points: The shifts of both orders are at most delta_i: both inequalities hold at
    every point (P(S), Q(S')) = (p, q_rest). Half-planes: A half-plane contains a region iff it
    contains the generating points (P(S), Q(S')), which belong to it [streaming_cw.x-mixtures].
    """
    with check.reading("the region lies in the intersection, slopes in the order (x, x')") as proof:
        _refute_region_inside(proof, lambda rows: slopes(*rows))
    with check.reading(
        "the region lies in the intersection, slopes of both orders joined"
    ) as proof:
        _refute_region_inside(proof, lambda rows: slopes(*rows) | slopes(*rows[::-1]))
    for where, corner in (("in the plane", Fraction(2)), ("inside the unit square", Fraction(1))):
        with check.reading(f"equality {where}, slopes in the order (x, x')") as proof:
            refute_no_larger(proof, (corner, corner))
    with check.reading("the intersection inside the unit square lies in the region") as proof:
        refute_no_larger(proof, (Fraction(1), Fraction(1)))
    for where, corner in (("the plane", Fraction(2)), ("the unit square", Fraction(0))):
        with check.reading(f"rows without a slope, whose empty intersection is {where}") as proof:
            _refute_empty(proof, (corner, corner))
    name = "the region lies in the intersection, delta_i the larger shift of both orders"
    check.tried(name)


def refute_no_larger(proof: Proof, corner: Point, where: str = "") -> None:
    """No R(epsilon, delta) bounds from above, while a region does; `where` says in words whose
    rows P and Q are.
    """
    shown = f"({corner[0]}, {corner[1]})"

    def equal_at(rows: Rows) -> bool:
        inside = all(allowed(corner, *pair) for pair in slopes(*rows))
        return inside == in_hull(corner, generating_points(*rows))

    found = proof.exhaust(
        "smallest failure",
        f"Two rows; does {shown} tell the two sets apart?",
        two_rows(1, 1),
        equal_at,
    )
    if found is not None:
        proof.counterexample(
            "a point too many",
            f"{where}For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the point {shown} "
            f"lies in every "
            "R(epsilon_i, delta_i) of the recipe, but not in R(M,x,x'): these regions have no "
            "upper boundary.",
            as_evidence(found, slopes_and_shifts=tuple(sorted(slopes(*found))), point=corner),
            lambda: not equal_at(found) and bool(slopes(*found)),
            f"{parted(corner, found)} and "
            + " and ".join(
                f"item(point, {i}) + {ratio}*item(point, {1 - i}) >= 1 - {shift}"
                for ratio, shift in sorted(slopes(*found))
                for i in (0, 1)
            ),
        )


def _refute_empty(proof: Proof, point: Point) -> None:
    """Without a slope nothing is intersected, and a region is never everything that this allows."""
    shown = f"({point[0]}, {point[1]})"

    def holds(rows: Rows) -> bool:
        return bool(slopes(*rows)) or in_hull(point, generating_points(*rows))

    found = proof.exhaust(
        "smallest failure",
        f"Two rows, fewest outcomes and smallest denominators first: is {shown} in each region "
        f"without a slope?",
        two_rows(3, 2),
        holds,
    )
    if found is not None:
        proof.counterexample(
            "no slope, and not everything",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) no outcome has a finite "
            f"slope R >= 1, so that the intersection of no regions has the point {shown}, which "
            f"R(M,x,x') does not have.",
            as_evidence(found, slopes_and_shifts=tuple(sorted(slopes(*found))), point=point),
            lambda: not slopes(*found) and not in_hull(point, generating_points(*found)),
            parted(point, found),
        )


def _refute_region_inside(proof: Proof, recipe: Callable[[Rows], Slopes]) -> None:
    def bad(rows: Rows) -> tuple[Point, tuple[Fraction, Fraction]] | None:
        points = generating_points(*rows)
        pairs = sorted(recipe(rows))
        return next(
            ((point, pair) for pair in pairs for point in points if not allowed(point, *pair)), None
        )

    found = proof.exhaust(
        "smallest failure",
        "Two rows, fewest outcomes and smallest denominators first.",
        two_rows(2, 2),
        lambda rows: bad(rows) is None,
    )
    witness = None if found is None else bad(found)
    if found is not None and witness is not None:
        proof.counterexample(
            "a point cut off",
            f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the recipe has R_i = "
            f"{witness[1][0]} with delta_i = {witness[1][1]}, and the generating point "
            f"({listed(witness[0])}) of R(M,x,x') violates R_i a + b >= 1 - delta_i.",
            as_evidence(
                found,
                point=witness[0],
                R=witness[1][0],
                delta=witness[1][1],
                epsilon=level(witness[1][0]),
            ),
            lambda: bad(found) is not None,
        )


@claim(
    "streaming_cw.region-is-intersection-repaired",
    where="after Figure 1, repaired",
    kind="lemma",
    says={"as repaired": said.INTERSECTION},
)
def region_is_intersection_repaired(check: Check) -> None:
    """The lines are those of the recipe run in both orders, each used in its own order only, and
    their point reflections in (1/2, 1/2). A choice lies between them outcome by outcome. Between
    them, a point lies above the choice at the threshold: alpha is 1 where P(y)/Q(y) is below a
    ratio R, 0 where it is above, and a number from 0 to 1 where it is R. By reflection the point
    lies below another choice, and so it is a mixture of both.
    """
    check.stated("as repaired")


@claim(
    "streaming_cw.x-recipe-lines",
    where="beside Section 1.1",
    kind="lemma",
    says={OWN: said.OWN_LINE, OTHER: said.OTHER_LINE},
)
def recipe_lines(check: Check) -> None:
    """F is one minus a shift: P(y) - min(P(y), R Q(y)) = max(0, P(y) - R Q(y)): f(R) = 1 -
    H_R(P||Q), and a + R b >= 1 - delta_i is its line. A ratio below 1 is a ratio above 1 of the
    other order: Divided by R the sum of minima is that of min(R' P(y), Q(y)), R' = 1/R: the line
    reads R' a + b >= 1 - H_R'(Q||P).
    """
    check.stated(OWN)
    check.stated(OTHER)
