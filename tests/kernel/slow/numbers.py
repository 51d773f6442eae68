"""Numbers of the slow kernel: exact ones, and balls that hold a real number for sure."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from flint import arb, ctx, fmpq

PRECISIONS = (64, 192, 768)  # bits of balls, one after the other until they decide
NUMBER = re.compile(r"(-?[0-9]+)(?:/([0-9]+)|(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?)", re.ASCII)
LONG = 120  # characters of a number, and its largest exponent

Number = fmpq | arb


class Unjudged(Exception):  # noqa: N818
    """It is large, or the slow kernel cannot tell."""


class Wrong(Exception):  # noqa: N818
    """It states nothing that could be true."""


def expect(condition: object) -> None:
    if not condition:
        raise Wrong


def number(given: Any) -> fmpq:
    """Read a number as it is written."""
    text = str(given)
    found = NUMBER.fullmatch(text)
    expect(found and not isinstance(given, bool))
    whole, below, digits, power = found.groups()
    if len(text) > LONG or abs(int(power or 0)) > LONG:
        raise Unjudged
    expect(int(below or 1) != 0)
    above = int(whole + (digits or ""))
    return fmpq(above, int(below or 1)) * fmpq(10) ** (int(power or 0) - len(digits or ""))


def integer(given: Any) -> int:
    found = number(given)
    expect(found.q == 1)
    return int(found.p)


def law(given: list[Any], size: int | None = None) -> list[fmpq]:
    found = [number(each) for each in given]
    expect(sum(found, fmpq(0)) == 1 and min(found) >= 0 and size in (None, len(found)))
    return found


class Level:
    """R = e^level."""

    def __init__(self, stated: Any) -> None:
        ((self.form, given),) = stated.items()
        self.value = number(given)
        expect(self.form in ("log", "nats") and self.value >= (self.form == "log"))

    @property
    def ratio(self) -> Number:
        if self.form == "log":
            return self.value
        return arb(self.value).exp() if self.value else fmpq(1)

    def excess(self, a: Number, b: Number) -> Number:
        """a - R b."""
        return a - self.ratio * b

    def sign(self, a: Number, b: Number) -> int | None:
        """The sign of a - R b, None if the balls do not tell."""
        return sign(self.excess(a, b))


def sign(x: Number) -> int | None:
    if isinstance(x, fmpq) or x.is_exact():
        return (x > 0) - (x < 0)
    return 1 if x > 0 else -1 if x < 0 else None


def more(known: int | None) -> bool | None:
    """Whether a sign is positive."""
    return None if known is None else known > 0


def decided(question: Callable[[], bool | None]) -> bool:
    """Ask with more and more bits, until the answer is yes or no."""
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            if (answer := question()) is not None:
                return answer
    raise Unjudged


def none_of(answers: Iterator[bool | None]) -> bool | None:
    """Whether no answer is yes; None if some are open and none is yes."""
    some = False
    for answer in answers:
        if answer:
            return False
        some = some or answer is None
    return None if some else True


def positive(x: Number) -> Number:
    """max(0, x)."""
    known = sign(x)
    if known is None:
        return arb(0).union(x) if x.upper() > 0 else arb(0)
    return x if known > 0 else fmpq(0)


def stationary(rows: list[list[fmpq]]) -> list[fmpq]:
    """The only law that a chain leaves as it is, by elimination."""
    size = len(rows)
    table = [[rows[x][y] - (x == y) for x in range(size)] + [fmpq(0)] for y in range(size)]
    table.append([fmpq(1)] * (size + 1))
    for column in range(size):
        found = next((row for row in table[column:] if row[column] != 0), None)
        expect(found is not None)
        place = table.index(found, column)
        table[place], table[column] = table[column], [x / found[column] for x in found]
        for k, row in enumerate(table):
            if k != column and row[column] != 0:
                factor = row[column]
                table[k] = [x - factor * y for x, y in zip(row, table[column])]
    return [row[size] for row in table[:size]]
