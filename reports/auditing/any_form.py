"""Auditing files of any form: channels that are listed, mechanisms on sequences too long to list,
and queries with noise.

What a command prints of each is in `audit_sequences.py`, `audit_noise.py` and `text.py`; reports
and the ledger take them all.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences
from pufferproof.models.files.reading import Loaded, read_loaded
from pufferproof.models.files.shapes import (
    FrameworkFile,
    MarkovPrior,
    MechanismFile,
    ProductPrior,
    TablePrior,
)
from pufferproof.models.numbers.level import Level
from pufferproof.reports.auditing.sequences import sequence_certificate, short_redaction
from pufferproof.reports.composition.noise import NoiseReleased
from pufferproof.reports.console.words import leakage_text
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.certificates.writing import (
    Inputs,
    audit_certificate,
    composition_certificate,
)
from pufferproof.verify.composition import Composition, audit_composition
from pufferproof.verify.noise.audit import NoiseAudit
from pufferproof.verify.noise.bounds import NoiseBounds, audit_noise_or_bounds
from pufferproof.verify.sequences.audit import LocalAudit, audit_local
from pufferproof.verify.sequences.composition import LocalComposition, audit_local_composition

AnyAudit = Audit | LocalAudit | NoiseAudit | NoiseBounds
AnyComposition = Composition | LocalComposition | NoiseReleased
NO_RULE_FOR_NOISE = "the kernel has no rule for queries with noise"


Files = Listed | Sequences | NoisyReleases


def audit_files(files: Files, level: Level | None) -> AnyAudit:
    """Audit the only mechanism of files."""
    if isinstance(files, NoisyReleases):
        return audit_noise_or_bounds(files.framework.value, files.mechanisms[0].value, level)
    if isinstance(files, Sequences):
        return audit_local(files.framework.value, files.mechanisms[0].value, level)
    return audit(files.framework.value, files.mechanisms[0].value, level)


def audited_at(found: AnyAudit, level: Level) -> AnyAudit:
    """Return the audit at a level, repeated unless it was at this one."""
    if found.level == level:
        return found
    if isinstance(found, NoiseAudit | NoiseBounds):
        return audit_noise_or_bounds(found.framework, found.releases, level)
    if isinstance(found, LocalAudit):
        return audit_local(found.framework, found.mechanism, level)
    return audit(found.framework, found.channel, level)


def strictly_below(found: AnyAudit, level: Level) -> bool:
    """Whether a leakage that is at most a level is known to be less. Suprema over mixtures, if
    irrational, equal no level.
    """
    if isinstance(found, NoiseAudit):
        return found.found.compare(level) == -1
    upper = found.leakage.ratio if isinstance(found, Audit) else found.leakage.upper
    return (upper is None and isinstance(found, Audit)) or (
        upper is not None and level.compare(upper) < 0
    )


def leakage_phrase(found: AnyAudit) -> str:
    """Say the leakage of an audit in one phrase."""
    return leakage_text(found.leakage)


def compose_files(files: Files) -> AnyComposition:
    """Audit the joint release of all mechanisms of files, independent of one another."""
    if isinstance(files, NoisyReleases):
        return NoiseReleased.of(files.framework.value, _shared(files.mechanisms), 1)
    if isinstance(files, Sequences):
        return audit_local_composition(files.framework.value, _shared(files.mechanisms))
    return audit_composition(files.framework.value, [each.value for each in files.mechanisms])


def audit_evidence(files: Files, found: AnyAudit, level: Level | None) -> dict[str, Any]:
    """Return a certificate of an audit of files. Raises `CertificateError` where there is no
    rule for it.
    """
    if isinstance(files, NoisyReleases):
        raise CertificateError(NO_RULE_FOR_NOISE)
    mechanism = files.mechanisms[0]
    if isinstance(files, Sequences):
        return sequence_certificate(files, level)
    if (short := short_redaction(files.framework.path, mechanism.path)) is not None:
        return sequence_certificate(short, level)
    if not isinstance(found, Audit):
        raise TypeError("what is listed has an audit that lists it")
    return audit_certificate(found, Inputs(files.framework.sha256, (mechanism.sha256,)))


def composition_evidence(files: Files, found: AnyComposition) -> dict[str, Any]:
    """Return a certificate of a joint leakage. Raises `CertificateError` where there is no rule
    for it.
    """
    if not isinstance(found, Composition):
        long = "there is no rule for joint releases of sequences that are too long to list"
        raise CertificateError(NO_RULE_FOR_NOISE if isinstance(files, NoisyReleases) else long)
    hashes = tuple(each.sha256 for each in files.mechanisms)
    return composition_certificate(found, Inputs(files.framework.sha256, hashes))


def unread_forms(framework: str | Path, mechanisms: Sequence[str | Path]) -> list[str]:
    """Name the forms in files that no kernel reads again to compare with channels and laws
    written out.
    """
    priors = read_loaded(framework, FrameworkFile).value.priors.values()
    unread = [
        (_form(prior), framework)
        for prior in priors
        if not isinstance(prior, TablePrior | ProductPrior | MarkovPrior)
    ]
    unread += [("normalize", framework) for prior in priors if prior.normalize]
    for path in mechanisms:
        if not str(path).endswith(".csv"):
            shape = read_loaded(path, MechanismFile).value
            unread += [
                (form, path)
                for form in ("local", "redaction", "query")
                if getattr(shape, form) is not None
            ]
    return [f'"{form}" of {Path(path).name}' for form, path in dict.fromkeys(unread)]


def _form(prior: Any) -> str:
    return str(next(name for name in type(prior).model_fields if name != "normalize"))


def _shared(loaded: Sequence[Loaded[Any]]) -> list[Any]:
    """Return the mechanisms, a file that is given twice as one object, so that it is audited
    once.
    """
    distinct = {each.path: each.value for each in loaded}
    return [distinct[each.path] for each in loaded]
