"""Noise of OpenDP: Laplace and Gaussian noise, on floats and on integers."""

from collections.abc import Mapping
from typing import Any

from pufferproof.models.mechanisms.adapters.kernels import Additive
from pufferproof.models.mechanisms.adapters.opendp.calls import (
    Reader,
    expect_fine,
    is_pure,
    range_of,
    taken_if_listed,
)
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.noise.additive import Noise


def _laplace(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    expect_fine(given)
    within = range_of(measurement)
    kind = "laplace" if within is None else "discrete_laplace"
    noise = parameters.scale("scale", given["scale"], kind)
    if given.get("bounds") is not None:
        least, most = (finite("bounds", bound) for bound in given["bounds"])
        within = least, most
    return Additive(noise, within, taken=taken_if_listed(measurement))


def _noise(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    if is_pure(measurement):
        return _laplace(measurement, given, parameters)
    return _gaussian(measurement, given, parameters)


def _gaussian(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    expect_fine(given)
    scale, within = parameters.number("scale", given["scale"]), range_of(measurement)
    noise = Noise.gaussian(scale) if within is None else Noise.discrete_gaussian(scale * scale)
    if within is not None:
        parameters.note("the ends of its type, where outputs stay, are read as out of reach")
    return Additive(noise, within, taken=taken_if_listed(measurement))


READERS: dict[str, Reader] = {
    "make_laplace": _laplace,
    "make_geometric": _laplace,
    "make_noise": _noise,
    "make_gaussian": _gaussian,
}
