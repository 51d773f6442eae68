"""A column of a CSV or Parquet file, or of a table in Python, strictly: every row as long as the
header, no value missing.

CSV is UTF-8 with a header; lines before it that begin with `#` are left out. Parquet is read with
pyarrow, an extra. If a column says when rows were recorded, rows are in the order of time.
"""

import csv
import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, cast

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of, digest
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.files.recorded.counts import Recorded
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.doubts.times import Clocks, doubts_of_times
from pufferproof.models.files.recorded.labels import label_of
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import preview

MAX_TABLE = 1_000_000_000  # bytes of a file, and of what its columns are unpacked to
MAX_ROWS = 20_000_000
_BATCH = 65_536  # rows of a Parquet file that are in memory at a time
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Asked:
    """What is asked of a file: the column with the values, that with the groups if any, the states
    if they are named, limits between classes of numbers, which are counted from 0: a number equal
    to a limit is above it; and the column with the times if it is named.
    """

    column: str
    group: str | None = None
    states: Sequence[str] | None = None
    cuts: Sequence[Fraction] | None = None
    time: str | None = None

    def value(self, label: str) -> str:
        """Return a value, or its class. Raises `ModelError` if it has one and is no number."""
        return label if self.cuts is None else str(bisect_right(sorted(self.cuts), exact(label)))

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are read, but for that of the times."""
        return [self.column, *([] if self.group is None else [self.group])]

    def places(self, header: Sequence[str]) -> list[int]:
        """Return where the columns stand. Raises `ModelError` unless each is there once, and so is
        that of the times.
        """
        for name in [*self.columns, *([] if self.time is None else [self.time])]:
            if name not in header:
                names = preview(header, 20) or "none"
                raise ModelError(f'expected a column "{name}", found {names}')
            if list(header).count(name) > 1:
                raise ModelError(f'expected one column "{name}", found several')
        return [list(header).index(name) for name in self.columns]


@dataclass
class RecordedRows:
    """The rows of a file, each a name and the cells asked for; once all are read `doubts` says what
    their times tell.
    """

    data: bytes
    asked: Asked
    header: Sequence[str]
    cells: Iterator[tuple[str, Sequence[object]]]
    clocks: Clocks | None = None

    def __iter__(self) -> Iterator[tuple[str, list[object]]]:
        places = self.asked.places(self.header)
        for row, cells in self.cells:
            if self.clocks is None:
                self.clocks = Clocks.of(self.header, cells, self.asked.time, places)
            group = "" if self.asked.group is None else str(cells[places[1]])
            self.clocks.see(row, group, cells)
            yield row, [cells[place] for place in places]

    def doubts(self) -> tuple[Doubt, ...]:
        """Return what times say against the data. Raises `ModelError` as `Clocks.doubts` does."""
        return () if self.clocks is None else self.clocks.doubts()


def read_column(path: str | Path, asked: Asked) -> Loaded[Recorded]:
    """Read the values of a column, by the groups of another one if asked for.

    Raises `ModelError` naming the line, or the row of a Parquet file, where something is missing.
    """
    with in_file(path):
        rows = rows_of(path, asked)
        members: dict[str, list[str]] = {}
        for value, group in _labels(rows, asked):
            members.setdefault(group, []).append(value)
        if not members:
            raise ModelError("expected rows below the header, found none")
        doubts = rows.doubts()
        try:
            recorded = Recorded.of_labels(members.values(), asked.states, list(members), doubts)
        except ModelError as error:
            raise error.within(f'column "{asked.column}"') from None
        return Loaded(recorded, str(path), digest(rows.data))


def rows_of(path: str | Path, asked: Asked) -> RecordedRows:
    """Return the rows of a file."""
    data = bytes_of(path, MAX_TABLE)
    parquet = str(path).lower().endswith(_PARQUET)
    return _parquet_rows(data, asked) if parquet else _csv_rows(data, asked)


def _labels(rows: RecordedRows, asked: Asked) -> Iterator[tuple[str, str]]:
    """Yield value and group of every row, "" where there are no groups; a row has a name."""
    labels: dict[tuple[str, str], str] = {}
    for row, cells in rows:
        found = []
        for column, cell in zip(asked.columns, cells):
            kept = asked.states or () if column == asked.column else ()
            if isinstance(cell, str) and (column, cell) in labels:
                found.append(labels[column, cell])
                continue
            try:
                label = label_of(cell, kept)
                label = asked.value(label) if column == asked.column else label
            except ModelError as error:
                raise error.within(f'{row}: column "{column}"') from None
            if isinstance(cell, str):
                labels[column, cell] = label
            found.append(label)
        yield found[0], found[-1] if asked.group is not None else ""


def _csv_rows(data: bytes, asked: Asked) -> RecordedRows:
    _expect_rows(data.count(b"\n") - 1)
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
    except csv.Error as error:
        raise ModelError(f"expected CSV: {error}", f"line {skipped + reader.line_num}") from None
    if not header:
        raise ModelError("expected CSV with a header, found an empty line or nothing")
    asked.places(header)

    def cells() -> Iterator[tuple[str, Sequence[object]]]:
        try:
            for found in reader:
                row = f"line {skipped + reader.line_num}"
                if len(found) != len(header):
                    wanted = f"{len(header)} cell{'s' * (len(header) > 1)}"
                    number = len(found) if found else "an empty line"
                    raise ModelError(f"expected {wanted}, as the header has, found {number}", row)
                yield row, found
        except csv.Error as error:
            raise ModelError(
                f"expected CSV: {error}", f"line {skipped + reader.line_num}"
            ) from None

    return RecordedRows(data, asked, header, cells())


def _parquet_rows(data: bytes, asked: Asked) -> RecordedRows:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(
            "Parquet is read with pyarrow, which is not installed: expected CSV, or the extra "
            "pufferproof[parquet]"
        ) from None
    try:
        schema = pq.ParquetFile(pa.BufferReader(data)).schema_arrow
        asked.places(schema.names)
        timed = [each.name for each in schema if pa.types.is_timestamp(each.type)]
        timed += [each.name for each in schema if pa.types.is_date(each.type)]
        some = timed if asked.time is None else [asked.time]
        header = list(dict.fromkeys([*asked.columns, *some]))
        flat = [name for name in header if not pa.types.is_nested(schema.field(name).type)]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=flat)
        _expect_unpacked(file.metadata, header)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _no_parquet(error) from None

    def cells() -> Iterator[tuple[str, Sequence[object]]]:
        number = 0
        try:
            for batch in file.iter_batches(_BATCH, columns=header):
                for row in zip(*(_cells(batch.column(name)) for name in header)):
                    number += 1
                    yield f"row {number}", row
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise _no_parquet(error) from None

    return RecordedRows(data, asked, header, cells())


def _no_parquet(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    return ModelError(f"expected a Parquet file: {shown(str(error))}")


def _expect_rows(count: int) -> None:
    if count > MAX_ROWS:
        raise ModelError(f"expected at most {MAX_ROWS} rows, found {count}: take a part of them")


def _expect_unpacked(metadata: Any, columns: Sequence[str]) -> None:
    """Raise `ModelError` for a Parquet file whose columns are far larger than the file."""
    _expect_rows(metadata.num_rows)
    size = 0
    for place in range(metadata.num_row_groups):
        group = metadata.row_group(place)
        parts = [group.column(each) for each in range(group.num_columns)]
        size += sum(
            part.total_uncompressed_size for part in parts if part.path_in_schema in columns
        )
    if size > MAX_TABLE:
        raise ModelError(f"expected columns of at most {MAX_TABLE} bytes, found {size}")


def _cells(column: Any) -> Sequence[object]:
    """Return the cells of a column; what is equal in a dictionary is one object."""
    if not hasattr(column, "dictionary"):
        return cast("list[object]", column.to_pylist())
    values = column.dictionary.to_pylist()
    return [None if place is None else values[place] for place in column.indices.to_pylist()]


# --- objects of Python ---


def recorded_of(
    data: Any, column: str | None, group: object, states: Sequence[str] | None, time: object = None
) -> Recorded:
    """Return the values of a file, of a table, or of a list, array or Series.

    Raises `ModelError` as `read_column` and `Recorded.of` do.
    """
    if isinstance(data, str | Path):
        return read_column(data, _named("file", column, group, states, time)).value
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        return _of_table(data, _named("table", column, group, states, time))
    if column is not None:
        raise ModelError("is for files and tables: expected none beside values", "column")
    values = _listed(data, "data")
    groups = None if group is None else _listed(group, "group")
    times = _index_of(data) if time is None else _listed(time, "time")
    if times is None:
        return Recorded.of(values, groups, states)
    if len(times) != len(values):
        raise ModelError(f"expected {len(values)} times, one per value, found {len(times)}", "time")
    if groups is not None and len(groups) != len(values):
        return Recorded.of(values, groups, states)  # which raises
    where = "index" if time is None else "time"
    names = None if groups is None else [str(name) for name in groups]
    return Recorded.of(values, groups, states, doubts_of_times(times, names, where))


def _named(
    what: str, column: object, group: object, states: Sequence[str] | None, time: object
) -> Asked:
    """Return what is asked of a file or table. Raises `ModelError` unless columns are names."""
    for key, name in (("column", column), ("group", group), ("time", time)):
        if not isinstance(name, str) and (key == "column" or name is not None):
            raise ModelError(f"expected the name of a column of the {what}", key)
    return Asked(column, group, states, time=time)  # type: ignore[arg-type]


def _of_table(table: Any, asked: Asked) -> Recorded:
    header = [str(name) for name in table.columns]
    places = asked.places(header)
    columns = [table.iloc[:, place].tolist() for place in range(len(header))]
    named = ((f"row {number}", row) for number, row in enumerate(zip(*columns), 1))
    rows = RecordedRows(b"", asked, header, named)
    for _ in rows:
        pass
    groups = None if asked.group is None else columns[places[1]]
    doubts = rows.doubts()
    times = _index_of(table) if asked.time is None else None
    if times is not None:
        names = None if groups is None else [str(name) for name in groups]
        doubts = doubts_of_times(times, names, "index")
    return Recorded.of(columns[places[0]], groups, asked.states, doubts)


def _index_of(data: object) -> list[object] | None:
    """Return the times that are the index of a Series or table, None if its index has none."""
    index: Any = getattr(data, "index", None)
    return list(index) if type(index).__name__ == "DatetimeIndex" else None


def _listed(values: object, where: str) -> Any:
    """Return the values of a Series, array or sequence as a list."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise ModelError(
            f"expected a sequence of values, a pandas Series or a table, found {shown(values)}",
            where,
        )
    return values
