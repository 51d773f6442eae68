"""Chains of OpenDP: the records themselves go through the transformations, and draws of these are
part of the law, or refused.
"""

from itertools import permutations
from math import isclose, nan
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import expect_frequencies, law

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.opendp.measurements import outcomes, steps_of

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")

BY_CHANGE, ORDERED = dp.symmetric_distance(), dp.insert_delete_distance()
NUMBER = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
NUMBERS = dp.vector_domain(dp.atom_domain(T=float, nan=False)), BY_CHANGE
WHOLE = dp.vector_domain(dp.atom_domain(T=int)), BY_CHANGE
TENS = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 10))), BY_CHANGE
NOISE = dp.m.then_laplace(scale=1.0)


def ten_times() -> Any:
    return dp.t.make_lipschitz_float_mul(*NUMBER, constant=10.0, bounds=(0.0, 1.0)) >> NOISE


def clamped_sum() -> Any:
    return NUMBERS >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum() >> NOISE


def resized(size: int, then: Any) -> Any:
    return dp.t.make_resize(*TENS, size=size, constant=0) >> then


def leakage(chain: Any, inputs: Any, query: str | None = None) -> str:
    """Return what a chain leaks about the first record, or about which of two databases it is."""
    if isinstance(inputs, pp.Records):
        share = [f"1/{len(inputs.alphabet)}"] * len(inputs.alphabet)
        secrets = {value: (1, value) for value in inputs.alphabet}
        independent = pp.Product([share] * inputs.count)
        framework = pp.Framework.of_records(inputs, secrets, "disjoint", {"theta": independent})
    else:
        even = pp.Table(dict.fromkeys(inputs, "1/2"))
        secrets = {label: [label] for label in inputs}
        framework = pp.Framework(list(inputs), secrets, "disjoint", {"theta": even})
    return str(pp.audit(framework, pp.as_mechanism(chain, inputs, query)).leakage)


@pytest.mark.parametrize(
    ("chain", "inputs", "query", "leak"),
    [
        (ten_times(), pp.Records(1, ("0", "1")), "sum", "≈ 10 nats"),
        (ten_times(), {"x": 0.0, "y": 1.0}, None, "≈ 10 nats"),
        (clamped_sum(), pp.Records(2, ("0", "9")), None, "≈ 1 nats"),
        (clamped_sum(), {"x": [0.0, 0.5], "y": [9.0, 0.5]}, None, "≈ 1 nats"),
        (NUMBERS >> dp.t.then_count() >> NOISE, pp.Records(2, ("0", "9")), None, "0"),
        (resized(1, dp.t.then_sum() >> NOISE), {"x": [10], "y": [0]}, None, "≈ 10 nats"),
        (resized(1, dp.t.then_sum() >> NOISE), {"x": [9, 9], "y": []}, None, "≈ 9 nats"),
        (resized(1, dp.t.then_count() >> NOISE), {"x": [10, 0], "y": [0, 0]}, None, "0"),
        (dp.m.make_laplace(*WHOLE[:1], dp.l1_distance(T=int), scale=1.0), pp.Records(2, ("0", "3")), None, "≈ 3 nats"),
    ],
)
def test_the_records_themselves_go_through_the_chain(chain: Any, inputs: Any, query: str | None, leak: str) -> None:
    assert leakage(chain, inputs, query) == leak


def test_a_selection_gets_the_records_or_their_histogram() -> None:
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    chosen = dp.m.make_noisy_max(*scores, dp.max_divergence(), scale=1.0)
    records = pp.Records(2, ("0", "3"))
    alone = pp.as_mechanism(chosen, records).value
    counts = pp.as_mechanism(chosen, records, "histogram").value
    lists = pp.as_mechanism(chosen, {"3,0": [3, 0], "0,3": [0, 3], "1,1": [1, 1]}).value
    assert law(alone, "03") == law(lists, "0,3")
    assert law(counts, "03") == law(lists, "1,1")


RESIZE = dp.t.make_resize(*WHOLE, size=2, constant=7)
TO_ORDERED = dp.t.make_resize(*WHOLE, size=3, constant=7, MO="InsertDeleteDistance")
CUT = dp.t.make_resize(WHOLE[0], ORDERED, size=2, constant=7)


@pytest.mark.parametrize(
    ("transformation", "argument"),
    [
        (RESIZE, [1, 2, 3]),
        (RESIZE, [1, 1, 3]),
        (RESIZE, [4]),
        (TO_ORDERED, [1, 2]),
        (TO_ORDERED, [1, 7]),
        (CUT, [1, 2, 3]),
        (dp.t.make_ordered_random(*WHOLE), [1, 2, 2]),
        (dp.t.make_ordered_random(*WHOLE), []),
        (dp.t.make_bounded_float_checked_sum(1, (0.0, 10.0)), [0.0, 10.0, 10.0]),
        (dp.t.make_bounded_float_checked_sum(3, (0.0, 10.0)), [0.0, 10.0, 10.0]),
    ],
)
def test_outcomes_are_those_the_library_draws(transformation: Any, argument: list[Any]) -> None:
    found = outcomes(steps_of(transformation), argument)
    exact = {str(value): float(share) for share, value in found}
    assert sum(share for share, _ in found) == 1
    expect_frequencies(lambda: transformation(list(argument)), exact)


def scored_sample() -> tuple[Any, Any]:
    scores = dp.t.make_quantile_score_candidates(
        dp.vector_domain(dp.atom_domain(T=int), size=2), BY_CHANGE, candidates=[0, 5], alpha=0.5
    )
    rest = scores >> dp.m.then_noisy_max(dp.max_divergence(), scale=1.0)
    return RESIZE >> rest, rest


def test_the_law_of_a_selection_is_the_mixture_over_draws() -> None:
    chain, rest = scored_sample()
    values = [0, 1, 9, 9]
    read = pp.as_mechanism(chain, {"x": values})
    exact = law(read.value, "x")
    pairs = {str(place): list(each[:2]) for place, each in enumerate(permutations(values))}
    each = pp.as_mechanism(rest, pairs).value
    for output, probability in exact.items():
        mean = sum(law(each, place)[output] for place in pairs) / len(pairs)
        assert isclose(probability, mean, rel_tol=1e-12)
    expect_frequencies(lambda: chain(values), exact)
    assert read.notes == ("the draws of make_resize are part of its law",)


UNKNOWN = dp.t.make_user_transformation(*WHOLE, *NUMBER, lambda values: 0.0, lambda change: 0.0)
IMPUTED = dp.t.make_impute_uniform_float(dp.vector_domain(dp.atom_domain(T=float)), BY_CHANGE, (0.0, 1.0))
HUGE = NUMBERS >> dp.t.then_clamp((-1e305, 1e305)) >> dp.t.then_sum()


@pytest.mark.parametrize(
    ("chain", "inputs", "query", "message"),
    [
        (resized(1, dp.t.then_sum() >> NOISE), {"x": [10, 0]}, None, "make_resize .* draws what"),
        (
            IMPUTED >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum() >> NOISE,
            {"x": [nan]},
            None,
            "draws a number instead of NaN",
        ),
        (UNKNOWN >> NOISE, {"x": [1]}, None, "make_user_transformation, which may draw"),
        (HUGE >> NOISE, {"x": [1.0]}, None, "shuffles floats of such bounds"),
        (clamped_sum(), pp.Records(2, ("0", "9")), "sum", "takes a list .*leave query out"),
        (clamped_sum(), pp.Records(2, ("a", "b")), None, "expected a number"),
        (clamped_sum(), pp.Records(40, ("0", "1")), None, "databases"),
        (clamped_sum(), {"x": 1.0}, None, 'inputs."x".*does not take 1.0'),
        (clamped_sum(), {"x": ["a"]}, None, "does not take"),
        (ten_times(), pp.Records(2, ("0", "1")), None, "expected query="),
        (ten_times(), pp.Records(2, ("0", "1")), "histogram", "takes one number"),
        (ten_times(), pp.Records(2, ("0", "1")), "median", "query"),
        (WHOLE >> dp.t.then_count() >> NOISE, pp.Records(2, ("0", "1/2")), None, "expected an integer"),
        (
            dp.t.make_count(dp.vector_domain(dp.atom_domain(T=bool)), BY_CHANGE) >> NOISE,
            pp.Records(2, ("0", "2")),
            None,
            "of type bool",
        ),
        (
            dp.t.make_ordered_random(*WHOLE) >> dp.t.make_unordered(WHOLE[0], ORDERED) >> dp.t.then_count() >> NOISE,
            {"x": list(range(9))},
            None,
            "more than 5000 outcomes",
        ),
    ],
)
def test_what_is_not_read_is_one_line(chain: Any, inputs: Any, query: str | None, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(chain, inputs, query)
    assert "\n" not in str(caught.value)
