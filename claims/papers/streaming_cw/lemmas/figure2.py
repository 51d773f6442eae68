"""Figure 2: conditional independence of outputs given the blocks that windows share, and windows
that own no block.

Derives (1), (3) and (4) for independent alternatives, and that three outputs are independent given
what is shared; refutes (1) and (4) for a common coin, and two readings of (2). Source: "Composition
Theorem for streaming CW-privacy", Figure 2.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, edited, letter, letters, proved
from pufferproof.claims.papers.streaming_cw.lemmas.first import ONE_GAMMA_LEFT_OUT, product_bound
from pufferproof.claims.papers.streaming_cw.lemmas.statements import (
    OWN_BLOCK,
    QUERY_AND_NOISE,
    THREE_WINDOWS,
    TWO_WINDOWS,
)
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance
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
from pufferproof.claims.papers.streaming_cw.streams.statements.layout import OWNS_NONE
from pufferproof.claims.registry import Check, claim

f_1 = letter("f_1", "p(u) K([u, s])[y_1] at the next block u of X_1; s are the shared blocks")
f_2 = letter("f_2", "p(v) K([s, v])[y_2] at the next block v of X_2")
f_3 = letter("f_3", "p(b_4) K(b_3,b_4)[y_3] at the next b_4")
F_1, F_2, F_3 = letters("F_1 F_2 F_3", "the sums of f_1, of f_2 and of f_3")
k = letter("k", "K(b_2,b_3)[y_2], K = M or x -> E M(alt(x))")
tied = letter("tied", "a factor of both outputs")
own = letter("own", "the factor of y_2 if X_2 had a block of its own")
inner, outer = letters("inner outer", "the sums of f_1 f_2 over v, of f_1 F_2 over u")
both, three = letters("both three", "the sums of f_1 k over b_1, of both f_3 over b_4")
m = letter("m", "the sum of three over y_3")
law = letter("law", "Pr[y_i|b_2,b_3] of one output")
rest = letter("rest", "the other factors of the product")
marginal, mass = letters("marginal mass", "the sums of law rest and of law over y_i")
i, j = letters("i j", "the numbers of a window and of a block")
STEPS_3 = (1, 2, 3)
length = letter("B", "the number of blocks of a window", at_least(2))


@claim(
    "streaming_cw.fig2",
    where="Figure 2",
    statement="(1) M(X_1), M(X_2) are independent given what they share, each owning a block; (2) "
    "this fails for three windows, as X_2 shares both its blocks; (3) DP: shared query, own "
    "noise; (4) it works while each window owns a block.",
    kind="remark",
    assumes=[COINS],
    says={
        f"(1) two windows, {WINDOW}": TWO_WINDOWS,
        "(3) shared query, own noise": QUERY_AND_NOISE,
        "(2) a window between two others owns no block, B >= 2": OWNS_NONE,
        f"(2) three outputs are independent given b_2 and b_3, B = 2, {WINDOW}": THREE_WINDOWS,
        f"(4) Lemma 1 holds while each window owns a block, {WINDOW}": OWN_BLOCK,
    },
)
def fig2(check: Check) -> None:
    """Formalise the four remarks: conditional independence, and whether the bound of Lemma 1
    depends on owning a block.
    """
    for name in (f"(1) two windows, {WINDOW}", "(3) shared query, own noise"):
        proved(check, name, ALL_SIZES, _independent_given_shared, a_factor_of_both=FACTOR_OF_BOTH)
    with check.reading(f"(1) two windows, {COIN}", SMALLEST) as proof:
        _dependent_given_shared(proof, blocks.coin_stream(2))
    with check.reading(
        "(2) read as: Lemma 1 fails whenever some window owns no block", "t = 3, bits, B = 2"
    ) as proof:
        _bound_without_own_block(proof)
    _three_windows(check)
    reasons = {**IID, STEPS: "assumed by Lemma 1, at every step"}
    proved(
        check,
        f"(4) Lemma 1 holds while each window owns a block, {WINDOW}",
        ALL_SIZES,
        partial(product_bound, reasons=reasons),
        one_gamma_left_out=ONE_GAMMA_LEFT_OUT,
    )
    with check.reading(
        f"(4) Lemma 1 holds while each window owns a block, {COIN}", SMALLEST
    ) as proof:
        _dependent_given_shared(proof, blocks.coin_stream(2))


def _three_windows(check: Check) -> None:
    one_block = Edit("each block of X_i is in a neighbour", without=length >= 2, given=length >= 1)
    name = "(2) a window between two others owns no block, B >= 2"
    proved(check, name, ALL_SIZES, _owns_no_block, **{"B = 1 allowed": one_block})
    with check.reading(
        "(2) three outputs are not independent given the blocks that windows share",
        "t = 3, bits, B = 2",
    ) as proof:
        _three_independent(proof)
    own_block = [
        Edit("sum over b_1: base", without=Eq(both, f_1 * k), given=Eq(both, f_1 * own)),
        Edit("sum over b_1: step", instead=Eq(both + f_1 * own, (F_1 + f_1) * k)),
    ]
    name = f"(2) three outputs are independent given b_2 and b_3, B = 2, {WINDOW}"
    proved(check, name, ALL_SIZES, _three_given_shared)
    check.near_miss(f"{name}: X_2 with a block of its own", edited(_three_given_shared, *own_block))


FACTOR_OF_BOTH = [
    Edit("inner sum: base", without=Eq(inner, f_1 * f_2), given=Eq(inner, f_1 * tied)),
    Edit("inner sum: step", instead=Eq(inner + f_1 * tied, f_1 * (F_2 + f_2))),
]


def _independent_given_shared(proof: Proof) -> None:
    proof.induction(
        "inner sum",
        "over the blocks v, for one u",
        base=(Eq(inner, f_1 * F_2), [Eq(inner, f_1 * f_2), Eq(F_2, f_2)]),
        step=(Eq(inner + f_1 * f_2, f_1 * (F_2 + f_2)), [Eq(inner, f_1 * F_2)]),
    )
    proof.induction(
        "outer sum",
        "over the blocks u: given the shared blocks s the joint probability is F_1 F_2",
        base=(Eq(outer, F_1 * F_2), [Eq(outer, f_1 * F_2), Eq(F_1, f_1)]),
        step=(Eq(outer + f_1 * F_2, (F_1 + f_1) * F_2), [Eq(outer, F_1 * F_2)]),
    )


def _owns_no_block(proof: Proof) -> None:
    proof.inequality(
        "each block of X_i is in a neighbour",
        "block j of X_i = (b_i, .., b_{i+B-1}), j <= i+B-2 or j = i+B-1 as j is whole, is one of "
        "b_{i-1}, .., b_{i+B-2} (X_{i-1}) or of b_{i+1}, .., b_{i+B} (X_{i+1})",
        Or(And(j >= i - 1, j <= i + length - 2), And(j >= i + 1, j <= i + length)),
        [j >= i, Or(j <= i + length - 2, Eq(j, i + length - 1))],
    )


def _three_given_shared(proof: Proof) -> None:
    proof.induction(
        "sum over b_1",
        "b_2 and b_3 are given, so k is one number; f_1 has u = b_1 and s = b_2",
        base=(Eq(both, F_1 * k), [Eq(both, f_1 * k), Eq(F_1, f_1)]),
        step=(Eq(both + f_1 * k, (F_1 + f_1) * k), [Eq(both, F_1 * k)]),
    )
    proof.induction(
        "sum over b_4",
        "it is Pr[y_1,y_2,y_3|b_2,b_3]",
        base=(Eq(three, both * F_3), [Eq(three, both * f_3), Eq(F_3, f_3)]),
        step=(Eq(three + both * f_3, both * (F_3 + f_3)), [Eq(three, both * F_3)]),
    )
    proof.induction(
        "summing an output out",
        "only its own factor has it",
        base=(Eq(marginal, mass * rest), [Eq(marginal, law * rest), Eq(mass, law)]),
        step=(
            Eq(marginal + law * rest, (mass + law) * rest),
            [Eq(marginal, mass * rest)],
        ),
    )
    proof.inequality(
        "the factors are the laws of the outputs",
        "Each factor sums to 1, so that summing out the others leaves it: "
        "Pr[y_1,y_2,y_3|b_2,b_3] = F_1 k F_3, with m = F_1 k",
        And(Eq(three, F_1 * k * F_3), Eq(marginal, m)),
        [
            Eq(both, F_1 * k),
            Eq(three, both * F_3),
            Eq(m, both),
            Eq(marginal, mass * m),
            Eq(mass, 1),
        ],
    )


def _three_independent(proof: Proof) -> None:
    ones = {
        (0, 0): Fraction(1, 4),
        (0, 1): Fraction(1, 2),
        (1, 0): Fraction(3, 4),
        (1, 1): Fraction(1, 4),
    }
    stream = blocks.flip_stream(blocks.bit_rows(ones), 3)
    known = [{2: first, 3: second} for first, second in product((0, 1), repeat=2)]
    cases = [*product((False, True), known)]
    multiplied = "both(both(law_of_y_1, law_of_y_2), law_of_y_3)"
    evidence = blocks.show(stream, shared_blocks=known) | {
        "law of all": [_listed(stream, *case) for case in cases],
        **{
            f"law of y_{step}": [_listed(stream, *case, [step]) for case in cases]
            for step in STEPS_3
        },
    }

    def independent(scrubbed: bool, shared: dict[int, int]) -> bool:
        law = blocks.law_of_outputs(stream, scrubbed, shared) or {}
        apart = [
            blocks.law_of_outputs(stream, scrubbed, shared, [step]) or {} for step in (1, 2, 3)
        ]
        return all(
            mass == prod((one[y[n : n + 1]] for n, one in enumerate(apart)))
            for y, mass in law.items()
        )

    proof.counterexample(
        "three independent outputs",
        "M depends on both blocks of its window, and b_2 and b_3 are all that three windows share: "
        "given them M(X_1), M(X_2) and M(X_3) are independent, and so are the outputs on "
        "alternatives, as M(X_2) only has the coins of M left.",
        evidence,
        lambda: all(independent(*case) for case in cases),
        " and ".join(
            f"excess(row(law_of_all, {place}), row({multiplied}, {place}), 1) = 0"
            for place in range(len(cases))
        ),
    )


def _listed(
    stream: Stream, scrubbed: bool, shared: dict[int, int], steps: Sequence[int] = STEPS_3
) -> list[Fraction]:
    """The law of outputs given blocks, in the order of the outputs."""
    law = blocks.law_of_outputs(stream, scrubbed, shared, steps) or {}
    return [law.get(y, Fraction(0)) for y in product(stream.outputs, repeat=len(steps))]


def _dependent_given_shared(proof: Proof, stream: Stream) -> None:
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
    apart_in_numbers = [chance(stream, True, shared, y[k - 1 : k], [k]) for k in (1, 2)]
    formula = f"{chance(stream, True, shared, y)} != {' * '.join(apart_in_numbers)}"
    proof.counterexample("one coin", sentence, evidence, violated, formula)


def _bound_without_own_block(proof: Proof) -> None:
    ones = {(0, 0): Fraction(0), (0, 1): Fraction(0), (1, 0): Fraction(1, 2), (1, 1): Fraction(1)}
    stream = blocks.flip_stream(blocks.bit_rows(ones), 3)
    growths = tuple(blocks.growth(stream, y, 3) or Fraction(0) for y in stream.outputs)

    def holds(z: Window, other: Window) -> bool:
        top, bottom = blocks.joint(stream, False, z), blocks.joint(stream, True, other)
        return all(top[y] <= growths[y[0]] * growths[y[1]] * growths[y[2]] * bottom[y] for y in top)

    values = stream.aux_values
    outputs = [*product(stream.outputs, repeat=3)]
    evidence = blocks.show(stream, growths=growths) | {
        "P0": [[blocks.joint(stream, False, z)[y] for y in outputs] for z in values],
        "P1": [[blocks.joint(stream, True, z)[y] for y in outputs] for z in values],
        "products of growths": [prod(growths[k] for k in y) for y in outputs],
    }
    proof.counterexample(
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
        " and ".join(
            f"excess(row(P0, {i}), pointwise(products_of_growths, row(P1, {j})), 1) = 0"
            for i, j in product(range(len(values)), repeat=2)
        ),
    )
