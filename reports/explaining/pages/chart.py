"""A chart of releases for a page: by which factor each multiplies the odds, beside the budget.

It is drawn by the browser from lengths in percent, so that it follows the colours of the page and
keeps the size of its letters on a telephone. Heights are in nats, which add up; labels are factors.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, exp, inf, log

from pufferproof.models.numbers.text import at_most, three

FEW_BARS = 12  # that each have a number below
MOST_BARS = 60  # of many releases a bar is the largest of several
_ROUND = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0)
_APART = 0.2  # of the height, between labels
_ROOM = 1.08  # above the largest


@dataclass(frozen=True)
class Bar:
    """A bar: its height in percent, whether it is over the budget, what it says, and a mark on a
    bar without bound.
    """

    height: float
    over: bool
    says: str
    mark: str = ""


@dataclass(frozen=True)
class Line:
    """A line across the chart at a height in percent, with its label."""

    height: float
    label: str


@dataclass(frozen=True)
class Chart:
    """A chart: its title, which says what it shows; bars, and one of all together; lines at factors
    and at the budget; and what stands below: the number of every bar, or those of the first, the
    middle and the last.
    """

    title: str
    bars: tuple[Bar, ...]
    together: Bar
    lines: tuple[Line, ...]
    budget: Line | None
    below: tuple[str, ...]
    unit: str

    @property
    def few(self) -> bool:
        """Whether every bar has its number."""
        return len(self.bars) == len(self.below)

    @classmethod
    def of(cls, title: str, nats: Sequence[float], together: float, budget: float | None, unit: str) -> "Chart":
        """Return the chart of what releases leak, in nats, `inf` if it has no bound.

        >>> chart = Chart.of("Two weeks", [0.5, 1.5], 1.6, 1.0, "week")
        >>> [(round(bar.height), bar.over) for bar in chart.bars], chart.below
        ([(29, False), (87, True)], ('1', '2'))
        """
        finite = [each for each in (*nats, together, budget or 0.0) if each < inf]
        top = (max(finite, default=0.0) or 1.0) * _ROOM
        size = ceil(len(nats) / MOST_BARS)
        groups = [(k, nats[k : k + size]) for k in range(0, len(nats), size)]

        def bar(value: float, name: str) -> Bar:
            over = budget is not None and value > budget
            factor = "without bound" if value == inf else f"by at most {_factor(value)}"
            height = 100.0 if value == inf else 100 * value / top
            return Bar(max(height, 0.6), over, f"{name}: {factor}", "∞" if value == inf else "")

        bars = tuple(
            bar(max(group), f"{unit} {k + 1}" + (f" to {k + len(group)}" if len(group) > 1 else ""))
            for k, group in groups
        )
        line = None
        if budget is not None:
            line = Line(100 * budget / top, f"budget {_factor(budget, three)}")
        count = len(nats)
        below = [1, (count + 1) // 2, count] if count > FEW_BARS else [*range(1, count + 1)]
        whole = bar(together, "all together")
        return cls(title, bars, whole, _lines(top), line, tuple(map(str, below)), unit)


def _lines(top: float) -> tuple[Line, ...]:
    """Return lines at round factors, far enough from one another."""
    tens = [10.0**k for k in range(1, int(top / log(10)) + 1)]
    factors = [*_ROUND, *tens, *(5 * ten for ten in tens)]
    chosen = [0.0]
    for nats in sorted(map(log, factors), reverse=True):
        if nats < top and all(abs(nats - other) > _APART * top for other in chosen):
            chosen.append(nats)
    return tuple(Line(100 * nats / top, f"{exp(nats):,.10g}") for nats in sorted(chosen))


def _factor(nats: float, written: Callable[[float], str] = at_most) -> str:
    """Return e to so many nats with three digits, rounded up or to the nearest."""
    return written(exp(nats)) if nats < 30 else f"e^{written(nats)}"
