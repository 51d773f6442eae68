"""The experiment as a plot: a row of panels per population, a panel per metric."""

from typing import TYPE_CHECKING, Literal

from pufferproof.examples.reproduce.top_k.experiment import Experiment, Line, Part, Point
from pufferproof.models.errors import extras
from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, legend_below, log_down_to_zero, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_METRICS = ("Acc@1", "HR@3", "NDCG@3", "L1 count error")
_STYLES: dict[str, tuple[str, Literal["-", "--", ":"]]] = {
    "ours-exp": (FOR, "-"),
    "mqm": (AGAINST, "-"),
    "group-exp": (FAINT, "-"),
    "group-lap": (FAINT, ":"),
    "mqm-vector": (AGAINST, "--"),
    "exact-exp": (MARK, "-"),
    "exact-vector": (MARK, "--"),
}


def finding(found: Experiment) -> str:
    """Say which mechanism is right most often at the largest level, for the first population."""
    first = found.parts[0]
    ends = {line.mechanism.name: line.points[-1] for line in first.panels[0].lines}
    best = max(ends, key=lambda name: ends[name].quality.right[0])
    share = three(ends[best].quality.right[0])
    at = f"At epsilon {ends[best].epsilon}, for the population {first.population.name}"
    return f"{at}, {best} finds the first rank most often: in a share of {share}."


def figure(found: Experiment) -> "Figure":
    """Draw means over all runs as lines; crosses are what is printed."""
    size = (12.6, 3.2 * len(found.parts) + 0.6)
    with panels(len(found.parts), len(_METRICS), size, sharex=True) as (drawn, grid):
        for row, part in zip(grid, found.parts):
            for place, axes in enumerate(row):
                _draw(axes, part, place)
        for axes in grid[-1]:
            axes.set_xlabel("epsilon (nats)")
        legend_below(drawn, _key(), 4)
    return drawn


def _draw(axes: "Axes", part: Part, place: int) -> None:
    panel = part.panels[0]
    for line in panel.lines:
        _line(axes, line, place)
    if place == len(_METRICS) - 1:
        log_down_to_zero(axes, 1)
    else:
        axes.set_ylim(-0.03, 1.03)
    axes.set_title(_METRICS[place], fontsize=10)
    if place == 0:
        axes.set_ylabel(f"{part.population.name} ({part.population.source})")


def _line(axes: "Axes", line: Line, place: int) -> None:
    colour, dashes = _STYLES[line.mechanism.name]
    xs = [float(point.epsilon) for point in line.points]
    ys = [_value(point, place) for point in line.points]
    axes.plot(xs, ys, dashes, color=colour, linewidth=1.3)
    printed = [(x, _printed(point, place)) for x, point in zip(xs, line.points)]
    known = [(x, y) for x, y in printed if y is not None]
    if known:
        axes.plot(*zip(*known), "x", color=colour, markersize=4, alpha=0.6)


def _value(point: Point, place: int) -> float:
    quality = point.quality
    return (quality.right[0], quality.hits, quality.gain, quality.error)[place]


def _printed(point: Point, place: int) -> float | None:
    if point.printed is None:
        return None
    first = point.printed.right[0] if point.printed.right else None
    return (first, point.printed.hits, point.printed.gain, point.printed.error)[place]


def _key() -> "list[Line2D]":
    with extras:
        from matplotlib.lines import Line2D

    lines = [Line2D([], [], color=colour, linestyle=dashes, label=name) for name, (colour, dashes) in _STYLES.items()]
    cross = Line2D([], [], color=INK, marker="x", linestyle="", alpha=0.6, label="printed")
    return [*lines, cross]
