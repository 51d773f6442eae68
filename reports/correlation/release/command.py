"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/schedule.py`.
"""

from typing import Annotated

import typer

from pufferproof.lp.accounting.plan import read_plan
from pufferproof.lp.accounting.schedule import schedule
from pufferproof.models.files.reading import hashes
from pufferproof.reports.console.options import AsJson, EvidenceOut, OutputFormat, format_of
from pufferproof.reports.console.outputs import expect_new
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import never_checked_lines, trust_line
from pufferproof.reports.correlation.release.evidence import release_evidence
from pufferproof.reports.correlation.release.words import release_lines, release_notes
from pufferproof.reports.explaining.pack import write_evidence
from pufferproof.reports.schemas.release import Release


def release(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="plan of releases, TOML or JSON")],
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="write a page with the evidence into a folder"),
    ] = None,
    evidence: EvidenceOut = None,
    as_json: AsJson = False,
    output_format: OutputFormat = "text",
) -> None:
    """Compute what releases over time leak together, about which record most, and the least noise
    that keeps a budget.
    """
    as_json, annotates = format_of(output_format, as_json)
    with working("releasing"):
        loaded = read_plan(plan)
        expect_new(evidence)
        found = schedule(loaded.value)
        if evidence is not None or out is not None:
            write_evidence(release_evidence(found, plan), out, evidence, [plan])
    certified = evidence or (out and f"{out}/certificate.json")
    known = found.as_json() | {"certificate": certified, "inputs": hashes(plan=loaded)}
    known |= {} if certified is None else {"trust": ["KERNEL"]}
    answer = Release.model_validate(known)
    lines = [*release_lines(found), trust_line(answer.trust)]
    notes = [*never_checked_lines(found.joint.scope), *release_notes(found)]
    code, about = exit_code(found.joint.kept), plan if annotates else None
    tell(answer, lines, notes, as_json, code=code, annotated=about)
