"""The least noise on networks of bits, by elimination or by quilts: judged by linear programs of
the level that it has for every record, and by audits.
"""

import random
from fractions import Fraction

import pytest
from tests.lp.translation.test_networks import framework, grid, with_loops

from pufferproof import BayesianNetwork, Framework, ModelError, Records, audit
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.models.influence.quilts.network import network_quilt
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.scale.between import scale_between
from pufferproof.verify.noise.scale.networks import EliminatedScale, network_scale

F = Fraction
BITS = ("0", "1")


@pytest.mark.parametrize("seed", range(40))
def test_no_mechanism_of_the_levels_of_the_noise_exceeds_the_level(seed):
    """Tables with zeros, ones and equal rows among them; also one record of one possible value."""
    draw = random.Random(seed)
    count, nats = draw.choice([1, 2, 3, 4]), draw.choice(["1/10", "1", "3"])
    network, record = with_loops(draw, count), draw.randint(1, count)
    level, records = Level.of_nats(F(nats)), Records(count, BITS)
    lipschitz = draw.choice([F(1), F(1, 3)])
    found = network_scale(network, records, level, [record], lipschitz)
    quilts = network_quilt(network, records, level, [record], lipschitz)
    assert found.scale.upper <= quilts.scale.upper
    space = framework(network, [record])
    spent = Level.of_nats(lipschitz / found.scale.upper)
    try:
        worst = worst_column(space, RecordLevels.uniform(count, [spent]).rounded(upward=False))
    except ModelError:
        return  # one value alone is possible
    assert level.compare(worst.ratio) <= 0
    query = RecordQuery("sum", Noise.laplace(found.scale.upper / lipschitz), records)
    assert audit(space, query, level).verdict.value == "SATISFIES"


@pytest.mark.parametrize("seed", range(12))
def test_close_values_ask_for_less_and_keep_the_level(seed):
    """Three values, of which a sum tells the outer ones apart by 2 and others by 1."""
    draw = random.Random(seed)
    network, records = with_loops(draw, 3, "012"), Records(3, tuple("012"))
    places = {f"x2={v}": (2, v) for v in "012"}
    space = Framework(records, places, "disjoint", {"net": network})
    level, amount = Level.of_nats(1), F(2)
    known = [[F(abs(u - v)) for v in range(3)] for u in range(3)]
    found = network_scale(network, records, level, [2], amount, known)
    assert found.scale.lower <= network_scale(network, records, level, [2], amount).scale.upper
    try:
        answer = audit(space, RecordQuery("sum", Noise.laplace(found.scale.upper), records), level)
    except ModelError:
        return  # one value alone is possible
    assert answer.verdict.value == "SATISFIES"


def test_several_records_ask_for_what_the_worst_of_them_does():
    network, level = with_loops(random.Random(5), 4), Level.of_nats(1)
    records = Records(4, BITS)
    alone = [network_scale(network, records, level, [i]).scale.upper for i in range(1, 5)]
    found = network_scale(network, records, level)
    assert found.scale.upper == pytest.approx(float(max(alone)), rel=1e-8)


@pytest.mark.parametrize(("side", "expected"), [(5, "2.79811370"), (7, "4.06348012")])
def test_grids_ask_for_less_than_quilts_do(side, expected):
    """Quilts ask for 8.233 and 15.841."""
    middle = (side * side + 1) // 2
    records, level = Records(side * side, BITS), Level.of_nats(3)
    found = network_scale(grid(side), records, level, [middle])
    assert isinstance(found, EliminatedScale)
    assert found.scale.enclosure().upper.startswith(expected)


def test_attractive_trees_have_their_least_scale_between_ends():
    """The bound by elimination is exact on trees, so that both scales are the same."""
    count, rows = 40, {"0": ["9/10", "1/10"], "1": ["1/2", "1/2"]}
    parents = {i: [i // 2] if i > 1 else [] for i in range(1, count + 1)}
    cpt = {i: rows if i > 1 else {"": ["9/10", "1/10"]} for i in parents}
    tree, level = BayesianNetwork(parents, cpt), Level.of_nats(F(1, 2))
    query = RecordQuery("sum", Noise.laplace(1), Records(count, BITS))
    low, high = scale_between(framework(tree, [20]), query, level)
    found = network_scale(tree, query.records, level, [20])
    assert found.scale.upper == pytest.approx(float(high), rel=1e-8)
    assert low < high


@pytest.mark.parametrize("nats", ["1/10000000000", "100"])
def test_very_small_and_large_levels_have_noise(nats):
    found = network_scale(grid(3), Records(9, BITS), Level.of_nats(F(nats)), [5])
    assert 0 < found.scale.upper < 10 / F(nats)
