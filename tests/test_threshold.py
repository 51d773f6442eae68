"""Exact critical budgets: the published kind of phase transition, parities, and thresholds that are not attained."""

from fractions import Fraction

import pytest
from frameworks import bits, one_pair, parities, singletons, two_priors

from pufferproof.counterexamples.threshold import search_threshold
from pufferproof.lp.separation import Undecided


@pytest.mark.parametrize(
    ("first", "second"),
    [("1/3", "1/2"), ("1/5", "4/5"), ("1/4", "1/2"), ("2/7", "3/7"), ("1/10", "3/10"), ("1/2", "9/10")],
)
def test_two_priors_collapse_from_the_root_of_the_largest_likelihood_ratio(first, second):
    p, q = Fraction(first), Fraction(second)
    expected = max((1 - p) / (1 - q), q / p)
    found = search_threshold(two_priors(p, q), 2)
    assert found.exact
    assert found.value**2 == expected**found.power


def test_parities_stay_enclosed_when_there_are_too_many_unknowns():
    found = search_threshold(parities(3), 4, seconds=8)
    assert (found.power, found.value) == (1, Fraction(4, 3))
    assert found.enclosure.lower < Fraction(4, 3) == found.enclosure.upper


def test_a_budget_of_0_is_a_threshold_that_is_attained_or_not():
    attained = search_threshold(one_pair("a", "bc"), 2)
    assert (attained.exact, attained.least, attained.value) == (True, False, 1)
    not_attained = search_threshold(bits(2), 2)
    assert (not_attained.exact, not_attained.least, not_attained.value) == (False, True, 1)


def test_no_threshold():
    assert search_threshold(singletons("abc"), 4) is None


def test_without_time_nothing_is_said():
    with pytest.raises(Undecided):
        search_threshold(two_priors("1/3", "1/2"), 2, seconds=0.0)
