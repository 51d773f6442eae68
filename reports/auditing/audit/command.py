"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a
level.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Calls
from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, hashes, in_file
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, at_most, brief
from pufferproof.reports.auditing.any_form import (
    Files,
    PointFiles,
    audit_files,
    divided,
    expect_file,
    read_points,
    refuse_at_points,
    refuse_bounded,
    refuse_options,
)
from pufferproof.reports.auditing.plots import NAMES
from pufferproof.reports.auditing.words import audit_lines, bounds_lines
from pufferproof.reports.console.options import (
    AcceptDoubt,
    CertificateOut,
    DecidedLevel,
    EvidenceOut,
    FrameworkFile,
    Input,
    MechanismFile,
    ObjectRuns,
    Printed,
    calls_of,
    parsed_delta,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import (
    ProgramFile,
    exit_code,
    normalized_lines,
    priors_json,
    priors_lines,
    read,
    tell,
)
from pufferproof.reports.console.words import never_checked_lines, table_csv, table_view, trust_line
from pufferproof.reports.explaining.proved import leakage_trust
from pufferproof.verify.audit import Audit, expect_effort
from pufferproof.verify.audit import audit as audit_of
from pufferproof.verify.audit.decide import listed_outputs
from pufferproof.verify.decision import Decision, resting
from pufferproof.verify.leakage.ratio import Row, leakage_table

if TYPE_CHECKING:
    from pufferproof.lp.accounting.releases.plan import Fitted
    from pufferproof.reports.auditing.audit.people import People
    from pufferproof.reports.auditing.plots.curves import ProfilePoint
    from pufferproof.reports.explaining.paths import Paths
    from pufferproof.reports.schemas import audit as schema
    from pufferproof.verify.leakage.delta import Corner, Region
    from pufferproof.verify.noise.normal.audit import PointAudit


# What can be asked, in groups: what is decided, shown and written.


@dataclass(frozen=True)
class Promise:
    """Options that say what is decided."""

    title: ClassVar = "Decide"
    epsilon: DecidedLevel = None
    delta: Annotated[
        str | None, typer.Option("--delta", metavar="P", help="delta to decide at the level of --epsilon")
    ] = None
    renyi: Annotated[
        str | None,
        typer.Option(
            "--renyi", metavar="ALPHA", help="order of the Renyi divergence to compute, or to decide with --epsilon"
        ),
    ] = None

    zcdp: Annotated[
        str | None,
        typer.Option(
            "--zcdp", metavar="[RHO]", help="rho of zero-concentrated privacy to decide; without RHO, find the smallest"
        ),
    ] = None
    gdp: Annotated[
        str | None,
        typer.Option(
            "--gdp",
            metavar="[MU]",
            help="mu of Gaussian privacy to decide; without MU, find the smallest (f-DP: --corners)",
        ),
    ] = None

    @property
    def smallest(self) -> dict[str, str | bool]:
        """The smallest number that is asked for, by its name, with what is claimed or True. Raises
        `ModelError` unless it is alone.
        """
        given = {"zcdp": self.zcdp, "gdp": self.gdp}
        found = {name: value or True for name, value in given.items() if value is not None}
        others = {
            "--epsilon": self.epsilon,
            "--delta": self.delta,
            "--renyi": self.renyi,
            "--zcdp": None if self.gdp is None else self.zcdp,
        }
        beside = next((name for name, value in others.items() if value is not None), None)
        if found and beside is not None:
            raise ModelError(f"expected this or {beside}, found both", f"--{[*found][-1]}")
        for name, value in found.items():
            from pufferproof.verify.noise.concentrated import claimed_of

            try:
                _ = value is True or claimed_of(value)
            except ModelError as error:
                raise error.at(f"--{name}") from None
        return found

    @property
    def level(self) -> Level | None:
        """The level."""
        level: Level | None = parsed_level(self.epsilon)
        return level

    @property
    def bound(self) -> Fraction | None:
        """The delta."""
        return parsed_delta(self.delta, self.epsilon)

    @property
    def order(self) -> Fraction | None:
        """The Renyi order. Raises `ModelError` unless it is one, and no delta stands beside it."""
        if self.renyi is None:
            return None
        if self.delta is not None:
            raise ModelError("expected this or --delta, found both", "--renyi")
        from pufferproof.verify.leakage.renyi import order_of

        try:
            return order_of(self.renyi)
        except ModelError as error:
            raise error.at("--renyi") from None

    def expect(self) -> None:
        """Raise `ModelError` unless what is decided is what can be."""
        _ = self.level, self.bound, self.order, self.smallest

    def only_listed(self, files: Files) -> dict[str, str | None]:
        """Return the options that go with listed outputs and noise only, if these are others."""
        if isinstance(files, NoisyReleases):
            return {}
        return {
            "--delta": self.delta,
            "--renyi": self.renyi,
            "--zcdp": None if self.zcdp is None else "asked",
            "--gdp": None if self.gdp is None else "asked",
        }


@dataclass(frozen=True)
class Decide(Promise):
    """The same, with what single questions have."""

    accept_doubt: AcceptDoubt = False
    effort: Annotated[
        int,
        typer.Option(
            "--effort",
            metavar="N",
            help="amount of work for classes of chains and programs, 1 to 10; each step doubles it",
        ),
    ] = 1
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="K", help="number of symbols that a hidden Markov mechanism releases"),
    ] = None


@dataclass(frozen=True)
class AuditInput(Input):
    """Options that say how files are read, and how often an object releases."""

    title: ClassVar = "Input"
    runs: ObjectRuns = 1

    @property
    def calls(self) -> Calls:
        """How code is called. Raises `ModelError` unless it can be."""
        return calls_of(self.trust_code, self.records, self.arguments, self.runs, self.no_agreement)


@dataclass(frozen=True)
class Show(Printed):
    """Options that say what is printed."""

    table: Annotated[bool, typer.Option("--table", help="show the leakage of every prior, pair and output")] = False
    profile: Annotated[bool, typer.Option("--profile", help="show the smallest delta at levels from 0 to 10")] = False
    corners: Annotated[
        bool,
        typer.Option("--corners", help="show the levels where the slope of the smallest delta in e^epsilon changes"),
    ] = False
    paths: Annotated[
        bool, typer.Option("--paths", help="show the choices of a program, and the witness as two runs side by side")
    ] = False


@dataclass(frozen=True)
class Write:
    """Options that name files to write."""

    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="CSV file for the table of --table")] = None
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="plot of the smallest delta at every level (.svg, .png, .pdf)"),
    ] = None
    draw: Annotated[
        str | None, typer.Option("--draw", metavar="NAME", help=f"what --plot draws instead: {', '.join(NAMES)}")
    ] = None
    certificate: CertificateOut = None
    evidence: EvidenceOut = None
    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="folder for a page with the evidence")] = None

    def expect_together(self) -> None:
        """Raise `ModelError` for a name of a plot without a file for it, or an unknown one."""
        if self.draw is not None and self.plot is None:
            raise ModelError("needs --plot", "--draw")
        if self.draw is not None and self.draw not in NAMES:
            raise ModelError(f'expected one of {", ".join(NAMES)}, found "{self.draw}"', "--draw")

    @property
    def proof(self) -> str | None:
        """Where the certificate goes, if there is one."""
        return self.certificate or self.evidence or (self.out and f"{self.out}/certificate.json")

    @property
    def proofs(self) -> dict[str, str | None]:
        """Return what is written of certificates, by its option."""
        files = {"--certificate": self.certificate, "--evidence": self.evidence}
        return {**files, "--out": self.out}


# The audit of a mechanism that was read from files, as an object and in notes.


@dataclass(frozen=True)
class Turns:
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
            if len(self.regions) > 1 and (region.prior, region.pair) == (witness.prior, witness.pair):
                shown += _turn_lines("witness", region.corners)
        return shown


def _turn_lines(head: str, turns: "Sequence[Corner]") -> list[str]:
    shown = [f"delta {brief(turn.delta)} at e^epsilon = {brief(turn.ratio)}" for turn in turns]
    return [f"{'' if k else head:<10}{line}" for k, line in enumerate(shown)]


@dataclass(frozen=True)
class Decided:
    """The audit of a mechanism, and its table of leakages where that is asked for."""

    files: Files
    audit: Audit
    rows: list[Row]

    @classmethod
    def of(cls, files: Files, promise: Promise, effort: int, rows: str | None) -> "Decided":
        level, bound, order = promise.level, promise.bound, promise.order
        if promise.smallest:
            framework, mechanism = files.framework.value, files.mechanisms[0]
            audit = audit_of(framework, mechanism, effort=effort, **promise.smallest)
        elif bound is None and order is None and effort == 1:
            audit = audit_files(files, level)
        else:
            framework, mechanism = files.framework.value, files.mechanisms[0]
            audit = audit_of(framework, mechanism, level, bound, order, effort)
        if rows is None:
            return cls(files, audit, [])
        channel = listed_outputs(audit.mechanism, rows)
        return cls(files, audit, list(leakage_table(audit.framework, channel)))

    def fields(
        self,
        normalize: bool,
        table: bool,
        certificate: str | None,
        points: "Sequence[ProfilePoint]" = (),
        turns: Turns | None = None,
        paths: "Paths | None" = None,
        proofs: Sequence[JsonObject] = (),
    ) -> JsonObject:
        """Return the audit, what was divided, the tables, and the certificate written, for `answered`."""
        files = self.files
        inputs = hashes(framework=files.framework, mechanism=files.mechanisms[0])
        fields = self.audit.as_json() | {"inputs": inputs}
        fields |= priors_json(files.framework.value.normalized)
        if divided(files, normalize):
            fields["normalized"] = True
        if self.audit.mixtures is not None:
            fields["mixtures"] = self.audit.mixtures.as_json()
        if table:
            fields["table"] = [row.as_json() for row in self.rows]
        if points:
            fields["profile"] = [point.as_json() for point in points]
        if turns is not None:
            fields["corners"] = [turn.as_json() for turn in turns.profile]
            fields["regions"] = [region.as_json() for region in turns.regions]
        if paths is not None:
            fields |= paths.as_json()
        if certificate is not None:
            fields |= {"certificate": certificate}
            if self.audit.of is None or self.audit.level is not None:
                # without a level a class is bounded less closely
                from pufferproof.reports.auditing.certificates import unread_trust

                derived = [each.trust for each in self.audit.programs]
                fields["trust"] = ["KERNEL", *unread_trust(files), *derived]
            if self.audit.level is not None:
                largest = self.audit.largest
                if of_leakage := leakage_trust(proofs, largest.leakage, largest.trust(None)):
                    fields["leakage_trust"] = of_leakage
        return fields

    def notes(self, normalize: bool, certificate: str | None) -> list[str]:
        """Say which rows were divided, which pairs were not checked, and why there are bounds."""
        framework, mechanism = self.files.framework, self.files.mechanisms[0]
        return [
            *normalized_lines(divided(self.files, normalize), mechanism.path),
            *priors_lines(framework.value.normalized, framework.path, certificate),
            *never_checked_lines(self.audit.scope),
            *bounds_lines(self.audit.largest),
        ]


def answered(fields: JsonObject, people: "People | None" = None) -> "schema.Audit":
    """Return the answer that is printed as JSON, with what it has beside the words of a terminal."""
    from pufferproof.reports.schemas.audit import Audit as Answer

    answer = Answer.model_validate(fields)
    return answer if people is None else people.answer(answer)


def point_audit(files: PointFiles, promise: Promise) -> "tuple[PointAudit, schema.Audit, list[str]]":
    """Return the audit of normal records that are not truncated, as an object and as lines."""
    from pufferproof.reports.auditing.points.joint import audit_answer, audit_points, point_lines
    from pufferproof.verify.noise.normal.audit import PointQuestion

    question = PointQuestion(promise.level, promise.bound, promise.order, "--")
    audit = audit_points(files, question)
    return audit, audit_answer(audit, files), point_lines(audit)


_DATA = re.compile(rb"\bdata\b")
_MOST_REGIONS = 100  # pairs whose corners are listed one by one


# The command.


def audit(
    framework: FrameworkFile, mechanism: MechanismFile, decide: Decide, show: Show, write: Write, inputs: AuditInput
) -> None:
    """Compute what a mechanism leaks, and decide whether it keeps a level."""
    asked = _AskedAudit(decide, show, write, inputs)
    asked.expect_together()
    as_json, annotates = show.form
    about = mechanism if annotates else None
    fitted = asked.fitted(framework)
    if fitted is None:
        _of_points(framework, mechanism, asked, as_json, about)
    with working("auditing") as told:
        files = read(
            framework if fitted is None else fitted.described,
            [mechanism],
            inputs.normalize,
            inputs.databases,
            replace(inputs.calls, effort=decide.effort),
            length=decide.length,
        )
        asked.refuse(files)
        decided = Decided.of(files, decide, decide.effort, asked.rows)
        people = None
        if fitted is not None:
            from pufferproof.reports.auditing.audit.people import People

            people = People.of(fitted, decided.audit, told, decide.accept_doubt)
        points, least = asked.points(decided), least_scale(decided.audit)
        turns, paths = asked.turns(decided), asked.paths(decided)
        proofs = asked.written(decided, [framework, mechanism], least)
    fields = decided.fields(inputs.normalize, show.table, write.proof, points, turns, paths, proofs)
    code = exit_code(decided.audit.kept)
    if people is not None:
        code = 3 if people.contrary else code
    profile: Iterable[str] = ()
    if points:
        from pufferproof.reports.auditing.plots.curves import profile_lines

        profile = profile_lines(points)
    lines = [
        *(audit_lines(decided.audit) if people is None else people.lines()),
        *profile,
        *(turns.lines(decided.audit) if turns else []),
        *(paths.lines() if paths else []),
        *([] if least is None else [_least_line(least, 9)]),
        trust_line(fields["trust"], fields.get("leakage_trust", ()), resting(fields)),
    ]
    view = table_view(decided.rows) if show.table and not as_json else None
    answer = partial(answered, fields, people)
    tell(answer, lines, decided.notes(inputs.normalize, write.certificate), as_json, view, code, about)


def _of_points(framework: str, mechanism: str, asked: "_AskedAudit", as_json: bool, about: str | None) -> None:
    """Tell the audit of normal records that are not truncated, and end; else return."""
    with working("auditing"):
        files = read_points(framework, [mechanism])
        if files is None:
            return
        refuse_at_points(asked.options)
        audit, answer, lines = point_audit(files, asked.decide)
    tell(answer, lines, [], as_json, code=exit_code(audit.kept), annotated=about)


@dataclass(frozen=True)
class _AskedAudit:
    """What was asked for."""

    decide: Decide
    show: Show
    write: Write
    inputs: AuditInput

    def fitted(self, framework: str) -> "Fitted | None":
        """Read a framework of recorded data, None if it is another one. Raises `ModelError` for
        options that say nothing of the people who were recorded.
        """
        found = None
        with in_file(framework):
            named = _DATA.search(bytes_of(framework, MAX_BYTES))
        if named is not None:  # then the file is read whole, with what fits chains
            from pufferproof.lp.accounting.releases.plan import read_fitted

            found = read_fitted(framework)
        decide = self.decide
        others = {"--delta": decide.delta, "--renyi": decide.renyi, "--zcdp": decide.zcdp}
        asked = others | {"--gdp": decide.gdp, **self.write.proofs}
        option = next((name for name, given in asked.items() if given is not None), None)
        if found is not None and option is not None:
            raise ModelError(
                "needs a framework without data (pufferproof data --out writes one): every "
                "recorded group is audited at --epsilon alone",
                option,
            )
        if decide.accept_doubt and found is None:
            raise ModelError("needs a framework with a table data", "--accept-doubt")
        return found

    def expect_together(self) -> None:
        """Raise `ModelError` for an effort, an order or a plot that there is not, and for a
        certificate of a Renyi divergence.
        """
        expect_effort(self.decide.effort, True, "--effort")
        self.write.expect_together()
        self.decide.expect()
        number = next((f"--{name}" for name in self.decide.smallest), "--renyi")
        if (self.decide.renyi is not None or self.decide.smallest) and self.write.proof is not None:
            raise ModelError(
                "the kernel has no rule for Renyi divergences and trade-off functions: leave out --certificate", number
            )

    @property
    def options(self) -> dict[str, object]:
        """What was asked for, by its option, of options that not all files have."""
        return {
            "--table": self.show.table,
            "--csv": self.write.csv,
            "--plot": self.write.plot,
            "--profile": self.show.profile,
            "--corners": self.show.corners,
            "--paths": self.show.paths,
            **self.write.proofs,
            "--length": self.decide.length,
            "--databases": self.inputs.databases,
            "--effort": self.decide.effort > 1,
        }

    def refuse(self, files: Files) -> None:
        """Raise an error for options that go with listed outputs only, or with single laws;
        sequences may be certified.
        """
        noisy, classes = isinstance(files, NoisyReleases), files.framework.value.classes
        if files.framework.value.levels:
            asked = {
                "--epsilon": self.decide.epsilon,
                "--delta": self.decide.delta,
                "--renyi": self.decide.renyi,
                "--zcdp": self.decide.zcdp,
                "--gdp": self.decide.gdp,
                **self.write.proofs,
            }
            option = next((name for name, given in asked.items() if given is not None), None)
            if option in self.write.proofs:
                raise ModelError(
                    "certificates are about one level: expected a framework without levels of pairs", option
                )
            if option is not None:
                raise ModelError(
                    "every pair of the framework has a level of its own, at which it is decided: leave this out", option
                )
        programs = any(isinstance(each, ProgramFile) for each in files.mechanisms)
        expect_effort(self.decide.effort, bool(classes) or programs, "--effort")
        expect_file(files, self.write.proofs)
        kinds = self.decide.only_listed(files)
        if classes:
            self._refuse_at_classes(files, kinds)
        if self.write.proof is not None:
            from pufferproof.reports.auditing.certificates import expect_rule

            packed = self.write.evidence is not None or self.write.out is not None
            expect_rule(files, self.decide.delta is not None, packed)
        listing = {
            "--databases": self.inputs.databases,
            **kinds,
            "--table": self.show.table,
            "--csv": self.write.csv,
            "--plot": None if noisy else self.write.plot,
            "--profile": not noisy and self.show.profile,
            "--corners": self.show.corners,
        }
        refuse_options(files, listing)

    def _refuse_at_classes(self, files: Files, kinds: Mapping[str, object]) -> None:
        noisy, listed = isinstance(files, NoisyReleases), isinstance(files, Listed)
        # classes bound a delta of listed outputs, as of noise
        bounded = {name: of for name, of in kinds.items() if not (listed and name == "--delta")}
        bounded |= {"--plot": self.write.plot, "--profile": self.show.profile, "--corners": self.show.corners}
        if not noisy or self.decide.bound is not None:  # no rule of the kernel for their deltas
            bounded |= self.write.proofs
        if not listed:
            bounded |= {"--table": self.show.table, "--csv": self.write.csv}
        refuse_bounded(bounded)

    def points(self, decided: Decided) -> "list[ProfilePoint]":
        """Return the privacy profile at some levels where it is asked for."""
        if not self.show.profile:
            return []
        from pufferproof.reports.auditing.plots.curves import profile_points

        return profile_points(decided.audit)

    def turns(self, decided: Decided) -> Turns | None:
        """Return the corners of the smallest delta where they are asked for."""
        if not self.show.corners:
            return None
        from pufferproof.verify.leakage.delta import corners_of, regions_of

        about = decided.audit.framework, listed_outputs(decided.audit.mechanism, "--corners")
        return Turns(corners_of(*about), list(islice(regions_of(*about), _MOST_REGIONS)))

    def paths(self, decided: Decided) -> "Paths | None":
        """Return the paths of a program where they are asked for. Raises `ModelError` for another
        mechanism.
        """
        if not self.show.paths:
            return None
        programs = decided.audit.programs
        if programs and programs[0].program.form == "each":
            raise ModelError("needs whole databases, not --records each", "--paths")
        if not programs:
            raise ModelError("needs a program, module:function that draws from rng", "--paths")
        from pufferproof.reports.explaining.paths import Paths

        return Paths.of(decided.audit, programs[0])

    @property
    def rows(self) -> str | None:
        """The option that needs the rows of the table, None if none does."""
        if self.show.table:
            return "--table"
        return None if self.write.csv is None else "--csv"

    def written(self, decided: Decided, paths: Sequence[str], least: Enclosure | None) -> Sequence[JsonObject]:
        """Write all files, and return the certificates; what was audited stands in `paths`."""
        document, read_files = None, [*paths, self.inputs.databases]
        if self.write.certificate is not None:
            from pufferproof.reports.auditing.certificates import audit_evidence

            document = audit_evidence(decided.files, decided.audit)
        written: dict[str, bytes] = {}
        if self.write.certificate is not None and document is not None:
            from pufferproof.verify.certificates.writing import certified_text

            written[self.write.certificate] = certified_text(document).encode()
        if self.write.csv is not None:
            written[self.write.csv] = table_csv(decided.rows).encode()
        if self.write.plot is not None:
            from pufferproof.reports.auditing.plots.curves import drawn

            name = self.write.draw or ("region" if self.show.corners else None)
            written[self.write.plot] = drawn(decided.audit, name).file(self.write.plot)
        if self.write.evidence is None and self.write.out is None:
            paths_of = self.write.csv, self.write.plot, self.write.certificate
            write_outputs(written, *paths_of, inputs=read_files)
            return [] if document is None else [document]
        from pufferproof.reports.auditing.evidence import pack_of
        from pufferproof.reports.explaining.pack import write_evidence

        pack = pack_of(decided.files, decided.audit, paths)
        if least is not None:
            short, whole = (
                f"{_least_line(least, digits).removeprefix('least').strip().capitalize()}." for digits in (3, 9)
            )
            pack = replace(pack, lines=[*pack.lines, short], digits=[*pack.digits, whole])
        write_evidence(pack, self.write.out, self.write.evidence, read_files, written)
        return pack.certificates


def least_scale(audit: Audit) -> Enclosure | None:
    """Return which factor on the noise would have kept a level that is violated, if it is found."""
    if audit.kept is not Decision.FAILS or (audit.is_listed and audit.of is None):
        return None
    from pufferproof.lp.accounting.releases.least import least_of

    return least_of(audit)


def _least_line(least: Enclosure, digits: int) -> str:
    factor = at_most(least.upper, digits)
    return f"least     multiply all scales by {factor} to keep the level"
