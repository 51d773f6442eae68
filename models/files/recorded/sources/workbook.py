"""Rows of an Excel workbook, read with openpyxl, an extra: of its only sheet with cells, or the one
that is named.

Formulas have the values that were saved with them, and one without is refused, wherever it stands;
merged cells are refused below the header. Rows are those that have cells: what a sheet says of its
own size (`<dimension>`) is not believed.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.recorded.sources.gathering import (
    OTHER_ELEMENT,
    PLAIN_ELEMENT,
    STRING_ELEMENT,
    Asked,
    RecordedRows,
    Work,
)
from pufferproof.models.numbers.text import did_you_mean, shown
from pufferproof.models.priors.records import preview

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from openpyxl.worksheet._read_only import ReadOnlyWorksheet
    from openpyxl.worksheet._reader import WorkSheetParser

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
Row = tuple[int, tuple[int, ...], Sequence[object]]  # its number, columns of cells, their values
_UNSAVED = object()  # the value of a formula that no program has calculated
_TOP = 20  # rows among which the names of columns are looked for
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384  # of a sheet
_PIECE = 1 << 20
_PLAIN = re.compile(rb"<(?:\w+:)?(?:row|c|v|f|t)[\s/>]")  # elements of cells without text
_SHEETS = {
    "xl/workbook.bin": "a binary Excel file (.xlsb): save it as .xlsx or CSV",
    "content.xml": "an OpenDocument sheet (.ods): save it as .xlsx or CSV",
}


def workbook_rows(data: bytes, asked: Asked, work: Work) -> RecordedRows:
    """Return the rows of a workbook.

    Raises `ModelError` unless one sheet has cells, or is named, with the names of columns in its
    first row and no cells merged below.
    """
    _expect_workbook(data, work)
    try:
        from openpyxl import load_workbook
        from openpyxl.utils import get_column_letter
    except ImportError:
        raise ModelError(f"is an Excel file: {of_extra('openpyxl', 'excel')}, or CSV, which Excel saves") from None
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: sheet for sheet in book.worksheets}
        used = [title for title, sheet in sheets.items() if any(_filled(_parser(sheet)))]
        title = _chosen(asked.sheet, used)
        parser = _parser(sheets[title])
        rows = list(_filled(parser))
        for number, columns, cells in rows:
            if _UNSAVED in cells:
                column = get_column_letter(columns[cells.index(_UNSAVED)])
                raise ModelError(
                    f"column {column} has a formula without a saved value: open the file in Excel or "
                    "LibreOffice, and save it",
                    f"row {number}",
                )
        _expect_header(rows, asked)
        _, columns, cells = rows[0]
        names, last = dict(zip(columns, cells)), max(columns)
        header = [str(names.get(column, "")) for column in range(1, last + 1)]
        header += [""] * any(max(columns) > last for _, columns, _ in rows)  # cells to their right
        asked = asked.among(header)
        merged = [] if parser.merged_cells is None else parser.merged_cells.mergeCell
        places = [header.index(name) for name in asked.named]
        _expect_unmerged([each.ref for each in merged], rows[0][0], places)
    except _BROKEN as error:
        raise ModelError(f"expected an Excel workbook: {shown(str(error))}") from None
    _expect_no_gap(rows)
    told = f"Excel sheet {shown(title)}"
    return RecordedRows(data, asked, header, _below(rows, len(header)), told)


def _expect_workbook(data: bytes, work: Work) -> None:
    """Raise `ModelError` unless a zip is a whole Excel workbook whose parts are not too much work:
    each is unpacked, which compares its length and its checksum with what the zip says.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            names = book.namelist()
            for other, said in _SHEETS.items():
                if other in names:
                    raise ModelError(f"is {said}")
            if "xl/workbook.xml" not in names:
                raise ModelError("is a zip file: unpack it")
            for part in book.infolist():
                with book.open(part) as file:
                    # bytes and elements are counted piece by piece, as they are unpacked
                    name = part.filename
                    cost = STRING_ELEMENT if name == "xl/sharedStrings.xml" else OTHER_ELEMENT
                    while piece := file.read(_PIECE):
                        work.unpack(len(piece))
                        others = piece.count(b"<") - piece.count(b"</")
                        if name.startswith("xl/worksheets/"):
                            plain = len(_PLAIN.findall(piece))
                            work.take(PLAIN_ELEMENT * plain, f"cells in {name}")
                            others -= plain
                        work.take(cost * max(others, 0), f"elements of XML in {name}")
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, EOFError, RuntimeError) as error:
        raise ModelError(f"expected a whole .xlsx file: {error}") from None


def _parser(sheet: "ReadOnlyWorksheet") -> "WorkSheetParser":
    """Return openpyxl's parser of a sheet, which unlike `iter_rows` has no use for dimensions, and
    has `_UNSAVED` for the value of a formula that is not calculated: one without a value (only a
    text may be empty), and all of a book that is to be calculated when it is opened.
    """
    from openpyxl.worksheet._reader import FORMULA_TAG, VALUE_TAG, WorkSheetParser

    book = sheet.parent
    stale = book.calculation is not None and bool(book.calculation.fullCalcOnLoad)

    class Parser(WorkSheetParser):  # type: ignore[misc]
        def parse_cell(self, element: "Element") -> dict[str, object]:
            cell: dict[str, object] = super().parse_cell(element)
            if element.find(FORMULA_TAG) is not None:
                empty = element.get("t") == "str" and element.find(VALUE_TAG) is not None
                if stale or (cell["value"] is None and not empty):
                    cell["value"] = _UNSAVED
            return cell

    return Parser(
        sheet._get_source(),
        sheet._shared_strings,
        data_only=True,
        epoch=book.epoch,
        date_formats=book._date_formats,
        timedelta_formats=book._timedelta_formats,
    )


def _filled(parser: "WorkSheetParser") -> Iterator[Row]:
    """Yield the rows of a sheet that are not empty.

    Raises `ModelError` unless rows ascend, as a sheet has them, with each cell once.
    """
    before, kept = 0, dict[tuple[int, ...], tuple[int, ...]]()
    for number, cells in parser.parse():
        if not before < number <= _LAST_ROW:
            raise ModelError(
                f"expected rows in ascending order from 1 to {_LAST_ROW}, found row {number} behind row {before}"
            )
        before, row = number, dict[int, object]()
        for cell in cells:
            column = cell["column"]
            if cell["row"] != number or column in row or column > _LAST_COLUMN:
                raise ModelError(
                    "expected each cell once, in columns A to XFD, found another in row "
                    f"{cell['row']}, column {column}",
                    f"row {number}",
                )
            if cell["value"] is not None:
                row[column] = cell["value"]
        if row:
            columns = tuple(row)
            yield number, kept.setdefault(columns, columns), tuple(row.values())


def _chosen(named: str | None, used: Sequence[str]) -> str:
    """Return the sheet to read. Raises `ModelError` unless it is named, or the only one."""
    if named is not None:
        if named not in used:
            names = preview(used) or "none"
            alike = did_you_mean(named, used)
            raise ModelError(f"expected a sheet with cells, one of {names}, found {shown(named)}{alike}", "sheet")
        return named
    if len(used) != 1:
        raise ModelError(
            f"expected one sheet with cells, found {preview(used) or 'none'}"
            + (": --sheet NAME reads one" if used else "")
        )
    return used[0]


def _expect_no_gap(rows: Sequence[Row]) -> None:
    """Raise `ModelError` for an empty row between others."""
    for (above, *_), (below, *_) in pairwise(rows):
        if below != above + 1:
            title = ", or, if what is above it is a title, delete that and the empty rows"
            raise ModelError(
                "is empty: expected rows without empty ones between" + (title if below == rows[1][0] else ""),
                f"row {above + 1}",
            )


def _expect_header(rows: Sequence[Row], asked: Asked) -> None:
    """Raise `ModelError` if the names of the columns stand in a lower row, below a title."""
    cells = [(number, list(map(str, row))) for number, _, row in rows[:_TOP]]
    number, top = cells[0]
    for lower, found in cells[1:]:
        named = {*asked.named} <= {*found} and not {*asked.named} <= {*top}
        if named or (not asked.named and len(top) == 1 < len(found)):
            raise ModelError(
                f"expected the names of the columns in the first row, found {preview(top, 5)} "
                f"there, and {preview(found, 5)} in row {lower}: delete a title above the names",
                f"row {number}",
            )


def _expect_unmerged(merged: Sequence[str], header: int, places: Sequence[int]) -> None:
    """Raise `ModelError` if cells of columns that are read are merged below the header: only the
    first of them has a value.
    """
    from openpyxl.utils import range_boundaries

    for cells in merged:
        left, top, right, bottom = range_boundaries(cells)
        touched = any(left <= place + 1 <= right for place in places)
        if touched and bottom > header and (top, left) != (bottom, right):
            raise ModelError(
                f"cells {cells} are merged, and only the first has a value: unmerge them, "
                "and write into each what it says"
            )


def _below(rows: Sequence[Row], size: int) -> Iterator[tuple[str, Sequence[object]]]:
    places = range(1, size + 1)
    for number, columns, cells in rows[1:]:
        row = dict(zip(columns, cells))
        yield f"row {number}", [row.get(place) for place in places]
