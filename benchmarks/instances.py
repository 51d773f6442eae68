"""The instances that the benchmarks time, seeded, and the plain definitions they are compared
with.
"""

import time
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pufferproof import Channel, Framework, MarkovChain, Records, Table

PAIRS = 32
DENOMINATOR = 10**6


def random_channel(size: int) -> Channel:
    """Return a size x size channel whose rows are integers over 10^6."""
    generator = np.random.default_rng(size)
    numerators = generator.integers(1, DENOMINATOR // size, (size, size))
    numerators[:, -1] += DENOMINATOR - numerators.sum(axis=1)
    labels = [f"d{index}" for index in range(size)]
    outputs = [f"y{index}" for index in range(size)]
    return Channel.of_integers(labels, outputs, numerators.tolist(), [DENOMINATOR] * size)


def halves(channel: Channel) -> Framework:
    """Return 32 pairs of secrets, each splitting the databases into random halves, under one
    random prior.
    """
    generator = np.random.default_rng(1)
    labels = channel.databases
    secrets, pairs = {}, []
    for index in range(PAIRS):
        order = generator.permutation(len(labels))
        for name, half in ((f"s{index}", order[: len(order) // 2]), (f"t{index}", order[len(order) // 2 :])):
            secrets[name] = [labels[x] for x in sorted(half)]
        pairs.append((f"s{index}", f"t{index}"))
    weights = generator.integers(1, 100, len(labels)).tolist()
    prior = Table({label: Fraction(weight, sum(weights)) for label, weight in zip(labels, weights)})
    return Framework(labels, secrets, pairs, {"theta": prior})


def hull(channel: Channel, priors: int) -> Framework:
    """Return two secrets, halves of the databases, under all mixtures of random priors."""
    generator = np.random.default_rng(priors)
    labels = channel.databases
    weights = generator.integers(1, 100, (priors, len(labels))).tolist()
    laws = {
        f"p{k}": Table({label: Fraction(w, sum(row)) for label, w in zip(labels, row)}) for k, row in enumerate(weights)
    }
    secrets = {"s": labels[: len(labels) // 2], "t": labels[len(labels) // 2 :]}
    return Framework(labels, secrets, [("s", "t")], laws, "convex")


def all_pairs(channel: Channel) -> Framework:
    """Return the framework of differential privacy on a complete graph: every database a
    secret, all pairs.
    """
    labels = channel.databases
    uniform = Table(dict.fromkeys(labels, Fraction(1, len(labels))))
    return Framework(labels, {label: [label] for label in labels}, "disjoint", {"uniform": uniform})


def small_numbers(count: int, databases: int, outputs: int) -> list[tuple[list[list[int]], list[int]]]:
    """Return the integers of small questions: rows of a channel, and weights of databases."""
    generator = np.random.default_rng(databases)
    return [
        (generator.integers(1, 20, (databases, outputs)).tolist(), generator.integers(1, 9, databases).tolist())
        for _ in range(count)
    ]


def question(rows: list[list[int]], weights: list[int]) -> tuple[Framework, Channel]:
    """Build a framework of two secrets that share the databases, and a channel."""
    labels = [f"d{x}" for x in range(len(rows))]
    half = len(labels) // 2
    channel = Channel.of(dict(zip(labels, rows)), [f"y{y}" for y in range(len(rows[0]))], normalize=True)
    secrets = {"s": labels[:half], "t": labels[half:]}
    prior = Table(dict(zip(labels, weights)), normalize=True)
    return Framework(labels, secrets, [("s", "t")], {"theta": prior}), channel


def uncached(channel: Channel) -> Channel:
    """Return the same channel without anything computed from it before."""
    return Channel(channel.databases, channel.outputs, channel.numerators, channel.denominators, channel.scales)


def float_weights(framework: Framework) -> NDArray[np.float64]:
    """Return P(x | s) as floats, two rows per pair."""
    law = framework.laws["theta"]
    weights = np.zeros((2 * len(framework.pairs), len(framework.databases)))
    for row, secret in enumerate(name for pair in framework.pairs for name in pair):
        held = list(framework.secrets[secret])
        weights[row, held] = np.array([law.weights[x] for x in held], dtype=float)
    return weights / weights.sum(axis=1, keepdims=True)


def numpy_ratios(weights: NDArray[np.float64], matrix: NDArray[np.float64]) -> float:
    """Return the largest ratio in plain floats: no zeros handled, no witness, no exactness."""
    laws = weights @ matrix
    ratios = laws[0::2] / laws[1::2]
    return float(max(ratios.max(), (1 / ratios).max()))


def fraction_ratio(framework: Framework, channel: Channel, pairs: int) -> Fraction:
    """Return the largest ratio over the first pairs, by the definition in `Fraction`s."""
    law = framework.laws["theta"]
    rows = [[Fraction(n, d) for n in channel.numerators_of(x)] for x, d in enumerate(channel.denominators)]
    best = Fraction(0)
    for pair in framework.pairs[:pairs]:
        sums = []
        for secret in pair:
            held = framework.secrets[secret]
            mass = Fraction(law.mass(held), law.total)
            weights = [Fraction(law.weights[x], law.total) / mass for x in held]
            sums.append([sum(w * rows[x][y] for w, x in zip(weights, held)) for y in range(len(channel.outputs))])
        best = max(best, *(max(a / b, b / a) for a, b in zip(*sums)))
    return best


def bit_chain(count: int, stay: Fraction) -> Framework:
    """Return a stationary chain of bits that stays with probability `stay`, all bits secret."""
    secrets = {f"x{i}={value}": (i, value) for i in range(1, count + 1) for value in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    chain = MarkovChain("stationary", [[stay, 1 - stay], [1 - stay, stay]])
    return Framework.of_records(Records(count, ("0", "1")), secrets, pairs, {"theta": chain})


def two_secrets(size: int) -> Framework:
    """Return one pair of secrets, each half of the databases, under one prior without ties."""
    labels = [f"d{index}" for index in range(size)]
    prior = Table({label: Fraction(weight, size * (size + 1) // 2) for weight, label in enumerate(labels, start=1)})
    return Framework(labels, {"s": labels[: size // 2], "t": labels[size // 2 :]}, [("s", "t")], {"theta": prior})


def same(number: int) -> int:
    """Return a number: a unit of a sweep that is no work."""
    return number


def waits(number: int, seconds: float) -> int:
    """Return a number after a time by the clock."""
    time.sleep(seconds)
    return number
