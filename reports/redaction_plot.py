"""Redaction designs drawn: utility against epsilon, and how often a record with the common value is redacted.

Points are proven utilities, rounded for drawing; curves jump where a region of records gains or loses one. The two panels are
Figures 3 and 4 of Massny, Bitar, Ye and El Rouayheb 2025 (massny2025) with more strategies.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.lp.redaction_strategies import Design, Skipped, redaction_designs
from pufferproof.models.binary_chain import BinaryChain
from pufferproof.models.level import Level
from pufferproof.reports.plots import AGAINST, FAINT, FOR, INK, MARK, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS, _MOST_RECORDS, _WINDOW = 61, 100, 40
_QUICK, _SLOW = ("quilt", "3r-relaxed"), ("3r-split", "local-optimal", "central-lp")
_STYLES = {
    "data-independent": (INK, "-"), "quilt": (FAINT, "-"), "3r-relaxed": (FOR, "-"), "3r-constant": (AGAINST, "-"),
    "3r-exact": (MARK, "-"), "3r-split": (MARK, "--"), "local-optimal": (INK, "--"), "central-lp": (FAINT, ":"),
}  # fmt: skip


def redaction_plot(
    chain: BinaryChain, private: int, level: Level, found: Sequence[Design | Skipped], points: int = _POINTS
) -> "Figure":
    """Draw the utility of the computed strategies from 0.1 to 10 nats, and their profile around the private record.

    What takes longer is only marked at epsilon: splits and optima, and on chains of more than 100 records all but the quilt and
    the relaxed design.
    """
    designs = [design for design in found if isinstance(design, Design)]
    epsilon = float(level.enclosure().upper)
    levels = _levels(epsilon, points)
    short = chain.length <= _MOST_RECORDS
    names = [d.name for d in designs if d.name in _QUICK or (short and d.name not in _SLOW)]
    with styled():
        figure, _ = new_figure(7.0)
        figure.clear()
        above, below = figure.subplots(2, 1)
        rows = [redaction_designs(chain, private, Level.of_nats(value), names) for value in levels]
        for index, name in enumerate(names):
            drawn = [(float(v), float(r.lower)) for v, row in zip(levels, rows) if isinstance(r := row[index], Design)]
            colour, line = _STYLES[name]
            above.plot(*zip(*drawn), color=colour, linestyle=line, linewidth=1.3, label=name)
        for design in designs:
            label = None if design.name in names else design.name
            above.plot([epsilon], [float(design.lower)], "o", color=_STYLES[design.name][0], markersize=4, label=label)
        above.set_xscale("log")
        above.set_xlabel("epsilon (nats)")
        above.set_ylabel("utility")
        _profiles(below, chain, private, designs)
        figure.legend(*above.get_legend_handles_labels(), loc="outside upper left", frameon=False, ncols=3)
    return figure


def _levels(epsilon: float, points: int) -> list[Fraction]:
    low, high = min(0.1, max(epsilon / 2, 1e-3)), max(10.0, 2 * epsilon)
    ratio = math.log(high / low) / max(points - 1, 1)
    return [Fraction(f"{low * math.exp(ratio * index):.6g}") for index in range(points)]


def _profiles(axes: "Axes", chain: BinaryChain, private: int, designs: Sequence[Design]) -> None:
    """Draw r_t of the common value for the records near the private one."""
    records = range(max(1, private - _WINDOW), min(chain.length, private + _WINDOW) + 1)
    for design in designs:
        if design.mechanism is not None:
            colour, line = _STYLES[design.name]
            heights = [float(design.mechanism.rows[t - 1][chain.common_value]) for t in records]
            axes.plot(records, heights, marker="o", color=colour, linestyle=line, markersize=3, linewidth=1)
    axes.axvline(private, color=FAINT, linewidth=0.8, linestyle=":")
    axes.set_xlabel(f"record t (private: {private})")
    axes.set_ylabel(f"redacted if {chain.common_value}: r_t({chain.common_value})")
    axes.locator_params(axis="x", integer=True)
