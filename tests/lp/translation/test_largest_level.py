"""The largest level per record: kept and broken by the worst case, closed forms, the noise that
follows against fresh Lipschitz queries; many steps of the recursion at once against one by one.
"""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.lp.translation.trees import tree_messages

from pufferproof.lp.levels import RecordLevels, Total
from pufferproof.lp.translation.bits import Jump, Precision, Range
from pufferproof.lp.translation.translate import bounded_above, largest_endless_level, largest_level, worst_case
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.noise.ratio.listed import noise_leakage

STICKY = [["9/10", "1/10"], ["1/10", "9/10"]]
SWINGING = [["1/10", "9/10"], ["4/5", "1/5"]]
WEATHER = [["3/4", "1/8", "1/8"], ["1/8", "5/8", "1/4"], ["1/4", "1/4", "1/2"]]


def framework_of(count, transition=STICKY, record=None, initial="stationary"):
    values = tuple(str(value) for value in range(len(transition)))
    record = record or (count + 1) // 2
    secrets = {value: (record, value) for value in values}
    chain = MarkovChain(initial, transition)
    return Framework.of_records(Records(count, values), secrets, "disjoint", {"theta": chain})


def worst_at(framework, level):
    count = framework.records.count
    return worst_case(framework, RecordLevels(((count, Total.of([level])),))).leakage


def within(scale):
    return 0 < scale.upper - scale.lower <= scale.lower / 10**9


@pytest.mark.parametrize("epsilon", ["0.001", "log(2)", "1", "10"])
@pytest.mark.parametrize(
    ("count", "transition"), [(1, STICKY), (4, STICKY), (5, SWINGING), (2, WEATHER), (500, STICKY)]
)
def test_the_level_is_kept_and_a_slightly_larger_one_is_not(count, transition, epsilon):
    framework, level = framework_of(count, transition), Level(epsilon)
    found = largest_level(framework, level)
    if found.broken is None:
        assert (count, found.kept) == (1, level)
        return
    kept, broken = worst_at(framework, found.kept), worst_at(framework, found.broken)
    assert level.compare(kept.upper) <= 0 < level.compare(broken.lower)
    assert found.worst.leakage == kept
    assert within(found.scale())


@given(st.integers(0, 10**9))
@examples(20)
def test_the_level_of_a_chain_is_that_of_the_recursion_by_bisection(seed):
    draw = random.Random(seed)
    rows = [[Fraction(k, 12), Fraction(12 - k, 12)] for k in (draw.randint(1, 11) for _ in "ab")]
    count, epsilon = draw.randint(2, 9), draw.choice([0.1, 0.7, 2.0])
    chain = [None, *([rows] * (count - 1))]

    def leaks_approx(level):
        parents = [None, *range(count - 1)]
        return math.log(tree_messages(parents, chain, Fraction(math.exp(level))).ratio)

    low, high = 0.0, epsilon
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if leaks_approx(middle) <= epsilon else (low, middle)
    found = largest_level(framework_of(count, rows, record=1), Level.of_nats(Fraction(epsilon)))
    assert found.scale().upper == pytest.approx(1 / low, rel=1e-8)


def test_a_hundred_minutes():
    assert largest_level(framework_of(100, record=50), Level("1")).scale().enclosure().upper[:8] == ("8.640441")


def test_endless_symmetric_chains_have_a_closed_form():
    for stay in ["1/2", "3/5", "9/10", "999/1000", "1/10"]:
        for epsilon in [0.01, 1.0, 5.0]:
            stay = Fraction(stay)
            rows = [[stay, 1 - stay], [1 - stay, stay]]
            found = largest_endless_level(framework_of(3, rows), Level.of_nats(Fraction(epsilon)))
            odds = float(min(stay, 1 - stay) / max(stay, 1 - stay))
            expected = 2 * math.asinh(odds * math.sinh(epsilon / 2))
            assert float(found.enclosure().lower) == pytest.approx(expected, rel=2e-10)


def test_endless_chains_are_stationary_as_a_finite_one_with_another_start_leaks_more():
    rare = [["99/100", "1/100"], ["4/5", "1/5"]]
    endless = largest_endless_level(framework_of(30, rare, 2), Level("1"))
    other = framework_of(30, rare, 2, initial=["1/2", "1/2"])
    assert largest_level(other, Level("1")).kept.bounds()[1] < endless.kept.bounds()[0]
    with pytest.raises(ModelError, match="expected the stationary law of the first record"):
        largest_endless_level(other, Level("1"))


def test_an_endless_chain_that_alternates_has_no_level():
    with pytest.raises(ModelError, match="no level above 0 keeps a promise"):
        largest_endless_level(framework_of(3, [["0", "1"], ["1", "0"]]), Level("1"))


def test_levels_that_nobody_can_write_down_are_refused_at_once():
    with pytest.raises(ModelError, match="fewer digits"):
        RecordLevels.uniform(3, ["log(2)"], 10**9)
    tiny = worst_case(framework_of(3), RecordLevels.uniform(3, ["1e-300"])).leakage
    assert tiny.lower >= 1


@pytest.mark.parametrize(("count", "transition"), [(4, STICKY), (4, SWINGING), (3, WEATHER)])
def test_noise_of_that_scale_keeps_the_level_for_any_query(count, transition):
    framework, level, draw = framework_of(count, transition), Level("1"), random.Random(7)
    noise = Noise.laplace(exact(largest_level(framework, level).scale().enclosure().upper))
    labels = framework.records.labels()
    queries = [
        {label: sum(map(int, label)) for label in labels},
        {label: sum((-1) ** t * int(x) for t, x in enumerate(label)) for label in labels},
        *(lipschitz(draw, labels) for _ in range(6)),
    ]
    leakages = []
    for values in queries:
        assert steps(values) <= 1 or len(transition) > 2
        scaled = {label: value / max(1, steps(values)) for label, value in values.items()}
        found = noise_leakage(framework, AdditiveNoise(scaled, noise))
        assert found.compare(level) <= 0
        leakages.append(float(log_bounds(found.leakage.upper, 64)[1]))
    if len(transition) == 2:
        assert max(leakages) == pytest.approx(1, abs=1e-8)  # a count, or every second one inversely


def steps(values):
    return max(
        abs(Fraction(values[a]) - values[b]) for a in values for b in values if sum(x != y for x, y in zip(a, b)) == 1
    )


def lipschitz(draw, labels):
    """A random query that one record changes by at most 1: the least of cones at random points."""
    heights = {label: Fraction(draw.randint(0, 40), 10) for label in labels}
    return {
        label: min(height + sum(x != y for x, y in zip(label, other)) for other, height in heights.items())
        for label in labels
    }


@given(st.integers(0, 10**9))
@examples(40)
def test_many_steps_at_once_are_the_steps_one_by_one(seed):
    draw = random.Random(seed)
    by = tuple(draw.randint(1, 50) for _ in range(4))
    seen = Range((1, 3), (draw.randint(11, 20), 30), (5, 1), (draw.randint(5, 9), 1))
    precision, at = Precision(160), Range((1, 2), (1, 2), (2, 1), (3, 1))
    count = 2 * draw.randint(1, 40)
    jumped = Jump(by, seen, precision).after(at, count)
    for _ in range(count):
        at = at.times(seen, Precision(1 << 20)).moved(by, Precision(1 << 20))
    for upward, (one, other) in enumerate(zip(jumped.ends(False), at.ends(False))):
        one, other = Fraction(*one), Fraction(*other)
        assert one >= other if upward % 2 else one <= other
        assert abs(one / other - 1) < Fraction(1, 1 << 140)


def test_levels_that_cannot_be_kept_are_refused():
    for epsilon, said in [("0", "at level 0"), ("201", "at most 200 nats")]:
        with pytest.raises(ModelError, match=said):
            largest_level(framework_of(3), Level(epsilon))


def test_long_chains_come_near_the_endless_one_from_below():
    endless = largest_endless_level(framework_of(3, SWINGING), Level("1")).scale()
    scales = [largest_level(framework_of(n, SWINGING), Level("1")).scale() for n in (11, 101)]
    assert scales[0].lower < scales[1].lower < endless.upper
    assert float(scales[1].upper) == pytest.approx(float(endless.upper), rel=1e-6)


@pytest.mark.parametrize("count", [5, 40])
@pytest.mark.parametrize("nats", ["0.05", "0.4", "2"])
def test_the_bound_alone_is_the_upper_end_of_the_worst_case(count, nats):
    rows = [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["0", "2/5", "3/5"]]
    secrets = {value: (count // 2 + 1, value) for value in "abc"}
    priors = {"theta": MarkovChain("stationary", rows)}
    framework = Framework.of_records(Records(count, tuple("abc")), secrets, "disjoint", priors)
    total = Total.of([Level(nats)])
    worst = worst_case(framework, RecordLevels(((count, total),)))
    assert bounded_above(framework, count)(total) == worst.leakage.upper
