"""Rankings that are drawn: exact laws and levels, and simulations as often as these say."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from pufferproof.claims.papers.bai2026.experiments.setting.rules import ranking_probability
from pufferproof.examples.builders.mechanisms.top_k import peeling
from pufferproof.examples.reproduce.simulation.rankings import Query, guessed, largest, simulated
from pufferproof.models.errors import ModelError

# Peeling and its one-shot form on small domains: exact laws, their equality, and exact levels.
#
# The law of the one-shot form is computed apart, without any use of memory being lost: a time of
# integer rate L is -log W for W with the density L w^(L-1), so that the probability of an order is
# an integral of polynomials.


def integrated(polynomial):
    """The integral from 0 to w, as coefficients of 1, w, w^2, .."""
    return [Fraction(0), *(value / (power + 1) for power, value in enumerate(polynomial))]


def order_probability(rates):
    """P(W_1 > W_2 > .. > W_n) for independent W_i with distribution functions w^rate."""
    inner = [Fraction(1)]
    for rate in reversed(rates):
        inner = integrated([Fraction(0)] * (rate - 1) + [rate * value for value in inner])
    return sum(inner)


def one_shot(ranking, weights):
    """P(the first of all are `ranking`): orders of all candidates that begin so."""
    rest = [each for each in weights if each not in ranking]
    return sum(order_probability([weights[each] for each in (*ranking, *order)]) for order in permutations(rest))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_peeling_and_the_one_shot_form_have_one_law(size):
    for rates in product((1, 2, 4) if size < 4 else (1, 3), repeat=size):
        weights = dict(zip("abcd", rates))
        for count in range(1, size + 1):
            laws = {ranking: one_shot(ranking, weights) for ranking in permutations(weights, count)}
            assert sum(laws.values()) == 1
            exact = {name: Fraction(weight) for name, weight in weights.items()}
            assert laws == {r: ranking_probability(r, exact) for r in laws}


def test_the_channel_lists_every_ranking_with_its_law():
    channel = peeling({"D": {"x": 2, "y": 1, "z": 0}}, 2, 2)
    assert channel.outputs == ("x>y", "x>z", "y>x", "y>z", "z>x", "z>y")
    assert channel.probability("D", "x>y") == Fraction(4, 7) * Fraction(2, 3)
    assert channel.probability("D", "z>y") == Fraction(1, 7) * Fraction(1, 3)


def histograms(records, labels):
    for values in product(labels, repeat=records):
        yield "".join(values), {label: values.count(label) for label in labels}


@pytest.mark.parametrize(("records", "labels", "count"), [(2, "xy", 1), (3, "xyz", 2), (2, "xyz", 3)])
def test_the_level_per_record_is_at_most_twice_the_draws(records, labels, count):
    """Exact ratios over databases that differ in one record, against B^(2 K)."""
    base = Fraction(3, 2)
    channel = peeling(dict(histograms(records, labels)), base, count)
    ratios = [
        channel.probability(one, output) / channel.probability(other, output)
        for one, other in product(channel.databases, repeat=2)
        if sum(a != b for a, b in zip(one, other)) == 1
        for output in channel.outputs
    ]
    assert 1 < max(ratios) < base ** (2 * count)


def test_the_factor_of_one_draw_cannot_be_lowered():
    """Two labels and one far behind: the ratio of one draw comes near B^2, not B."""
    base = Fraction(2)
    channel = peeling({"D": {"x": 30, "y": 1, "z": 0}, "E": {"x": 29, "y": 2, "z": 0}}, base, 1)
    ratio = channel.probability("E", "y") / channel.probability("D", "y")
    assert Fraction(399, 100) < ratio < 4


@pytest.mark.parametrize(
    ("scores", "ratio", "count", "message"),
    [
        ({}, 2, 1, "expected scores for every database, found none"),
        ({"D": {"x": 1}}, 2, 2, "count: expected from 1 to 1, found 2"),
        ({"D": {"x": 1}, "E": {"y": 1}}, 2, 1, r"expected scores for \['x'\], found \['y'\]"),
        ({"D": {"x": "1/2", "y": 0}}, 2, 1, "expected an integer score, found 1/2"),
        ({"D": {"x>y": 1}}, 2, 1, 'expected names without ">"'),
        ({"D": {"x": 1}}, 1, 1, "ratio"),
    ],
)
def test_what_is_no_ranking_is_refused(scores, ratio, count, message):
    with pytest.raises(ModelError, match=message):
        peeling(scores, ratio, count)


# Simulated rankings: metrics against their definitions, and frequencies against exact laws.


def by_hand(counts, predicted, size):
    """Acc@1 .. Acc@K, HR, NDCG, L1 of one query, from the definitions."""
    truth = sorted(range(len(counts)), key=lambda label: -counts[label])[:size]
    right = [float(p == t) for p, t in zip(predicted, truth)]
    hits = len({*predicted} & {*truth}) / size
    gain = [
        sum(counts[label] / math.log2(rank + 2) for rank, label in enumerate(ranking)) for ranking in (predicted, truth)
    ]
    error = sum(abs(counts[p] - counts[t]) for p, t in zip(predicted, truth))
    return [*right, hits, gain[0] / gain[1] if gain[1] else 1.0, error]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_metrics_are_their_definitions(size):
    draws = np.random.Generator(np.random.PCG64(1))
    counts = draws.integers(0, 6, (7, 4))
    counts[3] = 0
    predicted = np.array([[draws.permutation(4)[:size] for _ in range(7)] for _ in range(5)])
    found = Query(counts, size).scores(predicted)
    for run in range(5):
        rows = [by_hand(counts[q].tolist(), predicted[run, q].tolist(), size) for q in range(7)]
        assert found[run] == pytest.approx(np.mean(rows, axis=0))


def test_the_largest_come_first():
    values = np.array([[3.0, 1.0, 2.0], [0.0, 5.0, 4.0]])
    assert largest(values, 2).tolist() == [[0, 2], [1, 2]]
    assert largest(values, 3).tolist() == [[0, 2, 1], [1, 2, 0]]


def test_gumbel_noise_ranks_with_the_law_of_peeling():
    """40,000 rankings of one query: every one of 12 frequencies within 5 standard errors of its
    exact probability (seed 2; fails once in 100,000).
    """
    counts, runs = [2, 1, 1, 0], 40_000
    weights = {label: Fraction(2) ** count for label, count in enumerate(counts)}
    exact = {r: float(ranking_probability(r, weights)) for r in permutations(range(4), 2)}
    for ranking, p in exact.items():
        # as many queries as runs, in which only this ranking is right at both ranks
        truth = Query(np.array([counts]), 2)
        truth.truth = np.array([ranking])
        found = simulated(truth, "gumbel", 1 / math.log(2), runs, [2])
        first = sum(q for other, q in exact.items() if other[0] == ranking[0])
        spread = 5 * math.sqrt(first * (1 - first) / runs)
        assert abs(found.right[0] - first) <= spread, (ranking, p)


def test_laplace_noise_is_wrong_as_often_as_its_closed_form():
    """Counts 1 and 0, scale s: e^(-1/s) (1 + 1/(2s))/2 (seed 3, 5 standard errors)."""
    runs, scale = 40_000, 0.7
    found = simulated(Query(np.array([[1, 0]]), 2), "laplace", scale, runs, [3])
    wrong = math.exp(-1 / scale) * (1 + 1 / (2 * scale)) / 2
    assert abs(1 - found.right[0] - wrong) <= 5 * math.sqrt(wrong * (1 - wrong) / runs)


def test_seeds_and_parts_of_runs():
    query = Query(np.arange(20).reshape(2, 10), 3)
    one, again, other = (simulated(query, "gumbel", 3.0, 50, [seed]) for seed in (1, 1, 2))
    assert one == again != other
    assert len(one.spread) == 6
    assert all(value >= 0 for value in one.spread)


def test_without_noise_everything_is_right_and_a_guess_is_itself():
    query = Query(np.array([[5, 3, 1], [1, 2, 3]]), 2)
    sure = simulated(query, "laplace", 1e-9, 2, [1])
    assert (sure.right, sure.hits, sure.gain, sure.error) == ((1.0, 1.0), 1.0, 1.0, 0.0)
    found = guessed(query, [0, 1])
    assert (found.right, found.hits, found.error) == ((0.5, 0.5 + 0.5), 0.75, (0 + 2 + 0) / 2)
