"""The Markov quilt mechanism on Bayesian networks: against all subsets, against chains,
colliders, and its exact leakage.
"""

from fractions import Fraction
from itertools import chain, combinations
from math import inf, log
from random import Random

import pytest

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.scale import INFINITE_SCALE, NO_NOISE, Scale
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors import bayesian_network as elimination
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.influence.network import NetworkQuilts
from pufferproof.verify.influence.quilts.network import network_quilt, size_of_scale
from pufferproof.verify.noise.ratio.listed import noise_leakage


def random_network(random, count, arrows):
    """A network whose arrows point from lower to higher records."""
    parents = {str(i): [str(j) for j in range(1, i) if (j, i) in arrows] for i in range(1, count + 1)}
    cpt = {}
    for node, above in parents.items():
        keys = [format(x, f"0{len(above)}b") if above else "" for x in range(2 ** len(above))]
        cpt[node] = {key: [Fraction(w := random.randint(1, 8), 9), 1 - Fraction(w, 9)] for key in keys}
    return BayesianNetwork(parents, cpt)


def brute(network, records, epsilon):
    quilts, found = NetworkQuilts(network, records), {}
    for record in range(1, records.count + 1):
        others = [other for other in range(1, records.count + 1) if other != record]
        scores = []
        for subset in chain.from_iterable(combinations(others, size) for size in range(len(others) + 1)):
            ratio = quilts.influence(record, subset)
            e = inf if ratio is None else log(ratio)
            scores.append(len(quilts.of(record, subset).nearby) / (epsilon - e) if e < epsilon else inf)
        found[record] = min(scores)
    return found


def test_scale_is_the_definition():
    for seed in range(6):
        random = Random(seed)
        count = random.randint(1, 5)
        arrows = {(i, j) for i in range(1, count + 1) for j in range(i + 1, count + 1) if random.random() < 0.5}
        network, records = random_network(random, count, arrows), Records(count, ("0", "1"))
        for epsilon in ("1/2", "2", "5"):
            expected = brute(network, records, float(Fraction(epsilon)))
            found = network_quilt(network, records, Level.of_nats(epsilon))
            assert float(found.scale.lower) == pytest.approx(max(expected.values()), rel=1e-12)
            assert expected[found.quilt.record] == max(expected.values())


def test_noise_of_that_scale_keeps_the_level():
    random = Random(7)
    for arrows in ({(1, 3), (2, 3)}, {(1, 2), (1, 3)}, {(1, 2), (2, 3), (3, 4)}, {(1, 4), (2, 4), (3, 4)}):
        count = max(j for _, j in arrows)
        network, records = random_network(random, count, arrows), Records(count, ("0", "1"))
        secrets = {f"x{t}={v}": (t, v) for t in range(1, count + 1) for v in "01"}
        pairs = [(f"x{t}=0", f"x{t}=1") for t in range(1, count + 1)]
        framework = Framework.of_records(records, secrets, pairs, {"theta": network})
        scale = network_quilt(network, records, Level.of_nats(2)).scale.upper
        release = AdditiveNoise.of_records("sum", records, Noise.laplace(scale))
        assert noise_leakage(framework, release).compare(Level.of_nats(2)) <= 0


@pytest.mark.parametrize("seed", range(4))
def test_quilts_too_large_to_tabulate_are_left_out(monkeypatch, seed):
    """The scale is then the least over the others, and says how many are missing."""
    random = Random(seed)
    arrows = {(i, j) for i in range(1, 6) for j in range(i + 1, 6) if random.random() < 0.5}
    network, records = random_network(random, 5, arrows), Records(5, ("0", "1"))
    level = Level.of_nats(3)
    whole = network_quilt(network, records, level)
    scales, left_out = [], []
    for most in (1, 2, 4, 8, 16, 32):
        monkeypatch.setattr(elimination, "MAX_TABLE", most)
        found = network_quilt(network, records, level)
        scales.append(found.scale.lower)
        left_out.append(found.left_out)
    assert scales == sorted(scales, reverse=True)
    assert left_out[-1] == whole.left_out == 0
    assert left_out[0]
    quilts = NetworkQuilts(network, records)
    empty = max(len(quilts.of(record, ()).nearby) for record in range(1, 6))
    assert (scales[0], scales[-1]) == (Fraction(empty, 3), whole.scale.lower)


def test_what_is_too_large_is_refused_before_any_product(monkeypatch):
    star = random_network(Random(1), 6, {(1, j) for j in range(2, 7)})
    monkeypatch.setattr(elimination, "MAX_TABLE", 16)
    monkeypatch.setattr(elimination, "multiplied", None)
    with pytest.raises(TooLargeError, match="5 records together, 32 entries: expected at most 16"):
        star.law_of((2, 3, 4, 5), Records(6, ("0", "1")))


def test_level_zero_is_refused():
    network = BayesianNetwork({"1": []}, {"1": {"": ["1/2", "1/2"]}})
    with pytest.raises(ModelError, match="expected a level above 0"):
        network_quilt(network, Records(1, ("0", "1")), Level.of_nats(0))


def test_an_infinite_scale_is_larger_than_any_other() -> None:
    scales = [Scale(Fraction(1), Fraction(2)), INFINITE_SCALE, Scale(Fraction(1), None), NO_NOISE]
    finite = [not scale.infinite for scale in sorted(scales, key=size_of_scale)]
    assert finite == [True, True, False, False]
    assert min(scales, key=size_of_scale) is NO_NOISE
