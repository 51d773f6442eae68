"""The command `fit`: from a column of recorded data to a framework.

Counts the steps, writes the chain of their relative frequencies, or with `--confidence` the box of
matrices that the data do not rule out, as a framework file; and says whether the data look like
a chain at all. The answer is `models/files/recorded/fit.py`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.recorded.fit import Fit, Options
from pufferproof.models.files.recorded.table import Asked, read_column
from pufferproof.reports.console.drawing import plot_format, rendered
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.correlation.fit import numbers
from pufferproof.reports.correlation.fit.words import fit_lines, fit_notes
from pufferproof.reports.schemas.fit import ChainFit

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
)


def fit(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="CSV with a header, or a Parquet file")
    ],
    column: Annotated[
        str, typer.Option("--column", metavar="NAME", help="column with the values, in order")
    ],
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="write the framework")],
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="NAME", help="a sequence for every value of this column"),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            "--time", metavar="NAME", help="column with times, which must go in equal steps"
        ),
    ] = None,
    order: Annotated[
        int,
        typer.Option("--order", metavar="K", help="number of last values that decide the next one"),
    ] = 1,
    smoothing: Annotated[
        str, typer.Option("--smoothing", metavar="A", help="add A to every count")
    ] = "0",
    confidence: Annotated[
        str | None,
        typer.Option(
            "--confidence",
            metavar="SHARE",
            help="write a box that holds the true matrix with this probability, such as 95%",
        ),
    ] = None,
    initial: Annotated[
        Literal["stationary", "counted", "any"] | None,
        typer.Option(
            "--initial",
            metavar="NAME",
            help="the law of the first record: stationary, counted, or, for boxes, any",
        ),
    ] = None,
    states: Annotated[
        str | None,
        typer.Option(
            "--states", metavar="A,B,..", help="values that can occur (default: those that do)"
        ),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            "--length",
            metavar="N",
            help="number of records of the framework (default: of the longest sequence)",
        ),
    ] = None,
    private: Annotated[
        list[str] | None,
        typer.Option(
            "--private", metavar="INDEX", help="private record, from 1; for several repeat, or 2,5"
        ),
    ] = None,
    people: Annotated[
        int,
        typer.Option(
            "--people", metavar="N", help="number of independent people that are released"
        ),
    ] = 1,
    absorbing: Annotated[
        list[str] | None,
        typer.Option(
            "--absorbing", metavar="VALUE", help="value that nothing can follow, as death; repeat"
        ),
    ] = None,
    gaussian: Annotated[
        Literal["ar1", "covariance"] | None,
        typer.Option(
            "--gaussian",
            metavar="NAME",
            help="numbers in place of a chain: a normal law, ar1, or covariance of several series",
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="VALUE", help="gaussian: a secret value; repeat"),
    ] = None,
    between: Annotated[
        list[str] | None,
        typer.Option("--between", metavar="LOW,HIGH", help="gaussian: a secret window; repeat"),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="draw the transitions")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit a Markov chain or a normal law to recorded data, and write a framework."""
    with _by_option():
        some = None if private is None else _records(private)
    if gaussian is not None:
        chains = {"order": order != 1, "smoothing": smoothing != "0", "confidence": confidence}
        chains |= {"initial": initial, "states": states, "people": people != 1, "plot": plot}
        chains |= {"absorbing": bool(absorbing)}
        numbers.refuse(chains)
        asked = numbers.Asking(gaussian, at or [], between or [], some, length)
        numbers.fit_numbers(data, Asked(column, group, time=time), asked, out, as_json)
    numbers.refuse({"at": at, "between": between}, "--gaussian ar1 or covariance")
    if plot is not None:
        plot_format(plot)
    with _by_option():
        last = absorbing or ()
        options = Options.of(order, smoothing, confidence, initial, length, some, people, last)
    names = None if states is None else tuple(states.split(","))
    with working("counting"):
        loaded = read_column(data, Asked(column, group, names, time=time))
        with _by_option(data):
            found = Fit(loaded.value, options)
        files = _Files(out, plot)
        write_outputs(files.of(found), out, plot, inputs=[data])
        known = found.as_json() | {"framework": out, "plot": plot, "inputs": hashes(data=loaded)}
    known |= {"rests_on": found.rests_on}
    answer = ChainFit.model_validate(known)
    lines = fit_lines(found, out, answer.rests_on)
    tell(answer, lines, fit_notes(found), as_json)


@dataclass(frozen=True)
class _Files:
    """The files that are written."""

    out: str
    plot: str | None

    def of(self, fit: Fit) -> dict[str, bytes]:
        files = {self.out: fit.text().encode()}
        if self.plot is not None:
            files[self.plot] = rendered(fit.plot(), self.plot, f"Transitions of a {fit}.")
        return files


@contextmanager
def _by_option(path: str | None = None) -> Iterator[None]:
    """Name the option in place of the argument of the function, and the file where there is
    neither.
    """
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
            raise ModelError(f"expected a record from 1 on, found {text[:60] or 'none'}", "private")
    return tuple(int(text) for text in texts)
