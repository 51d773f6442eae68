"""NfC constraints and joint releases on small instances, evaluated exactly: the judge of the counterexamples of Section 5.

An NfC constraint for a database D, weights beta and a ratio E says M(D)(w) <= E prod_l M(D_l)(w)^beta_l for every output w.
Rational weights k_l / N make it a comparison of integer powers. That no weights at all satisfy it is certified by numbers of
runs c_w: if prod_w (M(D)(w) / (E M(D_l)(w)))^c_w > 1 for every l, then so it is for every weighted geometric mean over l.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod

from pufferproof.claims.general.definition import prior_of, ratios
from pufferproof.models.channel import Channel, compose, repeat
from pufferproof.models.framework import Framework
from pufferproof.models.priors import Table

Weights = Mapping[str, Fraction]
Rows = Mapping[str, Sequence[Fraction]]


def one_pair(first: Mapping[str, Fraction], second: Mapping[str, Fraction], one_sided: bool = False) -> Framework:
    """Return the framework with secrets s and t, each of prior probability 1/2, and the given laws given s and t."""
    joint = {x: p / 2 for law in (first, second) for x, p in law.items()}
    secrets = {"s": list(first), "t": list(second)}
    return Framework(tuple(joint), secrets, [("s", "t")], {"theta": Table(joint)}, one_sided=one_sided)


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


def broken_by(channel: Channel, database: str, others: Sequence[str], runs: Mapping[str, int], ratio: Fraction) -> bool:
    """Say whether these numbers of outputs show that no weights over the other databases satisfy the constraint."""
    level = ratio ** sum(runs.values())
    left = prod(channel.probability(database, y) ** count for y, count in runs.items())
    return all(left > level * prod(channel.probability(x, y) ** count for y, count in runs.items()) for x in others)


def greatest_ratio(framework: Framework, channel: Channel) -> Fraction | None:
    """Return the largest P(y | s, theta) / P(y | t, theta) from the definition, None for infinite."""
    best = Fraction(0)
    for name in framework.priors:
        for _, _, a, b in ratios(framework, channel, prior_of(framework, name), framework.one_sided):
            if a and not b:
                return None
            best = max(best, a / b if b else best)
    return best


def runs_of(channel: Channel, runs: int) -> Channel:
    """Return the joint release of independent runs, equal multisets of outputs merged."""
    return repeat(channel, runs)


def together(*channels: Channel) -> Channel:
    """Return the joint release of different mechanisms, each run once."""
    return compose(*channels)


def text_of_ratio(ratio: Fraction | None) -> str:
    """Write a ratio, "inf" for an infinite one."""
    return "inf" if ratio is None else str(ratio)
