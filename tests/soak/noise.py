"""Noise on numbers and distances of laws, against grids of outputs and Hall's condition."""

from fractions import Fraction
from random import Random

import mpmath
from tests.brute.definitions import noise_ratio, probabilities
from tests.models.noise.test_laws import brute
from tests.soak.drawing import Passed, framework, law

from pufferproof import AdditiveNoise, Level, Noise
from pufferproof.models.noise.distance import line_distance, vector_distance
from pufferproof.verify.noise.ratio.listed import noise_leakage

Both = tuple[object, object]


def noises(draw: Random) -> Both:
    """The leakage of noise of decay 2^-k a unit, of one coordinate or two, and its comparisons."""
    space, size, halvings = framework(draw, 4, priors=1), draw.choice((1, 1, 2)), 6
    values = {x: tuple(Fraction(draw.randint(-6, 6), 6) for _ in range(size)) for x in space.databases}
    if space.one_sided:
        raise Passed  # the twin takes both orders
    (prior,) = space.priors
    theta = probabilities(space, prior)
    best = Fraction(0)
    for pair in space.pairs:
        if all(space.mass(prior, secret) for secret in pair):
            held = {secret: [space.databases[x] for x in space.secrets[secret]] for secret in pair}
            inside = {x: theta[x] for members in held.values() for x in members}
            best = max(best, noise_ratio(inside, held, values, halvings))
    found = noise_leakage(space, AdditiveNoise(values, Noise.laplace("1/log(64)")))
    return found.leakage.ratio, best


def distances(draw: Random) -> Both:
    """The distance of two laws on a line, and in the plane."""
    size = draw.choice((1, 2))
    points = [tuple(Fraction(draw.randint(-4, 4), draw.choice((1, 1, 3))) for _ in range(size)) for _ in range(8)]
    left, right = (spread(draw, points) for _ in range(2))
    expected = brute(left, right, lambda x, y: sum(abs(a - b) for a, b in zip(x, y)))
    found = [vector_distance(left, right), vector_distance(right, left)]
    if size == 1:
        line = [{x: p for (x,), p in each.items()} for each in (left, right)]
        found += [line_distance(*line), line_distance(*line[::-1])]
    return found, [expected] * len(found)


def spread(draw: Random, points):
    chosen = draw.sample(sorted({*points}), draw.randint(1, min(5, len({*points}))))
    return {point: p for point, p in zip(chosen, law(draw, len(chosen))) if p}


def levels(draw: Random) -> Both:
    """A level against ratios that are near e^epsilon, or equal to it where it is 1."""
    nats = Fraction(draw.randint(0, 300), draw.choice((1, 10, 100, 7)))
    away = Fraction(draw.choice((-1, 0, 1)), 10 ** draw.randint(1, 40))
    with mpmath.workdps(220):
        power = mpmath.exp(mpmath.mpf(nats.numerator) / nats.denominator)
        ratio = Fraction(int(power * mpmath.mpf(10) ** 50), 10**50) * (1 + away)
        gap = mpmath.mpf(ratio.numerator) / ratio.denominator - power
        expected = 0 if abs(gap) < mpmath.mpf(10) ** -100 else int(mpmath.sign(gap))
    return Level.of_nats(nats).compare(ratio), expected
