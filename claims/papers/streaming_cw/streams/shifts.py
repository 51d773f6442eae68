"""The shift of a slope, eq. (2), is the hockey-stick divergence, which falls as the slope grows.

Letters as in `assumptions`; all laws are on finitely many outcomes, so the proofs are inductions
over sums. Refutes the printed summands, which do not depend on the outcome. Source: "Composition
Theorem for streaming CW-privacy", Section 2, eq. (2).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import (
    Proof,
    letter,
    letters,
)
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Row, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import most_above
from pufferproof.claims.papers.streaming_cw.streams.statements.steps import (
    MIN_SHIFT_ZERO,
    PRINTED_ENDS,
    PRINTED_SHIFT,
    SHIFT_ENDS,
    SHIFT_IS_SUM,
)
from pufferproof.claims.registry import Check, claim

Pair = tuple[Row, Row]

printed = letter("printed", "the printed sum over the first members of S")
a, b = letters("a b", "P0(y|z), P1(y|z) at the next outcome y")


@claim(
    "streaming_cw.eq2-shift",
    where="eq. (2)",
    statement="The shift of the slope R = e^{eps_{j|z}} is delta_{j|z} = max_S {sum_{y in S} "
    "P0(y_j|z) - R sum_{y in S} P1(y_j|z)}, that is, H_R(P0(.|z)||P1(.|z)).",
    kind="definition",
    repair="streaming_cw.eq2-shift-repaired",
    says={
        "summands at y_j, eq. (1) for every outcome": PRINTED_SHIFT,
        "summands at y": SHIFT_IS_SUM,
    },
)
def eq2_shift(check: Check) -> None:
    """The printed summands do not depend on y: the printed maximum is always 0.

    Summands at y_j, eq. (1) for every outcome. The printed sum: R is the slope at y_j, and each
    member of S adds the same a - R b at y_j. H is 0 too: P0 = P1, so H_1 = 0
    [streaming_cw.x-eq1-collapse].

    Summands at y. No set has more: the next outcome is in S or not. One set has as much: S = {y :
    P0(y) >= R P1(y)} adds g where g >= 0 and nothing elsewhere, which is h.
    """
    name = "summands at y_j, eq. (1) for every outcome"
    check.tried(name)
    with check.reading(
        "summands at y_j, outcomes with a ratio of at least 1 listed", "smallest pmfs first"
    ) as proof:
        _printed_shift_fails(proof, [pair for m in (2, 3) for pair in pairs(m, 6)], listed=True)
    with check.reading("summands at y_j, no sign condition", "smallest pmfs first") as proof:
        _printed_shift_fails(proof, pairs(2, 6), listed=False)
    _summands_at_y(check)


def _summands_at_y(check: Check) -> None:
    check.tried("summands at y")


@claim(
    "streaming_cw.eq2-shift-repaired",
    where="eq. (2), summands at y",
    statement="With the summands of eq. (2) at y the shift is the hockey-stick divergence: the "
    "largest P0(S|z) - R P1(S|z) over all sets S of outcomes is the sum over all outcomes y of "
    "max(0, P0(y|z) - R P1(y|z)), attained by the set of those y with P0(y|z) >= R P1(y|z), "
    "for every real R.",
    kind="lemma",
    says=SHIFT_IS_SUM,
)
def eq2_shift_repaired(check: Check) -> None:
    """Prove that the shift is the hockey-stick divergence.

    No set has more: the next outcome is in S or not. One set has as much: S = {y : P0(y) >= R
    P1(y)} adds g where g >= 0 and nothing elsewhere, which is h.
    """
    _summands_at_y(check)


def _printed_shift_fails(proof: Proof, family: list[Pair], listed: bool) -> None:
    def slopes_of(pair: Pair) -> list[Fraction]:
        return [a / b for a, b in zip(*pair) if a >= b or not listed]

    def agrees(pair: Pair) -> bool:
        return all(hockey_stick(*pair, slope) == 0 for slope in slopes_of(pair))

    found = proof.exhaust("smallest pmfs", "printed shift 0 = H at every slope", family, agrees)
    if found is None:
        return
    slope = next(slope for slope in slopes_of(found) if hockey_stick(*found, slope))
    stream = blocks.pair_stream(*found)
    evidence = blocks.show(
        stream, z=(0,), slope=slope, printed=Fraction(0), shift=hockey_stick(*found, slope)
    )

    def violated() -> bool:
        top, bottom = blocks.one_step(stream, False, (0,)), blocks.one_step(stream, True, (0,))
        own = [(a, b) for a, b in zip(top, bottom) if b and a / b == slope]
        printed = max(size * (a - slope * b) for a, b in own for size in range(len(top) + 1))
        return blocks.assumption1(stream) and printed != hockey_stick(top, bottom, slope)

    sentence = (
        f"For P0 = ({', '.join(map(str, found[0]))}) and P1 = ({', '.join(map(str, found[1]))}) "
        f"and the slope {slope} the printed summands do not depend on y, and the printed maximum "
        f"is 0; the tangent of this slope has the shift {hockey_stick(*found, slope)}."
    )
    formula = f"{most_above(stream, (0,), slope)} > printed"
    proof.counterexample("printed shift", sentence, evidence, violated, formula)


@claim(
    "streaming_cw.minmax-shift",
    where="after eq. (2)",
    statement="The smallest shift delta_{z|min} is the one at eps_{z|max}, the largest, "
    "delta_{z|max}, the one at eps_{z|min}.",
    kind="lemma",
    says={"summands at y_j": PRINTED_ENDS, "summands at y": SHIFT_ENDS},
)
def minmax_shift(check: Check) -> None:
    """Prove that H_R falls as R grows; with the printed summands every shift is 0.

    Summands at y_j. The printed sum: R is the slope at y_j, and each member of S adds the same a -
    R b at y_j.

    Summands at y. Shifts: a shift is a sum of max(0, P0(y) - R P1(y))
    [streaming_cw.eq2-shift-repaired]. A larger slope has the smaller shift: the shift of R is the
    sum of steep, that of r <= R the sum of flat.
    """
    name = "summands at y_j"
    check.tried(name)
    check.tried("summands at y")


@claim(
    "streaming_cw.x-min-shift-zero",
    where="beside eq. (2)",
    statement="Under Assumption 1 the shift at eps_{z|max}, the logarithm of the largest "
    "P0(y|z)/P1(y|z) over y in W, is 0: delta_{z|min} = 0 for every z.",
    kind="lemma",
    assumes=["Assumption 1"],
    says=MIN_SHIFT_ZERO,
)
def min_shift_zero(check: Check) -> None:
    """Prove that nothing is left above the steepest line, whose slope is at least 1 and so is
    listed in every reading.

    Sums of the laws: R is at least every P0(y|z)/P1(y|z) over y in W. The largest slope is listed:
    over all of W both sums are 1, so R >= 1. No set is above the line: the shift is at most 0,
    which the empty set attains.
    """
    check.tried("as stated")


def pairs(outcomes: int, largest: int) -> list[Pair]:
    """Return pairs of pmfs without zeros, smallest common denominator first."""
    found: list[Pair] = []
    for denominator in range(outcomes, largest + 1):
        laws = list(_pmfs(outcomes, denominator))
        found += [(top, bottom) for top in laws for bottom in laws if (top, bottom) not in found]
    return found


def _pmfs(outcomes: int, denominator: int) -> Iterator[Row]:
    for parts in product(range(1, denominator + 1), repeat=outcomes):
        if sum(parts) == denominator:
            yield tuple(Fraction(part, denominator) for part in parts)
