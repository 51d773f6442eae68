"""What product weights tell of a bit, judged by sums over all databases: tables with zeros, ones
and equal rows.
"""

import itertools
import random
from fractions import Fraction
from math import prod

import pytest
from tests.lp.translation.test_networks import LEVELS, framework, grid, with_loops

from pufferproof import BayesianNetwork, ModelError, Noise, RecordQuery, Records, audit, translate
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.networks.loops import worst_of_networks
from pufferproof.models.errors import TooLargeError
from pufferproof.models.priors.forest import families_of
from pufferproof.verify.noise.accounts import networks
from pufferproof.verify.noise.accounts.told import _told_by_ancestors, told, told_of_some

F = Fraction
WEIGHTS = [F(1, 4), F(1, 2), F(9, 8), F(2), F(3)]


def by_definition(network, count, last, weights):
    """E[w | 1] / E[w | 0], None if a value is impossible."""
    records = Records(count, ("0", "1"))
    every = list(itertools.product((0, 1), repeat=count))
    law = network.law(["".join(map(str, x)) for x in every], records)
    plain, weighed = [F(0), F(0)], [F(0), F(0)]
    for x, p in zip(every, law.weights, strict=True):
        plain[x[last - 1]] += p
        weighed[x[last - 1]] += p * prod(w for w, bit in zip(weights, x) if bit)
    return weighed[1] / plain[1] * plain[0] / weighed[0] if all(plain) else None


@pytest.mark.parametrize("seed", range(150))
def test_bounds_hold_the_sum_over_all_databases(seed):
    draw = random.Random(seed)
    count = draw.choice([1, 2, 3, 4, 5, 6])
    network, last = with_loops(draw, count), draw.randint(1, count)
    weights = [draw.choice(WEIGHTS) for _ in range(count)]
    exact = by_definition(network, count, last, weights)
    families = families_of(network, Records(count, ("0", "1")))
    pairs = [(1.0, float(weight)) for weight in weights]
    if exact is None:
        assert told(families, last, pairs) is None
        return
    low, high = told(families, last, pairs)
    assert low <= exact <= high <= low * (1 + 1e-9)
    low, high = _told_by_ancestors(families, last, pairs)
    assert low <= exact <= high
    low, high, above = told_of_some(families, last, pairs)
    some = [w if i in above else F(1) for i, w in enumerate(weights, 1)]
    assert low <= by_definition(network, count, last, some) <= high


@pytest.mark.parametrize("seed", range(30))
def test_counts_of_some_records_are_mechanisms_of_the_levels(seed, monkeypatch):
    """The lower end is at most the linear program, and what the mechanism that is written leaks."""
    draw = random.Random(seed)
    count = draw.choice([2, 3, 4, 5])
    space = framework(with_loops(draw, count), [draw.randint(1, count)])
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        truth = worst_column(space, levels).ratio
    except ModelError:
        return
    plain = BayesianNetwork.law_of

    def law_of(network, chosen, records, weights=None, most=None):
        if weights:
            raise TooLargeError("too large")
        return plain(network, chosen, records, weights, most)

    monkeypatch.setattr(BayesianNetwork, "law_of", law_of)
    worst = worst_of_networks(space, levels)
    assert worst.leakage.lower <= truth <= worst.leakage.upper
    assert audit(space, worst.mechanism().channel()).leakage.lower >= worst.leakage.lower


@pytest.mark.parametrize("ends", [(1e-9, 1e9), (1e-200, 1.0), (0.5, 499.0)])
def test_bounds_far_apart_leave_an_audit_its_answer(ends, monkeypatch):
    monkeypatch.setattr(networks, "told", lambda *_: ends)
    query = RecordQuery("sum", Noise.laplace(10), Records(400, ("0", "1")))
    found = audit(framework(grid(20), [200]), query).leakage
    assert 1 <= found.lower <= found.upper


def test_a_wide_grid_leaks_something():
    space, records = framework(grid(20), [200]), Records(400, ("0", "1"))
    assert translate(space, ["0.1"]).enclosure().lower.startswith("0.3641450")
    found = audit(space, RecordQuery("sum", Noise.laplace(10), records)).leakage
    assert F("1.46") < found.lower < found.upper < 4  # e^0.378
