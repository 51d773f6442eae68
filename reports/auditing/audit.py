"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a
level.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import contents, expect_contents, forget, reading_once
from pufferproof.models.files.question import Listed, NoisyReleases, read
from pufferproof.models.files.reading import hashes
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, brief, rounded
from pufferproof.reports.auditing.any_form import (
    Files,
    audit_files,
    divided,
    refuse_bounded,
    refuse_options,
)
from pufferproof.reports.auditing.batch import (
    Audited,
    Line,
    Shared,
    answer_of,
    audit_lines_of,
)
from pufferproof.reports.auditing.plots import NAMES
from pufferproof.reports.auditing.points.reading import read_points, refuse_at_points
from pufferproof.reports.auditing.words import audit_lines, bounds_lines
from pufferproof.reports.console.options import (
    AsJson,
    CertificateOut,
    Databases,
    DecidedLevel,
    EvidenceOut,
    Jobs,
    Normalize,
    OptionalFramework,
    OptionalMechanism,
    OutputFormat,
    Resume,
    Scheduler,
    TrustCode,
    TrustStore,
    UnitSeconds,
    format_of,
    parsed_delta,
    parsed_level,
    sharing_of,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    exit_code,
    normalized_lines,
    priors_json,
    priors_lines,
    tell,
)
from pufferproof.reports.console.words import (
    never_checked_lines,
    table_csv,
    table_view,
    trust_line,
)
from pufferproof.reports.explaining.proved import leakage_trust
from pufferproof.reports.schemas import audit as schema
from pufferproof.verify.audit import Audit, expect_effort
from pufferproof.verify.audit import audit as audit_of
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.table import Row, leakage_table

if TYPE_CHECKING:
    from pufferproof.models.interface.sweeps.units import Unit
    from pufferproof.reports.auditing.plots.profile import ProfilePoint
    from pufferproof.verify.leakage.trade_off import Corner, Region

_MOST_REGIONS = 100  # pairs whose corners are listed one by one


def audit(
    framework: OptionalFramework = None,
    mechanism: OptionalMechanism = None,
    epsilon: DecidedLevel = None,
    delta: Annotated[
        str | None,
        typer.Option("--delta", metavar="P", help="decide (epsilon, P); needs --epsilon"),
    ] = None,
    renyi: Annotated[
        str | None,
        typer.Option(
            "--renyi",
            metavar="ALPHA",
            help="Renyi divergence of order ALPHA; with --epsilon: decide it",
        ),
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="leakage of every prior, pair and output")
    ] = False,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="write that table as CSV")
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="draw the smallest delta at every level (.svg, .png, .pdf)",
        ),
    ] = None,
    draw: Annotated[
        str | None,
        typer.Option(
            "--draw", metavar="NAME", help=f"with --plot: draw something else: {', '.join(NAMES)}"
        ),
    ] = None,
    profile: Annotated[
        bool, typer.Option("--profile", help="smallest delta at levels from 0 to 10")
    ] = False,
    corners: Annotated[
        bool,
        typer.Option(
            "--corners", help="levels where the slope of the smallest delta in e^epsilon changes"
        ),
    ] = False,
    certificate: CertificateOut = None,
    evidence: EvidenceOut = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="DIR", help="write a page with the evidence into DIR"),
    ] = None,
    effort: Annotated[
        int,
        typer.Option(
            "--effort",
            metavar="N",
            help="for classes of chains: work on the bounds, 1 to 10; each step doubles it",
        ),
    ] = 1,
    length: Annotated[
        int | None,
        typer.Option(
            "--length", metavar="K", help="for hidden Markov mechanisms: release K symbols"
        ),
    ] = None,
    normalize: Normalize = False,
    databases: Databases = None,
    trust_code: TrustCode = False,
    as_json: AsJson = False,
    output_format: OutputFormat = "text",
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch",
            metavar="LIST",
            help="audit every line of LIST (text, .csv, .jsonl); one JSON object per line",
        ),
    ] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    resume: Resume = None,
    trust_store: TrustStore = False,
    unit_seconds: UnitSeconds = None,
) -> None:
    """Compute what a mechanism leaks, and decide whether it keeps a level."""
    outputs = _Outputs(table, csv, plot, certificate, draw, profile, evidence, out, corners, effort)
    outputs.expect_together()
    as_json, annotates = format_of(output_format, as_json)
    sharing = sharing_of(jobs, scheduler, resume, trust_store, unit_seconds)
    if batch is not None:
        _refuse_beside_batch(framework, databases, outputs, output_format)
        files_of = partial(read, normalize=normalize, trust_code=trust_code)
        audited = _line(files_of, delta, renyi, normalize)
        unit_of = partial(_unit, delta=delta, renyi=renyi, normalize=normalize)
        shared = _shared(sharing, unit_of, trust_code)
        raise typer.Exit(audit_lines_of(batch, epsilon, audited, shared))
    _refuse_without_batch(sharing)
    if framework is None or mechanism is None:
        missing = "FRAMEWORK" if framework is None else "MECHANISM"
        raise ModelError(f"Missing argument '{missing}'; see `pufferproof audit --help`")
    level, bound = parsed_level(epsilon), parsed_delta(delta, epsilon)
    about = mechanism if annotates else None
    given = outputs.options(databases, length)
    kind = _Kind(bound, _order(renyi, delta, outputs.proof), effort)
    _of_points(framework, mechanism, level, kind, given, as_json, about)
    with working("auditing"):
        files = read(framework, [mechanism], normalize, databases, trust_code, length=length)
        _refuse(files, databases, _only_listed(files, delta, renyi), outputs)
        if bound is not None:
            _refuse_deltas(files, outputs)
        decided = _Decided.of(files, level, kind, outputs.rows)
        points, least = outputs.points(decided), least_scale(decided.audit)
        turns = outputs.turns(decided)
        proofs = outputs.write(decided, [framework, mechanism], databases, least)
    answer = decided.answer(normalize, table, outputs.proof, points, turns, proofs)
    lines = [
        *audit_lines(decided.audit),
        *_profile_lines(points),
        *(turns.lines(decided.audit) if turns else []),
        *([] if least is None else [_least_line(least, 9)]),
        trust_line(answer.trust, answer.leakage_trust or (), answer.rests_on),
    ]
    view = table_view(decided.rows) if table and not as_json else None
    notes, code = decided.notes(normalize, certificate), exit_code(decided.audit.kept)
    tell(answer, lines, notes, as_json, view, code, about)


def _profile_lines(points: "Sequence[ProfilePoint]") -> list[str]:
    """Render a privacy profile, nothing where there is none."""
    if not points:
        return []
    from pufferproof.reports.auditing.plots.profile import profile_lines

    return list(profile_lines(points))


@dataclass(frozen=True)
class _Turns:
    """Where the smallest delta changes its slope, over all pairs and of the first pairs alone."""

    profile: "list[Corner]"
    regions: "list[Region]"

    def lines(self, audit: Audit) -> list[str]:
        """Say it, a line each, over all pairs and of the witness's."""
        if not self.profile:
            return ["corners   none: delta is 0 at every level"]
        witness = audit.witness
        shown = _turn_lines("corners", self.profile)
        for region in self.regions:
            if len(self.regions) > 1 and (region.prior, region.pair) == (
                witness.prior,
                witness.pair,
            ):
                shown += _turn_lines("witness", region.corners)
        return shown


def _turn_lines(head: str, turns: "Sequence[Corner]") -> list[str]:
    shown = [f"delta {brief(turn.delta)} at e^epsilon = {brief(turn.ratio)}" for turn in turns]
    return [f"{'' if k else head:<10}{line}" for k, line in enumerate(shown)]


def _of_points(
    framework: str,
    mechanism: str,
    level: Level | None,
    kind: "_Kind",
    options: Mapping[str, object],
    as_json: bool,
    about: str | None,
) -> None:
    """Tell the audit of normal records that are not truncated, and end; else return."""
    with working("auditing"):
        files = read_points(framework, [mechanism])
        if files is None:
            return
        from pufferproof.reports.auditing.points.answer import (
            audit_answer,
            audit_points,
            point_lines,
        )
        from pufferproof.verify.noise.gaussian.audit import PointQuestion

        refuse_at_points(options)
        audit = audit_points(files, PointQuestion(level, kind.bound, kind.order, "--"))
        answer, lines = audit_answer(audit, files), point_lines(audit)
    tell(answer, lines, [], as_json, code=exit_code(audit.kept), annotated=about)


@dataclass(frozen=True)
class _Decided:
    """The audit of a mechanism, and its table of leakages where that is asked for."""

    files: Files
    audit: Audit
    rows: list[Row]

    @classmethod
    def of(cls, files: Files, level: Level | None, kind: "_Kind", with_rows: bool) -> "_Decided":
        if kind.bound is None and kind.order is None and kind.effort == 1:
            audit = audit_files(files, level)
        else:
            framework, mechanism = files.framework.value, files.mechanisms[0].value
            audit = audit_of(framework, mechanism, level, kind.bound, kind.order, kind.effort)
        rows = list(leakage_table(audit.framework, audit.channel)) if with_rows else []
        return cls(files, audit, rows)

    def answer(
        self,
        normalize: bool,
        table: bool,
        certificate: str | None,
        points: "Sequence[ProfilePoint]" = (),
        turns: "_Turns | None" = None,
        proofs: Sequence[JsonObject] = (),
    ) -> schema.Audit:
        """Return the audit, what was divided, the tables, and the certificate written."""
        files = self.files
        inputs = hashes(framework=files.framework, mechanism=files.mechanisms[0])
        known = self.audit.as_json() | {"inputs": inputs}
        known |= priors_json(files.framework.value.normalized)
        if divided(files, normalize):
            known["normalized"] = True
        if self.audit.mixtures is not None:
            known["mixtures"] = self.audit.mixtures.as_json()
        if table:
            known["table"] = [row.as_json() for row in self.rows]
        if points:
            known["profile"] = [point.as_json() for point in points]
        if turns is not None:
            known["corners"] = [turn.as_json() for turn in turns.profile]
            known["regions"] = [each.as_json() for each in turns.regions]
        if certificate is not None:
            known |= {"certificate": certificate}
            if self.audit.of is None or self.audit.level is not None:
                known["trust"] = ["KERNEL"]  # without a level a class is bounded less closely
            if self.audit.level is not None:
                largest = self.audit.largest
                if of_leakage := leakage_trust(proofs, largest.leakage, largest.trust(None)):
                    known["leakage_trust"] = of_leakage
        return schema.Audit.model_validate(known)

    def notes(self, normalize: bool, certificate: str | None) -> list[str]:
        """Say which rows were divided, which pairs were not checked, and why there are bounds."""
        framework, mechanism = self.files.framework, self.files.mechanisms[0]
        return [
            *normalized_lines(divided(self.files, normalize), mechanism.path),
            *priors_lines(framework.value.normalized, framework.path, certificate),
            *never_checked_lines(self.audit.scope),
            *bounds_lines(self.audit.largest),
        ]


@dataclass(frozen=True)
class _Outputs:
    """What was asked for beside the audit: its table, and files to write."""

    table: bool
    csv: str | None
    plot: str | None
    certificate: str | None
    draw: str | None
    profile: bool
    evidence: str | None = None
    out: str | None = None
    corners: bool = False
    effort: int = 1

    @property
    def proof(self) -> str | None:
        """Where the certificate goes, if there is one."""
        return self.certificate or self.evidence or (self.out and f"{self.out}/certificate.json")

    def expect_together(self) -> None:
        """Raise `ModelError` for a name of a plot without a file for it, or an unknown one, and for
        an effort that there is not.
        """
        expect_effort(self.effort, True, "--effort")
        if self.draw is not None and self.plot is None:
            raise ModelError("goes with --plot", "--draw")
        if self.draw is not None and self.draw not in NAMES:
            raise ModelError(f'expected one of {", ".join(NAMES)}, found "{self.draw}"', "--draw")

    def options(self, databases: str | None, length: int | None) -> dict[str, object]:
        """What was asked for, by its option, with other options that not all files have."""
        return {
            "--table": self.table,
            "--csv": self.csv,
            "--plot": self.plot,
            "--profile": self.profile,
            "--corners": self.corners,
            "--certificate": self.certificate,
            "--evidence": self.evidence,
            "--out": self.out,
            "--length": length,
            "--databases": databases,
            "--effort": self.effort > 1,
        }

    def points(self, decided: _Decided) -> "list[ProfilePoint]":
        """Return the privacy profile at some levels where it is asked for."""
        if not self.profile:
            return []
        from pufferproof.reports.auditing.plots.profile import profile_points

        return profile_points(decided.audit)

    def turns(self, decided: _Decided) -> _Turns | None:
        """Return the corners of the smallest delta where they are asked for."""
        if not self.corners:
            return None
        from pufferproof.verify.leakage.trade_off import corners_of, regions_of

        about = decided.audit.framework, decided.audit.channel
        return _Turns(corners_of(*about), list(islice(regions_of(*about), _MOST_REGIONS)))

    @property
    def rows(self) -> bool:
        """Whether the rows of the table are needed."""
        return self.table or self.csv is not None

    def write(
        self,
        decided: _Decided,
        paths: Sequence[str],
        databases: str | None,
        least: Enclosure | None,
    ) -> Sequence[JsonObject]:
        """Write all files, and return the certificates; what was audited stands in `paths`."""
        document, read_files = self._document(decided), [*paths, databases]
        written = self._files(decided, document)
        if self.evidence is None and self.out is None:
            write_outputs(written, self.csv, self.plot, self.certificate, inputs=read_files)
            return [] if document is None else [document]
        from pufferproof.reports.auditing.evidence import pack_of
        from pufferproof.reports.explaining.pack import write_evidence

        pack = pack_of(decided.files, decided.audit, paths)
        if least is not None:
            short, whole = (
                f"{_least_line(least, digits).removeprefix('least').strip().capitalize()}."
                for digits in (3, 9)
            )
            pack = replace(pack, lines=[*pack.lines, short], digits=[*pack.digits, whole])
        write_evidence(pack, self.out, self.evidence, read_files, written)
        return pack.certificates

    def _document(self, decided: _Decided) -> JsonObject | None:
        """Return the certificate, if one was asked for."""
        if self.certificate is None:
            return None
        from pufferproof.reports.auditing.evidence import audit_evidence

        return audit_evidence(decided.files, decided.audit)

    def _files(self, decided: _Decided, document: JsonObject | None) -> dict[str, bytes]:
        """Return the files that are no evidence."""
        written: dict[str, bytes] = {}
        if self.certificate is not None and document is not None:
            from pufferproof.verify.certificates.writing import certified_text

            written[self.certificate] = certified_text(document).encode()
        if self.csv is not None:
            written[self.csv] = table_csv(decided.rows).encode()
        if self.plot is not None:
            from pufferproof.reports.auditing.plots.curves import drawn
            from pufferproof.reports.console.drawing import rendered

            plot = drawn(decided.audit, self.draw or ("region" if self.corners else None))
            written[self.plot] = rendered(plot.figure, self.plot, plot.finding)
        return written


@dataclass(frozen=True)
class _Kind:
    """Of privacy that is decided beside the pure one: a delta, or a Renyi order; the effort."""

    bound: Fraction | None
    order: Fraction | None
    effort: int = 1


def _line(
    files_of: Callable[[str, list[str]], Files], delta: str | None, renyi: str | None, divide: bool
) -> Audited:
    """Return what audits the files of a line of a list, as the command does those it is given."""

    def audited(line: Line) -> tuple[schema.Audit, Decision | None]:
        level, bound = parsed_level(line.epsilon), parsed_delta(delta, line.epsilon)
        order = _order(renyi, delta, None)
        if (points := read_points(line.framework, [line.mechanism])) is not None:
            from pufferproof.reports.auditing.points.answer import audit_answer, audit_points
            from pufferproof.verify.noise.gaussian.audit import PointQuestion

            found = audit_points(points, PointQuestion(level, bound, order, "--"))
            return audit_answer(found, points), found.kept
        files = files_of(line.framework, [line.mechanism])
        refuse_options(files, _only_listed(files, delta, renyi))
        decided = _Decided.of(files, level, _Kind(bound, order), with_rows=False)
        return decided.answer(divide, table=False, certificate=None), decided.audit.kept

    return audited


def _shared(sharing: Sharing, unit_of: "Callable[[Line], Unit]", trust_code: bool) -> Shared | None:
    """Return how lines are shared, or None if nothing is said of it.

    Raises `ModelError` for code, which may rest on more than the files that are read.
    """
    if sharing == Sharing():
        return None
    if trust_code:
        raise ModelError("goes with no sharing of lines, and no --resume", "--trust-code")
    return Shared(sharing, unit_of)


def _unit(line: Line, delta: str | None, renyi: str | None, normalize: bool) -> "Unit":
    """Return the audit of a line as a unit of work, which says what the files contain.

    Raises `ModelError` unless they can be read, as the audit of the line does.
    """
    from pufferproof.models.interface.sweeps.units import Unit  # `--batch` alone needs it

    parsed_level(line.epsilon)
    parsed_delta(delta, line.epsilon)
    _order(renyi, delta, None)
    if read_points(line.framework, [line.mechanism]) is None:
        read(line.framework, [line.mechanism], normalize)
    paths = [[path, os.path.abspath(path)] for path in (line.framework, line.mechanism)]
    return Unit.of(audited_line, paths, contents(), line.epsilon, delta, renyi, normalize)


def audited_line(
    paths: list[list[str]],
    known: dict[str, str],
    epsilon: str | None,
    delta: str | None,
    renyi: str | None,
    normalize: bool,
) -> list[str]:
    """Audit the files of a line of a list, given by their names there and where they are; known
    are the digests of all that is read.

    Returns: the name of the decision, or nothing, and what is printed of the line.
    """
    forget()
    line = Line(1, paths[0][1], paths[1][1], epsilon)
    audited = _line(partial(read, normalize=normalize), delta, renyi, normalize)
    with reading_once():
        expect_contents(known)
        answer, kept = answer_of(audited, line)
    printed = answer.as_json()
    for name, place in paths if "error" in printed else []:
        printed["error"] = printed["error"].replace(place, name)
    return [kept.name if kept is not None else "", json.dumps(printed)]


def _refuse_without_batch(sharing: Sharing) -> None:
    """Raise `ModelError` for what shares the lines of a list where there is none."""
    options = {
        "--jobs": sharing.jobs,
        "--scheduler": sharing.scheduler,
        "--resume": sharing.resume,
        "--unit-seconds": sharing.seconds,
    }
    if option := next((name for name, value in options.items() if value is not None), None):
        raise ModelError("needs --batch as well: the lines of a list are shared", option)


def _refuse_beside_batch(
    framework: str | None, databases: str | None, outputs: "_Outputs", output_format: str
) -> None:
    """Raise `ModelError` for what goes with one framework and one mechanism only."""
    single = {
        "--databases": databases,
        "--table": outputs.table,
        "--csv": outputs.csv,
        "--plot": outputs.plot,
        "--profile": outputs.profile,
        "--corners": outputs.corners,
        "--certificate": outputs.certificate,
        "--evidence": outputs.evidence,
        "--out": outputs.out,
        "--output-format": output_format == "github",
        "--effort": outputs.effort > 1,
    }
    if framework is not None:
        raise ModelError("LIST names the files: leave out FRAMEWORK and MECHANISM", "--batch")
    if option := next((name for name, value in single.items() if value), None):
        raise ModelError("goes with one mechanism, not with --batch", option)


def _only_listed(files: Files, delta: str | None, renyi: str | None) -> dict[str, str | None]:
    """Return the options of other kinds of privacy that go with listed outputs and noise only."""
    noisy = isinstance(files, NoisyReleases)
    return {} if noisy else {"--delta": delta, "--renyi": renyi}


def _refuse(
    files: Files, databases: str | None, kinds: dict[str, str | None], outputs: _Outputs
) -> None:
    """Raise an error for options that go with listed outputs only, or with single laws; sequences
    may be certified.
    """
    noisy = isinstance(files, NoisyReleases)
    expect_effort(outputs.effort, bool(files.framework.value.classes), "--effort")
    if files.framework.value.classes:
        listed = {"--table": outputs.table, "--csv": outputs.csv}
        certified = {
            "--certificate": outputs.certificate,
            "--evidence": outputs.evidence,
            "--out": outputs.out,
        }
        delta = isinstance(files, Listed)  # which classes bound for these, as for noise
        refuse_bounded(
            {
                **{name: of for name, of in kinds.items() if not (delta and name == "--delta")},
                "--plot": outputs.plot,
                "--profile": outputs.profile,
                "--corners": outputs.corners,
                **({} if noisy else certified),
                **({} if isinstance(files, Listed) else listed),
            }
        )
    listing = {
        "--databases": databases,
        **kinds,
        "--table": outputs.table,
        "--csv": outputs.csv,
        "--plot": None if noisy else outputs.plot,
        "--profile": not noisy and outputs.profile,
        "--corners": outputs.corners,
    }
    refuse_options(files, listing)


def _refuse_deltas(files: Files, outputs: _Outputs) -> None:
    """Raise an error for evidence of a delta over classes, which the kernel has no rule for."""
    if files.framework.value.classes:
        refuse_bounded(
            {
                "--certificate": outputs.certificate,
                "--evidence": outputs.evidence,
                "--out": outputs.out,
            }
        )


def _order(text: str | None, delta: str | None, certificate: str | None) -> Fraction | None:
    """Read an order. Raises `ModelError` unless it is one, and nothing else is asked for with
    which it does not go.
    """
    if text is None:
        return None
    if delta is not None:
        raise ModelError("expected this or --delta, found both", "--renyi")
    if certificate is not None:
        raise ModelError(
            "the kernel has no rule for Renyi divergences: leave out --certificate", "--renyi"
        )
    from pufferproof.verify.leakage.renyi import order_of

    try:
        return order_of(text)
    except ModelError as error:
        raise error.at("--renyi") from None


def least_scale(audit: Audit) -> Enclosure | None:
    """Return which factor on the noise would have kept a level that is violated, if it is found."""
    if audit.kept is not Decision.FAILS or (audit.is_listed and audit.of is None):
        return None
    from pufferproof.lp.accounting.schedule import least_of

    return least_of(audit)


def _least_line(least: Enclosure, digits: int) -> str:
    return f"least     all scales times {rounded(least.upper, digits, up=True)} keep the level"
