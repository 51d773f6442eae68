"""Auditing files of any form: channels that are listed, mechanisms on sequences too long to list,
and queries with noise.

What a command prints of each is in `sequences`, `noise` and `console.words`; reports
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
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.writing import (
    Inputs,
    audit_certificate,
    composition_certificate,
)
from pufferproof.verify.composition import Composition, compose
from pufferproof.verify.noise.bounds import audit_or_bounds

AnyComposition = Composition | NoiseReleased
NO_RULE_FOR_NOISE = "the kernel has no rule for queries with noise"


Files = Listed | Sequences | NoisyReleases


def audit_files(files: Files, level: Level | None) -> Audit:
    """Audit the only mechanism of files, by bounds where a query with noise is too large."""
    return audit_or_bounds(files.framework.value, files.mechanisms[0].value, level)


def audited_at(found: Audit, level: Level) -> Audit:
    """Return the audit at a level, repeated unless it was at this one."""
    if found.level == level:
        return found
    return audit_or_bounds(found.framework, found.mechanism, level)


def leakage_phrase(found: Audit) -> str:
    """Say the leakage of an audit in one phrase."""
    return leakage_text(found.leakage)


def compose_files(files: Files) -> AnyComposition:
    """Audit the joint release of all mechanisms of files, independent of one another."""
    mechanisms = _shared(files.mechanisms)
    if isinstance(files, NoisyReleases):
        return NoiseReleased.of(files.framework.value, mechanisms, 1)
    return compose(files.framework.value, mechanisms)


def audit_evidence(files: Files, found: Audit, level: Level | None) -> dict[str, Any]:
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
    return audit_certificate(found, Inputs(files.framework.sha256, (mechanism.sha256,)))


def composition_evidence(files: Files, found: AnyComposition) -> dict[str, Any]:
    """Return a certificate of a joint leakage. Raises `CertificateError` where there is no rule
    for it.
    """
    if not isinstance(files, Listed) or not isinstance(found, Composition):
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
