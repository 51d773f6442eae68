"""The command `fit`: from a column of recorded data to a framework.

Counts the steps, writes the chain of their relative frequencies, or with `--confidence` the box of
matrices that the data do not rule out, as a framework file; and says whether the data look like
a chain at all. The answer is `models/files/recorded/fit.py`; the least noise and the words are
below.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from itertools import product
from math import comb
from shlex import quote
from typing import Annotated, Literal

import typer

from pufferproof.lp.accounting.releases.least import RESTS_ON as LEAST_RESTS_ON
from pufferproof.lp.accounting.releases.least import Who, least_of, who_of
from pufferproof.lp.accounting.releases.plan import Plan
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.recorded.boxes import confidence_box
from pufferproof.models.files.recorded.chains import Counts, Options
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.fit import PRIOR, Fit
from pufferproof.models.files.recorded.groups import kind_lines
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_least, at_most, percent, quoted, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import preview
from pufferproof.reports.console.drawing import rendered
from pufferproof.reports.console.options import AsJson, ShareItems, parsed_level, plot_name
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.people import lines_at_scale
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import tell
from pufferproof.reports.console.words import claims_lines, counted, level_nats, trust_line
from pufferproof.reports.correlation.calibrate.task import Task, exact_quilts
from pufferproof.reports.correlation.fit import numbers
from pufferproof.reports.correlation.fit.each import Each
from pufferproof.reports.correlation.fit.numbers import UNWRITTEN, Read, read_lines
from pufferproof.reports.schemas.fit import ChainFit
from pufferproof.reports.schemas.values import Basis
from pufferproof.verify.audit import audit
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.scale.between import BETWEEN_RESTS_ON as BETWEEN_RESTS_ON

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


# Least --------------------------------------------------------------------------------------------
#
# The least noise for what was recorded: how much Laplace noise a count of a day, of a week, or of
# the framework that is written needs, so that no private value leaks more than a level.
#
# The engines are those of `calibrate --tight`, asked only where their work is small: exact laws,
# and of longer histograms bounds by tilts and windows. Where it is not, a scale that is enough
# comes from Markov quilts.

_SPANS = {"day": timedelta(days=1), "week": timedelta(days=7)}
_MOST_COUNTS = 30_000  # of one value: records and one, times private ones
_MOST_HISTOGRAMS = 20_000  # square of the number of histograms, times private records
_MOST_BOUNDED = 80  # pairs of values of private records, of a histogram that is bounded
_LONGEST = 1_000  # records of a histogram that is bounded
_LONGEST_OF_QUILTS = 10_000  # records for which quilts are tried
_CLOSE = Fraction(1, 10**9)  # how much wider the bounds of one number are at most
_LONG = "the least takes longer than seconds"
_BOX = "bounds for a box take longer than seconds"
_PRIVACY = "as if all records changed"
_LONGEST_OF_BOX = 31  # records of two values
_FIRST = Enclosure("1", "1")
_MANY, _SHARE = 100, Fraction(9, 10)  # departures, below which a row is in a box of this confidence
_INFINITE = Fraction(10**400)


@dataclass(frozen=True)
class Range:
    """What noise leaks at the ends of a 90% box of the rows that are estimated from few departures,
    at most 100, the others as estimated: the least and the largest leakage.
    """

    rows: tuple[str, ...]
    lower: Leakage
    upper: Leakage

    @classmethod
    def of(cls, fit: Fit, query: RecordQuery) -> "Range | None":
        """Return the range, None if no row has so few departures or the chain is of a higher
        order.
        """
        counts, size = fit.counts, len(fit.states)
        if fit.options.order > 1 or not isinstance(fit.prior, MarkovChain):
            return None
        short = [x for x, row in enumerate(counts.rows) if 0 < sum(row) < _MANY and len(counts.free[x]) > 1]
        if not short:
            return None
        box = confidence_box(counts.rows, _SHARE, "any", counts.free, recordings=[counts.rows])
        ends = [_ends(x, box.lower[x], box.upper[x], fit.prior.transition[x]) for x in short]
        picks = product((0, 1), repeat=len(short)) if size == 2 else ((k,) * size for k in (0, 1))
        found = []
        for pick in picks:
            rows: list[Sequence[Fraction]] = list(fit.prior.transition)
            for place, x in enumerate(short):
                rows[x] = ends[place][pick[place]]
            prior = MarkovChain(fit.prior.initial, rows)
            framework = Framework(fit.records, fit.secrets, "disjoint", {PRIOR: prior})
            found.append(audit(framework, query).leakage)
        found.sort(key=_size)
        return cls(tuple(fit.states[x] for x in short), found[0], found[-1])

    def as_json(self) -> JsonObject:
        """Return what is printed."""
        ends = {"lower": self.lower.as_json(), "upper": self.upper.as_json()}
        return {"confidence": text_of(_SHARE), "rows": list(self.rows), **ends}

    @property
    def text(self) -> str:
        """Say the range, rounded."""
        low, high = ("infinite" if each.infinite else f"{float(_size(each)):.3g}" for each in (self.lower, self.upper))
        rows = f"{'the row' if len(self.rows) == 1 else 'the rows'} of {preview(self.rows)}"
        return (
            f"this noise leaks {low} to {high} nats at the ends of a {percent(_SHARE)} box of "
            f"{rows}, from under {_MANY} departures"
        )


def _size(leakage: Leakage) -> Fraction:
    return _INFINITE if leakage.infinite else exact(leakage.enclosure().upper)


def _ends(
    x: int, lower: Sequence[Fraction], upper: Sequence[Fraction], row: Sequence[Fraction]
) -> list[list[Fraction]]:
    """Return the rows of a box in which x is followed by itself most often, and least often."""
    others = sorted((y for y in range(len(row)) if y != x), key=lambda y: -row[y])
    found = []
    for order in ([x, *others], [*others, x]):
        given, left = list(lower), 1 - sum(lower)
        for y in order:
            more = min(left, upper[y] - lower[y])
            given[y], left = given[y] + more, left - more
        found.append(given)
    return found


@dataclass(frozen=True)
class LeastNoise:
    """The least scale of Laplace noise for a window of so many records, of which some are private,
    or the `reason` why it is not computed, and a scale that is `enough`. It rests on `claims`.
    """

    window: str
    records: int
    private: int
    scale: Enclosure | None
    reason: str | None = None
    claims: tuple[str, ...] = ()
    enough: Enclosure | None = None
    by: str = "by Markov quilts"
    range: "Range | None" = None

    def as_json(self) -> JsonObject:
        """Return what is printed."""
        fields = {"window": self.window, "records": self.records, "private": self.private}
        scales = {"scale": self.scale, "enough": self.enough}
        return (
            fields
            | {"reason": self.reason, "range": None if self.range is None else self.range.as_json()}
            | {name: None if scale is None else scale.as_json() for name, scale in scales.items()}
        )


def least_noise(fit: Fit, level: Level) -> list[LeastNoise]:
    """Return the least scales for a day and a week whose records are all private, where times say
    what these are, and for the framework of the fit.

    What is released is how often the last of two values occurs, or else the histogram.
    """
    return [_least(name, window, level) for name, window in steps(list(_windows(fit)), "releases")]


def released(fit: Fit) -> str:
    """Say what is released."""
    return f'number of "{fit.states[-1]}"' if len(fit.states) == 2 else "histogram"


def least_lines(
    fit: Fit, level: Level, found: list[LeastNoise], path: str | None, who: tuple[Who, Enclosure] | None = None
) -> list[str]:
    """Say the least scales, rounded up, and what to do where there is none; and about whom most is
    told.
    """
    lines = []
    for row in found:
        which = "all" if row.private == row.records else f"{row.private}"
        window = f"{row.window} ({counted(row.records, 'record')}, {which} private)"
        said = f"not computed: {row.reason}"
        if row.enough is not None:
            enough = at_most(row.enough.upper, 5)
            said = f"at most {enough}, {row.by} ({row.reason})"
        if row.scale is not None:
            low, high = exact(row.scale.lower), exact(row.scale.upper)
            said = f"scale {at_most(row.scale.upper, 10)}"
            if high - low > _CLOSE * high:
                said = f"scale between {at_least(row.scale.lower, 5)} and {at_most(row.scale.upper, 5)}"
        lines.append(f"least     {window}: {said}")
        if row.range is not None:
            lines.append(f"          {row.range.text}")
    what = f"{released(fit)}, with Laplace noise that leaks at most {level_nats(level)}"
    lines.insert(0, f"release   {what} about any private value")
    query = quote(f"count={fit.states[-1]}" if len(fit.states) == 2 else "histogram")
    lines += [] if who is None else lines_at_scale(*who, level)
    lines.append(
        f"next      pufferproof calibrate {quote(path) if path else 'FRAMEWORK'} --query {query} "
        f"--epsilon {quote(str(level))} --compare"
    )
    return lines


def _windows(fit: Fit) -> Iterator[tuple[str, Fit]]:
    timing = fit.recorded.reading.timing
    if timing is not None and timing.span:
        for name, span in _SPANS.items():
            if span % timing.span == timedelta(0) and span > timing.span:
                length = span // timing.span
                first = "" if fit.initial == "stationary" else "first "
                every = tuple(range(1, length + 1))
                options = replace(fit.options, length=length, private=every)
                yield f"{first}{name}", Fit(fit.recorded, options)
    yield "framework", fit


def _least(name: str, fit: Fit, level: Level) -> LeastNoise:
    count, private = fit.records.count, len(fit.private)
    bounded = not _short(len(fit.states), count, private)
    quilts = bounded and not _few(len(fit.states), count, private)
    if fit.box is not None:
        return _in_box(name, fit, level)
    reason = None
    if fit.records.people > 1:
        reason = "it is for one person"
    if reason is None and quilts and (count > _LONGEST_OF_QUILTS or fit.options.order > 1):
        reason = _LONG
    if reason is not None:
        return LeastNoise(name, count, private, None, reason)
    shape = Loaded(FrameworkFile.model_validate(fit.document()), "framework", "")
    one = len(fit.states) == 2
    query, value = ("count", fit.states[-1]) if one else ("histogram", None)
    task = Task(shape, query, level, every_record=False, counted=value)
    if quilts:
        return _enough(name, fit, task)
    try:
        scale = task.between(_FIRST) if bounded else task.tight(_FIRST)
    except ModelError as error:
        return LeastNoise(name, count, private, None, error.what)
    claims = BETWEEN_RESTS_ON if bounded else task.tight_rests_on
    noise = Noise("laplace", exact(scale.upper))
    asked = RecordQuery(query, noise, fit.records, counted=value)
    range_ = None if bounded else Range.of(fit, asked)
    return LeastNoise(name, count, private, scale, None, tuple(claims), range=range_)


def _in_box(name: str, fit: Fit, level: Level) -> LeastNoise:
    """Return the least scale for a box of chains of two values if that takes seconds, else one that
    is enough: a count of n records differs by at most n, a histogram by 2 n.
    """
    count, private, box = fit.records.count, len(fit.private), fit.box
    low = Fraction(0) if box is None else min(min(row) for row in box.lower)
    if len(fit.states) == 2 and low > 0 and count <= _LONGEST_OF_BOX and fit.records.people == 1:
        query = released_query(fit, _FIRST)
        least = least_of(audit(fit.framework, query, level))
        if least is not None:
            return LeastNoise(name, count, private, least, claims=LEAST_RESTS_ON)
    most = count if len(fit.states) == 2 else 2 * count
    ends = (most / exact(end) for end in (level.enclosure().upper, level.enclosure().lower))
    claims = ("general.group-privacy-paths",)
    return LeastNoise(name, count, private, None, _BOX, claims, enclose(*ends), _PRIVACY)


def released_query(fit: Fit, scale: Enclosure) -> RecordQuery:
    """Return what is released, with Laplace noise of a scale."""
    noise = Noise.laplace(scale.upper)
    if len(fit.states) == 2:
        return RecordQuery("count", noise, fit.records, counted=fit.states[-1])
    return RecordQuery("histogram", noise, fit.records)


def who_at(fit: Fit, level: Level, found: Sequence[LeastNoise]) -> tuple[Who, Enclosure] | None:
    """Return what is told about each group with the noise for the framework, and its scale; None
    without groups, or if no such scale is known.
    """
    scale = found[-1].scale or found[-1].enough
    if scale is None or len(fit.groups) < 2:
        return None
    queries = (released_query(fit, scale),)
    who = who_of(Plan(fit.framework, (queries,), level, data=("", fit)))
    return None if who is None else (who, scale)


def _enough(name: str, fit: Fit, task: Task) -> LeastNoise:
    """Return a scale that Markov quilts of a chain of order 1 ask for: more than the least."""
    count, private = fit.records.count, len(fit.private)
    try:
        found = exact_quilts(task)
    except ModelError as error:
        return LeastNoise(name, count, private, None, error.what)
    return LeastNoise(name, count, private, None, _LONG, found.claims, found.enclosure())


def _short(values: int, count: int, private: int) -> bool:
    """Return whether exact laws take seconds."""
    if values == 2:
        return (count + 1) * private <= _MOST_COUNTS
    histograms = comb(count + values - 1, values - 1)
    return histograms**2 * private <= _MOST_HISTOGRAMS


def _few(values: int, count: int, private: int) -> bool:
    """Return whether bounds take seconds."""
    return count <= _LONGEST and private * comb(values, 2) <= _MOST_BOUNDED


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
