"""Selections and randomised responses of OpenDP."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, isfinite, perm, prod
from struct import pack, unpack
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.mechanisms.adapters.kernels import Kernel
from pufferproof.models.mechanisms.adapters.opendp.calls import Arguments, Reader, integers_of, is_pure, taken_by
from pufferproof.models.mechanisms.adapters.parameters import (
    MOST_OUTPUTS,
    Parameters,
    SumsByOutput,
    constant,
    exponential,
    finite,
    integer,
    permute_and_flip,
    product_of,
)
from pufferproof.models.noise.tables.powers import total_of
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    from opendp.mod import Measurement

# Selections of OpenDP: the noisy maximum of scores, the largest few, and quantiles.
#
# `make_noisy_top_k` peels: it selects among all, then among the rest. A private quantile is the noisy maximum of the
# negative scores of its candidates, at a scale that is multiplied by the denominator of `alpha`, as scores are
# integers. With alpha = a / d, l records below a candidate and m above it, its score is |(d - a) l - a m|.
#
# `make_report_noisy_max_gumbel`, from version 0.16 on, is `make_noisy_max` of pure differential privacy, and draws no
# Gumbel noise.

Number = int | float
_LARGEST = 2**64 - 1  # of the integers that scores are
_MOST_TOTALS = 40  # of stages of the exponential mechanism that are brought together
Weigh = Callable[[Mapping[str, Fraction], Power], SumsByOutput]


def _noisy_max(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
    decay = _decay(given, parameters)
    weigh = _weigh(measurement)
    signed = _signed(measurement, bool(given.get("negate", given.get("optimize") == "min")))
    return Kernel(lambda scores: weigh(signed(scores), decay), taken=taken_by(measurement))


def _top_k(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
    k, decay = int(given["k"]), _decay(given, parameters)
    weigh, signed = _weigh(measurement), _signed(measurement, bool(given.get("negate")))
    return Kernel(lambda scores: peeled(signed(scores), k, weigh, decay), None, taken_by(measurement))


def _quantile(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
    taken = taken_by(measurement)
    candidates = [_record(measurement, each) for each in sorted(given["candidates"])]
    share = alpha_of(given["input_domain"].size, given["alpha"])
    decay = _decay(given, parameters)
    held = Fraction(float(given["scale"]) * float(share.denominator))
    drawn = Fraction(float(given["scale"])) / held
    meant = decay != _decay(given, Parameters())
    decay = decay.to(Fraction(1, share.denominator) if meant else drawn)
    weigh = _weigh(measurement)

    def row(records: object) -> SumsByOutput:
        values = records.tolist() if hasattr(records, "tolist") else records
        if not isinstance(values, list):
            raise ModelError(f"expected a list of records, found {shown(records)}")
        found = quantile_scores([_record(measurement, each) for each in values], candidates, share)
        named = zip(map(str, candidates), found, strict=True)
        return weigh({name: Fraction(-score) for name, score in named}, decay)

    return Kernel(row, tuple(map(str, candidates)), taken)


@dataclass(frozen=True)
class Share:
    """Alpha as the library holds it, numerator / denominator, and up to how many records below or
    above a candidate it counts.
    """

    numerator: int
    denominator: int
    limit: int


def alpha_of(size: int | None, alpha: float) -> Share:
    """Return the fraction that the library takes for a float.

    That is the float itself if its denominator is below 10,000, or of a known size below
    (2^64 - 1) / size; else it is rounded down to a multiple of the inverse of that bound.

    >>> alpha_of(None, 0.25), alpha_of(None, 0.3).numerator
    (Share(numerator=1, denominator=4, limit=4611686018427387903), 3000)
    """
    exact = Fraction(alpha)
    bound = 10_000 if size is None else _LARGEST // size
    a, d = exact.numerator, exact.denominator
    if d >= bound:
        a, d = int(float(alpha) * float(bound)), bound
    return Share(a, d, _LARGEST // d if size is None else size)


def quantile_scores(records: Sequence[Number], candidates: Sequence[Number], share: Share) -> list[int]:
    """Return the score of every candidate, |(d - a) l - a m|.

    >>> quantile_scores([1, 2, 2, 7], [2, 3], alpha_of(None, 0.5))
    [0, 2]
    """
    ordered = sorted(records)
    scores = []
    for candidate in candidates:
        below = min(bisect_left(ordered, candidate), share.limit)
        above = min(len(ordered) - bisect_right(ordered, candidate), share.limit)
        scores.append(abs((share.denominator - share.numerator) * below - share.numerator * above))
    return scores


def _record(measurement: "Measurement", value: object) -> Number:
    """Return a number as the library's type holds it."""
    kind = str(measurement.input_carrier_type).removeprefix("Vec<").removesuffix(">")
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        raise ModelError(f"expected a number of type {kind}, found {shown(value)}")
    if kind[0] in "iu":
        number = integer("record", value)
        least, most = integers_of(kind)
        if not least <= number <= most:
            raise ModelError(f"expected a number of type {kind}, found {shown(value)}")
        return number
    if kind == "f32" and isfinite(value):
        return float(_nearest_single(Fraction(value)))
    try:
        return float(value)
    except OverflowError:
        raise ModelError(f"expected a number of type {kind}, found {shown(value)}") from None


def peeled(scores: Mapping[str, Fraction], k: int, weigh: Weigh, decay: Power) -> SumsByOutput:
    """Return the law of k selections without replacement, of lists in their order.

    P(r_1, .., r_k) is the product over i of the probability of r_i among those that are left.

    >>> scores = {"0": Fraction(0), "1": Fraction(1)}
    >>> row = peeled(scores, 2, permute_and_flip, Power.of(Fraction(2), Fraction(-1)))
    >>> {output: str(weight.rational) for output, weight in row.items()}
    {'[0, 1]': '1/4', '[1, 0]': '3/4'}
    """
    k = min(k, len(scores))
    if (size := perm(len(scores), k)) > MOST_OUTPUTS:
        raise TooLargeError(
            f"{size} lists of {k} out of {len(scores)} candidates: expected at most {MOST_OUTPUTS}", "k"
        )
    # of every beginning its weight, and the totals it is divided by, of the stages after the first
    begun: dict[tuple[str, ...], tuple[ExponentialSum, tuple[ExponentialSum, ...]]] = {(): (constant(1), ())}
    for stage in range(k):
        longer = {}
        for chosen, (weight, totals) in begun.items():
            left = {name: score for name, score in scores.items() if name not in chosen}
            row = weigh(left, decay)
            whole = total_of(row)
            scale = Fraction(1)
            if whole.rational is not None:
                scale = 1 / whole.rational
            elif stage:
                totals = (*totals, whole)
            for name, each in row.items():
                longer[*chosen, name] = (weight * each.scaled(scale), totals)
        begun = longer
    every: Counter[ExponentialSum] = Counter()
    for _, totals in begun.values():
        every |= Counter(totals)  # a common denominator
    if (count := every.total()) > _MOST_TOTALS:
        raise TooLargeError(
            f"a common denominator of {count} totals: expected at most {_MOST_TOTALS}; fewer "
            "candidates, a smaller k, or a measure of pure privacy, whose totals are 1",
            "k",
        )
    common: dict[tuple[ExponentialSum, ...], ExponentialSum] = {}
    listed: SumsByOutput = {}
    for chosen, (weight, totals) in begun.items():
        if totals not in common:
            common[totals] = product_of(list((every - Counter(totals)).elements()))
        listed[f"[{', '.join(chosen)}]"] = weight * common[totals]
    return listed


def _weigh(measurement: "Measurement") -> Weigh:
    return permute_and_flip if is_pure(measurement) else exponential


def _decay(given: Arguments, parameters: Parameters) -> Power:
    return parameters.scale("scale", given["scale"], "laplace").decay or ONE


def _signed(measurement: "Measurement", negate: bool) -> Callable[[object], Mapping[str, Fraction]]:
    """Return how scores are read: a list of one per candidate, as numbers of the library's type."""
    single = str(measurement.input_carrier_type) == "Vec<f32>"

    def read(scores: object) -> Mapping[str, Fraction]:
        values = scores.tolist() if hasattr(scores, "tolist") else scores
        if not isinstance(values, list | tuple) or not values:
            raise ModelError(f"expected a list of a score per candidate, found {shown(scores)}")
        found = {str(place): finite(f"[{place}]", value) for place, value in enumerate(values)}
        if single:
            found = {place: _nearest_single(value) for place, value in found.items()}
        return {place: -value if negate else value for place, value in found.items()}

    return read


def _nearest_single(value: Fraction) -> Fraction:
    try:
        return Fraction(unpack("f", pack("f", float(value)))[0])
    except OverflowError:
        raise ModelError(f"expected a number of type f32, found {shown(value)}") from None


SELECTION_READERS: dict[str, Reader] = {
    "make_noisy_max": _noisy_max,
    "make_noisy_top_k": _top_k,
    "make_private_quantile": _quantile,
    "make_report_noisy_max_gumbel": _noisy_max,
}


_MOST_STEPS = 4_000_000
_MOST_GROUPS = 13  # of bits, as 2^14 outputs are too many


def _response_bool(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
    def read(value: object) -> str:
        bit = str(int(value)) if isinstance(value, bool | int) else str(value)
        if bit not in ("0", "1"):
            raise ModelError(f"expected True or False, 1 or 0, found {shown(value)}")
        return bit

    return _response(("0", "1"), parameters.number("prob", given["prob"]), read)


def _response_of_many(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
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


def _response_of_bits(measurement: "Measurement", given: Arguments, parameters: Parameters) -> Kernel:
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

    def named(output: object) -> str:
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
