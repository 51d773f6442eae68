"""What elimination within a ball and product weights bound: tables with zeros, ones, equal rows."""

import itertools
import random
from fractions import Fraction
from math import prod

import pytest
from tests import seeds
from tests.lp.translation.test_networks import LEVELS, framework, grid, row, with_loops

from pufferproof import BayesianNetwork, Framework, ModelError, Noise, RecordQuery, Records, audit, translate
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.networks import worst_of_networks
from pufferproof.models.errors import TooLargeError
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.forest import families_of
from pufferproof.verify.influence.network import NetworkQuilts
from pufferproof.verify.noise.accounts import likelihoods as networks
from pufferproof.verify.noise.accounts.elimination import (
    _told_by_ancestors,
    float_above,
    least_ratio,
    plans,
    told,
    told_of_some,
)
from pufferproof.verify.noise.scale.networks import EliminatedScale, network_scale

# What elimination within a ball bounds, with the influence of its boundary, judged by linear
# programs over all columns: tables with zeros, ones and equal rows.


F = Fraction


def ladder(draw, count, alphabet):
    """Records that have parents among the two before them, and so some far away."""
    parents = {
        i: draw.sample(range(max(1, i - 2), i), draw.choice([1, 2, 2])) if i > 2 else [1] * (i - 1)
        for i in range(1, count + 1)
    }
    rows = {}
    for record, above in parents.items():
        keys = ["".join(key) for key in itertools.product(alphabet, repeat=len(above))]
        rows[record] = {key: row(draw, len(alphabet)) for key in keys}
    return BayesianNetwork(parents, rows)


@seeds(60)
def test_no_column_exceeds_the_bound_of_any_ball(seed):
    draw = random.Random(seed)
    alphabet, count = draw.choice([("01", 6), ("01", 7), ("01", 5), ("abc", 4)])
    network, record = ladder(draw, count, alphabet), draw.choice([1, 1, 2, count])
    records, places = Records(count, tuple(alphabet)), {f"x={v}": (record, v) for v in alphabet}
    space = Framework(records, places, "disjoint", {"net": network})
    levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
    try:
        truth = worst_column(space, levels).ratio
    except ModelError:
        return  # one value alone is possible
    families = families_of(network, records)
    rates = [float_above(levels.at(each).bounds()[1]) for each in range(1, count + 1)]
    for plan in plans(families, record):
        assert truth <= plan.ratio_above(families, record, rates)


@seeds(60)
def test_the_influence_of_a_boundary_is_at_least_that_of_its_quilt(seed):
    """And the same, where no table has a 0."""
    draw = random.Random(seed)
    network, records = ladder(draw, 7, "01"), Records(7, ("0", "1"))
    record, quilts = draw.randint(1, 7), NetworkQuilts(network, records)
    positive = all(table.all() for _, table in network.tables(records))
    for plan in plans(families_of(network, records), record):
        exact = quilts.influence(record, plan.boundary)
        assert (exact or 1) <= plan.influence
        assert not positive or plan.influence <= exact * (1 + F(1, 10**9))


def test_balls_are_found_on_ladders():
    families = families_of(ladder(random.Random(6), 9, "01"), Records(9, ("0", "1")))
    assert [len(plan.boundary) for plan in plans(families, 1) if plan.boundary] == [1, 2, 2]


def test_a_grid_of_20_by_20_needs_little_noise():
    """Quilts asked for 133."""
    found = network_scale(grid(20), Records(400, ("0", "1")), Level.of_nats(3), [200])
    assert isinstance(found, EliminatedScale)
    assert found.boundary
    assert found.scale.enclosure().upper.startswith("2.0771")
    rates = [float_above(Level.of_nats(1 / found.scale.upper).bounds()[1])] * 400
    families = families_of(grid(20), Records(400, ("0", "1")))
    assert Level.of_nats(3).compare(F(least_ratio(families, 200, rates, 0).ratio)) <= 0


# What product weights tell of a bit, judged by sums over all databases: tables with zeros, ones
# and equal rows.


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


@seeds(150)
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


@seeds(30)
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


@pytest.mark.parametrize("ends", [(1e-200, 1.0), (0.5, 499.0)])
def test_bounds_far_apart_leave_an_audit_its_answer(ends, monkeypatch):
    monkeypatch.setattr(networks, "told", lambda *_: ends)
    query = RecordQuery("sum", Noise.laplace(10), Records(100, ("0", "1")))
    found = audit(framework(grid(10), [50]), query).leakage
    assert 1 <= found.lower <= found.upper


def test_a_wide_grid_leaks_something():
    space, records = framework(grid(20), [200]), Records(400, ("0", "1"))
    assert translate(space, ["0.1"]).enclosure().lower.startswith("0.3641450")
    found = audit(space, RecordQuery("sum", Noise.laplace(10), records)).leakage
    assert F("1.46") < found.lower < found.upper < 4  # e^0.378
