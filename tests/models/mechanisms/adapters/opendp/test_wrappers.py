"""Combinators of OpenDP: what is inside is read, post-processing is an upper bound that violates
nothing, compositions are joint releases, and what asks on earlier answers is refused.
"""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import COUNTS, expect_frequencies, law

import pufferproof as pp

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")
NUMBER = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LAPLACE = dp.m.make_laplace(*NUMBER, scale=1.0)
COIN = dp.m.make_randomized_response_bool(prob=0.75)
SCORES = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
LISTS = dp.vector_domain(dp.atom_domain(bounds=(0, 10)), size=2), dp.symmetric_distance()
TWO = pp.Records(2, ("0", "1"))


def gaussian(scale: float = 1.0) -> Any:
    floats = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    return dp.m.make_gaussian(*floats, scale=scale)


def alone(records: pp.Records = TWO) -> pp.Framework:
    evenly = pp.Product([["1/2", "1/2"]] * records.count)
    secrets = {"no": (1, "0"), "yes": (1, "1")}
    return pp.Framework.of_records(records, secrets, "disjoint", {"evenly": evenly})


@pytest.mark.parametrize(
    ("measurement", "inside"),
    [
        (dp.c.make_approximate(LAPLACE), LAPLACE),
        (dp.c.make_pureDP_to_zCDP(LAPLACE), LAPLACE),
        (dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(LAPLACE)), LAPLACE),
        (dp.c.make_zCDP_to_approxDP(gaussian()), gaussian()),
        (dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian()), 1e-6), gaussian()),
    ],
    ids=["approximate", "to zCDP", "fixed", "to approxDP", "fixed delta"],
)
def test_a_conversion_of_measures_changes_no_law(measurement: Any, inside: Any) -> None:
    read = pp.as_mechanism(measurement, TWO, "sum")
    assert read.value == pp.as_mechanism(inside, TWO, "sum").value
    assert "(make_laplace)" in read.source or "(make_gaussian)" in read.source


def test_post_processing_keeps_what_is_kept_before_it_and_violates_nothing() -> None:
    """Its function hides everything here: a level of 0 holds, and must not be called violated."""
    silent = pp.as_mechanism(LAPLACE >> (lambda value: 0), TWO, "sum")
    before = pp.as_mechanism(LAPLACE, TWO, "sum")
    framework = alone()
    levels = "0", "1/2", "99/100", "1", "2"
    expected = {True: "SATISFIES", False: "UNDECIDED"}
    for level in map(pp.Level, levels):
        inside, answer = pp.audit(framework, before, level), pp.audit(framework, silent, level)
        assert answer.verdict.value == expected[inside.verdict.value == "SATISFIES"]
        assert (answer.leakage.lower, answer.leakage.upper) == (1, inside.leakage.upper)
        assert "before post-processing" in str(answer)
        assert answer.as_json()["before"]["verdict"] == inside.verdict.value
        assert answer.as_json()["leakage"]["epsilon"]["lower"] == "0"


@pytest.mark.parametrize("asked", [{"delta": "1/100"}, {"delta": "1/2"}, {"renyi": 2}])
def test_post_processing_is_an_upper_bound_of_every_question(asked: Any) -> None:
    silent = pp.as_mechanism(LAPLACE >> (lambda value: 0), TWO, "sum")
    before = pp.as_mechanism(LAPLACE, TWO, "sum")
    for level in ("0.01", "1/2", "2"):
        inside = pp.audit(alone(), before, level, **asked).verdict.value
        answer = pp.audit(alone(), silent, level, **asked)
        assert answer.verdict.value == {"VIOLATES": "UNDECIDED"}.get(inside, inside)
        assert (answer.delta, answer.renyi) == (None, None)


def test_other_doors_refuse_what_is_known_as_a_bound() -> None:
    silent = pp.as_mechanism(LAPLACE >> (lambda value: 0), TWO, "sum")
    for call in (
        lambda: pp.compose(alone(), [silent]),
        lambda: pp.audit(alone(), [silent, silent]),
        lambda: pp.as_mechanism({"x": COIN >> (lambda value: value)}),
    ):
        with pytest.raises(pp.ModelError, match=r"audit bounds it|expected one, with inputs"):
            call()


def test_a_composition_of_noise_is_a_joint_release() -> None:
    other = dp.m.make_laplace(*NUMBER, scale=2.0)
    read = pp.as_mechanism(dp.c.make_composition([LAPLACE, other, LAPLACE]), TWO, "sum")
    single = [pp.as_mechanism(each, TWO, "sum") for each in (LAPLACE, other, LAPLACE)]
    assert [each.value for each in read.parts] == [each.value for each in single]
    answer, together = pp.audit(alone(), read, "5/2"), pp.compose(alone(), single)
    assert answer.verdict.value == "SATISFIES"
    assert str(answer.leakage) == str(together.joint.leakage) == "≈ 2.5 nats"
    assert str(pp.compose(alone(), list(read.parts))).startswith("joint leakage ≈ 2.5 nats")


def test_a_composition_of_tables_draws_as_the_library_does() -> None:
    maximum = dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=2.0)
    concentrated = dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=1.0)
    measurement = dp.c.make_composition([maximum, concentrated])
    exact = law(pp.as_mechanism(measurement, {"x": [0, 1, 3]}).value, "x")
    expect_frequencies(lambda: ",".join(map(str, measurement([0, 1, 3]))), exact)


def test_a_composition_of_responses_is_given_record_by_record() -> None:
    read = pp.as_mechanism(dp.c.make_composition([COIN, COIN]), TWO)
    assert isinstance(read.value, pp.LocalMechanism)
    assert pp.audit(alone(), read, "log(9)").leakage.ratio == 9


def test_compositions_and_post_processing_are_found_inside_others() -> None:
    nested = dp.c.make_composition([LAPLACE >> (lambda value: value), LAPLACE])
    total = LISTS >> dp.t.then_sum()
    chain = dp.c.make_chain_mt(
        dp.c.make_fix_delta(dp.c.make_fixed_approxDP_to_approxDP(dp.c.make_approximate(nested)), 0.0), total
    )
    read = pp.as_mechanism(chain, TWO)
    assert len(read.parts) == 2
    assert pp.audit(alone(), read, "2").verdict.value == "SATISFIES"
    assert pp.audit(alone(), read, "1").verdict.value == "UNDECIDED"


def test_noise_and_tables_together_are_refused() -> None:
    first = dp.c.make_chain_mt(dp.m.make_laplace(*NUMBER, scale=1.0), dp.t.make_sum(*LISTS))
    scores = dp.t.make_quantile_score_candidates(*LISTS, candidates=[0, 5], alpha=0.5)
    second = dp.c.make_chain_mt(
        dp.m.make_noisy_max(scores.output_domain, scores.output_metric, dp.max_divergence(), scale=1.0), scores
    )
    with pytest.raises(pp.ModelError, match="a composition of noise and of listed outputs"):
        pp.as_mechanism(dp.c.make_composition([first, second]), TWO)


def test_draws_that_a_composition_shares_are_refused_and_its_own_are_mixed() -> None:
    """`resize` keeps one record of two. Before a composition it draws once, inside twice."""
    lists = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 1))), dp.symmetric_distance()
    resize = dp.t.make_resize(*lists, size=1, constant=0)
    scores = resize >> dp.t.then_quantile_score_candidates(candidates=[0, 1], alpha=0.5)
    maximum = dp.m.make_noisy_max(scores.output_domain, scores.output_metric, dp.max_divergence(), scale=1.0)
    shared = dp.c.make_chain_mt(dp.c.make_composition([maximum, maximum]), scores)
    with pytest.raises(pp.ModelError, match="make_resize of OpenDP draws once for all"):
        pp.as_mechanism(shared, {"x": [0, 1]})
    pp.as_mechanism(shared, {"x": [0, 0]})
    own = dp.c.make_composition([scores >> maximum, scores >> maximum])
    exact = law(pp.as_mechanism(own, {"x": [0, 1]}).value, "x")
    expect_frequencies(lambda: ",".join(map(str, own([0, 1]))), exact)


def test_a_sample_of_a_population_is_the_mixture_over_all_samples() -> None:
    lists = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 3)), size=2), dp.symmetric_distance()
    scores = dp.t.make_quantile_score_candidates(*lists, candidates=[0, 1, 2], alpha=0.5)
    maximum = scores >> dp.m.then_noisy_max(dp.max_divergence(), scale=2.0)
    amplified = dp.c.make_population_amplification(maximum, 4)
    population = [0, 1, 3, 3]
    read = pp.as_mechanism(amplified, {"x": population})
    with pytest.raises(pp.ModelError, match="OpenDP draws no sample itself"):
        pp.agrees(amplified, read)
    assert "a simple sample of 2 of a population of 4" in str(read)
    exact, share = law(read.value, "x"), Fraction(1, 12)
    by_hand = dict.fromkeys(exact, 0.0)
    for sample in permutations(population, 2):
        for output, mass in law(pp.as_mechanism(maximum, {"y": list(sample)}).value, "y").items():
            by_hand[output] += float(share) * mass
    assert exact == pytest.approx(by_hand, rel=1e-12)


def test_a_sample_of_a_population_is_no_sample_and_has_no_noise() -> None:
    total = LISTS >> dp.t.then_sum() >> dp.m.then_laplace(scale=1.0)
    amplified = dp.c.make_population_amplification(total, 4)
    with pytest.raises(pp.ModelError, match="expected a list of 4 records, found"):
        pp.as_mechanism(amplified, {"x": [1, 2]})
    with pytest.raises(pp.ModelError, match="draws what noise is added to"):
        pp.as_mechanism(amplified, {"x": [1, 2, 3, 4]})
    assert pp.as_mechanism(amplified, {"x": [1, 1, 1, 1]}).value.values == {"x": (2,)}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (
            lambda: dp.c.make_adaptive_composition(*NUMBER, dp.max_divergence(), d_in=1, d_mids=[1.0, 1.0]),
            "make_adaptive_composition of OpenDP, which answers questions",
        ),
        (
            lambda: dp.c.make_fully_adaptive_composition(*NUMBER, dp.max_divergence()),
            "make_fully_adaptive_composition of OpenDP, which answers questions",
        ),
        (
            lambda: dp.c.make_privacy_filter(
                dp.c.make_fully_adaptive_composition(*NUMBER, dp.max_divergence()), 1, 1.0
            ),
            "make_privacy_filter of OpenDP, which answers questions",
        ),
        (
            lambda: dp.c.make_select_private_candidate(
                LAPLACE >> (lambda value: (float(value), value)), stop_probability=0.5, threshold=0.0
            ),
            "make_select_private_candidate of OpenDP, which runs its measurement",
        ),
        (
            lambda: dp.c.make_composition(
                [
                    LAPLACE,
                    dp.m.make_user_measurement(*NUMBER, dp.max_divergence(), lambda value: value, lambda distance: 0.0),
                ]
            ),
            "make_user_measurement of OpenDP, which is a function of its user",
        ),
    ],
    ids=["adaptive", "odometer", "filter", "selection", "user's inside"],
)
def test_what_is_no_law_of_its_argument_is_refused_by_name(made: Any, words: str) -> None:
    with pytest.raises(pp.ModelError, match=words):
        pp.as_mechanism(made(), COUNTS)
