"""Pictures of a page: bars and curves as SVG without a picture library, in the colours, the letters
and the width of the page that they stand on.

Places are percentages of the width, so that a narrow page has narrow pictures and letters of the
usual size. Numbers are rounded for drawing and decide nothing; what a picture shows is said in its
title, and in full to those who do not see it. The macro `drawn` of templates draws them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

_TICKS = 5


@dataclass(frozen=True)
class Row:
    """A bar from `start` over `width`, in per cent, its name, and the text at `at`."""

    name: str
    start: float
    width: float
    colour: str
    text: str
    at: float
    leftwards: bool = False


@dataclass(frozen=True)
class Bars:
    """Bars below each other: the title, all of it in words, and the places of dashed lines."""

    finding: str
    said: str
    rows: list[Row]
    zero: float
    lines: list[float]
    below: str
    form: str = "bars"


@dataclass(frozen=True)
class Curve:
    """A line through points, with marks or without, whose name is part of the legend if it has one;
    `dashes` is "", "dashed" or "dotted".
    """

    name: str
    points: list[tuple[float, float]]
    colour: str
    dashes: str = ""
    line: bool = True
    marks: bool = False


@dataclass(frozen=True)
class Curves:
    """Curves over one axis: the title, all of it in words, what there is along and upwards, and
    where the axes begin and end.
    """

    finding: str
    said: str
    curves: list[Curve]
    right: float
    top: float
    below: str
    form: str = "curves"
    left: float = 0.0
    bottom: float = 0.0

    def across(self, x: float) -> float:
        """Return a place in per cent of the width."""
        return 100 * (x - self.left) / (self.right - self.left)

    def down(self, y: float) -> float:
        """Return a place in per cent of the height, from above."""
        return 100 - 100 * (y - self.bottom) / (self.top - self.bottom)

    @property
    def ticks_along(self) -> list[tuple[float, str]]:
        """Numbers along the axis, with their places."""
        return [(self.across(x), f"{x:g}") for x in ticks(self.left, self.right)]

    @property
    def ticks_up(self) -> list[tuple[float, str]]:
        """Numbers up the axis, with their places."""
        return [(self.down(y), f"{y:g}") for y in ticks(self.bottom, self.top)]


Picture = Bars | Curves


def ticks(first: float, last: float) -> Iterator[float]:
    """Yield round numbers from `first` to `last`, about five.

    >>> list(ticks(0, 1.3)), list(ticks(0, 20)), list(ticks(-0.3, 0.8))
    ([0.0, 0.5, 1.0], [0.0, 5.0, 10.0, 15.0, 20.0], [0.0, 0.5])
    """
    length = last - first
    power = 10.0 ** math.floor(math.log10(length / _TICKS))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit * _TICKS >= length)
    low, high = math.ceil(first / step - 1e-9), math.floor(last / step + 1e-9)
    yield from (float(f"{index * step:.12g}") for index in range(low, high + 1))
