"""Where the people of the experiment come from: files that somebody has, else drawn ones, and days
of weather that come with the examples.
"""

from pathlib import Path

import pufferproof
from pufferproof.examples.reproduce.populations.activities import DICTIONARY, METADATA, read_activities
from pufferproof.examples.reproduce.populations.check_in_files import CHECK_INS, CITIES, VENUES
from pufferproof.examples.reproduce.populations.check_ins import read_check_ins, read_cities
from pufferproof.examples.reproduce.populations.days import read_days
from pufferproof.examples.reproduce.populations.drawn import drawn_activities, drawn_check_ins
from pufferproof.examples.reproduce.populations.people import Population
from pufferproof.models.errors import ModelError
from pufferproof.reports.console.streams import working

_WEATHER = "examples/correlated/seattle-weather/weather.csv"


def populations(folder: str | None, seed: int) -> list[Population]:
    """Return check-ins, activities and weather; the first two from `folder` where their files are
    in it. Check-ins of the world go before those of cities.

    Raises `ModelError` if the folder has files of neither, or they are different.
    """
    there = {each for each in _READERS if folder is not None and _has(folder, each)}
    if folder is not None and not there:
        raise ModelError(
            f"expected {CHECK_INS} and {VENUES}, or {CITIES}, or {METADATA}, {DICTIONARY} and a "
            f"file such as P001.csv.gz for each participant, found {_shown(folder)}",
            folder,
        )
    return [
        _read(folder, there, (_WORLD, _CITIES)) or drawn_check_ins(seed),
        _read(folder, there, (_DAYS,)) or drawn_activities(seed),
        read_days(Path(pufferproof.__path__[-1]) / _WEATHER, "weather"),
    ]


_WORLD, _CITIES = (CHECK_INS, VENUES), (CITIES,)
_DAYS = (METADATA, DICTIONARY, "P*.csv.gz")
_READERS = {_WORLD: read_check_ins, _CITIES: read_cities, _DAYS: read_activities}
_Files = tuple[str, ...]


def _has(folder: str, names: _Files) -> bool:
    """Say whether one of the files is there: then the others must be."""
    return any(True for name in names for _ in Path(folder).glob(name))


def _read(folder: str | None, there: set[_Files], ways: tuple[_Files, ...]) -> Population | None:
    way = next((each for each in ways if each in there), None)
    if folder is None or way is None:
        return None
    with working(f"reading {way[0]} in {folder}"):
        return _READERS[way](folder)


def _shown(folder: str) -> str:
    try:
        names = sorted(path.name for path in Path(folder).iterdir())
    except OSError as error:
        return f"nothing ({error.strerror})"
    more = " .." if len(names) > 5 else ""
    return ", ".join(names[:5] or ["nothing"]) + more
