"""Noise on linear queries of normal records, between two values of one: closed forms against laws
that numpy conditions and scipy integrates.
"""

from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import log_ndtr
from scipy.stats import norm
from tests import seeds

from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.points import PointDelta, farthest, largest_leakage, shifts

NEAR = 1e-7


class Instance:
    """A random law, weights with zeros and negative ones, a record and two of its values."""

    def __init__(self, seed, coordinates):
        random = np.random.default_rng(seed)
        self.count = int(random.integers(1, 4))
        roots = random.integers(-3, 4, size=(self.count, self.count + 1))
        self.covariance = roots @ roots.T + np.eye(self.count, dtype=int)
        self.mean = random.integers(-3, 4, size=self.count)
        self.rows = random.integers(-2, 3, size=(coordinates, self.count))
        self.record = int(random.integers(1, self.count + 1))
        u = int(random.integers(-3, 4))
        self.values = u, u + int(random.integers(1, 4))
        self.scales = [int(x) for x in random.integers(1, 5, size=coordinates)]
        law = Normal(self.mean.tolist(), self.covariance.tolist())
        secrets = dict(zip("st", ((self.record, value) for value in self.values)))
        self.framework = PointFramework(self.count, secrets, [("s", "t")], {"theta": law})

    def queries(self, kind):
        """A query with its own noise for every coordinate."""
        return [
            LinearQuery((tuple(map(Fraction, row.tolist())),), Noise(kind, scale))
            for row, scale in zip(self.rows, self.scales)
        ]

    def laws(self):
        """The means of F given each value and its covariance, from the joint law of (X_i, F)."""
        every = np.vstack([np.eye(self.count)[self.record - 1], self.rows])
        joint, means = every @ self.covariance @ every.T, every @ self.mean
        share = joint[1:, 0] / joint[0, 0]
        given = [means[1:] + share * (value - means[0]) for value in self.values]
        return given, joint[1:, 1:] - np.outer(share, joint[0, 1:])


def log_density(y, mean, variance, scale):
    """log of the density of N(mean, variance) + Laplace(scale), up to a constant."""
    if variance < 1e-12:
        return -abs(y - mean) / scale
    z, sigma, half = y - mean, sqrt(variance), variance / (2 * scale * scale)
    return np.logaddexp(
        half - z / scale + log_ndtr(z / sigma - sigma / scale), half + z / scale + log_ndtr(-z / sigma - sigma / scale)
    )


@seeds(120)
def test_laplace_noise_on_one_query_leaks_what_the_densities_say(seed):
    instance = Instance(seed, 1)
    ((one,), (other,)), ((variance,),) = instance.laws()
    (scale,) = instance.scales
    leakage = largest_leakage(shifts(instance.framework, instance.queries("laplace")))
    reach = 60 * scale + 60 * max(1, variance / scale)
    grid = np.linspace(-reach, reach, 2001)
    seen = max(abs(log_density(y, one, variance, scale) - log_density(y, other, variance, scale)) for y in grid)
    assert seen == pytest.approx(float(leakage.power.nats), abs=NEAR)


@seeds(120)
def test_several_queries_with_laplace_noise_leak_the_sum_and_never_more(seed):
    instance = Instance(seed, 2)
    (one, other), covariance = instance.laws()
    leakage = float(largest_leakage(shifts(instance.framework, instance.queries("laplace"))).power.nats)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    points = root @ np.array([(x, y) for x in nodes for y in nodes]).T
    logs = np.log([x * y for x in weights for y in weights])
    scales = np.array(instance.scales)[:, None]

    def seen(y):
        return np.logaddexp.reduce(
            logs - (np.abs(y[:, None] - points - one[:, None]) / scales).sum(0)
        ) - np.logaddexp.reduce(logs - (np.abs(y[:, None] - points - other[:, None]) / scales).sum(0))

    far = np.array([(x, y) for x in (-1e4, 1e4) for y in (-1e4, 1e4)])
    near = np.random.default_rng(seed).normal(scale=8, size=(40, 2))
    assert max(abs(seen(y)) for y in far) == pytest.approx(leakage, abs=NEAR)
    assert max(abs(seen(y)) for y in near) <= leakage + NEAR


@seeds(100)
def test_gaussian_noise_has_the_distance_delta_and_divergence_of_its_laws(seed):
    instance = Instance(seed, 1 + seed % 3)
    (one, other), covariance = instance.laws()
    noisy = covariance + np.diag([s * s for s in instance.scales])
    between = one - other
    squared = float(between @ np.linalg.solve(noisy, between))
    shift = farthest(shifts(instance.framework, instance.queries("gaussian")))
    assert float(shift.squared) == pytest.approx(squared, rel=1e-9, abs=1e-12)
    level = Level("0.3")
    lower, upper = PointDelta(shift, level).bounds()
    distance = sqrt(squared)
    excess = quad(
        lambda y: max(norm.pdf(y, distance) - exp(0.3) * norm.pdf(y), 0),
        -12,
        distance + 12,
        points=[distance / 2, 0.3 / distance + distance / 2] if squared else None,
        limit=400,
    )[0]
    assert float(lower) == pytest.approx(excess, abs=NEAR)
    assert upper - lower < Fraction(1, 10**18)


def test_runs_are_so_many_queries():
    for seed in range(20):
        instance = Instance(seed, 2)
        for kind in ("laplace", "gaussian"):
            queries = instance.queries(kind)
            (often,) = shifts(instance.framework, queries, runs=3)
            (written,) = shifts(instance.framework, queries * 3)
            if kind == "gaussian":
                assert often.squared == written.squared
            else:
                assert often.power == written.power


def test_a_scale_of_logarithms_makes_a_ratio_rational_and_ties_are_decided():
    framework = PointFramework(
        2, {"s": (1, 0), "t": (1, 1)}, [("s", "t")], {"theta": Normal(coefficient="1/2", variance=7)}
    )
    query = LinearQuery.named("sum", Noise.laplace("1/log(4)"), 2)
    leakage = largest_leakage(shifts(framework, [query]))
    assert leakage.ratio == 8
    assert leakage.compare(Level("log(8)")) == 0
    assert leakage.compare(Level("2")) == 1
    assert leakage.compare(Level("log(9)")) == -1
    query = LinearQuery.named("sum", Noise.laplace(3), 2)
    leakage = largest_leakage(shifts(framework, [query]))
    assert leakage.exact == "1/2"
    assert leakage.compare(Level("0.5")) == 0
