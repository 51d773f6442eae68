"""Files that a command writes: whole or not at all, never over what it has read, and over what
exists with `--replace` alone.
"""

import io
import os
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from pathlib import Path

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import was_read
from pufferproof.models.interface.outputs import expect_writable, write_all_atomically

# what this command has written, for the message that its answer could not be
WRITTEN: list[str] = []
_STAMP = (1980, 1, 1, 0, 0, 0)  # of every file in a zip
_REPLACING = ContextVar("replacing", default=False)
_RESUMING = ContextVar("resuming", default=False)


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by name, the same bytes whenever it is made."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _STAMP)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            pack.writestr(info, files[name])
    return out.getvalue()


def write_outputs(
    files: dict[str, bytes],
    *named: str | None,
    inputs: Sequence[str | None],
    folder: str | None = None,
    anew: bool = False,
) -> None:
    """Write all files that a command was asked for, or none of them; never over what was read, nor
    two into one, nor without `--replace` over what exists, unless it is to be written `anew`.

    What was read are `inputs`, and all that `models/files/reading.py` read for this command: the
    files that inputs name, too. `folder` is made where it is missing, and removed again where the
    files cannot be written.
    """
    taken = {_identity(path) for path in inputs if path is not None}
    for path in [*filter(None, named), *(path for path in files if path not in named)]:
        if _identity(path) in taken or was_read(path):
            raise _taken(path)
        taken.add(_identity(path))
        if not (anew or (_RESUMING.get() and _is_there(path, files.get(path)))):
            expect_new(path)
    made = [] if folder is None else make_folder(folder)
    try:
        write_all_atomically(files)
        WRITTEN.extend(files)
    except BaseException:
        _removed(made)
        raise


def expect_outputs(files: Sequence[str], folders: Sequence[str], inputs: Sequence[str], fresh: Sequence[str]) -> None:
    """Raise `ModelError` before anything is read or computed if a file or a folder that a command
    is to write cannot be written, is one of its inputs or of its other outputs, or exists already
    and may not be replaced: of folders those that have to be `fresh`.

    Files that inputs name are not known yet: `write_outputs` asks again.
    """
    taken = {_identity(path) for path in inputs if os.path.isfile(path)}
    for path in (*files, *folders):
        if _identity(path) in taken:
            raise _taken(path)
        taken.add(_identity(path))
        expect_writable(path, path in folders)
    for path in files:
        if not _RESUMING.get():
            expect_new(path)
    for path in fresh:
        expect_empty(path)


def _taken(path: str) -> ModelError:
    return ModelError("is already read or written by this command; choose another file", path)


def resuming(resumed: bool) -> None:
    """Say whether this command goes on with a store: then what it wrote before is there again."""
    _RESUMING.set(resumed)


def _is_there(path: str, data: bytes | None) -> bool:
    if data is None or not os.path.isfile(path) or os.path.getsize(path) != len(data):
        return False
    return Path(path).read_bytes() == data


def allow_replacing(allowed: bool) -> None:
    """Say whether this command may write over files that exist."""
    _REPLACING.set(allowed)


def replacing() -> bool:
    """Whether this command may write over files that exist."""
    return _REPLACING.get()


def expect_new(path: str | None) -> None:
    """Raise `ModelError` if a file exists already, unless it may be replaced."""
    if path is not None and not replacing() and os.path.isfile(path):
        raise ModelError("exists already; --replace overwrites it", path)


def expect_empty(folder: str | None) -> None:
    """Raise `ModelError` if a folder has files already, unless they may be replaced."""
    if folder is None or replacing() or not os.path.isdir(folder):
        return
    if os.listdir(folder):
        raise ModelError("is not empty; --replace overwrites what is in it", folder)


def _identity(path: str) -> tuple[int, int] | str:
    """Return what a file's names have in common: where it is stored, or would be."""
    try:
        there = os.stat(path)
    except (OSError, ValueError):
        return os.path.realpath(path)
    return there.st_dev, there.st_ino


def make_folder(folder: str) -> list[str]:
    """Make a folder and those it is in, and return what was missing, the innermost first; all or
    none.

    Raises `ModelError` unless it is there then.
    """
    missing = [path for path in (Path(folder), *Path(folder).parents) if not os.path.lexists(path)]
    made: list[str] = []
    try:
        for path in reversed(missing):
            with suppress(FileExistsError):
                os.mkdir(path)
                made.insert(0, str(path))
        if not os.path.isdir(folder):
            raise ModelError("cannot be written: expected a folder or nothing", folder)
    except OSError as error:
        _removed(made)
        raise ModelError(f"cannot be written: {error.strerror}", folder) from None
    return made


def _removed(folders: Sequence[str]) -> None:
    """Remove empty folders; what somebody else has put something into stays."""
    for path in folders:
        with suppress(OSError):
            os.rmdir(path)
