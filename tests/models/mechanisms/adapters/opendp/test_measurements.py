"""Measurements of OpenDP: exact laws against what the library draws, privacy maps, and audits."""

from math import exp, isclose, log
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import COUNTS, FRAMEWORK, RECORDS, expect_frequencies, law, leakage_approx

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.opendp import measurements

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")
SCORES = (dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int))


def space(kind: type) -> tuple[Any, Any]:
    domain = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    return domain, dp.absolute_distance(T=kind)


@pytest.mark.parametrize(
    ("measurement", "argument", "inputs"),
    [
        (dp.m.make_randomized_response_bool(prob=0.75), True, "1"),
        (dp.m.make_randomized_response(categories=["a", "b", "c"], prob=0.5), "b", "b"),
        (dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=2.0), [0, 1, 3], [0, 1, 3]),
        (dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=2.0, negate=True), [0, 1, 3], [0, 1, 3]),
        (dp.m.make_noisy_max(*SCORES, dp.zero_concentrated_divergence(), scale=2.0), [0, 1, 3], [0, 1, 3]),
    ],
    ids=["bool", "categories", "noisy max", "negated", "Gumbel"],
)
def test_laws_are_those_the_library_draws(measurement: Any, argument: Any, inputs: Any) -> None:
    exact = law(pp.as_mechanism(measurement, {"x": inputs}).value, "x")
    named = {"False": "0", "True": "1"}
    expect_frequencies(lambda: named.get(str(out := measurement(argument)), out), exact)


@pytest.mark.parametrize(
    ("measurement", "beyond"),
    [
        (dp.m.make_laplace(*space(float), scale=2.0), exp(-1)),
        (dp.m.make_noise(*space(float), dp.max_divergence(), scale=2.0), exp(-1)),
        (dp.m.make_gaussian(*space(float), scale=2.0), 0.3173105),
        (dp.m.make_noise(*space(float), dp.zero_concentrated_divergence(), scale=2.0), 0.3173105),
    ],
)
def test_continuous_noise_exceeds_its_scale_as_often_as_its_law_says(measurement: Any, beyond: float) -> None:
    exact = {"True": beyond, "False": 1 - beyond}
    expect_frequencies(lambda: abs(measurement(0.0)) > 2, exact)


def test_noise_is_that_of_its_privacy_measure() -> None:
    pure, concentrated = dp.max_divergence(), dp.zero_concentrated_divergence()
    kinds = [
        pp.as_mechanism(dp.m.make_noise(*space(float), measure, scale=2.0), {"x": 1.0}).value.noise.kind
        for measure in (pure, concentrated)
    ]
    assert kinds == ["laplace", "gaussian"]


@pytest.mark.parametrize(
    ("measurement", "bounds"),
    [
        (dp.m.make_geometric(*space(int), scale=2.0), None),
        (dp.m.make_geometric(*space(int), scale=2.0, bounds=(0, 3)), (0, 3)),
        (dp.m.make_laplace(*space(int), scale=2.0), None),
        (dp.m.make_noise(*space(int), dp.max_divergence(), scale=2.0), None),
    ],
    ids=["geometric", "bounds", "laplace", "noise"],
)
def test_integer_noise_is_discrete_laplace_noise(measurement: Any, bounds: Any) -> None:
    read = pp.as_mechanism(measurement, COUNTS)
    assert read.value == pp.AdditiveNoise(COUNTS, pp.Noise.discrete_laplace(2))
    q = exp(-0.5)
    mass = (1 - q) / (1 + q)
    exact = {str(z): mass * q ** abs(z - 1) for z in range(-60, 63)}
    if bounds:
        exact = {"1": mass, "2": mass * q, "0": q / (1 + q), "3": q**2 / (1 + q)}
    expect_frequencies(lambda: measurement(1), exact)


def test_noise_on_integers_is_discrete_and_on_floats_is_not() -> None:
    kinds = [
        pp.as_mechanism(dp.m.make_laplace(*space(kind), scale=2.0), {"x": kind(1)}).value.noise for kind in (int, float)
    ]
    assert kinds == [pp.Noise.discrete_laplace(2), pp.Noise.laplace(2)]


@pytest.mark.parametrize("scale", [0.5, 2.0, 3.7])
def test_privacy_maps_are_the_level_of_independent_records(scale: float) -> None:
    measurement = dp.m.make_laplace(*space(int), scale=scale)
    alone = pp.Framework.of_records(
        RECORDS, {"x1=0": (1, "0"), "x1=1": (1, "1")}, "disjoint", {"independent": pp.Product([["1/2", "1/2"]] * 3)}
    )
    found = pp.audit(alone, pp.as_mechanism(measurement, RECORDS, "sum")).leakage.enclosure()
    assert isclose(float(found.lower), measurement.map(1), rel_tol=1e-9)


def test_vectors_get_noise_at_every_coordinate() -> None:
    vectors = (dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int))
    inputs = {x: [x.count("0"), x.count("1")] for x in FRAMEWORK.databases}
    read = pp.as_mechanism(dp.m.make_laplace(*vectors, scale=2.0), inputs).value
    assert read == pp.AdditiveNoise(inputs, pp.Noise.discrete_laplace(2))


def test_gaussian_noise_on_floats() -> None:
    floats = {x: float(count) for x, count in COUNTS.items()}
    read = pp.as_mechanism(dp.m.make_gaussian(*space(float), scale=2.5), floats).value
    assert read.noise == pp.Noise.gaussian("5/2")


def test_gaussian_noise_on_integers_is_discrete() -> None:
    measurement = dp.m.make_gaussian(*space(int), scale=2.5)
    read = pp.as_mechanism(measurement, COUNTS).value
    assert read.noise == pp.Noise.discrete_gaussian("25/4")
    weights = {z: exp(-z * z / 12.5) for z in range(-30, 31)}
    exact = {str(z): weight / sum(weights.values()) for z, weight in weights.items()}
    expect_frequencies(lambda: measurement(0), exact)


def test_wide_noise_on_few_integers_is_refused() -> None:
    with pytest.raises(pp.ModelError, match="reaches the bounds"):
        pp.as_mechanism(dp.m.make_gaussian(*space(int), scale=1e5), COUNTS)


def test_audits_are_the_definition_in_floats() -> None:
    measurement = dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=1.0)
    scores = {x: [x.count("0"), x.count("1"), 1] for x in FRAMEWORK.databases}
    read = pp.as_mechanism(measurement, scores)
    found = pp.audit(FRAMEWORK, read).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(read.value), rel_tol=1e-9)


def test_numbers_that_were_meant() -> None:
    measurement = dp.m.make_laplace(*space(int), scale=1 / log(3))
    read = pp.as_mechanism(measurement, RECORDS, "sum", exactly={"scale": "1/log(3)"})
    assert str(pp.audit(FRAMEWORK, read).leakage) == "log(6) ≈ 1.791759 nats"
    response = dp.m.make_randomized_response_bool(prob=0.9)
    read = pp.as_mechanism(response, RECORDS, exactly={"prob": "9/10"})
    assert read.value.channel().probability("000", "000") == pp.Level.log("729/1").ratio / 1000


@pytest.mark.parametrize(
    ("measurement", "inputs", "exactly", "message"),
    [
        (dp.m.make_laplace(*space(int), scale=0.0), COUNTS, None, "scale above 0"),
        (dp.m.make_laplace(*space(float), scale=1.0, k=-3), COUNTS, None, "k=None"),
        (dp.m.make_laplace(*space(int), scale=1.0), COUNTS, {"scale": "2"}, "rounds to 1"),
        (dp.m.make_laplace(*space(int), scale=1.0), COUNTS, {"scale": "two"}, "exactly.scale"),
        (dp.m.make_laplace(*space(int), scale=1.0), {"x": 0.5}, None, "needs integers"),
        (dp.m.make_laplace(*space(int), scale=1.0), {"x": float("nan")}, None, "finite"),
        (dp.m.make_randomized_response_bool(prob=0.75), {"x": "2"}, None, "True or False"),
        (dp.m.make_geometric(*space(int), scale=1.0, bounds=(0, 2)), COUNTS, None, "within its bounds 0 and 2"),
        (
            dp.m.make_laplace(dp.atom_domain(T="u32"), dp.absolute_distance(T="u32"), scale=1.0),
            {"x": -1},
            None,
            "within its bounds 0 and 4294967295",
        ),
        (
            dp.m.make_laplace(dp.atom_domain(T="f32", nan=False), dp.absolute_distance(T="f32"), scale=1.0),
            {"x": 0.1},
            None,
            "cannot read noise on f32",
        ),
        (dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=1.0), {"x": "12"}, None, "a list"),
        (dp.m.make_noisy_max(*SCORES, dp.max_divergence(), scale=1.0), {"x": []}, None, "a list"),
        (
            dp.m.make_user_measurement(*space(int), dp.max_divergence(), lambda value: value, lambda distance: 0.0),
            COUNTS,
            None,
            "cannot read make_user_measurement of OpenDP, which is a function of its user",
        ),
        (dp.t.make_identity(*space(int)), COUNTS, None, "without its constructor"),
    ],
)
def test_what_cannot_be_read_is_one_line(measurement: Any, inputs: Any, exactly: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(measurement, inputs, exactly=exactly)
    assert "\n" not in str(caught.value)


def test_a_measurement_given_to_an_audit_is_told_the_way() -> None:
    with pytest.raises(pp.ModelError, match="as_mechanism reads it"):
        pp.audit(FRAMEWORK, dp.m.make_randomized_response_bool(prob=0.75))


@pytest.mark.parametrize("version", ["0.14.0", "0.14.1", "0.13.0", "0.9.2"])
def test_versions_that_draw_wrongly_are_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "version_of", lambda library: version)
    with pytest.raises(pp.ModelError, match=r"expected opendp>=0\.14\.2"):
        pp.as_mechanism(dp.m.make_laplace(*space(int), scale=1.0), COUNTS)


@pytest.mark.parametrize("version", ["0.14.2", "0.15.0.dev20250101001", "1.0.0"])
def test_other_versions_are_read(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurements, "version_of", lambda library: version)
    assert pp.as_mechanism(dp.m.make_laplace(*space(int), scale=1.0), COUNTS)


def test_a_question_to_a_context_is_resolved() -> None:
    context = dp.Context.compositor(
        data=[1, 2, 3],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=2,
        domain=dp.vector_domain(dp.atom_domain(T=int)),
    )
    query = context.query().clamp((0, 10)).sum().laplace()
    read = pp.as_mechanism(query, {"x": [1, 30]})
    assert read == pp.as_mechanism(query.resolve(), {"x": [1, 30]})
    assert read.value == pp.AdditiveNoise({"x": 11}, pp.Noise.discrete_laplace(20))
    with pytest.raises(pp.ModelError, match=r"resolve\(\) gives no measurement .*a finished query"):
        pp.as_mechanism(context.query().clamp((0, 10)), {"x": [1]})
