"""The command `audit`: the exact leakage of a mechanism, its witness, and the verdict at a
level.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, in_file
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.text import JsonObject, at_most
from pufferproof.reports.auditing.any_form import Files, expect_file, refuse_bounded, refuse_options
from pufferproof.reports.auditing.audit.decided import Decided, Turns, point_audit
from pufferproof.reports.auditing.audit.options import AuditInput, Decide, Show, Write
from pufferproof.reports.auditing.points.reading import read_points, refuse_at_points
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.options import FrameworkFile, MechanismFile
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import ProgramFile, exit_code, read, tell
from pufferproof.reports.console.words import table_csv, table_view, trust_line
from pufferproof.verify.audit import Audit, expect_effort
from pufferproof.verify.audit.levels import listed_outputs
from pufferproof.verify.decision import Decision

if TYPE_CHECKING:
    from pufferproof.lp.accounting.releases.plan import Fitted
    from pufferproof.reports.auditing.plots.curves import ProfilePoint
    from pufferproof.reports.explaining.paths import Paths

_DATA = re.compile(rb"\bdata\b")
_MOST_REGIONS = 100  # pairs whose corners are listed one by one


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

            people = People.of(fitted, decided.audit, told, decide)
        points, least = asked.points(decided), least_scale(decided.audit)
        turns, paths = asked.turns(decided), asked.paths(decided)
        proofs = asked.written(decided, [framework, mechanism], least)
    answer = decided.answer(inputs.normalize, show.table, write.proof, points, turns, paths, proofs)
    code = exit_code(decided.audit.kept)
    if people is not None:
        answer, code = people.answer(answer), 3 if people.contrary else code
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
        trust_line(answer.trust, answer.leakage_trust or (), answer.rests_on),
    ]
    view = table_view(decided.rows) if show.table and not as_json else None
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
