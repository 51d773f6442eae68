"""Reading the files people name: each once while a command runs, and what a file names only inside
its own folder.

Within `reading_once` the bytes of every input are kept, so that a pipe can be an input, and every
use of a file sees the same content; `was_read` then tells which files must not be written over.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import did_you_mean, shown

_MOST_NAMES = 10_000  # of files that are looked at for a likely name
MAX_BYTES = 200_000_000  # of a document, unless its reader has a limit of its own
_UNOPENED = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass
class _Reading:
    kept: dict[str, bytes] = field(default_factory=dict)
    files: set[tuple[int, int]] = field(default_factory=set)  # device and inode


_READING: ContextVar[_Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading_once() -> Iterator[None]:
    """Read every input at most once while the body runs."""
    if _READING.get() is not None:
        yield
        return
    token = _READING.set(_Reading())
    try:
        yield
    finally:
        _READING.reset(token)


def was_read(path: str | Path) -> bool:
    """Whether a file, by any of its names, was read since `reading_once` began."""
    reading = _READING.get()
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return False
    return reading is not None and (there.st_dev, there.st_ino) in reading.files


def forget() -> None:
    """Drop the contents that `reading_once` has kept, so that one list after the other can be read.

    Which files were read stays known.
    """
    if (reading := _READING.get()) is not None:
        reading.kept.clear()


def contents() -> dict[str, str]:
    """Return the digest of every input that `reading_once` keeps, by the name of its file."""
    reading = _READING.get()
    return {} if reading is None else {name: digest(data) for name, data in reading.kept.items()}


def expect_contents(known: Mapping[str, str]) -> None:
    """Raise `ModelError` unless files have the contents of these digests."""
    for name, expected in known.items():
        try:
            hash_now = digest(bytes_of(name, MAX_BYTES))
        except ModelError as error:
            raise error.within(name) from None
        if hash_now != expected:
            raise ModelError("is another file than the one that was listed", name)


def bytes_of(path: str | Path, limit: int) -> bytes:
    """Return the content of an input. Raises `ModelError` unless it can be read, and has at
    most `limit` bytes.
    """
    reading, name = _READING.get(), os.path.join(os.getcwd(), path)
    if reading is not None and name in reading.kept:
        return reading.kept[name]
    try:
        with open(path, "rb") as file:
            return _kept(name, file, limit)
    except FileNotFoundError as error:
        raise ModelError(f"cannot be read: {error.strerror}{_alike(Path(path))}") from None
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:  # a null byte in the name
        raise ModelError(f"cannot be read: {error}") from None


def _alike(path: Path) -> str:
    """Ask about a file with a name like that of one that is missing, if there is one."""
    try:
        names = [each.name for each in islice(os.scandir(path.parent), _MOST_NAMES)]
    except OSError:
        return ""
    return did_you_mean(path.name, sorted({*names} - {path.name}))


def bytes_inside(folder: str | Path, name: str, limit: int) -> bytes:
    """Return the content of a file that another file names. It is opened only once it is known to
    be no device and no pipe.

    Raises `ModelError` unless `name` is relative to the folder and leads, links followed, to a
    regular file inside it that has at most `limit` bytes.

    While `reading_once`, `bytes_of` and readers that are given `Path(folder, name)` find what was
    read here.
    """
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or PurePosixPath(name).is_absolute() or not name.isprintable():
        raise ModelError(f"expected the name of a file inside the folder of this one, found {shown(name)}")
    try:
        root = Path(folder).resolve(strict=True)
        target = (root / name).resolve(strict=True)
        if not target.is_relative_to(root):
            raise ModelError("expected a file inside the folder of the one that names it, found a link out of it")
        reading = _READING.get()
        if reading is not None and str(target) in reading.kept:
            return _also(folder, name, reading.kept[str(target)])
        _expect_regular(os.lstat(target), limit)
        with os.fdopen(os.open(target, _UNOPENED), "rb") as file:
            _expect_regular(os.fstat(file.fileno()), limit)
            return _also(folder, name, _kept(str(target), file, limit))
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}") from None
    except RuntimeError:  # links in a circle
        raise ModelError("cannot be read: too many levels of symbolic links") from None


@contextmanager
def stored(paths: Sequence[str], limit: int) -> Iterator[list[str]]:
    """Give the body files for what can be read only once, such as pipes; other paths stay as they
    are.

    Of more than `limit` bytes as many are stored as show that there are more.
    """
    with tempfile.TemporaryDirectory(prefix="pufferproof-") as folder:
        batch = []
        for number, path in enumerate(paths):
            batch.append(_copy(path, os.path.join(folder, str(number)), limit) if _once_only(path) else path)
        yield batch


def expect_readable(path: str) -> None:
    """Raise `ModelError` unless a file can be opened."""
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", path) from None


def _copy(path: str, folder: str, limit: int) -> str:
    try:
        with open(path, "rb") as pipe:
            data = beginning(pipe, limit)
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", path) from None
    os.mkdir(folder)
    copy = os.path.join(folder, os.path.basename(path))
    Path(copy).write_bytes(data)
    return copy


def beginning(file: BinaryIO, limit: int) -> bytes:
    """Read at most `limit` bytes and some more, which show that there are more; in pieces, with
    room for what there is only.
    """
    data = bytearray()
    while len(data) <= limit and (piece := file.read(1 << 20)):
        data += piece
    return bytes(data)


def _once_only(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def digest(first: bytes, *others: bytes) -> str:
    """Return `sha256:<hex>` of a file, or of a file and those it names: then of the lines that hold
    the digest of each.

    The latter is what `sha256sum FILE NAMED | cut -c-64 | sha256sum` prints.
    """
    single = [hashlib.sha256(data).hexdigest() for data in (first, *others)]
    lines = "".join(f"{each}\n" for each in single)
    return f"sha256:{hashlib.sha256(lines.encode()).hexdigest() if others else single[0]}"


def _expect_regular(there: os.stat_result, limit: int) -> None:
    if not stat.S_ISREG(there.st_mode):
        raise ModelError("expected a regular file")
    if there.st_size > limit:
        raise ModelError(f"expected at most {limit} bytes, found {there.st_size}")


def _also(folder: str | Path, name: str, data: bytes) -> bytes:
    """Keep what was read under the name that the folder and the naming file give it."""
    if (reading := _READING.get()) is not None:
        reading.kept[os.path.join(os.getcwd(), folder, name)] = data
    return data


def _kept(name: str, file: BinaryIO, limit: int) -> bytes:
    """Read an open file; it may have grown since its size was asked for."""
    there = os.fstat(file.fileno())
    if stat.S_ISREG(there.st_mode) and there.st_size > limit:
        raise ModelError(f"expected at most {limit} bytes, found {there.st_size}")
    data = beginning(file, limit)
    if len(data) > limit:
        raise ModelError(f"expected at most {limit} bytes")
    reading = _READING.get()
    if reading is not None:
        reading.kept[name] = data
        reading.files.add((there.st_dev, there.st_ino))
    return data
