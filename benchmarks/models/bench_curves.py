"""Influence curves up to b = 50 along chains of 10^5 records, one of them secret, or all.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

from fractions import Fraction
from itertools import permutations
from random import Random

from pufferproof import MarkovChain
from pufferproof.verify.influence.curves.chains import chain_points
from pufferproof.verify.influence.curves.point import ChainStart, Order

LENGTH, MOST = 100_000, 50
TWO = [["9/10", "1/10"], ["1/5", "4/5"]]


def random_rows(states):
    random, rows = Random(1), []
    for _ in range(states):
        weights = [random.randint(1, 100) for _ in range(states)]
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def orders(records, states):
    return [Order((f"x{i}={v}", f"x{i}={w}"), i, v, w) for i in records for v, w in permutations(range(states), 2)]


def timed(benchmark, start, states, rows, records, what, target):
    asked = orders(records, states)
    chain = ChainStart(MarkovChain(start, rows))
    points = benchmark.pedantic(lambda: chain_points([chain], LENGTH, asked, MOST), rounds=3, warmup_rounds=1)
    assert len(points) == MOST + 1
    benchmark.extra_info |= {"what": what, "compared": "", "ratio": "", "target": target}


def test_two_states(benchmark):
    what = "influence curve to b = 50, 10^5 records of 2 states, stationary"
    timed(benchmark, "stationary", 2, TWO, [LENGTH // 2], what, "under 1 s")


def test_two_states_from_a_given_law(benchmark):
    what = "influence curve to b = 50, 10^5 records of 2 states, from a given law"
    timed(benchmark, ["1/2", "1/2"], 2, TWO, [LENGTH // 2], what, "under 1 s")


def test_two_states_every_record(benchmark):
    what = "influence curve to b = 50, 10^5 records of 2 states, every record secret"
    timed(benchmark, "stationary", 2, TWO, range(1, LENGTH + 1), what, "")


def test_twenty_states(benchmark):
    what = "influence curve to b = 50, 10^5 records of 20 states, stationary"
    timed(benchmark, "stationary", 20, random_rows(20), [LENGTH // 2], what, "under 10 s")


def test_twenty_states_from_a_given_law(benchmark):
    start = [Fraction(1, 20)] * 20
    what = "influence curve to b = 50, 10^5 records of 20 states, from a given law"
    timed(benchmark, start, 20, random_rows(20), [LENGTH // 2], what, "under 10 s")
