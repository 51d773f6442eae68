"""Noise of OpenDP: Laplace and Gaussian noise, on floats and on integers, and canonical noise."""

from collections.abc import Mapping
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader, expect_fine, is_pure, range_of, taken_if_listed
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.densities import canonical, of_numbers


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


def _canonical(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Drawn:
    name = "make_canonical_noise of OpenDP"
    level = parameters.level("epsilon", given["d_out"][0])
    delta = parameters.number("delta", given["d_out"][1])
    step = parameters.number("d_in", given["d_in"])
    if not delta:
        raise ModelError(
            f"cannot read {name} of delta 0, whose every draw ends the process up to 0.16.0: "
            "expected a delta above 0, such as 1e-30, or make_laplace",
            "mechanism",
        )
    ratio = level.ratio
    if ratio is None:
        raise ModelError(
            f"cannot read {name}, whose noise ends at an irrational number unless e^epsilon is "
            'rational: expected exactly={"epsilon": "log(R)"} with a rational R that rounds to it, '
            "such as log(3)",
            "mechanism",
        )
    if not step:
        raise ModelError(f"{name} of d_in 0 adds no noise: expected d_in above 0", "mechanism")
    return Drawn(lambda values: of_numbers(values, lambda value: canonical(value, ratio, delta, step)))


READERS: dict[str, Reader] = {
    "make_laplace": _laplace,
    "make_geometric": _laplace,
    "make_noise": _noise,
    "make_gaussian": _gaussian,
    "make_canonical_noise": _canonical,
}
