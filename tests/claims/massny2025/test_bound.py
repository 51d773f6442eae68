"""The upper bound for data-independent mechanisms: optimal patterns against all
patterns and enumeration.
"""

from fractions import Fraction
from itertools import combinations

import pytest
from tests.claims.massny2025.rules import SIGNS

from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    case,
    expected,
    first_distance,
    instances,
    levels,
    max_influence,
    optimum,
    pattern_leakage,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.bound.shape import shaped
from pufferproof.claims.papers.massny2025.bound.statement import TWO, bounded
from pufferproof.claims.papers.massny2025.bound.steps import ODD
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    chain,
    chains,
    leakage,
    local,
    pointwise,
    released,
)

F = Fraction


def kept_sets(length, private):
    others = [t for t in range(1, length + 1) if t != private]
    return [kept for size in range(length) for kept in combinations(others, size)]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_the_nearest_released_records_decide(sign, length):
    of = SIGNS[sign]
    for private in range(1, length + 1):
        for kept in kept_sets(length, private):
            left = min((private - t for t in kept if t < private), default=None)
            right = min((t - private for t in kept if t > private), default=None)
            assert leakage(of, length, private, local(released(length, kept))) == pattern_leakage(
                of, left, right
            )


def test_randomised_mechanisms_leak_as_their_released_records():
    of, half = SIGNS["negative"], (F(1, 3), F(1, 3))
    for kept in kept_sets(4, 2):
        mixed = [half if t in kept else ALWAYS for t in range(1, 5)]
        assert leakage(of, 4, 2, local(mixed)) == leakage(of, 4, 2, local(released(4, kept)))


@pytest.mark.parametrize("sign", SIGNS)
def test_the_optimum_is_that_of_all_patterns(sign):
    of, length = SIGNS[sign], 4
    for private in range(1, length + 1):
        leaks = [
            (leakage(of, length, private, local(released(length, kept))), kept)
            for kept in kept_sets(length, private)
        ]
        for ratio in levels(of, 3):
            most = max(len(kept) for leak, kept in leaks if leak is not None and leak <= ratio)
            assert optimum(Instance(of, length, private, ratio))[0] == length - most


@pytest.mark.parametrize("sign", SIGNS)
def test_exact_leakage_of_two_distances(sign):
    of = SIGNS[sign]
    for left in range(1, 7):
        for right in range(1, 7):
            low, high = (
                (pointwise(of, left, 0), pointwise(of, right, 0)),
                (max_influence(of, left), max_influence(of, right)),
            )
            opposite = of.eigenvalue < 0 and (left + right) % 2
            expected = max(high[0] * low[1], low[0] * high[1]) if opposite else high[0] * high[1]
            assert pattern_leakage(of, left, right) == expected


def test_balanced_distances():
    for of in chains(7):
        for left in range(1, 6):
            for right in range(left, 12 - left, 2):
                middle = (left + right) // 2
                good = of.eigenvalue >= 0 or middle % 2 == 0 or left % 2 == 1
                product = max_influence(of, left) * max_influence(of, right)
                assert product >= max_influence(of, middle + (not good)) ** 2


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_small_chains_agree_with_what_is_proved(sign):
    """The repaired bound, and for lam >= 0 the exact optimum and the shape of some optimal
    pattern.
    """
    failures = 0
    for at in instances(7, 3, sign):
        count, attained = optimum(at)
        assert count >= printed_bound(at, 2 if sign >= 0 else 3)
        assert sign < 0 or count == expected(at)
        assert sign < 0 or any(shaped(*each) for each in attained)
        assert case(at) == 2 or bounded(at)
        failures += not bounded(at)
    assert (failures > 0) == (sign != 0)


def test_two_records_more_than_the_bound_allows():
    assert (optimum(TWO), printed_bound(TWO), first_distance(TWO.of, TWO.ratio, 2)) == (
        (5, [(2, 4), (4, 2)]),
        7,
        4,
    )
    assert (optimum(ODD), printed_bound(ODD)) == ((2, [(1, 2), (2, 1)]), 3)


def test_one_sided_optimum():
    for at in instances(6, 3):
        if at.private == 1:
            assert optimum(at)[0] == min(first_distance(at.of, at.ratio), at.length)


def test_no_data_independent_mechanism_at_level_0():
    of = chain("1/3", "1/2")
    assert optimum(Instance(of, 4, 2, F(1))) == (4, [(None, None)])
    assert optimum(Instance(chain("1/2", "1/2"), 4, 2, F(1)))[0] == 1
