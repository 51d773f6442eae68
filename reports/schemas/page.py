"""What `ledger` prints, and what `report --start` reads of the reports of a folder."""

from typing import Literal

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
