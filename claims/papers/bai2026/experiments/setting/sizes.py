"""The sizes and labels of both data sets, as sections 7.1.1 and 7.1.4 and appendix D print them."""

import json
from importlib.resources import files

COUNTRIES, PLACES, FIT_DAYS, ASKED_DAYS = 77, 78, 400, 100
AGES = ("18-29", "30-37", "38-52", "53+")
PARTICIPANTS, HELD_OUT = 151, 8
WINDOWS = 288  # of five minutes, in 24 hours
ACTIVITIES = (
    "bicycling",
    "gym",
    "sitstand+activity",
    "sitstand+lowactivity",
    "sitting",
    "sleep",
    "sports",
    "standing",
    "vehicle",
    "walking",
    "walking+activity",
)


def place_labels() -> dict[str, tuple[str, ...]]:
    """Return the 78 labels, "other" among them, each with the categories that are merged into it.

    >>> place_labels()["Coffee Shop"]
    ('Coffee Shop', 'Tea Room')
    """
    text = (files(__package__) / "places.json").read_text(encoding="utf-8")
    return {label: tuple(merged) for label, merged in json.loads(text).items()}
