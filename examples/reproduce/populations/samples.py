"""What one participant did, a label per window of five minutes: a compressed CSV file of a hundred
samples a second, skimmed.

A file has some nine million lines. Lines are told apart by their minute; once a minute has a label
its other lines say nothing, and a block that has only such lines, or only lines without annotation,
is left after its lines are counted. So most of the time goes into decompression.
"""

import csv
import gzip
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import reading_csv
from pufferproof.models.numbers.text import shown

MINUTES = 5
_BLOCK = 1 << 16
_LONGEST = 1 << 20  # of a line
_MARK = b"\xef\xbb\xbf"  # what some programs write before UTF-8
_COLUMNS = ("time", "annotation")


def window_labels(path: Path, merged: Mapping[str, str]) -> list[str]:
    """Return the label of the first annotated sample of every window; windows without any are left
    out.

    Args:
        path: CSV, compressed by gzip, with a column `time` first and a column `annotation`.
        merged: the label of every annotation; what is not there counts as not annotated.

    Raises `ModelError` naming file, column or line where something is different, the archive ends
    in the middle, or none of its annotations has a label.
    """
    return list(_Skimmed(path, header_of(path), merged).labels())


class Header(NamedTuple):
    """Which column has annotations, and how many there are."""

    annotation: int
    columns: int


def header_of(path: Path) -> Header:
    """Read the first line. Raises `ModelError` as `window_labels`."""
    with _Opened(path) as file:
        line = _text(file.readline(_LONGEST).removeprefix(_MARK))
    header = _cells(line, path)
    expect_columns(header, _COLUMNS, path)
    if header[0] != _COLUMNS[0]:
        raise ModelError(f'expected "time" first, found {shown(header[0])}', str(path))
    return Header(header.index("annotation"), len(header))


def expect_columns(header: list[str], columns: tuple[str, ...], path: Path) -> None:
    """Raise `ModelError` naming the columns that a header has not."""
    missing = [column for column in columns if column not in header]
    if missing:
        names = ", ".join(f'"{column}"' for column in missing)
        found = ", ".join(header[:10]) or "none"
        raise ModelError(f"expected a column {names}, found {found}", str(path))


class _Opened:
    """A compressed file whose errors name it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> gzip.GzipFile:
        try:
            self.file = gzip.open(self.path, "rb")
        except OSError as error:
            raise self._error(error) from None
        return self.file

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self.file.close()
        if isinstance(error, OSError | EOFError | zlib.error):
            raise self._error(error) from None

    def _error(self, error: Exception) -> ModelError:
        if isinstance(error, EOFError):
            said = "the archive ends in the middle: expected a whole file, found part of one"
        else:
            said = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        return ModelError(said, str(self.path))


@dataclass
class _Skimmed:
    """One file, and where its reading stands: `done` is how the lines begin of a minute that has a
    label, `known` has the labels of what ends a line, `unknown` an annotation that has none.
    """

    path: Path
    header: Header
    merged: Mapping[str, str]
    done: bytes = b""
    window: str = ""
    known: dict[bytes, str] = field(default_factory=dict)
    unknown: str = ""

    def labels(self) -> Iterator[str]:
        """Yield a label per window."""
        for block in self.blocks():
            if self.tells_nothing(block):
                continue
            for line in block.splitlines():
                if not (self.done and line.startswith(self.done)):
                    yield from self.first_of_a_window(line)
        if not self.window:
            raise ModelError(
                f'expected annotations of the dictionary in column "{_COLUMNS[1]}", found '
                + (shown(self.unknown) if self.unknown else "none"),
                str(self.path),
            )

    def blocks(self) -> Iterator[bytes]:
        """Yield many whole lines at a time, without the header."""
        with _Opened(self.path) as file:
            file.readline(_LONGEST)
            begun = b""
            while read := file.read(_BLOCK):
                lines, end, begun = (begun + read).rpartition(b"\n")
                if end:
                    yield lines + end
                if len(begun) > _LONGEST:
                    raise ModelError("expected lines, found one of a million bytes", str(self.path))
            yield begun

    def tells_nothing(self, block: bytes) -> bool:
        """Whether all lines are of a minute that is done, or none is annotated."""
        lines = block.count(b"\n")
        if self.done and block.startswith(self.done):
            return block.count(b"\n" + self.done) == lines - 1
        bare = self.header.annotation == self.header.columns - 1
        return bare and block.count(b",\n") + block.count(b",\r\n") == lines > 0

    def first_of_a_window(self, line: bytes) -> Iterator[str]:
        """Yield the label of a line, if it has one and is the first of its window."""
        label = self.label(line)
        if not label:
            return
        self.done = line[: 17 if line.startswith(b'"') else 16]
        minute = _text(self.done.removeprefix(b'"'))
        before, self.window = self.window, f"{minute[:14]}{_window(minute, self.path)}"
        if self.window != before:
            yield label

    def label(self, line: bytes) -> str:
        """Return the label of a line, "" where it has none."""
        place = self.header.annotation
        cells = line.split(b",", place)
        if len(cells) <= place:
            return ""
        if b'"' in b"".join(cells[:place]):  # a comma may stand between quotes
            return self.merge(line)
        if cells[place] not in self.known:
            self.known[cells[place]] = self.merge(line)
        return self.known[cells[place]]

    def merge(self, line: bytes) -> str:
        """Read a line as CSV, and return the label of its annotation."""
        row = _cells(_text(line), self.path)
        annotation = row[self.header.annotation] if len(row) > self.header.annotation else ""
        if annotation and annotation not in self.merged:
            self.unknown = self.unknown or annotation
        return self.merged.get(annotation, "")


def _cells(line: str, path: Path) -> list[str]:
    with reading_csv(path):
        return next(csv.reader([line]), [])


def _text(line: bytes) -> str:
    return line.decode(errors="replace")


def _window(minute: str, path: Path) -> int:
    if not minute[14:16].isdigit():
        raise ModelError(
            f'expected a time like "2016-11-13 02:18:00" in column "time", found {shown(minute)}', str(path)
        )
    return int(minute[14:16]) // MINUTES
