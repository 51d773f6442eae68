"""What engines were asked and what they said, in one compressed archive per paper: the same results
give the same bytes.

    <claim>/result.json               the whole result; formulas as text
    <claim>/<n>-<m>.smt2              the query of step m of reading n (near-<n> of a near miss)
    <claim>/<n>-<m>.certificate.json  its certificate
    <claim>/refutation-<n>.*          a counterexample as a certificate, and as a file for Coq
"""

import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO

from pufferproof.claims.run import Result
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.proofs.counterexamples.shown import files_of
from pufferproof.reports.proofs.pages import archive_name, file_name
from pufferproof.reports.proofs.sentences import View, words_of_file

_EPOCH = 315532800  # 1980, the first moment that every format of archives can name


def archive(claims: Sequence[tuple[Result, JsonObject]]) -> bytes:
    """Return the archive of a paper's claims, given by results and what pages show of them."""
    members = {
        f"{file_name(result['id'])}/{name}": text
        for result, view in claims
        for name, text in (*texts_of(result), *_refutations(view))
    }
    return packed(members)


def summary_of(result: Result) -> Result:
    """Return a result without its steps, its letters, the instances it was tried on, and where a
    near miss fails: these are in the archive.
    """
    kept = {key: result[key] for key in result if key not in ("notation", "letters", "symbols")}
    return kept | {
        "words_of_file": words_of_file(result),
        "readings": [_brief(reading) for reading in result["readings"]],
        "near_misses": [{key: miss[key] for key in ("name", "verdict")} for miss in result["near_misses"]],
        "theorems": [theorem["name"] for theorem in result["theorems"]],
        "archive": archive_name(result["paper"]),
        "folder": file_name(result["id"]),
    }


def counts(reading: Result) -> Result | None:
    """Return on how many instances the statement of a reading was tried, None if on none."""
    trial = reading["trial"]
    if trial is None:
        return None
    hard = {key: trial[f"hard_{key}"] for key in ("tried", "met")}
    return {key: trial[key] for key in ("wanted", "tried", "met")} | {"hard": hard}


def _brief(reading: Result) -> Result:
    kept = {key: reading[key] for key in reading if key not in ("steps", "counterexample")}
    return kept | {"trial": counts(reading), "words_of_file": words_of_file(reading)}


def packed(members: Mapping[str, str]) -> bytes:
    """Return an archive of texts by name that says nothing of when, where and by whom it was made.
    Texts of one kind stand together, which makes it small.

    >>> packed({"b": "2", "a": "1"}) == packed({"a": "1", "b": "2"})
    True
    """
    data = BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archived:
        for name in sorted(members, key=lambda name: (_kind(name), name)):
            text = members[name].encode(errors="replace")
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(text), _EPOCH
            archived.addfile(member, BytesIO(text))
    whole = data.getvalue()
    reach = max(4096, len(whole))  # by itself, a preset clears tables for 64 MB each time
    return lzma.compress(whole, filters=[{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": reach}])


def _kind(name: str) -> str:
    """Return what follows the number in the name of a file."""
    return name.rpartition("/")[2].partition(".")[2]


def texts_of(result: Result) -> Iterator[tuple[str, str]]:
    """Yield the texts of a result, by their names in the folder of its claim."""
    arguments = {
        key: [_without_texts(each, f"{start}{number}") for number, each in enumerate(result[key], 1)]
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


def _refutations(view: View) -> Iterator[tuple[str, str]]:
    for reading in (*view["readings"], *view["near_misses"]):
        if reading["counterexample"]:
            yield from files_of(reading["counterexample"])
