"""Mechanisms of diffprivlib (IBM), from the parameters that they hold.

| class | read as |
|---|---|
| `Binary` | randomised response, P(other value) = 1 / (1 + e^epsilon) |
| `Geometric`, `Laplace`, `LaplaceTruncated` | noise of scale sensitivity / epsilon |
| `GeometricTruncated`, `GeometricFolded` | the table of the clamped or reflected noise |
| `Exponential`, `PermuteAndFlip` | one object per database, which holds its utilities |
| `ExponentialCategorical`, `ExponentialHierarchical` | the table over its values |
| `LaplaceFolded`, `LaplaceBoundedDomain` | Laplace noise that is reflected, or drawn again |
| `LaplaceBoundedNoise`, `Uniform`, `Staircase` | the density of the number, and its total |
| `Snapping` | the table of the rounded, clamped noise, with the scale that the object computes |
| `Gaussian`, `GaussianAnalytic` | noise of the standard deviation that the object computed |
| `GaussianDiscrete` | discrete Gaussian noise of the sigma that the object computed |

Formulas are those of its source, of version 0.6. Where an object computes a scale or a bound in
floats, that float is read: with delta > 0 the scale of Laplace noise.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import exp
from typing import TYPE_CHECKING

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel
from pufferproof.models.mechanisms.adapters.libraries import expect_right
from pufferproof.models.mechanisms.adapters.parameters import (
    Parameters,
    SumsByOutput,
    clamped_geometric,
    close,
    decay_of,
    exponential,
    finite,
    flipped,
    folded_geometric,
    integer,
    noise_of,
    permute_and_flip,
)
from pufferproof.models.mechanisms.library import unsupported, version_of
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.densities import conditioned, folded, of_numbers
from pufferproof.models.noise.tables.densities import staircase as staircase_table
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, total_of
from pufferproof.models.noise.tables.shaped import Shape, shaped
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.grammar import exact, probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.pieces import Piecewise
from pufferproof.models.numbers.text import shown, text_of

if TYPE_CHECKING:
    from diffprivlib.mechanisms.base import DPMechanism

# Densities ----------------------------------------------------------------------------------------
#
# Laplace noise of diffprivlib, and its mechanisms whose outputs have other densities.


def level_and_sensitivity(
    mechanism: "DPMechanism", parameters: Parameters, holds_scale: bool = False
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
        f"{name} is not what the parameters give: they were changed after the object was made", "mechanism"
    )


def laplace_noise(mechanism: "DPMechanism", parameters: Parameters) -> Noise:
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


def _ends(mechanism: "DPMechanism") -> tuple[Fraction, Fraction]:
    low, high = finite("lower", mechanism.lower), finite("upper", mechanism.upper)
    if low >= high:
        raise ModelError("expected lower < upper: else there is one output", "mechanism")
    return low, high


def laplace_folded(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
    decay = laplace_noise(mechanism, parameters).decay
    if decay is None or decay.primes:
        raise ModelError("densities are read with a scale that is rational: leave log out of exactly", "exactly")
    scale, ends = -1 / decay.nats, _ends(mechanism)
    return _by_value(lambda value: folded(value, scale, *ends))


def laplace_bounded_domain(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
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


def laplace_bounded_noise(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
    import numpy as np

    level, change = level_and_sensitivity(mechanism, parameters)
    if level.nats is None:
        raise ModelError("densities are read with a rational epsilon: leave log out of it", "exactly")
    scale = float(mechanism.sensitivity / mechanism.epsilon)
    odds = (np.exp(mechanism.epsilon) - 1) / 2 / mechanism.delta
    reach = float(scale * np.log(1 + odds))
    for name, expected in (("_scale", scale), ("_noise_bound", reach)):
        held = getattr(mechanism, name)
        if held is not None and not close(held, expected):
            raise changed(name)
    bound, width = parameters.number("noise_bound", reach), change / level.nats
    return _by_value(lambda value: conditioned(value, width, value - bound, value + bound))


def uniform(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
    change = parameters.number("sensitivity", mechanism.sensitivity)
    delta = parameters.number("delta", mechanism.delta)
    if change <= 0 or delta <= 0:
        raise ModelError("expected sensitivity and delta above 0", "mechanism")
    half = change / delta / 2
    return _by_value(lambda value: Piecewise.uniform(value - half, value + half))


def staircase(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
    level, change = level_and_sensitivity(mechanism, parameters)
    gamma = probability(parameters.number("gamma", mechanism.gamma), "gamma")
    decay = decay_of(level, Fraction(1))
    return Drawn(lambda values: staircase_table(values, decay, change, gamma))


def _by_value(density: Callable[[Fraction], Piecewise]) -> Drawn:
    return Drawn(lambda values: of_numbers(values, density))


def snapping(mechanism: "DPMechanism", parameters: Parameters) -> Drawn:
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

    def table(values: Mapping[str, Fraction]) -> Channel | PowerTable | PartialTable:
        scaled = {label: min(max((value - low) / change - bound, -bound), bound) for label, value in values.items()}
        found = shaped(scaled, dict.fromkeys(values, noise), Shape(grid, (-bound, bound)))
        if any(".." in output for output in found.outputs):
            raise ModelError("expected at most 2000 outputs", "mechanism")
        names = []
        for output in found.outputs:  # the float that the object shows for a rounded number
            snapped = mechanism._reverse_scale_and_offset_value(mechanism._truncate(float(exact(output))))
            names.append(text_of(Fraction(float(snapped))))
        if len(set(names)) < len(names):
            raise ModelError("outputs that floats do not tell apart", "mechanism")
        return replace(found, outputs=tuple(names))

    return Drawn(table)


# Mechanisms ---------------------------------------------------------------------------------------


def law_of(mechanism: "DPMechanism", parameters: Parameters) -> Kernel | Additive | Drawn:
    """Return what a mechanism does with its argument. Raises `ModelError` unless it is of a class
    that is read, and its parameters are those it was made with.
    """
    name, version = type(mechanism).__name__, version_of("diffprivlib")
    if not version.startswith("0.6."):
        raise ModelError(
            f"formulas of diffprivlib 0.6 are read, found {version or 'an unknown version'}: "
            "expected diffprivlib>=0.6.5,<0.7",
            "mechanism",
        )
    expect_right("diffprivlib", version, name, parameters)
    if name in _REFUSED:
        raise ModelError(f"cannot read diffprivlib {name}: {_REFUSED[name]}", "mechanism")
    if name not in _READ:
        raise unsupported(f"diffprivlib {name}", list(_READ), "mechanism")
    return _READ[name](mechanism, parameters)


def _binary(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    values = (mechanism.value0, mechanism.value1)
    if mechanism.delta:
        raise changed("delta")
    decay = decay_of(parameters.level("epsilon", mechanism.epsilon), Fraction(1))
    return Kernel(lambda value: flipped(values, _known(value, values), decay), values)


def _known(value: object, values: tuple[str, ...]) -> str:
    if value not in values:
        raise ModelError(f"expected one of {', '.join(map(repr, values))}, found {shown(value)}")
    return str(value)


def _geometric(mechanism: "DPMechanism", parameters: Parameters) -> Additive:
    level, change = level_and_sensitivity(mechanism, parameters, holds_scale=True)
    return Additive(noise_of("discrete_laplace", level, change))


def _geometric_truncated(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    decay = decay_of(*level_and_sensitivity(mechanism, parameters, holds_scale=True))
    least, most = integer("lower", mechanism.lower), integer("upper", mechanism.upper)
    return Kernel(lambda value: clamped_geometric(integer("value", value), decay, least, most))


def _geometric_folded(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    decay = decay_of(*level_and_sensitivity(mechanism, parameters, holds_scale=True))
    least, most = (integer(f"2 {name}", 2 * finite(name, getattr(mechanism, name))) for name in ("lower", "upper"))
    return Kernel(lambda value: folded_geometric(integer("value", value), decay, least, most))


def _laplace_truncated(mechanism: "DPMechanism", parameters: Parameters) -> Additive:
    bounds = finite("lower", mechanism.lower), finite("upper", mechanism.upper)
    return Additive(laplace_noise(mechanism, parameters), bounds)


def _gaussian(mechanism: "DPMechanism", parameters: Parameters) -> Additive:
    return Additive(Noise.gaussian(parameters.number("_scale", mechanism._scale)))


def _gaussian_discrete(mechanism: "DPMechanism", parameters: Parameters) -> Additive:
    scale = parameters.number("_scale", mechanism._scale)
    if scale <= 0:
        raise ModelError("expected a sensitivity above 0: with 0 there is no noise", "sensitivity")
    return Additive(Noise.discrete_gaussian(scale * scale))


def _utilities(mechanism: "DPMechanism", parameters: Parameters) -> tuple[dict[str, Fraction], Power]:
    level, change = level_and_sensitivity(mechanism, parameters)
    names = mechanism.candidates or range(len(mechanism.utility))
    utilities = {
        str(name): finite(f"utility[{place}]", utility)
        for place, (name, utility) in enumerate(zip(names, mechanism.utility))
    }
    if len(utilities) < len(mechanism.utility):
        raise ModelError("expected candidates with names of their own", "candidates")
    return utilities, decay_of(level, change * (1 if mechanism.monotonic else 2))


def _exponential(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    utilities, decay = _utilities(mechanism, parameters)
    measure = None
    if mechanism.measure:
        values = [finite(f"measure[{place}]", each) for place, each in enumerate(mechanism.measure)]
        if min(values) < 0 or not any(values):
            raise ModelError("expected numbers of at least 0, one of them above 0", "measure")
        measure = dict(zip(utilities, values))
    row = exponential(utilities, decay, measure)
    # compare with the probabilities that the object computed when it was made
    whole = float(total_of(row).ball())
    probabilities = [0.0, *map(float, mechanism._probabilities)]
    for weight, (before, after) in zip(row.values(), pairwise(probabilities)):
        if abs(float(weight.ball()) / whole - (after - before)) > 1e-9:
            raise changed("_probabilities")
    return Kernel(lambda nothing: _without_argument(nothing, row))


def _permute_and_flip(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    utilities, decay = _utilities(mechanism, parameters)
    best = max(utilities.values())
    for utility, chance in zip(utilities.values(), mechanism._probabilities):
        if not close(exp(chance), float(decay.to(best - utility).ball())):
            raise changed("_probabilities")
    row = permute_and_flip(utilities, decay)
    return Kernel(lambda nothing: _without_argument(nothing, row))


def _without_argument(argument: object, row: SumsByOutput) -> SumsByOutput:
    if argument is not None:
        raise ModelError(
            "the object holds utilities of its own: expected a dict of database -> object, and no inputs", "inputs"
        )
    return row


def _categorical(mechanism: "DPMechanism", parameters: Parameters) -> Kernel:
    level = parameters.level("epsilon", mechanism.epsilon)
    change = finite("utility", mechanism._sensitivity)
    if change <= 0:
        raise ModelError("expected utilities that are not all 0", "utility_list")
    decay = decay_of(level, change * (1 if mechanism._balanced_tree else 2))
    values = tuple(mechanism._domain_values)

    def row(value: object) -> SumsByOutput:
        chosen = _known(value, values)
        distance = {each: -finite("utility", mechanism._get_utility(chosen, each)) for each in values}
        weights = exponential(distance, decay)
        constant = mechanism._normalising_constant[chosen]
        if not close(constant, float(total_of(weights).ball())):
            raise changed("_normalising_constant")
        return weights

    return Kernel(row, values)


_READ: dict[str, Callable[["DPMechanism", Parameters], Kernel | Additive | Drawn]] = {
    "Binary": _binary,
    "Geometric": _geometric,
    "GeometricTruncated": _geometric_truncated,
    "GeometricFolded": _geometric_folded,
    "Laplace": lambda mechanism, parameters: Additive(laplace_noise(mechanism, parameters)),
    "LaplaceTruncated": _laplace_truncated,
    "LaplaceFolded": laplace_folded,
    "LaplaceBoundedDomain": laplace_bounded_domain,
    "LaplaceBoundedNoise": laplace_bounded_noise,
    "Uniform": uniform,
    "Staircase": staircase,
    "Snapping": snapping,
    "Gaussian": _gaussian,
    "GaussianAnalytic": _gaussian,
    "GaussianDiscrete": _gaussian_discrete,
    "Exponential": _exponential,
    "PermuteAndFlip": _permute_and_flip,
    "ExponentialCategorical": _categorical,
    "ExponentialHierarchical": _categorical,
}
_REFUSED = {
    "Bingham": "it draws a direction from a matrix, which has no law on listed numbers; estimate "
    "bounds it from its own draws of a function of the direction",
    "Vector": "it perturbs the function that an optimiser then minimises, whose result is not "
    "known; estimate bounds what a training with it releases",
}
