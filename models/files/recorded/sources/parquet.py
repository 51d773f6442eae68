"""Rows of a Parquet file, read with pyarrow, an extra."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from pufferproof.models.errors import ModelError, of_extra
from pufferproof.models.files.recorded.doubts.moments import may_be_time
from pufferproof.models.files.recorded.sources.asked import Asked, RecordedRows, expect_rows
from pufferproof.models.files.recorded.sources.work import Work
from pufferproof.models.numbers.text import shown

_BATCH = 65_536  # rows that are in memory at a time


def parquet_rows(data: bytes, asked: Asked, work: Work) -> RecordedRows:
    """Return the rows of a Parquet file, as many as it states."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ModelError(f"is a Parquet file: {of_extra('pyarrow', 'parquet')}, or CSV") from None
    try:
        schema = pq.ParquetFile(pa.BufferReader(data)).schema_arrow
        asked = asked.among(schema.names)
        timed = [each.name for each in schema if pa.types.is_timestamp(each.type)]
        timed += [each.name for each in schema if pa.types.is_date(each.type)]
        timed += _texts_like_times(pq.ParquetFile(pa.BufferReader(data)))
        some = timed if asked.time is None else [asked.time]
        header = list(dict.fromkeys([*asked.named, *some]))
        flat = [name for name in header if not pa.types.is_nested(schema.field(name).type)]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=flat)
        _expect_unpacked(file.metadata, header, work)
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


def _texts_like_times(file: Any) -> list[str]:
    """Return the names of the columns of text whose first cell looks like a time."""
    import pyarrow as pa

    types = [pa.string(), pa.large_string()]
    names = [each.name for each in file.schema_arrow if each.type in types]
    first = next(file.iter_batches(1, columns=names), None) if names else None
    if first is None:
        return []
    return [name for name in names if may_be_time(first.column(name)[0].as_py())]


def _no_parquet(error: Exception) -> ModelError:
    if isinstance(error, ModelError):
        return error
    return ModelError(f"expected a Parquet file: {shown(str(error))}")


def _expect_unpacked(metadata: Any, columns: Sequence[str], work: Work) -> None:
    """Raise `ModelError` for a Parquet file whose columns are far larger than the file."""
    expect_rows(metadata.num_rows)
    size = 0
    for place in range(metadata.num_row_groups):
        group = metadata.row_group(place)
        parts = [group.column(each) for each in range(group.num_columns)]
        size += sum(
            part.total_uncompressed_size for part in parts if part.path_in_schema in columns
        )
    work.unpack(size)


def _cells(column: Any) -> Sequence[object]:
    """Return the cells of a column; what is equal in a dictionary is one object."""
    if not hasattr(column, "dictionary"):
        return cast("list[object]", column.to_pylist())
    values = column.dictionary.to_pylist()
    return [None if place is None else values[place] for place in column.indices.to_pylist()]
