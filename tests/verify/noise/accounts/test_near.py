"""What elimination within a ball bounds, with the influence of its boundary, judged by linear
programs over all columns: tables with zeros, ones and equal rows.
"""

import itertools
import random
from fractions import Fraction

import pytest
from tests.lp.translation.test_networks import LEVELS, framework, grid, row

from pufferproof import BayesianNetwork, Framework, ModelError, Records, translate
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.models.influence.network import NetworkQuilts
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.forest import families_of
from pufferproof.verify.noise.accounts.elimination import float_above
from pufferproof.verify.noise.accounts.near import least_ratio, plans
from pufferproof.verify.noise.scale.networks import EliminatedScale, network_scale

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


@pytest.mark.parametrize("seed", range(60))
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


@pytest.mark.parametrize("seed", range(60))
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


@pytest.mark.parametrize(("side", "before"), [(14, 1.903), (20, 2.857)])
def test_balls_bound_grids_closer(side, before):
    """Elimination of all others had 1.903 nats for 14 by 14; quilts 2.857 for 20 by 20."""
    space = framework(grid(side), [side * side // 2])
    worst = translate(space, ["0.1"])
    assert worst.bound == "elimination"
    assert worst.leakage.upper < F(4)  # e^1.387
    assert before > 1.387


def test_a_grid_of_20_by_20_needs_little_noise():
    """Quilts asked for 133."""
    found = network_scale(grid(20), Records(400, ("0", "1")), Level.of_nats(3), [200])
    assert isinstance(found, EliminatedScale)
    assert found.boundary
    assert found.scale.enclosure().upper.startswith("2.0771")
    rates = [float_above(Level.of_nats(1 / found.scale.upper).bounds()[1])] * 400
    families = families_of(grid(20), Records(400, ("0", "1")))
    assert Level.of_nats(3).compare(F(least_ratio(families, 200, rates, 0).ratio)) <= 0
