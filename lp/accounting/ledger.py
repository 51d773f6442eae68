"""The ledger: the file of an account, so that releases of different days add up.

    {"format": "pufferproof-ledger/1", "framework": "sha256:..",
     "releases": [{"name": "a.json", "runs": 1, "mechanism": {..}},
                  {"name": "level", "runs": 2, "levels": [{"records": [1, 9], "level": "log(2)"}]}]}

A release has its mechanism, written as a mechanism file, or the levels of some records. A ledger is
only ever extended: what is at a path is replaced by a ledger that begins with the same releases,
whole or not at all, and while it is compared and replaced nobody else writes one into its folder.

This file also has one release of an account.
"""

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StrictInt, StrictStr, model_validator
from pydantic_core import PydanticCustomError

from pufferproof.lp.accounting.spending import Spending, expect_fit, merged, segment_levels, spending, summed
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
from pufferproof.models.noise.records import NoisyQueries, Query
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, shown, text_of
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import Mechanism, Plain, form_of, plain

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
    expect_fit(framework, form)
    return Release(type(mechanism).__name__, 1, form, spending(framework, form))


def level_release(framework: Framework, level: Level | tuple[Level, ...], records: Any) -> Release:
    """Return a release of which only levels are known: one for all records or those of a segment,
    or one per record.

    Raises `ModelError` unless databases are made of records, of which there is such a segment, or
    as many levels.
    """
    count = framework.expect_records().count
    if isinstance(level, Level):
        segment = _segment((1, count) if records is None else records, count)
        spent = segment_levels(count, segment, Total.of([level]))
        return Release("level", 1, None, Spending(spent))
    if records is not None:
        raise ModelError("needs one level, found several", "records")
    if len(level) != count:
        raise ModelError(f"expected {count} levels, one per record, found {len(level)}", "levels")
    return Release("levels", 1, None, Spending(RecordLevels.of(level)))


def _segment(records: tuple[int, int], count: int) -> Segment:
    records = check_type(records, tuple[int, int], "records")
    if len(records) != 2 or not 1 <= records[0] <= records[1] <= count:
        raise ModelError(
            f"expected (first, last) with 1 <= first <= last <= {count}, found {shown(records)}", "records"
        )
    return records[0], records[1]


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
            made = _levels_release(framework, shape.levels or [])
    except ModelError as error:
        raise error.within(where) from None
    return Release(shape.name, shape.runs, made.mechanism, made.spending, (entry,))


def _mechanism(framework: Framework, shape: MechanismFile) -> Any:
    if shape.query is not None:
        return noisy_from(Loaded(shape, "mechanism", ""), framework).value
    if shape.channel is not None:
        return channel_of(shape, normalize=False)
    return local_of(shape, framework.expect_records(), normalize=False)


def _levels_release(framework: Framework, shapes: Sequence[LevelShape]) -> Release:
    count = framework.expect_records().count
    known = [level_release(framework, _level(shape.level), tuple(shape.records)).levels for shape in shapes]
    spent = [(levels, 1) for levels in known if levels is not None]
    nothing = (RecordLevels(((count, NOTHING),)), 1)
    return Release("levels", 1, None, Spending(summed(count, [nothing, *spent])))


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
        yield head | {"levels": _level_entries(release.levels)}
    for mechanism in separate(release):
        yield head | {"mechanism": _document(mechanism)}


def _level_entries(levels: RecordLevels) -> list[JsonObject]:
    entries, first = [], 1
    for length, level in merged(levels.runs).runs:
        if level != NOTHING:
            entries.append({"records": [first, first + length - 1], "level": _text(level)})
        first += length
    return entries


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
