"""One release of an account: a mechanism, or levels per record alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pufferproof.lp.accounting.spending import Spending, expect_fit, segment_levels, spending
from pufferproof.lp.translation.levels import RecordLevels, Total
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.noise.queries import NoisyQueries, Query
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.verify.audit import Mechanism, Plain, form_of, plain

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
        raise ModelError("goes with one level, found several", "records")
    if len(level) != count:
        raise ModelError(f"expected {count} levels, one per record, found {len(level)}", "levels")
    return Release("levels", 1, None, Spending(RecordLevels.of(level)))


def _segment(records: tuple[int, int], count: int) -> Segment:
    records = check_type(records, tuple[int, int], "records")
    if len(records) != 2 or not 1 <= records[0] <= records[1] <= count:
        raise ModelError(
            f"expected (first, last) with 1 <= first <= last <= {count}, found {shown(records)}",
            "records",
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
