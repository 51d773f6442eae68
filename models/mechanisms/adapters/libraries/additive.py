"""Objects of libraries that hold the scale of the noise that they add to a float: PyDP (Google),
PipelineDP and SmartNoise SQL.

| class | read as |
|---|---|
| `LaplaceMechanism`, `GaussianMechanism` of pydp | noise of `diversity`, of deviation `std` |
| `LaplaceMechanism`, `GaussianMechanism` of pipeline_dp | of `noise_parameter`, of `std` |
| `Laplace`, `Gaussian` of snsql | of `scale` |
"""

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive
from pufferproof.models.mechanisms.adapters.libraries.versions import expect_right
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.mechanisms.library import unsupported, version_of
from pufferproof.models.noise.additive import Noise

_HELD = {
    ("pydp", "LaplaceMechanism"): "diversity",
    ("pydp", "GaussianMechanism"): "std",
    ("pipeline_dp", "LaplaceMechanism"): "noise_parameter",
    ("pipeline_dp", "GaussianMechanism"): "std",
    ("snsql", "Laplace"): "scale",
    ("snsql", "Gaussian"): "scale",
}
PACKAGES = tuple(dict.fromkeys(package for package, _ in _HELD))


def law_of(mechanism: object, parameters: Parameters) -> Additive:
    """Return the noise that an object adds to a number. Raises `ModelError` unless it is of a class
    that is read.
    """
    package, name = type(mechanism).__module__.partition(".")[0], type(mechanism).__name__
    if (package, name) not in _HELD:
        known = [each for library, each in _HELD if library == package]
        raise unsupported(f"{package} {name}", known, "mechanism")
    expect_right(package, version_of(package), name, parameters)
    if package == "snsql":  # its noise is OpenDP's
        expect_right("opendp", version_of("opendp"), name, parameters)
    held = _HELD[package, name]
    value = getattr(mechanism, held)
    if "Laplace" in name:
        return Additive(parameters.scale(held, value, "laplace"))
    sigma = parameters.number(held, value)
    if sigma <= 0:
        raise ModelError(f"expected a deviation above 0, found {value}", held)
    return Additive(Noise.gaussian(sigma))
