"""Figure 2: conditional independence of outputs given the blocks that windows share, and windows that own no block.

Proves (1), (3) and (4) for independent alternatives; refutes (1) and (4) for a common coin, and (2). Source: "Composition
Theorem for streaming CW-privacy", Figure 2.
"""

from fractions import Fraction

import sympy

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.streaming_cw import blocks
from pufferproof.claims.streaming_cw.blocks import Stream, Window
from pufferproof.claims.streaming_cw.lemma1 import product_bound
from pufferproof.claims.streaming_cw.stream_readings import ALL_SIZES, COIN, FLOOR, SMALLEST, WINDOW
from pufferproof.verify.proof import Argument


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
