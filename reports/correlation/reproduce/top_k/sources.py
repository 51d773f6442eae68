"""Where the people of the experiment come from: files that somebody has, else drawn ones, and days
of weather that come with the examples.
"""

from pathlib import Path

import pufferproof
from pufferproof.models.errors import ModelError
from pufferproof.models.files.populations.activities import DICTIONARY, METADATA, read_activities
from pufferproof.models.files.populations.check_ins import CHECK_INS, VENUES, read_check_ins
from pufferproof.models.files.populations.days import read_days
from pufferproof.models.files.populations.drawn import drawn_activities, drawn_check_ins
from pufferproof.models.files.populations.people import Population

_WEATHER = "examples/correlated/seattle-weather/weather.csv"


def populations(folder: str | None, seed: int) -> list[Population]:
    """Return check-ins, activities and weather; the first two from `folder` where their files are
    in it.

    Raises `ModelError` if the folder has files of neither, or they are different.
    """
    check_ins, activities = (_has(folder, names) for names in ((CHECK_INS, VENUES), _ACTIVITIES))
    if folder is not None and not (check_ins or activities):
        raise ModelError(
            f"expected {CHECK_INS} and {VENUES}, or {METADATA}, {DICTIONARY} and a file such as "
            f"P001.csv.gz for each participant, found {_shown(folder)}",
            folder,
        )
    return [
        read_check_ins(folder) if folder and check_ins else drawn_check_ins(seed),
        read_activities(folder) if folder and activities else drawn_activities(seed),
        read_days(Path(pufferproof.__file__).parent / _WEATHER, "weather"),
    ]


_ACTIVITIES = (METADATA, DICTIONARY)


def _has(folder: str | None, names: tuple[str, ...]) -> bool:
    """Say whether one of the files is there: then the others must be."""
    return folder is not None and any((Path(folder) / name).exists() for name in names)


def _shown(folder: str) -> str:
    try:
        names = sorted(path.name for path in Path(folder).iterdir())
    except OSError as error:
        return f"nothing ({error.strerror})"
    more = " .." if len(names) > 5 else ""
    return ", ".join(names[:5] or ["nothing"]) + more
