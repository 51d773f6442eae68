"""Exact leakage of additive noise: known values, ties and levels decided exactly, and dense
grids of outputs never above.
"""

from fractions import Fraction
from itertools import product
from math import exp, log
from random import Random

import pytest
from tests import seeds

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table
from pufferproof.verify.noise.ratio.listed import noise_leakage

TWO = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})


def mixture_framework(random, count=6, zeros=False):
    """Two secrets over databases with random weights."""
    names = [f"d{i}" for i in range(count)]
    weights = [0 if zeros and random.random() < 0.3 else random.randint(1, 9) for _ in names]
    weights[0] = weights[-1] = 2
    law = {name: Fraction(weight, sum(weights)) for name, weight in zip(names, weights)}
    half = count // 2
    return Framework(names, {"s": names[:half], "t": names[half:]}, [("s", "t")], {"theta": Table(law)})


def density(law, output, decays):
    """f(w | s) up to a constant, in floats."""
    total = 0.0
    for vector, p in law.items():
        term = float(p)
        for w, v, decay in zip(output, vector, decays):
            term *= decay ** abs(w - float(v))
        total += term
    return total


@seeds(12)
def test_no_output_of_a_dense_grid_exceeds_it(seed):
    random = Random(seed)
    dimension = 1 + seed % 2
    framework = mixture_framework(random, zeros=seed % 3 == 0)
    values = {name: [Fraction(random.randint(-4, 4), 2) for _ in range(dimension)] for name in framework.databases}
    scale = Fraction(random.randint(1, 6), 3)
    release = AdditiveNoise(values, Noise.laplace(scale))
    found = noise_leakage(framework, release)
    laws = {name: release.law(framework, "theta", name) for name in ("s", "t")}
    decays = [exp(-1 / float(scale))] * dimension
    largest = 0.0
    for output in product([i / 8 for i in range(-28, 29)], repeat=dimension):
        above, below = (density(laws[name], output, decays) for name in ("s", "t"))
        largest = max(largest, log(above / below), log(below / above))
    exact = float(found.leakage.enclosure().upper)
    assert largest <= exact + 1e-9
    assert largest >= exact - 1e-9  # the grid has all values of the query


def test_more_correlation_than_sensitivity():
    """A count over a sticky chain: noise for one record leaks far more than its level, and not
    more than the group's.
    """
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    records = Records(6, ("0", "1"))
    framework = Framework.of_records(records, {"zero": (3, "0"), "one": (3, "1")}, [("zero", "one")], {"theta": chain})
    found = noise_leakage(framework, AdditiveNoise.of_records("sum", records, Noise.laplace(1)))
    assert found.compare(Level.of_nats(2)) == 1
    assert found.compare(Level.of_nats(6)) == -1
    means = noise_leakage(framework, AdditiveNoise.of_records("mean", records, Noise.laplace("1/6")))
    assert means.leakage.enclosure() == found.leakage.enclosure()
    histogram = noise_leakage(framework, AdditiveNoise.of_records("histogram", records, Noise.laplace(2)))
    assert histogram.compare(Level.of_nats(6)) == -1


def test_normal_forms_decide_zero():
    half = Fraction(1, 2)
    two, eight = Power.of(Fraction(2), half), Power.of(Fraction(8), half)
    assert ExponentialSum([(2, two), (-1, eight)]).sign() == 0
    assert ExponentialSum([(1, Power.of(Fraction(6), half)), (-1, two.times(Power.of(Fraction(3), half)))]).sign() == 0
    assert ExponentialSum([(1, Power.exp(half)), (-1, Power.of(Fraction(27183, 10000), half))]).sign() == -1
    assert ExponentialSum([(1, Power.exp(Fraction(1))), (Fraction(-2718281828459045, 10**15), Power())]).sign() == 1


def test_bad_input_is_refused():
    for make, message in [
        (lambda: Noise.laplace(0), "expected a scale above 0"),
        (lambda: Noise.laplace("-1"), "expected a scale above 0"),
        (lambda: Noise.laplace("1/log(1)"), "with c > 0 and r > 1"),
        (lambda: Noise.laplace("-1/log(2)"), "with c > 0 and r > 1"),
        (lambda: Noise.laplace("1/log(2/0)"), "with c > 0 and r > 1"),
        (lambda: Noise.geometric(1), "strictly between 0 and 1"),
        (lambda: Noise.gaussian(0), "above 0"),
        (lambda: AdditiveNoise({"a": 0, "b": [1, 2]}, Noise.laplace(1)), "expected 1 numbers as before, found 2"),
        (lambda: AdditiveNoise({"a": "1/2"}, Noise.geometric("1/2")), "needs integers, found 1/2"),
        (lambda: AdditiveNoise({"a": []}, Noise.laplace(1)), "at least one number"),
        (lambda: AdditiveNoise({}, Noise.laplace(1)), "expected a value for every database"),
        (lambda: AdditiveNoise.of_records("median", Records(2, ("0", "1")), Noise.laplace(1)), 'expected one of "sum"'),
        (lambda: AdditiveNoise.of_records("sum", Records(2, ("x", "y")), Noise.laplace(1)), "needs numbers as values"),
        (lambda: noise_leakage(TWO, AdditiveNoise({"a": 0}, Noise.laplace(1))), 'no value for database "b"'),
        (lambda: noise_leakage(TWO, AdditiveNoise({"a": 0, "b": 1}, Noise.gaussian(1))), "found gaussian"),
    ]:
        with pytest.raises(ModelError) as error:
            make()
        assert message in str(error.value)


def test_releases_of_disjoint_secrets_add():
    one, other = (AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)), AdditiveNoise({"a": 5, "b": 3}, Noise.laplace(4)))
    found = noise_leakage(TWO, one, other)
    assert found.compare(Level.of_nats(1)) == 0
    assert found.witness.output == "0,5"
