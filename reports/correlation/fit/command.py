"""The command `fit`: from a column of recorded data to a framework.

Counts the steps, writes the chain of their relative frequencies, or with `--confidence` the box of
matrices that the data do not rule out, as a framework file; and says whether the data look like
a chain at all. The answer is `models/files/recorded/fit.py`, its words are in `words.py`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.recorded.chains.options import Options
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.numbers.text import quoted
from pufferproof.reports.console.drawing import plot_format, rendered
from pufferproof.reports.console.options import AsJson, parsed_level
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import claims_lines
from pufferproof.reports.correlation.fit import numbers
from pufferproof.reports.correlation.fit.least import (
    expect_known,
    least_lines,
    least_noise,
    who_at,
)
from pufferproof.reports.correlation.fit.reading import Read
from pufferproof.reports.correlation.fit.words import fit_lines, fit_notes
from pufferproof.reports.schemas.fit import ChainFit
from pufferproof.verify.decision import united

_OPTIONS = (
    "order",
    "smoothing",
    "confidence",
    "initial",
    "states",
    "length",
    "private",
    "people",
    "absorbing",
    "never",
    "classes",
    "missing",
    "separator",
    "decimal",
    "sheet",
    "epsilon",
    "kinds",
    "thin",
)


def fit(
    data: Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="CSV file with a header, or an Excel, Parquet or .ts file, also gzipped",
        ),
    ],
    read: Read,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="framework file to write")
    ] = None,
    order: Annotated[
        int,
        typer.Option(
            "--order", metavar="K", help="number of previous values on which the next one depends"
        ),
    ] = 1,
    smoothing: Annotated[
        str, typer.Option("--smoothing", metavar="A", help="number added to every count")
    ] = "0",
    confidence: Annotated[
        str | None,
        typer.Option(
            "--confidence",
            metavar="SHARE",
            help="probability with which a box holds the true matrix, such as 95%",
        ),
    ] = None,
    stopping: Annotated[
        Literal["fixed", "any"] | None,
        typer.Option(
            "--stopping",
            metavar="NAME",
            help="for boxes: fixed if the length of a recording was fixed beforehand, any if "
            "it may have ended because of its values [default: fixed]",
        ),
    ] = None,
    initial: Annotated[
        Literal["stationary", "counted", "any"] | None,
        typer.Option(
            "--initial",
            metavar="NAME",
            help="law of the first record: stationary, counted, or (for boxes) any",
        ),
    ] = None,
    states: Annotated[
        str | None,
        typer.Option(
            "--states", metavar="A,B,..", help="values that can occur [default: those that do]"
        ),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            "--length",
            metavar="N",
            help="number of records of the framework [default: those of the longest sequence]",
        ),
    ] = None,
    private: Annotated[
        list[str] | None,
        typer.Option(
            "--private",
            metavar="INDEX",
            help="private record, counted from 1; repeat the option or write 2,5 for several",
        ),
    ] = None,
    people: Annotated[
        int,
        typer.Option(
            "--people", metavar="N", help="number of independent people whose records are released"
        ),
    ] = 1,
    absorbing: Annotated[
        list[str] | None,
        typer.Option(
            "--absorbing",
            metavar="VALUE",
            help="value that is never left, such as death; repeatable",
        ),
    ] = None,
    never: Annotated[
        list[str] | None,
        typer.Option(
            "--never",
            metavar="FROM,TO",
            help="step between two values that cannot occur; repeatable",
        ),
    ] = None,
    kinds: Annotated[
        str,
        typer.Option(
            "--kinds",
            metavar="pooled|each|box|K",
            help="priors for groups: pooled (one chain for all), each (one per group), box "
            "(around all), or K kinds",
        ),
    ] = "pooled",
    thin: Annotated[
        Literal["pooled", "out"] | None,
        typer.Option(
            "--thin",
            metavar="NAME",
            help="with --kinds each or box, groups in which nothing follows some value: pooled "
            "(those of all groups stand for them) or out (left out) [default: pooled]",
        ),
    ] = None,
    gaussian: Annotated[
        Literal["ar1", "covariance"] | None,
        typer.Option(
            "--gaussian",
            metavar="NAME",
            help="law of numbers, instead of a chain: ar1, or the covariance of several series",
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="VALUE", help="for --gaussian: secret value; repeatable"),
    ] = None,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between", metavar="LOW,HIGH", help="for --gaussian: secret window; repeatable"
        ),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            metavar="LEVEL",
            help="level for which the least noise is found, for counts of a day, a week and "
            "the framework",
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="plot of the transitions")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit a Markov chain or a normal law to recorded data, and write a framework."""
    with _by_option():
        some = None if private is None else _records(private)
        asked = read.asked(states)
        level = parsed_level(epsilon)
        if level is not None:
            expect_known(level)
    if gaussian is not None:
        chains = {"order": order != 1, "smoothing": smoothing != "0", "confidence": confidence}
        chains |= {"initial": initial, "states": states, "people": people != 1, "plot": plot}
        chains |= {"absorbing": bool(absorbing), "stopping": stopping, "epsilon": epsilon}
        chains |= {"kinds": kinds != "pooled", "never": bool(never), "thin": thin}
        numbers.refuse(chains | {"classes": read.classes})
        asking = numbers.Asking(gaussian, at or [], between or [], some, length)
        numbers.fit_numbers(data, asked, asking, out, as_json)
    numbers.refuse({"at": at, "between": between}, "--gaussian ar1 or covariance")
    if plot is not None:
        plot_format(plot)
    with _by_option():
        counted = (order, smoothing, confidence, initial, length, some, people)
        steps, last = [step.split(",") for step in never or ()], absorbing or ()
        options = Options.of(*counted, last, stopping, kinds, never=steps, thin=thin)
    with working("counting transitions"), _by_option():
        loaded = read_column(data, asked)
        with _by_option(data):
            fitted = Fit(loaded.value, options)
        least = None if level is None else least_noise(fitted, level)
        who = None if level is None or least is None else who_at(fitted, level, least)
        files = _Files(out, plot)
        write_outputs(files.of(fitted), out, plot, inputs=[data])
        fields = fitted.as_json() | {"framework": out, "plot": plot, "inputs": hashes(data=loaded)}
    fields |= {"rests_on": united(fitted.rests_on, *(row.claims for row in least or ()))}
    if least is not None:
        fields |= {"epsilon": str(level), "least": [row.as_json() for row in least]}
        fields |= {"who": None if who is None else who[0].as_json(who[1])}
    answer = ChainFit.model_validate(fields)
    lines = fit_lines(fitted, out, answer.rests_on)
    if level is not None and least is not None:
        lines += [*least_lines(fitted, level, least, out, who), *claims_lines(answer.rests_on)]
    tell(answer, lines, fit_notes(fitted), as_json)


@dataclass(frozen=True)
class _Files:
    """The files that are written."""

    out: str | None
    plot: str | None

    def of(self, fit: Fit) -> dict[str, bytes]:
        files = {} if self.out is None else {self.out: fit.text().encode()}
        if self.plot is not None:
            files[self.plot] = rendered(fit.plot(), self.plot, f"Transitions of a {fit}.")
        return files


@contextmanager
def _by_option(path: str | None = None) -> Iterator[None]:
    """Name the option instead of a function's argument, or the file."""
    try:
        yield
    except ModelError as error:
        first = error.where.partition(":")[0]
        if first in _OPTIONS:
            raise error.at(f"--{error.where}") from None
        raise (error if path is None else error.within(path)) from None


def _records(given: list[str]) -> tuple[int, ...]:
    texts = ",".join(given).split(",")
    for text in texts:
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ModelError(f"expected a record from 1 on, found {quoted(text)}", "private")
    return tuple(int(text) for text in texts)
