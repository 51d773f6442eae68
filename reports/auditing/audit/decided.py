"""The audit of a mechanism that was read from files, as an object and in notes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.text import JsonObject, brief
from pufferproof.reports.auditing.any_form import Files, audit_files, divided
from pufferproof.reports.auditing.audit.options import Promise
from pufferproof.reports.auditing.words import bounds_lines
from pufferproof.reports.console.telling import normalized_lines, priors_json, priors_lines
from pufferproof.reports.console.words import never_checked_lines
from pufferproof.reports.explaining.proved import leakage_trust
from pufferproof.reports.schemas import audit as schema
from pufferproof.verify.audit import Audit
from pufferproof.verify.audit import audit as audit_of
from pufferproof.verify.audit.levels import listed_outputs
from pufferproof.verify.leakage.ratio import Row, leakage_table

if TYPE_CHECKING:
    from pufferproof.reports.auditing.plots.curves import ProfilePoint
    from pufferproof.reports.auditing.points.reading import PointFiles
    from pufferproof.reports.explaining.paths import Paths
    from pufferproof.verify.leakage.delta import Corner, Region
    from pufferproof.verify.noise.normal.audit import PointAudit


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

    def answer(
        self,
        normalize: bool,
        table: bool,
        certificate: str | None,
        points: "Sequence[ProfilePoint]" = (),
        turns: Turns | None = None,
        paths: "Paths | None" = None,
        proofs: Sequence[JsonObject] = (),
    ) -> schema.Audit:
        """Return the audit, what was divided, the tables, and the certificate written."""
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
        return schema.Audit.model_validate(fields)

    def notes(self, normalize: bool, certificate: str | None) -> list[str]:
        """Say which rows were divided, which pairs were not checked, and why there are bounds."""
        framework, mechanism = self.files.framework, self.files.mechanisms[0]
        return [
            *normalized_lines(divided(self.files, normalize), mechanism.path),
            *priors_lines(framework.value.normalized, framework.path, certificate),
            *never_checked_lines(self.audit.scope),
            *bounds_lines(self.audit.largest),
        ]


def point_audit(files: "PointFiles", promise: Promise) -> "tuple[PointAudit, schema.Audit, list[str]]":
    """Return the audit of normal records that are not truncated, as an object and as lines."""
    from pufferproof.reports.auditing.points.joint import audit_answer, audit_points, point_lines
    from pufferproof.verify.noise.normal.audit import PointQuestion

    question = PointQuestion(promise.level, promise.bound, promise.order, "--")
    audit = audit_points(files, question)
    return audit, audit_answer(audit, files), point_lines(audit)
