"""The shift of a slope, eq. (2), is the hockey-stick divergence, which falls as the slope grows.

Letters as in `assumptions`; all laws are on finitely many outcomes, so the proofs are inductions
over sums. Refutes the printed summands, which do not depend on the outcome. Source: "Composition
Theorem for streaming CW-privacy", Section 2, eq. (2).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from sympy import And, Eq, Or, Rational

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Row, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import most_above
from pufferproof.claims.papers.streaming_cw.streams.readings import ALL_SIZES
from pufferproof.claims.papers.streaming_cw.streams.statements.steps import (
    MIN_SHIFT_ZERO,
    PRINTED_ENDS,
    PRINTED_SHIFT,
    SHIFT_ENDS,
    SHIFT_IS_SUM,
)
from pufferproof.claims.registry import Check, claim

Pair = tuple[Row, Row]

R = letter("R", "a slope")
r = letter("r", "a slope that is at most R")
own_a, own_b = letters("own_a own_b", "P0(y_j|z), P1(y_j|z)", above(0))
printed = letter("printed", "the printed sum over the first members of S")
g, h = letters("g h", "P0(y|z) - R P1(y|z) at the next outcome y, and the larger of it and 0")
added = letter("added", "what the next outcome adds to the sum over S")
G, H = letters("G H", "the sum of g over the first members of S, of h over the first outcomes")
a, b = letters("a b", "P0(y|z), P1(y|z) at the next outcome y")
A, B = letters("A B", "the sums of a and of b over the first outcomes")
flat = letter("flat", "the larger of 0 and a - r b", at_least(0))
steep = letter("steep", "the larger of 0 and a - R b")
flats, steeps = letters("flats steeps", "the sums of flat and of steep over the first outcomes")
excess = letter("excess", "the sum of a - R b over the first members of S")
OWN_SLOPE = Eq(R * own_b, own_a)
ANOTHER_SLOPE = Edit(
    "the printed sum", without=OWN_SLOPE, given=Eq(R * own_b, own_a + Rational(1, 2))
)
POSITIVE_PART = Or(And(g >= 0, Eq(h, g)), And(g < 0, Eq(h, 0)))
NEGATIVE_TERM = Edit(
    "one set has as much",
    without=POSITIVE_PART,
    given=Or(And(g >= 0, Eq(h, g)), And(g < 0, Eq(h, g))),
)


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
    """The printed summands do not depend on y: the printed maximum is always 0."""
    name = "summands at y_j, eq. (1) for every outcome"
    proved(check, name, ALL_SIZES, _both_shifts_are_0)
    check.near_miss(f"{name}: not at y_j's own slope", edited(_printed_shift, ANOTHER_SLOPE))
    with check.reading(
        "summands at y_j, outcomes with a ratio of at least 1 listed", "smallest pmfs first"
    ) as proof:
        _printed_shift_fails(proof, [pair for m in (2, 3) for pair in pairs(m, 6)], listed=True)
    with check.reading("summands at y_j, no sign condition", "smallest pmfs first") as proof:
        _printed_shift_fails(proof, pairs(2, 6), listed=False)
    _summands_at_y(check)


def _summands_at_y(check: Check) -> None:
    proved(
        check,
        "summands at y",
        ALL_SIZES,
        _shift_is_hockey_stick,
        a_set_with_a_negative_term=NEGATIVE_TERM,
    )


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
    """Prove that the shift is the hockey-stick divergence."""
    _summands_at_y(check)


def _both_shifts_are_0(proof: Proof) -> None:
    _printed_shift(proof)
    proof.cite("H is 0 too", "P0 = P1, so H_1 = 0", "streaming_cw.x-eq1-collapse")


def _printed_shift(proof: Proof) -> None:
    proof.summed(
        "the printed sum",
        "R is the slope at y_j, and each member of S adds the same a - R b at y_j",
        so_far=Eq(printed, 0),
        adding={printed: own_a - R * own_b},
        given=[OWN_SLOPE],
    )


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


def _shift_is_hockey_stick(proof: Proof) -> None:
    larger = [h >= g, h >= 0]
    proof.induction(
        "no set has more",
        "the next outcome is in S or not",
        base=(And(g <= h, h >= 0), larger),
        step=(And(G + g <= H + h, H + h >= G), [G <= H, *larger]),
    )
    members = Or(And(g >= 0, Eq(added, g)), And(g < 0, Eq(added, 0)))
    proof.summed(
        "one set has as much",
        "S = {y : P0(y) >= R P1(y)} adds g where g >= 0 and nothing elsewhere, which is h",
        so_far=Eq(G, H),
        adding={G: added, H: h},
        given=[POSITIVE_PART, members],
    )


@claim(
    "streaming_cw.minmax-shift",
    where="after eq. (2)",
    statement="The smallest shift delta_{z|min} is the one at eps_{z|max}, the largest, "
    "delta_{z|max}, the one at eps_{z|min}.",
    kind="lemma",
    says={"summands at y_j": PRINTED_ENDS, "summands at y": SHIFT_ENDS},
)
def minmax_shift(check: Check) -> None:
    """Prove that H_R falls as R grows; with the printed summands every shift is 0."""
    name = "summands at y_j"
    proved(check, name, ALL_SIZES, _printed_shift)
    check.near_miss(f"{name}: not at y_j's own slope", edited(_printed_shift, ANOTHER_SLOPE))
    exchanged = Edit("a larger slope has the smaller shift", without=r <= R, given=r >= R)
    proved(
        check,
        "summands at y",
        ALL_SIZES,
        _falling_shift,
        the_order_of_slopes_exchanged=exchanged,
    )


def _falling_shift(proof: Proof) -> None:
    proof.cite(
        "shifts", "a shift is a sum of max(0, P0(y) - R P1(y))", "streaming_cw.eq2-shift-repaired"
    )
    proof.summed(
        "a larger slope has the smaller shift",
        "the shift of R is the sum of steep, that of r <= R the sum of flat",
        so_far=steeps <= flats,
        adding={steeps: steep, flats: flat},
        given=[r <= R, b >= 0, Or(Eq(steep, 0), Eq(steep, a - R * b)), flat >= a - r * b],
    )


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
    """
    below = {"without": a / b <= R, "given": a / b <= R + Rational(1, 10)}
    proved(
        check,
        "as stated",
        ALL_SIZES,
        _min_shift_zero,
        a_slope_below_the_largest=[
            Edit("sums of the laws", **below),
            Edit("no set is above the line", **below),
        ],
    )


def _min_shift_zero(proof: Proof) -> None:
    proof.summed(
        "sums of the laws",
        "R is at least every P0(y|z)/P1(y|z) over y in W",
        so_far=A <= R * B,
        adding={A: a, B: b},
        given=[b > 0, a / b <= R],
    )
    proof.inequality(
        "the largest slope is listed",
        "over all of W both sums are 1, so R >= 1",
        R >= 1,
        [A <= R * B, Eq(A, 1), Eq(B, 1)],
    )
    proof.summed(
        "no set is above the line",
        "the shift is at most 0, which the empty set attains",
        so_far=excess <= 0,
        adding={excess: a - R * b},
        given=[b > 0, a / b <= R],
    )


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
