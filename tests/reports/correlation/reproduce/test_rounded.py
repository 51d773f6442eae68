"""Influence curves in rounded floats: never below the exact curve, and nearly it."""

import math
import random
from fractions import Fraction
from itertools import permutations

import pytest

from pufferproof.examples.reproduce.top_k.rounded import RoundedCurve, largest_budget
from pufferproof.models.errors import ModelError
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.curves.chains import chain_points
from pufferproof.verify.influence.curves.point import ChainStart, Order


def drawn(rng, states):
    rows = [[rng.randint(1, 9) for _ in range(states)] for _ in range(states)]
    return MarkovChain("stationary", [[Fraction(x, sum(row)) for x in row] for row in rows])


def exact(chain, length):
    pairs = list(permutations(range(len(chain.transition)), 2))
    orders = [Order(("s", "t"), i, v, w) for i in range(1, length + 1) for v, w in pairs]
    return [point.upper for point in chain_points([ChainStart(chain)], length, orders, length)]


@pytest.mark.parametrize(("states", "length"), [(2, 1), (2, 2), (2, 7), (3, 6), (4, 5), (5, 9)])
def test_the_curve_is_that_of_all_records_and_values_rounded_up(states, length):
    rng = random.Random(states * 100 + length)
    for _ in range(4):
        chain = drawn(rng, states)
        curve, truth = RoundedCurve(chain, length), exact(chain, length)
        for hidden in range(1, length + 1):
            value = truth[hidden]
            found = curve.value(hidden)
            assert math.log(value) <= found <= math.log(value) + 1e-9
        assert curve.value(0) == math.inf
        assert curve.value(length) == 0


def quilt_curve(chain, length, hidden):
    """The largest over records of the least over blocks of the largest over values, in floats."""
    influence = ChainInfluence(Along(chain, length))
    worst = 0.0
    for i in range(1, length + 1):
        blocks = [(i - a, i + hidden + 1 - a) for a in range(1, hidden + 1)]
        blocks += [(0, hidden + 1), (length - hidden, length + 1)]
        best = math.inf
        for before, after in blocks:
            if not before < i < after:
                continue
            left = i - before if before >= 1 else None
            right = after - i if after <= length else None
            best = min(best, math.log(influence.of(i, left, right).upper))
        worst = max(worst, best)
    return worst


@pytest.mark.parametrize("length", [3, 6])
def test_one_block_for_all_values_is_a_quilt(length):
    rng = random.Random(length)
    for _ in range(3):
        chain = drawn(rng, 3)
        curve = RoundedCurve(chain, length, common=True)
        for hidden in range(1, length):
            assert curve.value(hidden) == pytest.approx(quilt_curve(chain, length, hidden))
            assert curve.value(hidden) >= RoundedCurve(chain, length).value(hidden)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "5"])
def test_the_budget_is_the_best_point_rounded_down(epsilon):
    rng = random.Random(3)
    for _ in range(4):
        chain = drawn(rng, 3)
        truth = exact(chain, 12)
        nats = float(Fraction(epsilon))
        best = max((nats - math.log(truth[b])) / b for b in range(1, 13))
        found = largest_budget(RoundedCurve(chain, 12), Fraction(epsilon))
        assert best - 1e-9 <= found.level <= best
        assert found.hidden * found.level + found.influence <= nats


def test_what_has_no_such_curve_is_refused():
    rows = [["1/2", "1/2"], ["1/4", "3/4"]]
    with pytest.raises(ModelError, match='initial: expected "stationary"'):
        RoundedCurve(MarkovChain(["1", "0"], rows), 3)
    with pytest.raises(ModelError, match="hidden: expected from 0 to 3 records, found 4"):
        RoundedCurve(MarkovChain("stationary", rows), 3).value(4)
