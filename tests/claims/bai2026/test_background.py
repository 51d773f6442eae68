"""Sections 2 and 4 of "Composition for Pufferfish Privacy": counterexamples by definition."""

from fractions import Fraction

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, likelihood_ratio
from tests.claims.examination import evidence

pytestmark = pytest.mark.claims


def test_the_counterexample_to_group_privacy_has_no_neighbours():
    found = evidence("bai2026.x-groupdp", 1)
    left, right = found["tables of U"]
    assert distance(left, right) == 2
    assert likelihood_ratio(found["mechanism"], left, right) == float("inf")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE


def test_the_printed_constant_of_example_2_is_twice_the_true_one():
    found = evidence("bai2026.ex2-likelihoods")
    framework, channel = found["framework"], found["mechanism"]
    theta = brute.probabilities(framework, "fair")
    held = {framework.databases[x] for x in framework.secrets["x1=1"]}
    joint = sum(theta[x] * channel.probability(x, found["output"]) for x in held)
    law = joint / sum(theta[x] for x in held)
    assert law == found["P(output | x1=1)"] == Fraction(1, 8) == found["printed"] / 2
    assert found["sum of the printed values"] == Fraction(3, 2)


def test_the_printed_level_of_example_3_fails_in_the_other_order():
    found = evidence("bai2026.ex3-eps")
    framework, channel = found["framework"], found["mechanism"]
    ratios = brute.ratios(framework, channel, brute.probabilities(framework, "theta"))
    worst = {}
    for pair, _, a, b in ratios:
        worst[pair] = max(worst.get(pair, 0), a / b)
    assert worst["s1", "not s1"] == found["printed e^epsilon"] == Fraction(4, 3)
    assert worst["not s1", "s1"] == Fraction(3, 2)
