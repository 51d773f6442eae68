"""The command `explain`: what a certificate proves, from what, and what it leaves out, in words.

The kernel checks it first, with the files if they are given: what is refused is not explained.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import expect_readable, stored
from pufferproof.reports.console.options import AsJson
from pufferproof.reports.console.telling import print_answer
from pufferproof.reports.console.words import counted
from pufferproof.reports.explaining.kinds import listed, query_text, said
from pufferproof.reports.schemas.audit import Explain
from pufferproof.verify.kernel import KINDS, MAX_WORK, longest
from pufferproof.verify.kernel.__main__ import judged
from pufferproof.verify.kernel.reading import Accepted

_LONGEST = 400
_COMMON = ("__init__.py", "__main__.py", "files.py", "reading.py")


def explain(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="certificate file")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FRAMEWORK MECHANISM...]", help="the files it must speak of, compared exactly"
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say in words what a certificate proves, from what, and what it leaves out."""
    with stored([certificate, *(inputs or [])], longest(MAX_WORK)) as files:
        expect_readable(files[0])
        verdict, accepted, reason = judged([_path(file) for file in files])
        if accepted is None and verdict != "refused":
            if verdict == "misuse":  # which names the file
                raise ModelError(str(reason))
            raise ModelError(f"{verdict}: {reason}", certificate)
        if accepted is None:
            print(f"{verdict}: {reason}", file=sys.stderr)
            raise typer.Exit(1)
        document = json.loads(Path(files[0]).read_text(encoding="utf-8"), parse_float=str)
    words = explained(document, accepted)
    answer = Explain.model_validate(
        {"kind": accepted.kind, "statement": accepted.statement, **words}
    )
    print_answer(answer, [f"{label:<10}{text}" for label, text in words.items()], as_json)


def _path(file: str) -> str:
    return f"./{file}" if file.startswith("-") else file


def explained(document: Mapping[str, Any], accepted: Accepted) -> dict[str, str]:
    """Return what is said of an accepted certificate, by labels."""
    sentences = said(document)
    family = KINDS[accepted.kind].__module__.rpartition(".")[2]
    return {
        "proved": sentences.proved,
        "means": sentences.means,
        "about": about(document),
        "from": _source(document, accepted),
        "exactly": _short(accepted.statement),
        "believe": f"rule {accepted.kind} in verify/kernel/CERTIFICATES.md, and its program: "
        f"{', '.join(_COMMON)} and {family} (README has the list)",
        "unsaid": sentences.unsaid,
    }


def about(document: Mapping[str, Any]) -> str:
    """Say what a certificate carries: the framework and mechanisms, a chain, or formulas."""
    if "framework" in document:
        return "; ".join([_framework(document["framework"]), *_mechanisms(document["mechanisms"])])
    if "chain" in document:
        return f"a binary chain of {counted(document['chain']['length'], 'record')}, written out"
    return "formulas alone, without a framework"


def _framework(framework: Mapping[str, Any]) -> str:
    secrets, records = framework["secrets"], framework.get("records")
    space = (
        counted(len(framework["databases"]), "database")
        if records is None
        else f"{counted(int(records['count']), 'record')} with values {listed(records['alphabet'])}"
    )
    return (
        f"{space}, {counted(len(secrets), 'secret')} "
        f"({listed(list(secrets))}), {counted(len(framework['priors']), 'prior')} "
        f"({listed(list(framework['priors']))})"
    )


def _mechanisms(mechanisms: list[Mapping[str, Any]]) -> list[str]:
    return [f"mechanism {index} with {_form(each)}" for index, each in enumerate(mechanisms, 1)]


def _form(mechanism: Mapping[str, Any]) -> str:
    if "noise" in mechanism:
        return f"a noisy {query_text(mechanism['query'])}"
    return counted(len(mechanism["outputs"]), "output")


def _source(document: Mapping[str, Any], accepted: Accepted) -> str:
    checked = f"{counted(accepted.checked, 'fact')}, each derived again by the kernel"
    if "inputs" not in document:
        return checked
    if accepted.inputs == "matched":
        return f"{checked}; the files given are those it was made from"
    return f"{checked}; the files it was made from were not given, so what it carries counts"


def _short(statement: str) -> str:
    return statement if len(statement) <= _LONGEST else f"{statement[:_LONGEST]} ..."
