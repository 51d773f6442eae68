"""Figure 2 of wang2016 on a grid of ours: mean L1 error of noisy histograms against log(epsilon),
by estimates and by length.

The paper names k = 5, 100 repetitions, least stationary probability at least 1/20 and eigengap at
least 1/10. It does not say how P is drawn, nor which estimates, lengths and levels were used, nor
whether noisy frequencies are cut to [0, 1]: the grids below are this project's, and so is the way
chains are drawn (`pufferproof.examples.reproduce.simulation.chains`). What is simulated is in
`pufferproof.examples.reproduce.simulation.quilts`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.examples.reproduce.simulation.chains import Drawn, drawn_reversible
from pufferproof.examples.reproduce.simulation.quilts import Line, Point, Setting, unit_of
from pufferproof.models.errors import extras
from pufferproof.models.interface.sweeps.opening import ALONE, Sharing
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.console.drawing import AGAINST, FAINT, FOR, INK, MARK, legend_below, panels, plain_ticks
from pufferproof.reports.console.words import counted, csv_text
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.verify.simulation.draws import WordStream

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

NAME = "wang2016.figure2"
STATES, LEAST, GAP, REPETITIONS = 5, Fraction(1, 20), Fraction(1, 10), 100
LEVELS = ("0.0625", "0.125", "0.25", "0.5", "1", "2", "4", "8", "16")
LENGTH = 10_000
LEASTS = tuple(Fraction(1, n) for n in (20, 50, 200, 1000))
GAPS = (Fraction(1, 10), Fraction(3, 40), Fraction(1, 20), Fraction(1, 40))
LENGTHS = (1_000, 3_000, 10_000, 30_000)
_MISS = 0.01  # the probability that some band of a run misses its expectation
_LINES = (FOR, AGAINST, MARK, INK)
_COLUMNS = (
    "panel",
    "pi",
    "g",
    "length",
    "epsilon",
    "log_epsilon",
    "scale",
    "expected",
    "mean",
    "band_lower",
    "band_upper",
    "cut",
    "quilt_left",
    "quilt_right",
)


@dataclass(frozen=True)
class Panel:
    """The lines along which one parameter varies: "pi", "g" or "T"."""

    varies: str
    lines: tuple[Line, ...]

    def label(self, line: Line) -> str:
        """Name a line by the parameter that varies."""
        setting = line.setting
        value = {"pi": text_of(setting.least), "g": text_of(setting.gap), "T": str(setting.length)}[self.varies]
        return f"{self.varies} = {value}"


@dataclass(frozen=True)
class Experiment:
    """Everything that one run found, and what it was run with."""

    seed: int
    repetitions: int
    drawn: Drawn
    panels: tuple[Panel, ...]

    @property
    def points(self) -> list[Point]:
        """All points, panel by panel."""
        return [point for panel in self.panels for line in panel.lines for point in line.points]

    def as_json(self) -> JsonObject:
        """Return the experiment object of the file formats."""
        chain = self.drawn.chain
        return {
            "experiment": NAME,
            "seed": self.seed,
            "repetitions": self.repetitions,
            "initial": [text_of(value) for value in chain.initial_law()],
            "transition": [[text_of(value) for value in row] for row in chain.transition],
            "least": text_of(self.drawn.least),
            "gap": enclose(*self.drawn.gap).as_json(),
            "panels": [
                {"varies": panel.varies, "lines": [line.as_json() for line in panel.lines]} for panel in self.panels
            ],
            "inside": sum(point.inside for point in self.points),
            "points": len(self.points),
            "missed_with_probability": _MISS,
        }


def settings() -> dict[str, tuple[Setting, ...]]:
    """Return the settings of every panel; what does not vary is 1/20, 1/10 and 10,000."""
    return {
        "pi": tuple(Setting(least, GAP, LENGTH) for least in LEASTS),
        "g": tuple(Setting(LEAST, gap, LENGTH) for gap in GAPS),
        "T": tuple(Setting(LEAST, GAP, length) for length in LENGTHS),
    }


def run_experiment(
    seed: int,
    repetitions: int = REPETITIONS,
    levels: Sequence[str] = LEVELS,
    lines: dict[str, tuple[Setting, ...]] | None = None,
    sharing: Sharing = ALONE,
) -> Experiment:
    """Draw P and the initial law, then simulate all lines, each from a stream of random numbers of
    its own.

    Raises `SweepError` unless all lines can be simulated.
    """
    chosen = settings() if lines is None else lines
    drawn = drawn_reversible(WordStream([seed, 0]), STATES, LEAST, GAP)
    nats = [Level.of_nats(level) for level in levels]
    asked = [setting for settings in chosen.values() for setting in settings]
    share = _MISS / (len(asked) * len(nats))
    units = [
        unit_of(drawn.chain, setting, nats, repetitions, [seed, number], share)
        for number, setting in enumerate(asked, 1)
    ]
    with sweeping("simulating", "lines", sharing) as sweep:
        found = iter(sweep.answers(units))
    panels = [
        Panel(varies, tuple(_line(setting, nats, next(found)) for setting in settings))
        for varies, settings in chosen.items()
    ]
    return Experiment(seed, repetitions, drawn, tuple(panels))


def _line(setting: Setting, levels: Sequence[Level], said: Sequence[dict[str, object]]) -> Line:
    return Line(setting, tuple(Point.read(level, point) for level, point in zip(levels, said)))


def table(experiment: Experiment) -> str:
    """Return one row per point as CSV; `scale` and `expected` are upper bounds."""
    rows: list[list[Any]] = []
    for panel in experiment.panels:
        for line in panel.lines:
            setting = line.setting
            start = [panel.varies, text_of(setting.least), text_of(setting.gap), setting.length]
            rows += [[*start, *_row(point)] for point in line.points]
    return csv_text(_COLUMNS, rows)


def _row(point: Point) -> list[Any]:
    quilt, scale = point.quilt, point.scale.upper
    log = repr(math.log(_nats(point)))
    band = [repr(bound) for bound in point.band]
    sides = ["" if side is None else side for side in (quilt.left, quilt.right)]
    return [str(point.level), log, scale, point.expected.upper, repr(point.mean), *band, repr(point.cut), *sides]


def summary(experiment: Experiment) -> list[str]:
    """Render the run for a terminal: the chain, every line at its levels, and how often bands
    hold the expectation.
    """
    drawn, repetitions = experiment.drawn, counted(experiment.repetitions, "repetition")
    gap, least = float(drawn.gap[0]), float(drawn.least)
    lines = [
        f"{NAME}: {STATES} states, seed {experiment.seed}, {repetitions} a point",
        f"chain     reversible, least stationary probability {least:.4f}, eigengap {gap:.4f}",
    ]
    for panel in experiment.panels:
        first = panel.lines[0].points
        lines.append(f"{'epsilon':<14}" + "".join(f"{point.level!s:>9}" for point in first))
        for line in panel.lines:
            label = panel.label(line)
            lines.append(f"{label:<14}" + "".join(f"{point.mean:>9.3g}" for point in line.points) + "  simulated")
            lines.append(
                f"{'':<14}" + "".join(f"{float(point.expected.upper):>9.3g}" for point in line.points) + "  exact"
            )
    inside, points = sum(point.inside for point in experiment.points), len(experiment.points)
    return [*lines, f"bands     {inside} of {points} hold the exact expectation (all of them with probability 99%)"]


def finding(experiment: Experiment) -> str:
    """Say how many simulated means are near what is exact."""
    inside = sum(point.inside for point in experiment.points)
    return f"{inside} of {len(experiment.points)} bands of simulated errors hold the exact mean."


def figure(experiment: Experiment) -> "Figure":
    """Draw three panels side by side: lines are expectations, dots means, bars their bands."""
    with panels(1, len(experiment.panels), (12.6, 4.4), sharey=True) as (drawn, [shared]):
        for axes, panel in zip(shared, experiment.panels):
            _draw(axes, panel)
        shared[0].set_ylabel("mean L1 error of the frequencies")
        legend_below(drawn, _key(), 4)
    return drawn


def _key() -> "list[Line2D]":
    """Return what marks mean."""
    with extras:
        from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=INK, label="exact expectation"),
        Line2D(
            [], [], color=INK, marker="o", markersize=3.5, linewidth=1, linestyle="", label="simulated, with its band"
        ),
        Line2D([], [], color=INK, marker="x", markersize=4, linestyle="", alpha=0.5, label="frequencies cut to [0, 1]"),
        Line2D([], [], color=FAINT, linestyle=":", label="2: no two laws are farther apart"),
    ]


def _draw(axes: "Axes", panel: Panel) -> None:
    fixed, setting = panel.varies, panel.lines[0].setting
    for index, line in enumerate(panel.lines):
        _draw_points(axes, line.points, index, panel.label(line))
    axes.set_yscale("log")
    plain_ticks(axes.yaxis)
    axes.axhline(2, color=FAINT, linewidth=0.8, linestyle=":")
    others = {"pi": text_of(setting.least), "g": text_of(setting.gap), "T": str(setting.length)}
    axes.set_title(", ".join(f"{name} = {value}" for name, value in others.items() if name != fixed), fontsize=10)
    axes.set_xlabel("log(epsilon)")
    axes.legend(frameon=False, fontsize=9)


def _draw_points(axes: "Axes", points: Sequence[Point], index: int, label: str) -> None:
    """Draw one line: expectations, means with their bands, and means of cut frequencies."""
    style: dict[str, Any] = {"color": _LINES[index % len(_LINES)], "markersize": 3.5}
    logs = [math.log(_nats(point)) for point in points]
    beside = [log + 0.03 * (index - 1.5) for log in logs]
    means = [point.mean for point in points]
    reach = [[point.mean - point.band[0] for point in points], [point.band[1] - point.mean for point in points]]
    axes.errorbar(beside, means, reach, fmt="o", capsize=2.5, linewidth=1, **style)
    exact = [float(point.expected.upper) for point in points]
    axes.plot(logs, exact, linewidth=1.3, label=label, **style)
    axes.plot(beside, [point.cut for point in points], "x", alpha=0.5, **style)


def _nats(point: Point) -> float:
    return float(point.level.nats or 0)
