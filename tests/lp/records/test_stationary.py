"""What levels per record allow on chains of any alphabet: bounds against linear programs over all
mechanisms, against the recursion on bits, and against influence curves.
"""

import math
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pufferproof import Framework, Level, MarkovChain, Records
from pufferproof.examples.reproduce.top_k.reached import reached_nats
from pufferproof.examples.reproduce.top_k.rounded import RoundedCurve
from pufferproof.lp.records.stationary import LeakageBound, largest_level, meeting
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.errors import ModelError


def of_bit(chain, length, record, ratio):
    """Return the worst ratio about a record of a chain of bits."""
    secrets = {"zero": (record, "0"), "one": (record, "1")}
    records = Records(length, ("0", "1"))
    framework = Framework.of_records(records, secrets, [("zero", "one")], {"theta": chain})
    levels = RecordLevels.uniform(length, [Level.log(ratio)])
    return worst_case(framework, levels).leakage.ratio


def drawn(rng, states):
    rows = [[rng.randint(1, 9) for _ in range(states)] for _ in range(states)]
    return MarkovChain("stationary", [[Fraction(x, sum(row)) for x in row] for row in rows])


def worst(chain, length, level):
    """The largest ratio about any record, by one linear program per pair of values."""
    letters = "abcd"[: len(chain.transition)]
    found = Fraction(1)
    for record in range(1, length + 1):
        secrets = {letter: (record, letter) for letter in letters}
        framework = Framework.of_records(
            Records(length, tuple(letters)), secrets, [*combinations(letters, 2)], {"t": chain}
        )
        found = max(
            found, worst_column(framework, RecordLevels.uniform(length, [Level.log(level)])).ratio
        )
    return found


@pytest.mark.parametrize(("states", "length"), [(2, 3), (2, 4), (3, 2), (3, 3), (4, 2)])
def test_no_mechanism_exceeds_the_bound(states, length):
    rng = random.Random(states * 10 + length)
    for level in (Fraction(11, 10), Fraction(2), Fraction(9)):
        chain = drawn(rng, states)
        bound = LeakageBound(chain, length).nats(math.log(level))
        truth = math.log(worst(chain, length, level))
        assert truth <= bound <= 1.2 * truth + 0.05


@pytest.mark.parametrize("length", [1, 2, 9, 40])
def test_on_bits_the_bound_is_near_the_recursion(length):
    step = [["4/5", "1/5"], ["2/5", "3/5"]]
    chain = MarkovChain("stationary", step)
    for level in (Fraction(11, 10), Fraction(3, 2)):
        truth = max(of_bit(chain, length, i, level) for i in range(1, length + 1))
        bound = LeakageBound(chain, length).nats(math.log(level))
        assert math.log(truth) <= bound <= math.log(truth) + 0.05


def test_the_bound_is_at_most_the_influence_curve_and_group_privacy():
    rng = random.Random(8)
    for _ in range(3):
        chain = drawn(rng, 4)
        curve, bound = RoundedCurve(chain, 60), LeakageBound(chain, 60)
        for level in (0.01, 0.1, 0.5):
            published = min(b * level + curve.value(b) for b in range(1, 61))
            assert bound.nats(level) <= published + 1e-6


def test_small_levels_cost_the_total_distance_of_both_worlds():
    """To first order 1 + sum TV on both sides: a kernel that forgets at once has 1, or is far
    below what one record at a time gives.
    """
    even = MarkovChain("stationary", [["1/3"] * 3] * 3)
    assert LeakageBound(even, 50).nats(0.001) == pytest.approx(0.001, rel=1e-3)
    cycle = [[Fraction(9 * (y == (x + 1) % 10) + 1, 19) for y in range(10)] for x in range(10)]
    power, total = np.array(cycle, dtype=float), 1.0
    step = power
    for _ in range(200):
        apart = 0.5 * np.abs(power[:, None, :] - power[None, :, :]).sum(axis=2).max()
        total, power = total + 2 * apart, power @ step
    level = 1e-4
    found = LeakageBound(MarkovChain("stationary", cycle), 1000).nats(level) / level
    assert found == pytest.approx(total, rel=0.02)


def meeting_by_hand(apart, ratio, most):
    """The formula of the head, term by term."""
    count = len(apart)
    before = [1.0, *apart[:-1]]
    parts = [(b - t, ratio**d, ratio**d * most) for d, (b, t) in enumerate(zip(before, apart))] + [
        (apart[-1], ratio ** (count - 1) * most, ratio ** (count - 1) * most)
    ]
    best = 0.0
    for s in range(1, len(parts) + 1):
        head, tail = parts[:s], parts[s:]
        if sum(p for p, _, _ in head) > 0:
            above = sum(p * r for p, r, _ in head) + sum(p * r * q for p, r, q in tail)
            below = sum(p for p, _, _ in head) + sum(p * q for p, _, q in tail)
            best = max(best, above / below)
    return best


def test_worlds_that_meet_are_weighed_as_the_claim_says():
    rng = random.Random(4)
    for _ in range(50):
        apart = sorted((rng.random() for _ in range(rng.randint(1, 6))), reverse=True)
        if rng.random() < 0.3:
            apart[0] = 1.0
        ratio, most = 1 + rng.random(), 1 + 5 * rng.random()
        found = float(meeting(np.array(apart), ratio, most, len(apart)))
        assert found == pytest.approx(meeting_by_hand(apart, ratio, most))


def test_on_bits_the_middle_record_is_reached():
    step = [["4/5", "1/5"], ["1/5", "4/5"]]
    truth = math.log(of_bit(MarkovChain("stationary", step), 9, 5, Fraction(3, 2)))
    found = reached_nats(MarkovChain("stationary", step), 9, math.log(1.5))
    assert found == pytest.approx(truth, rel=1e-8)


@pytest.mark.parametrize("epsilon", ["1/2", "3"])
def test_the_largest_level_keeps_epsilon_and_hardly_more_would(epsilon):
    bound = LeakageBound(drawn(random.Random(1), 3), 50)
    nats = float(Fraction(epsilon))
    level = largest_level(bound, Fraction(epsilon))
    assert bound.nats(level) <= nats < bound.nats(level * 1.0001)


def test_the_guides_chain_needs_a_quarter_of_the_noise():
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    assert 1 / largest_level(LeakageBound(chain, 100), Fraction(1)) == pytest.approx(8.64044, 1e-4)


def test_what_has_no_bound_is_refused():
    rows = [["1/2", "1/2"], ["1/4", "3/4"]]
    with pytest.raises(ModelError, match='initial: expected "stationary"'):
        LeakageBound(MarkovChain(["1", "0"], rows), 3)
    with pytest.raises(ModelError, match="length: expected at least 1 record, found 0"):
        LeakageBound(MarkovChain("stationary", rows), 0)
    with pytest.raises(ModelError, match="expected every state to be possible"):
        LeakageBound(MarkovChain("stationary", [["1", "0"], ["1", "0"]]), 3)
