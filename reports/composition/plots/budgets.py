"""Pictures of what mechanisms within budgets could do: a worst case beside its budgets and the
outputs that reach it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.errors import extras
from pufferproof.models.numbers.text import three
from pufferproof.reports.auditing.plots.bars import Bar, draw_bars
from pufferproof.reports.auditing.plots.marks import Drawn
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    empty_figure,
    log_down_to_zero,
    nats_approx,
    new_figure,
    styled,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import level_nats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_DATABASES, _MOST_RELEASES, _MOST_TURNED = 40, 12, 6
_SMALL = 1 / 20  # of the likeliest, from where on down the axis is logarithmic
_MARKERS = ("o", "s", "^", "D")


def worst_plot(case: WorstComposition) -> Drawn:
    """Draw the budgets, their sum and the worst case, and below how likely its outputs are under
    every database, if these are few.
    """
    bars = _worst_bars(case)
    few = len(case.databases) <= _MOST_DATABASES and case.method != "members"
    columns = case.columns[:_MOST_RELEASES] if few else ()
    with styled():
        if columns:
            figure = empty_figure(3.6 + 0.34 * len(bars))
            figure.set_layout_engine("constrained")
            ratios = [1.0 + 0.34 * len(bars), 2.6]
            axes, below = figure.subplots(2, 1, height_ratios=ratios)
            _draw_columns(below, case, columns)
        else:
            figure, axes = new_figure(1.1 + 0.34 * len(bars))
        draw_bars(axes, bars)
        total = bars[-2].high
        axes.axvline(total, color=INK, linewidth=1, linestyle="--")
        axes.set_xlabel("leakage (nats)")
    return Drawn(figure, _worst_finding(case))


def _worst_bars(case: WorstComposition) -> list[Bar]:
    """Return a row for the budget of every release, for their sum and for the worst case."""
    ends = [level.enclosure() for level in case.budgets]
    total = sum(float(end.upper) for end in ends)
    shown = [
        Bar.of(f"release {place}, {label_text(level_nats(level), 16)}", each, FOR)
        for place, (level, each) in enumerate(zip(case.budgets, ends), 1)
    ]
    most = max(ends, key=lambda end: float(end.upper))
    many = [] if len(shown) <= _MOST_RELEASES else [Bar.of("every release, at most", most, FOR)]
    worst = Bar.of("worst together", case.joint.enclosure(), MARK)
    return [*(many or shown), Bar("sum of the budgets", total, total, FAINT), worst]


def _worst_finding(case: WorstComposition) -> str:
    budgets = ", ".join(level_nats(level) for level in case.budgets[:_MOST_RELEASES])
    more = ", .." if len(case.budgets) > _MOST_RELEASES else ""
    worst = "is infinite" if case.joint.infinite else f"is {three(nats_approx(case.joint))} nats"
    return f"The worst joint leakage within the budgets {budgets}{more} {worst}."


def _draw_columns(axes: "Axes", case: WorstComposition, columns: Sequence[Sequence[int]]) -> None:
    """Draw how likely each release's output is under every database, relative to the best."""
    with extras:
        from matplotlib.ticker import NullFormatter

    for place, column in enumerate(columns):
        top = max(column) or 1
        shift = 0.4 * ((place + 0.5) / len(columns) - 0.5)
        xs = [x + shift for x in range(len(column))]
        ys = [value / top for value in column]
        colour = (FOR, AGAINST, MARK, FAINT)[place % 4]
        style: dict[str, Any] = {"color": colour, "marker": _MARKERS[place % 4], "markersize": 4.5}
        axes.plot(xs, ys, linestyle="", label=f"release {place + 1}", **style)
    names = [label_text(name, 12) for name in case.databases]
    turned = sum(map(len, names)) > 60
    axes.set_xticks(range(len(names)), names, rotation=90 if turned else 0)
    least = min(value / max(column) for column in columns for value in column if value)
    axes.set_ylim(-0.05, 1.1)
    if least < _SMALL:
        log_down_to_zero(axes, least)
        axes.yaxis.set_minor_formatter(NullFormatter())
        axes.set_ylim(-least / 4, 2)
    axes.set_ylabel("output w, relative")
    above, below = (label_text(name, 20) for name in case.pair)
    axes.set_xlabel(f'database ("{above}" against "{below}"); 0: ruled out by the output')
    if len(columns) <= _MOST_TURNED:
        axes.figure.legend(loc="outside lower left", frameon=False, ncols=len(columns))
