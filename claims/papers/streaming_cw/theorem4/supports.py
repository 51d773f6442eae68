"""Steps in the proof of Theorem 4 on supports: the shift is the mass where P^1 = 0, and that mass
bounded by induction.

Derived for independent alternatives, with Assumption 1 where the induction needs it; refuted for
shared randomness. Source: "Composition Theorem for streaming CW-privacy", Theorem 4, first half of
the proof.
"""

from fractions import Fraction
from functools import partial

import sympy

from pufferproof.claims.papers.streaming_cw.lemmas.first import recursion
from pufferproof.claims.papers.streaming_cw.lemmas.first_steps import shown
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Law, Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    APART,
    BLOCKS,
    COIN,
    COINS,
    FLOOR,
    HUNDREDTH,
    IID,
    INDEPENDENT,
    KNOWN,
    OWN,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
    Reasons,
    only,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument


@claim(
    "streaming_cw.thm4-slope-and-shift",
    where="Theorem 4, start",
    statement="eps_t <= eps_max + (t-1) gamma at the largest finite slope R of G, and max_S "
    "{P^0(S|z) - R P^1(S|z)} = P^0({y : P^1(y|z) = 0}|z) = 1 - P^0(S_t|z), S_t = {y : P^1(y|z) "
    "!= 0}.",
    kind="proof step",
    assumes=[COINS],
    repair="streaming_cw.thm4-slope-and-shift-repaired",
)
def slope_and_shift(check: Check) -> None:
    """The shift at any R that is at least every finite ratio; the bound on eps_t needs
    alternatives on their own.
    """
    names = (
        f"R the largest slope at this z, Assumption 1, {WINDOW}",
        "R the largest slope at this z or over all z, zero probabilities allowed; the shift only, "
        "any way to draw alt",
    )
    for name, bounded in zip(names, (True, False)):
        with check.reading(name, ALL_SIZES) as argument:
            prove_slope_and_shift(argument, bounded, IID)
        check.near_miss(
            f"{name}: R below a ratio", partial(prove_slope_and_shift, bounded=bounded, below=True)
        )
    noise = Fraction(1, 10)
    for way, stream, why in (
        (
            COIN,
            blocks.coin_stream(2, flipped=noise),
            "one coin replaces the oldest bit of every window",
        ),
        (
            STREAM,
            blocks.one_draw_stream(2, flipped=noise),
            "the scrub replaces all blocks by one new bit",
        ),
    ):
        with check.reading(
            f"R the largest slope at this z, Assumption 1, {way}", SMALLEST
        ) as argument:
            _slope_too_large(argument, stream, why)


@claim(
    "streaming_cw.thm4-slope-and-shift-repaired",
    where="Theorem 4, start, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the largest slope R = "
    "max P^0(y|z)/P^1(y|z) of G over y in W^t is at most e^(eps_max + (t-1) gamma) for every "
    "z, and the largest P^0(S|z) - R P^1(S|z) over all sets S of tuples is P^0({y : P^1(y|z) = "
    "0}|z) = 1 - P^0(S_t|z).",
    kind="proof step",
    assumes=[*INDEPENDENT, STEPS, KNOWN],
)
def slope_and_shift_repaired(check: Check) -> None:
    """Prove both halves for alternatives on their own."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        prove_slope_and_shift(argument, bounded=True)
    check.near_miss(
        f"{WINDOW}: R below a ratio", partial(prove_slope_and_shift, bounded=True, below=True)
    )


def _slope_too_large(argument: Argument, stream: Stream, why: str) -> None:
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

    argument.counterexample(
        "a larger slope of G",
        f"M outputs the oldest bit with noise, all its slopes are 1, and {why}: e^gamma = {FLOOR} "
        f"is valid, like any number above 1, but the outputs {shown(y)} of two steps have the "
        f"slope {top[y]} / {bottom[y]} = {slope}, more than {bound}.",
        evidence,
        violated,
    )


def prove_slope_and_shift(
    argument: Argument, bounded: bool, reasons: Reasons = OWN, below: bool = False
) -> None:
    """Prove that at a slope R above every finite ratio the shift is P^0(P^1 = 0); `bounded`
    bounds R as well.
    """
    a, b, R, e, z, H, Z, N, P, Q, r, E, T, g, C, m = sympy.symbols(
        "a b R e z H Z N P Q r E T g C m"
    )
    if bounded:
        argument.cite(
            "Lemma 2",
            "R, one ratio P^0(y|z)/P^1(y|z), is at most P r, P the product of e^{gamma_1}, .., "
            "e^{gamma_{t-1}} and r = e^{eps_t|z}",
            "streaming_cw.lemma2-repaired",
            met=only(reasons, BLOCKS, APART, STEPS, KNOWN),
        )
        argument.induction(
            "largest gamma",
            "P is the product of factors e^{gamma_j}, Q the power of C = e^gamma with as many "
            "factors; g <= C is the next factor",
            base=(P <= Q, [sympy.Eq(P, 1), sympy.Eq(Q, 1)]),
            step=(P * g <= Q * C, [P <= Q, g <= C, g > 1, P > 0]),
        )
        argument.inequality(
            "eps_t",
            "Q = e^((t-1) gamma), E = e^{eps_max} >= r: R <= Q E",
            R <= Q * E,
            [P * r >= R, P <= Q, r <= E, P > 0, r > 0],
        )
    argument.cite(
        "max over S",
        "P^0 and P^1 in the place of P0 and P1: it is the sum of e = max(0, a - R b)",
        "streaming_cw.eq2-shift-repaired",
    )
    largest = a <= (R + 1) * b if below else a <= R * b
    one = [
        a >= 0,
        b >= 0,
        sympy.Or(sympy.Eq(b, 0), largest),
        sympy.Or(
            sympy.And(a >= R * b, sympy.Eq(e, a - R * b)), sympy.And(a < R * b, sympy.Eq(e, 0))
        ),
        sympy.Or(sympy.And(sympy.Eq(b, 0), sympy.Eq(z, a)), sympy.And(b > 0, sympy.Eq(z, 0))),
    ]
    argument.induction(
        "only zeros of P^1 count",
        "a = P^0(y|z), b = P^1(y|z); z = a where b = 0 and 0 elsewhere; H sums e and Z sums z",
        base=(sympy.Eq(e, z), one),
        step=(sympy.Eq(H + e, Z + z), [sympy.Eq(H, Z), *one]),
    )
    kept = sympy.Or(sympy.And(sympy.Eq(b, 0), sympy.Eq(m, 0)), sympy.And(b > 0, sympy.Eq(m, a)))
    argument.induction(
        "complement",
        "m = a where b > 0 and 0 elsewhere: N sums m, which is P^0(S_t|z), and T sums a: Z = T - "
        "N, and T = 1 over all tuples",
        base=(sympy.Eq(Z, T - N), [sympy.Eq(Z, 0), sympy.Eq(T, 0), sympy.Eq(N, 0)]),
        step=(sympy.Eq(Z + z, T + a - (N + m)), [sympy.Eq(Z, T - N), one[-1], kept]),
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
)
def product_support(check: Check) -> None:
    """True for independent alternatives, zeros allowed; false for shared randomness."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _product_support(argument, IID)
    check.near_miss(
        f"{WINDOW}: a past of probability 0", lambda argument: _product_support(argument, zero=True)
    )
    for name, stream, why in (
        (STREAM, blocks.one_draw_stream(2), "the scrub replaces all blocks by one new bit"),
        (COIN, blocks.coin_stream(2), "one coin replaces the oldest bit of every window"),
    ):
        with check.reading(name, SMALLEST) as argument:
            _product_support_fails(argument, stream, why)


@claim(
    "streaming_cw.thm4-product-support-repaired",
    where="Theorem 4, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the Cartesian product "
    "of V_{t-1|z*} and V_{t|z*} is in S_t for each z* with p(z*) > 0, and P^0(S_t|z) is at "
    "least the sum over z# and over the product of V_{t-1|z#} and V_{t|z#} of "
    "P^0(y_1..y_{t-1}|[z#,z]_up) P^0(y_t|X_t=[z#,z]) p(z#).",
    kind="proof step",
    assumes=INDEPENDENT,
)
def product_support_repaired(check: Check) -> None:
    """Prove it from the recursion."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _product_support(argument)
    check.near_miss(
        f"{WINDOW}: a past of probability 0", lambda argument: _product_support(argument, zero=True)
    )


def _product_support(argument: Argument, reasons: Reasons = OWN, zero: bool = False) -> None:
    A, B, p, D, s, T, U = sympy.symbols("A B p D s T U")
    recursion(argument, reasons)
    argument.induction(
        "other terms",
        "D sums the terms of P^1(y_1..y_t|z) for the other values of z*",
        base=(s >= 0, [s >= 0]),
        step=(D + s >= 0, [D >= 0, s >= 0]),
    )
    past = A >= 0 if zero else A > 0
    argument.inequality(
        "term of z*", "A, B, p > 0 at z*", D + A * B * p > 0, [D >= 0, past, B > 0, p > 0]
    )
    argument.induction(
        "a larger set",
        "U sums over all of S_t, T only over the product sets, z# by z#: each term of T is in U, "
        "and s >= 0",
        base=(s >= 0, [s >= 0]),
        step=(sympy.And(U + s >= T + s, U + s >= T), [U >= T, s >= 0]),
    )


def _product_support_fails(argument: Argument, stream: Stream, why: str) -> None:
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
    argument.counterexample("not in S_2", sentence, evidence, violated)


@claim(
    "streaming_cw.thm4-induction",
    where="Theorem 4, inductive hypothesis",
    statement="For each z#, the sum over V_{t-1|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) is at least 1 - "
    "(t-1) delta_max.",
    kind="proof step",
    assumes=["Assumption 1", COINS],
    repair="streaming_cw.thm4-induction-repaired",
)
def induction(check: Check) -> None:
    """With Assumption 1 and independent alternatives the sum is 1; no other reading keeps the
    bound.
    """
    with check.reading(f"Assumption 1, {WINDOW}", ALL_SIZES) as argument:
        _whole_mass(argument, IID)
    check.near_miss(
        f"Assumption 1, {WINDOW}: more than the whole",
        lambda argument: _whole_mass(argument, more=HUNDREDTH),
    )
    every, oldest = blocks.flip_stream(blocks.labelled((0, 1, 2, 3)), 2), "M outputs the oldest bit"
    for name, stream, why in (
        (
            f"Assumption 1, {STREAM}",
            blocks.one_draw_stream(2),
            f"{oldest}, and the scrub replaces all blocks by one new bit",
        ),
        (
            f"Assumption 1, {COIN}",
            blocks.coin_stream(2),
            f"{oldest}, and one coin replaces the oldest bit of every window",
        ),
        (
            f"zero probabilities allowed, {WINDOW}",
            every,
            "M outputs its whole window of two bits, and alt flips the oldest",
        ),
    ):
        with check.reading(name, SMALLEST) as argument:
            _mass_missing(argument, stream, why)


@claim(
    "streaming_cw.thm4-induction-repaired",
    where="Theorem 4, inductive hypothesis, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, the sum over "
    "V_{t-1|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) is 1 for each z#, so that it is at least 1 - "
    "(t-1) delta_max.",
    kind="proof step",
    assumes=[*INDEPENDENT, "Assumption 1"],
)
def induction_repaired(check: Check) -> None:
    """Prove the hypothesis without induction, from the supports."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _whole_mass(argument)
    check.near_miss(
        f"{WINDOW}: more than the whole", lambda argument: _whole_mass(argument, more=HUNDREDTH)
    )


def _whole_mass(
    argument: Argument, reasons: Reasons = OWN, more: sympy.Rational = sympy.S.Zero
) -> None:
    N, delta, n, a, b, e, T = sympy.symbols("N delta n a b e T")
    argument.cite(
        "supports",
        "P^0 and P^1 are positive on W^{t-1} and 0 elsewhere, so V_{t-1|z#} = W^{t-1}",
        "streaming_cw.x-supports",
        met=only(reasons, BLOCKS, APART),
    )
    inside = sympy.And(b > 0, sympy.Eq(e, a))
    outside = sympy.And(sympy.Eq(b, 0), sympy.Eq(a, 0), sympy.Eq(e, 0))
    argument.induction(
        "all the mass",
        "a = P^0(y_1..y_{t-1}|..), b = P^1(y_1..y_{t-1}|..) at one tuple, e = a if it is in "
        "V_{t-1|z#}: N sums e and T sums a, and T = 1 over all tuples",
        base=(sympy.Eq(N, T), [sympy.Eq(N, 0), sympy.Eq(T, 0)]),
        step=(sympy.Eq(N + e, T + a), [sympy.Eq(N, T), sympy.Or(inside, outside)]),
    )
    argument.inequality(
        "bound",
        "n = t - 1",
        1 - n * delta + more <= N,
        [sympy.Eq(N, T), sympy.Eq(T, 1), delta >= 0, n >= 1],
    )


def _mass_missing(argument: Argument, stream: Stream, why: str) -> None:
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
    argument.counterexample(
        "mass missing",
        f"{why}: all slopes are 1, so that delta_max = 0, but with t - 1 = 2 the outputs on the "
        f"data that are possible on the scrubbed data have probability {mass(top, bottom)}, not 1.",
        evidence,
        lambda: blocks.slopes_all_one(stream) and mass(top, bottom) < 1,
    )
