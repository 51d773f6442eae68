"""Measurements of OpenDP, from the call that made them.

A measurement hides its parameters behind a function and a privacy map. Since version 0.13 Python
keeps the call that made it, constructor and arguments, and that is what is read; a measurement
that was made in Rust, or came through `make_user_measurement`, cannot be.

| constructor | read as |
|---|---|
| `make_laplace`, `make_geometric`, pure `make_noise` | Laplace noise, discrete on integers |
| `make_gaussian` on floats | Gaussian noise |
| `make_randomized_response_bool`, `make_randomized_response` | randomised response |
| `make_noisy_max` | permute-and-flip; of concentrated privacy the exponential mechanism |
| `make_chain_mt` | the transformation, then the measurement |

`make_report_noisy_max_gumbel` is not read: its law depends on the version of the library.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import (
    Row,
    constant,
    exponential,
    permute_and_flip,
)
from pufferproof.models.mechanisms.adapters.kernels import Additive, Kernel
from pufferproof.models.mechanisms.adapters.library import unsupported
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.text import shown

_PURE, _CONCENTRATED = "MaxDivergence", "ZeroConcentratedDivergence"
_CALL = "__opendp_dict__"


def law_of(measurement: object, parameters: Parameters) -> Kernel | Additive:
    """Return what a measurement does with its argument. Raises `ModelError` unless it was made by a
    constructor that is read.
    """
    call = getattr(measurement, _CALL, None)
    if type(measurement).__name__ != "Measurement" or not isinstance(call, Mapping):
        kind = type(measurement).__name__
        raise unsupported(f"an OpenDP {kind} without its constructor", list(_READ), "mechanism")
    name, given = str(call["__function__"]), call["__kwargs__"]
    if name not in _READ:
        raise unsupported(f"an OpenDP measurement of {name}", list(_READ), "mechanism")
    return _READ[name](measurement, given, parameters)


def _chain(
    measurement: object, given: Mapping[str, Any], parameters: Parameters
) -> Kernel | Additive:
    law, transform = law_of(given["measurement1"], parameters), given["transformation0"]
    if isinstance(law, Additive):
        read = law.read
        return replace(law, read=lambda argument: read(transform(argument)))
    row = law.row
    return Kernel(lambda argument: row(transform(argument)), law.outputs)


def _laplace(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    _expect_fine(given)
    kind = "discrete_laplace" if _on_integers(measurement) else "laplace"
    noise = parameters.scale("scale", given["scale"], kind)
    bounds = given.get("bounds")
    if bounds is None:
        return Additive(noise)
    least, most = (finite("bounds", each) for each in bounds)
    return Additive(noise, (least, most))


def _noise(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    if _is_pure(measurement):
        return _laplace(measurement, given, parameters)
    return _gaussian(measurement, given, parameters)


def _gaussian(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    if _on_integers(measurement):
        raise unsupported("discrete Gaussian noise", ["make_gaussian on floats"], "mechanism")
    _expect_fine(given)
    return Additive(Noise.gaussian(parameters.number("scale", given["scale"])))


def _expect_fine(given: Mapping[str, object]) -> None:
    if given.get("k") is not None:
        raise ModelError("noise on a coarse grid is not read: expected k=None", "k")


def _is_pure(measurement: Any) -> bool:
    """Whether the privacy measure, which decides the law of the noise, is pure differential
    privacy.
    """
    measure = str(measurement.output_measure)
    if measure not in (_PURE, _CONCENTRATED):
        raise unsupported(f"noise for {measure}", [_PURE, _CONCENTRATED], "mechanism")
    return measure == _PURE


def _on_integers(measurement: Any) -> bool:
    kind = str(measurement.input_carrier_type).removeprefix("Vec<").removesuffix(">")
    if kind not in ("f32", "f64") and not kind.startswith(("i", "u")):
        raise unsupported(f"noise on {kind}", ["noise on integers or floats"], "mechanism")
    return not kind.startswith("f")


def _response_bool(
    measurement: object, given: Mapping[str, object], parameters: Parameters
) -> Kernel:
    return _response(("0", "1"), parameters.number("prob", given["prob"]), _bit)


def _bit(value: object) -> str:
    bit = str(int(value)) if isinstance(value, bool | int) else str(value)
    if bit not in ("0", "1"):
        raise ModelError(f"expected True or False, 1 or 0, found {shown(value)}")
    return bit


def _response_of_many(
    measurement: object, given: Mapping[str, Any], parameters: Parameters
) -> Kernel:
    values = tuple(str(each) for each in given["categories"])

    def read(value: object) -> str:
        if str(value) not in values:
            raise ModelError(f"expected one of {', '.join(values)}, found {shown(value)}")
        return str(value)

    return _response(values, parameters.number("prob", given["prob"]), read)


def _response(values: tuple[str, ...], prob: Fraction, read: Callable[[object], str]) -> Kernel:
    others = (1 - prob) / (len(values) - 1)

    def row(value: object) -> Row:
        kept = read(value)
        return {each: constant(prob if each == kept else others) for each in values}

    return Kernel(row, values)


def _noisy_max(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    sign = -1 if given.get("negate") else 1
    law = permute_and_flip if _is_pure(measurement) else exponential
    return _selection(law, sign, given, parameters)


def _selection(
    weigh: Callable[[Mapping[str, Fraction], Power], Row],
    sign: int,
    given: Mapping[str, object],
    parameters: Parameters,
) -> Kernel:
    decay = parameters.scale("scale", given["scale"], "laplace").decay or ONE

    def row(scores: Any) -> Row:
        values = scores.tolist() if hasattr(scores, "tolist") else list(scores)
        if not values:
            raise ModelError("expected a score for every candidate, found none")
        return weigh(
            {str(place): sign * finite(f"[{place}]", each) for place, each in enumerate(values)},
            decay,
        )

    return Kernel(row)


_READ: dict[str, Callable[[object, Mapping[str, object], Parameters], Kernel | Additive]] = {
    "make_laplace": _laplace,
    "make_geometric": _laplace,
    "make_noise": _noise,
    "make_gaussian": _gaussian,
    "make_randomized_response_bool": _response_bool,
    "make_randomized_response": _response_of_many,
    "make_noisy_max": _noisy_max,
    "make_chain_mt": _chain,
}
