"""Count the transitions between dry and wet days in the Seattle weather table of the PyPI package
vega_datasets.

The table has one row per day from 2012-01-01 to 2015-12-31 (NOAA daily records for Seattle). A day
is wet if its precipitation is positive. A transition belongs to the period of its first day.
`python -m pufferproof.examples.builders.seattle_weather` writes `counts.json` of the
example seattle-weather, from which its chain is made, and the days themselves, `wet-days.txt` and
`wet-days.csv`.
"""

import csv
import importlib.metadata
import importlib.resources
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

PERIODS = {"all year": range(1, 13), "October-March": (10, 11, 12, 1, 2, 3), "April-September": range(4, 10)}


def derived_counts() -> dict[str, Any]:
    """Return the counts with their source. Raises `ModuleNotFoundError` unless vega_datasets is
    installed.
    """
    days = _days()
    states = [(int(day["date"][5:7]), "wet" if float(day["precipitation"]) > 0 else "dry") for day in days]
    transitions = {
        period: {
            before: {
                after: sum(
                    month in months and (today, tomorrow) == (before, after)
                    for (month, today), (_, tomorrow) in pairwise(states)
                )
                for after in ("dry", "wet")
            }
            for before in ("dry", "wet")
        }
        for period, months in PERIODS.items()
    }
    return {
        "source": _source(),
        "days": len(days),
        "first": days[0]["date"],
        "last": days[-1]["date"],
        "wet": "precipitation > 0",
        "transitions": transitions,
    }


def derived_days() -> str:
    """Return one digit per day, 1 where it was wet, one line per month, as `read_sequence`
    reads it.
    """
    days = _days()
    lines = [
        "".join("1" if float(day["precipitation"]) > 0 else "0" for day in month)
        for _, month in groupby(days, key=lambda day: day["date"][:7])
    ]
    said = f"# {_source()}: a line per month, a digit per day from {days[0]['date']} to {days[-1]['date']}, 1 if wet"
    return "\n".join([said, *lines]) + "\n"


def derived_weather() -> str:
    """Return date and weather of every day as CSV, as `read_days` reads it."""
    rows = [f"{day['date'].replace('/', '-')},{day['weather']}" for day in _days()]
    return "\n".join([f"# {_source()}", "date,weather", *rows]) + "\n"


def derived_table() -> str:
    """Return date and "dry" or "wet" of every day as CSV, as `fit` reads it."""
    rows = [f"{day['date'].replace('/', '-')},{'wet' if float(day['precipitation']) > 0 else 'dry'}" for day in _days()]
    return "\n".join([f"# {_source()}", "date,day", *rows]) + "\n"


def _days() -> list[dict[str, str]]:
    table = importlib.resources.files("vega_datasets") / "_data" / "seattle-weather.csv"
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def _source() -> str:
    return f"vega_datasets {importlib.metadata.version('vega_datasets')}, seattle-weather.csv"


if __name__ == "__main__":
    from pufferproof.examples.builders.build import rendered

    folder = Path(__file__).parents[1] / "correlated" / "seattle-weather"
    for name, text in (
        ("counts.json", rendered(derived_counts()) + "\n"),
        ("wet-days.txt", derived_days()),
        ("wet-days.csv", derived_table()),
        ("weather.csv", derived_weather()),
    ):
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
