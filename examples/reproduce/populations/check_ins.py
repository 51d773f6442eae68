"""Check-ins of people in countries: the files of the global-scale Foursquare data set, read where
somebody has them.

A query is a country, a record a check-in of a person there. Categories are merged to 77 labels and
"other" (bai2026, appendix D.4). Check-ins of New York and Tokyo, which the
paper does not use, are read as well: a query is a city. Layouts stand in `check_in_files`.

Source: bai2026, sections 7.1.1 and 7.1.4; Yang, Zhang and Qu, "Participatory cultural mapping based
on collective behavior data in location-based social networks", 2016; Yang, Zhang, Zheng and Yu,
"Modeling user activity preference by leveraging user spatial temporal characteristics in LBSNs",
2015.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pufferproof.claims.papers.bai2026.experiments.setting.sizes import ASKED_DAYS, FIT_DAYS, place_labels
from pufferproof.examples.reproduce.populations.check_in_files import (
    CHECK_INS,
    CITIES,
    CheckIns,
    check_ins_of_cities,
    check_ins_of_countries,
)
from pufferproof.examples.reproduce.populations.people import Population, Recorded, gathered
from pufferproof.models.errors import ModelError

_OTHER = "other"
_SECONDS = 86_400  # of a day


def read_check_ins(folder: str | Path) -> Population:
    """Read the check-ins of 77 countries: 400 days to fit the chain to, 100 to ask about.

    Raises `ModelError` naming file, line and column where something is absent or different.
    """
    found = check_ins_of_countries(Path(folder), _number)
    return _population("foursquare", found, CHECK_INS, Path(folder))


def read_cities(folder: str | Path) -> Population:
    """Read the check-ins of New York, Tokyo or both: four fifths of the days to fit the chain to,
    the others to ask about.

    Raises `ModelError` naming file, line and column where something is different.
    """
    paths = sorted(Path(folder).glob(CITIES))
    names = ", ".join(path.name for path in paths)
    found = check_ins_of_cities(paths, _number)
    return _population("cities", found, names, Path(folder))


def _number(category: str) -> int:
    """Return the number of the label that a category is merged into: Café as Cafe."""
    return _numbers().get(_plain(category), _other())


@cache
def _numbers() -> dict[str, int]:
    labels = enumerate(place_labels().values())
    return {_plain(category): number for number, merged in labels for category in merged}


@cache
def _other() -> int:
    return list(place_labels()).index(_OTHER)


@cache
def _plain(name: str) -> str:
    """Return a name without accents."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")


def _population(name: str, found: CheckIns, read: str, folder: Path) -> Population:
    if not len(found):
        raise ModelError(f"expected check-ins in {read}, found none", str(folder))
    days = Days.of(found)
    people = list(_people(found, days))
    return gathered(
        name,
        "files",
        list(place_labels()),
        (person.fit for person in people if len(person.fit.values)),
        (person.asked for person in people if len(person.asked.values)),
        (
            f"read: {read}, {len(found):,} check-ins of {found.people:,} people, days 1 to "
            f"{days.fit} to fit the chain to, {days.asked} more to ask about",
            "check-ins that follow each other are a step, with the same label too",
        ),
    )


class Days(NamedTuple):
    """The first day, and how many there are to fit to and to ask about: 400 and 100, and four
    fifths and one where there are fewer.
    """

    first: int
    fit: int
    asked: int

    @classmethod
    def of(cls, found: CheckIns) -> "Days":
        """Count the days from the first check-in to the last."""
        first, last = min(found.seconds), max(found.seconds)
        span = (last - first) // _SECONDS + 1
        fit = min(FIT_DAYS, span * 4 // 5)
        return cls(first, fit, min(ASKED_DAYS, span - fit))


class _Person(NamedTuple):
    """The check-ins of one person in one group, in order of time.

    Days are counted from the first check-in, by UTC. The paper does not say whether a check-in with
    the same label again is a step: here it is.
    """

    fit: Recorded
    asked: Recorded


def _people(found: CheckIns, days: Days) -> Iterator[_Person]:
    import numpy as np

    groups, users, seconds, labels = found.columns()
    cuts = np.flatnonzero((np.diff(users) != 0) | (np.diff(groups) != 0)) + 1
    day, names = (seconds - days.first) // _SECONDS, list(found.groups)
    for a, b in zip([0, *cuts], [*cuts, len(users)]):
        ends = a + np.searchsorted(day[a:b], [days.fit, days.fit + days.asked])
        name = names[int(groups[a])]
        yield _Person(Recorded(name, labels[a : ends[0]]), Recorded(name, labels[ends[0] : ends[1]]))
