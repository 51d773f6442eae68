"""Bounds of chains of more than two values: one function for the worst case, for the largest level
and for the experiment on rankings.
"""

import random
from fractions import Fraction
from math import log

import pytest

from pufferproof import Framework, Level, MarkovChain, Records, largest_level
from pufferproof.examples.reproduce.top_k.budgets import WorstLeakage, budgets
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.translate import worst_case

F = Fraction


def drawn(seed, states, stay=0):
    draw = random.Random(seed)
    rows = [[draw.randint(1, 9) for _ in range(states)] for _ in range(states)]
    for value, row in enumerate(rows):
        row[value] += stay
    return MarkovChain("stationary", [[F(x, sum(row)) for x in row] for row in rows])


def all_secret(chain, count):
    letters = tuple("abcdefghij"[: len(chain.transition)])
    secrets = {f"x{i}={a}": (i, a) for i in range(1, count + 1) for a in letters}
    return Framework.of_records(Records(count, letters), secrets, "disjoint", {"theta": chain})


@pytest.mark.parametrize(("states", "count", "stay"), [(3, 6, 0), (3, 7, 30), (4, 5, 9)])
def test_three_callers_give_one_number(states, count, stay):
    chain = drawn(states + stay, states, stay)
    framework, epsilon = all_secret(chain, count), "0.7"
    (found,) = budgets(chain, count, [epsilon])
    spent = found.levels["exact"]
    worst = worst_case(framework, RecordLevels.uniform(count, [Level.of_nats(F(spent))]))
    assert worst.exact
    bound = WorstLeakage(chain, count).nats(spent)[0]
    assert log(worst.leakage.upper) == pytest.approx(bound, rel=1e-12)
    assert log(worst.leakage.lower) == pytest.approx(found.reached, rel=1e-8)
    assert bound <= float(epsilon) <= bound * (1 + 2e-4)
    kept = float(largest_level(framework, epsilon).enclosure().lower)
    assert spent <= kept * (1 + 1e-12)
    assert kept <= spent * (1 + 2e-4)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_worst_case_where_databases_can_be_listed(seed):
    chain = drawn(seed, 3, 10 * (seed % 2))
    levels = RecordLevels.uniform(3, [["log(2)", "log(11/10)", "log(9)"][seed % 3]])
    truth = log(worst_column(all_secret(chain, 3), levels).ratio)
    nats, worst = levels.largest.nats_approx, WorstLeakage(chain, 3)
    assert worst.nats(nats)[0] == pytest.approx(truth, rel=1e-8)
    assert worst.reached(nats) == pytest.approx(truth, rel=1e-8)


def test_no_record_and_values_exceed_the_bound_of_all():
    """Of ten values most pairs are not walked to the end."""
    chain = drawn(1, 10)
    bound = WorstLeakage(chain, 5)
    places = [(record, v, w) for record in (1, 3, 4) for v in range(10) for w in range(10) if v != w]
    largest = max(bound.nats(1.0, [place])[0] for place in places)
    assert bound.nats(1.0)[0] == pytest.approx(largest, rel=1e-8)
    worst = worst_case(all_secret(chain, 5), RecordLevels.uniform(5, ["1"]))
    assert log(worst.leakage.upper) == pytest.approx(largest, rel=1e-8)


@pytest.mark.parametrize("level", ["20", "30", "40", "300"])
def test_tilts_of_large_levels_reach_the_bound(level):
    """At the largest ratio floats do not tell the signs of all coefficients."""
    worst = worst_case(all_secret(drawn(0, 3), 6), RecordLevels.uniform(6, [level]))
    assert worst.exact
    assert worst.leakage.upper <= worst.leakage.lower * (1 + F(1, 10**8))


@pytest.mark.parametrize(("level", "exact"), [("0", True), ("1e-6", True), ("1e-12", False)])
def test_ends_meet_only_where_nats_are_told(level, exact):
    worst = worst_case(all_secret(drawn(0, 3), 6), RecordLevels.uniform(6, [level]))
    assert worst.exact == exact
    assert (worst.attained is not None) == exact
    low, high = worst.leakage.lower, worst.leakage.upper
    assert high - low <= F(1, 2**10) * (high - 1) or not exact


def test_small_levels_are_bounded_as_closely_as_moderate_ones():
    """The bound of a span of all 30 records is 9 percent larger, relative to the nats."""
    chain = MarkovChain("stationary", [["9/10", "1/20", "1/20"], ["1/20", "9/10", "1/20"], ["1/20", "1/20", "9/10"]])
    moderate, small = (WorstLeakage(chain, 30).nats(level)[0] for level in (1e-5, 1e-9))
    assert small == pytest.approx(moderate / 10**4, rel=1e-3)
