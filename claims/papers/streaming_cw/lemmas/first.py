"""Lemma 1: the likelihood ratio of t outputs is at most the product of the one-step ratios, under
any auxiliary information.

Derived for alternatives that are drawn for each window on its own (ALT w). When the stream is
scrubbed once (ALT s), or with a common coin (ALT c), P^1 is no sum of products over the oldest
block, and exact counterexamples follow. Source: "Composition Theorem for streaming CW-privacy",
Lemma 1.
"""

from fractions import Fraction
from math import prod

import sympy

from pufferproof.claims.papers.streaming_cw.lemmas.first_steps import shown
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    APART,
    BLOCKS,
    COIN,
    COINS,
    FLOOR,
    IID,
    INDEPENDENT,
    LAW_EACH_STEP,
    OWN,
    POSITIVE,
    RECURSION,
    SECRET,
    SIGNS,
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
    "streaming_cw.lemma1",
    where="Lemma 1",
    statement="For all y in W^t and all z, z': P^0(y_1..y_t|z)/P^1(y_1..y_t|z') <= exp(gamma_1 + "
    ".. + gamma_t).",
    kind="lemma",
    assumes=["i.i.d. blocks", "Assumptions 1 to 3", COINS],
    repair="streaming_cw.lemma1-repaired",
)
def lemma1(check: Check) -> None:
    """Derived for alternatives that are drawn window by window; false for the other two ways of
    drawing them.
    """
    for name, reasons in (
        (f"{WINDOW}, equal steps", IID),
        (f"{WINDOW}, a law for each step", LAW_EACH_STEP),
        (f"{WINDOW}, given a secret about one block", SECRET),
    ):
        with check.reading(name, ALL_SIZES) as argument:
            product_bound(argument, reasons)
        check.near_miss(
            f"{name}: one gamma left out", lambda argument: product_bound(argument, forgotten=True)
        )
    readings: list[tuple[str, Stream, tuple[int, ...], Window, Window]] = [
        (
            f"{STREAM}, one draw for all blocks, slopes all 1",
            blocks.one_draw_stream(2),
            (0, 1),
            (0,),
            (0,),
        ),
        (f"{STREAM}, block by block, equal steps", blocks.xor_stream(2), (0, 1), (0,), (0,)),
        (
            f"{STREAM}, one block redrawn, a law for each step",
            blocks.fixed_row_stream(),
            (1, 1),
            (0,),
            (1,),
        ),
        (f"{COIN}, slopes all 1", blocks.coin_stream(2), (0, 1), (0,), (0,)),
        (f"{COIN}, B = 1 allowed", blocks.coin_stream(2, 1), (0, 1), (), ()),
        (
            "given a secret about all blocks, slopes all 1",
            blocks.parity_stream(),
            (0, 0),
            (0,),
            (0,),
        ),
    ]
    for name, stream, y, z, other in readings:
        with check.reading(name, SMALLEST) as argument:
            product_bound_fails(argument, stream, y, z, other)


@claim(
    "streaming_cw.lemma1-repaired",
    where="Lemma 1, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, P^0(y_1..y_t|z) <= "
    "exp(gamma_1 + .. + gamma_t) P^1(y_1..y_t|z') for all outcomes y_1, .., y_t in W and all "
    "z, z'; eq. (1) is not needed.",
    kind="lemma",
    assumes=[*INDEPENDENT, STEPS],
)
def lemma1_repaired(check: Check) -> None:
    """Prove Lemma 1 under the reading of alt that its proof needs."""
    with check.reading(WINDOW, ALL_SIZES) as argument:
        product_bound(argument)
    check.near_miss(
        f"{WINDOW}: one gamma left out", lambda argument: product_bound(argument, forgotten=True)
    )


def recursion(argument: Argument, reasons: Reasons = OWN, of: str = "") -> None:
    """Cite the two steps that write P^k as a sum over z*, for alternatives on their own; `of`
    says of what else.
    """
    met = only(reasons, BLOCKS, APART)
    argument.cite(
        f"condition on z*{of}",
        "the outputs before t and at t are independent given X_t",
        f"{PREFIX}conditioning-repaired",
        met=met,
    )
    argument.cite(
        f"forget the newest block{of}",
        "the past depends on [z*,z]_up only",
        f"{PREFIX}locality-repaired",
        met=met,
    )


PREFIX = "streaming_cw.lem1-"


def product_bound(argument: Argument, reasons: Reasons = OWN, forgotten: bool = False) -> None:
    """Prove N/D <= G g from the recursion, for N = P^0(y_1..y_t|z), D = P^1(y_1..y_t|z'), by
    induction over t.
    """
    N, D, K, S, T, G, g, n, d = sympy.symbols("N D K S T G g n d")
    recursion(argument, reasons)
    argument.cite(
        "positive denominators",
        "D > 0, and total probability: S = P0(y_t|z), T = P1(y_t|z') > 0",
        f"{PREFIX}base-close-repaired",
        met_by={RECURSION: "forget the newest block"},
        met=only(reasons, BLOCKS, STEPS),
    )
    argument.cite(
        "quotient of sums",
        "N/D <= K S/T, K the largest ratio for t-1 outputs",
        "streaming_cw.lem1-max-ratio",
        met_by={POSITIVE: "positive denominators"},
        met={SIGNS: "they are probabilities, and A is positive as D is, for t - 1 outputs"},
    )
    argument.induction(
        "t outputs",
        "n/d for one output is at most g (Assumption 3 at step 1); K <= G for t-1 outputs, S <= g "
        "T (Assumption 3 at step t)",
        base=(n <= g * d, [n <= g * d, d > 0]),
        step=(
            G * (1 if forgotten else g) * D >= N,
            [N / D <= K * S / T, K <= G, g * T >= S, T > 0, D > 0, S >= 0, K >= 0],
        ),
    )


def product_bound_fails(
    argument: Argument,
    stream: Stream,
    y: tuple[int, ...],
    z: Window,
    other: Window,
    last: bool = False,
) -> None:
    """Refute P^0(y|z) <= e^{gammas} P^1(y|z') at one instance; `last` puts e^{eps_t|z} for the
    last factor (Lemma 2).
    """

    def factors() -> list[Fraction]:
        growths = [blocks.growth(stream, out, step, FLOOR) for step, out in enumerate(y, start=1)]
        if last:
            growths[-1] = (
                blocks.one_step(stream, False, z)[y[-1]] / blocks.one_step(stream, True, z)[y[-1]]
            )
        return [factor for factor in growths if factor is not None]

    left, right, bounds = (
        blocks.joint(stream, False, z)[y],
        blocks.joint(stream, True, other)[y],
        factors(),
    )
    evidence = blocks.show(
        stream, y=y, z=z, other_z=other, P0=left, P1=right, factors=tuple(bounds)
    )

    def violated() -> bool:
        return (
            len(bounds) == len(y)
            and blocks.assumption1(stream)
            and left > prod(bounds, start=Fraction(1)) * right
        )

    factors_shown = " * ".join(map(str, bounds))
    valid = "each factor is a valid e^gamma of its step"
    if last:
        valid = (
            f"{bounds[0]} is a valid e^gamma of the first step and {bounds[-1]} the slope of the "
            f"last"
        )
    given = "" if z == other == () else f", given z = {shown(z)} and z' = {shown(other)}"
    argument.counterexample(
        "larger than the product",
        f"Two steps on bits{given}: the outputs {shown(y)} have probability {left} on the data and "
        f"{right} on the scrubbed data, and {left} is more than {factors_shown} * {right}, though "
        f"{valid}.",
        evidence,
        violated,
    )
