"""What plots are made of, and their bytes.

Plots show rounded numbers and decide nothing; the same input gives the same bytes (no dates, fixed
identifiers). Colours and figures are those of `models/interface/drawing.py`: `inline_svg` hands the
colours to a page's style sheet.
"""

import io
import re
import warnings
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.interface.drawing import AGAINST as AGAINST
from pufferproof.models.interface.drawing import FAINT as FAINT
from pufferproof.models.interface.drawing import FOR as FOR
from pufferproof.models.interface.drawing import INK as INK
from pufferproof.models.interface.drawing import MARK as MARK
from pufferproof.models.interface.drawing import empty_figure as empty_figure
from pufferproof.models.interface.drawing import legend_below as legend_below
from pufferproof.models.interface.drawing import new_figure as new_figure
from pufferproof.models.interface.drawing import panels as panels
from pufferproof.models.interface.drawing import styled as styled
from pufferproof.models.interface.drawing import titled as titled
from pufferproof.reports.console.labels import label_text
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

Picture = tuple[str, bytes, str]  # a name, a file, and what it shows
FORMATS = (".svg", ".png", ".pdf")
_PICTURES = (".png", ".svg")
_STYLES = {
    INK: "currentColor",
    FAINT: "var(--faint)",
    FOR: "var(--for)",
    AGAINST: "var(--against)",
    MARK: "var(--mark)",
}
_NEAR, _FEW = 8, 500  # largest over least, up to where every digit has a tick, and two of them
_HASHED = re.compile(rb'<[^>]+ id="[^"]*?([0-9a-f]{10})"')
_NAMED = re.compile(rb'((?: id="|url\(#|href="#)[^")]*?)([0-9a-f]{10})(?=[")])')
_TICKS = 9  # of an axis of powers of ten
_LONG = re.compile(r"(?<![\w.])-?\d+\.\d{3,}(?![\w.])")  # a number of a drawing
_NO_DATE: dict[str, dict[str, object]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None},
}


def nats_approx(leakage: Leakage) -> float:
    """Return a leakage in nats as the nearest float, infinity included."""
    return float(leakage.enclosure().upper)


def rendered(figure: "Figure", path: str | Path, finding: str = "") -> bytes:
    """Return a figure as .svg, .png or .pdf, by the suffix of `path`, with what it shows as its
    title, which those who do not see it hear. Raises `ModelError` for another suffix.
    """
    return _rendered(figure, plot_format(path), finding=finding)


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


def inline_svg(figure: "Figure", prefix: str, description: str, finding: str = "") -> str:
    """Return a figure as an SVG element for an HTML page, with what it shows as its title: no
    external names, ids of its own, colours from the page's style.
    """
    text = _rendered(figure, ".svg", transparent=True, finding=finding).decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    head, body = text[: text.index(">") + 1], text[text.index(">") + 1 :]
    box = re.search(r'viewBox="[^"]*"', head)
    for color, style in _STYLES.items():
        body = body.replace(color, style)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = body.replace("url(#", f"url(#{prefix}-").replace('xlink:href="#', f'href="#{prefix}-')
    drawn = _compact(body)
    return f'<svg {box[0] if box else ""} role="img" aria-label="{escape(description)}">{drawn}'


def _compact(body: str) -> str:
    """Write a drawing's body shorter: no unused names or spaces, lengths to 1/100 point."""
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    used = {*re.findall(r'(?:url\(|href=")#([^")]+)', body)}
    body = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", body)
    body = re.sub(r">\n\s*<", "><", body)
    return re.sub(r"<[^>]+>", lambda tag: _LONG.sub(_hundredths, tag[0]).replace(" \n", ""), body)


def _hundredths(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _rendered(figure: "Figure", suffix: str, transparent: bool = False, finding: str = "") -> bytes:
    metadata = _NO_DATE[suffix] | ({"Title": finding} if finding else {})
    stream = io.BytesIO()
    with styled(), warnings.catch_warnings():
        # glyphs that the drawing font lacks are the viewer's to show
        warnings.simplefilter("ignore")
        titled(figure, finding)
        _lay_out_first(figure)
        figure.savefig(
            stream, format=suffix[1:], dpi=160, metadata=metadata, transparent=transparent
        )
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


def plain_ticks(axis: "Axis", powers_alone: bool = False, digits: str = "25") -> None:
    """Label the ticks of a logarithmic axis with numbers: powers of ten, and some digits times
    these unless there are many powers.
    """
    with extras:
        from matplotlib.ticker import FuncFormatter, LogLocator

    labelled = "" if powers_alone else digits
    if powers_alone:  # as many at any height: a layout must not change them
        axis.set_major_locator(LogLocator(numticks=_TICKS))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(
        FuncFormatter(lambda value, _: f"{value:g}" if f"{abs(value):e}"[0] in labelled else "")
    )


def log_down_to_zero(axes: "Axes", least: float) -> None:
    """Make the y axis logarithmic above `least` and linear below, so that 0 can be shown; between
    powers of ten there are ticks where few of them are drawn.
    """
    range_of = axes.dataLim.y1 / least
    digits = "23456789" if range_of < _NEAR else "25"
    subs = tuple(map(int, digits)) if range_of < _FEW else None
    axes.set_yscale("symlog", linthresh=least, subs=subs)
    plain_ticks(axes.yaxis, digits=digits)


def named_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Name the rows of bars, from the top down."""
    axes.set_yticks(range(len(names)), [label_text(name, 30) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
