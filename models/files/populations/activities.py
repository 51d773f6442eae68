"""Activities of participants of a day: the files of the Capture-24 data set, read where somebody
has them.

Layout, CSV with headers:

    metadata.csv                        pid, age            one of four age groups
    annotation-label-dictionary.csv     annotation, label:WillettsMET2018
    P001.csv.gz, P002.csv.gz, ..        time, annotation    2016-11-13 02:18:00.0, many a second

Other columns are not used. A record is the label of the first annotated sample of five minutes; the
first 8 participants of every age group, by their names, are asked about. The paper says neither.

Source: bai2026, sections 7.1.1 and 7.1.4, appendix D.1; Chan et al., "CAPTURE-24", 2024.
"""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.populations.drawn import HELD_OUT
from pufferproof.models.files.populations.people import Population, Recorded, gathered
from pufferproof.models.numbers.text import shown

METADATA, DICTIONARY = "metadata.csv", "annotation-label-dictionary.csv"
_LABEL = "label:WillettsMET2018"
_MINUTES = 5


def read_activities(folder: str | Path) -> Population:
    """Read all participants of a folder.

    Raises `ModelError` naming file and column where something is absent or different.
    """
    home = Path(folder)
    ages = {row["pid"]: row["age"] for row in _table(home / METADATA, ("pid", "age"))}
    merged = {
        row["annotation"]: row[_LABEL] for row in _table(home / DICTIONARY, ("annotation", _LABEL))
    }
    labels = sorted({label for label in merged.values() if label})
    if not ages:
        raise ModelError("expected participants, found none", str(home / METADATA))
    fit: list[Recorded] = []
    asked: list[Recorded] = []
    seen = dict.fromkeys(ages.values(), 0)
    for pid in sorted(ages):
        values = [labels.index(label) for label in _windows(home / f"{pid}.csv.gz", merged)]
        seen[ages[pid]] += 1
        held = seen[ages[pid]] <= HELD_OUT
        name = f"{ages[pid]}: {pid}" if held else ages[pid]
        (asked if held else fit).append(Recorded(name, values))
    return gathered(
        "capture24",
        "files",
        labels,
        fit,
        asked,
        (
            f"read: {len(ages)} participants, the label of the first annotated sample of every "
            f"{_MINUTES} minutes",
            f"the first {HELD_OUT} participants of each age group are asked about, a query for "
            "each, as the caption of the printed table says",
        ),
    )


def _windows(path: Path, merged: dict[str, str]) -> Iterator[str]:
    """Yield a label per window, windows without any left out.

    Lines are told apart by their minute only, and read as CSV once a minute, as there are many.
    """
    place, window, done = _place(path), "", ""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        next(file)
        for line in file:
            minute = line[:16]
            if minute == done:
                continue
            row = next(csv.reader([line]))
            label = merged.get(row[place], "") if len(row) > place else ""
            if label:
                done = minute
                if window != (window := f"{minute[:14]}{_window(minute, path)}"):
                    yield label


def _place(path: Path) -> int:
    """Return which column has annotations."""
    try:
        with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
            header = next(csv.reader([file.readline()]), [])
    except (OSError, EOFError) as error:
        raise ModelError(f"cannot be read: {error}", str(path)) from None
    _expect(header, ("time", "annotation"), path)
    if header[0] != "time":
        raise ModelError(f'expected "time" first, found {shown(header[0])}', str(path))
    return header.index("annotation")


def _window(minute: str, path: Path) -> int:
    if not minute[14:16].isdigit():
        raise ModelError(
            f'expected a time like "2016-11-13 02:18:00" in column "time", found {shown(minute)}',
            str(path),
        )
    return int(minute[14:16]) // _MINUTES


def _table(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    try:
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            _expect(list(reader.fieldnames or ()), columns, path)
            for row in reader:
                yield {column: row[column] or "" for column in columns}
    except OSError as error:
        raise ModelError(
            f"cannot be read ({error.strerror}): expected a CSV file with {', '.join(columns)}",
            str(path),
        ) from None


def _expect(header: list[str], columns: tuple[str, ...], path: Path) -> None:
    missing = [column for column in columns if column not in header]
    if missing:
        names = ", ".join(f'"{column}"' for column in missing)
        found = ", ".join(header[:10]) or "none"
        raise ModelError(f"expected a column {names}, found {found}", str(path))
