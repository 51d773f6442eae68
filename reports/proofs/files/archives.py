"""What engines were asked and what they said, in one compressed archive per paper: the same results
give the same bytes.

    <claim>/result.json               the whole result; formulas as text
    <claim>/<n>-<m>.smt2              the query of step m of reading n (near-<n> of a near miss)
    <claim>/<n>-<m>.certificate.json  its certificate
    <claim>/refutation-<n>.*          a counterexample as a certificate, and as a file for Coq
"""

import hashlib
import json
import lzma
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from pufferproof.claims.run import Result
from pufferproof.models.interface.sweeps.portions import around, files_under
from pufferproof.models.interface.sweeps.units import HOME
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.staging import MANIFEST, own_files, stated_files, target_of
from pufferproof.reports.proofs.counterexamples.shown import files_of
from pufferproof.reports.proofs.pages import archive_name, file_name
from pufferproof.reports.proofs.sentences import View, words_of_file

# Which files of a report need not be written again: those that show what they showed before.
#
# A report says in `pages.json` what each file was made from, as a hash. A file is taken over from the report before if
# that is the same and nobody has changed the file since, by its hash in `files.json`; else it is written.

MARKS, WHOLE = "pages.json", "report"
_BRIEF = (  # what links show of a claim
    "id",
    "where",
    "kind",
    "verdict",
    "refuted_by",
    "trust",
    "error",
    "statement",
    "repair",
)
_CLAIMS = tuple(f" claims/{room}/" for room in ("papers", "ours", "general", "lemma"))


class Kept:
    """The files of a report as it was before, in the folder `out`, and what those of the new one
    are made from. Without a folder nothing is taken over, from this report or by the next one.
    """

    def __init__(self, out: Path | None, form: str) -> None:
        self._alone = out is None
        self._before = Path() if out is None else target_of(out)
        self._own = set[str]() if out is None else own_files(self._before, form)
        stated = {} if out is None else stated_files(self._before, form)
        self._whole = self._own == {*stated, MANIFEST}
        self._were = self._read()
        self.marks: dict[str, str] = {}

    def _read(self) -> dict[str, str]:
        """Return what the report before says; nothing where it is not as it was written."""
        if MARKS not in self._own:
            return {}
        return dict(json.loads((self._before / MARKS).read_text(encoding="utf-8")))

    def is_complete(self, mark: str) -> bool:
        """Whether the report before was made from the same, and is as it was written."""
        return self._whole and self._were.get(WHOLE) == mark

    def put(self, folder: Path, name: str, mark: str, make: Callable[[], str | bytes]) -> None:
        """Put a file that is made from what has this mark into a folder."""
        self.marks[name] = mark
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if self._were.get(name) != mark or name not in self._own:
            made = make()
            path.write_bytes(made if isinstance(made, bytes) else made.encode(errors="replace"))
            return
        try:
            os.link(self._before / name, path)
        except OSError:  # a place without links
            shutil.copyfile(self._before / name, path)

    def finish(self, folder: Path, mark: str) -> None:
        """Write what the files of a folder were made from, and the whole report."""
        marks = {} if self._alone else {**self.marks, WHOLE: mark}
        text = json.dumps(dict(sorted(marks.items())), indent=1) + "\n"
        (folder / MARKS).write_text(text, encoding="utf-8", newline="\n")


def mark_of(*parts: object) -> str:
    """Return the hash of plain data, and of the program that makes pages of it."""
    data = json.dumps(parts, sort_keys=True, default=_refused)
    return hashlib.sha256(f"{_program()} {data}".encode()).hexdigest()


def _refused(value: object) -> None:
    raise TypeError(f"expected plain data, found {value!r}")


@cache
def _program() -> str:
    """Return the hash of all that makes a page: this package and what is installed."""
    lines = [line for line in files_under(HOME) if not any(room in line for room in _CLAIMS)]
    return hashlib.sha256("\n".join([*around(), *lines]).encode()).hexdigest()


def timeless(result: Result) -> Result:
    """Return a result without what differs from run to run: times, and whether it was cached."""
    arguments = {
        key: [{**each, "steps": [_without(step, "seconds") for step in each["steps"]]} for each in result[key]]
        for key in ("readings", "near_misses")
    }
    return {**_without(result, "seconds", "cached"), **arguments}


def _without(values: JsonObject, *names: str) -> dict[str, object]:
    return {key: value for key, value in values.items() if key not in names}


def page_marks(results: Sequence[Result]) -> dict[str, str]:
    """Return what the page of every claim is made from: its own result, what it shows of those that
    it points at, and which claims stand before and after it.
    """
    pointing = _pointing(results)
    brief = {result["id"]: [result[key] for key in _BRIEF] for result in results}
    ids = ["", *brief, ""]
    marks = {}
    for result, before, after in zip(results, ids, ids[2:], strict=False):
        near = sorted({before, after, *pointed_at(result["id"], pointing)} & brief.keys())
        marks[result["id"]] = mark_of(result, before, after, [brief[each] for each in near])
    return marks


def pointed_at(name: str, pointing: Mapping[str, set[str]]) -> set[str]:
    """Return the claims that a page may show something of, as they point at each other."""
    names, pending = set[str](), [name]
    while pending:
        each = pending.pop()
        if each not in names:
            names.add(each)
            pending += pointing.get(each, ())
    return names


def _pointing(results: Sequence[Result]) -> dict[str, set[str]]:
    """Return which claims each one points at: those that it repairs or is repaired by."""
    pointing: dict[str, set[str]] = {result["id"]: set() for result in results}
    for result in results:
        if result["repair"] is not None:
            pointing[result["id"]].add(result["repair"])
            pointing.setdefault(result["repair"], set()).add(result["id"])
    return pointing


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
        "readings": [
            {key: reading[key] for key in reading if key not in ("steps", "counterexample")}
            | {"trial": counts(reading), "words_of_file": words_of_file(reading)}
            for reading in result["readings"]
        ],
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


def packed(members: Mapping[str, str]) -> bytes:
    """Return an archive of texts by name that says nothing of when, where and by whom it was made.
    Texts of one kind stand together, which makes it small.

    >>> packed({"b": "2", "a": "1"}) == packed({"a": "1", "b": "2"})
    True
    """
    data = BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archived:
        for name in sorted(members, key=lambda name: (name.rpartition("/")[2].partition(".")[2], name)):
            text = members[name].encode(errors="replace")
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(text), _EPOCH
            archived.addfile(member, BytesIO(text))
    whole = data.getvalue()
    reach = max(4096, len(whole))  # by itself, a preset clears tables for 64 MB each time
    return lzma.compress(whole, filters=[{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": reach}])


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
