"""The command `release`: what a plan of releases over time leaks.

The answer is `lp/accounting/schedule.py`.

This file also has evidence of releases over time.

This file also says what releases over time leak, in lines for a terminal.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pufferproof.lp.accounting.plan import read_plan
from pufferproof.lp.accounting.schedule import Schedule, schedule
from pufferproof.lp.accounting.windows import WindowMechanism
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of, digest
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.models.files.writing import indented, mechanism_file, query_document
from pufferproof.models.noise.queries import NoisyQueries, Query
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.text import JsonObject, rounded, text_of, three
from pufferproof.reports.auditing.evidence import assumed_of, noise_beside
from pufferproof.reports.auditing.points.reading import refuse_at_points
from pufferproof.reports.auditing.words.answers import shared_lines, shared_sentences
from pufferproof.reports.console.drawing import (
    AGAINST,
    FOR,
    INK,
    nats_approx,
    new_figure,
    pictures,
    rendered,
    styled,
)
from pufferproof.reports.console.labels import in_quotes
from pufferproof.reports.console.options import AsJson, Code, EvidenceOut, OutputFormat, format_of
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import exit_code, tell
from pufferproof.reports.console.words import (
    counted,
    leakage_text,
    level_nats,
    never_checked_lines,
    three_nats,
    trust_line,
)
from pufferproof.reports.correlation.release.points import PointPlan, PointSchedule, read_point_plan
from pufferproof.reports.explaining.pack import Evidence, write_evidence
from pufferproof.reports.explaining.proved import leakage_trust, proved_less
from pufferproof.reports.schemas.release import Release
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import (
    Inputs,
    audit_certificate,
    composition_certificate,
)
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage
from pufferproof.verify.noise.ratio.people import PeopleLeakage

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LONG = 10**15  # from which a ratio is written with an exponent
_FEW = 3  # records or releases that need no plot
Plot = tuple[str, bytes, str]


def release(
    plan: Annotated[str, typer.Argument(metavar="PLAN", help="plan of releases, TOML or JSON")],
    code: Code,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="write a page with the evidence into a folder"),
    ] = None,
    evidence: EvidenceOut = None,
    as_json: AsJson = False,
    output_format: OutputFormat = "text",
) -> None:
    """Compute what releases over time leak together, and the smallest noise that keeps a budget.

    A plan releases queries with noise, or tables and programs (module:function) of windows.
    """
    as_json, annotates = format_of(output_format, as_json)
    points = read_point_plan(plan)
    if points is not None:
        refuse_at_points({"--out": out, "--evidence": evidence, "--trust-code": code.trust_code})
        _at_points(points, plan if annotates else None, as_json)
    with working("reading the plan") as told:
        loaded = read_plan(plan, code.calls)
        planned = schedule(loaded.value, told)
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
    kept, about = exit_code(planned.joint.kept), plan if annotates else None
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


def release_evidence(planned: Schedule, path: str) -> Evidence:
    """Return what goes into a zip: the plan, its framework, a mechanism file for every release, and
    certificates.

    Raises `CertificateError` with the reason where the kernel has no rule.
    """
    plan, joint = planned.plan, planned.joint
    releases = plan.releases
    documents = _documents(planned)
    names = [f"mechanism-{number}.json" for number in range(1, len(documents) + 1)]
    mechanisms = list(zip(names if len(names) > 1 else ["mechanism.json"], documents))
    inputs = Inputs(digest(plan.source[1]), tuple(map(digest, documents)))
    certificates = _certificates(planned, inputs)
    code = {Path(name).name: data for each in plan.mechanisms for name, data in each.named.items()}
    suffix, trusted = Path(path).suffix.lower(), ", trust_code=True" if code else ""
    verdict = "" if joint.verdict is None else f"{joint.verdict.value} {level_nats(plan.budget)}"
    return Evidence(
        certificates,
        plan.source,
        mechanisms,
        joint.leakage,
        verdict,
        release_sentences(planned),
        [" ".join(line.split()) for line in release_lines(planned)],
        plots=pictures(lambda: release_plots(planned)),
        doubts=[str(doubt) for doubt in plan.doubts],
        title=f"What {counted(len(releases), 'release')} tell together",
        test=f'def test_releases(assert_release):\n    assert_release("plan{suffix}"{trusted})',
        others={f"plan{suffix}": bytes_of(path, MAX_BYTES)} | code,
        assumed=[*(f"that {each}" for each in plan.assumed), *assumed_of(joint, code)],
        claims=joint.rests_on if proved_less(certificates, joint.leakage) else (),
    )


def _documents(planned: Schedule) -> list[bytes]:
    """Return a mechanism file for every release: of tables of windows those of all databases."""
    queries: Sequence[Query] = planned.plan.queries
    if planned.together is not None:
        if not isinstance(planned.joint.mechanism, NoisyQueries):
            return [mechanism_file(channel)[0] for channel in planned.together.channels]
        queries = planned.joint.mechanism.queries
    return [(indented(query_document(each)) + "\n").encode() for each in queries]


def _certificates(planned: Schedule, inputs: Inputs) -> list[JsonObject]:
    """Return the certificate of the verdict, and those of the leakage."""
    joint, together = planned.joint, planned.together
    if together is None or isinstance(joint.mechanism, NoisyQueries):
        return [noise_certificate(joint, inputs), *noise_beside(joint, inputs)]
    if len(together.releases) == 1:
        return [audit_certificate(joint, inputs)]
    certificates = [composition_certificate(together, inputs)]
    if joint.level is not None and joint.leakage.ratio is not None:
        leaking = replace(together, joint=replace(joint, level=None, kept=None))
        certificates.append(composition_certificate(leaking, inputs))
    return certificates


def release_plots(planned: Schedule) -> list[Plot]:
    """Return the plots as names, files and what they show: none of a few records, or releases."""
    return [*_by_record(planned), *_by_release(planned)]


def _by_record(planned: Schedule) -> list[Plot]:
    largest, levels = planned.joint.largest, dict[int, float]()
    leakages = largest.by_record if isinstance(largest, BlocksLeakage | PeopleLeakage) else ()
    for _, record, ratio in leakages:
        levels[record] = max(levels.get(record, 0.0), log(max(ratio, 1.0)))
    if len(levels) < _FEW:
        return []
    records = sorted(levels)
    most = max(levels.values())
    finding = f"All releases tell at most {three(most)} nats about a record."
    drawn = _drawn(records, [levels[t] for t in records], "record", planned)
    return [("records.svg", rendered(drawn, "records.svg", finding), finding)]


def _by_release(planned: Schedule) -> list[Plot]:
    if len(planned.single) < _FEW:
        return []
    nats = [nats_approx(each) for each in planned.single]
    finding = f"Alone a release tells at most {three(max(nats))} nats: number {planned.release}."
    drawn = _drawn(range(1, len(nats) + 1), nats, "release", planned)
    return [("releases.svg", rendered(drawn, "releases.svg", finding), finding)]


def _drawn(places: Sequence[int], nats: Sequence[float], name: str, planned: Schedule) -> "Figure":
    budget = planned.plan.budget
    with styled():
        figure, axes = new_figure(2.6)
        axes.fill_between(places, nats, color=FOR, alpha=0.25, step="mid", linewidth=0)
        axes.step(places, nats, where="mid", color=INK, linewidth=1)
        if budget is not None:
            most = float(budget.enclosure().upper)
            axes.axhline(most, color=AGAINST, linewidth=1, linestyle="--")
        axes.set_ylim(bottom=0)
        axes.set_xlim(places[0], places[-1])
        axes.locator_params(axis="x", integer=True)
        axes.set_xlabel(f"{name} (dashed: the budget)" if budget is not None else name)
        axes.set_ylabel("nats")
    return figure


def release_lines(planned: Schedule) -> list[str]:
    """Say what was found."""
    plan, joint = planned.plan, planned.joint
    above, below = map(in_quotes, planned.worst)
    number = counted(len(plan.releases), "release")
    lines = []
    if joint.verdict is not None:
        lines.append(f"{joint.verdict.value} {level_nats(plan.budget)}  {number} together")
    lines += [f"doubt     {doubt}" for doubt in plan.doubts]
    lines += [f"assumed   {each}" for each in plan.assumed]
    lines.append(f"odds      {factor_text(joint.leakage)}")
    lines.append(f"leakage   {leakage_text(joint.leakage)}  ({number})")
    lines.append(f"          most about {above} against {below}")
    for place, (group, alone) in enumerate(zip(plan.groups, planned.alone), 1):
        windows = counted(len(group), "window")
        lines.append(f"alone     {leakage_text(alone)}  [[release]] {place}, {windows}")
    lines.append(
        f"most      release {planned.release}: {release_text(plan.releases, planned.release)}"
    )
    if planned.least is not None:
        factor = rounded(planned.least.upper, 9, up=True)
        lines.append(f"least     multiply all scales by {factor} to keep the budget")
    if planned.left is not None:
        lines.append(f"left      {leakage_text(planned.left)}")
    return [*lines, *shared_lines(planned.shared)]


def release_sentences(planned: Schedule) -> list[str]:
    """Say the same in sentences for a page, with three digits."""
    plan = planned.plan
    above, below = map(in_quotes, planned.worst)
    lines = [f"All releases together tell most about {above} against {below}."]
    for place, (group, alone) in enumerate(zip(plan.groups, planned.alone), 1):
        which = f" of [[release]] {place}" if len(plan.groups) > 1 else ""
        odds = "changes the odds without bound"
        if alone.upper is not None:
            odds = f"multiplies the odds by at most {_three(alone.upper)}"
        one = f"One of {counted(len(group), 'release')}{which} alone"
        lines.append(f"{one} {odds}: it leaks {three_nats(alone)}.")
    number = planned.release
    what = release_text(plan.releases, number)
    lines.append(f"Alone release {number} tells most: {what}.")
    if planned.least is not None:
        factor = rounded(planned.least.upper, 3, up=True)
        lines.append(
            f"Multiply all scales by {factor} to keep the budget (the least factor, rounded up)."
        )
    if planned.left is not None:
        lines.append(f"The budget leaves {three_nats(planned.left)}.")
    return [*lines, *shared_sentences(planned.shared)]


def release_notes(planned: Schedule) -> list[str]:
    """Say what one should know of a plan."""
    notes = []
    if planned.plan.overlapping:
        notes.append("note: some windows overlap: their records are released more than once")
    scaled = planned.plan.budget is not None and planned.together is None
    if scaled and planned.least is None:
        notes.append("note: no factor on the scales was found that keeps the budget")
    return notes


def factor_text(leakage: Leakage) -> str:
    """Say e^leakage: `multiplied by at most 63.7`."""
    if leakage.upper is None:
        return "change without bound"
    return f"multiplied by at most {_short(leakage)}"


def _short(leakage: Leakage) -> str:
    if leakage.ratio is not None and len(text_of(leakage.ratio)) < 12:
        return text_of(leakage.ratio)
    upper = leakage.upper or Fraction(0)
    return f"{float(upper):.4g}" if upper < _LONG else f"{_decimal(upper, 4):.3e}"


def _three(ratio: Fraction) -> str:
    return three(float(ratio), up=True) if ratio < _LONG else f"{_decimal(ratio, 3):.2e}"


def _decimal(ratio: Fraction, digits: int) -> Decimal:
    """Return a ratio that may be beyond the range of floats, rounded up."""
    up = Context(prec=digits, rounding=ROUND_CEILING)
    return up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))


def release_text(releases: Sequence[RecordQuery | WindowMechanism], number: int) -> str:
    """Say which query, table or program of which records a release is."""
    release = releases[number - 1]
    of_records = release.records.stretch(*release.ends)
    if isinstance(release, WindowMechanism):
        return f"{release.name} of {of_records}"
    counts = "count of " + in_quotes(release.counted) if release.counted else release.query
    return f"the {counts} of {of_records}, {release.noise.kind} {release.noise.text}"
