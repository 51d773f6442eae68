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
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import SumsByOutput, mixed
from pufferproof.models.mechanisms.adapters.kernels import Additive, Kernel
from pufferproof.models.mechanisms.adapters.library import unsupported, version_of
from pufferproof.models.mechanisms.adapters.opendp import noise, responses, selection
from pufferproof.models.mechanisms.adapters.opendp.calls import Law, Reader, taken_by
from pufferproof.models.mechanisms.adapters.opendp.transformations import (
    CALL,
    Outcomes,
    drawn,
    merged,
    outcomes,
    steps_of,
)
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.numbers.text import shown

_FIRST = (0, 14, 2)  # earlier ones divide wrongly in their samplers of discrete noise


def law_of(measurement: object, parameters: Parameters) -> Law:
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


def _law_of(measurement: Any, parameters: Parameters) -> Law:
    call = getattr(measurement, CALL, None)
    if type(measurement).__name__ != "Measurement" or not isinstance(call, Mapping):
        kind = type(measurement).__name__
        raise unsupported(f"an OpenDP {kind} without its constructor", list(READERS), "mechanism")
    name, given = str(call["__function__"]), call["__kwargs__"]
    if name not in READERS:
        raise unsupported(f"an OpenDP measurement of {name}", list(READERS), "mechanism")
    return READERS[name](measurement, given, parameters)


def _chain(measurement: Any, given: Mapping[str, Any], parameters: Parameters) -> Law:
    """The outcomes of the transformations, and the law of the measurement on each."""
    steps = steps_of(given["transformation0"])
    law, taken = _law_of(given["measurement1"], parameters), taken_by(measurement)
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


READERS: dict[str, Reader] = {
    **noise.READERS,
    **responses.READERS,
    **selection.READERS,
    "make_chain_mt": _chain,
}
