"""From a certificate to a file for Coq."""

import hashlib
import json
from collections.abc import Callable, Sequence

from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify import kernel
from pufferproof.verify.certificates.export.chains import REDACTION_KINDS, redaction_theorem
from pufferproof.verify.certificates.export.designs import DESIGN_KINDS, design_theorem
from pufferproof.verify.certificates.export.layout import ExportedTheorem, written
from pufferproof.verify.certificates.export.mathematics import (
    ALGEBRA_KINDS,
    EXPONENTIAL_KINDS,
    algebra_theorem,
    exponential_theorem,
)
from pufferproof.verify.certificates.export.tables import (
    LEAKAGE_KINDS,
    RATE_KINDS,
    WORST_KINDS,
    ExportedLeakage,
    ExportedWorst,
    Runs,
)
from pufferproof.verify.certificates.writing import WORK

KINDS: dict[str, Callable[[JsonObject], ExportedTheorem]] = {
    **dict.fromkeys(LEAKAGE_KINDS, lambda certificate: ExportedLeakage(certificate).theorem()),
    **dict.fromkeys(ALGEBRA_KINDS, algebra_theorem),
    **dict.fromkeys(RATE_KINDS, lambda certificate: Runs(certificate).theorem()),
    **dict.fromkeys(WORST_KINDS, lambda certificate: ExportedWorst(certificate).theorem()),
    **dict.fromkeys(EXPONENTIAL_KINDS, exponential_theorem),
    **dict.fromkeys(REDACTION_KINDS, redaction_theorem),
    **dict.fromkeys(DESIGN_KINDS, design_theorem),
}


def exported(data: bytes, name: str, compared: str | None = None) -> str:
    """Return the file that proves a certificate again, from the certificate's bytes. Its head says
    what the kernel compared it with, as `judged` does, which is asked without files by default.

    Raises as `judged` does.
    """
    compared = compared or judged(data)
    certificate = _read(data)
    kind, digest = certificate["kind"], hashlib.sha256(data).hexdigest()
    return written(KINDS[kind](certificate), name, kind, digest, compared)


def judged(data: bytes, files: Sequence[str] = ()) -> str:
    """Have the kernel accept a certificate, and say whether it was compared with files: a framework
    and its mechanisms.

    Raises `CertificateError` if there is no theorem for certificates of its kind, and as
    `kernel.check` does if the kernel does not accept it, or the files differ.
    """
    if "inputs" not in _read(data):
        if files:
            raise CertificateError("is of pure mathematics, and was made from no files")
        kernel.check_bytes(data, WORK)
        return "no input files"
    kernel.begin(WORK)
    kernel.judged("the certificate", data, files)
    return "files compared" if files else "files not compared"


def _read(data: bytes) -> JsonObject:
    try:
        certificate: JsonObject = json.loads(data, parse_float=str)
        kind = certificate["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CertificateError("expected a certificate, a JSON object with a kind") from None
    if not isinstance(kind, str) or kind not in KINDS:
        raise CertificateError(f"certificates of the kind {kind!r} are not exported, only {', '.join(KINDS)}")
    return certificate
