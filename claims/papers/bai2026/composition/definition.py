"""Linear composition as bai2026 (Section 5) defines it, and how its two readings differ.

Read once each, a list of mechanisms is released as it stands; a list of one mechanism then composes
linearly whatever it is. The proof of the paper's Theorem 5.1 repeats mechanisms. This file says
which is which; what follows from the second reading is in `nfc`.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.papers.bai2026.composition.instances import (
    channel_of,
    greatest_ratio,
    one_pair,
)
from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.releases import repeat

NOTATION = {
    "M_i": "a mechanism of a list M_1 .. M_k",
    "eps_i": "the level of M_i",
    "k": "how many mechanisms there are",
}
ONCE = "each listed mechanism once"
REPEATED = "any multiset of runs, fresh randomness"


@claim(
    "bai2026.compose-def",
    where="Section 5",
    statement="M_1 .. M_k, each M_i being eps_i-Pufferfish, compose linearly if the release of all "
    "their outputs is epsilon-Pufferfish for some epsilon <= eps_1 + ... + eps_k.",
    kind="definition",
)
def compose_def(check: Check) -> None:
    """State both readings; nothing is to decide."""
    with check.reading(ONCE) as proof:
        proof.definition(
            "once",
            "The joint release of M_1 .. M_k, independent given the database, is Pufferfish with "
            "the sum of the parameters",
            "<mu, u_1 o .. o u_k> <= E_1 .. E_k <nu, u_1 o .. o u_k> for every prior, ordered pair "
            "and outputs u_i of M_i",
        )
    with check.reading(REPEATED) as proof:
        proof.definition(
            "with repetitions",
            "For every choice of n_1 .. n_k >= 0, the joint release of n_i independent runs of "
            "M_i, i = 1 .. k, is Pufferfish with parameter at most n_1 eps_1 + ... + n_k eps_k",
            "the same for the products of all finite multisets of outputs",
        )


def splits(framework: Framework, channel: Channel) -> bool:
    """Say whether one run leaks nothing and two runs leak something."""
    return greatest_ratio(framework, channel) == 1 != greatest_ratio(framework, repeat(channel, 2))


def three_databases() -> Iterator[tuple[Framework, Channel]]:
    """List s = {a}, t = {b, c} and two outputs, with denominators 1 and then 2 for the
    mechanism, b and c equally likely.
    """
    framework = one_pair({"a": Fraction(1)}, {"b": Fraction(1, 2), "c": Fraction(1, 2)})
    for size in (1, 2):
        chances = [Fraction(number, size) for number in range(size, -1, -1)]
        for row in product(chances, repeat=3):
            yield framework, channel_of({x: [p, 1 - p] for x, p in zip("abc", row)})


def smallest_split() -> tuple[Framework, Channel]:
    """Return the three databases and the mechanism that leaks nothing in one run and everything
    in two.
    """
    return next(instance for instance in three_databases() if splits(*instance))
