"""Section 2, Theorem 4, its proof step by step, and Figure 2.

Under Assumption 1 the theorem's shift is 0, and the steps that should bound it are not needed; one of them is false. With
eq. (1) for every outcome P0 = P1, and the theorem holds in both directions; otherwise only P^0 against P^1. What composes with
a positive shift, with zero probabilities and in both directions, is `thm4-repaired`. R = e^eps; N and D are P^0 and P^1 of a
tuple or a set of tuples. Source: streaming_cw, Theorem 4 and Figure 2.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Law, Stream, Window, hockey_stick
from pufferproof.claims.streaming_cw.lemmas import (
    ALL_SIZES,
    COIN,
    FLOOR,
    INDEPENDENT,
    SMALLEST,
    STREAM,
    WINDOW,
    product_bound,
    recursion,
)
from pufferproof.verify.proof import Argument

EVERY = "eq. (1) for every outcome"
HUNDREDTH = sympy.Rational(1, 100)


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
    name = f"ratios of at least 1 listed, or no sign condition; P0 against P1, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_direction(argument)
    check.near_miss(f"{name}: one gamma fewer", lambda argument: _one_direction(argument, fewer=True))
    name = f"eps_t the largest log-slope of G at its z, delta_t the shift there, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _largest_slope(argument)
    check.near_miss(f"{name}: eps_max left out", lambda argument: _largest_slope(argument, left_out=True))
    with check.reading("ratios of at least 1 listed, both directions", "t = 1, bits, B = 2") as argument:
        _reversed_fails(argument)
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


def _reversed_fails(argument: Argument) -> None:
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
        return missing(blocks.flip_stream(_labelled(labels), 2)) == 0

    family = [labels for m in (1, 2, 3, 4) for labels in product(range(m), repeat=4) if len(set(labels)) == m]
    labels = argument.exhaust("fewest outcomes", "P^0(P^1 = 0 | z) = 0 = t delta_max", family, holds)
    if labels is None:
        return
    stream = blocks.flip_stream(_labelled(labels), 2)
    evidence = blocks.show(stream, z=(0,), P0_where_P1_is_0=missing(stream), delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and missing(stream) > 0

    sentence = f"P0 = P1 at each step, so delta_max = 0, but P^0 puts {missing(stream)} where P^1 is 0, whatever eps_t"
    argument.counterexample("disjoint parts", sentence, evidence, violated)


def _labelled(labels: Window) -> dict[Window, blocks.Row]:
    windows, size = list(product((0, 1), repeat=2)), max(labels) + 1
    return {window: blocks.point(label, size) for window, label in zip(windows, labels)}


@claim(
    "streaming_cw.thm4-repaired",
    where="Theorem 4, repaired",
    statement="If for all S, z, z': P0(S|z) <= e^gamma P1(S|z') + delta and P1(S|z) <= e^gamma P0(S|z') + delta, and with "
    "e^eps for z' = z, then G is (eps + (t-1) gamma, t delta)-CW private in both directions. Zero probabilities are allowed.",
    assumes=[*INDEPENDENT, "only X_{t down} is known"],
)
def thm4_repaired(check: Check) -> None:
    """Prove a composition theorem with a positive shift, for sets, in either direction."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _compose(argument)
    check.near_miss(f"{WINDOW}: one shift too few", lambda argument: _compose(argument, fewer=1))
    check.near_miss(f"{WINDOW}: weights above 1", lambda argument: _compose(argument, unbounded=True))


def _compose(argument: Argument, fewer: int = 0, unbounded: bool = False) -> None:
    a, b, R, h, e, A, B, H, x, c, m, K, L = sympy.symbols("a b R h e A B H x c m K L")
    w, W, X, Y, V, u, t, delta, N, D = sympy.symbols("w W X Y V u t delta N D")
    recursion(argument)
    argument.cite("shift", "delta is at least the sum of e = max(0, a - R b)", "streaming_cw.eq2-shift-repaired")
    cap = [h >= 0] if unbounded else [h >= 0, h <= 1]
    weighted = [e >= 0, e >= a - R * b, *cap]
    argument.induction(
        "weights in [0, 1]",
        "a = P0(y|z), b = P1(y|z'): A, B, H sum a h, b h and e over the outcomes so far",
        base=(a * h <= R * b * h + e, weighted),
        step=(A + a * h <= R * (B + b * h) + H + e, [A <= R * B + H, *weighted]),
    )
    argument.inequality(
        "the past, capped",
        "x = P^0(S_y|z_1), S_y the pasts that S allows before y; c = the least P^1(S_y|z_2), m = min(1, K c), L = (t-1) delta",
        x <= m + L,
        [x <= 1, x <= K * c + L, sympy.Or(sympy.Eq(m, 1), sympy.Eq(m, K * c)), L >= 0, c >= 0, K >= 1],
    )
    argument.induction(
        "sum over z* and y",
        "w = p(z*) M([z*,z])[y]; X, Y, W sum w x, w m and w: X <= Y + L W",
        base=(w * x <= w * m + L * w, [x <= m + L, w >= 0]),
        step=(X + w * x <= Y + w * m + L * (W + w), [X <= Y + L * W, x <= m + L, w >= 0]),
    )
    argument.cite(
        "order of summation", "Y is the sum of P0(y|z) m over y, as m does not depend on z*", "lemma.finite-sums"
    )
    argument.induction(
        "back to P^1",
        "u = p(z*) M(alt([z*,z']))[y], c <= the P^1(S_y|..) = x of that z*, m <= K c: V = sum of u m, D = sum of u x",
        base=(u * m <= K * u * x, [m <= K * c, c <= x, u >= 0, K >= 1]),
        step=(V + u * m <= K * (D + u * x), [V <= K * D, m <= K * c, c <= x, u >= 0, K >= 1]),
    )
    argument.inequality(
        "one more step",
        "N = P^0(S|z) = X with W = 1, Y <= R V + delta, V <= K D, D = P^1(S|z'): N <= R K D + delta + L",
        R * K * D + delta + L >= N,
        [sympy.Eq(N, X), X <= Y + L * W, sympy.Eq(W, 1), R * V + delta >= Y, V <= K * D, R >= 1],
    )
    argument.induction(
        "t shifts",
        "R = e^gamma in the earlier steps and e^eps in the last; L = (t-1) delta, so L + delta = t delta",
        base=(delta <= (1 - fewer) * delta, [delta > 0]),
        step=(sympy.Eq(L + delta, (t - fewer) * delta), [sympy.Eq(L, (t - 1 - fewer) * delta), delta > 0, t >= 2]),
    )
    argument.definition(
        "both directions",
        "K = e^((t-1) gamma) takes one factor R per step. The hypotheses are symmetric, so the same holds with M and "
        "M(alt(.)) exchanged.",
    )


@claim(
    "streaming_cw.x-direction-transfer",
    where="Theorem 4 (a question of ours)",
    statement="If P^0(S) <= R P^1(S) for all S then P^1(S) <= P^0(S)/R + 1 - 1/R for all S: one direction without shift "
    "gives the other with shift 1 - e^{-eps} and factor e^{-eps}.",
    kind="lemma",
    assumes=["two laws on the same outcomes", "R >= 1"],
)
def direction_transfer(check: Check) -> None:
    """Prove what one direction gives for the other, from the complement of S."""
    with check.reading("as stated", ALL_SIZES) as argument:
        _transfer(argument)
    check.near_miss("as stated: a smaller shift", lambda argument: _transfer(argument, HUNDREDTH))


def _transfer(argument: Argument, less: sympy.Rational = sympy.S.Zero) -> None:
    p, q, R = sympy.symbols("p q R")
    argument.inequality(
        "complement",
        "p = P^0(S), q = P^1(S): 1 - p <= R (1 - q)",
        q <= p / R + 1 - 1 / R - less,
        [1 - p <= R * (1 - q), p <= R * q, R >= 1, p >= 0, p <= 1, q >= 0, q <= 1],
    )


@claim(
    "streaming_cw.x-direction",
    where="Theorem 4 (a question of ours)",
    statement="If P0(S|z) <= e^eps P1(S|z) for all S and z then also P1(S|z) <= e^eps P0(S|z).",
    kind="lemma",
    repair="streaming_cw.x-direction-transfer",
)
def direction(check: Check) -> None:
    """Refute that a bound on P0/P1 bounds P1/P0."""
    with check.reading("eps the least for P0 against P1", "t = 1, bits, B = 2") as argument:
        _reversed_fails(argument)


@claim(
    "streaming_cw.thm4-slope-and-shift",
    where="Theorem 4, start",
    statement="eps_t <= eps_max + (t-1) gamma at the largest finite slope R of G, and max_S {P^0(S|z) - R P^1(S|z)} = "
    "P^0({y : P^1(y|z) = 0}|z) = 1 - P^0(S_t|z), S_t = {y : P^1(y|z) != 0}.",
    kind="proof step",
)
def slope_and_shift(check: Check) -> None:
    """The shift at any R that is at least every finite ratio, for laws with or without zeros."""
    names = (
        f"R the largest slope at this z, Assumption 1, {WINDOW}",
        "R the largest slope at this z or over all z, zero probabilities allowed; the shift only, any way to draw alt",
    )
    for name, bounded in zip(names, (True, False)):
        with check.reading(name, ALL_SIZES) as argument:
            _slope_and_shift(argument, bounded)
        check.near_miss(f"{name}: R below a ratio", partial(_slope_and_shift, bounded=bounded, below=True))


def _slope_and_shift(argument: Argument, bounded: bool, below: bool = False) -> None:
    a, b, R, e, z, H, Z, N, P, Q, r, E = sympy.symbols("a b R e z H Z N P Q r E")
    if bounded:
        argument.cite("Lemma 2", "R <= P r, P the product of e^{gamma_j}", "streaming_cw.lemma2-repaired")
        argument.inequality("eps_t", "P <= Q, r <= E", R <= Q * E, [P * r >= R, P <= Q, r <= E, P > 0, r > 0])
    argument.cite("max over S", "it is the sum of e = max(0, a - R b)", "streaming_cw.eq2-shift-repaired")
    largest = a <= (R + 1) * b if below else a <= R * b
    one = [
        a >= 0,
        b >= 0,
        sympy.Or(sympy.Eq(b, 0), largest),
        sympy.Or(sympy.And(a >= R * b, sympy.Eq(e, a - R * b)), sympy.And(a < R * b, sympy.Eq(e, 0))),
        sympy.Or(sympy.And(sympy.Eq(b, 0), sympy.Eq(z, a)), sympy.And(b > 0, sympy.Eq(z, 0))),
    ]
    argument.induction(
        "only zeros of P^1 count",
        "a = P^0(y|z), b = P^1(y|z); z = a where b = 0 and 0 elsewhere; H sums e and Z sums z",
        base=(sympy.Eq(e, z), one),
        step=(sympy.Eq(H + e, Z + z), [sympy.Eq(H, Z), *one]),
    )
    argument.inequality("complement", "N = P^0(S_t|z)", sympy.Eq(Z, 1 - N), [sympy.Eq(Z + N, 1), N >= 0, Z >= 0])


def _supports_of(stream: Stream, z: Window, first: int) -> tuple[set[Window], set[Window]]:
    """Return V_{t-1|z*} and V_{t|z*} at z* = first."""
    last = stream.steps
    upper = dict(enumerate((first, *z)[:-1], start=last))
    past = blocks.law_of_outputs(stream, True, upper, range(1, last)) or {}
    now = blocks.law_of_outputs(stream, True, {last: first, **blocks.given_rest(stream, last, z)}, [last]) or {}
    return {y for y, mass in past.items() if mass}, {y for y, mass in now.items() if mass}


@claim(
    "streaming_cw.thm4-product-support",
    where="Theorem 4",
    statement="V_{t-1|z*} x V_{t|z*} is in S_t for each z* with p(z*) != 0; so P^0(S_t|z) >= sum_{z#} sum over V_{t-1|z#} "
    "x V_{t|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) P^0(y_t|X_t=[z#,z]) p(z#).",
    kind="proof step",
    repair="streaming_cw.thm4-product-support-repaired",
)
def product_support(check: Check) -> None:
    """True for independent alternatives, zeros allowed; false for shared randomness."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _product_support(argument)
    check.near_miss(f"{WINDOW}: a past of probability 0", lambda argument: _product_support(argument, zero=True))
    for name, stream in ((STREAM, blocks.one_draw_stream(2)), (COIN, blocks.coin_stream(2))):
        with check.reading(name, SMALLEST) as argument:
            _product_support_fails(argument, stream)


@claim(
    "streaming_cw.thm4-product-support-repaired",
    where="Theorem 4, independent alternatives",
    statement="With independent alternatives V_{t-1|z*} x V_{t|z*} is in S_t, and the lower bound on P^0(S_t|z) follows.",
    kind="proof step",
    assumes=INDEPENDENT,
)
def product_support_repaired(check: Check) -> None:
    """Prove it from the recursion."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _product_support(argument)
    check.near_miss(f"{WINDOW}: a past of probability 0", lambda argument: _product_support(argument, zero=True))


def _product_support(argument: Argument, zero: bool = False) -> None:
    A, B, p, D, s, T, U = sympy.symbols("A B p D s T U")
    recursion(argument)
    argument.induction(
        "other terms",
        "D sums the terms of P^1(y_1..y_t|z) for the other values of z*",
        base=(s >= 0, [s >= 0]),
        step=(D + s >= 0, [D >= 0, s >= 0]),
    )
    past = A >= 0 if zero else A > 0
    argument.inequality("term of z*", "A, B, p > 0 at z*", D + A * B * p > 0, [D >= 0, past, B > 0, p > 0])
    argument.induction(
        "a larger set",
        "U sums over all of S_t, T only over the product sets, z# by z#: each term of T is in U, and s >= 0",
        base=(s >= 0, [s >= 0]),
        step=(sympy.And(U + s >= T + s, U + s >= T), [U >= T, s >= 0]),
    )


def _product_support_fails(argument: Argument, stream: Stream) -> None:
    z, y, first = (0,), (0, 1), 0
    law = blocks.joint(stream, True, z)
    past, now = _supports_of(stream, z, first)
    evidence = blocks.show(stream, z=z, z_star=first, y=y, V_past=sorted(past), V_now=sorted(now), P1=law[y])

    def violated() -> bool:
        return blocks.assumption1(stream) and (0,) in past and (1,) in now and law[y] == 0

    argument.counterexample("not in S_2", "0 is possible before, 1 now, but P^1(0,1|0) = 0", evidence, violated)


@claim(
    "streaming_cw.thm4-induction",
    where="Theorem 4, inductive hypothesis",
    statement="For each z#, the sum over V_{t-1|z#} of P^0(y_1..y_{t-1}|[z#,z]_up) is at least 1 - (t-1) delta_max.",
    kind="proof step",
    assumes=["Assumption 1"],
    repair="streaming_cw.thm4-induction-repaired",
)
def induction(check: Check) -> None:
    """With Assumption 1 and independent alternatives the sum is 1; no other reading keeps the bound."""
    with check.reading(f"Assumption 1, {WINDOW}", ALL_SIZES) as argument:
        _whole_mass(argument)
    check.near_miss(f"Assumption 1, {WINDOW}: more than the whole", lambda argument: _whole_mass(argument, HUNDREDTH))
    for name, stream in (
        (f"Assumption 1, {STREAM}", blocks.one_draw_stream(2)),
        (f"Assumption 1, {COIN}", blocks.coin_stream(2)),
        (f"zero probabilities allowed, {WINDOW}", blocks.flip_stream(_labelled((0, 1, 2, 3)), 2)),
    ):
        with check.reading(name, SMALLEST) as argument:
            _mass_missing(argument, stream)


@claim(
    "streaming_cw.thm4-induction-repaired",
    where="Theorem 4, inductive hypothesis, independent alternatives",
    statement="With independent alternatives and Assumption 1, the sum over V_{t-1|z#} is 1.",
    kind="proof step",
    assumes=[*INDEPENDENT, "Assumption 1"],
)
def induction_repaired(check: Check) -> None:
    """Prove the hypothesis without induction, from the supports."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _whole_mass(argument)
    check.near_miss(f"{WINDOW}: more than the whole", lambda argument: _whole_mass(argument, HUNDREDTH))


def _whole_mass(argument: Argument, more: sympy.Rational = sympy.S.Zero) -> None:
    N, delta, n = sympy.symbols("N delta n")
    argument.cite("supports", "V_{t-1|z#} = W^{t-1}, which has all the mass of P^0", "streaming_cw.x-supports")
    argument.inequality(
        "bound", "N = P^0(W^{t-1}|..) = 1, n = t - 1", 1 - n * delta + more <= N, [sympy.Eq(N, 1), delta >= 0, n >= 1]
    )


def _mass_missing(argument: Argument, stream: Stream) -> None:
    z = (0,)
    top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, z)

    def mass(first: Law, second: Law) -> Fraction:
        return sum((first[y] for y in first if second[y]), start=Fraction(0))

    evidence = blocks.show(
        stream, past_steps=stream.steps, z=z, P0=top, P1=bottom, mass=mass(top, bottom), delta_max=Fraction(0)
    )
    argument.counterexample(
        "mass missing",
        f"t - 1 = 2: delta_max = 0, but the sum is {mass(top, bottom)}; for t - 1 = 1 it holds",
        evidence,
        lambda: blocks.slopes_all_one(stream) and mass(top, bottom) < 1,
    )


@claim(
    "streaming_cw.thm4-Vt",
    where="Theorem 4, V_t",
    statement="(1-(t-1) delta_max) sum_{z#} sum_{y_t in V_{t|z#}} P^0(y_t|X_t=[z#,z]) p(z#) = (1-(t-1) delta_max) "
    "sum_{y_t in V_t} P0(y_t|z), V_t = {y_t : P1(y_t|z) != 0}.",
    kind="proof step",
    repair="streaming_cw.thm4-Vt-repaired",
)
def vt(check: Check) -> None:
    """False: V_t is the union of the sets V_{t|z#}, and the right side may be larger, against the sense of the proof."""
    for name in ("with Assumption 1", "without Assumption 1"):
        with check.reading(name, SMALLEST) as argument:
            _union_larger(argument, blocks.flip_stream(blocks.oldest(), 2))
    name = "<= instead of ="
    with check.reading(name, ALL_SIZES) as argument:
        _union_at_least(argument)
    check.near_miss(f"{name}: >= instead", lambda argument: _union_at_least(argument, reverse=True))


@claim(
    "streaming_cw.thm4-Vt-repaired",
    where="Theorem 4, V_t, repaired",
    statement="If M(alt([z#,z])) gives every y in W positive probability for every z# with p(z#) > 0, both sums are equal.",
    kind="proof step",
    assumes=["the support W does not depend on z#, which Assumption 1 does not say"],
)
def vt_repaired(check: Check) -> None:
    """Prove equality when the supports do not depend on the oldest block."""
    with check.reading("supports equal for every z#", ALL_SIZES) as argument:
        _union_equal(argument)
    check.near_miss("supports equal for every z#: one support smaller", lambda argument: _union_equal(argument, True))


def _both_sums(stream: Stream, z: Window) -> tuple[Fraction, Fraction]:
    whole = blocks.one_step(stream, True, z)
    left = Fraction(0)
    for first, mass in enumerate(stream.law):
        row = stream.mechanism[(first, *z)]
        left += mass * sum((row[y] for (y,) in _supports_of(stream, z, first)[1]), start=Fraction(0))
    right = sum((a for a, b in zip(blocks.one_step(stream, False, z), whole) if b), start=Fraction(0))
    return left, right


def _union_larger(argument: Argument, stream: Stream) -> None:
    z = (0,)
    left, right = _both_sums(stream, z)
    evidence = blocks.show(stream, z=z, left=left, right=right, delta_max=Fraction(0))

    def violated() -> bool:
        return blocks.assumption1(stream) and blocks.slopes_all_one(stream) and left != right

    argument.counterexample(
        "union", f"delta_max = 0, the left side is {left}, the right side {right}", evidence, violated
    )


def _union_at_least(argument: Argument, reverse: bool = False) -> None:
    s, w, L, U = sympy.symbols("s w L U")
    member = [w >= 0, sympy.Or(sympy.Eq(s, w), sympy.Eq(s, 0))]
    step = L + s >= U + w if reverse else L + s <= U + w
    argument.induction(
        "term by term",
        "w = P^0(y|[z#,z]) p(z#) for y in V_t; s = w if y is in V_{t|z#} and 0 if not; L sums s, U sums w",
        base=(s <= w, member),
        step=(step, [L >= U if reverse else L <= U, *member]),
    )
    argument.cite("order of summation", "U = sum of P0(y|z) over V_t", "lemma.finite-sums")


def _union_equal(argument: Argument, smaller: bool = False) -> None:
    s, w, L, U = sympy.symbols("s w L U")
    member = [w >= 0, sympy.Or(sympy.Eq(s, w), sympy.Eq(s, 0)) if smaller else sympy.Eq(s, w)]
    argument.induction(
        "term by term",
        "as before, with s = w for every y in V_t = W and every z#",
        base=(sympy.Eq(s, w), member),
        step=(sympy.Eq(L + s, U + w), [sympy.Eq(L, U), *member]),
    )
    argument.cite("order of summation", "U = sum of P0(y|z) over V_t", "lemma.finite-sums")


@claim(
    "streaming_cw.thm4-min-shift",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is the minimum shift of M(X_t) given z, and it is at least 1 - delta_{z|min}.",
    kind="proof step",
    repair="streaming_cw.thm4-min-shift-repaired",
)
def min_shift(check: Check) -> None:
    """The sum is one minus the minimum shift."""
    with check.reading("the sum is the minimum shift", SMALLEST) as argument:
        _sum_is_not_shift(argument)
    name = "the sum is 1 - delta_{z|min}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_minus_shift(argument)
    check.near_miss(f"{name}: at a slope below the largest", lambda argument: _one_minus_shift(argument, below=True))


@claim(
    "streaming_cw.thm4-min-shift-repaired",
    where="Theorem 4, minimum shift",
    statement="The sum of P0(y_t|z) over V_t is 1 - delta_{z|min}, the shift at the largest finite slope at z.",
    kind="proof step",
    assumes=["there is a finite slope at z"],
)
def min_shift_repaired(check: Check) -> None:
    """Prove it as the case t = 1 of the shift at the largest slope."""
    name = "the sum is 1 - delta_{z|min}"
    with check.reading(name, ALL_SIZES) as argument:
        _one_minus_shift(argument)
    check.near_miss(f"{name}: at a slope below the largest", lambda argument: _one_minus_shift(argument, below=True))


def _one_minus_shift(argument: Argument, below: bool = False) -> None:
    N, Z, delta = sympy.symbols("N Z delta")
    _slope_and_shift(argument, bounded=False, below=below)
    argument.cite("smallest shift", "is the one at the largest slope", "streaming_cw.minmax-shift")
    argument.inequality(
        "so", "N = sum over V_t, Z = delta_{z|min}", 1 - delta <= N, [sympy.Eq(Z, 1 - N), sympy.Eq(Z, delta), N >= 0]
    )


def _sum_is_not_shift(argument: Argument) -> None:
    stream, z = blocks.flip_stream(blocks.oldest(), 1), (0,)
    top, bottom = blocks.one_step(stream, False, z), blocks.one_step(stream, True, z)
    slope = max(a / b for a, b in zip(top, bottom) if b)
    total = sum((a for a, b in zip(top, bottom) if b), start=Fraction(0))
    shift = hockey_stick(top, bottom, slope)
    evidence = blocks.show(stream, z=z, sum=total, slope=slope, minimum_shift=shift)
    argument.counterexample(
        "1 and 0",
        "under Assumption 1 the sum is 1 and the minimum shift 0",
        evidence,
        lambda: blocks.assumption1(stream) and total != shift,
    )


@claim(
    "streaming_cw.thm4-last",
    where="Theorem 4, last lines",
    statement="(1-(t-1) delta_max)(1-delta_{z|min}) >= 1 - t delta_max; so delta_t <= t delta_max.",
    kind="proof step",
    assumes=["0 <= delta_{z|min} <= delta_max", "t >= 1"],
)
def last(check: Check) -> None:
    """Prove the polynomial inequality, and the conclusion when the first factor is negative."""
    name = "product"
    with check.reading(name, "all real t >= 1") as argument:
        _last_product(argument)
    check.near_miss(f"{name}: t - 1/2 shifts", lambda argument: _last_product(argument, sympy.Rational(1, 2)))
    name = "product and conclusion, first factor of any sign"
    with check.reading(name, "all real t >= 1") as argument:
        _last_conclusion(argument)
    check.near_miss(f"{name}: t - 1/2 shifts", lambda argument: _last_conclusion(argument, sympy.Rational(1, 2)))


def _last_product(argument: Argument, fewer: sympy.Rational = sympy.S.Zero) -> None:
    t, delta, low = sympy.symbols("t delta low")
    argument.inequality(
        "expand",
        "delta = delta_max, low = delta_{z|min}: the difference is delta - low + (t-1) delta low",
        (1 - (t - 1) * delta) * (1 - low) >= 1 - (t - fewer) * delta,
        [low >= 0, low <= delta, t >= 1],
    )


def _last_conclusion(argument: Argument, fewer: sympy.Rational = sympy.S.Zero) -> None:
    t, delta, low, f, x, N = sympy.symbols("t delta low f x N")
    _last_product(argument, fewer)
    argument.case_split("sign", "f = 1 - (t-1) delta", [f >= 0, f < 0])
    base = [sympy.Eq(f, 1 - (t - 1) * delta), low >= 0, low <= delta, t >= 1, x >= 1 - low, f * x <= N, N >= 0]
    goal = 1 - (t - fewer) * delta <= N
    argument.inequality("f >= 0", "N = P^0(S_t|z) >= f x, x = the sum over V_t", goal, [f >= 0, *base])
    argument.inequality("f < 0", "then 1 - t delta < 0 <= N", goal, [f < 0, *base])


@claim(
    "streaming_cw.fig2",
    where="Figure 2",
    statement="(1) M(X_1), M(X_2) are independent given what they share, each owning a block; (2) this fails for three "
    "windows, as X_2 shares both its blocks; (3) DP: shared query, own noise; (4) it works while each window owns a block.",
    kind="remark",
)
def fig2(check: Check) -> None:
    """Formalise the four remarks: conditional independence, and whether the bound of Lemma 1 depends on owning a block."""
    for name in (f"(1) two windows, {WINDOW}", "(3) shared query, own noise"):
        with check.reading(name, ALL_SIZES) as argument:
            _independent_given_shared(argument)
        check.near_miss(f"{name}: a factor of both", lambda argument: _independent_given_shared(argument, tied=True))
    with check.reading(f"(1) two windows, {COIN}", SMALLEST) as argument:
        _dependent_given_shared(argument, blocks.coin_stream(2))
    with check.reading(
        "(2) read as: Lemma 1 fails whenever some window owns no block", "t = 3, bits, B = 2"
    ) as argument:
        _bound_without_own_block(argument)
    name = f"(4) Lemma 1 holds while each window owns a block, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        product_bound(argument)
    check.near_miss(f"{name}: one gamma left out", lambda argument: product_bound(argument, forgotten=True))
    with check.reading(f"(4) Lemma 1 holds while each window owns a block, {COIN}", SMALLEST) as argument:
        _dependent_given_shared(argument, blocks.coin_stream(2))


def _independent_given_shared(argument: Argument, tied: bool = False) -> None:
    f, g, k, F, G, S = sympy.symbols("f g k F G S")
    other = k if tied else g
    argument.induction(
        "inner sum",
        "f = p(u) K([u, s])[y_1] for a block u of X_1; g = p(v) K([s, v])[y_2] for those of X_2: S sums f g, G sums g",
        base=(sympy.Eq(f * other, f * g), [f >= 0]),
        step=(sympy.Eq(S + f * other, f * (G + g)), [sympy.Eq(S, f * G)]),
    )
    argument.induction(
        "outer sum",
        "S sums f G over the blocks u, F sums f: given the shared blocks s the joint probability is F G",
        base=(sympy.Eq(f * G, f * G), [f >= 0]),
        step=(sympy.Eq(S + f * G, (F + f) * G), [sympy.Eq(S, F * G)]),
    )


def _dependent_given_shared(argument: Argument, stream: Stream) -> None:
    shared, y = {2: 0}, (0, 1)
    law = blocks.law_of_outputs(stream, True, shared) or {}
    first, second = (blocks.law_of_outputs(stream, True, shared, [step]) or {} for step in (1, 2))
    apart = first[y[:1]] * second[y[1:]]
    evidence = blocks.show(
        stream, shared_blocks=shared, y=y, P1=law[y], product=apart, P0=blocks.joint(stream, False, (0,))[y]
    )

    def violated() -> bool:
        beyond = all(
            blocks.joint(stream, False, z)[y] > FLOOR**2 * blocks.joint(stream, True, z)[y] for z in stream.aux_values
        )
        return blocks.slopes_all_one(stream) and law[y] == 0 and beyond

    sentence = "given b_2 the alternatives' outputs 0, 1 have probability 0; so Lemma 1 fails"
    argument.counterexample("one coin", sentence, evidence, violated)


def _bound_without_own_block(argument: Argument) -> None:
    ones = {(0, 0): Fraction(0), (0, 1): Fraction(0), (1, 0): Fraction(1, 2), (1, 1): Fraction(1)}
    stream = blocks.flip_stream(blocks.bit_rows(ones), 3)
    growths = tuple(blocks.growth(stream, y, 3) or Fraction(0) for y in stream.outputs)

    def holds(z: Window, other: Window) -> bool:
        top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, other)
        return all(top[y] <= growths[y[0]] * growths[y[1]] * growths[y[2]] * bottom[y] for y in top)

    evidence = blocks.show(stream, growths=growths)
    values = stream.aux_values
    argument.counterexample(
        "the bound holds",
        f"X_2 = (b_2, b_3) owns no block, M depends on both; with e^gamma(y) = {growths[0]}, {growths[1]}, the least "
        "ones, the bound holds for all outputs, z and z' (as it does for every M by lemma1-repaired)",
        evidence,
        lambda: blocks.assumption1(stream) and all(holds(z, other) for z in values for other in values),
    )
