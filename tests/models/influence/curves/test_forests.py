"""Influence curves of forests of bits: one pass agrees with the search over separators, and with
the definition.
"""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from tests.examples import seeds
from tests.lp.translation.test_networks import drawn, framework, large, rerooted

from pufferproof import BayesianNetwork, ModelError
from pufferproof.models.influence.curves import framework as curves
from pufferproof.models.influence.curves.framework import influence_curve

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


def test_equal_subtrees_and_orders_are_the_search(monkeypatch):
    """Tables that many records share, seen from every record of a binary tree."""
    rows, coin = {"0": ["9/10", "1/10"], "1": ["1/3", "2/3"]}, {"": ["1/4", "3/4"]}
    parents = {i: [i // 2] if i > 1 else [] for i in range(1, 9)}
    network = BayesianNetwork(parents, {i: rows if i > 1 else coin for i in parents})
    for record in range(1, 9):
        space = framework(network, [record])
        monkeypatch.setattr(curves, "MOST_SEARCHED", 16)
        searched = influence_curve(space, 8)
        monkeypatch.setattr(curves, "MOST_SEARCHED", 0)
        for point, expected in zip(influence_curve(space, 8)[1:], searched[1:], strict=True):
            assert point.lower <= expected.lower <= expected.upper <= point.upper


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
