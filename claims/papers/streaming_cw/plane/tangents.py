"""A line that touches a privacy region from below is a pair (epsilon, delta), and the shift is the
hockey stick H_R(P||Q).

Derives this for lines with positive coefficients; other tangents, the other order of neighbours,
and negative epsilon are refuted. Source: "Composition Theorem for
streaming CW-privacy", Figure 1 and the sentence after it.
"""

from collections.abc import Callable
from fractions import Fraction

from pufferproof.claims.language import Proof, above, letter
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.linked import BELOW_BOTH_ORDERS
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
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import (
    BOUNDARY_LINE,
    OWN_ORDER,
    TANGENT_SHIFT,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **LETTERS,
    "u": "the first coefficient of a line u a + v b = c",
    "v": "the second coefficient of a line u a + v b = c",
    "c": "the right-hand side of a line u a + v b = c",
}
u = letter("u", NOTATION["u"], above(0))
v = letter("v", NOTATION["v"], above(0))


@claim(
    "streaming_cw.tangent-gives-pair",
    where="Figure 1 and the next sentence",
    statement="Every tangent line of the privacy region corresponds to a pair (epsilon, delta).",
    kind="remark",
    repair="streaming_cw.tangent-gives-pair-repaired",
    says={
        "a line from below, u, v > 0, is a boundary line of one R(epsilon, delta)": BOUNDARY_LINE,
        "the same line, for one pair of rows, gives P(S) <= R Q(S) + delta in its own order": (
            OWN_ORDER
        ),
    },
)
def tangent_gives_pair(check: Check) -> None:
    """Derived for lines from below with positive coefficients; false for other tangents, for both
    orders, and for negative epsilon.

    A line from below, u, v > 0, is a boundary line of one R(epsilon, delta). Half-planes: A
    half-plane contains a region iff it contains the generating points (P(S), Q(S')), which belong
    to it [streaming_cw.x-mixtures]. The height of the line: c is the least height of a generating
    point (p, q_rest): 0 <= c, and c <= u, c <= v because (1, 0) and (0, 1) are generating. Which
    coefficient is larger: v >= u or u >= v. The pair if v >= u: Divided by the smaller coefficient
    the line reads as printed, with R >= 1 and 0 <= delta <= 1. The pair if u >= v: Divided by the
    smaller coefficient the line reads as printed, with R >= 1 and 0 <= delta <= 1. No second pair:
    Two printed forms of one line have proportional coefficients, hence the same R and delta.

    The same line, for one pair of rows, gives P(S) <= R Q(S) + delta in its own order. As in
    streaming_cw.slope-shift-formula.
    """
    name = "a line from below, u, v > 0, is a boundary line of one R(epsilon, delta)"
    check.tried(name)
    name = "the same line, for one pair of rows, gives P(S) <= R Q(S) + delta in its own order"
    check.tried(name)
    with check.reading(
        "a line from below touching R(M,x,x') makes M (epsilon, delta)-private"
    ) as proof:
        _refute_tangent_privacy(proof)
    with check.reading("any supporting line is a boundary line of some R(epsilon, delta)") as proof:
        _refute_tangents(proof, lambda rows: [(Fraction(1), Fraction(0))], touching=1)
    with check.reading(
        "any line along an edge is a boundary line of some R(epsilon, delta)"
    ) as proof:
        _refute_tangents(proof, lambda rows: [(q, p) for p, q in zip(*rows) if p or q], touching=2)
    with check.reading("with negative epsilon, a line from below gives just one pair") as proof:
        _refute_unique_pair(proof)


def _refute_tangents(proof: Proof, normals: Callable[[Rows], list[Point]], touching: int) -> None:
    """A supporting line u a + v b = c is a boundary line of some R(epsilon, delta) only if u
    and v have one strict sign.
    """

    def bad(rows: Rows) -> Point | None:
        return next((normal for normal in normals(rows) if normal[0] * normal[1] <= 0), None)

    found = proof.exhaust(
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

    proof.counterexample(
        "an axis-parallel tangent",
        f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) the line {u} a + {v} b = {low} "
        f"touches the region and "
        "has a coefficient 0; the boundary lines of every R(epsilon, delta) have coefficients (1, "
        "R) or (R, 1) with R >= 1 finite, never 0.",
        as_evidence(found, u=u, v=v, c=low),
        violated,
        "u * v = 0 and " + " and ".join(f"u*({a}) + v*({b}) >= c" for a, b in sorted(points)),
    )


def _refute_tangent_privacy(proof: Proof) -> None:
    def failing(rows: Rows) -> Fraction | None:
        ratios = [
            Fraction(1),
            *sorted(above / below for above, below in zip(*rows) if below and above > below),
        ]
        return next(
            (r for r in ratios if hockey_stick(*rows, r) < hockey_stick(*rows[::-1], r)), None
        )

    found = proof.exhaust(
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
    proof.counterexample(
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


def _refute_unique_pair(proof: Proof) -> None:
    rows: Rows = ((Fraction(1),), (Fraction(1),))
    ratio = Fraction(2)
    low = min(a + ratio * b for a, b in generating_points(*rows))
    proof.counterexample(
        "two pairs",
        "For P = Q = (1) the line a + 2 b = 1 touches the region, and it is both a + R b = 1 - "
        "delta with R = 2, delta = 0 and R a + b = 1 - delta with R = 1/2, delta = 1/2.",
        as_evidence(rows, first=(ratio, 1 - low), second=(1 / ratio, 1 - low / ratio)),
        lambda: (
            low == 1
            and (1 / ratio, Fraction(1), low / ratio) == tuple(x / ratio for x in (1, ratio, low))
        ),
        "item(first, 0) * item(second, 0) = 1 and item(first, 0) != item(second, 0) and "
        "(1 - item(second, 1)) * item(first, 0) = 1 - item(first, 1)",
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
    says={
        "a boundary line of exactly one region": BOUNDARY_LINE,
        "one order": TANGENT_SHIFT,
        "R(M), both orders: M is private": BELOW_BOTH_ORDERS,
    },
)
def tangent_gives_pair_repaired(check: Check) -> None:
    """Prove that a line from below is one pair, and what it bounds in one order and in both.

    A boundary line of exactly one region. As in streaming_cw.tangent-gives-pair.

    One order. As in streaming_cw.slope-shift-formula.

    R(M), both orders: M is private. The point of (x, x') at S is (P(S), Q(S')), that of (x', x) at
    S' its mirror image in a = b; S and S' run through all sets.
    """
