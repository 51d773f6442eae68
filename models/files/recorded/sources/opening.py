"""Which kind of file it is that holds recorded data, by its first bytes and its name."""

import io
import zipfile
import zlib
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of
from pufferproof.models.files.recorded.sources.asked import MAX_TABLE, Asked, RecordedRows
from pufferproof.models.files.recorded.sources.parquet import parquet_rows
from pufferproof.models.files.recorded.sources.series import series_rows
from pufferproof.models.files.recorded.sources.text import text_rows
from pufferproof.models.files.recorded.sources.workbook import workbook_rows

_GZIP, _ZIP, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
_UNREAD = {  # what is refused by name
    b"\xd0\xcf\x11\xe0": "an old Excel file (.xls): save it as .xlsx or CSV",
    b"BZh": "a file compressed with bzip2: unpack it, or use gzip",
    b"\xfd7zXZ": "a file compressed with xz: unpack it, or use gzip",
    b"\x28\xb5\x2f\xfd": "a file compressed with zstd: unpack it, or use gzip",
    b"ARROW1": "an Arrow (Feather) file: save it as Parquet or CSV",
    b"\x89HDF": "an HDF5 file: save the table as Parquet or CSV",
    b"%PDF": "a PDF: expected CSV, Parquet, .xlsx or .ts",
    b"<": "XML or HTML: expected CSV, Parquet, .xlsx or .ts",
}
_SHEETS = {
    "xl/workbook.bin": "a binary Excel file (.xlsb): save it as .xlsx or CSV",
    "content.xml": "an OpenDocument sheet (.ods): save it as .xlsx or CSV",
}
_NAMED = {
    (".json", ".jsonl", ".ndjson"): "JSON: save the table as CSV or Parquet",
    (".tsf",): "a .tsf file of series to forecast: save each series as a column of CSV",
    (".arff",): "ARFF: save the table as CSV, or take the .ts file of the same data",
    (".rda", ".rds", ".rdata"): "an R file: save the table with write.csv",
    (".sav", ".dta", ".sas7bdat"): "a file of a statistics program: save the table as CSV",
    (".pkl", ".pickle", ".npy", ".npz"): "a Python object: pass it to pufferproof.fit",
}


def rows_of(path: str | Path, asked: Asked) -> RecordedRows:
    """Return the rows of a file: CSV, Parquet, `.xlsx` or `.ts`, also compressed by gzip.

    Raises `ModelError` naming another kind, and what to do.
    """
    data, name = bytes_of(path, MAX_TABLE), str(path).lower()
    content = data
    if data.startswith(_GZIP):
        content, name = _unpacked(data), name.removesuffix(".gz")
    if asked.sheet is not None and not content.startswith(_ZIP):
        raise ModelError("needs Excel files", "sheet")
    if name.endswith((".parquet", ".pq")) or content.startswith(_PARQUET):
        rows = parquet_rows(content, asked)
    elif content.startswith(_ZIP):
        _expect_workbook(content)
        rows = workbook_rows(content, asked)
    else:
        _expect_text(content, name)
        rows = (series_rows if name.endswith(".ts") else text_rows)(content, asked)
    rows.data = data
    return rows


def _unpacked(data: bytes) -> bytes:
    """Return what gzip compressed, of all its members."""
    pieces, size, rest = [], 0, data
    try:
        while rest:
            member = zlib.decompressobj(wbits=31)
            piece = member.decompress(rest, MAX_TABLE + 1 - size)
            size += len(piece)
            if size > MAX_TABLE:
                raise ModelError(f"expected at most {MAX_TABLE} bytes once unpacked")
            if not member.eof:
                raise ModelError("expected a whole gzip file, found its beginning")
            pieces.append(piece)
            rest = member.unused_data
    except zlib.error as error:
        raise ModelError(f"expected a gzip file: {error}") from None
    return b"".join(pieces)


def _expect_workbook(content: bytes) -> None:
    """Raise `ModelError` unless a zip is an Excel workbook that is not far larger unpacked."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(content)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ModelError(f"expected a whole .xlsx file: {error}") from None
    names = {part.filename for part in parts}
    for part, said in _SHEETS.items():
        if part in names:
            raise ModelError(f"is {said}")
    if "xl/workbook.xml" not in names:
        raise ModelError("is a zip file: unpack it")
    size = sum(part.file_size for part in parts)
    if size > MAX_TABLE:
        raise ModelError(f"expected at most {MAX_TABLE} bytes once unpacked, found {size}")


def _expect_text(content: bytes, name: str) -> None:
    for start, said in _UNREAD.items():
        if content.startswith(start):
            raise ModelError(f"is {said}")
    for suffixes, said in _NAMED.items():
        if name.endswith(suffixes):
            raise ModelError(f"is {said}")
