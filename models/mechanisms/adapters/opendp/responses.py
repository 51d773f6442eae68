"""Randomised responses of OpenDP."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.closed_forms import SumsByOutput, constant
from pufferproof.models.mechanisms.adapters.kernels import Kernel
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.numbers.text import shown


def _response_bool(
    measurement: object, given: Mapping[str, object], parameters: Parameters
) -> Kernel:
    return _response(("0", "1"), parameters.number("prob", given["prob"]), _bit)


def _bit(value: object) -> str:
    bit = str(int(value)) if isinstance(value, bool | int) else str(value)
    if bit not in ("0", "1"):
        raise ModelError(f"expected True or False, 1 or 0, found {shown(value)}")
    return bit


def _response_of_many(
    measurement: object, given: Mapping[str, Any], parameters: Parameters
) -> Kernel:
    values = tuple(dict.fromkeys(str(category) for category in given["categories"]))  # a set, to it

    def read(value: object) -> str:
        if str(value) not in values:
            raise ModelError(f"expected one of {', '.join(values)}, found {shown(value)}")
        return str(value)

    return _response(values, parameters.number("prob", given["prob"]), read)


def _response(values: tuple[str, ...], prob: Fraction, read: Callable[[object], str]) -> Kernel:
    others = (1 - prob) / (len(values) - 1)

    def row(value: object) -> SumsByOutput:
        kept = read(value)
        return {each: constant(prob if each == kept else others) for each in values}

    return Kernel(row, values)


def _response_of_bits(
    measurement: object, given: Mapping[str, object], parameters: Parameters
) -> Kernel:
    """Every bit is flipped with probability f / 2; bytes of one length stay of that length."""
    flip = parameters.number("f", given["f"]) / 2

    def row(value: Any) -> SumsByOutput:
        held = value.tobytes() if hasattr(value, "tobytes") else value
        if not isinstance(held, bytes | bytearray):
            raise ModelError(f"expected bytes, or an array of them, found {shown(value)}")
        if len(held) > 1:
            raise TooLargeError(
                f"expected at most one byte, of 256 outputs, found {len(held)}: bits are flipped "
                "one by one; read those that differ as make_randomized_response_bool of "
                "prob = 1 - f / 2 each, and give them to compose"
            )
        if not held:
            return {str(b""): constant(1)}
        changed = [(output ^ held[0]).bit_count() for output in range(256)]
        return {
            str(bytes([output])): constant(flip**count * (1 - flip) ** (8 - count))
            for output, count in enumerate(changed)
        }

    return Kernel(row)


READERS: dict[str, Reader] = {
    "make_randomized_response_bool": _response_bool,
    "make_randomized_response": _response_of_many,
    "make_randomized_response_bitvec": _response_of_bits,
}
