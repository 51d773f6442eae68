"""Mechanisms that are tables elsewhere: CSV (first column the database, one column per output;
between semicolons, tabs or bars numbers may have decimal commas),
`.npy` (exact binary values; a file of labels beside it), and, when the caller trusts it, Python:
`module:function`, which `programs` reads.
"""

import csv
import io
from math import prod
from pathlib import Path

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.programs.calling import Calls
from pufferproof.models.files.programs.importing import is_callable, read_code, rows_of
from pufferproof.models.files.programs.objects import read_object
from pufferproof.models.files.programs.program import Program
from pufferproof.models.files.reading import Loaded, document_of, in_file
from pufferproof.models.files.recorded.labels import with_point
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import quoted, shown

_OTHERS = ";\t|"  # separators, where there is no comma


def is_table(path: str) -> bool:
    """Whether a mechanism is no JSON or TOML: a file of numbers, or a callable."""
    return path.endswith((".npy", ".csv")) or is_callable(path)


def from_table(
    path: str, framework: Framework, normalize: bool, databases: str | Path | None, calls: Calls
) -> Loaded[Channel] | Loaded[Program]:
    """Read a mechanism that `is_table`. Raises `ModelError` unless rows are laws, a matrix has
    labels, and a callable is trusted.
    """
    if is_callable(path):
        labels = [framework.databases[index] for index in sorted(framework.support)]
        read = read_object(path, framework.records or labels, calls, normalize)
        if read is not None:
            return read
        code = read_code(path, calls)
        if isinstance(code.value, Program):
            return code.holding(code.value.on(framework.records, framework.sized))
        return code.holding(rows_of(code.value, labels, normalize))
    data = bytes_of(path, MAX_BYTES)
    if path.endswith(".npy"):
        return _from_npy(path, data, databases, normalize)
    return Loaded(csv_channel(data, normalize), path, digest(data))


def csv_channel(data: bytes, normalize: bool) -> Channel:
    """Return the channel of a CSV table. Raises `ModelError` unless every row is a law."""
    try:
        text = data.decode("utf-8-sig")
        rows, commas = _rows(text, ","), False
        for separator in _OTHERS:
            if rows and len(rows[0]) == 1 and separator in rows[0][0]:
                rows, commas = _rows(text, separator), True
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"expected CSV in UTF-8: {error}") from None
    if len(rows) < 2:
        raise ModelError(f"expected a header and a row per database, found {len(rows)} lines")
    header, *body = rows
    if len(header) == 1:
        raise ModelError(
            f"expected commas, semicolons, tabs or bars between cells, found the one column {quoted(header[0])}"
        )
    commas = commas and any("," in cell for row in body for cell in row[1:])
    channel: dict[str, list[str]] = {}
    for label, *entries in body:
        if label in channel:
            raise ModelError(f'database "{label}" occurs twice', "channel")
        channel[label] = [with_point(cell) if commas else cell for cell in entries]
    return Channel.of(channel, header[1:], normalize)


def _rows(text: str, separator: str) -> list[list[str]]:
    lines = io.StringIO(text, newline="")
    return [row for row in csv.reader(lines, delimiter=separator, strict=True) if row]


def _from_npy(path: str, data: bytes, databases: str | Path | None, normalize: bool) -> Loaded[Channel]:
    import numpy as np

    if databases is None:
        raise ModelError("a .npy matrix has no labels: expected --databases FILE with one label per row")
    try:
        _expect_whole(data)
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except ModelError:
        raise
    except Exception:  # a damaged header makes NumPy raise whatever its parser meets
        raise ModelError(
            "expected a NumPy matrix of numbers, found another or a damaged file; write it again with numpy.save"
        ) from None
    if not isinstance(matrix, np.ndarray) or matrix.dtype.kind not in "fiu":
        raise ModelError(f"expected a matrix of numbers, found {getattr(matrix, 'dtype', type(matrix).__name__)}")
    with in_file(databases):
        listed = bytes_of(databases, MAX_BYTES)
        labels = _labels(databases, listed)
    sha256 = digest(data, listed)
    del data
    channel = Channel.from_array(matrix, labels, normalize=normalize)
    return Loaded(channel, path, sha256, {str(databases): listed})


def _expect_whole(data: bytes) -> None:
    """Raise `ModelError` for a `.npy` file with more or fewer numbers than its header states."""
    from numpy.lib import format as npy

    file = io.BytesIO(data)
    first = npy.read_magic(file) == (1, 0)
    read_header = npy.read_array_header_1_0 if first else npy.read_array_header_2_0
    shape, _, dtype = read_header(file)
    stated, found = prod(shape) * dtype.itemsize, len(data) - file.tell()
    if stated != found and not dtype.hasobject:
        raise ModelError(
            f"expected {stated} bytes of numbers, as the header states for {shown(list(shape))}, found {found}"
        )


def _labels(path: str | Path, data: bytes) -> list[str]:
    """Read database labels: a JSON list, or one label per line."""
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("["):
        labels = document_of(path, text.encode())
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ModelError("expected a list of labels")
        return labels
    return text.splitlines()
