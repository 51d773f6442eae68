"""Which kind of file it is that holds recorded data, by its first bytes and its name."""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import bytes_of
from pufferproof.models.files.recorded.sources.gathering import (
    MAX_TABLE,
    MEMBER,
    Asked,
    RecordedRows,
    Work,
    expect_rows,
)
from pufferproof.models.files.recorded.sources.parquet import parquet_rows
from pufferproof.models.files.recorded.sources.text import decoded, text_rows
from pufferproof.models.files.recorded.sources.workbook import workbook_rows

# Time series in the `.ts` format of sktime and aeon: a line for every series, its dimensions
# between colons, the class or target last.

_ASIDE = ("case_id", "reading_id", "class_val", "timestamp")
_TIMES = re.compile(r"\([^()]*\)")  # in which colons are those of times
_COUNT = re.compile(r"[0-9]{1,9}")
_TIMED = re.compile(r"\(([^(),]*),([^(),]*)\),?")


@dataclass(frozen=True)
class _Head:
    """What the lines before `@data` say; how many dimensions and readings, None if they do not."""

    timed: bool
    labelled: bool
    dimensions: int | None = None
    readings: int | None = None


def series_rows(data: bytes, asked: Asked) -> RecordedRows:
    """Return the readings of all series."""
    text, _, notes = decoded(data)
    lines = text.splitlines()
    head, start = _head(lines)
    numbered = ((n, line) for n, line in enumerate(lines[start:], start + 1) if line.strip())
    below = [(f"line {n}", line) for n, line in numbered]
    if not below:
        raise ModelError("expected series below @data, found none")
    count = len(_parts(below[0][1], head)) - head.labelled
    if head.dimensions not in (None, count):
        raise ModelError(f"expected {head.dimensions} dimensions, as the header states, found {count}", below[0][0])
    header = ["case_id", "reading_id", *(f"dim_{k}" for k in range(count))]
    header += [*["class_val"] * head.labelled, *["timestamp"] * head.timed]
    if asked.group is not None and asked.group != "case_id":
        raise ModelError(f'expected the group "case_id", which every series is, found "{asked.group}"')
    time = asked.time or ("timestamp" if head.timed else None)
    asked = replace(asked, group="case_id", time=time).among(header, _ASIDE)
    told = f".ts of {len(below)} series, {count} dimension{'s' * (count > 1)}"
    cells = _readings(below, head, count)
    return RecordedRows(data, asked, header, cells, told, notes)


def _head(lines: Sequence[str]) -> tuple[_Head, int]:
    """Return what the header says, and where the series begin."""
    tags: dict[str, str] = {}
    for number, line in enumerate(lines):
        words = line.strip().split()
        if not words or words[0][0] in "#%":
            continue
        if words[0].lower() == "@data":
            labelled = any(tags.get(key) == "true" for key in ("@classlabel", "@targetlabel"))
            dimensions = tags.get("@dimensions", tags.get("@dimension", ""))
            if tags.get("@univariate") == "true":
                dimensions = dimensions or "1"
            equal = tags.get("@equallength") != "false"
            readings = tags.get("@serieslength", "") if equal else ""
            counts = [int(text) if _COUNT.fullmatch(text) else None for text in (dimensions, readings)]
            return _Head(tags.get("@timestamps") == "true", labelled, *counts), number + 1
        if not words[0].startswith("@"):
            break
        tags[words[0].lower()] = words[1].lower() if len(words) > 1 else ""
    raise ModelError('expected a .ts file: lines that begin with "@", and "@data" before the series')


def _parts(line: str, head: _Head) -> list[str]:
    if head.timed:
        line = _TIMES.sub(lambda found: found[0].replace(":", "\0"), line)
    return [part.replace("\0", ":") for part in line.split(":")]


def _readings(below: Sequence[tuple[str, str]], head: _Head, count: int) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield a row for every reading of every series."""
    total = 0
    for case, (row, line) in enumerate(below):
        parts = _parts(line, head)
        if len(parts) != count + head.labelled:
            raise ModelError(
                f"expected {count} dimensions{' and a class' * head.labelled}, found {len(parts)} parts between colons",
                row,
            )
        values, times = [], []
        for part in parts[:count]:
            readings, stamps = _dimension(row, part, head)
            values.append(readings)
            times.append(stamps)
        if len({len(each) for each in values}) > 1 or any(each != times[0] for each in times):
            raise ModelError("expected dimensions with the same readings", row)
        if head.readings not in (None, len(values[0])):
            raise ModelError(f"expected {head.readings} readings, as the header states, found {len(values[0])}", row)
        label = [parts[-1].strip()] * head.labelled
        total += len(values[0])
        expect_rows(total)
        for k, cells in enumerate(zip(*values)):
            stamp = times[0][k : k + 1]
            yield f"{row}, reading {k + 1}", [str(case), str(k), *cells, *label, *stamp]


def _dimension(row: str, text: str, head: _Head) -> tuple[list[object], list[str]]:
    """Return the readings of a dimension, and their times; "?" is missing."""
    if not head.timed:
        cells = [cell.strip() for cell in text.split(",")]
        return [None if cell == "?" else cell for cell in cells], []
    found = _TIMED.findall(text)
    if _TIMED.sub("", text).strip():
        raise ModelError("expected readings as (time,value),(time,value)", row)
    cells = [value.strip() for _, value in found]
    return [None if cell == "?" else cell for cell in cells], [time.strip() for time, _ in found]


_GZIP, _ZIP, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
_FIRST, _MOST = 1 << 9, 1 << 16  # bytes of a piece of gzip: of what is left of one there is a copy
_SHORTEST = 20  # bytes of a member: 10 before the data, 2 at least, 8 behind
_STATA = "a Stata file (.dta): export it as CSV (export delimited)"
_SAS = "a SAS file: export it as CSV (PROC EXPORT)"
_SPSS = "an SPSS file: save it as CSV"
_R = "an R file: save the table with write.csv"
_HDF5 = "an HDF5 file: save the table as Parquet or CSV"
_MATLAB = "a MATLAB file (.mat): save the table as CSV with writetable"
_JSON = "JSON: save the table as CSV or Parquet"
_UNREAD = {  # what is refused by name, by how it begins
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls), or has a password: save it as .xlsx or CSV",
    b"BZh": "a file compressed with bzip2: unpack it, or use gzip",
    b"\xfd7zXZ": "a file compressed with xz: unpack it, or use gzip",
    b"\x28\xb5\x2f\xfd": "a file compressed with zstd: unpack it, or use gzip",
    b"ARROW1": "an Arrow (Feather) file: save it as Parquet or CSV",
    b"\x89HDF": _HDF5,
    b"MATLAB 5.0 MAT-file": _MATLAB,
    b"MATLAB 7.3 MAT-file": _MATLAB,
    b"%PDF": "a PDF: expected CSV, Parquet, .xlsx or .ts",
    b"SQLite format 3\0": "a SQLite database: export the table as CSV (sqlite3 -csv -header)",
    b"<stata_dta>": _STATA,
    b"HEADER RECORD*******": _SAS,
    b"\0" * 12 + b"\xc2\xea\x81\x60": _SAS,
    b"$FL2": _SPSS,
    b"$FL3": _SPSS,
    b"RDX2\n": _R,
    b"RDX3\n": _R,
    b"X\n\0\0\0": _R,
    b"\x93NUMPY": "a NumPy file: load it and pass the array to pufferproof.fit",
    b"{": _JSON,
    b"[{": _JSON,
    b"<": "XML or HTML: expected CSV, Parquet, .xlsx or .ts",
}
_OLD_STATA = re.compile(rb"[\x66-\x73][\x01\x02]\x01\x00")  # version, order of bytes, 1, 0
_PORTABLE = 456, b"SPSSPORT"  # where the mark of .por stands, in lines of 80 characters
_NAMED = {  # and by the end of its name
    (".json", ".jsonl", ".ndjson"): _JSON,
    (".tsf",): "a .tsf file of series to forecast: save each series as a column of CSV",
    (".arff",): "ARFF: save the table as CSV, or take the .ts file of the same data",
    (".rda", ".rds", ".rdata"): _R,
    (".dta",): _STATA,
    (".sas7bdat", ".xpt"): _SAS,
    (".sav", ".zsav", ".por"): _SPSS,
    (".mat",): _MATLAB,
    (".db", ".sqlite", ".sqlite3"): "a database: export the table as CSV",
    (".pkl", ".pickle", ".npy", ".npz"): "a Python object: pass it to pufferproof.fit",
}


def rows_of(path: str | Path, asked: Asked) -> RecordedRows:
    """Return the rows of a file: CSV, Parquet, `.xlsx` or `.ts`, also compressed by gzip.

    Raises `ModelError` naming another kind, and what to do; and if the file takes too much work.
    """
    data, name = bytes_of(path, MAX_TABLE), str(path).lower()
    content, work = data, Work(len(data))
    if data.startswith(_GZIP):
        view, at, whole = memoryview(data), 0, bytearray()
        while data[at : at + 1].strip(b"\0") or data[at:].strip(b"\0"):  # zeros may fill a block
            work.take(MEMBER, "gzip members")
            member, start, step = zlib.decompressobj(wbits=31), at, _FIRST
            while not member.eof:
                piece = view[at : at + step]
                if not piece:
                    raise ModelError("expected a whole gzip file, found its beginning")
                try:
                    unpacked = member.decompress(piece)
                except zlib.error as error:
                    said = _disagreement(view[start:]) or error
                    raise ModelError(f"expected a gzip file: {said}") from None
                work.unpack(len(unpacked))
                whole += unpacked
                at += len(piece) - len(member.unused_data)
                step = min(2 * step, _MOST)
        content, name = bytes(whole), name.removesuffix(".gz")
        del whole
    if asked.sheet is not None and not content.startswith(_ZIP):
        raise ModelError("needs Excel files", "sheet")
    if name.endswith((".parquet", ".pq")) or content.startswith(_PARQUET):
        rows = parquet_rows(content, asked, work)
    elif content.startswith(_ZIP) and not name.endswith(".npz"):
        rows = workbook_rows(content, asked, work)
    else:
        _expect_text(content, name)
        rows = (series_rows if name.endswith(".ts") else text_rows)(content, asked)
    rows.data, rows.work = data, work
    return rows


def _disagreement(member: memoryview) -> str | None:
    """Say what the last member of a gzip file states at its end and does not hold, if so."""
    if len(member) < _SHORTEST:
        return None
    try:
        content = zlib.decompressobj(wbits=31).decompress(member[:-8], MAX_TABLE)
    except zlib.error:
        return None
    checksum, length = struct.unpack("<LL", member[-8:])
    if length != len(content) % 2**32:
        return f"its end states {length} bytes, found {len(content)}"
    return f"its end states the checksum {checksum:08x}, found {zlib.crc32(content):08x}"


def _expect_text(content: bytes, name: str) -> None:
    """Raise `ModelError` for files that are known, and no text with separators."""
    start = content[:600].lstrip(b"\xef\xbb\xbf \t\r\n")
    kinds = [said for mark, said in _UNREAD.items() if start.startswith(mark)]
    if _OLD_STATA.match(content):
        kinds.append(_STATA)
    place, mark = _PORTABLE
    if content[:600].translate(None, b"\r\n").startswith(mark, place):
        kinds.append(_SPSS)
    kinds += [said for ends, said in _NAMED.items() if name.endswith(ends)]
    if kinds:
        raise ModelError(f"is {kinds[0]}")
