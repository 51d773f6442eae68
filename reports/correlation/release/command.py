"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/schedule.py`.
"""

from typing import Annotated

import typer

from pufferproof.lp.accounting.plan import read_plan
from pufferproof.lp.accounting.schedule import schedule
from pufferproof.models.files.reading import hashes
from pufferproof.reports.console.options import AsJson, EvidenceOut
from pufferproof.reports.console.outputs import expect_new, write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import never_checked_lines, trust_line
from pufferproof.reports.correlation.release.evidence import release_pack
from pufferproof.reports.correlation.release.words import release_lines, release_notes
from pufferproof.reports.schemas.release import Release


def release(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="plan of releases, TOML or JSON")],
    evidence: EvidenceOut = None,
    as_json: AsJson = False,
) -> None:
    """Compute what releases over time leak together, about which record most, and the least noise
    that keeps a budget.
    """
    with working("releasing"):
        loaded = read_plan(plan)
        expect_new(evidence)
        found = schedule(loaded.value)
        if evidence is not None:
            packed = release_pack(found, plan)
            write_outputs({evidence: packed}, evidence, inputs=[plan])
    known = found.as_json() | {"certificate": evidence, "inputs": hashes(plan=loaded)}
    known |= {} if evidence is None else {"trust": ["KERNEL"]}
    answer = Release.model_validate(known)
    lines = [*release_lines(found), trust_line(answer.trust)]
    notes = [*never_checked_lines(found.joint.scope), *release_notes(found)]
    tell(answer, lines, notes, as_json, code=exit_code(found.joint.kept))
