"""The command `arena`: published calibrations of noise on a fixed set of frameworks, beside the
least noise that keeps the level exactly.

Frameworks are units of a sweep; a folder of files is written at the end.
"""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.interface.sweeps.portions import in_portions
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.drawing import rendered
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted
from pufferproof.reports.correlation.arena.cases import cases_of, shipped
from pufferproof.reports.correlation.arena.contest import Asked, Row, asked, rows_of
from pufferproof.reports.correlation.arena.page import Break, breaks_of, index_page
from pufferproof.reports.correlation.arena.plot import arena_finding, arena_plot
from pufferproof.reports.correlation.arena.summary import (
    broken_of,
    method_lines,
    methods_of,
    table_text,
)
from pufferproof.reports.correlation.sweeping import sweeping
from pufferproof.reports.schemas.page import Arena

TABLE, PLOT, PAGE = "arena.csv", "arena.svg", "index.html"


def arena(
    folder: Annotated[
        str | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="frameworks, listed in frameworks.toml or all of them; those shipped if left out",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="write table, plot and pages there")
    ] = None,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Compare published calibrations of noise with the smallest noise that keeps the level."""
    place = shipped() if folder is None else Path(folder)
    cases = cases_of(place)
    questions = [asked(place, each.framework, each.query, each.epsilon) for each in cases]
    with sweeping("comparing", "frameworks", share.sharing) as sweep:
        rows: list[Row] = in_portions(sweep, _sent(questions), partial(Unit.of, rows_of))
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


def _named_as_here(rows: list[Row], place: Path) -> None:
    """Write the folder in errors as the command names it."""
    for row in rows:
        if row["error"] is not None:
            row["error"] = row["error"].replace(f"{place.resolve()}", f"{place}")


def _answer(
    questions: list[Asked], rows: list[Row], out: str | None
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


def _files(answer: JsonObject, rows: list[Row], breaks: list[Break]) -> dict[str, bytes]:
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
