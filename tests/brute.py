"""The definitions, written as slowly and plainly as possible: the judge of everything fast."""

from fractions import Fraction
from itertools import product

from pufferproof import Channel, Framework

INFINITE = None


def probabilities(framework: Framework, prior: str) -> dict[str, Fraction]:
    law = framework.laws[prior]
    return {x: Fraction(weight, law.total) for x, weight in zip(framework.databases, law.weights)}


def ratios(framework: Framework, channel: Channel, theta: dict[str, Fraction]):
    """Yield (ordered pair, output, P(y | s), P(y | s')) for every pair of positive secrets."""
    held = {name: [framework.databases[x] for x in members] for name, members in framework.secrets.items()}
    for left, right in framework.pairs:
        for s, t in [(left, right), (right, left)]:
            if sum(theta[x] for x in held[s]) and sum(theta[x] for x in held[t]):
                for y in channel.outputs:
                    a, b = (
                        sum(theta[x] * channel.probability(x, y) for x in held[secret] if theta[x])
                        / sum(theta[x] for x in held[secret])
                        for secret in (s, t)
                    )
                    yield (s, t), y, a, b


def leakage(framework: Framework, channel: Channel):
    """Return (largest ratio or INFINITE, first witness in file order)."""
    best, where = Fraction(-1), None
    for prior in framework.priors:
        for pair, y, a, b in ratios(framework, channel, probabilities(framework, prior)):
            if b == 0 and a > 0:
                return INFINITE, _first_infinite(framework, channel)
            if b > 0 and a / b > best:
                best, where = a / b, (prior, pair, y)
    return best, where


def _first_infinite(framework: Framework, channel: Channel):
    return next(
        (prior, pair, y)
        for prior in framework.priors
        for pair, y, a, b in ratios(framework, channel, probabilities(framework, prior))
        if b == 0 and a > 0
    )


def delta(framework: Framework, channel: Channel, ratio: Fraction) -> Fraction:
    """Return the smallest delta at e^epsilon = ratio."""
    sums: dict = {}
    for prior in framework.priors:
        for pair, _, a, b in ratios(framework, channel, probabilities(framework, prior)):
            sums[prior, pair] = sums.get((prior, pair), 0) + max(Fraction(0), a - ratio * b)
    return max(sums.values())


def mixtures(framework: Framework, steps: int):
    """Yield the law of every mixture of all priors whose weights are multiples of 1/steps."""
    names = list(framework.priors)
    for weights in product(range(steps + 1), repeat=len(names)):
        if sum(weights) == steps:
            theta = {x: Fraction(0) for x in framework.databases}
            for weight, name in zip(weights, names):
                for x, p in probabilities(framework, name).items():
                    theta[x] += Fraction(weight, steps) * p
            yield theta


def mixture_ratios(framework: Framework, channel: Channel, steps: int):
    """Yield every finite ratio (or INFINITE) over a grid of mixtures of all priors."""
    for theta in mixtures(framework, steps):
        for _, _, a, b in ratios(framework, channel, theta):
            if a or b:
                yield a / b if b else INFINITE


def mixture_deltas(framework: Framework, channel: Channel, ratio: Fraction, steps: int):
    """Yield the smallest delta of every ordered pair over a grid of mixtures of all priors."""
    for theta in mixtures(framework, steps):
        sums: dict = {}
        for pair, _, a, b in ratios(framework, channel, theta):
            sums[pair] = sums.get(pair, 0) + max(Fraction(0), a - ratio * b)
        yield from sums.values()
