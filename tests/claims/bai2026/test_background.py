"""Counterexamples of section 2 of "Composition for Pufferfish Privacy", by the definitions."""

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
