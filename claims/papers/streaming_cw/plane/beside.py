"""Questions beside the paper: the fewest half-planes that describe a region, and the curve of the
least delta.

Derives the minimal description of R(M,x,x') and that R -> H_R is piecewise affine; refutes the
latter for both orders together. Beside "Composition Theorem for streaming CW-privacy", Section 1.1.
"""

from fractions import Fraction
from itertools import pairwise

from pufferproof.claims.papers.streaming_cw.plane.letters import NOTATION as LETTERS
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
    """Prove that the strips suffice and are needed, and that equal rows give a segment.

    The strips suffice. Lines and square: The square and the lines describe it
    [streaming_cw.region-is-intersection-repaired]. At the smallest ratio f(R) = R: min(P(y), R
    Q(y)) = R Q(y) if P(y) >= R Q(y) throughout. At the largest ratio f(R) = 1: min(P(y), R Q(y)) =
    P(y) if P(y) <= R Q(y) throughout. Square, all ratios positive and finite: Two strips imply it.
    Square, a ratio 0: Its strip is 0 <= a <= 1. Square, an infinite ratio: Its strip is 0 <= b <=
    1.

    No half-plane can be left out. Slack at the middle of an edge: The half-covered outcomes leave
    |u p - v q|/2 > 0 on both sides, further outcomes leave at least 0. Slack on the far side of its
    own strip: An outcome of smaller ratio is in S, one of larger ratio outside: each leaves |q P(z)
    - p Q(z)| > 0 above. A point cut off by one half-plane only: A small step outwards from the
    middle: it violates q a + p b >= g and obeys every other half-plane. One half-plane per edge:
    Points outside, nearer and nearer to the middle, are excluded by finitely many half-planes, so
    one has the middle on its line; it contains both ends of the edge, so its line is that of the
    edge. The upper edges are reflections.

    One likelihood ratio: a segment. On the diagonal: left sums P(y) over S, total sums P(y) over
    all outcomes so far, b sums Q(y) over S': left + b = total, whether y is in S or in S'; over all
    outcomes total = 1. All of it: The constant choice alpha = c gives the point (a, b), the sums of
    c P(y) and (1 - c) Q(y): with total = 1 it is (c, 1 - c).
    """
    check.tried("the strips suffice")
    check.tried("no half-plane can be left out")
    check.tried("one likelihood ratio: a segment")


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

    One outcome: Every positive part max(0, P(y) - R Q(y)) is affine where P(y)/Q(y) is not inside
    the interval. Affine between neighbours: The sums of the positive parts of all outcomes so far.
    Constant after the last: P(y) <= R1 Q(y) wherever Q(y) > 0: no positive part changes.
    """
    check.tried("one order")


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
