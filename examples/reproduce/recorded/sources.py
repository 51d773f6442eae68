"""Recordings of electricity, motion and weather, as classes of numbers or labels in order.

Song, Wang and Chaudhuri (Pufferfish privacy mechanisms for correlated data, SIGMOD 2017) record the
electricity of one house, and the activity of three kinds of people, and do not publish either. Here
the electricity of Italy (ItalyPowerDemand: 1,096 days of 24 hours) and the motion of students with
a watch (BasicMotions: 80 recordings of 100 readings, ten in a second, of four kinds) take their
places: both are in the packages sktime and aeon, whose licence is BSD; neither says on which terms
its data may be copied, so that no excerpt is here. The weather comes with the examples.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pufferproof
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import in_file
from pufferproof.models.files.recorded.sources.gathering import Asked
from pufferproof.models.files.recorded.sources.opening import rows_of
from pufferproof.models.numbers.grammar import exact

_SEATTLE = "examples/correlated/seattle-weather"
PACKAGES = ("aeon", "sktime")
_PARTS = ("TRAIN", "TEST")
_AXES = ("dim_0", "dim_1", "dim_2")  # of the accelerometer; the others are of the gyroscope


@dataclass(frozen=True)
class Recording:
    """Sequences of readings of a `kind`, from a source."""

    kind: str
    source: str
    sequences: tuple[tuple[Fraction, ...], ...]


def electricity(folder: str | None) -> list[Recording]:
    """Return the hours of all days. Raises `ModelError` unless the files are there."""
    days = [numbers[0] for numbers, _ in _series("ItalyPowerDemand", folder, ("dim_0",))]
    return [Recording("hours", "ItalyPowerDemand", tuple(days))]


def motion(folder: str | None) -> list[Recording]:
    """Return the squared length of the acceleration, by kind of motion."""
    kinds: dict[str, list[tuple[Fraction, ...]]] = {}
    for axes, kind in _series("BasicMotions", folder, _AXES):
        squares = tuple(sum((a * a for a in each), Fraction(0)) for each in zip(*axes))
        kinds.setdefault(kind, []).append(squares)
    return [Recording(kind, "BasicMotions", tuple(each)) for kind, each in sorted(kinds.items())]


def weather(file: str, column: str) -> list[str]:
    """Return a column of days in Seattle that comes with the examples."""
    path = Path(pufferproof.__path__[-1]) / _SEATTLE / file
    with in_file(path):
        return [str(value) for _, value, _ in rows_of(path, Asked.of(column))]


def limits_of(recordings: Sequence[Recording], classes: int) -> list[Fraction]:
    """Return the limits between classes of about equal size; a number equal to one is above it."""
    every = sorted(x for each in recordings for row in each.sequences for x in row)
    return [every[len(every) * k // classes] for k in range(1, classes)]


def labels_of(recording: Recording, limits: Sequence[Fraction]) -> list[list[str]]:
    """Return the class of every reading, from 1."""
    return [[f"{bisect_right(limits, x) + 1:02}" for x in row] for row in recording.sequences]


def _series(name: str, folder: str | None, columns: Sequence[str]) -> Iterator[tuple[list[tuple[Fraction, ...]], str]]:
    """Yield the columns of every series of both files, and its class."""
    for path in _found(name, folder):
        with in_file(path):
            rows = rows_of(path, Asked.of(columns[0]))
            places = [_place(rows.header, each) for each in ("case_id", "class_val", *columns)]
            series: dict[tuple[object, object], list[list[Fraction]]] = {}
            for row, cells in rows.cells:
                case, kind, *values = (cells[place] for place in places)
                series.setdefault((case, kind), []).append([_number(row, x) for x in values])
        for (_, kind), readings in series.items():
            yield list(zip(*readings)), str(kind)


def _place(header: Sequence[str], column: str) -> int:
    if column not in header:
        raise ModelError(f'expected a column "{column}", found {", ".join(header)}')
    return header.index(column)


def _number(row: str, cell: object) -> Fraction:
    try:
        return exact(str(cell))
    except ModelError as error:
        raise ModelError(error.what, row) from None


def _found(name: str, folder: str | None) -> list[Path]:
    """Return both files, from the folder that is named, else from a package that is installed.

    Raises `ModelError` with what to do if they are not there. Nothing is downloaded.
    """
    files = [f"{name}_{part}.ts" for part in _PARTS]
    places = [Path(folder), Path(folder) / name] if folder is not None else _installed(name)
    for place in places:
        if all((place / each).is_file() for each in files):
            return [place / each for each in files]
    wanted = " and ".join(files)
    if folder is not None:
        raise ModelError(f"expected {wanted}, found neither there nor in {name}", "--data")
    raise ModelError(
        f'expected the files {wanted}: "pip install pufferproof[recorded]" (or aeon, or sktime) '
        "brings them, or --data DIR names their folder",
        "--data",
    )


def _installed(name: str) -> list[Path]:
    """Return the folders of packages that have data, without importing these."""
    specs = [find_spec(each) for each in PACKAGES]
    places = [place for each in specs if each for place in each.submodule_search_locations or ()]
    return [Path(place) / "datasets" / "data" / name for place in places]
