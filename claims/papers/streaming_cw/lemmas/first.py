"""Lemma 1: the likelihood ratio of t outputs is at most the product of the one-step ratios, under
any auxiliary information.

Proved by Coq for alternatives that are drawn for each window on its own (ALT w). When the stream is
scrubbed once (ALT s), or with a common coin (ALT c), P^1 is no sum of products over the oldest
block, and exact counterexamples follow. Source: "Composition Theorem for streaming CW-privacy",
Lemma 1.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from pufferproof.claims.papers.streaming_cw import said
from pufferproof.claims.papers.streaming_cw.lemmas.first_steps import shown
from pufferproof.claims.papers.streaming_cw.streams import blocks
from pufferproof.claims.papers.streaming_cw.streams.blocks import Stream, Window
from pufferproof.claims.papers.streaming_cw.streams.in_numbers import chance
from pufferproof.claims.papers.streaming_cw.streams.readings import (
    COIN,
    COINS,
    FLOOR,
    INDEPENDENT,
    SMALLEST,
    STEPS,
    STREAM,
    WINDOW,
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
    says={WINDOW: said.LEMMA_1},
)
def lemma1(check: Check) -> None:
    """Proved for alternatives that are drawn window by window; false for the other two ways of
    drawing them.
    """
    check.stated(WINDOW)
    for name, instance in _shared_randomness().items():
        with check.reading(name, SMALLEST) as proof:
            product_bound_fails(proof, instance)


@dataclass(frozen=True)
class Instance:
    """Outputs of two steps on bits, and the values z and z' of the known blocks."""

    stream: Stream
    y: tuple[int, int]
    z: Window = (0,)
    other_z: Window = (0,)

    @property
    def growths(self) -> list[Fraction]:
        """A valid e^gamma of each step, if there is one."""
        steps = enumerate(self.y, start=1)
        bounds = [blocks.growth(self.stream, y, step, FLOOR) for step, y in steps]
        return [bound for bound in bounds if bound is not None]

    @property
    def last_slope(self) -> Fraction:
        """P0(y_t|z) / P1(y_t|z)."""
        top, bottom = (blocks.one_step(self.stream, side, self.z) for side in (False, True))
        return top[self.y[-1]] / bottom[self.y[-1]]


def _shared_randomness() -> dict[str, Instance]:
    return {
        f"{STREAM}, one draw for all blocks, slopes all 1": Instance(
            blocks.one_draw_stream(2), (0, 1)
        ),
        f"{STREAM}, block by block, equal steps": Instance(blocks.xor_stream(2), (0, 1)),
        f"{STREAM}, one block redrawn, a law for each step": Instance(
            blocks.fixed_row_stream(), (1, 1), other_z=(1,)
        ),
        f"{COIN}, slopes all 1": Instance(blocks.coin_stream(2), (0, 1)),
        f"{COIN}, B = 1 allowed": Instance(blocks.coin_stream(2, 1), (0, 1), (), ()),
        "given a secret about all blocks, slopes all 1": Instance(blocks.parity_stream(), (0, 0)),
    }


@claim(
    "streaming_cw.lemma1-repaired",
    where="Lemma 1, independent alternatives",
    statement="With alternatives that are drawn for each window on its own, P^0(y_1..y_t|z) <= "
    "exp(gamma_1 + .. + gamma_t) P^1(y_1..y_t|z') for all outcomes y_1, .., y_t in W and all "
    "z, z'; eq. (1) is not needed.",
    kind="lemma",
    assumes=[*INDEPENDENT, STEPS],
    says={WINDOW: said.LEMMA_1},
)
def lemma1_repaired(check: Check) -> None:
    """Prove Lemma 1 under the reading of alt that its proof needs."""


def product_bound_fails(proof: Argument, at: Instance) -> None:
    """Refute P^0(y|z) <= e^{gammas} P^1(y|z') at one instance."""
    _larger_than_the_product(proof, at, at.growths, "each factor is a valid e^gamma of its step")


def slope_bound_fails(proof: Argument, at: Instance) -> None:
    """Refute P^0(y|z) <= e^{gammas} P^1(y|z), with e^{eps_t|z} for the last factor (Lemma 2)."""
    factors = [*at.growths[:-1], at.last_slope]
    valid = f"{factors[0]} is a valid e^gamma of the first step and {factors[-1]} the slope of the"
    _larger_than_the_product(proof, at, factors, f"{valid} last")


def _larger_than_the_product(
    proof: Argument, at: Instance, factors: list[Fraction], valid: str
) -> None:
    left = blocks.joint(at.stream, False, at.z)[at.y]
    right = blocks.joint(at.stream, True, at.other_z)[at.y]
    evidence = blocks.show(
        at.stream, y=at.y, z=at.z, other_z=at.other_z, P0=left, P1=right, factors=tuple(factors)
    )

    def violated() -> bool:
        complete = len(factors) == len(at.y) and blocks.assumption1(at.stream)
        return complete and left > prod(factors, start=Fraction(1)) * right

    known = "" if not at.z else f", given z = {shown(at.z)} and z' = {shown(at.other_z)}"
    proof.counterexample(
        "larger than the product",
        f"Two steps on bits{known}: the outputs {shown(at.y)} have probability {left} on the data "
        f"and {right} on the scrubbed data, and {left} is more than "
        f"{' * '.join(map(str, factors))} * {right}, though {valid}.",
        evidence,
        violated,
        f"{chance(at.stream, False, at.z, at.y)} > product(factors) * "
        f"({chance(at.stream, True, at.other_z, at.y)})",
    )
