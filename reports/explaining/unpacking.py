"""Checking a zip or a folder of evidence with the kernel here, whatever kernel is in it.

A zip is unpacked into a folder of its own, and then checked as its `check.py` does. What is no
flat list of plain files is refused: links, names that leave the folder, two entries for one name,
encrypted entries, and more bytes or entries than the limits.
"""

import hashlib
import os
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import beginning
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.reports.explaining import folder
from pufferproof.verify import kernel

_KERNEL = Path(kernel.__file__).parent
DRAWING = _KERNEL.parent / "programs" / "repeating.py"  # which repeats draws, with NumPy
_STARTS = (b"PK\x03\x04", b"PK\x05\x06")  # of a zip, and of one without entries
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


def is_zip(path: str) -> bool:
    """Whether a file begins as zips do."""
    try:
        with open(path, "rb") as file:
            return file.read(4) in _STARTS
    except OSError:
        return False


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
    if folder.DRAW not in programs:  # there is no program of the sender
        del own[folder.DRAW]
    ours = hashes(kernel_files() | {name: path.read_bytes() for name, path in own.items()})
    theirs = {name: sha256 for name, sha256 in programs.items() if name in own or name.startswith(f"{folder.KERNEL}/")}
    names = sorted({*ours, *theirs})
    return [name for name in names if ours.get(name) != theirs.get(name)]


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
