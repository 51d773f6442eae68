"""The transitions of a fitted chain drawn: a row per context, darker where the next value is
likelier.
"""

from typing import TYPE_CHECKING

from pufferproof.models.interface.drawing import FAINT, FOR, INK, new_figure, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pufferproof.models.files.recorded.fit import Fit

_MOST_ROWS = 60
_WRITTEN = 12  # columns up to which probabilities are written into their cells
_LIGHT = 0.85  # text on darker cells is white


def transition_figure(fit: "Fit") -> "Figure":
    """Draw relative frequencies, and below each the interval of the box where there is one."""
    from matplotlib.colors import LinearSegmentedColormap

    rows = [[float(entry) for entry in row] for row in fit.transition[:_MOST_ROWS]]
    names = [fit.counts.name(context) for context in fit.counts.contexts[:_MOST_ROWS]]
    with styled():
        figure, axes = new_figure(1.2 + (0.34 if fit.box is None else 0.5) * len(rows))
        shades = LinearSegmentedColormap.from_list("seen", ["white", FOR])
        axes.imshow(rows, cmap=shades, vmin=0, vmax=1, aspect="auto")
        axes.set_yticks(range(len(rows)), [_short(name, 30) for name in names])
        axes.set_xticks(range(len(fit.states)), [_short(name, 12) for name in fit.states])
        axes.tick_params(length=0, top=True, bottom=False, labeltop=True, labelbottom=False)
        axes.set_ylabel("after")
        axes.set_title("next value", fontsize=10)
        for side in axes.spines.values():
            side.set_color(FAINT)
        if len(fit.states) <= _WRITTEN:
            for x, row in enumerate(rows):
                for y, chance in enumerate(row):
                    colour = "white" if chance > _LIGHT else INK
                    axes.text(y, x, _cell(fit, x, y), ha="center", va="center", color=colour)
    return figure


def _cell(fit: "Fit", x: int, y: int) -> str:
    text = f"{float(fit.transition[x][y]):.3f}"
    if fit.box is None:
        return text
    low, high = float(fit.box.lower[x][y]), float(fit.box.upper[x][y])
    return f"{text}\n{low:.3f} .. {high:.3f}"


def _short(label: str, length: int) -> str:
    return label if len(label) <= length else f"{label[: length - 1]}…"
