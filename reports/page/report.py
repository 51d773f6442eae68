"""The command `report`: every example audited and every certificate checked again, on a page."""

from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import CertificateError
from pufferproof.reports.console.options import Home
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.reports.page.site import write_report


def report(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="examples to audit, the shipped ones if left out"),
    ] = None,
    out: Annotated[
        str,
        typer.Option("--out", metavar="DIR", help="folder for index.html, report.md, report.json"),
    ] = "reports/out",
    coq: Annotated[
        bool, typer.Option("--coq", help="have Coq prove every certificate again, if installed")
    ] = False,
    home: Home = None,
) -> None:
    """Audit every example, re-check every certificate with the kernel as a separate process,
    and write a page.
    """
    page, refused = write_report(folder, Path(out), coq=coq, home=home)
    WRITTEN.append(out)
    print(f"report: {page.resolve()}")
    if refused:
        raise CertificateError(f"the kernel refused {refused} certificates, see the report")
