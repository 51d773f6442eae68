"""The transitions of a fitted chain drawn: a row per context, darker where the next value is
likelier; and as a table.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING

from pufferproof.models.errors import extras
from pufferproof.models.files.recorded.chains.counts import Counts
from pufferproof.models.interface.drawing import FAINT, FOR, INK, new_figure, styled, titled
from pufferproof.models.numbers.text import chance
from pufferproof.models.priors.chains.box import IntervalChain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_ROWS = 60
_WRITTEN = 12  # columns up to which probabilities are written into their cells
_LIGHT = 0.85  # text on darker cells is white


def transition_figure(
    counts: Counts, transition: Sequence[Sequence[Fraction] | None], box: IntervalChain | None
) -> "Figure":
    """Draw relative frequencies, and below each the interval of the box where there is one. A row
    that is not known, None, stays empty.
    """
    with extras:
        from matplotlib.colors import LinearSegmentedColormap

    empty = [math.nan] * len(counts.states)
    rows = [[float(p) for p in row] if row else empty for row in transition[:_MOST_ROWS]]
    names = [counts.name(context) for context in counts.contexts[:_MOST_ROWS]]
    with styled():
        figure, axes = new_figure(1.2 + (0.34 if box is None else 0.5) * len(rows))
        shades = LinearSegmentedColormap.from_list("seen", ["white", FOR])
        axes.imshow(rows, cmap=shades, vmin=0, vmax=1, aspect="auto")
        axes.set_yticks(range(len(rows)), [_short(name, 30) for name in names])
        axes.set_xticks(range(len(counts.states)), [_short(name, 12) for name in counts.states])
        axes.tick_params(length=0, top=True, bottom=False, labeltop=True, labelbottom=False)
        axes.set_ylabel("after")
        axes.set_xlabel("next value")
        axes.xaxis.set_label_position("top")
        for side in axes.spines.values():
            side.set_color(FAINT)
        if len(counts.states) <= _WRITTEN:
            for x, row in enumerate(rows):
                for y, share in enumerate(row):
                    colour = "white" if share > _LIGHT else INK
                    label = "unknown" if math.isnan(share) else _places(share, 3)
                    text = label + ("" if box is None else _interval(box, x, y))
                    axes.text(y, x, text, ha="center", va="center", color=colour)
        titled(figure, _finding(counts, transition))
    return figure


def _finding(counts: Counts, transition: Sequence[Sequence[Fraction] | None]) -> str:
    """Say which next value is likeliest, after what."""
    shares = [
        (share, x, y) for x, row in enumerate(transition) if row for y, share in enumerate(row)
    ]
    if not shares:
        return "No transition is known."
    share, x, y = max(shares, key=lambda each: each[0])
    before, after = _short(counts.name(counts.contexts[x]), 30), _short(counts.states[y], 30)
    return f'"{after}" follows "{before}" with probability {chance(share)}, most surely.'


def _interval(box: IntervalChain, x: int, y: int) -> str:
    return f"\n{float(box.lower[x][y]):.3f} .. {float(box.upper[x][y]):.3f}"


def _places(share: Fraction | float, digits: int) -> str:
    """Write a probability with so many digits behind the point; one below 1 is not written as 1.

    >>> _places(0.25, 3), _places(1.0, 3), _places(0.9999, 3)
    ('0.250', '1.000', '> 0.999')
    """
    text = f"{float(share):.{digits}f}"
    return f"> 0.{'9' * digits}" if share < 1 and float(text) == 1 else text


def _short(label: str, length: int) -> str:
    return label if len(label) <= length else f"{label[: length - 1]}…"


def html_table(counts: Counts, rows: Sequence[tuple[Fraction, ...] | None]) -> str:
    """Return the transitions as a table for a notebook."""
    head = "".join(f"<th>{escape(value)}</th>" for value in counts.states)
    body = [
        f"<tr><th>{escape(counts.name(context))}</th>"
        + "".join(f'<td title="{p}">{_places(p, 4)}</td>' for p in row or ())
        + ("" if row else f'<td colspan="{len(counts.states)}">unknown</td>')
        + f"<td>{sum(counts.rows[x])}</td></tr>"
        for x, (context, row) in enumerate(zip(counts.contexts, rows))
    ]
    return f"<table><tr><th>after</th>{head}<th>seen</th></tr>{''.join(body)}</table>"
