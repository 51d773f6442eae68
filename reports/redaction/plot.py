"""Redaction designs drawn: utility against epsilon, and how often a record with the common value is
redacted.

Points are proven utilities, rounded for drawing; a band reaches to what no mechanism of the
strategy exceeds. The panels are Figures 3 and 4 of Massny, Bitar, Ye and El Rouayheb 2025
(massny2025) with more strategies, beside the bound of its Theorem 2.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pufferproof.lp.redaction.published import published_bound
from pufferproof.lp.redaction.strategies import NAMES, Design, Skipped
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import three
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.reports.console.drawing import FAINT, INK, new_figure, plain_ticks, styled
from pufferproof.reports.console.words import level_nats
from pufferproof.reports.redaction.curves import StrategyCurve, grid_of, jumps_are_known, jumps_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WINDOW = 1_000  # records to either side of a private one
_MARKED = 60  # records that have markers
_TICKS = 12  # records that are all numbered
_VISIBLE = 0.004  # of a band
_COLOURS = (
    "#1a1c20",
    "#8a8f98",
    "#56b4e9",
    "#e69f00",
    "#0072b2",
    "#009e73",
    "#d55e00",
    "#cc79a7",
    "#5b2a86",
)
_MARKERS = "sDv^oPXph"
_DASHES = ("-", "-", "-", "-", "-", (0, (4, 2)), (0, (1, 1.2)), "-", "-")
_ORDER = (*NAMES, "profile")


def redaction_plot(
    chain: BinaryChain,
    private: Sequence[int],
    level: Level,
    designs: Sequence[Design | Skipped],
    curves: Sequence[StrategyCurve],
) -> "Figure":
    """Draw the utility curves, every design at the level asked for, and the profiles around the
    private records.
    """
    computed = [design for design in designs if isinstance(design, Design)]
    ranked = sorted(computed, key=lambda design: (-design.lower, _ORDER.index(design.name)))
    with styled():
        figure, _ = new_figure(7.4)
        figure.clear()
        above, below = figure.subplots(2, 1)
        for curve in curves:
            _curve(above, curve)
        for design in ranked:
            _mark(above, design, level, _digits(chain))
        if len(private) == 1:
            _published(above, chain, private[0], level)
        _frame(above, level)
        _profiles(below, chain, private, computed)
        figure.legend(
            *above.get_legend_handles_labels(),
            loc="outside upper left",
            frameon=False,
            ncols=2,
            fontsize=9,
        )
    return figure


def redaction_finding(designs: Sequence[Design | Skipped], level: Level) -> str:
    """Say which strategy keeps most at the level asked for."""
    computed = [design for design in designs if isinstance(design, Design)]
    if not computed:
        return f"No strategy was computed at level {level_nats(level)}."
    best = max(computed, key=lambda design: design.lower)
    utility = three(float(best.lower))
    return f"At level {level_nats(level)} {best.name} has the largest utility, {utility}."


def _style(name: str, marked: bool = False) -> dict[str, object]:
    """Return colour, dashes and width; later strategies are thinner."""
    place = _ORDER.index(name)
    style: dict[str, object] = {"color": _COLOURS[place], "linestyle": _DASHES[place]}
    style |= {"linewidth": max(1.5, 3.2 - 0.35 * place), "zorder": 3 + place / 10}
    return style | (
        {"marker": _MARKERS[place], "markersize": max(4.0, 8.5 - 0.6 * place)} if marked else {}
    )


def _curve(axes: "Axes", curve: StrategyCurve) -> None:
    nats = [point.nats for point in curve.points]
    lower, upper = (
        [float(getattr(point.design, end)) for point in curve.points] for end in ("lower", "upper")
    )
    axes.plot(nats, lower, **_style(curve.name))  # type: ignore[arg-type]
    if any(high - low > _VISIBLE for low, high in zip(lower, upper)):
        colour = _COLOURS[_ORDER.index(curve.name)]
        axes.fill_between(nats, lower, upper, color=colour, alpha=0.13, linewidth=0, zorder=1)


def _mark(axes: "Axes", design: Design, level: Level, digits: int) -> None:
    """Mark a design at the level asked for; its line in the legend says its utility."""
    low, high = float(design.lower), float(design.upper)
    ends = dict.fromkeys(f"{end:.{digits}f}" for end in (low, high))
    said = " to ".join(ends)
    axes.plot([_nats(level)], [low], label=f"{design.name}  {said}", **_style(design.name, True))  # type: ignore[arg-type]
    if high - low > _VISIBLE:
        colour = _COLOURS[_ORDER.index(design.name)]
        axes.plot([_nats(level)] * 2, [low, high], color=colour, linewidth=1, marker="_", zorder=2)


def _digits(chain: BinaryChain) -> int:
    """Return how many decimals tell a record of the chain apart."""
    return max(4, len(str(chain.length)) + 2)


def published_steps(chain: BinaryChain, private: int, level: Level) -> list[tuple[float, float]]:
    """Return points of the bound of Theorem 2, from the first level of the grid to the last, with
    all its known jumps.
    """
    levels = sorted({*grid_of(level), *jumps_of(chain, [private])}, key=lambda place: place[0])
    first, last = grid_of(level)[0][0], grid_of(level)[-1][0]
    return [
        (nats, float(published_bound(chain, private, at)))
        for nats, at in levels
        if first <= nats <= last
    ]


def _published(axes: "Axes", chain: BinaryChain, private: int, level: Level) -> None:
    """Draw the bound of Theorem 2, as steps if all jumps are known, else as a line."""
    steps = published_steps(chain, private, level)
    said = (
        f"published bound on data-independent  "
        f"{float(published_bound(chain, private, level)):.{_digits(chain)}f}"
    )
    drawn = "steps-post" if jumps_are_known(chain, steps[0][0]) else "default"
    style = {
        "color": INK,
        "linewidth": 0.9,
        "linestyle": (0, (6, 3)),
        "zorder": 6,
        "drawstyle": drawn,
    }
    axes.plot(*zip(*steps), label=said, **style)  # type: ignore[arg-type]


def _frame(axes: "Axes", level: Level) -> None:
    axes.axvline(_nats(level), color=FAINT, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_xscale("log")
    plain_ticks(axes.xaxis)
    axes.ticklabel_format(axis="y", style="plain", useOffset=False)
    low, high = axes.get_ylim()
    axes.set_ylim(max(low, -0.03), min(high, 1.03))
    axes.set_xlabel(f"epsilon (nats); dotted: {level}")
    axes.set_ylabel("utility")


def _nats(level: Level) -> float:
    return float(level.enclosure().upper)


def _profiles(
    axes: "Axes", chain: BinaryChain, private: Sequence[int], designs: Sequence[Design]
) -> None:
    """Draw r_t of the common value around the private records, as far as anything is redacted."""
    common = chain.common_value
    first, last = max(1, min(private) - _WINDOW), min(chain.length, max(private) + _WINDOW)
    heights = {
        design.name: [float(row[common]) for row in design.mechanism.rows[first - 1 : last]]
        for design in designs
        if design.mechanism is not None
    }
    redacted = [
        *private,
        *(first + t for row in heights.values() for t, height in enumerate(row) if height),
    ]
    start, end = max(first, min(redacted) - 2), min(last, max(redacted) + 2)
    for name, row in heights.items():
        style = _style(name, end - start < _MARKED)
        axes.plot(range(start, end + 1), row[start - first : end + 1 - first], **style)  # type: ignore[arg-type]
    for record in private:
        axes.axvline(record, color=FAINT, linewidth=0.8, linestyle=":", zorder=0)
    axes.set_ylim(-0.05, 1.05)
    axes.set_xlim(start - 0.4, end + 0.4)
    if end - start <= _TICKS:
        axes.set_xticks(range(start, end + 1))
    else:
        axes.locator_params(axis="x", integer=True)
    axes.set_xlabel(f"record t; private: {', '.join(map(str, private))}")
    axes.set_ylabel(f"redacted if {common}: r_t({common})")
