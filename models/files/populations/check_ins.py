"""Check-ins of people in countries: the files of the global-scale Foursquare data set, read where
somebody has them.

Layout, tab-separated and without headers, as published with "TIST2015":

    dataset_TIST2015_Checkins.txt   user, venue, UTC time (Tue Apr 03 18:00:06 +0000 2012), offset
    dataset_TIST2015_POIs.txt       venue, latitude, longitude, category, country

Categories are merged to 77 labels and "other" (`places.json`, from bai2026, appendix D.4). A query
is a country, a record a check-in of a person there; days are counted from the first check-in, by
UTC. The paper does not say whether a check-in with the same label again is a step: here it is.

Source: bai2026, sections 7.1.1 and 7.1.4; Yang, Zhang and Qu, "Participatory cultural mapping based
on collective behavior data in location-based social networks", 2016.
"""

import json
from array import array
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.populations.drawn import ASKED_DAYS, FIT_DAYS
from pufferproof.models.files.populations.people import Population, Recorded, gathered
from pufferproof.models.numbers.text import shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHECK_INS, VENUES = "dataset_TIST2015_Checkins.txt", "dataset_TIST2015_POIs.txt"
_CHECK_IN = ("user", "venue", "UTC time", "offset")
_VENUE = ("venue", "latitude", "longitude", "category", "country")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_OTHER = "other"


def place_labels() -> dict[str, tuple[str, ...]]:
    """Return the 78 labels, "other" among them, each with the categories that are merged into it.

    >>> place_labels()["Coffee Shop"]
    ('Coffee Shop', 'Tea Room')
    """
    text = (files("pufferproof.models.files.populations") / "places.json").read_text(
        encoding="utf-8"
    )
    return {label: tuple(merged) for label, merged in json.loads(text).items()}


def read_check_ins(folder: str | Path) -> Population:
    """Read both files of a folder: 400 days to fit the chain to, 100 to ask about.

    Raises `ModelError` naming file, line and column where something is absent or different.
    """
    labels = list(place_labels())
    number = {
        category: labels.index(label)
        for label, merged in place_labels().items()
        for category in merged
    }
    venues: dict[str, tuple[int, str]] = {}
    for _, row in _rows(Path(folder) / VENUES, _VENUE):
        venues[row[0]] = number.get(row[3], labels.index(_OTHER)), row[4]
    people = _people(Path(folder) / CHECK_INS, venues)
    return gathered(
        "foursquare",
        "files",
        labels,
        (Recorded(person.group, person.fit) for person in people if len(person.fit)),
        (Recorded(person.group, person.asked) for person in people if len(person.asked)),
        (
            f"read: {CHECK_INS}, days 1 to {FIT_DAYS} to fit the chain to, {ASKED_DAYS} more to "
            "ask about",
            "check-ins that follow each other are a step, with the same label too",
        ),
    )


class _Person:
    """The check-ins of one person in one country, in order of time."""

    def __init__(self, group: str, labels: "NDArray[np.int64]", days: "NDArray[np.int64]") -> None:
        self.group = group
        self.fit = labels[days < FIT_DAYS]
        self.asked = labels[(days >= FIT_DAYS) & (days < FIT_DAYS + ASKED_DAYS)]


def _people(path: Path, venues: dict[str, tuple[int, str]]) -> list[_Person]:
    import numpy as np

    users, seconds, labels, lands = array("q"), array("q"), array("q"), array("q")
    countries: dict[str, int] = {}
    for line, (user, venue, time, _) in _rows(path, _CHECK_IN):
        if venue not in venues:
            where = f"{path}: line {line}"
            raise ModelError(f"expected a venue of {VENUES}, found {shown(venue)}", where)
        label, country = venues[venue]
        users.append(_whole(user, path, line))
        seconds.append(_seconds(time, path, line))
        labels.append(label)
        lands.append(countries.setdefault(country, len(countries)))
    if not users:
        raise ModelError("expected check-ins, found none", str(path))
    columns = [np.frombuffer(each, dtype=np.int64) for each in (users, seconds, labels, lands)]
    order = np.lexsort((columns[1], columns[0], columns[3]))
    whose, when, place, what = (columns[index][order] for index in (0, 1, 3, 2))
    cuts = np.flatnonzero((np.diff(whose) != 0) | (np.diff(place) != 0)) + 1
    days, names = (when - when.min()) // 86_400, list(countries)
    spans = zip(np.concatenate([[0], cuts]), np.concatenate([cuts, [len(whose)]]))
    return [_Person(names[int(place[a])], what[a:b], days[a:b]) for a, b in spans]


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                cells = line.rstrip("\r\n").split("\t")
                if len(cells) != len(columns):
                    raise ModelError(_missing(columns, len(cells)), f"{path}: line {number}")
                yield number, cells
    except OSError as error:
        raise ModelError(
            f"cannot be read ({error.strerror}): expected tab-separated {', '.join(columns)}",
            str(path),
        ) from None


def _missing(columns: tuple[str, ...], found: int) -> str:
    text = f"expected {len(columns)} columns separated by tabs ({', '.join(columns)})"
    absent = ", ".join(f'"{name}"' for name in columns[found:])
    return f"{text}, found {found}" + (f": {absent} missing" if absent else "")


def _whole(text: str, path: Path, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ModelError(
            f'expected a number in column "user", found {shown(text)}', f"{path}: line {line}"
        )
    return int(text)


def _seconds(text: str, path: Path, line: int) -> int:
    """Read a time such as Tue Apr 03 18:00:06 +0000 2012."""
    try:
        _, month, day, clock, zone, year = text.split()
        hours, minutes, seconds = map(int, clock.split(":"))
        days = date(int(year), _MONTHS.index(month) + 1, int(day)).toordinal()
        if zone != "+0000":
            raise ValueError
    except ValueError:
        raise ModelError(
            'expected a time like "Tue Apr 03 18:00:06 +0000 2012" in column "UTC time", found '
            f"{shown(text)}",
            f"{path}: line {line}",
        ) from None
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
