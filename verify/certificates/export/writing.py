"""From a certificate to a file for Coq."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from pufferproof.models.errors import CertificateError
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK

from . import algebra, exponentials, leakage, rates, worst
from .chains import designs, redaction
from .layout import Theorem, written

KINDS: dict[str, Callable[[dict[str, Any]], Theorem]] = {
    **dict.fromkeys(leakage.KINDS, leakage.theorem),
    **dict.fromkeys(algebra.KINDS, algebra.theorem),
    **dict.fromkeys(rates.KINDS, rates.theorem),
    **dict.fromkeys(worst.KINDS, worst.theorem),
    **dict.fromkeys(exponentials.KINDS, exponentials.theorem),
    **dict.fromkeys(redaction.KINDS, redaction.theorem),
    **dict.fromkeys(designs.KINDS, designs.theorem),
}


def exported(data: bytes, name: str) -> str:
    """Return the file that proves a certificate again, from the certificate's bytes.

    Raises `CertificateError` if there is no theorem for certificates of its kind, and as
    `kernel.check_bytes` does if the kernel does not accept it.
    """
    try:
        certificate = json.loads(data, parse_float=str)
        kind = certificate["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CertificateError("expected a certificate, a JSON object with a kind") from None
    if not isinstance(kind, str) or kind not in KINDS:
        raise CertificateError(
            f"certificates of the kind {kind!r} are not exported, only {', '.join(KINDS)}"
        )
    kernel.check_bytes(data, WORK)
    digest = hashlib.sha256(data).hexdigest()
    return written(KINDS[kind](certificate), name, kind, digest)
