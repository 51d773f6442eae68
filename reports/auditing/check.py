"""The command `check`: a certificate is checked by the kernel alone."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import expect_readable, stored
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.reports.explaining.explain import explained
from pufferproof.verify.kernel import MAX_WORK, longest
from pufferproof.verify.kernel.__main__ import as_json as json_of
from pufferproof.verify.kernel.__main__ import in_words, judged, main, say


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
            help="limit on bit operations, and on bytes of files in proportion",
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
    explain: Annotated[
        bool,
        typer.Option("--explain", help="also say in words what an accepted certificate proves"),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a certificate with the kernel, and that it is about these files."""
    if page is not None:
        if certificate is not None or as_json or explain or work is not None:
            raise ModelError("goes with no certificate, and no other option", "--page")
        write_outputs({page: checker_page().encode()}, page, inputs=[])
        return
    if certificate is None:
        raise ModelError("Missing argument 'CERTIFICATE'; see `pufferproof check --help`")
    work = work or MAX_WORK
    options = ["--work", str(work), *(["--json"] if as_json else [])]
    with stored([certificate, *(inputs or [])], longest(work)) as files:
        expect_readable(files[0])
        # which is no option
        paths = [f"./{file}" if file.startswith("-") else file for file in files]
        code = None
        if explain:
            code = _explained([*options[:2], *paths], as_json)
        raise typer.Exit(main([*options, *paths]) if code is None else code)


def _explained(words: list[str], as_json: bool) -> int | None:
    """Tell the kernel's answer and what it means, and return its exit code; None of a certificate
    that it does not accept.
    """
    path = words[2]
    _, accepted, _ = judged(list(words))
    if accepted is None:
        return None
    document = json.loads(Path(path).read_text(encoding="utf-8"), parse_float=str)
    said = explained(document, accepted)
    text = "\n".join([in_words(accepted), *(f"{label:<10}{line}" for label, line in said.items())])
    if as_json:
        text = json.dumps(json.loads(json_of(accepted, None)) | {"explanation": said})
    return 0 if say("stdout", text) else 2
