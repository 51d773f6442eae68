"""Combinators of OpenDP: measurements inside others.

| constructors | read as |
|---|---|
| conversions of measures, such as `make_zCDP_to_approxDP` | the measurement inside |
| `make_composition`, `make_basic_composition` | all measurements, released together |
| `make_chain_pm` | the measurement before the function, which is an upper bound |

Conversions change what is claimed, and not what is released. A function of post-processing is a
closure, and may be anything: it may hide all. What asks on earlier answers, or repeats, is refused
by name.
"""

from collections.abc import Mapping
from typing import Any

from pufferproof.models.mechanisms.adapters.kernels import Law, Together
from pufferproof.models.mechanisms.adapters.opendp.calls import Inner
from pufferproof.models.mechanisms.adapters.parameters import Parameters

CONVERSIONS = (
    "make_approximate",
    "make_fix_delta",
    "make_fixed_approxDP_to_approxDP",
    "make_pureDP_to_zCDP",
    "make_zCDP_to_approxDP",
)
COMPOSITIONS = ("make_basic_composition", "make_composition")
_INTERACTIVE = (
    "which answers questions that are chosen as it goes",
    "every measurement that was asked, for compose, or a ledger of them",
)
_REPEATED = (
    "which runs its measurement a random number of times",
    "a program of (database, rng) that does so; estimate bounds it from its own draws",
)
_USERS = (
    "which is a function of its user",
    "a program of (database, rng) that does the same; estimate bounds it from its own draws",
)
_PLAN = (
    "which is a plan of Polars: its scales are inside the library",
    "a measurement of its noise, such as make_laplace of its scale, with the numbers that the plan "
    "computes as arguments; estimate bounds the plan from its own draws",
)
REFUSED: Mapping[str, tuple[str, str]] = {  # why, and what is read instead
    "make_adaptive_composition": _INTERACTIVE,
    "make_alp_queryable": _INTERACTIVE,
    "make_fully_adaptive_composition": _INTERACTIVE,
    "make_privacy_filter": _INTERACTIVE,
    "make_private_expr": _PLAN,
    "make_select_private_candidate": _REPEATED,
    "make_sequential_composition": _INTERACTIVE,
    "make_user_measurement": _USERS,
}


def converted(
    measurement: Any, given: Mapping[str, Any], parameters: Parameters, inner: Inner
) -> Law:
    """The law of the measurement inside."""
    return inner(given["measurement"], parameters)


def composed(
    measurement: Any, given: Mapping[str, Any], parameters: Parameters, inner: Inner
) -> Law:
    """All measurements, each with randomness of its own."""
    found = [inner(each, parameters) for each in given["measurements"]]
    processed = any(isinstance(law, Together) and law.processed for law in found)
    return Together(tuple(each for law in found for each in _laws(law)), processed)


def processed(
    measurement: Any, given: Mapping[str, Any], parameters: Parameters, inner: Inner
) -> Law:
    """The measurement before a function of its outputs, as a bound."""
    return Together(_laws(inner(given["measurement0"], parameters)), True)


def _laws(law: Law) -> Any:
    return law.laws if isinstance(law, Together) else (law,)
