"""Reading values: exact numbers, refusals that say what was expected where, and counted work.

Nothing here knows of privacy. What `files` has parsed is a tree of `Node`s; whatever is not of the
expected form raises `Refused` with the place, what was expected and what was found. Work is
counted before it is done, so that time and memory stay in proportion to what is allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import TypeAlias, TypeVar, cast

MAX_WORK, MAX_DIGITS = 4_000_000_000_000, 100_000  # bit operations; characters of a number
NUMBER = re.compile(r"-?\d+(/\d+|(\.\d+)?([eE][+-]?\d{1,4})?)", re.ASCII)
Json: TypeAlias = "dict[str, Json] | list[Json] | str | bool | None"
T = TypeVar("T")


class Refused(Exception):  # noqa: N818
    """The certificate does not prove its claim; the text is the reason, on one line."""


class TooLarge(Refused):
    """Not decided: more work is needed than is allowed."""


class NotJSON(ValueError):  # noqa: N818
    """The certificate is not a JSON text in UTF-8."""


class Numeral(str):
    """The text of a JSON number, so that it is never rounded and never taken for a label."""

    __slots__ = ()


@dataclass(frozen=True)
class Accepted:
    """What was proved, from how many facts, and whether input files were "matched"."""

    kind: str
    statement: str
    checked: int
    inputs: str = "not given"


class Work:
    """The bit operations of a check, counted before they are done."""

    done, limit = 0, MAX_WORK

    def begin(self, limit: int) -> None:
        self.done, self.limit = 0, limit or MAX_WORK

    def spend(self, times: int, a: int = 0, b: int = 0) -> None:
        """Count products, quotients, common factors or comparisons of numbers of a and b bits."""
        self.done += times * (a + 256) * (b + 256)
        text = "too large: over {} bit operations, more than --work {}"
        require(self.done <= self.limit, text, self.done, self.limit, fault=TooLarge)


WORK = Work()
spend = WORK.spend


@dataclass(slots=True)
class Node:  # a value in a file, and where it stands, for the refusals
    value: Json
    where: str

    def of(self, kind: type[T]) -> T:
        """Return the value, which must be of exactly this type: a number is no string."""
        names = (self.where, kind.__name__, type(self.value).__name__)
        require(type(self.value) is kind, "{}: expected {}, found {}", *names)
        return cast(T, self.value)

    def children(self) -> dict[str, Node]:
        inner = self.of(dict).items()
        return {key: Node(value, f"{self.where}.{key[:50]}") for key, value in inner}

    def fields(self, required: str, optional: str = "") -> dict[str, Node]:
        """Return the entries of an object that has exactly these keys."""
        keys, needed = {*self.of(dict)}, {*required.split()}
        complete = needed <= keys <= {*needed, *optional.split()}
        values = (self.where, required, sorted(keys))
        require(complete, "{}: expected the keys {}, found {}", *values)
        return self.children()

    def entries(self, count: int | None = None) -> list[Node]:
        """Return the entries of a list, which are so many if a count is given."""
        values = self.of(list)
        text = "{}: expected {} entries, found {}"
        require(count in (None, len(values)), text, self.where, count, len(values))
        return [Node(value, f"{self.where}[{i}]") for i, value in enumerate(values)]

    def labels(self) -> list[str]:
        names = [entry.of(str) for entry in self.entries()]
        require(len({*names}) == len(names), "{}: a label occurs twice in {}", self.where, names)
        return names

    def one_of(self, known: Collection[str]) -> str:
        spend(1 + len(known) // 2)
        name, text = self.of(str), "{}: expected one of {}, found {}"
        require(name in known, text, self.where, known, name)
        return name

    def digest(self) -> str | None:
        text = None if self.value is None else self.of(str)
        known = text is None or re.fullmatch("sha256:[0-9a-f]{64}", text)
        reason = '{}: expected "sha256:" and 64 hexadecimal digits, found {}'
        require(known, reason, self.where, text)
        return text

    def whole(self) -> int:
        text = self.of(Numeral)
        short = re.fullmatch("[0-9]{1,9}", text)
        require(short, "{}: {} is not of 1 to 9 digits", self.where, text)
        return int(text)

    def number(self) -> Fraction:
        """Read a number of the grammar. Decimal reads texts of any length, which int does not."""
        short = isinstance(self.value, str) and len(self.value) <= MAX_DIGITS
        text = str(self.value) if short else ""
        parts, (above, _, below) = NUMBER.fullmatch(text), text.partition("/")
        exponent = int(parts[3][1:]) if parts and parts[3] else 0
        bits = 4 * (len(text) + abs(exponent)) + 1500
        spend(1, bits, bits)
        exact = parts and (not below or Decimal(below) > 0)
        reason = "{}: expected a number of at most {} characters, found {}"
        require(exact, reason, self.where, MAX_DIGITS, text)
        return Fraction(Decimal(above)) / int(Decimal(below or 1))

    def law(self, width: int | None = None) -> list[Fraction]:
        """Read non-negative numbers that sum to exactly 1."""
        numbers = [entry.number() for entry in self.entries()]
        self.sums_to_one(*scaled(numbers), width)
        return numbers

    def sums_to_one(self, unit: int, parts: list[int], width: int | None) -> None:
        """Require that so many integers over a unit are non-negative and sum to exactly 1."""
        spend(1, *[unit.bit_length()] * 2)
        total, count, where = Fraction(sum(parts), unit), len(parts), self.where
        require(width in (None, count), "{}: expected {} numbers, found {}", where, width, count)
        require(min(parts, default=0) >= 0, "{}: a probability is negative", where)
        require(total == 1, "{}: sums to {}, not 1", where, total)


def size(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def cost(x: Fraction) -> int:
    """Return the bits of a fraction, with those that it costs more than an integer."""
    return 768 + size(x)


def scaled(numbers: Iterable[Fraction]) -> tuple[int, list[int]]:
    """Return a common denominator and the numerators over it."""
    fractions = [*numbers]
    return over_one([x.numerator for x in fractions], [x.denominator for x in fractions])


def over_one(above: list[int], below: list[int]) -> tuple[int, list[int]]:
    """Return a common multiple of denominators and the numerators over it."""
    unit, bits = multiple(below), sum(map(int.bit_length, [*above, *below]))
    spend(1, unit.bit_length(), 1024 * len(above) + bits)
    times = {den: unit // den for den in {*below}}
    return unit, [n * times[den] for n, den in zip(above, below)]


def multiple(below: Iterable[int]) -> int:
    unit = 1  # the least common multiple of denominators
    for den in {*below}:
        spend(1, unit.bit_length(), den.bit_length())
        unit = lcm(unit, den)
    return unit


def require(holds: object, reason: str, *values: object, fault: type[Refused] = Refused) -> None:
    if not holds:
        raise fault(reason.format(*map(show, values)))


def counted(number: int, noun: str, ending: str = "s") -> str:
    return f"{number} {noun}{ending * (number != 1)}"


def show(value: object) -> str:
    try:
        text = str(value) if isinstance(value, Fraction) else json.dumps(value, default=str)
    except ValueError:  # more digits than Python prints
        return "a very long number"
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text)} characters)"
