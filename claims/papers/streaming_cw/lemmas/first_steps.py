"""The proof of Lemma 1 taken apart: conditioning on a block, locality, a quotient of sums, start
and end of the induction.

The proof conditions on the oldest block z* of the last window. Per value of z*: a =
P^0(y_1..y_{t-1}|[z*,z]_up), A the same for P^1 (with z'), b = P^0(y_t|X_t=[z*,z]), B the same for
P^1, p = p(z*). Its engine is one inequality about sums, derived for any number of terms; what
differs between readings is whether P^1 has that form. Source: "Composition Theorem for streaming
CW- privacy", Lemma 1.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import sympy

from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    BLOCKS,
    COIN,
    COINS,
    INDEPENDENT,
    POSITIVE,
    RECURSION,
    SIGNS,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

NOTATION = {
    "a_i": "P^0(y_1..y_{t-1}|[z*,z]_up) for the i-th value of z*",
    "A_i": "P^1(y_1..y_{t-1}|[z*,z']_up) for the i-th value of z*",
    "b_i": "P^0(y_t|X_t=[z*,z]) for the i-th value of z*",
    "B_i": "P^1(y_t|X_t=[z*,z']) for the i-th value of z*",
    "p_i": "the probability p(z*) of the i-th value of z*",
    "gamma_t": "a bound: P0(y_t|z) <= e^{gamma_t} P1(y_t|z') for all z, z' (Assumption 3)",
}


@claim(
    "streaming_cw.lem1-conditioning",
    where="Lemma 1, first equality",
    statement="P^k(y_1..y_t|z) = sum_{z*} P^k(y_1..y_{t-1}|X_t=[z*,z]) P^k(y_t|X_t=[z*,z]) "
    "Pr[X_{t1}=z*], k = 0, 1.",
    kind="proof step",
    assumes=[COINS],
    repair="streaming_cw.lem1-conditioning-repaired",
)
def conditioning(check: Check) -> None:
    """Given X_t the outputs before t and the output at t are independent; for k = 1 that
    depends on the scrub.
    """
    for name, scrubbed in (("k = 0, alt not involved", False), (f"k = 1, {WINDOW}", True)):
        with check.reading(name, ALL_SIZES) as argument:
            _conditioning(argument, scrubbed)
        check.near_miss(
            f"{name}: last output tied to the past",
            lambda argument: _conditioning(argument, tied=True),
        )
    for name, stream, why in (
        (STREAM, blocks.xor_stream(2), "scrubbed windows share the scrubbed block between them"),
        (COIN, blocks.coin_stream(2), "one coin replaces the oldest block of both windows"),
    ):
        with check.reading(f"k = 1, {name}", SMALLEST) as argument:
            _conditioning_fails(argument, stream, True, why)
    with check.reading("k = 0, given a secret about two blocks", SMALLEST) as argument:
        tied = replace(blocks.coin_stream(2), given=lambda sequence: sequence[1] == sequence[2])
        secret = "b_2 = b_3 is given"
        _conditioning_fails(
            argument, tied, False, "the secret b_2 = b_3 ties z* to z, and p(z*) forgets it", secret
        )


@claim(
    "streaming_cw.lem1-conditioning-repaired",
    where="Lemma 1, first equality, independent alternatives",
    statement="With independent blocks and alternatives, P^k(y_1..y_t|z) is the sum over z* of "
    "P^k(y_1..y_{t-1}|X_t=[z*,z]) P^k(y_t|X_t=[z*,z]) p(z*), for k = 0 and 1, all t >= 1, all "
    "y_1..y_t and all z.",
    kind="proof step",
    assumes=INDEPENDENT,
)
def conditioning_repaired(check: Check) -> None:
    """Prove the factorisation from the product form of the joint law."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _conditioning(argument)
    check.near_miss(
        f"{WINDOW}: last output tied to the past",
        lambda argument: _conditioning(argument, tied=True),
    )


def _conditioning(argument: Argument, scrubbed: bool = True, tied: bool = False) -> None:
    w, a, c, d, S, T, V, W, p, A, K, e, m, f = sympy.symbols("w a c d S T V W p A K e m f")
    if scrubbed:
        argument.induction(
            "alternatives on their own",
            "For a fixed stream, e = Pr[alt(X_i) = x|X_i], m = M(x)[y_i], and f is the expectation "
            "of the factors of the other windows, whose alternatives are drawn apart: A sums e m f "
            "and K sums e m over the values x of alt(X_i): A = K f, so that the expectation of the "
            "product is the product of K(X_i)[y_i] = E M(alt(X_i))[y_i]",
            base=(sympy.Eq(A, K * f), [sympy.Eq(A, e * m * f), sympy.Eq(K, e * m)]),
            step=(sympy.Eq(A + e * m * f, (K + e * m) * f), [sympy.Eq(A, K * f)]),
        )
    argument.cite(
        "regrouping",
        "the sum over b_1..b_t is a sum over z* = b_t of sums over b_1..b_{t-1}",
        "lemma.finite-sums",
    )
    last = d if tied else c
    argument.induction(
        "factor of the last window",
        "For fixed X_t, w = p(b_1)..p(b_{t-1}) and a = K(X_1)[y_1]..K(X_{t-1})[y_{t-1}], where K = "
        "M (k = 0) or K(x) = E M(alt(x)) (k = 1, alternatives on their own); c = K(X_t)[y_t] in "
        "every term. S sums w a c, T sums w a, which is P^k(y_1..y_{t-1}|X_t): S = T c",
        base=(sympy.Eq(S, T * c), [sympy.Eq(S, w * a * last), sympy.Eq(T, w * a)]),
        step=(sympy.Eq(S + w * a * last, (T + w * a) * c), [sympy.Eq(S, T * c)]),
    )
    argument.induction(
        "the factor is P^k(y_t|X_t)",
        "V sums w c and W sums w: V = c W, and W = 1 over all terms, because p is a law",
        base=(sympy.Eq(V, c * W), [sympy.Eq(V, w * last), sympy.Eq(W, w)]),
        step=(sympy.Eq(V + w * last, c * (W + w)), [sympy.Eq(V, c * W)]),
    )
    argument.inequality("all terms", "W = 1", sympy.Eq(V, c), [sympy.Eq(V, c * W), sympy.Eq(W, 1)])
    argument.inequality(
        "sum over z*",
        "p S = T V p with p = p(z*), T = P^k(y_1..y_{t-1}|X_t), V = P^k(y_t|X_t), for each z*; the "
        "blocks are independent of z",
        sympy.Eq(p * S, T * V * p),
        [sympy.Eq(S, T * c), sympy.Eq(V, c)],
    )


def _conditioning_fails(
    argument: Argument, stream: Stream, scrubbed: bool, why: str, secret: str = "none"
) -> None:
    z = (0,)
    y = next(
        (
            y
            for y, mass in blocks.joint(stream, scrubbed, z).items()
            if mass != split(stream, scrubbed, z, y)
        ),
        None,
    )
    if y is None:
        return
    left, right = blocks.joint(stream, scrubbed, z)[y], split(stream, scrubbed, z, y)
    evidence = blocks.show(stream, secret=secret, k=int(scrubbed), z=z, y=y, left=left, right=right)
    argument.counterexample(
        "not a product",
        f"Two steps on bits, given z = {z[0]}: the outputs {shown(y)} have probability {left}, but "
        f"the sum of products is {right}, because {why}.",
        evidence,
        lambda: blocks.joint(stream, scrubbed, z)[y] != split(stream, scrubbed, z, y),
    )


def shown(values: tuple[int, ...]) -> str:
    """Write a tuple of outputs or blocks in a sentence.

    >>> shown((0, 1)), shown((1,))
    ('(0, 1)', '1')
    """
    return str(values[0]) if len(values) == 1 else f"({', '.join(map(str, values))})"


def split(stream: Stream, scrubbed: bool, z: Window, y: tuple[int, ...]) -> Fraction:
    """Return sum_{z*} P(past|X_t) P(y_t|X_t) p(z*), the right side of the first equality as
    printed.
    """
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
    statement="P^k(y_1..y_{t-1}|X_t=[z*,z]) = P^k(y_1..y_{t-1}|[z*,z]_up), with X_{(t-1) down} = "
    "[z*,z]_up given on the right.",
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
        _locality_fails(
            argument, _shift_stream(), True, "the scrub moves each block one place back in time"
        )
    with check.reading("k = 0, given a secret about three blocks", SMALLEST) as argument:
        secret = "b_1 + b_2 + b_3 is even"
        why = (
            f"the secret, that {secret.replace(' is', ' be')}, ties the newest block to the oldest"
        )
        _locality_fails(argument, blocks.parity_stream(), False, why, secret)


@claim(
    "streaming_cw.lem1-locality-repaired",
    where="Lemma 1, second equality, independent alternatives",
    statement="With independent blocks and alternatives, P^k(y_1..y_{t-1}|X_t=[z*,z]) = "
    "P^k(y_1..y_{t-1}|[z*,z]_up) for k = 0 and 1, all t >= 2 and all outcomes: the outputs "
    "before t do not depend on the newest block of X_t.",
    kind="proof step",
    assumes=INDEPENDENT,
)
def locality_repaired(check: Check) -> None:
    """Prove that block t + B - 1 is in no earlier window, and that it then cancels."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        _locality(argument)
    check.near_miss(f"{WINDOW}: up to window t", lambda argument: _locality(argument, last=1))


def _locality(argument: Argument, last: int = 0) -> None:
    i, t, B, w, F, q, S, T, D, E = sympy.symbols("i t B w F q S T D E")
    argument.inequality(
        "window i ends before the newest block",
        "window i is b_i..b_{i+B-1}, and i <= t-1: it does not reach block t+B-1",
        i + B - 1 < t + B - 1,
        [i <= t - 1 + last, i >= 1, B >= 1],
    )
    argument.induction(
        "the newest block leaves the sum",
        "w weighs the other blocks (and the coin, or the scrubbed blocks, drawn without the newest "
        "one), F = the product of the outputs' probabilities before t, q = p(newest): S sums w q "
        "F, T sums w F",
        base=(sympy.Eq(S, q * T), [sympy.Eq(S, w * q * F), sympy.Eq(T, w * F), q > 0]),
        step=(sympy.Eq(S + w * q * F, q * (T + w * F)), [sympy.Eq(S, q * T), q > 0]),
    )
    argument.inequality(
        "and cancels",
        "S = q T is the mass of the outputs, D = q E that of the condition, of which T and E leave "
        "the newest block out",
        sympy.Eq(S / D, T / E),
        [sympy.Eq(S, q * T), sympy.Eq(D, q * E), q > 0, E > 0],
    )


def _locality_fails(
    argument: Argument, stream: Stream, scrubbed: bool, why: str, secret: str = "none"
) -> None:
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
    evidence = blocks.show(
        stream, secret=secret, k=int(scrubbed), X_t=found[0], y=found[1], left=left, right=right
    )
    argument.counterexample(
        "the newest block matters",
        f"Two steps on bits: given both blocks of X_2 = {shown(found[0])} the output "
        f"{shown(found[1])} of step 1 has probability {left}, given its older block alone {right}, "
        f"because {why}.",
        evidence,
        lambda: len(set(sides(*found))) == 2,
    )


def _shift_stream() -> Stream:
    def scrub(sequence: Window) -> list[tuple[Fraction, Window]]:
        return [(Fraction(1), (*sequence[1:], sequence[0]))]

    table = blocks.whole_stream(
        "block i becomes the old block i + 1, the last becomes the old first", scrub
    )
    rows = blocks.kernel(blocks.HALF, 2, lambda window: blocks.point(window[1]))
    return Stream(blocks.HALF, 2, rows, table, 2)


@claim(
    "streaming_cw.lem1-max-ratio",
    where="Lemma 1, first inequality",
    statement="(sum_i a_i b_i p_i)/(sum_i A_i B_i p_i) <= max_{i,j}(a_i/A_j) (sum_i b_i "
    "p_i)/(sum_i B_i p_i).",
    kind="proof step",
    assumes=[SIGNS, POSITIVE],
)
def max_ratio(check: Check) -> None:
    """Prove it for any number of terms by two inductions, one per sum."""
    name = "any number of terms"
    with check.reading(name, ALL_SIZES) as argument:
        _max_ratio(argument)
    check.near_miss(
        f"{name}: a smaller constant",
        lambda argument: _max_ratio(argument, sympy.Rational(99, 100)),
    )
    check.near_miss(
        f"{name}: the maximum over i = j only", lambda argument: _max_ratio(argument, paired=True)
    )


def _max_ratio(
    argument: Argument, factor: sympy.Rational = sympy.S.One, paired: bool = False
) -> None:
    a, A, K, w, q, N, D, S, T, other = sympy.symbols("a A K w q N D S T other")
    bound = [sympy.Eq(other * K, a), other > 0] if paired else [a <= K * A]
    c = factor * K
    argument.induction(
        "sum over j, for one a = a_i",
        "K is at least every a_i/A_j. q = B_j p_j; T sums q and D sums A q over the first j: a T "
        "<= K D",
        base=(a * q <= c * (A * q), [q >= 0, a >= 0, A > 0, K >= 0, *bound]),
        step=(
            a * (T + q) <= c * (D + A * q),
            [a * T <= c * D, q >= 0, a >= 0, A > 0, K >= 0, *bound],
        ),
    )
    argument.induction(
        "sum over i",
        "w = b_i p_i; N sums a w and S sums w over the first i: N T <= K D S",
        base=((a * w) * T <= K * D * w, [a * T <= K * D, w >= 0]),
        step=((N + a * w) * T <= K * D * (S + w), [N * T <= K * D * S, a * T <= K * D, w >= 0]),
    )
    argument.inequality(
        "divide", "D > 0 and T > 0", N / D <= K * S / T, [N * T <= K * D * S, D > 0, T > 0]
    )


@claim(
    "streaming_cw.lem1-base-close",
    where="Lemma 1, start and end",
    statement="t = 1 is Assumption 3; sum_{z*} P^k(y_t|X_t=[z*,z]) p(z*) = P^k(y_t|z), at most "
    "e^{gamma_t} P^1(y_t|z'); so the bound follows by induction.",
    kind="proof step",
    assumes=["Assumptions 1 and 3", RECURSION],
    repair="streaming_cw.lem1-base-close-repaired",
)
def base_close(check: Check) -> None:
    """The base case, total probability and the induction step; a secret that ties the blocks
    breaks total probability.
    """
    for name in ("as printed", "given a secret about one block"):
        with check.reading(name, ALL_SIZES) as argument:
            _base_close(argument)
        check.near_miss(
            f"{name}: the last factor left out",
            lambda argument: _base_close(argument, forgotten=True),
        )
        check.near_miss(f"{name}: z* tied to z", lambda argument: _base_close(argument, tied=True))
    with check.reading("given a secret about two blocks", "t = 1, bits, B = 2") as argument:
        _total_probability_fails(argument)


@claim(
    "streaming_cw.lem1-base-close-repaired",
    where="Lemma 1, start and end, independent blocks",
    statement="With independent blocks, t = 1 is Assumption 3; the sum over z* of "
    "P^k(y_t|X_t=[z*,z]) p(z*) is P^k(y_t|z) for k = 0 and 1, and P^0(y_t|z) <= e^{gamma_t} "
    "P^1(y_t|z'); so the bound of Lemma 1 follows by induction over t.",
    kind="proof step",
    assumes=[BLOCKS, STEPS, RECURSION],
)
def base_close_repaired(check: Check) -> None:
    """Prove it for blocks that are independent."""
    name = "independent blocks"
    with check.reading(name, ALL_SIZES) as argument:
        _base_close(argument)
    check.near_miss(
        f"{name}: the last factor left out", lambda argument: _base_close(argument, forgotten=True)
    )
    check.near_miss(f"{name}: z* tied to z", lambda argument: _base_close(argument, tied=True))


def _total_probability_fails(argument: Argument) -> None:
    table = blocks.surely(blocks.HALF, 2, blocks.replace_oldest())
    stream = Stream(
        blocks.HALF, 2, blocks.oldest(), table, 1, lambda sequence: sequence[0] == sequence[1]
    )
    z, y = (0,), (0,)
    left, right = blocks.joint(stream, False, z)[y], split(stream, False, z, y)
    evidence = blocks.show(
        stream, secret="b_1 = b_2 is given", k=0, z=z, y=y, left=left, right=right
    )
    argument.counterexample(
        "not the law of the last output",
        f"M outputs the oldest bit b_1, and the secret says b_1 = b_2: given z = b_2 = 0 the "
        f"output 0 has probability {left}, but the sum over z* with the weights p(z*) = 1/2 is "
        f"{right}, because the secret ties z* to z.",
        evidence,
        lambda: blocks.joint(stream, False, z)[y] != split(stream, False, z, y),
    )


def _base_close(argument: Argument, forgotten: bool = False, tied: bool = False) -> None:
    a, b, g, G, K, N, D, S, T, A, m, q = sympy.symbols("a b g G K N D S T A m q")
    c, p, r, u, U, W = sympy.symbols("c p r u U W")
    argument.inequality(
        "t = 1", "a = P0(y_1|z), b = P1(y_1|z'), g = e^{gamma_1}", a / b <= g, [a <= g * b, b > 0]
    )
    argument.cite(
        "regrouping",
        "P^k(y_t|z) is a sum over all blocks, regrouped by z* = b_t",
        "lemma.finite-sums",
    )
    apart = [] if tied else [sympy.Eq(r, p * u)]
    argument.induction(
        "total probability",
        "r = Pr[b_t = z*, X_{t down} = z] = p u with p = p(z*) and u = Pr[X_{t down} = z], as z* "
        "is independent of z; c = P^k(y_t|[z*,z]). U sums r c, S sums p c, W sums p over the first "
        "values of z*: U = u S",
        base=(sympy.Eq(U, u * S), [sympy.Eq(U, r * c), sympy.Eq(S, p * c), *apart]),
        step=(sympy.Eq(U + r * c, u * (S + p * c)), [sympy.Eq(U, u * S), *apart]),
    )
    argument.inequality(
        "given z",
        "over all z* W = 1, and P^k(y_t|z) = U / (u W) = S",
        sympy.Eq(U / (u * W), S),
        [sympy.Eq(U, u * S), sympy.Eq(W, 1), u > 0],
    )
    argument.induction(
        "the denominator is positive",
        "A >= m > 0 for every z* (hypothesis for t-1, finitely many z*), q = P^1(y_t|[z*,z']) "
        "p(z*): D >= m T, and T > 0",
        base=(A * q >= m * q, [m <= A, q >= 0, m > 0]),
        step=(D + A * q >= m * (T + q), [m * T <= D, m <= A, q >= 0, m > 0]),
    )
    argument.inequality(
        "so D > 0", "T = P1(y_t|z') > 0 by Assumption 1", D > 0, [m * T <= D, m > 0, T > 0]
    )
    argument.cite(
        "one step back",
        "N/D <= K S/T, K the largest a/A over two values of z*",
        "streaming_cw.lem1-max-ratio",
        met_by={POSITIVE: "so D > 0"},
        met={SIGNS: "they are probabilities, and A >= m > 0 (hypothesis for t - 1)"},
    )
    argument.inequality(
        "t - 1 to t",
        "G = exp(gamma_1 + .. + gamma_{t-1}) bounds K (hypothesis), g = e^{gamma_t} bounds S/T "
        "(Assumption 3): N/D <= G g",
        G * (1 if forgotten else g) >= N / D,
        [N / D <= K * S / T, K <= G, g * T >= S, T > 0, S >= 0, K >= 0, D > 0, g >= 1],
    )
