"""Theorem 4: streaming CW-privacy composes with a shift that grows linearly and an epsilon that
grows by gamma per step.

Under Assumption 1 the theorem's shift is 0, and the steps that should bound it are not needed; one
of them is false. With eq. (1) for every outcome P0 = P1, and the theorem holds in both directions;
otherwise only P^0 against P^1. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof, above, at_least, letter, letters
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance, laws, most_above
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    COIN,
    COINS,
    EVERY,
    FLOOR,
    SMALLEST,
    STREAM,
    WINDOW,
)
from pufferproof.claims.papers.streaming_cw.theorem4.statements import (
    LARGEST_SLOPE,
    ONE_DIRECTION,
    ONE_STEP,
    THEOREM_4,
    TWO_STEPS,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "P0(y|z), P1(y|z) at the next outcome y")
growth = letter("growth", "e^gamma, the largest factor")
slope = letter("slope", "e^{eps_t|z}, the slope of the last step", above(0))
top, bottom = letters("top bottom", "P^0(S|z), P^1(S|z), or their sums so far")
shift = letter("shift", "the shift of G at its largest slope")
w = letter("w", "p(z*) Pr[M(alt([z*,z])) = y] at the next z*", at_least(0))


@claim(
    "streaming_cw.thm4",
    where="Theorem 4",
    statement="G = (M(X_1), .., M(X_t)) is (eps_t, delta_t, Delta, Gamma)-CW private with eps_t <= "
    "eps_max + (t-1) gamma and delta_t <= t delta_max.",
    assumes=[
        "i.i.d. blocks",
        "Assumptions 1 to 3",
        "X_{t down} is the auxiliary information",
        COINS,
    ],
    repair="streaming_cw.thm4-repaired",
    says={
        f"{EVERY}, both directions, {WINDOW}": THEOREM_4,
        f"ratios of at least 1 listed, or no sign condition; P0 against P1, {WINDOW}": (
            ONE_DIRECTION
        ),
        f"eps_t the largest log-slope of G at its z, delta_t the shift there, {WINDOW}": (
            LARGEST_SLOPE
        ),
        "no sign condition, both directions, t = 1": ONE_STEP,
        f"no sign condition, both directions, t = 2, {WINDOW}": TWO_STEPS,
    },
)
def thm4(check: Check) -> None:
    """True where the slopes are all 1 or only one direction is asked, with independent
    alternatives.

    Eq. (1) for every outcome, both directions, alternatives drawn for each window on its own: each
    block may have a law of its own, as given a secret about one block. P0 = P1 at every z, so
    eps_max = 0 and delta_max = 0 [streaming_cw.x-eq1-collapse]. Assumption 3 and its exchange bound
    sets of outcomes by e^gamma, the largest factor; composition with eps = 0 and shift 0
    [streaming_cw.thm4-repaired].

    Ratios of at least 1 listed, or no sign condition; P0 against P1, alternatives drawn for each
    window on its own. P^0(y_1..y_t|z) <= exp(gamma_1 + .. + gamma_{t-1} + eps_t|z) P^1(y_1..y_t|z)
    [streaming_cw.lemma2-repaired], each factor at most e^gamma and the slope of the last step at
    most E; sums over the tuples of S; delta >= 0, as the empty set is allowed.

    Eps_t the largest log-slope of G at its z, delta_t the shift there, alternatives drawn for each
    window on its own. It is the ratio of one tuple, so Lemma 2 bounds it. G has supports W^t, by
    Assumption 1 [streaming_cw.x-supports], so the shift at its largest slope is 0
    [streaming_cw.x-min-shift-zero], at most t delta_max.

    No sign condition, both directions, t = 1. At the smallest ratio r every outcome counts: delta
    >= 1 - r, and P1(S|z) <= e^{eps_max} P0(S|z) + delta_max, as P0 and P1 sum to 1.

    No sign condition, both directions, t = 2, alternatives drawn for each window on its own. r and
    E are the smallest and largest P0(y|z)/P1(y|z), r <= 1 <= E, and P0(y|z) <= e^gamma P1(y|z');
    delta_max >= 1 - r, as at the slope r every outcome counts. The two outputs are independent
    given X_2 [streaming_cw.lem1-conditioning-repaired], and the first depends on [z*,z]_up only
    [streaming_cw.lem1-locality-repaired]. S_y holds the first outcomes that S has before y; u is
    the largest P1(S_y|z1) and low the least P0(S_y|z2): X <= u W and e^gamma Y >= e^gamma low V >=
    r^2 u V. Each y counts if W > k V, else not. If E r >= 1: r counted_1 <= counted_0 for every
    set. If E r <= 1: the outcomes left out have P0 <= E P1. H is at most 1 - r^2 in both cases:
    P^1(S|z) <= E e^gamma P^0(S|z) + 2 delta_max.
    """
    _slopes_all_one(check)
    _largest_ratio(check)
    _other_slopes(check)
    _other_laws(check)
    _no_sign_condition(check)


def _slopes_all_one(check: Check) -> None:
    check.tried(f"{EVERY}, both directions, {WINDOW}")
    with check.reading(f"{EVERY}, {WINDOW}, given a secret about all blocks", SMALLEST) as proof:
        why = "the sum of all bits is known to be even"
        _theorem_fails(proof, blocks.parity_stream(), {3: 0}, why)


def _largest_ratio(check: Check) -> None:
    check.tried(f"ratios of at least 1 listed, or no sign condition; P0 against P1, {WINDOW}")
    name = f"eps_t the largest log-slope of G at its z, delta_t the shift there, {WINDOW}"
    check.tried(name)


def _other_slopes(check: Check) -> None:
    with check.reading(
        "ratios of at least 1 listed, both directions", "t = 1, bits, B = 2"
    ) as proof:
        reversed_fails(proof)
    with check.reading("every slope-shift pair of G", "t = 2, bits, B = 2") as proof:
        _other_slopes_fail(proof)


def _other_laws(check: Check) -> None:
    with check.reading(f"{EVERY}, every X_(i down) known", SMALLEST) as proof:
        why = "the adversary knows b_2 = b_3 = 0, so the second window"
        _theorem_fails(proof, blocks.flip_stream(blocks.oldest(), 2), {2: 0, 3: 0}, why)
    with check.reading(f"{EVERY}, {STREAM}", SMALLEST) as proof:
        why = "the scrub replaces all blocks by one new bit"
        _theorem_fails(proof, blocks.one_draw_stream(2), {3: 0}, why)
    with check.reading(f"{EVERY}, {COIN}", SMALLEST) as proof:
        why = "one coin replaces the oldest bit of every window"
        _theorem_fails(proof, blocks.coin_stream(2), {3: 0}, why)
    with check.reading("Assumptions 1 and 3 dropped", "bits, B = 2, deterministic M") as proof:
        _zeros_fail(proof)


def _no_sign_condition(check: Check) -> None:
    check.tried("no sign condition, both directions, t = 1")
    check.tried(f"no sign condition, both directions, t = 2, {WINDOW}")
    with check.reading(
        "no sign condition, both directions, t >= 3",
        "P^1 against P^0 is neither derived nor refuted",
    ):
        pass


def listed_level(stream: Stream) -> tuple[Fraction, Fraction]:
    """Return (e^{eps_max + (t-1) gamma}, t delta_max) with ratios of at least 1 listed and
    e^gamma the least bound >= 5/4.
    """
    pairs = [
        (blocks.one_step(stream, False, z, step), blocks.one_step(stream, True, z, step))
        for step in range(1, stream.steps + 1)
        for z in stream.aux_values
    ]
    ratios = [[a / b for a, b in zip(*pair) if b and a >= b] for pair in pairs]
    shift = max(hockey_stick(*pair, min(found)) for pair, found in zip(pairs, ratios))
    steps = range(1, stream.steps)
    growths = [blocks.growth(stream, y, step, FLOOR) for y in stream.outputs for step in steps]
    largest = max([growth for growth in growths if growth is not None], default=Fraction(1))
    return max(map(max, ratios)) * largest ** (stream.steps - 1), stream.steps * shift


def reversed_fails(proof: Proof) -> None:
    """Refute one step of P1 against P0 at the level that P0 against P1 has, with ratios of at
    least 1 listed.
    """
    stream, z = blocks.lean_stream(), (0,)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    ratio, shift = listed_level(stream)
    evidence = blocks.show(stream, z=z, y=(1,), P0=top, P1=bottom, ratio=ratio, delta=shift)

    def violated() -> bool:
        return blocks.assumption1(stream) and hockey_stick(bottom, top, ratio) > shift

    sentence = (
        "One step, P0 = (3/4, 1/4) and P1 = (1/2, 1/2): P0(S) <= 3/2 P1(S) for all sets S, and 3/2 "
        "is the only slope of at least 1, with shift 0; but P1 gives the outcome 1 the probability "
        "1/2, more than 3/2 * 1/4 = 3/8."
    )
    formula = f"{laws(stream, z)} and excess(P1, P0, ratio) > delta"
    proof.counterexample("exchanged", sentence, evidence, violated, formula)


def _bit_mechanisms() -> Iterator[dict[Window, blocks.Row]]:
    windows = list(product((0, 1), repeat=2))
    for denominator in (1, 2):
        for parts in product(range(denominator + 1), repeat=4):
            yield blocks.bit_rows(
                {(w[0], w[1]): Fraction(part, denominator) for w, part in zip(windows, parts)}
            )


def _other_slopes_fail(proof: Proof) -> None:
    def low_shift(stream: Stream, z: Window) -> tuple[Fraction, Fraction]:
        top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, z)
        slope = min(slope for slope in blocks.slopes(top, bottom) if slope >= 1)
        return slope, hockey_stick(list(top.values()), list(bottom.values()), slope)

    def holds(rows: Mapping[Window, blocks.Row]) -> bool:
        stream = blocks.flip_stream(rows, 2)
        return not blocks.assumption1(stream) or all(
            low_shift(stream, z)[1] == 0 for z in stream.aux_values
        )

    family = _bit_mechanisms()
    rows = proof.exhaust(
        "smallest denominators", "every slope >= 1 of G has shift 0 = t delta_max", family, holds
    )
    if rows is None:
        return
    stream = blocks.flip_stream(rows, 2)
    z = next(z for z in stream.aux_values if low_shift(stream, z)[1])
    slope, shift = low_shift(stream, z)
    evidence = blocks.show(stream, z=z, slope=slope, shift=shift, delta_max=Fraction(0))

    def violated() -> bool:
        return (
            blocks.slopes_all_one(stream)
            and blocks.assumption1(stream)
            and low_shift(stream, z)[1] > 0
        )

    sentence = (
        f"All slopes of M are 1 with shift 0, so that 2 delta_max = 0; but G, the outputs of two "
        f"steps, has the slope {slope} with shift {shift} > 0."
    )
    formula = f"{most_above(stream, z, slope)} > 2*delta_max"
    proof.counterexample("a smaller slope of G", sentence, evidence, violated, formula)


def _theorem_fails(proof: Proof, stream: Stream, known: dict[int, int], why: str) -> None:
    top, bottom = (
        blocks.law_of_outputs(stream, scrubbed, known) or {} for scrubbed in (False, True)
    )
    ratio, shift = listed_level(stream)
    reached = hockey_stick(list(top.values()), list(bottom.values()), ratio)
    evidence = blocks.show(
        stream, known_blocks=known, P0=top, P1=bottom, ratio=ratio, delta=shift, reached=reached
    )

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and blocks.assumption1(stream) and reached > shift

    sentence = (
        f"M outputs the oldest bit, all slopes are 1, and {why}: at the factor {ratio} (e^gamma = "
        f"5/4 is valid, like any number above 1) the outputs of two steps need the shift "
        f"{reached}, not t delta_max = {shift}."
    )
    formula = f"{laws(stream, known)} and excess(P0, P1, ratio) > delta"
    proof.counterexample("larger shift", sentence, evidence, violated, formula)


def _zeros_fail(proof: Proof) -> None:
    def missing(stream: Stream) -> Fraction:
        tops, bottoms = blocks.joint(stream, False, (0,)), blocks.joint(stream, True, (0,))
        return sum((mass for y, mass in tops.items() if not bottoms[y]), start=Fraction(0))

    def holds(labels: Window) -> bool:
        return missing(blocks.flip_stream(blocks.labelled(labels), 2)) == 0

    family = [
        labels
        for m in (1, 2, 3, 4)
        for labels in product(range(m), repeat=4)
        if len(set(labels)) == m
    ]
    labels = proof.exhaust("fewest outcomes", "P^0(P^1 = 0 | z) = 0 = t delta_max", family, holds)
    if labels is None:
        return
    stream = blocks.flip_stream(blocks.labelled(labels), 2)
    evidence = blocks.show(stream, z=(0,), P0_where_P1_is_0=missing(stream), delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and missing(stream) > 0

    sentence = (
        f"P0 = P1 at each step, so that delta_max = 0; but the outputs of two steps on the data "
        f"fall with probability {missing(stream)} where those on the scrubbed data never do, so "
        f"that the shift is at least that, whatever eps_t."
    )
    tops, bottoms = (blocks.joint(stream, scrubbed, (0,)) for scrubbed in (False, True))
    y = next(y for y, mass in tops.items() if mass and not bottoms[y])
    formula = f"{chance(stream, False, (0,), y)} > 0 and {chance(stream, True, (0,), y)} = 0"
    proof.counterexample("disjoint parts", sentence, evidence, violated, formula)
