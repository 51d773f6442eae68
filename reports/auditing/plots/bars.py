"""Bars of leakages and levels below each other: solid up to what is proved to be reached, pale up
to what is proved not to be exceeded; infinite ones are cut and marked.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import at_least
from pufferproof.reports.console.drawing import named_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.3


@dataclass(frozen=True)
class Bar:
    """A row of nats: from `low` to `high`, equal ones where the number is known."""

    name: str
    low: float
    high: float
    colour: str

    @classmethod
    def of(cls, name: str, ends: Enclosure, colour: str) -> "Bar":
        """Return the row of an enclosure; ends that only rounding tells apart are one number."""
        low, high = float(ends.lower), float(ends.upper)
        if math.isclose(low, high, rel_tol=1e-6, abs_tol=1e-12):
            low = high
        return cls(name, low, high, colour)

    @property
    def number(self) -> str:
        """What stands at the end of the row."""
        if math.isinf(self.low):
            return "infinite"
        if math.isinf(self.high):
            return f"at least {at_least(self.low, 4)}"
        if self.low < self.high:
            return f"{self.low:.4g} to {self.high:.4g}"
        return f"{self.low:.4g}"


def draw_bars(axes: "Axes", bars: Sequence[Bar]) -> None:
    """Draw bars from the top down, with their numbers and names."""
    ends = [value for bar in bars for value in (bar.low, bar.high) if math.isfinite(value)]
    edge = max([*ends, 1e-9])
    edge = edge if edge > 1e-6 else 1.0
    for row, bar in enumerate(bars):
        _draw(axes, row, bar, edge)
    named_rows(axes, [bar.name for bar in bars])
    axes.set_xlim(0, edge * 1.3)


def _draw(axes: "Axes", row: int, bar: Bar, edge: float) -> None:
    low, high = (edge * 1.12 if math.isinf(end) else end for end in (bar.low, bar.high))
    axes.barh(row, low, height=0.62, color=bar.colour)
    if high > low:
        axes.barh(row, high - low, left=low, height=0.62, color=bar.colour, alpha=_PALE)
    if math.isinf(bar.high):
        axes.plot([high], [row], ">", color=bar.colour, markersize=9)
    room = 0.04 if math.isinf(bar.high) else 0.012
    axes.text(high + edge * room, row, bar.number, va="center", ha="left")
