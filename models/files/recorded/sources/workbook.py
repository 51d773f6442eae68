"""Rows of an Excel workbook, read with openpyxl, an extra: of its only sheet with cells, or the one
that is named.

Formulas have the values that were saved with them; merged cells are refused below the header.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.recorded.sources.asked import Asked, RecordedRows, expect_rows
from pufferproof.models.numbers.text import did_you_mean, shown
from pufferproof.models.priors.records import preview

# openpyxl lets errors of zip, of XML (which are a SyntaxError) and of its own descriptors pass
_BROKEN = (
    zipfile.BadZipFile,
    SyntaxError,
    KeyError,
    IndexError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    OverflowError,
    NotImplementedError,
)
Row = tuple[int, Sequence[object]]
_TOP = 20  # rows among which the names of columns are looked for
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+[0-9]+:[A-Z]+[0-9]+)"')


def workbook_rows(data: bytes, asked: Asked) -> RecordedRows:
    """Return the rows of a workbook.

    Raises `ModelError` unless one sheet has cells, or is named, with the names of columns in its
    first row and no cells merged below.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ModelError(
            f"is an Excel file: {of_extra('openpyxl', 'excel')}, or CSV, which Excel saves"
        ) from None
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: sheet for sheet in book.worksheets}
        used = [title for title, sheet in sheets.items() if _has_cells(sheet)]
        title = _chosen(asked.sheet, used)
        rows, gap = _filled(sheets[title])
    except _BROKEN as error:
        raise ModelError(f"expected an Excel workbook: {shown(str(error))}") from None
    _expect_header(rows, asked)
    header = ["" if cell is None else str(cell) for cell in rows[0][1]]
    asked = asked.among(header)
    _expect_unmerged(data, sheets[title], rows[0][0], [header.index(each) for each in asked.named])
    _expect_no_gap(rows, gap)
    told = f"Excel sheet {shown(title)}"
    return RecordedRows(data, asked, header, _below(rows, len(header)), told)


def _has_cells(sheet: Any) -> bool:
    return any(cell is not None for row in sheet.iter_rows(values_only=True) for cell in row)


def _chosen(named: str | None, used: Sequence[str]) -> str:
    """Return the sheet to read. Raises `ModelError` unless it is named, or the only one."""
    if named is not None:
        if named not in used:
            names = preview(used) or "none"
            alike = did_you_mean(named, used)
            raise ModelError(
                f"expected a sheet with cells, one of {names}, found {shown(named)}{alike}", "sheet"
            )
        return named
    if len(used) != 1:
        raise ModelError(
            f"expected one sheet with cells, found {preview(used) or 'none'}"
            + (": --sheet NAME reads one" if used else "")
        )
    return used[0]


def _filled(sheet: Any) -> tuple[list[Row], int | None]:
    """Return the rows of a sheet that are not empty, by their numbers, and the first empty row
    between them, None without.
    """
    rows: list[Row] = []
    empty, gap = 0, None
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if all(cell is None for cell in row):
            empty += 1
            continue
        if rows and empty and gap is None:
            gap = number - 1
        empty = 0
        rows.append((number, row))
        expect_rows(len(rows))
    return rows, gap


def _expect_no_gap(rows: Sequence[Row], gap: int | None) -> None:
    """Raise `ModelError` for an empty row between others."""
    if gap is not None:
        title = ", or, if what is above it is a title, delete that and the empty rows"
        first = rows[1][0] > gap
        raise ModelError(
            f"is empty: expected rows without empty ones between{title if first else ''}",
            f"row {gap}",
        )


def _expect_header(rows: Sequence[Row], asked: Asked) -> None:
    """Raise `ModelError` if the names of the columns stand in a lower row, below a title."""
    cells = [
        (number, [str(each) for each in row if each is not None]) for number, row in rows[:_TOP]
    ]
    number, top = cells[0]
    for lower, found in cells[1:]:
        named = {*asked.named} <= {*found} and not {*asked.named} <= {*top}
        if named or (not asked.named and len(top) == 1 < len(found)):
            raise ModelError(
                f"expected the names of the columns in the first row, found {preview(top, 5)} "
                f"there, and {preview(found, 5)} in row {lower}: delete a title above the names",
                f"row {number}",
            )


def _expect_unmerged(data: bytes, sheet: Any, header: int, places: Sequence[int]) -> None:
    """Raise `ModelError` if cells of columns that are read are merged below the header: only the
    first of them has a value.
    """
    from openpyxl.utils import range_boundaries

    with zipfile.ZipFile(io.BytesIO(data)) as book:
        text = book.read(sheet._worksheet_path)  # a sheet that is read only does not tell
    for found in _MERGED.findall(text):
        left, top, right, bottom = range_boundaries(found.decode())
        touched = any(left <= place + 1 <= right for place in places)
        if touched and bottom > header and (top, left) != (bottom, right):
            raise ModelError(
                f"cells {found.decode()} are merged, and only the first has a value: unmerge them, "
                "and write into each what it says"
            )


def _below(rows: Sequence[Row], size: int) -> Iterator[tuple[str, Sequence[object]]]:
    for number, row in rows[1:]:
        # rows of a sheet that is read only may be short
        yield f"row {number}", [*row, *[None] * (size - len(row))]
