"""Steps in the proof of Theorem 4 on shifts: from the last output's support to its smallest shift,
and t shifts in all.

Proves the last lines; refutes the equality of the sums over V_t and over
the sets V_{t|z#}, where the inequality that holds points the other way. Source: "Composition
Theorem for streaming CW-privacy", Theorem 4, second half of the proof.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance, most_above
from pufferproof.claims.papers.streaming_cw.streams.readings import SMALLEST
from pufferproof.claims.papers.streaming_cw.streams.statements.steps import ONE_MINUS_SHIFT
from pufferproof.claims.papers.streaming_cw.theorem4.linked import LAST_LINES
from pufferproof.claims.papers.streaming_cw.theorem4.statements import (
    VT,
    VT_EQUAL,
    VT_WITH_FACTOR,
)
from pufferproof.claims.papers.streaming_cw.theorem4.supports import supports_of
from pufferproof.claims.registry import Check, claim

LOW_SHIFTS = "<= instead of =, (t-1) delta_max <= 1"


@claim(
    "streaming_cw.thm4-Vt",
    where="Theorem 4, V_t",
    statement="(1-(t-1) delta_max) sum_{z#} sum_{y_t in V_{t|z#}} P^0(y_t|X_t=[z#,z]) p(z#) = "
    "(1-(t-1) delta_max) sum_{y_t in V_t} P0(y_t|z), V_t = {y_t : P1(y_t|z) != 0}.",
    kind="proof step",
    repair="streaming_cw.thm4-Vt-repaired",
    says={LOW_SHIFTS: VT_WITH_FACTOR},
)
def vt(check: Check) -> None:
    """False: V_t is the union of the sets V_{t|z#}, and the right side may be larger, against
    the sense of the proof; or smaller, where 1 - (t-1) delta_max is negative.

    Term by term: every term of the left side is one of the right side. Order of summation: U = sum
    of P0(y|z) over V_t [lemma.finite-sums]. Times the factor: f = 1 - (t-1) delta_max is not
    negative.
    """
    for name in ("with Assumption 1", "without Assumption 1"):
        with check.reading(name, SMALLEST) as proof:
            _union_larger(proof, blocks.flip_stream(blocks.oldest(), 2))
    check.tried(LOW_SHIFTS)
    with check.reading("<= instead of =, any delta_max", SMALLEST) as proof:
        _factor_below_0(proof)


@claim(
    "streaming_cw.thm4-Vt-repaired",
    where="Theorem 4, V_t, repaired",
    statement="For every z the sum over z# and over y_t in V_{t|z#} of P^0(y_t|X_t=[z#,z]) p(z#) "
    "is at most the sum over y_t in V_t of P0(y_t|z); both are equal if V_{t|z#} = V_t for "
    "every z# with p(z#) > 0, which Assumption 1 does not say.",
    kind="proof step",
    says={"at most": VT, "supports equal for every z#": VT_EQUAL},
)
def vt_repaired(check: Check) -> None:
    """Prove equality when the supports do not depend on the oldest block.

    At most. Term by term: every term of the left side is one of the right side. Order of summation:
    U = sum of P0(y|z) over V_t [lemma.finite-sums].

    Supports equal for every z#. Term by term: every y in V_t = W is in V_{t|z#}, for every z#.
    Order of summation: U = sum of P0(y|z) over V_t [lemma.finite-sums].
    """


def _both_sums(stream: Stream, z: Window) -> tuple[Fraction, Fraction]:
    whole = blocks.one_step(stream, True, z)
    left = Fraction(0)
    for first, mass in enumerate(stream.law):
        row = stream.mechanism[(first, *z)]
        left += mass * sum((row[y] for (y,) in supports_of(stream, z, first)[1]), start=Fraction(0))
    right = sum(
        (a for a, b in zip(blocks.one_step(stream, False, z), whole) if b), start=Fraction(0)
    )
    return left, right


def _union_larger(proof: Proof, stream: Stream) -> None:
    z = (0,)
    left, right = _both_sums(stream, z)
    evidence = blocks.show(stream, z=z, left=left, right=right, delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.assumption1(stream) and blocks.slopes_all_one(stream) and left != right

    proof.counterexample(
        "union",
        "M outputs the oldest of two bits and alt flips this bit, so that delta_max = 0. For each "
        "z# the data and the scrubbed data have no outcome in common, and the left side is "
        f"{left}. But V_t holds both outcomes, and the right side is {right}.",
        evidence,
        violated,
        f"{' + '.join(chance(stream, False, z, (y,)) for y in stream.outputs)} != left",
    )


def _factor_below_0(proof: Proof) -> None:
    law, z = (Fraction(1, 4), Fraction(3, 4)), (0,)
    scrub = blocks.surely(law, 2, blocks.replace_oldest())
    stream = Stream(law, 2, blocks.oldest(), scrub, 3)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    shift = max(hockey_stick(top, bottom, a / b) for a, b in zip(top, bottom))
    factor = 1 - (stream.steps - 1) * shift
    left, right = _both_sums(stream, z)
    evidence = blocks.show(stream, z=z, left=left, right=right, delta_max=shift, factor=factor)
    proof.counterexample(
        "a negative factor",
        f"M outputs the oldest of two bits, which is 1 with probability 3/4, and alt flips it: "
        f"P0 = (1/4, 3/4) and P1 = (3/4, 1/4). With no sign condition the slope 1/3 is listed, "
        f"and delta_max = {shift}. The sums are {left} and {right}, and for t = 3 the factor is "
        f"{factor}: the left side is {factor * left}, the right side {factor * right}.",
        evidence,
        lambda: blocks.assumption1(stream) and factor * left > factor * right,
        "factor = 1 - 2*delta_max and factor * left > factor * right",
    )


@claim(
    "streaming_cw.thm4-min-shift",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is the minimum shift of M(X_t) given z, and it is at "
    "least 1 - delta_{z|min}.",
    kind="proof step",
    repair="streaming_cw.thm4-min-shift-repaired",
    says={"the sum is 1 - delta_{z|min}": ONE_MINUS_SHIFT},
)
def min_shift(check: Check) -> None:
    """The sum is one minus the minimum shift.

    Max over S: P^0 and P^1 in the place of P0 and P1: it is the sum of e
    [streaming_cw.eq2-shift-repaired]. Only zeros of P^1 count: elsewhere a - R b is not positive.
    Complement: Z = T - N, and T = 1 over all tuples. Smallest shift: is the one at the largest
    slope [streaming_cw.minmax-shift]. So: Z = T - N is the shift at the largest slope, and T = 1.
    """
    with check.reading("the sum is the minimum shift", SMALLEST) as proof:
        _sum_is_not_shift(proof)
    _sum_is_one_minus_shift(check)


@claim(
    "streaming_cw.thm4-min-shift-repaired",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is 1 - delta_{z|min}, where delta_{z|min} is the "
    "shift at the largest finite slope at z.",
    kind="proof step",
    assumes=["there is a finite slope at z"],
    says=ONE_MINUS_SHIFT,
)
def min_shift_repaired(check: Check) -> None:
    """Prove it as the case t = 1 of the shift at the largest slope.

    As in streaming_cw.thm4-min-shift.
    """
    _sum_is_one_minus_shift(check)


def _sum_is_one_minus_shift(check: Check) -> None:
    check.tried("the sum is 1 - delta_{z|min}")


def _sum_is_not_shift(proof: Proof) -> None:
    stream, z = blocks.flip_stream(blocks.oldest(), 1), (0,)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    slope = max(a / b for a, b in zip(top, bottom) if b)
    total = sum((a for a, b in zip(top, bottom) if b), start=Fraction(0))
    shift = hockey_stick(top, bottom, slope)
    evidence = blocks.show(stream, z=z, sum=total, slope=slope, minimum_shift=shift)
    proof.counterexample(
        "1 and 0",
        "M outputs the oldest of two bits and alt flips this bit, so that P0 = P1 = (1/2, 1/2), "
        "and V_t holds both outcomes. The sum of P0 over V_t is 1, but the shift at the only "
        "slope, 1, is 0",
        evidence,
        lambda: blocks.assumption1(stream) and total != shift,
        f"{' + '.join(chance(stream, False, z, (y,)) for y in stream.outputs)} > "
        f"{most_above(stream, z, slope)}",
    )


@claim(
    "streaming_cw.thm4-last",
    where="Theorem 4, last lines",
    statement="(1-(t-1) delta_max)(1-delta_{z|min}) >= 1 - t delta_max; so delta_t <= t delta_max.",
    kind="proof step",
    says={
        "product": formula(
            "(1 - (t - 1)*delta_max)*(1 - delta_min) >= 1 - t*delta_max",
            given="0 <= delta_min, delta_min <= delta_max, t >= 1",
        ),
        "product and conclusion, first factor of any sign": LAST_LINES,
    },
)
def last(check: Check) -> None:
    """Expand: the difference of the sides of the product is delta_max - delta_min + (t-1) delta_max
    delta_min. If the first factor is negative, then so is 1 - t delta_max.
    """
