"""How every plot is drawn: colours, figures in one style, and the title that says the answer.

Plots show rounded numbers and decide nothing. matplotlib is imported by the functions that draw.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import extras

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, FOR, AGAINST, MARK = "#1a1c20", "#8a8f98", "#1f6fb2", "#b8560f", "#a3195b"
_WIDTH = 6.4  # inches
_TITLE = "title"  # the id of the text that says the answer
_SIZE, _LINE, _MARGIN = 11, 15, 6  # points: letters of a title, its lines, what is free around it
_FILLED = 0.94  # of a line, since other fonts have wider letters
_NARROWER = 0.95  # of a line, in steps of which lines become equal


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of all plots: one font, ids that do not change, no frame on the right and
    above, names as they are.

    No text is read as a formula, since names are anybody's; axes whose ticks would be formulas have
    `plain_ticks`.
    """
    with extras:
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


def new_figure(height: float) -> "tuple[Figure, Axes]":
    """Return an empty figure of the usual width and this height in inches."""
    with extras:
        from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


@contextmanager
def panels(
    rows: int, columns: int, size: tuple[float, float], **shared: Any
) -> "Iterator[tuple[Figure, list[list[Axes]]]]":
    """Draw a figure of this width and height in inches, in rows of panels, in the style of all
    plots; `shared` says which axes are.
    """
    with extras:
        from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False, **shared)
        yield figure, [list(row) for row in grid]


def legend_below(figure: "Figure", handles: "Iterable[Artist]", columns: int, **names: Any) -> None:
    """Explain the marks of all panels below them."""
    where: Any = {"loc": "outside lower center", "frameon": False, "fontsize": 9}
    figure.legend(handles=list(handles), ncols=columns, **where, **names)


def titled(figure: "Figure", title: str) -> None:
    """Write what a figure shows above it, from the left, in as many lines as that takes; the figure
    grows by their height, so that what is drawn keeps its size. Nothing where it has a title.
    """
    if not title or any(text.get_gid() == _TITLE for text in figure.texts):
        return
    width, height = (72 * inches for inches in figure.get_size_inches())
    lines = _lines(title, _FILLED * (width - 2 * _MARGIN))
    below = height / (height + len(lines) * _LINE + _MARGIN)  # the share of what was there before
    figure.set_size_inches(width / 72, height / below / 72)
    _keep_below(figure, below)
    top = 1 - _MARGIN * below / height
    style: Any = {"fontsize": _SIZE, "fontweight": "bold", "va": "top", "ha": "left"}
    figure.text(_MARGIN / width, top, "\n".join(lines), gid=_TITLE, linespacing=1.2, color=INK, **style)


def _keep_below(figure: "Figure", share: float) -> None:
    """Keep axes and legends within the lower share of the height of a figure."""
    engine: Any = figure.get_layout_engine()
    if engine is None:
        for axes in figure.axes:
            box = axes.get_position()
            axes.set_position((box.x0, box.y0 * share, box.width, box.height * share))
        return
    engine.set(rect=(0, 0, 1, share))
    lay_out = engine.execute

    def lay_out_with_legends(drawn: "Figure") -> None:
        # legends have room in the layout as long as they stand at the edge of the figure
        for legend in drawn.legends:
            legend.set_bbox_to_anchor(None)
        lay_out(drawn)
        for legend in drawn.legends:
            legend.set_bbox_to_anchor((0, 0, 1, share), drawn.transFigure)

    vars(engine)["execute"] = lay_out_with_legends


def _lines(title: str, width: float) -> list[str]:
    """Fill lines of a width in points with a title's words, few and of like lengths."""
    with extras:
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import TextToPath

    font = FontProperties(family="DejaVu Sans", weight="bold", size=_SIZE)
    measure, words = TextToPath().get_text_width_height_descent, title.split()

    def filled(width: float) -> list[str]:
        lines = words[:1]
        for word in words[1:]:
            longer = f"{lines[-1]} {word}"
            fits = measure(longer, font, False)[0] <= width
            lines[-1:] = [longer] if fits else [lines[-1], word]
        return lines

    lines = filled(width)
    while 1 < len(lines) == len(narrower := filled(_NARROWER * width)):
        lines, width = narrower, _NARROWER * width
    return lines
