"""The tables of scales on recorded data, printed, written and drawn."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.examples.reproduce.recorded.tables import ENTRY, EXACT, GROUP
from pufferproof.examples.reproduce.schemas import RecordedFigure, RecordedPoint, RecordedTable
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import at_most, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    legend_below,
    panels,
    plain_ticks,
    plot_files,
)
from pufferproof.reports.console.words import csv_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAME, _CELL, _ACROSS = 42, 14, 3
_LOOKS = (
    (FOR, "o-"),
    (AGAINST, "o-"),
    (AGAINST, "x-."),
    (AGAINST, "s--"),
    (AGAINST, "^:"),
    (MARK, "o-"),
    (INK, "o-"),
    (FAINT, "x--"),
)


def lines(figure: RecordedFigure) -> list[str]:
    """Render the tables for a terminal: scales rounded up, and why a rule has none."""
    told = []
    for table in figure.tables:
        read = f"{table.recorded} recorded values in {table.sequences} sequences"
        if table.sequences == 1:
            read = f"{table.recorded} recorded values"
        told += [f"{table.data}: {read}, {table.records} records, {table.private} private"]
        told.append("scale at epsilon".ljust(_NAME) + "".join(e.rjust(_CELL) for e in figure.epsilons))
        reasons = []
        for row in table.rows:
            cells = "".join(_cell(point).rjust(_CELL) for point in row.points)
            told.append(row.rule.ljust(_NAME) + cells)
            said = next((point.reason for point in row.points if point.reason), None)
            reasons += [f"none      {row.rule}: {said}"] if said else []
        told += [*reasons, *_leaks(table), ""]
    return told[:-1]


def _cell(point: RecordedPoint) -> str:
    return "none" if point.scale is None else at_most(point.scale.upper, 6)


def _leaks(table: RecordedTable) -> list[str]:
    """Say what noise for one record leaks, where that was computed."""
    row = next(row for row in table.rows if row.rule == ENTRY)
    told = [
        f"{three(float(exact(point.leakage.epsilon.upper)))} nats at {point.epsilon}"
        for point in row.points
        if point.leakage is not None and point.leakage.epsilon is not None
    ]
    return [f"leaks     noise for one record: {', '.join(told)}"] if told else []


def files(figure: RecordedFigure, folder: str) -> dict[str, bytes]:
    """Return the tables and the plot."""
    start = str(Path(folder) / figure.figure)
    written = plot_files(_drawn(figure), start, finding(figure))
    answer = figure.model_dump_json(indent=1).encode()
    return written | {f"{start}.csv": _csv(figure).encode(), f"{start}.json": answer}


def finding(figure: RecordedFigure) -> str:
    """Say the scales of the first table at the level in the middle."""
    table, place = figure.tables[0], len(figure.epsilons) // 2
    scales = [(row.rule, row.points[place].scale) for row in table.rows]
    known = {rule: float(exact(scale.upper)) for rule, scale in scales if scale is not None}
    quilts = [scale for rule, scale in known.items() if rule.startswith("Markov quilts")]
    told = [f"{rule} {three(known[rule])}" for rule in (EXACT, GROUP) if rule in known]
    between = f"Markov quilts {three(min(quilts))} to {three(max(quilts))}"
    return f"{table.data}, level {figure.epsilons[place]}: {'; '.join([*told, between])}."


def _csv(figure: RecordedFigure) -> str:
    """Return a row for every rule and level; scales and leakages in nats are upper bounds."""
    rows: list[list[Any]] = []
    for table in figure.tables:
        for row in table.rows:
            for point in row.points:
                leaked = point.leakage and point.leakage.epsilon
                cells = [point.scale and point.scale.upper, leaked and leaked.upper, point.reason]
                rows.append([table.data, row.rule, point.epsilon, *(c or "" for c in cells)])
    return csv_text(("data", "rule", "epsilon", "scale", "leakage", "reason"), rows)


def _drawn(figure: RecordedFigure) -> "Figure":
    """Draw a panel for every table: scales against levels, both logarithmic."""
    across = min(_ACROSS, len(figure.tables))
    down = -(-len(figure.tables) // across)
    with panels(down, across, (4.4 * across, 3.9 * down + 0.9)) as (drawn, rows):
        every = [axes for row in rows for axes in row]
        known: dict[str, Any] = {}
        for axes, table in zip(every, figure.tables):
            _panel(axes, table, known)
        for axes in every[len(figure.tables) :]:
            axes.set_visible(False)
        for row in rows:
            row[0].set_ylabel("scale of the Laplace noise")
        legend_below(drawn, known.values(), 2, labels=list(known))
    return drawn


def _panel(axes: "Axes", table: RecordedTable, known: dict[str, Any]) -> None:
    for row, (colour, style) in zip(table.rows, _LOOKS):
        points = [
            (float(point.epsilon), float(exact(point.scale.upper))) for point in row.points if point.scale is not None
        ]
        if points:
            (line,) = axes.plot(*zip(*points), style, color=colour, markersize=4, linewidth=1.3)
            known.setdefault(row.rule, line)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([float(point.epsilon) for point in table.rows[0].points])
    axes.minorticks_off()
    plain_ticks(axes.xaxis)
    plain_ticks(axes.yaxis)
    axes.set_xlabel("level epsilon (nats)")
    axes.set_title(table.data.replace(", ", "\n", 1), fontsize=9)
