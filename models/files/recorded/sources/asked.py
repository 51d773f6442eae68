"""What is asked of recorded data, and the rows that answer it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.recorded.doubts.clock import Clock, Judged
from pufferproof.models.files.recorded.doubts.times import Clocks
from pufferproof.models.files.recorded.labels import name_of
from pufferproof.models.files.recorded.sources.classes import Classes
from pufferproof.models.files.recorded.sources.gathering import Gathering, Missing
from pufferproof.models.files.recorded.sources.work import CELL, Work
from pufferproof.models.numbers.text import did_you_mean, shown
from pufferproof.models.priors.records import preview

MAX_ROWS = 20_000_000
_NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}


@dataclass(frozen=True)
class Asked:
    """What is asked of a table: the column with the values, that with the groups if any, the states
    if they are named, classes of numbers, the column with the times if it is named, what to do
    where something is missing, and how text is read: a separator of cells, by default what the
    header has, and the mark before decimals; of a workbook its `sheet`, by default the only one;
    and the texts that mean missing, `na`, by default those of `label_of`.

    Without a `column` it is the only one beside the groups and times.
    """

    column: str | None
    group: str | None = None
    states: Sequence[str] | None = None
    classes: Classes | None = None
    time: str | None = None
    missing: Missing = "refuse"
    separator: str | None = None
    decimal: str = "."
    sheet: str | None = None
    na: Sequence[str] | None = None

    @classmethod
    def of(cls, column: str | None, group: str | None = None, **options: Any) -> "Asked":
        """Check options. Raises `ModelError` naming one that cannot be."""
        separator, decimal = options.get("separator"), options.get("decimal", ".")
        if separator is not None:
            separator = _NAMES.get(separator, separator)
            if len(separator) != 1 or separator.isalnum() or separator in '"\r\n\0-.':
                raise ModelError('expected one character such as ";", or tab, found ' + shown(separator), "separator")
        if decimal not in (".", ","):
            raise ModelError(f'expected "." or ",", found {shown(decimal)}', "decimal")
        if isinstance(options.get("na"), str):
            raise ModelError('expected a list of texts, such as ["NA"]', "na")
        missing = options.get("missing", "refuse")
        if missing not in ("refuse", "split"):
            raise ModelError(f'expected "refuse" or "split", found {shown(missing)}', "missing")
        if options.get("states") is not None and options.get("classes") is not None:
            raise ModelError("classes name the values: expected none beside classes", "states")
        return cls(column, group, **{**options, "separator": separator})

    @property
    def named(self) -> list[str]:
        """The names of columns that must be there."""
        return [name for name in (self.column, self.group, self.time) if name is not None]

    def among(self, header: Sequence[str], aside: Sequence[str] = ()) -> "Asked":
        """Return this with the column named; columns `aside` have no values.

        Raises `ModelError` unless every column is there once.
        """
        for name in self.named:
            if name not in header:
                names = preview(header, 20) or "none"
                raise ModelError(f'expected a column "{name}", found {names}{did_you_mean(name, header)}')
            if list(header).count(name) > 1:
                raise ModelError(f'expected one column "{name}", found several')
        if self.column is not None:
            return self
        others = [name for name in header if name not in (*self.named, *aside)]
        if len(others) != 1:
            raise ModelError(
                "expected one column beside groups and times, found "
                f"{preview(others, 20) or 'none'}: --column names the one with the values"
            )
        return replace(self, column=others[0])

    def places(self, header: Sequence[str]) -> tuple[int, int | None]:
        """Return where the values and the groups stand."""
        where = list(header).index
        return where(str(self.column)), None if self.group is None else where(self.group)

    @property
    def clock(self) -> Clock | None:
        """The clock of the times if they are named; its `where` is the name."""
        if self.time is None:
            return None
        return Clock(self.time, True, self.missing == "split", self.decimal)

    def gathering(self, numeric: bool = False) -> Gathering:
        """Return what takes the rows."""
        return Gathering(
            grouped=self.group is not None,
            kept=self.states or (),
            missing=self.missing,
            decimal=self.decimal,
            numeric=numeric or self.classes is not None,
            na=self.na,
        )


@dataclass
class RecordedRows:
    """The rows of a table, each a name, a value and a group ("" without groups); once all are read
    `judged` says what their times tell. `told` says what was read, and `notes` what may surprise.
    """

    data: bytes
    asked: Asked
    header: Sequence[str]
    cells: Iterator[tuple[str, Sequence[object]]]
    told: str = "table"
    notes: tuple[str, ...] = ()
    clocks: Clocks | None = None
    work: Work | None = None

    def __iter__(self) -> Iterator[tuple[str, object, object]]:
        value, group = self.asked.places(self.header)
        read = [place for place in (value, group) if place is not None]
        for row, cells in self.cells:
            if self.work is not None:
                self.work.take(CELL * len(cells), "cells")
            if self.clocks is None:
                split = self.asked.missing == "split"
                grouped = group is not None
                self.clocks = Clocks.of(self.header, cells, self.asked.clock, read, split, grouped, self.asked.na)
            name = "" if group is None else cells[group]
            if self.clocks.watching:
                self.clocks.see(row, name_of(name), cells)
            yield row, cells[value], name

    def judged(self) -> Judged:
        """Return what the times say. Raises `ModelError` as `Clocks.judged` does."""
        return Judged() if self.clocks is None else self.clocks.judged()

    def naming(self, row: object, group: bool) -> str:
        """Say where a value or a group stands."""
        return f'{row}: column "{self.asked.group if group else self.asked.column}"'

    def gathered(self, numeric: bool = False) -> tuple[Gathering, Judged]:
        """Read all rows."""
        gathering = self.asked.gathering(numeric)
        for row, value, group in self:
            gathering.add(row, value, group, self.naming)
        if not gathering.members:
            raise ModelError("expected rows below the header, found none")
        return gathering, self.judged()


def expect_rows(count: int) -> None:
    """Raise `ModelError` for too many rows."""
    if count > MAX_ROWS:
        raise ModelError(f"expected at most {MAX_ROWS} rows, found {count}: take a part of them")
