"""The command `arena`: published calibrations of noise on a fixed set of frameworks, beside the
least noise that keeps the level exactly.

Frameworks are units of a sweep; a folder of files is written at the end.

This file also has the pages of an arena.

This file also has scales over the least one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from markupsafe import Markup

from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.writing import indented
from pufferproof.models.interface.sweeps.portions import in_portions
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, three
from pufferproof.reports.console.drawing import (
    AGAINST,
    FAINT,
    FOR,
    INK,
    inline_svg,
    new_figure,
    plain_ticks,
    rendered,
    styled,
)
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.templates import rendered as rendered_page
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.arena.cases import cases_of, shipped
from pufferproof.reports.correlation.arena.contest import (
    Asked,
    ContestRow,
    asked,
    audited_at,
    rows_of,
)
from pufferproof.reports.correlation.arena.summary import (
    broken_of,
    framework_cells,
    method_lines,
    methods_of,
    table_text,
)
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.page import Arena

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROW, _MARGIN = 0.34, 1.1  # inches
TABLE, PLOT, PAGE = "arena.csv", "arena.svg", "index.html"
_SAFE = "abcdefghijklmnopqrstuvwxyz0123456789"


@dataclass(frozen=True)
class Break:
    """A method that breaks the level of a framework, and the names of the files about it."""

    question: Asked
    row: ContestRow
    method: ContestRow

    @property
    def name(self) -> str:
        """A name for the files, of letters, digits and hyphens."""
        text = f"{self.row['framework'].rpartition('.')[0]}-{self.method['name']}".lower()
        words = "".join(c if c in _SAFE else " " for c in text).split()
        return "-".join(["break", *words])

    def as_json(self, folder: str | None) -> JsonObject:
        """Return the entry of the answer."""
        page = None if folder is None else f"{folder}/{self.name}.html"
        fields = {"framework": self.row["framework"], "method": self.method["name"]}
        return fields | {"page": page}

    def files(self) -> dict[str, bytes]:
        """Return the page, the framework and the mechanism, by their places in the folder."""
        scale = Enclosure(**self.method["scale"])
        path, document, lines = audited_at(self.question, scale)
        given = bytes_of(path, MAX_BYTES)
        written = (indented(document) + "\n").encode()
        level = Level.parse(self.question[3])
        inputs = [f"{self.name}.{path.rpartition('.')[2]}", f"{self.name}-mechanism.json"]
        command = f'pufferproof audit {" ".join(inputs)} --epsilon "{level}"'
        context = {
            "title": f"{self.method['name']} breaks its level",
            "method": self.method["name"],
            "framework": self.row["framework"],
            "level": str(level),
            "scale": scale.upper,
            "lines": lines,
            "command": command,
            "inputs": inputs,
            "texts": [given.decode("utf-8", "replace"), written.decode()],
        }
        page = _page({"broken_level": context})
        return dict(zip((f"{self.name}.html", *inputs), (page, given, written)))


def breaks_of(questions: Sequence[Asked], rows: Sequence[ContestRow]) -> list[Break]:
    """Return the methods that break a level."""
    return [
        Break(question, row, method)
        for question, row in zip(questions, rows)
        for method in row["methods"]
        if method["keeps"] is False
    ]


def index_page(
    rows: Sequence[ContestRow],
    methods: Sequence[JsonObject],
    broken: Sequence[dict[str, str]],
    breaks: Sequence[Break],
) -> bytes:
    """Return the page of all frameworks."""
    finding = arena_finding(methods)
    drawn = Markup(inline_svg(arena_plot(rows, methods), "arena", finding, finding))
    context = {
        "broken_level": None,
        "methods": methods,
        "frameworks": framework_cells(rows),
        "plot": drawn,
        "broken": broken,
        "breaks": breaks,
        "count": len(rows),
    }
    return _page(context)


def _page(context: dict[str, Any]) -> bytes:
    return rendered_page("arena.html.j2", context).encode()


def arena(
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="folder of frameworks: those listed in frameworks.toml, or all [default: the "
            "shipped ones]",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="folder for the table, the plot and the pages"),
    ] = None,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Compare published calibrations of noise with the smallest noise that keeps the level."""
    place = shipped() if folder is None else Path(folder)
    cases = cases_of(place)
    questions = [asked(place, case.framework, case.query, case.epsilon) for case in cases]
    with sweeping("comparing", "frameworks", share.sharing) as sweep:
        rows: list[ContestRow] = in_portions(sweep, _sent(questions), partial(Unit.of, rows_of))
        _named_as_here(rows, place)
        answer, breaks = _answer(questions, rows, out)
        if out is not None:
            written = {f"{out}/{name}": text for name, text in _files(answer, rows, breaks).items()}
            write_outputs(written, inputs=[], folder=out)
            answer["files"] = sorted(written)
    notes = [f"note: {each['framework']}: {each['error']}" for each in answer["broken"]]
    code = 2 if answer["broken"] else 0
    tell(Arena.model_validate(answer), _lines(answer), notes, as_json, code=code)


def _sent(questions: list[Asked]) -> list[Asked]:
    """Return questions as they are asked of workers, which run in other folders."""
    return [[str(Path(folder).resolve()), *rest] for folder, *rest in questions]


def _named_as_here(rows: list[ContestRow], place: Path) -> None:
    """Write the folder in errors as the command names it."""
    for row in rows:
        if row["error"] is not None:
            row["error"] = row["error"].replace(f"{place.resolve()}", f"{place}")


def _answer(
    questions: list[Asked], rows: list[ContestRow], out: str | None
) -> tuple[JsonObject, list[Break]]:
    breaks = breaks_of(questions, rows)
    return {
        "frameworks": len(rows),
        "methods": methods_of(rows),
        "broken": broken_of(rows),
        "breaks": [each.as_json(out) for each in breaks],
        "table": None if out is None else f"{out}/{TABLE}",
        "files": [],
    }, breaks


def _files(answer: JsonObject, rows: list[ContestRow], breaks: list[Break]) -> dict[str, bytes]:
    """Return what is written, by places in the folder."""
    methods = answer["methods"]
    drawn = rendered(arena_plot(rows, methods), PLOT, arena_finding(methods))
    page = index_page(rows, methods, answer["broken"], breaks)
    files = {TABLE: table_text(rows).encode(), PLOT: drawn, PAGE: page}
    for each in breaks:
        files |= each.files()
    return files


def _lines(answer: JsonObject) -> list[str]:
    """Return what is printed."""
    methods = answer["methods"]
    broken = f", {len(answer['broken'])} of them broken" if answer["broken"] else ""
    head = f"{counted(answer['frameworks'], 'framework')}{broken}"
    lines = [f"{head}, {counted(len(methods), 'method')}"]
    if methods:
        lines += method_lines(methods)
    lines += [f"BREAKS    {each['method']} on {each['framework']}" for each in answer["breaks"]]
    lines += [f"broken    {each['framework']}" for each in answer["broken"]]
    return lines + [f"written   {path}" for path in answer["files"]]


def arena_plot(rows: Sequence[ContestRow], methods: Sequence[JsonObject]) -> "Figure":
    """Draw every scale over the least one that keeps the level, and the middle of each method."""
    with styled():
        figure, axes = new_figure(_MARGIN + _ROW * len(methods))
        axes.axvline(1, color=FAINT, linewidth=0.8, zorder=0)
        names = [method["name"] for method in methods]
        for place, each in enumerate(methods):
            found = [m for row in rows for m in row["methods"] if m["name"] == each["name"]]
            known = [m for m in found if m["over_least"] is not None]
            for kept, colour in ((True, FOR), (None, FAINT), (False, AGAINST)):
                values = [m["over_least"] for m in known if m["keeps"] is kept]
                axes.plot(
                    values, [place] * len(values), "o", color=colour, alpha=0.45, markersize=5
                )
            if known:
                middle = each["scale_over_least"]["median"]
                axes.plot([middle], [place], "|", color=INK, markersize=15, markeredgewidth=2)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xscale("log")
        plain_ticks(axes.xaxis)
        axes.set_xlabel("scale over the least that keeps the level (bar: median)")
    return figure


def arena_finding(methods: Sequence[JsonObject]) -> str:
    """Say which method has the least median."""
    scaled = [method for method in methods if method["scale_over_least"] is not None]
    if not scaled:
        return "No method has a scale."
    best = min(scaled, key=lambda each: each["scale_over_least"]["median"])
    middle = best["scale_over_least"]["median"]
    return f"{best['name']} adds least: its median is {three(middle)} times the least scale."
