"""What the report's page says: audits and joint releases as words, tables and plots, for the
templates to lay out.

Every number comes from the audits; nothing is decided here. Templates escape all text, since labels
are anybody's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pufferproof.models.numbers.text import capital, full_stop
from pufferproof.reports.auditing.plots.pictures import audit_pictures
from pufferproof.reports.composition.any_form import AnyComposition, released
from pufferproof.reports.console.templates import own_script
from pufferproof.reports.console.words import TABLE_HEADER, leakage_text, row_cells, trust_text
from pufferproof.reports.page.beyond.gallery import GalleryRun, gallery_section
from pufferproof.reports.page.beyond.laboratory import WorstRun
from pufferproof.reports.page.beyond.many_releases import (
    composition_pictures,
    rate_rows,
    rates_pictures,
    revealed_sentences,
    worst_section,
)
from pufferproof.reports.page.examples import Example
from pufferproof.reports.page.ledger import LedgerEntry
from pufferproof.reports.page.runs import MAX_TABLE_ROWS, AuditRun, ComposeRun
from pufferproof.reports.page.sentences import (
    joint_phrase,
    joint_scope,
    joint_sentences,
    odds_phrase,
    scope_sentences,
    witness_sentences,
)
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.decision import Decision

NO_LEVEL = "LEAKAGE"
COMPOSES = {
    Decision.HOLDS: "COMPOSES",
    Decision.FAILS: "DOES NOT COMPOSE",
    Decision.UNDECIDED: "TOO CLOSE TO TELL",
}
_KIND = {
    "SATISFIES": "good",
    "COMPOSES": "good",
    "VIOLATES": "bad",
    "DOES NOT COMPOSE": "bad",
    "holds, exactly": "good",
    "holds, with slack": "good",
    "broken": "bad",
    "undecided": "open",
}


@dataclass(frozen=True)
class Runs:
    """All that a report has run."""

    audits: list[AuditRun]
    composes: list[ComposeRun]
    worsts: list[WorstRun]
    gallery: list[GalleryRun]


def page_context(
    examples: Sequence[Example], runs: Runs, ledger: Sequence[LedgerEntry], version: str
) -> dict[str, object]:
    """Return what the templates show."""
    shown = {
        example.name: [audit_section(run) for run in runs.audits if run.example is example]
        + [compose_section(run) for run in runs.composes if run.example is example]
        for example in examples
    }
    worst = {
        example.name: worst_section([run for run in runs.worsts if run.example is example])
        for example in examples
    }
    return {
        "version": version,
        "summary": summary(runs),
        "words": list(dict.fromkeys(each["word"] for each in chain.from_iterable(shown.values()))),
        "examples": [
            {
                "name": example.name,
                "title": example.title,
                "sections": shown[example.name],
                "worst": worst[example.name],
            }
            for example in examples
        ],
        "gallery": [gallery_section(run) for run in runs.gallery],
        "ledger": [ledger_row(entry, runs.audits) for entry in ledger],
        "table_header": TABLE_HEADER,
        "most_rows": MAX_TABLE_ROWS,
        **own_script(),
    }


def summary(runs: Runs) -> dict[str, int]:
    """Count the verdicts and the kernel's answers."""
    kept = [run.audit.kept for run in runs.audits]
    evidence = [run.evidence for run in runs.audits] + [run.evidence for run in runs.composes]
    evidence += {id(rate): rate.evidence for run in runs.composes for rate in run.rates}.values()
    evidence += [run.evidence for run in runs.worsts if run.evidence is not None]
    evidence += [each for run in runs.gallery for each in run.evidence]
    return {
        "audits": len(runs.audits),
        "satisfied": kept.count(Decision.HOLDS),
        "violated": kept.count(Decision.FAILS),
        "no_level": kept.count(None),
        "composes": len(runs.composes),
        "not_composing": sum(run.together.additive is Decision.FAILS for run in runs.composes),
        "gallery": len(runs.gallery),
        "certificates": sum(each.certificate is not None for each in evidence),
        "accepted": sum(each.accepted for each in evidence),
        "refused": sum(each.refused for each in evidence),
        "without_certificate": sum(each.certificate is None for each in evidence),
    }


def audit_section(run: AuditRun) -> dict[str, object]:
    """Return what the page shows of one audit."""
    audit = run.audit
    word = NO_LEVEL if audit.verdict is None else audit.verdict.value
    return {
        "compose": False,
        "anchor": run.name,
        "level": "" if audit.level is None else str(audit.level),
        "word": word,
        "kind": _KIND.get(word, "open"),
        "leakage": leakage_text(audit.leakage),
        "odds": odds_phrase(audit.leakage),
        "witness": witness_sentences(audit),
        "scope": scope_sentences(audit),
        "plots": audit_pictures(run.audit),
        "revealed": [],
        "rates": (),
        "table": run.table,
        "rows": [row_cells(row) for row in run.rows],
        "row_count": audit.scope.checked,
        **_shared(run),
    }


def compose_section(run: ComposeRun) -> dict[str, object]:
    """Return what the page shows of one joint release."""
    together = run.together
    return {
        "compose": True,
        "anchor": run.name,
        "level": "",
        "word": composes(together),
        "kind": _KIND.get(composes(together), "open"),
        "leakage": joint_phrase(together),
        "odds": odds_phrase(released(together).joint.leakage),
        "single": rate_rows(run),
        "rates": run.rates,
        "witness": joint_sentences(together),
        "revealed": revealed_sentences(run),
        "scope": joint_scope(together),
        "plots": [*composition_pictures(run), *rates_pictures(run)],
        "table": None,
        "rows": [],
        "row_count": 0,
        **_shared(run),
    }


def composes(together: AnyComposition) -> str:
    """Say in a word whether releases compose, or that it is not known."""
    return COMPOSES[together.additive]


def ledger_row(entry: LedgerEntry, audits: Sequence[AuditRun]) -> dict[str, object]:
    """Return what the page shows of one ledger entry."""
    anchors = [
        run.name
        for run in audits
        if run.example.name == entry.example
        and run.case.files == (entry.framework, entry.mechanism)
    ]
    return {
        "anchor": anchors[0],
        "example": entry.example,
        "mechanism": entry.mechanism,
        "source": entry.source,
        "claimed": str(entry.claimed),
        "leakage": leakage_text(entry.audit.leakage),
        "word": entry.finding,
        "verdict": NO_LEVEL if entry.audit.verdict is None else entry.audit.verdict.value,
        "kind": _KIND[entry.finding],
    }


def _shared(run: AuditRun | ComposeRun) -> dict[str, Any]:
    return {
        "shows": capital(full_stop(run.case.shows)),
        "mechanisms": run.case.files[1:],
        "framework": run.case.framework,
        "inputs": run.inputs,
        "trust": trust_text(run.answer["trust"], bases(run.answer["rests_on"])),
        "evidence": run.evidence,
        "refused": run.evidence.refused
        or any(
            rate.evidence.refused for rate in (run.rates if isinstance(run, ComposeRun) else ())
        ),
    }
