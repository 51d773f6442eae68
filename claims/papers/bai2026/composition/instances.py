"""NfC constraints and joint releases on small instances, evaluated exactly: the judge of the
counterexamples of Section 5.

An NfC constraint for a database D, weights beta and a ratio E says M(D)(w) <= E prod_l
M(D_l)(w)^beta_l for every output w. Rational weights k_l / N make it a comparison of integer
powers. That no weights at all satisfy it is certified by numbers of runs c_w: if prod_w (M(D)(w) /
(E M(D_l)(w)))^c_w > 1 for every l, then so it is for every weighted geometric mean over l.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod

from pufferproof.claims.language.instances.definition import prior_of, ratios
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.tables import Table

Weights = Mapping[str, Fraction]
Rows = Mapping[str, Sequence[Fraction]]
LEVEL = Fraction(2)


def one_pair(
    first: Mapping[str, Fraction], second: Mapping[str, Fraction], one_sided: bool = False
) -> Framework:
    """Return the framework with secrets s and t, each of prior probability 1/2, and the given
    laws given s and t.
    """
    joint = {x: p / 2 for law in (first, second) for x, p in law.items()}
    secrets = {"s": list(first), "t": list(second)}
    return Framework(
        tuple(joint), secrets, [("s", "t")], {"theta": Table(joint)}, one_sided=one_sided
    )


def channel_of(rows: Rows) -> Channel:
    """Return the mechanism with these rows and outputs u, v, w, ..."""
    size = len(next(iter(rows.values())))
    return Channel.of({x: list(row) for x, row in rows.items()}, list("uvwxyz"[:size]))


def satisfies(channel: Channel, database: str, beta: Weights, ratio: Fraction) -> bool:
    """Say whether the NfC constraint with rational weights holds for every output, with 0^0 = 1."""
    size = lcm(*(weight.denominator for weight in beta.values()))
    powers = {x: int(weight * size) for x, weight in beta.items() if weight}
    return all(
        channel.probability(database, y) ** size
        <= ratio**size * prod(channel.probability(x, y) ** power for x, power in powers.items())
        for y in channel.outputs
    )


def broken_by(
    channel: Channel, database: str, others: Sequence[str], runs: Mapping[str, int], ratio: Fraction
) -> bool:
    """Say whether these numbers of outputs show that no weights over the other databases
    satisfy the constraint.
    """
    level = ratio ** sum(runs.values())
    left = prod(channel.probability(database, y) ** count for y, count in runs.items())
    return all(
        left > level * prod(channel.probability(x, y) ** count for y, count in runs.items())
        for x in others
    )


def broken_in_numbers(
    channel: Channel, database: str, others: Sequence[str], runs: Mapping[str, int], ratio: Fraction
) -> str:
    """Write the same in numbers: products of probabilities, and the level of as many runs."""

    def likelihood(x: str) -> str:
        return "*".join(f"({channel.probability(x, y)})^{count}" for y, count in runs.items())

    level = f"({ratio})^{sum(runs.values())}"
    return " and ".join(f"{likelihood(database)} > {level}*{likelihood(x)}" for x in others)


def greatest_ratio(framework: Framework, channel: Channel) -> Fraction | None:
    """Return the largest P(y | s, theta) / P(y | t, theta) from the definition, None for
    infinite.
    """
    best = Fraction(0)
    for name in framework.priors:
        theta = prior_of(framework, name)
        for each in ratios(framework, channel, theta, framework.one_sided):
            if each.first and not each.second:
                return None
            best = max(best, each.first / each.second if each.second else best)
    return best


def text_of_ratio(ratio: Fraction | None) -> str:
    """Write a ratio, "inf" for an infinite one."""
    return "inf" if ratio is None else str(ratio)


@dataclass(frozen=True)
class Columns:
    """Two mechanisms with two outputs on a | b, c: probabilities of u in multiples of 1/size,
    of b given t in quarters.
    """

    size: int
    quarters: int
    first: tuple[int, ...]
    second: tuple[int, ...]

    @property
    def framework(self) -> Framework:
        """The databases a with s, b and c with t."""
        weight = Fraction(self.quarters, 4)
        return one_pair({"a": Fraction(1)}, {"b": weight, "c": 1 - weight})

    @property
    def channels(self) -> tuple[Channel, Channel]:
        """Both mechanisms."""
        found = [
            channel_of(
                {
                    x: [Fraction(n, self.size), 1 - Fraction(n, self.size)]
                    for x, n in zip("abc", column)
                }
            )
            for column in (self.first, self.second)
        ]
        return found[0], found[1]

    def fails(self) -> bool:
        """Say whether the output (u, u) has more than 4 times the probability given s that it
        has given t.
        """
        joint = [m * n for m, n in zip(self.first, self.second)]
        return joint[0] > self.quarters * joint[1] + (4 - self.quarters) * joint[2]


def _admissible(column: tuple[int, ...], size: int, quarters: int) -> bool:
    """Say whether both outputs keep 2 and the constraints of a (weights 1/2), b and c (one-hot)."""
    for a, b, c in (column, tuple(size - n for n in column)):
        if a * a > 4 * b * c or max(b, c) > 2 * a or 2 * a > quarters * b + (4 - quarters) * c:
            return False
    return True


def pairs_of_columns(largest: int) -> Iterator[Columns]:
    """List pairs of mechanisms that keep Pufferfish at 2 and NfC constraints, by the
    denominator of their probabilities.
    """
    for size in range(2, largest + 1):
        for quarters in (2, 1, 3):
            columns = [
                each
                for each in product(range(size + 1), repeat=3)
                if _admissible(each, size, quarters)
            ]
            for i, first in enumerate(columns):
                for second in columns[: i + 1]:
                    yield Columns(size, quarters, first, second)
