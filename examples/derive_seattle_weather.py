"""Count the transitions between dry and wet days in the Seattle weather table of the PyPI package vega_datasets.

The table has one row per day from 2012-01-01 to 2015-12-31 (NOAA daily records for Seattle). A day is wet if its precipitation
is positive. A transition belongs to the period of its first day. `python -m pufferproof.examples.derive_seattle_weather` writes
`seattle-weather/counts.json`, from which the chain of the example is made.
"""

import csv
import importlib.metadata
import importlib.resources
from itertools import pairwise
from pathlib import Path
from typing import Any

PERIODS = {"all year": range(1, 13), "October-March": (10, 11, 12, 1, 2, 3), "April-September": range(4, 10)}


def derived_counts() -> dict[str, Any]:
    """Return the counts with their source. Raises `ModuleNotFoundError` unless vega_datasets is installed."""
    table = importlib.resources.files("vega_datasets") / "_data" / "seattle-weather.csv"
    days = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
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
        "source": f"vega_datasets {importlib.metadata.version('vega_datasets')}, seattle-weather.csv",
        "days": len(days),
        "first": days[0]["date"],
        "last": days[-1]["date"],
        "wet": "precipitation > 0",
        "transitions": transitions,
    }


if __name__ == "__main__":
    from pufferproof.examples.build import rendered

    target = Path(__file__).parent / "seattle-weather" / "counts.json"
    target.write_text(rendered(derived_counts()) + "\n", encoding="utf-8")
    print(target)
