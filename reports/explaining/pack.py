"""Evidence to hand on: a zip with certificates, the files they speak of, the kernel, and a page.

Who gets it needs Python alone: `python3 -I -S check.py` checks every certificate, with the files.
The same input gives the same bytes, on one day. Nothing is written that the kernel inside does not
accept.
"""

import hashlib
import json
import os
import stat
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from pufferproof.models.errors import CertificateError, ModelError
from pufferproof.models.files.programs import is_callable
from pufferproof.models.files.reading import MAX_BYTES, beginning, bytes_of
from pufferproof.models.files.writing import indented
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.reports.console.outputs import expect_empty, make_folder, write_outputs, zip_of
from pufferproof.reports.explaining import folder
from pufferproof.reports.explaining.evidence import Evidence, told
from pufferproof.verify import kernel
from pufferproof.verify.certificates.writing import WORK

# Checking a zip or a folder of evidence with the kernel here, whatever kernel is in it.
#
# A zip is unpacked into a folder of its own, and then checked as its `check.py` does. What is no flat list of plain
# files is refused: links, names that leave the folder, two entries for one name, encrypted entries, and more bytes or
# entries than the limits.

_KERNEL = Path(kernel.__file__).parent
DRAWING = _KERNEL.parent / "programs" / "repeating.py"  # which repeats draws, with NumPy
_ENTRY = b"PK\x01\x02"  # where the list at the end of a zip has an entry
_TIMES = 4  # as many bytes unpacked as a file may have
_DAMAGES = (  # what the library raises of a damaged zip
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
    RuntimeError,
)
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


@contextmanager
def unpacked(path: str, longest: int) -> Iterator[str]:
    """Unpack a zip into a folder, while the body runs.

    Args:
        longest: bytes that a file may have, and the zip; all files together have four times as
            many at most.

    Raises `folder.Refused` unless it is a plain list of files, and `ModelError` if it is no zip or
    too large.
    """
    with open(path, "rb") as file:
        data = beginning(file, longest)
    if len(data) > longest:
        raise ModelError(f"has over {longest} bytes; --work allows more", path)
    if data.count(_ENTRY) > folder.MOST_FILES:
        raise ModelError(f"has over {folder.MOST_FILES} entries", path)
    try:
        with zipfile.ZipFile(BytesIO(data)) as pack, tempfile.TemporaryDirectory() as place:
            _unpack(pack, Path(place), path, longest)
            yield place
    except _DAMAGES as error:
        raise ModelError(f"cannot be read as a zip: {error}", path) from None


def _unpack(pack: zipfile.ZipFile, place: Path, path: str, longest: int) -> None:
    if pack.infolist() and all(entry.header_offset > 0 for entry in pack.infolist()):
        raise folder.Refused("the zip has bytes before its first file: another zip, perhaps")
    left, seen, folders = _TIMES * longest, set[str](), set[str]()
    for entry in pack.infolist():
        name = _name_of(entry)
        if name.casefold() in seen:
            raise folder.Refused(f"the zip has {shown(name)} twice")
        seen.add(name.casefold())
        folders |= {str(parent) for parent in PurePosixPath(name).parents}
        if entry.is_dir():
            folders.add(name)
            continue
        if name in folders or seen & {str(parent) for parent in PurePosixPath(name).parents}:
            raise folder.Refused(f"the zip has {shown(name)} as a file and a folder")
        with pack.open(entry) as stream:
            content = beginning(cast(BinaryIO, stream), min(left, longest))
        if len(content) > min(left, longest):
            raise ModelError(
                f"unpacks to over {longest} bytes in a file, or {_TIMES * longest} in all; --work allows more", path
            )
        left -= len(content)
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _name_of(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry. Raises `folder.Refused` unless it is a file inside."""
    name, mode = entry.orig_filename.rstrip("/"), entry.external_attr >> 16
    if not is_plain(name):
        raise folder.Refused(f"the zip has the name {shown(name)}: expected one inside its folder")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise folder.Refused(f"the zip has {shown(name)}, which is a link or a device")
    if entry.flag_bits & 1 or entry.compress_type not in _KINDS:
        raise folder.Refused(f"the zip has {shown(name)} encrypted, or packed in an unknown way")
    return name


def is_plain(name: str) -> bool:
    """Whether a name is that of a file inside a folder, on every system."""
    parts = PurePosixPath(name).parts
    plain = name.isprintable() and not {"\\", ":"} & {*name} and len(name) <= 255
    inside = bool(parts) and name == "/".join(parts) and ".." not in parts
    return plain and inside and not name.startswith("/")


@contextmanager
def opened(path: str, longest: int) -> Iterator[str]:
    """Give the body the folder of evidence that a path names, or one with the files of a zip, as
    `unpacked` does. Raises `folder.Refused` of what is no regular file.
    """
    if os.path.isdir(path):
        folder.hashes_in(path, longest)
        yield os.path.abspath(path)
        return
    with unpacked(path, longest) as place:
        yield place


def checked_evidence(path: str, work: int, documents: dict[str, bytes]) -> JsonObject:
    """Return what the kernel here says of a zip or a folder: `folder.answer`, whether the kernel in
    it is the same, and the programs in it that are not those of this version. `documents` takes
    the certificates that are accepted.
    """
    answer, programs = folder.NOTHING, dict[str, str]()
    try:
        with opened(path, kernel.longest(work)) as place:
            answer = folder.answer(place, kernel, work)
            for certificate in answer["certificates"]:
                if certificate["code"] == 0:
                    documents[certificate["name"]] = Path(place, certificate["name"]).read_bytes()
            if answer["certificates"]:
                programs = folder.hashes_in(place, kernel.longest(work))
    except folder.Refused as refusal:
        answer = folder.NOTHING | {"code": 1, "reason": str(refusal)}
    except OSError as error:
        raise ModelError(f"cannot be read: {os.strerror(error.errno or 0)}", path) from None
    changed = _changed(programs) if answer["certificates"] else []
    same = answer["kernel"] == hash_of_own_kernel()
    return answer | {"same_kernel": same, "changed": changed}


def _changed(programs: Mapping[str, str]) -> list[str]:
    """Return the programs of a folder, its kernel and check.py, that are not those here."""
    own = {folder.PROGRAM: Path(folder.__file__), folder.DRAW: DRAWING}
    if folder.DRAW not in programs or not DRAWING.exists():  # no program of the sender, or none here
        del own[folder.DRAW]
    ours = hashes(kernel_files() | {name: path.read_bytes() for name, path in own.items()})
    inside = (name for name in programs if name in {*own, folder.DRAW} or name.startswith(f"{folder.KERNEL}/"))
    return sorted(name for name in {*ours, *inside} if ours.get(name) != programs.get(name))


def kernel_files() -> dict[str, bytes]:
    """Return the files of the kernel, by their places in a zip."""
    return {
        f"{folder.KERNEL}/{path.relative_to(_KERNEL).as_posix()}": path.read_bytes()
        for path in sorted(_KERNEL.rglob("*"))
        if path.suffix in (".py", ".md")
    }


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of files by their names, in hexadecimal digits."""
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


def hash_of_own_kernel() -> str:
    """Return the SHA-256 of the kernel of this version, as `check.py` prints it of a folder."""
    return folder.hash_of_kernel(hashes(kernel_files()))


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
    earlier: set[str] = set()
    if out is not None and os.path.isdir(out) and os.listdir(out):
        try:
            known = folder.hashes_in(out, kernel.longest(WORK))
            folder.listed(out, known, kernel, WORK)
        except (folder.Refused, OSError, ValueError) as refusal:
            raise ModelError(f"holds more than earlier evidence: {refusal}", out) from None
        earlier = {str(Path(out, name)) for name in known}
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


def packed(evidence: Evidence) -> dict[str, bytes]:
    """Return the files of the zip. Raises `CertificateError` unless the kernel inside accepts
    every certificate.
    """
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
            draws = with_counts(place / folder.DRAW, evidence.draws)
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


def _list_of(evidence: Evidence, documents: Mapping[str, JsonObject], files: Mapping[str, bytes]) -> dict[str, bytes]:
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
