"""Section 2 of "Composition for Pufferfish Privacy": counterexamples by the definitions,
and example 1.
"""

from fractions import Fraction

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, likelihood_ratio
from tests.claims.examination import examined
from tests.claims.rules import (
    evidence,
)

from pufferproof import Framework, Table
from pufferproof.claims.registry import Check
from pufferproof.models.mechanisms.collapse import pair_collapse

HALF = Fraction(1, 2)


def of_paper(name: str) -> Check:
    return examined(f"bai2026.{name}")


@pytest.mark.claims
def test_the_counterexample_to_group_privacy_has_no_neighbours():
    found = evidence(of_paper("x-groupdp"), 1)
    left, right = found["tables of U"]
    assert distance(left, right) == 2
    assert likelihood_ratio(found["mechanism"], left, right) == float("inf")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE


@pytest.mark.claims
def test_one_listed_order_leaves_the_odds_without_a_lower_bound():
    found = evidence(of_paper("puffer-odds"), 2)
    ratios = list(brute.ratios(found["framework"], found["mechanism"], {"s": HALF, "t": HALF}))
    assert all(a <= found["e^epsilon"] * b for pair, _, a, b in ratios if pair == ("s", "t"))
    assert ("t", "s") in [
        pair for pair, y, a, b in ratios if a > found["e^epsilon"] * b and y == found["output"]
    ]


def test_zero_leakage_once_and_infinite_leakage_twice():
    theta = Table(dict.fromkeys("abcd", "1/4"))
    framework = Framework("abcd", {"s": "ab", "t": "cd"}, [("s", "t")], {"theta": theta})
    mechanism = pair_collapse(framework)
    assert brute.leakage(framework, mechanism)[0] == 1
    assert brute.leakage(framework, mechanism.beside(mechanism))[0] is brute.INFINITE
