"""Linear composition as bai2026 (Section 5) defines it, and how its two readings differ.

Read once each, a list of mechanisms is released as it stands; a list of one mechanism then composes
linearly whatever it is. The proof of the paper's Theorem 5.1 repeats mechanisms. This file says
which is which; what follows from the second reading is in `nfc`.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from pufferproof.claims.language import Proof
from pufferproof.claims.papers.bai2026.composition.instances import (
    channel_of,
    greatest_ratio,
    one_pair,
    text_of_ratio,
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


@claim(
    "bai2026.x-compose-readings",
    where="beside Section 5",
    statement="Mechanisms that compose linearly when each is run once compose linearly with any "
    "number of independent runs of each.",
    kind="remark",
)
def compose_readings(check: Check) -> None:
    """Refute it by one mechanism: a single run composes with itself trivially."""
    with check.reading("one mechanism, two runs", "one counterexample") as proof:
        refute_by_two_runs(proof)


def refute_by_two_runs(proof: Proof) -> None:
    """Find and evaluate the smallest mechanism without leakage whose second run leaks."""
    proof.exhaust(
        "smallest failure",
        "s = {a}, t = {b, c}, two outputs, b and c equally likely, denominators 1 and 2, epsilon = "
        "0. With two databases, one for each secret, Pufferfish is a bound on their rows and runs "
        "multiply it",
        three_databases(),
        lambda instance: not splits(*instance),
    )
    framework, channel = smallest_split()
    joint = repeat(channel, 2)
    proof.counterexample(
        "two runs of a mechanism without leakage",
        "Let s = {a} and t = {b, c}, b and c equally likely, and let the mechanism toss a fair "
        "coin on a, always give u on b and always v on c. One run is a fair coin given either "
        "secret: it leaks nothing, and a list of one mechanism composes. But two runs give two "
        "different outputs with probability 1/2 given s and never given t: they leak infinitely "
        "much",
        {
            "mechanism run once": channel,
            "ratio of one run": text_of_ratio(greatest_ratio(framework, channel)),
            "ratio of two runs": text_of_ratio(greatest_ratio(framework, joint)),
            "framework": framework,
            "mechanism": joint,
            "epsilon": "log(1)",
        },
        lambda: splits(framework, channel) and greatest_ratio(framework, joint) is None,
    )
