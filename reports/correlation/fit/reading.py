"""How `fit` reads data: the options, and what was read in words."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import typer

from pufferproof.models.files.recorded.doubts.clock import step_words
from pufferproof.models.files.recorded.sources.gathering import Asked, Classes, Reading
from pufferproof.reports.console.words import counted

UNWRITTEN = "not written (--out FILE)"
_PLAIN = "CSV in UTF-8, separated by commas"


@dataclass(frozen=True)
class Read:
    """The options of reading."""

    title: ClassVar[str] = "Read"

    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="column with the values, in order [default: the only one]"),
    ] = None
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="NAME", help="column that names the sequence of a row, such as a person"),
    ] = None
    time: Annotated[
        str | None, typer.Option("--time", metavar="NAME", help="column with times, which must go in equal steps")
    ] = None
    missing: Annotated[
        Literal["refuse", "split"],
        typer.Option(
            "--missing",
            metavar="NAME",
            help="what to do with gaps in times and missing values: refuse them, or split recordings there",
        ),
    ] = "refuse"
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes",
            metavar="N|LIMITS",
            help="classes of numbers: N of about equal size, or the limits between them, such as 0.5,2",
        ),
    ] = None
    separator: Annotated[
        str | None,
        typer.Option("--separator", metavar="C", help="character between cells of text [default: that of the header]"),
    ] = None
    decimal: Annotated[str, typer.Option("--decimal", metavar="C", help="decimal mark, point or comma")] = "."
    sheet: Annotated[
        str | None, typer.Option("--sheet", metavar="NAME", help="sheet of a workbook [default: the only one]")
    ] = None

    na: Annotated[
        list[str] | None,
        typer.Option(
            "--na",
            metavar="WORD",
            help='text that means missing, beside empty cells; "" for none (repeatable) [default: '
            "NA, N/A, NaN, NaT, null]",
        ),
    ] = None

    def asked(self, states: str | None) -> Asked:
        """Return what is asked of the file. Raises `ModelError` naming an option."""
        return Asked.of(
            self.column,
            self.group,
            states=None if states is None else tuple(states.split(",")),
            classes=None if self.classes is None else Classes.of(self.classes, self.decimal),
            time=self.time,
            missing=self.missing,
            separator=self.separator,
            decimal=self.decimal,
            sheet=self.sheet,
            na=self.na,
        )


def read_lines(reading: Reading) -> list[str]:
    """Say what was read, if it is no plain CSV, and what times say."""
    lines = [] if reading.told in (None, _PLAIN) else [f"read      {reading.told}"]
    if reading.timing is not None:
        times = reading.timing
        ends = f"{times.first} to {times.last}"
        numbers = "" if times.dates else " (numbers, not read as dates)"
        lines.append(f"times     {times.where}: steps of {step_words(times.step)}, {ends}{numbers}")
        if times.others and reading.later:
            one = times.others == 1
            length, them = ("another length", "it") if one else ("other lengths", "them")
            steps = f"{counted(times.others, 'step')} of {length}"
            lines.append(f"gaps      {steps}; no transition across {them} is counted")
    if reading.absent:
        lines.append(f"missing   {counted(reading.absent, 'value')}: no transition across them is counted")
    if reading.classes is not None and reading.classes.count is not None:
        lines.append("classes   limits are quantiles of the data")
    return lines
