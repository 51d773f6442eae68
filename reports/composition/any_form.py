"""Joint releases of files of any form, and their certificates: exactly, or of queries with noise
with an account, and between bounds where they are too large.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import CertificateError
from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.models.files.reading import Loaded
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.auditing.any_form import Files, expect_file
from pufferproof.reports.auditing.certificates import NO_RULE_FOR_CLASSES, inputs_of
from pufferproof.reports.auditing.words import delta_line
from pufferproof.reports.composition.accounting import AccountedComposition
from pufferproof.reports.console.outputs import zip_of
from pufferproof.reports.console.words import level_nats
from pufferproof.verify.audit import AnyDelta, audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.certificates.bounding import bounds_law, joint_bounding_certificate
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs, composition_certificate
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.leakage.delta import smallest_delta

AnyComposition = Composition | AccountedComposition


def compose_files(files: Files, runs: int = 1) -> AnyComposition:
    """Audit the joint release of all mechanisms of files, independent of one another."""
    framework, mechanisms = files.framework.value, shared(files.mechanisms)
    if isinstance(files, NoisyReleases):
        return AccountedComposition.of(framework, mechanisms, runs)
    return compose(framework, mechanisms, runs)


def released(together: AnyComposition) -> Composition:
    """Return what releases leak, without the account."""
    return together.together if isinstance(together, AccountedComposition) else together


@dataclass(frozen=True)
class DecidedTogether:
    """Whether all releases together keep a level, or (epsilon, `bound`) and the smallest delta,
    and what that rests on.
    """

    level: Level
    kept: Decision
    trust: Sequence[str]
    rests_on: Sequence[str]
    bound: Fraction | None = None
    delta: "AnyDelta | None" = None

    @classmethod
    def of(cls, files: Files, together: Composition, level: Level, bound: Fraction | None) -> "DecidedTogether":
        """Decide. Raises `ModelError` where a delta is not computed."""
        framework, runs = files.framework.value, together.runs
        if bound is None:
            largest = together.joint.largest
            return cls(level, together.keeps(level), largest.trust(level), largest.rests_on(level))
        loaded = shared(files.mechanisms)
        counted = isinstance(files, Listed) and len(loaded) == 1 and framework.closure == "list"
        if counted and isinstance(loaded[0], Channel):
            delta = smallest_delta(framework, loaded[0], level, runs).against(bound)
            kept = Decision.at_most(delta.compare(bound))
            largest = together.joint.largest
            return cls(level, kept, delta.trust(largest), delta.rests_on(largest), bound, delta)
        noise = isinstance(files, NoisyReleases)
        every = [each for each in loaded for _ in range(runs)]
        answer = audit(framework, every if noise else together.joint.mechanism, level, bound)
        kept = Decision.UNDECIDED if answer.kept is None else answer.kept
        return cls(level, kept, answer.trust, answer.rests_on, bound, answer.delta)

    @property
    def verdict(self) -> str:
        return Verdict.of(self.kept).value

    def as_json(self) -> JsonObject:
        fields = {"level": str(self.level), "verdict": self.verdict}
        return fields if self.delta is None else fields | {"delta": self.delta.as_json()}

    def lines(self) -> list[str]:
        """Render it for a terminal."""
        bound = "" if self.bound is None else f", delta {text_of(self.bound)}"
        head = f"{self.verdict} {level_nats(self.level)}{bound}  all releases together"
        return [head, *([] if self.delta is None else [delta_line(self.delta, self.level)])]


def shared(loaded: Sequence[Loaded[Any]]) -> list[Any]:
    """Return the mechanisms, a file that is given twice as one object, so that it is audited
    once.
    """
    distinct = {each.path: each.value for each in loaded}
    return [distinct[each.path] for each in loaded]


def composition_evidence(files: Files, together: AnyComposition) -> JsonObject:
    """Return a certificate of a joint leakage. Raises `CertificateError` where there is no rule
    for it.
    """
    expect_file(files, {"--certificate": True})
    if isinstance(files, NoisyReleases):
        joint = released(together)
        return noise_certificate(joint.joint, inputs_of(files, joint.runs))
    if files.framework.value.classes:
        raise CertificateError(NO_RULE_FOR_CLASSES)
    if not isinstance(files, Listed) or not isinstance(together, Composition):
        raise CertificateError("there is no rule for joint releases of sequences that are too long to list")
    hashes = tuple(mechanism.sha256 for mechanism in files.mechanisms)
    return listed_certificate(together, Inputs(files.framework.sha256, hashes))


def listed_certificate(together: Composition, inputs: Inputs) -> JsonObject:
    """Return the certificate of releases with listed outputs, also of irrational laws."""
    if bounds_law(together.joint):
        return joint_bounding_certificate(together, inputs)[0]
    return composition_certificate(together, inputs)


def composition_pack(files: Files, together: AnyComposition, paths: Sequence[str]) -> bytes:
    """Return the zip with the evidence of a joint leakage. Raises `CertificateError` where there is
    no certificate.
    """
    from pufferproof.reports.auditing.evidence import pack_of_releases
    from pufferproof.reports.explaining.pack import packed

    joint = released(together)
    return zip_of(packed(pack_of_releases(files, joint, lambda known: composition_evidence(known, together), paths)))
