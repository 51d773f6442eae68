"""Certificates of a report proved again by Coq, where that was asked for."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal.exported import proved, theory

FORMAL = Path(__file__).resolve().parents[2] / "formal"
_THEORY: ContextVar[Path | None] = ContextVar("theory", default=None)


@contextmanager
def reproving(asked: bool) -> Iterator[None]:
    """Have Coq prove the certificates of a report again, if that is asked for.

    Raises `ModelError` where there is no Coq, or no sources of the theory.
    """
    if not asked:
        yield
        return
    if not FORMAL.is_dir():
        raise ModelError(f"expected the sources of the theory in {FORMAL}")
    try:
        token = _THEORY.set(theory(FORMAL))
    except NotChecked as error:
        raise ModelError(str(error)) from None
    try:
        yield
    finally:
        _THEORY.reset(token)


def said_by_coq(certificate: Path) -> str | None:
    """Return what Coq says of a certificate in a sentence, None where it is not asked.

    Beside the certificate the file for Coq is written. Raises `CertificateError` if Coq refuses
    what the kernel accepted, or if the file does not state the claim.
    """
    place = _THEORY.get()
    if place is None:
        return None
    data = certificate.read_bytes()
    try:
        text = exported(data, certificate.name)
    except CertificateError as reason:
        return f"Not proved again by Coq: {reason}"
    certificate.with_suffix(".v").write_text(text, encoding="utf-8")
    try:
        tables.compare(text, data)
        with tempfile.TemporaryDirectory() as scratch:
            axioms = proved(place, text, Path(scratch))
    except NotChecked as error:
        raise CertificateError(f"{certificate.name}: {error}") from None
    names = ", ".join(axiom.rpartition(".")[2] for axiom in axioms) or "none"
    return f"✓ Proved again by Coq (axioms: {names})"
