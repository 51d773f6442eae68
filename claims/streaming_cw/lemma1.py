"""Lemma 1: the likelihood ratio of t outputs is at most the product of the one-step ratios, under any auxiliary information.

Proved for alternatives that are drawn for each window on its own (ALT w). When the stream is scrubbed once (ALT s), or with a
common coin (ALT c), P^1 is no sum of products over the oldest block, and exact counterexamples follow. Source: "Composition
Theorem for streaming CW-privacy", Lemma 1.
"""

from fractions import Fraction
from math import prod

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Stream, Window
from pufferproof.claims.streaming_cw.stream_readings import (
    ALL_SIZES,
    COIN,
    FLOOR,
    INDEPENDENT,
    SMALLEST,
    STREAM,
    WINDOW,
)
from pufferproof.verify.proof import Argument


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
        ("given a secret about all blocks, slopes all 1", blocks.parity_stream(), (0, 0), (0,), (0,)),
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
        "positive denominators", "and total probability: S = P0(y_t|z), T = P1(y_t|z')", f"{PREFIX}base-close-repaired"
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
