"""Theorem 4: streaming CW-privacy composes with a shift that grows linearly and an epsilon that
grows by gamma per step.

Under Assumption 1 the theorem's shift is 0, and the steps that should bound it are not needed; one
of them is false. With eq.
(1) for every outcome P0 = P1, and the theorem holds in both directions; otherwise only P^0 against
  P^1. R = e^eps; N and D are P^0 and P^1 of a tuple or a set of tuples. Source: "Composition
  Theorem for streaming CW-privacy", Theorem 4.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window, hockey_stick
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    APART,
    BLOCKS,
    COIN,
    COINS,
    EVERY,
    FLOOR,
    HUNDREDTH,
    IID,
    KNOWN,
    LAW_EACH_STEP,
    SECRET,
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
)
def thm4(check: Check) -> None:
    """True where the slopes are all 1 or only one direction is asked, with independent
    alternatives.
    """
    name = f"{EVERY}, both directions, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _both_directions(argument, IID)
    check.near_miss(
        f"{name}: P0 and P1 not equal", lambda argument: _both_directions(argument, unequal=True)
    )
    for condition, reasons in (
        ("a law for each step", LAW_EACH_STEP),
        ("given a secret about one block", SECRET),
    ):
        name = f"{EVERY}, both directions, {WINDOW}, {condition}"
        with check.reading(name, ALL_SIZES) as argument:
            _both_directions(argument, reasons)
        check.near_miss(
            f"{name}: P0 and P1 not equal",
            lambda argument: _both_directions(argument, unequal=True),
        )
    with check.reading(f"{EVERY}, {WINDOW}, given a secret about all blocks", SMALLEST) as argument:
        _theorem_fails(
            argument, blocks.parity_stream(), {3: 0}, "the sum of all bits is known to be even"
        )
    name = f"ratios of at least 1 listed, or no sign condition; P0 against P1, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_direction(argument)
    check.near_miss(
        f"{name}: one gamma fewer", lambda argument: _one_direction(argument, fewer=True)
    )
    name = f"eps_t the largest log-slope of G at its z, delta_t the shift there, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _largest_slope(argument)
    check.near_miss(
        f"{name}: eps_max left out", lambda argument: _largest_slope(argument, left_out=True)
    )
    with check.reading(
        "ratios of at least 1 listed, both directions", "t = 1, bits, B = 2"
    ) as argument:
        reversed_fails(argument)
    with check.reading("every slope-shift pair of G", "t = 2, bits, B = 2") as argument:
        _other_slopes_fail(argument)
    with check.reading(f"{EVERY}, every X_(i down) known", SMALLEST) as argument:
        why = "the adversary knows b_2 = b_3 = 0, so the second window"
        _theorem_fails(argument, blocks.flip_stream(blocks.oldest(), 2), {2: 0, 3: 0}, why)
    with check.reading(f"{EVERY}, {STREAM}", SMALLEST) as argument:
        why = "the scrub replaces all blocks by one new bit"
        _theorem_fails(argument, blocks.one_draw_stream(2), {3: 0}, why)
    with check.reading(f"{EVERY}, {COIN}", SMALLEST) as argument:
        why = "one coin replaces the oldest bit of every window"
        _theorem_fails(argument, blocks.coin_stream(2), {3: 0}, why)
    with check.reading("Assumptions 1 and 3 dropped", "bits, B = 2, deterministic M") as argument:
        _zeros_fail(argument)
    name = "no sign condition, both directions, t = 1"
    with check.reading(name, ALL_SIZES) as argument:
        _one_step_reversed(argument)
    check.near_miss(
        f"{name}: a smaller shift", lambda argument: _one_step_reversed(argument, HUNDREDTH)
    )
    name = f"no sign condition, both directions, t = 2, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _two_steps_reversed(argument)
    check.near_miss(
        f"{name}: a smaller shift", lambda argument: _two_steps_reversed(argument, HUNDREDTH)
    )
    with check.reading(
        "no sign condition, both directions, t >= 3",
        "P^1 against P^0 is neither derived nor refuted",
    ):
        pass


def _both_directions(argument: Argument, reasons: Reasons = IID, unequal: bool = False) -> None:
    a, c, b, d, g, C, A, B, D, F, N, E, Q, t, delta = sympy.symbols(
        "a c b d g C A B D F N E Q t delta"
    )
    argument.cite(
        "P0 = P1", "at every z, so eps_max = 0 and delta_max = 0", "streaming_cw.x-eq1-collapse"
    )
    equal = [a > 0, b > 0] if unequal else [sympy.Eq(a, c), sympy.Eq(b, d)]
    argument.inequality(
        "Assumption 3 exchanged",
        "a, c = P0, P1 at (y|z), b, d = P0, P1 at (y|z'): a <= g d gives c <= g b",
        c <= g * b,
        [*equal, a <= g * d, c > 0, d > 0, g > 1],
    )
    argument.induction(
        "sets of outcomes",
        "C = e^gamma is the largest g. A, F sum a, c over the outcomes of S so far, B, D sum b, d: "
        "P0(S|z) <= C P1(S|z') and P1(S|z) <= C P0(S|z')",
        base=(sympy.And(a <= C * d, c <= C * b), [a <= g * d, c <= g * b, g <= C, b > 0, d > 0]),
        step=(
            sympy.And(A + a <= C * (D + d), F + c <= C * (B + b)),
            [A <= C * D, F <= C * B, a <= g * d, c <= g * b, g <= C, b > 0, d > 0],
        ),
    )
    argument.cite(
        "composition",
        "with eps = 0 and shift 0, as P0(S|z) = P1(S|z) for every set S: N = P^0(S|z) and D = "
        "P^1(S|z) bound each other by the factor Q = e^((t-1) gamma)",
        "streaming_cw.thm4-repaired",
        met=only(reasons, BLOCKS, APART, KNOWN),
    )
    argument.inequality(
        "the level of the theorem",
        "E = e^{eps_max} = 1, and delta = delta_max = 0",
        sympy.And(Q * E * D + t * delta >= N, Q * E * N + t * delta >= D),
        [N <= Q * D, D <= Q * N, sympy.Eq(E, 1), sympy.Eq(delta, 0), t >= 1],
    )


def _one_direction(argument: Argument, fewer: bool = False) -> None:
    argument.cite(
        "ratio of one tuple",
        "N <= exp(gamma_1 + .. + gamma_{t-1} + eps_t|z) D",
        "streaming_cw.lemma2-repaired",
        met=only(IID, BLOCKS, APART, STEPS, KNOWN),
    )
    _sets_and_exponents(argument, fewer)


def _sets_and_exponents(argument: Argument, fewer: bool = False) -> None:
    P, Q, g, C, N, D, n, d, r, E, delta, t = sympy.symbols("P Q g C N D n d r E delta t")
    argument.induction(
        "largest gamma",
        "P = product of e^{gamma_j}, Q = power of C = e^gamma, with as many factors; g <= C is the "
        "next factor",
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
        "r is the smallest ratio P0(y|z)/P1(y|z) = a/b; A, B sum a, b over the outcomes so far, "
        "and a - r b >= 0",
        base=(a >= r * b, [a >= r * b, b > 0]),
        step=(A + a >= r * (B + b), [r * B <= A, a >= r * b, b > 0]),
    )
    argument.inequality(
        "largest ratio", "P0 and P1 sum to 1", E >= 1, [A <= E * B, sympy.Eq(A, 1), sympy.Eq(B, 1)]
    )
    argument.inequality(
        "its shift",
        "at slope r every term counts",
        sympy.Eq(A - r * B, 1 - r),
        [sympy.Eq(A, 1), sympy.Eq(B, 1)],
    )
    argument.inequality(
        "exchanged",
        "p = P0(S|z), q = P1(S|z), delta = delta_max >= 1 - r: P1(S|z) <= e^{eps_max} P0(S|z) + "
        "delta_max",
        q <= E * p + delta - less,
        [p >= r * q, E >= 1, delta >= 1 - r, r > 0, r <= 1, p >= 0, q >= 0, q <= 1],
    )


def _two_steps_reversed(argument: Argument, less: sympy.Rational = sympy.S.Zero) -> None:
    """Prove P^1(S|z) <= e^{eps_max + gamma} P^0(S|z) + 2 delta_max, where delta_max = 1 - r, r
    the smallest one-step slope.
    """
    a, b, r, E, C, A, B, D, d = sympy.symbols("a b r E C A B D d")
    h, u, s, low, w, v, x, X, Y, q, m = sympy.symbols("h u s l w v x X Y q m")
    N, F, H, alpha, beta, k = sympy.symbols("N F H alpha beta k")
    argument.induction(
        "sets of outcomes",
        "r and E = e^{eps_max} are the smallest and largest P0(y|z)/P1(y|z), C = e^gamma. A, B sum "
        "a = P0(y|z), b = P1(y|z) over a set, and D sums d = P1(y|z')",
        base=(
            sympy.And(a >= r * b, a <= E * b, a <= C * d),
            [a >= r * b, a <= E * b, a <= C * d, b > 0, d > 0],
        ),
        step=(
            sympy.And(A + a >= r * (B + b), A + a <= E * (B + b), A + a <= C * (D + d)),
            [A >= r * B, A <= E * B, A <= C * D, a >= r * b, a <= E * b, a <= C * d, b > 0, d > 0],
        ),
    )
    argument.inequality(
        "the largest shift",
        "at the slope r every outcome counts, so its shift is A - r B = 1 - r over all outcomes: "
        "delta_max >= 1 - r, and r <= 1 <= E",
        sympy.And(sympy.Eq(A - r * B, 1 - r), r <= 1, E >= 1),
        [sympy.Eq(A, 1), sympy.Eq(B, 1), A >= r * B, A <= E * B],
    )
    argument.inequality(
        "the first step, across z",
        "S_y holds the first outcomes that S has before y. u = P1(S_y|z1), h = P0(S_y|z1), s = "
        "P1(S_y|z2), l = P0(S_y|z2)",
        r**2 * u <= C * low,
        [h >= r * u, h <= C * s, low >= r * s, r > 0, C > 0],
    )
    argument.cite(
        "condition on z*",
        "the two outputs are independent given X_2",
        "streaming_cw.lem1-conditioning-repaired",
        met=only(IID, BLOCKS, APART),
    )
    argument.cite(
        "forget the newest block",
        "the first output depends on [z*,z]_up only",
        "streaming_cw.lem1-locality-repaired",
        met=only(IID, BLOCKS, APART),
    )
    argument.induction(
        "sum over z*",
        "For one y, w = p(z*) Pr[M(alt([z*,z])) = y] and v = p(z*) M([z*,z])[y]; x = "
        "P1(S_y|[z*,z]_up) <= u and h = P0(S_y|[z*,z]_up) >= l, u the largest and l the least over "
        "all z1, z2: X, q sum w x, w and Y, m sum v h, v",
        base=(sympy.And(w * x <= u * w, v * h >= low * v), [x <= u, h >= low, w >= 0, v >= 0]),
        step=(
            sympy.And(X + w * x <= u * (q + w), Y + v * h >= low * (m + v)),
            [X <= u * q, Y >= low * m, x <= u, h >= low, w >= 0, v >= 0],
        ),
    )
    counted = sympy.And(q > k * m, sympy.Eq(alpha, q), sympy.Eq(beta, m))
    left_out = sympy.And(q <= k * m, sympy.Eq(alpha, 0), sympy.Eq(beta, 0))
    argument.inequality(
        "one y, the known ratios",
        "X <= u q and C Y >= C l m >= r^2 u m",
        X - E * C * Y <= u * (q - E * r**2 * m),
        [X <= u * q, Y >= low * m, C * low >= r**2 * u, m >= 0, C > 0, E >= 1],
    )
    argument.inequality(
        "one y, counted or not",
        "k = E r^2, and alpha = q = P1(y|z), beta = m = P0(y|z) if q > k m, else both are 0",
        X - E * C * Y <= alpha - k * beta,
        [X - E * C * Y <= u * (q - k * m), sympy.Or(counted, left_out), u >= 0, u <= 1],
    )
    argument.induction(
        "sum over y",
        "N = P^1(S|z) sums X and F = P^0(S|z) sums Y over y; A, B sum alpha and beta, which are P1 "
        "and P0 of the set of the y with q > k m: N - E C F <= A - k B",
        base=(N - E * C * F <= A - k * B, [sympy.Eq(each, 0) for each in (N, F, A, B)]),
        step=(
            N + X - E * C * (F + Y) <= A + alpha - k * (B + beta),
            [N - E * C * F <= A - k * B, X - E * C * Y <= alpha - k * beta],
        ),
    )
    argument.inequality(
        "if E r >= 1",
        "k now is E r, and r A <= B for the set of these y: N - E C F <= A - E r^2 B = A - k r B",
        A - k * r * B <= 1 - r**2,
        [k >= 1, B >= r * A, r > 0, r <= 1, A >= 0, A <= 1],
    )
    argument.inequality(
        "if E r <= 1",
        "the outcomes left out have P1 = a and P0 = b <= E a",
        A - k * r * B <= 1 - k * r,
        [
            k <= 1,
            sympy.Eq(k, E * r),
            k >= r,
            b <= E * a,
            sympy.Eq(A + a, 1),
            sympy.Eq(B + b, 1),
            a >= 0,
            r > 0,
        ],
    )
    argument.inequality(
        "two shifts",
        "H = A - k r B is at most 1 - r^2 in both cases, as k >= r: N <= E C F + 2 delta_max, with "
        "d = delta_max",
        E * C * F + 2 * d - less >= N,
        [
            N - E * C * F <= H,
            sympy.Or(H <= 1 - r**2, H <= 1 - k * r),
            k >= r,
            d >= 1 - r,
            r > 0,
            r <= 1,
        ],
    )


def _largest_slope(argument: Argument, left_out: bool = False) -> None:
    P, Q, r, E, n, d, delta, shift, t = sympy.symbols("P Q r E n d delta shift t")
    argument.cite(
        "largest slope of G",
        "it is one ratio n/d, so Lemma 2 bounds it",
        "streaming_cw.lemma2-repaired",
        met=only(IID, BLOCKS, APART, STEPS, KNOWN),
    )
    argument.inequality(
        "eps_t",
        "P <= Q = e^((t-1) gamma), r = e^{eps_t|z} <= E = e^{eps_max}",
        n / d <= (Q if left_out else Q * E),
        [n <= P * r * d, P <= Q, r <= E, P > 0, r > 0, d > 0],
    )
    argument.cite(
        "delta_t",
        "G has supports W^t, by Assumption 1",
        "streaming_cw.x-supports",
        met=only(IID, BLOCKS, APART),
    )
    argument.cite(
        "is 0",
        "so the shift at its largest slope is 0: G in the place of M, P^0 and P^1 in the place of "
        "P0 and P1",
        "streaming_cw.x-min-shift-zero",
        met_by={"Assumption 1": "delta_t"},
    )
    argument.inequality(
        "at most t delta_max",
        "delta = delta_max",
        shift <= t * delta,
        [sympy.Eq(shift, 0), delta >= 0, t >= 1],
    )


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


def reversed_fails(argument: Argument) -> None:
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
    argument.counterexample("exchanged", sentence, evidence, violated)


def _bit_mechanisms() -> Iterator[dict[Window, blocks.Row]]:
    windows = list(product((0, 1), repeat=2))
    for denominator in (1, 2):
        for parts in product(range(denominator + 1), repeat=4):
            yield blocks.bit_rows(
                {(w[0], w[1]): Fraction(part, denominator) for w, part in zip(windows, parts)}
            )


def _other_slopes_fail(argument: Argument) -> None:
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
    rows = argument.exhaust(
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
    argument.counterexample("a smaller slope of G", sentence, evidence, violated)


def _theorem_fails(argument: Argument, stream: Stream, known: dict[int, int], why: str) -> None:
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
    argument.counterexample("larger shift", sentence, evidence, violated)


def _zeros_fail(argument: Argument) -> None:
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
    labels = argument.exhaust(
        "fewest outcomes", "P^0(P^1 = 0 | z) = 0 = t delta_max", family, holds
    )
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
    argument.counterexample("disjoint parts", sentence, evidence, violated)
