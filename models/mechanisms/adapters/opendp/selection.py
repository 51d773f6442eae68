"""Selections of OpenDP: the noisy maximum of scores."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import (
    SumsByOutput,
    exponential,
    permute_and_flip,
)
from pufferproof.models.mechanisms.adapters.kernels import Kernel
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader, is_pure, taken_by
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.text import shown


def _noisy_max(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    sign = -1 if given.get("negate") else 1
    law = permute_and_flip if is_pure(measurement) else exponential
    return replace(_selection(law, sign, given, parameters), taken=taken_by(measurement))


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


READERS: dict[str, Reader] = {"make_noisy_max": _noisy_max}
