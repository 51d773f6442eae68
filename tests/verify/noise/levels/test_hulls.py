"""Gaussian noise on values that span a plane: bounds hold the largest ratio on a grid, and a value
outside the hull of the others makes it infinite.
"""

from fractions import Fraction

import numpy as np
import pytest

from pufferproof import AdditiveNoise, Framework, Noise, Table, audit
from pufferproof.verify.noise.gaussian.hulls import hull_bound, separating
from pufferproof.verify.noise.gaussian.lines import largest_gaussian_ratio
from pufferproof.verify.noise.laws import LawPair, QueryLaws

CORNERS = [(0, 0), (0, 2), (2, 0), (2, 2)]


def law(points, weights):
    total = sum(weights)
    return {tuple(map(Fraction, v)): Fraction(w, total) for v, w in zip(points, weights)}


EVEN = law(CORNERS, (1, 1, 1, 1))
SKEW = law(CORNERS, (1, 2, 3, 4))
MIDDLE = law([*CORNERS, (1, 1), ("1/2", 1)], (1, 1, 1, 1, 3, 1))
PAIRS = [(EVEN, SKEW), (EVEN, MIDDLE), (SKEW, MIDDLE)]


def on_a_grid(above, below, sigma):
    reach = 6 * sigma + 4 * sigma**2
    line = np.arange(-reach, 2 + reach, 0.05 * sigma)

    def density(law):
        return sum(
            float(p) * np.outer(*(np.exp(-(((line - float(x)) / sigma) ** 2) / 2) for x in v))
            for v, p in law.items()
        )

    return float((density(above) / density(below)).max())


@pytest.mark.parametrize("sigma", ["1/2", "1", "3"])
@pytest.mark.parametrize("laws", [*PAIRS, *(pair[::-1] for pair in PAIRS)])
def test_bounds_hold_the_largest_ratio_on_a_grid(laws, sigma):
    pair = LawPair("theta", ("s", "t"), *laws)
    found = largest_gaussian_ratio(QueryLaws((Noise.gaussian(sigma),) * 2, (pair,), 0, ()))
    near = on_a_grid(*laws, float(Fraction(sigma)))
    assert 1 <= found.leakage.lower <= found.leakage.upper
    assert near <= float(found.leakage.upper) * (1 + 1e-9)
    assert float(found.leakage.lower) <= near * 1.05  # the grid misses some of the supremum


def test_the_bound_is_the_largest_quotient_of_values_that_both_have():
    assert hull_bound(EVEN, SKEW, [Fraction(1)] * 2) == Fraction(5, 2)


def test_a_value_outside_the_hull_makes_it_infinite_though_no_coordinate_does():
    triangle = law(CORNERS[:3], (1, 1, 1))
    outside = law([*CORNERS[:3], ("3/2", "3/2")], (1, 1, 1, 1))
    inside = law([*CORNERS[:3], ("1/2", "3/2")], (1, 1, 1, 1))
    assert separating(inside, triangle) is None
    direction = separating(outside, triangle)
    assert direction[0] > 0
    assert direction[1] > 0
    pair = LawPair("theta", ("s", "t"), outside, triangle)
    found = largest_gaussian_ratio(QueryLaws((Noise.gaussian(1),) * 2, (pair,), 0, ()))
    assert found.leakage.infinite


def test_audits_of_such_noise_have_a_verdict_a_delta_and_a_divergence():
    labels = "abcdefghi"
    framework = Framework(
        labels,
        {"s": list("abcd"), "t": list("efghi")},
        [("s", "t")],
        {"theta": Table(dict.fromkeys(labels, "1/9"))},
    )
    table = dict(zip(labels, [*CORNERS, *CORNERS, (1, 1)]))
    query = AdditiveNoise(table, Noise.gaussian(1))
    answer = audit(framework, query, "0.5")
    low, high = answer.leakage.lower, answer.leakage.upper
    assert 1 <= low < high
    assert audit(framework, query, "9").verdict.value == "SATISFIES"
    assert answer.verdict.value in ("VIOLATES", "UNDECIDED")
    lower, upper = audit(framework, query, "0.05", "1/2").delta.bounds()
    assert 0 < lower <= upper < Fraction(1, 2)
    ends = audit(framework, query, renyi=2).renyi.enclosure()
    assert 0 < float(ends.lower) <= float(ends.upper) < 9
