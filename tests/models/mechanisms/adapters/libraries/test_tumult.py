"""Noise of Tumult Core: objects of its shape, and its own where it is installed."""

from fractions import Fraction
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.models.mechanisms.adapters import libraries as tumult

BITS = {"0": 0, "1": 1}


class Exact:
    """A number as Tumult Core holds it: the next float above."""

    def __init__(self, value: float) -> None:
        self.value = value

    def to_float(self, round_up: bool) -> float:
        assert round_up
        return self.value


def made(name: str, module: str = "tmlt.core.measurements.noise_mechanisms", **given: Any) -> Any:
    kind = type(name, (), {"__module__": module, "__call__": lambda self, value: value})
    measurement = kind()
    for each, value in given.items():
        setattr(measurement, each, Exact(value))
    return measurement


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tumult, "version_of", lambda library: "0.20.0")


@pytest.mark.parametrize(
    ("measurement", "noise"),
    [
        (made("AddLaplaceNoise", scale=1.5), pp.Noise.laplace("3/2")),
        (made("AddLaplaceNoise", scale=0.1), pp.Noise.laplace(Fraction(0.1))),
        (made("AddGeometricNoise", alpha=3.0), pp.Noise.discrete_laplace(3)),
        (made("AddDiscreteGaussianNoise", sigma_squared=2.0), pp.Noise.discrete_gaussian(2)),
        (made("AddGaussianNoise", sigma_squared=2.25), pp.Noise.gaussian("3/2")),
    ],
)
def test_noise_is_that_of_the_numbers_held(measurement: Any, noise: pp.Noise) -> None:
    assert pp.as_mechanism(measurement, BITS).value == pp.AdditiveNoise(BITS, noise)


@pytest.mark.parametrize(
    ("measurement", "message"),
    [
        (made("AddLaplaceNoise", scale=0.0), "above 0"),
        (made("AddLaplaceNoise", scale=float("inf")), "finite number"),
        (made("AddGaussianNoise", sigma_squared=2.0), "the square of a number"),
        (made("Composition"), "cannot read a Tumult Core Composition"),
        (made("AddLaplaceNoise", "tmlt.analytics", scale=1.0), "cannot read a Tumult Core"),
    ],
)
def test_what_cannot_be_read_is_one_line(measurement: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(measurement, BITS)
    assert "\n" not in str(caught.value)


def test_the_number_that_was_meant_is_given_exactly() -> None:
    measurement = made("AddLaplaceNoise", scale=0.1)
    read = pp.as_mechanism(measurement, BITS, exactly={"scale": "1/10"})
    assert read.value == pp.AdditiveNoise(BITS, pp.Noise.laplace("1/10"))
    assert "scale read as 1/10" in read.audited


def test_draws_of_the_library_agree() -> None:
    own: Any = pytest.importorskip(tumult._MODULE, exc_type=ImportError)
    domains: Any = pytest.importorskip("tmlt.core.domains.numpy_domains", exc_type=ImportError)
    for measurement in (
        own.AddLaplaceNoise(domains.NumpyFloatDomain(), "3/2"),
        own.AddGeometricNoise(3),
        own.AddDiscreteGaussianNoise(4),
        own.AddGaussianNoise(domains.NumpyFloatDomain(), "9/4"),
    ):
        found = pp.agrees(measurement, pp.as_mechanism(measurement, BITS), draws=4000)
        assert found.verdict == "nothing found"
