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
    """Curves over one axis, both axes from 0 on: the title, all of it in words, and what there is
    along and upwards.
    """

    finding: str
    said: str
    curves: list[Curve]
    right: float
    top: float
    below: str
    form: str = "curves"

    def across(self, x: float) -> float:
        """Return a place in per cent of the width."""
        return 100 * x / self.right

    def down(self, y: float) -> float:
        """Return a place in per cent of the height, from above."""
        return 100 - 100 * y / self.top

    @property
    def ticks_along(self) -> list[tuple[float, str]]:
        """Numbers along the axis, with their places."""
        return [(self.across(x), f"{x:g}") for x in ticks(self.right)]

    @property
    def ticks_up(self) -> list[tuple[float, str]]:
        """Numbers up the axis, with their places."""
        return [(self.down(y), f"{y:g}") for y in ticks(self.top)]


Picture = Bars | Curves


def ticks(last: float) -> Iterator[float]:
    """Yield round numbers from 0 to `last`, about five.

    >>> list(ticks(1.3)), list(ticks(20))
    ([0.0, 0.5, 1.0], [0.0, 5.0, 10.0, 15.0, 20.0])
    """
    power = 10.0 ** math.floor(math.log10(last / _TICKS))
    step = next(power * digit for digit in (1, 2, 5, 10) if power * digit * _TICKS >= last)
    yield from (float(f"{index * step:.12g}") for index in range(int(last / step + 1e-9) + 1))
