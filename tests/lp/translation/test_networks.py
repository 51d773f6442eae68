"""Worst cases under Bayesian networks: forests of bits of any size by passes along arrows, judged by
linear programs over listed databases on all small trees.
"""

import itertools
import random
import time
from fractions import Fraction

import pytest

from pufferproof import (
    BayesianNetwork,
    Framework,
    MarkovChain,
    ModelError,
    Product,
    Records,
    audit,
    translate,
)
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.priors.forest import families_of, forest_of
from tests.lp.translation.trees import tree_messages

F = Fraction
LEVELS = ["log(1)", "log(2)", "log(3)", "log(7/3)"]
WEIGHTS = [0, 1, 1, 2, 3, 5]
COIN = {"": ["1/2", "1/2"]}
NOISY = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}


def row(draw):
    weights = [draw.choice(WEIGHTS), draw.choice(WEIGHTS)]
    weights = weights if sum(weights) else [1, 0]
    return [F(weight, sum(weights)) for weight in weights]


def shapes(count):
    """List the skeletons of all labelled forests on 1 .. count, by parents that come first."""
    return itertools.product(*([None, *range(1, record)] for record in range(1, count + 1)))


def rerooted(shape, draw):
    """Return the parents of a forest with the same edges, directed away from random roots."""
    near = {record: [] for record in range(1, len(shape) + 1)}
    for record, parent in enumerate(shape, 1):
        if parent is not None:
            near[record].append(parent)
            near[parent].append(record)
    parents = {}
    for record in draw.sample(sorted(near), len(near)):
        left = [] if record in parents else [(record, [])]
        while left:
            here, above = left.pop()
            if here not in parents:
                parents[here] = above
                left += [(other, [here]) for other in near[here] if other not in parents]
    return parents


def drawn(draw, parents):
    keys = {0: [""], 1: ["0", "1"], 2: ["00", "01", "10", "11"]}
    return BayesianNetwork(
        parents, {i: {key: row(draw) for key in keys[len(above)]} for i, above in parents.items()}
    )


def framework(network, records=None, names=None):
    count = network.length
    places = {f"x{i}={v}": (i, v) for i in (records or range(1, count + 1)) for v in "01"}
    return Framework(Records(count, ("0", "1")), places, "disjoint", {"net": network})


def judged(space, levels):
    """Compare the passes with linear programs, and the mechanism with the audit."""
    try:
        expected = worst_column(space, levels)
    except ModelError as error:
        with pytest.raises(ModelError, match=error.what[:20]):
            worst_case(space, levels)
        return False
    worst = worst_case(space, levels)
    assert worst.exact and worst.attained in ("count", "alternating count", "signed count")
    assert worst.leakage.ratio == expected.ratio
    mechanism = worst.mechanism().channel()
    assert audit(space, mechanism).leakage.ratio == expected.ratio
    assert_keeps(mechanism, levels, space)
    return True


def assert_keeps(mechanism, levels, space):
    """Every output keeps the level of every record, from the definition."""
    for x in space.databases:
        for place in range(len(x)):
            y = x[:place] + "10"[int(x[place])] + x[place + 1 :]
            ratio = levels.at(place + 1).exact
            for output in mechanism.outputs:
                most = ratio * mechanism.probability(y, output)
                assert mechanism.probability(x, output) <= most


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_all_small_forests_agree_with_linear_programs(count):
    draw = random.Random(count)
    seen = 0
    for shape in shapes(count):
        for _ in range({1: 8, 2: 8, 3: 6, 4: 2}[count]):
            space = framework(drawn(draw, rerooted(shape, draw)), [draw.randint(1, count)])
            levels = RecordLevels.of([draw.choice(LEVELS) for _ in range(count)])
            seen += judged(space, levels)
    assert seen > len(list(shapes(count)))


@pytest.mark.parametrize("seed", range(12))
def test_larger_forests_agree_with_linear_programs(seed):
    draw = random.Random(seed)
    count = draw.choice([5, 6])
    shape = [None, *(draw.choice([None, *range(1, i), i - 1]) for i in range(2, count + 1))]
    space = framework(drawn(draw, rerooted(shape, draw)), [draw.randint(1, count)])
    judged(space, RecordLevels.of([draw.choice(LEVELS) for _ in range(count)]))
