"""Supports, slopes and growth of one output: Assumptions 1 to 3, and what they imply together.

Letters: P0, P1 one-step laws of M(X_i), M(alt(X_i)) given X_{i down} = z; R a slope e^eps;
H_R(P||Q) the largest P(S) - R Q(S). Derives that eq. (1) for every outcome makes P0 = P1, and which
slope-shift pairs are private. Source: "Composition Theorem for streaming CW-privacy", Section 2.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, letter, letters
from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Row, Stream, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import laws, most_above
from pufferproof.claims.papers.streaming_cw.streams.linked import COLLAPSE
from pufferproof.claims.papers.streaming_cw.streams.readings import ALL_SIZES
from pufferproof.claims.papers.streaming_cw.streams.shifts import Pair, pairs
from pufferproof.claims.papers.streaming_cw.streams.statements.steps import (
    EQUAL_PAIRS_PRIVATE,
    LISTED_PAIRS_PRIVATE,
    PAIRS_PRIVATE,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "P0(y|z), P1(y|z) at the next outcome y")
r = letter("r", "the slope P0(y|z)/P1(y|z)")


@claim(
    "streaming_cw.assumption1",
    where="Assumption 1",
    statement="Some W: P0(y|z) and P1(y|z) are positive for all y in W and all z, and both are 0 "
    "for all other y and all z.",
    kind="assumption",
)
def assumption1(check: Check) -> None:
    """State the predicate; x-supports derives the supports of t outputs."""
    with check.reading("the predicate", ALL_SIZES) as proof:
        proof.definition(
            "W",
            "One set W supports P0(.|z) and P1(.|z) for every z; it says nothing about M(x) or "
            "M(alt(x)) for single x.",
        )


@claim(
    "streaming_cw.assumption2-eq1",
    where="Assumption 2, eq. (1)",
    statement="For each y in W and all z the slope is e^{eps_{y|z}} = P0(y|z)/P1(y|z) >= 1.",
    kind="assumption",
)
def eq1(check: Check) -> None:
    """State the three readings; x-eq1-collapse derives what the first comes to."""
    with check.reading("at least 1 is assumed for every y and z", ALL_SIZES) as proof:
        proof.definition(
            "slopes", "Every outcome in W has P0(y|z) >= P1(y|z). Then P0 = P1: see x-eq1-collapse."
        )
    with check.reading("only outcomes with a ratio of at least 1 are listed", ALL_SIZES) as proof:
        proof.definition(
            "slopes", "j runs over the outcomes with P0(y_j|z) >= P1(y_j|z); there is at least one."
        )
    with check.reading("no sign condition", ALL_SIZES) as proof:
        proof.definition("slopes", "j runs over all of W, and eps_{j|z} may be negative.")


@claim(
    "streaming_cw.x-eq1-collapse",
    where="beside Assumptions 1 and 2, eq. (1)",
    kind="lemma",
    says={"at least 1 is assumed for every y and z": COLLAPSE},
)
def eq1_collapse(check: Check) -> None:
    """Compare sums: of two laws, one at least as large everywhere, both are equal, so each slope
    is 1 and its shift 0.
    """


@claim(
    "streaming_cw.assumption3",
    where="eq. (3)",
    statement="For each y_j in W and all z, z': P0(y_j|z)/P1(y_j|z') <= e^{gamma_j}, gamma_j > 0; "
    "gamma = max_j gamma_j.",
    kind="assumption",
)
def assumption3(check: Check) -> None:
    """State the predicate; x-gamma-dominates compares it with eq. (1)."""
    with check.reading("gamma_j any valid bound", ALL_SIZES) as proof:
        proof.definition(
            "gamma", "e^{gamma_j} > 1 is any number that is at least every P0(y_j|z)/P1(y_j|z')."
        )
    with check.reading("gamma_j the least bound", ALL_SIZES) as proof:
        proof.definition(
            "gamma",
            "e^{gamma_j} = max over z, z' of P0(y_j|z)/P1(y_j|z'); that this is above 1 is then a "
            "condition.",
        )


@claim(
    "streaming_cw.E-set-private",
    where="end of Assumption 2",
    statement="M is (eps, delta, Delta, Gamma)-CW private for every slope-shift pair (eps, delta) "
    "= (eps_{j|z}, delta_{j|z}).",
    kind="lemma",
    repair="streaming_cw.E-set-private-repaired",
    says={
        "eq. (1) for every outcome, for all z, both directions": EQUAL_PAIRS_PRIVATE,
        "ratios of at least 1 listed, each pair at its own z, P0 against P1": LISTED_PAIRS_PRIVATE,
        "no sign condition, each pair at its own z, P0 against P1": PAIRS_PRIVATE,
    },
)
def e_set_private(check: Check) -> None:
    """With eq. (1) for every outcome it holds because P0 = P1; otherwise only at its own z and
    in one direction.

    Eq. (1) for every outcome, for all z, both directions. P0 = P1: for every z, and all pairs are
    (0, 0) [streaming_cw.x-eq1-collapse]. Both directions: A <= e^0 B + 0 and B <= e^0 A + 0.

    Ratios of at least 1 listed, each pair at its own z, P0 against P1; no sign condition, each pair
    at its own z, P0 against P1. Shift: delta, the largest P0(T|z) - R P1(T|z), is the sum over all
    outcomes of max(0, P0(y|z) - R P1(y|z)) [streaming_cw.eq2-shift-repaired]. That is privacy:
    whether the next outcome is in S or not; over all outcomes H = delta.
    """
    check.tried("eq. (1) for every outcome, for all z, both directions")
    _own_pair(check, "ratios of at least 1 listed, each pair at its own z, P0 against P1")
    with check.reading(
        "ratios of at least 1 listed, each pair at its own z, both directions", "smallest first"
    ) as proof:
        _one_direction_only(proof)
    with check.reading(
        "ratios of at least 1 listed, for all z, P0 against P1", "bits, B = 2"
    ) as proof:
        _other_z(proof)
    _own_pair(check, "no sign condition, each pair at its own z, P0 against P1")
    with check.reading(
        "no sign condition, each pair at its own z, both directions", "smallest first"
    ) as proof:
        _one_direction_only(proof, listed=False)
    with check.reading(
        "summands of eq. (2) at y_j, ratios of at least 1 listed, own z, P0 against P1",
        "smallest first",
    ) as proof:
        _printed_pair_fails(proof)


def _own_pair(check: Check, name: str) -> None:
    check.tried(name)


@claim(
    "streaming_cw.E-set-private-repaired",
    where="end of Assumption 2, own z and one direction",
    kind="lemma",
    says={"each pair at its own z, P0 against P1": said.SETS_WITHIN_PARTS},
)
def e_set_private_repaired(check: Check) -> None:
    """Prove the direction that the shift was defined for: the rows of M are P0 and P1 at each z, R
    is the slope of an outcome, and delta its shift, the sum of the positive parts.
    """
    check.stated("each pair at its own z, P0 against P1")


def _printed_pair_fails(proof: Proof) -> None:
    def holds(pair: Pair) -> bool:
        return all(hockey_stick(*pair, slope) == 0 for slope in _listed(*pair))

    family = [pair for m in (2, 3) for pair in pairs(m, 6)]
    found = proof.exhaust(
        "smallest pmfs", "P0(S) <= R P1(S) + 0 at every listed slope R", family, holds
    )
    if found is None:
        return
    slope = min(slope for slope in _listed(*found) if hockey_stick(*found, slope))
    stream = blocks.pair_stream(*found)
    evidence = blocks.show(
        stream, z=(0,), slope=slope, printed=Fraction(0), shift=hockey_stick(*found, slope)
    )

    def violated() -> bool:
        top, bottom = blocks.one_step(stream, False, (0,)), blocks.one_step(stream, True, (0,))
        own = [(a, b) for a, b in zip(top, bottom) if b and a / b == slope]
        printed = max(size * (a - slope * b) for a, b in own for size in range(len(top) + 1))
        return (
            blocks.assumption1(stream) and slope >= 1 and hockey_stick(top, bottom, slope) > printed
        )

    top, bottom = (f"({', '.join(map(str, law))})" for law in found)
    sentence = (
        f"For P0 = {top} and P1 = {bottom} the printed shift of the slope {slope} is 0, as its "
        f"summands do not depend on y; but P0(S|z) - {slope} P1(S|z) reaches "
        f"{hockey_stick(*found, slope)} > 0."
    )
    formula = f"{most_above(stream, (0,), slope)} > printed"
    proof.counterexample("printed shift", sentence, evidence, violated, formula)


def _one_direction_only(proof: Proof, listed: bool = True) -> None:
    def holds(pair: Pair) -> bool:
        slopes = _listed(*pair) if listed else [a / b for a, b in zip(*pair)]
        return all(hockey_stick(pair[1], pair[0], r) <= hockey_stick(*pair, r) for r in slopes)

    found = proof.exhaust(
        "smallest pmfs", "every listed pair holds in both directions", pairs(2, 4), holds
    )
    stream = blocks.lean_stream()
    top, bottom = (blocks.one_step(stream, scrubbed, (0,)) for scrubbed in (False, True))
    evidence = blocks.show(
        stream, z=(0,), P0=top, P1=bottom, slope=Fraction(3, 2), shift=Fraction(0), outcome=1
    )

    def violated() -> bool:
        slope = max(_listed(top, bottom))
        shift = hockey_stick(top, bottom, slope)
        return (
            found is not None and blocks.assumption1(stream) and bottom[1] > slope * top[1] + shift
        )

    sentence = (
        "P0 = (3/4, 1/4) and P1 = (1/2, 1/2) give the slope 3/2 with shift 0; with the two "
        "exchanged the outcome 1 has probability 1/2, more than 3/2 * 1/4 + 0 = 3/8."
    )
    formula = f"{laws(stream, (0,))} and item(P1, outcome) > slope * item(P0, outcome) + shift"
    proof.counterexample("exchanged", sentence, evidence, violated, formula)


def _other_z(proof: Proof) -> None:
    rows = blocks.kernel(
        blocks.HALF, 2, lambda w: blocks.HALF if w[0] or not w[1] else blocks.point(0)
    )
    stream = Stream(
        blocks.HALF, 2, rows, blocks.surely(blocks.HALF, 2, blocks.replace_oldest(1)), 1
    )
    top, bottom = (blocks.one_step(stream, scrubbed, (1,)) for scrubbed in (False, True))
    evidence = blocks.show(
        stream,
        pair_at_z=(0,),
        slope=Fraction(1),
        shift=Fraction(0),
        z=(1,),
        P0=top,
        P1=bottom,
        outcome=0,
    )

    def violated() -> bool:
        first, second = blocks.one_step(stream, False, (0,)), blocks.one_step(stream, True, (0,))
        slope = max(_listed(first, second))
        return blocks.assumption1(stream) and hockey_stick(top, bottom, slope) > hockey_stick(
            first, second, slope
        )

    sentence = (
        "At z = 0 both laws are equal, which gives the slope 1 with shift 0; at z = 1 this pair "
        "does not hold, as the outcome 0 has probability 3/4 on the data and 1/2 on the scrubbed "
        "data."
    )
    formula = f"{laws(stream, (1,))} and item(P0, outcome) > slope * item(P1, outcome) + shift"
    proof.counterexample("another z", sentence, evidence, violated, formula)


@claim(
    "streaming_cw.def-P0-P1",
    where="Additional notations",
    statement="P^0(y_1..y_t|z) = Pr[M(X_1)=y_1,..|X_{t down}=z], P^1(y_1..y_t|z) = "
    "Pr[M(alt(X_1))=y_1,..|X_{t down}=z'].",
    kind="definition",
)
def def_p0_p1(check: Check) -> None:
    """State both readings of the z' on the right; `blocks.joint` is the reference
    implementation.
    """
    with check.reading("z' is separate", ALL_SIZES) as proof:
        proof.definition(
            "laws", "The printed z' on the right: P^1 is looked at under an aux value of its own."
        )
    with check.reading("the same z", ALL_SIZES) as proof:
        proof.definition(
            "laws", "P^0 and P^1 are conditioned on the same aux value; z' is a slip for z."
        )


def _listed(top: Row, bottom: Row) -> list[Fraction]:
    return [a / b for a, b in zip(top, bottom) if a >= b]
