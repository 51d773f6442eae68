"""The command `check`: a certificate is checked by the kernel alone."""

from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import expect_readable, stored
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.verify.kernel import MAX_WORK, longest
from pufferproof.verify.kernel.__main__ import main


def check(
    certificate: Annotated[
        str | None, typer.Argument(metavar="CERTIFICATE", help="certificate file")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FRAMEWORK MECHANISM...]", help="the files it must speak of, compared exactly"
        ),
    ] = None,
    work: Annotated[
        int | None,
        typer.Option(
            "--work",
            metavar="N",
            min=1,
            help="bit operations it may take, and bytes of files in proportion",
        ),
    ] = None,
    page: Annotated[
        str | None,
        typer.Option(
            "--page",
            metavar="FILE",
            help="write a page that checks certificates by a program extracted from Coq",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a certificate with the kernel alone: it re-derives the claim and trusts nothing
    that was searched.
    """
    if page is not None:
        if certificate is not None or as_json or work is not None:
            raise ModelError("goes with no certificate, and no other option", "--page")
        write_outputs({page: checker_page().encode()}, page, inputs=[])
        return
    if certificate is None:
        raise ModelError("Missing argument 'CERTIFICATE'.")
    work = work or MAX_WORK
    options = ["--work", str(work), *(["--json"] if as_json else [])]
    with stored([certificate, *(inputs or [])], longest(work)) as files:
        expect_readable(files[0])
        paths = [
            f"./{file}" if file.startswith("-") else file for file in files
        ]  # which is no option
        raise typer.Exit(main([*options, *paths]))
