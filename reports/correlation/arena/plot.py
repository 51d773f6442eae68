"""Scales over the least one: a row for each method, a dot for each framework."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.models.numbers.text import JsonObject, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    new_figure,
    plain_ticks,
    styled,
)
from pufferproof.reports.correlation.arena.contest import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW, _MARGIN = 0.34, 1.1  # inches


def arena_plot(rows: Sequence[Row], methods: Sequence[JsonObject]) -> "Figure":
    """Draw every scale over the least one that keeps the level, and the middle of each method."""
    with styled():
        figure, axes = new_figure(_MARGIN + _ROW * len(methods))
        axes.axvline(1, color=FAINT, linewidth=0.8, zorder=0)
        names = [each["name"] for each in methods]
        for place, each in enumerate(methods):
            found = [m for row in rows for m in row["methods"] if m["name"] == each["name"]]
            known = [m for m in found if m["over_least"] is not None]
            for kept, colour in ((True, FOR), (None, FAINT), (False, AGAINST)):
                values = [m["over_least"] for m in known if m["keeps"] is kept]
                axes.plot(
                    values, [place] * len(values), "o", color=colour, alpha=0.45, markersize=5
                )
            if known:
                middle = each["scale_over_least"]["median"]
                axes.plot([middle], [place], "|", color=INK, markersize=15, markeredgewidth=2)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set_xlabel("scale over the least that keeps the level (bar: median)")
    return figure


def arena_finding(methods: Sequence[JsonObject]) -> str:
    """Say which method has the least median."""
    known = [each for each in methods if each["scale_over_least"] is not None]
    if not known:
        return "No method has a scale."
    best = min(known, key=lambda each: each["scale_over_least"]["median"])
    middle = best["scale_over_least"]["median"]
    return f"{best['name']} adds least: its median is {three(middle)} times the least scale."
