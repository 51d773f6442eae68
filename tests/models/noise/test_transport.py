"""Transport plans of laws of a number, and the scales that they ask for, against floats and exact
leakage.
"""

from fractions import Fraction
from math import exp

from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.distance import line_distance
from pufferproof.models.noise.transport import farthest, mean_scale, quantile_plan
from pufferproof.models.numbers.level import Level
from pufferproof.verify.noise.laws import LawPair, QueryLaws
from pufferproof.verify.noise.scale.level import LaplaceLevel


@st.composite
def laws(draw):
    values = draw(st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True))
    weights = draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))
    return {Fraction(v): Fraction(w, sum(weights)) for v, w in zip(values, weights)}


@examples(200)
@given(laws(), laws())
def test_the_plan_of_quantiles_is_a_coupling_and_its_farthest_move_is_w_inf(first, second):
    plan = quantile_plan(first, second)
    for place, law in ((0, first), (1, second)):
        sums = {v: sum(each.mass for each in plan if each[place] == v) for v in law}
        assert sums == law
    assert sum(each.mass for each in plan) == 1
    assert farthest(plan) == line_distance(first, second)


def means_approx(plan, scale):
    """The largest mean of e^(|x - y| / b) over what leaves a value, or comes to one."""
    found = []
    for place in (0, 1):
        for value in {each[place] for each in plan}:
            some = [each for each in plan if each[place] == value]
            total = sum(float(each.mass) for each in some)
            grown = sum(float(each.mass) * exp(abs(each.x - each.y) / scale) for each in some)
            found.append(grown / total)
    return max(found)


@examples(100)
@given(laws(), laws(), st.sampled_from(["0.5", "1", "log(2)", "log(9)"]))
def test_the_means_reach_the_level_and_the_noise_keeps_it(first, second, epsilon):
    level, plan = Level.parse(epsilon), quantile_plan(first, second)
    scale = mean_scale(plan, level)
    if not farthest(plan):
        assert scale.upper == 0
        return
    assert scale.lower <= scale.upper <= scale.lower * Fraction(100001, 100000)
    bound = exp(float(level.enclosure().upper))
    assert means_approx(plan, float(scale.upper)) <= bound * (1 + 1e-9)
    assert means_approx(plan, float(scale.lower) * (1 - 1e-6)) > bound
    assert float(scale.upper) <= float(farthest(plan)) / float(level.enclosure().lower) * (1 + 1e-9)
    pairs = [({(v,): p for v, p in law.items()}) for law in (first, second)]
    both = [LawPair("theta", ("s", "t"), *pairs), LawPair("theta", ("t", "s"), *pairs[::-1])]
    known = QueryLaws((Noise.laplace(1),), tuple(both), 0, ())
    assert not LaplaceLevel(known, level).exceeds(scale.upper)
