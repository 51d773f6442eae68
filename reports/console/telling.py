"""What a command says: notes and warnings on standard error, the answer on standard output, and its
exit code.
"""

import json
import sys
from collections.abc import Sequence
from typing import NoReturn

import typer
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.labels import cell_width, one_line, visible
from pufferproof.reports.console.streams import answer_stream, columns_of, print_error, print_lines
from pufferproof.reports.schemas.values import Output
from pufferproof.verify.decision import Decision

_USUAL, _WIDEST = 200, 1_000  # columns of a table in a file


def exit_code(*answers: Decision | None) -> int:
    """Return the exit code of answers, or None if nothing was asked: 1 where something fails, else
    3 where something is undecided, else 0.
    """
    if Decision.FAILS in answers:
        return 1
    return 3 if Decision.UNDECIDED in answers else 0


def normalized_lines(normalize: bool, *paths: str) -> list[str]:
    """Return the notes on files whose rows were divided by their sums."""
    return (
        [f"note: the rows of {path} were divided by their sums" for path in dict.fromkeys(paths)] if normalize else []
    )


def priors_json(priors: Sequence[str]) -> JsonObject:
    """Return what an answer says of priors whose rows were divided by their sums: nothing where
    there are none.
    """
    return {"normalized_priors": list(priors)} if priors else {}


def classes_lines(framework: Framework) -> list[str]:
    """Say how an answer about mechanisms within budgets stands to classes of chains."""
    if not framework.classes:
        return []
    return [
        "note: the priors are classes of chains; the mechanisms come from a search at some chains "
        "and keep their budgets for every chain; the witness names a chain"
    ]


def priors_lines(priors: Sequence[str], framework: str, certificate: str | None = None) -> list[str]:
    """Return the notes on priors whose rows were divided by their sums, and on a certificate
    that speaks of them.
    """
    lines = [f'note: the rows of prior "{name}" in {framework} were divided by their sums' for name in priors]
    if priors and certificate is not None:
        lines.append(f"note: the kernel divides no rows of priors: check {certificate} without {framework}")
    return lines


def tell(
    answer: Output,
    lines: list[str],
    notes: list[str],
    as_json: bool,
    view: RichTable | None = None,
    code: int = 0,
    annotated: str | None = None,
) -> NoReturn:
    """Print notes on standard error and the answer on standard output, a table below its lines,
    and end the command with an exit code. `annotated`: the file that an annotation of a workflow
    is about, below.
    """
    warn(notes)
    print_answer(answer, lines, as_json)
    if annotated is not None:
        print(annotation(annotated, lines, code), flush=True, file=answer_stream())
    if view is not None and not as_json:
        print_rich(view)
    raise typer.Exit(code)


def annotation(path: str, lines: Sequence[str], code: int) -> str:
    """Return the command of GitHub's workflows that shows lines beside a file: an error of what
    fails, a warning of what is undecided, else a notice.

    >>> annotation("m.json", ["VIOLATES 1 nat", "100% certain"], 1)
    '::error file=m.json,title=VIOLATES 1 nat::100%25 certain'
    """
    kind = {1: "error", 3: "warning"}.get(code, "notice")
    title, *message = map(one_line, lines)
    place, head = _escaped(visible(path), "\r\n:,"), _escaped(title, "\r\n:,")
    text = _escaped("\n".join(message), "\r\n")
    return f"::{kind} file={place},title={head}::{text}"


def _escaped(text: str, letters: str) -> str:
    for letter in "%" + letters:
        text = text.replace(letter, f"%{ord(letter):02X}")
    return text


def warn(lines: list[str]) -> None:
    """Print lines on standard error, unless the command was asked to be quiet."""
    for line in () if getattr(sys.stderr, "quiet", False) else lines:
        print_error(one_line(line))


def print_answer(answer: Output, lines: list[str], as_json: bool) -> None:
    """Print an answer: one JSON object, or lines of text."""
    if as_json:
        print(json.dumps(answer.as_json()), file=answer_stream())
    else:
        print_lines(*map(one_line, lines))
    answer_stream().flush()


def print_rich(view: RichTable) -> None:
    """Print a table no wider than the terminal: if cells go over several lines they break between
    words, with lines between rows; if words are wider than that, a paragraph for every row has the
    title of each column before its cell. Elsewhere a table is as wide as it is, 200 columns at
    least.
    """
    stream = answer_stream()
    widest = Console(file=stream, width=_WIDEST)
    needed = Measurement.get(widest, widest.options, view).maximum
    columns = columns_of(stream)
    if columns is None or needed <= columns:
        widest.width = columns or max(needed, _USUAL)
    elif (widths := _widths(view, columns)) is not None:
        view.show_lines, widest.width = True, columns
        for column, width in zip(view.columns, widths, strict=True):
            column.width = width
    else:
        return _print_rows(view, columns)
    return widest.print(view)


def _widths(view: RichTable, columns: int) -> list[int] | None:
    """Share the columns of a terminal out to those of a table: no word breaks, and what is left
    goes to cells that would break, the narrowest first. Return None if there are too few.
    """
    cells = _cells(view)
    whole = [max(map(cell_width, column)) for column in cells]
    widths = [max(cell_width(word) for word in " ".join(column).split()) for column in cells]
    left = columns - 3 * len(cells) - 1 - sum(widths)
    if left < 0:
        return None
    for number in sorted(range(len(cells)), key=lambda number: whole[number] - widths[number]):
        more = min(left, whole[number] - widths[number])
        widths[number] += more
        left -= more
    return widths


def _cells(view: RichTable) -> list[list[str]]:
    """Return the texts of every column, its title first."""
    return [[Text.from_markup(str(cell)).plain for cell in (column.header, *column.cells)] for column in view.columns]


def _print_rows(view: RichTable, columns: int) -> None:
    """Print a paragraph for every row of a table, which breaks between cells."""
    titles, *rows = zip(*_cells(view), strict=True)
    if view.title:
        print_lines(str(view.title))
    for row in rows:
        named = [f"{title} {cell};" for title, cell in zip(titles, row, strict=True) if cell]
        print_lines(*_in_rows(named, columns))


def _in_rows(parts: Sequence[str], columns: int) -> list[str]:
    """Fill lines with the parts of a paragraph, and end it without a semicolon."""
    rows = ["-"]
    for part in parts:
        if len(rows[-1]) > 2 and cell_width(f"{rows[-1]} {part}") > columns:
            rows.append(" ")
        rows[-1] += f" {part}"
    return [*rows[:-1], rows[-1].removesuffix(";")]
