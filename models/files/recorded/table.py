"""Recorded values of a file, of a table in Python, or of a list: no value missing, or split there.

If a column says when rows were recorded, rows are in the order of time, with equal steps.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, digest, in_file
from pufferproof.models.files.recorded.bits import alike, grouped, may_be_missing, name_of
from pufferproof.models.files.recorded.chains import Recorded
from pufferproof.models.files.recorded.doubts.clock import Clock, Judged, judged_times, looks_like_time
from pufferproof.models.files.recorded.sources.gathering import Asked, Gathering, Reading, RecordedRows
from pufferproof.models.files.recorded.sources.opening import rows_of
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import preview

_LISTS = ("tolist", "to_list", "to_pylist")  # of pandas and NumPy, polars, pyarrow


def read_column(path: str | Path, asked: Asked) -> Loaded[Recorded]:
    """Read the values of a column, by the groups of another one if asked for.

    Raises `ModelError` naming the line, or the row, where something is missing.
    """
    with in_file(path):
        rows = rows_of(path, asked)
        return Loaded(_recorded(rows), str(path), digest(rows.data))


def _recorded(rows: RecordedRows) -> Recorded:
    gathering, judged = rows.gathered()
    try:
        return _of_gathered(gathering, judged, rows.asked, rows.told, rows.notes)
    except ModelError as error:
        raise (error if error.where else error.within(f'column "{rows.asked.column}"')) from None


def _of_gathered(
    gathering: Gathering, judged: Judged, asked: Asked, told: str | None = None, notes: tuple[str, ...] = ()
) -> Recorded:
    """Return what was gathered as sequences of states."""
    parts = gathering.sequences(judged.breaks)
    sequences, states, classes = [part.labels for part in parts], asked.states, asked.classes
    if classes is not None and sequences:
        if asked.decimal == "." and (number := grouped(dict.fromkeys(x for each in sequences for x in each))):
            said = f"{number} is read as a decimal: if its point separates thousands, remove it"
            notes = (*notes, said)
        classes, sequences = gathering.in_classes(classes, sequences)
        states = None if classes.numbered else classes.names
    later = frozenset(place for place, part in enumerate(parts) if not part.begins)
    members = tuple(part.group for part in parts)
    whole = tuple(gathering.members)
    present = set(members)
    if empty := [name for group, name in enumerate(whole) if group not in present]:
        notes = (*notes, f"groups without a value, of which no prior is: {preview(empty)}")
    reading = Reading(
        told,
        notes,
        judged.timing,
        classes,
        gathering.absent,
        later,
        members,
        whole,
        column=asked.column,
        starts=tuple(judged.start(whole[part.group], part.place) for part in parts),
        unended=frozenset(place for place, part in enumerate(parts) if not part.ends),
    )
    names = [part.name for part in parts]
    recorded = Recorded.of_labels(sequences, states, names, judged.doubts, reading)
    if asked.states is None and classes is None and (same := alike(recorded.states)):
        said = f"{preview(same)} are different values here; write them alike if they mean the same"
        recorded = replace(recorded, reading=replace(reading, notes=(*notes, said)))
    return recorded


def recorded_of(data: object, asked: Asked, group: object = None, time: object = None) -> Recorded:
    """Return the values of a file, of a table, or of a list, array or Series; what is asked names
    columns of the first two, `group` and `time` are lists beside the last.

    Raises `ModelError` as `read_column` and `Recorded.of_labels` do.
    """
    if isinstance(data, str | Path):
        return read_column(data, _named("file", asked, group, time)).value
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):
        raise ModelError("expected a table, found a lazy one: collect() it", "data")
    columns = _columns_of(data)
    if columns is not None:
        return _of_table(data, columns, _named("table", asked, group, time))
    if asked.column is not None:
        raise ModelError("is for files and tables: expected none beside values", "column")
    values = _listed(data, "data")
    groups = None if group is None else _listed(group, "group")
    times = _index_of(data) if time is None else _listed(time, "time")
    for name, given in (("group", groups), ("time", times)):
        if given is not None and len(given) != len(values):
            raise ModelError(f"expected {len(values)} {name}s, one per value, found {len(given)}", name)
    gathering = replace(asked, group=None if groups is None else "group").gathering()
    for place, value in enumerate(values):
        own = "" if groups is None else groups[place]
        gathering.add(place, value, own, lambda place, group: f"{('data', 'group')[group]}[{place}]")
    judged = Judged()
    if times is not None:
        where = "index" if time is None else "time"
        judged = _judged(times, groups, where, asked)
    return _of_gathered(gathering, judged, asked)


def _judged(times: Sequence[object], groups: Sequence[object] | None, where: str, asked: Asked) -> Judged:
    names = None if groups is None else list(map(name_of, groups))
    clock = Clock(where, True, asked.missing == "split", asked.decimal)
    return judged_times(times, names, clock)


def _named(what: str, asked: Asked, group: object, time: object) -> Asked:
    """Return what is asked of a file or table. Raises `ModelError` unless columns are names."""
    for key, name in (("column", asked.column), ("group", group), ("time", time)):
        if name is not None and not isinstance(name, str):
            raise ModelError(f"expected the name of a column of the {what}", key)
    return replace(asked, group=group, time=time)  # type: ignore[arg-type]


def _columns_of(table: Any) -> list[tuple[str, list[object]]] | None:
    """Return the names and cells of a table of pandas, polars or pyarrow, None of anything else."""
    if hasattr(table, "iloc") and hasattr(table, "columns"):
        cells = [table.iloc[:, place].tolist() for place in range(len(table.columns))]
    elif hasattr(table, "get_columns"):  # polars
        cells = [column.to_list() for column in table.get_columns()]
    elif hasattr(table, "column_names"):  # pyarrow
        cells = [column.to_pylist() for column in table.columns]
    else:
        return None
    names = table.column_names if hasattr(table, "column_names") else table.columns
    return list(zip(map(str, names), cells))


def _of_table(table: object, named_columns: list[tuple[str, list[object]]], asked: Asked) -> Recorded:
    header = [name for name, _ in named_columns]
    asked = asked.among(header)
    columns = [cells for _, cells in named_columns]
    named: Iterator[tuple[str, Sequence[object]]] = (
        (f"row {number}", row) for number, row in enumerate(zip(*columns), 1)
    )
    rows = RecordedRows(b"", asked, header, named)
    times = _index_of(table) if asked.time is None else None
    if times is None:
        return _recorded(rows)
    gathering, _ = rows.gathered()
    _, place = asked.places(header)
    groups = None if place is None else columns[place]
    return _of_gathered(gathering, _judged(times, groups, "index", asked), asked, rows.told)


def _index_of(data: object) -> list[object] | None:
    """Return the times that are the index of a Series or table, None if its index has none.

    Raises `ModelError` for an index of several levels, one of them times.
    """
    index: Any = getattr(data, "index", None)
    kind = type(index).__name__
    if kind == "PeriodIndex":
        return list(index.to_timestamp())
    if kind == "TimedeltaIndex":
        return list(index.total_seconds())
    if kind == "MultiIndex" and any(map(_begins_with_time, index.levels)):
        raise ModelError(
            "has times beside other levels: expected columns, which reset_index() makes, one named "
            "as the time and one as the group",
            "index",
        )
    dates = kind == "Index" and _begins_with_time(index)
    return list(index) if kind == "DatetimeIndex" or dates else None


def _begins_with_time(cells: Iterable[object]) -> bool:
    """Return whether the first cell that is not missing looks like a time."""
    return looks_like_time(next((cell for cell in cells if not may_be_missing(cell)), None))


def _listed(values: object, where: str) -> Sequence[object]:
    """Return the values of a Series, array or sequence as a list."""
    way = next((name for name in _LISTS if hasattr(values, name)), None)
    if way is not None:
        values = getattr(values, way)()
    if not isinstance(values, Sequence) or isinstance(values, str | bytes):
        raise ModelError(f"expected a sequence of values, a Series or a table, found {shown(values)}", where)
    return values
