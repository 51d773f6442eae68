"""Probabilities of outputs as sums in numbers, term by term, for formulas about counterexamples."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from pufferproof.claims.papers.streaming_cw.streams.blocks import (
    Stream,
    Window,
    given_rest,
    law_of_outputs,
    weighted_windows,
)


def chance(
    stream: Stream,
    scrubbed: bool,
    known: Mapping[int, int] | Window,
    y: Sequence[int],
    steps: Sequence[int] | None = None,
) -> str:
    """Write P(y | known) as the sum over block sequences and draws of alt, over that of what is
    known: blocks at positions, or X_(t down).
    """
    chosen = range(1, stream.steps + 1) if steps is None else steps
    given = known if isinstance(known, Mapping) else given_rest(stream, stream.steps, known)
    terms, total = Counter[tuple[Fraction, ...]](), Counter[tuple[Fraction, ...]]()
    for mass, found in weighted_windows(stream, scrubbed, given):
        factors = [stream.mechanism[found[step - 1]][out] for step, out in zip(chosen, y)]
        total[(mass,)] += 1
        if prod(factors):
            terms[(mass, *(each for each in factors if each != 1))] += 1
    return f"({_sum(terms)})/({_sum(total)})"


def _sum(terms: Counter[tuple[Fraction, ...]]) -> str:
    return " + ".join(
        "*".join([*([str(count)] if count > 1 else []), *map(str, factors)])
        for factors, count in terms.items()
    ) or str(0)


def laws(
    stream: Stream, known: Mapping[int, int] | Window, steps: Sequence[int] | None = None
) -> str:
    """Write that the rows P0 and P1 of the evidence are the laws of the outputs."""
    given = known if isinstance(known, Mapping) else given_rest(stream, stream.steps, known)
    outputs = [*(law_of_outputs(stream, False, given, steps) or {})]
    return " and ".join(
        f"item({name}, {place}) = {chance(stream, scrubbed, given, y, steps)}"
        for name, scrubbed in (("P0", False), ("P1", True))
        for place, y in enumerate(outputs)
    )


def most_above(stream: Stream, known: Window, ratio: Fraction) -> str:
    """Write P0(S) - ratio P1(S) for the set S of outputs where that is largest."""
    given = given_rest(stream, stream.steps, known)
    top, bottom = (law_of_outputs(stream, side, given) or {} for side in (False, True))
    terms = [
        f"{chance(stream, False, given, y)} - {ratio}*({chance(stream, True, given, y)})"
        for y in top
        if top[y] > ratio * bottom[y]
    ]
    return " + ".join(terms) or str(0)
