"""Databases and rankings that are drawn: as often as exact laws say."""

import itertools
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from tests.verify.simulation.fixed import estimate

import pufferproof as pp
from pufferproof.models.mechanisms.selection.top_k import ranking_probability
from pufferproof.verify.simulation.draws import Words
from pufferproof.verify.simulation.estimation.state import hash_of
from pufferproof.verify.simulation.networks import Forward, NetworkSequences
from pufferproof.verify.simulation.top_k import Query, guessed, largest, simulated

# Databases of a network drawn given a secret: as often as the exact law says, however many.


RAIN = pp.BayesianNetwork(
    {"1": ["3"], "2": ["1", "3"], "3": []},
    {
        "1": {"0": ["1/3", "2/3"], "1": ["1", "0"]},
        "2": {
            "00": ["1/2", "1/2"],
            "01": ["1/4", "3/4"],
            "10": ["1", "0"],
            "11": ["1/5", "4/5"],
        },
        "3": {"": ["2/5", "3/5"]},
    },
)
RECORDS = pp.Records(3, ("0", "1"))


@pytest.mark.parametrize(("record", "value"), [(1, 0), (1, 1), (2, 1), (3, 0)])
def test_frequencies_are_those_of_the_law(record, value):
    """20,000 draws with a fixed seed; each frequency within five standard deviations."""
    law, draws = RAIN.law(RECORDS.labels(), RECORDS), 20_000
    weights = {
        x: weight
        for x, weight in zip(itertools.product((0, 1), repeat=3), law.weights)
        if x[record - 1] == value
    }
    drawn = NetworkSequences(Forward(RAIN, RECORDS), record, value)
    assert drawn.chance_approx == pytest.approx(sum(weights.values()) / law.total)
    seen = [tuple(row) for row in drawn.draw(draws, Words(5)).tolist()]
    for x, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(seen.count(x) / draws - share) <= 5 * np.sqrt(share * (1 - share) / draws)
    assert set(seen) <= {x for x, weight in weights.items() if weight}


def copies(length, first):
    """Every record has the value of the one before with probability 9/10."""
    step = {"0": ["9/10", "1/10"], "1": ["1/10", "9/10"]}
    parents = {str(i): [str(i - 1)] if i > 1 else [] for i in range(1, length + 1)}
    return pp.BayesianNetwork(
        parents, {name: step if above else {"": first} for name, above in parents.items()}
    )


def long(first=("1/2", "1/2"), length=60):
    secrets = {"x=0": (1, "0"), "x=1": (1, "1")}
    records = pp.Records(length, ("0", "1"))
    return pp.Framework(records, secrets, "disjoint", {"theta": copies(length, first)})


def test_a_sampler_on_a_long_network_is_bounded_from_below():
    second = estimate(long(), lambda database: database[1], "1", samples=4000, seed=3)
    assert second.verdict is pp.Verdict.VIOLATES  # it leaks log(9), which is above 1
    assert float(second.ratio) < 9
    last = estimate(long(), lambda database: database[-1], "1", samples=4000, seed=3)
    assert last.verdict is pp.Verdict.UNDECIDED  # 59 steps away


def test_another_network_has_another_hash():
    hashes = {hash_of(long()), hash_of(long(("1/3", "2/3"))), hash_of(long(length=61))}
    assert len(hashes) == 3
    assert hash_of(long()) in hashes


def test_a_value_too_rare_to_wait_for_is_named():
    rare = long(("1/100000", "99999/100000"))
    with pytest.raises(pp.ModelError, match=r'secrets\.x=0, prior "theta": has probability 1e-05'):
        estimate(rare, lambda database: database[1], samples=1000, seed=1)


# Simulated rankings: metrics against their definitions, and frequencies against exact laws.


def by_hand(counts, predicted, size):
    """Acc@1 .. Acc@K, HR, NDCG, L1 of one query, from the definitions."""
    truth = sorted(range(len(counts)), key=lambda label: -counts[label])[:size]
    right = [float(p == t) for p, t in zip(predicted, truth)]
    hits = len({*predicted} & {*truth}) / size
    gain = [
        sum(counts[label] / math.log2(rank + 2) for rank, label in enumerate(ranking))
        for ranking in (predicted, truth)
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
