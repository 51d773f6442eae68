"""The command `export`: a certificate becomes a file for Coq that proves its statement again."""

from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.outputs import write_atomically
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.kernel import NotJSON, Refused


def export(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="certificate file")],
    coq: Annotated[
        str | None,
        typer.Option("--coq", metavar="FILE", help="write a file for Coq that proves it again"),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            "--check", metavar="FILE", help="compare the tables of such a file with the certificate"
        ),
    ] = None,
) -> None:
    """Write a certificate as a file for Coq that proves its statement again, or compare such a
    file with it.
    """
    if (coq is None) == (check is None):
        raise ModelError("expected one of --coq FILE and --check FILE", certificate)
    data = _bytes(certificate)
    if coq is not None:
        _write(certificate, data, coq)
    else:
        _compare(check or "", data)


def _write(certificate: str, data: bytes, target: str) -> None:
    try:
        text = exported(data, Path(certificate).name)
    except (Refused, NotJSON) as refusal:
        typer.echo(f"refused by the kernel: {refusal}", err=True)
        raise typer.Exit(1) from None
    tables.compare(text, data)
    write_atomically(Path(target), text)
    WRITTEN.append(target)
    print(f"export: {target}")


def _compare(file: str, data: bytes) -> None:
    try:
        statement = tables.compare(_bytes(file).decode(errors="replace"), data)
    except NotChecked as difference:
        typer.echo(f"refused: {difference}", err=True)
        raise typer.Exit(1) from None
    print(f"states the claim of the certificate: {statement}")


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", path) from None
