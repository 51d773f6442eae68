"""What the readers of OpenDP's constructors share: what a measurement takes, its type of numbers,
and its privacy measure. A reader's module lists its constructors in `READERS`; `measurements` has
all of them.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Drawn, Law, Taken
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite, integer
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.numbers.text import shown

Inner = Callable[[Any, Parameters], Law]  # the reader of a measurement inside another
Reader = Callable[[Any, Mapping[str, Any], Parameters], Law | Drawn]  # its arguments, numbers
_BITS = {"0": False, "1": True, "False": False, "True": True}
_PURE, _CONCENTRATED = "MaxDivergence", "ZeroConcentratedDivergence"


def taken_by(measurement: Any) -> Taken:
    """Return what the measurement takes: a value, or a list of values."""
    kind = str(measurement.input_carrier_type)
    listed = kind.startswith("Vec<")
    return Taken(listed, _element(kind.removeprefix("Vec<").removesuffix(">") if listed else kind))


def _element(kind: str) -> Callable[[str | Fraction], object]:
    """Return how a value of a type of the library is read from text, or from a number."""

    def read(value: str | Fraction) -> object:
        if kind == "String" and isinstance(value, str):
            return value
        if kind == "bool" and value in _BITS:
            return _BITS[str(value)]
        if kind in ("f32", "f64"):
            return _float(finite("record", value), kind)
        if kind[0] in "iu" and kind[1:].isdigit():
            return integer("record", value)
        raise ModelError(
            f"expected a value of type {kind} of OpenDP, found {shown(value)}; or a dict of database -> argument",
            "inputs",
        )

    return read


def _float(value: Fraction, kind: str) -> float:
    """Return a number as the nearest float, which is handed over."""
    try:
        return float(value)
    except OverflowError:
        raise ModelError(f"expected a number of type {kind}, found {shown(value)}") from None


def taken_if_listed(measurement: object) -> Taken | None:
    """Return what noise on lists takes; None if it takes a number."""
    taken = taken_by(measurement)
    return taken if taken.listed else None


def is_pure(measurement: Any) -> bool:
    """Whether the privacy measure, which decides the noise, is pure differential privacy."""
    measure = str(measurement.output_measure)
    if measure not in (_PURE, _CONCENTRATED):
        raise unsupported(f"noise for {measure}", [_PURE, _CONCENTRATED], "mechanism")
    return measure == _PURE


def range_of(measurement: Any) -> tuple[Fraction, Fraction] | None:
    """Return the integers of the noise's type, at whose ends sums stay; None for floats."""
    kind = str(measurement.input_carrier_type).removeprefix("Vec<").removesuffix(">")
    if kind == "f64":
        return None
    if kind[0] not in "iu" or not kind[1:].isdigit():
        raise unsupported(f"noise on {kind}", ["noise on integers or f64"], "mechanism")
    return integers_of(kind)


def integers_of(kind: str) -> tuple[Fraction, Fraction]:
    """Return the least and the largest integer of a type.

    >>> integers_of("i8")
    (Fraction(-128, 1), Fraction(127, 1))
    """
    signed, bits = kind[0] == "i", int(kind[1:])
    least = -(2 ** (bits - 1)) if signed else 0
    return Fraction(least), Fraction(least + 2**bits - 1)


def expect_fine(given: Mapping[str, object]) -> None:
    if given.get("k") is not None:
        raise ModelError("noise on a coarse grid is not read: expected k=None", "k")
