"""Figure 2: conditional independence of outputs given the blocks that windows share, and windows
that own no block.

Derives (1), (3) and (4) for independent alternatives, and that three outputs are independent given
what is shared; refutes (1) and (4) for a common coin, and two readings of (2). Source: "Composition
Theorem for streaming CW-privacy", Figure 2.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.claims.language import Proof, letter
from pufferproof.claims.papers.streaming_cw.lemmas.linked import OWNS_NONE
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
    COIN,
    COINS,
    FLOOR,
    SMALLEST,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim

k = letter("k", "K(b_2,b_3)[y_2], K = M or x -> E M(alt(x))")
law = letter("law", "Pr[y_i|b_2,b_3] of one output")
mass = letter("mass", "the sum of law over y_i")
i = letter("i", "the number of a window")
STEPS_3 = (1, 2, 3)


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

    (1) two windows, alternatives drawn for each window on its own; (3) shared query, own noise.
    Inner sum: over the blocks v, for one u. Outer sum: over the blocks u: given the shared blocks s
    the joint probability is F_1 F_2.

    (4) Lemma 1 holds while each window owns a block, alternatives drawn for each window on its own.
    Condition on z*: the outputs before t and at t are independent given X_t
    [streaming_cw.lem1-conditioning-repaired]. Forget the newest block: the past depends on
    [z*,z]_up only [streaming_cw.lem1-locality-repaired]. Positive denominators: D > 0, and total
    probability: S = P0(y_t|z), T = P1(y_t|z') > 0 [streaming_cw.lem1-base-close-repaired]. Quotient
    of sums: N/D <= K S/T, K the largest ratio for t-1 outputs [streaming_cw.lem1-max-ratio]. T
    outputs: n/d for one output is at most e^gamma_1 (Assumption 3 at step 1); K <= G for t-1
    outputs, S <= g T (Assumption 3 at step t).

    (2) three outputs are independent given b_2 and b_3, B = 2, alternatives drawn for each window
    on its own. Sum over b_1: b_2 and b_3 are given, so k is one number; f_1 has u = b_1 and s =
    b_2. Sum over b_4: it is Pr[y_1,y_2,y_3|b_2,b_3]. Summing an output out: only its own factor has
    it. The factors are the laws of the outputs: Each factor sums to 1, so that summing out the
    others leaves it: Pr[y_1,y_2,y_3|b_2,b_3] = F_1 k F_3, with m = F_1 k.
    """
    for name in (f"(1) two windows, {WINDOW}", "(3) shared query, own noise"):
        check.tried(name)
    with check.reading(f"(1) two windows, {COIN}", SMALLEST) as proof:
        _dependent_given_shared(proof, blocks.coin_stream(2))
    with check.reading(
        "(2) read as: Lemma 1 fails whenever some window owns no block", "t = 3, bits, B = 2"
    ) as proof:
        _bound_without_own_block(proof)
    _three_windows(check)
    check.tried(f"(4) Lemma 1 holds while each window owns a block, {WINDOW}")
    with check.reading(
        f"(4) Lemma 1 holds while each window owns a block, {COIN}", SMALLEST
    ) as proof:
        _dependent_given_shared(proof, blocks.coin_stream(2))


def _three_windows(check: Check) -> None:
    check.linked("(2) a window between two others owns no block, B >= 2")
    with check.reading(
        "(2) three outputs are not independent given the blocks that windows share",
        "t = 3, bits, B = 2",
    ) as proof:
        _three_independent(proof)
    name = f"(2) three outputs are independent given b_2 and b_3, B = 2, {WINDOW}"
    check.tried(name)


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
