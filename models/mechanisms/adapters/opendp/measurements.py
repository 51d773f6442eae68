"""Measurements of OpenDP, from the call that made them.

A measurement hides its parameters behind a function and a privacy map. Since version 0.13 Python
keeps the call that made it, constructor and arguments, and that is what is read; a measurement
that was made in Rust, or came through `make_user_measurement`, cannot be.

| constructor | read as |
|---|---|
| `make_laplace`, `make_geometric`, pure `make_noise` | Laplace noise, discrete on integers |
| `make_gaussian` on floats | Gaussian noise |
| `make_canonical_noise` | its density, where delta > 0 and e^epsilon is rational |
| `make_randomized_response_bool`, `make_randomized_response` | randomised response |
| `make_randomized_response_bitvec` | every bit flipped |
| `make_noisy_max` | permute-and-flip; of concentrated privacy the exponential mechanism |
| `make_noisy_top_k`, `make_private_quantile`, `make_report_noisy_max_gumbel` | see `selection` |
| `make_chain_mt` | the transformation (`transformations`), then the measurement |
| `make_private_lazyframe` | see `plans` |
| combinators | see `wrappers` |

Versions that draw wrongly are in `libraries.versions`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Drawn, Law
from pufferproof.models.mechanisms.adapters.libraries.versions import expect_right
from pufferproof.models.mechanisms.adapters.library import unsupported, version_of
from pufferproof.models.mechanisms.adapters.opendp import (
    chains,
    noise,
    responses,
    selection,
    thresholds,
    wrappers,
)
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader
from pufferproof.models.mechanisms.adapters.opendp.plans import private
from pufferproof.models.mechanisms.adapters.opendp.transformations import CALL
from pufferproof.models.mechanisms.adapters.parameters import Parameters


def law_of(measurement: object, parameters: Parameters) -> Law | Drawn:
    """Return what a measurement does with its argument. Raises `ModelError` unless it was made by a
    constructor that is read, of a version whose samplers are right.
    """
    return _law_of(measurement, parameters)


def resolved(measurement: Any) -> Any:
    """Return the measurement of a `Query` of a Context, found as the library finds it, and any
    other object as it is. Raises `ModelError` for a query that is not finished.
    """
    if not type(measurement).__name__.endswith("Query"):
        return measurement
    try:
        return measurement.resolve()
    except Exception as error:  # of the library, of several kinds
        reason = str(error).strip().partition("\n")[0][:120]
        raise ModelError(
            "cannot read an OpenDP Query of a Context whose resolve() gives no measurement "
            f"({reason}): expected a finished query, such as one that ends in .laplace()",
            "mechanism",
        ) from None


def _law_of(measurement: Any, parameters: Parameters) -> Law | Drawn:
    call = getattr(measurement, CALL, None)
    name = str(call["__function__"]) if isinstance(call, Mapping) else ""
    expect_right("opendp", version_of("opendp"), name or "a measurement", parameters)
    if name in wrappers.REFUSED:
        why, instead = wrappers.REFUSED[name]
        raise ModelError(f"cannot read {name} of OpenDP, {why}: expected {instead}", "mechanism")
    if type(measurement).__name__ != "Measurement" or not isinstance(call, Mapping):
        kind = type(measurement).__name__
        raise unsupported(f"an OpenDP {kind} without its constructor", list(READERS), "mechanism")
    if name not in READERS:
        raise unsupported(f"an OpenDP measurement of {name}", list(READERS), "mechanism")
    return READERS[name](measurement, call["__kwargs__"], parameters)


def _inside(combine: Callable[..., Law]) -> Reader:
    """Return the reader of a constructor whose measurements are inside."""
    return partial(combine, inner=_law_inside)


def _law_inside(measurement: Any, parameters: Parameters) -> Law:
    law = _law_of(measurement, parameters)
    if isinstance(law, Drawn):
        raise ModelError(
            "make_canonical_noise of OpenDP is not read inside another measurement: expected it "
            "alone, with the number that it adds noise to",
            "mechanism",
        )
    return law


READERS: dict[str, Reader] = {
    **noise.READERS,
    **private.READERS,
    **responses.READERS,
    **selection.READERS,
    **thresholds.READERS,
    "make_chain_mt": _inside(chains.after_transformation),
    "make_chain_pm": _inside(wrappers.processed),
    "make_population_amplification": _inside(chains.of_sample),
    **{name: _inside(wrappers.composed) for name in wrappers.COMPOSITIONS},
    **{name: _inside(wrappers.converted) for name in wrappers.CONVERSIONS},
}
