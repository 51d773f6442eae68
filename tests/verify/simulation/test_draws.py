"""Databases that are drawn: as often as exact laws say."""

import itertools

import numpy as np
import pytest
from tests.verify.simulation.fixed import estimate

import pufferproof as pp
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.state import hash_of
from pufferproof.verify.simulation.estimation.worlds import Forward, NetworkSequences

# Databases of a network drawn given a secret: as often as the exact law says, however many.


RAIN = pp.BayesianNetwork(
    {"1": ["3"], "2": ["1", "3"], "3": []},
    {
        "1": {"0": ["1/3", "2/3"], "1": ["1", "0"]},
        "2": {"00": ["1/2", "1/2"], "01": ["1/4", "3/4"], "10": ["1", "0"], "11": ["1/5", "4/5"]},
        "3": {"": ["2/5", "3/5"]},
    },
)
RECORDS = pp.Records(3, ("0", "1"))


@pytest.mark.parametrize(("record", "value"), [(1, 0), (1, 1), (2, 1), (3, 0)])
def test_frequencies_are_those_of_the_law(record, value):
    """20,000 draws with a fixed seed; each frequency within five standard deviations."""
    law, draws = RAIN.law(RECORDS.labels(), RECORDS), 20_000
    weights = {
        x: weight for x, weight in zip(itertools.product((0, 1), repeat=3), law.weights) if x[record - 1] == value
    }
    drawn = NetworkSequences(Forward(RAIN, RECORDS), record, value)
    assert drawn.chance_approx == pytest.approx(sum(weights.values()) / law.total)
    seen = [tuple(row) for row in drawn.draw(draws, WordStream(5)).tolist()]
    for x, weight in weights.items():
        share = weight / sum(weights.values())
        assert abs(seen.count(x) / draws - share) <= 5 * np.sqrt(share * (1 - share) / draws)
    assert set(seen) <= {x for x, weight in weights.items() if weight}


def copies(length, first):
    """Every record has the value of the one before with probability 9/10."""
    step = {"0": ["9/10", "1/10"], "1": ["1/10", "9/10"]}
    parents = {str(i): [str(i - 1)] if i > 1 else [] for i in range(1, length + 1)}
    return pp.BayesianNetwork(parents, {name: step if above else {"": first} for name, above in parents.items()})


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
