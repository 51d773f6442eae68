"""Plans of releases over time: a file that says which noisy queries, tables or programs are
released of which windows of records.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError, extras
from pufferproof.models.files.frameworks import read_valued
from pufferproof.models.files.mechanisms import channel_of, given_in, local_of, noise_of
from pufferproof.models.files.programs import UNTRUSTED, Calls, Program, expect_used, is_callable, made_by, read_code
from pufferproof.models.files.reading import (
    MAX_BYTES,
    Loaded,
    bytes_inside,
    bytes_of,
    digest,
    document_of,
    in_file,
    read_loaded,
    reading_once,
)
from pufferproof.models.files.recorded.chains import Options, StatedFramework, rendered
from pufferproof.models.files.recorded.doubts.comparison import Doubt
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups import MOST_PRIORS
from pufferproof.models.files.recorded.sources.gathering import MAX_TABLE, Asked, Classes
from pufferproof.models.files.recorded.table import read_column
from pufferproof.models.files.shapes import CountShape, FrameworkFile
from pufferproof.models.files.shapes.plans import DataShape, PlanFile, PlannedShape, PlanShape, WordsShape
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.library import ASSUMED, LibraryMechanism
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.records import windows_of as windows
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import did_you_mean, quoted, shown
from pufferproof.models.priors.records import Records, preview, separator, several_people
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.audit.decide import law_alone
from pufferproof.verify.leakage.ratio import Leakage

# The chain that a plan, or a framework file, fits to recorded data, and the framework that it is a prior of.


class FittedFile(PlanShape):
    """A framework of recorded data: a table `data` has the keys that it has in a plan."""

    format: Literal["pufferproof-framework/1"]
    data: DataShape


@dataclass(frozen=True)
class Fitted:
    """A framework file that names recorded data: the framework as a file would have it, and the
    chain that is fitted.
    """

    described: Loaded[FrameworkFile]
    fit: Fit


def read_fitted(path: str | Path) -> Fitted | None:
    """Read a framework file with a table `data`, None if it has none. The data lie in its folder.

    Raises `ModelError` naming the file, the key, what was expected and found.
    """
    with in_file(path):
        document = document_of(path, bytes_of(path, MAX_BYTES))
    if not isinstance(document, dict) or "data" not in document:
        return None
    loaded = read_loaded(path, FittedFile)
    folder, name = Path(path).parent, loaded.value.data.csv
    with reading_once():
        try:
            content = bytes_inside(folder, name, MAX_TABLE)
        except ModelError as error:
            raise error.within(f"{path}: data.csv") from None
        _, (_, text), fit = of_data(loaded.value.data, folder / name)
    shape = FrameworkFile.model_validate(json.loads(text))
    return Fitted(Loaded(shape, str(path), digest(loaded.sha256.encode(), content)), fit)


def of_data(data: DataShape, path: Path) -> tuple[Framework, tuple[str, bytes], Fit]:
    """Return the framework of the chain that is fitted to data, with every record secret or those
    it names, what its file is, and the fitted chain.
    """
    recorded = read_column(path, _asked(data)).value
    with in_file(path):
        share = data.confidence
        options = Options.of(
            1,
            data.smoothing,
            share,
            None,
            data.length,
            1,
            data.people,
            absorbing=data.absorbing,
            stopping=data.stopping,
            kinds=data.kinds,
            never=data.never,
            thin=data.thin,
        )
        fit = Fit(recorded, options)
        priors, records = fit.priors, fit.records
        private = range(1, records.count + 1) if data.private is None else sorted({*data.private})
        if not 1 <= private[0] <= private[-1] <= records.count:
            raise ModelError(f"expected records from 1 to {records.count}", "data.private")
        secrets = {f"x{t}={v}": (t, v) for t in private for v in recorded.states}
        framework = Framework.of_records(records, secrets, "disjoint", priors)
    text = rendered(StatedFramework(records, secrets, priors))
    return framework, ("framework.json", text.encode()), fit


def _asked(data: DataShape) -> Asked:
    """Return what a plan asks of its data. Raises `ModelError` naming a key."""
    try:
        classes = None if data.classes is None else Classes.of(data.classes, data.decimal)
        if data.cuts is not None:
            if classes is not None:
                raise ModelError("expected either cuts or classes", "classes")
            classes = Classes(tuple(sorted(data.cuts)), numbered=True)
        return Asked.of(
            data.column,
            data.group,
            classes=classes,
            time=data.time,
            missing=data.missing,
            separator=data.separator,
            decimal=data.decimal,
            sheet=data.sheet,
            na=data.na,
        )
    except ModelError as error:
        raise error.within("data") from None


# What mechanisms of windows of records leak together: tables, and programs that are run on every window.
#
#     P(y_1, .., y_k | x) = prod_j P_j(y_j | x_a .. x_b),   window j from record a to record b
#
# A table of windows becomes one of all databases, whose rows depend on the records of the window. Mechanisms of single
# records, and those given record by record, become one mechanism along the records, so that long sequences are never
# listed. All together are composed as any mechanisms are.

SILENT = "-"  # of a record that is in no window
AUDITED = 200  # windows that are audited one by one
_FORMS = "expected a table (JSON or TOML with channel, local or redaction), or module:function"
Listed = Channel | PowerTable | PartialTable
Law = Listed | AdditiveNoise | NoisyQueries | LocalMechanism
Ends = tuple[int, int]


@dataclass(frozen=True)
class WindowMechanism:
    """A mechanism of the records of a window, by its law on their values. `program` is the program
    whose law it is, if it is one, and `named` has the files that it comes from.
    """

    name: str
    law: Law
    records: Records
    segment: Ends | None = None
    program: Any = None
    named: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def ends(self) -> Ends:
        """The first and the last record of the window."""
        return self.segment or (1, self.records.count)

    @property
    def alone(self) -> LocalMechanism | None:
        """The law record by record, if it is known so."""
        if isinstance(self.law, LocalMechanism):
            return self.law
        first, last = self.ends
        if first < last or not isinstance(self.law, Channel):
            return None
        law, values = self.law, self.records.alphabet
        if not set(values) <= set(law.databases):
            return None
        rows = [[law.probability(x, y) for y in law.outputs] for x in values]
        return LocalMechanism.of(values, law.outputs, [rows])

    def over(self, framework: Framework) -> Law:
        """Return the same mechanism of all records. Raises `ModelError` unless it has a row for
        every possible window, `TooLargeError` where databases are too many to list.
        """
        if (local := self.alone) is not None:
            return _along(self.records, local.outputs, [(self.ends, local)])
        try:
            # the window of every possible database, and of impossible ones whose row the table
            # has: a certificate holds the whole table
            space = framework.of_laws()
            rows = self.law.position if isinstance(self.law, Channel) else {}
            every = {x: window_of(x, self.records, self.ends) for x in space.databases}
            windows = {
                x: window for place, (x, window) in enumerate(every.items()) if place in space.support or window in rows
            }
        except TooLargeError as error:
            raise TooLargeError(
                f"{error.what.partition(':')[0]}, where {self.name} needs a list: write it for one "
                "record, with windows of length 1, or with --records each",
                error.where,
            ) from None
        with in_file(self.name):
            return _lifted(self.law, windows)


def window_of(database: str, records: Records, ends: Ends) -> str:
    """Return the label of the records of a window.

    >>> window_of("0110", Records(4, ("0", "1")), (2, 3))
    '11'
    """
    joint = separator(records.alphabet)
    values = database.split(joint) if joint else database
    return joint.join(values[ends[0] - 1 : ends[1]])


def _lifted(law: Law, windows: Mapping[str, str]) -> Law:
    """Return the law of databases by their windows."""
    if isinstance(law, Channel):
        for window in dict.fromkeys(windows.values()):
            if window not in law.position:
                raise ModelError(
                    f'no row for the window "{window}", which is possible; rows are for {preview(law.databases)}',
                    "channel",
                )
        known = {x: [law.probability(x, y) for y in law.outputs] for x in set(windows.values())}
        return Channel.by_value(windows, known.__getitem__, law.outputs)
    if isinstance(law, AdditiveNoise):
        return _query_of(law, windows)
    if isinstance(law, NoisyQueries):
        queries = [each for each in law.queries if isinstance(each, AdditiveNoise)]
        return NoisyQueries(tuple(_query_of(each, windows) for each in queries))
    assert isinstance(law, PowerTable | PartialTable)
    rows = [row_of(law, window) for window in windows.values()]
    same: dict[str, Any] = {
        "databases": tuple(windows),
        "entries": tuple(law.entries[row] for row in rows),
        "totals": tuple(law.totals[row] for row in rows) if law.totals else (),
    }
    if isinstance(law, PowerTable):
        return replace(law, **same)
    if isinstance(law, NormalTable):
        same["laws"] = tuple(law.laws[row] for row in rows)
    densities = {output: tuple(each[row] for row in rows) for output, each in law.densities.items()}
    return replace(law, **same, left=tuple(law.left[row] for row in rows), densities=densities)


def _query_of(query: AdditiveNoise, windows: Mapping[str, str]) -> AdditiveNoise:
    return replace(query, values={x: query.values[window] for x, window in windows.items()})


def _along(records: Records, outputs: Sequence[str], windows: Sequence[tuple[Ends, LocalMechanism]]) -> LocalMechanism:
    """Return mechanisms of disjoint windows as one along all records: others show nothing."""
    some = sum(last - first + 1 for (first, last), _ in windows) < records.count
    names = (*outputs, SILENT) if some else tuple(outputs)
    if some and SILENT in outputs:
        raise ModelError(f'expected outputs other than "{SILENT}", which others show', "mechanism")
    nothing = [[int(name == SILENT) for name in names]] * len(records.alphabet)
    every: list[Any] = [nothing] * records.count
    for (first, _), local in windows:
        for place, channel in enumerate(local.records):
            every[first - 1 + place] = [[*row, 0] for row in channel] if some else channel
    return LocalMechanism.of(records.alphabet, names, every)


def mechanisms_of(
    name: str, windows: Sequence[Ends | None], framework: Framework, calls: Calls, folder: Path
) -> Iterator[WindowMechanism]:
    """Yield a mechanism for every window: a table of a file in a folder, or code, by its name.

    Raises `ModelError` unless it can be read, and fits the windows.
    """
    records = framework.expect_records()
    if records.people > 1:
        raise several_people(records.people)
    laws: dict[int, tuple[Law, Any, Mapping[str, bytes]]] = {}
    for segment in windows:
        first, last = segment or (1, records.count)
        size = last - first + 1
        if size not in laws:
            inside = Records(size, records.alphabet)
            if is_callable(name):
                # the labels of windows of some size on which a program is run: those of possible
                # databases, where these can be listed
                possible: Sequence[str]
                if not records.enumerable:
                    possible = records.alphabet if size == 1 else ()
                else:
                    space = framework.of_laws()
                    ends = {each or (1, records.count) for each in windows}
                    same = [each for each in ends if each[1] - each[0] + 1 == size]
                    databases = [space.databases[index] for index in sorted(space.support)]
                    possible = sorted({window_of(x, records, each) for x in databases for each in same})
                laws[size] = _of_code(name, inside, possible, calls)
            else:
                laws[size] = _of_file(name, inside, folder)
        law, program, named = laws[size]
        yield WindowMechanism(name, law, records, segment, program, named)


def _of_code(name: str, inside: Records, possible: Sequence[str], calls: Calls) -> tuple[Law, Any, Mapping[str, bytes]]:
    from pufferproof.verify.programs.mechanism import as_mechanism

    with in_file(name):
        code = read_code(name, calls)
        program = code.value.on(inside) if isinstance(code.value, Program) else code.value
        if calls.records == "each" and not isinstance(program, Program):
            raise ModelError("needs a program of (record, rng)", "--records each")
        if calls.records != "each" and not possible:
            raise TooLargeError(
                f"runs on every window of {inside.count} records, and databases are too many to "
                "list: write it for one record, with windows of length 1 or --records each"
            )
    if calls.records == "each" and isinstance(program, Program):
        derived: Any = law_alone(program).compare()
    elif isinstance(program, Program):
        derived = as_mechanism(program, possible, check=program.compared)
    else:
        derived = as_mechanism(program, possible)
    return derived.value, getattr(derived, "derived", None), code.named


def _of_file(name: str, inside: Records, folder: Path) -> tuple[Law, None, Mapping[str, bytes]]:
    with in_file(name):
        content = bytes_inside(folder, name, MAX_BYTES)
        given = given_in(folder / name)
        if isinstance(given, str):
            raise ModelError(f"{_FORMS}, found {shown(name)}")
        shape = given.value
        if shape.query is not None:
            raise ModelError('a query with noise stands in the plan, as "query" and "noise"')
        if shape.hidden_markov is not None:
            raise ModelError(_FORMS, "hidden_markov")
        if shape.channel is None:
            return local_of(shape, inside, normalize=False), None, {name: content}
        channel, labels = channel_of(shape, normalize=False), set(inside.labels())
        unknown = next((x for x in channel.databases if x not in labels), None)
        if unknown is not None:
            raise ModelError(f'unknown window "{unknown}", expected one of {preview(inside.labels())}', "channel")
        return channel, None, {name: content}


def together_of(framework: Framework, releases: Sequence[WindowMechanism], budget: Level | None) -> Composition:
    """Return what mechanisms of windows leak together, decided at a level if there is one.

    Raises `ModelError` unless they fit the framework, `TooLargeError` where they are too many.
    """
    noisy = [isinstance(each.law, AdditiveNoise | NoisyQueries) for each in releases]
    if any(noisy) and not all(noisy):
        releases = [
            replace(each, law=each.program.listed.value) if noise else each for each, noise in zip(releases, noisy)
        ]
    if all(each.alone is not None for each in releases):
        forms: list[Any] = [_along(*layer) for layer in _layers(releases)]
    else:
        known: dict[tuple[int, Ends], Any] = {}
        for each in releases:
            key = id(each.law), each.ends
            known[key] = known.get(key) or each.over(framework)
        forms = [known[id(each.law), each.ends] for each in releases]
    found = compose(framework, forms)
    programs = tuple(dict.fromkeys(each.program for each in releases if each.program is not None))
    joint = replace(found.joint, programs=programs)
    if budget is not None:
        joint = replace(joint, level=budget, kept=found.keeps(budget))
    return replace(found, joint=joint)


def _layers(
    releases: Sequence[WindowMechanism],
) -> list[tuple[Records, Sequence[str], list[tuple[Ends, LocalMechanism]]]]:
    """Return releases record by record in layers of windows that are disjoint, and have the same
    outputs.
    """
    layers: list[tuple[Records, Sequence[str], list[tuple[Ends, LocalMechanism]]]] = []
    for each in sorted(releases, key=lambda release: release.ends):
        local = each.alone
        assert local is not None
        for _, outputs, layer in layers:
            if outputs == local.outputs and layer[-1][0][1] < each.ends[0]:
                layer.append((each.ends, local))
                break
        else:
            layers.append((each.records, local.outputs, [(each.ends, local)]))
    return layers


def alone_of(
    framework: Framework, group: Sequence[WindowMechanism], joint: Leakage, told: Callable[[int], object]
) -> list[Leakage]:
    """Return what every window leaks alone: bounds of those beyond the nearest to the secrets."""
    secret = {record for record, _ in framework.places.values()} if framework.by_records else {1}

    def distance(place: int) -> int:
        first, last = group[place].ends
        return min(max(first - record, record - last, 0) for record in secret)

    leakages = [Leakage(Fraction(1), joint.upper)] * len(group)
    nearest = sorted(range(len(group)), key=distance)[:AUDITED]
    for done, place in enumerate(nearest):
        told(done)
        leakages[place] = audit(framework, group[place].over(framework)).leakage
    return leakages


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
        # raise `ModelError` unless a function that makes an object made one with the same noise
        # when it was called again
        first: Any = read.value
        second: Any = more.value
        one, other = first.queries[0].noise, second.queries[0].noise
        if one != other:
            raise ModelError(
                f"made an object with {other.kind} noise of {other.text} when it was called again, "
                f"after {one.kind} noise of {one.text}: expected a function that keeps no state, with "
                "the same noise for every release"
            )
    objects.append(NoiseObject(code, read, made.named))
    return objects[-1].queries


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
