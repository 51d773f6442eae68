"""What engines were asked and what they said, in one compressed archive per paper: the same results
give the same bytes.

    <claim>/result.json               the whole result; formulas as text
    <claim>/<n>-<m>.smt2              the query of step m of reading n (near-<n> of a near miss)
    <claim>/<n>-<m>.certificate.json  its certificate
    <claim>/refutation-<n>.*          a counterexample as a certificate, and as a file for Coq
"""

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from pufferproof.claims.run import Result
from pufferproof.reports.proofs.counterexamples.shown import files_of
from pufferproof.reports.proofs.pages import archive_name, file_name

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment that an archive can name
_PLAIN = 0o100644 << 16


def archive(claims: Sequence[tuple[Result, Mapping[str, Any]]]) -> bytes:
    """Return the archive of a paper's claims, given by results and what pages show of them."""
    members = {
        f"{file_name(result['id'])}/{name}": text
        for result, view in claims
        for name, text in (*texts_of(result), *_refutations(view))
    }
    return zipped(members)


def summary_of(result: Result) -> Result:
    """Return a result without its steps and its letters, which are in the archive."""
    arguments = {
        key: [{part: each[part] for part in each if part != "steps"} for each in result[key]]
        for key in ("readings", "near_misses")
    }
    kept = {key: result[key] for key in result if key not in ("notation", "letters")}
    where = {"archive": archive_name(result["paper"]), "folder": file_name(result["id"])}
    return kept | arguments | where


def zipped(members: Mapping[str, str]) -> bytes:
    """Return an archive of texts by name that says nothing of when and where it was made.

    >>> zipped({"b": "2", "a": "1"}) == zipped({"a": "1", "b": "2"})
    True
    """
    data = BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(members):
            member = zipfile.ZipInfo(name, _EPOCH)
            member.create_system, member.external_attr = 3, _PLAIN
            member.compress_type = zipfile.ZIP_DEFLATED
            text = members[name].encode(errors="replace")
            packed.writestr(member, text, compresslevel=9)
    return data.getvalue()


def texts_of(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the texts of a result, by their names in the folder of its claim."""
    arguments = {
        key: [
            _without_texts(each, f"{start}{number}") for number, each in enumerate(result[key], 1)
        ]
        for key, start in (("readings", ""), ("near_misses", "near-"))
    }
    yield "result.json", json.dumps(result | arguments, separators=(",", ":")) + "\n"
    for start, key in (("", "readings"), ("near-", "near_misses")):
        for number, argument in enumerate(result[key], 1):
            for place, step in enumerate(argument["steps"], 1):
                yield from _texts_of(step, f"{start}{number}-{place}")


def _texts_of(step: Result, number: str) -> Iterator[tuple[str, str]]:
    if step["query"] is not None:
        yield f"{number}.smt2", step["query"]
    if step["certificate"] is not None:
        yield f"{number}.certificate.json", json.dumps(step["certificate"]) + "\n"


def _without_texts(argument: Result, number: str) -> Result:
    """Return a reading whose steps name the files of their texts."""
    steps = []
    for place, step in enumerate(argument["steps"], 1):
        named = [name for name, _ in _texts_of(step, f"{number}-{place}")]
        kept = {key: step[key] for key in step if key not in ("query", "certificate")}
        steps.append(kept | {"formula": step["formula"]["text"], "files": named})
    return {**argument, "steps": steps}


def _refutations(view: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for reading in (*view["readings"], *view["near_misses"]):
        if reading["counterexample"]:
            yield from files_of(reading["counterexample"])
