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

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import exp
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.closed_forms import (
    SumsByOutput,
    clamped_geometric,
    exponential,
    flipped,
    folded_geometric,
    permute_and_flip,
)
from pufferproof.models.mechanisms.adapters.diffprivlib import densities
from pufferproof.models.mechanisms.adapters.diffprivlib.densities import (
    changed,
    laplace_noise,
    level_and_sensitivity,
)
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Kernel
from pufferproof.models.mechanisms.adapters.libraries.versions import expect_right
from pufferproof.models.mechanisms.adapters.library import unsupported, version_of
from pufferproof.models.mechanisms.adapters.parameters import (
    Parameters,
    close,
    decay_of,
    finite,
    integer,
    noise_of,
)
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.powers import total_of
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.text import shown


def law_of(mechanism: object, parameters: Parameters) -> Kernel | Additive | Drawn:
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


def _binary(mechanism: Any, parameters: Parameters) -> Kernel:
    values = (mechanism.value0, mechanism.value1)
    if mechanism.delta:
        raise changed("delta")
    decay = decay_of(parameters.level("epsilon", mechanism.epsilon), Fraction(1))
    return Kernel(lambda value: flipped(values, _known(value, values), decay), values)


def _known(value: object, values: tuple[str, ...]) -> str:
    if value not in values:
        raise ModelError(f"expected one of {', '.join(map(repr, values))}, found {shown(value)}")
    return str(value)


def _geometric(mechanism: object, parameters: Parameters) -> Additive:
    level, change = level_and_sensitivity(mechanism, parameters, holds_scale=True)
    return Additive(noise_of("discrete_laplace", level, change))


def _geometric_truncated(mechanism: Any, parameters: Parameters) -> Kernel:
    decay = decay_of(*level_and_sensitivity(mechanism, parameters, holds_scale=True))
    least, most = integer("lower", mechanism.lower), integer("upper", mechanism.upper)
    return Kernel(lambda value: clamped_geometric(integer("value", value), decay, least, most))


def _geometric_folded(mechanism: object, parameters: Parameters) -> Kernel:
    decay = decay_of(*level_and_sensitivity(mechanism, parameters, holds_scale=True))
    least, most = (
        integer(f"2 {name}", 2 * finite(name, getattr(mechanism, name)))
        for name in ("lower", "upper")
    )
    return Kernel(lambda value: folded_geometric(integer("value", value), decay, least, most))


def _laplace(mechanism: Any, parameters: Parameters) -> Additive:
    return Additive(laplace_noise(mechanism, parameters))


def _laplace_truncated(mechanism: Any, parameters: Parameters) -> Additive:
    bounds = finite("lower", mechanism.lower), finite("upper", mechanism.upper)
    return Additive(_laplace(mechanism, parameters).noise, bounds)


def _gaussian(mechanism: Any, parameters: Parameters) -> Additive:
    return Additive(Noise.gaussian(parameters.number("_scale", mechanism._scale)))


def _gaussian_discrete(mechanism: Any, parameters: Parameters) -> Additive:
    scale = parameters.number("_scale", mechanism._scale)
    if scale <= 0:
        raise ModelError("expected a sensitivity above 0: with 0 there is no noise", "sensitivity")
    return Additive(Noise.discrete_gaussian(scale * scale))


def _utilities(mechanism: Any, parameters: Parameters) -> tuple[dict[str, Fraction], Power]:
    level, change = level_and_sensitivity(mechanism, parameters)
    names = mechanism.candidates or range(len(mechanism.utility))
    utilities = {
        str(name): finite(f"utility[{place}]", utility)
        for place, (name, utility) in enumerate(zip(names, mechanism.utility))
    }
    if len(utilities) < len(mechanism.utility):
        raise ModelError("expected candidates with names of their own", "candidates")
    return utilities, decay_of(level, change * (1 if mechanism.monotonic else 2))


def _exponential(mechanism: Any, parameters: Parameters) -> Kernel:
    utilities, decay = _utilities(mechanism, parameters)
    measure = None
    if mechanism.measure:
        values = [finite(f"measure[{place}]", each) for place, each in enumerate(mechanism.measure)]
        if min(values) < 0 or not any(values):
            raise ModelError("expected numbers of at least 0, one of them above 0", "measure")
        measure = dict(zip(utilities, values))
    row = exponential(utilities, decay, measure)
    _expect_held(mechanism, row)
    return Kernel(lambda nothing: _without_argument(nothing, row))


def _expect_held(mechanism: Any, row: SumsByOutput) -> None:
    """Compare with the probabilities that the object computed when it was made."""
    whole = float(total_of(row).ball())
    probabilities = [0.0, *map(float, mechanism._probabilities)]
    for weight, (before, after) in zip(row.values(), pairwise(probabilities)):
        if abs(float(weight.ball()) / whole - (after - before)) > 1e-9:
            raise changed("_probabilities")


def _permute_and_flip(mechanism: Any, parameters: Parameters) -> Kernel:
    utilities, decay = _utilities(mechanism, parameters)
    best = max(utilities.values())
    for utility, probability in zip(utilities.values(), mechanism._probabilities):
        if not close(exp(probability), float(decay.to(best - utility).ball())):
            raise changed("_probabilities")
    row = permute_and_flip(utilities, decay)
    return Kernel(lambda nothing: _without_argument(nothing, row))


def _without_argument(argument: object, row: SumsByOutput) -> SumsByOutput:
    if argument is not None:
        raise ModelError(
            "the object holds utilities of its own: expected a dict of database -> object, and no "
            "inputs",
            "inputs",
        )
    return row


def _categorical(mechanism: Any, parameters: Parameters) -> Kernel:
    level = parameters.level("epsilon", mechanism.epsilon)
    change = finite("utility", mechanism._sensitivity)
    if change <= 0:
        raise ModelError("expected utilities that are not all 0", "utility_list")
    decay = decay_of(level, change * (1 if mechanism._balanced_tree else 2))
    values = tuple(mechanism._domain_values)

    def row(value: object) -> SumsByOutput:
        chosen = _known(value, values)
        distance = {
            each: -finite("utility", mechanism._get_utility(chosen, each)) for each in values
        }
        weights = exponential(distance, decay)
        constant = mechanism._normalising_constant[chosen]
        if not close(constant, float(total_of(weights).ball())):
            raise changed("_normalising_constant")
        return weights

    return Kernel(row, values)


_READ: dict[str, Callable[[object, Parameters], Kernel | Additive | Drawn]] = {
    "Binary": _binary,
    "Geometric": _geometric,
    "GeometricTruncated": _geometric_truncated,
    "GeometricFolded": _geometric_folded,
    "Laplace": _laplace,
    "LaplaceTruncated": _laplace_truncated,
    "LaplaceFolded": densities.laplace_folded,
    "LaplaceBoundedDomain": densities.laplace_bounded_domain,
    "LaplaceBoundedNoise": densities.laplace_bounded_noise,
    "Uniform": densities.uniform,
    "Staircase": densities.staircase,
    "Snapping": densities.snapping,
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
