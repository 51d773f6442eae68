"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/releases/schedule.py`; `lines` says it on a terminal, `page` on the
page of its evidence, in the `words` of the plan.
"""

from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

from pufferproof.lp.accounting.releases.plan import read_plan
from pufferproof.lp.accounting.releases.schedule import schedule
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.auditing.points.reading import refuse_at_points
from pufferproof.reports.console.options import (
    AcceptDoubt,
    AsJson,
    Code,
    EvidenceOut,
    OutputFormat,
    format_of,
)
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import (
    never_checked_lines,
    trust_line,
)
from pufferproof.reports.correlation.release.lines import release_lines, release_notes
from pufferproof.reports.correlation.release.page import release_evidence
from pufferproof.reports.correlation.release.points import PointPlan, PointSchedule, read_point_plan
from pufferproof.reports.explaining.pack import write_evidence
from pufferproof.reports.explaining.proved import leakage_trust
from pufferproof.reports.schemas.release import Release


def release(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="plan of releases, TOML or JSON")],
    code: Code,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="folder for a page with the evidence"),
    ] = None,
    evidence: EvidenceOut = None,
    accept_doubt: AcceptDoubt = False,
    as_json: AsJson = False,
    output_format: OutputFormat = "text",
) -> None:
    """Compute what releases over time leak together, and the smallest noise that keeps a budget.

    A plan releases queries with noise, or tables and programs (module:function) of windows.
    """
    as_json, annotates = format_of(output_format, as_json)
    points = read_point_plan(plan)
    if points is not None:
        wanted = {"--out": out, "--evidence": evidence, "--trust-code": code.trust_code}
        refuse_at_points(wanted | {"--accept-doubt": accept_doubt})
        _at_points(points, plan if annotates else None, as_json)
    with working("reading the plan") as told:
        loaded = read_plan(plan, code.calls)
        if accept_doubt and loaded.value.data is None:
            raise ModelError("needs a plan with a table data", "--accept-doubt")
        planned = schedule(loaded.value, told, accept_doubt)
        told("computing the least noise that keeps the budget")
        _ = planned.least
        told("writing the evidence")
        certificates: Sequence[JsonObject] = []
        if evidence is not None or out is not None:
            pack = release_evidence(planned, plan)
            certificates = pack.certificates
            write_evidence(pack, out, evidence, [plan])
    certified = evidence or (out and f"{out}/certificate.json")
    fields = planned.as_json() | {"certificate": certified, "inputs": hashes(plan=loaded)}
    derived = [program.trust for program in planned.joint.programs]
    fields |= {} if certified is None else {"trust": ["KERNEL", *derived]}
    if of_leakage := leakage_trust(certificates, planned.joint.leakage, planned.joint.trust):
        fields["leakage_trust"] = of_leakage
    answer = Release.model_validate(fields)
    lines = [
        *release_lines(planned),
        trust_line(answer.trust, answer.leakage_trust or (), answer.rests_on),
    ]
    notes = [*never_checked_lines(planned.joint.scope), *release_notes(planned)]
    kept = 3 if planned.contrary else exit_code(planned.joint.kept)
    about = plan if annotates else None
    tell(answer, lines, notes, as_json, code=kept, annotated=about)


def _at_points(loaded: Loaded[PointPlan], about: str | None, as_json: bool) -> NoReturn:
    """Tell what releases about normal records that are not truncated leak."""
    with working("computing what the releases tell"):
        planned = PointSchedule(loaded.value)
        fields = planned.as_json() | {"certificate": None, "inputs": hashes(plan=loaded)}
    code = exit_code(planned.joint.kept)
    tell(
        Release.model_validate(fields),
        planned.lines,
        planned.notes,
        as_json,
        code=code,
        annotated=about,
    )
