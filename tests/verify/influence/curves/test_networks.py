"""Influence curves of Bayesian networks, of forests of bits too."""

import random
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from tests import seeds
from tests.brute import influence as brute
from tests.lp.translation.test_networks import drawn, framework, large, rerooted
from tests.verify.influence.curves.test_along import law, orders_of, pairs_of

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.verify.influence.curves import framework as curves
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.curves.networks import network_points

# Influence curves of Bayesian networks by search over separators, against every hidden set.


def random_network(random, count, alphabet, weights):
    order = random.sample(range(1, count + 1), count)
    parents = {
        node: [other for other in order[:place] if random.random() < 0.45][:3] for place, node in enumerate(order)
    }
    tables = {
        node: {"".join(key): law(random, len(alphabet), weights) for key in product(alphabet, repeat=len(above))}
        for node, above in parents.items()
    }
    return BayesianNetwork(parents, tables)


def joint(network, records):
    labels = list(product(range(len(records.alphabet)), repeat=records.count))
    found = network.law((), records)
    from fractions import Fraction

    return {x: Fraction(w, found.total) for x, w in zip(labels, found.weights) if w}


def cases(seed):
    random = Random(seed)
    size, count = random.choice([(2, 5), (2, 4), (3, 3), (2, 1)])
    weights = random.choice([[0, 1, 1, 2, 3], [1, 2, 3, 5]])
    records = Records(count, tuple("abc"[:size]))
    networks = [random_network(random, count, records.alphabet, weights) for _ in range(seed % 2 + 1)]
    chosen = random.sample(range(1, count + 1), min(count, 2))
    expected = brute.curve([joint(network, records) for network in networks], pairs_of(chosen, size), count)
    return networks, records, orders_of(chosen, size), expected


@seeds(80)
def test_networks_are_exact_where_every_set_is_tried(seed):
    networks, records, orders, expected = cases(seed)
    if expected[-1] == 0:
        with pytest.raises(ModelError, match="nothing to check"):
            network_points(networks, records, orders, records.count)
        return
    points = network_points(networks, records, orders, records.count)
    assert [point.upper for point in points] == expected
    assert all(point.exact for point in points)


@seeds(40)
def test_networks_are_bounded_where_the_search_ends_early(seed):
    for effort in [0, 60, 200]:
        networks, records, orders, expected = cases(seed)
        if expected[-1] == 0:
            continue
        for point, known in zip(network_points(networks, records, orders, records.count, effort), expected):
            assert point.upper is None or known <= point.upper
            assert known is None if point.infinite else known is None or point.lower <= known
            assert (known is not None) or point.upper is None


def test_laws_too_large_to_tabulate_leave_bounds(monkeypatch):
    from pufferproof.verify.influence.curves import networks as module

    monkeypatch.setattr(module, "_LARGEST", 4)
    networks, records, orders, expected = cases(1)
    for point, known in zip(network_points(networks, records, orders, records.count), expected):
        assert point.infinite or known is None or point.lower <= known
        assert point.upper is None or known <= point.upper


@pytest.mark.parametrize("last", [12, 13, 17])
def test_a_law_whose_search_was_interrupted_is_searched_again(last, monkeypatch):
    networks, records, orders, expected = cases(1)
    law_of, calls = BayesianNetwork.law_of, []

    def interrupted(*given, **named):
        calls.append(given)
        if len(calls) == last:
            raise KeyboardInterrupt
        return law_of(*given, **named)

    monkeypatch.setattr(BayesianNetwork, "law_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        network_points(networks, records, orders, records.count)
    points = network_points(networks, records, orders, records.count)
    assert [point.upper for point in points] == expected


def test_chains_and_independent_records_are_networks():
    records = Records(4, ("a", "b"))
    chain = MarkovChain(["1/3", "2/3"], [["3/4", "1/4"], ["1/2", "1/2"]])
    independent = Product([["1/2", "1/2"]] * 4)
    for prior in (chain, independent):
        one, other = prior.law((), records), network_of(prior, records).law((), records)
        assert [w * other.total for w in one.weights] == [w * one.total for w in other.weights]
    assert network_of(Table({"aaaa": 1}), records) is None
    noisy = {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}
    star = BayesianNetwork({1: [], 2: [1], 3: [1], 4: [1]}, {1: {"": [1, 0]}, **dict.fromkeys([2, 3, 4], noisy)})
    secrets = {"s": (2, "a"), "t": (2, "b")}
    framework = Framework.of_records(records, secrets, "disjoint", {"chain": chain, "star": star})
    ends = {"chain": chain, "table": Table({"aaaa": "1/2", "abaa": "1/2"})}
    mixed = Framework.of_records(records, secrets, "disjoint", ends)
    alone = Framework.of_records(records, secrets, "disjoint", {"chain": chain})
    expected = [point.upper for point in influence_curve(alone)]
    assert [point.upper for point in influence_curve(framework)] == expected
    assert [point.upper for point in influence_curve(mixed)] == expected


def test_networks_of_too_many_records():
    network = BayesianNetwork({1: []}, {1: {"": ["1/2", "1/2"]}})
    with pytest.raises(ModelError, match="at most 1000 records of a network, found 1001"):
        network_points([network], Records(1001, ("0", "1")), orders_of([1], 2), 1)


# Influence curves of forests of bits: one pass agrees with the search over separators, and with
# the definition.


F = Fraction


@seeds(80)
def test_sharing_records_out_is_the_search(seed, monkeypatch):
    draw = random.Random(seed)
    count = draw.choice([1, 2, 4, 6, 8])
    shape = [None, *(draw.choice([None, *range(1, i), i - 1]) for i in range(2, count + 1))]
    space = framework(drawn(draw, rerooted(shape, draw)), [draw.randint(1, count)])
    try:
        searched = influence_curve(space, count)
    except ModelError as error:
        searched = error.what
    monkeypatch.setattr(curves, "MOST_SEARCHED", 0)
    if isinstance(searched, str):
        with pytest.raises(ModelError, match=searched[:20]):
            influence_curve(space, count)
        return
    for point, expected in zip(influence_curve(space, count), searched, strict=True):
        assert point.infinite == expected.infinite
        if not point.infinite:
            assert point.lower <= expected.lower <= expected.upper <= point.upper
            assert point.upper / point.lower - 1 < F(1, 10**11)


def test_a_curve_of_ten_thousand_bits_falls_and_hides_no_more_than_it_may():
    space = framework(large(10_000, 2)[0], [5_000])
    points = influence_curve(space, 40)[1:]
    assert all(one.upper >= other.lower for one, other in pairwise(points))
    assert points[-1].upper < points[0].lower


def test_values_too_rare_for_floats_are_named():
    """P(record 3 = 1) = 10^-225 is no 0: the pair is not left out, and the curve says why not."""
    rare = {"0": ["1", "0"], "1": [1 - F(1, 10**75), F(1, 10**75)]}
    network = BayesianNetwork(
        {i: [i - 1] if i > 1 else [] for i in range(1, 18)},
        {i: rare if i > 1 else {"": rare["1"]} for i in range(1, 18)},
    )
    assert influence_curve(framework(network, [2]), 3)[3].upper is None
    with pytest.raises(ModelError, match=r"cpt\.3: expected values of probability 0 or of at"):
        influence_curve(framework(network, [3]), 3)


def test_ratios_beyond_floats_have_no_upper_end():
    """A star whose hub is hidden, with 2,000 leaves that tell of it: 9^2000."""
    leaf = {"0": ["9/10", "1/10"], "1": ["1/10", "9/10"]}
    network = BayesianNetwork(
        {i: [1] if i > 1 else [] for i in range(1, 2_002)},
        {i: leaf if i > 1 else {"": ["1/2", "1/2"]} for i in range(1, 2_002)},
    )
    point = influence_curve(framework(network, [1]), 1)[1]
    assert point.upper is None
    assert point.lower > 10**200
    assert influence_curve(framework(network, [2]), 1)[1].upper < 10
