"""Noisy counts of keys of OpenDP, shown from a threshold on: every key of the argument gets noise
of its own, and keys whose noisy value is below the threshold are left out.

A key with the threshold itself is shown (https://github.com/opendp/opendp/issues/2922: its
probability is missing in the delta that versions up to 0.16 claim).
"""

from collections.abc import Mapping
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader, expect_fine, integers_of
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.noise.additive import Noise

_PURE = "MaxDivergence"


def _laplace(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    return _keyed("laplace", measurement, given, parameters)


def _gaussian(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    return _keyed("gaussian", measurement, given, parameters)


def _noise(measurement: Any, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    pure = _PURE in str(measurement.output_measure)
    return _keyed("laplace" if pure else "gaussian", measurement, given, parameters)


def _keyed(kind: str, measurement: Any, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    expect_fine(given)
    values = str(measurement.input_carrier_type).removesuffix(">").rpartition(",")[2].strip()
    threshold = finite("threshold", given["threshold"])
    if threshold < 0:
        raise ModelError("expected a threshold of at least 0", "threshold")
    if values != "f64" and not (values[:1] in ("i", "u") and values[1:].isdigit()):
        raise unsupported(f"noise on {values}", ["noise on integers or f64"], "mechanism")
    scale = parameters.number("scale", given["scale"])
    if values == "f64":
        law = Noise.gaussian if kind == "gaussian" else Noise.laplace
        return Additive(law(scale), threshold=threshold)
    parameter = scale * scale if kind == "gaussian" else scale
    within = integers_of(values)
    if threshold > within[1]:
        raise ModelError(f"expected a threshold of type {values}", "threshold")
    noise = Noise.discrete_gaussian if kind == "gaussian" else Noise.discrete_laplace
    return Additive(noise(parameter), within, threshold=threshold)


READERS: dict[str, Reader] = {
    "make_laplace_threshold": _laplace,
    "make_gaussian_threshold": _gaussian,
    "make_noise_threshold": _noise,
}
