"""What mechanisms of windows of records leak together: tables, and programs that are run on every
window.

    P(y_1, .., y_k | x) = prod_j P_j(y_j | x_a .. x_b),   window j from record a to record b

A table of windows becomes one of all databases, whose rows depend on the records of the window.
Mechanisms of single records, and those given record by record, become one mechanism along the
records, so that long sequences are never listed. All together are composed as any mechanisms are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.files.mechanisms import channel_of, given_in, local_of
from pufferproof.models.files.programs import Calls, Program, is_callable, read_code
from pufferproof.models.files.reading import MAX_BYTES, bytes_inside, in_file
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.records import Records, preview, separator, several_people
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.audit.decide import law_alone
from pufferproof.verify.leakage.ratio import Leakage

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
            windows = self._windows(framework.of_laws())
        except TooLargeError as error:
            raise TooLargeError(
                f"{error.what.partition(':')[0]}, where {self.name} needs a list: write it for one "
                "record, with windows of length 1, or with --records each",
                error.where,
            ) from None
        with in_file(self.name):
            return _lifted(self.law, windows)

    def _windows(self, space: Framework) -> dict[str, str]:
        """Return the window of every possible database, and of impossible ones whose row the table
        has: a certificate holds the whole table.
        """
        rows = self.law.position if isinstance(self.law, Channel) else {}
        windows = {x: window_of(x, self.records, self.ends) for x in space.databases}
        return {
            x: window for place, (x, window) in enumerate(windows.items()) if place in space.support or window in rows
        }


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
                possible = _possible(framework, records, windows, size)
                laws[size] = _of_code(name, inside, possible, calls)
            else:
                laws[size] = _of_file(name, inside, folder)
        law, program, named = laws[size]
        yield WindowMechanism(name, law, records, segment, program, named)


def _possible(framework: Framework, records: Records, windows: Sequence[Ends | None], size: int) -> Sequence[str]:
    """Return the labels of windows of some size on which a program is run: those of possible
    databases, where these can be listed.
    """
    if not records.enumerable:
        return records.alphabet if size == 1 else ()
    space = framework.of_laws()
    ends = {each or (1, records.count) for each in windows}
    same = [each for each in ends if each[1] - each[0] + 1 == size]
    databases = [space.databases[index] for index in sorted(space.support)]
    return sorted({window_of(x, records, each) for x in databases for each in same})


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
        for _, outputs, windows in layers:
            if outputs == local.outputs and windows[-1][0][1] < each.ends[0]:
                windows.append((each.ends, local))
                break
        else:
            layers.append((each.records, local.outputs, [(each.ends, local)]))
    return layers


def alone_of(
    framework: Framework, group: Sequence[WindowMechanism], joint: Leakage, told: Callable[[int], Any]
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
