"""Lemma 2: the likelihood ratio of t outputs, the same auxiliary information on both sides, and its
last slope.

Proved by Coq for alternatives drawn for each window on its own, its last line derived; the first
equality sign of the last line, and the other ways to draw alternatives, are refuted. Source:
"Composition Theorem for streaming CW-privacy", Lemma 2.
"""

from dataclasses import replace
from fractions import Fraction
from math import prod

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.lemmas.first import Instance, slope_bound_fails
from pufferproof.claims.papers.streaming_cw.lemmas.first_steps import shown
from pufferproof.claims.papers.streaming_cw.lemmas.statements import LAST_LINE, SECOND_SIGN
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    COIN,
    COINS,
    FLOOR,
    INDEPENDENT,
    KNOWN,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
)
from pufferproof.claims.registry import Check, claim


@claim(
    "streaming_cw.lemma2",
    where="Lemma 2",
    statement="For all y in W^t and all z: P^0(y_1..y_t|z)/P^1(y_1..y_t|z) <= exp(gamma_1 + .. + "
    "gamma_{t-1} + eps_t|z).",
    kind="lemma",
    assumes=["i.i.d. blocks", "Assumptions 1 to 3", COINS],
    repair="streaming_cw.lemma2-repaired",
    says={f"{WINDOW}, X_(t down) known": said.LEMMA_2},
)
def lemma2(check: Check) -> None:
    """As Lemma 1, with the same z on both sides at the last step."""
    check.stated(f"{WINDOW}, X_(t down) known")
    with check.reading(f"{WINDOW}, every X_(i down) known, slopes all 1", SMALLEST) as proof:
        all_known_fails(proof)
    for name, instance in _shared_randomness().items():
        with check.reading(name, SMALLEST) as proof:
            slope_bound_fails(proof, instance)


def _shared_randomness() -> dict[str, Instance]:
    return {
        f"{STREAM}, one draw for all blocks, slopes all 1": Instance(
            blocks.one_draw_stream(2), (0, 1)
        ),
        f"{STREAM}, block by block": Instance(blocks.xor_stream(2), (0, 1)),
        f"{COIN}, slopes all 1": Instance(blocks.coin_stream(2), (0, 1)),
        "given a secret about all blocks, slopes all 1": Instance(blocks.parity_stream(), (0, 0)),
    }


@claim(
    "streaming_cw.lemma2-repaired",
    where="Lemma 2, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, P^0(y_1..y_t|z) <= "
    "exp(gamma_1 + .. + gamma_{t-1} + eps_t|z) P^1(y_1..y_t|z) for all outcomes y_1, .., y_t "
    "in W and all z, where e^{eps_t|z} = P0(y_t|z)/P1(y_t|z), which may be below 1.",
    kind="lemma",
    assumes=[*INDEPENDENT, STEPS, KNOWN],
    says={WINDOW: said.LEMMA_2},
)
def lemma2_repaired(check: Check) -> None:
    """Prove Lemma 2 under the reading of alt that its proof needs."""


def all_known_fails(proof: Proof) -> None:
    """Refute Lemma 2 when every X_{i down} is known: M and M(alt(.)) are then compared at known
    windows.
    """
    stream, known, y = blocks.flip_stream(blocks.oldest(), 2), {2: 0, 3: 0}, (0, 0)
    left, right = (
        (blocks.law_of_outputs(stream, scrubbed, known) or {})[y] for scrubbed in (False, True)
    )
    bounds = (blocks.growth(stream, 0, 1, FLOOR), Fraction(1))
    evidence = blocks.show(stream, known_blocks=known, y=y, P0=left, P1=right, factors=bounds)

    def violated() -> bool:
        return blocks.slopes_all_one(stream) and blocks.assumption1(stream) and left > FLOOR * right

    sentence = (
        "M outputs the oldest bit and alt flips it, so that all slopes are 1; but whoever knows "
        "b_2 = b_3 = 0 knows that the second output is 0 on the data and 1 on the scrubbed data: "
        "(0, 0) has probability 1/2 on the data and 0 on the scrubbed data."
    )
    formula = (
        f"{chance(stream, False, known, y)} > product(factors) * ({chance(stream, True, known, y)})"
    )
    proof.counterexample("known windows", sentence, evidence, violated, formula)


@claim(
    "streaming_cw.lem2-last-line",
    where="Lemma 2, last line",
    statement="max_{z1,z2}{P^0(y_1..y_{t-1}|z1)/P^1(y_1..y_{t-1}|z2)} P^0(y_t|z)/P^1(y_t|z) = "
    "exp(gamma_1 + .. + gamma_{t-1}) P^0(y_t|z)/P^1(y_t|z) = exp(gamma_1 + .. + gamma_{t-1} + "
    "eps_t|z).",
    kind="proof step",
    repair="streaming_cw.lem2-last-line-repaired",
    says={"second sign": SECOND_SIGN},
)
def last_line(check: Check) -> None:
    """The first equality sign should be <=; the second is a definition.

    Eq. (1): r T = S.
    """
    with check.reading("first sign, gamma_j any valid bound", SMALLEST) as proof:
        _not_equal(proof, blocks.flip_stream(blocks.oldest(), 2), (0,), FLOOR)
    with check.reading("first sign, gamma_j the least bound", SMALLEST) as proof:
        _not_equal(proof, blocks.flip_stream(_halves(), 3), (0, 0), Fraction(0))
    check.tried("second sign")


@claim(
    "streaming_cw.lem2-last-line-repaired",
    where="Lemma 2, last line, with <= for the first sign",
    statement="With alternatives that are drawn for each window on its own, the largest "
    "P^0(y_1..y_{t-1}|z1)/P^1(y_1..y_{t-1}|z2) over all z1, z2, times P0(y_t|z)/P1(y_t|z), is "
    "at most exp(gamma_1 + .. + gamma_{t-1} + eps_t|z), with <= for the first equality sign, "
    "for all outcomes y_1, .., y_t in W and all z.",
    kind="proof step",
    assumes=[*INDEPENDENT, STEPS],
    says={WINDOW: LAST_LINE},
)
def last_line_repaired(check: Check) -> None:
    """Prove the inequality that Lemma 2 needs.

    T - 1 outputs: the maximum K is at most G [streaming_cw.lemma1-repaired]. Times the last slope:
    which is r = S/T: K S/T <= G r.
    """


def _halves() -> dict[Window, blocks.Row]:
    ones = {(0, 0): Fraction(0), (0, 1): Fraction(0), (1, 0): Fraction(1, 2), (1, 1): Fraction(1)}
    return blocks.bit_rows(ones)


def _not_equal(proof: Proof, stream: Stream, y: tuple[int, ...], floor: Fraction) -> None:
    past = replace(stream, steps=len(y))
    values = past.aux_values
    largest = max(
        blocks.joint(past, False, z)[y] / blocks.joint(past, True, other)[y]
        for z in values
        for other in values
    )
    bounds = [blocks.growth(past, out, step, floor) for step, out in enumerate(y, start=1)]
    factors = tuple(bound for bound in bounds if bound is not None)
    evidence = blocks.show(stream, past_outputs=y, maximum=largest, factors=factors)
    chosen = (
        "e^gamma = 5/4 is valid, like any number above 1"
        if floor
        else "these are the least valid e^gamma"
    )
    proof.counterexample(
        "smaller",
        f"For t = {stream.steps} and bits the largest ratio of the earlier outputs {shown(y)} is "
        f"{largest}, which is less than exp(gamma_1 + .. + gamma_(t-1)) = "
        f"{' * '.join(map(str, factors))} ({chosen}), and the last quotient is positive: the "
        "first equality sign is wrong.",
        evidence,
        lambda: blocks.assumption1(stream) and largest < prod(factors, start=Fraction(1)),
        " and ".join(
            f"{chance(past, False, z, y)} < product(factors) * ({chance(past, True, other, y)})"
            for z in values
            for other in values
        ),
    )
