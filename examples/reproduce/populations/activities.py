"""Activities of participants of a day: the files of the Capture-24 data set, read where somebody
has them.

Layout, CSV with headers:

    metadata.csv                        pid, age            one of four age groups
    annotation-label-dictionary.csv     annotation, label:WillettsMET2018
    P001.csv.gz, P002.csv.gz, ..        time, annotation    2016-11-13 02:18:00.0, many a second

Other columns are not used, and annotations that the dictionary has not count as none. A record is
the label of the first annotated sample of five minutes; the first 8 participants of every age
group, by their names, are asked about. The paper says neither.

Source: bai2026, sections 7.1.1 and 7.1.4, appendix D.1; Chan et al., "CAPTURE-24", 2024.
"""

import csv
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pufferproof.claims.papers.bai2026.experiments.setting.sizes import HELD_OUT
from pufferproof.examples.reproduce.populations.people import Population, Recorded, gathered
from pufferproof.examples.reproduce.populations.samples import MINUTES, expect_columns, header_of, window_labels
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import reading_csv
from pufferproof.models.interface.steps import processors

METADATA, DICTIONARY = "metadata.csv", "annotation-label-dictionary.csv"
_LABEL = "label:WillettsMET2018"


def read_activities(folder: str | Path) -> Population:
    """Read all participants of a folder.

    Raises `ModelError` naming file and column where something is absent or different.
    """
    home = Path(folder)
    ages = {row["pid"]: row["age"] for row in _table(home / METADATA, ("pid", "age"))}
    merged = {row["annotation"]: row[_LABEL] for row in _table(home / DICTIONARY, ("annotation", _LABEL))}
    labels = sorted({label for label in merged.values() if label})
    if not ages:
        raise ModelError("expected participants, found none", str(home / METADATA))
    fit: list[Recorded] = []
    asked: list[Recorded] = []
    seen = dict.fromkeys(ages.values(), 0)
    names = sorted(ages)
    for pid, windows in zip(names, _everyone(home, names, merged)):
        values = [labels.index(label) for label in windows]
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
            f"read: {len(ages)} participants, the label of the first annotated sample of every {MINUTES} minutes",
            f"the first {HELD_OUT} participants of each age group are asked about, a query for "
            "each, as the caption of the printed table says",
        ),
    )


def _everyone(home: Path, names: list[str], merged: Mapping[str, str]) -> list[list[str]]:
    """Return the labels of every participant's windows; several files are read at a time."""
    paths = [home / f"{name}.csv.gz" for name in names]
    for path in paths:
        header_of(path)  # before hours of samples are read
    pool = ThreadPoolExecutor(processors())
    try:
        return list(pool.map(lambda path: window_labels(path, merged), paths))
    finally:
        pool.shutdown(cancel_futures=True)


def _table(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, str]]:
    try:
        with reading_csv(path), open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            expect_columns(list(reader.fieldnames or ()), columns, path)
            for row in reader:
                yield {column: row[column] or "" for column in columns}
    except OSError as error:
        raise ModelError(
            f"cannot be read ({error.strerror}): expected a CSV file with {', '.join(columns)}", str(path)
        ) from None
