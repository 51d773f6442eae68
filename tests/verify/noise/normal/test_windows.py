"""Noise on linear queries of normal records, between windows of one: the closed form against
integrals over the window.
"""

import json

import numpy as np
import pytest
from tests import seeds
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.normal.test_points import Instance, log_density

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.points import leakage_of, shifts

NEAR = 1e-6


class Windows(Instance):
    """A random instance whose secrets are two windows of the record, which touch or do not."""

    def __init__(self, seed, coordinates):
        super().__init__(seed, coordinates)
        random = np.random.default_rng([seed, 1])
        ends = np.sort(random.choice(np.arange(-12, 13), size=4, replace=False)) / 4
        if random.integers(2):
            ends[2] = ends[1]
        self.windows = [(ends[0], ends[1]), (ends[2], ends[3])]
        random.shuffle(self.windows)
        law = Normal(self.mean.tolist(), self.covariance.tolist())
        secrets = {name: (self.record, str(low), str(high)) for name, (low, high) in zip("st", self.windows)}
        self.framework = PointFramework(self.count, secrets, [("s", "t")], {"theta": law})

    def leakage(self):
        found = leakage_of(shifts(self.framework, self.queries("laplace")))
        return float(found.enclosure().upper)

    def nodes(self):
        """Points and weights of the record within each window, by Gauss-Legendre quadrature."""
        points, weights = np.polynomial.legendre.leggauss(80)
        own, mean = self.covariance[self.record - 1, self.record - 1], self.mean[self.record - 1]
        for low, high in self.windows:
            x = low + (high - low) * (points + 1) / 2
            mass = weights * np.exp(-((x - mean) ** 2) / (2 * own))
            yield x, mass / mass.sum()

    def slopes(self):
        joint = self.rows @ self.covariance[self.record - 1]
        return joint / self.covariance[self.record - 1, self.record - 1]


@seeds(100)
def test_laplace_noise_on_one_query_leaks_what_integrals_say(seed):
    instance = Windows(seed, 1)
    (slope,), ((variance,),) = instance.slopes(), instance.laws()[1]
    (scale,) = instance.scales
    found = float(leakage_of(shifts(instance.framework, instance.queries("laplace"))).enclosure().upper)
    reach = 60 * scale + 60 * max(1, variance / scale)
    y = np.linspace(-reach, reach, 601)[:, None]
    one, other = (
        np.logaddexp.reduce(log_density(y, slope * x, variance, scale) + np.log(p), axis=1) for x, p in instance.nodes()
    )
    assert abs(one - other).max() == pytest.approx(found, abs=NEAR)


@seeds(60)
def test_several_queries_never_leak_more_and_reach_it(seed):
    """The rest is drawn: given it, coordinates are independent; means over 400 draws are laws of
    mixtures of them, for which the bound holds as well.
    """
    instance = Windows(seed, 2)
    covariance = instance.laws()[1]
    found = float(leakage_of(shifts(instance.framework, instance.queries("laplace"))).enclosure().upper)
    values, vectors = np.linalg.eigh(covariance)
    random = np.random.default_rng(seed)
    rest = random.normal(size=(400, 2)) * np.sqrt(np.maximum(values, 0)) @ vectors.T
    slopes, scales = instance.slopes(), np.array(instance.scales)
    laws = [  # of each, the places of both coordinates, in scales, and what is at them
        (((np.multiply.outer(x, slopes)[:, None] + rest) / scales).transpose(2, 0, 1), p[:, None])
        for x, p in instance.nodes()
    ]

    def ratio(y):
        sums = []
        for (first, second), p in laws:
            nats = -abs(y[0] / scales[0] - first) - abs(y[1] / scales[1] - second)
            top = nats.max()
            sums.append(top + np.log((np.exp(nats - top) * p).sum()))
        return sums[0] - sums[1]

    drawn = [abs(ratio(y)) for y in random.normal(scale=8, size=(60, 2))]
    assert max(drawn) <= found + NEAR
    far = 200 * np.sign(slopes)
    assert max(abs(ratio(far)), abs(ratio(-far))) == pytest.approx(found, abs=NEAR)


def of_one(windows, noise=None, variance=1):
    secrets = {f"s{k}": (1, *ends) for k, ends in enumerate(windows)}
    framework = PointFramework(1, secrets, "disjoint", {"p": Normal(0, [[variance]])})
    return shifts(framework, [LinearQuery.named("sum", noise or Noise.laplace(1), 1)])


def test_what_a_record_says_nothing_of_leaks_nothing():
    prior = {"p": Normal(0, [[1, 0], [0, 1]])}
    framework = PointFramework(2, {"s": (1, 0, 1), "t": (1, 1, 2)}, "disjoint", prior)
    query = LinearQuery.named("sum", Noise.laplace(1), 2, (2, 2))
    found = leakage_of(shifts(framework, [query]))
    assert found.as_json() == {"ratio": "1", "epsilon": {"lower": "0", "upper": "0"}}
    assert (found.compare(Level("0")), found.compare(Level("1"))) == (0, -1)


def test_what_is_no_pair_of_windows_is_refused():
    for secrets, pairs, said in [
        ({"s": (1, 0, 1), "t": (1, "1/2", 2)}, [("s", "t")], "windows that do not overlap"),
        ({"s": (1, 0, 1), "t": (1, 0, 1)}, [("s", "t")], "windows that do not overlap"),
        ({"s": (1, 1, 1), "t": (1, 2, 3)}, "disjoint", "expected low < high"),
        ({"s": (1, 0), "t": (1, 2, 3)}, "disjoint", 'all secrets "at" a number, or all "between"'),
        ({"s": (1, 0, 1), "t": (1, 0, 2)}, "disjoint", "found none"),
        ({"s": (2, 0, 1), "t": (1, 1, 2)}, "disjoint", "a record from 1 to 1"),
    ]:
        with pytest.raises(ModelError, match=said):
            PointFramework(1, secrets, pairs, {"p": Normal(0, [[1]])})


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 48},
    "secrets": {"low": {"record": 24, "between": ["0", "1/2"]}, "high": {"record": 24, "between": ["2", "5"]}},
    "pairs": "disjoint",
    "priors": {"load": {"gaussian": {"mean": "4/5", "ar1": {"coefficient": "4/5", "variance": "1/4"}}}},
}
MEAN = {"format": "pufferproof-mechanism/1", "query": "mean", "noise": {"laplace": {"scale": "1/5"}}}


def test_commands_take_windows(run, save):
    files = save("f.json", FRAMEWORK), save("m.json", MEAN)
    code, out, _ = run("audit", *files, "--epsilon", "1", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"], answer["leakage"]["ratio"]) == (1, "VIOLATES", None)
    assert answer["witness"]["pair"] == ["high", "low"]
    assert run("audit", *files, "--epsilon", "1.8")[0] == 0
    code, out, _ = run("compose", *files, "--runs", "5", "--json")
    joint = json.loads(out)
    expect_valid(joint, "compose")
    single, total = (float(each["epsilon"]["lower"]) for each in (joint["single"][0], joint["joint"]))
    assert not joint["additive"]
    assert total > 5 * single
    code, out, err = run("audit", *files, "--epsilon", "1", "--delta", "1/10")
    assert (code, out) == (2, "")
    assert "needs gaussian noise" in err
