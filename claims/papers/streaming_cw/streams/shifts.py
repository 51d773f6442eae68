"""The shift of a slope, eq. (2), is the hockey-stick divergence, which falls as the slope grows.

Letters as in `assumptions`; all laws are on finitely many outcomes, so the proofs are inductions
over sums. Refutes the printed summands, which do not depend on the outcome. Source: "Composition
Theorem for streaming CW-privacy", Section 2, eq. (2).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.plane.said import PRINTED_ENDS
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Row, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import most_above
from pufferproof.claims.papers.streaming_cw.streams.linked import PRINTED, STEEPEST
from pufferproof.claims.registry import Check, claim

Pair = tuple[Row, Row]


@claim(
    "streaming_cw.eq2-shift",
    where="eq. (2)",
    statement="The shift of the slope R = e^{eps_{j|z}} is delta_{j|z} = max_S {sum_{y in S} "
    "P0(y_j|z) - R sum_{y in S} P1(y_j|z)}, that is, H_R(P0(.|z)||P1(.|z)).",
    kind="definition",
    repair="streaming_cw.eq2-shift-repaired",
    says={
        "summands at y_j, eq. (1) for every outcome": PRINTED,
        "summands at y: no set has more": said.SETS_WITHIN_PARTS,
        "summands at y: a set has as much": said.PARTS_WITHIN_SETS,
    },
)
def eq2_shift(check: Check) -> None:
    """The printed summands do not depend on y: the printed maximum is always 0."""
    check.linked("summands at y_j, eq. (1) for every outcome")
    with check.reading(
        "summands at y_j, outcomes with a ratio of at least 1 listed", "smallest pmfs first"
    ) as proof:
        _printed_shift_fails(proof, [pair for m in (2, 3) for pair in pairs(m, 6)], listed=True)
    with check.reading("summands at y_j, no sign condition", "smallest pmfs first") as proof:
        _printed_shift_fails(proof, pairs(2, 6), listed=False)
    check.stated("summands at y: no set has more")
    check.stated("summands at y: a set has as much")


@claim(
    "streaming_cw.eq2-shift-repaired",
    where="eq. (2), summands at y",
    kind="lemma",
    says={
        "no set has more": said.SETS_WITHIN_PARTS,
        "a set has as much": said.PARTS_WITHIN_SETS,
    },
)
def eq2_shift_repaired(check: Check) -> None:
    """Count each outcome in or out: the largest sum has those of positive difference. The rows of
    M are the laws P0 and P1 at each z.
    """
    check.stated("no set has more")
    check.stated("a set has as much")


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
    kind="lemma",
    says={"summands at y_j": PRINTED_ENDS, "summands at y": said.LARGER_RATIO},
)
def minmax_shift(check: Check) -> None:
    """H_R falls as R grows; with the printed summands every shift is 0."""
    check.stated("summands at y_j")
    check.stated("summands at y")


@claim(
    "streaming_cw.x-min-shift-zero",
    where="beside eq. (2)",
    kind="lemma",
    assumes=["Assumption 1"],
    says=STEEPEST,
)
def min_shift_zero(check: Check) -> None:
    """Nothing is left above the steepest line. Over all of W both sums are 1, so that its slope is
    at least 1, and is listed in every reading.
    """


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
