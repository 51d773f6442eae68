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

from pufferproof.claims.language import Proof, letter, letters
from pufferproof.claims.papers.streaming_cw.lemmas.linked import MAX_RATIO
from pufferproof.claims.papers.streaming_cw.lemmas.statements import (
    BASE_CLOSE,
    BASE_CLOSE_SECRET,
    CONDITIONING,
    CONDITIONING_DATA,
    CONDITIONING_SCRUBBED,
    LOCALITY,
    LOCALITY_BLOCKS,
    LOCALITY_COIN,
)
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    BLOCKS,
    COIN,
    COINS,
    INDEPENDENT,
    RECURSION,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim

whole = letter("whole", "the sum of e m f over the first values")
past = letter("past", "K(X_1)[y_1]..K(X_{t-1})[y_{t-1}], the factors before the last one")
joint, before, last = letters("joint before last", "the sums of w past c, of w past and of w c")
total = letter("total", "the sum of w")
now = letter("now", "P^k(y_t|[z*,z])")

NOTATION = {"gamma_t": "a bound: P0(y_t|z) <= e^{gamma_t} P1(y_t|z') for all z, z' (Assumption 3)"}


@claim(
    "streaming_cw.lem1-conditioning",
    where="Lemma 1, first equality",
    statement="P^k(y_1..y_t|z) = sum_{z*} P^k(y_1..y_{t-1}|X_t=[z*,z]) P^k(y_t|X_t=[z*,z]) "
    "Pr[X_{t1}=z*], k = 0, 1.",
    kind="proof step",
    assumes=[COINS],
    repair="streaming_cw.lem1-conditioning-repaired",
    says={"k = 0, alt not involved": CONDITIONING_DATA, f"k = 1, {WINDOW}": CONDITIONING_SCRUBBED},
)
def conditioning(check: Check) -> None:
    """Given X_t the outputs before t and the output at t are independent; for k = 1 that
    depends on the scrub.

    K = 0, alt not involved. Regrouping: the sum over b_1..b_t is a sum over z* = b_t of sums over
    b_1..b_{t-1} [lemma.finite-sums]. Factor of the last window: For fixed X_t, w =
    p(b_1)..p(b_{t-1}); the sum of w past is P^k(y_1..y_{t-1}|X_t). The factor is P^k(y_t|X_t): the
    sum of w is 1 over all terms, because p is a law. All terms: the sum of w is 1. Sum over z*: for
    each z*, where the sums of w past and of w c are P^k(y_1..y_{t-1}|X_t) and P^k(y_t|X_t); the
    blocks are independent of z.

    K = 1, alternatives drawn for each window on its own. Alternatives on their own: For a fixed
    stream the alternatives of the other windows are drawn apart, so that f is the same for every
    value x of alt(X_i), and the expectation of the product is the product of K(X_i)[y_i] = E
    M(alt(X_i))[y_i]. From "Regrouping" to "Sum over z*": as above.
    """
    name = "k = 0, alt not involved"
    check.tried(name)
    name = f"k = 1, {WINDOW}"
    check.tried(name)
    with check.reading(f"k = 1, {STREAM}", SMALLEST) as proof:
        why = "scrubbed windows share the scrubbed block between them"
        _conditioning_fails(proof, blocks.xor_stream(2), True, why)
    with check.reading(f"k = 1, {COIN}", SMALLEST) as proof:
        why = "one coin replaces the oldest block of both windows"
        _conditioning_fails(proof, blocks.coin_stream(2), True, why)
    with check.reading("k = 0, given a secret about two blocks", SMALLEST) as proof:
        equal = replace(blocks.coin_stream(2), given=lambda sequence: sequence[1] == sequence[2])
        why = "the secret b_2 = b_3 ties z* to z, and p(z*) forgets it"
        _conditioning_fails(proof, equal, False, why, "b_2 = b_3 is given")


@claim(
    "streaming_cw.lem1-conditioning-repaired",
    where="Lemma 1, first equality, independent alternatives",
    statement="With independent blocks and alternatives, P^k(y_1..y_t|z) is the sum over z* of "
    "P^k(y_1..y_{t-1}|X_t=[z*,z]) P^k(y_t|X_t=[z*,z]) p(z*), for k = 0 and 1, all t >= 1, all "
    "y_1..y_t and all z.",
    kind="proof step",
    assumes=INDEPENDENT,
    says={WINDOW: CONDITIONING},
)
def conditioning_repaired(check: Check) -> None:
    """Prove the factorisation from the product form of the joint law.

    As in streaming_cw.lem1-conditioning.
    """


def _conditioning_fails(
    proof: Proof, stream: Stream, scrubbed: bool, why: str, secret: str = "none"
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
    proof.counterexample(
        "not a product",
        f"Two steps on bits, given z = {z[0]}: the outputs {shown(y)} have probability {left}, but "
        f"the sum of products is {right}, because {why}.",
        evidence,
        lambda: blocks.joint(stream, scrubbed, z)[y] != split(stream, scrubbed, z, y),
        f"{chance(stream, scrubbed, z, y)} != right",
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
    says={WINDOW: LOCALITY, COIN: LOCALITY_COIN, f"{STREAM}, block by block": LOCALITY_BLOCKS},
)
def locality(check: Check) -> None:
    """The newest block is in no window before t; it may be in a scrubbed one.

    Window i ends before the newest block: window i is b_i..b_{i+B-1}, and i <= t-1: none of its
    blocks is block t+B-1. The newest block leaves the sum: w weighs the other blocks (and the coin,
    or the scrubbed blocks, drawn without the newest one). And cancels: it is a factor of the
    condition as well.
    """
    for name in (WINDOW, COIN, f"{STREAM}, block by block"):
        check.tried(name)
    with check.reading(f"{STREAM}, in any way", SMALLEST) as proof:
        why = "the scrub moves each block one place back in time"
        _locality_fails(proof, _shift_stream(), True, why)
    with check.reading("k = 0, given a secret about three blocks", SMALLEST) as proof:
        secret = "b_1 + b_2 + b_3 is even"
        why = (
            f"the secret, that {secret.replace(' is', ' be')}, ties the newest block to the oldest"
        )
        _locality_fails(proof, blocks.parity_stream(), False, why, secret)


@claim(
    "streaming_cw.lem1-locality-repaired",
    where="Lemma 1, second equality, independent alternatives",
    statement="With independent blocks and alternatives, P^k(y_1..y_{t-1}|X_t=[z*,z]) = "
    "P^k(y_1..y_{t-1}|[z*,z]_up) for k = 0 and 1, all t >= 2 and all outcomes: the outputs "
    "before t do not depend on the newest block of X_t.",
    kind="proof step",
    assumes=INDEPENDENT,
    says={WINDOW: LOCALITY},
)
def locality_repaired(check: Check) -> None:
    """Prove that block t + B - 1 is in no earlier window, and that it then cancels.

    As in streaming_cw.lem1-locality.
    """


def _locality_fails(
    proof: Proof, stream: Stream, scrubbed: bool, why: str, secret: str = "none"
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

    def conditional(values: Window) -> str:
        known = dict(enumerate(values, start=stream.steps))
        return chance(stream, scrubbed, known, found[1], past)

    evidence = blocks.show(
        stream, secret=secret, k=int(scrubbed), X_t=found[0], y=found[1], left=left, right=right
    )
    proof.counterexample(
        "the newest block matters",
        f"Two steps on bits: given both blocks of X_2 = {shown(found[0])} the output "
        f"{shown(found[1])} of step 1 has probability {left}, given its older block alone {right}, "
        f"because {why}.",
        evidence,
        lambda: len(set(sides(*found))) == 2,
        f"{conditional(found[0])} != {conditional(found[0][:-1])}",
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
    kind="proof step",
    says={"any number of terms": MAX_RATIO},
)
def max_ratio(check: Check) -> None:
    """Sum numerators and denominators for any number of terms; the largest a/A over two values
    is the largest a over the least A.
    """


@claim(
    "streaming_cw.lem1-base-close",
    where="Lemma 1, start and end",
    statement="t = 1 is Assumption 3; sum_{z*} P^k(y_t|X_t=[z*,z]) p(z*) = P^k(y_t|z), at most "
    "e^{gamma_t} P^1(y_t|z'); so the bound follows by induction.",
    kind="proof step",
    assumes=["Assumptions 1 and 3", RECURSION],
    repair="streaming_cw.lem1-base-close-repaired",
    says={"as printed": BASE_CLOSE},
)
def base_close(check: Check) -> None:
    """The base case, total probability and the induction step; a secret that ties the blocks
    breaks total probability.

    T = 1: Assumption 3 at step 1. Regrouping: P^k(y_t|z) is a sum over all blocks, regrouped by z*
    = b_t [lemma.finite-sums]. Total probability: r = p u, as z* is independent of z. Given z: the
    sum of p over all z* is 1, and P^k(y_t|z) is the quotient on the left. The denominator is
    positive: every A is positive (hypothesis for t-1, finitely many z*). So D > 0: T = P1(y_t|z') >
    0 by Assumption 1. One step back: N/D <= K S/T, K the largest a/A over two values of z*
    [streaming_cw.lem1-max-ratio]. T - 1 to t: G bounds K (hypothesis) and g_t bounds S/T
    (Assumption 3).
    """
    check.tried("as printed")
    with check.reading("given a secret about two blocks", "t = 1, bits, B = 2") as proof:
        _total_probability_fails(proof)


@claim(
    "streaming_cw.lem1-base-close-repaired",
    where="Lemma 1, start and end, independent blocks",
    statement="With independent blocks, t = 1 is Assumption 3; the sum over z* of "
    "P^k(y_t|X_t=[z*,z]) p(z*) is P^k(y_t|z) for k = 0 and 1, and P^0(y_t|z) <= e^{gamma_t} "
    "P^1(y_t|z'); so the bound of Lemma 1 follows by induction over t.",
    kind="proof step",
    assumes=[BLOCKS, STEPS, RECURSION],
    says={"independent blocks": BASE_CLOSE_SECRET},
)
def base_close_repaired(check: Check) -> None:
    """Prove it for blocks that are independent.

    As in streaming_cw.lem1-base-close.
    """


def _total_probability_fails(proof: Proof) -> None:
    table = blocks.surely(blocks.HALF, 2, blocks.replace_oldest())
    stream = Stream(
        blocks.HALF, 2, blocks.oldest(), table, 1, lambda sequence: sequence[0] == sequence[1]
    )
    z, y = (0,), (0,)
    left, right = blocks.joint(stream, False, z)[y], split(stream, False, z, y)
    evidence = blocks.show(
        stream, secret="b_1 = b_2 is given", k=0, z=z, y=y, left=left, right=right
    )
    proof.counterexample(
        "not the law of the last output",
        f"M outputs the oldest bit b_1, and the secret says b_1 = b_2: given z = b_2 = 0 the "
        f"output 0 has probability {left}, but the sum over z* with the weights p(z*) = 1/2 is "
        f"{right}, because the secret ties z* to z.",
        evidence,
        lambda: blocks.joint(stream, False, z)[y] != split(stream, False, z, y),
        f"{chance(stream, False, z, y)} != right",
    )
