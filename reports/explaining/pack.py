"""Evidence to hand on: a zip with certificates, the files they speak of, the kernel, and a page.

Who gets it needs Python alone: `python3 -I -S check.py` checks every certificate, with the files.
The same input gives the same bytes. Nothing is written that the kernel inside does not accept.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.writing import indented
from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.console.outputs import expect_empty, make_folder, write_outputs, zip_of
from pufferproof.reports.console.words import claims_text, three_nats
from pufferproof.reports.explaining import folder
from pufferproof.reports.explaining.kinds import MORE, Said, said
from pufferproof.reports.explaining.proved import digits_line, headlines, proved_leakage
from pufferproof.reports.explaining.unpacking import hash_of_own_kernel, hashes, kernel_files
from pufferproof.reports.schemas.values import bases
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK
from pufferproof.verify.leakage.ratio import Leakage

if TYPE_CHECKING:
    from jinja2 import Environment

_SECONDS = 600
_PROGRAM = Path(folder.__file__)
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


@dataclass(frozen=True)
class Evidence:
    """What goes into a zip: certificates, that which carries the verdict first; the framework and
    mechanisms as they were read, by their names in the zip; and what the page says.
    """

    certificates: Sequence[JsonObject]
    framework: tuple[str, bytes]
    mechanisms: Sequence[tuple[str, bytes]]
    leakage: Leakage
    verdict: str = ""
    lines: Sequence[str] = ()
    digits: Sequence[str] = ()  # the numbers of these lines with all digits
    unread: Mapping[str, str] = field(default_factory=dict)  # file to a form in it
    plots: Sequence[tuple[str, bytes, str]] = ()  # name, file, and what it shows
    title: str = "What this release tells"
    others: Mapping[str, bytes] = field(default_factory=dict)
    runs: int = 1  # of every mechanism, each with an entry of its own in the certificates
    test: str = ""  # that keeps the promise, for pytest
    doubts: Sequence[str] = ()  # about the model that was fitted to data
    claims: Sequence[str] = ()  # that numbers rest on which no certificate proves
    assumed: Sequence[str] = ()  # besides what certificates assume
    paths: Sequence[str] = ()  # of a program, in lines

    @property
    def inputs(self) -> list[str]:
        """The names of the files that certificates are about, in their order."""
        released = [name for name, _ in self.mechanisms for _ in range(self.runs)]
        return [self.framework[0], *released]


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
    return Path(path).suffix.lower() or ".json"


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
    files = {} if path is None else {path: zipped(evidence)}
    if out is not None:
        files |= {str(Path(out, name)): content for name, content in packed(evidence).items()}
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
        "certificate.json" if k == 1 else f"certificate-{k}.json"
        for k in range(1, len(evidence.certificates) + 1)
    ]
    documents = dict(zip(names, evidence.certificates))
    files = kernel_files()
    files |= {name: (indented(document) + "\n").encode() for name, document in documents.items()}
    files |= dict([evidence.framework, *evidence.mechanisms]) | dict(evidence.others)
    files |= {name: content for name, content, _ in evidence.plots}
    files["check.py"] = _PROGRAM.read_bytes()
    work, answer = _accepted(files | _list_of(evidence, documents, files))
    files["README.txt"] = _README.format(kernel=hash_of_own_kernel(), work=work).encode()
    statements = {
        certificate["name"]: certificate["statement"] for certificate in answer["certificates"]
    }
    page, text = _told(evidence, documents, statements, work)
    files |= {"index.html": page.encode(), "explain.txt": text.encode()}
    return files | _list_of(evidence, documents, files)


def _list_of(
    evidence: Evidence, documents: Mapping[str, JsonObject], files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Return the list of what is in a folder, and of what is compared with which certificate."""
    said = {
        "certificates": dict.fromkeys(documents, evidence.inputs),
        "files": {name: f"sha256:{known}" for name, known in sorted(hashes(files).items())},
        "unread": dict(evidence.unread),
    }
    return {folder.LIST: (json.dumps(said, indent=1) + "\n").encode()}


def _told(
    evidence: Evidence,
    documents: Mapping[str, JsonObject],
    statements: Mapping[str, str],
    work: str,
) -> tuple[str, str]:
    """Return the page, and the same in plain text."""
    words = {name: said(document) for name, document in documents.items()}
    proved = [
        {"name": name, "proved": word.proved, "means": word.means, "statement": statements[name]}
        for name, word in words.items()
    ]
    every, left = _assumed(evidence, words.values()), _unproved(documents, words.values())
    nats = f"The leakage is {three_nats(evidence.leakage)}."
    shown, computed = headlines(proved_leakage(documents.values()), evidence.leakage, nats)
    rests_on = claims_text(bases(evidence.claims)).removeprefix(", ")
    computed = [*computed, *evidence.lines, *([f"This {rests_on}."] if rests_on else [])]
    digits = [*filter(None, [digits_line(evidence.leakage)]), *evidence.digits]
    fields = {
        "title": evidence.title,
        "verdict": evidence.verdict,
        "doubts": list(evidence.doubts),
        "shown": shown,
        "computed": computed,
        "digits": digits,
        "plots": [{"name": name, "finding": finding} for name, _, finding in evidence.plots],
        "paths": list(evidence.paths),
        "proved": proved,
        "assumed": every,
        "unproved": left,
        "test": evidence.test,
        "matched": not evidence.unread,
        "inputs": _few(evidence.inputs),
        "work": work,
        "command": " ".join(
            [f"python3 -I -S kernel{work} certificate.json", *_few(_compared(evidence))]
        ),
    }
    page = _environment().get_template("evidence.html.j2").render(fields)
    return page, _text(fields)


def _text(fields: JsonObject) -> str:
    """Return what the page says as plain text."""
    doubts = [f"Doubt: {doubt}." for doubt in fields["doubts"]]
    text = [fields["title"], fields["verdict"], *doubts, *fields["shown"]]
    text += [f"Computed, not certified: {each}" for each in fields["computed"]]
    text += [
        f"Proved ({each['name']}): {each['proved']}; {each['means']}. "
        f"In the kernel's words: {each['statement']}."
        for each in fields["proved"]
    ]
    text += fields["paths"]
    text += [f"Not proved: {each}" for each in fields["unproved"]]
    text += [f"Assumed: {each}" for each in fields["assumed"]]
    text += [f"All digits: {digit}" for digit in fields["digits"]]
    return "\n".join(filter(None, text)) + "\n"


def _compared(evidence: Evidence) -> list[str]:
    return [] if evidence.unread else evidence.inputs


def _assumed(evidence: Evidence, words: Iterable[Said]) -> list[str]:
    """Return what certificates assume, and which forms the kernel did not compare."""
    unread = [
        f'that "{form}" of {name} says what the certificate has written out: the kernel does not '
        "read it, and checked the certificate alone"
        for name, form in evidence.unread.items()
    ]
    doubtful = [
        f"that the fitted chain is right, against this: {doubt}" for doubt in evidence.doubts
    ]
    said = (word.assumed for word in words)
    return _sentences([*doubtful, *said, *unread, *evidence.assumed])


def _unproved(documents: Mapping[str, JsonObject], words: Iterable[Said]) -> list[str]:
    """Return what no certificate proves beside another bound of a level."""
    bounded = any(document["kind"].endswith("leakage-at-most") for document in documents.values())
    return _sentences(word.open for word in words if not (bounded and word.open == MORE))


def _sentences(said: Iterable[str]) -> list[str]:
    """Return what is said, once each, as ends of sentences."""
    return [f"{fromkey}." for fromkey in dict.fromkeys(said) if fromkey]


def _few(names: list[str]) -> list[str]:
    """Return names, the first and the last of many."""
    return names if len(names) < 6 else [*names[:3], "..", names[-1]]


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("pufferproof.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _accepted(files: Mapping[str, bytes]) -> tuple[str, JsonObject]:
    """Run `check.py` of the zip on a bare interpreter, in a folder of its own: return how much work
    it must be allowed, as an option, and its answer.
    """
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
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
    return [
        (name, known[path] if path in known else bytes_of(path, MAX_BYTES))
        for name, path in zip(names, paths)
    ]
