"""Clopper-Pearson bounds: right by the definition, evaluated exactly, and no wider than needed."""

from fractions import Fraction
from math import comb

import pytest

from pufferproof.models.numbers.binomial import at_least, at_most

RISKS = [Fraction(1, 40), Fraction(1, 1000), Fraction(1, 3)]
NEAR = Fraction(1, 10**8)


def mass(trials, seen, p):
    return comb(trials, seen) * p**seen * (1 - p) ** (trials - seen)


def above(trials, seen, p):
    return sum(mass(trials, each, p) for each in range(seen, trials + 1))


@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("trials", [1, 2, 7, 30])
def test_ends_are_where_the_tails_are_the_risk(trials, risk):
    for seen in range(trials + 1):
        low, high = at_least(seen, trials, risk), at_most(seen, trials, risk)
        if seen:
            assert above(trials, seen, low) <= risk < above(trials, seen, low * (1 + NEAR))
        if seen < trials:
            below = [1 - above(trials, seen + 1, p) for p in (high, high * (1 - NEAR))]
            assert below[0] <= risk < below[1]


def test_nothing_seen_and_everything_seen_say_nothing_on_one_side():
    assert at_least(0, 10, Fraction(1, 20)) == 0
    assert at_most(10, 10, Fraction(1, 20)) == 1


@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(3, 10), Fraction(1, 2), Fraction(19, 20)])
@pytest.mark.parametrize("risk", RISKS)
def test_coverage_is_at_least_what_is_stated_exactly(p, risk):
    trials = 25
    missed_low = sum(mass(trials, k, p) for k in range(26) if at_least(k, trials, risk) > p)
    missed_high = sum(mass(trials, k, p) for k in range(26) if at_most(k, trials, risk) < p)
    assert missed_low <= risk
    assert missed_high <= risk


@pytest.mark.parametrize(
    ("trials", "seen"), [(10**7, 0), (10**7, 10), (10**7, 5 * 10**6), (10**9, 10**8)]
)
def test_many_trials_stay_tight(trials, seen):
    low, high = at_least(seen, trials, Fraction(1, 400)), at_most(seen, trials, Fraction(1, 400))
    share, width = Fraction(seen, trials), 3 * (Fraction(seen + 4) ** Fraction(1, 2)) / trials
    assert low <= share <= high
    assert float(high - low) <= 2 * float(width) + 10 / trials
