"""Answers that have a table: as rows with exact numbers, as a table of pandas, and as bars.

pandas and matplotlib are imported when they are asked for. Every plot is drawn in one style.
"""

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from pufferproof.models.errors import MissingPackageError, extras
from pufferproof.models.numbers.enclosures import Enclosure, enclose_log
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, outward, three

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from pandas import DataFrame

# How every plot is drawn: colours, figures in one style, and the title that says the answer.
#
# Plots show rounded numbers and decide nothing. matplotlib is imported by the functions that draw.

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
    engine: Any = figure.get_layout_engine()

    def lay_out_with_legends(drawn: "Figure") -> None:
        # legends have room in the layout as long as they stand at the edge of the figure
        for legend in drawn.legends:
            legend.set_bbox_to_anchor(None)
        lay_out(drawn)
        for legend in drawn.legends:
            legend.set_bbox_to_anchor((0, 0, 1, below), drawn.transFigure)

    if engine is None:
        for axes in figure.axes:
            box = axes.get_position()
            axes.set_position((box.x0, box.y0 * below, box.width, box.height * below))
    else:
        engine.set(rect=(0, 0, 1, below))
        lay_out, vars(engine)["execute"] = engine.execute, lay_out_with_legends
    top = 1 - _MARGIN * below / height
    style: Any = {"fontsize": _SIZE, "fontweight": "bold", "va": "top", "ha": "left"}
    figure.text(_MARGIN / width, top, "\n".join(lines), gid=_TITLE, linespacing=1.2, color=INK, **style)


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


_MOST_BARS = 40
_MOST_LETTERS = 36
_NUMBER = re.compile(r"(at least|≈) (\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)")
_VERDICT = re.compile("SATISFIES|VIOLATES|UNDECIDED")
Entry = JsonObject


class Tabular:
    """Has `entries`, rows whose cells are texts and exact numbers; an infinite one is `math.inf`,
    one that is not there None.

    >>> class Squares(Tabular):
    ...     _named, _drawn, _axis = ("root",), ("square", "square"), "square"
    ...
    ...     def entries(self):
    ...         return [{"root": n, "square": Fraction(n * n)} for n in range(3)]
    ...
    ...     def __str__(self):
    ...         return "the largest square is 4"
    >>> Squares().to_pandas()["square"].tolist()
    [0.0, 1.0, 4.0]
    >>> Squares().plot().texts[0].get_text()
    'The largest square is 4.'
    """

    _named: ClassVar[tuple[str, ...]]  # columns that say what a bar is
    _drawn: ClassVar[tuple[str, str]] = ("lower", "upper")  # a bar, and how far it may go
    _axis: ClassVar[str] = "nats"

    def entries(self) -> list[Entry]:
        """Return the rows of the table."""
        raise NotImplementedError

    def to_pandas(self) -> "DataFrame":
        """Return the rows as a pandas table; fractions become floats.

        Raises `PufferproofError` unless pandas is installed.
        """
        entries = self.entries()
        table = needed("pandas", "to_pandas").DataFrame(entries)
        for column in table.columns:
            cells = [row[column] for row in entries]
            if any(isinstance(cell, Fraction | float) for cell in cells):
                table[column] = [_float_approx(cell) for cell in cells]
        return table

    def plot(self) -> "Figure":
        """Draw the table: a matplotlib figure with a bar for every row, of more than 40 rows for
        those with the longest ones. The title says the answer. What is known by bounds has a faint
        end.

        Raises `PufferproofError` unless matplotlib is installed.
        """
        needed("matplotlib", "plot")
        bars = [bar for bar in self._bars() if bar[1] is not None]
        longest = sorted(range(len(bars)), key=lambda place: -abs(bars[place][2]))[:_MOST_BARS]
        chosen = [bars[place] for place in sorted(longest)]
        more = f" ({len(chosen)} longest of {len(bars)})" if len(chosen) < len(bars) else ""
        with styled():
            figure, axes = new_figure(1.1 + 0.26 * len(chosen))
            finite = [abs(end) for _, *ends in chosen for end in ends if end and math.isfinite(end)]
            edge = 1.15 * max(finite, default=1.0)
            for place, (_, low, high) in enumerate(chosen):
                start, end = (max(-edge, min(edge, each or 0.0)) for each in (low, high))
                axes.barh(place, end, color=FAINT, height=0.62, alpha=0.5)
                axes.barh(place, start, color=FOR, height=0.62)
                if math.isinf(high):
                    axes.text(end, place, " ∞", color=MARK, va="center", ha="left" if end > 0 else "right")
            axes.set_yticks(range(len(chosen)), [_short(name) for name, _, _ in chosen])
            axes.set_ylim(len(chosen) - 0.4, -0.6)
            axes.tick_params(axis="y", length=0)
            axes.set_xlabel(self._axis + more)
            titled(figure, self._finding())
        return figure

    def _finding(self) -> str:
        """Return the title of the plot: the answer in one sentence, its numbers with three digits.

        The sentence is the first part of the text of the answer; after a verdict, the first two.
        """
        parts = str(self).splitlines()[0].split("; ")
        said = "; ".join(parts[: 2 if _VERDICT.match(parts[0]) else 1])
        said = _NUMBER.sub(_with_three_digits, said)
        return f"{said[:1].upper()}{said[1:]}."

    def _bars(self) -> list[tuple[str, float | None, float]]:
        """Return what every bar is, and its ends."""
        low, high = self._drawn
        return [
            (
                ", ".join(str(row[name]) for name in self._named if row[name] is not None),
                _float_approx(row[low]),
                _float_approx(row[high]) or 0.0,
            )
            for row in self.entries()
        ]


def _with_three_digits(found: re.Match[str]) -> str:
    """Round a number; a lower bound is rounded down, so that it stays one."""
    how, number = found.groups()
    return f"{how} {outward(number, number, 3)[0] if how != '≈' else three(float(number))}"


def needed(package: str, call: str) -> ModuleType:
    """Return a package of an extra. Raises `MissingPackageError` unless it is installed."""
    try:
        with extras:
            return import_module(package)
    except MissingPackageError as error:
        raise error.at(call) from None


def nats(known: Enclosure) -> Entry:
    """Return the cells of a number of nats."""
    return {"lower": _number(known.lower), "upper": _number(known.upper)}


def nats_of(lower: Fraction | None, upper: Fraction | None) -> Entry:
    """Return the cells of the logarithm of a ratio, or None if that is infinite."""
    low = math.inf if lower is None else _number(enclose_log(lower).lower)
    return {"lower": low, "upper": math.inf if upper is None else _number(enclose_log(upper).upper)}


def infinite_if_none(value: Fraction | None) -> Fraction | float:
    """Return a number, None being infinite."""
    return math.inf if value is None else value


def _number(text: str) -> Fraction | float:
    return float(text) if "inf" in text else exact(text)


def _float_approx(cell: Fraction | float | None) -> float | None:
    """Return the nearest float, infinite beyond them."""
    if cell is None:
        return None
    try:
        return float(cell)
    except OverflowError:
        return math.copysign(math.inf, cell)


def _short(name: str) -> str:
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= _MOST_LETTERS else f"{clean[: _MOST_LETTERS - 2]} .."
