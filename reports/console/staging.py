"""Replacing a report: a folder is filled beside the target and swapped in at the end, and only a
report of ours is replaced.

A report lists its own files with their hashes in `files.json`; a folder that holds anything else,
or a file that is no longer what was written, is refused untouched. Until the swap everything is in
a hidden folder `.NAME.*.partial` beside the target, which has an `owner.json` and is locked: what a
run left that was killed is removed by the next one, and nothing else.
"""

import hashlib
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of
from pufferproof.models.interface.outputs import LOCKS, cleaned_up, hidden_beside, hidden_prefix, locked

MANIFEST = "files.json"
_OWNER, _OWNER_FORMAT = "owner.json", "pufferproof-partial/1"
_NEW, _OLD = "new", "old"


@contextmanager
def replacing(out: Path, form: str) -> Iterator[Path]:
    """Give the body an empty folder to fill, and put it in the place of `out`, with its manifest,
    when the body is done.

    Raises `ModelError` unless `out` is new, empty, or holds nothing but an earlier report of the
    same format.
    """
    target = target_of(out)
    refuse_foreign(target, out, form)
    made: list[Path] = []
    try:
        # the folders that are missing, the innermost first
        made = [path for path in (target.parent, *target.parent.parents) if not path.exists()]
        target.parent.mkdir(parents=True, exist_ok=True)
        for killed in hidden_beside(target):
            with suppress(OSError):
                _remove_leftover(killed, target, form)
        with cleaned_up(), _partial(target) as partial:
            staging = partial / _NEW
            staging.mkdir()
            yield staging
            _without_empty_folders(staging)
            (staging / MANIFEST).write_bytes(manifest(form, hashes_in(staging)))
            with _one_at_a_time(target.parent):
                refuse_foreign(target, out, form)  # again: it may have changed meanwhile
                _swap(partial, target, out, form)
    except OSError as error:
        raise ModelError(f"cannot be written: {error.strerror or error}", str(out)) from None
    finally:
        for folder in made:  # those that are still empty
            with suppress(OSError):
                folder.rmdir()


def target_of(out: Path) -> Path:
    """Return where a folder is, links followed."""
    return Path(os.path.realpath(out))


def files_in(staging: Path) -> list[str]:
    """Return the files of a folder, relative to it and sorted."""
    return sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())


def refuse_foreign(target: Path, named: Path, form: str) -> None:
    """Raise `ModelError` unless a folder is new, empty, or holds nothing but a report of that
    format as it was written.
    """
    if Path.cwd().is_relative_to(target):
        raise ModelError("expected a folder for the report alone, found the current one or one above it", str(named))
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise ModelError("expected a folder, found a file", str(named))
    foreign = _foreign(target, form)
    if foreign is not None:
        raise ModelError(
            f'expected a new folder or an earlier report, found "{foreign}" in it, which no report has written so',
            str(named),
        )


def manifest(form: str, hashes: Mapping[str, str]) -> bytes:
    """Return what `files.json` says of files of a format, by name."""
    return (json.dumps({"format": form, "files": dict(sorted(hashes.items()))}, indent=1) + "\n").encode()


def hashes_in(folder: Path) -> dict[str, str]:
    """Return `sha256:<hex>` of every file of a folder."""
    return {name: _sha256(folder / name) or "" for name in files_in(folder)}


def own_files(folder: Path, form: str) -> set[str]:
    """Return which files of a folder are as its manifest says that they were written, the
    manifest itself among them.
    """
    stated = stated_files(folder, form)
    own = {name for name in stated if _inside(folder, name) and stated[name] == _sha256(folder / name)}
    return own | {MANIFEST} if stated else own


def stated_files(folder: Path, form: str) -> dict[str, str]:
    """Return what the manifest of a folder says, nothing unless it is one of that format as it
    was written.
    """
    try:
        data = (folder / MANIFEST).read_bytes()
        stated = dict(document_of(MANIFEST, data)["files"])
        return stated if _sha256(folder / MANIFEST) and data == manifest(form, stated) else {}
    except (OSError, ModelError, ValueError, KeyError, TypeError):
        return {}


def _inside(folder: Path, name: str) -> bool:
    """Whether a name stays in a folder: relative, without "..", through no link."""
    relative = PurePosixPath(name)
    if relative.is_absolute() or ".." in relative.parts or not relative.parts:
        return False
    return Path(os.path.realpath((folder / name).parent)) == Path(os.path.realpath(folder)) / relative.parent


def _sha256(path: Path) -> str | None:
    """Return the hash of a regular file, None of anything else."""
    if not os.path.lexists(path) or not stat.S_ISREG(os.lstat(path).st_mode):
        return None
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def _foreign(folder: Path, form: str) -> str | None:
    """Return something in a folder that no report has written, or None."""
    own = own_files(folder, form)
    around = {parent.as_posix() for name in stated_files(folder, form) for parent in PurePosixPath(name).parents}
    for root, folders, names in os.walk(folder):
        place = Path(root).relative_to(folder)
        for name in sorted([*folders, *names]):
            here = (place / name).as_posix()
            known = around if name in folders and not os.path.islink(folder / here) else own
            if here not in known:
                return here
    return None


def _owner(target: Path) -> bytes:
    return (json.dumps({"format": _OWNER_FORMAT, "target": target.name}) + "\n").encode()


@contextmanager
def _partial(target: Path) -> Iterator[Path]:
    """Make a locked hidden folder beside the target for the body, and remove it then."""
    partial = Path(tempfile.mkdtemp(dir=target.parent, prefix=hidden_prefix(target), suffix=".partial"))
    lock = _locked(partial)
    try:
        (partial / _OWNER).write_bytes(_owner(target))
        yield partial
    finally:
        if not (partial / _OLD).exists():
            shutil.rmtree(partial, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _locked(folder: Path) -> int | None:
    """Lock a folder until the descriptor returned is closed, or this process ends; None if
    another process has locked it, or nothing can be locked here.
    """
    if not LOCKS:
        return None
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    if locked(handle):
        return handle
    os.close(handle)
    return None


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Wait until no other run swaps reports in a folder, where it can be locked."""
    if not LOCKS:
        yield
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        locked(handle, wait=True)
        yield
    finally:
        os.close(handle)


def _remove_leftover(partial: Path, target: Path, form: str) -> None:
    """Remove a killed run's folder, known by its mark and its free lock."""
    if (partial / _OWNER).read_bytes() != _owner(target):
        return
    lock = _locked(partial)
    if lock is None:
        return
    try:
        if not os.path.lexists(target) and (partial / _OLD).is_dir():
            (partial / _OLD).rename(target)
        _remove_own(partial / _OLD, form)
        if not (partial / _OLD).exists():
            shutil.rmtree(partial)
    finally:
        os.close(lock)


def _swap(partial: Path, target: Path, named: Path, form: str) -> None:
    """Put the new report in the target's place; restore the old one on failure."""
    if not target.exists():
        (partial / _NEW).rename(target)
        return
    old = partial / _OLD
    target.rename(old)
    try:
        if (foreign := _foreign(old, form)) is not None:
            raise ModelError(f'found "{foreign}" in it, which no report has written so', str(named))
        (partial / _NEW).rename(target)
    except BaseException:
        with suppress(OSError):
            old.rename(target)
        raise
    _remove_own(old, form)


def _remove_own(folder: Path, form: str) -> None:
    """Remove the files of a report, and the folders that are empty then."""
    for name in sorted(own_files(folder, form) - {MANIFEST}):
        (folder / name).unlink()
    with suppress(OSError):
        if files_in(folder) == [MANIFEST]:
            (folder / MANIFEST).unlink()
    _without_empty_folders(folder)
    with suppress(OSError):
        folder.rmdir()


def _without_empty_folders(folder: Path) -> None:
    for root, _, _ in os.walk(folder, topdown=False):
        if Path(root) != folder:
            with suppress(OSError):
                os.rmdir(root)
