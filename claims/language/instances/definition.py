"""Pufferfish straight from its definition, slowly and exactly: the judge of every counterexample of
this folder.

For a prior theta, P(y | s, theta) = sum_{x in s} theta(x) P(y | x) / theta(s). A secret of
probability 0 leaves the prior out.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair

Prior = Mapping[str, Fraction]
Law = dict[str, Fraction]


def prior_of(framework: Framework, name: str) -> Law:
    """Return a prior of a framework as the probability of every database."""
    law = framework.laws[name]
    return {x: Fraction(weight, law.total) for x, weight in zip(framework.databases, law.weights)}


def output_law(framework: Framework, channel: Channel, theta: Prior, secret: str) -> Law | None:
    """Return P(. | secret, theta), None if the secret has probability 0."""
    held = [framework.databases[x] for x in framework.secrets[secret]]
    mass = sum((theta[x] for x in held), Fraction(0))
    if mass == 0:
        return None
    return {
        y: sum((theta[x] * channel.probability(x, y) for x in held if theta[x]), Fraction(0)) / mass
        for y in channel.outputs
    }


class Likelihoods(NamedTuple):
    """P(y | s) and P(y | s') of an output y, for an ordered pair (s, s')."""

    pair: Pair
    output: str
    first: Fraction
    second: Fraction


def ratios(framework: Framework, channel: Channel, theta: Prior, one_sided: bool = False) -> Iterator[Likelihoods]:
    """List the likelihoods of every output, for pairs of secrets of positive probability."""
    for left, right in framework.pairs:
        for s, t in [(left, right)] if one_sided else [(left, right), (right, left)]:
            first, second = (output_law(framework, channel, theta, s), output_law(framework, channel, theta, t))
            if first is not None and second is not None:
                yield from (Likelihoods((s, t), y, first[y], second[y]) for y in channel.outputs)


def keeps(framework: Framework, channel: Channel, theta: Prior, ratio: Fraction, one_sided: bool = False) -> bool:
    """Say whether P(y | s) <= ratio * P(y | s') for one prior, all pairs (both orders unless
    one-sided) and outputs.
    """
    likelihoods = ratios(framework, channel, theta, one_sided)
    return all(each.first <= ratio * each.second for each in likelihoods)


def keeps_each(framework: Framework, channel: Channel, ratio: Fraction) -> bool:
    """Say whether a mechanism keeps the ratio for every listed prior."""
    return all(keeps(framework, channel, prior_of(framework, name), ratio) for name in framework.priors)


def posterior(framework: Framework, channel: Channel, theta: Prior, secret: str, output: str) -> Fraction:
    """Return P(secret | output) under a prior that gives the output positive probability."""
    joint = {x: p * channel.probability(x, output) for x, p in theta.items() if p}
    held = {framework.databases[x] for x in framework.secrets[secret]}
    return sum((p for x, p in joint.items() if x in held), Fraction(0)) / sum(joint.values(), Fraction(0))
