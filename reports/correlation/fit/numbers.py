"""What `fit --gaussian` answers: a normal law of recorded numbers, and a framework that has it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, NoReturn

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.recorded.chains import reading_json
from pufferproof.models.files.recorded.doubts.clock import step_words
from pufferproof.models.files.recorded.doubts.comparison import against
from pufferproof.models.files.recorded.normal import Kind, NormalFit, Secrets, law_json, read_numbers
from pufferproof.models.files.recorded.sources.gathering import Asked, Classes, Reading
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import counted
from pufferproof.reports.schemas.fit import NormalFit as NormalAnswer

# How `fit` reads data: the options, and what was read in words.

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


_ASSUMED = {
    "ar1": [
        "the readings are normal, also far out",
        "one law at all times (stationary), and what comes next depends on the last reading alone",
    ],
    "covariance": ["the readings are normal, also far out", "series are independent of one another, with one law"],
}


@dataclass(frozen=True)
class Asking:
    """The options of `--gaussian`."""

    kind: Kind
    at: Sequence[str]
    between: Sequence[str]
    private: tuple[int, ...] | None
    length: int | None

    @property
    def secrets(self) -> Secrets:
        """What is secret. Raises `ModelError` unless the options are numbers."""
        values = tuple(_number(text, "--at") for text in self.at)
        windows = tuple(_window(text) for text in self.between)
        return Secrets(values, windows, self.private, self.length)


def refuse(options: Mapping[str, object], goes: str = "chains, not --gaussian") -> None:
    """Raise `ModelError` for the first option that has a value."""
    option = next((name for name, value in options.items() if value), None)
    if option is not None:
        raise ModelError(f"needs {goes}", f"--{option}")


def fit_numbers(path: str, column: Asked, asking: Asking, out: str | None, as_json: bool) -> NoReturn:
    """Fit a normal law, write the framework, and tell it."""
    secrets = asking.secrets
    with working("fitting a normal law"):
        loaded = read_numbers(path, column, asking.kind)
        try:
            members = loaded.value.reading.members
            fit = NormalFit(loaded.value.series, asking.kind, secrets, members)
        except ModelError as error:
            first = error.where.partition(":")[0].partition("[")[0]
            named = first in ("at", "private", "length", "gaussian")
            raise (error.at(f"--{first}") if named else error.within("--at")) from None
        files = {} if out is None else {out: fit.text().encode()}
        write_outputs(files, out, inputs=[path])
    held, reading = fit.framework.secrets, loaded.value.reading
    parted = ["series before and after what is missing are independent"] * bool(reading.later)
    doubts = [*loaded.value.doubts, *fit.doubts]
    assumed = [*_ASSUMED[fit.kind], *parted]
    fields = {
        "framework": out,
        "gaussian": fit.kind,
        "readings": fit.readings,
        "series": len(fit.series),
        "law": law_json(fit.prior),
        "standard_errors": None if fit.errors is None else {name: f"{error:.3g}" for name, error in fit.errors.items()},
        "normality": fit.normality and {"statistic": f"{fit.normality[0]:.4g}", "p_value": f"{fit.normality[1]:.6g}"},
        **{key: value for key, value in reading_json(reading).items() if key != "classes"},
        "assumed": assumed,
        "doubts": [doubt.as_json() for doubt in doubts],
        "length": fit.length,
        "private": sorted({each.record for each in held.values()}),
        "secrets": list(held),
        "rests_on": [],
        "inputs": hashes(data=loaded),
    }
    doubtful = (f"doubt     {doubt}" for doubt in doubts)
    lines = [*read_lines(reading), *doubtful, *_lines(fit, assumed, out)]
    notes = [f"note: {each}" for each in reading.notes]
    if fit.kind != "ar1" and len(fit.series) <= fit.length:
        notes.append(
            f"note: {len(fit.series)} series of {fit.length} readings: the covariance is singular, and "
            "says that some readings determine others"
        )
    tell(NormalAnswer.model_validate(fields), lines, notes, as_json)


def _number(text: str, option: str) -> Fraction:
    try:
        return parse_number(text)
    except ModelError as error:
        raise error.at(option) from None


def _window(text: str) -> tuple[Fraction, Fraction]:
    low, comma, high = text.partition(",")
    if not comma:
        raise ModelError(f'expected two numbers, LOW,HIGH, found "{text[:60]}"', "--between")
    return _number(low.strip(), "--between"), _number(high.strip(), "--between")


def _lines(fit: NormalFit, assumed: Sequence[str], out: str | None) -> Iterator[str]:
    yield f"readings  {fit.readings} in {len(fit.series)} series"
    law = fit.prior
    if law.coefficient is not None and fit.errors is not None:
        for name, value in (
            ("mean", law.mean_of(1)),
            ("coefficient", law.coefficient),
            ("variance", law.variance or Fraction(0)),
        ):
            yield f"{name:<12}{float(value):.6g}, standard error {fit.errors[name]:.2g}"
    else:
        yield f"law       {fit.length} means and a covariance, by maximum likelihood"
    if fit.normality is not None:
        statistic, p = fit.normality
        said = against(p, "normal innovations")
        yield f"normal    Jarque-Bera {statistic:.4g}, p = {p:.3g}: {said} (rough)"
    yield from (f"assumed   {each}" for each in assumed)
    private = counted(len({secret.record for secret in fit.framework.secrets.values()}), "record")
    yield f"framework {out or UNWRITTEN}: {counted(fit.length, 'record')}, {private} private"
