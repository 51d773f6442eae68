"""The command `export`: a certificate becomes a file for Coq that proves its statement again, and
the queries of a claim that solvers answered become files for any other solver.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, in_file, stored
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.options import Claims, TrustClaims
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import print_error, print_lines
from pufferproof.reports.console.words import counted
from pufferproof.verify.certificates.export.writing import exported, judged
from pufferproof.verify.certificates.formal import NotChecked, tables
from pufferproof.verify.kernel import MAX_WORK, NotJSON, Refused, longest

TIMEOUT = 60.0  # seconds for one query


def export(
    certificate: Annotated[
        str, typer.Argument(metavar="CERTIFICATE|CLAIM", help="certificate file, the id of a claim, or FILE.claims")
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FRAMEWORK MECHANISM...]", help="input files to compare with the certificate"),
    ] = None,
    coq: Annotated[
        str | None, typer.Option("--coq", metavar="FILE", help="Coq file to write, which proves the certificate again")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option("--check", metavar="FILE", help="Coq file whose tables are compared with the certificate"),
    ] = None,
    smtlib: Annotated[
        str | None,
        typer.Option(
            "--smtlib", metavar="DIR", help="folder for the queries of a claim, or of a document, that solvers answered"
        ),
    ] = None,
    claims: Claims = None,
    trust_code: TrustClaims = False,
) -> None:
    """Write a certificate as a file for Coq, or the steps of a claim for SMT solvers.

    With FRAMEWORK and MECHANISM the kernel compares the certificate with these files; without them
    the answer says "files not compared". Of a claim, write the queries of its steps that solvers
    answered, each of which is unsatisfiable, as SMT-LIB files, and say what has none.
    """
    if sum(option is not None for option in (coq, check, smtlib)) != 1:
        raise ModelError("expected one of --coq FILE, --check FILE and --smtlib DIR", certificate)
    if smtlib is not None:
        if inputs:
            raise ModelError("takes no files, because a claim is made from none", "--smtlib")
        _write_queries(certificate, claims or [], trust_code, Path(smtlib))
        return
    if claims or trust_code:
        option = "--claims" if claims else "--trust-code"
        raise ModelError("needs --smtlib and the id of a claim", option)
    with stored([certificate, *(inputs or [])], longest(MAX_WORK)) as files:
        data = _content(files[0])
        if coq is not None:
            with _refusing(certificate):
                compared = judged(data, files[1:])
                text = exported(data, Path(certificate).name, compared)
            tables.compare(text, data)
            write_outputs({coq: text.encode()}, coq, inputs=[certificate, *(inputs or [])])
            print_lines(f"export: {coq}, {compared}")
        else:
            text = _content(check or "").decode(errors="replace")
            with _refusing(certificate):
                compared = judged(data, files[1:])
                statement = tables.compare(text, data)
            print_lines(f"states the claim of the certificate, {compared}: {statement}")


@contextmanager
def _refusing(certificate: str) -> Iterator[None]:
    """Say in one line why there is no answer, or why the kernel or the second reader refuse."""
    try:
        with in_file(certificate):
            yield
    except (Refused, NotJSON) as refusal:
        typer.echo(f"refused by the kernel: {refusal}", err=True)
        raise typer.Exit(1) from None
    except NotChecked as difference:
        typer.echo(f"refused: {difference}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:  # of the kernel, which names the file
        raise ModelError(str(error)) from None


def _write_queries(name: str, extra: Sequence[str], trust_code: bool, folder: Path) -> None:
    from pufferproof.claims.document.lines import SUFFIX
    from pufferproof.claims.registry import load_claims
    from pufferproof.claims.run import run_claims

    of_document = name.endswith(SUFFIX)
    extra = [*extra, name] if of_document else extra
    claims = [
        claim
        for claim in load_claims(extra, trust_code=trust_code, seconds=TIMEOUT).values()
        if (claim.function.__code__.co_filename if of_document else claim.id) == name
    ]
    if not claims and of_document:
        raise ModelError("contains no claim", name)
    if not claims:
        hint = "" if extra else "; --claims FILE reads your own claims"
        raise ModelError(f"is not the id of a claim{hint}", name)
    results = run_claims(claims, extra=extra, trust_code=trust_code, timeout=TIMEOUT)
    queries = {
        f"{re.sub('[^A-Za-z0-9._-]', '_', result['id'])}.{i}-{j}.smt2": step["query"]
        for result in results
        for i, reading in enumerate(result["readings"], 1)
        for j, step in enumerate(_asked(reading), 1)
        if step["ok"] and step["query"] is not None
    }
    for line in _left_out(results):
        print_error(line)
    if not queries:
        raise ModelError("no step was discharged by solvers", name)
    written = {str(folder / file): text.encode() for file, text in queries.items()}
    write_outputs(written, inputs=extra, folder=str(folder))
    count = counted(len(queries), "query", "queries")
    print_lines(f"export: {count} in {folder}, each to be answered unsat")


def _asked(reading: JsonObject) -> list[JsonObject]:
    """Return the steps of a reading, and what was asked about its linked argument."""
    argument = reading["argument"] or {}
    return [*reading["steps"], *argument.get("asked", [])]


def _left_out(results: Sequence[JsonObject]) -> Iterator[str]:
    """Say of each claim, reading and step without a query why no solver has anything to answer."""
    for result in results:
        for reading in result["readings"]:
            name, asked = f'{result["id"]}, reading "{reading["name"]}"', _asked(reading)
            unsettled = [each["name"] for each in asked if each["query"] and not each["ok"]]
            if unsettled:
                yield f"not exported: {name}: solvers did not settle {', '.join(unsettled)}"
            if not any(each["query"] for each in asked):
                yield f"not exported: {name}: {_WHY.get(reading['verdict'], _WHY['OPEN'])}"
        if not result["readings"]:
            yield f"not exported: {result['id']}: {result['error'] or 'it opens no reading'}"


_WHY = {
    "PROVED": "Coq or exact arithmetic settled it, and no solver was asked",
    "CHECKED": "each member of a finite family was evaluated, and no solver was asked",
    "TRIED": "its statement was tried on instances, and no solver was asked",
    "REFUTED": "it is false at an instance that was evaluated exactly",
    "DEFINITION": "a definition, there is nothing to decide",
    "OPEN": "no solver was asked",
}
"""Why a reading has no query, by its verdict."""


def _content(path: str) -> bytes:
    with in_file(path):
        return bytes_of(path, MAX_BYTES)
