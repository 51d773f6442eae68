"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/schedule.py`.
"""

from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from pufferproof.lp.accounting.plan import read_plan
from pufferproof.lp.accounting.schedule import schedule
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.points.reading import refuse_at_points
from pufferproof.reports.console.options import AsJson, EvidenceOut, OutputFormat, format_of
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import never_checked_lines, trust_line
from pufferproof.reports.correlation.release.evidence import release_evidence
from pufferproof.reports.correlation.release.points import PointPlan, PointSchedule, read_point_plan
from pufferproof.reports.correlation.release.words import release_lines, release_notes
from pufferproof.reports.explaining.pack import write_evidence
from pufferproof.reports.explaining.proved import leakage_trust
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
    """Compute what releases over time leak together, and the smallest noise that keeps a budget."""
    as_json, annotates = format_of(output_format, as_json)
    points = read_point_plan(plan)
    if points is not None:
        refuse_at_points({"--out": out, "--evidence": evidence})
        _at_points(points, plan if annotates else None, as_json)
    with working("reading the plan") as told:
        loaded = read_plan(plan)
        found = schedule(loaded.value, told)
        told("writing the evidence")
        certificates: Sequence[JsonObject] = []
        if evidence is not None or out is not None:
            pack = release_evidence(found, plan)
            certificates = pack.certificates
            write_evidence(pack, out, evidence, [plan])
    certified = evidence or (out and f"{out}/certificate.json")
    known = found.as_json() | {"certificate": certified, "inputs": hashes(plan=loaded)}
    known |= {} if certified is None else {"trust": ["KERNEL"]}
    if of_leakage := leakage_trust(certificates, found.joint.leakage, found.joint.trust):
        known["leakage_trust"] = of_leakage
    answer = Release.model_validate(known)
    lines = [
        *release_lines(found),
        trust_line(answer.trust, answer.leakage_trust or (), answer.rests_on),
    ]
    notes = [*never_checked_lines(found.joint.scope), *release_notes(found)]
    code, about = exit_code(found.joint.kept), plan if annotates else None
    tell(answer, lines, notes, as_json, code=code, annotated=about)


def _at_points(loaded: Loaded[PointPlan], about: str | None, as_json: bool) -> NoReturn:
    """Tell what releases about normal records that are not truncated leak."""
    with working("computing what the releases tell"):
        found = PointSchedule(loaded.value)
        known = found.as_json() | {"certificate": None, "inputs": hashes(plan=loaded)}
    code = exit_code(found.joint.kept)
    tell(
        Release.model_validate(known), found.lines, found.notes, as_json, code=code, annotated=about
    )
