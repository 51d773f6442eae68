"""Joint releases of files of any form, and their certificates: exactly, or of queries with noise
with an account, and between bounds where they are too large.
"""

from collections.abc import Sequence
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.question import Listed, NoisyReleases
from pufferproof.models.files.reading import Loaded
from pufferproof.reports.auditing.any_form import Files
from pufferproof.reports.auditing.evidence import NO_RULE_FOR_CLASSES, NO_RULE_FOR_NOISE
from pufferproof.reports.composition.accounting.accounts import AccountedComposition
from pufferproof.verify.certificates.writing import Inputs, composition_certificate
from pufferproof.verify.composition import Composition, compose

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


def shared(loaded: Sequence[Loaded[Any]]) -> list[Any]:
    """Return the mechanisms, a file that is given twice as one object, so that it is audited
    once.
    """
    distinct = {each.path: each.value for each in loaded}
    return [distinct[each.path] for each in loaded]


def composition_evidence(files: Files, together: AnyComposition) -> dict[str, Any]:
    """Return a certificate of a joint leakage. Raises `CertificateError` where there is no rule
    for it.
    """
    if not isinstance(files, Listed) or not isinstance(together, Composition):
        long = "there is no rule for joint releases of sequences that are too long to list"
        raise CertificateError(NO_RULE_FOR_NOISE if isinstance(files, NoisyReleases) else long)
    if files.framework.value.classes:
        raise CertificateError(NO_RULE_FOR_CLASSES)
    hashes = tuple(each.sha256 for each in files.mechanisms)
    return composition_certificate(together, Inputs(files.framework.sha256, hashes))
