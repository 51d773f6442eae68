"""Mechanisms that are tables elsewhere: CSV (first column the database, one column per output),
`.npy` (exact binary values; a file of labels beside it), and, when the caller trusts it, a Python
callable `module:function`.
"""

import csv
import importlib
import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.reading import Loaded, document_of, in_file
from pufferproof.models.framework import Framework


def is_table(path: str) -> bool:
    """Whether a mechanism is no JSON or TOML: a file of numbers, or a callable."""
    return path.endswith((".npy", ".csv")) or is_callable(path)


def is_callable(path: str) -> bool:
    module, colon, function = path.partition(":")
    return (
        bool(colon)
        and function.isidentifier()
        and all(part.isidentifier() for part in module.split("."))
    )


def from_table(
    path: str, framework: Framework, normalize: bool, databases: str | Path | None, trust_code: bool
) -> Loaded[Channel]:
    """Read a mechanism that `is_table`. Raises `ModelError` unless rows are laws, a matrix has
    labels, and a callable is trusted.
    """
    if is_callable(path):
        return _from_callable(path, framework, normalize, trust_code)
    data = bytes_of(path, MAX_BYTES)
    if path.endswith(".npy"):
        return _from_npy(path, data, databases, normalize)
    return Loaded(_from_csv(data, normalize), path, digest(data))


def _from_csv(data: bytes, normalize: bool) -> Channel:
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


def callable_of(path: str, trust_code: bool) -> Loaded[Callable[..., object]]:
    """Import a function `module:function`, with the hash of the module's file. Raises `ModelError`
    unless code is trusted, and it is there.
    """
    if not trust_code:
        raise ModelError("a Python callable runs code: pass --trust-code to permit it")
    module_name, _, name = path.partition(":")
    function = _imported(module_name, name)
    source = getattr(sys.modules[module_name], "__file__", None)
    if source is None:
        raise ModelError("expected a module that is a file, found one that is built in")
    code = bytes_of(source, MAX_BYTES)
    return Loaded(function, path, digest(code), {_from_here(source): code})


def _from_callable(
    path: str, framework: Framework, normalize: bool, trust_code: bool
) -> Loaded[Channel]:
    function = callable_of(path, trust_code)
    rows: dict[str, Mapping[str, object]] = {}
    for index in sorted(framework.support):
        label = framework.databases[index]
        try:
            row = function.value(label)
        except (Exception, SystemExit) as error:
            raise ModelError(
                f"raised {type(error).__name__}: {error}", f'database "{label}"'
            ) from error
        if not isinstance(row, Mapping) or not all(isinstance(output, str) for output in row):
            raise ModelError(
                f"expected a dict of output -> probability, found {type(row).__name__} (a function "
                "that draws outputs is a sampler: the command estimate takes it)",
                f'database "{label}"',
            )
        rows[label] = row
    return function.holding(Channel.of(rows, None, normalize))


def _from_here(path: str) -> str:
    """Return a path relative to the working directory, if it is inside it."""
    return os.path.relpath(path) if Path(path).is_relative_to(os.getcwd()) else path


def _imported(module_name: str, name: str) -> Callable[..., object]:
    sys.path.insert(0, os.getcwd())
    try:
        function = getattr(importlib.import_module(module_name), name)
    except (Exception, SystemExit) as error:
        raise ModelError(f"cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(os.getcwd())
    if not callable(function):
        raise ModelError("expected a function of a database label")
    return function  # type: ignore[no-any-return]
