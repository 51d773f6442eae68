"""Questions beside the paper: the fewest half-planes that describe a region, and the curve of the
least delta.

Derives the minimal description of R(M,x,x') and that R -> H_R is piecewise affine; refutes the
latter for both orders together. Beside "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Any

from sympy import And, Eq, Implies, Max, Min, Ne, Or

from pufferproof.claims.language import (
    ALL_SIZES,
    Edit,
    Proof,
    above,
    at_least,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
from pufferproof.claims.papers.streaming_cw.plane.letters import R, a, b
from pufferproof.claims.papers.streaming_cw.plane.planar import (
    Rows,
    as_evidence,
    hockey_stick,
    listed,
    two_rows,
)
from pufferproof.claims.papers.streaming_cw.plane.statements.recipe import CURVE
from pufferproof.claims.papers.streaming_cw.plane.statements.shape import (
    SEGMENT,
    STRIPS,
    STRIPS_NEEDED,
)
from pufferproof.claims.registry import Check, claim

NOTATION = {
    **LETTERS,
    "K": "the number of different likelihood ratios",
    "p": "P(y) for one outcome y of a likelihood ratio",
    "q": "Q(y) for the same outcome",
    "g": "the least q a + p b on the region: the sum over all outcomes z of min(q P(z), p Q(z))",
    "z": "an outcome",
}
p = letter("p", NOTATION["p"], at_least(0))
q = letter("q", NOTATION["q"], at_least(0))
u = letter("u", "Q(y) for an outcome y of another likelihood ratio", at_least(0))
v = letter("v", "P(y) for the same outcome", at_least(0))
g = letter("g", NOTATION["g"])
c = letter("c", "the right side of another half-plane, or all alpha_y where they are equal")
left = letter("left", "over the first outcomes the slack below, or P(S)")
ceiling = letter("ceiling", "the slack above over the first outcomes")
floor = letter("floor", "the sum of min(P(y), R Q(y)) over the first outcomes")
total = letter("total", "the sum of P(y), or of max(0, P(y) - R Q(y)), over the first outcomes")
step = letter("step", "how far a point is moved outwards", above(0))
slack = letter("slack", "u a + v b - c at the middle of the edge")
end_first, end_last = letters("end_first end_last", "u a + v b at the two ends of the edge")
R_first, R_last = letters("R_first R_last", "two likelihood ratios, the smaller one first")
H_first, H_last = letters("H_first H_last", "H_R_first and H_R_last over the first outcomes")
part = letter("part", "max(0, P(y) - R Q(y)) at the next outcome")
part_first, part_last = letters("part_first part_last", "the same at R_first and at R_last")


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
    says={
        "the strips suffice": STRIPS,
        "no half-plane can be left out": STRIPS_NEEDED,
        "one likelihood ratio: a segment": SEGMENT,
    },
)
def minimal_description(check: Check) -> None:
    """Prove that the strips suffice and are needed, and that equal rows give a segment."""
    proved(check, "the strips suffice", ALL_SIZES, prove_strips_suffice, one_likelihood_ratio=EQUAL)
    proved(
        check,
        "no half-plane can be left out",
        ALL_SIZES,
        prove_strips_needed,
        ratios_need_not_differ=Edit(f"{SLACK}: base", without=Ne(u * p, v * q)),
    )
    proved(
        check,
        "one likelihood ratio: a segment",
        ALL_SIZES,
        prove_segment,
        two_likelihood_ratios=[
            Edit(f"{each}: step", without=Eq(p, q)) for each in ("on the diagonal", "all of it")
        ],
    )


SLACK = "slack at the middle of an edge"
EQUAL = Edit(
    "square, all ratios positive and finite",
    without=R_first < R_last,
    given=Eq(R_first, R_last),
)


def prove_strips_suffice(proof: Proof) -> None:
    """The strip of a ratio R in (0, infinity) is the printed one over Q(y); those of 0 and
    infinity are sides of the square.
    """
    proof.cite(
        "lines and square",
        "The square and the lines describe it.",
        "streaming_cw.region-is-intersection-repaired",
    )
    proof.induction(
        "at the smallest ratio f(R) = R",
        "min(P(y), R Q(y)) = R Q(y) if P(y) >= R Q(y) throughout",
        base=(Eq(floor, R * b), [Eq(floor, 0), Eq(b, 0)]),
        step=(
            Eq(floor + Min(p, R * q), R * (b + q)),
            [Eq(floor, R * b), p >= R * q, R > 0],
        ),
        for_any=[p],
    )
    proof.induction(
        "at the largest ratio f(R) = 1",
        "min(P(y), R Q(y)) = P(y) if P(y) <= R Q(y) throughout",
        base=(Eq(floor, a), [Eq(floor, 0), Eq(a, 0)]),
        step=(Eq(floor + Min(p, R * q), a + p), [Eq(floor, a), p <= R * q, R > 0]),
        for_any=[q],
    )
    _strips_imply_the_square(proof)


def _strips_imply_the_square(proof: Proof) -> None:
    square = And(a >= 0, a <= 1, b >= 0, b <= 1)
    low = [a + R_first * b >= R_first, a + R_first * b <= 1, R_first > 0]
    high = [a + R_last * b >= 1, a + R_last * b <= R_last, R_last > 0]
    proof.inequality(
        "square, all ratios positive and finite",
        "Two strips imply it.",
        square,
        [*low, *high, R_first < R_last],
    )
    proof.inequality(
        "square, a ratio 0", "Its strip is 0 <= a <= 1.", square, [*high, a >= 0, a <= 1]
    )
    proof.inequality(
        "square, an infinite ratio", "Its strip is 0 <= b <= 1.", square, [*low, b >= 0, b <= 1]
    )


def prove_strips_needed(proof: Proof) -> None:
    """The middle of the edge of one ratio, (p, q), obeys all other half-planes strictly, so that
    each edge needs its own.

    The middle has the outcomes of smaller ratio in S, those of larger ratio outside, and the
    ratio's own outcomes half in S. (u, v) = (q', p') belongs to another ratio; (a, b) = (P(z),
    Q(z)) to any further outcome z, in S (u a) or outside (v b).
    """
    _slack_at_the_middle(proof)
    proof.inequality(
        "a point cut off by one half-plane only",
        "A small step outwards from the middle: it violates q a + p b >= g and obeys every other "
        "half-plane.",
        And(
            q * (a - step * q) + p * (b - step * p) < g,
            u * (a - step * q) + v * (b - step * p) > c,
            u * (a - step * q) + v * (b - step * p) <= u * a + v * b,
        ),
        [
            p + q > 0,
            Eq(q * a + p * b, g),
            Eq(u * a + v * b, c + slack),
            step * (u * q + v * p) < slack,
        ],
    )
    proof.inequality(
        "one half-plane per edge",
        "Points outside, nearer and nearer to the middle, are excluded by finitely many "
        "half-planes, so one has the middle on its line; it contains both ends of the edge, so its "
        "line is that of the edge. The upper edges are reflections.",
        And(Eq(end_first, c), Eq(end_last, c)),
        [end_first >= c, end_last >= c, Eq((end_first + end_last) / 2, c)],
    )


def _slack_at_the_middle(proof: Proof) -> None:
    half = (u * p + v * q) / 2
    least, most = Min(u * a, v * b), Max(u * a, v * b)
    proof.induction(
        SLACK,
        "The half-covered outcomes leave |u p - v q|/2 > 0 on both sides, further outcomes leave "
        "at least 0",
        base=(
            And(half - Min(u * p, v * q) > 0, Max(u * p, v * q) - half > 0),
            [Ne(u * p, v * q)],
        ),
        step=(
            And(
                least < left + u * a,
                least < left + v * b,
                ceiling + most > u * a,
                ceiling + most > v * b,
            ),
            [left > 0, ceiling > 0, p >= 0, q >= 0, a >= 0, b >= 0],
        ),
    )
    proof.inequality(
        "slack on the far side of its own strip",
        "An outcome of smaller ratio is in S, one of larger ratio outside: each leaves |q P(z) - p "
        "Q(z)| > 0 above.",
        And(
            Implies(q * a < p * b, Max(q * a, p * b) - q * a > 0),
            Implies(q * a > p * b, Max(q * a, p * b) - p * b > 0),
        ),
        [a >= 0, b >= 0],
    )


def prove_segment(proof: Proof) -> None:
    """P = Q: the points (P(S), 1 - P(S)) lie on a + b = 1, and alpha = t gives (t, 1 - t)."""
    proof.induction(
        "on the diagonal",
        "left sums P(y) over S, total sums P(y) over all outcomes so far, b sums Q(y) over S': "
        "left + b = total, whether y is in S or in S'; over all outcomes total = 1",
        base=(Eq(left + b, total), [Eq(left, 0), Eq(b, 0), Eq(total, 0)]),
        step=(
            And(Eq((left + p) + b, total + p), Eq(left + (b + q), total + p)),
            [Eq(left + b, total), Eq(p, q)],
        ),
    )
    proof.induction(
        "all of it",
        "The constant choice alpha = c gives the point (a, b), the sums of c P(y) and (1 - c) "
        "Q(y): with total = 1 it is (c, 1 - c)",
        base=(
            And(Eq(a, c * total), Eq(b, (1 - c) * total)),
            [Eq(a, 0), Eq(b, 0), Eq(total, 0)],
        ),
        step=(
            And(Eq(a + c * p, c * (total + p)), Eq(b + (1 - c) * q, (1 - c) * (total + p))),
            [Eq(a, c * total), Eq(b, (1 - c) * total), Eq(p, q)],
        ),
        for_any=[p, q],
    )


@claim(
    "streaming_cw.x-curve-data",
    where="beside Section 1.1",
    statement="The curve R -> H_R(P||Q), R >= 1, is determined by its values at R = 1 and at the "
    "finite likelihood ratios P(y)/Q(y) above 1: it is affine between neighbours among them "
    "and constant after the last. The recipe leaves out R = 1 unless P(y) = Q(y) > 0 for some "
    "y.",
    kind="lemma",
    says=CURVE,
)
def curve_data(check: Check) -> None:
    """Prove that the curve of one order is affine between neighbouring ratios, and constant after
    the last.
    """
    proved(
        check,
        "one order",
        ALL_SIZES,
        prove_curve_is_piecewise_affine,
        a_ratio_in_between=Edit("one outcome", without=NOT_INSIDE),
    )


NOT_INSIDE = Or(R_first * q >= p, R_last * q <= p)


def prove_curve_is_piecewise_affine(proof: Proof) -> None:
    """(R2 - R1) H_R = (R2 - R) H_R1 + (R - R1) H_R2 for R1 <= R <= R2 with no ratio strictly in
    between.
    """
    parts = {part: R, part_first: R_first, part_last: R_last}
    proof.inequality(
        "one outcome",
        "Every positive part max(0, P(y) - R Q(y)) is affine where P(y)/Q(y) is not inside the "
        "interval",
        _affine(part, part_first, part_last),
        [
            *(_positive_part(each, ratio) for each, ratio in parts.items()),
            R_first >= 1,
            R_first <= R,
            R_last >= R,
            NOT_INSIDE,
        ],
    )
    so_far = _affine(total, H_first, H_last)
    proof.induction(
        "affine between neighbours",
        "The sums of the positive parts of all outcomes so far",
        base=(so_far, [Eq(total, 0), Eq(H_first, 0), Eq(H_last, 0)]),
        step=(
            _affine(total + part, H_first + part_first, H_last + part_last),
            [so_far, _affine(part, part_first, part_last)],
        ),
    )
    _constant_after_the_last(proof)


def _affine(at: object, at_first: object, at_last: object) -> Any:
    """Return the formula that a value at R is on the chord of those at R_first and at R_last."""
    return Eq((R_last - R_first) * at, (R_last - R) * at_first + (R - R_first) * at_last)


def _positive_part(each: object, ratio: object) -> Any:
    """Return the formula that a letter is max(0, p - ratio q)."""
    return Or(And(p >= ratio * q, Eq(each, p - ratio * q)), And(p < ratio * q, Eq(each, 0)))


def _constant_after_the_last(proof: Proof) -> None:
    proof.induction(
        "constant after the last",
        "P(y) <= R1 Q(y) wherever Q(y) > 0: no positive part changes",
        base=(Eq(total, H_first), [Eq(total, 0), Eq(H_first, 0)]),
        step=(
            Eq(total + Max(0, p - R * q), H_first + Max(0, p - R_first * q)),
            [Eq(total, H_first), R_first >= 1, R_first <= R, Implies(q > 0, R_first * q >= p)],
        ),
    )


def _bend_in_numbers(rows: Rows, bend: tuple[Fraction, ...]) -> str:
    """Write that the least deltas at three ratios are the larger shifts, and not affine."""
    larger = [
        f"excess({x}, {y}, item(R, {k})) {sign} item(delta, {k})"
        for k, ratio in enumerate(bend)
        for x, y, one in (("P", "Q", rows), ("Q", "P", rows[::-1]))
        for sign in ["=" if hockey_stick(*one, ratio) == _larger_shift(rows, ratio) else "<="]
    ]
    rise, run = (
        [f"(item({name}, {k + 1}) - item({name}, {k}))" for k in (0, 1)] for name in ("delta", "R")
    )
    return " and ".join([*larger, f"{rise[0]} * {run[1]} != {rise[1]} * {run[0]}"])


@claim(
    "streaming_cw.x-mechanism-curve",
    where="beside Section 1.1",
    statement="The least delta of M for two neighbouring databases, the larger of H_R(P||Q) and "
    "H_R(Q||P), is affine in R between neighbours among R = 1 and the finite likelihood ratios "
    "P(y)/Q(y) and Q(y)/P(y) above 1.",
    kind="lemma",
)
def mechanism_curve(check: Check) -> None:
    """Refute it: the curve bends where the two orders change places."""
    with check.reading("as stated") as proof:
        found = proof.exhaust(
            "smallest failure",
            "Two rows, fewest outcomes and smallest denominators first; the middle of each "
            "interval of R.",
            two_rows(3, 5),
            lambda rows: _bend(rows) is None,
        )
        bend = None if found is None else _bend(found)
        if found is not None and bend is not None:
            deltas = tuple(_larger_shift(found, ratio) for ratio in bend)
            proof.counterexample(
                "the orders change places",
                f"For P = ({listed(found[0])}) and Q = ({listed(found[1])}) no likelihood ratio "
                f"lies between R = {bend[0]} and R = {bend[2]}, but the least delta at "
                f"{listed(bend)} is {listed(deltas)}, which is not affine: at "
                "first one order needs the larger delta, then the other.",
                as_evidence(found, R=bend, delta=deltas),
                lambda: _is_bent(found, bend),
                _bend_in_numbers(found, bend),
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
