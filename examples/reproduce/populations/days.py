"""A sequence of labelled days, and the months of its last year as queries.

The file has a header with the columns `date` (2012-01-31) and `weather`. Whether a day is like the
day before is a question of weather: the days of one month are the records of one query.
"""

import csv
from itertools import groupby
from pathlib import Path

from pufferproof.examples.reproduce.populations.people import Population, Recorded, gathered
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import bytes_of, in_file, reading_csv

_MOST_BYTES = 10_000_000


def read_days(path: str | Path, name: str) -> Population:
    """Read a file of days: the chain is fitted to all years but the last, whose months are asked
    about.

    Raises `ModelError` unless both columns are there and days span at least two years.
    """
    with in_file(path), reading_csv():
        return _days_in(bytes_of(path, _MOST_BYTES).decode("utf-8", errors="replace"), name)


def _days_in(text: str, name: str) -> Population:
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    reader = csv.DictReader(lines, restval="")  # a row may be too short
    for column in ("date", "weather"):
        if column not in (reader.fieldnames or ()):
            found = ", ".join(reader.fieldnames or ()) or "none"
            raise ModelError(f'expected a column "{column}", found {found}')
    days = [(row["date"], row["weather"]) for row in reader]
    labels = sorted({label for _, label in days})
    last = max((day[:4] for day, _ in days), default="")
    earlier = [labels.index(label) for day, label in days if day[:4] < last]
    if not earlier:
        raise ModelError("expected days of at least two years")
    months = [
        Recorded(month, [labels.index(label) for _, label in rows])
        for month, rows in groupby((day for day in days if day[0][:4] == last), lambda d: d[0][:7])
    ]
    said = f"read: {len(days)} days; the months of {last} are asked about, the chain is of before"
    return gathered(name, "shipped", labels, [Recorded("", earlier)], months, [said])
