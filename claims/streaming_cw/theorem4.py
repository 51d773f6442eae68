"""Theorem 4: streaming CW-privacy composes with a shift that grows linearly and an epsilon that grows by gamma per step.

Under Assumption 1 the theorem's shift is 0, and the steps that should bound it are not needed; one of them is false. With eq.
(1) for every outcome P0 = P1, and the theorem holds in both directions; otherwise only P^0 against P^1. R = e^eps; N and D are
P^0 and P^1 of a tuple or a set of tuples. Source: "Composition Theorem for streaming CW-privacy", Theorem 4.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Stream, Window, hockey_stick
from pufferproof.claims.streaming_cw.stream_readings import (
    ALL_SIZES,
    COIN,
    EVERY,
    FLOOR,
    HUNDREDTH,
    SMALLEST,
    STREAM,
    WINDOW,
)
from pufferproof.verify.proof import Argument


@claim(
    "streaming_cw.thm4",
    where="Theorem 4",
    statement="G = (M(X_1), .., M(X_t)) is (eps_t, delta_t, Delta, Gamma)-CW private with eps_t <= eps_max + (t-1) gamma and "
    "delta_t <= t delta_max.",
    assumes=["i.i.d. blocks", "Assumptions 1 to 3", "X_{t down} is the auxiliary information"],
    repair="streaming_cw.thm4-repaired",
)
def thm4(check: Check) -> None:
    """True where the slopes are all 1 or only one direction is asked, with independent alternatives."""
    name = f"{EVERY}, both directions, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _both_directions(argument)
    check.near_miss(f"{name}: P0 and P1 not equal", lambda argument: _both_directions(argument, unequal=True))
    for condition in ("a law for each step", "given a secret about one block"):
        name = f"{EVERY}, both directions, {WINDOW}, {condition}"
        with check.reading(name, ALL_SIZES) as argument:
            _both_directions(argument)
        check.near_miss(f"{name}: P0 and P1 not equal", lambda argument: _both_directions(argument, unequal=True))
    with check.reading(f"{EVERY}, {WINDOW}, given a secret about all blocks", SMALLEST) as argument:
        _theorem_fails(argument, blocks.parity_stream(), {3: 0})
    name = f"ratios of at least 1 listed, or no sign condition; P0 against P1, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_direction(argument)
    check.near_miss(f"{name}: one gamma fewer", lambda argument: _one_direction(argument, fewer=True))
    name = f"eps_t the largest log-slope of G at its z, delta_t the shift there, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _largest_slope(argument)
    check.near_miss(f"{name}: eps_max left out", lambda argument: _largest_slope(argument, left_out=True))
    with check.reading("ratios of at least 1 listed, both directions", "t = 1, bits, B = 2") as argument:
        reversed_fails(argument)
    with check.reading("every slope-shift pair of G", "t = 2, bits, B = 2") as argument:
        _other_slopes_fail(argument)
    with check.reading(f"{EVERY}, every X_(i down) known", SMALLEST) as argument:
        _theorem_fails(argument, blocks.flip_stream(blocks.oldest(), 2), {2: 0, 3: 0})
    with check.reading(f"{EVERY}, {STREAM}", SMALLEST) as argument:
        _theorem_fails(argument, blocks.one_draw_stream(2), {3: 0})
    with check.reading(f"{EVERY}, {COIN}", SMALLEST) as argument:
        _theorem_fails(argument, blocks.coin_stream(2), {3: 0})
    with check.reading("Assumptions 1 and 3 dropped", "bits, B = 2, deterministic M") as argument:
        _zeros_fail(argument)
    name = "no sign condition, both directions, t = 1"
    with check.reading(name, ALL_SIZES) as argument:
        _one_step_reversed(argument)
    check.near_miss(f"{name}: a smaller shift", lambda argument: _one_step_reversed(argument, HUNDREDTH))
    with check.reading("no sign condition, both directions, t >= 2", "P^1 against P^0 is neither proved nor refuted"):
        pass


def _both_directions(argument: Argument, unequal: bool = False) -> None:
    a, c, b, d, g = sympy.symbols("a c b d g")
    argument.cite("P0 = P1", "at every z, so eps_max = 0 and delta_max = 0", "streaming_cw.x-eq1-collapse")
    equal = [a > 0, b > 0] if unequal else [sympy.Eq(a, c), sympy.Eq(b, d)]
    argument.inequality(
        "Assumption 3 exchanged",
        "a, c = P0, P1 at (y|z), b, d = P0, P1 at (y|z'): a <= g d gives c <= g b",
        c <= g * b,
        [*equal, a <= g * d, c > 0, d > 0, g > 1],
    )
    sentence = "Lemma 2, whose proof needs only two kernels: also with M and M(alt(.)) exchanged"
    argument.cite("both ratios", sentence, "streaming_cw.lemma2-repaired")
    _sets_and_exponents(argument)


def _one_direction(argument: Argument, fewer: bool = False) -> None:
    argument.cite(
        "ratio of one tuple", "N <= exp(gamma_1 + .. + gamma_{t-1} + eps_t|z) D", "streaming_cw.lemma2-repaired"
    )
    _sets_and_exponents(argument, fewer)


def _sets_and_exponents(argument: Argument, fewer: bool = False) -> None:
    P, Q, g, C, N, D, n, d, r, E, delta, t = sympy.symbols("P Q g C N D n d r E delta t")
    argument.induction(
        "largest gamma",
        "P = product of e^{gamma_j}, Q = power of C = e^gamma, with as many factors; g <= C is the next factor",
        base=(g <= C, [g <= C, g > 1]),
        step=(P * g <= (Q if fewer else Q * C), [P <= Q, g <= C, g > 1, P > 0]),
    )
    argument.inequality(
        "largest slope",
        "r = e^{eps_t|z} <= E = e^{eps_max}",
        n <= Q * E * d,
        [n <= P * r * d, P <= Q, r <= E, P > 0, r > 0, d > 0],
    )
    argument.induction(
        "sets of tuples",
        "N, D sum n, d over the tuples of S so far; R = Q E",
        base=(n <= Q * E * d, [n <= Q * E * d]),
        step=(N + n <= Q * E * (D + d), [N <= Q * E * D, n <= Q * E * d]),
    )
    argument.inequality(
        "a shift is not negative",
        "delta = delta_max >= 0, as the empty set is allowed",
        Q * E * D + t * delta >= N,
        [N <= Q * E * D, delta >= 0, t >= 1],
    )


def _one_step_reversed(argument: Argument, less: sympy.Rational = sympy.S.Zero) -> None:
    a, b, r, E, A, B, p, q, delta = sympy.symbols("a b r E A B p q delta")
    argument.induction(
        "smallest ratio",
        "r is the smallest ratio P0(y|z)/P1(y|z) = a/b; A, B sum a, b over the outcomes so far, and a - r b >= 0",
        base=(a >= r * b, [a >= r * b, b > 0]),
        step=(A + a >= r * (B + b), [r * B <= A, a >= r * b, b > 0]),
    )
    argument.inequality("largest ratio", "P0 and P1 sum to 1", E >= 1, [A <= E * B, sympy.Eq(A, 1), sympy.Eq(B, 1)])
    argument.inequality(
        "its shift", "at slope r every term counts", sympy.Eq(A - r * B, 1 - r), [sympy.Eq(A, 1), sympy.Eq(B, 1)]
    )
    argument.inequality(
        "exchanged",
        "p = P0(S|z), q = P1(S|z), delta = delta_max >= 1 - r: P1(S|z) <= e^{eps_max} P0(S|z) + delta_max",
        q <= E * p + delta - less,
        [p >= r * q, E >= 1, delta >= 1 - r, r > 0, r <= 1, p >= 0, q >= 0, q <= 1],
    )


def _largest_slope(argument: Argument, left_out: bool = False) -> None:
    P, Q, r, E, n, d, delta, shift, t = sympy.symbols("P Q r E n d delta shift t")
    argument.cite("largest slope of G", "it is one ratio n/d, so Lemma 2 bounds it", "streaming_cw.lemma2-repaired")
    argument.inequality(
        "eps_t",
        "P <= Q = e^((t-1) gamma), r = e^{eps_t|z} <= E = e^{eps_max}",
        n / d <= (Q if left_out else Q * E),
        [n <= P * r * d, P <= Q, r <= E, P > 0, r > 0, d > 0],
    )
    argument.cite("delta_t", "G has supports W^t, by Assumption 1", "streaming_cw.x-supports")
    argument.cite("is 0", "so the shift at its largest slope is 0", "streaming_cw.x-min-shift-zero")
    argument.inequality(
        "at most t delta_max", "delta = delta_max", shift <= t * delta, [sympy.Eq(shift, 0), delta >= 0, t >= 1]
    )


def listed_level(stream: Stream) -> tuple[Fraction, Fraction]:
    """Return (e^{eps_max + (t-1) gamma}, t delta_max) with ratios of at least 1 listed and e^gamma the least bound >= 5/4."""
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


def reversed_fails(argument: Argument) -> None:
    """Refute one step of P1 against P0 at the level that P0 against P1 has, with ratios of at least 1 listed."""
    stream, z = blocks.lean_stream(), (0,)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    ratio, shift = listed_level(stream)
    evidence = blocks.show(stream, z=z, y=(1,), P0=top, P1=bottom, ratio=ratio, delta=shift)

    def violated() -> bool:
        return blocks.assumption1(stream) and hockey_stick(bottom, top, ratio) > shift

    sentence = "t = 1, the only listed slope is 3/2 with shift 0, and P1(1|z) = 1/2 > 3/2 P0(1|z) = 3/8"
    argument.counterexample("exchanged", sentence, evidence, violated)


def _bit_mechanisms() -> Iterator[dict[Window, blocks.Row]]:
    windows = list(product((0, 1), repeat=2))
    for denominator in (1, 2):
        for parts in product(range(denominator + 1), repeat=4):
            yield blocks.bit_rows({(w[0], w[1]): Fraction(part, denominator) for w, part in zip(windows, parts)})


def _other_slopes_fail(argument: Argument) -> None:
    def low_shift(stream: Stream, z: Window) -> tuple[Fraction, Fraction]:
        top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, z)
        slope = min(slope for slope in blocks.slopes(top, bottom) if slope >= 1)
        return slope, hockey_stick(list(top.values()), list(bottom.values()), slope)

    def holds(rows: Mapping[Window, blocks.Row]) -> bool:
        stream = blocks.flip_stream(rows, 2)
        return not blocks.assumption1(stream) or all(low_shift(stream, z)[1] == 0 for z in stream.aux_values)

    family = _bit_mechanisms()
    rows = argument.exhaust("smallest denominators", "every slope >= 1 of G has shift 0 = t delta_max", family, holds)
    if rows is None:
        return
    stream = blocks.flip_stream(rows, 2)
    z = next(z for z in stream.aux_values if low_shift(stream, z)[1])
    slope, shift = low_shift(stream, z)
    evidence = blocks.show(stream, z=z, slope=slope, shift=shift, delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and blocks.assumption1(stream) and low_shift(stream, z)[1] > 0

    sentence = f"all slopes of M are 1 with shift 0; G has the slope {slope} with shift {shift} > 2 delta_max = 0"
    argument.counterexample("a smaller slope of G", sentence, evidence, violated)


def _theorem_fails(argument: Argument, stream: Stream, known: dict[int, int]) -> None:
    top, bottom = (blocks.law_of_outputs(stream, scrubbed, known) or {} for scrubbed in (False, True))
    ratio, shift = listed_level(stream)
    reached = hockey_stick(list(top.values()), list(bottom.values()), ratio)
    evidence = blocks.show(stream, known_blocks=known, P0=top, P1=bottom, ratio=ratio, delta=shift, reached=reached)

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and blocks.assumption1(stream) and reached > shift

    sentence = (
        f"at R = {ratio} (e^gamma = 5/4, valid like any above 1) P^0 against P^1 needs delta = {reached}, not {shift}"
    )
    argument.counterexample("larger shift", sentence, evidence, violated)


def _zeros_fail(argument: Argument) -> None:
    def missing(stream: Stream) -> Fraction:
        tops, bottoms = blocks.joint(stream, False, (0,)), blocks.joint(stream, True, (0,))
        return sum((mass for y, mass in tops.items() if not bottoms[y]), start=Fraction(0))

    def holds(labels: Window) -> bool:
        return missing(blocks.flip_stream(blocks.labelled(labels), 2)) == 0

    family = [labels for m in (1, 2, 3, 4) for labels in product(range(m), repeat=4) if len(set(labels)) == m]
    labels = argument.exhaust("fewest outcomes", "P^0(P^1 = 0 | z) = 0 = t delta_max", family, holds)
    if labels is None:
        return
    stream = blocks.flip_stream(blocks.labelled(labels), 2)
    evidence = blocks.show(stream, z=(0,), P0_where_P1_is_0=missing(stream), delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and missing(stream) > 0

    sentence = f"P0 = P1 at each step, so delta_max = 0, but P^0 puts {missing(stream)} where P^1 is 0, whatever eps_t"
    argument.counterexample("disjoint parts", sentence, evidence, violated)
