"""Noise of PyDP, PipelineDP and SmartNoise: objects of their shape."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.mechanisms.adapters import libraries as additive

BITS = {"0": 0, "1": 1}
VERSIONS = {"pydp": "1.1.5", "pipeline_dp": "0.3.1", "snsql": "1.0.10", "opendp": "0.14.2"}


def made(package: str, name: str, **given: Any) -> Any:
    kind: Any = type(name, (SimpleNamespace,), {"__module__": f"{package}.mechanisms"})
    return kind(**given)


@pytest.mark.parametrize(
    ("mechanism", "noise"),
    [
        (made("pydp", "LaplaceMechanism", diversity=1.5), pp.Noise.laplace("3/2")),
        (made("pydp", "GaussianMechanism", std=0.5), pp.Noise.gaussian("1/2")),
        (made("pipeline_dp", "LaplaceMechanism", noise_parameter=2.0), pp.Noise.laplace(2)),
        (made("pipeline_dp", "GaussianMechanism", std=2), pp.Noise.gaussian(2)),
        (made("snsql", "Laplace", scale=4.0), pp.Noise.laplace(4)),
        (made("snsql", "Gaussian", scale=4.0), pp.Noise.gaussian(4)),
    ],
)
def test_noise_is_that_of_the_number_held(mechanism: Any, noise: pp.Noise, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additive, "version_of", VERSIONS.get)
    assert pp.as_mechanism(mechanism, BITS).value == pp.AdditiveNoise(BITS, noise)


def test_draws_are_taken_as_each_library_gives_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The right scale is 3/2; with 3 the draws disagree."""
    monkeypatch.setattr(additive, "version_of", VERSIONS.get)
    random = np.random.default_rng(1)

    def noisy(value: float) -> float:
        return value + float(random.laplace(scale=1.5))

    def answers(values: list[float]) -> list[float]:
        return [noisy(value) for value in values]

    for package, name, held, method in (
        ("pydp", "LaplaceMechanism", "diversity", {"add_noise": noisy}),
        ("pipeline_dp", "LaplaceMechanism", "noise_parameter", {"add_noise": noisy}),
        ("snsql", "Laplace", "scale", {"release": answers}),
    ):
        for scale, verdict in ((1.5, "nothing found"), (3.0, "disagrees")):
            mechanism = made(package, name, **{held: scale}, **method)
            read = pp.as_mechanism(mechanism, BITS)
            assert pp.agrees(mechanism, read, draws=3000, seconds=60.0).verdict == verdict


def test_what_cannot_be_read_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(additive, "version_of", VERSIONS.get)
    for mechanism, message in (
        (made("pydp", "BoundedMean"), "cannot read pydp BoundedMean, expected one of: Laplace"),
        (made("pydp", "GaussianMechanism", std=0.0), "above 0"),
        (made("snsql", "Laplace", scale=None), "scale"),
    ):
        with pytest.raises(pp.ModelError, match=message):
            pp.as_mechanism(mechanism, BITS)
    monkeypatch.setattr(additive, "version_of", {**VERSIONS, "opendp": "0.14.0"}.get)
    with pytest.raises(pp.ModelError, match="divide wrongly"):
        pp.as_mechanism(made("snsql", "Laplace", scale=4.0), BITS)
