"""Plans of releases over time: a file that says which noisy queries, tables or programs are
released of which windows of records.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import comb
from pathlib import Path, PurePosixPath
from typing import Any

from pufferproof.lp.accounting.releases.data import of_data
from pufferproof.lp.accounting.releases.windows import WindowMechanism, mechanisms_of
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.mechanisms import noise_of
from pufferproof.models.files.programs import UNTRUSTED, Calls, expect_used, is_callable, made_by
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_inside, digest, in_file, read_loaded, reading_once
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups import MOST_PRIORS
from pufferproof.models.files.recorded.sources.gathering import MAX_TABLE
from pufferproof.models.files.shapes import CountShape, PlanFile, PlannedShape, WordsShape
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.library import ASSUMED, LibraryMechanism
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.noise.records import windows_of as windows
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import did_you_mean, quoted
from pufferproof.models.priors.records import preview

MOST_RELEASES = 100_000
FEWEST_COMPARED = 20  # groups that the chain of all fits worst
_MOST_WORK = 50_000_000  # of comparing groups


@dataclass(frozen=True)
class NoiseObject:
    """An object of a library in a plan: its name, how it was read, and the file of its module."""

    name: str
    read: LibraryMechanism = field(repr=False)
    named: Mapping[str, bytes] = field(repr=False)

    @property
    def queries(self) -> tuple[RecordQuery, ...]:
        """Its windows."""
        form: Any = self.read.value
        return tuple(form.queries)


@dataclass(frozen=True)
class Plan:
    """A framework, groups of releases in the order of the file, each of windows in the order of
    time, and the level that all of them together should keep, None if none is asked for.

    >>> from pufferproof import MarkovChain, Noise, Records
    >>> records = Records(4, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x2=0": (2, "0"), "x2=1": (2, "1")}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> halves = [RecordQuery("sum", Noise.laplace(1), records, ends) for ends in ((1, 2), (3, 4))]
    >>> len(Plan(framework, (tuple(halves),)).releases)
    2
    """

    framework: Framework
    groups: tuple[tuple[RecordQuery | WindowMechanism, ...], ...]
    budget: Level | None = None
    source: tuple[str, bytes] = ("framework.json", b"")  # of the framework: a file, or as one
    named: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # its file, if it has one
    doubts: tuple[Doubt, ...] = ()  # about a chain that was fitted to data
    assumed: tuple[str, ...] = ()  # beside the chain
    objects: tuple[NoiseObject, ...] = ()  # of libraries, whose noise the releases have
    words: WordsShape = field(default_factory=WordsShape)
    data: tuple[str, Fit] | None = None  # the name of its file, and the chain that is fitted to it

    @property
    def believed(self) -> tuple[str, ...]:
        """What is assumed beside the chain: of code also what its objects do not show."""
        tables = any(each.named and each.program is None for each in self.mechanisms)
        code = self.objects or (tables and any(is_callable(each.name) for each in self.mechanisms))
        return (*self.assumed, *([ASSUMED] if code else []))

    @property
    def releases(self) -> list[RecordQuery | WindowMechanism]:
        """All releases: numbered from 1, in this order."""
        return [release for group in self.groups for release in group]

    @property
    def most_compared(self) -> int:
        """For how many groups it is computed what they leak: up to 1,000 where that is little work,
        at least 20, and 20 for mechanisms and for windows that overlap.

        The work of a query is the number of histograms of its records (of how often a value occurs,
        of counts) times records, private ones, and squared values.
        """
        records = self.framework.expect_records()
        if self.mechanisms or self.overlapping:
            return FEWEST_COMPARED
        private = len({record for record, _ in self.framework.places.values()})
        work = 0
        for query in self.queries:
            size = 2 if query.query == "count" else len(records.alphabet)
            histograms = comb(records.count + size - 1, size - 1)
            work += histograms * records.count * private * len(records.alphabet) ** 2
        return max(FEWEST_COMPARED, min(MOST_PRIORS, _MOST_WORK // max(work, 1)))

    @property
    def queries(self) -> list[RecordQuery]:
        """The releases, if they are queries with noise."""
        return [release for release in self.releases if isinstance(release, RecordQuery)]

    @property
    def mechanisms(self) -> list[WindowMechanism]:
        """The releases, if they are tables and programs."""
        return [release for release in self.releases if isinstance(release, WindowMechanism)]

    @property
    def overlapping(self) -> bool:
        """Whether some record is in more than one window."""
        ends = sorted(each.ends for each in self.releases)
        return any(one[1] >= two[0] for one, two in pairwise(ends))


def read_plan(path: str | Path, calls: Calls = UNTRUSTED) -> Loaded[Plan]:
    """Read a plan, with the framework or the data that it names, which stand in its folder; `calls`
    say whether code may run, and how.

    Raises `ModelError` naming the file, the key, what was expected and found.
    """
    loaded = read_loaded(path, PlanFile)
    shape, objects = loaded.value, list[NoiseObject]()
    calls = replace(calls, folder=str(Path(path).parent))
    with in_file(path):
        budget = None if shape.budget is None else Level.coerce(shape.budget, "budget")
    expect_used(calls, [str(each.mechanism or path) for each in shape.release])
    with reading_once():
        given, source, fit = _named_by(path, shape)
    framework = given.value
    with in_file(path):
        groups = []
        for number, each in enumerate(shape.release, 1):
            try:
                groups.append(tuple(_released(each, framework, calls, objects)))
            except ModelError as error:
                raise error.within(f"release {number}") from None
        if sum(map(len, groups)) > MOST_RELEASES:
            raise ModelError(f"expected at most {MOST_RELEASES} releases", "release")
        doubts, assumed = (fit.doubts, tuple(fit.beside)) if fit is not None else ((), ())
        plan = Plan(
            framework,
            tuple(groups),
            budget,
            source,
            _files_of(given, shape, source[1]),
            doubts,
            assumed,
            objects=tuple(objects),
            words=_words(shape.words, framework),
            data=None if fit is None or shape.data is None else (shape.data.csv, fit),
        )
        if plan.queries and plan.mechanisms:
            raise ModelError(
                "expected queries with noise, or mechanisms alone, found both: a program may add the noise itself",
                "release",
            )
    return loaded.holding(plan)


def _words(shape: WordsShape | None, framework: Framework) -> WordsShape:
    """Return the words of a plan. Raises `ModelError` unless they are about its records."""
    records, words = framework.expect_records(), shape or WordsShape()
    try:
        words.expect_about(records.alphabet, records.count)
    except ModelError as error:
        raise error.within("words") from None
    return words


def _named_by(path: str | Path, shape: PlanFile) -> tuple[Loaded[Framework], tuple[str, bytes], Fit | None]:
    """Return the framework that a plan names, or that of the data it names, what its file is, and
    the chain that is fitted to the data.
    """
    given, content = named_file(path, shape)
    if shape.data is not None:
        framework, source, fit = of_data(shape.data, given)
        return Loaded(framework, str(given), digest(content)), source, fit
    return read_valued(given), (f"framework{given.suffix.lower()}", content), None


def _files_of(given: Loaded[Framework], shape: PlanFile, content: bytes) -> dict[str, bytes]:
    """Return the framework that a plan names and the files that this names, by their places beside
    the plan; the latter beside a framework in the plan's folder, too. Data are none of them.
    """
    if shape.framework is None:
        return {}
    name = PurePosixPath(shape.framework)
    files = {str(name): content}
    for folder in (PurePosixPath(), name.parent):
        files |= {str(folder / each): data for each, data in given.named.items()}
    return files


def named_file(path: str | Path, shape: PlanFile) -> tuple[Path, bytes]:
    """Read the framework or the data that a plan names; return its path and content.

    Raises `ModelError` unless it lies in the plan's folder: evidence is packed with it.
    """
    folder, data = Path(path).parent, shape.data
    key, name = ("framework", shape.framework or "") if data is None else ("data.csv", data.csv)
    try:
        content = bytes_inside(folder, name, MAX_BYTES if data is None else MAX_TABLE)
    except ModelError as error:
        raise error.within(f"{path}: {key}") from None
    return folder / name, content


def _released(
    shape: PlannedShape, framework: Framework, calls: Calls, objects: list[NoiseObject]
) -> Iterable[RecordQuery | WindowMechanism]:
    """Return a query or a mechanism for every window; `objects` takes that of a library."""
    if framework.records is None and framework.neighbours is None:
        raise ModelError('expected a framework with "records" instead of "databases"', "framework")
    records = framework.expect_records()
    windows = windows_of(shape, records.count)
    if shape.mechanism is not None:
        folder = Path(calls.folder or "")
        return mechanisms_of(shape.mechanism, list(windows), framework, calls, folder)
    assert shape.query is not None
    assert shape.noise is not None
    counted, of = None, None
    if isinstance(shape.query, CountShape):
        counted, of = shape.query.count, shape.query.of
        if counted not in records.alphabet:
            known = f"{preview(records.alphabet)}{did_you_mean(counted, records.alphabet)}"
            raise ModelError(f"{quoted(counted)} is no value of the records, expected {known}", "query.count")
    name = "count" if isinstance(shape.query, CountShape) else shape.query
    chosen = None if of is None else tuple(of)
    if shape.noise.python is None:
        noise = noise_of(shape.noise)
        return [RecordQuery(name, noise, records, ends, counted, chosen) for ends in windows]
    with extras:
        from pufferproof.models.mechanisms.adapters.entry import on_windows
    code, ends = shape.noise.python, list(windows)
    with in_file(code):
        made = made_by(code, calls)
        read = on_windows(made.value, records, name, ends, counted=counted, of=chosen)
        again = made_by(code, calls)
        more = on_windows(again.value, records, name, ends[:1], counted=counted, of=chosen)
        _expect_same(read, more)
    objects.append(NoiseObject(code, read, made.named))
    return objects[-1].queries


def _expect_same(read: LibraryMechanism, again: LibraryMechanism) -> None:
    """Raise `ModelError` unless a function that makes an object made one with the same noise when
    it was called again.
    """
    first: Any = read.value
    second: Any = again.value
    one, other = first.queries[0].noise, second.queries[0].noise
    if one != other:
        raise ModelError(
            f"made an object with {other.kind} noise of {other.text} when it was called again, "
            f"after {one.kind} noise of {one.text}: expected a function that keeps no state, with "
            "the same noise for every release"
        )


def windows_of(shape: PlannedShape, count: int) -> Iterator[tuple[int, int] | None]:
    """Yield the first and last record of every window, None for all records. Raises `ModelError`
    unless they lie in so many records.
    """
    asked = shape.records
    if asked is None:
        yield None
        return
    hint = "the framework, or `length` in [data], says how many there are"
    yield from windows(count, asked.first, asked.length, asked.every, asked.times, where="records", hint=hint)
