"""Evidence to hand on: a zip with certificates, the files they speak of, the kernel, and a page.

Who gets it needs Python alone: `python3 -I -S check.py` checks every certificate, with the files.
The same input gives the same bytes, on one day. Nothing is written that the kernel inside does not
accept.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.programs import Sources, is_callable
from pufferproof.models.files.reading import MAX_BYTES, bytes_of
from pufferproof.models.files.writing import indented
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.outputs import expect_empty, make_folder, write_outputs, zip_of
from pufferproof.reports.explaining import folder
from pufferproof.reports.explaining.pages.evidence import Evidence, told
from pufferproof.reports.explaining.unpacking import DRAWING, hash_of_own_kernel, hashes, is_plain, kernel_files
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK

_SECONDS = 600
_PROGRAM = Path(folder.__file__)
_WRITTEN = (  # beside what is packed
    *(folder.LIST, "README.txt", "index.html", "explain.txt"),
    *(folder.DRAW, folder.DRAWS),
)
_README = """\
1. Open index.html: what was found, in words.
2. Run python3 -I -S check.py{work} here (Python 3.11 or later, nothing else).
   It prints "accepted" and what is proved for every certificate, then which
   files it compared with the certificates.
3. The sender of this folder can change the page, the kernel and check.py.
   Believe the statements that check.py prints rather than the page, and take
   the kernel from the project: `pufferproof check` of the zip uses its own
   kernel, and says whether the one in the zip is the same. The kernel that was
   packed has the SHA-256
   {kernel}
   (of what `sha256sum` prints of its files, sorted by name, in this folder).
4. What you then trust: Python, the rules of the kernel (CERTIFICATES.md in the
   folder kernel), and that the files describe your system.
"""
_DRAWS = """\
5. With NumPy, python3 -I check.py --draw repeats draws of the program, and
   compares them with the mechanism file. It runs the code in this folder.
"""


def named_inputs(framework: str, mechanisms: Sequence[str]) -> list[str]:
    """Return the names in a zip of a framework and mechanisms, with the suffixes that they have."""
    several = len(mechanisms) > 1
    return [
        f"framework{_suffix(framework)}",
        *(
            f"mechanism-{number}{_suffix(path)}" if several else f"mechanism{_suffix(path)}"
            for number, path in enumerate(mechanisms, 1)
        ),
    ]


def _suffix(path: str) -> str:
    return ".json" if is_callable(path) else Path(path).suffix.lower() or ".json"


def zipped(evidence: Evidence) -> bytes:
    """Return the zip. Raises `CertificateError` unless the kernel inside accepts every
    certificate.
    """
    files = packed(evidence)
    return zip_of(files)


def write_evidence(
    evidence: Evidence,
    out: str | None,
    path: str | None,
    inputs: Sequence[str | None],
    beside: Mapping[str, bytes] | None = None,
) -> None:
    """Write evidence into a folder, and as a zip, whichever is named, with files beside it; all or
    none. With `--replace` earlier evidence in the folder is removed, and nothing else.
    """
    expect_empty(out)
    earlier = _earlier(out)
    others = dict(beside or {})
    inside = packed(evidence)
    files = {} if path is None else {path: zip_of(inside)}
    if out is not None:
        files |= {str(Path(out, name)): content for name, content in inside.items()}
        for each in sorted({str(Path(name).parent) for name in files if name != path}):
            make_folder(each)
    write_outputs(files | others, path, *others, inputs=inputs)
    for name in earlier - {*files}:
        Path(name).unlink(missing_ok=True)


def _earlier(out: str | None) -> set[str]:
    """Return an evidence folder's files, or raise `ModelError` if they were changed."""
    if out is None or not os.path.isdir(out) or not os.listdir(out):
        return set()
    try:
        known = folder.hashes_in(out, kernel.longest(WORK))
        folder.listed(out, known, kernel, WORK)
    except (folder.Refused, OSError, ValueError) as refusal:
        raise ModelError(f"holds more than earlier evidence: {refusal}", out) from None
    return {str(Path(out, name)) for name in known}


def packed(evidence: Evidence) -> dict[str, bytes]:
    """Return the files of the zip. Raises `CertificateError` as `zipped` does."""
    names = [
        "certificate.json" if k == 1 else f"certificate-{k}.json" for k in range(1, len(evidence.certificates) + 1)
    ]
    documents = dict(zip(names, evidence.certificates))
    files = kernel_files()
    files |= {name: (indented(document) + "\n").encode() for name, document in documents.items()}
    files |= dict([evidence.framework, *evidence.mechanisms])
    files |= {name: content for name, content, _ in evidence.plots}
    files["check.py"] = _PROGRAM.read_bytes()
    files |= _beside(evidence.others, files)
    if evidence.draws is not None:
        from pufferproof.reports.explaining.draws import drawn_sentence, with_counts

        files[folder.DRAW] = DRAWING.read_bytes()
        with _written(files | {folder.DRAWS: _json(evidence.draws)}) as place:
            draws = with_counts(place, evidence.draws)
        files[folder.DRAWS] = _json(draws)
        evidence = replace(evidence, lines=[*evidence.lines, drawn_sentence(draws)])
    work, answer = _accepted(files | _list_of(evidence, documents, files))
    readme = _README.format(kernel=hash_of_own_kernel(), work=work)
    files["README.txt"] = (readme + (_DRAWS if evidence.draws else "")).encode()
    statements = {certificate["name"]: certificate["statement"] for certificate in answer["certificates"]}
    page, text = told(evidence, documents, statements, work)
    files |= {"index.html": page.encode(), "explain.txt": text.encode()}
    return files | _list_of(evidence, documents, files)


def _beside(others: Mapping[str, bytes], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that inputs name, at their places. Raises `ModelError` for a name that the
    evidence has already, for another file, or that no zip may have.
    """
    taken = {name.casefold() for name in (*files, *_WRITTEN, folder.KERNEL, f"{folder.KERNEL}.py")}
    placed: dict[str, bytes] = {}
    for name, content in others.items():
        if files.get(name) == content:
            continue
        inside = {str(parent).casefold() for parent in PurePosixPath(name).parents}
        own = folder.certificates_in([name]) or folder.inputs_in([name])
        if own or name.casefold() in taken or inside & taken:
            raise ModelError("the evidence has its own file of this name: rename yours", name)
        if not is_plain(name):
            raise ModelError("the evidence cannot have a file of this name: rename yours", name)
        taken.add(name.casefold())
        placed[name] = content
    return placed


def code_files(path: str, named: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the file of a module, and those that it imports, by their places beside the plan or
    the framework: `a.noise:draw` is in `a/noise.py`, so that modules of one name in two packages
    are two files.
    """
    return Sources.of(path, named).files


def _list_of(evidence: Evidence, documents: Mapping[str, JsonObject], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the list of what is in a folder, and of what is compared with which certificate."""
    said = {
        "certificates": dict.fromkeys(documents, evidence.inputs),
        "files": {name: f"sha256:{known}" for name, known in sorted(hashes(files).items())},
        "unread": dict(evidence.unread),
    }
    return {folder.LIST: _json(said)}


@contextmanager
def _written(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Give the body a folder of its own with some files."""
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Path(place)


def _json(document: JsonObject) -> bytes:
    return (json.dumps(document, indent=1) + "\n").encode()


def _accepted(files: Mapping[str, bytes]) -> tuple[str, JsonObject]:
    """Run `check.py` of the zip on a bare interpreter, in a folder of its own: return how much work
    it must be allowed, as an option, and its answer.
    """
    with _written(files) as place:
        for work in ("", f" --work {WORK}"):  # the second for what takes longer than by default
            words = ["check.py", "--json", *work.split()]
            done = subprocess.run(
                [sys.executable, "-I", "-S", *words],
                cwd=place,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
            answer = json.loads(done.stdout) if done.stdout else {"code": 1, "reason": done.stderr}
            if answer["code"] in (0, folder.NOT_COMPARED):
                return work, answer
    raise CertificateError(f"the kernel in the zip did not accept it: {answer['reason']}")


def read_inputs(
    framework: str, mechanisms: Sequence[str], tables: Mapping[str, bytes] | None = None
) -> list[tuple[str, bytes]]:
    """Return files as they were read, by their names in a zip; `tables` are those of code."""
    known, paths = tables or {}, [framework, *mechanisms]
    names = named_inputs(framework, mechanisms)
    return [(name, known[path] if path in known else bytes_of(path, MAX_BYTES)) for name, path in zip(names, paths)]
