"""What `ledger` and `arena` print, and what `report --start` reads of the reports of a folder."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pufferproof.reports.schemas.values import Leakage, Output, Witness


class LedgerEntry(Output):
    """A published mechanism: the epsilon it claims against the exact one."""

    example: str
    mechanism: str
    framework: str
    source: str
    claimed: str
    leakage: Leakage
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]
    witness: Witness


class Ledger(Output):
    """What `pufferproof ledger --json` prints."""

    ledger: list[LedgerEntry]


Count = Annotated[int, Field(ge=0)]


class ArenaQuotients(Output):
    """Scales over the least ones, rounded: the middle and the largest of the frameworks that have
    both.
    """

    median: float
    max: float


class ArenaMethod(Output):
    """How many frameworks a method has a scale for that keeps the level, or breaks it; `open` where
    bounds do not tell, `none` where the method does not apply. `claim` is the statement that the
    method rests on.
    """

    name: str
    claim: str | None
    keeps: Count
    breaks: Count
    open: Count
    none: Count
    scale_over_least: ArenaQuotients | None


class ArenaBroken(Output):
    """A framework that has no answer, and why."""

    framework: str
    error: str


class ArenaBreak(Output):
    """A method whose noise leaks more than the level, and the page that shows where."""

    framework: str
    method: str
    page: str | None


class Arena(Output):
    """All methods on all frameworks: `table` is the CSV file that has every scale, null without
    `--out`.
    """

    frameworks: Count
    methods: list[ArenaMethod]
    broken: list[ArenaBroken]
    breaks: list[ArenaBreak]
    table: str | None
    files: list[str]


class Found(BaseModel):
    """A part of what a report tells programs; the rest of it is not read."""

    model_config = ConfigDict(extra="ignore", strict=True)


class AuditCounts(Found):
    """How many audits of a report found what."""

    audits: int
    satisfied: int
    violated: int
    no_level: int
    composes: int
    not_composing: int
    certificates: int
    accepted: int
    refused: int


class FilesFound(Found):
    """The files of an audit."""

    framework: str
    mechanism: str


class LeakageFound(Found):
    """The factor of an audit, exactly, or None if it is not rational."""

    ratio: str | None


class AnswerFound(Found):
    """The answer of an audit."""

    leakage: LeakageFound


class AuditFound(Found):
    """An audit: its example, its files and its answer."""

    example: str
    files: FilesFound
    audit: AnswerFound


class AuditsFound(Found):
    """What `report` has found."""

    summary: AuditCounts
    ledger: list[object]
    gallery: list[object]
    audits: list[AuditFound] = Field(default_factory=list)


class PaperFound(Found):
    """A paper: its errors, or None if nobody looked for them, of how many claims."""

    title: str
    citation: str | None
    page: str
    claims: int
    errors: int | None


class ProofsFound(Found):
    """What `prove` has found: how many claims have which verdict, among other counts."""

    partial: bool
    summary: dict[str, int]
    papers: list[PaperFound]
