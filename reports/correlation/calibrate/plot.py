"""Noise scales of mechanisms drawn against the level. Lines join scales that were computed, rounded
for drawing; a mechanism has no line where it has no scale.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.models.numbers.level import Level
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
from pufferproof.reports.correlation.calibrate.comparison import Compared, Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLES = {
    "wasserstein": (MARK, "-"),
    "markov-quilt": (AGAINST, "-"),
    "markov-quilt-approx, song2017": (AGAINST, ":"),
    "markov-quilt-approx, wang2016": (AGAINST, "--"),
    "markov-quilt-approx, sharp": (AGAINST, "-."),
    "pufferfish-laplace, published": (FOR, ":"),
    "pufferfish-laplace, best": (FOR, "--"),
    "pufferfish-laplace, exact": (FOR, "-"),
    "group-dp": (FAINT, "-"),
}


def scale_plot(
    curves: Sequence[Curve], grid: Sequence[Level], rows: Sequence[Compared], asked: Level
) -> "Figure":
    """Draw the scale of every mechanism against epsilon, both logarithmic, and the least scale that
    keeps the level asked for as a point.
    """
    nats = [float(level.enclosure().upper) for level in grid]
    at = float(asked.enclosure().upper)
    with styled():
        figure, axes = new_figure(4.6)
        for curve in curves:
            if not any(curve.scales):
                continue
            colour, style = _STYLES[curve.name]
            scales = [scale or math.nan for scale in curve.scales]
            axes.plot(nats, scales, style, color=colour, linewidth=1.4, label=curve.name)
        least = next((row.scale for row in rows if row.mechanism == "tight"), None)
        if least is not None and float(least.upper):
            axes.plot([at], [float(least.upper)], "o", color=INK, markersize=5, label="tight")
        axes.axvline(at, color=FAINT, linewidth=0.6)
        axes.set_xscale("log")
        axes.set_yscale("log")
        plain_ticks(axes.xaxis)
        plain_ticks(axes.yaxis)
        axes.set_xlabel("epsilon (nats)")
        axes.set_ylabel("scale of the noise")
        figure.legend(loc="outside upper left", frameon=False, ncols=2)
    return figure
