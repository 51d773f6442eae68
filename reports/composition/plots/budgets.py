"""Pictures of what mechanisms within budgets could do: a worst case beside its budgets and the
outputs that reach it.
"""

from pufferproof.lp.worst.composition import WorstComposition
from pufferproof.models.numbers.text import three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    MARK,
    Axis,
    Bar,
    Bars,
    Curve,
    Panel,
    Part,
    Plot,
    Rule,
    nats_approx,
)
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.words import level_nats

_MOST_DATABASES, _MOST_RELEASES = 40, 12
_SMALL = 1 / 20  # of the likeliest, from where on down the axis is logarithmic
_COLOURS = (FOR, AGAINST, MARK, FAINT)


def worst_plot(case: WorstComposition) -> Plot:
    """Return the budgets, their sum and the worst case, and below how likely its outputs are under
    every database, if these are few.
    """
    ends = [level.enclosure() for level in case.budgets]
    total = sum(float(end.upper) for end in ends)
    rows = [
        Bar.of(f"release {place}, {label_text(level_nats(level), 16)}", end, FOR)
        for place, (level, end) in enumerate(zip(case.budgets, ends), 1)
    ]
    if len(rows) > _MOST_RELEASES:
        most = max(ends, key=lambda end: float(end.upper))
        rows = [Bar.of("every release, at most", most, FOR)]
    rows.append(Bar("sum of the budgets", total, total, FAINT, f"{total:.4g}"))
    rows.append(Bar.of("worst together", case.joint.enclosure(), MARK))
    bars: list[Part] = [Bars(rows), Rule("", total, INK, "--")]
    height = 1.1 + 0.34 * len(rows)
    panels = [Panel(bars, Axis("leakage (nats)"), share=height)]
    few = len(case.databases) <= _MOST_DATABASES and case.method != "members"
    if few and case.columns:
        panels.append(_columns_panel(case))
        height += 2.5
    budgets = ", ".join(level_nats(level) for level in case.budgets[:_MOST_RELEASES])
    more = ", .." if len(case.budgets) > _MOST_RELEASES else ""
    worst = "is infinite" if case.joint.infinite else f"is {three(nats_approx(case.joint))} nats"
    worst_finding = f"The worst joint leakage within the budgets {budgets}{more} {worst}."
    return Plot(worst_finding, panels, height, columns=4)


def _columns_panel(case: WorstComposition) -> Panel:
    """Return how likely each release's output is under every database, relative to the best."""
    columns = case.columns[:_MOST_RELEASES]
    parts: list[Part] = []
    for place, column in enumerate(columns):
        shift = 0.4 * ((place + 0.5) / len(columns) - 0.5)
        xs = [x + shift for x in range(len(column))]
        ys = [value / (max(column) or 1) for value in column]
        name = f"output of release {place + 1}"
        parts.append(Curve(name, xs, ys, _COLOURS[place % 4], "os^D"[place % 4], size=4.5))
    above, below = (label_text(name, 20) for name in case.pair)
    along = f'database ("{above}" against "{below}"); 0: ruled out by the output'
    names = [label_text(name, 12) for name in case.databases]
    least = min(value / max(column) for column in columns for value in column if value)
    up = Axis("output w, relative", -0.05, 1.1)
    if least < _SMALL:
        up = Axis("output w, relative", -least / 4, 2, scale="zero", ticks="powers")
    return Panel(parts, Axis(along, names=names), up, share=2.6)
