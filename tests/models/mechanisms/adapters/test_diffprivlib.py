"""Mechanisms of diffprivlib: exact laws against what the library draws, and audits of them."""

from fractions import Fraction
from math import exp, isclose, log
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given
from tests import examples
from tests.models.mechanisms.adapters.laws import COUNTS, FRAMEWORK, RECORDS, expect_frequencies, law, leakage_approx

import pufferproof as pp
from pufferproof.models.channel import Channel
from pufferproof.models.mechanisms.adapters import diffprivlib
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.sequences.local import LocalMechanism

dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
HIERARCHY = [["a", "b"], ["c"]]
UTILITIES = [("a", "b", 1.0), ("a", "c", 2.0), ("b", "c", 2.0)]


@pytest.mark.parametrize(
    ("mechanism", "argument"),
    [
        (dl.Binary(epsilon=1, value0="0", value1="1", random_state=1), "1"),
        (dl.GeometricTruncated(epsilon=0.7, sensitivity=2, lower=0, upper=3, random_state=2), 1),
        (dl.GeometricTruncated(epsilon=0.7, lower=-1, upper=1, random_state=3), 5),
        (dl.GeometricFolded(epsilon=0.5, lower=0, upper=3, random_state=4), 1),
        (dl.GeometricFolded(epsilon=0.5, lower=-0.5, upper=2.5, random_state=5), 4),
        (dl.ExponentialCategorical(epsilon=2, utility_list=UTILITIES, random_state=6), "a"),
        (dl.ExponentialHierarchical(epsilon=2, hierarchy=HIERARCHY, random_state=7), "c"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_laws_are_those_the_library_draws(mechanism: Any, argument: Any) -> None:
    table = pp.as_mechanism(mechanism, {"x": argument}).value
    expect_frequencies(lambda: mechanism.randomise(argument), law(table, "x"))


@pytest.mark.parametrize(
    "mechanism",
    [
        dl.Exponential(epsilon=1, sensitivity=0.5, utility=[0, 1, 0.25], random_state=1),
        dl.Exponential(
            epsilon=1,
            sensitivity=1,
            utility=[0, 2],
            candidates=["no", "yes"],
            measure=[3, 1],
            monotonic=True,
            random_state=2,
        ),
        dl.PermuteAndFlip(epsilon=1, sensitivity=1, utility=[0, 1, 3], random_state=3),
        dl.PermuteAndFlip(epsilon=1, sensitivity=1, utility=[2, 2, 0], monotonic=True, random_state=4),
    ],
    ids=lambda each: type(each).__name__,
)
def test_laws_of_selection_are_those_the_library_draws(mechanism: Any) -> None:
    table = pp.as_mechanism({"x": mechanism}).value
    expect_frequencies(mechanism.randomise, law(table, "x"))


def test_laplace_noise_has_the_scale_that_the_library_draws_with() -> None:
    mechanism = dl.Laplace(epsilon=0.5, sensitivity=3, random_state=1)
    noise = pp.as_mechanism(mechanism, {"x": 0}).value.noise
    assert noise == pp.Noise.laplace(6)
    shares = sum(abs(mechanism.randomise(0)) > 6 for _ in range(3000)) / 3000
    assert abs(shares - exp(-1)) < 0.06


def test_geometric_noise_is_discrete_laplace_noise() -> None:
    query = pp.as_mechanism(dl.Geometric(epsilon=0.5, sensitivity=3), COUNTS).value
    assert query == pp.AdditiveNoise(COUNTS, pp.Noise.discrete_laplace(6))
    mechanism, q = dl.Geometric(epsilon=0.5, random_state=1), exp(-0.5)
    exact = {str(z): (1 - q) / (1 + q) * q ** abs(z) for z in range(-60, 61)}
    expect_frequencies(lambda: mechanism.randomise(0), exact)


@pytest.mark.parametrize("kind", [dl.Gaussian, dl.GaussianAnalytic])
def test_gaussian_noise_has_the_deviation_that_the_object_holds(kind: Any) -> None:
    mechanism = kind(epsilon=0.5, delta=0.01, sensitivity=1, random_state=1)
    noise = pp.as_mechanism(mechanism, RECORDS, "sum").value.noise
    assert isclose(float(noise.variance), mechanism._scale**2)
    exact = {"True": 0.3173105, "False": 0.6826895}
    expect_frequencies(lambda: abs(mechanism.randomise(0)) > mechanism._scale, exact)


@pytest.mark.parametrize(
    "mechanism",
    [
        dl.GeometricTruncated(epsilon=1, lower=0, upper=3),
        dl.GeometricFolded(epsilon=1, lower=0, upper=3),
        dl.GeometricFolded(epsilon=1, lower=-0.5, upper=1.5),
    ],
)
def test_audits_are_the_definition_in_floats(mechanism: Any) -> None:
    read = pp.as_mechanism(mechanism, COUNTS)
    found = pp.audit(FRAMEWORK, read).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(read.value), rel_tol=1e-9)
    assert pp.as_mechanism(mechanism, RECORDS, "sum").value.outputs == read.value.outputs


def test_audits_of_selection_are_the_definition_in_floats() -> None:
    for kind in (dl.Exponential, dl.PermuteAndFlip):
        own = {x: kind(epsilon=1, sensitivity=1, utility=[x.count("0"), x.count("1"), 1]) for x in FRAMEWORK.databases}
        read = pp.as_mechanism(own)
        found = pp.audit(FRAMEWORK, read).leakage.enclosure()
        assert isclose(float(found.lower), leakage_approx(read.value), rel_tol=1e-9)


def test_clamping_changes_no_leakage_where_values_lie_within() -> None:
    wide = pp.as_mechanism(dl.GeometricTruncated(epsilon=1, lower=0, upper=3), RECORDS, "sum")
    free = pp.as_mechanism(dl.Geometric(epsilon=1), RECORDS, "sum")
    laplace = dl.LaplaceTruncated(epsilon=1, sensitivity=1, lower=0, upper=3)
    clamped = pp.as_mechanism(laplace, RECORDS, "sum")
    ends = {str(pp.audit(FRAMEWORK, each).leakage) for each in (wide, free, clamped)}
    assert len(ends) == 1
    narrow = dl.LaplaceTruncated(epsilon=1, sensitivity=1, lower=0, upper=2)
    with pytest.raises(pp.ModelError, match="within its bounds 0 and 2, found 3"):
        pp.as_mechanism(narrow, RECORDS, "sum")
    with pytest.raises(pp.ModelError, match="within its bounds 0 and 2, found 3"):
        pp.as_mechanism(narrow, COUNTS)


def test_a_level_that_was_meant_makes_everything_rational() -> None:
    coin = dl.Binary(epsilon=log(3), value0="0", value1="1")
    read = pp.as_mechanism(coin, RECORDS, exactly={"epsilon": "log(3)"})
    assert isinstance(read.value, LocalMechanism)
    assert str(pp.audit(FRAMEWORK, read).leakage) == "log(6) ≈ 1.791759 nats"
    assert "epsilon read as log(3)" in str(pp.audit(FRAMEWORK, read))
    held = pp.as_mechanism(coin, RECORDS)
    assert isinstance(held.value, PowerTable)
    assert pp.audit(FRAMEWORK, held, "log(6)").verdict is not None
    clamped = dl.GeometricTruncated(epsilon=log(4), sensitivity=1, lower=0, upper=3)
    assert isinstance(pp.as_mechanism(clamped, COUNTS, exactly={"epsilon": "log(4)"}).value, Channel)


@examples(30)
@given(st.floats(1e-3, 20))
def test_a_float_may_be_said_to_be_the_decimal_it_is_written_as(epsilon: float) -> None:
    noise = dl.Laplace(epsilon=epsilon, sensitivity=1)
    read = pp.as_mechanism(noise, {"x": 0}, exactly={"epsilon": repr(epsilon)})
    held = pp.as_mechanism(noise, {"x": 0})
    assert held.value.noise == pp.Noise.laplace(1 / Fraction(epsilon))
    assert read.value.noise == pp.Noise.laplace(1 / pp.Level(repr(epsilon)).nats)


def test_roots_of_rationals_are_decided() -> None:
    own = {
        x: dl.Exponential(epsilon=log(3), sensitivity=1, utility=[x.count("0"), x.count("1")])
        for x in FRAMEWORK.databases
    }
    read = pp.as_mechanism(own, exactly={"epsilon": "log(3)"})
    assert isinstance(read.value, PowerTable)
    found = pp.audit(FRAMEWORK, read).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(read.value), rel_tol=1e-9)


def test_long_sequences_need_rational_probabilities() -> None:
    coin, many = dl.Binary(epsilon=log(3), value0="0", value1="1"), pp.Records(500, ("0", "1"))
    with pytest.raises(pp.ModelError, match="exactly="):
        pp.as_mechanism(coin, many)
    read = pp.as_mechanism(coin, many, exactly={"epsilon": "log(3)"})
    long = pp.Framework.of_records(many, {"s": (9, "0"), "t": (9, "1")}, "disjoint", {"c": CHAIN})
    assert str(pp.audit(long, read).leakage).startswith("≈ 2.")


CHAIN = pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])


@pytest.mark.parametrize(
    ("mechanism", "inputs", "exactly", "message"),
    [
        (dl.Bingham(epsilon=1), COUNTS, None, "cannot read diffprivlib Bingham"),
        (dl.Geometric(epsilon=1), RECORDS, None, "query"),
        (dl.Geometric(epsilon=1), None, None, "what the mechanism gets"),
        (dl.Geometric(epsilon=1, sensitivity=0), COUNTS, None, "sensitivity above 0"),
        (dl.Geometric(epsilon=float("inf")), COUNTS, None, "finite number"),
        (dl.Binary(epsilon=1, value0="0", value1="1"), {"x": "2"}, None, "expected one of '0'"),
        (dl.Geometric(epsilon=1), {"x": float("nan")}, None, "finite number"),
        (dl.Geometric(epsilon=1), {"x": 0.5}, None, "needs integers"),
        (dl.GeometricTruncated(epsilon=1, lower=0, upper=2), {"x": 0.5}, None, "an integer"),
        (dl.Geometric(epsilon=1), COUNTS, {"epsilon": "log(2)"}, "rounds to 1, which"),
        (dl.Geometric(epsilon=1), COUNTS, {"scale": "1"}, 'unknown parameter "scale"'),
        (dl.Exponential(epsilon=1, sensitivity=1, utility=[0, 1]), COUNTS, None, "database -> obj"),
        (dl.Exponential(epsilon=1, sensitivity=1, utility=[0, 1], measure=[-1, 3]), None, None, "at least 0"),
    ],
)
def test_what_cannot_be_read_is_one_line(mechanism: Any, inputs: Any, exactly: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(mechanism, inputs, exactly=exactly)
    assert "\n" not in str(caught.value)


def test_parameters_changed_after_the_object_was_made_are_refused() -> None:
    noise = dl.Geometric(epsilon=1)
    noise.epsilon = 0.1
    with pytest.raises(pp.ModelError, match="changed after"):
        pp.as_mechanism(noise, COUNTS)
    for kind in (dl.Exponential, dl.PermuteAndFlip):
        choice = kind(epsilon=1, sensitivity=1, utility=[0, 1])
        choice.epsilon = 0.1
        with pytest.raises(pp.ModelError, match="changed after"):
            pp.as_mechanism({"x": choice})


def test_a_subclass_of_somebody_else_is_refused() -> None:
    class Louder(dl.Geometric):  # type: ignore[misc]
        pass

    with pytest.raises(pp.ModelError, match=r"cannot read .*Louder"):
        pp.as_mechanism(Louder(epsilon=1), COUNTS)


def test_every_database_may_have_its_own_but_not_noise() -> None:
    with pytest.raises(pp.ModelError, match="noise on a number"):
        pp.as_mechanism({"x": dl.Geometric(epsilon=1)})
    with pytest.raises(pp.ModelError, match="every database has its own inputs: leave these out"):
        pp.as_mechanism({"x": dl.Exponential(epsilon=1, sensitivity=1, utility=[1])}, COUNTS)


def test_a_level_that_a_float_exceeds_by_its_rounding_is_said() -> None:
    """0.1 is 5.6e-18 above 1/10 as a float."""
    bits = {"0": 0, "1": 1}
    even = pp.Table({"0": "1/2", "1": "1/2"})
    framework = pp.Framework(["0", "1"], {"a": ["0"], "b": ["1"]}, [("a", "b")], {"theta": even})
    noise = dl.Laplace(epsilon=0.1, sensitivity=1)
    answer = pp.audit(framework, pp.as_mechanism(noise, bits), "0.1")
    assert answer.verdict is pp.Verdict.VIOLATES
    assert answer.source.endswith(
        "exceeded by 5.6e-18 nats: a float stands for its exact binary value, and exactly= takes "
        "the number that was meant"
    )
    meant = pp.as_mechanism(noise, bits, exactly={"epsilon": "0.1"})
    assert pp.audit(framework, meant, "0.1").verdict is pp.Verdict.SATISFIES
    assert "exceeded" not in pp.audit(framework, pp.as_mechanism(noise, bits), "0.09").source
    gaussian = pp.as_mechanism(dl.GaussianAnalytic(epsilon=1, delta=1e-5, sensitivity=1), bits)
    assert "of delta: a float" in pp.audit(framework, gaussian, "1", delta="0.00001").source


@pytest.mark.parametrize("version", ["0.5.2", "0.7.0", "1.0", ""])
def test_other_versions_are_refused(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diffprivlib, "version_of", lambda library: version)
    with pytest.raises(pp.ModelError, match=r"formulas of diffprivlib 0\.6 are read"):
        pp.as_mechanism(dl.Binary(epsilon=1, value0="0", value1="1"), RECORDS)
