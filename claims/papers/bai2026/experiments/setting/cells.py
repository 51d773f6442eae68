"""Printed numbers as what they may stand for: the interval that is rounded to their digits.

The cell "0989" of Table 5 lacks its point; it is read as 0.989 where no reading says otherwise.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil, floor
from typing import Any, NamedTuple

ACCURACY = {"T2": "T3", "T4": "T5", "T7": "T8"}
MECHANISMS = ("Ours-Exp", "MQM", "Group DP-Exp", "Group DP-Lap")
LEVELS = ("0.5", "1", "2", "3", "4", "5")
SLIP = "0989"


@dataclass(frozen=True)
class Cell:
    """A number as printed: shares are between 0 and 1, half is half a unit of the last digit."""

    text: str

    @property
    def value(self) -> Fraction:
        """The number itself."""
        text = self.text.removesuffix("%")
        number = Fraction(989, 1000) if text == SLIP else Fraction(text)
        return number / 100 if self.text.endswith("%") else number

    @property
    def half(self) -> Fraction:
        """Half a unit of the last digit."""
        digits = len(self.text.removesuffix("%").partition(".")[2]) or 3 * (self.text == SLIP)
        unit = Fraction(1, 10**digits)
        return (unit / 100 if self.text.endswith("%") else unit) / 2

    @property
    def low(self) -> Fraction:
        """The least number that is rounded to it."""
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        """The largest number that is rounded to it."""
        return self.value + self.half

    def is_mean_of(self, trials: int) -> bool:
        """Whether a number of successes in so many trials is rounded to it."""
        return ceil(self.low * trials) <= floor(self.high * trials)


class Entry(NamedTuple):
    """Where a cell stands."""

    table: str
    epsilon: str
    mechanism: str
    column: str


@cache
def printed() -> dict[str, Any]:
    """Return the tables as they are stored."""
    home = files("pufferproof.claims.papers.bai2026.experiments.setting")
    found: dict[str, Any] = json.loads((home / "tables.json").read_text(encoding="utf-8"))
    return found


def cell(entry: Entry) -> Cell:
    """Return one cell."""
    table = printed()[entry.table]
    place = table["columns"].index(entry.column)
    return Cell(table["rows"][entry.epsilon][entry.mechanism][place])


def columns(table: str) -> tuple[str, ...]:
    """Return the names of the columns of each mechanism."""
    return tuple(printed()[table]["columns"])


def ranks(table: str) -> int:
    """Return K."""
    return int(printed()[table]["K"])


def entries(*tables: str) -> Iterator[Entry]:
    """List the cells of tables, of all if none is named."""
    for table in tables or tuple(printed()):
        for epsilon in LEVELS:
            for mechanism in MECHANISMS:
                for column in columns(table):
                    yield Entry(table, epsilon, mechanism, column)


def better(one: Cell, other: Cell, column: str) -> bool:
    """Whether a printed number is better than another of its column: counts of errors are better
    if less.
    """
    return one.value < other.value if column == "L1" else one.value > other.value
