"""The ledger: the file of an account, so that releases of different days add up; what one release
spends of each record, and what many spend.

    {"format": "pufferproof-ledger/1", "framework": "sha256:..",
     "releases": [{"name": "a.json", "runs": 1, "mechanism": {..}},
                  {"name": "level", "runs": 2, "levels": [{"records": [1, 9], "level": "log(2)"}]}]}

A release has its mechanism, written as a mechanism file, or the levels of some records. A ledger is
only ever extended: what is at a path is replaced by a ledger that begins with the same releases,
whole or not at all, and while it is compared and replaced nobody else writes one into its folder.
"""

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil, lcm
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr, model_validator
from pydantic_core import PydanticCustomError

from pufferproof.lp.levels import NOTHING, RecordLevels, Total
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import channel_of, local_of, noisy_from
from pufferproof.models.files.reading import MAX_BYTES, Loaded, beginning, digest, document_of, in_file, validated
from pufferproof.models.files.shapes import MechanismFile, Shape
from pufferproof.models.files.writing import (
    MECHANISM,
    framework_document,
    local_file,
    mechanism_document,
    query_document,
)
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.outputs import locked
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery, lipschitz_of_records, spread
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, shown, text_of
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import Mechanism, Plain, form_of, plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# What a mechanism spends of each record: its per-record level of differential privacy.
#
# The level at record j is the least e_j with P(w | x) <= e^e_j P(w | x') for all outputs w and all sequences x, x' of
# values that differ in record j alone, whether a prior allows them or not. Gaussian noise has no finite level, nor has
# an output that some value excludes. Independent releases have the sums of their levels (`summed`). `spending` says
# which level each kind of mechanism has.

RESTS_ON = ("worst.columns", "noise.lipschitz-tree")
_BITS = 256
_UNIT = Fraction(1, 1 << _BITS)  # of levels that are rounded up
_LONGEST = 2_048  # bits of a sum that is exact

Spent = tuple[RecordLevels, int]
_NEAR = 1e-12  # far above the relative error of a quotient of floats
_LEAST = 1e-290  # below, floats are not accurate


@dataclass(frozen=True)
class Spending:
    """The level of every record, or None and why there is none."""

    levels: RecordLevels | None
    reason: str = ""


class _NoLevelError(Exception):
    """A mechanism has no finite level, and why."""


def spending(framework: Framework, mechanism: Plain) -> Spending:
    """Return what a mechanism spends of each record.

    | mechanism | e_j |
    |---|---|
    | query of records with noise | L times the rate of the noise on its segment, 0 elsewhere |
    | table of values with noise | L_j times the rate |
    | local mechanism | of the channel of record j |
    | channel | the largest ratio over outputs and neighbours in record j |

    L_j is how much the query changes at most, in L1, with record j; the rate of Laplace noise of
    scale b is 1/b, in general minus the logarithm of the noise's decay.

    >>> from pufferproof import MarkovChain, Noise, RecordQuery, Records
    >>> records, coin = Records(9, ("0", "1")), [["1/2", "1/2"], ["1/2", "1/2"]]
    >>> secrets = {"s": (1, "0"), "t": (1, "1")}
    >>> chain = MarkovChain("stationary", coin)
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> count = RecordQuery("sum", Noise.laplace("1/log(2)"), records, (3, 5))
    >>> levels = spending(framework, NoisyQueries((count,))).levels
    >>> [(length, str(level)) for length, level in levels.runs]
    [(2, '0'), (3, 'log(2)'), (4, '0')]

    Args: mechanism: in the form in which it is audited, fitting the framework.
    """
    if framework.records is None:
        return Spending(None, "databases that are not made of records have no levels per record")
    try:
        return Spending(_levels(framework, mechanism))
    except _NoLevelError as error:
        return Spending(None, str(error))


def _expect_query(framework: Framework, query: Query) -> None:
    if isinstance(query, RecordQuery):
        query.expect_of(framework.records)
        return
    for x in sorted(framework.support):
        if framework.databases[x] not in query.values:
            raise ModelError(
                f'no value for database "{framework.databases[x]}", which has positive probability', "query"
            )


def _levels(framework: Framework, mechanism: Plain) -> RecordLevels:
    records = framework.expect_records()
    if isinstance(mechanism, NoisyQueries):
        every = [_of_query(framework, query) for query in mechanism.queries]
        return summed(records.count, [(each, 1) for each in every])
    if isinstance(mechanism, LocalMechanism):
        levels: dict[int, Total] = {}
        for record, channel in enumerate(mechanism.records, 1):  # equal ones are mostly one object
            if id(channel) not in levels:
                columns = [column for column in zip(*channel) if any(column)]
                if any(not min(column) for column in columns):
                    raise _NoLevelError(f"an output excludes a value of record {record}")
                levels[id(channel)] = Total(max(max(column) / min(column) for column in columns), Fraction(0))
        return _together(levels[id(channel)] for channel in mechanism.records)
    if isinstance(mechanism, PowerTable | PartialTable):
        raise _NoLevelError("levels per record are computed of rational probabilities only")
    return _together(_of_channel(framework, mechanism))


def _of_query(framework: Framework, query: Query) -> RecordLevels:
    if query.noise.decay is None:
        raise _NoLevelError("gaussian noise has no finite level per record")
    count = framework.expect_records().count
    if isinstance(query, RecordQuery):
        level = _of_noise(query.noise, lipschitz_of_records(query))
        return segment_levels(count, query.ends, level)
    return _together(_of_noise(query.noise, change) for change in _changes(framework, query))


def _of_noise(noise: Noise, change: Fraction) -> Total:
    """Return the level of a query that changes by at most `change`: e to it is decay^-change."""
    if noise.decay is None:
        raise _NoLevelError("gaussian noise has no finite level per record")
    return Total.of_power(noise.decay.to(-change))


def segment_levels(count: int, segment: tuple[int, int], level: Total) -> RecordLevels:
    """Return a level on the records of a segment, and 0 elsewhere."""
    first, last = segment
    runs = ((first - 1, NOTHING), (last - first + 1, level), (count - last, NOTHING))
    return RecordLevels(tuple((length, each) for length, each in runs if length))


def _changes(framework: Framework, query: AdditiveNoise) -> Iterator[Fraction]:
    """Yield L_j for every record: the most that the query changes with it."""
    values: list[Vector] = []
    for label in framework.databases:
        if label not in query.values:
            raise _NoLevelError(f'the query has no value for database "{label}"')
        values.append(query.values[label])
    for block in _neighbours(framework):
        yield max(spread([values[x] for x in group]) for group in block)


def _neighbours(framework: Framework) -> Iterator[Iterator[range]]:
    """Yield for every record the sets of databases that agree in all others."""
    records = framework.expect_records()
    size, step = len(records.alphabet), len(framework.databases)
    for _ in range(records.count):
        step //= size
        yield (
            range(start + offset, start + step * size, step)
            for start in range(0, len(framework.databases), step * size)
            for offset in range(step)
        )


def _of_channel(framework: Framework, channel: Channel) -> Iterator[Total]:
    try:
        every = frozenset(range(len(framework.databases)))
        channel = channel.aligned(framework.databases, every)
    except ModelError as error:
        raise _NoLevelError(error.what) from None
    step = len(framework.databases)
    for record in range(1, framework.expect_records().count + 1):
        step //= len(framework.expect_records().alphabet)
        # the largest ratio of neighbours in one record: floats choose, rationals decide
        import numpy as np

        size, outputs = len(framework.expect_records().alphabet), len(channel.outputs)
        shape = (-1, size, step, outputs)
        values, positive = channel.floats_approx.reshape(shape), channel.positive.reshape(shape)
        if (positive.any(axis=1) != positive.all(axis=1)).any():
            raise _NoLevelError(f"an output excludes a value of record {record}")
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.nan_to_num(values.max(axis=1) / values.min(axis=1), nan=1.0)
        sure = channel.least_positive_approx > _LEAST
        near = np.argwhere(ratios >= ratios.max() * (1 - _NEAR)) if sure else _all(positive[:, 0])
        found = {
            tuple(
                (channel.numerator(row, output), channel.denominators[row])
                for row in range(start * size * step + offset, (start + 1) * size * step, step)
            )
            for start, offset, output in near.tolist()
            if positive[start, 0, offset, output]
        }
        entries = [[Fraction(*entry) for entry in column] for column in found]
        yield Total(max((max(entry) / min(entry) for entry in entries), default=Fraction(1)), Fraction(0))


def _all(positive: "NDArray[np.bool_]") -> "NDArray[np.intp]":
    import numpy as np

    return np.argwhere(positive)


def _together(levels: Iterator[Total]) -> RecordLevels:
    """Return the levels of records in order, equal neighbours together."""
    return RecordLevels(tuple((len(list(same)), level) for level, same in groupby(levels)))


def summed(count: int, spent: Sequence[Spent]) -> RecordLevels:
    """Return the levels of releases, each so many times, summed record by record.

    >>> first = RecordLevels(((1, Total(Fraction(2), Fraction(0))), (2, NOTHING)))
    >>> every = RecordLevels.uniform(3, ["log(3)"])
    >>> [(length, str(level)) for length, level in summed(3, [(first, 2), (every, 1)]).runs]
    [(1, 'log(12)'), (2, 'log(3)')]
    """
    # equal levels once; they are mostly one object
    equal: dict[int, Spent] = {}
    for levels, runs in spent:
        equal[id(levels)] = (levels, equal.get(id(levels), (levels, 0))[1] + runs)
    groups = list(equal.values())
    if _is_short(groups):
        exact = _swept(count, groups, NOTHING, Total.__add__, Total.times)
        return merged((length, level) for length, level in exact)
    units = {id(level): _units(level) for levels, _ in groups for _, level in levels.runs}
    rounded = _swept(count, groups, 0, int.__add__, lambda level, runs: units[id(level)] * runs)
    return merged((length, Total(Fraction(1), level * _UNIT)) for length, level in rounded)


def _is_short(spent: Iterable[Spent]) -> bool:
    """Whether no sum can be a long number."""
    bits, common = 0, 1
    for levels, runs in spent:
        for level in levels.distinct.values():
            bits += level.ratio.numerator.bit_length() * runs if level.ratio != 1 else 0
            common = lcm(common, level.nats.denominator, *(y.denominator for _, y in level.roots))
            if max(bits, common.bit_length()) > _LONGEST:
                return False
    return True


def _units(level: Total) -> int:
    """Return a level in units of 2^-256 nats, rounded up."""
    nats = level.nats
    if level.ratio != 1:
        nats += log_bounds(level.ratio, 2 * _BITS)[1]
    for prime, exponent in level.roots:
        nats += exponent * log_bounds(Fraction(prime), 2 * _BITS)[1]
    return ceil(nats / _UNIT)


def _swept(
    count: int,
    spent: Sequence[Spent],
    nothing: object,
    add: Callable[[Any, Any], Any],
    times: Callable[[Total, int], Any],
) -> Iterable[tuple[int, Any]]:
    """Yield how many records, from the first on, have which sum."""
    changes: dict[int, Any] = {1: nothing}
    for levels, runs in spent:
        place = 1
        for length, level in levels.runs:
            if level is not NOTHING:
                for at, sign in ((place, runs), (place + length, -runs)):
                    changes[at] = add(changes.get(at, nothing), times(level, sign))
            place += length
    sum_so_far = nothing
    for first, after in pairwise(sorted({*changes, count + 1})):
        sum_so_far = add(sum_so_far, changes.get(first, nothing))
        yield after - first, sum_so_far


def merged(known: Iterable[tuple[int, Total]]) -> RecordLevels:
    """Return levels with equal neighbours together."""
    runs: list[tuple[int, Total]] = []
    for length, level in known:
        if runs and runs[-1][1] == level:
            runs[-1] = (runs[-1][0] + length, runs[-1][1])
        else:
            runs.append((length, level))
    return RecordLevels(tuple(runs))


FORMAT = "pufferproof-ledger/1"
Segment = tuple[int, int]


@dataclass(frozen=True)
class Release:
    """A mechanism that was released `runs` times, or what such releases may spend.

    Args: name: for people. runs: independent releases. mechanism: None if only levels are known.
        spending: of one run. entries: as a ledger has it, where it was read from one.
    """

    name: str
    runs: int
    mechanism: Plain | None
    spending: Spending
    entries: tuple[JsonObject, ...] = field(default=(), repr=False, compare=False)

    @property
    def levels(self) -> RecordLevels | None:
        """The levels of one run, or None if it has none."""
        return self.spending.levels

    @property
    def text(self) -> str:
        """Say what is released."""
        times = f", {self.runs} times" if self.runs > 1 else ""
        levels = self.levels
        spent = f"none: {self.spending.reason}" if levels is None else levels.text
        return f"{self.name}{times}: level {spent}"


def mechanism_release(framework: Framework, mechanism: Mechanism | Sequence[Query]) -> Release:
    """Return the release of a mechanism. Raises `ModelError` unless it fits the framework."""
    form = plain(form_of(mechanism))
    if isinstance(form, LocalMechanism):
        form.fits(framework.expect_records())
    elif isinstance(form, Channel):
        form.aligned(framework.databases, framework.support)
    elif isinstance(form, PowerTable | PartialTable):
        for x in sorted(framework.support):
            row_of(form, framework.databases[x])
    else:
        for query in form.queries:
            _expect_query(framework, query)
    return Release(type(mechanism).__name__, 1, form, spending(framework, form))


def level_release(framework: Framework, level: Level | tuple[Level, ...], records: Any) -> Release:
    """Return a release of which only levels are known: one for all records or those of a segment,
    or one per record.

    Raises `ModelError` unless databases are made of records, of which there is such a segment, or
    as many levels.
    """
    count = framework.expect_records().count
    if isinstance(level, Level):
        ends = check_type((1, count) if records is None else records, tuple[int, int], "records")
        if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= count:
            raise ModelError(
                f"expected (first, last) with 1 <= first <= last <= {count}, found {shown(ends)}", "records"
            )
        segment = ends[0], ends[1]
        spent = segment_levels(count, segment, Total.of([level]))
        return Release("level", 1, None, Spending(spent))
    if records is not None:
        raise ModelError("needs one level, found several", "records")
    if len(level) != count:
        raise ModelError(f"expected {count} levels, one per record, found {len(level)}", "levels")
    return Release("levels", 1, None, Spending(RecordLevels.of(level)))


def is_mechanism(value: object) -> bool:
    """Whether a value is a mechanism, or queries with noise that are released together."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return bool(value) and all(isinstance(each, Query) for each in value)
    return isinstance(value, Mechanism)


def separate(release: Release) -> list[Plain]:
    """Return the mechanisms of a release, queries that are released together one by one."""
    form = release.mechanism
    if isinstance(form, NoisyQueries):
        return [NoisyQueries((query,)) for query in form.queries]
    return [] if form is None else [form]


class LevelShape(Shape):
    """A level of the records from the first to the last."""

    records: Annotated[list[StrictInt], Field(min_length=2, max_length=2)]
    level: StrictStr


class ReleaseShape(Shape):
    """A release: its mechanism, or the levels of records where only these are known."""

    name: StrictStr
    runs: Annotated[StrictInt, Field(ge=1)]
    mechanism: MechanismFile | None = None
    levels: list[LevelShape] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> "ReleaseShape":
        if (self.mechanism is None) == (self.levels is None):
            raise PydanticCustomError("shape", 'expected either "mechanism" or "levels"')
        return self


class LedgerFile(Shape):
    """The releases about one framework, given by its hash."""

    format: Literal["pufferproof-ledger/1"]
    framework: Annotated[StrictStr, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    releases: list[ReleaseShape]


def read_ledger(path: str | Path, framework: Framework, sha256: str) -> list[Release]:
    """Return the releases of a ledger. Raises `ModelError` unless it is one of this framework."""
    data = _content(path)
    if data is None:
        raise ModelError("cannot be read: No such file or directory", str(path))
    with in_file(path):
        document = document_of("", data)
        shape = validated(LedgerFile, document)
        if shape.framework != sha256:
            raise ModelError(f"a ledger of another framework: expected {sha256}, found {shape.framework}", "framework")
        entries = zip(shape.releases, document["releases"])
        return [_release(framework, each, entry, f"releases[{place}]") for place, (each, entry) in enumerate(entries)]


def exists(path: str | Path) -> bool:
    """Whether there is a file at a path. Raises `ModelError` for what is no regular file."""
    return _content(path) is not None


def _content(path: str | Path) -> bytes | None:
    """Return what is at a path, None if there is nothing."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ModelError("expected a regular file or none", str(path))
        with open(path, "rb") as file:  # again each time: another process may extend it
            data = beginning(file, MAX_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise ModelError(f"cannot be read: {said}", str(path)) from None
    if len(data) > MAX_BYTES:
        raise ModelError(f"expected at most {MAX_BYTES} bytes", str(path))
    return data


def _release(framework: Framework, shape: ReleaseShape, entry: Any, where: str) -> Release:
    try:
        if shape.mechanism is not None:
            made = mechanism_release(framework, _mechanism(framework, shape.mechanism))
        else:
            shapes = shape.levels or []
            count = framework.expect_records().count
            known = [level_release(framework, _level(shape.level), tuple(shape.records)).levels for shape in shapes]
            spent = [(levels, 1) for levels in known if levels is not None]
            nothing = (RecordLevels(((count, NOTHING),)), 1)
            made = Release("levels", 1, None, Spending(summed(count, [nothing, *spent])))
    except ModelError as error:
        raise error.within(where) from None
    return Release(shape.name, shape.runs, made.mechanism, made.spending, (entry,))


def _mechanism(framework: Framework, shape: MechanismFile) -> Any:
    if shape.query is not None:
        return noisy_from(Loaded(shape, "mechanism", ""), framework).value
    if shape.channel is not None:
        return channel_of(shape, normalize=False)
    return local_of(shape, framework.expect_records(), normalize=False)


def _level(text: str) -> Level:
    """Read a level; nats are any exact number here."""
    return Level.parse(text) if text.startswith("log(") else Level.of_nats(text)


def entries_of(releases: Sequence[Release]) -> list[JsonObject]:
    """Return what is written of some releases."""
    return [entry for release in releases for entry in release.entries or _entries(release)]


def updated(path: str | Path, sha256: str, entries: Sequence[Mapping[str, object]], stored: int) -> bytes:
    """Return the bytes of a ledger. Raises `ModelError` unless there is nothing at the path, or a
    ledger of this framework with the first of these entries and no others.

    Args: stored: how many entries are known to be there. An equal release that somebody else
        entered is another one.
    """
    data = _content(path)
    if data is not None:
        with in_file(path):
            document = document_of("", data)
            shape = validated(LedgerFile, document)
            count = len(shape.releases)
            other = count > stored or document["releases"] != list(entries[:count])
            if shape.framework != sha256 or other:
                raise ModelError(
                    "expected the ledger that this account goes on with, found other releases, or "
                    "another framework: nothing was written"
                )
    lines = ",\n ".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    head = f'{{"format": "{FORMAT}", "framework": "{sha256}",\n"releases": ['
    return f"{head}\n {lines}]}}\n".encode()


def _entries(release: Release) -> Iterator[JsonObject]:
    """Yield what is written of a release: queries that were released together one by one."""
    head = {"name": release.name, "runs": release.runs}
    if release.mechanism is None and release.levels is not None:
        entries, first = [], 1
        for length, level in merged(release.levels.runs).runs:
            if level != NOTHING:
                entries.append({"records": [first, first + length - 1], "level": _text(level)})
            first += length
        yield head | {"levels": entries}
    for mechanism in separate(release):
        yield head | {"mechanism": _document(mechanism)}


def _text(level: Total) -> str:
    """Write a level that was given: the logarithm of a rational, or nats."""
    return f"log({text_of(level.ratio)})" if not level.nats else text_of(level.nats)


def _document(mechanism: Plain) -> JsonObject:
    if isinstance(mechanism, Channel):
        return mechanism_document(mechanism)
    if isinstance(mechanism, LocalMechanism) and mechanism.redaction is not None:
        rows = [[text_of(p) for p in row] for row in mechanism.redaction]
        return {"format": MECHANISM, "redaction": rows}
    if isinstance(mechanism, LocalMechanism):
        return dict(json.loads(local_file(mechanism)))
    if isinstance(mechanism, PowerTable | PartialTable):
        raise ModelError("a ledger holds rational probabilities only, found others", "mechanism")
    return query_document(mechanism.queries[0])


@contextmanager
def held(path: str | Path) -> Iterator[None]:
    """Keep others from extending a ledger in this folder while the body runs."""
    try:
        folder = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
    except (OSError, ValueError):  # which writing reports
        yield
        return
    try:
        locked(folder, wait=True)
        yield
    finally:
        os.close(folder)


def framework_digest(framework: Framework) -> str:
    """Return `sha256:<hex>` of what a framework says, for one that was not read from a file."""
    if framework.along_records:
        records, secrets = framework.expect_records(), list(framework.places.items())
        chains = [(name, astuple(chain)) for name, chain in framework.chains.items()]
        return digest(repr((astuple(records), secrets, list(framework.pairs), chains)).encode())
    document = framework_document(framework) | {"one_sided": framework.one_sided}
    return digest(json.dumps(document).encode())
