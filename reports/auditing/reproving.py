"""Certificates of a report proved again by Coq, where that was asked for."""

import tempfile
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.certificates.formal.exported import proved, proved_together, theory

FORMAL = Path(__file__).resolve().parents[2] / "formal"
TOGETHER = 12  # certificates in one run of Coq
PROCESSES = 2


@dataclass
class Batch:
    """Certificates by name and their files for Coq, which one run of Coq proves."""

    texts: dict[str, str] = field(default_factory=dict)
    answer: Future[list[str]] | None = None

    def said(self) -> str:
        """Return what Coq said, as soon as it has."""
        assert self.answer is not None
        names = ", ".join(axiom.rpartition(".")[2] for axiom in self.answer.result()) or "none"
        return f"✓ Proved again by Coq (axioms at most: {names})"


class Reproving:
    """Coq at work beside a report: batches are proved while other certificates are made."""

    def __init__(self, place: Path, workers: ThreadPoolExecutor) -> None:
        self.place, self.workers, self.batch = place, workers, Batch()

    def ask(self, name: str, text: str) -> Batch:
        batch = self.batch
        batch.texts[name] = text
        if len(batch.texts) == TOGETHER:
            self.send()
        return batch

    def send(self) -> None:
        """Have the batch proved that is not full yet."""
        if self.batch.texts:
            self.batch.answer = self.workers.submit(proof, self.place, self.batch.texts)
            self.batch = Batch()


def proof(place: Path, texts: dict[str, str]) -> list[str]:
    """Have Coq prove files together and return the axioms; raise `CertificateError` naming the
    first that it refuses.
    """
    with tempfile.TemporaryDirectory() as scratch:
        try:
            return proved_together(place, [*texts.values()], Path(scratch))
        except NotChecked as error:
            together = error
        for name, text in texts.items():
            try:
                proved(place, text, Path(scratch))
            except NotChecked as error:
                raise CertificateError(f"{name}: {error}") from None
    raise CertificateError(f"{', '.join(texts)}: each is proved alone, together: {together}")


_ASKED: ContextVar[Reproving | None] = ContextVar("reproving", default=None)


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
        place = theory(FORMAL)
    except NotChecked as error:
        raise ModelError(str(error)) from None
    with ThreadPoolExecutor(PROCESSES) as workers:
        token = _ASKED.set(Reproving(place, workers))
        try:
            yield
        finally:
            _ASKED.reset(token)


def answered_by_coq() -> None:
    """Send what is left to Coq; what it says is known when it is asked for."""
    if (coq := _ASKED.get()) is not None:
        coq.send()


def asked_of_coq(certificate: Path) -> Batch | str | None:
    """Have Coq prove a certificate again, and return where its answer will be; or why it is not
    asked, or None if nobody wants it to be.

    Beside the certificate the file for Coq is written. Raises `CertificateError` if the file does
    not state the claim; the answer does if Coq refuses what the kernel accepted.
    """
    coq = _ASKED.get()
    if coq is None:
        return None
    from pufferproof.verify.certificates.export.writing import exported

    data = certificate.read_bytes()
    try:
        text = exported(data, certificate.name)
    except CertificateError as reason:
        return f"Not proved again by Coq: {reason}"
    certificate.with_suffix(".v").write_text(text, encoding="utf-8")
    try:
        tables.compare(text, data)
    except NotChecked as error:
        raise CertificateError(f"{certificate.name}: {error}") from None
    return coq.ask(certificate.name, text)
