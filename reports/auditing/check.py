"""The command `check`: the kernel alone checks a certificate, or all those of a zip or a folder of
evidence.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import bytes_of, document_of, expect_readable, other_kind, stored
from pufferproof.models.priors.records import preview
from pufferproof.reports.console.lazy import stands
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import answer_stream, columns_of, print_lines
from pufferproof.reports.console.telling import tell
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.reports.explaining.kinds import explained
from pufferproof.reports.schemas.audit import CheckBets, CheckZip
from pufferproof.verify.kernel import MAX_WORK, Accepted, longest
from pufferproof.verify.kernel.__main__ import as_json as json_of
from pufferproof.verify.kernel.__main__ import in_words as said_by_kernel
from pufferproof.verify.kernel.__main__ import judged, main, say

_FORMAT = re.compile(rb'\s*\{?\s*"?format"?\s*[:=]\s*"pufferproof-([a-z]+)/')


def check(
    certificate: Annotated[
        str | None, typer.Argument(metavar="CERTIFICATE", help="certificate file, or a zip or a folder of evidence")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FRAMEWORK MECHANISM...]", help="input files to compare with the certificate"),
    ] = None,
    work: Annotated[
        int | None,
        typer.Option(
            "--work", metavar="N", min=1, help="limit on bit operations, and in proportion on the bytes of files"
        ),
    ] = None,
    page: Annotated[
        str | None,
        typer.Option(
            "--page", metavar="FILE", help="page to write, which checks certificates with a program extracted from Coq"
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="also say in words what an accepted certificate proves")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a certificate, or a zip or a folder of evidence, with the kernel alone.

    With FRAMEWORK and MECHANISM, check as well that the certificate is about these files.
    """
    if page is not None:
        if certificate is not None or as_json or explain or work is not None:
            raise ModelError("takes no certificate and no other option", "--page")
        write_outputs({page: checker_page().encode()}, page, inputs=[])
        return
    if certificate is None:
        raise ModelError(
            "missing CERTIFICATE: certificate file, or a zip or a folder of evidence; see `pufferproof check --help`"
        )
    work = work or MAX_WORK
    options = ["--work", str(work), *(["--json"] if as_json else [])]
    if os.path.isdir(certificate):
        _of_evidence(certificate, certificate, inputs, work, explain, as_json)
    with stored([certificate, *(inputs or [])], longest(work)) as files:
        expect_readable(files[0])
        # which is no option
        paths = [f"./{file}" if file.startswith("-") else file for file in files]
        if _is_zip(files[0], certificate):
            _of_evidence(certificate, paths[0], inputs, work, explain, as_json)
        for file, name in zip(files[1:], inputs or ()):
            _expect_compared(file, name, longest(work))
        with _answering(as_json):  # the kernel writes its answer itself
            code = _explained([*options[:2], *paths], as_json) if explain else None
            code = main([*options, *paths]) if code is None else code
        raise typer.Exit(code)


@contextmanager
def _answering(as_json: bool) -> Iterator[None]:
    """Have what is printed in the body be the answer, as wide as a terminal unless it is JSON."""
    stream = answer_stream()
    if as_json or columns_of(stream) is None:
        with redirect_stdout(stream):
            yield
        return
    with redirect_stdout(StringIO()) as said:
        yield
    print_lines(*said.getvalue().splitlines())


def _of_evidence(name: str, path: str, inputs: list[str] | None, work: int, explain: bool, as_json: bool) -> NoReturn:
    """Tell what the kernel says of the certificates in a zip or a folder, or what its bets show,
    and end. Raises `ModelError` for a folder without evidence.
    """
    from pufferproof.reports.explaining.folder import LIST, PROGRAM, certificates_in, in_words, plain
    from pufferproof.reports.explaining.pack import checked_evidence

    folder = os.path.isdir(path)
    names = os.listdir(path) if folder else [LIST]
    if not {LIST, PROGRAM, *certificates_in(names)} & {*names}:
        raise ModelError(f"expected a folder of evidence, with {LIST}", path)
    if inputs:
        what = "a folder" if folder else "a zip"
        raise ModelError(f"{what} brings its input files: leave this one out", inputs[0])
    if stands("pufferproof.reports.auditing.samplers.evidence"):  # which can be taken away
        _of_bets(path, work, as_json)
    documents: dict[str, bytes] = {}
    known = checked_evidence(path, work, documents)
    code = int(known.pop("code"))
    lines = in_words(known)
    if known["certificates"]:
        lines[-1] = _checked_by("kernel", known["changed"])
    for certificate in known["certificates"] if explain else ():
        if certificate["name"] in documents:
            document = json.loads(documents[certificate["name"]], parse_float=str)
            fields = (certificate[field] for field in ("kind", "statement", "checked", "inputs"))
            certificate["explanation"] = explained(document, Accepted(*fields))
            lines += ["", plain(certificate["name"])]
            lines += [plain(f"{label:<10}{line}") for label, line in certificate["explanation"].items()]
    if code == 2:
        raise ModelError(str(known["reason"]), name)
    for certificate in known["certificates"]:
        del certificate["code"]
    tell(CheckZip.model_validate({"accepted": code == 0} | known), lines, [], as_json, code=code)


def _of_bets(path: str, work: int, as_json: bool) -> None:
    """Tell what bets show, and end, if there are bets."""
    from pufferproof.reports.auditing.samplers.evidence import checked_bets
    from pufferproof.reports.explaining.folder import plain

    bets = checked_bets(path, longest(work))
    if bets is None:
        return
    answer = CheckBets.model_validate(bets)
    if not bets["accepted"]:
        tell(answer, [plain(f"refused: {bets['reason']}")], [], as_json, code=1)
    last = _checked_by("program", [] if bets["same_program"] else ["check.py"])
    tell(answer, [plain(f"accepted: {bets['shows']}"), last], [], as_json)


def _checked_by(what: str, changed: list[str]) -> str:
    """Say which program checked, and which ones beside the certificates are not those here."""
    from pufferproof.reports.explaining.folder import few, plain

    checked = f"checked by the {what} of this pufferproof"
    if not changed:
        return f"{checked}; the programs in the evidence are the same as here"
    return f"{checked}; NOT the same as here, so do not run them: {plain(few(changed))}"


def _expect_compared(file: str, name: str, limit: int) -> None:
    """Raise `ModelError` for a file that the kernel cannot compare, as it names other files, or
    records.
    """
    try:
        document = document_of(file, bytes_of(file, limit))
    except ModelError:
        return  # the kernel says what it is
    if not isinstance(document, dict) or not stands("pufferproof.reports.explaining.folder"):
        return  # evidence can be taken away
    from pufferproof.reports.explaining.folder import named_in

    records, query = document.get("records"), document.get("query")
    if named := named_in(document):
        said = f"what is in {preview(named)}"
    elif isinstance(records, dict) and "names" in records:
        said = "names of records"
    elif isinstance(query, dict) and isinstance(query.get("count"), str) and "of" in query:
        said = "counts of chosen records (a segment it reads)"
    else:
        return
    raise ModelError(
        f"the kernel does not read {said}: leave the files out, and it checks what the "
        "certificate says (--evidence packs all files with their hashes)",
        name,
    )


def _is_zip(file: str, name: str) -> bool:
    """Whether a file is a zip. Raises `ModelError` for a file of ours of another kind than certificates."""
    with open(file, "rb") as opened:
        begin = opened.read(1_000)
    if begin[:4] in (b"PK\x03\x04", b"PK\x05\x06"):  # the second without entries
        return True
    if not begin.strip():
        raise ModelError("is empty", name)
    if other := other_kind(begin):
        raise ModelError(f"is {other}, not a certificate", name)
    form = _FORMAT.match(begin)
    if form and form[1] != b"certificate":
        raise ModelError(f"is a {form[1].decode()}, not a certificate", name)
    return False


def _explained(words: list[str], as_json: bool) -> int | None:
    """Tell the kernel's answer and its meaning, and return the exit code, or None."""
    path = words[2]
    _, accepted, _ = judged(list(words))
    if accepted is None:
        return None
    document = json.loads(Path(path).read_text(encoding="utf-8"), parse_float=str)
    said = explained(document, accepted)
    text = "\n".join([said_by_kernel(accepted), *(f"{label:<10}{line}" for label, line in said.items())])
    if as_json:
        text = json.dumps(json.loads(json_of(accepted, None)) | {"explanation": said})
    return 0 if say("stdout", text) else 2
