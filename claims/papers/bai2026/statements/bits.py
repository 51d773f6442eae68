"""Section 4, Example 2: fair bits, all of them secret."""

from collections.abc import Callable
from functools import cache

from pufferproof.claims.language.instances.frameworks import (
    output_law,
)
from pufferproof.claims.language.instances.laws import HALF
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.vocabulary.entries.composition.bits import (
    bits_mechanism,
    databases,
    with_bit,
)

F = Fraction


def some_bits(draws: Draws) -> Instance:
    """One to five bits, a database x, and a bit i of it, counted from 0, with a value j."""
    n = draws.among([3, 4, 2, 5, 3, 4, 1])
    x = tuple(draws.below(2) for _ in range(n))
    return {"x": x, "i": draws.below(n), "j": draws.below(2)}


THREE = "n >= 3"


def tossed_bits(draws: Draws) -> Instance:
    """One to five independent bits, a database x, and a bit i of it, counted from 0, with a value
    j; every bit is 1 with one probability, mostly 1/2.
    """
    return some_bits(draws) | {"one": draws.rate([HALF, HALF, HALF, HALF, F(1, 3)])}


FAIR = "the bits are fair"
_FAIR_BITS: dict[str, Callable[..., bool]] = {
    THREE: lambda x, **_: len(x) >= 3,
    FAIR: lambda one, **_: one == HALF,
}


@cache
def _given_bit(n: int, i: int, j: int, one: F) -> list[F]:
    """P(w | s_j^(i)) for all outputs."""
    _, M = bits_mechanism(n)
    prior = [one ** sum(y) * (1 - one) ** (n - sum(y)) for y in databases(n)]
    return output_law(prior, M, with_bit(n, i, j)) or []


B_QUARTER = Statement(
    family=tossed_bits,
    given=_FAIR_BITS,
    holds=lambda x, i, j, one, each_output_alike=False: (
        (_given_bit(len(x), i, j, one)[-2:] == [F(1, 4)] * 2)
        and (not each_output_alike or (len(set(_given_bit(len(x), i, j, one))) == 1))
    ),
    too_strong={"each output alike": {"each_output_alike": True}},
    too_weak=[THREE, FAIR],
)
