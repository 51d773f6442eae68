"""Rules that translate a level by points of an influence curve: the printed loop, run literally,
and the best point; what both promise against the worst case over all mechanisms.
"""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.curves.point import CurvePoint, best, group_privacy, printed


def point(b, ratio):
    bounds = Bounds.infinite() if ratio is None else Bounds(Fraction(ratio), Fraction(ratio))
    return CurvePoint(b, bounds)


def literal_algorithm_approx(points, epsilon, count):
    """The loop of Algorithm 1 as it is printed, in floats: epsilon_DP."""
    level = math.inf
    for each in points:
        a = math.inf if each.upper is None else math.log(each.upper)
        alone = epsilon / count if a >= epsilon else (epsilon - a) / each.b if each.b else math.inf
        level = min(level, alone)
    return level


@given(st.integers(0, 10**9))
@examples(300)
def test_the_printed_rule_is_the_printed_loop(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 6)
    points = [
        point(draw.randint(0, count), draw.choice([None, 1, *(Fraction(k, 4) for k in range(4, 30))]))
        for _ in range(draw.randint(0, 5))
    ]
    epsilon = draw.choice([Fraction(1, 10), Fraction(1), Fraction(5, 2)])
    expected = literal_algorithm_approx(points, float(epsilon), count)
    scale = printed(points, Level.of_nats(epsilon), count).scale
    if math.isinf(expected):
        assert scale.upper == 0
    else:
        assert float(scale.upper) == pytest.approx(1 / expected, rel=1e-12)
        assert scale.lower <= scale.upper
    chosen = best(points, Level.of_nats(epsilon))
    alone = [literal_algorithm_approx([each], float(epsilon), count) for each in points]
    known = [x for x, each in zip(alone, points) if each.upper and math.log(each.upper) < epsilon]
    assert (chosen is None) == (not known)
    if chosen is not None:
        assert float(chosen.scale.upper) == pytest.approx(1 / max(known), rel=1e-12)
        assert not points or chosen.scale.upper <= scale.upper


def test_one_more_point_only_raises_the_printed_noise():
    level, near = Level("log(4)"), point(2, 2)
    alone = printed([near], level, 10).scale
    for other in (point(1, "399/100"), point(0, None), point(10, 1)):
        assert printed([near, other], level, 10).scale.upper > alone.upper
        assert best([near, other], level).scale.upper <= alone.upper


def test_a_point_just_below_the_level_costs_more_than_group_privacy():
    level = Level("log(4)")
    assert printed([point(1, "3999/1000")], level, 10).scale.lower > group_privacy(10, level).upper
    assert printed([point(1, 4)], level, 10).scale == group_privacy(10, level)


@given(st.integers(0, 10**9))
@examples(25)
def test_both_rules_keep_the_level(seed):
    draw = random.Random(seed)
    count = draw.randint(1, 5)
    rows = [[Fraction(k, 8), 1 - Fraction(k, 8)] for k in (draw.randint(1, 7), draw.randint(1, 7))]
    record = draw.randint(1, count)
    framework = Framework.of_records(
        Records(count, ("0", "1")),
        {"zero": (record, "0"), "one": (record, "1")},
        "disjoint",
        {"theta": MarkovChain("stationary", rows)},
    )
    curve, level = influence_curve(framework), Level(draw.choice(["0.3", "1", "log(6)"]))
    points = draw.sample(curve, draw.randint(1, min(5, count + 1)))
    for chosen in (printed(points, level, count), best(points, level)):
        if chosen is not None:
            nats = Level.of_nats(1 / chosen.scale.upper)
            worst = worst_case(framework, RecordLevels.uniform(count, [nats]))
            assert level.compare(worst.leakage.lower) <= 0
