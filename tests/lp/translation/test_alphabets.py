"""Bounds of chains of more than two values: one function for the worst case, for the largest level
and for the experiment on rankings, at most each of the bounds that it combines.
"""

import random
from fractions import Fraction
from math import log

import pytest

from pufferproof import Framework, Level, MarkovChain, Records, largest_level
from pufferproof.examples.reproduce.top_k.budgets import budgets
from pufferproof.lp.records.stationary import LeakageBound
from pufferproof.lp.translation.alphabets.passed import BoundsAt, ChainBounds
from pufferproof.lp.translation.levels import RecordLevels
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
    letters = tuple("abcdefgh"[: len(chain.transition)])
    secrets = {f"x{i}={a}": (i, a) for i in range(1, count + 1) for a in letters}
    return Framework.of_records(Records(count, letters), secrets, "disjoint", {"theta": chain})


@pytest.mark.parametrize(("states", "count", "stay"), [(3, 6, 0), (3, 7, 30), (4, 5, 9)])
def test_budgets_rest_on_a_bound_that_the_walk_keeps(states, count, stay):
    chain = drawn(states + stay, states, stay)
    framework, epsilon = all_secret(chain, count), "0.7"
    (found,) = budgets(chain, count, [epsilon])
    spent = found.levels["exact"]
    worst = worst_case(framework, RecordLevels.uniform(count, [Level.of_nats(F(spent))]))
    assert not worst.exact
    bound = ChainBounds(chain, count).nats(spent)
    assert log(worst.leakage.lower) <= log(worst.leakage.upper) <= bound * (1 + 1e-12)
    assert bound <= float(epsilon) <= bound * (1 + 2e-4)
    kept = float(largest_level(framework, epsilon).enclosure().lower)
    assert spent <= kept * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_bound_is_at_most_both_that_it_combines_and_at_least_what_is_reached(seed):
    draw = random.Random(seed)
    states, count = draw.choice([3, 4, 5]), draw.choice([5, 12, 40])
    chain = drawn(seed, states, draw.choice([0, 20, 200]))
    nats = draw.choice(["0.02", "0.2", "1"])
    levels = RecordLevels.uniform(count, [nats])
    bounds = ChainBounds(chain, count)
    even, alone = bounds.at(levels), BoundsAt(bounds.laws, levels)
    anywhere = LeakageBound(chain, count).nats(float(nats))
    assert bounds.nats(float(nats)) <= anywhere * (1 + 1e-9)
    for record in {1, (count + 1) // 2, count}:
        for one, other in [(0, 1), (1, 2), (2, 0)]:
            found = even.ratio(record, one, other)
            assert found <= alone.ratio(record, one, other) * (1 + 1e-9)
            assert found <= even.largest() * (1 + 1e-9)


def test_no_mechanism_exceeds_it_where_databases_can_be_listed():
    for seed in range(4):
        chain = drawn(seed, 3, 10 * (seed % 2))
        levels = RecordLevels.uniform(3, [["log(2)", "log(11/10)", "log(9)"][seed % 3]])
        truth = worst_column(all_secret(chain, 3), levels).ratio
        largest = ChainBounds(chain, 3).at(levels).largest()
        assert truth <= F(largest) <= truth * F(3, 2)


def test_of_many_values_what_hides_several_records_bounds_all_records_at_once():
    chain = drawn(1, 10)
    levels = RecordLevels.uniform(5, ["1"])
    found, anywhere = ChainBounds(chain, 5), LeakageBound(chain, 5).nats(1.0)
    assert found.nats(1.0) == pytest.approx(anywhere, rel=1e-9)
    assert log(found.at(levels).ratio(3, 0, 1)) <= anywhere * (1 + 1e-9)
    assert found.at(levels).ratio(3, 0, 1) <= BoundsAt(found.laws, levels).ratio(3, 0, 1)
