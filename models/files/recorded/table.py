"""A column of a CSV or Parquet file, strictly: every row as long as the header, no value missing.

CSV is UTF-8 with a header; lines before it that begin with `#` are left out. Parquet is read with
pyarrow, an extra.
"""

import csv
import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of, digest
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.files.recorded.labels import label_of
from pufferproof.models.files.recorded.sequences import Recorded
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import preview

MAX_TABLE = 1_000_000_000
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Asked:
    """What is asked of a file: the column with the values, that with the groups if any, the states
    if they are named, and limits between classes of numbers, which are counted from 0: a number
    equal to a limit is above it.
    """

    column: str
    group: str | None = None
    states: Sequence[str] | None = None
    cuts: Sequence[Fraction] | None = None

    def value(self, label: str) -> str:
        """Return a value, or its class. Raises `ModelError` if it has one and is no number."""
        return label if self.cuts is None else str(bisect_right(sorted(self.cuts), exact(label)))

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are read."""
        return [self.column, *([] if self.group is None else [self.group])]

    def places(self, header: Sequence[str]) -> list[int]:
        """Return where the columns stand. Raises `ModelError` unless each is there once."""
        for name in self.columns:
            if name not in header:
                known = preview(header, 20) or "none"
                raise ModelError(f'expected a column "{name}", found {known}')
            if list(header).count(name) > 1:
                raise ModelError(f'expected one column "{name}", found several')
        return [list(header).index(name) for name in self.columns]


def read_column(path: str | Path, asked: Asked) -> Loaded[Recorded]:
    """Read the values of a column, by the groups of another one if asked for.

    Raises `ModelError` naming the line, or the row of a Parquet file, where something is missing.
    """
    with in_file(path):
        data, rows = rows_of(path, asked)
        members: dict[str, list[str]] = {}
        for value, group in _labels(rows, asked):
            members.setdefault(group, []).append(value)
        if not members:
            raise ModelError("expected rows below the header, found none")
        try:
            recorded = Recorded.of_labels(members.values(), asked.states)
        except ModelError as error:
            raise error.within(f'column "{asked.column}"') from None
        return Loaded(recorded, str(path), digest(data))


def rows_of(path: str | Path, asked: Asked) -> tuple[bytes, Iterator[tuple[str, Sequence[object]]]]:
    """Return the bytes of a file, and its rows one by one: a name and the cells asked for."""
    data = bytes_of(path, MAX_TABLE)
    parquet = str(path).lower().endswith(_PARQUET)
    return data, _parquet_rows(data, asked) if parquet else _csv_rows(data, asked)


def _labels(
    rows: Iterator[tuple[str, Sequence[object]]], asked: Asked
) -> Iterator[tuple[str, str]]:
    """Yield value and group of every row, "" where there are no groups; a row has a name."""
    known: dict[tuple[str, str], str] = {}
    for row, cells in rows:
        found = []
        for column, cell in zip(asked.columns, cells):
            kept = asked.states or () if column == asked.column else ()
            if isinstance(cell, str) and (column, cell) in known:
                found.append(known[column, cell])
                continue
            try:
                label = label_of(cell, kept)
                label = asked.value(label) if column == asked.column else label
            except ModelError as error:
                raise error.within(f'{row}: column "{column}"') from None
            if isinstance(cell, str):
                known[column, cell] = label
            found.append(label)
        yield found[0], found[-1] if asked.group is not None else ""


def _csv_rows(data: bytes, asked: Asked) -> Iterator[tuple[str, Sequence[str]]]:
    try:
        lines = io.StringIO(data.decode("utf-8-sig"), newline="").readlines()
    except UnicodeDecodeError as error:
        raise ModelError(
            f"expected CSV in UTF-8, found byte {data[error.start]:#04x} at position {error.start}"
        ) from None
    while lines and not lines[-1].strip():
        lines.pop()
    skipped = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    reader = csv.reader(islice(lines, skipped, None), strict=True)
    try:
        header = next(reader, [])
        if not header:
            raise ModelError("expected CSV with a header, found an empty line or nothing")
        places = asked.places(header)
        for cells in reader:
            row = f"line {skipped + reader.line_num}"
            if len(cells) != len(header):
                wanted = f"{len(header)} cell{'s' * (len(header) > 1)}"
                found = len(cells) if cells else "an empty line"
                raise ModelError(f"expected {wanted}, as the header has, found {found}", row)
            yield row, [cells[place] for place in places]
    except csv.Error as error:
        raise ModelError(f"expected CSV: {error}", f"line {skipped + reader.line_num}") from None


def _parquet_rows(data: bytes, asked: Asked) -> Iterator[tuple[str, Sequence[object]]]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(
            "Parquet is read with pyarrow, which is not installed: expected CSV, or the extra "
            "pufferproof[parquet]"
        ) from None
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        asked.places(file.schema_arrow.names)
        columns = file.read(columns=asked.columns)
        cells = [columns.column(name).to_pylist() for name in asked.columns]
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"expected a Parquet file: {shown(str(error))}") from None
    for number, row in enumerate(zip(*cells), 1):
        yield f"row {number}", row
