"""Questions beside the paper: the fewest half-planes that describe a region, and the curve of the
least delta.

Derives the minimal description of R(M,x,x') and that R -> H_R is piecewise affine; refutes the
latter for both orders together. Letters: `plane_letters`. Beside "Composition Theorem for streaming
CW-privacy", Section 1.1.
"""

from fractions import Fraction
from itertools import pairwise

import sympy
from sympy import And, Eq, Implies, Max, Min, Or

from pufferproof.claims.papers.streaming_cw.plane.letters import (
    ALL,
    FLOOR,
    LEFT,
    TOTAL,
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
    Rows,
    as_evidence,
    hockey_stick,
    listed,
    two_rows,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    **LETTERS,
    "K": "the number of different likelihood ratios",
    "p": "P(y) for one outcome y of a likelihood ratio",
    "q": "Q(y) for the same outcome",
    "g": "the least q a + p b on the region: the sum over all outcomes z of min(q P(z), p Q(z))",
    "z": "an outcome",
}


@claim(
    "streaming_cw.x-minimal-description",
    where="beside Section 1.1",
    statement="Let K be the number of different likelihood ratios P(y)/Q(y) in [0, infinity] of "
    "outcomes with P(y) + Q(y) > 0. If K >= 2, R(M,x,x') is the intersection of K strips g <= "
    "q a + p b <= p + q - g, one for each ratio, with (p, q) = (P(y), Q(y)) for one of its "
    "outcomes y and g the sum over all outcomes z of min(q P(z), p Q(z)); and no intersection "
    "of fewer than 2 K closed half-planes is R(M,x,x'). If K = 1 the region is the segment a + "
    "b = 1, 0 <= a <= 1.",
    kind="lemma",
)
def minimal_description(check: Check) -> None:
    name = "the strips suffice"
    with check.reading(name, ALL) as argument:
        prove_strips_suffice(argument)
    check.near_miss(
        f"{name}: one likelihood ratio", lambda a: prove_strips_suffice(a, several=False)
    )
    name = "no half-plane can be left out"
    with check.reading(name, ALL) as argument:
        prove_strips_needed(argument)
    check.near_miss(
        f"{name}: ratios need not differ", lambda a: prove_strips_needed(a, different=False)
    )
    name = "one likelihood ratio: a segment"
    with check.reading(name, ALL) as argument:
        prove_segment(argument)
    check.near_miss(f"{name}: two likelihood ratios", lambda a: prove_segment(a, equal=False))


def prove_strips_suffice(argument: Argument, several: bool = True) -> None:
    """The strip of a ratio R in (0, infinity) is the printed one over Q(y); those of 0 and
    infinity are sides of the square.
    """
    argument.cite(
        "lines and square",
        "The square and the lines describe it.",
        "streaming_cw.region-is-intersection-repaired",
    )
    first, last = sympy.symbols("R_first R_last", real=True)
    argument.induction(
        "at the smallest ratio f(R) = R",
        "min(P(y), R Q(y)) = R Q(y) if P(y) >= R Q(y) throughout",
        (Eq(FLOOR, R * B), [Eq(FLOOR, 0), Eq(B, 0)]),
        (Eq(FLOOR + Min(P, R * Q), R * (B + Q)), [Eq(FLOOR, R * B), P >= R * Q, Q >= 0, R > 0]),
    )
    argument.induction(
        "at the largest ratio f(R) = 1",
        "min(P(y), R Q(y)) = P(y) if P(y) <= R Q(y) throughout",
        (Eq(FLOOR, A), [Eq(FLOOR, 0), Eq(A, 0)]),
        (Eq(FLOOR + Min(P, R * Q), A + P), [Eq(FLOOR, A), P <= R * Q, P >= 0, R > 0]),
    )
    square = And(A >= 0, A <= 1, B >= 0, B <= 1)
    low = [A + first * B >= first, A + first * B <= 1, first > 0]
    high = [A + last * B >= 1, A + last * B <= last, last > 0]
    apart = [first < last] if several else [Eq(first, last)]
    argument.inequality(
        "square, all ratios positive and finite",
        "Two strips imply it.",
        square,
        [*low, *high, *apart],
    )
    argument.inequality(
        "square, a ratio 0", "Its strip is 0 <= a <= 1.", square, [*high, A >= 0, A <= 1]
    )
    argument.inequality(
        "square, an infinite ratio", "Its strip is 0 <= b <= 1.", square, [*low, B >= 0, B <= 1]
    )


def prove_strips_needed(argument: Argument, different: bool = True) -> None:
    """The middle of the edge of one ratio, (p, q), obeys all other half-planes strictly, so that
    each edge needs its own.

    The middle has the outcomes of smaller ratio in S, those of larger ratio outside, and the
    ratio's own outcomes half in S. (u, v) = (q', p') belongs to another ratio; (a, b) = (P(z),
    Q(z)) to any further outcome z, in S (u a) or outside (v b).
    """
    high = sympy.Symbol("ceiling", real=True)
    half = (U * P + V * Q) / 2
    least, most = Min(U * A, V * B), Max(U * A, V * B)
    signs = [U >= 0, V >= 0, P >= 0, Q >= 0]
    argument.induction(
        "slack at the middle of an edge",
        "The half-covered outcomes leave |u p - v q|/2 > 0 on both sides, further outcomes leave "
        "at least 0",
        (
            And(half - Min(U * P, V * Q) > 0, Max(U * P, V * Q) - half > 0),
            [*signs, *([sympy.Ne(U * P, V * Q)] if different else [])],
        ),
        (
            And(
                least < LEFT + U * A, least < LEFT + V * B, high + most > U * A, high + most > V * B
            ),
            [LEFT > 0, high > 0, *signs, A >= 0, B >= 0],
        ),
    )
    argument.inequality(
        "slack on the far side of its own strip",
        "An outcome of smaller ratio is in S, one of larger ratio outside: each leaves |q P(z) - p "
        "Q(z)| > 0 above.",
        And(
            Implies(Q * A < P * B, Max(Q * A, P * B) - Q * A > 0),
            Implies(Q * A > P * B, Max(Q * A, P * B) - P * B > 0),
        ),
        [P >= 0, Q >= 0, A >= 0, B >= 0],
    )
    step, slack, height = sympy.symbols("step slack g", real=True)
    argument.inequality(
        "a point cut off by one half-plane only",
        "A small step outwards from the middle: it violates q a + p b >= g and obeys every other "
        "half-plane.",
        And(
            Q * (A - step * Q) + P * (B - step * P) < height,
            U * (A - step * Q) + V * (B - step * P) > C,
            U * (A - step * Q) + V * (B - step * P) <= U * A + V * B,
        ),
        [
            *signs,
            P + Q > 0,
            step > 0,
            Eq(Q * A + P * B, height),
            Eq(U * A + V * B, C + slack),
            step * (U * Q + V * P) < slack,
        ],
    )
    one, two = sympy.symbols("end_first end_last", real=True)
    argument.inequality(
        "one half-plane per edge",
        "Points outside, nearer and nearer to the middle, are excluded by finitely many "
        "half-planes, so one has the middle on its line; it contains both ends of the edge, so its "
        "line is that of the edge. The upper edges are reflections.",
        And(Eq(one, C), Eq(two, C)),
        [one >= C, two >= C, Eq((one + two) / 2, C)],
    )


def prove_segment(argument: Argument, equal: bool = True) -> None:
    """P = Q: the points (P(S), 1 - P(S)) lie on a + b = 1, and alpha = t gives (t, 1 - t)."""
    same = [Eq(P, Q)] if equal else []
    argument.induction(
        "on the diagonal",
        "left sums P(y) over S, total sums P(y) over all outcomes so far, b sums Q(y) over S': "
        "left + b = total, whether y is in S or in S'; over all outcomes total = 1",
        (Eq(LEFT + B, TOTAL), [Eq(LEFT, 0), Eq(B, 0), Eq(TOTAL, 0)]),
        (
            And(Eq((LEFT + P) + B, TOTAL + P), Eq(LEFT + (B + Q), TOTAL + P)),
            [Eq(LEFT + B, TOTAL), P >= 0, Q >= 0, *same],
        ),
    )
    argument.induction(
        "all of it",
        "The constant choice alpha = c gives the point (a, b), the sums of c P(y) and (1 - c) "
        "Q(y): with total = 1 it is (c, 1 - c)",
        (And(Eq(A, C * TOTAL), Eq(B, (1 - C) * TOTAL)), [Eq(A, 0), Eq(B, 0), Eq(TOTAL, 0)]),
        (
            And(Eq(A + C * P, C * (TOTAL + P)), Eq(B + (1 - C) * Q, (1 - C) * (TOTAL + P))),
            [Eq(A, C * TOTAL), Eq(B, (1 - C) * TOTAL), *same],
        ),
    )


@claim(
    "streaming_cw.x-curve-data",
    where="beside Section 1.1",
    statement="The curve R -> H_R(P||Q), R >= 1, is determined by its values at R = 1 and at the "
    "finite likelihood ratios P(y)/Q(y) above 1: it is affine between neighbours among them "
    "and constant after the last. The recipe leaves out R = 1 unless P(y) = Q(y) > 0 for some "
    "y.",
    kind="lemma",
)
def curve_data(check: Check) -> None:
    with check.reading("one order", ALL) as argument:
        prove_curve_is_piecewise_affine(argument)
    check.near_miss(
        "one order: a ratio in between",
        lambda a: prove_curve_is_piecewise_affine(a, neighbours=False),
    )


def prove_curve_is_piecewise_affine(argument: Argument, neighbours: bool = True) -> None:
    """(R2 - R1) H_R = (R2 - R) H_R1 + (R - R1) H_R2 for R1 <= R <= R2 with no ratio strictly in
    between.
    """
    first, last = sympy.symbols("R_first R_last", real=True)
    at_first, at_last = sympy.symbols("H_first H_last", real=True)
    part, part_first, part_last = sympy.symbols("part part_first part_last", real=True)
    order = [first >= 1, first <= R, last >= R, P >= 0, Q >= 0]
    parts = {part: R, part_first: first, part_last: last}
    positive = [
        Or(And(P >= ratio * Q, Eq(each, P - ratio * Q)), And(P < ratio * Q, Eq(each, 0)))
        for each, ratio in parts.items()
    ]
    affine = Eq((last - first) * part, (last - R) * part_first + (R - first) * part_last)
    argument.inequality(
        "one outcome",
        "Every positive part max(0, P(y) - R Q(y)) is affine where P(y)/Q(y) is not inside the "
        "interval",
        affine,
        [*positive, *order, *([Or(first * Q >= P, last * Q <= P)] if neighbours else [])],
    )
    argument.induction(
        "affine between neighbours",
        "The sums of the positive parts of all outcomes so far",
        (
            Eq((last - first) * TOTAL, (last - R) * at_first + (R - first) * at_last),
            [Eq(TOTAL, 0), Eq(at_first, 0), Eq(at_last, 0)],
        ),
        (
            Eq(
                (last - first) * (TOTAL + part),
                (last - R) * (at_first + part_first) + (R - first) * (at_last + part_last),
            ),
            [Eq((last - first) * TOTAL, (last - R) * at_first + (R - first) * at_last), affine],
        ),
    )
    argument.induction(
        "constant after the last",
        "P(y) <= R1 Q(y) wherever Q(y) > 0: no positive part changes",
        (Eq(TOTAL, at_first), [Eq(TOTAL, 0), Eq(at_first, 0)]),
        (
            Eq(TOTAL + Max(0, P - R * Q), at_first + Max(0, P - first * Q)),
            [Eq(TOTAL, at_first), *order[:2], *order[3:], Implies(Q > 0, first * Q >= P)],
        ),
    )


@claim(
    "streaming_cw.x-mechanism-curve",
    where="beside Section 1.1",
    statement="The least delta of M for two neighbouring databases, the larger of H_R(P||Q) and "
    "H_R(Q||P), is affine in R between neighbours among R = 1 and the finite likelihood ratios "
    "P(y)/Q(y) and Q(y)/P(y) above 1.",
    kind="lemma",
)
def mechanism_curve(check: Check) -> None:
    with check.reading("as stated") as argument:
        found = argument.exhaust(
            "smallest failure",
            "Two rows, fewest outcomes and smallest denominators first; the middle of each "
            "interval of R.",
            two_rows(3, 5),
            lambda rows: _bend(rows) is None,
        )
        bend = None if found is None else _bend(found)
        if found is not None and bend is not None:
            deltas = tuple(_larger_shift(found, ratio) for ratio in bend)
            argument.counterexample(
                "the orders change places",
                f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) no likelihood ratio "
                f"lies between R = {bend[0]} and R = {bend[2]}, but the least delta at "
                f"{listed(bend)} is {listed(deltas)}, which is not affine: at "
                "first one order needs the larger delta, then the other.",
                as_evidence(found, R=bend, delta=deltas),
                lambda: _is_bent(found, bend),
            )


def _larger_shift(rows: Rows, ratio: Fraction) -> Fraction:
    return max(hockey_stick(*rows, ratio), hockey_stick(*rows[::-1], ratio))


def _bend(rows: Rows) -> tuple[Fraction, ...] | None:
    """Return two neighbouring values of R and their middle where the larger shift is not the
    average, if there are any.
    """
    pairs = list(zip(*rows)) + list(zip(*rows[::-1]))
    data = sorted(
        {Fraction(1)} | {above / below for above, below in pairs if below > 0 and above > below}
    )
    triples = ((low, (low + high) / 2, high) for low, high in pairwise(data))
    return next((triple for triple in triples if _is_bent(rows, triple)), None)


def _is_bent(rows: Rows, ratios: tuple[Fraction, ...]) -> bool:
    first, middle, last = (_larger_shift(rows, ratio) for ratio in ratios)
    return 2 * middle != first + last
