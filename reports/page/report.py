"""The command `report`: every example audited and every certificate checked again, on a page; with
`--start`, one page for a folder of reports (`start.py`).
"""

from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.reports.console.options import Benchmarks, Home
from pufferproof.reports.console.outputs import WRITTEN
from pufferproof.reports.console.streams import print_lines
from pufferproof.reports.console.telling import warn
from pufferproof.reports.page.site import KeptReport, write_report
from pufferproof.reports.page.start import StartPage


def report(
    folder: Annotated[
        str | None, typer.Argument(metavar="[FOLDER]", help="folder of examples to audit [default: the shipped ones]")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="folder for index.html, report.md and report.json [default: reports/out/audits]",
        ),
    ] = None,
    coq: Annotated[
        bool, typer.Option("--coq", help="let Coq prove every certificate again, if it is installed")
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="audit and check everything again")] = False,
    self_checking: Annotated[
        bool,
        typer.Option("--self-checking", help="also write checker.html, which checks the certificates in a browser"),
    ] = False,
    home: Home = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="FOLDER", help="folder of reports of which only the start page is written"),
    ] = None,
    benchmarks: Benchmarks = None,
) -> None:
    """Audit a folder of examples, check every certificate, and write a page. Unchanged results are
    reused.
    """
    if start is not None:
        audits = (folder, out, home) != (None, None, None) or coq or no_cache or self_checking
        _start(start, benchmarks, audits)
        return
    if benchmarks is not None:
        raise ModelError("needs --start", "--benchmarks")
    out = out or "reports/out/audits"
    kept = None if no_cache or coq or self_checking else KeptReport(folder, home)
    page, refused = write_report(folder, Path(out), coq=coq, home=home, kept=kept, self_checking=self_checking)
    WRITTEN.append(out)
    cached = kept is not None and kept.was_kept
    print_lines(f"report: {page.resolve()}{' (cached)' if cached else ''}")
    if kept is not None and kept.warning is not None:
        warn([kept.warning])
    if refused:
        raise CertificateError(f"the kernel refused {refused} certificates, see the report")


def _start(folder: str, benchmarks: str | None, audits: bool) -> None:
    """Write the start page; an option that says what to audit does not go with it."""
    if audits:
        raise ModelError("needs --benchmarks", "--start")
    page = StartPage.of(folder, benchmarks).write()
    WRITTEN.append(str(page))
    print_lines(f"start: {page.resolve()}")
