"""Gaussian noise on linear queries of normal records, between windows of one: the statistic and its
threshold against sums over grids of all outputs.
"""

import json
from fractions import Fraction
from math import exp, sqrt

import numpy as np
import pytest
from scipy.stats import norm
from tests import seeds
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.normal.test_windows import FRAMEWORK, MEAN, Windows, of_one

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.audit import delta_of, windows_exceed
from pufferproof.verify.noise.normal.points import shifts


def bounds(instance, level, runs=1):
    found = shifts(instance.framework, instance.queries("gaussian"), runs)
    lower, upper = delta_of(found, Level(level)).bounds()
    assert 0 <= lower <= upper <= 1
    assert upper - lower <= upper / 2**50
    return float(lower)


def noisy(instance):
    """The mean of all outputs at X_i = 0, what a unit of X_i adds, and their covariance."""
    covariance = instance.laws()[1] + np.diag([float(s) ** 2 for s in instance.scales])
    means = instance.rows @ instance.mean - instance.slopes() * instance.mean[instance.record - 1]
    return means, instance.slopes(), covariance


def excess(densities, level, cell):
    one, other = densities
    return max(
        np.maximum(one - exp(level) * other, 0).sum() * cell, np.maximum(other - exp(level) * one, 0).sum() * cell
    )


@seeds(40)
def test_one_query_has_the_delta_of_its_densities(seed):
    instance = Windows(seed, 1)
    (start,), (slope,), ((variance,),) = noisy(instance)
    laws = list(instance.nodes())
    means = [start + slope * x for x, _ in laws]
    reach = 9 * sqrt(variance)
    y = np.linspace(min(map(np.min, means)) - reach, max(map(np.max, means)) + reach, 40_001)
    densities = [
        sum(p * np.exp(-((y - m) ** 2) / (2 * variance)) for m, p in zip(places, weights)) / sqrt(2 * np.pi * variance)
        for places, (_, weights) in zip(means, laws)
    ]
    for level in ("0", "0.3", "2"):
        expected = excess(densities, float(level), y[1] - y[0])
        assert bounds(instance, level) == pytest.approx(expected, abs=2e-7)


@pytest.mark.parametrize("seed", range(8))
def test_two_queries_have_the_delta_of_their_joint_densities(seed):
    instance = Windows(seed, 2)
    start, slopes, covariance = noisy(instance)
    laws = list(instance.nodes())
    inverse, root = np.linalg.inv(covariance), sqrt(np.linalg.det(covariance))
    places = np.concatenate([x for x, _ in laws])
    sides = []
    for k in range(2):
        middle = start[k] + slopes[k] * places
        reach = 8 * sqrt(covariance[k, k])
        sides.append(np.linspace(middle.min() - reach, middle.max() + reach, 401))
    cell = (sides[0][1] - sides[0][0]) * (sides[1][1] - sides[1][0])
    off = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1) - start
    square, mixed = np.einsum("ijk,kl,ijl->ij", off, inverse, off), off @ inverse @ slopes
    bend = slopes @ inverse @ slopes

    def density(place):
        return np.exp(place * mixed - (square + place * place * bend) / 2) / (2 * np.pi * root)

    densities = [sum(p * density(place) for place, p in zip(x, weights)) for x, weights in laws]
    expected = excess(densities, 0.3, cell)
    assert bounds(instance, "0.3") == pytest.approx(expected, abs=3e-4)


def test_runs_are_so_many_queries():
    for seed in range(6):
        instance = Windows(seed, 1)
        queries = instance.queries("gaussian")
        often = delta_of(shifts(instance.framework, queries, runs=3), Level("1"))
        written = delta_of(shifts(instance.framework, queries * 3), Level("1"))
        assert often.bounds() == written.bounds()


@pytest.mark.parametrize(
    ("windows", "variance", "sigma"),
    [
        ([(0, 10**6), (-1, 0)], 1, 1),
        ([(-(10**6), 0), (0, 1)], 1, "1/1000"),
        ([(2000, 2001), (1000, 1001)], 1, 1),
        ([(0, "1/1000"), ("1/1000", "2/1000")], 1, 1),
        ([(5, 6), (0, 1)], 1, 1000),
        ([(5, 6), (0, 1)], "1/10000", 1),
    ],
)
def test_far_wide_and_narrow_windows_are_enclosed(windows, variance, sigma):
    delta = delta_of(of_one(windows, Noise.gaussian(sigma), variance), Level("0"))
    lower, upper = delta.bounds()
    assert 0 < lower <= upper <= lower * (1 + Fraction(1, 2**50))
    assert delta.compare(lower / 2) == 1
    assert delta.compare(upper + (1 - upper) / 2) == -1
    tiny = delta_of(of_one(windows, Noise.gaussian(sigma), variance), Level("90000")).bounds()
    assert 0 <= tiny[0] <= tiny[1] <= upper


def test_more_noise_has_a_smaller_delta_and_none_has_1():
    found = of_one([(0, 1), (-1, 0)], Noise.gaussian(1))
    values = [
        delta_of([shift.with_noise(Noise.gaussian(s)) for shift in found], Level("1")).bounds()[0]
        for s in ("1/2", "1", "2")
    ]
    assert values == sorted(values, reverse=True)
    assert windows_exceed(found, [Fraction(0)], Level("1"), Fraction(1, 2))
    assert windows_exceed(found, [Fraction(1)], Level("1"), values[1] / 2)
    assert not windows_exceed(found, [Fraction(1)], Level("1"), values[1] * 2)


def test_laplace_noise_beside_it_is_refused():
    query = LinearQuery.named("sum", Noise.laplace(1), 1)
    (shift,) = of_one([(0, 1), (-1, 0)], Noise.gaussian(1))
    framework = PointFramework(1, {"s": (1, 0, 1), "t": (1, -1, 0)}, "disjoint", {"p": Normal(0, [[1]])})
    found = shifts(framework, [query, *shift.queries])
    with pytest.raises(ModelError, match="needs gaussian noise"):
        delta_of(found, Level("1"))


def test_the_wasserstein_distance_of_windows_is_that_of_their_quantiles():
    """Beyond an identity the rest is normal: quantiles by bisection, tails far out."""
    random = np.random.default_rng(5)
    for _ in range(40):
        ends = np.sort(random.choice(np.arange(-20, 21), size=4, replace=False)) / 8
        if random.integers(2):
            ends[2] = ends[1]
        (shift,) = of_one([tuple(map(str, ends[:2])), tuple(map(str, ends[2:]))])
        shares = np.linspace(1e-9, 1 - 1e-9, 4001)
        (low, high), (left, right) = (norm.cdf(ends[:2]), norm.cdf(ends[2:]))
        one, other = norm.ppf(low + shares * (high - low)), norm.ppf(left + shares * (right - left))
        assert np.abs(one - other).max() == pytest.approx(float(shift.distance), abs=1e-6)


GAUSSIAN = {**MEAN, "noise": {"gaussian": {"sigma": "1/5"}}}


def test_commands_take_gaussian_noise_between_windows(run, save):
    files = save("f.json", FRAMEWORK), save("g.json", GAUSSIAN)
    code, out, _ = run("audit", *files, "--epsilon", "1", "--delta", "1/10", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"], answer["leakage"]["ratio"]) == (1, "VIOLATES", "inf")
    claims = [f"CITED(normal.gaussian-{secrets})" for secrets in ("values", "windows")]
    assert answer["trust"] == ["INTERVAL", *claims, "CITED(normal.gaussian-unbounded)"]
    assert float(answer["delta"]["lower"]) == pytest.approx(0.2328919, abs=1e-6)
    assert run("audit", *files, "--epsilon", "1", "--delta", "1/4")[0] == 0
    code, out, _ = run("compose", *files, "--runs", "3", "--together", "1", "--delta", "1/2", "--json")
    joint = json.loads(out)
    expect_valid(joint, "compose")
    assert (code, joint["together"]["verdict"]) == (0, "SATISFIES")
    code, _, err = run("audit", *files, "--epsilon", "1", "--renyi", "2")
    assert (code, "between windows, expected --delta" in err) == (2, True)


def test_calibrate_finds_the_least_noise_between_windows(run, save):
    framework, out = save("f.json", FRAMEWORK), save("o.json", {})
    asked = ("calibrate", framework, "--query", "mean", "--epsilon", "1", "--json")
    code, text, _ = run(*asked, "--mechanism", "wasserstein", "--tight", "--out", out, "--replace")
    answer = json.loads(text)
    expect_valid(answer, "calibrate")
    least, scale = float(answer["tight"]["upper"]), float(answer["scale"]["upper"])
    assert (code, least < scale) == (0, True)
    assert float(answer["leakage"]["epsilon"]["upper"]) < 1
    assert run("audit", framework, out, "--epsilon", "1")[0] == 0
    below = {**MEAN, "noise": {"laplace": {"scale": f"{least * 0.99999:.12f}"}}}
    assert run("audit", framework, save("b.json", below), "--epsilon", "1")[0] == 1
    code, text, _ = run(*asked, "--delta", "1/100")
    row, _ = json.loads(text)["sigmas"]
    for share, expected in ((1.00001, 0), (0.99999, 1)):
        sigma = f"{float(row['sigma']['upper']) * share:.12f}"
        noise = save("n.json", {**MEAN, "noise": {"gaussian": {"sigma": sigma}}})
        assert run("audit", framework, noise, "--epsilon", "1", "--delta", "1/100")[0] == expected
    assert run(*asked, "--renyi", "2")[0] == 2
    assert run(*asked[:5], "0", "--mechanism", "wasserstein")[0] == 2


def test_nothing_is_told_by_a_query_orthogonal_to_the_record_and_1_is_no_bound():
    prior = {"p": Normal(0, [[1, 0], [0, 1]])}
    framework = PointFramework(2, {"s": (1, 0, 1), "t": (1, 1, 2)}, "disjoint", prior)
    found = shifts(framework, [LinearQuery.named("sum", Noise.gaussian(1), 2, (2, 2))])
    delta = delta_of(found, Level("0"))
    assert delta.bounds() == (0, 0)
    assert delta.as_json()["ratio"] == "0"
    assert delta.compare(Fraction(0)) == 0
    assert delta.compare(Fraction(1, 2)) == -1
    some = delta_of(of_one([(0, 1), (1, 2)], Noise.gaussian(1)), Level("0"))
    assert (some.compare(Fraction(0)), some.compare(Fraction(1))) == (1, -1)
