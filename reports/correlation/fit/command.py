"""The command `fit`: from a column of recorded data to a framework.

Counts the steps, writes the chain of their relative frequencies, or with `--confidence` the box of
matrices that the data do not rule out, as a framework file; and says whether the data look like
a chain at all. The answer is `models/files/recorded/fit.py`, the least noise is in `least.py`, and
the words are below.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.files.recorded.chains import Counts, Options
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups import kind_lines
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import percent, quoted, text_of
from pufferproof.reports.console.drawing import rendered
from pufferproof.reports.console.options import AsJson, ShareItems, parsed_level, plot_name
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import claims_lines, counted, trust_line
from pufferproof.reports.correlation.fit import numbers
from pufferproof.reports.correlation.fit.each import Each
from pufferproof.reports.correlation.fit.numbers import UNWRITTEN, Read, read_lines
from pufferproof.reports.schemas.fit import ChainFit
from pufferproof.reports.schemas.values import Basis
from pufferproof.verify.decision import united

if TYPE_CHECKING:
    from pufferproof.lp.accounting.releases.least import Who
    from pufferproof.models.numbers.enclosures import Enclosure
    from pufferproof.reports.correlation.fit.least import LeastNoise

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
        typer.Argument(metavar="DATA", help="CSV file with a header, or an Excel, Parquet or .ts file, also gzipped"),
    ],
    read: Read,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="framework file to write")] = None,
    order: Annotated[
        int, typer.Option("--order", metavar="K", help="number of previous values on which the next one depends")
    ] = 1,
    smoothing: Annotated[str, typer.Option("--smoothing", metavar="A", help="number added to every count")] = "0",
    confidence: Annotated[
        str | None,
        typer.Option(
            "--confidence", metavar="SHARE", help="probability with which a box holds the true matrix, such as 95%"
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
            "--initial", metavar="NAME", help="law of the first record: stationary, counted, or (for boxes) any"
        ),
    ] = None,
    states: Annotated[
        str | None, typer.Option("--states", metavar="A,B,..", help="values that can occur [default: those that do]")
    ] = None,
    length: Annotated[
        int | None,
        typer.Option(
            "--length", metavar="N", help="number of records of the framework [default: those of the longest sequence]"
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
        int, typer.Option("--people", metavar="N", help="number of independent people whose records are released")
    ] = 1,
    absorbing: Annotated[
        list[str] | None,
        typer.Option("--absorbing", metavar="VALUE", help="value that is never left, such as death; repeatable"),
    ] = None,
    never: Annotated[
        list[str] | None,
        typer.Option("--never", metavar="FROM,TO", help="step between two values that cannot occur; repeatable"),
    ] = None,
    kinds: Annotated[
        str,
        typer.Option(
            "--kinds",
            metavar="pooled|each|box|K",
            help="priors for groups: pooled (one chain for all), each (one per group), box (around all), or K kinds",
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
        list[str] | None, typer.Option("--at", metavar="VALUE", help="for --gaussian: secret value; repeatable")
    ] = None,
    between: Annotated[
        list[str] | None,
        typer.Option("--between", metavar="LOW,HIGH", help="for --gaussian: secret window; repeatable"),
    ] = None,
    epsilon: Annotated[
        str | None,
        typer.Option(
            "--epsilon",
            metavar="LEVEL",
            help="level for which the least noise is found, for counts of a day, a week and the framework",
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", callback=plot_name, help="plot of the transitions")
    ] = None,
    *,
    many: Each,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Fit a Markov chain or a normal law to recorded data, and write a framework."""
    with _by_option():
        some = None if private is None else _records(private)
        asked = read.asked(states)
        level = parsed_level(epsilon)
        if level is not None:
            expect_known(level)
    numbers.refuse(many.needing(share), "--each MECHANISM")
    if gaussian is not None:
        chains = {"order": order != 1, "smoothing": smoothing != "0", "confidence": confidence}
        chains |= {"initial": initial, "states": states, "people": people != 1, "plot": plot}
        chains |= {"absorbing": bool(absorbing), "stopping": stopping, "epsilon": epsilon}
        chains |= {"kinds": kinds != "pooled", "never": bool(never), "thin": thin, "each": many.each}
        numbers.refuse(chains | {"classes": read.classes})
        asking = numbers.Asking(gaussian, at or [], between or [], some, length)
        numbers.fit_numbers(data, asked, asking, out, as_json)
    numbers.refuse({"at": at, "between": between}, "--gaussian ar1 or covariance")
    with _by_option():
        counted = (order, smoothing, confidence, initial, length, some, people)
        steps, last = [step.split(",") for step in never or ()], absorbing or ()
        options = Options.of(*counted, last, stopping, kinds, never=steps, thin=thin)
    if many.each is not None:
        with _by_option():
            many.tell(data, asked, options, level, share.sharing, (out, plot), as_json)
    with working("counting transitions"), _by_option():
        loaded = read_column(data, asked)
        with _by_option(data):
            fitted = Fit(loaded.value, options)
        least, who = (None, None) if level is None else _least(fitted, level)
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
        from pufferproof.reports.correlation.fit.least import least_lines

        lines += [*least_lines(fitted, level, least, out, who), *claims_lines(answer.rests_on)]
    tell(answer, lines, fit_notes(fitted), as_json)


def _least(fitted: Fit, level: Level) -> "tuple[list[LeastNoise], tuple[Who, Enclosure] | None]":
    """Return the least noise, and what is told about each group with it. The engines are loaded for it
    alone.
    """
    from pufferproof.reports.correlation.fit.least import least_noise, who_at

    least = least_noise(fitted, level)
    return least, who_at(fitted, level, least)


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


def expect_known(level: Level) -> None:
    """Raise `ModelError` at level 0, which no noise keeps."""
    if level.compare(Fraction(1)) == 0:
        raise ModelError("no noise keeps level 0: expected a level above 0", "epsilon")


# Words --------------------------------------------------------------------------------------------
#
# What `fit` prints: what was read and counted, what speaks against the chain, the table of
# transitions or the box, and notes.

_ORDERS = ("zeroth", "first", "second", "third", "fourth", "fifth")
_LISTED = 4
_MOST_KINDS = 8
_MOST_TABLES = 3
_MOST_SECRETS = 2_000  # what other commands take at most where they bound a leakage


def fit_lines(fit: Fit, path: str | None, rests_on: Sequence[Basis] | None) -> list[str]:
    """Say what was counted, and what was written."""
    several = counted(len(fit.recorded.sequences), "sequence")
    what = f"{fit.recorded.records} in {several}, {counted(len(fit.states), 'value')}"
    lines = [*read_lines(fit.recorded.reading), f"records   {what}: {_some(fit.states)}"]
    lines.append(test_line(fit.test, fit.options.order, fit.counts.rows))
    if fit.likeness is not None and not fit.likeness.comparison.degrees:
        lines.append("groups    too short to compare")
    elif fit.likeness is not None:
        test = fit.likeness.comparison
        lines.append(f"groups    {test.text}: {test.against('one chain for all groups')}")
        names, cost = [each.name for each in fit.groups], fit.cost
        if test.doubtful or fit.options.kinds != "pooled":
            far = ", ".join(f"{names[k]} {nats:.3g}" for k, nats in cost.farthest)
            lines.append(
                f"cost      one chain for all: {cost.per_step:.4g} nats per step against a chain for "
                f"each group; most: {far}"
            )
        kinds = kind_lines(fit.kinds, names, fit.inside)
        more = len(kinds) - _MOST_KINDS
        lines += [*kinds[:_MOST_KINDS], *([f"          and {more} more"] if more > 0 else [])]
    lines += [f"doubt     {doubt}" for doubt in fit.doubts]
    lines += [*(f"assumed   {each}" for each in fit.assumed), *_tables(fit), *_box_lines(fit, rests_on)]
    private = fit.private
    which = "all private" if len(private) == fit.records.count else f"private: {_some(private)}"
    first = {"any": "any law of the first record", "counted": "first record as counted"}
    people = f" of each of {fit.records.people} people" if fit.records.people > 1 else ""
    return [
        *lines,
        f"framework {path or UNWRITTEN}: {counted(fit.records.count, 'record')}{people}, {which}; "
        f"{first.get(fit.initial, 'stationary')}",
    ]


def test_line(test: Comparison, order: int, rows: Sequence[Sequence[int]]) -> str:
    """Say whether the data speak against a chain of this order; `rows` count the steps from each
    context.
    """
    has_next = order + 1 < len(_ORDERS)
    names = (_ORDERS[order + 1], _ORDERS[order]) if has_next else (f"{order + 1}", f"{order}")
    compared = f"model     {names[0]} against {names[1]} order"
    if not test.degrees:
        left = [row for row in rows if any(row)]
        certain = left and all(max(row) == sum(row) > 1 for row in left)
        why = "every step was certain, so that there is nothing" if certain else "too short"
        return f"{compared}: {why} to compare"
    return f"{compared}: {test.text}: {test.against(f'order {order}')}"


def fit_notes(fit: Fit) -> list[str]:
    """Return what goes to standard error: how text was read, zeros, and many secrets."""
    notes = [f"note: {each}" for each in fit.recorded.reading.notes]
    smoothed = [doubt for doubt in fit.doubts if doubt.about == "smoothing"]
    notes += [f"note: {doubt}" for doubt in smoothed]
    unseen = fit.counts.unseen
    if unseen and not fit.options.smoothing and fit.box is None:
        steps = _some([f'"{after}" to "{value}"' for after, value in unseen])
        notes.append(
            f"note: {counted(len(unseen), 'step')} never seen, so they have probability 0: {steps} "
            "(--smoothing A adds A to every count)"
        )
    secrets = len(fit.secrets)
    if secrets > _MOST_SECRETS:
        notes.append(
            f"note: the framework has {secrets} secrets, and bounds take at most {_MOST_SECRETS}: "
            "--private names records"
        )
    return notes


def _tables(fit: Fit) -> list[str]:
    """Return the table of every kind, if there are few, or else of all groups together."""
    if fit.kinds and len(fit.kinds) <= _MOST_TABLES:
        return [
            line
            for kind, rows in zip(fit.kinds, fit.transitions)
            for line in (f"chain     of {kind.name}", *_table(*rows))
        ]
    said = []
    if fit.options.kinds != "pooled":
        instead = "box" if fit.options.boxed else "framework"
        said = [f"chain     pooled, of all groups together: that of no prior (see the {instead})"]
    return [*said, *_table(fit.counts, fit.transition)]


def _table(counts: Counts, transition: Sequence[Sequence[Fraction] | None]) -> list[str]:
    header = ["after", *counts.states, "seen"]
    rows = [
        [
            counts.name(context),
            *(["unknown"] * len(counts.states) if row is None else [f"{float(p):.4f}" for p in row]),
            str(sum(counts.rows[x])),
        ]
        for x, (context, row) in enumerate(zip(counts.contexts, transition))
    ]
    return ["", *_aligned([header, *rows]), ""]


def _box_lines(fit: Fit, rests_on: Sequence[Basis] | None) -> list[str]:
    if fit.box is None:
        return []
    rows = [
        [
            state,
            *(
                f"{_rounded(low, ROUND_FLOOR)} to {_rounded(high, ROUND_CEILING)}"
                for low, high in zip(fit.box.lower[x], fit.box.upper[x])
            ),
        ]
        for x, state in enumerate(fit.states)
    ]
    table = _aligned([["between", *fit.states], *rows])
    if fit.options.confidence is None:
        around = f"the frequencies of each of the {len(fit.boxed)} groups"
        return [*table, f"box       holds {around}, where something followed a value", ""]
    risk, share = 1 - fit.options.confidence, percent(fit.options.confidence)
    same = ", the same in every sequence" if len(fit.recorded.sequences) > 1 else ""
    if fit.options.kinds == "box":
        same = ", each group with its own probabilities"
    # when the box holds its matrix, and which recordings it is of
    if not fit.fixed:
        ending = "whenever the recording ended"
    else:
        fixed = "and the length was fixed without looking at the values (else --stopping any)"
        count, longest = len(fit.recorded.sequences), len(fit.fixed)
        ending = fixed if longest == count else f"{fixed}; of the {longest} longest of {count} recordings"
    return [
        *table,
        f"box       holds every transition probability, all at once, with probability at least {share},",
        f"          if the records are a chain of the first order on these values{same},",
        f"          {ending}",
        f"          ({share} is a floor: the probability is usually larger)",
        trust_line([f"SAMPLING({text_of(risk)})"], rests_on=rests_on),
        "",
    ]


def _rounded(value: Fraction, rounding: str) -> str:
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return str(decimal.quantize(Decimal("0.0001"), rounding=rounding))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]))]
    return ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def _some(items: Sequence[object]) -> str:
    names = ", ".join(map(str, items[: _LISTED + 2]))
    more = len(items) - _LISTED - 2
    return names if more <= 0 else f"{names} and {more} more"
