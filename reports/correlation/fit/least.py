"""The least noise for what was recorded: how much Laplace noise a count of a day, of a week, or of
the framework that is written needs, so that no private value leaks more than a level.

The engines are those of `calibrate --tight`, asked only where their work is small: exact laws,
and of longer histograms bounds by tilts and windows. Where it is not, a scale that is enough
comes from Markov quilts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from itertools import product
from math import comb
from shlex import quote

from pufferproof.lp.accounting.releases.least import RESTS_ON as LEAST_RESTS_ON
from pufferproof.lp.accounting.releases.least import Who, least_of, who_of
from pufferproof.lp.accounting.releases.plan import Plan
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded
from pufferproof.models.files.recorded.boxes import confidence_box
from pufferproof.models.files.recorded.fit import PRIOR, Fit
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_least, at_most, percent, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import preview
from pufferproof.reports.console.people import lines_at_scale
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.reports.correlation.calibrate.task import Task, exact_quilts
from pufferproof.verify.audit import audit
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.scale.between import BETWEEN_RESTS_ON as BETWEEN_RESTS_ON

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
