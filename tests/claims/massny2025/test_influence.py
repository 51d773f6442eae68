"""Claims on influences of a chain: closed forms, monotonicity and convexity as powers
of the matrix show them.
"""

from fractions import Fraction
from itertools import pairwise

from tests.claims.massny2025.rules import SIGNS

from pufferproof.claims.papers.massny2025.influence.convex import convex_at
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    chains,
    given,
    largest_ratio,
    marginal,
    pointwise,
    set_influence,
)


def closed(of, c, distance):
    power = of.eigenvalue**distance
    ratio = (1 + c * power) / (1 - power)
    return max(ratio, 1 / ratio)


def test_closed_forms_are_what_powers_and_enumeration_give_on_both_sides():
    for of in [*chains(5), *SIGNS.values()]:
        for distance in range(1, 13):
            assert pointwise(of, distance, 0) == closed(of, of.a / of.b, distance)
            assert pointwise(of, distance, 1) == closed(of, of.b / of.a, distance)
            assert pointwise(of, distance, 0) <= pointwise(of, distance, 1)
    for of in SIGNS.values():
        for private, other in [(p, t) for p in range(1, 5) for t in range(1, 5) if p != t]:
            laws = [marginal(given(of, 4, private, value), [other]) for value in (0, 1)]
            for bit in "01":
                single = [{bit: law[bit]} for law in laws]
                assert largest_ratio(*single) == pointwise(of, abs(private - other), int(bit))
            assert set_influence(of, 4, private, [other]) == pointwise(of, abs(private - other), 1)


def test_influences_decrease_strictly_unless_records_are_independent():
    for of in chains(7):
        for value in (0, 1):
            ratios = [pointwise(of, distance, value) for distance in range(1, 10)]
            steps = {above > below for above, below in pairwise(ratios)}
            assert steps == {of.eigenvalue != 0}


def test_convexity_fails_only_at_one_parity_for_each_value():
    failures = set()
    for of in [
        *chains(12),
        chain("4/5", "14/15"),
        chain("3/4", "14/15"),
        chain("9/10", "99/100"),
        chain("1/2", "99/100"),
    ]:
        for value in (0, 1):
            for distance in range(1, 12):
                if not convex_at(of, value, distance):
                    assert of.eigenvalue < 0
                    assert of.a < of.b
                    failures.add((value, distance % 2))
    assert failures == {(0, 1), (1, 0)}


def test_even_and_odd_distances_are_convex_each():
    for of in [*chains(6), chain("9/10", "99/100"), chain("1/2", "99/100")]:
        for value in (0, 1):
            e = [Fraction(0), *(pointwise(of, distance, value) for distance in range(1, 12))]
            assert all(e[d] * e[d + 4] >= e[d + 2] ** 2 for d in range(1, 8))


def test_the_smallest_chains_that_are_not_convex():
    assert not convex_at(chain("3/4", "14/15"), 0, 1)
    assert not convex_at(chain("4/5", "14/15"), 1, 2)
    for of in chains(14):
        if of.eigenvalue < 0:
            assert all(convex_at(of, value, distance) for value in (0, 1) for distance in (1, 2))
