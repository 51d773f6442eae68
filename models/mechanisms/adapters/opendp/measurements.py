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
| `make_chain_mt` | the transformation (`transformations`), then the measurement |

`make_report_noisy_max_gumbel` is not read: its law depends on the version of the library. Versions
before 0.14.2 are not read: their samplers divide wrongly.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import (
    SumsByOutput,
    constant,
    exponential,
    mixed,
    permute_and_flip,
)
from pufferproof.models.mechanisms.adapters.kernels import Additive, Kernel, Taken
from pufferproof.models.mechanisms.adapters.library import unsupported, version_of
from pufferproof.models.mechanisms.adapters.opendp.transformations import (
    CALL,
    Outcomes,
    drawn,
    merged,
    outcomes,
    steps_of,
)
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite, integer
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.text import shown

_BITS = {"0": False, "1": True, "False": False, "True": True}
_PURE, _CONCENTRATED = "MaxDivergence", "ZeroConcentratedDivergence"
_FIRST = (0, 14, 2)  # earlier ones divide wrongly in their samplers of discrete noise


def law_of(measurement: object, parameters: Parameters) -> Kernel | Additive:
    """Return what a measurement does with its argument. Raises `ModelError` unless it was made by a
    constructor that is read, of a version whose samplers are right.
    """
    _expect_version(version_of("opendp"))
    if type(measurement).__name__ == "Query":
        raise ModelError(
            "cannot read an OpenDP Query of a Context: expected its measurement, query.resolve()",
            "mechanism",
        )
    return _law_of(measurement, parameters)


def _expect_version(text: str) -> None:
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", text)
    if not numbers or tuple(map(int, numbers.groups())) < _FIRST:
        raise ModelError(
            f"opendp {text or 'of unknown version'} is not read, because samplers of discrete "
            "noise before 0.14.2 are wrong: expected opendp>=0.14.2",
            "mechanism",
        )


def _law_of(measurement: Any, parameters: Parameters) -> Kernel | Additive:
    call = getattr(measurement, CALL, None)
    if type(measurement).__name__ != "Measurement" or not isinstance(call, Mapping):
        kind = type(measurement).__name__
        raise unsupported(f"an OpenDP {kind} without its constructor", list(_READ), "mechanism")
    name, given = str(call["__function__"]), call["__kwargs__"]
    if name not in _READ:
        raise unsupported(f"an OpenDP measurement of {name}", list(_READ), "mechanism")
    return _READ[name](measurement, given, parameters)


def _chain(measurement: Any, given: Mapping[str, Any], parameters: Parameters) -> Kernel | Additive:
    """The outcomes of the transformations, and the law of the measurement on each."""
    steps = steps_of(given["transformation0"])
    law, taken = _law_of(given["measurement1"], parameters), _taken(measurement)
    if isinstance(law, Additive):
        number = law.value
        return replace(law, read=lambda argument: _one(steps, number, argument), taken=taken)
    row = law.row

    def mixture(argument: object) -> SumsByOutput:
        results = outcomes(steps, argument)
        if len(results) > 1:
            parameters.note(f"the draws of {drawn(steps)} are part of its law")
        return mixed([(share, row(value)) for share, value in results])

    return Kernel(mixture, law.outputs, taken)


def _one(steps: list[Any], number: Callable[[object], object], argument: object) -> object:
    """Return what noise is added to, if draws do not change it."""
    results: Outcomes = merged(
        [(share, number(value)) for share, value in outcomes(steps, argument)]
    )
    if len(results) > 1:
        some = " or ".join(shown(value) for _, value in results[:2])
        raise ModelError(
            f"{drawn(steps)} of OpenDP draws what noise is added to, such as {some}, and mixtures "
            "of noise are not read: expected arguments on which draws change nothing, or a prior "
            "on what is drawn; estimate bounds the chain from its own draws",
            "mechanism",
        )
    return results[0][1]


def _taken(measurement: Any) -> Taken:
    """Return what the measurement takes: a value, or a list of values."""
    kind = str(measurement.input_carrier_type)
    listed = kind.startswith("Vec<")
    return Taken(listed, _element(kind.removeprefix("Vec<").removesuffix(">") if listed else kind))


def _element(kind: str) -> Callable[[str | Fraction], object]:
    """Return how a value of a type of the library is read from text, or from a number."""

    def read(value: str | Fraction) -> object:
        if kind == "String" and isinstance(value, str):
            return value
        if kind == "bool" and value in _BITS:
            return _BITS[str(value)]
        if kind in ("f32", "f64"):
            return _float(finite("record", value), kind)
        if kind[0] in "iu" and kind[1:].isdigit():
            return integer("record", value)
        raise ModelError(
            f"expected a value of type {kind} of OpenDP, found {shown(value)}; or a dict of "
            "database -> argument",
            "inputs",
        )

    return read


def _float(value: Fraction, kind: str) -> float:
    """Return a number as the nearest float, which is handed over."""
    try:
        return float(value)
    except OverflowError:
        raise ModelError(f"expected a number of type {kind}, found {shown(value)}") from None


def _laplace(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Additive:
    _expect_fine(given)
    within = _range_of(measurement)
    kind = "laplace" if within is None else "discrete_laplace"
    noise = parameters.scale("scale", given["scale"], kind)
    if given.get("bounds") is not None:
        least, most = (finite("bounds", bound) for bound in given["bounds"])
        within = least, most
    return Additive(noise, within, taken=_listed(measurement))


def _noise(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    if _is_pure(measurement):
        return _laplace(measurement, given, parameters)
    return _gaussian(measurement, given, parameters)


def _gaussian(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Additive:
    if _range_of(measurement) is not None:
        raise unsupported("discrete Gaussian noise", ["make_gaussian on floats"], "mechanism")
    _expect_fine(given)
    noise = Noise.gaussian(parameters.number("scale", given["scale"]))
    return Additive(noise, taken=_listed(measurement))


def _listed(measurement: object) -> Taken | None:
    """Return what noise on lists takes; None if it takes a number."""
    taken = _taken(measurement)
    return taken if taken.listed else None


def _expect_fine(given: Mapping[str, object]) -> None:
    if given.get("k") is not None:
        raise ModelError("noise on a coarse grid is not read: expected k=None", "k")


def _is_pure(measurement: Any) -> bool:
    """Whether the privacy measure, which decides the noise, is pure differential privacy."""
    measure = str(measurement.output_measure)
    if measure not in (_PURE, _CONCENTRATED):
        raise unsupported(f"noise for {measure}", [_PURE, _CONCENTRATED], "mechanism")
    return measure == _PURE


def _range_of(measurement: Any) -> tuple[Fraction, Fraction] | None:
    """Return the integers of the noise's type, at whose ends sums stay; None for floats."""
    kind = str(measurement.input_carrier_type).removeprefix("Vec<").removesuffix(">")
    if kind == "f64":
        return None
    if kind[0] not in "iu" or not kind[1:].isdigit():
        raise unsupported(f"noise on {kind}", ["noise on integers or f64"], "mechanism")
    signed, bits = kind[0] == "i", int(kind[1:])
    least = -(2 ** (bits - 1)) if signed else 0
    return Fraction(least), Fraction(least + 2**bits - 1)


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
    values = tuple(dict.fromkeys(str(category) for category in given["categories"]))  # a set, to it

    def read(value: object) -> str:
        if str(value) not in values:
            raise ModelError(f"expected one of {', '.join(values)}, found {shown(value)}")
        return str(value)

    return _response(values, parameters.number("prob", given["prob"]), read)


def _response(values: tuple[str, ...], prob: Fraction, read: Callable[[object], str]) -> Kernel:
    others = (1 - prob) / (len(values) - 1)

    def row(value: object) -> SumsByOutput:
        kept = read(value)
        return {each: constant(prob if each == kept else others) for each in values}

    return Kernel(row, values)


def _noisy_max(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    sign = -1 if given.get("negate") else 1
    law = permute_and_flip if _is_pure(measurement) else exponential
    return replace(_selection(law, sign, given, parameters), taken=_taken(measurement))


def _selection(
    weigh: Callable[[Mapping[str, Fraction], Power], SumsByOutput],
    sign: int,
    given: Mapping[str, object],
    parameters: Parameters,
) -> Kernel:
    decay = parameters.scale("scale", given["scale"], "laplace").decay or ONE

    def row(scores: Any) -> SumsByOutput:
        values = scores.tolist() if hasattr(scores, "tolist") else scores
        if not isinstance(values, list | tuple) or not values:
            raise ModelError(f"expected a list of a score per candidate, found {shown(scores)}")
        return weigh(
            {str(place): sign * finite(f"[{place}]", value) for place, value in enumerate(values)},
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
