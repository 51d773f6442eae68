"""Time series in the `.ts` format of sktime and aeon: a line for every series, its dimensions
between colons, the class or target last.

A series is a group, `case_id`, from 0; its readings are rows with `reading_id`, `dim_0`, `dim_1`,
.., `class_val` if series have classes or targets, and `timestamp` if readings have times, which are
then the times of rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.sources.asked import Asked, RecordedRows, expect_rows
from pufferproof.models.files.recorded.sources.text import decoded

_ASIDE = ("case_id", "reading_id", "class_val", "timestamp")
_TIMES = re.compile(r"\([^()]*\)")  # in which colons are those of times
_COUNT = re.compile(r"[0-9]{1,9}")
_TIMED = re.compile(r"\(([^(),]*),([^(),]*)\),?")


@dataclass(frozen=True)
class _Head:
    """What the lines before `@data` say; how many dimensions and readings, None if they do not."""

    timed: bool
    labelled: bool
    dimensions: int | None = None
    readings: int | None = None


def series_rows(data: bytes, asked: Asked) -> RecordedRows:
    """Return the readings of all series."""
    text, _, notes = decoded(data)
    lines = text.splitlines()
    head, start = _head(lines)
    numbered = ((n, line) for n, line in enumerate(lines[start:], start + 1) if line.strip())
    below = [(f"line {n}", line) for n, line in numbered]
    if not below:
        raise ModelError("expected series below @data, found none")
    count = len(_parts(below[0][1], head)) - head.labelled
    if head.dimensions not in (None, count):
        raise ModelError(
            f"expected {head.dimensions} dimensions, as the header states, found {count}",
            below[0][0],
        )
    header = ["case_id", "reading_id", *(f"dim_{k}" for k in range(count))]
    header += [*["class_val"] * head.labelled, *["timestamp"] * head.timed]
    if asked.group is not None and asked.group != "case_id":
        raise ModelError(
            f'expected the group "case_id", which every series is, found "{asked.group}"'
        )
    time = asked.time or ("timestamp" if head.timed else None)
    asked = replace(asked, group="case_id", time=time).among(header, _ASIDE)
    told = f".ts of {len(below)} series, {count} dimension{'s' * (count > 1)}"
    cells = _readings(below, head, count)
    return RecordedRows(data, asked, header, cells, told, notes)


def _head(lines: Sequence[str]) -> tuple[_Head, int]:
    """Return what the header says, and where the series begin."""
    tags: dict[str, str] = {}
    for number, line in enumerate(lines):
        words = line.strip().split()
        if not words or words[0][0] in "#%":
            continue
        if words[0].lower() == "@data":
            labelled = any(tags.get(key) == "true" for key in ("@classlabel", "@targetlabel"))
            dimensions = tags.get("@dimensions", tags.get("@dimension", ""))
            if tags.get("@univariate") == "true":
                dimensions = dimensions or "1"
            equal = tags.get("@equallength") != "false"
            readings = tags.get("@serieslength", "") if equal else ""
            counts = [
                int(text) if _COUNT.fullmatch(text) else None for text in (dimensions, readings)
            ]
            return _Head(tags.get("@timestamps") == "true", labelled, *counts), number + 1
        if not words[0].startswith("@"):
            break
        tags[words[0].lower()] = words[1].lower() if len(words) > 1 else ""
    raise ModelError(
        'expected a .ts file: lines that begin with "@", and "@data" before the series'
    )


def _parts(line: str, head: _Head) -> list[str]:
    if head.timed:
        line = _TIMES.sub(lambda found: found[0].replace(":", "\0"), line)
    return [part.replace("\0", ":") for part in line.split(":")]


def _readings(
    below: Sequence[tuple[str, str]], head: _Head, count: int
) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield a row for every reading of every series."""
    total = 0
    for case, (row, line) in enumerate(below):
        parts = _parts(line, head)
        if len(parts) != count + head.labelled:
            raise ModelError(
                f"expected {count} dimensions{' and a class' * head.labelled}, found "
                f"{len(parts)} parts between colons",
                row,
            )
        values, times = [], []
        for part in parts[:count]:
            readings, stamps = _dimension(row, part, head)
            values.append(readings)
            times.append(stamps)
        if len({len(each) for each in values}) > 1 or any(each != times[0] for each in times):
            raise ModelError("expected dimensions with the same readings", row)
        if head.readings not in (None, len(values[0])):
            raise ModelError(
                f"expected {head.readings} readings, as the header states, found {len(values[0])}",
                row,
            )
        label = [parts[-1].strip()] * head.labelled
        total += len(values[0])
        expect_rows(total)
        for k, cells in enumerate(zip(*values)):
            stamp = times[0][k : k + 1]
            yield f"{row}, reading {k + 1}", [str(case), str(k), *cells, *label, *stamp]


def _dimension(row: str, text: str, head: _Head) -> tuple[list[object], list[str]]:
    """Return the readings of a dimension, and their times; "?" is missing."""
    if not head.timed:
        cells = [cell.strip() for cell in text.split(",")]
        return [None if cell == "?" else cell for cell in cells], []
    found = _TIMED.findall(text)
    if _TIMED.sub("", text).strip():
        raise ModelError("expected readings as (time,value),(time,value)", row)
    cells = [value.strip() for _, value in found]
    return [None if cell == "?" else cell for cell in cells], [time.strip() for time, _ in found]
