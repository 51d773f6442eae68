"""Certificates of audits of files, and the forms in files that no kernel reads."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.programs import is_callable
from pufferproof.models.files.question import Listed, NoisyReleases, Sequences, Words
from pufferproof.models.files.reading import read_loaded
from pufferproof.models.files.shapes import (
    CountShape,
    FrameworkFile,
    MarkovPrior,
    MechanismFile,
    ProductPrior,
    TablePrior,
)
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports.auditing.any_form import Files
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.bounding import bounding_certificate, bounds_law, is_bounded
from pufferproof.verify.certificates.noise import expect_rule as expect_rule_for_noise
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.redaction import leakage_certificate
from pufferproof.verify.certificates.writing import ONE_SIDED, Inputs, audit_certificate
from pufferproof.verify.decision import Decision
from pufferproof.verify.sequences.leakage import binary_chain

NO_RULE_FOR_CLASSES = "the kernel has no rule for classes of chains unless noise is added to a query of the records"
_MATRIX = ".npy"
_FORMS = ("hidden_markov", "round", "clamp", "threshold", "show")
_TOO_LONG = (
    "too long to list, the kernel has a rule only for redaction of two values, one Markov prior "
    "without zeros, and secrets of one record"
)


def audit_evidence(files: Files, audit: Audit) -> JsonObject:
    """Return a certificate of an audit of files. Raises `CertificateError` where there is no
    rule for it.
    """
    expect_rule(files, audit.delta_bound is not None, False)
    if isinstance(files, NoisyReleases):
        return noise_certificate(audit, inputs_of(files))
    if isinstance(files, Sequences):
        return _sequence_certificate(files, audit.level)
    if isinstance(files, Listed) and files.local and files.framework.value.along_records and audit.delta is None:
        # redaction on a chain that is short enough to list, as it was before: its files the kernel re-reads
        short = Sequences(files.framework, files.local)
        if _has_rule(short):
            return _sequence_certificate(short, audit.level)
    inputs = Inputs(files.framework.sha256, (files.mechanisms[0].sha256,))
    return bounding_certificate(audit, inputs) if bounds_law(audit) else audit_certificate(audit, inputs)


def expect_rule(files: Files, limited: bool, packed: bool) -> None:
    """Raise `CertificateError` before anything is computed where no certificate is about files of
    these forms, at a delta if that is `limited`, or files cannot be `packed` for a checker.
    """
    matrix = next((mechanism.path for mechanism in files.mechanisms if mechanism.path.endswith(_MATRIX)), None)
    if packed and matrix is not None:
        raise CertificateError(
            "no kernel reads a NumPy file: expected the mechanism as CSV or JSON, or --certificate", matrix
        )
    if isinstance(files, NoisyReleases):
        queries = [mechanism.value for mechanism in files.mechanisms]
        expect_rule_for_noise(files.framework.value, queries, limited)
    elif files.framework.value.classes:
        raise CertificateError(NO_RULE_FOR_CLASSES)
    elif isinstance(files, Words):
        raise CertificateError("the kernel has no rule for words too many to list, or parameters")
    elif isinstance(files, Sequences) and not _has_rule(files):
        raise CertificateError(_TOO_LONG)
    elif files.framework.value.one_sided:
        raise CertificateError(ONE_SIDED)


def beside(files: Files, audit: Audit) -> list[JsonObject]:
    """Return the certificates that go beside the one of the verdict: they enclose the leakage, as
    closely as there are rules for it.
    """
    certificates = noise_beside(audit, inputs_of(files))
    leaking = _leaking(audit)
    if bounds_law(audit) and (audit.delta is not None or is_bounded(audit) != is_bounded(leaking)):
        return []  # the table or the bounds that are packed are of other outputs
    if certificates or audit.level is None or isinstance(audit.mechanism, NoisyQueries):
        return certificates
    with suppress(CertificateError):
        return [audit_evidence(files, leaking)]
    return []


def noise_beside(audit: Audit, inputs: Inputs, verdict: bool = False) -> list[JsonObject]:
    """Return the certificates of noise that go beside the one of the verdict: the least upper bound
    of the leakage that is known, and that more than a level just below it is leaked.

    With `verdict` its certificate is the first, and `CertificateError` is raised if there is none.
    """
    audits = [audit] if verdict else []
    if isinstance(audit.mechanism, NoisyQueries) and audit.leakage.lower is not None:
        leaking = _leaking(audit)
        audits += [] if audit.level is None else [leaking]
        below = float(audit.leakage.enclosure().lower) * (1 - 1e-9)
        if below > 0:
            level = Level.of_nats(Fraction(f"{below:.12e}"))
            audits.append(replace(leaking, level=level, kept=Decision.FAILS))
    certificates = []
    for question in steps(audits, "certificates"):
        try:
            certificates.append(noise_certificate(question, inputs))
        except CertificateError:
            if question is audit:
                raise
    return certificates


def _leaking(audit: Audit) -> Audit:
    """Return the audit of what is leaked, without a level."""
    return replace(audit, level=None, kept=None, delta_bound=None, delta=None)


def inputs_of(files: Files, runs: int = 1) -> Inputs:
    """Return the hashes of files, those of every mechanism as often as it is released."""
    hashes = tuple(mechanism.sha256 for mechanism in files.mechanisms for _ in range(runs))
    return Inputs(files.framework.sha256, hashes)


def unread_forms(framework: str | Path, mechanisms: Sequence[str | Path]) -> list[str]:
    """Name the forms in files that no kernel reads again to compare with channels and laws
    written out.
    """
    return [f'"{form}" of {Path(path).name}' for form, path in unread(framework, mechanisms)]


def unread_trust(files: Files) -> list[str]:
    """Return what must be believed of files that the kernel does not read again, for `trust`."""
    paths = [each.path for each in files.mechanisms if not is_callable(str(each.path))]
    forms = unread_forms(files.framework.path, list(dict.fromkeys(paths)))
    return [f"UNREAD({form})" for form in forms]


def unread(framework: str | Path, mechanisms: Sequence[str | Path]) -> dict[tuple[str, str | Path], None]:
    """Return the forms that are not read again and their files, each once."""
    found: list[tuple[str, str | Path]] = [(form, framework) for form in _unread_of(framework)]
    for path in mechanisms:
        if str(path).endswith(_MATRIX):
            found.append((_MATRIX, path))
        elif not str(path).endswith(".csv"):
            shape = read_loaded(path, MechanismFile).value
            found += [
                (form, path)
                for form in _FORMS
                if getattr(shape, form) is not None and getattr(shape, form) is not False
            ]
            if isinstance(shape.local, Mapping):
                found.append(("local", path))
            if isinstance(shape.query, CountShape) and shape.query.of is not None:
                found.append(("of", path))
            if isinstance(shape.noise, Mapping):
                found.append(("noise", path))
    return dict.fromkeys(found)


def _unread_of(framework: str | Path) -> list[str]:
    described = read_loaded(framework, FrameworkFile).value
    priors = described.priors.values()
    others = [prior for prior in priors if not isinstance(prior, TablePrior | ProductPrior | MarkovPrior)]
    forms = [next(name for name in type(prior).model_fields if name != "normalize") for prior in others]
    forms += ["normalize" for prior in priors if prior.normalize]
    forms += ["transitions" for prior in priors if isinstance(prior, MarkovPrior) and prior.markov.transitions]
    if described.records is not None and described.records.names is not None:
        forms.append("names")
    return forms


def _has_rule(files: Sequences) -> bool:
    framework, mechanism = files.framework.value, files.mechanisms[0].value
    if not framework.along_records or mechanism.redaction is None or len(mechanism.alphabet) != 2:
        return False
    chain, *others = framework.chains.values()
    if others or len({record for record, _ in framework.places.values()}) != 1:
        return False
    return chain.rows is None and chain.emission is None and not any(0 in row for row in chain.step)


def _sequence_certificate(files: Sequences, level: Level | None) -> JsonObject:
    framework, mechanism = files.framework.value, files.mechanisms[0].value
    (chain,), ((record, _), *_) = framework.chains.values(), framework.places.values()
    inputs = Inputs(files.framework.sha256, (files.mechanisms[0].sha256,))
    redaction = LocalRedaction(mechanism.redaction or ())
    return leakage_certificate(binary_chain(chain, mechanism.length), redaction, record, level, inputs)
