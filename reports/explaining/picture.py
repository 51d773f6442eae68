"""Pictures of a page: the record of a plot, drawn by the macro `drawn` of templates as SVG without
a picture library, in the colours, the letters and the width of the page that it stands on.

Places are percentages of the width, so that a narrow page has narrow pictures and letters of the
usual size. Numbers are rounded for drawing and decide nothing; what a picture shows is said in its
title, and in full to those who do not see it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, Bars, Curve, Plot, Rule

_TICKS = 5
_CLASSES = {FOR: "for", AGAINST: "against", MARK: "mark", FAINT: "faint", INK: "ink"}
_DASHES = {"--": "dashed", ":": "dotted"}


class Row(NamedTuple):
    """A bar from `start` over `width`, in per cent, its name, and the text at `at`."""

    name: str
    start: float
    width: float
    colour: str
    text: str
    at: float
    leftwards: bool


class Line(NamedTuple):
    """A curve or a rule as a page draws it."""

    name: str
    points: list[tuple[float, float]]
    colour: str
    dashes: str
    line: bool
    marks: bool


@dataclass(frozen=True)
class Picture:
    """A plot of one panel, all of it in words, and what stands below."""

    plot: Plot
    said: str
    below: str

    @property
    def finding(self) -> str:
        """The title."""
        return self.plot.finding

    @property
    def bars(self) -> Bars | None:
        """The bars, if these are drawn."""
        return next((part for part in self.plot.panels[0].parts if isinstance(part, Bars)), None)

    @property
    def zero(self) -> int:
        """Where bars begin, in per cent of the width."""
        return 50 if self.bars is not None and self.bars.both else 0

    def _along(self, number: float) -> float:
        """Return a place among bars: the longest takes 30 per cent to both sides, 70 to one."""
        bars = self.bars or Bars(())
        return self.zero + (30 if bars.both else 70) * bars.cut(number)

    @property
    def rows(self) -> Iterator[Row]:
        """The bars, in per cent of the width."""
        for bar in self.bars.rows if self.bars is not None else ():
            at = self._along(bar.high)
            start, width, colour = min(self.zero, at), abs(at - self.zero), _CLASSES[bar.colour]
            yield Row(bar.name, start, width, colour, bar.text, at, bar.high < 0)

    @property
    def lines(self) -> list[float]:
        """The places of rules over bars."""
        parts = self.plot.panels[0].parts
        return [self._along(part.at) for part in parts if isinstance(part, Rule)]

    @property
    def curves(self) -> Iterator[Line]:
        """The curves, and rules from end to end."""
        (left, right), (bottom, top) = self._ends
        for part in self.plot.panels[0].parts:
            if isinstance(part, Rule):
                ends = [(part.at, bottom), (part.at, top)]
                if part.level:
                    ends = [(left, part.at), (right, part.at)]
                dashes, colour = _DASHES.get(part.form, ""), _CLASSES[part.colour]
                yield Line(part.name, ends, colour, dashes, True, False)
            if isinstance(part, Curve):
                form = part.form.strip("osDx^ ")
                points, marks = list(zip(part.xs, part.ys)), part.form.strip() != form
                dashes = _DASHES.get(form, "")
                if part.filled:  # of a strip its upper end
                    points, dashes = points[len(points) // 2 :], "dotted"
                colour, line = _CLASSES[part.colour], bool(form)
                yield Line(part.name, points, colour, dashes, line, marks)

    @property
    def _ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        panel = self.plot.panels[0]
        x, y = panel.x, panel.y
        return (x.low or 0.0, 1.0 if x.high is None else x.high), (y.low or 0.0, y.high or 1.0)

    def across(self, x: float) -> float:
        """Return a place in per cent of the width."""
        (left, right), _ = self._ends
        return 100 * (x - left) / (right - left)

    def down(self, y: float) -> float:
        """Return a place in per cent of the height, from above."""
        _, (bottom, top) = self._ends
        return 100 - 100 * (y - bottom) / (top - bottom)

    @property
    def ticks_along(self) -> list[tuple[float, str]]:
        """Numbers along the axis, with their places."""
        return [(self.across(x), f"{x:g}") for x in ticks(*self._ends[0])]

    @property
    def ticks_up(self) -> list[tuple[float, str]]:
        """Numbers up the axis, with their places."""
        return [(self.down(y), f"{y:g}") for y in ticks(*self._ends[1])]


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
