"""The ledger: mechanisms published with a claimed epsilon, against the exact one."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated

import typer

from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.question import read
from pufferproof.models.interface.steps import steps
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.any_form import audit_files, audited_at
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.streams import answer_stream, columns_of, working
from pufferproof.reports.console.telling import print_answer
from pufferproof.reports.console.words import leakage_text, level_nats
from pufferproof.reports.page.examples import AuditCase, Example, load_examples
from pufferproof.reports.schemas.page import Ledger
from pufferproof.verify.audit import Audit
from pufferproof.verify.decision import Decision

_INDENT = 19
_GALLERY = "pufferproof.examples.programs.gallery"  # by name: examples import reports


def ledger(
    folder: Annotated[
        str | None, typer.Argument(metavar="[FOLDER]", help="folder of examples [default: the shipped ones]")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List published mechanisms with the level they claim and the exact leakage."""
    with working("auditing published mechanisms"):
        entries = ledger_entries(load_examples(folder))
        entries += [] if folder is not None else gallery_entries()
    fields = {"ledger": [entry.as_json() for entry in entries]}
    print_answer(Ledger.model_validate(fields), ledger_lines(entries), as_json)


@dataclass(frozen=True)
class LedgerEntry:
    """A published claim and its audit at the claimed level.

    `audit.verdict` says whether the exact leakage is at most `claimed`. `slack` says whether it is
    strictly less.
    """

    example: str
    mechanism: str
    framework: str
    source: str
    claimed: Level
    audit: Audit

    @property
    def holds(self) -> bool:
        """Whether the exact leakage is at most the claimed epsilon."""
        return self.audit.kept is Decision.HOLDS

    @property
    def slack(self) -> bool:
        """Whether the claim holds with room to spare."""
        return self.holds and self.audit.largest.compare(self.claimed) == -1

    @property
    def finding(self) -> str:
        """The verdict in words."""
        if self.audit.kept is Decision.UNDECIDED:
            return "undecided"
        if not self.holds:
            return "broken"
        return "holds, with slack" if self.slack else "holds, exactly"

    def as_json(self) -> JsonObject:
        """Return the ledger object of the file formats."""
        return {
            "example": self.example,
            "mechanism": self.mechanism,
            "framework": self.framework,
            "source": self.source,
            "claimed": str(self.claimed),
            "leakage": self.audit.leakage.as_json(),
            "verdict": self.audit.verdict.value if self.audit.verdict is not None else None,
            "witness": self.audit.witness.as_json(),
        }


def ledger_entries(examples: Iterable[Example]) -> list[LedgerEntry]:
    """Audit every mechanism that was published with an epsilon at that epsilon.

    Raises `ModelError`, naming the example, where a file is malformed.
    """
    entries = []
    for example in steps(list(examples), "examples"):
        for case in example.audits:
            if case.claimed is not None:
                try:
                    files = read(example.path(case.framework), [example.path(case.mechanism)])
                    entries.append(ledger_entry(example, case, audit_files(files, Level.parse(case.claimed))))
                except PufferproofError as error:
                    raise error.within(f'example "{example.name}"') from None
    return entries


def gallery_entries() -> list[LedgerEntry]:
    """Audit the programs of the gallery under neighbours, each at the epsilon that it claims."""
    entries = []
    for exhibit in steps(list(import_module(_GALLERY).exhibits()), "programs"):
        found = next(exhibit.audits())
        if exhibit.delta is None and isinstance(found, Audit):
            name = exhibit.name.rpartition(".")[2]
            claimed = Level.parse(exhibit.claimed)
            entries.append(LedgerEntry("programs", name, "neighbours", exhibit.source, claimed, found))
    return entries


def ledger_entry(example: Example, case: AuditCase, audit: Audit) -> LedgerEntry:
    """Return the entry of a case with a claim, from an audit of it at any level: it is repeated
    unless at the claimed one.
    """
    claimed = Level.parse(case.claimed or "")
    again = audited_at(audit, claimed)
    return LedgerEntry(example.name, case.mechanism, case.framework, case.source or "", claimed, again)


def ledger_lines(entries: Iterable[LedgerEntry]) -> list[str]:
    """Say what became of every claim in two lines: the finding and the mechanism; the levels and
    who published them, as far as a terminal has room.
    """
    columns = columns_of(answer_stream())
    lines = []
    for entry in entries:
        leaks = leakage_text(entry.audit.leakage)
        levels = f"claimed {level_nats(entry.claimed)}, leaks {leaks}; {entry.source}"
        shown = levels if columns is None else label_text(levels, columns - _INDENT)
        lines += [f"{entry.finding:<{_INDENT}}{entry.example}, {entry.mechanism}", f"{'':<{_INDENT}}{shown}"]
    return lines
