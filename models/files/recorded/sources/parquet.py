"""Rows of a Parquet file, read with pyarrow, an extra."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.recorded.bits import may_be_missing
from pufferproof.models.files.recorded.doubts.clock import may_be_time, named_as_time
from pufferproof.models.files.recorded.sources.gathering import CELL, Asked, RecordedRows, Work, expect_rows
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_BATCH = 65_536  # rows that are in memory at a time
_FIRST = 4_096  # rows among which first cells are looked for at a time
_TEXTS = ("string", "large_string", "string_view")


def parquet_rows(data: bytes, asked: Asked, work: Work) -> RecordedRows:
    """Return the rows of a Parquet file, as many as it states."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(f"is a Parquet file: {of_extra('pyarrow', 'parquet')}, or CSV") from None
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        expect_rows(file.metadata.num_rows)
        schema = file.schema_arrow
        asked = asked.among(schema.names)
        some = _timed(file, asked, work) if asked.time is None else []
        header = list(dict.fromkeys([*asked.named, *some]))
        flat = [name for name in header if not pa.types.is_nested(schema.field(name).type)]
        _unpack(file, range(file.num_row_groups), header, work)
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=flat)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _no_parquet(error) from None

    def cells() -> Iterator[tuple[str, Sequence[object]]]:
        number = 0
        try:
            for batch in file.iter_batches(_BATCH, columns=header):
                for row in zip(*(_cells(batch.column(name)) for name in header)):
                    number += 1
                    yield f"row {number}", row
            if number != (stated := file.metadata.num_rows):
                raise ModelError(f"expected {stated} rows, as the file states, found {number}")
        except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
            raise _no_parquet(error) from None

    return RecordedRows(data, asked, header, cells(), "Parquet")


def _timed(file: "pq.ParquetFile", asked: Asked, work: Work) -> list[str]:
    """Return the names of the columns that may say when rows were recorded, in their order: of
    dates, with such a name, or of texts that look like times.
    """
    from pyarrow import types

    found, texts = [], []
    for field in file.schema_arrow:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        if file.schema_arrow.names.count(field.name) > 1 or types.is_nested(kind):
            continue
        if types.is_timestamp(kind) or types.is_date(kind) or named_as_time(field.name):
            found.append(field.name)
        elif str(kind) in _TEXTS:
            texts.append(field.name)
    found += _texts_like_times(file, texts, asked, work)
    return [name for name in file.schema_arrow.names if name in found]


def _texts_like_times(file: "pq.ParquetFile", names: Sequence[str], asked: Asked, work: Work) -> list[str]:
    """Return the columns of text whose first cell that is not missing looks like a time."""
    found, undecided = list[str](), [name for name in names if name not in asked.named]
    for group in range(file.num_row_groups):
        if not undecided:
            break
        _unpack(file, [group], undecided, work)
        for batch in file.iter_batches(_FIRST, row_groups=[group], columns=undecided):
            for name in [*undecided]:
                cells = batch.column(name).drop_null().unique().to_pylist()
                work.take(batch.num_rows + CELL * len(cells), "cells")
                first = next((cell for cell in cells if not may_be_missing(cell, asked.na)), None)
                if first is not None:
                    undecided.remove(name)
                    found += [name] * may_be_time(first)
            if not undecided:
                break
    return found


def _no_parquet(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    return ModelError(f"expected a Parquet file: {shown(str(error))}")


def _unpack(file: "pq.ParquetFile", groups: Iterable[int], columns: Sequence[str], work: Work) -> None:
    """Count the bytes of columns in groups of rows. Raises `ModelError` if they are far more than
    those of the file.
    """
    size = 0
    for place in groups:
        group = file.metadata.row_group(place)
        parts = [group.column(each) for each in range(group.num_columns)]
        size += sum(part.total_uncompressed_size for part in parts if part.path_in_schema in columns)
    work.unpack(size)


def _cells(column: "pa.Array") -> Sequence[object]:
    """Return the cells of a column; what is equal in a dictionary is one object."""
    if not hasattr(column, "dictionary"):
        return cast("list[object]", column.to_pylist())
    values = column.dictionary.to_pylist()
    return [None if place is None else values[place] for place in column.indices.to_pylist()]
