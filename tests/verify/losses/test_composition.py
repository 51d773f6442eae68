"""Which databases bounds are about, and events of dp_accounting beside what the library says."""

from fractions import Fraction

import pytest
from tests.verify.losses.events import EVENTS, dp

from pufferproof import Level, ModelError, Noise, RecordQuery, Records
from pufferproof.models.mechanisms.sampled import Sample, SampledQuery
from pufferproof.verify.decision import Decision
from pufferproof.verify.losses.account import LossAccount
from pufferproof.verify.losses.composition import compose_sampled

GAUSSIAN = Noise.gaussian(1)


def query(alphabet=("0", "1"), noise=GAUSSIAN, count=100, name="sum", **sample):
    counted = alphabet[-1] if name == "count" else None
    return SampledQuery(RecordQuery(name, noise, Records(count, alphabet), None, counted), Sample(**sample))


def bounds(relation, *queries, runs=64, level="1"):
    return compose_sampled(relation, list(queries), runs).delta(level)


def test_adding_a_record_is_reached_by_one_record_against_none():
    steps = compose_sampled("add-remove", [query(poisson="1/10")], 64)
    low, high = steps.delta("1")
    assert low <= Fraction("0.124847") <= high
    assert high - low <= high / 1000
    assert steps.reached
    assert steps.keeps("1", Fraction(1, 8)) is Decision.HOLDS
    assert steps.keeps("1", Fraction(1, 10)) is Decision.FAILS


def test_the_value_that_adds_most_is_worst():
    few, many = query(poisson="1/10"), query(("0", "1", "-1/2", "-1"), poisson="1/10")
    assert bounds("add-remove", few) == bounds("add-remove", many)
    larger = compose_sampled("add-remove", [query(("-2", "0", "1"), poisson="1/10")], 64)
    assert larger.delta("1")[0] > bounds("add-remove", few)[1]
    assert '"-2"' in larger.says


def test_substitution_of_a_value_that_adds_nothing_is_adding_it():
    one = bounds("substitute", query(poisson="1/10"))
    other = bounds("add-remove", query(poisson="1/10"))
    assert max(one[0], other[0]) <= min(one[1], other[1])


def test_what_no_databases_are_known_to_reach_is_no_violation():
    for noise in (GAUSSIAN, Noise.laplace(1)):
        steps = compose_sampled("substitute", [query(("-1", "1"), noise, poisson="1/10")], 64)
        low, high = steps.delta("1")
        assert low == 0 < high
        assert not steps.reached
        assert steps.keeps("1", Fraction(1, 100)) is Decision.UNDECIDED
    alone = query(("1", "2"), Noise.geometric("1/2"), count=1, poisson="1/2")
    assert compose_sampled("substitute", [alone]).reached
    several = query(("1", "2"), Noise.geometric("1/2"), count=2, poisson="1/2")
    assert not compose_sampled("substitute", [several]).reached


def test_values_that_both_add_something_are_exact_for_gaussian_noise():
    # by sums over a fine grid of two outputs
    known = {("-1", "1"): 0.0010065347, ("1", "2"): 0.0154193109}
    for values, expected in known.items():
        steps = compose_sampled("substitute", [query((*values, "0"), poisson="1/10")], 2)
        pairs = [case for case in steps.cases if all(f'"{value}"' in case.says for value in values)]
        assert steps.reached
        (pair,) = pairs
        low, high = LossAccount(pair.parts).delta(Level("1"))
        assert float(low) <= expected * (1 + 1e-6)
        assert expected * (1 - 1e-6) <= float(high)
        assert high - low <= high / 1000


def test_mixtures_of_one_shift_are_shifts():
    shifts = dp.MixtureOfGaussians(1.0, [0.0, 1.0], [0.75, 0.25])
    split = dp.MixtureOfGaussians(1.0, [0.0, 1.0, 1.0 - 2**-40], [0.75, 0.125, 0.125])
    one, other = (compose_sampled("add-remove", [event], 9).delta(1) for event in (shifts, split))
    assert max(one[0], other[0]) <= min(one[1], other[1]) * (1 + Fraction(1, 10**6))
    assert other[1] - other[0] <= other[1] / 1000


def test_a_sample_of_fixed_size_is_between_zeros_and_the_worst_of_both_orders():
    for noise in (GAUSSIAN, Noise.geometric("1/2")):
        low, high = bounds("substitute", query(noise=noise, fixed=10), runs=3, level="1/20")
        zeros = bounds("substitute", query(noise=noise, poisson="1/10"), runs=3, level="1/20")
        assert zeros[0] <= high
        assert max(low, zeros[0]) <= min(high, zeros[1])
    once = bounds("substitute", query(fixed=10), runs=1)
    assert once[1] - once[0] < Fraction(1, 10**30)  # both are the same for one run


def test_outputs_of_loss_zero_count_once_in_a_sample_of_fixed_size():
    # the output 1 is as likely under shift 0 as under shift 2; two runs of all pairs of outputs
    fixed = query(("0", "2"), Noise.geometric("1/2"), count=10, fixed=9)
    ratio, rate = Fraction(1, 2), Fraction(9, 10)
    law = {z: (1 - ratio) / (1 + ratio) * ratio ** abs(z) for z in range(-42, 43)}
    q = [law[z] for z in range(-40, 41)]
    p = [(1 - rate) * law[z] + rate * law[z - 2] for z in range(-40, 41)]
    squares = [(x * y, u * v) for x, u in zip(p, q) for y, v in zip(p, q)]
    for level in ("log(1)", "log(3/2)", "log(20)"):
        t = Level(level).ratio
        known = max(sum(max(x - t * y, 0) for x, y in squares), 0)
        back = sum(max(y - t * x, 0) for x, y in squares)
        low, high = bounds("substitute", fixed, runs=2, level=level)
        assert low <= max(known, back) + Fraction(1, 10**9)
        assert max(known, back) <= high < 1
        assert high <= known * Fraction(11, 10) + Fraction(1, 10**30)


def test_samples_of_all_records_are_no_samples():
    every = [bounds("substitute", query(**each)) for each in ({"fixed": 100}, {"poisson": 1})]
    assert every[0] == every[1]
    assert bounds("add-remove", query(poisson=0)) == (0, 0)
    assert bounds("substitute", query(poisson=0)) == (0, 0)


def test_what_is_no_sample_is_refused():
    for relation, make, says in [
        ("add-remove", lambda: query(fixed=5), "substitute"),
        ("substitute", lambda: query(fixed=101), "at most 100"),
        ("add-remove", lambda: query(poisson="3/2"), "from 0 to 1, found 3/2"),
        ("add-remove", lambda: query(poisson="-1/2"), "from 0 to 1"),
        ("add-remove", lambda: query(fixed=0), "at least 1"),
        ("add-remove", lambda: query(), "either"),
        ("both", lambda: query(poisson=1), "add-remove"),
        ("add-remove", lambda: query(name="mean", poisson=1), '"sum" or "count"'),
    ]:
        with pytest.raises(ModelError, match=says):
            compose_sampled(relation, [make()])


GAUSS = dp.Gaussian(1.0)
TREE = dp.Composed(
    [dp.SelfComposed(dp.PoissonSampled(0.01, dp.Gaussian(0.8)), 1000), dp.Laplace(3.0), dp.DiscreteLaplace(0.2, 2)]
)
# (relation, event, level, delta of dp_accounting 0.6.0, rounded up on a grid of 1e-4)
SAID = [
    ("add-remove", dp.SelfComposed(dp.PoissonSampled(0.1, GAUSS), 64), 1, 0.12484734576586291),
    ("add-remove", dp.SelfComposed(dp.Laplace(2.0), 10), 1, 0.3070405434453596),
    ("add-remove", TREE, 1, 0.05852758765708984),
    ("add-remove", dp.SelfComposed(dp.PoissonSampled(0.2, dp.Laplace(1.0)), 50), 1.5, 0.1423324883515173),
    ("add-remove", dp.SelfComposed(dp.MixtureOfGaussians(1.0, [0.0, 1.0], [0.9, 0.1]), 20), 1, 0.022849086876945573),
    ("add-remove", dp.SelfComposed(dp.DiscreteLaplace(0.3, 3), 20), 2, 0.826242741629705),
    ("substitute", dp.RandomizedResponse(0.5, 3), 1, 0.21362224992717882),
    ("substitute", GAUSS, 1, 0.509861660054822),
    ("substitute", dp.SelfComposed(dp.Gaussian(3.0), 5), 1, 0.31669807092468494),
]


@pytest.mark.parametrize(("relation", "event", "level", "said"), SAID)
def test_events_are_as_dp_accounting_says(relation, event, level, said):
    steps = compose_sampled(relation, [event])
    low, high = (float(end) for end in steps.delta(level))
    assert low <= said * (1 + 1e-9)
    assert said <= high * (1 + 2e-4)
    assert high - low <= high / 1000


def test_repeated_answers_count_each_time():
    # dp_accounting 0.6.0 counts them once
    once, often = (dp.SelfComposed(dp.RandomizedResponse(0.5, 2), n) for n in (1, 4))
    low, high = compose_sampled("substitute", [often]).delta("log(3)")
    p, q = Fraction(3, 4), Fraction(1, 4)
    known = (p**4 - 3 * q**4) + 4 * (p**3 * q - 3 * q**3 * p)
    assert low <= known <= high
    assert compose_sampled("substitute", [once]).delta("log(3)")[1] < low


def test_a_sampled_tree_of_gaussian_noise_is_one_of_less_noise():
    one = compose_sampled("add-remove", [dp.PoissonSampled(0.1, dp.Gaussian(1.0))], 9)
    inner = dp.SelfComposed(dp.Composed([dp.Gaussian(2.0), dp.NoOp(), dp.Gaussian(2.0)]), 2)
    other = compose_sampled("add-remove", [dp.PoissonSampled(0.1, inner)], 9)
    assert one.delta(1) == other.delta(1)


@pytest.mark.parametrize("level", [0, 1, 300, 1000])
def test_one_run_has_a_known_delta_at_any_level(level):
    for event in (dp.Gaussian(0.05), dp.PoissonSampled(0.1, dp.Gaussian(0.05)), dp.Laplace(0.1)):
        low, high = compose_sampled("add-remove", [event]).delta(level)
        assert high - low <= max(high, Fraction(1, 10**50)) / 10**9


def test_losses_far_apart_end_with_bounds():
    # few outputs tell much, and all others next to nothing
    step = dp.PoissonSampled(1e-12, dp.Gaussian(0.2))
    once, often = (compose_sampled("add-remove", [dp.SelfComposed(step, n)]) for n in (1, 3))
    assert once.delta(1)[0] <= often.delta(1)[1] < 1


def test_a_level_at_no_delta_is_asked_elsewhere():
    for delta in (0, -1, 2):
        with pytest.raises(ModelError, match="above 0"):
            compose_sampled("add-remove", [dp.Laplace(1.0)]).epsilon(delta)


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_a_record_that_a_sample_shows_is_seen_as_often_as_it_is_in_it(runs):
    known = 1 - Fraction(3, 4) ** runs
    shown = [dp.NonPrivate(), dp.Gaussian(0.0), dp.Laplace(0.0)]
    steps = [("add-remove", dp.PoissonSampled(0.25, each)) for each in shown]
    steps += [("substitute", dp.SampledWithoutReplacement(8, 2, each)) for each in shown]
    steps += [("add-remove", dp.MixtureOfGaussians(0.0, [0.0, 1.0, 2.0], [0.75, 0.125, 0.125]))]
    for relation, step in steps:
        asked = compose_sampled(relation, [dp.SelfComposed(step, runs)])
        low, high = asked.delta(3)
        assert low <= known <= high <= known + Fraction(1, 1000)
        assert relation == "substitute" or low >= known - Fraction(1, 1000)
        assert asked.epsilon("1/10") is None


def test_gaussian_noise_many_times_is_one_release():
    often = dp.Composed([dp.SelfComposed(dp.Gaussian(2.0**20), 2**40 - 1), dp.Gaussian(2.0**20)])
    found, known = (compose_sampled("add-remove", [e]).delta(1) for e in (often, GAUSS))
    assert found == known
    with pytest.raises(ModelError, match="at most 1000000"):
        compose_sampled("add-remove", [dp.SelfComposed(dp.Laplace(1.0), 10**18)])


def test_trees_without_an_end_and_unknown_versions_are_refused():
    deep, ring, wide, lost = dp.Gaussian(1.0), dp.Composed([]), dp.Gaussian(1.0), dp.Gaussian(1.0)
    for _ in range(2000):
        deep = dp.SelfComposed(deep, 1)
    for _ in range(40):
        wide = dp.Composed([wide, wide])
    ring.events.append(ring)
    for event in (deep, ring, wide):
        with pytest.raises(ModelError, match="100 deep"):
            compose_sampled("add-remove", [event])
    del lost.noise_multiplier
    with pytest.raises(ModelError, match="version"):
        compose_sampled("add-remove", [lost])
    for events in (None, 3, "ab"):
        with pytest.raises(ModelError, match=r"event\.events: expected a list"):
            compose_sampled("add-remove", [dp.Composed(events)])


def test_events_that_hide_nothing_or_show_nothing():
    for event in (dp.NonPrivate(), dp.Gaussian(0.0), dp.PoissonSampled(1.0, dp.NonPrivate())):
        steps = compose_sampled("add-remove", [dp.Composed([GAUSS, event])])
        assert steps.delta(100) == (1, 1)
        assert steps.epsilon("1/2") is None
    for event in (dp.NoOp(), dp.Composed([]), dp.PoissonSampled(0.0, GAUSS), dp.SelfComposed(GAUSS, 0)):
        assert compose_sampled("add-remove", [event]).delta(0) == (0, 0)


def test_bounds_that_events_alone_give_show_no_violation():
    tree = compose_sampled("add-remove", [dp.SingleEpochTreeAggregation(2.0, [3, 7])])
    gauss = compose_sampled("add-remove", [dp.SelfComposed(dp.Gaussian(2.0), 3)])
    assert tree.delta(1)[0] == 0
    assert gauss.delta(1)[0] <= tree.delta(1)[1]
    fixed = compose_sampled("substitute", [dp.SampledWithoutReplacement(100, 10, GAUSS)], 9)
    assert fixed.delta(1)[0] == 0 < fixed.delta(1)[1]
    assert fixed.keeps(1, Fraction(1, 1000)) is Decision.UNDECIDED


def test_events_without_a_law_are_refused_by_name():
    for event, where, says in [
        (dp.Unsupported(), "event", "UnsupportedDpEvent"),
        (dp.Composed([GAUSS, dp.ZC(0.1, 0.0)]), r"event.events\[1\]", "Renyi"),
        (dp.RepeatAndSelect(GAUSS, 3.0, 1.0), "event", "RepeatAndSelect"),
        (dp.SampledWithReplacement(10, 2, GAUSS), "event", "several times"),
        (dp.TruncatedSubsampledGaussian(100, 0.1, 10, 1.0), "event", "cut off"),
        (dp.SampledWithoutReplacement(100, 10, GAUSS), "event", "substitute"),
        (dp.RandomizedResponse(0.5, 2), "event", "substitute"),
        (dp.PoissonSampled(1.5, GAUSS), "event.sampling_probability", "probability"),
        (dp.PoissonSampled(-0.1, GAUSS), "event.sampling_probability", "at least 0"),
        (dp.PoissonSampled(0.1, dp.SelfComposed(dp.Laplace(1.0), 2)), "event.event", "Gaussian"),
        (dp.Gaussian(float("nan")), "event.noise_multiplier", "finite"),
        (dp.SelfComposed(GAUSS, 2.5), "event.count", "integer"),
        (dp.SelfComposed("x", 2), "event.event", "DpEvent"),
        (dp.MixtureOfGaussians(1.0, [1.0, 2.0], [0.5, 0.6]), "event.sampling_probs", "sum to 1"),
    ]:
        with pytest.raises(ModelError, match=f"{where}.*{says}"):
            compose_sampled("add-remove", [event])


def test_every_event_is_read_or_refused_by_name():
    from pufferproof.verify.losses.composition import _REFUSED, _Reading

    names = [name.removesuffix("DpEvent") for name in EVENTS]
    assert len(names) == 17
    known = {*_REFUSED, *(name for name in names if hasattr(_Reading, f"_{name}"))}
    assert {*names} == known
