"""How every plot is drawn: colours, and figures in one style.

Plots show rounded numbers and decide nothing. matplotlib is imported by the functions that draw.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, FOR, AGAINST, MARK = "#1a1c20", "#8a8f98", "#1f6fb2", "#b8560f", "#a3195b"
_WIDTH = 6.4  # inches


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of all plots: one font, ids that do not change, no frame on the right and
    above, names as they are.

    No text is read as a formula, since names are anybody's; axes whose ticks would be formulas have
    `plain_ticks`.
    """
    import matplotlib

    settings: Any = {
        "font.family": "DejaVu Sans",
        "font.size": 10,
        "svg.hashsalt": "pufferproof",
        "svg.fonttype": "none",
        "text.color": INK,
        "axes.edgecolor": FAINT,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "text.usetex": False,
        "text.parse_math": False,
    }
    with matplotlib.rc_context(settings):
        yield


def empty_figure(height: float) -> "Figure":
    """Return a figure without axes, of the usual width and this height in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(_WIDTH, height))


def new_figure(height: float) -> "tuple[Figure, Axes]":
    """Return an empty figure of the usual width and this height in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()
