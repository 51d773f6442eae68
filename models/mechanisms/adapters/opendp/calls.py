"""What the readers of OpenDP's constructors share: what a measurement takes, its type of numbers,
and its privacy measure; and the noise of numbers and of keys. A reader's module lists its
constructors in `READERS`; `measurements` has all of them.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.adapters.kernels import Additive, Drawn, Law, Taken
from pufferproof.models.mechanisms.adapters.parameters import Parameters, finite, integer
from pufferproof.models.mechanisms.library import unsupported
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.densities import canonical, of_numbers
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    from opendp.mod import Measurement

Arguments = Mapping[str, Any]  # of the call of a constructor, by name
Inner = Callable[["Measurement", Parameters], Law]  # the reader of a measurement inside another
Reader = Callable[["Measurement", Arguments, Parameters], Law | Drawn]  # its arguments, numbers
_BITS = {"0": False, "1": True, "False": False, "True": True}
_PURE, _CONCENTRATED = "MaxDivergence", "ZeroConcentratedDivergence"


def taken_by(measurement: "Measurement") -> Taken:
    """Return what the measurement takes: a value, or a list of values, of a type of the library."""
    carrier = str(measurement.input_carrier_type)
    listed = carrier.startswith("Vec<")
    kind = carrier.removeprefix("Vec<").removesuffix(">") if listed else carrier

    def read(value: str | Fraction) -> object:
        if kind == "String" and isinstance(value, str):
            return value
        if kind == "bool" and value in _BITS:
            return _BITS[str(value)]
        if kind in ("f32", "f64"):
            number = finite("record", value)
            try:
                return float(number)
            except OverflowError:
                raise ModelError(f"expected a number of type {kind}, found {shown(number)}") from None
        if kind[0] in "iu" and kind[1:].isdigit():
            return integer("record", value)
        raise ModelError(
            f"expected a value of type {kind} of OpenDP, found {shown(value)}; or a dict of database -> argument",
            "inputs",
        )

    return Taken(listed, read)


def taken_if_listed(measurement: "Measurement") -> Taken | None:
    """Return what noise on lists takes; None if it takes a number."""
    taken = taken_by(measurement)
    return taken if taken.listed else None


def is_pure(measurement: "Measurement") -> bool:
    """Whether the privacy measure, which decides the noise, is pure differential privacy."""
    measure = str(measurement.output_measure)
    if measure not in (_PURE, _CONCENTRATED):
        raise unsupported(f"noise for {measure}", [_PURE, _CONCENTRATED], "mechanism")
    return measure == _PURE


def range_of(measurement: "Measurement") -> tuple[Fraction, Fraction] | None:
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


def expect_fine(given: Arguments) -> None:
    if given.get("k") is not None:
        raise ModelError("noise on a coarse grid is not read: expected k=None", "k")


# Noise of OpenDP: Laplace and Gaussian noise, on floats and on integers, and canonical noise.


def _laplace(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Additive:
    expect_fine(given)
    within = range_of(measurement)
    kind = "laplace" if within is None else "discrete_laplace"
    noise = parameters.scale("scale", given["scale"], kind)
    if given.get("bounds") is not None:
        least, most = (finite("bounds", bound) for bound in given["bounds"])
        within = least, most
    return Additive(noise, within, taken=taken_if_listed(measurement))


def _gaussian(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Additive:
    expect_fine(given)
    scale, within = parameters.number("scale", given["scale"]), range_of(measurement)
    noise = Noise.gaussian(scale) if within is None else Noise.discrete_gaussian(scale * scale)
    if within is not None:
        parameters.note("the ends of its type, where outputs stay, are read as out of reach")
    return Additive(noise, within, taken=taken_if_listed(measurement))


def _canonical(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Drawn:
    name = "make_canonical_noise of OpenDP"
    level = parameters.level("epsilon", given["d_out"][0])
    delta = parameters.number("delta", given["d_out"][1])
    step = parameters.number("d_in", given["d_in"])
    if not delta:
        raise ModelError(
            f"cannot read {name} of delta 0, whose every draw ends the process up to 0.16.0: "
            "expected a delta above 0, such as 1e-30, or make_laplace",
            "mechanism",
        )
    ratio = level.ratio
    if ratio is None:
        raise ModelError(
            f"cannot read {name}, whose noise ends at an irrational number unless e^epsilon is "
            'rational: expected exactly={"epsilon": "log(R)"} with a rational R that rounds to it, '
            "such as log(3)",
            "mechanism",
        )
    if not step:
        raise ModelError(f"{name} of d_in 0 adds no noise: expected d_in above 0", "mechanism")
    return Drawn(lambda values: of_numbers(values, lambda value: canonical(value, ratio, delta, step)))


READERS: dict[str, Reader] = {
    "make_laplace": _laplace,
    "make_geometric": _laplace,
    "make_noise": lambda measurement, given, parameters: (_laplace if is_pure(measurement) else _gaussian)(
        measurement, given, parameters
    ),
    "make_gaussian": _gaussian,
    "make_canonical_noise": _canonical,
}


# Noisy counts of keys of OpenDP, shown from a threshold on: every key of the argument gets noise of its own, and keys
# whose noisy value is below the threshold are left out.
#
# A key with the threshold itself is shown (https://github.com/opendp/opendp/issues/2922: its probability is missing in
# the delta that versions up to 0.16 claim).


def _keyed(kind: str | None, measurement: "Measurement", given: Arguments, parameters: Parameters) -> Additive:
    """Read noise of a kind; of None, that of the privacy measure."""
    kind = kind or ("laplace" if _PURE in str(measurement.output_measure) else "gaussian")
    expect_fine(given)
    values = str(measurement.input_carrier_type).removesuffix(">").rpartition(",")[2].strip()
    threshold = finite("threshold", given["threshold"])
    if threshold < 0:
        raise ModelError("expected a threshold of at least 0", "threshold")
    if values != "f64" and not (values[:1] in ("i", "u") and values[1:].isdigit()):
        raise unsupported(f"noise on {values}", ["noise on integers or f64"], "mechanism")
    scale = parameters.number("scale", given["scale"])
    if values == "f64":
        law = Noise.gaussian if kind == "gaussian" else Noise.laplace
        return Additive(law(scale), threshold=threshold)
    parameter = scale * scale if kind == "gaussian" else scale
    within = integers_of(values)
    if threshold > within[1]:
        raise ModelError(f"expected a threshold of type {values}", "threshold")
    noise = Noise.discrete_gaussian if kind == "gaussian" else Noise.discrete_laplace
    return Additive(noise(parameter), within, threshold=threshold)


THRESHOLD_READERS: dict[str, Reader] = {
    "make_laplace_threshold": partial(_keyed, "laplace"),
    "make_gaussian_threshold": partial(_keyed, "gaussian"),
    "make_noise_threshold": partial(_keyed, None),
}
