"""Flips of every record of a binary chain, as the code of "Optimal Local Bayesian Differential
Privacy over Markov Chains" has them: in the middle of long chains whose values stay they tell what
is asked for, and more than that on chains whose values alternate.
"""

from fractions import Fraction
from math import exp, log

import pytest

from pufferproof.claims.ours.influence.flips import ratio_of
from pufferproof.claims.ours.influence.rounded import flips_approx, rounded_up

# what the function itself returns, with shapely 2
RETURNED = [
    (7 / 9, 7 / 9, 2, (0.1111111111111111, 0.1111111111111111)),
    (0.6, 0.7, exp(2), (0.04033382193651401, 0.050102332853570505)),
    (0.4, 0.1, exp(1), (0.5, 0.37051156033729454)),
    (0.3, 0.5, exp(2), (0.2119300717588548, 0.17521724679294334)),
    (0.0894, 0.109, exp(1), (0.4470358913647762, 0.5)),
    (0.2, 0.2, exp(2), (0.35905696276880567, 0.35905696276880567)),
]


def test_flips_are_those_of_the_code():
    for q, r, odds, returned in RETURNED:
        assert flips_approx(q, r, odds) == pytest.approx(returned, rel=1e-12)


def test_flips_keep_the_level_where_values_stay():
    for q, r in [("2/5", "1/10"), ("3/10", "1/2"), ("1/5", "1/5")]:
        for epsilon in [1, 2]:
            q, r = Fraction(q), Fraction(r)
            x, y = rounded_up(q, r, exp(epsilon))
            assert log(ratio_of(q, r, 41, (x, y))) < epsilon
            fewer = x * Fraction(99, 100), y * Fraction(99, 100)
            assert log(ratio_of(q, r, 41, fewer)) > epsilon


@pytest.mark.parametrize("epsilon", [1, 2, 5])
def test_flips_break_the_level_where_values_alternate(epsilon):
    q, r = Fraction(3, 5), Fraction(7, 10)  # q + r > 1: a negative eigenvalue
    for count in (1, 2, 3):
        assert log(ratio_of(q, r, count, rounded_up(q, r, exp(epsilon)))) > epsilon


def test_one_report_of_two_records_tells_three_times_the_level():
    move, flip = Fraction(7, 9), Fraction(1, 9)
    assert ratio_of(move, move, 1, (flip, flip)) == 8  # at level log 2
    assert ratio_of(move, move, 2, (flip, flip)) == Fraction(464, 23)
