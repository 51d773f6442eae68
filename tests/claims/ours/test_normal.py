"""Why claims on normal records need what they ask for, by densities of our own."""

from math import exp

import pytest
from tests.claims.examination import examined

CLAIMS = (
    "laplace-values",
    "laplace-windows",
    "levels",
    "gaussian-values",
    "gaussian-windows",
    "gaussian-unbounded",
)


def _normal(z, mean):
    return exp(-((z - mean) ** 2) / 2)


def test_under_a_mixture_of_two_normal_laws_the_ratio_of_two_values_falls_and_rises():
    ratios = [
        (_normal(z, 1) + _normal(z, -2)) / (_normal(z, 0) + _normal(z, 0)) for z in (-3, 0, 3)
    ]
    assert ratios[0] > ratios[1] < ratios[2]


def test_between_windows_that_interleave_the_ratio_falls_and_rises():
    ratios = [(_normal(z, -2) + _normal(z, 2)) / _normal(z, 0) for z in (-3, 0, 3)]
    assert ratios[0] > ratios[1] < ratios[2]


@pytest.mark.claims
@pytest.mark.parametrize("name", CLAIMS)
def test_what_claims_say_is_derived(name):
    assert examined(f"normal.{name}").verdict.value == "DERIVED"
