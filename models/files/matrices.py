"""Mechanisms that are tables elsewhere: CSV (first column the database, one column per output),
`.npy` (exact binary values; a file of labels beside it), and, when the caller trusts it, Python:
`module:function`, which `programs` reads.
"""

import csv
import io
from pathlib import Path

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.programs.calling import Calls
from pufferproof.models.files.programs.importing import is_callable, read_code, rows_of
from pufferproof.models.files.programs.objects import read_object
from pufferproof.models.files.programs.program import Program
from pufferproof.models.files.reading import Loaded, document_of, in_file
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import quoted


def is_table(path: str) -> bool:
    """Whether a mechanism is no JSON or TOML: a file of numbers, or a callable."""
    return path.endswith((".npy", ".csv")) or is_callable(path)


def from_table(
    path: str,
    framework: Framework,
    normalize: bool,
    databases: str | Path | None,
    calls: Calls,
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
        rows = [
            row
            for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
            if row
        ]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"expected CSV in UTF-8: {error}") from None
    if len(rows) < 2:
        raise ModelError(f"expected a header and a row per database, found {len(rows)} lines")
    header, *body = rows
    if len(header) == 1:
        raise ModelError(f"expected commas between cells, found the one column {quoted(header[0])}")
    channel: dict[str, list[str]] = {}
    for label, *entries in body:
        if label in channel:
            raise ModelError(f'database "{label}" occurs twice', "channel")
        channel[label] = entries
    return Channel.of(channel, header[1:], normalize)


def _from_npy(
    path: str, data: bytes, databases: str | Path | None, normalize: bool
) -> Loaded[Channel]:
    import numpy as np

    if databases is None:
        raise ModelError(
            "a .npy matrix has no labels: expected --databases FILE with one label per row"
        )
    try:
        matrix = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:  # a damaged header makes NumPy raise whatever its parser meets
        raise ModelError(
            "expected a NumPy matrix of numbers, found another or a damaged file; "
            "write it again with numpy.save"
        ) from None
    if not isinstance(matrix, np.ndarray) or matrix.dtype.kind not in "fiu":
        raise ModelError(
            f"expected a matrix of numbers, found {getattr(matrix, 'dtype', type(matrix).__name__)}"
        )
    with in_file(databases):
        listed = bytes_of(databases, MAX_BYTES)
        labels = _labels(databases, listed)
    sha256 = digest(data, listed)
    del data
    channel = Channel.from_array(matrix, labels, normalize=normalize)
    return Loaded(channel, path, sha256, {str(databases): listed})


def _labels(path: str | Path, data: bytes) -> list[str]:
    """Read database labels: a JSON list, or one label per line."""
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("["):
        labels = document_of(path, text.encode())
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            raise ModelError("expected a list of labels")
        return labels
    return text.splitlines()
