"""Figure 2: conditional independence of outputs given the blocks that windows share, and windows
that own no block.

Derives (1), (3) and (4) for independent alternatives, and that three outputs are independent given
what is shared; refutes (1) and (4) for a common coin, and two readings of (2). Source: "Composition
Theorem for streaming CW-privacy", Figure 2.
"""

from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import sympy

from pufferproof.claims.language import proved
from pufferproof.claims.papers.streaming_cw.lemmas.first import ONE_GAMMA_LEFT_OUT, product_bound
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    ALL_SIZES,
    COIN,
    COINS,
    FLOOR,
    IID,
    SMALLEST,
    STEPS,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument


@claim(
    "streaming_cw.fig2",
    where="Figure 2",
    statement="(1) M(X_1), M(X_2) are independent given what they share, each owning a block; (2) "
    "this fails for three windows, as X_2 shares both its blocks; (3) DP: shared query, own "
    "noise; (4) it works while each window owns a block.",
    kind="remark",
    assumes=[COINS],
)
def fig2(check: Check) -> None:
    """Formalise the four remarks: conditional independence, and whether the bound of Lemma 1
    depends on owning a block.
    """
    for name in (f"(1) two windows, {WINDOW}", "(3) shared query, own noise"):
        with check.reading(name, ALL_SIZES) as argument:
            _independent_given_shared(argument)
        check.near_miss(
            f"{name}: a factor of both",
            lambda argument: _independent_given_shared(argument, tied=True),
        )
    with check.reading(f"(1) two windows, {COIN}", SMALLEST) as argument:
        _dependent_given_shared(argument, blocks.coin_stream(2))
    with check.reading(
        "(2) read as: Lemma 1 fails whenever some window owns no block", "t = 3, bits, B = 2"
    ) as argument:
        _bound_without_own_block(argument)
    name = "(2) a window between two others owns no block, B >= 2"
    with check.reading(name, ALL_SIZES) as argument:
        _owns_no_block(argument)
    check.near_miss(f"{name}: B = 1 allowed", lambda argument: _owns_no_block(argument, least=1))
    with check.reading(
        "(2) three outputs are not independent given the blocks that windows share",
        "t = 3, bits, B = 2",
    ) as argument:
        _three_independent(argument)
    name = f"(2) three outputs are independent given b_2 and b_3, B = 2, {WINDOW}"
    with check.reading(name, ALL_SIZES) as argument:
        _three_given_shared(argument)
    check.near_miss(
        f"{name}: X_2 with a block of its own",
        lambda argument: _three_given_shared(argument, own=True),
    )
    name = f"(4) Lemma 1 holds while each window owns a block, {WINDOW}"
    reasons = {**IID, STEPS: "assumed by Lemma 1, at every step"}
    bound = partial(product_bound, reasons=reasons)
    proved(check, name, ALL_SIZES, bound, one_gamma_left_out=ONE_GAMMA_LEFT_OUT)
    with check.reading(
        f"(4) Lemma 1 holds while each window owns a block, {COIN}", SMALLEST
    ) as argument:
        _dependent_given_shared(argument, blocks.coin_stream(2))


def _independent_given_shared(argument: Argument, tied: bool = False) -> None:
    f, g, k, F, G, S = sympy.symbols("f g k F G S")
    other = k if tied else g
    argument.induction(
        "inner sum",
        "f = p(u) K([u, s])[y_1] for a block u of X_1; g = p(v) K([s, v])[y_2] for those of X_2: S "
        "sums f g, G sums g",
        base=(sympy.Eq(S, f * G), [sympy.Eq(S, f * other), sympy.Eq(G, g)]),
        step=(sympy.Eq(S + f * other, f * (G + g)), [sympy.Eq(S, f * G)]),
    )
    argument.induction(
        "outer sum",
        "S sums f G over the blocks u, F sums f: given the shared blocks s the joint probability "
        "is F G",
        base=(sympy.Eq(S, F * G), [sympy.Eq(S, f * G), sympy.Eq(F, f)]),
        step=(sympy.Eq(S + f * G, (F + f) * G), [sympy.Eq(S, F * G)]),
    )


def _owns_no_block(argument: Argument, least: int = 2) -> None:
    i, j, B = sympy.symbols("i j B")
    argument.inequality(
        "each block of X_i is in a neighbour",
        "block j of X_i = (b_i, .., b_{i+B-1}), j <= i+B-2 or j = i+B-1 as j is whole, is one of "
        "b_{i-1}, .., b_{i+B-2} (X_{i-1}) or of b_{i+1}, .., b_{i+B} (X_{i+1})",
        sympy.Or(sympy.And(j >= i - 1, j <= i + B - 2), sympy.And(j >= i + 1, j <= i + B)),
        [j >= i, sympy.Or(j <= i + B - 2, sympy.Eq(j, i + B - 1)), B >= least],
    )


def _three_given_shared(argument: Argument, own: bool = False) -> None:
    f, k, h, c, F, G, S, T, V, J, m, n = sympy.symbols("f k h c F G S T V J m n")
    middle = c if own else k
    argument.induction(
        "sum over b_1",
        "b_2 and b_3 are given, so k = K(b_2,b_3)[y_2] is one number, K = M or x -> E M(alt(x)). f "
        "= p(b_1) K(b_1,b_2)[y_1]: S sums f k and F sums f over b_1: S = F k",
        base=(sympy.Eq(S, F * k), [sympy.Eq(S, f * middle), sympy.Eq(F, f)]),
        step=(sympy.Eq(S + f * middle, (F + f) * k), [sympy.Eq(S, F * k)]),
    )
    argument.induction(
        "sum over b_4",
        "h = p(b_4) K(b_3,b_4)[y_3]: T sums S h and G sums h over b_4. T = S G is "
        "Pr[y_1,y_2,y_3|b_2,b_3]",
        base=(sympy.Eq(T, S * G), [sympy.Eq(T, S * h), sympy.Eq(G, h)]),
        step=(sympy.Eq(T + S * h, S * (G + h)), [sympy.Eq(T, S * G)]),
    )
    argument.induction(
        "summing an output out",
        "f now is Pr[y_i|b_2,b_3] of one output and n the rest of the product: V sums f n over "
        "y_i, J sums f: V = J n",
        base=(sympy.Eq(V, J * n), [sympy.Eq(V, f * n), sympy.Eq(J, f)]),
        step=(sympy.Eq(V + f * n, (J + f) * n), [sympy.Eq(V, J * n)]),
    )
    argument.inequality(
        "the factors are the laws of the outputs",
        "Each factor sums to J = 1, so that summing out the others leaves it: "
        "Pr[y_1,y_2,y_3|b_2,b_3] = F k G, m = F k its sum over y_3",
        sympy.And(sympy.Eq(T, F * k * G), sympy.Eq(V, m)),
        [
            sympy.Eq(S, F * k),
            sympy.Eq(T, S * G),
            sympy.Eq(m, S),
            sympy.Eq(V, J * m),
            sympy.Eq(J, 1),
        ],
    )


def _three_independent(argument: Argument) -> None:
    ones = {
        (0, 0): Fraction(1, 4),
        (0, 1): Fraction(1, 2),
        (1, 0): Fraction(3, 4),
        (1, 1): Fraction(1, 4),
    }
    stream = blocks.flip_stream(blocks.bit_rows(ones), 3)
    known = [{2: first, 3: second} for first, second in product((0, 1), repeat=2)]
    evidence = blocks.show(stream, shared_blocks=known)

    def independent(scrubbed: bool, shared: dict[int, int]) -> bool:
        law = blocks.law_of_outputs(stream, scrubbed, shared) or {}
        apart = [
            blocks.law_of_outputs(stream, scrubbed, shared, [step]) or {} for step in (1, 2, 3)
        ]
        return all(
            mass == prod((one[y[i : i + 1]] for i, one in enumerate(apart)))
            for y, mass in law.items()
        )

    argument.counterexample(
        "three independent outputs",
        "M depends on both blocks of its window, and b_2 and b_3 are all that three windows share: "
        "given them M(X_1), M(X_2) and M(X_3) are independent, and so are the outputs on "
        "alternatives, as M(X_2) only has the coins of M left.",
        evidence,
        lambda: all(
            independent(scrubbed, shared) for scrubbed in (False, True) for shared in known
        ),
    )


def _dependent_given_shared(argument: Argument, stream: Stream) -> None:
    shared, y = {2: 0}, (0, 1)
    law = blocks.law_of_outputs(stream, True, shared) or {}
    first, second = (blocks.law_of_outputs(stream, True, shared, [step]) or {} for step in (1, 2))
    apart = first[y[:1]] * second[y[1:]]
    evidence = blocks.show(
        stream,
        shared_blocks=shared,
        y=y,
        P1=law[y],
        product=apart,
        P0=blocks.joint(stream, False, (0,))[y],
    )

    def violated() -> bool:
        beyond = all(
            blocks.joint(stream, False, z)[y] > FLOOR**2 * blocks.joint(stream, True, z)[y]
            for z in stream.aux_values
        )
        return blocks.slopes_all_one(stream) and law[y] == 0 and beyond

    sentence = (
        "M outputs the oldest bit, and one coin replaces that bit in both windows: given the "
        "shared block the outputs on the scrubbed data are always equal, so that 0 and then 1 has "
        "probability 0, not the product; the bound of Lemma 1 fails as well."
    )
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
        "Three windows of two bits: X_2 = (b_2, b_3) owns no block and M depends on both bits; "
        "with the least valid "
        f"e^gamma(y) = {growths[0]} and {growths[1]} the bound of Lemma 1 holds for all outputs, z "
        f"and z' (as it does for "
        "every M by lemma1-repaired).",
        evidence,
        lambda: (
            blocks.assumption1(stream) and all(holds(z, other) for z in values for other in values)
        ),
    )
