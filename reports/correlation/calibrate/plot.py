"""Noise scales of mechanisms drawn against the level. Dots are scales that were computed, rounded
for drawing, and lines join them; a mechanism has no line where it has no scale.
"""

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import extras
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    new_figure,
    plain_ticks,
    styled,
)
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.correlation.calibrate.comparison import ComparedScale, ScaleCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DECADES, _LINE = 2, 68  # of an axis with all its numbers; characters of a line
_STYLES = {
    "wasserstein": (MARK, "-"),
    "kantorovich": (MARK, ":"),
    "plan-mean": (MARK, "--"),
    "markov-quilt": (AGAINST, "-"),
    "markov-quilt-approx, song2017": (AGAINST, ":"),
    "markov-quilt-approx, wang2016": (AGAINST, "--"),
    "markov-quilt-approx, sharp": (AGAINST, "-."),
    "pufferfish-laplace, published": (FOR, ":"),
    "pufferfish-laplace, best": (FOR, "--"),
    "pufferfish-laplace, exact": (FOR, "-"),
    "gk16": (FAINT, "--"),
    "bdp-general": (FAINT, "-."),
    "bdp-markov": (FAINT, ":"),
    "group-dp": (FAINT, "-"),
}


def scale_plot(
    curves: Sequence[ScaleCurve],
    grid: Sequence[Level],
    rows: Sequence[ComparedScale],
    asked: Level,
    title: str,
) -> "Figure":
    """Draw the scale of every mechanism against epsilon, both logarithmic, in the order of the
    scales at the level asked for; and the least scale that keeps that level as a point.
    """
    nats = [float(level.enclosure().upper) for level in grid]
    at = float(asked.enclosure().upper)
    place = nats.index(at)
    drawn = sorted((c for c in curves if any(c.scales)), key=lambda c: -(c.scales[place] or 0))
    none = [curve.name for curve in curves if not any(curve.scales)]
    with styled():
        figure, axes = new_figure(5.4)
        axes.axvline(at, color=FAINT, linewidth=0.6, zorder=0)
        for curve in drawn:
            _draw(axes, nats, curve, curve.scales[place])
        least = next((row.scale for row in rows if row.mechanism == "tight"), None)
        if least is not None and (scale := float(least.upper)):
            label = f"tight: {scale:.4g}"
            axes.plot([at], [scale], "o", color=INK, markersize=6, label=label, zorder=4)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
        _thin(axes)
        axes.set_xlabel("\n".join(["level epsilon (nats)", *_without(none)]))
        axes.set_ylabel("scale of the Laplace noise, in units of the query")
        axes.set_title(title, fontsize=10, loc="left")
        named = f"scale at level {level_nats(asked)}"
        look: dict[str, object] = {"frameon": False, "handlelength": 3.4, "fontsize": 9}
        figure.legend(loc="outside upper left", ncols=2, title=named, alignment="left", **look)
    return figure


def scale_finding(rows: Sequence[ComparedScale], asked: Level) -> str:
    """Say which mechanism needs the least noise at the level asked for, and the least scale that
    keeps it.
    """
    scales = [(float(row.scale.upper), row) for row in rows if row.scale is not None]
    published = [each for each in scales if each[1].mechanism != "tight"]
    if not published:
        return f"No mechanism has a scale at level {level_nats(asked)}."
    scale, best = min(published, key=lambda each: each[0])
    name = best.mechanism if best.option is None else f"{best.mechanism}, {best.option}"
    tight = next((value for value, row in scales if row.mechanism == "tight"), None)
    least = "" if tight is None else f"; the least that keeps it is {three(tight)}"
    return f"At level {level_nats(asked)} {name} adds the least noise, scale {three(scale)}{least}."


def _draw(axes: "Axes", nats: Sequence[float], curve: ScaleCurve, scale: float | None) -> None:
    """Draw the computed scales of a mechanism, joined; group privacy below the others."""
    colour, style = _STYLES[curve.name]
    scales = [each or math.nan for each in curve.scales]
    value = "none" if scale is None else f"{scale:.4g}"
    look: dict[str, Any] = {"color": colour, "linewidth": 1.4, "markersize": 3, "marker": "o"}
    order = 1 if curve.name == "group-dp" else 2
    axes.plot(nats, scales, linestyle=style, label=f"{curve.name}: {value}", zorder=order, **look)


def _thin(axes: "Axes") -> None:
    """Number the powers of ten only where they are many."""
    with extras:
        from matplotlib.ticker import NullFormatter

    low, high = (math.log10(y) for y in axes.get_ylim())
    if high - low > _DECADES:
        axes.yaxis.set_minor_formatter(NullFormatter())


def _without(names: Sequence[str]) -> list[str]:
    """Say which mechanisms have no scale at any of the levels."""
    said = f"no scale: {'; '.join(names)}"
    return wrap(said, _LINE, break_on_hyphens=False) if names else []
