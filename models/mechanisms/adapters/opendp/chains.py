"""What happens to an argument before a measurement of OpenDP: transformations, of which some draw,
or a sample of a population.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import SumsByOutput, mixed
from pufferproof.models.mechanisms.adapters.kernels import Additive, Kernel, Law, Together
from pufferproof.models.mechanisms.adapters.opendp.calls import Inner, taken_by
from pufferproof.models.mechanisms.adapters.opendp.transformations import (
    Outcomes,
    drawn,
    merged,
    outcomes,
    samples,
    steps_of,
)
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.numbers.text import shown

Before = Callable[[object], Outcomes]


def after_transformation(
    measurement: Any, given: Mapping[str, Any], parameters: Parameters, inner: Inner
) -> Law:
    """The law of `make_chain_mt`: that of the measurement on each outcome of the transformation."""
    steps = steps_of(given["transformation0"])
    law = inner(given["measurement1"], parameters)
    before: Before = lambda argument: outcomes(steps, argument)  # noqa: E731
    return _after(law, before, drawn(steps), measurement, parameters)


def of_sample(
    measurement: Any, given: Mapping[str, Any], parameters: Parameters, inner: Inner
) -> Law:
    """The law of `make_population_amplification` on a population: that of the measurement on a
    simple sample, drawn without replacement, in random order.

    The library runs the measurement on a sample that it is given; its map speaks of the population.
    """
    law = inner(given["measurement"], parameters)
    size, population = measurement.input_domain.size, given["population_size"]

    def before(argument: Any) -> Outcomes:
        values = argument.tolist() if hasattr(argument, "tolist") else argument
        if not isinstance(values, list) or len(values) != population:
            raise ModelError(
                f"make_population_amplification of OpenDP is read on its population: expected a "
                f"list of {population} records, found {shown(argument)}; its inner measurement "
                "takes a sample"
            )
        return samples(values, size)

    parameters.note(f"on a simple sample of {size} of a population of {population}")
    return _after(law, before, "make_population_amplification", measurement, parameters)


def _after(law: Law, before: Before, drawing: str, measurement: Any, parameters: Parameters) -> Law:
    if isinstance(law, Together):
        once = before if len(law.laws) == 1 else _certainly(before, drawing)
        laws = [_alone(each, once, drawing, measurement, parameters) for each in law.laws]
        return replace(law, laws=tuple(laws))
    return _alone(law, before, drawing, measurement, parameters)


def _alone(
    law: Kernel | Additive, before: Before, drawing: str, measurement: Any, parameters: Parameters
) -> Kernel | Additive:
    if isinstance(law, Additive):
        number = law.value
        return replace(
            law,
            read=lambda argument: _one(before, drawing, number, argument),
            taken=taken_by(measurement),
        )
    row = law.row

    def mixture(argument: object) -> SumsByOutput:
        results = before(argument)
        if len(results) > 1:
            parameters.note(f"the draws of {drawing} are part of its law")
        return mixed([(share, row(value)) for share, value in results])

    return Kernel(mixture, law.outputs, taken_by(measurement))


def _certainly(before: Before, drawing: str) -> Before:
    """Refuse draws that several measurements share."""

    def once(argument: object) -> Outcomes:
        results = before(argument)
        if len(results) > 1:
            raise ModelError(
                f"{drawing} of OpenDP draws once for all measurements of a composition, which is "
                "not read: expected arguments on which draws change nothing, or a prior on what "
                "is drawn",
                "mechanism",
            )
        return results

    return once


def _one(
    before: Before, drawing: str, number: Callable[[object], object], argument: object
) -> object:
    """Return what noise is added to, if draws do not change it."""
    results = merged([(share, number(value)) for share, value in before(argument)])
    if len(results) > 1:
        some = " or ".join(shown(value) for _, value in results[:2])
        raise ModelError(
            f"{drawing} of OpenDP draws what noise is added to, such as {some}, and mixtures "
            "of noise are not read: expected arguments on which draws change nothing, or a prior "
            "on what is drawn; estimate bounds the chain from its own draws",
            "mechanism",
        )
    return results[0][1]
