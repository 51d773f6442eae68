"""Counterexamples of section 2 and on truncated Gaussian priors, by the definitions."""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance, likelihood_ratio
from tests.claims.examination import examined
from tests.claims.rules import (
    evidence,
)
from tests.models.influence.gaussian import quadrature

from pufferproof import Framework, Table
from pufferproof.claims.registry import Check
from pufferproof.models.mechanisms.collapse import pair_collapse

# Section 2 of "Composition for Pufferfish Privacy": counterexamples by the definitions, and
# example 1.


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


# Claims on truncated Gaussian priors: verdicts, near misses, counterexamples by quadrature.


def mirrored(sigma, record, hidden, shown, box=5.0):
    """log p(x_L | s) / p(x_L | t) of the windows at the ends: their masses are equal."""
    kept = tuple(k - 1 for k in hidden)
    found = [
        quadrature.log_integral(sigma, record - 1, window, kept, (-box, box), shown)
        for window in ((box * 0.98, box), (-box, -box * 0.98))
    ]
    return found[0] - found[1]


def test_beside_the_centre_by_quadrature() -> None:
    """Two of the places that show it: record 2 at the walls, record 3 on a grid."""
    sigma = quadrature.squared_exponential(5, 5)
    centre = max(
        mirrored(sigma, 3, (2, 3, 4), {0: x, 4: y}) for x, y in product((-5.0, 0.0, 5.0), repeat=2)
    )
    assert centre == pytest.approx(64.46417, rel=1e-5)
    assert mirrored(sigma, 2, (1, 2, 3), {3: -5.0, 4: 5.0}) > centre + 52


def test_ties_by_quadrature() -> None:
    sigma = quadrature.squared_exponential(4, 1)
    assert mirrored(sigma, 2, (1, 2), {2: 5.0, 3: -5.0}) == pytest.approx(32.23841, rel=1e-5)
    assert mirrored(sigma, 2, (2, 3), {0: 5.0, 3: 5.0}) == pytest.approx(22.07791, rel=1e-5)


def test_a_smaller_box_by_quadrature() -> None:
    near = mirrored(quadrature.squared_exponential(4, 2), 2, (1, 2, 3), {3: -1.0}, 1.0)
    far = max(
        mirrored(quadrature.squared_exponential(4, 3), 2, (1, 2, 3), {3: x / 10}, 1.0)
        for x in range(-10, 11, 2)
    )
    assert far < 0.48 < 0.507 < near
