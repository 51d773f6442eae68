"""The Markov quilt mechanism: scale, active quilt and record against the definition,
boundaries, classes, long chains.
"""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests.brute.quilts import brute_scores, by_enumeration, by_tables

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.influence.quilts.exact import markov_quilt

STICKY = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])


def random_chain(random, states, start, zeros=False):
    rows = []
    for _ in range(states):
        weights = [random.randint(0 if zeros else 1, 6) for _ in range(states)]
        weights[random.randrange(states)] += 1
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    if start == "random":
        weights = [random.randint(0, 3) for _ in range(states)]
        weights[random.randrange(states)] += 1
        start = [Fraction(weight, sum(weights)) for weight in weights]
    return MarkovChain(start, rows)


def agrees(found, scores):
    """Whether the scale is the largest least score, and record and quilt reach it."""
    least = {record: min(each.values()) for record, each in scores.items()}
    expected = max(least.values())
    assert float(found.scale.lower) == pytest.approx(expected, rel=1e-9)
    assert found.scale.lower <= found.scale.upper <= found.scale.lower * (1 + Fraction(1, 10**9))
    quilt = found.quilt
    assert scores[quilt.record][quilt.left, quilt.right] == pytest.approx(expected, rel=1e-9)
    first = min(record for record, score in least.items() if score >= expected * (1 - 1e-12))
    return quilt.record == first


@pytest.mark.parametrize("start", ["stationary", "random"])
def test_scale_is_the_definition_by_enumeration(start):
    random = Random(2)
    for _ in range(12):
        length = random.randint(1, 6)
        chain = random_chain(random, 2, start)
        epsilon = Fraction(random.choice([1, 2, 5, 12, 40]), random.choice([2, 10]))
        found = markov_quilt(chain, length, Level.of_nats(epsilon))
        agrees(found, brute_scores([by_enumeration(chain, length)], length, float(epsilon)))


@pytest.mark.parametrize(("start", "zeros"), list(product(["stationary", "random"], [False, True])))
def test_scale_is_the_definition_by_exact_influences(start, zeros):
    random = Random(3)
    for _ in range(8):
        length, states = random.randint(1, 16), random.randint(2, 3)
        try:
            chain = random_chain(random, states, start, zeros)
            chain.initial_law()
        except ModelError:
            continue  # no unique stationary law
        epsilon = Fraction(random.choice([1, 3, 10, 30]), 10)
        found = markov_quilt(chain, length, Level.of_nats(epsilon))
        scores = brute_scores([by_tables(chain, length)], length, float(epsilon))
        assert agrees(found, scores) or start == "random"


def test_class_wide_influence_is_the_largest_for_each_quilt():
    random = Random(4)
    for start in ("stationary", "random"):
        for _ in range(6):
            length = random.randint(2, 12)
            chains = [random_chain(random, 2, start) for _ in range(2)]
            found = markov_quilt(chains, length, Level.of_nats(1))
            agrees(found, brute_scores([by_tables(chain, length) for chain in chains], length, 1.0))
            alone = [markov_quilt(chain, length, Level.of_nats(1)).scale.lower for chain in chains]
            assert found.scale.upper >= max(alone)


def test_published_figure_of_a_sticky_chain():
    found = markov_quilt(STICKY, 100, Level.of_nats(1))
    assert (found.quilt.left, found.quilt.right, found.quilt.nearby) == (12, 12, 23)
    assert found.scale.enclosure().lower.startswith("31.737")


def test_level_zero_and_records_off_the_chain_are_refused():
    with pytest.raises(ModelError, match="expected a level above 0"):
        markov_quilt(STICKY, 5, Level.of_nats(0))
    with pytest.raises(ModelError, match="expected a record from 1 to 5"):
        markov_quilt(STICKY, 5, Level.of_nats(1), [6])


TWO_CLASSES = [[0, 0, "1/3", "2/3"], [0, 0, "1/2", "1/2"], ["1/4", "3/4", 0, 0], ["3/5", "2/5", 0, 0]]


@pytest.mark.parametrize("start", [["1", 0, 0, 0], ["1/2", "1/2", 0, 0], ["1/3", "1/3", "1/3", 0], "stationary"])
def test_periodic_chains(start):
    chain = MarkovChain(start, TWO_CLASSES)
    scores = brute_scores([by_tables(chain, 13)], 13, 1.0)
    found = markov_quilt(chain, 13, Level.of_nats(1))
    agrees(found, scores)
    long = markov_quilt(chain, 10**6, Level.of_nats(1))
    assert long.trivial == found.trivial
    assert long.trivial or abs(long.scale.lower - found.scale.lower) < Fraction(1, 10**4)


def test_the_first_record_that_asks_for_the_noise_of_a_scaled_query():
    """What a record changes scales all scores alike: the record and its quilt are those of the
    count.
    """
    chain = MarkovChain("stationary", [["19/20", "1/20"], ["1/4", "3/4"]])
    whole = markov_quilt(chain, 12, Level.of_nats(2))
    for lipschitz in (Fraction(1, 12), 2, 49):
        scaled = markov_quilt(chain, 12, Level.of_nats(2), lipschitz=lipschitz)
        assert (scaled.quilt.record, scaled.quilt.nearby) == (whole.quilt.record, whole.quilt.nearby)
