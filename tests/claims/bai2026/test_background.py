"""Sections 2 and 4 of "Composition for Pufferfish Privacy": counterexamples by definition."""

from fractions import Fraction

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, likelihood_ratio
from tests.claims.examination import evidence

HALF = Fraction(1, 2)


@pytest.mark.claims
def test_the_counterexample_to_group_privacy_has_no_neighbours():
    found = evidence("bai2026.x-groupdp", 1)
    left, right = found["tables of U"]
    assert distance(left, right) == 2
    assert likelihood_ratio(found["mechanism"], left, right) == float("inf")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE


@pytest.mark.claims
def test_one_listed_order_leaves_the_odds_without_a_lower_bound():
    found = evidence("bai2026.puffer-odds", 2)
    ratios = list(brute.ratios(found["framework"], found["mechanism"], {"s": HALF, "t": HALF}))
    assert all(a <= found["e^epsilon"] * b for pair, _, a, b in ratios if pair == ("s", "t"))
    assert ("t", "s") in [
        pair for pair, y, a, b in ratios if a > found["e^epsilon"] * b and y == found["output"]
    ]


def output_laws(framework, channel, theta):
    """P(y | secret) for every secret, straight from the definition."""
    laws = {}
    for secret, members in framework.secrets.items():
        held = [framework.databases[x] for x in members if theta[framework.databases[x]]]
        mass = sum(theta[x] for x in held)
        laws[secret] = {
            y: sum(theta[x] * channel.probability(x, y) for x in held) / mass
            for y in channel.outputs
        }
    return laws


@pytest.mark.claims
def test_the_printed_constant_of_example_2_is_twice_the_true_one():
    found = evidence("bai2026.ex2-likelihoods")
    theta = brute.probabilities(found["framework"], "fair")
    law = output_laws(found["framework"], found["mechanism"], theta)["x1=1"]
    assert (
        law[found["output"]] == found["P(output | x1=1)"] == Fraction(1, 8) == found["printed"] / 2
    )
    assert found["sum of the printed values"] == Fraction(3, 2)


@pytest.mark.claims
def test_the_printed_level_of_example_3_fails_in_the_other_order():
    found = evidence("bai2026.ex3-eps")
    framework, channel = found["framework"], found["mechanism"]
    ratios = list(brute.ratios(framework, channel, brute.probabilities(framework, "theta")))
    assert (
        max(a / b for pair, _, a, b in ratios if pair == ("s1", "not s1"))
        == found["printed e^epsilon"]
        == Fraction(4, 3)
    )
    assert max(a / b for pair, _, a, b in ratios if pair == ("not s1", "s1")) == Fraction(3, 2)
