"""The upper bound for data-independent mechanisms: optimal patterns against all
patterns, by enumeration.
"""

from fractions import Fraction
from itertools import combinations

import pytest
from tests.claims.massny2025.rules import SIGNS

from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    levels,
    max_influence,
    optimum,
    pattern_leakage,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.bound.statement import TWO
from pufferproof.claims.papers.massny2025.bound.steps import ODD
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    chains,
    leakage,
    local,
    released,
)
from pufferproof.models.errors import SolverError

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


def test_two_records_more_than_the_bound_allows():
    assert (optimum(TWO), printed_bound(TWO), first_distance(TWO.of, TWO.ratio, 2)) == (
        (5, [(2, 4), (4, 2)]),
        7,
        4,
    )
    assert (optimum(ODD), printed_bound(ODD)) == ((2, [(1, 2), (2, 1)]), 3)


@pytest.mark.parametrize("share", [1, 2])
def test_the_first_distance_is_that_of_the_definition(share):
    for of in chains(5, ordered=False):
        near = [max_influence(of, d) for d in range(1, 8)]
        for ratio in {each**share + more for each in near for more in (0, F(1, 9))} - {1}:
            least = next(d for d in range(1, 1000) if max_influence(of, d) ** share <= ratio)
            assert first_distance(of, ratio, share) == least
    with pytest.raises(SolverError, match="at each distance below 1000"):
        first_distance(chain("1/3", "1/2"), F(1), share)


def test_no_data_independent_mechanism_at_level_0():
    of = chain("1/3", "1/2")
    assert optimum(Instance(of, 4, 2, F(1))) == (4, [(None, None)])
    assert optimum(Instance(chain("1/2", "1/2"), 4, 2, F(1)))[0] == 1
