"""A histogram of leakages over the priors on a grid, with the level asked for."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.counterexamples.exploration.priors import BINS_PER_NAT, Found
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import three
from pufferproof.reports.auditing.plots.marks import Drawn
from pufferproof.reports.console.drawing import (
    AGAINST,
    FOR,
    INK,
    log_down_to_zero,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.words import level_nats
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 40


def priors_plot(found: Found, spread: Sequence[list[list[int]]], level: Level | None) -> Drawn:
    """Draw how many priors leak how much, from the counts of units; those that leak everything
    stand in a bar of their own.
    """
    counts: Counter[int] = Counter()
    for k, number in (each for unit in spread for each in unit):
        counts[k] += number
    joined = max(counts, default=0) // _BARS + 1  # neighbouring bins in one bar
    bars: Counter[int] = Counter()
    for k, number in counts.items():
        bars[k // joined] += number
    with styled():
        figure, axes = new_figure(3.6)
        _draw(axes, bars, joined / BINS_PER_NAT, found.infinite)
        if level is not None:
            asked = float(level.enclosure().upper)
            label = f"level {level_nats(level)}"
            axes.axvline(asked, color=INK, linewidth=1.2, linestyle="--", label=label)
        if axes.get_legend_handles_labels()[0]:
            figure.legend(loc="outside upper left", frameon=False, ncols=2)
        axes.set_xlim(0, axes.get_xlim()[1] * 1.02)
        axes.set_xlabel("leakage under a prior (nats)")
        axes.set_ylabel("priors")
    return Drawn(figure, _finding(found, level))


def _draw(axes: "Axes", bars: Counter[int], width: float, infinite: int) -> None:
    """Draw a bar for every interval of nats, and one apart for what is infinite."""
    places = sorted(bars)
    lefts = [place * width for place in places]
    axes.bar(lefts, [bars[place] for place in places], width=width * 0.92, align="edge", color=FOR)
    if infinite:
        last = (max(places, default=0) + 2) * width
        label = f"infinite: {infinite:,} priors"
        axes.bar([last], [infinite], width=width * 0.92, align="edge", color=AGAINST, label=label)
    most = max([*bars.values(), infinite])
    if most > _BARS * max(1, min([*bars.values(), infinite or most])):
        log_down_to_zero(axes, 1)
        axes.set_ylim(0, 2 * most)


def _finding(found: Found, level: Level | None) -> str:
    nats = nats_approx(Leakage.of(found.ratio))
    most = "infinite" if math.isinf(nats) else f"{three(nats)} nats"
    if level is None:
        return f"The largest leakage under {found.meant:,} priors is {most}."
    share = math.floor(1000 * found.above / found.meant) / 10
    said = f"{found.above:,} of {found.meant:,} priors, {share:g}%, leak more than"
    return f"{said} {level_nats(level)}; the largest leakage is {most}."
