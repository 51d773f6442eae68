"""How every plot is drawn: an answer says what is on it, as a `Plot` of panels with curves, rules
and bars, and this file draws it, writes its bytes, and names its ticks.

Plots show rounded numbers and decide nothing; the same input gives the same bytes (no dates, fixed
identifiers). Colours and figures are those of `models/interface/tabular.py`. Pages draw the same
record without matplotlib: `reports/explaining/picture.py`.
"""

import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.interface.tabular import AGAINST as AGAINST
from pufferproof.models.interface.tabular import FAINT as FAINT
from pufferproof.models.interface.tabular import FOR as FOR
from pufferproof.models.interface.tabular import INK as INK
from pufferproof.models.interface.tabular import MARK as MARK
from pufferproof.models.interface.tabular import legend_below as legend_below
from pufferproof.models.interface.tabular import new_figure as new_figure
from pufferproof.models.interface.tabular import panels as panels
from pufferproof.models.interface.tabular import styled as styled
from pufferproof.models.interface.tabular import titled as titled
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import at_least
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as Ticked
    from matplotlib.figure import Figure

Picture = tuple[str, bytes, str]  # a name, a file, and what it shows
FORMATS = (".svg", ".png", ".pdf")
_PICTURES = (".png", ".svg")
_NEAR, _FEW = 8, 500  # largest over least, up to where every digit has a tick, and two of them
_HASHED = re.compile(rb'<[^>]+ id="[^"]*?([0-9a-f]{10})"')
_NAMED = re.compile(rb'((?: id="|url\(#|href="#)[^")]*?)([0-9a-f]{10})(?=[")])')
_TICKS = 9  # of an axis of powers of ten
_NO_DATE: dict[str, dict[str, object]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}


def nats_approx(leakage: Leakage) -> float:
    """Return a leakage in nats as the nearest float, infinity included."""
    return float(leakage.enclosure().upper)


# What is drawn ------------------------------------------------------------------------------------

_PALE = 0.3  # of what lies between two bounds
_PAST = 1.08  # of the longest bar: where an infinite one is cut


class Part(Protocol):
    """What a panel is made of."""

    def draw(self, axes: "Axes") -> None:
        """Draw it."""


@dataclass(frozen=True)
class Curve:
    """Points with a line, marks or both, as matplotlib abbreviates them in `form`; `filled` says
    how dark what they enclose is. The legend explains those that have a name.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    colour: str = FOR
    form: str = "-"
    width: float = 1.5
    size: float = 3.5
    filled: float = 0.0

    def draw(self, axes: "Axes") -> None:
        """Draw the points; marks reach over the edge."""
        if self.filled:
            how: Any = {"color": self.colour, "alpha": self.filled, "linewidth": 0}
            axes.fill(self.xs, self.ys, label=self.name or None, **how)
            return
        look: Any = {"color": self.colour, "linewidth": self.width, "markersize": self.size}
        inside = not self.form.strip("-:. ")
        axes.plot(self.xs, self.ys, self.form, label=self.name or None, clip_on=inside, **look)


def strip(name: str, xs: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str = FOR) -> Curve:
    """Return the area between two curves, where both are finite."""
    ends = [each for each in zip(xs, low, high) if all(map(math.isfinite, each))]
    around = [*((x, y) for x, y, _ in ends), *((x, y) for x, _, y in reversed(ends))]
    return Curve(name, [x for x, _ in around], [y for _, y in around], colour, filled=0.18)


@dataclass(frozen=True)
class Rule:
    """A line over the whole panel at a number of the x axis, or of the y axis if it is level."""

    name: str
    at: float
    colour: str = FAINT
    form: str = ":"
    level: bool = False

    def draw(self, axes: "Axes") -> None:
        """Draw the line."""
        line = axes.axhline if self.level else axes.axvline
        line(self.at, color=self.colour, linestyle=self.form, linewidth=1, label=self.name or None)


@dataclass(frozen=True)
class Bar:
    """A bar from 0 up to `low`, pale from there up to `high`, with a text at its end."""

    name: str
    low: float
    high: float
    colour: str
    text: str

    @classmethod
    def of(cls, name: str, ends: Enclosure, colour: str) -> "Bar":
        """Return the bar of an enclosure; ends that only rounding tells apart are one number."""
        low, high = float(ends.lower), float(ends.upper)
        if math.isclose(low, high, rel_tol=1e-6, abs_tol=1e-12):
            low = high
        text = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
        if math.isinf(high):
            text = "infinite" if math.isinf(low) else f"at least {at_least(low, 4)}"
        return cls(name, low, high, colour, text)


@dataclass(frozen=True)
class Bars:
    """Bars from the top down, to both sides if one of them may be negative; infinite ones are cut
    and marked. `edge` is the longest finite one if it is not given.
    """

    rows: Sequence[Bar]
    both: bool = False
    edge: float = 0.0

    @property
    def longest(self) -> float:
        """The longest finite bar."""
        ends = [abs(end) for bar in self.rows for end in (bar.low, bar.high)]
        longest = self.edge or max(filter(math.isfinite, ends), default=0.0)
        return longest if longest > 1e-6 or self.edge else 1.0

    def cut(self, end: float) -> float:
        """Return an end of a bar in longest bars, an infinite one a little beyond them."""
        return max(-_PAST, min(_PAST, end / self.longest))

    def draw(self, axes: "Axes") -> None:
        """Draw the bars with their names and texts, and room for these."""
        for row, bar in enumerate(self.rows):
            low, high = (self.longest * self.cut(end) for end in (bar.low, bar.high))
            axes.barh(row, low, height=0.64, color=bar.colour)
            axes.barh(row, high - low, left=low, height=0.64, color=bar.colour, alpha=_PALE)
            side, endless = -1 if high < 0 else 1, math.isinf(bar.high)
            if endless:
                axes.plot([high], [row], "<>"[side > 0], color=bar.colour, markersize=8)
            how: Any = {"va": "center", "ha": "left" if side > 0 else "right", "fontsize": 9}
            how["color"] = FAINT if bar.colour == FAINT and not high else INK
            gap = side * (8 if endless else 4), 0
            axes.annotate(bar.text, (high, row), gap, textcoords="offset points", **how)
        named_rows(axes, [bar.name for bar in self.rows])
        letters = max((len(bar.text) for bar in self.rows if bar.high <= 0), default=0)
        room = self.longest * (max(1.25, 1.1 + 0.04 * letters) if self.both else 1.3)
        axes.set_xlim(-room if self.both else 0, room)
        if self.both:
            axes.axvline(0, color=INK, linewidth=0.8)


@dataclass(frozen=True)
class Axis:
    """What an axis shows, between which ends, and how: `scale` is "linear", "log", or "zero",
    logarithmic from the least positive number of a curve on and linear below; `ticks` are "whole"
    numbers, "powers" of ten alone, "sizes" without a sign, or "none"; or they have names.
    """

    label: str = ""
    low: float | None = None
    high: float | None = None
    scale: str = "linear"
    ticks: str = ""
    names: Sequence[str] = ()


@dataclass(frozen=True)
class Panel:
    """Parts over two axes; `share` is its height beside those of other panels."""

    parts: Sequence[Part]
    x: Axis
    y: Axis = Axis()
    share: float = 1.0

    def draw(self, axes: "Axes") -> None:
        """Draw the parts, then what the axes say."""
        for part in self.parts:
            part.draw(axes)
        axes.set_xlabel(self.x.label)
        axes.set_ylabel(self.y.label)
        if self.x.scale == "log":
            axes.set_xscale("log")
            plain_ticks(axes.xaxis, self.x.ticks == "powers")
        if self.y.scale == "log":
            axes.set_yscale("log")
            plain_ticks(axes.yaxis, self.y.ticks == "powers")
        curves = [part for part in self.parts if isinstance(part, Curve)]
        positive = [y for curve in curves for y in curve.ys if 0 < y < math.inf]
        if self.y.scale == "zero" and positive:
            log_down_to_zero(axes, min(positive), self.y.ticks == "powers")
        self._name_ticks(axes)
        axes.set_xlim(self.x.low, self.x.high)
        axes.set_ylim(self.y.low, self.y.high)

    def _name_ticks(self, axes: "Axes") -> None:
        if self.x.ticks == "whole":
            axes.locator_params(axis="x", integer=True)
        if self.x.ticks == "none":
            axes.set_xticks([])
        if self.y.ticks == "sizes":
            axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):.3g}")
        if self.x.names:
            turned = 90 if sum(map(len, self.x.names)) > 60 else 0
            axes.set_xticks(range(len(self.x.names)), list(self.x.names), rotation=turned)
        if self.y.names:
            named_rows(axes, self.y.names)


@dataclass(frozen=True)
class Plot:
    """A plot: what it shows in a sentence, its panels below or beside each other, its height in
    inches, and in how many columns the legend is.
    """

    finding: str
    panels: Sequence[Panel]
    height: float = 3.6
    columns: int = 1
    legend: str = ""
    beside: bool = False

    def figure(self) -> "Figure":
        """Draw it."""
        count = len(self.panels)
        shape: Any = (1, count, (max(6.4, 3.2 * count), self.height))
        shared: Any = {"sharey": True}
        if not self.beside:
            shape = (count, 1, (6.4, self.height))
            shared = {"height_ratios": [panel.share for panel in self.panels]}
        with panels(*shape, **shared) as (figure, rows):
            for panel, axes in zip(self.panels, [axes for row in rows for axes in row]):
                panel.draw(axes)
            key = {said: mark for axes in figure.axes for mark, said in zip(*axes.get_legend_handles_labels())}
            how: Any = {"frameon": False, "fontsize": 9, "handlelength": 3, "alignment": "left"}
            if key:
                how |= {"ncols": self.columns, "title": self.legend or None}
                figure.legend(key.values(), key, loc="outside upper left", **how)
        return figure

    def file(self, path: str | Path) -> bytes:
        """Return the plot as .svg, .png or .pdf, by the suffix of `path`."""
        return rendered(self.figure(), path, self.finding)


def plot_file(path: str | None, plot: Callable[[], Plot]) -> dict[str, bytes]:
    """Return the file of a plot that was asked for; nothing where none was."""
    return {} if path is None else {path: plot().file(path)}


# Files --------------------------------------------------------------------------------------------


def plot_files(figure: "Figure", start: str, finding: str) -> dict[str, bytes]:
    """Return the files of a figure, of which names begin with `start`: for pages and for print."""
    return {f"{start}{kind}": rendered(figure, f"figure{kind}", finding) for kind in _PICTURES}


def plot_format(path: str | Path) -> str:
    """Return the suffix of a plot file. Raises `ModelError` unless it is one of `FORMATS`."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        found = f"found {suffix!r}" if suffix else f"such as {path}{FORMATS[0]}"
        raise ModelError(f"expected a plot file ending in {', '.join(FORMATS)}, {found}", str(path))
    return suffix


def rendered(figure: "Figure", path: str | Path, finding: str = "") -> bytes:
    """Return a figure as .svg, .png or .pdf, by the suffix of `path`, with what it shows as its
    title, which those who do not see it hear. Raises `ModelError` for another suffix.
    """
    suffix = plot_format(path)
    metadata = _NO_DATE[suffix] | ({"Title": finding} if finding else {})
    stream = io.BytesIO()
    with styled(), warnings.catch_warnings():
        # glyphs that the drawing font lacks are the viewer's to show
        warnings.simplefilter("ignore")
        titled(figure, finding)
        _lay_out_first(figure)
        figure.savefig(stream, format=suffix[1:], dpi=160, metadata=metadata)
    return _numbered(stream.getvalue()) if suffix == ".svg" else stream.getvalue()


def _numbered(drawn: bytes) -> bytes:
    """Replace the hashes in the ids of a drawing by numbers, in their order: matplotlib makes them
    from all digits of places, of which the last depend on the processor.
    """
    numbers: dict[bytes, bytes] = {}
    for identifiers in re.findall(_HASHED, drawn):
        numbers.setdefault(identifiers, b"%d" % (len(numbers) + 1))

    def renamed(tag: re.Match[bytes]) -> bytes:
        return _NAMED.sub(lambda name: name[1] + numbers.get(name[2], name[2]), tag[0])

    return re.sub(rb"<[^>]+>", renamed, drawn)


def _lay_out_first(figure: "Figure") -> None:
    """Have `savefig` draw once: matplotlib draws a first time, into nothing, to lay out, and then
    again without a layout.
    """
    with extras:
        from matplotlib.layout_engine import PlaceHolderLayoutEngine

    drawn = type(figure).draw

    def draw(renderer: Any) -> None:
        engine = figure.get_layout_engine()
        if engine is None or isinstance(engine, PlaceHolderLayoutEngine):
            drawn(figure, renderer)
        else:
            engine.execute(figure)

    vars(figure)["draw"] = draw


def plain_ticks(axis: "Ticked", powers_alone: bool = False, digits: str = "25") -> None:
    """Label the ticks of a logarithmic axis with numbers: powers of ten, and some digits times
    these unless there are many powers.
    """
    with extras:
        from matplotlib.ticker import FuncFormatter, LogLocator

    labelled = "" if powers_alone else digits
    if powers_alone:  # as many at any height: a layout must not change them
        axis.set_major_locator(LogLocator(numticks=_TICKS))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}" if f"{abs(value):e}"[0] in labelled else ""))


def log_down_to_zero(axes: "Axes", least: float, powers_alone: bool = False) -> None:
    """Make the y axis logarithmic above `least` and linear below, so that 0 can be shown; between
    powers of ten there are ticks where few of them are drawn.
    """
    range_of = axes.dataLim.y1 / least
    digits = "23456789" if range_of < _NEAR else "25"
    subs = tuple(map(int, digits)) if range_of < _FEW else None
    axes.set_yscale("symlog", linthresh=least, subs=subs)
    plain_ticks(axes.yaxis, digits="" if powers_alone else digits)


def named_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Name the rows of bars, from the top down."""
    axes.set_yticks(range(len(names)), [label_text(name, 30) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
