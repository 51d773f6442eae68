"""Rows of text with separators (CSV), strictly: every row as long as the header.

Text is UTF-8, or UTF-16 or UTF-32 with a byte order mark; what is none of them is read as
Windows-1252, which has the letters of Latin-1, and that is said. The separator is a comma,
semicolon, tab or bar: the one by which the header has the columns that are asked for.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.bits import number_of
from pufferproof.models.files.recorded.sources.gathering import Asked, RecordedRows, expect_rows
from pufferproof.models.numbers.text import shown

_MARKS = {  # UTF-32 first, as its mark begins like that of UTF-16
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_BLOCK = 8192  # rows that are taken at once
_HEADER = "(its first line must name the columns)"


def text_rows(data: bytes, asked: Asked) -> RecordedRows:
    """Return the rows of text."""
    expect_rows(data.count(b"\n") - 1)
    text, told, notes = decoded(data)
    lines = io.StringIO(text, newline="").readlines()
    while lines and not lines[-1].strip():
        lines.pop()
    skipped = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    if lines[skipped:] and (mark := lines[skipped].strip()).startswith("sep=") and len(mark) == 5:
        asked = asked if asked.separator else replace(asked, separator=mark[4])
        skipped += 1  # the line by which Excel is told the separator
    separator = asked.separator or _separator(lines, skipped, asked)
    header = _header(lines, skipped, separator)
    if not header:
        raise ModelError("expected CSV with a header, found an empty line or nothing")
    named = asked.column is not None
    try:
        asked = asked.among(header)
    except ModelError as error:
        missing = error.what.startswith("expected a column")
        raise ModelError(f"{error.what} {_HEADER}" if missing else error.what) from None
    if not named and _is_number(str(asked.column)):
        raise ModelError(
            f"the name of the column is the number {asked.column}, as if the file had no header "
            f"{_HEADER}, unless --column names it",
            f"line {skipped + 1}",
        )
    if not named:
        notes += _commented(lines, skipped, separator, len(header))
    told = f"{told}, separated by {_SEPARATORS.get(separator, repr(separator))}"
    rows = RecordedRows(data, asked, header, iter(()), told, notes)
    rows.cells = _cells(lines, skipped, separator, rows, named)
    return rows


def _is_number(name: str) -> bool:
    try:
        number_of(name, "," if "," in name else ".")
    except ModelError:
        return False
    return True


def decoded(data: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Return text, what it was, and notes. Raises `ModelError` unless it is text."""
    marks = (name for mark, name in _MARKS.items() if data.startswith(mark))
    encoding = next(marks, "utf-8")
    notes: tuple[str, ...] = ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if not encoding.startswith("utf-8") or b"\0" in data:
            raise _not_text(data, error.start, encoding) from None
        try:
            text, encoding = data.decode("cp1252"), "windows-1252"
        except UnicodeDecodeError:
            raise _not_text(data, error.start, encoding) from None
        notes = (
            f"read as Windows-1252, which has Latin-1, as byte {data[error.start]:#04x} at "
            f"position {error.start} is no UTF-8: check the letters",
        )
    if "\0" in text:
        raise ModelError("expected text, found a zero byte (UTF-16 needs its byte order mark: save as UTF-8)")
    name = encoding.removesuffix("-sig").upper().replace("WINDOWS", "Windows")
    return text, f"CSV in {name}", notes


def _not_text(data: bytes, place: int, encoding: str) -> ModelError:
    name = encoding.removesuffix("-sig").upper()
    return ModelError(
        f"expected CSV in {name}, found byte {data[place]:#04x} at position {place}: save it as CSV in UTF-8"
    )


def _separator(lines: Sequence[str], skipped: int, asked: Asked) -> str:
    """Return the separator by which the header has the columns; a comma if none does."""
    known = {}
    for separator in _SEPARATORS:
        try:
            known[separator] = _header(lines, skipped, separator)
        except ModelError:
            continue
    fitting = [each for each, header in known.items() if {*asked.named} <= {*header}]
    if asked.decimal == ",":
        fitting = [*(each for each in fitting if each != ","), *fitting]
    several = [each for each, header in known.items() if len(header) > 1]
    if asked.column is None and len(several) > 1:
        raise ModelError("expected --separator, as the header can be separated in several ways")
    if asked.column is None and several and several[0] in fitting:
        return several[0]
    if fitting:
        return fitting[0]
    return several[0] if len(several) == 1 else ","


def _header(lines: Sequence[str], skipped: int, separator: str) -> list[str]:
    reader = csv.reader(islice(lines, skipped, None), delimiter=separator, strict=True)
    try:
        return next(reader, [])
    except csv.Error as error:
        raise ModelError(f"expected CSV: {error}", f"line {skipped + reader.line_num}") from None


def _commented(lines: Sequence[str], skipped: int, separator: str, size: int) -> tuple[str, ...]:
    """Return a note about a comment above the header that may be the header, if so.

    Raises `ModelError` if it has as many cells as the header, and no spaces if this is one.
    """
    line = lines[skipped - 1].strip() if skipped else ""
    try:
        cells = _header([line.lstrip("#")], 0, separator)
    except ModelError:
        return ()
    if not line.startswith("#") or len(cells) != size or not any(map(str.strip, cells)):
        return ()
    said = f"{shown(line)} is skipped as a comment"
    if size == 1 and len(cells[0].split()) > 1:
        return (f"line {skipped}: {said}: if it names the column, remove the # before it",)
    raise ModelError(
        f"{said}, and has as many cells as the line below: remove the # if it names the columns, "
        "or the line; or --column names the one to read",
        f"line {skipped}",
    )


def _cells(
    lines: Sequence[str], skipped: int, separator: str, rows: RecordedRows, named: bool
) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the rows below the header, and note whether one has the name of its column for its
    value.

    Raises `ModelError` where one has more or less cells, is the header again, or has the name of
    the column, which was not `named`, for its value.
    """
    header, place = rows.header, rows.asked.places(rows.header)[0]
    size, name, seen = len(header), header[place], False
    for start, end in _blocks(lines, skipped, separator, rows):
        reader = csv.reader(lines[start:end], delimiter=separator, strict=True)
        try:
            for cells in reader:
                row = f"line {start + reader.line_num}"
                if len(cells) != size:
                    wanted = f"{size} cell{'s' * (size > 1)}"
                    number = len(cells) if cells else "an empty line"
                    hint = " (--separator says what stands between cells, --decimal , that numbers have commas)"
                    hint = hint if size == 1 else ""
                    raise ModelError(f"expected {wanted}, as the header has, found {number}{hint}", row)
                if cells[place] == name:
                    if len(header) > 1 and [*cells] == [*header]:
                        raise ModelError("expected rows below the header, found the header again: delete it", row)
                    if not named:
                        raise ModelError(
                            f"the name of the column is one of its values at {row}, as if the file had no header "
                            f'{_HEADER}: --column "{name}" reads line 1 as names',
                            f'column "{name}"',
                        )
                    if not seen:
                        rows.notes += (f'"{name}" at {row} is a value of the column "{name}"',)
                    seen = True
                yield row, cells
        except csv.Error as error:
            raise ModelError(f"expected CSV: {error}", f"line {start + reader.line_num}") from None


def _blocks(lines: Sequence[str], skipped: int, separator: str, rows: RecordedRows) -> Iterator[tuple[int, int | None]]:
    """Yield the lines between which rows are to be looked at one by one: of blocks that are not
    plain, or not taken as a whole.
    """
    place, size = rows.asked.places(rows.header)[0], {len(rows.header)}
    reader = csv.reader(islice(lines, skipped, None), delimiter=separator, strict=True)
    next(reader)
    while True:
        start = skipped + reader.line_num
        try:
            block = list(islice(reader, _BLOCK))
        except csv.Error:
            yield start, None
            return
        if not block:
            return
        end = skipped + reader.line_num
        plain = end - start == len(block) and {*map(len, block)} == size
        if not (plain and rows.header[place] not in map(itemgetter(place), block) and rows.take(start + 1, block)):
            yield start, end
