"""Rows of an Excel workbook, read with openpyxl, an extra: of its only sheet with cells.

Formulas have the values that were saved with them.
"""

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.recorded.sources.asked import Asked, RecordedRows, expect_rows
from pufferproof.models.numbers.text import shown
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


def workbook_rows(data: bytes, asked: Asked) -> RecordedRows:
    """Return the rows of a workbook. Raises `ModelError` unless one sheet has cells."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ModelError(
            f"is an Excel file: {of_extra('openpyxl', 'excel')}, or CSV, which Excel saves"
        ) from None
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: _filled(sheet) for sheet in book.worksheets}
    except _BROKEN as error:
        raise ModelError(f"expected an Excel workbook: {shown(str(error))}") from None
    used = {title: rows for title, rows in sheets.items() if rows}
    if len(used) != 1:
        raise ModelError(
            f"expected one sheet with cells, found {preview(list(used)) or 'none'}: save the one "
            "with the data as a file of its own"
        )
    ((title, rows),) = used.items()
    header = ["" if cell is None else str(cell) for cell in rows[0][1]]
    asked = asked.among(header)
    told = f"Excel sheet {shown(title)}"
    return RecordedRows(data, asked, header, _below(rows, len(header)), told)


def _filled(sheet: Any) -> list[tuple[int, Sequence[object]]]:
    """Return the rows of a sheet by their numbers, but for empty ones before and after them."""
    rows: list[tuple[int, Sequence[object]]] = []
    empty = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if all(cell is None for cell in row):
            empty += 1
            continue
        if rows and empty:
            raise ModelError(
                "is empty: expected rows without empty ones between", f"row {number - 1}"
            )
        empty = 0
        rows.append((number, row))
        expect_rows(len(rows))
    return rows


def _below(
    rows: Sequence[tuple[int, Sequence[object]]], size: int
) -> Iterator[tuple[str, Sequence[object]]]:
    for number, row in rows[1:]:
        # rows of a sheet that is read only may be short
        yield f"row {number}", [*row, *[None] * (size - len(row))]
