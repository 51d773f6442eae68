"""Randomised responses of OpenDP."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.closed_forms import MOST_OUTPUTS, SumsByOutput, constant
from pufferproof.models.mechanisms.adapters.kernels import Kernel
from pufferproof.models.mechanisms.adapters.opendp.calls import Reader
from pufferproof.models.mechanisms.adapters.parameters import Parameters
from pufferproof.models.numbers.text import shown

_MOST_STEPS = 4_000_000
_MOST_GROUPS = 13  # of bits, as 2^14 outputs are too many


def _response_bool(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    return _response(("0", "1"), parameters.number("prob", given["prob"]), _bit)


def _bit(value: object) -> str:
    bit = str(int(value)) if isinstance(value, bool | int) else str(value)
    if bit not in ("0", "1"):
        raise ModelError(f"expected True or False, 1 or 0, found {shown(value)}")
    return bit


def _response_of_many(measurement: object, given: Mapping[str, Any], parameters: Parameters) -> Kernel:
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


def _response_of_bits(measurement: object, given: Mapping[str, object], parameters: Parameters) -> Kernel:
    """Every bit is flipped with probability f / 2; bytes of one length stay of that length."""
    flip = parameters.number("f", given["f"]) / 2

    def row(value: object) -> SumsByOutput:
        held = _bytes(value)
        if len(held) > 1:
            raise TooLargeError(
                f"expected at most one byte, found {len(held)}: longer ones are read where all "
                "arguments are known, a dict of database -> bytes"
            )
        if not held:
            return {str(b""): constant(1)}
        changed = [(output ^ held[0]).bit_count() for output in range(256)]
        return {
            str(bytes([output])): constant(flip**count * (1 - flip) ** (8 - count))
            for output, count in enumerate(changed)
        }

    def among(arguments: Sequence[object]) -> Kernel | None:
        held = [_bytes(each) for each in arguments]
        if max(map(len, held)) <= 1:
            return None
        parameters.note(
            "outputs count the bits that are as in the first database of that length, of each "
            "group of bits that differ alike; bits that never differ tell nothing"
        )
        return of_groups(held, flip)

    return Kernel(row, among=among)


def _bytes(value: object) -> bytes:
    held = value.tobytes() if hasattr(value, "tobytes") else value
    if not isinstance(held, bytes | bytearray):
        raise ModelError(f"expected bytes, or an array of them, found {shown(value)}")
    return bytes(held)


def of_groups(arguments: Sequence[bytes], flip: Fraction) -> Kernel:
    """Return the law of counts of bits, which has every likelihood ratio of the bits themselves.

    Bits that differ between the same databases are in one group. In a database each bit of a group
    of m is as in the first database of that length, or none is: the number of bits that come out so
    is binomial, of m and 1 - flip or flip. Given this number, which ones they are is uniform in
    every database.

    Raises `TooLargeError` where outputs times databases times bits of a group are more than 4
    million.
    """
    classes = {
        size: _Groups.of(list(dict.fromkeys(each for each in arguments if len(each) == size)))
        for size in sorted(set(map(len, arguments)))
    }
    count = sum(prod(bits + 1 for bits in each.counts) for each in classes.values())
    widest = max(max(each.counts, default=1) for each in classes.values())
    if count > MOST_OUTPUTS or count * len(arguments) * widest > _MOST_STEPS:
        raise _too_many(f"{count} outputs, in {len(arguments)} databases, of up to {widest} bits")
    outputs = [name for each in classes.values() for name in each.outputs()]

    def row(value: object) -> SumsByOutput:
        held = _bytes(value)
        return {name: constant(share) for name, share in classes[len(held)].row(held, flip)}

    def named(output: Any) -> str:
        held = _bytes(output)
        return classes[len(held)].name_of(held) if len(held) in classes else str(output)

    return Kernel(row, outputs, named=named)


def _too_many(found: str) -> ModelError:
    return TooLargeError(
        f"bits that differ between databases are {found}: expected at most {MOST_OUTPUTS} outputs, "
        f"and outputs times databases times bits of at most {_MOST_STEPS}; ask for fewer databases "
        "at once, or give compose the bits as make_randomized_response_bool of prob = 1 - f / 2",
        "inputs",
    )


@dataclass(frozen=True)
class _Groups:
    """Groups of bits that differ between the same arguments of one length, as masks."""

    size: int
    first: int
    masks: tuple[int, ...]

    @classmethod
    def of(cls, arguments: Sequence[bytes]) -> "_Groups":
        numbers = [int.from_bytes(each) for each in arguments]
        changes = [each ^ numbers[0] for each in numbers]
        width = max(changes).bit_length()
        patterns = list(zip(*(f"{change:0{width}b}" for change in changes))) if width else []
        bits = Counter(pattern for pattern in patterns if "1" in pattern)
        if len(bits) > _MOST_GROUPS or prod(each + 1 for each in bits.values()) > MOST_OUTPUTS:
            raise _too_many(f"{len(bits)} groups of {bits.total()} bits")
        masks = [int("".join("01"[each == kind] for each in patterns), 2) for kind in bits]
        return cls(len(arguments[0]), numbers[0], tuple(masks))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of bits of each group."""
        return tuple(mask.bit_count() for mask in self.masks)

    def outputs(self) -> Iterator[str]:
        return map(self._name, product(*(range(count + 1) for count in self.counts)))

    def name_of(self, output: bytes) -> str:
        return self._name(self._kept(output))

    def row(self, argument: bytes, flip: Fraction) -> Iterator[tuple[str, Fraction]]:
        """Yield every output with its probability."""
        laws = []
        for kept, count in zip(self._kept(argument), self.counts, strict=True):
            as_first = 1 - flip if kept else flip
            laws.append([comb(count, k) * as_first**k * (1 - as_first) ** (count - k) for k in range(count + 1)])
        yield from zip(self.outputs(), map(prod, product(*laws)), strict=True)

    def _kept(self, held: bytes) -> tuple[int, ...]:
        changed = int.from_bytes(held) ^ self.first
        return tuple(mask.bit_count() - (changed & mask).bit_count() for mask in self.masks)

    def _name(self, kept: Sequence[int]) -> str:
        pairs = zip(kept, self.counts, strict=True)
        listed = ", ".join(f"{each} of {count}" for each, count in pairs)
        return f"{self.size} bytes: {listed}" if listed else f"{self.size} bytes"


READERS: dict[str, Reader] = {
    "make_randomized_response_bool": _response_bool,
    "make_randomized_response": _response_of_many,
    "make_randomized_response_bitvec": _response_of_bits,
}
