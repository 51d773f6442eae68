"""Section 2, Lemmas 1 and 2, and their proofs taken apart: which step needs which way of drawing alt(X_1), .., alt(X_t).

The proof conditions on the oldest block z* of the last window. Per value of z*: a = P^0(y_1..y_{t-1}|[z*,z]_up), A the same for
P^1 (with z'), b = P^0(y_t|X_t=[z*,z]), B the same for P^1, p = p(z*). Its engine is one inequality about sums, proved for any
number of terms; what differs between readings is whether P^1 has that form. With independent alternatives (ALT w) it has. When
the stream is scrubbed once (ALT s), or with a common coin (ALT c), it has not, and exact counterexamples follow.
Source: streaming_cw, Lemmas 1 and 2.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Stream, Window
from pufferproof.verify.proof import Argument

ALL_SIZES = "all finite sizes"
WINDOW = "alternatives drawn for each window on its own"
STREAM = "stream scrubbed once"
COIN = "one common coin"
SMALLEST = "bits, B = 2"
FLOOR = Fraction(5, 4)
INDEPENDENT = [
    "i.i.d. blocks (or independent ones, a law for each position)",
    "given the stream, each alt(X_i) is drawn on its own, from X_i only",
    "M uses fresh coins at each step",
]


@claim(
    "streaming_cw.lem1-conditioning",
    where="Lemma 1, first equality",
    statement="P^k(y_1..y_t|z) = sum_{z*} P^k(y_1..y_{t-1}|X_t=[z*,z]) P^k(y_t|X_t=[z*,z]) Pr[X_{t1}=z*], k = 0, 1.",
    kind="proof step",
    repair="streaming_cw.lem1-conditioning-repaired",
)
def conditioning(check: Check) -> None:
    """Given X_t the outputs before t and the output at t are independent; for k = 1 that depends on the scrub."""
    for name in ("k = 0, alt not involved", f"k = 1, {WINDOW}"):
        with check.reading(name, ALL_SIZES) as argument:
            _conditioning(argument)
        check.near_miss(f"{name}: last output tied to the past", lambda argument: _conditioning(argument, tied=True))
    for name, stream in ((STREAM, blocks.xor_stream(2)), (COIN, blocks.coin_stream(2))):
        with check.reading(f"k = 1, {name}", SMALLEST) as argument:
            _conditioning_fails(argument, stream, scrubbed=True)
    with check.reading("k = 0, given a secret about two blocks", SMALLEST) as argument:
        tied = replace(blocks.coin_stream(2), given=lambda sequence: sequence[1] == sequence[2])
        _conditioning_fails(argument, tied, scrubbed=False, secret="b_2 = b_3 is given")


@claim(
    "streaming_cw.lem1-conditioning-repaired",
    where="Lemma 1, first equality, independent alternatives",
    statement="With independent blocks and alternatives, P^k(y_1..y_t|z) = sum_{z*} P^k(y_1..y_{t-1}|X_t) P^k(y_t|X_t) p(z*).",
    kind="proof step",
    assumes=INDEPENDENT,
)
def conditioning_repaired(check: Check) -> None:
    """Prove the factorisation from the product form of the joint law."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _conditioning(argument)
    check.near_miss(f"{WINDOW}: last output tied to the past", lambda argument: _conditioning(argument, tied=True))


def _conditioning(argument: Argument, tied: bool = False) -> None:
    w, a, c, d, S, T, V, W, p = sympy.symbols("w a c d S T V W p")
    argument.cite(
        "regrouping", "the sum over b_1..b_t is a sum over z* = b_t of sums over b_1..b_{t-1}", "lemma.finite-sums"
    )
    last = d if tied else c
    argument.induction(
        "factor of the last window",
        "For fixed X_t, w = p(b_1)..p(b_{t-1}) and a = K(X_1)[y_1]..K(X_{t-1})[y_{t-1}], where K = M (k = 0) or "
        "K(x) = E M(alt(x)) (k = 1, alternatives on their own); c = K(X_t)[y_t] in every term. S sums w a c, T sums w a, "
        "which is P^k(y_1..y_{t-1}|X_t): S = T c",
        base=(sympy.Eq(w * a * last, w * a * c), [w >= 0]),
        step=(sympy.Eq(S + w * a * last, (T + w * a) * c), [sympy.Eq(S, T * c)]),
    )
    argument.induction(
        "the factor is P^k(y_t|X_t)",
        "V sums w c and W sums w: V = c W, and W = 1 over all terms, because p is a law",
        base=(sympy.Eq(w * last, c * w), [w >= 0]),
        step=(sympy.Eq(V + w * last, c * (W + w)), [sympy.Eq(V, c * W)]),
    )
    argument.inequality("all terms", "W = 1", sympy.Eq(V, c), [sympy.Eq(V, c * W), sympy.Eq(W, 1)])
    argument.identity(
        "sum over z*", "p(z*) S = T c p(z*) for each z*; the blocks are independent of z", p * T * c, T * c * p
    )


def _conditioning_fails(argument: Argument, stream: Stream, scrubbed: bool, secret: str = "none") -> None:
    z, last = (0,), stream.steps
    y = next(
        (y for y, mass in blocks.joint(stream, scrubbed, z).items() if mass != split(stream, scrubbed, z, y)), None
    )
    if y is None:
        return
    left, right = blocks.joint(stream, scrubbed, z)[y], split(stream, scrubbed, z, y)
    evidence = blocks.show(stream, secret=secret, k=int(scrubbed), z=z, y=y, left=left, right=right)
    argument.counterexample(
        "not a product",
        f"the left side is {left}, the right side {right}; t = {last} is the smallest number of steps with a sum to split",
        evidence,
        lambda: blocks.joint(stream, scrubbed, z)[y] != split(stream, scrubbed, z, y),
    )


def split(stream: Stream, scrubbed: bool, z: Window, y: tuple[int, ...]) -> Fraction:
    """Return sum_{z*} P(past|X_t) P(y_t|X_t) p(z*), the right side of the first equality as printed."""
    last, total = stream.steps, Fraction(0)
    for first, mass in enumerate(stream.law):
        known = {last: first, **blocks.given_rest(stream, last, z)}
        past = blocks.law_of_outputs(stream, scrubbed, known, range(1, last))
        now = blocks.law_of_outputs(stream, scrubbed, known, [last])
        if past is not None and now is not None:
            total += mass * past[y[:-1]] * now[y[-1:]]
    return total


@claim(
    "streaming_cw.lem1-locality",
    where="Lemma 1, second equality",
    statement="P^k(y_1..y_{t-1}|X_t=[z*,z]) = P^k(y_1..y_{t-1}|[z*,z]_up), with X_{(t-1) down} = [z*,z]_up given on the right.",
    kind="proof step",
    repair="streaming_cw.lem1-locality-repaired",
)
def locality(check: Check) -> None:
    """The newest block is in no window before t; it may be in a scrubbed one."""
    for name in (WINDOW, COIN, f"{STREAM}, block by block"):
        with check.reading(name, ALL_SIZES) as argument:
            _locality(argument)
        check.near_miss(f"{name}: up to window t", lambda argument: _locality(argument, last=1))
    with check.reading(f"{STREAM}, in any way", SMALLEST) as argument:
        _locality_fails(argument, _shift_stream(), scrubbed=True)
    with check.reading("k = 0, given a secret about three blocks", SMALLEST) as argument:
        _locality_fails(argument, parity_stream(), scrubbed=False, secret="b_1 + b_2 + b_3 is even")


@claim(
    "streaming_cw.lem1-locality-repaired",
    where="Lemma 1, second equality, independent alternatives",
    statement="With independent blocks and alternatives, the outputs before t do not depend on the newest block of X_t.",
    kind="proof step",
    assumes=INDEPENDENT,
)
def locality_repaired(check: Check) -> None:
    """Prove that block t + B - 1 is in no earlier window, and that it then cancels."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _locality(argument)
    check.near_miss(f"{WINDOW}: up to window t", lambda argument: _locality(argument, last=1))


def _locality(argument: Argument, last: int = 0) -> None:
    i, t, B, w, F, q, S, T = sympy.symbols("i t B w F q S T")
    argument.inequality(
        "window i ends before the newest block",
        "window i is b_i..b_{i+B-1}, and i <= t-1: it does not reach block t+B-1",
        i + B - 1 < t + B - 1,
        [i <= t - 1 + last, i >= 1, B >= 1],
    )
    argument.induction(
        "the newest block leaves the sum",
        "w weighs the other blocks (and the coin, or the scrubbed blocks, drawn without the newest one), F = the product of "
        "the outputs' probabilities before t, q = p(newest): S sums w q F, T sums w F",
        base=(sympy.Eq(w * q * F, q * (w * F)), [q > 0]),
        step=(sympy.Eq(S + w * q * F, q * (T + w * F)), [sympy.Eq(S, q * T), q > 0]),
    )
    argument.identity("and cancels", "conditioning divides by q times the same mass", (q * T) / (q * S), T / S)


def _locality_fails(argument: Argument, stream: Stream, scrubbed: bool, secret: str = "none") -> None:
    past = range(1, stream.steps)

    def sides(values: Window, y: tuple[int, ...]) -> list[Fraction]:
        whole = dict(enumerate(values, start=stream.steps))
        upper = dict(enumerate(values[:-1], start=stream.steps))
        found = [blocks.law_of_outputs(stream, scrubbed, known, past) for known in (whole, upper)]
        return [(law or {})[y] for law in found]

    cases = [(values, (y,)) for values in product(range(2), repeat=2) for y in stream.outputs]
    found = next((case for case in cases if sides(*case)[0] != sides(*case)[1]), None)
    if found is None:
        return
    left, right = sides(*found)
    evidence = blocks.show(stream, secret=secret, k=int(scrubbed), X_t=found[0], y=found[1], left=left, right=right)
    argument.counterexample(
        "the newest block matters",
        f"{left} on the left, {right} on the right",
        evidence,
        lambda: len(set(sides(*found))) == 2,
    )


def _shift_stream() -> Stream:
    def scrub(sequence: Window) -> list[tuple[Fraction, Window]]:
        return [(Fraction(1), (*sequence[1:], sequence[0]))]

    table = blocks.whole_stream("block i becomes the old block i + 1, the last becomes the old first", scrub)
    rows = blocks.kernel(blocks.HALF, 2, lambda window: blocks.point(window[1]))
    return Stream(blocks.HALF, 2, rows, table, 2)


def parity_stream(width: int = 2) -> Stream:
    """Two steps, M outputs the oldest of uniform bits, alt redraws it in each window; the sum of all is known to be even."""
    table = {w: {(bit, *w[1:]): Fraction(1, 2) for bit in (0, 1)} for w in product((0, 1), repeat=width)}
    scrub = blocks.each_window(table)
    return Stream(blocks.HALF, width, blocks.oldest(width), scrub, 2, lambda sequence: sum(sequence) % 2 == 0)


@claim(
    "streaming_cw.lem1-max-ratio",
    where="Lemma 1, first inequality",
    statement="(sum_i a_i b_i p_i)/(sum_i A_i B_i p_i) <= max_{i,j}(a_i/A_j) (sum_i b_i p_i)/(sum_i B_i p_i).",
    kind="proof step",
    assumes=["a, b, B, p >= 0 and A > 0", "the denominators are positive"],
)
def max_ratio(check: Check) -> None:
    """Prove it for any number of terms by two inductions, one per sum."""
    name = "any number of terms"
    with check.reading(name, ALL_SIZES) as argument:
        _max_ratio(argument)
    check.near_miss(f"{name}: a smaller constant", lambda argument: _max_ratio(argument, sympy.Rational(99, 100)))
    check.near_miss(f"{name}: the maximum over i = j only", lambda argument: _max_ratio(argument, paired=True))


def _max_ratio(argument: Argument, factor: sympy.Rational = sympy.S.One, paired: bool = False) -> None:
    a, A, K, w, q, N, D, S, T, other = sympy.symbols("a A K w q N D S T other")
    bound = [sympy.Eq(other * K, a), other > 0] if paired else [a <= K * A]
    c = factor * K
    argument.induction(
        "sum over j, for one a = a_i",
        "K is at least every a_i/A_j. q = B_j p_j; T sums q and D sums A q over the first j: a T <= K D",
        base=(a * q <= c * (A * q), [q >= 0, a >= 0, A > 0, K >= 0, *bound]),
        step=(a * (T + q) <= c * (D + A * q), [a * T <= c * D, q >= 0, a >= 0, A > 0, K >= 0, *bound]),
    )
    argument.induction(
        "sum over i",
        "w = b_i p_i; N sums a w and S sums w over the first i: N T <= K D S",
        base=((a * w) * T <= K * D * w, [a * T <= K * D, w >= 0]),
        step=((N + a * w) * T <= K * D * (S + w), [N * T <= K * D * S, a * T <= K * D, w >= 0]),
    )
    argument.inequality("divide", "D > 0 and T > 0", N / D <= K * S / T, [N * T <= K * D * S, D > 0, T > 0])


@claim(
    "streaming_cw.lem1-base-close",
    where="Lemma 1, start and end",
    statement="t = 1 is Assumption 3; sum_{z*} P^k(y_t|X_t=[z*,z]) p(z*) = P^k(y_t|z), at most e^{gamma_t} P^1(y_t|z'); "
    "so the bound follows by induction.",
    kind="proof step",
    assumes=["Assumptions 1 and 3", "the recursion of Lemma 1 for P^0 and P^1"],
)
def base_close(check: Check) -> None:
    """Prove the base case, total probability and the induction step."""
    name = "as printed"
    with check.reading(name, ALL_SIZES) as argument:
        _base_close(argument)
    check.near_miss(f"{name}: the last factor left out", lambda argument: _base_close(argument, forgotten=True))


def _base_close(argument: Argument, forgotten: bool = False) -> None:
    a, b, g, G, K, N, D, S, T, A, m, q = sympy.symbols("a b g G K N D S T A m q")
    argument.inequality("t = 1", "a = P0(y_1|z), b = P1(y_1|z'), g = e^{gamma_1}", a / b <= g, [a <= g * b, b > 0])
    argument.cite(
        "total probability", "P^k(y_t|z) is a sum over all blocks, regrouped by z* = b_t", "lemma.finite-sums"
    )
    argument.induction(
        "the denominator is positive",
        "A >= m > 0 for every z* (hypothesis for t-1, finitely many z*), q = P^1(y_t|[z*,z']) p(z*): D >= m T, and T > 0",
        base=(A * q >= m * q, [m <= A, q >= 0, m > 0]),
        step=(D + A * q >= m * (T + q), [m * T <= D, m <= A, q >= 0, m > 0]),
    )
    argument.inequality("so D > 0", "T = P1(y_t|z') > 0 by Assumption 1", D > 0, [m * T <= D, m > 0, T > 0])
    argument.cite("one step back", "N/D <= K S/T", "streaming_cw.lem1-max-ratio")
    argument.inequality(
        "t - 1 to t",
        "G = exp(gamma_1 + .. + gamma_{t-1}) bounds K (hypothesis), g = e^{gamma_t} bounds S/T (Assumption 3): N/D <= G g",
        G * (1 if forgotten else g) >= N / D,
        [N / D <= K * S / T, K <= G, g * T >= S, T > 0, S >= 0, K >= 0, D > 0, g >= 1],
    )


@claim(
    "streaming_cw.lemma1",
    where="Lemma 1",
    statement="For all y in W^t and all z, z': P^0(y_1..y_t|z)/P^1(y_1..y_t|z') <= exp(gamma_1 + .. + gamma_t).",
    kind="lemma",
    assumes=["i.i.d. blocks", "Assumptions 1 to 3"],
    repair="streaming_cw.lemma1-repaired",
)
def lemma1(check: Check) -> None:
    """Proved for alternatives that are drawn window by window; false for the other two ways of drawing them."""
    for name in (
        f"{WINDOW}, equal steps",
        f"{WINDOW}, a law for each step",
        f"{WINDOW}, given a secret about one block",
    ):
        with check.reading(name, ALL_SIZES) as argument:
            product_bound(argument)
        check.near_miss(f"{name}: one gamma left out", lambda argument: product_bound(argument, forgotten=True))
    readings: list[tuple[str, Stream, tuple[int, ...], Window, Window]] = [
        (f"{STREAM}, one draw for all blocks, slopes all 1", blocks.one_draw_stream(2), (0, 1), (0,), (0,)),
        (f"{STREAM}, block by block, equal steps", blocks.xor_stream(2), (0, 1), (0,), (0,)),
        (f"{STREAM}, one block redrawn, a law for each step", blocks.fixed_row_stream(), (1, 1), (0,), (1,)),
        (f"{COIN}, slopes all 1", blocks.coin_stream(2), (0, 1), (0,), (0,)),
        (f"{COIN}, B = 1 allowed", blocks.coin_stream(2, 1), (0, 1), (), ()),
        ("given a secret about all blocks, slopes all 1", parity_stream(), (0, 0), (0,), (0,)),
    ]
    for name, stream, y, z, other in readings:
        with check.reading(name, SMALLEST) as argument:
            product_bound_fails(argument, stream, y, z, other)


@claim(
    "streaming_cw.lemma1-repaired",
    where="Lemma 1, independent alternatives",
    statement="With independent alternatives, P^0(y_1..y_t|z) <= exp(gamma_1 + .. + gamma_t) P^1(y_1..y_t|z') for all z, z'.",
    kind="lemma",
    assumes=[*INDEPENDENT, "Assumptions 1 and 3 (for every step); eq. (1) is not needed"],
)
def lemma1_repaired(check: Check) -> None:
    """Prove Lemma 1 under the reading of alt that its proof needs."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        product_bound(argument)
    check.near_miss(f"{WINDOW}: one gamma left out", lambda argument: product_bound(argument, forgotten=True))


def recursion(argument: Argument) -> None:
    """Cite the two steps that write P^k as a sum over z*, for alternatives on their own."""
    argument.cite(
        "condition on z*", "the outputs before t and at t are independent given X_t", f"{PREFIX}conditioning-repaired"
    )
    argument.cite("forget the newest block", "the past depends on [z*,z]_up only", f"{PREFIX}locality-repaired")


PREFIX = "streaming_cw.lem1-"


def product_bound(argument: Argument, forgotten: bool = False) -> None:
    """Prove N/D <= G g from the recursion, for N = P^0(y_1..y_t|z), D = P^1(y_1..y_t|z'), by induction over t."""
    N, D, K, S, T, G, g, n, d, b = sympy.symbols("N D K S T G g n d b")
    recursion(argument)
    argument.cite(
        "quotient of sums", "N/D <= K S/T, K the largest ratio for t-1 outputs", "streaming_cw.lem1-max-ratio"
    )
    argument.cite(
        "positive denominators", "and total probability: S = P0(y_t|z), T = P1(y_t|z')", f"{PREFIX}base-close"
    )
    argument.induction(
        "t outputs",
        "n/d for one output is at most g (Assumption 3 at step 1); K <= G for t-1 outputs, S <= g T (Assumption 3 at step t)",
        base=(n <= g * d, [n <= g * d, d > 0]),
        step=(
            G * (1 if forgotten else g) * D >= N,
            [N / D <= K * S / T, K <= G, g * T >= S, T > 0, D > 0, S >= 0, K >= 0, b > 0],
        ),
    )


def product_bound_fails(
    argument: Argument, stream: Stream, y: tuple[int, ...], z: Window, other: Window, last: bool = False
) -> None:
    """Refute P^0(y|z) <= e^{gammas} P^1(y|z') at one instance; `last` puts e^{eps_t|z} for the last factor (Lemma 2)."""

    def factors() -> list[Fraction]:
        found = [blocks.growth(stream, out, step, FLOOR) for step, out in enumerate(y, start=1)]
        if last:
            found[-1] = blocks.one_step(stream, False, z)[y[-1]] / blocks.one_step(stream, True, z)[y[-1]]
        return [factor for factor in found if factor is not None]

    left, right, bounds = blocks.joint(stream, False, z)[y], blocks.joint(stream, True, other)[y], factors()
    evidence = blocks.show(stream, y=y, z=z, other_z=other, P0=left, P1=right, factors=tuple(bounds))

    def violated() -> bool:
        return len(bounds) == len(y) and blocks.assumption1(stream) and left > prod(bounds, start=Fraction(1)) * right

    argument.counterexample(
        "larger than the product",
        f"P^0 = {left} > {' * '.join(map(str, bounds))} * P^1 with P^1 = {right}; t = 1 is the base case, and two block "
        "values and two outcomes are the fewest that matter",
        evidence,
        violated,
    )


@claim(
    "streaming_cw.x-stream-scrub",
    where="Lemma 1 (a question of ours)",
    statement="Stream scrubbed once, each block on its own: if P0(y|z) <= e^{gamma(y)} Pr[M(X')=y|X'_down=z''] for all z "
    "and all values z'' of the scrubbed blocks, then P^0(y_1..y_t|z) <= exp(gamma_1 + ..) P^1(y_1..y_t|z') for all z, z'.",
    kind="lemma",
    assumes=[
        "i.i.d. blocks, each scrubbed on its own",
        "Assumption 3 with the scrubbed auxiliary blocks given",
        "Assumption 1",
    ],
)
def stream_scrub(check: Check) -> None:
    """Prove Lemma 1 for a stream that is scrubbed once, with the gammas taken given the scrubbed blocks."""
    with check.reading("block by block", ALL_SIZES) as argument:
        _stream_scrub(argument)
    check.near_miss("block by block: one gamma left out", lambda argument: _stream_scrub(argument, forgotten=True))


def _stream_scrub(argument: Argument, forgotten: bool = False) -> None:
    N, G, s, d, V, W = sympy.symbols("N G s d V W")
    argument.definition(
        "scrubbed stream",
        "The scrubbed blocks are i.i.d. with a law p' of their own, and M runs on them without alternatives: its law "
        "given the scrubbed blocks z'' obeys the recursion with p'. In lem1-max-ratio take p = 1 and put p, p' into b and B.",
    )
    product_bound(argument, forgotten)
    argument.induction(
        "average over the scrubbed blocks",
        "N = P^0(y_1..y_t|z) <= G d for each z'', d = its probability given z''; s = Pr[z''|z']: V sums s d, W sums s",
        base=(N * s <= G * (s * d), [G * d >= N, s >= 0]),
        step=(N * (W + s) <= G * (V + s * d), [N * W <= G * V, G * d >= N, s >= 0]),
    )
    argument.inequality("W = 1", "V = P^1(y_1..y_t|z')", N <= G * V, [N * W <= G * V, sympy.Eq(W, 1)])


@claim(
    "streaming_cw.lemma2",
    where="Lemma 2",
    statement="For all y in W^t and all z: P^0(y_1..y_t|z)/P^1(y_1..y_t|z) <= exp(gamma_1 + .. + gamma_{t-1} + eps_t|z).",
    kind="lemma",
    assumes=["i.i.d. blocks", "Assumptions 1 to 3"],
    repair="streaming_cw.lemma2-repaired",
)
def lemma2(check: Check) -> None:
    """As Lemma 1, with the same z on both sides at the last step."""
    for name in (f"{WINDOW}, X_(t down) known", f"{WINDOW}, X_(t down) known, a law for each step"):
        with check.reading(name, ALL_SIZES) as argument:
            slope_bound(argument)
        check.near_miss(f"{name}: the last slope left out", lambda argument: slope_bound(argument, forgotten=True))
    with check.reading(f"{WINDOW}, every X_(i down) known, slopes all 1", SMALLEST) as argument:
        all_known_fails(argument)
    readings: list[tuple[str, Stream, tuple[int, ...], Window]] = [
        (f"{STREAM}, one draw for all blocks, slopes all 1", blocks.one_draw_stream(2), (0, 1), (0,)),
        (f"{STREAM}, block by block", blocks.xor_stream(2), (0, 1), (0,)),
        (f"{COIN}, slopes all 1", blocks.coin_stream(2), (0, 1), (0,)),
        ("given a secret about all blocks, slopes all 1", parity_stream(), (0, 0), (0,)),
    ]
    for name, stream, y, z in readings:
        with check.reading(name, SMALLEST) as argument:
            product_bound_fails(argument, stream, y, z, z, last=True)


@claim(
    "streaming_cw.lemma2-repaired",
    where="Lemma 2, independent alternatives",
    statement="With independent alternatives, P^0(y|z) <= exp(gamma_1 + .. + gamma_{t-1} + eps_t|z) P^1(y|z) for all z.",
    kind="lemma",
    assumes=[*INDEPENDENT, "Assumptions 1 and 3 (for every step); eq. (1) is not needed", "only X_{t down} is known"],
)
def lemma2_repaired(check: Check) -> None:
    """Prove Lemma 2 under the reading of alt that its proof needs."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        slope_bound(argument)
    check.near_miss(f"{WINDOW}: the last slope left out", lambda argument: slope_bound(argument, forgotten=True))


def slope_bound(argument: Argument, forgotten: bool = False) -> None:
    """Prove N/D <= G r with r = S/T the last step's slope at z, and N/D = r at t = 1."""
    N, D, K, S, T, G, r = sympy.symbols("N D K S T G r")
    recursion(argument)
    argument.cite("t - 1 outputs", "K <= G = exp(gamma_1 + .. + gamma_{t-1})", "streaming_cw.lemma1-repaired")
    argument.cite("quotient of sums", "N/D <= K S/T with z' = z", "streaming_cw.lem1-max-ratio")
    argument.inequality("t = 1", "the empty sum of gammas is 0", r >= S / T, [sympy.Eq(S, r * T), T > 0])
    argument.inequality(
        "last step",
        "S = P0(y_t|z) = r T, T = P1(y_t|z), r = e^{eps_t|z}",
        G * (1 if forgotten else r) * D >= N,
        [N / D <= K * S / T, K <= G, sympy.Eq(S, r * T), T > 0, D > 0, K >= 0, r > 0],
    )


def all_known_fails(argument: Argument) -> None:
    """Refute Lemma 2 when every X_{i down} is known: M and M(alt(.)) are then compared at known windows."""
    stream, known, y = blocks.flip_stream(blocks.oldest(), 2), {2: 0, 3: 0}, (0, 0)
    left, right = ((blocks.law_of_outputs(stream, scrubbed, known) or {})[y] for scrubbed in (False, True))
    bounds = (blocks.growth(stream, 0, 1, FLOOR), Fraction(1))
    evidence = blocks.show(stream, known_blocks=known, y=y, P0=left, P1=right, factors=bounds)

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and blocks.assumption1(stream) and left > FLOOR * right

    sentence = "b_2, b_3 known: M(X_2) = b_2 = 0, M(alt(X_2)) = 1, so P^0(0,0) = 1/2 and P^1(0,0) = 0; all slopes are 1"
    argument.counterexample("known windows", sentence, evidence, violated)


@claim(
    "streaming_cw.lem2-last-line",
    where="Lemma 2, last line",
    statement="max_{z1,z2}{P^0(y_1..y_{t-1}|z1)/P^1(y_1..y_{t-1}|z2)} P^0(y_t|z)/P^1(y_t|z) = exp(gamma_1 + .. + "
    "gamma_{t-1}) P^0(y_t|z)/P^1(y_t|z) = exp(gamma_1 + .. + gamma_{t-1} + eps_t|z).",
    kind="proof step",
    repair="streaming_cw.lem2-last-line-repaired",
)
def last_line(check: Check) -> None:
    """The first equality sign should be <=; the second is a definition."""
    for name, stream, y, floor in (
        ("first sign, gamma_j any valid bound", blocks.flip_stream(blocks.oldest(), 2), (0,), FLOOR),
        ("first sign, gamma_j the least bound", blocks.flip_stream(_halves(), 3), (0, 0), Fraction(0)),
    ):
        with check.reading(name, SMALLEST) as argument:
            _not_equal(argument, stream, y, floor)
    name = "second sign"
    with check.reading(name, ALL_SIZES) as argument:
        _second_sign(argument)
    check.near_miss(f"{name}: the slope inverted", lambda argument: _second_sign(argument, inverted=True))


@claim(
    "streaming_cw.lem2-last-line-repaired",
    where="Lemma 2, last line, with <= for the first sign",
    statement="The maximum times the last quotient is at most exp(gamma_1 + .. + gamma_{t-1} + eps_t|z).",
    kind="proof step",
    assumes=INDEPENDENT,
)
def last_line_repaired(check: Check) -> None:
    """Prove the inequality that Lemma 2 needs."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _at_most(argument)
    check.near_miss(f"{WINDOW}: equality", lambda argument: _at_most(argument, equality=True))


def _at_most(argument: Argument, equality: bool = False) -> None:
    K, G, r = sympy.symbols("K G r")
    argument.cite("t - 1 outputs", "K <= G", "streaming_cw.lemma1-repaired")
    argument.inequality(
        "times the last slope",
        "r = e^{eps_t|z}",
        sympy.Eq(K * r, G * r) if equality else K * r <= G * r,
        [K <= G, r > 0, K >= 0],
    )


def _second_sign(argument: Argument, inverted: bool = False) -> None:
    G, a, b = sympy.symbols("G a b")
    argument.identity("eq. (1)", "e^{eps_t|z} = P0(y_t|z)/P1(y_t|z)", G * a / b, G * (b / a if inverted else a / b))


def _halves() -> dict[Window, blocks.Row]:
    ones = {(0, 0): Fraction(0), (0, 1): Fraction(0), (1, 0): Fraction(1, 2), (1, 1): Fraction(1)}
    return blocks.bit_rows(ones)


def _not_equal(argument: Argument, stream: Stream, y: tuple[int, ...], floor: Fraction) -> None:
    past = replace(stream, steps=len(y))
    values = past.aux_values
    largest = max(
        blocks.joint(past, False, z)[y] / blocks.joint(past, True, other)[y] for z in values for other in values
    )
    bounds = [blocks.growth(past, out, step, floor) for step, out in enumerate(y, start=1)]
    factors = tuple(bound for bound in bounds if bound is not None)
    evidence = blocks.show(stream, past_outputs=y, maximum=largest, factors=factors)
    argument.counterexample(
        "smaller",
        f"the maximum is {largest}, exp(gamma_1 + .. + gamma_(t-1)) = {' * '.join(map(str, factors))}, and the last quotient "
        "is positive; with the least gamma both agree at t = 2 by definition",
        evidence,
        lambda: blocks.assumption1(stream) and largest < prod(factors, start=Fraction(1)),
    )


@claim(
    "streaming_cw.x-supports",
    where="Assumption 1 (a question of ours)",
    statement="Under Assumption 1 both P^0(.|z) and P^1(.|z) are positive exactly on W^t.",
    kind="lemma",
    assumes=INDEPENDENT,
)
def supports(check: Check) -> None:
    """Prove it with independent alternatives."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _supports(argument)
    check.near_miss(f"{WINDOW}: without Assumption 1 at step t", lambda argument: _supports(argument, dropped=True))


@claim(
    "streaming_cw.x-supports-shared",
    where="Assumption 1 (a question of ours)",
    statement="Under Assumption 1, however the alternatives are drawn together, P^1(.|z) is positive on W^t.",
    kind="lemma",
    repair="streaming_cw.x-supports",
)
def supports_shared(check: Check) -> None:
    """Refute it with a common coin, and with a stream scrubbed once."""
    for name, stream in ((COIN, blocks.coin_stream(2)), (STREAM, blocks.one_draw_stream(2))):
        with check.reading(name, SMALLEST) as argument:
            _hole(argument, stream)


def _supports(argument: Argument, dropped: bool = False) -> None:
    A, q, m, D, T, N, S, a, w, c = sympy.symbols("A q m D T N S a w c")
    recursion(argument)
    argument.induction(
        "inside W^t",
        "A >= m > 0 (hypothesis for t-1), q = P(y_t|[z*,z]) p(z*): the sum D of A q is at least m times the sum T of q",
        base=(A * q >= m * q, [m <= A, q >= 0, m > 0]),
        step=(D + A * q >= m * (T + q), [m * T <= D, m <= A, q >= 0, m > 0]),
    )
    here = [T >= 0] if dropped else [T > 0]
    argument.inequality("positive", "T = P(y_t|z) > 0 for y_t in W", D > 0, [m * T <= D, m > 0, *here])
    argument.induction(
        "outside",
        "c is at least every a = P(y_1..y_{t-1}|..): N, the sum of a w, is at most c S, S the sum of w = P(y_t|[z*,z]) p(z*)",
        base=(a * w <= c * w, [a <= c, w >= 0]),
        step=(N + a * w <= c * (S + w), [c * S >= N, a <= c, w >= 0]),
    )
    argument.inequality(
        "zero",
        "y_t outside W has S = P(y_t|z) = 0; an earlier y_i outside W has c = 0 by hypothesis",
        sympy.Eq(N, 0),
        [c * S >= N, N >= 0, sympy.Or(sympy.Eq(S, 0), sympy.Eq(c, 0)), S >= 0, c >= 0],
    )


def _hole(argument: Argument, stream: Stream) -> None:
    law, y, z = blocks.joint(stream, True, (0,)), (0, 1), (0,)
    evidence = blocks.show(stream, y=y, z=z, P1=law[y])
    argument.counterexample(
        "0 inside W^2", "P^1(0,1|0) = 0", evidence, lambda: blocks.assumption1(stream) and law[y] == 0
    )
