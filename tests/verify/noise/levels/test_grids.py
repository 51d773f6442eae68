"""Gaussian noise on a plane and together with other noise: bounds hold ratios on a grid."""

from fractions import Fraction
from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest

from pufferproof import AdditiveNoise, Framework, Noise, Table, audit, compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws
from pufferproof.verify.noise.normal.lines import hull_bound, largest_gaussian_ratio, separating

# Gaussian noise on values that span a plane: bounds hold the largest ratio on a grid, and a value
# outside the hull of the others makes it infinite.


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
            float(p) * np.outer(*(np.exp(-(((line - float(x)) / sigma) ** 2) / 2) for x in v)) for v, p in law.items()
        )

    return float((density(above) / density(below)).max())


def test_bounds_hold_the_largest_ratio_on_a_grid():
    for sigma in ["1/2", "1", "3"]:
        for laws in [*PAIRS, *(pair[::-1] for pair in PAIRS)]:
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


# Gaussian noise together with other noise: bounds hold the ratio of densities on a grid, and
# deltas are those of sums over it.


LAW = {"a": "1/2", "b": "1/8", "c": "1/8", "d": "1/4"}
FRAMEWORK = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": Table(LAW)})
SIDES = {"s": {"a": 0.8, "b": 0.2}, "t": {"c": 1 / 3, "d": 2 / 3}}
OTHERS = {
    "laplace": (Noise.laplace(2), lambda z: np.exp(-np.abs(z) / 2) / 4),
    "geometric": (Noise.geometric("1/2"), lambda z: 0.5 ** np.abs(z) / 3),
}
# the first has finite ratios, both secrets having both values, and is independent of the second of
# FIRST in neither case
FINITE, FIRST = {"a": 0, "b": 2, "c": 0, "d": 2}, {"a": 0, "b": 1, "c": 1, "d": 3}
EQUAL = {"a": 0, "b": 0, "c": 0, "d": 0}


def densities(values, others, kind):
    """The densities of both numbers given either secret, on a grid, and the weight of a cell."""
    fine = np.arange(-14, 16, 0.05) + 0.025
    second = np.arange(-30, 34) if kind == "geometric" else np.arange(-30, 34, 0.05)
    cell = 0.05 * (1 if kind == "geometric" else 0.05)
    density, found = OTHERS[kind][1], {}
    for secret, law in SIDES.items():
        found[secret] = sum(
            p * np.outer(np.exp(-((fine - values[x]) ** 2) / 2) / sqrt(2 * np.pi), density(second - others[x]))
            for x, p in law.items()
        )
    return found, cell


def queries(values, others, kind):
    return [AdditiveNoise(values, Noise.gaussian(1)), AdditiveNoise(others, OTHERS[kind][0])]


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("values", [FINITE, EQUAL])
def test_the_ratio_of_densities_lies_between_the_bounds(kind, values):
    found, _ = densities(values, FIRST, kind)
    ratios = [np.max(found[u][20:-20] / found[v][20:-20]) for u, v in product("st", repeat=2)]
    answer = audit(FRAMEWORK, queries(values, FIRST, kind))
    leakage = answer.leakage
    assert max(ratios) <= float(leakage.upper) * (1 + 1e-9)
    assert float(leakage.lower) <= max(ratios) * (1 + 1e-3)
    assert audit(FRAMEWORK, queries(values, FIRST, kind), "9").kept is Decision.HOLDS
    assert audit(FRAMEWORK, queries(values, FIRST, kind), "0.1").kept is Decision.FAILS
    if values is EQUAL:  # then the second alone is told
        alone = audit(FRAMEWORK, queries(values, FIRST, kind)[1]).leakage
        assert (leakage.lower, leakage.upper) == (alone.lower, alone.upper)


def test_independent_parts_leak_what_both_leak_and_others_are_left_undecided():
    law = {"a": "1/8", "b": "3/8", "c": "1/3", "d": "1/6"}
    of = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"theta": Table(law)})
    apart = AdditiveNoise({"a": 0, "b": 2, "c": 0, "d": 2}, Noise.gaussian(1))
    told = AdditiveNoise({"a": 0, "b": 0, "c": 3, "d": 3}, Noise.laplace(2))
    alone = [audit(of, each).leakage for each in (apart, told)]
    joint = compose(of, [apart, told])
    assert joint.joint.leakage.lower == alone[0].lower * alone[1].lower
    assert joint.joint.leakage.upper == alone[0].upper * alone[1].upper
    assert float(joint.joint.leakage.lower) == pytest.approx(8 / 3 * exp(1.5))
    mixed = compose(FRAMEWORK, queries(FINITE, FIRST, "laplace"))
    assert mixed.additive is Decision.UNDECIDED
    assert len(mixed.outputs) == 2


def test_gaussian_noise_that_tells_all_does_so_beside_other_noise():
    answer = audit(FRAMEWORK, queries(FIRST, FINITE, "laplace"), "log(100)")
    assert answer.leakage.infinite
    assert answer.kept is Decision.FAILS
    assert "inf" in answer.witness.output


@pytest.mark.parametrize("kind", OTHERS)
def test_deltas_and_divergences_are_sums_over_a_grid(kind):
    found, cell = densities(FIRST, FINITE, kind)
    delta = max(np.maximum(found[u] - 2 * found[v], 0).sum() * cell for u, v in product("st", repeat=2))
    answer = audit(FRAMEWORK, queries(FIRST, FINITE, kind), "log(2)", delta="1/2")
    lower, upper = map(float, answer.delta.bounds())
    assert lower - 1e-3 <= delta <= upper + 1e-3
    moment = max((found[u] ** 2 / found[v]).sum() * cell for u, v in product("st", repeat=2))
    divergence = audit(FRAMEWORK, queries(FIRST, FINITE, kind), renyi=2).renyi.enclosure()
    assert float(divergence.lower) - 1e-3 <= log(moment) <= float(divergence.upper) + 1e-3
