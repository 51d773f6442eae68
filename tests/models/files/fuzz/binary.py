"""Edits of files that are no text: NumPy matrices, tables of Parquet, stores of sweeps."""

import io
import sqlite3
import warnings
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tests.kernel.fuzz.edits import of_bytes

NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, 1e308, np.nan, np.inf, -np.inf, 2.0**-40)
KINDS = ("f2", "f4", ">f8", "g", "i1", ">i4", "u8", "?", "c16", "U3", "S3", "O", "M8[D]", "f8,i4")
SHAPES: list[Callable[[Any], Any]] = [
    np.transpose,
    np.ravel,
    np.asfortranarray,
    lambda found: found[None],
    lambda found: found[:0],
    lambda found: found[:, :0],
    lambda found: found[0, 0],
    lambda found: np.tile(found, (50, 3)),
    lambda found: found[:, ::-1],
]
HEADERS = (
    "(1000000000000, 2)", "(-1, 2)", "(4,)", "()", "('4', 2)", "(4, 2", "(True, 2)", "(4, 2.0)",
    "(4, " * 900, "(" + "9" * 5000 + ", 2)", "None", "(2**31, 2**33)", "(0, 9223372036854775807)",
)  # fmt: skip
CELLS: list[Any] = ["", " ", "a\nb", "\u2028", "x" * 50_000, "1/2", "\x00", "-0", "nan", "1", None]
COLUMNS: list[Callable[[int], Any]] = [
    lambda n: pa.array(range(n)),
    lambda n: pa.array([0.5, float("nan"), float("inf"), 1e300] * n)[:n],
    lambda n: pa.nulls(n),
    lambda n: pa.array([[1]] * n),
    lambda n: pa.array([{"x": 1}] * n),
    lambda n: pa.array([b"\xff"] * n),
    lambda n: pa.array([b"\xff"] * n).view(pa.string()),
    lambda n: pa.array([True] * n),
    lambda n: pa.array([2**62] * n, pa.timestamp("s")),
    lambda n: pa.array([2**62] * n, pa.duration("ns")),
    lambda n: pa.array([2**30] * n, pa.date32()),
    lambda n: pa.array([1] * n, pa.decimal128(38, 37)),
    lambda n: pa.array(["a"] * n).dictionary_encode(),
    lambda n: pa.array([1.5] * n, pa.float16()),
]
STATEMENTS = (
    "DELETE FROM answers", "DROP TABLE answers", "DROP TABLE failures", "PRAGMA user_version = 1",
    "PRAGMA application_id = 7", "PRAGMA journal_mode = DELETE",
    "UPDATE answers SET answer = '17'", "UPDATE answers SET answer = x'ff00'",
    "UPDATE answers SET answer = 4, digest = 4", "UPDATE answers SET digest = zeroblob(1000)",
    "UPDATE answers SET answer = NULL", "UPDATE answers SET name = name || 'x'",
    "ALTER TABLE answers RENAME COLUMN digest TO other", "ALTER TABLE answers ADD COLUMN x",
    "ALTER TABLE answers DROP COLUMN digest", "UPDATE answers SET seal = x'ff00'",
    "ALTER TABLE answers DROP COLUMN seal", "ALTER TABLE failures RENAME TO others",
    "DROP TABLE answers; CREATE VIEW answers AS SELECT 1 AS name, '17' AS answer, '' AS digest, "
    "'' AS seal",
    "DROP TABLE failures; CREATE TABLE failures (name INTEGER PRIMARY KEY)",
    "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
    "CREATE TRIGGER t BEFORE INSERT ON answers BEGIN SELECT RAISE(FAIL, 'a' || char(10)); END",
    "CREATE TRIGGER t AFTER INSERT ON answers BEGIN UPDATE answers SET answer = '17'; END",
    "CREATE TABLE answers2 AS SELECT * FROM answers; DROP TABLE answers; "
    "ALTER TABLE answers2 RENAME TO answers; INSERT INTO answers SELECT * FROM answers",
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 3",
    "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = 'CREATE TABLE answers ('",
    "INSERT INTO failures VALUES (1, x'ff', 2, NULL, x'00')",
)  # fmt: skip


def of_npy(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """A matrix with an odd number, of another kind or shape, or one whose header says so."""
    match draw.randrange(5):
        case 0:
            return of_bytes(data, draw)
        case 1:
            return data.replace(b"(4, 2)", draw.choice(HEADERS).encode())
        case 2:
            return zipped(data, draw)
    matrix = np.load(io.BytesIO(data))
    for _ in range(draw.choice((1, 1, 2))):
        with suppress(TypeError, ValueError, IndexError, OverflowError, RuntimeError):
            matrix = recast(matrix, draw)
    into = io.BytesIO()
    np.save(into, matrix, allow_pickle=True)
    return into.getvalue()


def recast(matrix: Any, draw: Random) -> Any:
    match draw.randrange(3):
        case 0:
            new = np.array(matrix)
            new.flat[draw.randrange(new.size)] = draw.choice(NUMBERS)
            return new
        case 1:
            with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
                return matrix.astype(draw.choice(KINDS))
    return draw.choice(SHAPES)(matrix)


def zipped(data: bytes, draw: Random) -> bytes:
    """An archive of matrices under the name of one, or what looks like it."""
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        archive.writestr(draw.choice(("x.npy", "x", "../x.npy")), data)
    return into.getvalue()[: draw.choice((None, 60))]


def of_parquet(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """A table with an odd cell, or with a column of another kind, twice, renamed or gone."""
    if draw.random() < 0.4:
        return of_bytes(data, draw)
    table = pq.read_table(io.BytesIO(data))
    for _ in range(draw.choice((1, 1, 2))):
        with suppress(pa.ArrowException, ValueError, TypeError, OverflowError, IndexError):
            table = retabled(table, draw)
    into = io.BytesIO()
    try:
        pq.write_table(table, into, compression=draw.choice(("snappy", "none", "gzip", "zstd")))
    except (pa.ArrowException, ValueError):
        return data
    return into.getvalue()


def retabled(table: Any, draw: Random) -> Any:
    place = draw.randrange(table.num_columns)
    name = table.column_names[place]
    match draw.randrange(6):
        case 0:
            cells = table.column(place).to_pylist()
            cells[draw.randrange(len(cells))] = draw.choice(CELLS)
            return table.set_column(place, name, pa.array([cells])[0].values)
        case 1:
            return table.remove_column(place)
        case 2:
            return table.append_column(name, table.column(place))
        case 3:
            names = [*table.column_names]
            names[place] = draw.choice(("", "state ", "x.state", "a\nb", "\ud800", "x" * 9999))
            return table.rename_columns(names)
        case 4:
            return table.slice(0, draw.choice((0, 1)))
    return table.set_column(place, name, draw.choice(COLUMNS)(table.num_rows))


def of_db(data: bytes, others: Sequence[bytes], draw: Random) -> bytes:
    """A store with other tables and rows, or with damaged pages."""
    if draw.random() < 0.5:
        for _ in range(draw.choice((1, 3, 30))):
            data = of_page(data, draw)
        return data
    with sqlite3.connect(":memory:") as file:
        file.deserialize(data[:18] + b"\x01\x01" + data[20:])  # which has no log beside it
        for _ in range(draw.choice((1, 1, 2))):
            with suppress(sqlite3.Error):
                file.executescript(draw.choice(STATEMENTS))
        with suppress(sqlite3.Error):
            file.commit()
        return file.serialize()


def of_page(data: bytes, draw: Random) -> bytes:
    """A file with some bytes changed or cut off, mostly those that say what stands where."""
    page = 4096 * draw.randrange(max(1, len(data) // 4096))
    place = page + draw.choice((draw.randrange(120), draw.randrange(4096)))
    match draw.randrange(6):
        case 0:
            return data[:place]
        case 1:
            return data[:page] + data[page + 4096 :]
        case 2:
            return of_bytes(data, draw) if data else data
    new = bytes(draw.choice((0, 1, 255, draw.randrange(256))) for _ in range(draw.choice((1, 4))))
    return data[:place] + new + data[place + len(new) :]
