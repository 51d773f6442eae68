"""Steps in the proof of Theorem 4 on supports: the shift is the mass where P^1 = 0, and that mass
bounded by induction.

Derived for independent alternatives, with Assumption 1 where the induction needs it; refuted for
shared randomness. Source: "Composition Theorem for streaming CW-privacy", Theorem 4, first half of
the proof.
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, letter
from pufferproof.claims.papers.streaming_cw.lemmas.first_steps import shown
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Law, Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance, laws
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    COIN,
    COINS,
    FLOOR,
    INDEPENDENT,
    KNOWN,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
)
from pufferproof.claims.papers.streaming_cw.theorem4.statements import (
    EARLIER_MASS,
    PRODUCT_SUPPORT,
    SHIFT_ONLY,
    SLOPE_AND_SHIFT,
    WHOLE_MASS,
)
from pufferproof.claims.registry import Check, claim

growth = letter("growth", "e^gamma, the largest factor")


@claim(
    "streaming_cw.thm4-slope-and-shift",
    where="Theorem 4, start",
    statement="eps_t <= eps_max + (t-1) gamma at the largest finite slope R of G, and max_S "
    "{P^0(S|z) - R P^1(S|z)} = P^0({y : P^1(y|z) = 0}|z) = 1 - P^0(S_t|z), S_t = {y : P^1(y|z) "
    "!= 0}.",
    kind="proof step",
    assumes=[COINS],
    repair="streaming_cw.thm4-slope-and-shift-repaired",
    says={
        f"R the largest slope at this z, Assumption 1, {WINDOW}": SLOPE_AND_SHIFT,
        "R the largest slope at this z or over all z, zero probabilities allowed; the shift only, "
        "any way to draw alt": SHIFT_ONLY,
    },
)
def slope_and_shift(check: Check) -> None:
    """The shift at any R that is at least every finite ratio; the bound on eps_t needs
    alternatives on their own.

    R the largest slope at this z, Assumption 1, alternatives drawn for each window on its own. One
    ratio P^0(y|z)/P^1(y|z) is at most P r [streaming_cw.lemma2-repaired], every factor of P at most
    e^gamma, r <= E. The maximum over S is the sum of positive differences
    [streaming_cw.eq2-shift-repaired]: only zeros of P^1 count, elsewhere a - R b is not positive;
    the rest of P^0 is the complement.

    R the largest slope at this z or over all z, zero probabilities allowed; the shift only, any way
    to draw alt. The same.
    """
    check.tried(f"R the largest slope at this z, Assumption 1, {WINDOW}")
    check.tried(
        "R the largest slope at this z or over all z, zero probabilities allowed; the shift only, "
        "any way to draw alt"
    )
    noise = Fraction(1, 10)
    with check.reading(f"R the largest slope at this z, Assumption 1, {COIN}", SMALLEST) as proof:
        why = "one coin replaces the oldest bit of every window"
        _slope_too_large(proof, blocks.coin_stream(2, flipped=noise), why)
    with check.reading(f"R the largest slope at this z, Assumption 1, {STREAM}", SMALLEST) as proof:
        why = "the scrub replaces all blocks by one new bit"
        _slope_too_large(proof, blocks.one_draw_stream(2, flipped=noise), why)


@claim(
    "streaming_cw.thm4-slope-and-shift-repaired",
    where="Theorem 4, start, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the largest slope R = "
    "max P^0(y|z)/P^1(y|z) of G over y in W^t is at most e^(eps_max + (t-1) gamma) for every "
    "z, and the largest P^0(S|z) - R P^1(S|z) over all sets S of tuples is P^0({y : P^1(y|z) = "
    "0}|z) = 1 - P^0(S_t|z).",
    kind="proof step",
    assumes=[*INDEPENDENT, STEPS, KNOWN],
    says={WINDOW: SLOPE_AND_SHIFT},
)
def slope_and_shift_repaired(check: Check) -> None:
    """Prove both halves for alternatives on their own.

    As in streaming_cw.thm4-slope-and-shift.
    """


def _slope_too_large(proof: Proof, stream: Stream, why: str) -> None:
    z = (0,)
    top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, z)
    y = max(top, key=lambda each: top[each] / bottom[each])
    slope = top[y] / bottom[y]
    bound = FLOOR ** (stream.steps - 1)
    evidence = blocks.show(stream, z=z, y=y, P0=top[y], P1=bottom[y], slope=slope, bound=bound)

    def violated() -> bool:
        steps = range(1, stream.steps + 1)
        growths = [blocks.growth(stream, out, step) for out in stream.outputs for step in steps]
        valid = all(growth is not None and growth <= FLOOR for growth in growths)
        return (
            blocks.assumption1(stream) and blocks.slopes_all_one(stream) and valid and slope > bound
        )

    proof.counterexample(
        "a larger slope of G",
        f"M outputs the oldest bit with noise, all its slopes are 1, and {why}: e^gamma = {FLOOR} "
        f"is valid, like any number above 1, but the outputs {shown(y)} of two steps have the "
        f"slope {top[y]} / {bottom[y]} = {slope}, more than {bound}.",
        evidence,
        violated,
        f"{chance(stream, False, z, y)} > bound * ({chance(stream, True, z, y)})",
    )


def supports_of(stream: Stream, z: Window, first: int) -> tuple[set[Window], set[Window]]:
    """Return V_{t-1|z*} and V_{t|z*} at z* = first."""
    last = stream.steps
    upper = dict(enumerate((first, *z)[:-1], start=last))
    past = blocks.law_of_outputs(stream, True, upper, range(1, last)) or {}
    now = (
        blocks.law_of_outputs(
            stream, True, {last: first, **blocks.given_rest(stream, last, z)}, [last]
        )
        or {}
    )
    return {y for y, mass in past.items() if mass}, {y for y, mass in now.items() if mass}


@claim(
    "streaming_cw.thm4-product-support",
    where="Theorem 4",
    statement="The Cartesian product of V_{t-1|z*} and V_{t|z*} is in S_t for each z* with p(z*) "
    "!= 0; so P^0(S_t|z) is at least the sum over z# and over the product of V_{t-1|z#} and "
    "V_{t|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) P^0(y_t|X_t=[z#,z]) p(z#).",
    kind="proof step",
    assumes=[COINS],
    repair="streaming_cw.thm4-product-support-repaired",
    says={WINDOW: PRODUCT_SUPPORT},
)
def product_support(check: Check) -> None:
    """True for independent alternatives, zeros allowed; false for shared randomness.

    Condition on z*: the outputs before t and at t are independent given X_t
    [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Other terms: P^1(y_1..y_t|z) is the sum of
    them and of the term of z*. Term of z*: A, B, p > 0 at z*. A larger set: z# by z#: each term for
    the product sets is one for S_t, and no term is negative.
    """
    check.tried(WINDOW)
    with check.reading(STREAM, SMALLEST) as proof:
        why = "the scrub replaces all blocks by one new bit"
        _product_support_fails(proof, blocks.one_draw_stream(2), why)
    with check.reading(COIN, SMALLEST) as proof:
        why = "one coin replaces the oldest bit of every window"
        _product_support_fails(proof, blocks.coin_stream(2), why)


@claim(
    "streaming_cw.thm4-product-support-repaired",
    where="Theorem 4, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the Cartesian product "
    "of V_{t-1|z*} and V_{t|z*} is in S_t for each z* with p(z*) > 0, and P^0(S_t|z) is at "
    "least the sum over z# and over the product of V_{t-1|z#} and V_{t|z#} of "
    "P^0(y_1..y_{t-1}|[z#,z]_up) P^0(y_t|X_t=[z#,z]) p(z#).",
    kind="proof step",
    assumes=INDEPENDENT,
    says={WINDOW: PRODUCT_SUPPORT},
)
def product_support_repaired(check: Check) -> None:
    """Prove it from the recursion.

    As in streaming_cw.thm4-product-support.
    """


def hole(stream: Stream, z: Window, first: int) -> str:
    """Write that 0 is possible at the first step of two, and 1 at the second, but not both."""
    now = {stream.steps: first, **blocks.given_rest(stream, stream.steps, z)}
    past = {stream.steps: first}
    return (
        f"{chance(stream, True, past, (0,), [1])} > 0 and "
        f"{chance(stream, True, now, (1,), [stream.steps])} > 0 and "
        f"{chance(stream, True, z, (0, 1))} = 0"
    )


def _product_support_fails(proof: Proof, stream: Stream, why: str) -> None:
    z, y, first = (0,), (0, 1), 0
    law = blocks.joint(stream, True, z)
    past, now = supports_of(stream, z, first)
    evidence = blocks.show(
        stream, z=z, z_star=first, y=y, V_past=sorted(past), V_now=sorted(now), P1=law[y]
    )

    def violated() -> bool:
        return blocks.assumption1(stream) and (0,) in past and (1,) in now and law[y] == 0

    sentence = (
        f"M outputs the oldest bit, and {why}: on the scrubbed data 0 is possible at the first "
        f"step and 1 at the second, "
        "but 0 and then 1 never occurs, so that (0, 1) is in the product and not in S_2."
    )
    proof.counterexample("not in S_2", sentence, evidence, violated, hole(stream, z, first))


@claim(
    "streaming_cw.thm4-induction",
    where="Theorem 4, inductive hypothesis",
    statement="For each z#, the sum over V_{t-1|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) is at least 1 - "
    "(t-1) delta_max.",
    kind="proof step",
    assumes=["Assumption 1", COINS],
    repair="streaming_cw.thm4-induction-repaired",
    says={f"Assumption 1, {WINDOW}": EARLIER_MASS},
)
def induction(check: Check) -> None:
    """With Assumption 1 and independent alternatives the sum is 1; no other reading keeps the
    bound.

    Supports: P^0 and P^1 are positive on W^{t-1} and 0 elsewhere, so V_{t-1|z#} = W^{t-1}
    [streaming_cw.x-supports]. All the mass: a tuple is in V_{t-1|z#} if b > 0: N = T, and T = 1
    over all tuples. Bound: the sum is 1.
    """
    check.tried(f"Assumption 1, {WINDOW}")
    _other_readings_lose_mass(check)


def _other_readings_lose_mass(check: Check) -> None:
    oldest = "M outputs the oldest bit"
    with check.reading(f"Assumption 1, {STREAM}", SMALLEST) as proof:
        why = f"{oldest}, and the scrub replaces all blocks by one new bit"
        _mass_missing(proof, blocks.one_draw_stream(2), why)
    with check.reading(f"Assumption 1, {COIN}", SMALLEST) as proof:
        why = f"{oldest}, and one coin replaces the oldest bit of every window"
        _mass_missing(proof, blocks.coin_stream(2), why)
    with check.reading(f"zero probabilities allowed, {WINDOW}", SMALLEST) as proof:
        why = "M outputs its whole window of two bits, and alt flips the oldest"
        _mass_missing(proof, blocks.flip_stream(blocks.labelled((0, 1, 2, 3)), 2), why)


@claim(
    "streaming_cw.thm4-induction-repaired",
    where="Theorem 4, inductive hypothesis, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the sum over "
    "V_{t-1|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) is 1 for each z#, so that it is at least 1 - "
    "(t-1) delta_max.",
    kind="proof step",
    assumes=[*INDEPENDENT, "Assumption 1"],
    says={WINDOW: WHOLE_MASS},
)
def induction_repaired(check: Check) -> None:
    """Prove the hypothesis without induction, from the supports.

    As in streaming_cw.thm4-induction.
    """


def _mass_missing(proof: Proof, stream: Stream, why: str) -> None:
    z = (0,)
    top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, z)

    def mass(first: Law, second: Law) -> Fraction:
        return sum((first[y] for y in first if second[y]), start=Fraction(0))

    evidence = blocks.show(
        stream,
        past_steps=stream.steps,
        z=z,
        P0=top,
        P1=bottom,
        mass=mass(top, bottom),
        delta_max=Fraction(0),
    )
    proof.counterexample(
        "mass missing",
        f"{why}: all slopes are 1, so that delta_max = 0, but with t - 1 = 2 the outputs on the "
        f"data that are possible on the scrubbed data have probability {mass(top, bottom)}, not 1.",
        evidence,
        lambda: blocks.slopes_all_one(stream) and mass(top, bottom) < 1,
        f"{laws(stream, z)} and "
        + " + ".join(f"item(P0, {k})" for k, y in enumerate(top) if bottom[y])
        + " < 1",
    )
