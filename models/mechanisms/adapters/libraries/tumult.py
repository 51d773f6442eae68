"""Noise of Tumult Core, from the parameters that its measurements hold.

| class | read as |
|---|---|
| `AddLaplaceNoise` | Laplace noise of `scale` |
| `AddGeometricNoise` | discrete Laplace noise of scale `alpha` |
| `AddGaussianNoise` | Gaussian noise of variance `sigma_squared`, if that is a square |
| `AddDiscreteGaussianNoise` | discrete Gaussian noise of that parameter |

Its numbers are exact, but what it draws with is the next float above, which is read.
"""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive
from pufferproof.models.mechanisms.adapters.libraries.versions import expect_right
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.mechanisms.library import unsupported, version_of
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.text import shown

PACKAGE = "tmlt"
_MODULE = "tmlt.core.measurements.noise_mechanisms"


def law_of(measurement: object, parameters: Parameters) -> Additive:
    """Return the noise that a measurement adds to a number. Raises `ModelError` unless it is of a
    class that is read.
    """
    kind = type(measurement)
    if kind.__module__ != _MODULE or kind.__name__ not in _READ:
        raise unsupported(f"a Tumult Core {kind.__name__}", list(_READ), "mechanism")
    expect_right(PACKAGE, version_of(PACKAGE), kind.__name__, parameters)
    return Additive(_READ[kind.__name__](measurement, parameters))


def _laplace(measurement: Any, parameters: Parameters) -> Noise:
    return parameters.scale("scale", _drawn_with("scale", measurement.scale), "laplace")


def _geometric(measurement: Any, parameters: Parameters) -> Noise:
    return parameters.scale("alpha", _drawn_with("alpha", measurement.alpha), "discrete_laplace")


def _gaussian(measurement: Any, parameters: Parameters) -> Noise:
    held = _drawn_with("sigma_squared", measurement.sigma_squared)
    variance = parameters.number("sigma_squared", held)
    sigma = Fraction(isqrt(variance.numerator), isqrt(variance.denominator))
    if sigma**2 != variance:
        raise ModelError(
            f"Gaussian noise is read if its deviation is rational: expected the square of a "
            f"number, found {shown(held)}",
            "sigma_squared",
        )
    return Noise.gaussian(sigma)


def _drawn_with(name: str, number: Any) -> float:
    """Return the float with which an exact number is drawn. Raises `ModelError` if there is no
    noise.
    """
    value = float(number.to_float(round_up=True))
    if not 0 < value < float("inf"):
        raise ModelError(f"expected a finite number above 0, found {value}", name)
    return value


def _discrete_gaussian(measurement: Any, parameters: Parameters) -> Noise:
    held = _drawn_with("sigma_squared", measurement.sigma_squared)
    return Noise.discrete_gaussian(parameters.number("sigma_squared", held))


_READ: dict[str, Callable[[Any, Parameters], Noise]] = {
    "AddDiscreteGaussianNoise": _discrete_gaussian,
    "AddGaussianNoise": _gaussian,
    "AddGeometricNoise": _geometric,
    "AddLaplaceNoise": _laplace,
}
