"""The definitions, written as slowly and plainly as possible: the judge of everything fast."""

from fractions import Fraction
from itertools import product

from pufferproof import Channel, Framework, Level

INFINITE = None


def probabilities(framework: Framework, prior: str) -> dict[str, Fraction]:
    law = framework.laws[prior]
    return {x: Fraction(weight, law.total) for x, weight in zip(framework.databases, law.weights)}


def ratios(framework: Framework, channel: Channel, theta: dict[str, Fraction]):
    """Yield (ordered pair, output, P(y | s), P(y | s')) for every pair of positive secrets: both
    orders, unless the framework is one-sided.
    """
    held = {name: [framework.databases[x] for x in members] for name, members in framework.secrets.items()}
    for pair in framework.pairs:
        for s, t in [pair] if framework.one_sided else [pair, pair[::-1]]:
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


def first_delta(framework: Framework, channel: Channel, level: Level):
    """Return alpha, beta, prior, pair and outputs of the smallest delta, alpha - e^epsilon beta,
    where it is reached first.
    """
    best = None
    for prior in framework.priors:
        sums: dict = {}
        for pair, y, a, b in ratios(framework, channel, probabilities(framework, prior)):
            alpha, beta, outputs = sums.get(pair, (Fraction(0), Fraction(0), ()))
            more = level.sign(a, b) > 0
            sums[pair] = (alpha + a, beta + b, (*outputs, y)) if more else (alpha, beta, outputs)
        for pair, (alpha, beta, outputs) in sums.items():
            if best is None or level.sign(alpha - best[0], beta - best[1]) > 0:
                best = alpha, beta, prior, pair, outputs
    return best


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


def noise_ratio(law: dict[str, Fraction], secrets: dict[str, list[str]], values: dict, halvings: int):
    """Return the largest ratio of likelihoods of a query with noise of decay 2^-halvings a unit, of
    two secrets either way.

    Outputs are tried on a grid: the values of every coordinate, a third more than each, and beyond
    the ends.
    """
    held = [{x: law[x] / sum(law[y] for y in members) for x in members} for members in secrets.values()]
    axes = []
    for column in zip(*values.values()):
        near = {v + shift for v in column for shift in (Fraction(0), Fraction(1, 3))}
        axes.append(sorted(near | {min(column) - 1, max(column) + 1}))
    best = Fraction(0)
    for w in product(*axes):
        one, other = (
            sum(p * _halved(halvings * sum(abs(a - b) for a, b in zip(w, values[x]))) for x, p in given.items())
            for given in held
        )
        best = max(best, one / other, other / one)
    return best


def _halved(times: Fraction) -> Fraction:
    assert times.denominator == 1
    return Fraction(1, 2**times.numerator)


def gaussian_is_infinite(law: dict[str, Fraction], secrets: dict[str, list[str]], values: dict) -> bool:
    """Whether Gaussian noise on values of a line leaks without bound: the ends of the two
    supports differ.
    """
    supports = [[values[x] for x in members if law[x]] for members in secrets.values()]
    return len({(min(each), max(each)) for each in supports}) > 1


def renyi_moment(framework: Framework, channel: Channel, order):
    """Return the largest sum of P(y | s)^order P(y | s')^(1 - order), or INFINITE."""
    sums: dict = {}
    for prior in framework.priors:
        for pair, _, a, b in ratios(framework, channel, probabilities(framework, prior)):
            if b == 0 < a:
                return INFINITE
            sums.setdefault((prior, pair), 0)
            if a:
                sums[prior, pair] += a * (a / b) ** (order - 1)
    return max(sums.values())
