"""Laplace noise of diffprivlib, and its mechanisms whose outputs have other densities."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Drawn
from pufferproof.models.mechanisms.adapters.parameters import (
    Parameters,
    close,
    decay_of,
    finite,
    noise_of,
)
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.densities import conditioned, folded, of_numbers
from pufferproof.models.noise.tables.densities import staircase as staircase_table
from pufferproof.models.noise.tables.shaped import Shape, shaped
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.pieces import Piecewise
from pufferproof.models.numbers.text import text_of


def level_and_sensitivity(
    mechanism: Any, parameters: Parameters, holds_scale: bool = False
) -> tuple[Level, Fraction]:
    level = parameters.level("epsilon", mechanism.epsilon)
    change = parameters.number("sensitivity", mechanism.sensitivity)
    if change <= 0:
        raise ModelError("expected a sensitivity above 0: with 0 there is no noise", "sensitivity")
    if holds_scale and not close(mechanism._scale, -mechanism.epsilon / mechanism.sensitivity):
        raise changed("_scale")
    return level, change


def changed(name: str) -> ModelError:
    return ModelError(
        f"{name} is not what the parameters give: they were changed after the object was made",
        "mechanism",
    )


def laplace_noise(mechanism: Any, parameters: Parameters) -> Noise:
    """Return noise of scale sensitivity / (epsilon - log(1 - delta)), the float if delta > 0."""
    if not mechanism.delta:
        return noise_of("laplace", *level_and_sensitivity(mechanism, parameters))
    import numpy as np

    delta, change = finite("delta", mechanism.delta), finite("sensitivity", mechanism.sensitivity)
    if change <= 0 or delta >= 1:
        raise ModelError("expected a sensitivity above 0, and delta below 1", "mechanism")
    scale = mechanism.sensitivity / (mechanism.epsilon - np.log(1 - mechanism.delta))
    parameters.note("its scale is the float that it computes")
    return parameters.scale("scale", float(scale), "laplace")


def _scale_of(mechanism: Any, parameters: Parameters) -> Fraction:
    decay = laplace_noise(mechanism, parameters).decay
    if decay is None or decay.primes:
        raise ModelError(
            "densities are read with a scale that is rational: leave log out of exactly", "exactly"
        )
    return -1 / decay.nats


def _ends(mechanism: Any) -> tuple[Fraction, Fraction]:
    low, high = finite("lower", mechanism.lower), finite("upper", mechanism.upper)
    if low >= high:
        raise ModelError("expected lower < upper: else there is one output", "mechanism")
    return low, high


def laplace_folded(mechanism: Any, parameters: Parameters) -> Drawn:
    scale, ends = _scale_of(mechanism, parameters), _ends(mechanism)
    return _by_value(lambda value: folded(value, scale, *ends))


def laplace_bounded_domain(mechanism: Any, parameters: Parameters) -> Drawn:
    level_and_sensitivity(mechanism, Parameters())
    low, high = _ends(mechanism)
    found = float(mechanism._find_scale())
    if mechanism._scale is not None and not close(mechanism._scale, found):
        raise changed("_scale")
    noise = parameters.scale("scale", found, "laplace")
    if noise.decay is None or noise.decay.primes:
        raise ModelError("expected a rational scale", "exactly.scale")
    scale = -1 / noise.decay.nats
    return _by_value(lambda value: conditioned(min(max(value, low), high), scale, low, high))


def laplace_bounded_noise(mechanism: Any, parameters: Parameters) -> Drawn:
    import numpy as np

    level, change = level_and_sensitivity(mechanism, parameters)
    if level.nats is None:
        raise ModelError(
            "densities are read with a rational epsilon: leave log out of it", "exactly"
        )
    scale = float(mechanism.sensitivity / mechanism.epsilon)
    odds = (np.exp(mechanism.epsilon) - 1) / 2 / mechanism.delta
    reach = float(scale * np.log(1 + odds))
    for name, expected in (("_scale", scale), ("_noise_bound", reach)):
        held = getattr(mechanism, name)
        if held is not None and not close(held, expected):
            raise changed(name)
    bound, width = parameters.number("noise_bound", reach), change / level.nats
    return _by_value(lambda value: conditioned(value, width, value - bound, value + bound))


def uniform(mechanism: Any, parameters: Parameters) -> Drawn:
    change = parameters.number("sensitivity", mechanism.sensitivity)
    delta = parameters.number("delta", mechanism.delta)
    if change <= 0 or delta <= 0:
        raise ModelError("expected sensitivity and delta above 0", "mechanism")
    half = change / delta / 2
    return _by_value(lambda value: Piecewise.uniform(value - half, value + half))


def staircase(mechanism: Any, parameters: Parameters) -> Drawn:
    level, change = level_and_sensitivity(mechanism, parameters)
    gamma = probability(parameters.number("gamma", mechanism.gamma), "gamma")
    decay = decay_of(level, Fraction(1))
    return Drawn(lambda values: staircase_table(values, decay, change, gamma))


def _by_value(density: Callable[[Fraction], Piecewise]) -> Drawn:
    return Drawn(lambda values: of_numbers(values, density))


def snapping(mechanism: Any, parameters: Parameters) -> Drawn:
    """Read numbers scaled to sensitivity 1 around 0: clamped to the bound, Laplace noise of scale
    1 / effective epsilon, rounded to multiples of the least power of 2 from that on, clamped.
    """
    _, change = level_and_sensitivity(mechanism, Parameters())
    low, high = _ends(mechanism)
    bound = (high - low) / 2 / change
    if not close(mechanism._bound, float(bound)):
        raise changed("_bound")
    scale = float(1.0 / mechanism.effective_epsilon())
    noise = parameters.scale("scale", scale, "laplace")
    grid = Fraction(mechanism._get_nearest_power_of_2(scale))

    def table(values: Mapping[str, Fraction]) -> Any:
        scaled = {
            label: min(max((value - low) / change - bound, -bound), bound)
            for label, value in values.items()
        }
        found: Any = shaped(scaled, dict.fromkeys(values, noise), Shape(grid, (-bound, bound)))
        if any(".." in output for output in found.outputs):
            raise ModelError("expected at most 2000 outputs", "mechanism")
        names = [_snapped(mechanism, exact(output)) for output in found.outputs]
        if len(set(names)) < len(names):
            raise ModelError("outputs that floats do not tell apart", "mechanism")
        return replace(found, outputs=tuple(names))

    return Drawn(table)


def _snapped(mechanism: Any, output: Fraction) -> str:
    """Return the float that the object shows for a rounded number."""
    held = mechanism._truncate(float(output))
    return text_of(Fraction(float(mechanism._reverse_scale_and_offset_value(held))))
